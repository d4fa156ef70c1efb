"""What a model of a file says of rows, without scikit-learn wherever that can be."""

from dataclasses import dataclass
from types import NoneType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.inputs.messages import refuse, refuse_other_than_zero_or_one
from rosenblatt.inputs.parts import require
from rosenblatt.persistence.model_files import Step, built
from rosenblatt.persistence.row_sources import Compressed, Matrix, rows_of
from rosenblatt.training.storage import Array
from rosenblatt.training.weights import Weights

if TYPE_CHECKING:
    from rosenblatt.training.mistakes import Mistakes


class Scorer(Protocol):
    """Scores rows."""

    @property
    def width(self) -> int: ...

    def scores(self, X: Matrix) -> Array:
        """As decision_function gives them."""

    def winners(self, X: Matrix) -> NDArray[np.int64]:
        """The number of the class of each row."""

    def coef(self) -> Array:
        """A row of weights for each feature and one for the constant, if these are what scores."""

    def as_learned(self, X: Matrix) -> Matrix:
        """The values that the weights meet."""


@dataclass(frozen=True)
class Linear:
    """Scores by weights."""

    weights: Weights
    constant: float
    ties: core.Ties

    @property
    def width(self) -> int:
        return self.weights.width

    def scores(self, X: Matrix) -> Array:
        scores, fault = self.weights.scoring.decisions(rows_of(X), self.constant)
        refuse(fault)
        return scores

    def winners(self, X: Matrix) -> NDArray[np.int64]:
        winners, fault = self.weights.scoring.winners(rows_of(X), self.constant, self.ties)
        refuse(fault)
        return winners

    def coef(self) -> Array:
        return self.weights.scoring.means()

    def as_learned(self, X: Matrix) -> Matrix:
        return X


@dataclass(frozen=True)
class Presence(Linear):
    """Scores zeros and ones, as Winnow does."""

    binarize: float | None

    def scores(self, X: Matrix) -> Array:
        scores = super().scores(self.as_learned(X))
        if self.ties == core.Ties.last:  # what reaches the threshold is positive
            scores[scores == 0.0] = np.nextafter(0.0, 1.0)
        return scores

    def winners(self, X: Matrix) -> NDArray[np.int64]:
        return super().winners(self.as_learned(X))

    def as_learned(self, X: Matrix) -> Matrix:
        refuse(rows_of(X).check(values=True))
        if self.binarize is None:
            refuse_other_than_zero_or_one(rows_of(X))
            return X
        if not isinstance(X, Compressed):
            return np.greater(X, self.binarize).astype(np.float64)
        if self.binarize < 0:
            raise InputError(
                *(Parameter("binarize", self.binarize), " would turn the zeros of a sparse "),
                *(Name("X"), " into ones"),
                remedy="give rows that are dense",
            )
        return X._replace(data=np.greater(X.data, self.binarize).astype(np.float64))


@dataclass(frozen=True)
class Voted(Linear):
    """Lets every weight vector passed through vote."""

    mistakes: "Mistakes"

    def scores(self, X: Matrix) -> Array:
        return self.mistakes.shares(self._sound(X), *self._framing)

    def winners(self, X: Matrix) -> NDArray[np.int64]:
        return self.mistakes.winners(self._sound(X), *self._framing)

    def coef(self) -> Array:
        raise ValueError(
            "VotedPerceptron scores by the votes of many weights, which no single one explains: "
            "learn with AveragedPerceptron to explain."
        )

    @property
    def _framing(self) -> tuple[int, int, float]:
        return self.weights.seen, self.weights.classes, self.constant

    def _sound(self, X: Matrix) -> core.Rows:
        rows = rows_of(X)
        refuse(rows.check(values=True))
        return rows


@dataclass(frozen=True)
class Kernel:
    """Asks the estimator itself, as scikit-learn works kernels out."""

    model: Any

    @property
    def width(self) -> int:
        return int(self.model.n_features_in_)

    def scores(self, X: Matrix) -> Array:
        scores: Array = self.model.decision_function(self._plain(X))
        return scores

    def winners(self, X: Matrix) -> NDArray[np.int64]:
        found: NDArray[np.int64] = self.model._scorer(self.model._state).winners(self._plain(X))
        return found

    def coef(self) -> Array:
        raise ValueError(
            "KernelPerceptron scores by its supports, so that features have no weights of their "
            "own: use AveragedPerceptron, with FeatureCombinations if need be, to explain."
        )

    def as_learned(self, X: Matrix) -> Matrix:
        return X

    def _plain(self, X: Matrix) -> Any:
        if isinstance(X, np.ndarray):
            return X
        from scipy import sparse

        return sparse.csr_array((X.data, X.indices, X.indptr), shape=X.shape)


def scorer_of(step: Step, classes: int) -> Scorer:
    """The model that a step of a file describes."""
    if step.estimator == "KernelPerceptron":
        return Kernel(built(step))
    parameters, weights = step.parameters, step.parts.build("weights", Weights)
    require(weights.classes == max(2, classes), "its weights do not fit its classes")
    if step.estimator == "Winnow":
        threshold, binarize = weights.columns == 1, parameters["binarize"]
        require(type(binarize) in (int, float, NoneType), "its binarize is no number")
        ties = core.Ties.last if threshold else core.Ties.mistake
        return Presence(weights, float(threshold), ties, binarize)
    constant = float(bool(parameters["fit_intercept"]))
    ties = core.Ties.mistake if parameters["ties"] == "mistake" else core.Ties.first
    if step.estimator == "VotedPerceptron":
        from rosenblatt.training.mistakes import Mistakes

        mistakes = step.parts.build("mistakes", Mistakes)
        mistakes.require_fit(weights)
        return Voted(weights, constant, ties, mistakes)
    return Linear(weights, constant, ties)
