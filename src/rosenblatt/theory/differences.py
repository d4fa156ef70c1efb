"""Examples and their labels as the theory reads them: scores, lengths, differences."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.inputs.labels import distinct, encode, read_labels
from rosenblatt.inputs.messages import refuse
from rosenblatt.inputs.parameters import wrong
from rosenblatt.inputs.sparse import rows_of
from rosenblatt.inputs.tables import read_table

Array = NDArray[np.float64]
BATCH = 1 << 20
"""Values looked at together."""


def read_rows(X: Any) -> Any:
    """X as a table of finite numbers, dense or CSR with each column once and in order."""
    if getattr(X, "ndim", 0) == 2 and X.shape[1] == 0 and X.shape[0] > 0:
        return np.zeros((X.shape[0], 1))  # no features at all say as much as one that is zero
    X, _ = read_table(X, None, "the theory")
    rows = rows_of(X)
    refuse(rows.check(values=True))
    if not isinstance(X, np.ndarray):
        X = sparse.csr_array(X, dtype=np.float64, copy=not rows.in_order)
        X.sum_duplicates()
    return X


@dataclass(frozen=True)
class LabelledRows:
    """Rows and the numbers of their classes.

    Weights are an array of shape (features,) and a number b for two classes, or of shape (classes,
    features) and an array b for more. Stacked, they are one vector: the weights class by class,
    then b.
    """

    X: Any
    codes: NDArray[np.intp]
    classes: NDArray[Any]

    @classmethod
    def read(cls, X: Any, y: Any, classes: NDArray[Any] | None = None) -> "LabelledRows":
        X = read_rows(X)
        if y is None:
            raise wrong("y", None, "hold the labels of the examples")
        labels = read_labels("A margin", y, X.shape[0])
        if classes is None:
            classes = distinct(labels)
        if len(classes) < 2:
            raise InputError(
                *("A margin lies between the examples of two or more classes, but ", Name("y")),
                f" holds only the label {classes.tolist()[0]!r}",
            )
        return cls(X, encode(labels, classes).astype(np.intp), classes)

    @property
    def count(self) -> int:
        return int(self.X.shape[0])

    @property
    def width(self) -> int:
        return int(self.X.shape[1])

    @property
    def blocks(self) -> int:
        """How many weight vectors there are."""
        return 1 if len(self.classes) == 2 else len(self.classes)

    def batches(self) -> Iterator[tuple[slice, Any]]:
        """The rows a stretch at a time, in float64."""
        length = max(1, BATCH // self.width)
        for start in range(0, self.count, length):
            stretch = slice(start, start + length)
            yield stretch, self.X[stretch].astype(np.float64)

    def gaps(self, w: Array, b: Any) -> Array:
        """For each row and each rival, by how much the right class is ahead."""
        scores: Array = np.concatenate([part @ np.transpose(w) for _, part in self.batches()]) + b
        if self.blocks == 1:
            return (self._signs(np.arange(self.count)) * scores)[:, np.newaxis]
        gaps: Array = scores[np.arange(self.count), self.codes][:, np.newaxis] - scores
        rivals = np.arange(self.blocks) != self.codes[:, np.newaxis]
        return gaps[rivals].reshape(self.count, self.blocks - 1)

    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Every row with every rival of its class: row numbers and rivals."""
        if self.blocks == 1:
            return np.arange(self.count), 1 - self.codes
        rivals = np.tile(np.arange(self.blocks), (self.count, 1))
        others = rivals != self.codes[:, np.newaxis]
        return np.repeat(np.arange(self.count), self.blocks - 1), rivals[others]

    def differences(self, rows: NDArray[np.intp], rivals: NDArray[np.intp]) -> Any:
        """What each row has under its class and not under its rival, stacked: a CSR array."""
        X = sparse.csr_array(self.X[rows], dtype=np.float64)
        if self.blocks == 1:
            return sparse.csr_array(sparse.diags_array(self._signs(rows)) @ X)
        return _stacked(X, self.codes[rows], rivals, self.blocks)

    def framed(self, rows: NDArray[np.intp], rivals: NDArray[np.intp], fit_intercept: bool) -> Any:
        """The differences, with the constant features behind them where there is an intercept."""
        D = self.differences(rows, rivals)
        return sparse.hstack([D, self.constants(rows, rivals)], "csr") if fit_intercept else D

    def constants(self, rows: NDArray[np.intp], rivals: NDArray[np.intp]) -> Any:
        """The same for the constant feature: a column for each intercept."""
        if self.blocks == 1:
            return sparse.csr_array(self._signs(rows)[:, np.newaxis])
        ones = sparse.csr_array(np.ones((len(rows), 1)))
        return _stacked(ones, self.codes[rows], rivals, self.blocks)

    def unstacked(self, weights: Array, intercepts: Array) -> tuple[Array, Any]:
        """Stacked weights and intercepts as w and b; intercepts may be none."""
        if self.blocks == 1:
            return weights, float(intercepts[0]) if len(intercepts) else 0.0
        return weights.reshape(self.blocks, -1), (
            intercepts if len(intercepts) else np.zeros(self.blocks)
        )

    def _signs(self, rows: NDArray[np.intp]) -> Array:
        return np.where(self.codes[rows] == 1, 1.0, -1.0)


def squared_lengths(X: Any) -> Array:
    """The squared length of each row."""
    squares = X.multiply(X) if sparse.issparse(X) else X * X
    return np.asarray(squares.sum(axis=1)).ravel()


def _stacked(X: Any, right: NDArray[np.intp], rivals: NDArray[np.intp], blocks: int) -> Any:
    width, entries = X.shape[1], X.tocoo()
    row, column = entries.coords
    return sparse.csr_array(
        (
            np.concatenate([entries.data, -entries.data]),
            (
                np.concatenate([row, row]),
                np.concatenate([right[row] * width + column, rivals[row] * width + column]),
            ),
        ),
        shape=(X.shape[0], blocks * width),
    )
