"""Winnow, which multiplies its weights."""

import math
from dataclasses import KW_ONLY, field
from typing import Any

from numpy.typing import ArrayLike

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.inputs.parameters import check_count, check_flag, is_real, wrong
from rosenblatt.models.base import Ties, member
from rosenblatt.models.linear import LinearLearner
from rosenblatt.training.scorer import PresenceScorer
from rosenblatt.training.state import State
from rosenblatt.training.storage import Form
from rosenblatt.training.weights import Weights

LARGEST = 1e100
"""Of factor and threshold, so that what they make stays finite."""


@member
class Winnow(LinearLearner):
    """Winnow (Littlestone, 1988): multiplies weights where the perceptron adds to them.

    Features are present or absent, 1 or 0. All n weights begin at one, and an example is positive
    if those of its features reach the threshold θ, which is n unless another is given::

        positive         if Σ w_i x_i >= θ
        missed positive  w_i <- 2 w_i  where x_i = 1
        false positive   w_i <- w_i / 2  where x_i = 1

    On any disjunction of r of the n features, in whatever order its examples come, it makes at
    most 2 + 3r(1 + lg n) mistakes: the number of irrelevant features enters by its logarithm only,
    where the perceptron's bound grows with it.

    Reach for it when few of very many binary features matter. Weights stay positive, so presence
    alone can only speak for the second class; ``balanced=True`` keeps a set of weights for each
    class and lets them race, as for more than two classes. For anything else, and for values other
    than 0 and 1, prefer `AveragedPerceptron`.

    Weights never overflow or vanish: all are scaled together when one grows large, and one that
    grows too small to matter counts its halvings, to come back after as many doublings. Neither
    changes a prediction; only in a race whose weights differ by more than 2**1300 may it do so.

    Parameters
    ----------
    factor : float, default=2.0
        What weights are multiplied or divided by; above one. An example that weighs s, by
        sample_weight and class_weight, makes it 1 + s (factor - 1).

    threshold : float, optional
        What the weights of present features must reach; the number of features if not given, which
        grows when `learn_one` meets names that are new. Used for two classes without ``balanced``.

    balanced : bool, default=False
        Keep weights for each of two classes and compare their sums, instead of one set of weights
        and a threshold. More classes always race.

    binarize : float or None, default=0.0
        Read values above this number as 1 and others as 0; None refuses other values than 0 and 1.

    average : bool, default=False
        Predict with the mean of all weights passed through; see `AveragedPerceptron`.

    {shared_without_intercept}

    References
    ----------
    N. Littlestone (1988). Learning quickly when irrelevant attributes abound: a new
    linear-threshold algorithm. Machine Learning 2, 285-318.

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt import Winnow
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, size=(500, 1000)).astype(float)
    >>> y = (X[:, 17] + X[:, 400] > 0).astype(int)
    >>> model = Winnow(random_state=0).fit(X, y)
    >>> sorted(model.coef_[0].argsort()[-2:].tolist())
    [17, 400]
    >>> model.n_mistakes_, round(model.mistake_bound(relevant=2), 1)
    (34, 67.8)
    """

    __module__ = "rosenblatt"

    factor: float = 2.0
    _: KW_ONLY
    threshold: float | None = None
    balanced: bool = False
    binarize: float | None = 0.0
    average: bool = False
    fit_intercept: bool = field(default=False, init=False)
    ties: Ties = field(default="mistake", init=False)
    unit_length: bool = field(default=False, init=False)

    def mistake_bound(self, relevant: int) -> float:
        """Mistakes that cannot be passed if the label says whether one of so many features is 1.

        Littlestone's bound for disjunctions, 2 + 3r(1 + lg n), to hold ``n_mistakes_`` against;
        for the default factor and threshold.
        """
        return winnow_bound(self._fitted("mistake_bound").width, relevant)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # on clouds of points, which have no presence
        return tags

    @property
    def _multiclass(self) -> bool:  # type: ignore[override]
        """Whether a third label may come at any time, as River asks; fit knows all."""
        return bool(self.balanced)

    def _scorer(self, state: State) -> PresenceScorer:
        return PresenceScorer.of_winnow(state.weights, self.binarize)

    @property
    def _presence(self) -> core.Presence:
        above, threshold = (
            None if number is None else float(number) for number in (self.binarize, self.threshold)
        )
        return core.Presence(above, threshold)

    def _rule(self) -> core.WinnowRule:
        return core.WinnowRule(float(self.factor))

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_flag("balanced", self.balanced)
        _check_between("factor", self.factor, above=1.0)
        if self.threshold is not None:
            _check_between("threshold", self.threshold, above=0.0)
        binarize = self.binarize
        if binarize is not None and not (is_real(binarize) and math.isfinite(binarize)):
            raise wrong("binarize", binarize, "be a number or None")

    def _form(self, classes: int) -> Form:
        race = bool(self.balanced)
        return Form.of(classes, average=bool(self.average), race=race, initial=1.0)

    def _first_weights(self, width: int, classes: int) -> Weights:
        weights = super()._first_weights(width, classes)
        if weights.columns == 1:
            weights.values[-1] = -float(width if self.threshold is None else self.threshold)
        return weights

    def _widened(self, state: State, width: int) -> State:
        """New features weigh one; a threshold that is their number follows it."""
        wide = super()._widened(state, width)
        weights, before = wide.weights, state.weights.width
        values, missed = weights.values, weights.missed
        self._presence.widen(
            values, missed, weights.counts, weights.measures, weights.classes, before
        )
        return wide

    def _with_classes(self, state: State, classes: ArrayLike) -> State:
        wide = super()._with_classes(state, classes)
        had_threshold = len(state.classes) > 1 and self._scorer(state).has_threshold
        if had_threshold and not self._scorer(wide).has_threshold:
            raise InputError(
                "Winnow has learned a threshold for two classes, to which no third can be added",
                remedy=(
                    *("set ", Parameter("balanced", True)),
                    ", or name all classes on the first call",
                ),
            )
        return wide


def winnow_bound(n: int, r: int) -> float:
    """How many mistakes Winnow makes at most on a disjunction of r among n variables.

    2 + 3 r (1 + log₂ n), for weights that start at one, double and halve (Littlestone, 1988).

    Examples
    --------
    >>> from rosenblatt import winnow_bound
    >>> round(winnow_bound(1000, 1), 1)
    34.9
    """
    check_count("n", n)
    check_count("r", r)
    if r > n:
        got = Parameter("r", r), " and ", Parameter("n", n)
        raise InputError(Name("r"), must="be at most n, the number of variables", got=got)
    return 2 + 3 * r * (1 + math.log2(n))


def _check_between(name: str, value: Any, above: float) -> None:
    if not is_real(value) or not above < float(value) <= LARGEST:
        raise wrong(name, value, f"be a number above {above:g} and at most {LARGEST:g}")
