"""One example at a time for a model of supports, which learns it as a batch of one row.

A batch makes new weights, so that the core has nothing to hold ready between calls: what a call
takes is mostly kernel values.
"""

import numbers
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.inputs import class_weight
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.inputs.label_sets import are_labels_of_one, refuse_sets_unless
from rosenblatt.inputs.messages import LARGEST_VALUE
from rosenblatt.inputs.names import Names
from rosenblatt.inputs.one_row import Columns, OneRow
from rosenblatt.inputs.parameters import wrong
from rosenblatt.models.fitting import becoming
from rosenblatt.models.streaming import told_of_row
from rosenblatt.models.supports import Expansion
from rosenblatt.training.state import State
from rosenblatt.training.validation import Labelled


def learn_example(model: Any, x: Any, y: Any, w: Any) -> None:
    """Learn from one example; a failure leaves the model as it was."""
    if are_labels_of_one(y):
        refuse_sets_unless(model._takes_label_sets, type(model).__name__)
    with model._learning_lock:
        before = model._state
        fresh: dict[Hashable, int] = {}
        try:
            state = _ready_for_one(model)
            row = _columns(model, state).read(x, learning=True)
            if not row.table.shape[1]:
                nothing = " has no features, and a kernel compares nothing else"
                raise InputError(Name("x"), nothing)
            fresh = row.fresh or fresh
            _learn_row(model, _with_columns(model, state, row), row, y, w)
        except BaseException:  # Ctrl-C, too, lest names stay without columns
            model._state = before
            if before is not None and before.names is not None:
                for name in fresh:
                    before.names.columns.pop(name, None)
            raise


def score_example(model: Any, method: str, x: Any) -> Any:
    """What "predict" or "score" says of one example, by the kernel values of a table of one row."""
    state = model._learned
    row = _columns(model, state).read(x, learning=False)
    return told_of_row(method, row.table, state.classes.tolist(), model._scorer(state))


def _ready_for_one(model: Any) -> State:
    """What to learn on, every parameter checked."""
    model._check_parameters()
    model._rule()
    class_weight.check_known(model.class_weight, "learn_one")
    if model._is_precomputed:
        raise InputError(
            *("learn_one cannot learn with ", Parameter("kernel", "precomputed")),
            ", as an example holds no kernel values with those before it",
            remedy="use fit, or name the kernel",
        )
    state: State = model._started()
    state.check_learns()
    model._check_averaging(state)
    return state.next_run(0) if state.run.goal else state.thawed()


def _learn_row(model: Any, state: State, row: OneRow, y: Any, w: Any) -> None:
    """Learn from the row, which just counts while there is only one class."""
    if not isinstance(w, numbers.Real) or not 0 <= float(w) <= LARGEST_VALUE:
        raise wrong("w", w, "be a finite number of zero or more")
    state, code = _with_label_of(model, state, y)
    if len(state.classes) < 2:
        old = expansion_of(state)
        seen = old.counts + np.array([1, 0, 0])  # without an update or a mistake
        weights = replace(old, counts=seen, given=old.given + 1)
        model._state = replace(state, weights=weights)
        return
    codes = np.array([code], dtype=np.int32)
    of_class = class_weight.of_examples(model.class_weight, state.classes, codes)
    labelled = Labelled(row.table, codes, state.classes, np.array([float(w)]))
    state, trainer = model._trainer(state, labelled, of_class, values=True)
    with becoming(model, state, trainer):
        trainer.walk(0)


def _columns(model: Any, state: State) -> Columns:
    """The columns that an example meets."""
    places = None if state.names is None else state.names.columns
    return Columns(type(model).__name__, state.width, places)


def _with_columns(model: Any, state: State, row: OneRow) -> State:
    """The same with the columns that an example brings."""
    width = int(row.table.shape[1])
    if width != state.width:
        state = model._widened(state, width)
    if row.fresh is None:
        return state
    names = state.names or Names()
    names.columns.update(row.fresh)
    return replace(state, names=names)


def _with_label_of(model: Any, state: State, y: Any) -> tuple[State, int]:
    """The same with the label among its classes, and its place there."""
    if not isinstance(y, Hashable) or y not in state.classes.tolist():
        given = expansion_of(state).given
        state = model._with_label(state, y)
        expansion_of(state).given = given
    return state, state.classes.tolist().index(y)


def expansion_of(state: State) -> Expansion:
    """The weights of a model of supports."""
    assert isinstance(state.weights, Expansion)
    return state.weights
