"""Examples to rows, without scikit-learn and SciPy: what stands before a model in its file."""

import importlib
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt.features.examples import Examples, Records
from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.messages import MATRIX, as_array, refuse
from rosenblatt.inputs.names import Features
from rosenblatt.inputs.parts import require
from rosenblatt.inputs.sparse import FLOATS, Compressed, csr_rows, is_sparse, rows_of, to_csr
from rosenblatt.persistence.model_files import Step, built
from rosenblatt.persistence.scalers import SCALERS

if TYPE_CHECKING:
    from rosenblatt.features.combination_columns import CombinationColumns, Float

ENGINES = {
    "NamedVectorizer": ("named_engine", "NamedFeatures"),
    "TableVectorizer": ("table_engine", "TableColumns"),
    "TextVectorizer": ("text_engine", "Words"),
}
"""Of each vectorizer the engine that makes rows: its module and class.

Such a class has ``part``, what a file calls it, ``takes``, a kind of `Examples`, ``width``,
``names()``, ``name(column)`` and ``rows(examples)``, which gives the indptr, indices and data of a
CSR matrix. ``counted_rows(examples)`` gives the same, and how many features of each example are
known of how many it has.
"""

Matrix = NDArray[Any] | Compressed
Shares = NDArray[np.float64]


class RowSource(Protocol):
    """Makes matrices of examples."""

    @property
    def width(self) -> int: ...

    @property
    def takes(self) -> type[Examples] | None:
        """The kind of the examples; None if they are rows of numbers."""

    @property
    def table(self) -> dict[str, str]:
        """The columns of the tables that it reads and their kinds; none if it reads no tables."""

    def matrix(self, examples: Any) -> Matrix: ...

    def matrix_and_unknown(self, examples: Any) -> tuple[Matrix, Shares]:
        """The matrix, and of each example the share of its features that the model does not know.

        Of rows of numbers those in columns beyond its own, which only sparse rows may have; of
        hashed words those in columns without any word, of tables none of the numbers.
        """

    def names(self) -> NDArray[Any] | None:
        """What the columns are called; None if they only have numbers."""

    def name(self, column: int) -> str: ...


@dataclass(frozen=True)
class NumberRows:
    """Rows of numbers as they come."""

    __module__ = "rosenblatt"

    width: int
    given: NDArray[Any] | None
    """The names of the columns, if they have names."""
    first: int = 0
    """The number that the first column goes by, if they have none."""
    takes: ClassVar = None
    table: ClassVar[dict[str, str]] = {}

    def matrix(self, examples: Any) -> Matrix:
        """An array, or CSR in which unknown columns are left out and the last may be missing."""
        if isinstance(examples, Mapping):
            examples = [
                [float(examples.get(name, 0.0)) for name in map(self.name, range(self.width))]
            ]
        if is_sparse(examples):
            return self._known(to_csr(examples))
        if isinstance(examples, Examples):
            raise ValueError(f"The model takes rows of numbers, but these are {examples.holds}.")
        X = as_array(examples, MATRIX)
        if X.dtype.kind in "SU":
            raise ValueError("The model takes rows of numbers, got text.")
        if X.dtype not in FLOATS:
            X = X.astype(np.float64)
        if X.ndim != 2:
            raise ValueError(f"Rows of numbers must have two dimensions, got shape {X.shape}.")
        if X.shape[1] != self.width:
            raise InputError(MATRIX, f" has {X.shape[1]} features, but the model has {self.width}")
        return np.require(X, requirements=["C", "A"])

    def matrix_and_unknown(self, examples: Any) -> tuple[Matrix, Shares]:
        X = self.matrix(examples)
        if isinstance(X, np.ndarray):
            return X, np.zeros(len(X))
        refuse(csr_rows(X).check(values=False))
        return X, _share_without(np.diff(X.indptr), np.diff(to_csr(examples).indptr))

    def _known(self, X: Any) -> Compressed:
        indptr, indices, data = X.indptr, X.indices, X.data
        if X.shape[1] > self.width:
            refuse(csr_rows(X).check(values=False))
            known = indices < self.width
            indptr = np.append(0, np.cumsum(known))[indptr]
            indices, data = indices[known], data[known]
        return Compressed(indptr, indices, data, (X.shape[0], self.width))

    def names(self) -> NDArray[Any] | None:
        return self.given

    def name(self, column: int) -> str:
        return f"x{self.first + column}" if self.given is None else str(self.given[column])


@dataclass(frozen=True)
class Vectorized:
    """What a vectorizer makes of examples."""

    __module__ = "rosenblatt"

    engine: Any

    @property
    def width(self) -> int:
        return int(self.engine.width)

    @property
    def takes(self) -> type[Examples]:
        return self.engine.takes

    @property
    def table(self) -> dict[str, str]:
        return dict(self.engine.kinds) if self.takes is Records else {}

    def matrix(self, examples: Any) -> Compressed:
        return self._compressed(self.engine.rows(self._taken(examples)))

    def _taken(self, examples: Any) -> Any:
        """Examples of the kind that it takes; one alone as the only one."""
        kind = self.takes
        examples = [examples] if isinstance(examples, kind.alone) else examples
        if is_sparse(examples) or (
            isinstance(examples, Examples) and not isinstance(examples, kind)
        ):
            holds = examples.holds if isinstance(examples, Examples) else "rows of numbers"
            raise ValueError(f"The model takes {kind.holds}, but these are {holds}.")
        return examples

    def _compressed(self, rows: tuple[NDArray[Any], NDArray[Any], NDArray[Any]]) -> Compressed:
        return Compressed(*rows, (len(rows[0]) - 1, self.width))

    def matrix_and_unknown(self, examples: Any) -> tuple[Matrix, Shares]:
        rows, known, there = self.engine.counted_rows(self._taken(examples))
        return self._compressed(rows), _share_without(known, there)

    def names(self) -> NDArray[Any]:
        return self.engine.names()

    def name(self, column: int) -> str:
        return str(self.engine.name(int(column)))


@dataclass(frozen=True)
class Changed:
    """Rows that a step of a pipeline makes of rows."""

    before: RowSource

    @abstractmethod
    def _changed(self, X: Matrix) -> Matrix:
        """The rows that it makes."""

    def matrix(self, examples: Any) -> Matrix:
        return self._changed(self.before.matrix(examples))

    @property
    def width(self) -> int:
        return self.before.width

    @property
    def takes(self) -> type[Examples] | None:
        return self.before.takes

    @property
    def table(self) -> dict[str, str]:
        return self.before.table

    def matrix_and_unknown(self, examples: Any) -> tuple[Matrix, Shares]:
        X, shares = self.before.matrix_and_unknown(examples)
        return self._changed(X), shares

    def names(self) -> NDArray[Any] | None:
        return self.before.names()

    def name(self, column: int) -> str:
        return self.before.name(column)


@dataclass(frozen=True)
class Combined(Changed):
    """The same with combinations of its columns."""

    __module__ = "rosenblatt"

    columns: "CombinationColumns"

    @property
    def width(self) -> int:
        return self.columns.count

    def _changed(self, X: Matrix) -> Compressed:
        rows = rows_of(X)
        refuse(rows.check(values=True))
        if not rows.in_order:
            from rosenblatt.inputs.tables import sound_rows_of

            rows = sound_rows_of(X, values=True)
        dtype = X.dtype if isinstance(X, np.ndarray) else X.data.dtype
        kind: Float = "float32" if dtype == np.float32 else "float64"
        data, indices, indptr = self.columns.combined(rows, kind)
        return Compressed(indptr, indices, data, (rows.count, self.width))

    def names(self) -> NDArray[Any]:
        return self.columns.names(np.arange(self.width), self.before.names())

    def name(self, column: int) -> str:
        return self.columns.name(int(column), self.before.names())


@dataclass(frozen=True)
class Scaled(Changed):
    """The same once a scaler of scikit-learn has been over it."""

    __module__ = "rosenblatt"

    scaler: Any

    def _changed(self, X: Matrix) -> Matrix:
        if isinstance(X, np.ndarray):
            return np.require(self.scaler.transform(X), requirements=["C", "A"])
        from scipy.sparse import csr_array

        scaled = self.scaler.transform(csr_array((X.data, X.indices, X.indptr), shape=X.shape))
        return Compressed(scaled.indptr, scaled.indices, scaled.data, X.shape)


def _share_without(known: NDArray[Any], there: NDArray[Any]) -> Shares:
    """The share that is not known of what is there; all of it where there is nothing."""
    return 1 - known / np.maximum(there, 1)


def source_of(steps: list[Step], model: Features, width: int, first: int) -> RowSource:
    """What makes rows of examples for a model of so many columns, given the steps before it.

    Columns of numbers without names are numbered from ``first`` on.
    """
    source: RowSource = NumberRows(width, model.called, first)
    for place, step in enumerate(steps):
        parts = step.parts
        if step.estimator in SCALERS:
            scaler = built(step).set_params(copy=True)
            names = scaler.__dict__.pop("feature_names_in_", None)  # rows come without names
            known = scaler.n_features_in_
            source = Scaled(source if place else NumberRows(known, names, first), scaler)
            require(source.width == known, "its steps do not fit each other")
        elif step.estimator == "FeatureCombinations":
            from rosenblatt.features.combination_columns import CombinationColumns

            columns = parts.build("columns", CombinationColumns)
            names = parts.build("features", Features).called
            source = Combined(source if place else NumberRows(columns.width, names), columns)
            require(source.before.width == columns.width, "its steps do not fit each other")
        else:
            require(place == 0, "a vectorizer can only be its first step")
            module, name = ENGINES[step.estimator]
            engine = getattr(importlib.import_module(f"rosenblatt.features.{module}"), name)
            source = Vectorized(parts.build(engine.part, engine))
    require(source.width == width, "its steps do not fit each other")
    return source
