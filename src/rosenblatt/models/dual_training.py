"""How the dual form learns: kernel values first, a block of examples at a time, then the core."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Name, Parameter, Row
from rosenblatt.models.kernels import Array
from rosenblatt.models.supports import ROWS_PER_BLOCK, Expansion, KernelRows, blocks_of
from rosenblatt.training.mistakes import Mistakes
from rosenblatt.training.passes import Trainer

EXAMPLES_PER_BLOCK = 128
"""Examples learned from at a time: few, as each is compared with all others of its block."""


@dataclass
class DualTrainer(Trainer):
    """Walks over examples in blocks.

    It keeps the scores that all examples had at some time, and what was added to the supports since
    then. So an example is compared only with supports that have changed: in each pass those that
    were in the pass before, and those on which mistakes were made since.
    """

    rows: KernelRows
    problem_of: Callable[[core.Rows, NDArray[np.intp]], core.Problem]
    """The problem that rows of kernel values pose, given which rows of X they belong to."""
    framing: tuple[float, bool]
    """The constant feature, and whether examples are scaled to length one."""
    first: int
    """The index of the first row of X."""
    record: bool
    budget: int | None
    _scores: Array | None = field(default=None, init=False)
    """Of each row of X by the weights as they were then."""
    _scored: Array | None = field(default=None, init=False)
    """Those weights."""

    @property
    def weights(self) -> Expansion:
        assert isinstance(self.state.weights, Expansion)
        return self.state.weights

    def walk(self, begin: int, order: NDArray[np.uint32] | None = None) -> None:
        rows = np.arange(self.rows.count) if order is None else order.astype(np.intp)
        if self.budget is None:
            self._score(rows)
        while begin < len(rows):
            width = self.weights.supports + EXAMPLES_PER_BLOCK
            end = begin + next(blocks_of(len(rows) - begin, width, EXAMPLES_PER_BLOCK)).stop
            learn = self._learn if self.budget is None else self._learn_within_budget
            self.state.weights = learn(rows[begin:end])
            begin = end

    def walk_stretch(self, order: NDArray[np.uint32], begin: int, end: int) -> None:
        """By scores of these rows alone: those that it would keep are of a whole walk."""
        replace(self).walk(0, order[begin:end])

    def _score(self, rows: NDArray[np.intp]) -> None:
        """Bring the scores of these rows up to date."""
        weights, constant = self.weights, self.framing[0]
        if self._scores is None:
            self._scores = np.zeros((self.rows.count, weights.values.shape[1]))
        changed, added = self._changes()
        if added.any():
            references = weights.references[changed] if len(changed) else None
            for block in blocks_of(len(rows), len(changed), ROWS_PER_BLOCK):
                some = rows[block]
                values = self.rows.similarity.values(self.rows.X, some, references)
                self._scores[some] += values @ added[:-1] + constant * added[-1]
        self._scored = weights.values

    def _changes(self) -> tuple[NDArray[np.intp], Array]:
        """The supports that changed since rows were scored, and by how much; the constant last."""
        values, before = self.weights.values, self._scored
        if before is None:
            before = np.zeros((1, values.shape[1]))
        added = values.copy()
        added[: len(before) - 1] -= before[:-1]
        added[-1] -= before[-1]
        changed = np.flatnonzero(added[:-1].any(axis=1))
        return changed, added[np.append(changed, len(added) - 1)]

    def _learn(self, rows: NDArray[np.intp]) -> Expansion:
        """What becomes of the weights on these rows, whose old scores are known."""
        old, X, similarity = self.weights, self.rows.X, self.rows.similarity
        assert self._scores is not None
        supports = self._slots()[rows]
        changed, added = self._changes()
        place = np.full(old.supports + 1, -1)
        place[changed] = np.arange(len(changed))
        own = place[supports]
        others = own < 0
        own[others] = len(changed) + np.arange(np.count_nonzero(others))
        references = similarity.references(X, rows[others])
        compared = old.stacked_with(changed, references)
        kernel_values = similarity.values(X, rows, compared)
        # The scores so far are features, too: each counts once for its class.
        classes = old.values.shape[1]
        room = np.zeros((np.count_nonzero(others), classes))
        weights = np.vstack([added[:-1], room, np.eye(classes), added[-1:]])
        values = np.hstack([kernel_values, self._scores[rows]])
        missed = None if old.missed is None else np.zeros_like(weights)
        counts = old.counts.copy()
        made = self._walk_block(rows, values, own, weights, missed, counts)
        example = made["example"]
        fresh = np.unique(example[supports[example] < 0])
        supports[fresh] = old.supports + np.arange(len(fresh))
        new = old.with_steps(
            made,
            supports[example],
            references[np.cumsum(others)[fresh] - 1],
            rows[fresh] + self.first,
            self.framing[0],
        )
        new.counts = counts
        if self.record or old.votes:
            new.steps = self._with_made(old, made, rows, supports[example])
        return new

    def _learn_within_budget(self, rows: NDArray[np.intp]) -> Expansion:
        """The same where supports are forgotten."""
        assert self.budget is not None
        old, X, similarity = self.weights, self.rows.X, self.rows.similarity
        own = self._slots()[rows]
        fresh = own < 0
        own[fresh] = old.supports + np.arange(np.count_nonzero(fresh))
        candidates = similarity.references(X, rows[fresh])
        wide = old.with_candidates(candidates, rows[fresh] + self.first)
        values = similarity.values(X, rows, wide.references)
        budget = core.Budget(self.budget, self.run.seed, list(range(old.supports)))
        parts = wide.values, wide.missed, wide.counts
        made = self._walk_block(rows, values, own, *parts, budget)
        new = wide.with_supports(np.array(budget.supports, dtype=np.intp))
        if self.record:
            new.steps = self._with_made(old, made, rows, np.array(-1))
        return new

    def _slots(self) -> NDArray[np.intp]:
        """For each row of X the support that it is, or -1."""
        slots = np.full(self.rows.count, -1)
        rows = self.weights.indices - self.first
        slots[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
        return slots

    def _with_made(
        self,
        old: Expansion,
        made: NDArray[np.void],
        rows: NDArray[np.intp],
        supports: NDArray[np.intp],
    ) -> Mistakes:
        """The list of mistakes with those made on these rows."""
        renumbered = made.copy()
        renumbered["example"], renumbered["row"] = rows[made["example"]], supports
        return Mistakes.of(np.concatenate([old.steps.list, renumbered]))

    def _walk_block(
        self,
        rows: NDArray[np.intp],
        values: Array,
        own: NDArray[np.intp],
        weights: Array,
        missed: Array | None,
        counts: NDArray[np.int64],
        budget: core.Budget | None = None,
    ) -> NDArray[np.void]:
        """Let the core learn from these rows of X, and say which updates it has made.

        ``values`` are their kernel values with each candidate for a support, and what else is
        scored like one; ``own`` is the candidate that each row is.
        """
        kernel_rows = core.dual(values, own.astype(np.int32))
        kernel_rows.check(values=False)
        made = Mistakes()
        made.make_room(len(rows))
        overflow = core.learn(
            self.problem_of(kernel_rows, rows),
            self.rule,
            weights,
            missed,
            None,
            counts,
            None,
            0,
            len(rows),
            False,
            mistakes=made.for_the_core(made.places(len(rows))),
            budget=budget,
        )
        if overflow >= 0:
            row, square = int(rows[overflow]), values[overflow, own[overflow]]
            if square + self.framing[0] < 0 and self.framing[1]:
                raise InputError(
                    *("The kernel gives ", Row(row), " of ", Name("X"), " a squared length of "),
                    f"{square:g}, so that it cannot be scaled to length one",
                    remedy=("set ", Parameter("unit_length", False)),
                )
            raise InputError(
                *("The weights grew too large at ", Row(row), " of ", Name("X")),
                ", where learning stopped",
                remedy="scale the features, or choose other parameters of the kernel",
            )
        return made.list
