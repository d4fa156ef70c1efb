"""AROW: weights that know how sure they are."""

import numpy as np
import pytest

from data import real_numbers, whole_numbers
from rosenblatt import AROW, PassiveAggressiveClassifier


def test_one_step_by_hand():
    """Crammer, Kulesza, Dredze (2009), figure 1: x = (1, 2) and the constant, r = 2."""
    model = AROW(r=2.0).partial_fit([[1.0, 2.0]], [1], classes=[0, 1])

    b = 1 / (1 + 4 + 1 + 2)
    np.testing.assert_allclose(model.coef_, [[b, 2 * b]])
    np.testing.assert_allclose(model.intercept_, [b])
    np.testing.assert_allclose(model.variances_, [[1 - b, 1 - 4 * b]])


@pytest.mark.parametrize("classes", [2, 4])
def test_the_first_step_is_that_of_pa_2(classes):
    """All variances are one at first: r stands where 1 / 2C does."""
    X, y = whole_numbers(classes=classes)
    once = {"X": X[:1], "y": y[:1], "classes": range(classes)}

    arow = AROW(r=0.5).partial_fit(**once)
    pa = PassiveAggressiveClassifier(C=1.0, variant="PA-II").partial_fit(**once)

    np.testing.assert_allclose(arow.coef_, pa.coef_)


@pytest.mark.parametrize("classes", [2, 4])
def test_variances_fall_from_one_and_stay_above_zero(classes):
    X, y = real_numbers(classes=classes)
    model = AROW(r=0.01, shuffle=False)
    before = np.ones((1 if classes == 2 else classes, X.shape[1]))
    for _ in range(20):
        model.partial_fit(X, y, classes=range(classes))

        now = model.variances_
        assert (now > 0).all()
        assert (now <= before).all()
        before = now.copy()
    assert now.max() < 1


def test_a_feature_never_seen_keeps_its_variance():
    X, y = real_numbers()
    X[:, 3] = 0

    model = AROW().fit(X, y)

    assert model.variances_[0, 3] == 1.0
    assert (np.delete(model.variances_, 3) < 1).all()


def test_rare_features_take_longer_steps_than_frequent_ones():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=400)
    noisy = np.where(rng.random(400) < 0.3, 1 - y, y)
    X = np.column_stack([2.0 * noisy - 1, np.where(np.arange(400) % 50 == 0, 2.0 * y - 1, 0)])

    model = AROW(shuffle=False, max_iter=1).fit(X, y)

    assert model.variances_[0, 1] > 3 * model.variances_[0, 0]


def test_late_classes_keep_weights_and_variances_and_start_unsure():
    X, y = real_numbers(classes=3)
    model = AROW().partial_fit(X, y, classes=[0, 1, 2])
    weights, variances = model.coef_.copy(), model.variances_.copy()

    model.partial_fit(X[:1], [0], classes=[0, 1, 2, 3], sample_weight=[0.0])

    np.testing.assert_array_equal(model.coef_[:3], weights)
    np.testing.assert_array_equal(model.variances_[:3], variances)
    assert not model.coef_[3].any()
    assert (model.variances_[3] == 1).all()


def test_two_classes_that_become_three_keep_their_scores():
    X, y = real_numbers()
    model = AROW().partial_fit(X, y, classes=[0, 1])
    before = model.decision_function(X)

    model.partial_fit(X[:1], [0], classes=[0, 1, 2], sample_weight=[0.0])

    scores = model.decision_function(X)
    np.testing.assert_allclose(scores[:, 1] - scores[:, 0], before)
    assert (model.variances_[:2] <= 0.5).all()


@pytest.mark.parametrize("r", [0, -1.0, float("nan"), "large"])
def test_r_must_be_positive(r):
    with pytest.raises(ValueError, match="r must be a positive number, got r="):
        AROW(r=r).fit([[0.0], [1.0]], [0, 1])


def test_variances_are_read_only_and_come_with_fit():
    with pytest.raises(AttributeError, match="AROW has no variances_ before it is fitted"):
        print(AROW().variances_)
    model = AROW().fit(*real_numbers())

    with pytest.raises(ValueError, match="read-only"):
        model.variances_[0, 0] = 2.0
