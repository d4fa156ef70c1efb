"""What scores rows for a model of a file, without scikit-learn wherever that can be."""

from dataclasses import dataclass
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.parts import require
from rosenblatt.persistence.model_files import Step, built
from rosenblatt.training.scorer import PresenceScorer, Scorer, VoteScorer, Winners
from rosenblatt.training.weights import Array, Weights


@dataclass
class KernelScorer:
    """Asks the estimator itself, as scikit-learn works kernels out."""

    model: Any

    @property
    def width(self) -> int:
        return int(self.model.n_features_in_)

    def scores(self, table: Any) -> Array:
        scores: Array = self.model.decision_function(_plain(table))
        return scores

    def winners(self, table: Any) -> Winners:
        winners: Winners = self.model.classes_.searchsorted(self.model.predict(_plain(table)))
        return winners

    def judge(self, table: Any) -> tuple[Winners, Array]:
        return self.winners(table), self.scores(table)

    def coef(self) -> Array:
        raise ValueError(
            "KernelPerceptron scores by its supports, so that features have no weights of their "
            "own: use AveragedPerceptron, with FeatureCombinations if need be, to explain."
        )

    def as_learned(self, table: Any) -> Any:
        return table


def _plain(table: Any) -> Any:
    """The table as scikit-learn takes it."""
    if isinstance(table, np.ndarray):
        return table
    from scipy import sparse

    return sparse.csr_array((table.data, table.indices, table.indptr), shape=table.shape)


def scorer_of(step: Step, classes: NDArray[Any]) -> Scorer | KernelScorer:
    """The scorer of the model that a step of a file describes."""
    if step.estimator == "KernelPerceptron":
        return KernelScorer(built(step))
    parameters, weights = step.parameters, step.parts.build("weights", Weights)
    require(weights.classes == max(2, len(classes)), "its weights do not fit its classes.")
    if step.estimator == "Winnow":
        threshold, binarize = weights.columns == 1, parameters["binarize"]
        require(type(binarize) in (int, float, NoneType), "its binarize is no number.")
        ties = core.Ties.last if threshold else core.Ties.mistake
        return PresenceScorer(weights, float(threshold), ties, binarize)
    constant = float(bool(parameters["fit_intercept"]))
    ties = core.Ties.mistake if parameters["ties"] == "mistake" else core.Ties.first
    if step.estimator == "VotedPerceptron":
        from rosenblatt.training.mistakes import Mistakes

        mistakes = step.parts.build("mistakes", Mistakes)
        mistakes.require_fit(weights)
        return VoteScorer(weights, constant, ties, mistakes)
    return Scorer(weights, constant, ties)
