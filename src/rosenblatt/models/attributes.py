"""What a fitted model tells of itself."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt.models.saved_state import Stored
from rosenblatt.training.bracket import Bracket
from rosenblatt.training.history import Pass


class Attributes(Stored):
    """The attributes of fitted linear models, read off their weights and passes."""

    record: bool

    @property
    def coef_(self) -> NDArray[np.float64]:
        """Weights of shape (1, n_features) for two classes, (n_classes, n_features) for more.

        A read-only view that later calls of partial_fit change: copy what is to be kept.
        """
        coef: NDArray[np.float64] = self._fitted("coef_")._weights.means()[:-1].T
        return coef

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """Weights of the constant feature, of shape (1,) or (n_classes,); read-only."""
        intercept: NDArray[np.float64] = self._fitted("intercept_")._weights.means()[-1]
        return intercept

    @property
    def t_(self) -> int:
        """One more than the number of examples seen in all passes, as in scikit-learn."""
        return self._fitted("t_")._weights.seen + 1

    @property
    def n_updates_(self) -> int:
        """Number of times the weights were moved."""
        return int(self._fitted("n_updates_")._weights.counts[1])

    @property
    def n_mistakes_(self) -> int:
        """Number of examples that came out wrong when they were learned from."""
        return int(self._fitted("n_mistakes_")._weights.counts[2])

    @property
    def n_iter_(self) -> int:
        """Number of passes made by fit; one for a model that only partial_fit has seen."""
        return max(1, self._fitted("n_iter_")._progress.passes)

    @property
    def converged_(self) -> bool:
        """Whether the last pass made no update, so that another would change nothing."""
        return self._fitted("converged_")._progress.converged

    @property
    def history_(self) -> list[Pass]:
        """A record for each pass of fit: what it did and, where measured, what it left."""
        return self._fitted("history_")._progress.history

    @property
    def best_iter_(self) -> int:
        """The pass of the last fit with the lowest validation error, the first of them.

        Counted from one as in ``history_``; with early stopping the model has its weights.
        """
        progress = self._fitted("best_iter_")._progress
        if progress.best is None:
            raise AttributeError(
                "best_iter_ is known only after a fit with early_stopping=True or a validation set."
            )
        return len(progress.earlier) + progress.best

    @property
    def bracket_(self) -> Bracket:
        """Where the margin of the examples lies, as far as learning them has shown; see `Bracket`.

        Read off the weights, the steps and the margins met in the last pass: nothing is computed
        for it while learning.
        """
        weights = self._fitted("bracket_")._weights
        if not weights.are_sums_of_steps:
            raise AttributeError(
                f"The weights of {type(self).__name__} are not a sum of steps, so that they have "
                "no bracket_; Perceptron has one."
            )
        return Bracket.of(weights, weights.norm(), converged=self._progress.converged)

    @property
    def mistakes_(self) -> NDArray[Any]:
        """Every update as a record (t, example, rival, step), if ``record=True``.

        ``t`` counts examples from one, ``example`` is the row in the X of its call, ``rival`` the
        index in ``classes_`` of the class that was too strong.
        """
        progress = self._fitted("mistakes_")._progress
        if not self.record:
            raise AttributeError("mistakes_ is kept only with record=True.")
        return progress.mistakes

    def _fitted(self, name: str) -> Self:
        if "_weights" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__} has no {name} before it is fitted.")
        return self
