"""Few examples among many columns: weights of the columns alone that they have."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.training.weights import LARGER_THAN_CACHES, Array, Rooms, Weights

MOST_COLUMNS = 2**28
"""Of which it is noted which occur."""


@dataclass
class Condensed:
    """The weights of the columns that occurred, where those of all others are zero.

    Its rows are one for all other columns together, one for each column that occurred, and one for
    the constant. Counts and measures are shared with the weights that it stands for.
    """

    columns: core.CondensedColumns
    weights: Weights
    learning: bool = True
    """Whether the run that they are for still goes on."""

    @classmethod
    def of(cls, whole: Weights, rows: core.Rows) -> Self | None:
        """To stand for weights that have learned nothing yet, if rows have few of their columns."""
        fresh = whole.start == 0 and whole.seen == 0
        large = whole.nbytes >= LARGER_THAN_CACHES and whole.width <= MOST_COLUMNS
        if not (fresh and large and whole.would_be_condensed_for(rows)):
            return None
        columns = core.CondensedColumns(rows)
        if len(columns) > rows.width // 2:
            return None
        weights = whole.like(len(columns) + 1, whole.classes)
        weights.counts, weights.measures = whole.counts, whole.measures
        return cls(columns, weights)

    def spread(self, whole: Rooms) -> None:
        """Write the weights to where they belong among all columns."""
        columns = self.columns.columns()
        for few, many in zip(self.weights.numbers(), whole, strict=True):
            if few is not None and many is not None:
                many[columns] = few[1:-1]
                many[-1] = few[-1]

    def scores(self, rows: core.Rows, constant: float) -> tuple[Array, core.Fault | None]:
        """As `Weights.scores`."""
        fault = rows.check(values=True)
        if fault is not None:
            return np.empty((0, self.weights.columns)), fault
        return self.weights.scores(self.columns.rows(rows), constant)

    def winners(
        self, rows: core.Rows, constant: float, ties: core.Ties
    ) -> tuple[NDArray[np.int64], core.Fault | None]:
        """As `Weights.winners`."""
        fault = rows.check(values=True)
        if fault is not None:
            return np.empty(0, dtype=np.int64), fault
        return self.weights.winners(self.columns.rows(rows), constant, ties)
