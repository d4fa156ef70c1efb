"""Every estimator of the family beside its plain twin: the contract is tested over this list."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

import reference
from data import real_numbers, whole_numbers
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    KernelPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    VotedPerceptron,
)


@dataclass(frozen=True)
class Member:
    model: Any
    """With its defaults, but for what makes it this member."""
    rule: Callable[[float, float, bool], float]
    """The rule of its twin in reference.py."""
    whole: bool
    """Whether whole numbers stay whole, so that results can be compared exactly."""
    through_kernel: bool = False
    """Whether it learns in blocks of kernel values, whose last bits depend on their shape."""

    def __str__(self) -> str:
        return repr(self.model)

    def numbers(self, **shape: Any) -> Any:
        """Examples on which results are the same bits however they are worked out."""
        return (whole_numbers if self.through_kernel else real_numbers)(**shape)

    @property
    def averages(self) -> bool:
        return self.model.average

    @property
    def votes(self) -> bool:
        """Whether every weight vector passed through has a say, not only the weights shown."""
        return isinstance(self.model, VotedPerceptron)

    def new(self, **parameters: Any) -> Any:
        return copy(self.model).set_params(**parameters)

    def path(self, X, codes, classes, passes=1, *, fit_intercept=True, unit_length=False, **walk):
        """The weights w_0 ... w_T of the twin, of shape (T + 1, rows of coef_, columns + 1)."""
        X = reference.with_constant(np.asarray(X, dtype=float), float(fit_intercept))
        if unit_length:
            X = reference.unit_length(X)
        if classes > 2:
            return reference.multiclass_path(X, codes, classes, self.rule, passes, **walk)
        signs = np.where(np.asarray(codes) == 1, 1.0, -1.0)
        return reference.binary_path(X, signs, self.rule, passes, **walk)[:, np.newaxis]

    def learned(self, path):
        """The weights that the model shows after this path."""
        return path.sum(axis=0) / len(path) if self.averages else path[-1]

    def scores(self, path, X, *, fit_intercept=True):
        """What decision_function says after this path."""
        X = reference.with_constant(X, float(fit_intercept))
        if self.votes:
            return reference.shares(reference.votes(path, X))
        totals = path.sum(axis=0) if self.averages else path[-1]
        scores = X @ totals.T / (len(path) if self.averages else 1)
        return scores if len(totals) > 1 else scores[:, 0]


MEMBERS = [
    Member(Perceptron(), reference.perceptron, whole=True),
    Member(Perceptron(average=True), reference.perceptron, whole=True),
    Member(AveragedPerceptron(), reference.perceptron, whole=True),
    Member(VotedPerceptron(), reference.perceptron, whole=True),
    Member(
        KernelPerceptron(kernel="linear"), reference.perceptron, whole=True, through_kernel=True
    ),
    Member(
        KernelPerceptron(kernel="linear", average=True),
        reference.perceptron,
        whole=True,
        through_kernel=True,
    ),
    Member(PassiveAggressiveClassifier(), reference.pa_1(1.0), whole=False),
    Member(PassiveAggressiveClassifier(C=0.1), reference.pa_1(0.1), whole=False),
    Member(PassiveAggressiveClassifier(variant="PA-II"), reference.pa_2(1.0), whole=False),
    Member(PassiveAggressiveClassifier(variant="PA"), reference.pa, whole=False),
    Member(PassiveAggressiveClassifier(average=True), reference.pa_1(1.0), whole=False),
    Member(AROW(), reference.arow(1.0), whole=False),
    Member(AROW(average=True), reference.arow(1.0), whole=False),
    Member(AROW(covariance="full"), reference.full_arow(1.0), whole=False),
]

FLAT_MEMBERS = [member for member in MEMBERS if not hasattr(member.rule, "r")]
"""Those that move all weights alike, so that their steps say all."""

STREAM_MEMBERS = [member for member in MEMBERS if not member.through_kernel]
"""Those that learn from single examples."""


def weights_of(model):
    """The weights and the intercept side by side, as the twin has them."""
    return np.column_stack([model.coef_, model.intercept_])


def assert_same_model(model, other):
    """Same weights, same counts: bit for bit."""
    np.testing.assert_array_equal(model.classes_, other.classes_)
    np.testing.assert_array_equal(weights_of(model), weights_of(other))
    assert (model.t_, model.n_updates_) == (other.t_, other.n_updates_)
