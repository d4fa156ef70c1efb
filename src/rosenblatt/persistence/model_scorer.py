"""What scores rows for a model of a file, without scikit-learn wherever that can be."""

from types import NoneType
from typing import Any

from numpy.typing import NDArray

from rosenblatt.inputs.parts import require
from rosenblatt.persistence.model_files import Step, built
from rosenblatt.training.scorer import PresenceScorer, Scorer, VoteScorer
from rosenblatt.training.weights import Weights


def scorer_of(step: Step, classes: NDArray[Any]) -> Scorer:
    """The scorer of the model that a step of a file describes."""
    if step.estimator == "KernelPerceptron":
        model = built(step)  # with scikit-learn, which works kernels out
        return model._scorer(model._state)
    parameters, weights = step.parameters, step.parts.build("weights", Weights)
    require(weights.classes == max(2, len(classes)), "its weights do not fit its classes")
    if step.estimator == "Winnow":
        binarize = parameters["binarize"]
        require(type(binarize) in (int, float, NoneType), "its binarize is no number")
        return PresenceScorer.of_winnow(weights, binarize)
    asked = parameters["fit_intercept"], parameters.get("ties", "mistake")  # of labels alone
    if step.estimator == "VotedPerceptron":
        from rosenblatt.training.mistakes import Mistakes

        mistakes = step.parts.build("mistakes", Mistakes)
        mistakes.require_fit(weights)
        return VoteScorer.of(weights, *asked, mistakes)
    return Scorer.of(weights, *asked)
