"""What River asks of a classifier, so that its pipelines, metrics and evaluation take ours.

River itself is never imported: whoever asks has done so.
"""

import copy
import functools
import sys
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone

from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.inputs.labels import labels_at
from rosenblatt.inputs.tables import read_sample_weight
from rosenblatt.models.fitting import learn_in_order
from rosenblatt.models.frames import Frame, last_new
from rosenblatt.models.probabilities import UNTOLD_OF_SETS
from rosenblatt.training.calibration import Calibration


def _base() -> Any:
    """River's base classes, if it has been imported."""
    if "river.base" not in sys.modules:
        raise AttributeError("Only River asks for this, and it has not been imported.")
    return sys.modules["river.base"]


@functools.cache
def _stand_in(kind: str) -> Any:
    """What River takes for such an estimator of its own, where it wonders what a model is."""
    stand_in = type(kind, (), {})
    getattr(_base(), kind).register(stand_in)
    return stand_in()


class RiverClassifier(BaseEstimator):
    """Answers to River what its own classifiers inherit."""

    _supervised = True
    _multiclass = True
    _is_stochastic = False

    @property
    def _last_step(self) -> Any:
        """River takes a model for what its last step is."""
        if self._gives_sets:
            return _stand_in("MultiLabelClassifier")
        return _stand_in("MiniBatchRegressor" if self._predicts_numbers else "MiniBatchClassifier")

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
        frame = Frame.of(X)
        answers = self._read_answers(y, len(frame))
        weight = read_sample_weight(1.0 if w is None else w, len(frame))
        assert weight is not None
        if isinstance(answers, LabelSets):
            each: list[Any] = answers.of_each_one()
            new = len(each)
        else:
            each = np.asarray(answers).tolist()
            new = last_new(each, [] if self._state is None else self._state.classes.tolist())
        for row in range(len(frame)):
            if row >= new and self._learns_together():
                if not self._state.names.columns.keys() >= set(frame.names):
                    self.declare(names=frame.names)
                with self._learning_lock:
                    rows = frame.rows(self._state, row)
                    learn_in_order(self, rows, each[row:], None, weight[row:], None)
                break
            self.learn_one(frame.example(row), each[row], float(weight[row]))

    def _learns_together(self) -> bool:
        """Whether rows are a batch: not while labels or columns without names may still come."""
        state = self._state
        return state is not None and state.names is not None and len(state.classes) > 1

    def predict_many(self, X: Any) -> Any:
        """Predict for each row of a data frame what `predict_one` does.

        Parameters
        ----------
        X : DataFrame
            Columns that the model does not know are left out.

        Returns
        -------
        predicted : Series
        """
        import pandas

        frame, state = Frame.of(X), self._state
        if self._learns_together() and not self._gives_sets:
            winners = self._scorer(state).winners(frame.rows(state))
            return pandas.Series(labels_at(state.classes, winners), index=X.index)
        found = [self.predict_one(frame.example(row)) for row in range(len(frame))]
        kind: Any = object if self._gives_sets or not found else None
        if self._predicts_numbers:
            kind = np.float64
        return pandas.Series(found, index=X.index, dtype=kind)

    def predict_proba_one(self, x: Any) -> dict[Any, Any]:
        """How probable each class is for one example; nothing before any label has been seen.

        Needs ``probabilities=True``.

        Parameters
        ----------
        x : dict, list of pairs, pair of arrays, or row
            As for `learn_one`.

        Returns
        -------
        probabilities : dict of floats by class
            Where an example may have several labels, as River has it, a dict by label of dicts that
            tell how probable it is to be right (True), and not to be (False).
        """
        if not hasattr(self, "predict_proba"):
            raise NotImplementedError(
                f"{type(self).__name__} has scores but no probabilities: make it with "
                "probabilities=True, or use score_one, or a metric of labels such as Accuracy."
            )
        state = self._state
        if state is None:
            return {}
        if self._gives_sets:
            return {label: {False: 1 - p, True: p} for label, p in self._sigmoids_of(x).items()}
        scores, labels = self.score_one(x), state.classes.tolist()
        row = np.array([list(scores.values()) if isinstance(scores, dict) else scores])
        calibration = state.calibration or Calibration()
        found = calibration.probabilities(row, len(labels))[0].tolist()
        return dict(zip(labels, found, strict=True))

    def predict_proba_many(self, X: Any) -> Any:
        """How probable each class is for each row of a data frame.

        Parameters
        ----------
        X : DataFrame
            Columns that the model does not know are left out.

        Returns
        -------
        probabilities : DataFrame
            A column for each class.
        """
        import pandas

        frame = Frame.of(X)
        answer = self._sigmoids_of if self._gives_sets else self.predict_proba_one
        rows = [answer(frame.example(row)) for row in range(len(frame))]
        return pandas.DataFrame(rows, index=X.index)

    def _sigmoids_of(self, x: Any) -> dict[Any, float]:
        """How probable each label is, where an example may have several."""
        scores = self.score_one(x)
        if self._state.calibration is None:
            raise NotImplementedError(UNTOLD_OF_SETS)
        row = np.array([list(scores.values())])
        found = self._state.calibration.probabilities(row, len(scores))[0].tolist()
        return dict(zip(scores, found, strict=True))

    def clone(
        self, new_params: dict[str, Any] | None = None, include_attributes: bool = False
    ) -> Self:
        """River's clone: a new model of the same parameters, or a copy with all it has learned.

        One of a model that gives sets of labels will give sets, too.
        """
        model: Any = copy.deepcopy(self) if include_attributes else clone(self)
        if self._gives_sets and not include_attributes:
            model.declare(several_labels=True)
        return model.set_params(**new_params or {})

    def mutate(self, new_attrs: dict[str, Any]) -> None:
        """River's set_params."""
        self.set_params(**new_attrs)

    @property
    def _mutable_attributes(self) -> set[str]:
        return set(self._get_params())

    def _get_params(self) -> dict[str, Any]:
        return self.get_params(deep=False)

    @property
    def _tags(self) -> set[str]:
        return set()

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {}

    def _unit_test_skips(self) -> set[str]:
        return set()

    @property
    def _raw_memory_usage(self) -> int:
        return _base().Base._raw_memory_usage.fget(self)
