"""AROW, which knows how sure it is of each weight."""

from dataclasses import KW_ONLY
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import Name
from rosenblatt.inputs.parameters import check_choice, check_positive
from rosenblatt.models.base import cannot_go_on, member
from rosenblatt.models.linear import LinearLearner
from rosenblatt.training.state import State
from rosenblatt.training.storage import Form


@member
class AROW(LinearLearner):
    """Adaptive regularization of weights (Crammer, Kulesza and Dredze, 2009).

    Keeps for each weight a variance, how unsure it still is. It begins at one and shrinks whenever
    the weight is moved, so that rare features take long steps and frequent ones settle::

        d = y x, or x for the true class minus x for the best wrong class
        if margin < 1:
            b = 1 / (Σ v d² + r)
            w <- w + b (1 - margin) v d
            v <- v - b (v d)²

    This is the step of PA-II, measured in a length that counts sure weights for little.

    With ``covariance="full"`` it also keeps how the weights go together, a symmetric matrix Σ of
    each two of them, which begins as the identity::

        b = 1 / (dᵀ Σ d + r)
        w <- w + b (1 - margin) Σ d
        Σ <- Σ - b Σ d (Σ d)ᵀ

    Reach for the diagonal on sparse data in few passes, above all text, where labels may be noisy:
    unlike `PassiveAggressiveClassifier` it does not chase each single example. Reach for the full
    covariance on dense, narrow data, whose features go together: there the diagonal takes many for
    sure that are not, and labels that are noisy then cost far more. A step takes as long as the
    matrix is large. `AveragedPerceptron` has nothing to set and keeps half as many numbers. To
    average AROW is seldom needed, since its steps grow short by themselves.

    Parameters
    ----------
    r : float, default=1.0
        How slowly weights move and become sure. Larger values suit noisy labels.

    covariance : {{"diagonal", "full"}}, default="diagonal"
        Whether a variance is kept for each weight, or a covariance for each two: then features and
        constant, times the classes if these are more than two, may be 2,048 at most.

    {averaging}

    {shared}

    variances_ : ndarray of the shape of `coef_`
        How unsure each weight is, from one down to zero; read-only.

    References
    ----------
    K. Crammer, A. Kulesza, M. Dredze (2009). Adaptive regularization of weight vectors. NIPS 22.

    Examples
    --------
    >>> from rosenblatt import AROW
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], ["ham", "spam", "spam"]
    >>> model = AROW(r=0.5, random_state=0).fit(X, y)
    >>> model.predict([[0.9, 0.2]])
    array(['spam'], dtype='<U4')
    >>> model.variances_.round(2)
    array([[0.05, 0.03]])
    """

    __module__ = "rosenblatt"

    _two_class_share = 0.5
    _takes_label_sets = True

    r: float = 1.0
    _: KW_ONLY
    covariance: Literal["diagonal", "full"] = "diagonal"
    average: bool = False
    half_life: float | None = None

    @property
    def variances_(self) -> NDArray[np.float64]:
        """How unsure each weight is, of the shape of ``coef_``; read-only."""
        weights = self._fitted("variances_").weights
        if weights.only_predicts:
            raise AttributeError(
                "variances_ was left out of the file of a model that only predicts."
            )
        variances = weights.variances()[:-1].T
        variances.flags.writeable = False
        return variances

    def _rule(self) -> core.ArowRule | core.FullArowRule:
        check_positive("r", self.r)
        rule = core.FullArowRule if self._full else core.ArowRule
        return rule(float(self.r))

    @property
    def _full(self) -> bool:
        return self.covariance == "full"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("covariance", self.covariance, ["diagonal", "full"])

    def _check_averaging(self, state: State) -> None:
        super()._check_averaging(state)
        if self._full != state.weights.form.covarying:
            other = " cannot change on a model that was learned with another"
            raise cannot_go_on("The ", Name("covariance"), other)

    def _form(self, classes: int) -> Form:
        return Form.of(
            classes,
            average=bool(self.average),
            surer=not self._full,
            covarying=self._full,
            half_life=self.half_life,
        )
