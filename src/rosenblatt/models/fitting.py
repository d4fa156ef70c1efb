"""How a fit or a batch begins, and what becomes of the model if it ends before its time."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt import core
from rosenblatt.inputs import class_weight
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.inputs.label_sets import Answers, occurrences, strata
from rosenblatt.inputs.labels import come_in_runs, read_classes
from rosenblatt.inputs.mapped_rows import MappedRows
from rosenblatt.inputs.tables import Columns, read_initial_weights, read_sample_weight
from rosenblatt.models.probabilities import Unseen, learn_and_calibrate
from rosenblatt.training.calibration import spread
from rosenblatt.training.orders import ByClass
from rosenblatt.training.passes import Trainer
from rosenblatt.training.state import State
from rosenblatt.training.thresholds import Thresholds
from rosenblatt.training.validation import Labelled, Measured, Watch, read_validation, split


@contextmanager
def becoming(model: Any, state: State, trainer: Trainer) -> Iterator[None]:
    """Learn with this state: a failure brings back the old, an interrupt leaves the new."""
    before, model._state = model._state, state
    goes_on = before is not None and before.weights is state.weights
    # Only such steps may make numbers of sound values that are too large to learn on.
    may_stop = not isinstance(trainer.rule, core.PerceptronRule) or bool(model.unit_length)
    try:
        if goes_on and may_stop:
            trainer.keep_to_undo()
        yield
    except Exception:
        trainer.undo()
        model._state = before
        raise


class Split(NamedTuple):
    """What a fit learns from, and what it is held against."""

    examples: Labelled
    """Those of both kinds that were passed as X."""
    learned: NDArray[np.uint32] | None
    """The rows of these to learn from, if not all."""
    held_out: NDArray[np.uint32] | None
    """The others."""
    validation: Labelled | None
    """The caller's own set."""

    @classmethod
    def of(cls, model: Any, state: State, examples: Labelled, given: tuple[Any, Any, Any]) -> Self:
        validation = read_validation(model, state, *given)
        if validation is not None or not model.early_stopping:
            return cls(examples, None, None, validation)
        fraction = float(model.validation_fraction)
        return cls(examples, *split(examples.codes, state.classes, fraction, state.run.seed), None)

    @property
    def codes(self) -> Answers:
        """What those that are learned from come to."""
        codes = self.examples.codes
        return codes if self.learned is None else codes[self.learned]

    def watch(
        self, model: Any, state: State, rows: Any, of_class: NDArray[np.float64] | None
    ) -> Watch | None:
        """What is measured after every pass over ``rows``, which are the table of X."""
        X, codes, _, weight = self.examples
        tried, held_out = None, self.validation
        if self.held_out is not None and isinstance(X, MappedRows):  # a copy may not fit in memory
            tried = Measured("held-out", rows, codes, weight, of_class, self.held_out)
        elif self.held_out is not None:
            held_out = self.examples.at(self.held_out)
        if held_out is not None:
            tried = held_out.measured(lambda table: model._sound_rows(state, table), of_class)
        if tried is None and model.verbose < 2 and "_skl_callbacks" not in vars(model):
            return None
        learned = Measured("training", rows, codes, weight, of_class, self.learned)
        return Watch(learned, tried, lambda: model._scorer(state))

    def unseen(self) -> Labelled | None:
        """Enough of those that are not learned from, if there are any."""
        if self.held_out is None:
            return self.validation
        return self.examples.at(self.held_out[spread(len(self.held_out))])


def ready_to_fit(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: ArrayLike | None,
    validation: tuple[Any, Any, Any],
    start: tuple[Any, Any],
) -> tuple[State, Trainer, Unseen]:
    """What to learn with, who does it, and what is held against it; nothing has changed yet."""
    model._let_go()
    model._check_parameters()
    model._check_stopping()
    model._rule()
    before = model._state if model.warm_start and not _is_given(start) else None
    table, columns = model._read_table(X, before)
    answers = model._read_answers(y, table.shape[0])
    sample_weight = read_sample_weight(sample_weight, table.shape[0])
    if sample_weight is not None and not sample_weight.any():
        zero = " is zero for every row, so nothing can be learned"
        raise InputError(Name("sample_weight"), zero)
    if before is None:
        state = _started(model, columns, start, *model._kind_of(answers))
    else:
        state = _gone_on_from(model, before)
    examples = Labelled(table, model._encoded(answers, state), state.classes, sample_weight)
    parts = Split.of(model, state, examples, validation)
    state = _about_to_run(model, state, len(parts.codes))
    of_class = class_weight.of_examples(model.class_weight, state.classes, occurrences(parts.codes))
    values = before is not None or parts.held_out is not None
    state, trainer = model._trainer(state, examples, of_class, values=values)
    trainer.chosen = parts.learned
    if model.shuffle == "blocks" and come_in_runs(strata(parts.codes)):
        trainer.by_class = ByClass.of(strata(parts.codes))
    trainer.watch = parts.watch(model, state, trainer.rows, of_class)

    def begin(twin: Any) -> State:
        return _started(twin, state.columns, start, state.classes, state.thresholds)

    held_out = parts.unseen() if needs_unseen_scores(model, state) else None
    return state, trainer, Unseen(held_out, examples, of_class, begin)


def _started(
    model: Any,
    columns: Columns,
    start: tuple[Any, Any],
    classes: NDArray[Any],
    thresholds: Thresholds | None,
) -> State:
    """Where learning starts afresh, with the weights that fit was given if it was given any."""
    state: State = model._started_on(classes, columns, thresholds)
    if _is_given(start):
        _begin_at(model, state, *start)
    return state


def _is_given(start: tuple[Any, Any]) -> bool:
    return any(part is not None for part in start)


def _gone_on_from(model: Any, before: State) -> State:
    """What to learn on; a copy where a callback may fail after a pass has changed the weights."""
    before.check_learns()
    state = before.copy() if "_skl_callbacks" in vars(model) else before.thawed()
    model._check_averaging(state)
    return state


def _about_to_run(model: Any, state: State, count: int) -> State:
    """The same with passes over so many examples to make: of a run that was interrupted, or new."""
    patience = int(model.n_iter_no_change) if model.early_stopping else 0
    over = state.run.over
    if state.run.totals and model.probabilities and state.calibration is None:
        over = False  # a fit that was interrupted when its passes were made
    if over or not state.run.fits(state.weights, count, patience):
        return state.next_run(int(model.max_iter), patience)
    return state


def needs_unseen_scores(model: Any, state: State) -> bool:
    """Whether fit needs the scores of rows that were not learned from."""
    return model._calibrates and (bool(model.probabilities) or state.weights.form.several)


def learn_in_order(
    model: Any,
    X: Any,
    y: Any,
    classes: ArrayLike | None,
    sample_weight: ArrayLike | None,
    known: State | None,
) -> None:
    """Learn from a batch, whose columns must be ``known``."""
    model._let_go()
    model._check_parameters()
    model._rule()
    class_weight.check_known(model.class_weight, "partial_fit")
    table, columns = model._read_table(X, known)
    count = table.shape[0]
    y = model._read_answers(y, count)
    if model._state is not None:
        model._state.check_learns()
        state = model._state.thawed()
        model._check_averaging(state)
        if classes is not None:
            state = model._with_classes(state, classes)
    elif classes is None:
        raise InputError(
            *("The first call to partial_fit needs ", Name("classes")),
            ", the labels that any later batch may hold",
            remedy="partial_fit(X, y, classes=[...])",
        )
    else:
        named, (_, first) = read_classes(classes), model._kind_of(y)
        thresholds = first and first.with_classes(np.empty(0, np.intp), len(named))
        state = model._started_on(named, columns, thresholds)
    if state.run.goal:
        state = state.next_run(0)
    sample_weight = read_sample_weight(sample_weight, count)
    labelled = Labelled(table, model._encoded(y, state), state.classes, sample_weight)
    of_class = class_weight.of_examples(
        model.class_weight, state.classes, occurrences(labelled.codes)
    )
    state, trainer = model._trainer(state, labelled, of_class, values=True)
    with becoming(model, state, trainer):
        if model.probabilities and not state.weights.form.several:
            learn_and_calibrate(model, trainer, labelled)
        else:
            trainer.walk(0)


def _begin_at(model: Any, state: State, coef_init: Any, intercept_init: Any) -> None:
    """Start with the weights that fit was given."""
    weights = state.weights
    if weights.form.initial or state.mistakes is not None or not weights.tell_features:
        raise InputError(
            f"{type(model).__name__} cannot begin with ",
            *(Name("coef_init"), " or ", Name("intercept_init")),
            remedy="its weights are made of its mistakes alone",
        )
    coef, intercept = np.zeros((weights.columns, state.width)), np.zeros(weights.columns)
    if coef_init is not None:
        coef = read_initial_weights("coef_init", coef_init, coef.shape)
    if intercept_init is not None:
        intercept = read_initial_weights("intercept_init", intercept_init, intercept.shape)
    if intercept.any() and not model.fit_intercept:
        raise InputError(Name("intercept_init"), " needs ", Parameter("fit_intercept", True))
    weights.begin_at(coef, intercept)
