"""The three learners of ours and the peers they are measured against, each for some passes."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import linear_model

import rosenblatt

PASSES = 5

Make = Callable[..., Any]


def _plain(**options: Any) -> Any:
    return linear_model.Perceptron(max_iter=PASSES, tol=None, random_state=0, **options)


def _averaged(**options: Any) -> Any:
    return linear_model.SGDClassifier(
        loss="perceptron",
        average=True,
        learning_rate="constant",
        eta0=1.0,
        penalty=None,
        max_iter=PASSES,
        tol=None,
        random_state=0,
        **options,
    )


def _passive_aggressive(**options: Any) -> Any:
    # What the warning of PassiveAggressiveClassifier, deprecated since 1.8, says to use instead.
    return linear_model.SGDClassifier(
        loss="hinge",
        learning_rate="pa1",
        eta0=1.0,
        penalty=None,
        max_iter=PASSES,
        tol=None,
        random_state=0,
        **options,
    )


def _ours(learner: Callable[..., Any]) -> Make:
    return lambda **options: learner(max_iter=PASSES, random_state=0, **options)


SKLEARN: dict[str, Make] = {
    "plain": _plain,
    "averaged": _averaged,
    "PA-I": _passive_aggressive,
}

OURS: dict[str, Make] = {
    "plain": _ours(rosenblatt.Perceptron),
    "averaged": _ours(rosenblatt.AveragedPerceptron),
    "PA-I": _ours(rosenblatt.PassiveAggressiveClassifier),
}


class Mlpack:
    """The perceptron of mlpack."""

    n_iter_ = PASSES
    """It does not tell, but makes them all unless one goes without a mistake."""

    def fit(self, X: Any, y: Any) -> "Mlpack":
        import mlpack

        _, numbers = np.unique(y, return_inverse=True)
        mlpack.perceptron(training=X, labels=numbers.astype(np.intp), max_iterations=PASSES)
        return self


def has_mlpack() -> bool:
    try:
        import mlpack  # noqa: F401
    except ImportError:
        return False
    return True
