"""Tables to rows of a sparse matrix: numbers, categories and words."""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, Self

from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from rosenblatt.features.column_kinds import KINDS, as_cell, chosen_kinds, enumerated
from rosenblatt.features.table_cells import cells_of, column_names
from rosenblatt.features.table_engine import SCALES, TableColumns
from rosenblatt.features.text import TextVectorizer
from rosenblatt.features.text_fitting import WordCount
from rosenblatt.features.vectorizer import Vectorizer
from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.parameters import check_choice, wrong
from rosenblatt.inputs.sparse import matrix_of

LOOKED_AT = 2000
"""Rows that kinds are guessed from."""


@dataclass(eq=False, repr=False)
class TableVectorizer(Vectorizer):
    """Turn the columns of a table into features: numbers, categories and words.

    A number is one feature, called as its column, such as ``age``. If it is not known it is 0, and
    ``age=missing`` is 1. Each category is a feature, such as ``colour=red``, which is 1 where the
    cell says so; an empty cell is ``colour=missing``, and categories that were never learned are
    ignored. Words in a column of text are counted as TextVectorizer does; they are called
    ``title:word``, or just ``word`` if no other column counts.

    Numbers of very different sizes slow perceptrons down: the largest would decide every step.
    So they are divided by their standard deviation, and their mean is subtracted first.

    Parameters
    ----------
    kinds : dict of str to {"number", "category", "text"}, optional
        The columns that count and what they hold. By default guessed in the first call of fit;
        columns that teach nothing, such as numbers that count the rows, and dates, are left out.

    scale : {"auto", "standard", "spread"} or None, default="auto"
        "standard" subtracts the mean and divides by the standard deviation; "spread" only
        divides, so that zeros stay zeros; "auto" does the latter where more than half of a column
        is zero, else the former; None takes numbers as they are.

    text : TextVectorizer, optional
        How columns of text are counted; a copy of it serves each. TextVectorizer() by default.

    Attributes
    ----------
    kinds_ : dict of str to str
        The columns that count.

    columns_ : TableColumns
        All that was learned, which makes rows without scikit-learn.

    Notes
    -----
    ``partial_fit`` adds the features of new categories and words at the end. It also learns better
    how numbers spread, which moves the values of later rows; to learn from a stream with the same
    values throughout, walk over it once for the vectorizer and then for the model.

    Examples
    --------
    >>> from rosenblatt import TableVectorizer
    >>> table = {"age": [20, 40, None], "pet": ["cat", "dog", "cat"]}
    >>> vectorizer = TableVectorizer(kinds={"age": "number", "pet": "category"})
    >>> vectorizer.fit_transform(table).toarray()
    array([[-1.,  0.,  1.,  0.],
           [ 1.,  0.,  0.,  1.],
           [ 0.,  1.,  1.,  0.]])
    >>> vectorizer.get_feature_names_out()
    array(['age', 'age=missing', 'pet=cat', 'pet=dog'], dtype=object)
    """

    __module__ = "rosenblatt"

    _learned: TableColumns = field(init=False)
    _engine_class = TableColumns
    _input_tags = ("string", "categorical")

    _: KW_ONLY
    kinds: Mapping[str, str] | None = None
    scale: Literal["auto", "standard", "spread"] | None = "auto"
    text: TextVectorizer | None = None

    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Learn the features of this table, and forget all others; y is ignored."""
        return self.fit_batches([X])

    def fit_batches(self, batches: Iterable[Any]) -> Self:
        """Do ``fit`` on rows that come batch by batch, with the result of all at once.

        If ``kinds`` is not given, it is guessed from the first batch.
        """
        learned, counts = None, dict[str, WordCount]()
        for X in batches:
            if learned is None:
                learned = self._nothing_learned(X)
                counts.update((name, self._new_words().word_count()) for name in learned.places)
            learned.learn(X, lambda name, cells: counts[name].take(cells))
        if learned is None:
            raise ValueError("There is no batch to learn from.")
        for name, count in counts.items():
            count.settle()
            learned.words[name] = count.words
        learned.renumber()
        self._learned = learned
        return self

    def partial_fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Learn the features of more rows: new ones get new columns at the end."""
        with self._learning_lock:
            learned = self._learned if self.has_learned else self._nothing_learned(X)

            def learn_words(name: str, cells: Any) -> None:
                if name not in learned.words:
                    learned.words[name] = self._new_words().partial_fit(()).words_
                learned.words[name].learn(cells)

            learned.learn(X, learn_words)
            learned.place_words()
            self._keep(learned)
        return self

    def transform(self, X: Any) -> csr_matrix:
        """Rows of the features that were learned."""
        check_is_fitted(self)
        learned = self._learned  # as far as it has come: a snapshot would copy all categories
        rows = learned.rows(X)
        return matrix_of(*rows, learned.width)

    @property
    def kinds_(self) -> dict[str, str]:
        return self._known().kinds

    @property
    def columns_(self) -> TableColumns:
        return self._fitted_engine()

    def restore(self, columns: TableColumns) -> Self:
        """Take over what such columns have learned, as from a file; settings must agree."""
        for words in columns.words.values():
            self._new_words().restore(words)
        self._learned = columns
        return self

    def _known(self) -> TableColumns:
        with self._learning_lock:
            return super()._known()

    def _engine(self) -> TableColumns:
        return self._learned

    def _nothing_learned(self, X: Any) -> TableColumns:
        if self.scale is not None:
            check_choice("scale", self.scale, SCALES)
        return TableColumns(self._kinds(X), self.scale)

    def _new_words(self) -> TextVectorizer:
        words = TextVectorizer() if self.text is None else clone(self.text)
        if words.input != "content":
            raise wrong("input", words.input, "be 'content' where the words are in a table")
        return words

    def _kinds(self, X: Any) -> dict[str, str]:
        names, left_out = column_names(X), dict[str, str]()
        if self.kinds is None:
            kinds, left_out = chosen_kinds(
                {name: [*map(as_cell, cells_of(X, name)[:LOOKED_AT])] for name in names}
            )
        else:
            kinds = dict(self.kinds)
        for name, kind in kinds.items():
            if kind not in KINDS:
                raise ValueError(
                    f"kinds[{name!r}] must be one of {enumerated(KINDS)}, got {kind!r}."
                )
        if not kinds:
            no_use = [f"{name} (taken for: {why})" for name, why in left_out.items()]
            raise InputError(
                f"The table has no column to learn from: it has {enumerated(no_use or names)}",
                remedy="say what they hold by TableVectorizer(kinds=...)" if no_use else None,
            )
        return kinds
