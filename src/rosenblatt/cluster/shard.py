"""One shard: examples that are learned from together, in the worker that has them."""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.cluster.mixing import ChangedRows, Partial, Sent
from rosenblatt.inputs.errors import Front, InputError, Name, wording
from rosenblatt.inputs.label_sets import strata
from rosenblatt.inputs.labels import (
    CodedLabels,
    Labels,
    come_in_runs,
    distinct,
    encode,
    read_labels,
)
from rosenblatt.inputs.tables import sound_rows_of
from rosenblatt.training.condensed import MOST_COLUMNS
from rosenblatt.training.orders import ByClass
from rosenblatt.training.passes import LinearTrainer
from rosenblatt.training.run import Run
from rosenblatt.training.state import State
from rosenblatt.training.validation import Labelled, Measured, split
from rosenblatt.training.weights import Weights


class Data(NamedTuple):
    """Examples as they were read; every row has a label."""

    table: Any
    labels: Labels
    sample_weight: NDArray[np.float64] | None

    @property
    def arrays(self) -> list[NDArray[Any]]:
        """All of it but the classes of coded labels."""
        table, labels, sample_weight = self
        parts = ["indptr", "indices", "data"]
        rows = [table] if isinstance(table, np.ndarray) else [getattr(table, p) for p in parts]
        coded = labels.codes if isinstance(labels, CodedLabels) else labels
        return [*rows, coded] if sample_weight is None else [*rows, coded, sample_weight]

    @property
    def nbytes(self) -> int:
        """What it takes, about."""
        return sum(array.nbytes for array in self.arrays)

    def digest(self) -> str:
        """What no other examples have."""
        labels = self.labels
        classes = labels.classes.tolist() if isinstance(labels, CodedLabels) else None
        forms = [(array.shape, array.dtype.str) for array in self.arrays]
        found = hashlib.sha256(repr((self.table.shape, classes, forms)).encode())
        for array in self.arrays:
            found.update(np.ascontiguousarray(array).data)
        return found.hexdigest()


class ShardSource(Protocol):
    """Where a shard comes from; travels to the worker that reads it."""

    @property
    def front(self) -> Front:
        """How its rows are called in messages."""

    def load(self) -> Data: ...


@dataclass
class ShardPlan:
    """What is the same for all shards in a training."""

    token: str
    """Of this training: what workers keep of another is let go."""
    shards: int
    estimator: Any
    """With its parameters, not fitted."""
    seed: int
    """Of orders and of the rows held out."""
    room: float = math.inf
    """Bytes of shards that a worker keeps."""
    validated: bool = False
    """Whether a validation set is there to be tried, so that shards hold out no rows."""
    digested: bool = False
    """Whether surveys are to tell what a checkpoint is of."""
    classes: NDArray[Any] | None = None
    """Known once all shards have been surveyed, as is their weight."""
    of_class: NDArray[np.float64] | None = None

    def split(self, labels: Labels) -> tuple[Any, Any]:
        """The rows to learn from and those held out; None for both if none are.

        Among several shards a class may have too few rows in one of them: there it is only
        learned from.
        """
        if self.validated or not self.estimator.early_stopping:
            return None, None
        classes = distinct(labels)
        fraction = float(self.estimator.validation_fraction)
        every = self.shards == 1
        return split(encode(labels, classes), classes, fraction, self.seed, of_every_class=every)


class Survey(NamedTuple):
    """What is to be known of a shard before the first pass."""

    digest: str
    width: int
    stored: int
    classes: NDArray[Any]
    learned: NDArray[np.int64]
    """How many rows of each class it learns from."""
    held: int
    """How many it holds out."""
    weighs: bool
    """Whether any row has a weight above zero."""


class ShardErrors(NamedTuple):
    """Weights of the examples that came out wrong, and of all: a pair for each kind of error."""

    train: tuple[float, float]
    held_out: tuple[float, float]
    last: tuple[float, float] | None
    """By the last weights, if it is their average that predicts."""


@dataclass
class Shard:
    """The examples of a shard as the core reads them, kept between the passes."""

    plan: ShardPlan
    trainer: LinearTrainer
    columns: NDArray[np.int64] | None
    """Those that occur, if it pays to have weights of them alone; see `Condensed`."""
    learned: Measured
    held: Measured | None

    @property
    def nbytes(self) -> int:
        """What it takes, about."""
        rows = self.trainer.rows
        return int(16 * (rows.stored + rows.count))

    @classmethod
    def of(cls, plan: ShardPlan, data: Data) -> "Shard":
        estimator, classes = plan.estimator, plan.classes
        assert classes is not None
        width = data.table.shape[1]
        form = estimator._form(max(2, len(classes)))
        state = State(classes, Weights.new(width, form), Run(plan.seed), features=width)
        labelled = Labelled(data.table, encode(data.labels, classes), classes, data.sample_weight)
        _, trainer = estimator._trainer(state, labelled, plan.of_class, values=True)
        columns = None
        if trainer.rows.compressed and width <= MOST_COLUMNS:
            condensed = core.CondensedColumns(trainer.rows)
            if len(condensed) <= width // 2:
                trainer.rows = condensed.rows(trainer.rows)
                trainer.problem = trainer.problem.on(trainer.rows)
                columns = condensed.columns()
        chosen, held = plan.split(data.labels)
        trainer.chosen = chosen
        codes, sample_weight = strata(labelled.codes), data.sample_weight
        of_those = codes if chosen is None else codes[chosen]
        if estimator.shuffle == "blocks" and come_in_runs(of_those):
            trainer.by_class = ByClass.of(of_those)
        rows, of_class = trainer.rows, plan.of_class
        learned = Measured("training", rows, codes, sample_weight, of_class, chosen)
        held_out = None
        if held is not None:
            held_out = Measured("held-out", rows, codes, sample_weight, of_class, held)
        return cls(plan, trainer, columns, learned, held_out)

    def epoch(self, sent: Sent) -> Partial:
        """Learn from all examples once, from these weights on: what a serial pass does."""
        weights = sent.at(self.columns)
        before = weights.copy()
        trainer, run = self.trainer, replace(sent.run, totals=[])
        trainer.state = replace(trainer.state, weights=weights, run=run)
        trainer.train(self.plan.estimator.shuffle, verbose=False)
        changed = ChangedRows.other_than(weights.numbers(), before.numbers())
        if self.columns is not None:
            changed = changed.among(self.columns, sent.width)
        return Partial(changed, weights.counts, weights.measures)

    def errors(self, sent: Sent) -> ShardErrors:
        """How wrong these weights are on the examples of this shard."""
        state = replace(self.trainer.state, weights=sent.at(self.columns))
        scorer = self.plan.estimator._scorer(state)
        winners = scorer.winners(self.trainer.rows)
        train, held, last = self.learned.tally(winners), (0.0, 0.0), None
        by_last = scorer.by_last_weights()
        if self.held is not None:
            held = self.held.tally(winners)
        if by_last is not None:
            last = (0.0, 0.0)
            if self.held is not None:
                last = self.held.tally(by_last.winners(self.trainer.rows))
        return ShardErrors(train, held, last)


@dataclass
class ShardCache:
    """What a worker has read of the shards of one training; a cold worker reads them again."""

    token: str = ""
    shards: dict[int, Data | Shard] = field(default_factory=dict)
    """Ready to learn from, or only read."""

    def keep(self, number: int, shard: Data | Shard, room: float) -> None:
        """Keep a shard for the next pass, unless all would take more than this room."""
        self.shards.pop(number, None)
        if shard.nbytes + sum(other.nbytes for other in [*self.shards.values()]) <= room:
            self.shards[number] = shard


_cache = ShardCache()
"""Of this process."""


def cache_for(token: str) -> ShardCache:
    """What this worker keeps for a training; all of another is let go."""
    global _cache
    cache = _cache
    if cache.token != token:
        cache = _cache = ShardCache(token)
    return cache


def forget(token: str) -> None:
    """Let go of what this process keeps for a training that is over."""
    if _cache.token == token:
        cache_for("")


Task = Callable[[int, ShardSource], Any]
"""What is done with a shard, where it is, given its number: below zero in the validation set."""


@dataclass
class TakeSurvey:
    """Read a shard and survey it; None if it is of the validation set and has no rows."""

    plan: ShardPlan

    def __call__(self, number: int, source: ShardSource) -> Survey | None:
        with wording(source.front):
            data = source.load()
            count = data.table.shape[0]
            if not count and number < 0:
                return None
            if not count:
                raise InputError(Name("X"), " has no rows", remedy="leave the file out")
            rows = sound_rows_of(data.table, values=True)
            if not rows.width:
                raise InputError(Name("X"), " has no columns")
            labels = read_labels(self.plan.estimator, data.labels, count)
            chosen, held = self.plan.split(labels)
        cache_for(self.plan.token).keep(number, data, self.plan.room)
        classes = distinct(labels)
        learned = labels if chosen is None else labels[chosen]
        sizes = np.bincount(encode(learned, classes), minlength=len(classes))
        weighs = data.sample_weight is None or bool(data.sample_weight.any())
        digest = data.digest() if self.plan.digested else ""
        spared = 0 if held is None else len(held)
        return Survey(digest, rows.width, rows.stored, classes, sizes, spared, weighs)


@dataclass
class WithWeights:
    """What is done with weights that travel to a shard."""

    plan: ShardPlan
    sent: Sent


class Learn(WithWeights):
    """Make a pass over a shard."""

    def __call__(self, number: int, source: ShardSource) -> Partial:
        with wording(source.front):
            return shard_of(self.plan, number, source).epoch(self.sent)


class Evaluate(WithWeights):
    """Try weights on a shard; all rows of one of the validation set are held out."""

    def __call__(self, number: int, source: ShardSource) -> ShardErrors:
        with wording(source.front):
            shard = shard_of(self.plan, number, source)
        if number < 0:
            shard = replace(shard, held=shard.learned)
        return shard.errors(self.sent)


def shard_of(plan: ShardPlan, number: int, source: ShardSource) -> Shard:
    """The shard ready to learn from: as this worker keeps it, or read again."""
    cache = cache_for(plan.token)
    shard = cache.shards.get(number)
    if not isinstance(shard, Shard):
        shard = Shard.of(plan, shard or source.load())
        cache.keep(number, shard, plan.room)
    return shard
