"""The dual form: weights as sums of examples, the supports, which meet others through a kernel."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rosenblatt import core
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
from rosenblatt.training.scorer import Scorer
from rosenblatt.training.storage import WeightArrays, Whole
from rosenblatt.training.weights import Weights

ROWS_PER_BLOCK = 1024
"""Rows scored at a time."""

STEP = np.dtype([*UPDATE.descr, ("right", "i8"), ("support", "i8"), ("added", "f8")])
"""What is written of a mistake whose row is a support."""


ANY_KERNEL = Similarity("linear", 1.0, 1, 0.0)
"""Of rows that meet no supports, as long as nothing has been learned that says which it is."""


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

    def stacked_with(self, supports: NDArray[np.intp], references: Any) -> Any:
        """Some of the supports and behind them others, as the kernel takes them."""
        if self.references is None or not len(supports):
            return references
        return stacked(self.references[supports], references)

    def with_steps(
        self,
        made: NDArray[Any],
        supports: NDArray[np.intp],
        references: Any,
        indices: NDArray[np.int64],
        constant: float,
    ) -> "Expansion":
        """The same after these updates, each on a support; those that are new come last."""
        new = self
        if len(indices):
            new = self.with_candidates(references, indices)
        if not len(made):
            return replace(new)
        amount, times = made["amount"], made["t"]
        if self.form.stride == 1:
            columns, changes = np.zeros_like(times), np.where(made["right"] == 1, amount, -amount)
        else:  # a gain of the right class, then a loss of the rival
            columns = np.column_stack([made["right"], made["rival"]]).ravel()
            changes = np.column_stack([amount, -amount]).ravel()
            supports, times = np.repeat(supports, 2), np.repeat(times, 2)

        def changed(array: Array, by: Array) -> Array:
            array = array.copy()
            np.add.at(array, (supports, columns), by)
            np.add.at(array[-1], columns, constant * by)
            return array

        missed = None if new.missed is None else changed(new.missed, times * changes)
        return new._rearranged(changed(new.values, changes), missed)

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

    def among(self, width: int) -> "Expansion":
        """The same where examples have so many features, of which its supports lack the last."""
        if self.references is None:
            return self
        few = sparse.csr_array(self.references)
        references = sparse.csr_array((few.data, few.indices, few.indptr), (self.supports, width))
        return replace(self, references=references)

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

    def last(self) -> Self:
        """The same without its average or its votes."""
        return replace(super().last(), votes=False)

    def scores_of(self, values: Array, constant: float) -> Array:
        """A score for two classes, else one for each, for rows of kernel values."""
        rows = core.dense(values)
        if self.votes:
            rows.check(values=False)
            return self._voting().shares(rows, self.seen, self.classes, constant)
        return self.scoring.decisions(rows, constant)

    def winners_of(self, values: Array, constant: float, ties: core.Ties) -> NDArray[np.int64]:
        """The class of each such row; the first of the best."""
        rows = core.dense(values)
        if self.votes:
            rows.check(values=False)
            return self._voting().winners(rows, self.seen, self.classes, constant)
        return self.scoring.winners(rows, constant, ties)

    def _voting(self) -> Mistakes:
        """The steps, each on a row whose product with kernel values is that of its support."""
        count = self.supports
        return replace(
            self.steps,
            used=np.array([len(self.steps.list), count, count, count]),
            _indptr=np.arange(count + 1),
            _columns=np.arange(count, dtype=np.int32),
            _values=np.ones(count),
            keeps_rows=True,
        )

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
        for block in blocks_of(self.count, weights.supports, ROWS_PER_BLOCK):
            rows = np.arange(block.start, block.stop)
            yield self.similarity.values(self.X, rows, weights.references)


@dataclass
class KernelScorer(Scorer):
    """Scores by supports."""

    __module__ = "rosenblatt"

    weights: Expansion
    features: int

    @property
    def width(self) -> int:
        return self.features

    def by_last_weights(self) -> "KernelScorer | None":
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
        if isinstance(table, Compressed):
            parts = table.data, table.indices, table.indptr
            table = sparse.csr_array(parts, shape=table.shape)
        return KernelRows(sound_table_of(table), self.weights.similarity or ANY_KERNEL)

    def _scores(self, rows: Any) -> Array:
        blocks = rows.values(self.weights)
        return np.concatenate([self.weights.scores_of(each, self.constant) for each in blocks])

    def _winners(self, rows: Any) -> NDArray[np.int64]:
        blocks = rows.values(self.weights)
        found = [self.weights.winners_of(each, self.constant, self.ties) for each in blocks]
        return np.concatenate(found)
