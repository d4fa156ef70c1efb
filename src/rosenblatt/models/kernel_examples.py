"""One example at a time for a model of supports, which learns it as a batch of one row."""

import numbers
from abc import abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs import class_weight
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.inputs.label_sets import are_labels_of_one, refuse_sets_unless
from rosenblatt.inputs.messages import LARGEST_VALUE
from rosenblatt.inputs.names import Names
from rosenblatt.inputs.one_row import Columns, OneRow
from rosenblatt.inputs.parameters import wrong
from rosenblatt.models.fitting import becoming
from rosenblatt.models.linear import LinearLearner
from rosenblatt.models.supports import Expansion, KernelScorer
from rosenblatt.training.state import State
from rosenblatt.training.validation import Labelled

ONE_EXAMPLE = np.array([1, 0, 0])
"""Seen, without an update or a mistake."""


class KernelExamples(LinearLearner):
    """Learns from single examples by the way of batches, since a block of rows makes new weights.

    So the core holds nothing ready between calls: what a call takes is mostly kernel values.
    """

    @property
    @abstractmethod
    def _is_precomputed(self) -> bool:
        """Whether rows hold kernel values, and not features."""

    def _learn_example(self, x: Any, y: Any, w: Any) -> None:
        if are_labels_of_one(y):
            refuse_sets_unless(self._takes_label_sets, type(self).__name__)
        with self._turns:
            before = self._state
            fresh: dict[Hashable, int] = {}
            try:
                state = self._ready_for_one()
                row = self._columns(state).read(x, learning=True)
                if not row.table.shape[1]:
                    nothing = " has no features, and a kernel compares nothing else"
                    raise InputError(Name("x"), nothing)
                fresh = row.fresh or fresh
                self._learn_row(self._with_columns(state, row), row, y, w)
            except BaseException:  # Ctrl-C, too, lest names stay without columns
                self._state = before
                if before is not None and before.names is not None:
                    for name in fresh:
                        before.names.columns.pop(name, None)
                raise

    def _ready_for_one(self) -> State:
        """What to learn on, every parameter checked."""
        self._check_parameters()
        self._rule()
        class_weight.check_known(self.class_weight, "learn_one")
        if self._is_precomputed:
            raise InputError(
                *("learn_one cannot learn with ", Parameter("kernel", "precomputed")),
                ", as an example holds no kernel values with those before it",
                remedy="use fit, or name the kernel",
            )
        state = self._started()
        state.check_learns()
        self._check_averaging(state)
        return state.next_run(0) if state.run.goal else state.thawed()

    def _learn_row(self, state: State, row: OneRow, y: Any, w: Any) -> None:
        """Learn from the row, which just counts while there is only one class."""
        if not isinstance(w, numbers.Real) or not 0 <= float(w) <= LARGEST_VALUE:
            raise wrong("w", w, "be a finite number of zero or more")
        state, code = self._with_label_of(state, y)
        if len(state.classes) < 2:
            old = expansion_of(state)
            weights = replace(old, counts=old.counts + ONE_EXAMPLE, given=old.given + 1)
            self._state = replace(state, weights=weights)
            return
        codes = np.array([code], dtype=np.int32)
        of_class = class_weight.of_examples(self.class_weight, state.classes, codes)
        labelled = Labelled(row.table, codes, np.array([float(w)]))
        state, trainer = self._trainer(state, labelled, of_class, values=True)
        with becoming(self, state, trainer):
            trainer.walk(0)

    def _columns(self, state: State) -> Columns:
        """The columns that an example meets."""
        places = None if state.names is None else state.names.columns
        return Columns(type(self).__name__, state.width, places)

    def _with_columns(self, state: State, row: OneRow) -> State:
        """The same with the columns that an example brings."""
        width = int(row.table.shape[1])
        if width != state.width:
            state = self._widened(state, width)
        if row.fresh is None:
            return state
        names = state.names or Names()
        names.columns.update(row.fresh)
        return replace(state, names=names)

    def _with_label_of(self, state: State, y: Any) -> tuple[State, int]:
        """The same with the label among its classes, and its place there."""
        if not isinstance(y, Hashable) or y not in state.classes.tolist():
            given = expansion_of(state).given
            state = self._with_label(state, y)
            expansion_of(state).given = given
        return state, state.classes.tolist().index(y)

    def _scored(self, method: str, x: Any) -> Any:
        """By the kernel values of a table of one row."""
        state = self._learned
        row = self._columns(state).read(x, learning=False)
        labels = state.classes.tolist()
        if len(labels) < 2:
            return 0.0 if method == "score" else next(iter(labels), None)
        scorer = self._scorer(state)
        assert isinstance(scorer, KernelScorer)
        known = scorer.weights.similarity is not None  # else classes were declared, and no more
        if method == "predict":
            return labels[scorer.winners(row.table)[0] if known else 0]
        scores: Any = scorer.scores(row.table)[0] if known else np.zeros(len(labels))
        if len(labels) == 2:
            return float(scores) if known else 0.0
        return dict(zip(labels, scores.tolist(), strict=True))

    def _took_row(self, X: Any, y: Any) -> bool:
        """Never: there is no quicker way than that of batches."""
        return False

    def _first_state(self, classes: NDArray[Any], width: int) -> State:
        return replace(super()._first_state(classes, width), features=width)

    def _widened(self, state: State, width: int) -> State:
        return replace(state, weights=expansion_of(state).among(width), features=width)

    def _with_names(self, state: State, names: Iterable[Hashable]) -> State:
        state = super()._with_names(state, names)
        assert state.names is not None
        return replace(state, features=len(state.names.columns))


def expansion_of(state: State) -> Expansion:
    """The weights of a model of supports."""
    assert isinstance(state.weights, Expansion)
    return state.weights
