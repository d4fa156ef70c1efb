"""The perceptron and its average."""

from dataclasses import KW_ONLY
from typing import ClassVar

from rosenblatt.inputs.ignored_keywords import IGNORED_KEYWORDS, SCALED
from rosenblatt.models.base import member
from rosenblatt.models.linear import LinearLearner


@member
class Perceptron(LinearLearner):
    """Perceptron (Rosenblatt, 1958).

    Leaves the weights alone while examples come out right. After a mistake it adds the example to
    the weights of the right class and takes it from those of the strongest wrong one::

        two classes     w <- w + y x                      if y (w . x) <= 0
        more            w_y <- w_y + x,  w_r <- w_r - x   if w_y . x <= w_r . x

    where y is -1 or +1, r is the rival, the best of the wrong classes, and x ends in a constant
    one whose weight is the intercept. If a hyperplane separates the classes, it is found after at
    most (R² + 1)(1 + b²) / γ² mistakes (Novikoff, 1962), whatever the order.

    Reach for it to see the algorithm at work, or when the data are known to be separable. For
    anything noisy `AveragedPerceptron` costs the same and almost always predicts better.

    Parameters
    ----------
    {averaging}

    {shared}

    References
    ----------
    F. Rosenblatt (1958). The perceptron: a probabilistic model for information storage and
    organization in the brain. Psychological Review 65, 386-408.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-2.0, 0.5]], ["yes", "yes", "no", "no"]
    >>> model = Perceptron(shuffle=False).fit(X, y)
    >>> model.coef_, model.intercept_
    (array([[2., 1.]]), array([1.]))
    >>> model.predict([[0.5, 0.5]])
    array(['yes'], dtype='<U3')
    >>> model.converged_, model.n_updates_
    (True, 1)
    """

    __module__ = "rosenblatt"

    _ignored: ClassVar = IGNORED_KEYWORDS | {"eta0": SCALED}
    _losses: ClassVar = {"perceptron": {}}
    _takes_label_sets = True

    _: KW_ONLY
    average: bool = False
    half_life: float | None = None


@member
class AveragedPerceptron(LinearLearner):
    """Averaged perceptron (Freund and Schapire, 1999).

    Learns as `Perceptron` does and predicts with the mean of the weights at the start and after
    each of all T examples, so that weights that survived many examples count for more::

        w_mean = (w_0 + w_1 + ... + w_T) / (T + 1)

    The sum is never walked through: a change d made at example t missed the t weight vectors
    before it, so one touch per mistake, u <- u + t d, gives w_mean = w - u / (T + 1).

    The member to start with. Its sibling `PassiveAggressiveClassifier` often needs fewer passes
    and does better on many classes; `Perceptron` is the bare algorithm.

    On a stream that drifts, old weights had better be forgotten: with ``half_life=h`` those of h
    examples ago count half as much, those of 2 h ago a quarter::

        w_mean = Σ 2^(t/h) w_t / Σ 2^(t/h)

    as exactly, and with the same one touch per mistake.

    Parameters
    ----------
    half_life : float, optional
        After how many examples weights count half as much in the mean, 0.01 or more; all count
        alike if not given.

    {shared}

    References
    ----------
    Y. Freund, R. E. Schapire (1999). Large margin classification using the perceptron algorithm.
    Machine Learning 37, 277-296.

    Examples
    --------
    >>> from rosenblatt import AveragedPerceptron
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-2.0, 0.5]], [1, 1, 0, 0]
    >>> model = AveragedPerceptron(shuffle=False, max_iter=1).fit(X, y)
    >>> model.coef_
    array([[1.6, 0.8]])
    >>> model.predict([[0.5, 0.5]])
    array([1])
    """

    __module__ = "rosenblatt"

    average = True

    _ignored: ClassVar = Perceptron._ignored
    _losses: ClassVar = Perceptron._losses
    _takes_label_sets = True

    _: KW_ONLY
    half_life: float | None = None
