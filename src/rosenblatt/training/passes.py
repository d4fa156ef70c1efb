"""Passes over the examples."""

import _signal
import math
import signal
import sys
import time
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import Name, Row
from rosenblatt.inputs.messages import cannot_be_learned, refuse
from rosenblatt.training.bracket import Bracket
from rosenblatt.training.condensed import Condensed
from rosenblatt.training.history import Pass, print_pass
from rosenblatt.training.mistakes import WORK_PER_CALL, Mistakes
from rosenblatt.training.orders import ByClass, Orders, Shuffle
from rosenblatt.training.rollback import Rollback
from rosenblatt.training.run import Run
from rosenblatt.training.state import State
from rosenblatt.training.storage import outnumber
from rosenblatt.training.validation import Watch
from rosenblatt.training.weights import Weights

Rule = (
    core.PerceptronRule
    | core.PassiveAggressiveRule
    | core.WinnowRule
    | core.ArowRule
    | core.FullArowRule
)


SIGNALS = [int(number) for number in signal.valid_signals()]
FEW = 1 << 12
"""Numbers in rows that are sooner looked at again than it is found out whether others may run."""


def others_may_run() -> bool:
    """Whether code of the caller's may run beside this: another thread, or a signal handler."""
    if len(sys._current_frames()) > 1:
        return True
    handlers = map(_signal.getsignal, SIGNALS)  # signal's own makes enums of them: 40 times as long
    return any(callable(each) and each is not signal.default_int_handler for each in handlers)


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
    state: State
    chosen: NDArray[np.uint32] | None = field(default=None, kw_only=True)
    """The rows to learn from, if not all."""
    by_class: ByClass | None = field(default=None, kw_only=True)
    """These rows, counted from zero, if blocks of them would not mix their labels."""
    watch: Watch | None = field(default=None, kw_only=True)
    """What to measure after each pass, if anything."""
    heard: bool = field(default=False, init=False)
    """Whether the caller's code is told of passes, and so may change the rows between them."""

    @property
    def count(self) -> int:
        """How many examples a pass has."""
        return self.rows.count if self.chosen is None else len(self.chosen)

    @property
    def run(self) -> Run:
        return self.state.run

    @property
    def weights(self) -> Weights:
        return self.state.weights

    def train(self, shuffle: Shuffle, *, verbose: bool, watcher: Watcher | None = None) -> None:
        """Make passes until one makes no update, none gets better, or the goal is reached.

        May be interrupted anywhere and called again: how far training has come is read off the
        counts, which the core changes together with the weights.
        """
        alone = watcher is None and self.watch is None and self.run.patience == 0
        self.heard = verbose or watcher is not None
        try:
            self._begin_run(alone=alone)
            self._make_passes(shuffle, verbose=verbose, watcher=watcher)
        finally:
            self._end_run()

    def _make_passes(self, shuffle: Shuffle, *, verbose: bool, watcher: Watcher | None) -> None:
        run = self.run
        orders = Orders(shuffle, run.seed, self.rows.count, self.chosen, self.by_class)
        spent = run.totals[-1].seconds if run.totals else 0.0
        titles = verbose
        while not run.done:
            if watcher is not None:
                watcher.pass_begins()
            clock = time.perf_counter()
            self.walk(self._learned_of_pass, orders.of_pass(run.passes))
            _, updates, mistakes = (self.weights.counts - run.counts_before).tolist()
            spent += time.perf_counter() - clock
            before = run.totals[-1].updates if run.totals else 0
            measured = self._measure(converged=updates == before)
            done = Pass(updates, mistakes, spent, **measured)
            self._keep_if_best(done)
            run.totals.append(done)
            if verbose:
                best = run.best == len(run.totals)
                print_pass(run.passes, run.history[-1], best=best, titles=titles)
                titles = False
            if watcher is not None and watcher.pass_ends():
                run.goal = len(run.totals)

    @property
    def _learned_of_pass(self) -> int:
        """How many examples of the present pass were learned from before it was interrupted."""
        return (
            self.weights.seen - int(self.run.counts_before[0]) - self.count * len(self.run.totals)
        )

    def keep_to_undo(self) -> None:
        """Be ready to undo what is learned from now on."""

    def undo(self) -> None:
        """Leave the weights as they were then."""

    @abstractmethod
    def walk(self, begin: int, order: NDArray[np.uint32] | None = None) -> None:
        """Learn from the rows in order, from place ``begin`` on, in calls short for Ctrl-C."""

    def walk_stretch(self, order: NDArray[np.uint32], begin: int, end: int) -> None:
        """Learn from some of the rows in order, the next after those that were learned from."""
        self.walk(begin, order[:end])

    def _begin_run(self, *, alone: bool) -> None:
        """Get ready for passes over the same rows; ``alone`` if nobody looks at the weights."""

    def _end_run(self) -> None:
        """The passes are over, or interrupted."""

    def _measure(self, *, converged: bool) -> dict[str, Any]:
        """What is known of the weights after a pass."""
        return {} if self.watch is None else self.watch.measure()

    def _keep_if_best(self, done: Pass) -> None:
        """Keep the weights if the run may come back to them.

        Comes before the pass is added to the run: after an interrupt in between it is done again.
        """
        run, error = self.run, done.validation_error
        if run.patience == 0 or error is None:
            return
        if error < min(run.validation_errors, default=math.inf):
            run.best_weights = self.weights.copy()


def measures_of_weights(weights: Weights, rows: Any, *, converged: bool) -> dict[str, Any]:
    """Their length and the bracket that it gives, unless it is more work than all rows are."""
    if outnumber(weights.storage.rows * weights.form.stride, rows):
        return {}
    norm = weights.norm()
    if not weights.are_sums_of_steps:
        return {"norm": norm}
    return {"norm": norm, "bracket": Bracket.of(weights, norm, converged=converged)}


@dataclass
class LinearTrainer(Trainer):
    """Walks over rows of features."""

    problem: core.Problem
    checked: bool = True
    """Whether the values of X have been checked; if not, the first pass does so as it goes."""
    condensed: Condensed | None = field(default=None, init=False)
    """The storage of the weights in a run of passes, if it pays to leave out columns."""
    single: core.SinglePrecision | None = field(default=None, init=False)
    """The same weights in single precision, if it pays to have them in a run of passes."""
    _rollback: Rollback | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.mistakes = self.state.mistakes or Mistakes()
        self.places = self.mistakes.places(self.rows.count)

    def keep_to_undo(self) -> None:
        self._rollback = Rollback.of(self.weights, self.state.mistakes, self.rows)

    def undo(self) -> None:
        if self._rollback is not None:
            self._rollback.restore()

    def _begin_run(self, *, alone: bool) -> None:
        if alone and not self.mistakes.keeps_rows:
            condensed = Condensed.of(self.weights, self.rows)
            if condensed is not None:
                self.problem = self.problem.on(condensed.columns.rows(self.rows))
                self.condensed = self.weights.storage = condensed
        # The other rules aim at a margin of one, and leave many examples near it.
        if isinstance(self.rule, core.PerceptronRule):
            self.single = self.learned_on.scoring.single_precision_to_learn(self.rows)

    def _end_run(self) -> None:
        self.single = None
        if self.condensed is not None:
            self.condensed.learning = False

    @property
    def learned_on(self) -> Weights:
        """The weights that the core changes."""
        return self.weights if self.condensed is None else self.condensed.few

    def walk(self, begin: int, order: NDArray[np.uint32] | None = None) -> None:
        weights, length = self.learned_on, self._examples_per_call()
        count = self.rows.count if order is None else len(order)
        if begin == 0:
            weights.measures[1] = np.inf
        for start in range(begin, count, length):
            stop = min(start + length, count)
            overflow = core.learn(
                self.problem,
                self.rule,
                weights.values,
                weights.missed,
                weights.sureness,
                weights.counts,
                order,
                start,
                stop,
                not self.checked,
                weights.measures,
                self._room(order, start, stop),
                half_life=weights.form.half_life,
                float32=self.single,
                covariance=weights.numbers().covariance,
                again=self.heard or self.rows.stored <= FEW or others_may_run(),
            )
            if self.rows.let_go is not None:
                self.rows.let_go()
            if overflow >= 0:
                refuse(self.rows.check(values=True))
                raise cannot_be_learned(
                    *(Row(overflow), " of ", Name("X")),
                    then="where learning stopped",
                    too_short=self.problem.too_short(overflow),
                )
        self.checked = True

    def _room(
        self, order: NDArray[np.uint32] | None, start: int, stop: int
    ) -> core.Mistakes | None:
        """Where the core lists the mistakes of a stretch of the pass, if they are listed."""
        if self.state.mistakes is None:
            return None
        stored = core.stored(self.rows, order, start, stop) if self.mistakes.keeps_rows else 0
        self.mistakes.make_room(stop - start, stored)
        return self.mistakes.for_the_core(self.places)

    def _measure(self, *, converged: bool) -> dict[str, Any]:
        """Adds what is free: the length of the weights, and the bracket that it gives."""
        measures = {}
        if self.condensed is None:
            measures = measures_of_weights(self.weights, self.rows, converged=converged)
        return measures | super()._measure(converged=converged)

    def _examples_per_call(self) -> int:
        work = (1 + self.rows.stored / self.rows.count) * (1 + self.weights.form.stride / 4)
        most = self.rows.count if self.state.mistakes is None else 1 << 16
        return int(max(1, min(int(WORK_PER_CALL / work), most, self.rows.stretch)))
