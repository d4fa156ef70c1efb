"""What scores rows for a model of a file, without scikit-learn wherever that can be."""

from types import NoneType
from typing import Any

from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.parts import require
from rosenblatt.persistence.model_files import REGRESSORS, Step, built
from rosenblatt.training.calibration import Calibration
from rosenblatt.training.scorer import PresenceScorer, Scorer, VoteScorer
from rosenblatt.training.thresholds import Sigmoids, Thresholds
from rosenblatt.training.weights import Weights


def calibration_of(step: Step, classes: NDArray[Any]) -> Calibration | Sigmoids | None:
    """How the scores of this model become probabilities, if that is known."""
    if "calibration" not in step.parts:
        return None
    kind: type[Calibration | Sigmoids] = Sigmoids if "thresholds" in step.parts else Calibration
    calibration = step.parts.build("calibration", kind)
    calibration.require_fit(max(2, len(classes)))
    return calibration


def thresholds_of(step: Step, scorer: Scorer) -> Thresholds | None:
    """Which labels this model gives, where an example may have several."""
    if "thresholds" not in step.parts:
        return None
    thresholds = step.parts.build("thresholds", Thresholds)
    thresholds.require_fit(scorer.weights)
    return thresholds


def scorer_of(step: Step, classes: NDArray[Any]) -> Scorer:
    """The scorer of the model that a step of a file describes."""
    if step.estimator == "KernelPerceptron":
        model = built(step)  # with scikit-learn, which works kernels out
        scorer: Scorer = model._scorer(model._state)
        return scorer
    parameters, weights = step.parameters, step.parts.build("weights", Weights)
    require(weights.classes == max(2, len(classes)), "its weights do not fit its classes")
    if step.estimator == "Winnow":
        threshold, binarize = weights.columns == 1, parameters["binarize"]
        require(type(binarize) in (int, float, NoneType), "its binarize is no number")
        ties = core.Ties.last if threshold else core.Ties.mistake
        return PresenceScorer(weights, float(threshold), ties, binarize)
    constant = float(bool(parameters["fit_intercept"]))
    by_mistake = step.estimator in REGRESSORS or parameters["ties"] == "mistake"
    ties = core.Ties.mistake if by_mistake else core.Ties.first
    if step.estimator == "VotedPerceptron":
        from rosenblatt.training.mistakes import Mistakes

        mistakes = step.parts.build("mistakes", Mistakes)
        mistakes.require_fit(weights)
        return VoteScorer(weights, constant, ties, mistakes)
    return Scorer(weights, constant, ties)
