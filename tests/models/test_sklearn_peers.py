"""Where scikit-learn learns the same thing, the weights are the same."""

import numpy as np
import pytest
from sklearn.linear_model import Perceptron as TheirPerceptron
from sklearn.linear_model import SGDClassifier
from sklearn.multiclass import OneVsRestClassifier

from data import whole_numbers
from members import weights_of
from rosenblatt import AveragedPerceptron, PassiveAggressiveClassifier, Perceptron

IN_ORDER = {"shuffle": False, "max_iter": 5}


def noisy(seed, classes=2, count=200, width=12):
    """Real numbers that nobody separates in a few passes, so that both make all of them."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(count, width)), rng.integers(classes, size=count)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_two_classes_end_at_the_weights_of_their_perceptron(seed, fit_intercept):
    X, y = noisy(seed)

    ours = Perceptron(fit_intercept=fit_intercept, **IN_ORDER).fit(X, y)
    theirs = TheirPerceptron(fit_intercept=fit_intercept, tol=None, **IN_ORDER).fit(X, y)

    np.testing.assert_allclose(weights_of(ours), weights_of(theirs), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_on_whole_numbers_the_weights_are_equal_to_the_bit(seed):
    X, y = whole_numbers(seed)

    ours = Perceptron(**IN_ORDER).fit(X, y)
    theirs = TheirPerceptron(tol=None, **IN_ORDER).fit(X, y)

    np.testing.assert_array_equal(weights_of(ours), weights_of(theirs))
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("seed", range(3))
def test_weighted_examples_end_at_their_weights_too(seed):
    X, y = noisy(seed)
    weights = np.random.default_rng(seed).uniform(0, 3, size=len(X))
    options = {"class_weight": {0: 2.0, 1: 0.5}, **IN_ORDER}

    ours = Perceptron(**options).fit(X, y, sample_weight=weights)
    theirs = TheirPerceptron(tol=None, **options).fit(X, y, sample_weight=weights)

    np.testing.assert_allclose(weights_of(ours), weights_of(theirs), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_average_is_theirs_but_for_the_zeros_at_the_start(seed, fit_intercept):
    """SPEC A6: ours is the mean of w_0 ... w_T, theirs of w_1 ... w_T."""
    X, y = noisy(seed)
    T = 5 * len(X)

    ours = AveragedPerceptron(fit_intercept=fit_intercept, **IN_ORDER).fit(X, y)
    theirs = SGDClassifier(
        loss="perceptron",
        penalty=None,
        learning_rate="constant",
        eta0=1.0,
        average=True,
        fit_intercept=fit_intercept,
        tol=None,
        **IN_ORDER,
    ).fit(X, y)

    assert ours.t_ == T + 1
    np.testing.assert_allclose(
        weights_of(ours) * (T + 1) / T, weights_of(theirs), rtol=1e-10, atol=1e-12
    )


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("C", [0.01, 0.1, 1.0])
@pytest.mark.parametrize(("variant", "rate"), [("PA-I", "pa1"), ("PA-II", "pa2")])
def test_passive_aggressive_steps_without_intercept_are_theirs(variant, rate, C, seed):
    """With an intercept they differ: ours counts it in the norm, so that a step lands on one."""
    X, y = noisy(seed)

    ours = PassiveAggressiveClassifier(C, variant=variant, fit_intercept=False, **IN_ORDER)
    theirs = SGDClassifier(
        loss="hinge",
        penalty=None,
        learning_rate=rate,
        eta0=C,
        fit_intercept=False,
        tol=None,
        **IN_ORDER,
    )

    np.testing.assert_allclose(ours.fit(X, y).coef_, theirs.fit(X, y).coef_, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_their_several_classes_are_ours_one_against_the_rest(seed):
    X, y = noisy(seed, classes=4)

    ours = OneVsRestClassifier(Perceptron(**IN_ORDER)).fit(X, y)
    theirs = TheirPerceptron(tol=None, **IN_ORDER).fit(X, y)

    for k, one in enumerate(ours.estimators_):
        np.testing.assert_allclose(one.coef_[0], theirs.coef_[k], rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(one.intercept_[0], theirs.intercept_[k], rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_partial_fit_ends_at_their_weights():
    X, y = noisy(0)
    ours, theirs = Perceptron(), TheirPerceptron(shuffle=False)

    for start in range(0, len(X), 30):
        for model in (ours, theirs):
            model.partial_fit(X[start : start + 30], y[start : start + 30], classes=[0, 1])

    np.testing.assert_allclose(weights_of(ours), weights_of(theirs), rtol=1e-12, atol=1e-12)
    assert ours.t_ == theirs.t_ == len(X) + 1
