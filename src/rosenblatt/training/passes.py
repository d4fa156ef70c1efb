"""Passes over the examples, in their order."""

import math
import numbers
import time
from abc import abstractmethod
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.messages import refuse
from rosenblatt.training.bracket import Bracket
from rosenblatt.training.condensed import Condensed
from rosenblatt.training.history import Pass, print_pass
from rosenblatt.training.mistakes import MISTAKE, WORK_PER_CALL, Keeper
from rosenblatt.training.run import Progress
from rosenblatt.training.validation import Watch
from rosenblatt.training.weights import Weights

Shuffle = Literal["once", "blocks"] | bool
Rule = core.PerceptronRule | core.PassiveAggressiveRule | core.WinnowRule | core.ArowRule

FEW_PARTS, MANY_PARTS = 4, 32
"""Of the examples, from which blocks are woven: few are quick, and enough if labels are mixed."""


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


class Watcher(Protocol):
    """Someone who wants to know when passes begin and end."""

    def pass_begins(self) -> None: ...

    def pass_ends(self) -> bool:
        """Whether this pass is to be the last."""


@dataclass
class Trainer:
    """Leads the core over the examples, pass by pass; a subclass says how one pass is walked."""

    rows: Any
    """Of features, or as a subclass needs them; how many is their ``count``."""
    rule: Rule
    weights: Weights
    chosen: NDArray[np.uint32] | None = field(default=None, kw_only=True)
    """The rows to learn from, if not all."""
    parts: int = field(default=FEW_PARTS, kw_only=True)
    """Of these rows, from which blocks are woven where they are shuffled in blocks."""
    watch: Watch | None = field(default=None, kw_only=True)
    """What to measure after each pass, if anything."""

    @property
    def count(self) -> int:
        """How many examples a pass has."""
        return self.rows.count if self.chosen is None else len(self.chosen)

    def train(
        self,
        progress: Progress,
        shuffle: Shuffle,
        *,
        verbose: bool,
        watcher: Watcher | None = None,
    ) -> None:
        """Make passes until one makes no update, none gets better, or the goal is reached.

        May be interrupted anywhere and called again: how far training has come is read off the
        counts, which the core changes together with the weights.
        """
        alone = watcher is None and self.watch is None and progress.patience == 0
        try:
            self._begin_run(alone=alone)
            self._make_passes(progress, shuffle, verbose=verbose, watcher=watcher)
        finally:
            self._end_run()

    def _make_passes(
        self, progress: Progress, shuffle: Shuffle, *, verbose: bool, watcher: Watcher | None
    ) -> None:
        count = self.count
        places = self._places() if shuffle else None
        order, drawn = self.chosen, None
        spent = progress.totals[-1].seconds if progress.totals else 0.0
        titles = verbose
        while not progress.done:
            if watcher is not None:
                watcher.pass_begins()
            clock = time.perf_counter()
            number = 0 if shuffle == "once" else progress.passes
            if places is not None and number != drawn:
                self._draw(places, shuffle, progress.seed, number)
                order = places if self.chosen is None else self.chosen[places]
                drawn = number
            begin = self.weights.seen - int(progress.start[0]) - count * len(progress.totals)
            self.walk(begin, progress, order)
            _, updates, mistakes = (self.weights.counts - progress.start).tolist()
            spent += time.perf_counter() - clock
            before = progress.totals[-1].updates if progress.totals else 0
            measured = self._measure(converged=updates == before)
            done = Pass(updates, mistakes, spent, **measured)
            self._keep_if_best(progress, done)
            progress.totals.append(done)
            if verbose:
                best = progress.best == len(progress.totals)
                print_pass(progress.passes, progress.history[-1], best=best, titles=titles)
                titles = False
            if watcher is not None and watcher.pass_ends():
                progress.goal = len(progress.totals)

    @abstractmethod
    def walk(self, begin: int, progress: Progress, order: NDArray[np.uint32] | None = None) -> None:
        """Learn from the rows in order, from place ``begin`` on, in calls short for Ctrl-C."""

    def _begin_run(self, *, alone: bool) -> None:
        """Get ready for passes over the same rows; ``alone`` if nobody looks at the weights."""

    def _end_run(self) -> None:
        """The passes are over, or interrupted."""

    def _measure(self, *, converged: bool) -> dict[str, Any]:
        """What is known of the weights after a pass."""
        return {} if self.watch is None else self.watch.measure()

    def _keep_if_best(self, progress: Progress, done: Pass) -> None:
        """Keep the weights if the run may come back to them.

        Comes before the pass is added to the run: after an interrupt in between it is done again.
        """
        error = done.validation_error
        if progress.patience == 0 or error is None:
            return
        if error < min(progress.validation_errors, default=math.inf):
            progress.kept = deepcopy(self.weights)

    def _draw(self, places: NDArray[np.uint32], shuffle: Shuffle, seed: int, number: int) -> None:
        if shuffle == "blocks":
            core.shuffle_blocks(places, seed, number, self.parts)
        else:
            core.shuffle(places, seed, number)

    def _places(self) -> NDArray[np.uint32]:
        if self.rows.count >= 2**32:
            raise ValueError(
                f"X has {self.rows.count} rows, but only fewer than 2**32 can be shuffled: "
                "set shuffle=False."
            )
        return np.empty(self.count, dtype=np.uint32)


@dataclass
class LinearTrainer(Trainer):
    """Walks over rows of features."""

    problem: core.Problem
    record: bool = False
    looked: bool = True
    """Whether the values of X have been looked at; if not, the first pass does so as it goes."""
    keeper: Keeper | None = None
    """Keeps the rows of the mistakes as well, where the model needs them to predict."""
    narrow: core.SinglePrecision | None = field(default=None, init=False)
    """Weights of half the size, for a run of passes, if it pays."""
    condensed: Condensed | None = field(default=None, init=False)
    """What stands for the weights of all columns in a run of passes, if that pays."""

    def _begin_run(self, *, alone: bool) -> None:
        condensed = Condensed.of(self.weights, self.rows) if alone and self.keeper is None else None
        if condensed is not None:
            problem = self.problem.on(condensed.columns.rows(self.rows))
            self.condensed = condensed
            self.weights.condensed = condensed
            self.weights, self.problem = condensed.weights, problem
        # The other rules aim at a margin of one, and leave many examples near it.
        if isinstance(self.rule, core.PerceptronRule):
            self.narrow = self.weights.narrow_to_learn(self.rows)

    def _end_run(self) -> None:
        if self.condensed is not None:
            self.condensed.learning = False

    def walk(self, begin: int, progress: Progress, order: NDArray[np.uint32] | None = None) -> None:
        length = self._examples_per_call()
        count = self.rows.count if order is None else len(order)
        if begin == 0:
            self.weights.measures[1] = np.inf
        for start in range(begin, count, length):
            stop = min(start + length, count)
            journal = kept = None
            if self.record or self.keeper:
                entries = np.zeros(stop - start, dtype=MISTAKE)
                journal = entries.view(np.uint8)
            if self.record:
                progress.journal.append(entries)
                updates = int(self.weights.counts[1])
            if self.keeper:
                kept = self.keeper.make_room(self.rows, order, start, stop)
            overflow = core.learn(
                self.problem,
                self.rule,
                self.weights.values,
                self.weights.missed,
                self.weights.sureness,
                self.weights.counts,
                order,
                start,
                stop,
                not self.looked,
                journal,
                self.weights.measures,
                kept,
                float32=self.narrow,
            )
            if self.rows.let_go is not None:
                self.rows.let_go()
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

    def _measure(self, *, converged: bool) -> dict[str, Any]:
        """Adds what is free: the length of the weights, and the bracket that it gives."""
        found: dict[str, Any] = {}
        if self.condensed is None and not self.weights.has_more_numbers_than(self.rows):
            found["norm"] = norm = self.weights.norm()
            if self.weights.are_sums_of_steps:
                found["bracket"] = Bracket.of(self.weights, norm, converged=converged)
        return found | super()._measure(converged=converged)

    def _examples_per_call(self) -> int:
        work = (1 + self.rows.stored / self.rows.count) * (1 + self.weights.shape[1] / 4)
        most = 1 << 16 if self.record or self.keeper else self.rows.count
        return int(max(1, min(int(WORK_PER_CALL / work), most, self.rows.stretch)))
