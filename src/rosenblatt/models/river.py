"""What River asks of a classifier, so that its pipelines, metrics and evaluation take ours.

River itself is never imported: whoever asks has done so.
"""

import copy
import sys
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Self

from sklearn.base import BaseEstimator, clone


class _Classifier:
    """Stands for a model where River wonders what that is."""


class _MultiLabelClassifier:
    """Likewise for one that gives sets of labels."""


class _Regressor:
    """Likewise for one that predicts numbers."""


def _base() -> Any:
    """River's base classes, if it has been imported."""
    if "river.base" not in sys.modules:
        raise AttributeError("Only River asks for this, and it has not been imported.")
    return sys.modules["river.base"]


class RiverClassifier(BaseEstimator):
    """Answers to River what its own classifiers inherit."""

    _supervised = True
    _multiclass = True
    _is_stochastic = False

    @property
    @abstractmethod
    def _gives_sets(self) -> bool:
        """Whether an example may have several labels."""

    @property
    def _last_step(self) -> Any:
        """River takes a model for what its last step is, and ours for a classifier."""
        if self._gives_sets:
            _base().MultiLabelClassifier.register(_MultiLabelClassifier)
            return _MultiLabelClassifier()
        _base().MiniBatchClassifier.register(_Classifier)
        return _Classifier()

    def predict_proba_one(self, x: Any) -> dict[Any, Any]:
        """Not offered by a model that has no probabilities, as in River."""
        raise NotImplementedError(
            f"{type(self).__name__} has scores but no probabilities: make it with "
            "probabilities=True, or use score_one, or a metric of labels such as Accuracy."
        )

    def clone(
        self, new_params: dict[str, Any] | None = None, include_attributes: bool = False
    ) -> Self:
        """River's clone: a new model of the same parameters, or a copy with all it has learned.

        One of a model that gives sets of labels will give sets, too.
        """
        model: Any = copy.deepcopy(self) if include_attributes else clone(self)
        if self._gives_sets and not include_attributes:
            model.declare(several_labels=True)
        twin: Self = model.set_params(**new_params or {})
        return twin

    def mutate(self, new_attrs: dict[str, Any]) -> None:
        """River's set_params."""
        self.set_params(**new_attrs)

    @property
    def _mutable_attributes(self) -> set[str]:
        return set(self._get_params())

    def _get_params(self) -> dict[str, Any]:
        params: dict[str, Any] = self.get_params(deep=False)
        return params

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
        size: int = _base().Base._raw_memory_usage.fget(self)
        return size


class RiverRegressor(RiverClassifier):
    """The same for models that predict numbers."""

    _multiclass = False

    @property
    def _last_step(self) -> Any:
        _base().MiniBatchRegressor.register(_Regressor)
        return _Regressor()
