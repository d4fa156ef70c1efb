"""AROW: weights that know how sure they are."""

import numpy as np
import pytest

from data import real_numbers, whole_numbers
from rosenblatt import AROW, PassiveAggressiveClassifier, load, save


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


# Full covariance


def features_that_go_together(seed=1, count=2000, width=12, noise=0.2):
    """Rows whose values rise and fall together, with labels that are about their differences."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(count, width)) + 5 * rng.normal(size=(count, 1))
    contrast = rng.normal(size=width)
    y = (X @ (contrast - contrast.mean()) > 0).astype(int)
    flipped = rng.random(count // 2) < noise
    y[: count // 2] ^= flipped
    return X, y


def test_one_step_with_the_full_covariance_by_hand():
    """The same step as with the diagonal, but what the features share is known after it."""
    model = AROW(r=2.0, covariance="full").partial_fit([[1.0, 2.0]], [1], classes=[0, 1])

    b = 1 / (1 + 4 + 1 + 2)
    np.testing.assert_allclose(model.coef_, [[b, 2 * b]])
    np.testing.assert_allclose(model.variances_, [[1 - b, 1 - 4 * b]])
    x = np.array([1.0, 1.0, 2.0])  # the constant first
    np.testing.assert_allclose(model._state.weights.covariance, np.eye(3) - b * np.outer(x, x))


def test_it_is_recursive_least_squares_while_every_margin_is_below_one():
    """Then the weights are those of ridge regression on the labels, of which r is the penalty."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 4)), rng.integers(2, size=30)
    model = AROW(r=500.0, covariance="full", fit_intercept=False)

    model.partial_fit(X, y, classes=[0, 1])

    signs = 2.0 * y - 1
    assert model.n_updates_ == 30
    ridge = np.linalg.solve(X.T @ X + 500.0 * np.eye(4), X.T @ signs)
    np.testing.assert_allclose(model.coef_[0], ridge, rtol=1e-10)


def test_where_features_go_together_and_labels_are_noisy_it_errs_less_than_the_diagonal():
    """Half as often as the diagonal with the r that suits it best, over ten draws of the data."""
    learned, tried = slice(0, 1000), slice(1000, None)

    def error(covariance, r):
        wrong = []
        for seed in range(10):
            X, y = features_that_go_together(seed)
            model = AROW(r, covariance=covariance, random_state=0).fit(X[learned], y[learned])
            wrong.append(1 - model.score(X[tried], y[tried]))
        return np.mean(wrong)

    full, diagonal = (
        [error(covariance, r) for r in (0.1, 1.0, 10.0)] for covariance in ("full", "diagonal")
    )

    assert max(full) < 0.5 * min(diagonal)
    assert max(full) < 0.08


@pytest.mark.parametrize("classes", [2, 3])
def test_names_that_come_one_by_one_leave_the_weights_of_a_table(classes):
    X, y = real_numbers(classes=classes, width=7)
    names = [f"x{k}" for k in range(7)]
    model = AROW(covariance="full").declare(classes=range(classes))
    for x, label in zip(X, y.tolist(), strict=True):
        model.learn_one(dict(zip(names, x.tolist(), strict=True)), label)

    table = AROW(covariance="full").partial_fit(X, y, classes=range(classes))

    np.testing.assert_array_equal(model.coef_, table.coef_)
    np.testing.assert_array_equal(model.variances_, table.variances_)


def test_late_features_start_unsure_and_alone():
    X, y = real_numbers(width=3)
    model = AROW(covariance="full").declare(classes=[0, 1], names="abc")
    for x, label in zip(X, y.tolist(), strict=True):
        model.learn_one(dict(zip("abc", x.tolist(), strict=True)), label)
    before = model._state.weights.covariance.copy()

    model.learn_one({"d": 0.0, "a": 0.0}, 0, w=0.0)

    after = model._state.weights.covariance
    np.testing.assert_array_equal(after[:4, :4], before)
    np.testing.assert_array_equal(after[4], [0, 0, 0, 0, 1])


def test_late_classes_keep_the_covariance_of_the_others():
    X, y = real_numbers(classes=3, width=2)
    model = AROW(covariance="full").partial_fit(X, y, classes=[0, 1, 2])
    four = (3, 4, 3, 4)  # the constant and the features, by classes and one to fill them up
    before = model._state.weights.covariance.reshape(four).copy()

    model.partial_fit(X[:1], [0], classes=[-1, 0, 1, 2, 3], sample_weight=[0.0])

    after = model._state.weights.covariance.reshape(3, 8, 3, 8)
    np.testing.assert_array_equal(after[:, 1:4, :, 1:4], before[:, :3, :, :3])
    np.testing.assert_array_equal(after[:, 0, :, 0], np.eye(3))
    assert not after[:, 0, :, 1:].any()


def test_a_model_with_a_full_covariance_is_saved_loaded_and_goes_on(tmp_path):
    X, y = real_numbers(classes=3)
    model = AROW(covariance="full").partial_fit(X, y, classes=[0, 1, 2])
    save(model, tmp_path / "full.rbt")

    loaded = load(tmp_path / "full.rbt")

    assert loaded.get_params() == model.get_params()
    for each in (loaded, model):
        each.partial_fit(X, y)
    np.testing.assert_array_equal(loaded.coef_, model.coef_)
    np.testing.assert_array_equal(loaded.variances_, model.variances_)


def test_more_weights_than_a_covariance_is_kept_of_are_refused_with_the_way_out():
    X = np.zeros((2, 1024))
    X[1, 0] = 1.0

    AROW(covariance="full").fit(X, [0, 1])
    with pytest.raises(ValueError, match="is for up to 2,048 weights, but 1,024 features and the "):
        AROW(covariance="full").fit(np.vstack([X, X]), [0, 1, 2, 3])
    with pytest.raises(ValueError, match="set covariance='diagonal'"):
        AROW(covariance="full").declare(classes=[0, 1], names=range(2048))


def test_the_covariance_cannot_change_on_a_model():
    model = AROW().fit(*real_numbers())

    with pytest.raises(ValueError, match="The covariance cannot change on a model"):
        model.set_params(covariance="full").partial_fit(*real_numbers())
    with pytest.raises(ValueError, match="covariance must be 'diagonal' or 'full'"):
        AROW(covariance="all").fit(*real_numbers())
