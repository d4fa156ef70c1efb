"""Where a run of passes stands: its history, and when it is over."""

import math
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.parts import MOST_COUNTED, Facts, is_whole, require
from rosenblatt.training.history import Pass
from rosenblatt.training.weights import Weights


@dataclass
class Run:
    """Where a run of passes stands; together with the weights, enough to go on exactly."""

    __module__ = "rosenblatt"

    seed: int
    goal: int = 0
    """Passes after which this run ends."""
    patience: int = 0
    """Passes without a lower validation error after which it ends too; zero if it never does."""
    counts_before: NDArray[np.int64] = field(default_factory=lambda: np.zeros(3, dtype=np.int64))
    """The counts of the weights when the run began."""
    earlier: list[Pass] = field(default_factory=list)
    """Passes of the runs before, where fit went on with the weights they left."""
    totals: list[Pass] = field(default_factory=list)
    """For each pass of this run, updates, mistakes and seconds since its start."""
    best_weights: Weights | None = None
    """While this run may be stopped early, the weights that its best pass left."""
    returned_to: int | None = None
    """How many passes of this run have made the weights, if it went back to an earlier pass."""

    @property
    def passes(self) -> int:
        """Passes made in this run and those before."""
        return len(self.earlier) + len(self.totals)

    @property
    def history(self) -> list[Pass]:
        return self.earlier + [
            now.since(last) for last, now in pairwise([Pass(0, 0, 0.0), *self.totals])
        ]

    @property
    def best(self) -> int | None:
        """The pass of this run with the lowest validation error, counted from one."""
        errors = self.validation_errors
        lowest = min(errors, default=math.inf)
        return None if lowest == math.inf else errors.index(lowest) + 1

    @property
    def validation_errors(self) -> list[float]:
        """Of the passes of this run; infinite where none was measured."""
        return [
            math.inf if done.validation_error is None else done.validation_error
            for done in self.totals
        ]

    @property
    def converged(self) -> bool:
        """Whether the last pass made no update, nor any pass since the one returned to."""
        if not self.totals:
            return False
        before = self.totals[-2].updates if len(self.totals) > 1 else 0
        if self.totals[-1].updates != before:
            return False
        return self.returned_to is None or self.totals[self.returned_to - 1].updates == before

    @property
    def done(self) -> bool:
        """Whether there is no pass left to make."""
        if self.converged or len(self.totals) >= self.goal or self.returned_to is not None:
            return True
        return self.patience > 0 and len(self.totals) - (self.best or 0) >= self.patience

    @property
    def over(self) -> bool:
        """Whether there is nothing left to do, not even to return to the best pass."""
        return self.done and self.best_weights is None

    def copy(self) -> "Run":
        """The same, to go on apart."""
        return replace(self, totals=self.totals.copy())

    def next_run(self, goal: int, weights: Weights, patience: int = 0) -> "Run":
        """Another run of ``goal`` passes, on the weights that this one left."""
        return Run(
            seed=self.seed,
            goal=goal,
            patience=patience,
            counts_before=weights.counts.copy(),
            earlier=self.history if self.totals else self.earlier,
        )

    def facts(self) -> Facts:
        """All but the weights kept, and the seconds: the same training says the same."""
        return {
            "seed": self.seed,
            "goal": self.goal,
            "patience": self.patience,
            "start": self.counts_before.tolist(),
            "earlier": [done.without_seconds() for done in self.earlier],
            "totals": [done.without_seconds() for done in self.totals],
            "returned_to": self.returned_to,
        }

    @classmethod
    def build(cls, facts: Facts) -> "Run":
        before, returned_to = facts["start"], facts["returned_to"]
        passes = {
            name: [Pass.build(each) for each in facts[name]] for name in ("earlier", "totals")
        }
        require(
            is_whole(facts["seed"], most=2**64 - 1)
            and is_whole(facts["goal"])
            and is_whole(facts["patience"])
            and len(before) == 3
            and all(is_whole(count, most=MOST_COUNTED) for count in before)
            and (returned_to is None or returned_to in range(1, len(passes["totals"]) + 1)),
            "where its training stands is not told",
        )
        return cls(
            facts["seed"],
            facts["goal"],
            facts["patience"],
            np.array(before, dtype=np.int64),
            passes["earlier"],
            passes["totals"],
            returned_to=returned_to,
        )

    def fits(self, weights: Weights, count: int, patience: int) -> bool:
        """Whether this run can go on over ``count`` rows, stopped early or not as it began."""
        if bool(patience) != bool(self.patience):
            return False
        seen = weights.seen - int(self.counts_before[0])
        return count * len(self.totals) <= seen <= count * (len(self.totals) + 1)
