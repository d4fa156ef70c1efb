"""Passes over shards: the library's own loop, whose walk is one round on some engine."""

import math
import os
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from sklearn.base import RegressorMixin, clone

from rosenblatt.cluster.mixing import Mixing, Sent, mix
from rosenblatt.cluster.shard import (
    Evaluate,
    Learn,
    ShardPlan,
    ShardSource,
    Survey,
    TakeSurvey,
    Task,
    forget,
)
from rosenblatt.inputs import class_weight
from rosenblatt.inputs.errors import InputError, Name, Parameter, wording
from rosenblatt.inputs.labels import distinct, encode, list_text
from rosenblatt.inputs.parameters import check_choice
from rosenblatt.inputs.tables import Columns
from rosenblatt.models.kernel import KernelPerceptron
from rosenblatt.models.linear import LinearLearner
from rosenblatt.models.voted import VotedPerceptron
from rosenblatt.persistence.model_files import load, read_notes, save
from rosenblatt.training.history import Pass
from rosenblatt.training.orders import draw_seed
from rosenblatt.training.passes import Trainer, measures_of_weights
from rosenblatt.training.state import State
from rosenblatt.training.validation import require_weight


class Engine(Protocol):
    """Whatever runs tasks, anywhere and in any order."""

    def run(self, task: Task, sources: Mapping[int, ShardSource]) -> Iterable[Any]:
        """What the task gives for each source, in their order."""


class AllShards:
    """Counts of all shards together, where `Trainer` asks for those of rows."""

    def __init__(self, surveys: list[Survey]) -> None:
        self.count = sum(int(survey.learned.sum()) for survey in surveys)
        self.stored = sum(survey.stored for survey in surveys)


@dataclass
class MixedTrainer(Trainer):
    """Lets each shard walk over its examples, and mixes what they come to."""

    rows: AllShards
    _: KW_ONLY
    plan: ShardPlan
    engine: Engine
    sources: Mapping[int, ShardSource]
    tried: Mapping[int, ShardSource]
    """The shards of the validation set, if there is one, numbered below zero."""
    mixing: Mixing
    measured: bool

    def walk(self, begin: int, order: Any = None) -> None:
        learn = Learn(self.plan, Sent.of(self.weights, self.run))
        self.state.weights = mix(self.weights, self.engine.run(learn, self.sources), self.mixing)

    def _measure(self, *, converged: bool) -> dict[str, Any]:
        measures = measures_of_weights(self.weights, self.rows, converged=converged)
        if not self.measured:
            return measures
        sent = Sent.of(self.weights, self.run)
        found = self.engine.run(Evaluate(self.plan, sent), {**self.sources, **self.tried})
        errors = list(found)
        learned = len(self.sources)
        train = [each.train for each in errors[:learned]]
        holding = errors[learned:] or errors
        held = [each.held_out for each in holding]
        last = [each.last for each in holding]
        names = "train_error", "validation_error", "last_validation_error"
        for name, pairs in zip(names, (train, held, last), strict=True):
            if None in pairs:
                continue
            wrong, weight = map(sum, zip(*pairs, strict=True))
            if weight:
                measures[name] = wrong / weight
        return measures


SILENT = {"random_state", "verbose"}
"""Parameters that may differ when training goes on; of the first, the seed is compared."""

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
    notes: dict[str, Any] = field(default_factory=dict)
    """What training is of: another one cannot go on from here."""

    @cached_property
    def found(self) -> Any:
        """The model that an earlier run has left, if there is one."""
        if not os.path.exists(self.path):
            return None
        model: Any = load(self.path)
        if _settings(model) != _settings(self.estimator):
            raise self._is_of_another()
        return model

    @property
    def seed(self) -> int:
        """That of the earlier run where none is asked for, so that rows are held out as then."""
        given = self.estimator.random_state
        if given is None and self.found is not None:
            return int(self.found._state.run.seed)
        return draw_seed(given)

    def write(self) -> None:
        save(self.estimator, self.path, notes={"training": self.notes})

    def resume(self, begun: State) -> State:
        """The state to go on from; the one to begin with if there is none."""
        if self.found is None:
            return begun
        own = read_notes(self.path).get("training") == self.notes
        if not own or not _goes_on(begun, self.found._state):
            raise self._is_of_another()
        return self.found._state

    def _is_of_another(self) -> InputError:
        remedy = "delete it, or name another checkpoint"
        return InputError(f"{self.path} is of another training", remedy=remedy)


def _settings(model: Any) -> Any:
    """The kind of a model, and the parameters that say what is learned, but for the seed."""
    if not isinstance(model, LinearLearner):
        return type(model), None
    parameters = model.get_params(deep=False)
    return type(model), {name: parameters[name] for name in {*parameters} - SILENT}


def _goes_on(begun: State, found: State) -> bool:
    """Whether training may go on from what a file holds, which anybody may have written."""

    def described(state: State) -> Any:
        names = None if state.names is None else list_text(state.names.array())
        return list_text(state.classes), names, state.width, state.weights.form

    return (
        described(found) == described(begun)
        and all(
            getattr(found.run, name) == getattr(begun.run, name)
            for name in ("seed", "goal", "patience")
        )
        and all(more is None for more in (found.mistakes, found.calibration, found.thresholds))
    )


def check_parameters(estimator: Any, mixing: Mixing) -> None:
    """Refuse what cannot be mixed, and parameters that are wrong."""
    check_choice("mixing", mixing, ["changed", "uniform", "mistakes"])
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
    kept = None if checkpoint is None else Checkpoint(checkpoint, estimator)
    seed = draw_seed(estimator.random_state) if kept is None else kept.seed
    validated, digested = bool(tried), kept is not None
    plan = ShardPlan(
        uuid.uuid4().hex, len(sources), clone(estimator), seed, room, validated, digested
    )
    numbered = dict(enumerate(sources))
    surveys = list(engine.run(TakeSurvey(plan), numbered))
    width = _common(surveys, sources)
    classes = _classes(surveys, sources)
    to_try = _to_try(plan, engine, tried, width, classes)
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
    if kept is not None:
        kept.notes = {"mixing": mixing, "shards": [survey.digest for survey in surveys]}
        if validated:
            kept.notes["validation"] = [survey.digest for survey, _ in to_try.values()]
        state = kept.resume(state)
    estimator._state = state
    looked_at = int(estimator.verbose) >= 2 or on_pass is not None
    trainer = MixedTrainer(
        AllShards(surveys), estimator._rule(), state,
        plan=plan, engine=engine, sources=numbered, mixing=mixing,
        tried={number: source for number, (_, source) in to_try.items()},
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
            must = f"have {first} features, as the first shard"
            raise InputError(Name("X"), must=must, got=str(survey.width)).worded(source.front)
    return first


def _to_try(
    plan: ShardPlan, engine: Engine, tried: Sequence[ShardSource], width: int, classes: Any
) -> dict[int, tuple[Survey, ShardSource]]:
    """The shards of the validation set that have rows, once these are sound."""
    numbered = {~place: source for place, source in enumerate(tried)}
    surveys = zip(numbered, engine.run(TakeSurvey(plan), numbered), strict=True)
    found = {number: (survey, numbered[number]) for number, survey in surveys if survey is not None}
    for survey, source in found.values():
        with wording(source.front):
            if survey.width != width:
                must = f"have {width} features, as those learned from"
                raise InputError(Name("X"), must=must, got=str(survey.width))
            encode(survey.classes, classes, remedy="leave out the rows of such labels")
    if tried and not found:
        raise InputError("The validation set has no rows")
    if tried:
        require_weight("held-out", any(survey.weighs for survey, _ in found.values()))
    return found


KINDS = {"b": "booleans", "i": "whole numbers", "u": "unsigned whole numbers", "f": "floats"}
"""Of labels; all others are strings."""


def _classes(surveys: list[Survey], sources: Sequence[ShardSource]) -> Any:
    """The labels of all shards, sorted."""
    kinds = [KINDS.get(survey.classes.dtype.kind, "strings") for survey in surveys]
    for kind, source in zip(kinds, sources, strict=True):
        if kind != kinds[0]:
            must = f"hold {kinds[0]}, as in the first shard"
            raise InputError(Name("y"), must=must, got=kind).worded(source.front)
    classes = distinct(np.concatenate([survey.classes for survey in surveys]))
    if len(classes) < 2:
        raise InputError(
            Name("y"), must="hold labels of at least two classes", got=list_text(classes)
        )
    return classes
