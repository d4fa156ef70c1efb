"""What every work needs to know, and how ours is measured beside the peers."""

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
"""Ours by what the rows call the work, those of peers by their names."""


@lru_cache(maxsize=1)
def _load(name: str, scale: str) -> workloads.Workload:
    return workloads.load(name, scale)


@dataclass(frozen=True)
class Bench:
    """How large the data are, how often to repeat, and how fast memory is."""

    scale: str
    repeat: int
    bandwidth: float = float("nan")

    def load(self, name: str) -> workloads.Workload:
        """A workload; only the last one is kept in memory."""
        return _load(name, self.scale)

    def times(
        self, ours: Calls, theirs: Calls, *, told: str = "", repeat: int | None = None
    ) -> "Measured":
        """Do all works in turn and take their times.

        Works that measure themselves return a figure; ``told`` is its unit.
        """
        return Measured(alternate(theirs | ours, repeat or self.repeat, told=told))

    def fits(
        self, ours: Calls, theirs: Calls, X: Any, y: Any, *, others: Calls | None = None
    ) -> "Fits":
        """Time the whole fit of some learners on the same data, and other works, in turn."""
        our_fits, their_fits = (
            {name: lambda make=make: make().fit(X, y) for name, make in makers.items()}
            for makers in (ours, theirs)
        )
        return Fits(self, X, self.times(our_fits, their_fits | (others or {})))


class Measured(dict[str, Times]):
    """Times of works, by their names."""

    def by_the_wall(self) -> "Measured":
        return Measured({name: times.by_the_wall() for name, times in self.items()})

    def row(
        self,
        work: str,
        against: str,
        figure: Callable[[float], float],
        their_figure: Callable[[float], float] | None = None,
        kind: Any = Row.faster,
        **more: Any,
    ) -> Row:
        """The row that compares two of the times; ``figure`` says what to make of seconds."""
        ours, theirs = self[work], self[against]
        return kind(
            work,
            against,
            theirs=(their_figure or figure)(theirs.best),
            ours=figure(ours.best),
            noise=max(theirs.noise, ours.noise),
            **more,
        )


@dataclass
class Fits:
    """Times of whole fits on the same data."""

    bench: Bench
    X: Any
    times: Measured

    def row(self, work: str, against: str, **more: Any) -> Row:
        """The row that compares two of the times, in nanoseconds per stored value and pass."""
        passes = self._passes(work)
        read_once = sum(array.nbytes for array in arrays_of(self.X)) / self.bench.bandwidth
        row = self.times.row(
            work,
            against,
            self._ns(work),
            self._ns(against),
            unit="ns",
            limit=read_once * passes / self.times[work].best,
            **more,
        )
        if passes != PASSES:
            row.work = f"{work} ({passes} passes)"
        return row

    def _passes(self, name: str) -> int:
        """Passes that were made: a learner that converges makes fewer than it was asked for."""
        return int(getattr(self.times[name].result, "n_iter_", 1))

    def _ns(self, name: str) -> Callable[[float], float]:
        values = self.X.size * self._passes(name)
        return lambda seconds: 1e9 * seconds / values


def arrays_of(X: Any) -> list[Any]:
    """The arrays that a pass has to read."""
    return [X.data, X.indices, X.indptr] if sparse.issparse(X) else [X]
