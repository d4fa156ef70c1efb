"""One example at a time as tables of one row, for members that the core does not hold ready."""

import numbers
from collections.abc import Hashable
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt.inputs import one_example as forms
from rosenblatt.inputs.labels import encode, read_labels
from rosenblatt.inputs.messages import LARGEST_VALUE
from rosenblatt.inputs.names import Names
from rosenblatt.models.linear import LinearLearner
from rosenblatt.training.passes import Trainer


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
        draft = self._draft()
        trainer = draft._get_ready_for_one(x, y, float(w))

        def learn() -> None:
            if trainer is None:
                self._weights.counts[0] += 1
            else:
                trainer.walk(0, self._progress)

        self._become(draft, learn)

    def _took_row(self, X: Any, y: Any) -> bool:
        """Nothing quicker than partial_fit is held ready."""
        return False

    def _get_ready_for_one(self, x: Any, y: Any, w: float) -> Trainer | None:
        """What learns from the example; None while there is but one class."""
        self._start_without_classes()
        self._thaw()
        self._check_parameters()
        self._check_class_weight_known("learn_one")
        rule = self._rule()
        row = self._row(x, learning=True)
        if not isinstance(y, Hashable) or y not in self.classes_.tolist():
            self._admit_label(y)
        self._check_averaging()
        if self._progress.goal:
            self._progress = self._progress.next_run(0, self._weights)
        self.__dict__.pop("_width", None)  # from now on the weights tell
        of_class = self._weights_of_known_classes()
        X = self._as_learned(row)
        if len(self.classes_) < 2:
            return None
        codes = encode(read_labels(self, [y], 1), self.classes_)
        return self._trainer(X, codes, of_class, np.array([w]), rule, values=True)

    def _scored(self, method: str, x: Any) -> Any:
        """What predict or decision_function says of an example."""
        row = self._row(x, learning=False)
        labels = self.classes_.tolist()
        if len(labels) < 2:
            return 0.0 if method == "score" else next(iter(labels), None)
        if method == "predict":
            return self._answer(self._as_learned(row)).tolist()[0]
        score = self._decide(self._as_learned(row))[0]
        return float(score) if len(labels) == 2 else dict(zip(labels, score.tolist(), strict=True))

    def _row(self, x: Any, *, learning: bool) -> Any:
        """The example as a table of one row; when learning, columns that are new are added."""
        if learning:
            self._take_width(x)
        names = None if self._names is None else self._names.columns
        placed = forms.placed(forms.plain(x), names, self._weights.width, learning=learning)
        if not isinstance(placed, forms.Placed):
            self._refuse(placed)
        if learning and placed.names is not None and placed.names is not names:
            self._names = Names.of(placed.names)
        if learning and placed.width > self._weights.width:
            self._weights = self._widened(placed.width)
        if placed.columns is None and self._names is None:
            return placed.values[np.newaxis]
        columns = np.arange(placed.width) if placed.columns is None else placed.columns
        place = np.zeros(len(columns), dtype=np.int64), columns
        return sparse.csr_array((placed.values, place), shape=(1, self._weights.width))
