"""How many mistakes there can be: the theorems as numbers."""

import math
from typing import Any

from rosenblatt.models.linear import LinearLearner
from rosenblatt.theory.margins import data_margin, radius
from rosenblatt.training.bracket import Bracket


def mistake_bound(X: Any, y: Any, *, fit_intercept: bool = True) -> float:
    """How many mistakes the perceptron makes at most on these examples, in any order.

    Novikoff's theorem (1962) for the examples as the perceptron sees them, each with a constant
    feature of one, with the widest margin γ of weights of length one, their intercepts counted::

        two classes     k ≤ (R² + 1) / γ²        more    k ≤ 2 (R² + 1) / γ²

    without the + 1 if ``fit_intercept`` is False. For two classes and any separator with ``|w| =
    1``, intercept b and margin γ_w this is (R² + 1)(1 + b²) / γ_w² at most, the usual way to write
    it. It holds for `Perceptron` and `AveragedPerceptron` with ``unit_length=False`` and no weights
    of classes or examples, over all passes together.

    Returns
    -------
    float
        inf if no hyperplane separates the examples: there is no bound then.

    Examples
    --------
    >>> from rosenblatt import Perceptron, mistake_bound
    >>> X, y = [[1.0], [-1.0]], [+1, -1]
    >>> round(mistake_bound(X, y), 6)
    2.0
    >>> Perceptron(shuffle=False).fit(X, y).n_updates_
    2
    """
    found = data_margin(X, y, fit_intercept=fit_intercept, augmented=True)
    if found.margin <= 0:
        return math.inf
    longest = radius(X) ** 2 + float(fit_intercept)
    return (1 if found.w.ndim == 1 else 2) * longest / found.margin**2


def share_of_bound(model: LinearLearner, X: Any) -> Bracket:
    """Which share of the mistakes that are possible on X a perceptron has made.

    The bound is R̃² / γ² with R̃ the length of the longest difference, of which k updates are the
    share k γ² / R̃². The margin γ is not known, but ``model.bracket_`` holds it, and so the share
    lies between the values at its two ends; the upper, ``|w|² / (k R̃²)``, is one at most.

    Parameters
    ----------
    model : Perceptron or AveragedPerceptron
        Fitted on X, without weights of classes or examples.

    X : array-like or sparse matrix of shape (n_samples, n_features)

    Returns
    -------
    Bracket
        Its lower end is zero while the last pass still made updates.

    Examples
    --------
    >>> from rosenblatt import Perceptron, share_of_bound
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-2.0, 0.5]], ["yes", "yes", "no", "no"]
    >>> lower, upper = share_of_bound(Perceptron(shuffle=False).fit(X, y), X)
    >>> 0 < lower < upper <= 1
    True
    """
    bracket, k = model.bracket_, model.n_updates_
    if k == 0 or model._fitted("bracket_").weights.measures[0] != k:
        raise ValueError("share_of_bound needs a model that made updates, each a step of one.")
    longest = 1.0 if model.unit_length else radius(X) ** 2 + float(model.fit_intercept)
    longest *= 1 if len(model.classes_) == 2 else 2
    lower = max(bracket.lower, 0.0)
    return Bracket(k * lower**2 / longest, k * bracket.upper**2 / longest)
