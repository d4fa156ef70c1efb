"""The passive-aggressive classifier."""

import math
from dataclasses import KW_ONLY
from typing import Any, ClassVar, Literal

from rosenblatt import core
from rosenblatt.inputs.parameters import check_choice, check_positive
from rosenblatt.models.base import member
from rosenblatt.models.linear import LinearLearner


@member
class PassiveAggressiveClassifier(LinearLearner):
    """Passive-aggressive classifier (Crammer et al., 2006).

    Leaves the weights alone while an example clears a margin of one; otherwise takes the shortest
    step that restores it, held back by C::

        PA       w <- w + (1 - margin) / |d|² d
        PA-I     w <- w + min(C, (1 - margin) / |d|²) d
        PA-II    w <- w + (1 - margin) / (|d|² + 1 / 2C) d

    where d is y x for two classes, and x for the true class minus x for the best wrong class for
    more; x ends in the constant one of the intercept, so an unheld step lands on a margin of
    exactly one.

    Suits many classes, few passes, and streams whose target drifts. Averaging it helps most with
    many classes and noisy labels; on text it changes little, for better or worse. On noisy labels
    lower C, or prefer `AveragedPerceptron`. The command line's ``pa`` averages.

    Parameters
    ----------
    C : float, default=1.0
        How aggressive a step may be. Small values suit noisy labels.

    variant : {{"PA-I", "PA-II", "PA"}}, default="PA-I"
        Whether C caps the step, damps it, or is not used.

    {averaging}

    {shared}

    References
    ----------
    K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz, Y. Singer (2006).
    Online passive-aggressive algorithms. JMLR 7, 551-585.

    Examples
    --------
    >>> from rosenblatt import PassiveAggressiveClassifier
    >>> X, y = [[0.0, 1.0], [1.0, 0.0]], ["ham", "spam"]
    >>> PassiveAggressiveClassifier(C=0.5).fit(X, y).predict([[0.9, 0.2]])
    array(['spam'], dtype='<U4')
    """

    __module__ = "rosenblatt"

    _losses: ClassVar = {"hinge": {"variant": "PA-I"}, "squared_hinge": {"variant": "PA-II"}}
    _two_class_share = 0.5
    _takes_label_sets = True

    C: float = 1.0
    _: KW_ONLY
    variant: Literal["PA-I", "PA-II", "PA"] = "PA-I"
    average: bool = False
    half_life: float | None = None

    def _rule(self) -> core.PassiveAggressiveRule:
        return shortest_steps(self.C, self.variant, aim=1.0)


def shortest_steps(C: Any, variant: Any, aim: float) -> core.PassiveAggressiveRule:
    """The rule that restores the margin aimed at, its parameters checked."""
    check_positive("C", C)
    check_choice("variant", variant, ["PA-I", "PA-II", "PA"])
    cap = float(C) if variant == "PA-I" else math.inf
    damping = 0.5 / float(C) if variant == "PA-II" else 0.0
    return core.PassiveAggressiveRule(cap, damping, aim)
