"""Data frames whose columns and labels may come and go: learn_many and predict_many, for River."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from rosenblatt.inputs.label_sets import are_label_sets, read_label_sets
from rosenblatt.inputs.labels import labels_at, read_labels
from rosenblatt.inputs.messages import refuse
from rosenblatt.inputs.sparse import rows_of
from rosenblatt.inputs.tables import read_sample_weight
from rosenblatt.models.streaming import Streaming
from rosenblatt.training.scorer import Scorer
from rosenblatt.training.state import State


class MiniBatches(Streaming):
    """Learns from and predicts data frames as from their rows one after another."""

    @abstractmethod
    def _learn_rows(self, rows: Any, y: Any, sample_weight: ArrayLike | None) -> None:
        """Learn from rows of the model's own columns."""

    @abstractmethod
    def _scorer(self, state: State) -> Scorer:
        """What scores rows."""

    def learn_many(self, X: Any, y: Any, w: ArrayLike | None = None) -> None:
        """Learn from a data frame, with the result of `learn_one` on its rows one after another.

        Parameters
        ----------
        X : DataFrame
            Columns may come and go from call to call; one that is left out counts as zero.

        y : array-like of shape (n_samples,), or a collection of labels for each row
            Labels that have not been seen before are added.

        w : float or array-like of shape (n_samples,), optional
            How many times as long as usual a step on this example is.
        """
        self._check_takes_single_examples()
        frame = Frame.of(X)
        weight = read_sample_weight(1.0 if w is None else w, len(frame))
        assert weight is not None
        if are_label_sets(y):
            for row, own in enumerate(read_label_sets(y, len(frame)).of_each_one()):
                self.learn_one(frame.example(row), own, weight[row])
            return
        labels = np.asarray(read_labels(self, y, len(frame))).tolist()
        known = [] if self._state is None else self._state.classes.tolist()
        last_new = _last_new(labels, known)
        for row in range(len(frame)):
            if row >= last_new and self._learns_together():
                assert self._learned.names is not None
                if not self._learned.names.columns.keys() >= set(frame.names):
                    self.declare(names=frame.names)
                self._learn_rows(frame.rows(self._learned, row), labels[row:], weight[row:])
                break
            self.learn_one(frame.example(row), labels[row], weight[row])

    def _learns_together(self) -> bool:
        """Whether rows are a batch: not while labels or columns without names may still come."""
        state = self._state
        return state is not None and state.names is not None and len(state.classes) > 1

    def predict_many(self, X: Any) -> Any:
        """Predict the class of each row of a data frame; None before any label has been seen.

        Parameters
        ----------
        X : DataFrame
            Columns that the model does not know are left out.
        """
        import pandas

        frame, state = Frame.of(X), self._state
        if state is None or self._gives_sets or not self._learns_together():
            labels = [self.predict_one(frame.example(row)) for row in range(len(frame))]
            dtype = object if self._gives_sets or not labels else None
            return pandas.Series(labels, index=X.index, dtype=dtype)
        winners = self._scorer(state).winners(frame.rows(state))
        return pandas.Series(labels_at(state.classes, winners), index=X.index)


@dataclass(frozen=True)
class Frame:
    """The values of a data frame, looked at, and the names of its columns."""

    values: NDArray[np.float64]
    names: list[Any]

    @classmethod
    def of(cls, X: Any) -> Self:
        values = np.ascontiguousarray(X.to_numpy(), dtype=np.float64)
        refuse(rows_of(values).check(values=True))
        return cls(values, list(X.columns))

    def __len__(self) -> int:
        return len(self.values)

    def example(self, row: int) -> dict[Any, float]:
        return dict(zip(self.names, self.values[row].tolist(), strict=True))

    def rows(self, state: State, first: int = 0) -> Any:
        """From the first on, in the columns that a model has for the names; others are left out."""
        assert state.names is not None
        columns = state.names.columns
        places = np.array([columns.get(name, -1) for name in self.names], dtype=np.int64)
        known = np.argsort(places, kind="stable")[np.count_nonzero(places < 0) :]
        values = self.values[first:, known]
        ends = np.arange(len(values) + 1, dtype=np.int64) * len(known)
        indices = np.tile(places[known], len(values))
        return sparse.csr_array((values.ravel(), indices, ends), (len(values), state.width))


def _last_new(labels: list[Any], known: list[Any]) -> int:
    """How many labels there are up to the last that comes for the first time."""
    seen, last = set(known), 0
    for number, label in enumerate(labels, start=1):
        if label not in seen:
            seen.add(label)
            last = number
    return last
