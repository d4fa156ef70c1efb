"""The numbers that learning from some rows may change, to go back to if it is refused midway."""

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.training.mistakes import Mistakes
from rosenblatt.training.storage import Array, outnumber
from rosenblatt.training.weights import Weights


class Rollback(NamedTuple):
    """Copies of the weights of all columns that the rows have, and of what is counted."""

    changed: list[tuple[NDArray[Any], NDArray[Any]]]
    """Arrays that the core writes to, and what they held."""
    columns: NDArray[np.int64] | slice
    arrays: list[tuple[Array, Array]]
    """Those of a row for each feature, and what they held in these columns."""

    @classmethod
    def of(cls, weights: Weights, mistakes: Mistakes | None, rows: core.Rows) -> Self:
        columns: NDArray[np.int64] | slice = slice(None)
        if outnumber(weights.values.size, rows, compressed=True):
            columns = np.append(core.CondensedColumns(rows).columns(), weights.width)
        counted: list[NDArray[Any]] = [weights.counts, weights.measures]
        if mistakes is not None:
            counted.append(mistakes.used)
        values, missed, sureness, covariance = weights.numbers()
        if covariance is not None:
            counted.append(covariance)
        arrays = [array for array in (values, missed, sureness) if array is not None]
        return cls(
            [(array, array.copy()) for array in counted],
            columns,
            [(array, array[columns].copy()) for array in arrays],
        )

    def restore(self) -> None:
        for array, held in self.changed:
            array[:] = held
        for array, held in self.arrays:
            array[self.columns] = held
