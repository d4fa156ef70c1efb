"""One example at a time as tables of one row, for members that the core does not hold ready."""

import numbers
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt.inputs import class_weight, one_example
from rosenblatt.inputs.labels import encode, read_labels
from rosenblatt.inputs.messages import LARGEST_VALUE
from rosenblatt.inputs.names import Names
from rosenblatt.models.linear import LinearLearner
from rosenblatt.training.passes import Trainer
from rosenblatt.training.state import State
from rosenblatt.training.validation import Labelled


class SingleRows(LinearLearner):
    """Learns from single examples what partial_fit learns from the same rows, at its pace."""

    def learn_one(self, x: Any, y: Any, w: float = 1.0) -> None:
        """Learn from one example.

        A loop over examples leaves the same model, bit for bit, as `partial_fit` with the same
        rows. Names and labels that have not been seen before are added, as they would have been at
        the start.

        Parameters
        ----------
        x : dict, list of pairs, pair of arrays, or row
            Names and their values; ``(name, value)`` pairs; an array of column numbers and one
            of values; or the values of all columns.

        y : label
            While there is only one class there is no rival, and the example just counts.

        w : float, default=1.0
            How many times as long as usual a step on this example is.
        """
        if not isinstance(w, numbers.Real) or not 0.0 <= float(w) <= LARGEST_VALUE:
            raise ValueError(f"w must be a finite number of zero or more, got w={w!r}.")
        state, trainer = self._ready_for_one(x, y, float(w))
        with self._becoming(state):
            if trainer is None:
                state.weights.counts[0] += 1
            else:
                trainer.walk(0)

    def _took_row(self, X: Any, y: Any) -> bool:
        """Nothing quicker than partial_fit is held ready."""
        return False

    def _ready_for_one(self, x: Any, y: Any, w: float) -> tuple[State, Trainer | None]:
        """What learns from the example; None while there is but one class."""
        state = self._started().thawed()
        self._check_parameters()
        class_weight.check_known(self.class_weight, "learn_one")
        state, row = self._row(state, x, learning=True)
        if not isinstance(y, Hashable) or y not in state.classes.tolist():
            state = self._with_label(state, y)
        self._check_averaging(state)
        if state.run.goal:
            state = state.next_run(0)
        of_class = class_weight.of_classes(self.class_weight, state.classes)
        self._scorer(state).as_learned(row)
        if len(state.classes) < 2:
            return state, None
        codes = encode(read_labels(self, [y], 1), state.classes)
        return self._trainer(state, Labelled(row, codes, np.array([w])), of_class, values=True)

    def _scored(self, method: str, x: Any) -> Any:
        """What predict or decision_function says of an example."""
        state = self._learned
        _, row = self._row(state, x, learning=False)
        labels = state.classes.tolist()
        if len(labels) < 2:
            return 0.0 if method == "score" else next(iter(labels), None)
        scorer = self._scorer(state)
        if method == "predict":
            return labels[scorer.winners(row)[0]]
        score = scorer.scores(row)[0]
        return float(score) if len(labels) == 2 else dict(zip(labels, score.tolist(), strict=True))

    def _row(self, state: State, x: Any, *, learning: bool) -> tuple[State, Any]:
        """The example as a table of one row; when learning, columns that are new are added."""
        if learning:
            state = self._as_wide_as(state, x)
        names = None if state.names is None else state.names.columns
        placed = one_example.placed(one_example.plain(x), names, state.width, learning=learning)
        if not isinstance(placed, one_example.Placed):
            one_example.refuse(type(self).__name__, state.width, names is not None, placed)
        if learning and placed.names is not None and placed.names is not names:
            state = replace(state, names=Names.of(placed.names))
        if learning and placed.width > state.width:
            state = self._widened(state, placed.width)
        if placed.columns is None and state.names is None:
            return state, placed.values[np.newaxis]
        columns = np.arange(placed.width) if placed.columns is None else placed.columns
        place = np.zeros(len(columns), dtype=np.int64), columns
        return state, sparse.csr_array((placed.values, place), shape=(1, state.width))
