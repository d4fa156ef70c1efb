"""The dual form: weights as sums of examples, the supports, which meet others through a kernel."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Name, Parameter, Row
from rosenblatt.inputs.parts import (
    Arrays,
    Facts,
    check_array,
    columns_of,
    is_whole,
    records_of,
    require,
    within,
)
from rosenblatt.inputs.sparse import Compressed
from rosenblatt.inputs.tables import sound_table_of
from rosenblatt.models.kernels import (
    VALUES_PER_BLOCK,
    Array,
    Similarity,
    alike,
    arrays_of,
    references_of,
    stacked,
)
from rosenblatt.training.mistakes import MISTAKE, UPDATE, Mistakes, recast
from rosenblatt.training.passes import Trainer
from rosenblatt.training.scorer import Scorer
from rosenblatt.training.storage import WeightArrays, Whole
from rosenblatt.training.weights import Weights

EXAMPLES_PER_BLOCK = 256
"""Examples learned from at a time: few, as each is compared with all others of its block."""

ROWS_PER_BLOCK = 1024
"""Rows scored at a time."""

STEP = np.dtype([*UPDATE.descr, ("right", "i8"), ("support", "i8"), ("added", "f8")])
"""What is written of a mistake whose row is a support."""


@dataclass
class Expansion(Weights):
    """A row of coefficients for each support, and a last one for the constant feature.

    Nothing in it is changed in place: a block of examples makes a new one, which takes the place
    of the old as a whole, so that an interrupt finds either.
    """

    __module__ = "rosenblatt"

    tell_features: ClassVar[bool] = False

    references: Any = None
    """The supports, as the kernel takes them; None before the first."""
    indices: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Which example each support is: those of fit first, then those of later batches; else -1."""
    given: int = 0
    """Number of examples that have an index."""
    votes: bool = False
    """Whether the weights between all steps vote; then all steps are kept."""
    similarity: Similarity | None = None
    """What the kernel is, once the first examples have come."""
    steps: Mistakes = field(default_factory=Mistakes)
    """Their row is a support."""

    def facts(self) -> Facts:
        width = 0 if self.references is None else self.references.shape[-1]
        more = {"given": self.given, "votes": self.votes, "width": int(width)}
        return super().facts() | more

    def arrays(self) -> Arrays:
        written = recast(self.steps.list, STEP, {"row": "support", "amount": "added"})
        steps = {f"steps.{name}": column for name, column in columns_of(written).items()}
        return super().arrays() | arrays_of(self.references) | {"indices": self.indices} | steps

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> Self:
        new = super().build(facts, arrays)
        new.given, new.votes, width = facts["given"], facts["votes"], facts["width"]
        require(
            is_whole(new.given) and type(new.votes) is bool and is_whole(width),
            "it does not say what its supports are",
        )
        new.references = references_of(arrays, new.width, width)
        new.indices = check_array(arrays.get("indices"), np.int64, (new.width,))
        written = records_of(within("steps", arrays), STEP)
        steps = recast(written, MISTAKE, {"support": "row", "added": "amount"})
        new.steps = Mistakes.of(steps)
        classes = [written["right"], written["rival"]]
        least = 0 if new.votes else -1  # a budget may have forgotten the support of a step
        require(
            _lie_between(-1, new.indices, new.given)
            and _lie_between(least, steps["row"], new.supports)
            and all(_lie_between(0, numbers, new.classes) for numbers in classes)
            and bool((np.diff(steps["t"], prepend=0) > 0).all())
            and bool(np.isfinite(steps["amount"]).all()),
            "its steps do not fit its supports",
        )
        return new

    @property
    def supports(self) -> int:
        return len(self.indices)

    def with_candidates(self, references: Any, indices: NDArray[np.int64]) -> "Expansion":
        """The same with more supports, of which it holds nothing as yet."""
        room = np.zeros((len(indices), self.values.shape[1]))

        def widened(array: Array) -> Array:
            return np.concatenate([array[:-1], room, array[-1:]])

        both = references if self.references is None else stacked(self.references, references)
        return self._rearranged(
            widened(self.values),
            None if self.missed is None else widened(self.missed),
            counts=self.counts.copy(),
            references=both,
            indices=np.concatenate([self.indices, indices]),
        )

    def with_supports(self, kept: NDArray[np.intp]) -> "Expansion":
        """Only these supports, in this order."""
        rows = np.append(kept, self.supports)
        return self._rearranged(
            self.values[rows],
            None if self.missed is None else self.missed[rows],
            references=self.references[kept],
            indices=self.indices[kept],
        )

    def copy(self) -> Self:
        """Itself: a block of examples makes a new one."""
        return self

    def with_classes(
        self, places: NDArray[np.intp], classes: int, *, two_class_share: float
    ) -> "Expansion":
        wide = super().with_classes(places, classes, two_class_share=two_class_share)
        steps = self.steps.with_classes(places, two_class_share=two_class_share)
        return self._rearranged(wide.values, wide.missed, form=wide.form, steps=steps)

    def matched_with(self, X: Any, similarity: Similarity) -> "Expansion":
        """The same, the supports that X has in their place known by it, the others by none."""
        rows = np.where(self.indices < X.shape[0], self.indices, -1)
        known = rows >= 0
        if known.any():
            there = alike(similarity.references(X, rows[known]), self.references)
            differ = self.references[known] != there
            if differ.ndim == 2:
                differ = np.asarray(differ.sum(axis=1)).ravel()
            known[known] = differ == 0
        return replace(self, indices=np.where(known, rows, -1), given=X.shape[0])

    @property
    def width_of_scores(self) -> int:
        """Numbers needed to score a row."""
        return max(self.supports, len(self.steps.list) if self.votes else 0)

    def last(self) -> Self:
        """The same without its average or its votes."""
        return replace(super().last(), votes=False)

    def scores_of(self, values: Array, constant: float) -> Array:
        """A score for two classes, else one for each, for rows of kernel values."""
        if self.votes:
            return self._shares_of_votes(values, constant)
        return self.scoring.decisions(core.dense(values), constant)[0]

    def winners_of(self, values: Array, constant: float, ties: core.Ties) -> NDArray[np.int64]:
        """The class of each such row; the first of the best."""
        if not self.votes:
            return self.scoring.winners(core.dense(values), constant, ties)[0]
        shares = self._shares_of_votes(values, constant)
        return (shares > 0).astype(np.int64) if self.classes == 2 else shares.argmax(axis=1)

    def _shares_of_votes(self, values: Array, constant: float) -> Array:
        """For each row of kernel values, what the weights after every step say, by survival.

        The score after each step is the sum of what all steps up to it added.
        """
        steps = self.steps.list
        survived = np.diff(steps["t"], append=self.seen + 1).astype(np.float64)
        cast = max(1.0, survived.sum())
        added = (values[:, steps["row"]] + constant) * steps["amount"]
        if self.classes == 2:
            scores = np.cumsum(added * np.where(steps["right"] == 1, 1.0, -1.0), axis=1)
            shares: Array = np.where(scores > 0, 1.0, -1.0) @ survived / cast
            return shares
        best = np.full(added.shape, -np.inf)
        winners = np.zeros(added.shape, dtype=np.int32)
        for k in range(self.classes):
            sign = (steps["right"] == k) * 1.0 - (steps["rival"] == k)
            scores = np.cumsum(added * sign, axis=1)
            winners[scores > best] = k
            np.maximum(best, scores, out=best)
        votes = [(winners == k) @ survived for k in range(self.classes)]
        of_each: Array = np.column_stack(votes) / cast
        return of_each

    def _rearranged(self, values: Array, missed: Array | None, **parts: Any) -> "Expansion":
        form = replace(parts.pop("form", self.form), stride=values.shape[1])
        storage = Whole.of(form, WeightArrays(values, missed, None))
        supports = np.array([len(values) - 1])
        return replace(self, form=form, storage=storage, features=supports, _scoring=None, **parts)


def _lie_between(least: int, numbers: NDArray[np.int64], limit: int) -> bool:
    return bool(((numbers >= least) & (numbers < limit)).all())


def blocks_of(count: int, width: int, most: int) -> Iterator[slice]:
    """Cut ``count`` rows into blocks of so few that their ``width`` values each fit in memory."""
    length = max(1, min(most, VALUES_PER_BLOCK // max(1, width)))
    for start in range(0, count, length):
        yield slice(start, min(start + length, count))


@dataclass(frozen=True)
class KernelRows:
    """Rows of a table, known by their kernel values with the supports."""

    X: Any
    similarity: Similarity

    @property
    def count(self) -> int:
        return int(self.X.shape[0])

    def values(self, weights: Expansion) -> Iterator[Array]:
        """The values of each row with each support, a block of rows at a time."""
        for block in blocks_of(self.count, weights.width_of_scores, ROWS_PER_BLOCK):
            rows = np.arange(block.start, block.stop)
            yield self.similarity.values(self.X, rows, weights.references)


@dataclass
class KernelScorer(Scorer):
    """Scores by supports."""

    weights: Expansion
    features: int

    @property
    def width(self) -> int:
        return self.features

    def by_last(self) -> "KernelScorer | None":
        weights = self.weights
        plain = not (weights.average or weights.votes)
        return None if plain else replace(self, weights=weights.last())

    def coef(self) -> Array:
        raise ValueError(
            "KernelPerceptron scores by its supports, so that features have no weights of their "
            "own: use AveragedPerceptron, with FeatureCombinations if need be, to explain."
        )

    def rows(self, table: Any) -> KernelRows:
        if isinstance(table, KernelRows):
            return table
        assert self.weights.similarity is not None
        if isinstance(table, Compressed):
            parts = table.data, table.indices, table.indptr
            table = sparse.csr_array(parts, shape=table.shape)
        return KernelRows(sound_table_of(table), self.weights.similarity)

    def _scores(self, rows: Any) -> Array:
        blocks = rows.values(self.weights)
        return np.concatenate([self.weights.scores_of(each, self.constant) for each in blocks])

    def _winners(self, rows: Any) -> NDArray[np.int64]:
        blocks = rows.values(self.weights)
        found = [self.weights.winners_of(each, self.constant, self.ties) for each in blocks]
        return np.concatenate(found)


@dataclass
class DualTrainer(Trainer):
    """Walks over examples in blocks: their kernel values first, then the core."""

    rows: KernelRows
    problem_of: Callable[[core.Rows, NDArray[np.intp]], core.Problem]
    """The problem that rows of kernel values pose, given which rows of X they belong to."""
    framing: tuple[float, bool]
    """The constant feature, and whether examples are scaled to length one."""
    first: int
    """The index of the first row of X."""
    record: bool
    budget: int | None

    @property
    def weights(self) -> Expansion:
        assert isinstance(self.state.weights, Expansion)
        return self.state.weights

    def walk(self, begin: int, order: NDArray[np.uint32] | None = None) -> None:
        count = self.rows.count if order is None else len(order)
        while begin < count:
            width = self.weights.supports + EXAMPLES_PER_BLOCK
            end = begin + next(blocks_of(count - begin, width, EXAMPLES_PER_BLOCK)).stop
            rows = np.arange(begin, end) if order is None else order[begin:end].astype(np.intp)
            self.state.weights = self._learn(rows)
            begin = end

    def _learn(self, rows: NDArray[np.intp]) -> Expansion:
        """What becomes of the weights on these rows."""
        old, X, similarity = self.weights, self.rows.X, self.rows.similarity
        own = self._slots()[rows]
        fresh = own < 0
        own[fresh] = old.supports + np.arange(np.count_nonzero(fresh))
        candidates = similarity.references(X, rows[fresh])
        wide = old.with_candidates(candidates, rows[fresh] + self.first)
        values = similarity.values(X, rows, wide.references)
        budget = None
        if self.budget is not None:
            budget = core.Budget(self.budget, self.run.seed, list(range(old.supports)))
        made = self._walk_block(wide, values, own, rows, budget)
        stepped = own[made["example"]]
        if budget is not None:
            kept = np.array(budget.supports, dtype=np.intp)
        else:
            kept = np.union1d(np.arange(old.supports), stepped)
        new = wide.with_supports(kept)
        if self.record or old.votes:
            made["example"] = rows[made["example"]]
            made["row"] = np.searchsorted(kept, stepped) if budget is None else -1
            new.steps = Mistakes.of(np.concatenate([old.steps.list, made]))
        return new

    def _slots(self) -> NDArray[np.intp]:
        """For each row of X the support that it is, or -1."""
        slots = np.full(self.rows.count, -1)
        rows = self.weights.indices - self.first
        slots[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
        return slots

    def _walk_block(
        self,
        weights: Expansion,
        values: Array,
        own: NDArray[np.intp],
        rows: NDArray[np.intp],
        budget: core.Budget | None,
    ) -> NDArray[Any]:
        """The updates that the core makes on a block, whose examples are these supports."""
        kernel_rows = core.dual(values, own.astype(np.int32))
        kernel_rows.check(values=False)
        made = Mistakes()
        made.make_room(len(rows))
        overflow = core.learn(
            self.problem_of(kernel_rows, rows),
            self.rule,
            weights.values,
            weights.missed,
            None,
            weights.counts,
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
