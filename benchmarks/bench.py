"""What every work needs to know, and how fits are compared."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import workloads
from learners import PASSES
from measure import Times, alternate
from scipy import sparse
from table import Row

Work = Callable[["Bench"], Iterator[Row | str]]
"""Yields rows of the table, and headings over them."""

Calls = dict[str, Callable[[], Any]]


@lru_cache(maxsize=1)
def _load(name: str, scale: str) -> workloads.Workload:
    return workloads.load(name, scale)


@dataclass(frozen=True)
class Bench:
    """How large the data are, how often to repeat, and how fast memory is."""

    scale: str
    repeat: int
    bandwidth: float

    def load(self, name: str) -> workloads.Workload:
        """A workload; only the last one is kept in memory."""
        return _load(name, self.scale)

    def times(self, works: Calls) -> dict[str, Times]:
        return alternate(works, self.repeat)

    def fits(self, makers: Calls, X: Any, y: Any, *, others: Calls | None = None) -> "Fits":
        """Time the whole fit of some learners on the same data, and other works, in turn."""
        works = {name: lambda make=make: make().fit(X, y) for name, make in makers.items()}
        return Fits(self, X, self.times(works | (others or {})))


@dataclass
class Fits:
    """Times of whole fits on the same data."""

    bench: Bench
    X: Any
    times: dict[str, Times]

    def passes(self, name: str) -> int:
        """Passes that were made: a learner that converges makes fewer than it was asked for."""
        return int(getattr(self.times[name].result, "n_iter_", 1))

    def ns(self, name: str) -> float:
        """Nanoseconds per stored value and pass."""
        return 1e9 * self.times[name].best / (self.X.size * self.passes(name))

    def row(
        self, work: str, against: str, theirs: str, ours: str, kind: Any = Row.faster, **more: Any
    ) -> Row:
        """The row that compares two of the times."""
        passes = self.passes(ours)
        read_once = sum(array.nbytes for array in arrays_of(self.X)) / self.bench.bandwidth
        return kind(
            work if passes == PASSES else f"{work} ({passes} passes)",
            against,
            theirs=self.ns(theirs),
            ours=self.ns(ours),
            unit="ns",
            limit=read_once * passes / self.times[ours].best,
            noise=max(self.times[theirs].noise, self.times[ours].noise),
            **more,
        )


def arrays_of(X: Any) -> list[Any]:
    """The arrays that a pass has to read."""
    return [X.data, X.indices, X.indptr] if sparse.issparse(X) else [X]
