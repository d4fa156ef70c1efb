"""Weights of half the size tell nothing where they leave a doubt.

Predictions stay the same, and so does all that is learned.
"""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import native
from members import assert_same_model
from native import LEVELS
from rosenblatt import AveragedPerceptron, Perceptron

CLASSES = 11


def rows(n, width, *, dense, integers, rng):
    X = sparse.random_array((n, width), density=0.4, rng=rng, format="csr")
    if integers:
        X.data = np.ceil(4 * X.data)
    return X.toarray() if dense else X


def near_ties(weights, rng):
    """Each class copies its neighbour but for the last bits of a double."""
    weights[:, 1:CLASSES:2] = weights[:, : CLASSES - 1 : 2] * (1 + 1e-12 * rng.normal(size=(41, 5)))


def ties(weights, rng):
    weights[:, 1:CLASSES:2] = weights[:, : CLASSES - 1 : 2]


def large(weights, rng):
    weights *= 1e60


def tiny(weights, rng):
    weights *= 1e-46


def mixed(weights, rng):
    weights *= 10.0 ** rng.integers(-45, 45, weights.shape)


def nothing_learned(weights, rng):
    weights[:] = 0


def as_learned(weights, rng):
    pass


KINDS = [as_learned, near_ties, ties, large, tiny, mixed, nothing_learned]


@pytest.mark.parametrize("core", LEVELS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("averaged", [False, True])
@pytest.mark.parametrize("integers", [False, True])
def test_single_precision_weights_predict_as_the_weights_do(core, kind, dense, averaged, integers):
    rng = np.random.default_rng(7)
    X = rows(300, 40, dense=dense, integers=integers, rng=rng)
    weights, missed = np.zeros((41, 12)), np.zeros((41, 12)) if averaged else None
    for each in (weights, missed):
        if each is not None:
            each[:, :CLASSES] = rng.normal(size=(41, CLASSES))
            kind(each, rng)
    wide, float32 = (
        native.predict(
            core, X, weights, missed=missed, counted=9.0, classes=CLASSES, float32=float32
        )
        for float32 in (False, True)
    )
    np.testing.assert_array_equal(float32, wide)


@pytest.mark.parametrize("core", LEVELS)
@pytest.mark.parametrize("size", [1e-120, 1e-130, 1e-160, 1e-200, 1e70])
def test_rows_of_any_size_leave_as_much_doubt(core, size):
    """Squares of tiny values are lost, but not the doubt about them."""
    rng = np.random.default_rng(8)
    X = size * rows(300, 40, dense=False, integers=False, rng=rng)
    weights = np.zeros((41, 12))
    weights[:, :CLASSES] = rng.normal(size=(41, CLASSES))
    weights[-1] = 0
    near_ties(weights, rng)
    wide, float32 = (
        native.predict(core, X, weights, classes=CLASSES, float32=float32)
        for float32 in (False, True)
    )
    np.testing.assert_array_equal(float32, wide)


@pytest.mark.parametrize("core", LEVELS)
def test_a_score_beyond_all_numbers_is_found(core):
    """Single-precision weights may not hide what the weights themselves would have shown."""
    X = np.full((3, 2), 1e300)
    X[2] = np.nan
    weights = np.zeros((3, 4))
    weights[:, 0], weights[:, 1] = 1e10, -1e10
    out = np.empty(3, dtype=np.int64)
    half = core.SinglePrecision(weights, None, 1.0)
    fault = core.predict(core.dense(X), weights, None, 1.0, 1.0, 3, core.Ties.first, out, half)
    assert fault == ("value", 0, 0, 1e300)


@pytest.mark.parametrize("core", LEVELS)
def test_single_precision_weights_of_another_model_are_refused(core):
    weights, out = np.zeros((3, 4)), np.empty(1, dtype=np.int64)
    half = core.SinglePrecision(np.zeros((4, 4)), None, 1.0)
    rows = core.dense(np.ones((1, 2)))
    with pytest.raises(ValueError, match="those of several classes"):
        core.predict(rows, weights, None, 1.0, 1.0, 3, core.Ties.first, out, half)


@pytest.mark.parametrize("estimator", [Perceptron, AveragedPerceptron])
def test_a_large_model_predicts_what_its_scores_say(estimator):
    """With 1.5 MB of weights, from so many rows that it pays to make float32 ones."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 20, 4_000)
    words = rng.integers(0, 500, (4_000, 8)) * 20 + np.where(
        rng.random((4_000, 8)) < 0.2, y[:, None], rng.integers(0, 20, (4_000, 8))
    )
    X = sparse.csr_array(
        (np.ones(words.size), words.ravel(), np.arange(0, words.size + 1, 8)), shape=(4_000, 10_000)
    )
    X.sum_duplicates()
    model = estimator(max_iter=2, random_state=0).fit(X, y)
    many = sparse.vstack([X] * 2, format="csr")
    expected = model.classes_[model.decision_function(many).argmax(axis=1)]
    np.testing.assert_array_equal(model.predict(many), expected)
    assert model._state.weights.scoring._single is not None
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(many), expected)
    model.partial_fit(X[:50], y[:50])
    expected = model.classes_[model.decision_function(many).argmax(axis=1)]
    np.testing.assert_array_equal(model.predict(many), expected)


LEARNERS = [
    Perceptron(record=True),
    Perceptron(ties="predict", unit_length=True),
    Perceptron(class_weight="balanced", fit_intercept=False),
    AveragedPerceptron(record=True, shuffle="blocks"),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("integers", [False, True])
@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_single_precision_weights_learn_as_the_weights_do(learner, integers, noise, monkeypatch):
    rng = np.random.default_rng(5)
    X = rows(400, 60, dense=False, integers=integers, rng=rng)
    y = np.argmax(X @ rng.normal(size=(60, CLASSES)), axis=1)
    y = np.where(rng.random(400) < noise, rng.integers(0, CLASSES, 400), y)
    learner = clone(learner).set_params(max_iter=8, random_state=0)
    expected = clone(learner).fit(X, y)
    for name in ("LARGER_THAN_ALL_CACHES", "STORED_TO_PAY_FOR_A_ROW"):
        monkeypatch.setattr(f"rosenblatt.training.weight_scores.{name}", 0)

    found = learner.fit(X, y)

    assert_same_model(found, expected)
    assert [p[:2] for p in found.history_] == [p[:2] for p in expected.history_]
    assert expected.n_updates_ > 0
    np.testing.assert_equal(found.bracket_, expected.bracket_)
    if learner.record:
        np.testing.assert_equal(found.mistakes_, expected.mistakes_)


@pytest.mark.parametrize("core", LEVELS)
@pytest.mark.parametrize(
    ("slots", "dense", "rule"),
    [
        (16, False, "PerceptronRule"),
        (12, True, "PerceptronRule"),
        (12, False, "PassiveAggressiveRule"),
    ],
)
def test_only_those_of_a_perceptron_of_several_classes_on_compressed_rows_may_learn(
    core, slots, dense, rule
):
    X = np.ones((1, 2)) if dense else sparse.csr_array(np.ones((1, 2)))
    problem = core.Problem(
        native.rows_of(core, X), np.zeros(1, dtype=np.int32), 3,
        1.0, False, False, core.Ties.first, None, None,
    )  # fmt: skip
    made = core.PerceptronRule() if rule == "PerceptronRule" else getattr(core, rule)(1.0, 0.0)
    of_others = core.SinglePrecision(np.zeros((slots // 4, 4)), None, 1.0)
    with pytest.raises(ValueError, match="for the perceptron, several classes"):
        core.learn(
            problem, made, np.zeros((3, 4)), None, None,
            np.zeros(3, dtype=np.int64), None, 0, 1, False, float32=of_others,
        )  # fmt: skip
