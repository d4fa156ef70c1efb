"""Passes over the examples: their order, their record, and where training stands."""

import numbers
import time
from abc import abstractmethod
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs import refuse
from rosenblatt.weights import Weights

Shuffle = Literal["once", "blocks"] | bool
Rule = core.PerceptronRule | core.PassiveAggressiveRule

WORK_PER_CALL = 20_000_000
"""Multiplications in one call of the core, some 20 milliseconds: then Ctrl-C is heard."""

MISTAKE = np.dtype([("t", "i8"), ("example", "i8"), ("rival", "i8"), ("step", "f8")])
"""One update: when, at which row, against which class, how long a step."""


def draw_seed(random_state: Any) -> int:
    """The seed of all orders: the number given, or one drawn from the generator given."""
    if isinstance(random_state, numbers.Integral):
        if not 0 <= int(random_state) < 2**64:
            raise ValueError(f"random_state must lie between 0 and 2**64 - 1, got {random_state}.")
        return int(random_state)
    if random_state is None:
        random_state = np.random.mtrand._rand  # the global one, which np.random.seed seeds
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    raise ValueError(
        "random_state must be None, a whole number, a RandomState or a Generator, got "
        f"{random_state!r}."
    )


class Pass(NamedTuple):
    """What one pass did: updates and mistakes made along the way, not the error after it."""

    updates: int
    mistakes: int
    seconds: float


@dataclass
class Progress:
    """Where a run of passes stands; together with the weights, enough to go on exactly."""

    seed: int
    goal: int = 0
    """Passes after which this run ends."""
    start: NDArray[np.int64] = field(default_factory=lambda: np.zeros(3, dtype=np.int64))
    """The counts of the weights when the run began."""
    earlier: list[Pass] = field(default_factory=list)
    """Passes of the runs before, where fit went on with the weights they left."""
    totals: list[Pass] = field(default_factory=list)
    """For each pass of this run, updates, mistakes and seconds since its start."""
    journal: list[NDArray[Any]] = field(default_factory=list)
    """Updates recorded; entries whose t is zero are not yet used."""

    @property
    def passes(self) -> int:
        """Passes made in this run and those before."""
        return len(self.earlier) + len(self.totals)

    @property
    def history(self) -> list[Pass]:
        return self.earlier + [
            Pass(
                now.updates - last.updates, now.mistakes - last.mistakes, now.seconds - last.seconds
            )
            for last, now in pairwise([Pass(0, 0, 0.0), *self.totals])
        ]

    @property
    def converged(self) -> bool:
        if not self.totals:
            return False
        before = self.totals[-2].updates if len(self.totals) > 1 else 0
        return self.totals[-1].updates == before

    @property
    def done(self) -> bool:
        return self.converged or len(self.totals) >= self.goal

    @property
    def mistakes(self) -> NDArray[Any]:
        """The updates recorded so far."""
        parts = [part[part["t"] > 0] for part in self.journal]
        return np.concatenate([np.empty(0, dtype=MISTAKE), *parts])

    def with_places(self, places: NDArray[np.intp]) -> "Progress":
        """The same among more classes: old class k is now number places[k]."""
        mistakes = self.mistakes
        mistakes["rival"] = places[mistakes["rival"]]
        return replace(self, journal=[mistakes])

    def next_run(self, goal: int, weights: Weights) -> "Progress":
        """Another run of ``goal`` passes, on the weights that this one left."""
        earlier = self.history if self.totals else self.earlier
        return replace(self, goal=goal, start=weights.counts.copy(), earlier=earlier, totals=[])

    def fits(self, weights: Weights, count: int) -> bool:
        """Whether this run can go on over ``count`` rows."""
        seen = weights.seen - int(self.start[0])
        return count * len(self.totals) <= seen <= count * (len(self.totals) + 1)


@dataclass
class Trainer:
    """Leads the core over the examples, pass by pass; a subclass says how one pass is walked."""

    rows: core.Rows
    rule: Rule
    weights: Weights

    def train(self, progress: Progress, shuffle: Shuffle, *, verbose: bool) -> None:
        """Make passes until one makes no update, or the goal is reached.

        May be interrupted anywhere and called again: how far training has come is read off the
        counts, which the core changes together with the weights.
        """
        count = self.rows.count
        order = self._order() if shuffle else None
        draw = core.shuffle_blocks if shuffle == "blocks" else core.shuffle
        drawn = None
        if verbose:
            print("pass     updates    mistakes    seconds")
        spent = progress.totals[-1].seconds if progress.totals else 0.0
        clock = time.perf_counter() - spent
        while not progress.done:
            number = 0 if shuffle == "once" else progress.passes
            if order is not None and number != drawn:
                draw(order, progress.seed, number)
                drawn = number
            begin = self.weights.seen - int(progress.start[0]) - count * len(progress.totals)
            self.walk(begin, progress, order)
            _, updates, mistakes = (self.weights.counts - progress.start).tolist()
            progress.totals.append(Pass(updates, mistakes, time.perf_counter() - clock))
            if verbose:
                done = progress.history[-1]
                print(
                    f"{progress.passes:4d} {done.updates:11,d} {done.mistakes:11,d}"
                    f" {done.seconds:10.3f}"
                )

    @abstractmethod
    def walk(self, begin: int, progress: Progress, order: NDArray[np.uint32] | None = None) -> None:
        """Learn from the rows in order, from place ``begin`` on, in calls short for Ctrl-C."""

    def _order(self) -> NDArray[np.uint32]:
        if self.rows.count >= 2**32:
            raise ValueError(
                f"X has {self.rows.count} rows, but only fewer than 2**32 can be shuffled: "
                "set shuffle=False."
            )
        return np.empty(self.rows.count, dtype=np.uint32)


@dataclass
class LinearTrainer(Trainer):
    """Walks over rows of features."""

    problem: core.Problem
    record: bool = False
    looked: bool = True
    """Whether the values of X have been looked at; if not, the first pass does so as it goes."""

    def walk(self, begin: int, progress: Progress, order: NDArray[np.uint32] | None = None) -> None:
        length = self._examples_per_call()
        for start in range(begin, self.rows.count, length):
            stop = min(start + length, self.rows.count)
            journal = None
            if self.record:
                progress.journal.append(np.zeros(stop - start, dtype=MISTAKE))
                journal = progress.journal[-1].view(np.uint8)
            updates = int(self.weights.counts[1])
            overflow = core.learn(
                self.problem,
                self.rule,
                self.weights.values,
                self.weights.missed,
                self.weights.counts,
                order,
                start,
                stop,
                not self.looked,
                journal,
            )
            if self.record:
                made = int(self.weights.counts[1]) - updates
                progress.journal[-1] = progress.journal[-1][:made].copy()
            if overflow >= 0:
                refuse(self.rows.check(values=True))
                raise ValueError(
                    f"The weights grew too large at row {overflow} of X, where learning stopped: "
                    "scale the features, or set unit_length=True."
                )
        self.looked = True

    def _examples_per_call(self) -> int:
        work = (1 + self.rows.stored / self.rows.count) * (1 + self.weights.values.shape[1] / 4)
        return max(1, min(int(WORK_PER_CALL / work), 1 << 16 if self.record else self.rows.count))
