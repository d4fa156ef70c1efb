"""Pairs and triples of features, so that a linear model can tell "not excellent" from both words.

The core writes the rows; here are the columns: how many, which, and what they are called.
"""

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils._openmp_helpers import _openmp_effective_n_threads
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from rosenblatt import core
from rosenblatt.features.combination_columns import LARGEST_INDEX, CombinationColumns, Float
from rosenblatt.inputs.names import Features
from rosenblatt.inputs.parameters import (
    check_choice,
    check_count,
    check_flag,
    is_integer,
    threads_of,
    wrong,
)
from rosenblatt.inputs.parts import Part, Parts, require
from rosenblatt.inputs.sparse import SparseKind, matrix_of
from rosenblatt.inputs.tables import Columns, read_table, sound_rows_of

MOST_NAMES = 10_000_000
"""Names made at once, about a gigabyte of them."""


@dataclass(eq=False, repr=False)
class FeatureCombinations(TransformerMixin, BaseEstimator):
    """Products of two or three distinct features, as features of their own.

    A linear model adds up what each feature says. Where a feature turns the meaning of another,
    as in XOR or as NOT does with EXCELLENT, no weights will do; with a weight for the two together
    they will::

        (x1, x2, x3)  ->  (x1, x2, x3, x1 x2, x1 x3, x2 x3)              degree 2
                          (..., x1 x2 x3)                                degree 3

    The values are those of scikit-learn's ``PolynomialFeatures(interaction_only=True,
    include_bias=False)``, bit for bit, and with ``columns="all"`` the columns are too. A feature is
    never combined with itself. D features have D (D - 1) / 2 pairs, though, so ``columns`` says
    which of them get a column. Rows of a sparse matrix cost what their own features cost: a row of
    75 words has 2,775 pairs, whatever the vocabulary.

    Use it in front of any linear member, best `AveragedPerceptron`, when combinations of a few
    features matter and should be weights that one can read.

    Parameters
    ----------
    degree : {2, 3}, default=2
        Pairs, or pairs and triples.

    columns : {"seen", "all", "hashed"}, default="seen"
        Which combinations get a column. "seen": those that occur in X when fitted; others are
        dropped by transform. "all": every combination that there may be, in the order of
        PolynomialFeatures; a model then needs a weight for each. "hashed": they share
        ``2 ** n_hash_bits`` columns, whatever X holds, for streams and for bounded memory.

    include_original : bool, default=True
        Whether the features themselves come first, in their own columns.

    min_count : int, default=1
        With ``columns="seen"``, the number of rows in which a combination must occur to get a
        column.

    n_hash_bits : int, default=20
        With ``columns="hashed"``, the binary logarithm of the number of columns for combinations,
        at most 32. Combinations in the same column of a row are added up, without changes of sign,
        so that counts stay counts.

    sparse_output : bool, optional
        Whether transform makes a CSR matrix or an array. By default as X is, but always CSR if
        hashed.

    n_jobs : int, optional
        Threads that write rows side by side in transform; -1 is one on each processor, -2 one
        less. By default as many as scikit-learn's own threads: one on each core that this process
        may use, fewer if OMP_NUM_THREADS says so, as it does in joblib's processes. A small result
        is written by one in any case. What comes out is the same.

    Attributes
    ----------
    n_output_features_ : int
        Number of columns that transform makes.

    n_features_in_ : int
        Number of features.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, if X had names that are all strings.

    Examples
    --------
    >>> from rosenblatt import FeatureCombinations
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> counts = CountVectorizer()
    >>> X = counts.fit_transform(["excellent", "not excellent", "terrible", "not terrible"])
    >>> combinations = FeatureCombinations().fit(X)
    >>> combinations.get_feature_names_out(counts.get_feature_names_out()).tolist()
    ['excellent', 'not', 'terrible', 'excellent×not', 'not×terrible']
    >>> combinations.transform(X).toarray().astype(int)
    array([[1, 0, 0, 0, 0],
           [1, 1, 0, 1, 0],
           [0, 0, 1, 0, 0],
           [0, 1, 1, 0, 1]])
    """

    __module__ = "rosenblatt"

    _learned: tuple[CombinationColumns, NDArray[Any] | None] | None = field(
        default=None, init=False
    )
    """The columns, and the names of the features if they have any."""

    degree: int = 2
    _: KW_ONLY
    columns: Literal["seen", "all", "hashed"] = "seen"
    include_original: bool = True
    min_count: int = 1
    n_hash_bits: int = 20
    sparse_output: bool | None = None
    n_jobs: int | None = None

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn which columns there are; only with ``columns="seen"`` does it matter what X holds.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        y : ignored
        """
        self._check_parameters()
        X, columns = read_table(X, None, type(self).__name__)
        self._learned = self._choose(sound_rows_of(X, values=True)), columns.names
        return self

    @property
    def _columns(self) -> CombinationColumns:
        if self._learned is None:
            raise AttributeError("FeatureCombinations has no columns before it is fitted.")
        return self._learned[0]

    @property
    def n_features_in_(self) -> int:
        """Number of features."""
        return self._columns.width

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Names of the features, if they have names."""
        names = None if self._learned is None else self._learned[1]
        if names is None:
            raise AttributeError("FeatureCombinations has no feature_names_in_.")
        return names

    @property
    def n_output_features_(self) -> int:
        """Number of columns."""
        return self._columns.count

    def __sklearn_is_fitted__(self) -> bool:
        return self._learned is not None

    def _choose(self, rows: core.Rows) -> CombinationColumns:
        degree, original = int(self.degree), bool(self.include_original)
        if self.columns == "hashed":
            return CombinationColumns(rows.width, degree, original, bits=int(self.n_hash_bits))
        every = CombinationColumns(rows.width, degree, original)
        if rows.width + every.possible > LARGEST_INDEX:
            raise ValueError(
                f"{rows.width} features have {every.possible} combinations, more than can be "
                "counted: set columns='hashed'."
            )
        if self.columns == "all":
            return every
        try:
            return CombinationColumns.seen(rows, degree, original, int(self.min_count))
        except MemoryError as error:
            raise ValueError(
                "The combinations in X need more memory than there is: raise min_count, or set "
                "columns='hashed'."
            ) from error

    def transform(self, X: Any) -> Any:
        """Give each row its combinations.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        combined : ndarray or CSR matrix of shape (n_samples, `n_output_features_`)
            float32 if X is, else float64. Sparse rows have their columns in rising order, in
            int32 if that will do.
        """
        check_is_fitted(self)
        X, _ = read_table(X, Columns.known_to(self), type(self).__name__)
        rows = sound_rows_of(X, values=True)
        dtype: Float = "float32" if X.dtype == np.float32 else "float64"
        as_sparse = self.sparse_output
        if as_sparse is None:
            as_sparse = sparse.issparse(X) or self._columns.bits is not None
        try:
            if not as_sparse:
                return self._columns.combined_dense(rows, dtype, self._threads())
            data, indices, indptr = self._columns.combined(rows, dtype, self._threads())
        except MemoryError as error:
            raise ValueError(
                "X with its combinations needs more memory than there is: transform fewer rows at "
                "a time, or have fewer columns with min_count or columns='hashed'."
            ) from error
        kind: SparseKind = "csr_matrix" if sparse.isspmatrix(X) else "csr_array"
        return matrix_of(indptr, indices, data, self._columns.count, kind)

    def _threads(self) -> int:
        if self.n_jobs is None:
            return int(_openmp_effective_n_threads(only_physical_cores=False))
        return threads_of(self.n_jobs)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[Any]:
        """The names of all columns: of the features, then as in "not×excellent".

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the features; by default those that X had when fitted, or "x0", "x1" ...

        Returns
        -------
        names : ndarray of str
            Hashed columns are called "hashed0", "hashed1" ...
        """
        check_is_fitted(self)
        if self._columns.count > MOST_NAMES:
            raise ValueError(
                f"{self._columns.count} columns are too many to name them all: ask for those that "
                "you need with name_of(column)."
            )
        return self._columns.names(np.arange(self._columns.count), self._features(input_features))

    def name_of(self, column: int, input_features: ArrayLike | None = None) -> str:
        """The name of one column.

        Parameters
        ----------
        column : int

        input_features : array-like of str, optional
            Names of the features, as in get_feature_names_out.
        """
        check_is_fitted(self)
        count = self._columns.count
        if not is_integer(column) or not 0 <= int(column) < count:
            raise wrong("column", column, f"be a whole number from 0 to {count - 1}")
        return self._columns.name(int(column), self._features(input_features))

    def _features(self, given: ArrayLike | None) -> NDArray[Any] | None:
        """The names of the features, None if they have none."""
        if given is None and not hasattr(self, "feature_names_in_"):
            return None
        return np.asarray(_check_feature_names_in(self, given), dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _parts(self) -> dict[str, Part | None]:
        self._check_parameters()
        return {"columns": self._columns, "features": Features.of(self)}

    def _restore(self, parts: Parts) -> None:
        self._check_parameters()
        columns = parts.build("columns", CombinationColumns)
        features = parts.build("features", Features)
        require(features.width == columns.width, "its combinations are of other features")
        self._learned = columns, features.called

    def _check_parameters(self) -> None:
        if not is_integer(self.degree) or self.degree not in (2, 3):
            raise wrong("degree", self.degree, "be 2 or 3")
        check_choice("columns", self.columns, ["seen", "all", "hashed"])
        check_flag("include_original", self.include_original)
        check_count("min_count", self.min_count)
        if not is_integer(self.n_hash_bits) or not 1 <= self.n_hash_bits <= 32:
            raise wrong("n_hash_bits", self.n_hash_bits, "be a whole number from 1 to 32")
        if self.sparse_output is not None:
            check_flag("sparse_output", self.sparse_output)
        threads_of(self.n_jobs)
