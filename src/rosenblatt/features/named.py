"""Examples of named values to rows of a sparse matrix."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike
from scipy.sparse import csr_matrix
from sklearn.utils.validation import check_is_fitted

from rosenblatt.features.named_engine import NamedFeatures
from rosenblatt.features.vectorizer import Vectorizer, filled_rows
from rosenblatt.features.vocabularies import GrowingVocabulary
from rosenblatt.inputs.parameters import check_dtype
from rosenblatt.inputs.sparse import matrix_of


@dataclass(eq=False, repr=False)
class NamedVectorizer(Vectorizer):
    """Turn dicts of names and values into rows, a column for each name.

    Does what scikit-learn's DictVectorizer does, natively, and learns more names as they come.
    A number is the value of its name's column; a string makes a column of its own, called
    ``name=string``, whose value is one, and so does each string of a list. Names that are numbers
    or tuples are called by what ``str`` makes of them. `Bags`, as files of Vowpal Wabbit are read
    into, are taken as they lie.

    Parameters
    ----------
    separator : str, default="="
        Stands between a name and a string in the name of a column.

    dtype : {float64, float32}, default=float64
        Type of the values.

    Attributes
    ----------
    vocabulary_ : dict of str to int
        The column of each name.

    features_ : NamedFeatures
        Settings and columns in a class that makes rows without scikit-learn, and goes to files.

    Notes
    -----
    ``fit`` numbers the names in their order, as scikit-learn does. ``partial_fit`` adds new ones at
    the end, in the order in which they first appear. Values must be finite: leave out what is not
    known.

    Examples
    --------
    >>> from rosenblatt import NamedVectorizer
    >>> vectorizer = NamedVectorizer()
    >>> vectorizer.fit_transform([{"size": 2, "colour": "red"}, {"size": 0.5}]).toarray()
    array([[1. , 2. ],
           [0. , 0.5]])
    >>> vectorizer.partial_fit([{"age": 3}]).get_feature_names_out()
    array(['colour=red', 'size', 'age'], dtype=object)
    """

    __module__ = "rosenblatt"

    _learned: GrowingVocabulary = field(init=False)
    _engine_class = NamedFeatures
    _input_tags = ("dict",)

    _: KW_ONLY
    separator: str = "="
    dtype: DTypeLike = np.float64

    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Learn the names of these examples, and forget all others; y is ignored."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: ArrayLike | None = None) -> csr_matrix:
        """Do ``fit`` and ``transform`` in one walk over the examples."""
        features = self._engine()
        rows = features.learn_sorted(X)
        self._learned = features.learned
        return matrix_of(*rows, features.width)

    def fit_batches(self, batches: Iterable[Any]) -> Self:
        """Do ``fit`` on examples that come batch by batch, with the result of all at once."""
        features = NamedFeatures(self.separator, self._engine().dtype)
        for examples in batches:
            features.learn(examples)
        features.learned.keep(features.learned.lexicon.sorted())
        self._learned = features.learned
        return self

    def partial_fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Learn the names of more examples: new ones get new columns at the end."""
        with self._learning_lock:
            features = self._engine()
            features.learn(X)
            self._keep(features.learned)
        return self

    def transform(self, X: Any) -> csr_matrix:
        """Rows of the names that were learned; others are left out."""
        check_is_fitted(self)
        features = self._engine().snapshot()
        return matrix_of(*features.rows(X), features.width)

    def inverse_transform(self, X: Any, dict_type: type = dict) -> list[Any]:
        """The values of each row that are not zero, by the names of their columns."""
        names = self.get_feature_names_out()
        return [
            dict_type(zip(names[columns].tolist(), values.tolist(), strict=True))
            for columns, values in filled_rows(X, len(names))
        ]

    @property
    def vocabulary_(self) -> dict[str, int]:
        return self._known().columns()

    @property
    def features_(self) -> NamedFeatures:
        return self._fitted_engine()

    def restore(self, features: NamedFeatures) -> Self:
        """Take over what such features have learned, as from a file; settings must agree."""
        mine = self._engine()
        for name in ("separator", "dtype"):
            theirs = getattr(features, name)
            if theirs != getattr(mine, name):
                raise ValueError(f"The features were learned with {name}={theirs!r}.")
        self._learned = features.learned
        return self

    def _engine(self) -> NamedFeatures:
        check_dtype(self.dtype)
        features = NamedFeatures(self.separator, np.dtype(self.dtype).name)
        if self.__sklearn_is_fitted__():
            features.learned = self._learned
        return features
