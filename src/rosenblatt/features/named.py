"""Examples of named values to rows of a sparse matrix."""

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from rosenblatt.features.documents import check_dtype
from rosenblatt.features.named_engine import NamedFeatures
from rosenblatt.features.vocabularies import GrowingVocabulary
from rosenblatt.inputs.parts import Part, Parts
from rosenblatt.inputs.sparse import matrix_of


class NamedVectorizer(TransformerMixin, BaseEstimator):
    """Turn dicts of names and values into rows, a column for each name.

    Does what scikit-learn's DictVectorizer does, natively, and learns more names as they come.
    A number is the value of its name's column; a string makes a column of its own, called
    ``name=string``, whose value is one. `Bags`, as files of Vowpal Wabbit are read into, are taken
    as they lie.

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

    _learned: GrowingVocabulary

    def __init__(self, *, separator: str = "=", dtype: DTypeLike = np.float64) -> None:
        self.separator = separator
        self.dtype = dtype

    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Learn the names of these examples, and forget all others; y is ignored."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: ArrayLike | None = None) -> csr_matrix:
        """Do ``fit`` and ``transform`` in one walk over the examples."""
        features = self._features()
        rows = features.learn_sorted(X)
        self._learned = features.learned
        return matrix_of(*rows, features.width)

    def fit_batches(self, batches: Iterable[Any]) -> Self:
        """Do ``fit`` on examples that come batch by batch, with the result of all at once."""
        features = NamedFeatures(self.separator, self._features().dtype)
        for examples in batches:
            features.learn(examples)
        features.learned.keep(features.learned.lexicon.sorted())
        self._learned = features.learned
        return self

    def partial_fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Learn the names of more examples: new ones get new columns at the end."""
        features = self._features()
        features.learn(X)
        self._learned = features.learned
        return self

    def transform(self, X: Any) -> csr_matrix:
        """Rows of the names that were learned; others are left out."""
        check_is_fitted(self)
        features = self._features()
        return matrix_of(*features.rows(X), features.width)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """What the columns are called."""
        check_is_fitted(self)
        return self._learned.names()

    @property
    def vocabulary_(self) -> dict[str, int]:
        check_is_fitted(self)
        return self._learned.columns()

    @property
    def features_(self) -> NamedFeatures:
        check_is_fitted(self)
        return self._features()

    def wear(self, features: NamedFeatures) -> Self:
        """Take over what such features have learned, as from a file; settings must agree."""
        mine = self._features()
        for name in ("separator", "dtype"):
            theirs = getattr(features, name)
            if theirs != getattr(mine, name):
                raise ValueError(f"The features were learned with {name}={theirs!r}.")
        self._learned = features.learned
        return self

    def _parts(self) -> dict[str, Part | None]:
        return {"features": self.features_}

    def _restore(self, parts: Parts) -> None:
        self.wear(parts.build("features", NamedFeatures))

    def _features(self) -> NamedFeatures:
        check_dtype(self.dtype)
        features = NamedFeatures(self.separator, np.dtype(self.dtype).name)
        if self.__sklearn_is_fitted__():
            features.learned = self._learned
        return features

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_learned")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.dict = True
        tags.input_tags.two_d_array = False
        return tags
