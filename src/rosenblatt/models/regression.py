"""The passive-aggressive regressor: numbers in the place of labels."""

import math
from dataclasses import KW_ONLY, field
from typing import Any, ClassVar, Literal, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin
from sklearn.utils import RegressorTags
from sklearn.utils.validation import column_or_1d

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Name, Row
from rosenblatt.inputs.ignored_keywords import IGNORED_KEYWORDS
from rosenblatt.inputs.labels import Y
from rosenblatt.inputs.messages import LARGEST_VALUE, as_array, refuse_masked
from rosenblatt.inputs.parameters import is_number_from, wrong
from rosenblatt.models.base import Ties, member
from rosenblatt.models.fitting import learn_in_order
from rosenblatt.models.linear import LinearLearner
from rosenblatt.models.passive_aggressive import shortest_steps
from rosenblatt.training.state import State

Array = NDArray[np.float64]


@member
class PassiveAggressiveRegressor(RegressorMixin, LinearLearner):
    """Passive-aggressive regression (Crammer et al., 2006, section 5).

    Leaves the weights alone while a target y is met to within ε; otherwise takes the shortest step
    after which it is, held back by C. With loss = ``|y - w·x| - ε``, where that is above zero::

        PA       w <- w + sign(y - w·x) loss / |x|² x
        PA-I     w <- w + sign(y - w·x) min(C, loss / |x|²) x
        PA-II    w <- w + sign(y - w·x) loss / (|x|² + 1 / 2C) x

    where x ends in the constant one of the intercept, which counts as a feature like any other.

    Suits streams and sparse rows, and targets that drift. Scale the features, and keep C small
    where targets are noisy; ``average=True`` calms what is left.

    Parameters
    ----------
    C : float, default=1.0
        How aggressive a step may be. Small values suit noisy targets.

    epsilon : float, default=0.1
        How near is near enough.

    variant : {{"PA-I", "PA-II", "PA"}}, default="PA-I"
        Whether C caps the step, damps it, or is not used.

    {averaging}

    {shared_of_numbers}

    References
    ----------
    K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz, Y. Singer (2006).
    Online passive-aggressive algorithms. JMLR 7, 551-585.

    Examples
    --------
    >>> from rosenblatt import PassiveAggressiveRegressor
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [2.0, -1.0, 1.0]
    >>> model = PassiveAggressiveRegressor(epsilon=0.01, max_iter=100, random_state=0).fit(X, y)
    >>> model.predict([[1.0, 3.0]]).round(1)
    array([4.9])
    """

    __module__ = "rosenblatt"

    _ignored: ClassVar = {
        name: value for name, value in IGNORED_KEYWORDS.items() if name != "epsilon"
    }
    _predicts_numbers = True
    _multiclass = False
    _losses: ClassVar = {
        "epsilon_insensitive": {"variant": "PA-I"},
        "squared_epsilon_insensitive": {"variant": "PA-II"},
    }

    C: float = 1.0
    _: KW_ONLY
    epsilon: float = 0.1
    variant: Literal["PA-I", "PA-II", "PA"] = "PA-I"
    average: bool = False
    half_life: float | None = None
    ties: Ties = field(default="mistake", init=False)
    class_weight: Any = field(default=None, init=False)
    probabilities: bool = field(default=False, init=False)

    def partial_fit(  # type: ignore[override]
        self, X: Any, y: Any, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn from a batch: one pass over its rows, in the order in which they stand.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        y : array-like of shape (n_samples,)
            Numbers.

        sample_weight : array-like of shape (n_samples,), optional
            How many times as long as usual a step on this example is.

        Returns
        -------
        self
        """
        with self._learning_lock:
            labels: list[Any] | None = [] if self._state is None else None
            learn_in_order(self, X, y, labels, sample_weight, self._state)
        return self

    def predict(self, X: Any) -> Array:  # type: ignore[override]
        """Predict the number of each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        numbers : ndarray of shape (n_samples,)
        """
        table, _ = self._read_table(X, self._learned)
        return self._scorer(self._learned).scores(table)

    def learn_one(self, x: Any, y: Any, w: float = 1.0) -> None:
        """Learn from one example, in microseconds; see `AveragedPerceptron.learn_one`.

        Parameters
        ----------
        x : dict, list of pairs, pair of arrays, or row

        y : float

        w : float, default=1.0
            How many times as long as usual a step on this example is.
        """
        if not is_number_from(y, -LARGEST_VALUE, LARGEST_VALUE):
            raise wrong("y", y, f"be a number between {-LARGEST_VALUE:g} and {LARGEST_VALUE:g}")
        super().learn_one(x, float(y), w)

    def predict_one(self, x: Any) -> float:
        """Predict the number of one example; zero before anything was learned.

        Parameters
        ----------
        x : dict, list of pairs, pair of arrays, or row
            As for `learn_one`.

        Returns
        -------
        number : float
        """
        return 0.0 if self._state is None else float(self._scored("predict", x))

    def score(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """The share of the variance of y that ``predict`` accounts for, as scikit-learn's R².

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        y : array-like of shape (n_samples,)

        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        score : float
        """
        refuse_masked(y, Name("y"))
        refuse_masked(sample_weight, Name("sample_weight"))
        return float(RegressorMixin.score(self, X, y, sample_weight))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.classifier_tags = "regressor", None
        tags.regressor_tags = RegressorTags()
        return tags

    def _not_offered(self) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} predicts numbers, and has no labels.")

    classes_ = property(_not_offered)
    bracket_ = property(_not_offered)
    decision_function = property(_not_offered)
    calibrate = property(_not_offered)
    predict_proba_many = property(_not_offered)

    def _rule(self) -> core.PassiveAggressiveRule:
        if not is_number_from(self.epsilon, 0.0, LARGEST_VALUE):
            raise wrong("epsilon", self.epsilon, "be a finite number of zero or more")
        return shortest_steps(self.C, self.variant, aim=-float(self.epsilon))

    def _read_answers(self, y: Any, count: int) -> Array:
        if y is None:
            name = type(self).__name__
            raise InputError(
                f"{name} requires ", Y, " to be passed, but the target ", Y, " is None"
            )
        targets = column_or_1d(as_array(y, Y), warn=True)
        if targets.dtype.kind not in "biuf":
            try:
                targets = targets.astype(np.float64)
            except (TypeError, ValueError) as error:
                raise InputError(Y, must="hold numbers", got=repr(targets[:1].tolist())) from error
        targets = np.ascontiguousarray(targets, dtype=np.float64)
        if len(targets) != count:
            raise InputError(
                Name("X"), f" has {count} rows but ", Y, f" has {len(targets)} numbers"
            )
        bad = ~(np.abs(targets) <= LARGEST_VALUE)  # NaN is not, either
        if bad.any():
            row = int(np.argmax(bad))
            what = "NaN or infinity" if not np.isfinite(targets[row]) else f"{targets[row]:g}"
            raise InputError(Y, f" contains {what}", where=Row(row))
        return targets

    def _kind_of(self, y: Any) -> tuple[NDArray[Any], None]:
        return np.empty(0), None

    def _encoded(self, y: Any, state: State, **remedy: str) -> Any:
        return y

    def _first_state(self, classes: NDArray[Any], width: int) -> State:
        state = super()._first_state(classes, width)
        state.weights.measures[0] = math.inf  # a sum of steps that says nothing about a margin
        return state

    def _problem(
        self,
        state: State,
        rows: core.Rows,
        codes: Any,
        of_class: Array | None,
        sample_weight: Array | None,
    ) -> core.Problem:
        constant = self._scorer(state).constant
        return core.Problem(rows, codes, constant, bool(self.unit_length), sample_weight)
