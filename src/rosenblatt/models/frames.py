"""Data frames whose columns may come and go."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rosenblatt.inputs.messages import refuse
from rosenblatt.inputs.sparse import rows_of
from rosenblatt.training.state import State


@dataclass(frozen=True)
class Frame:
    """The values of a data frame, looked at, and the names of its columns."""

    values: NDArray[np.float64]
    names: list[Any]

    @classmethod
    def of(cls, X: Any) -> Self:
        values = np.ascontiguousarray(X.to_numpy(), dtype=np.float64)
        refuse(rows_of(values).check(values=True))
        return cls(values, list(X.columns))

    def __len__(self) -> int:
        return len(self.values)

    def example(self, row: int) -> dict[Any, float]:
        return dict(zip(self.names, self.values[row].tolist(), strict=True))

    def rows(self, state: State, first: int = 0) -> Any:
        """From the first on, in the columns that a model has for the names; others are left out."""
        assert state.names is not None
        columns = state.names.columns
        places = np.array([columns.get(name, -1) for name in self.names], dtype=np.int64)
        known = np.argsort(places, kind="stable")[np.count_nonzero(places < 0) :]
        values = self.values[first:, known]
        indptr = np.arange(len(values) + 1, dtype=np.int64) * len(known)
        indices = np.tile(places[known], len(values))
        return sparse.csr_array((values.ravel(), indices, indptr), (len(values), state.width))


def last_new(labels: list[Any], known: list[Any]) -> int:
    """How many labels there are up to the last that comes for the first time."""
    seen, last = set(known), 0
    for number, label in enumerate(labels, start=1):
        if label not in seen:
            seen.add(label)
            last = number
    return last
