"""What the weights of an additive learner already say about the margin of its examples."""

import math
from typing import NamedTuple

from rosenblatt.training.weights import Weights


class Bracket(NamedTuple):
    """Two numbers between which the margin γ of the examples lies.

    γ is the largest margin that any weights of length one give all examples::

        γ = max over |u| = 1 of min over the examples of u · d

    where d is what the right answer has and the strongest rival has not: y x for two classes, x
    under the right class minus x under the rival for more, each x with its constant feature, so
    that intercepts count in the length (``data_margin(X, y, augmented=True)``).

    Learning from zero brings the weights to w = Σ step · d, and the best u has u · d ≥ γ for each
    d. So ``|w| ≥ u · w = Σ step (u · d) ≥ γ Σ step``, which gives the upper end; for the perceptron
    every step is one, and Σ step is the number of updates k. Once a whole pass made no update, its
    smallest margin m was measured with the weights as they are, and ``w / |w|`` is one of the u,
    which gives the lower end::

        m / |w|  ≤  γ  ≤  |w| / Σ step

    Both hold for every additive rule, for any order, and for steps weighted by class or example.
    With ``unit_length=True`` γ is that of the scaled examples.

    Attributes
    ----------
    lower : float
        The margin that the weights reach, or -inf while the last pass still made updates: the
        examples may then not be separable at all.

    upper : float
        No weights reach more, or inf before the first step. It tends to zero, if slowly, when
        the examples cannot be separated.

    Examples
    --------
    >>> from rosenblatt import Perceptron, data_margin
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-2.0, 0.5]], ["yes", "yes", "no", "no"]
    >>> model = Perceptron(shuffle=False).fit(X, y)
    >>> lower, upper = model.bracket_
    >>> lower < data_margin(X, y, augmented=True).margin < upper
    True
    """

    lower: float
    upper: float

    @classmethod
    def of(cls, weights: Weights, norm: float, *, converged: bool) -> "Bracket":
        """The bracket that weights of this length give, after a pass without an update or not."""
        steps, smallest = weights.measures.tolist()
        reached = converged and smallest > 0 and norm > 0
        return cls(
            lower=smallest / norm if reached else -math.inf,
            upper=norm / steps if steps > 0 else math.inf,
        )


Bracket.__module__ = "rosenblatt"
