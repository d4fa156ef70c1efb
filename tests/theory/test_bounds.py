"""Mistakes held against their bounds, and the bracket that learning gives for free."""

import math

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import reference
from data import separable
from rosenblatt import (
    AveragedPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    data_margin,
    margin,
    mistake_bound,
    radius,
    share_of_bound,
    winnow_bound,
)

SEEDS = range(10)
UNTIL_CONVERGED = {"max_iter": 100_000}
MEMBERS = [Perceptron(), AveragedPerceptron(), PassiveAggressiveClassifier()]


def apart(seed, classes):
    """Separable examples of two or three classes."""
    rng = np.random.default_rng(seed)
    if classes == 2:
        return separable(seed, gap=0.2)[:2]
    X = rng.uniform(-2, 2, size=(400, 3))
    scores = np.sort(X, axis=1)
    X = X[scores[:, -1] - scores[:, -2] > 0.3]
    return X, X.argmax(axis=1)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_perceptron_never_exceeds_its_bound(seed, classes, fit_intercept):
    """C20, C22, A5 no. 9, SPEC open points: whatever the order."""
    X, y = apart(seed, classes)
    if not fit_intercept and classes == 2:
        X = reference.with_constant(X)
    bound = mistake_bound(X, y, fit_intercept=fit_intercept)
    options = {"fit_intercept": fit_intercept, "random_state": seed, **UNTIL_CONVERGED}

    for shuffle in (True, False):
        model = Perceptron(shuffle=shuffle, **options).fit(X, y)
        assert model.converged_
        assert model.n_updates_ <= bound < math.inf


def test_the_bound_counts_the_intercept():
    """A5 no. 9: with γ = 1 and R = 1 the bound without it would be one, but there are two."""
    X, y = [[1.0], [-1.0]], [1, -1]

    assert mistake_bound(X, y) == pytest.approx(2, rel=1e-6)
    assert Perceptron(shuffle=False).fit(X, y).n_updates_ == 2
    assert mistake_bound(X, y, fit_intercept=False) == pytest.approx(1, rel=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bound_is_no_more_than_any_separators(seed):
    """A5 no. 9: (R² + 1)(1 + b²) / γ² for the widest separator, and for the teacher."""
    X, y, teacher, bias = separable(seed)
    widest = data_margin(X, y)
    bound = mistake_bound(X, y)

    for w, b in ((teacher, bias), (widest.w, widest.b)):
        usual = (radius(X) ** 2 + 1) * (1 + b**2) / margin(X, y, w, b) ** 2
        assert bound <= usual * (1 + 1e-6)


def test_what_cannot_be_separated_has_no_bound():
    assert mistake_bound([[0.0], [1.0], [2.0]], [0, 1, 0]) == math.inf


@pytest.mark.parametrize(("n", "r", "expected"), [(1000, 1, 34.9), (1000, 5, 166.5), (2, 1, 8)])
def test_winnows_bound_is_that_of_its_theorem(n, r, expected):
    """B9: 2 + 3 r (1 + lg n)."""
    assert winnow_bound(n, r) == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize(("n", "r"), [(0, 1), (10, 0), (10, 2.5), (3, 4)])
def test_winnows_bound_asks_for_r_of_n_variables(n, r):
    with pytest.raises(ValueError, match="must be"):
        winnow_bound(n, r)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("model", MEMBERS, ids=str)
@pytest.mark.parametrize("options", [{}, {"class_weight": {0: 0.5, 1: 3.0}}], ids=str)
def test_the_bracket_holds_the_margin(seed, classes, model, options):
    """B6: margin of w / |w| ≤ γ ≤ |w| / Σ step, γ with the intercepts counted in the length."""
    X, y = apart(seed, classes)
    if classes == 3 and options:
        options = {"class_weight": {0: 0.5, 1: 3.0, 2: 1.0}}
    gamma = data_margin(X, y, augmented=True)
    model = clone(model).set_params(random_state=seed, max_iter=300, **options)

    lower, upper = model.fit(X, y).bracket_

    assert lower <= gamma.upper * (1 + 1e-12)
    assert gamma.margin <= upper * (1 + 1e-12)
    assert (lower > 0) == model.converged_


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("shuffle", [True, "blocks", "once", False])
def test_the_lower_end_is_the_margin_that_the_weights_reach(classes, shuffle):
    X, y = apart(0, classes)

    model = Perceptron(random_state=0, shuffle=shuffle, **UNTIL_CONVERGED).fit(X, y)

    assert model.bracket_.lower == pytest.approx(margin(X, y, model, augmented=True), rel=1e-12)
    weights = np.column_stack([model.coef_, model.intercept_])
    upper = np.linalg.norm(weights) / model.n_updates_
    assert model.bracket_.upper == pytest.approx(upper, rel=1e-12)


def test_the_upper_end_follows_the_recorded_steps():
    X, y = apart(1, 2)
    model = PassiveAggressiveClassifier(record=True, random_state=0).fit(X, y)

    weights = np.append(model.coef_, model.intercept_)

    steps = model.mistakes_["step"].sum()
    assert model.bracket_.upper == pytest.approx(np.linalg.norm(weights) / steps, rel=1e-12)


def test_at_length_one_the_bracket_is_that_of_the_scaled_examples():
    """B4: γ = min |cos|."""
    X, y = apart(2, 2)
    Z = reference.unit_length(reference.with_constant(X))
    gamma = data_margin(Z, y, fit_intercept=False)

    model = Perceptron(unit_length=True, random_state=0, **UNTIL_CONVERGED).fit(X, y)

    assert 0 < model.bracket_.lower <= gamma.upper
    assert gamma.margin <= model.bracket_.upper
    assert model.n_updates_ <= 1 / gamma.margin**2


def test_while_updates_are_made_the_lower_end_is_open():
    X, y = np.array([[0.0], [1.0], [2.0]]), [0, 1, 0]

    few, many = (Perceptron(max_iter=n, random_state=0).fit(X, y).bracket_ for n in (10, 10_000))

    assert few.lower == many.lower == -math.inf
    assert 0 < many.upper < few.upper / 10


def test_a_batch_opens_the_lower_end_and_keeps_the_upper():
    X, y = apart(3, 2)
    model = Perceptron(random_state=0, **UNTIL_CONVERGED).fit(X, y)
    before = model.bracket_

    model.partial_fit(X[:5], y[:5])

    assert before.lower > 0
    assert model.bracket_ == (-math.inf, before.upper)


@pytest.mark.parametrize("model", MEMBERS, ids=str)
def test_a_late_class_widens_the_bracket_as_it_does_the_margin(model):
    """Stacked, the weights -w and w of two classes have a margin √2 times that of w alone."""
    X, y = apart(4, 2)
    model = clone(model).partial_fit(X, y, classes=[0, 1])
    before = model.bracket_.upper

    model.partial_fit(X[:1], y[:1], classes=[0, 1, 2], sample_weight=[0.0])  # learns nothing

    assert model.bracket_.upper == pytest.approx(math.sqrt(2) * before, rel=1e-12)


def test_before_the_first_step_nothing_is_known():
    model = Perceptron(ties="predict").partial_fit([[1.0]], [0], classes=[0, 1])

    assert model.bracket_ == (-math.inf, math.inf)
    with pytest.raises(AttributeError, match="bracket_ before it is fitted"):
        Perceptron().bracket_  # noqa: B018


def test_an_interrupted_pass_goes_on_with_its_bracket():
    X, y = apart(5, 2)
    options = {"random_state": 0, "warm_start": True}
    whole = Perceptron(**options, max_iter=6).fit(X, y)

    parts = Perceptron(**options, max_iter=2)
    for _ in range(3):
        parts.fit(X, y)

    assert parts.bracket_ == whole.bracket_


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("classes", [2, 3])
def test_the_share_of_the_bound_lies_in_its_bracket(seed, classes):
    X, y = apart(seed, classes)
    model = Perceptron(random_state=seed, **UNTIL_CONVERGED).fit(X, y)

    lower, upper = share_of_bound(model, sparse.csr_array(X))

    assert 0 < lower <= model.n_updates_ / mistake_bound(X, y) * (1 + 1e-6)
    assert model.n_updates_ / mistake_bound(X, y) <= upper * (1 + 1e-6) <= 1 + 1e-6


def test_the_share_is_for_steps_of_one():
    X, y = apart(0, 2)

    with pytest.raises(ValueError, match="each a step of one"):
        share_of_bound(PassiveAggressiveClassifier().fit(X, y), X)


def test_history_has_the_length_of_the_weights_and_the_bracket_after_each_pass():
    X, y, _, _ = separable()
    model = Perceptron(max_iter=100, random_state=0).fit(X, y)

    *earlier, last = model.history_

    assert last.bracket == model.bracket_
    assert last.norm == pytest.approx(np.linalg.norm(np.append(model.coef_, model.intercept_)))
    assert all(done.bracket.lower == -np.inf for done in earlier)
    assert all(done.bracket.upper > last.bracket.lower for done in model.history_)


def test_weights_far_more_than_values_are_not_measured_after_each_pass():
    X = sparse.csr_array(([1.0, 1.0], ([0, 1], [0, 1])), shape=(2, 10_000))

    model = Perceptron().fit(X, [0, 1])

    assert model.history_[0].norm is None
    assert model.history_[0].bracket is None
    assert model.bracket_.upper < np.inf
