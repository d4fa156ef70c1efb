"""Passes over shards: the library's own loop, whose walk is one round on some engine."""

import math
import os
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Protocol

import numpy as np
from sklearn.base import RegressorMixin, clone

from rosenblatt.cluster.mixing import Mixing, Sent, mix
from rosenblatt.cluster.shard import (
    Judge,
    Learn,
    Look,
    Plan,
    ShardSource,
    Survey,
    Task,
    Try,
    forget,
)
from rosenblatt.inputs import class_weight
from rosenblatt.inputs.errors import InputError, Name, Parameter, wording
from rosenblatt.inputs.labels import distinct, encode, listed
from rosenblatt.inputs.parameters import check_choice
from rosenblatt.inputs.tables import Columns
from rosenblatt.models.kernel import KernelPerceptron
from rosenblatt.models.linear import LinearLearner
from rosenblatt.models.voted import VotedPerceptron
from rosenblatt.persistence.model_files import load, read_notes, save
from rosenblatt.training.history import Pass
from rosenblatt.training.passes import Trainer, draw_seed, told_by_weights
from rosenblatt.training.state import State
from rosenblatt.training.validation import require_weight


class Engine(Protocol):
    """Whatever runs tasks, anywhere and in any order."""

    def run(self, task: Task, sources: Sequence[ShardSource]) -> Iterable[Any]:
        """What the task gives for each source, in their order."""


class Whole:
    """Counts of all shards together, where `Trainer` asks for those of rows."""

    def __init__(self, surveys: list[Survey]) -> None:
        self.count = sum(int(survey.learned.sum()) for survey in surveys)
        self.stored = sum(survey.stored for survey in surveys)


@dataclass
class MixedTrainer(Trainer):
    """Lets each shard walk over its examples, and mixes what they come to."""

    rows: Whole
    _: KW_ONLY
    plan: Plan
    engine: Engine
    sources: Sequence[ShardSource]
    tried: Sequence[ShardSource]
    """The shards of the validation set, if there is one."""
    mixing: Mixing
    measured: bool

    def walk(self, begin: int, order: Any = None) -> None:
        learn = Learn(self.plan, Sent.of(self.weights, self.run))
        self.state.weights = mix(self.weights, self.engine.run(learn, self.sources), self.mixing)

    def _measure(self, *, converged: bool) -> dict[str, Any]:
        told = told_by_weights(self.weights, self.rows, converged=converged)
        if not self.measured:
            return told
        sent = Sent.of(self.weights, self.run)
        train, held, last = zip(*self.engine.run(Judge(self.plan, sent), self.sources), strict=True)
        if self.tried:
            _, held, last = zip(*self.engine.run(Try(self.plan, sent), self.tried), strict=True)
        names = "train_error", "validation_error", "last_validation_error"
        for name, pairs in zip(names, (train, held, last), strict=True):
            if None in pairs:
                continue
            wrong, weight = map(sum, zip(*pairs, strict=True))
            if weight:
                told[name] = wrong / weight
        return told


OnPass = Callable[[int, Pass], Any]
"""Is told of a pass: its number, from one, and its record."""


@dataclass
class Watching:
    """What is done after every pass: the model goes to a file, and the caller is told."""

    estimator: Any
    checkpoint: "Checkpoint | None"
    on_pass: OnPass | None

    def pass_begins(self) -> None: ...

    def pass_ends(self) -> bool:
        if self.checkpoint is not None:
            self.checkpoint.write()
        if self.on_pass is not None:
            self.on_pass(self.estimator._state.run.passes, self.estimator.history_[-1])
        return False


@dataclass
class Checkpoint:
    """A model file that is written after every pass, and found when training goes on."""

    path: str
    estimator: Any
    told: dict[str, Any]
    """What training is of: another one cannot go on from here."""

    def write(self) -> None:
        save(self.estimator, self.path, notes={"training": self.told})

    def resume(self, begun: State) -> State:
        """The state that an earlier run has left, if there is one; else the one to begin with."""
        if not os.path.exists(self.path):
            return begun
        own = read_notes(self.path).get("training") == self.told
        found: Any = load(self.path) if own else None
        if type(found) is not type(self.estimator) or not _goes_on(begun, found._state):
            raise InputError(
                f"{self.path} is of another training",
                remedy="delete it, or name another checkpoint",
            )
        state: State = found._state
        return state


def _goes_on(begun: State, found: State) -> bool:
    """Whether training may go on from what a file holds, which anybody may have written."""

    def described(state: State) -> Any:
        names = None if state.names is None else listed(state.names.array())
        return listed(state.classes), names, state.width, state.weights.form

    return (
        described(found) == described(begun)
        and (found.run.goal, found.run.patience) == (begun.run.goal, begun.run.patience)
        and all(more is None for more in (found.mistakes, found.calibration, found.thresholds))
    )


def check_estimator(estimator: Any) -> None:
    """Refuse what cannot be mixed, and parameters that are wrong."""
    kind = type(estimator).__name__
    other = isinstance(estimator, KernelPerceptron | VotedPerceptron | RegressorMixin)
    if other or not isinstance(estimator, LinearLearner):
        raise InputError(
            f"The weights of {kind} cannot be mixed",
            remedy="use Perceptron or another learner with one weight vector a class",
        )
    estimator._check_parameters()
    estimator._check_stopping()
    estimator._rule()
    for name, why in (
        ("record", "mistakes are made in several places at once"),
        ("probabilities", "they are found on held-out rows of one machine"),
        ("warm_start", "training starts afresh, or goes on from its checkpoint"),
        ("half_life", "examples of different shards have no order in which to be forgotten"),
    ):
        if value := getattr(estimator, name):
            raise InputError(Parameter(name, value), f" cannot be kept to over shards: {why}")
    if (kept := getattr(estimator, "covariance", "diagonal")) != "diagonal":
        why = "what shards know of pairs of weights does not add up"
        raise InputError(Parameter("covariance", kept), f" cannot be kept to over shards: {why}")


def train(
    estimator: Any,
    engine: Engine,
    sources: Sequence[ShardSource],
    *,
    tried: Sequence[ShardSource] = (),
    names: Any = None,
    mixing: Mixing = "changed",
    checkpoint: str | None = None,
    on_pass: OnPass | None = None,
    room: float = math.inf,
) -> Any:
    """Fit the estimator to the shards, pass by pass; what it was fitted to before is forgotten.

    The weights are tried on the shards ``tried`` after every pass, if there are any. Between passes
    a worker keeps shards of up to ``room`` bytes.
    """
    check_estimator(estimator)
    check_choice("mixing", mixing, ["changed", "uniform", "mistakes"])
    seed = draw_seed(estimator.random_state)
    validated = bool(tried)
    plan = Plan(uuid.uuid4().hex, len(sources), clone(estimator), seed, room, validated)
    surveys = list(engine.run(Look(plan), sources))
    width = _common(surveys, sources)
    classes = _classes(surveys)
    tried, rows_tried = _to_try(plan, engine, tried, width, classes)
    sizes = np.zeros(len(classes), dtype=np.int64)
    for survey in surveys:
        sizes[encode(survey.classes, classes)] += survey.learned
    if not any(survey.weighs for survey in surveys):
        zero = " is zero for every row, so nothing can be learned"
        raise InputError(Name("sample_weight"), zero)
    if estimator.early_stopping and not validated:
        require_weight("held-out", any(survey.held for survey in surveys))
    plan.of_class = class_weight.of_counts(estimator.class_weight, classes, sizes)
    plan.classes = classes
    state = estimator._started_on(classes, Columns(width, names))
    state = replace(state, run=replace(state.run, seed=seed))
    patience = int(estimator.n_iter_no_change) if estimator.early_stopping else 0
    state = state.next_run(int(estimator.max_iter), patience)
    kept = None
    if checkpoint is not None:
        told = {
            "sizes": sizes.tolist(),
            "shards": [survey.examples for survey in surveys],
            "mixing": mixing,
            "parameters": repr(estimator.get_params(deep=False)),
        } | ({"validation": rows_tried} if validated else {})
        kept = Checkpoint(checkpoint, estimator, told)
        state = kept.resume(state)
    estimator._state = state
    looked_at = int(estimator.verbose) >= 2 or on_pass is not None
    trainer = MixedTrainer(
        Whole(surveys), estimator._rule(), state,
        plan=plan, engine=engine, sources=sources, tried=tried, mixing=mixing,
        measured=bool(estimator.early_stopping) or validated or looked_at,
    )  # fmt: skip
    watched = kept is not None or on_pass is not None
    watching = Watching(estimator, kept, on_pass) if watched else None
    try:
        trainer.train(False, verbose=bool(estimator.verbose), watcher=watching)
    finally:
        forget(plan.token)
    if trainer.run.best_weights is not None:
        estimator._state = trainer.state.at_best()
    return estimator


def _common(surveys: list[Survey], sources: Sequence[ShardSource]) -> int:
    """The number of features, of which every shard has as many."""
    first = surveys[0].width
    for survey, source in zip(surveys, sources, strict=True):
        if survey.width != first:
            raise InputError(
                f"Shards must have the same features, but the first has {first} and another "
                f"{survey.width}",
            ).worded(source.front)
    return first


def _to_try(
    plan: Plan, engine: Engine, tried: Sequence[ShardSource], width: int, classes: Any
) -> tuple[list[ShardSource], list[int]]:
    """The shards of the validation set that have rows, once these are sound, and how many each."""
    found, rows, weighs = [], [], False
    for survey, source in zip(engine.run(Look(plan, tried=True), tried), tried, strict=True):
        if not survey.examples:
            continue
        with wording(source.front):
            if survey.width != width:
                must = f"have {width} features, as those learned from"
                raise InputError(Name("X"), must=must, got=str(survey.width))
            encode(survey.classes, classes, remedy="leave out the rows of such labels")
        found.append(source)
        rows.append(survey.examples)
        weighs = weighs or survey.weighs
    if tried:
        require_weight("held-out", weighs)
    return found, rows


def _classes(surveys: list[Survey]) -> Any:
    """The labels of all shards, sorted."""
    kinds = {"number" if survey.classes.dtype.kind in "biuf" else "string" for survey in surveys}
    if len(kinds) > 1:
        raise InputError(Name("y"), " holds numbers in some shards and strings in others")
    return distinct(np.concatenate([survey.classes for survey in surveys]))
