"""scikit-learn's callbacks, told of every pass of fit."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt.training.passes import Trainer

__all__ = ["CallbackSupportMixin", "train_with_callbacks"]

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # before scikit-learn 1.9, where nobody can set any

    class CallbackSupportMixin: ...  # type: ignore[no-redef]


class Callbacks:
    """Tells a model's callbacks when the fit and its passes begin and end."""

    def __init__(self, model: Any, trainer: Trainer, X: Any, y: Any, sample_weight: Any) -> None:
        self.model = model
        self.chosen = trainer.chosen
        self.given = X, y, sample_weight
        run = trainer.run
        self.fit = model._init_callback_context(max_subtasks=run.goal - len(run.totals))

    def fit_begins(self) -> None:
        self.fit.call_on_fit_task_begin(estimator=self.model, **self._data)

    def fit_ends(self) -> None:
        self.fit.call_on_fit_task_end(
            estimator=self.model, reconstruction_attributes={}, **self._data
        )

    def pass_begins(self) -> None:
        self.task = self.fit.subcontext(task_name="pass")
        self.task.call_on_fit_task_begin(estimator=self.model, **self._data)

    def pass_ends(self) -> bool:
        stop = self.task.call_on_fit_task_end(
            estimator=self.model, reconstruction_attributes=self._learned, **self._data
        )
        return bool(stop)

    def _learned(self) -> dict[str, Any]:
        return {"_state": self.model._state.copy()}

    @property
    def _data(self) -> dict[str, Callable[[], Any]]:
        """The examples learned from, made ready when a callback asks for them."""
        return {
            "X": lambda: self._examples[0],
            "y": lambda: self._examples[1],
            "metadata": lambda: self._examples[2],
        }

    @cached_property
    def _examples(self) -> tuple[Any, Any, dict[str, Any] | None]:
        X, y, weight = self.given
        if self.chosen is not None:
            from sklearn.utils import _safe_indexing

            if weight is not None:
                weight = np.broadcast_to(weight, len(y))[self.chosen]
            X = _safe_indexing(X.tocsr() if sparse.issparse(X) else X, self.chosen)
            y = _safe_indexing(y, self.chosen)
        return X, y, None if weight is None else {"sample_weight": weight}


def train_with_callbacks(model: Any, trainer: Trainer, X: Any, y: Any, weight: Any) -> None:
    """Train a model that has callbacks."""

    def run(model: Any) -> None:
        callbacks = Callbacks(model, trainer, X, y, weight)
        callbacks.fit_begins()
        model._train(trainer, callbacks)
        callbacks.fit_ends()

    with_callbacks(run)(model)
