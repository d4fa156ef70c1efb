"""Learning in pieces: a run cut up, pickled or refused midway ends as the whole run does."""

import copy
import pickle
from itertools import pairwise
from tempfile import TemporaryDirectory

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from data import real_numbers, whole_numbers
from members import assert_same_model, weights_of
from rosenblatt import AROW, PassiveAggressiveClassifier

CLASSES = [2, 3, 6]
ORDERS = [True, "once", "blocks", False]


def pieces_of(count, cuts):
    bounds = [0, *sorted(cuts), count]
    return [slice(a, b) for a, b in pairwise(bounds) if a < b]


@pytest.mark.parametrize("container", [np.array, sparse.csr_array])
@pytest.mark.parametrize("classes", CLASSES)
def test_partial_fit_is_one_unshuffled_pass(member, classes, container):
    X, y = real_numbers(classes=classes)
    X = container(X)

    model = member.new().partial_fit(X, y, classes=range(classes))

    assert_same_model(model, member.new(shuffle=False, max_iter=1).fit(X, y))


@settings(max_examples=15)
@given(cuts=st.sets(st.integers(1, 59)), classes=st.sampled_from(CLASSES))
def test_batches_add_up_to_the_whole(member, cuts, classes):
    X, y = real_numbers(classes=classes)
    model = member.new()

    for piece in pieces_of(60, cuts):
        model.partial_fit(X[piece], y[piece], classes=range(classes))

    assert_same_model(model, member.new().partial_fit(X, y, classes=range(classes)))


@pytest.mark.parametrize("classes", CLASSES)
def test_batches_with_weights_add_up_to_the_whole(member, classes):
    X, y = real_numbers(classes=classes)
    weights = np.random.default_rng(3).uniform(0, 2, size=60)
    model = member.new()

    for piece in pieces_of(60, [1, 2, 30]):
        model.partial_fit(X[piece], y[piece], range(classes), weights[piece])

    assert_same_model(model, member.new(shuffle=False, max_iter=1).fit(X, y, weights))


@pytest.mark.parametrize("shuffle", ORDERS)
@pytest.mark.parametrize("classes", [2, 4])
def test_warm_starts_add_up_to_one_run(member, classes, shuffle):
    """Pass numbers go on, so that even shuffled orders are those of the longer run."""
    X, y = real_numbers(count=100, classes=classes)
    options = {"shuffle": shuffle, "random_state": 4}

    model = member.new(warm_start=True, **options)
    for passes in (3, 1, 2):
        model.set_params(max_iter=passes).fit(X, y)

    whole = member.new(max_iter=6, **options).fit(X, y)
    assert whole.n_iter_ == model.n_iter_ == 6
    assert_same_model(model, whole)


def test_a_warm_start_on_nothing_is_a_start(member):
    X, y = whole_numbers()

    model = member.new(warm_start=True, random_state=0).fit(X, y)

    assert_same_model(model, member.new(random_state=0).fit(X, y))


def test_without_warm_start_fit_begins_afresh(member):
    X, y = whole_numbers(seed=1)
    model = member.new(random_state=0).fit(*whole_numbers(seed=2, width=5, classes=3))

    model.fit(X, y)

    assert_same_model(model, member.new(random_state=0).fit(X, y))
    assert model.n_features_in_ == X.shape[1]


def test_fit_and_partial_fit_may_follow_each_other(member):
    X, y = member.numbers(count=50, classes=3)
    options = {"shuffle": False, "max_iter": 1}
    twice = np.concatenate([X, X]), np.concatenate([y, y])

    fit_first = member.new(**options).fit(X, y).partial_fit(X, y)
    fit_last = member.new(warm_start=True, **options).partial_fit(X, y, classes=range(3)).fit(X, y)

    whole = member.new(**options).fit(*twice)
    assert_same_model(fit_first, whole)
    assert_same_model(fit_last, whole)


def pickled(model):
    return pickle.loads(pickle.dumps(model))


def mapped(model):
    """As joblib hands a large model to its workers: in arrays that may only be read."""
    with TemporaryDirectory() as folder:
        joblib.dump(model, f"{folder}/model")
        return joblib.load(f"{folder}/model", mmap_mode="r")


@pytest.mark.parametrize("copied", [pickled, mapped, copy.deepcopy])
@pytest.mark.parametrize("classes", CLASSES)
def test_a_pickled_model_continues_as_if_never_interrupted(member, classes, copied):
    X, y = real_numbers(count=90, classes=classes)
    model = member.new(record=True).partial_fit(X[:40], y[:40], classes=range(classes))
    model.predict(X)

    other = copied(model)
    assert_same_model(other, model)
    for each in (model, other):
        each.partial_fit(X[40:], y[40:])

    assert_same_model(other, model)
    np.testing.assert_array_equal(other.mistakes_, model.mistakes_)
    np.testing.assert_array_equal(other.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("copied", [pickled, mapped])
@pytest.mark.parametrize("shuffle", ORDERS)
def test_a_pickled_model_takes_up_its_passes(member, shuffle, copied):
    X, y = real_numbers(count=90)
    model = member.new(warm_start=True, shuffle=shuffle, random_state=8, max_iter=2).fit(X, y)

    other = copied(model).set_params(max_iter=3).fit(X, y)

    whole = member.new(shuffle=shuffle, random_state=8, max_iter=5).fit(X, y)
    assert_same_model(other, whole)


@pytest.mark.parametrize("copied", [pickled, mapped])
def test_a_pickled_model_goes_on_from_single_examples(stream_member, copied):
    X, y = real_numbers()
    model = stream_member.new(record=True).fit(X, y)
    other = copied(model)

    assert [other.score_one(x) for x in X] == [model.score_one(x) for x in X]
    for each in (model, other):
        each.learn_one(X[0], 1 - y[0])

    assert_same_model(other, model)
    np.testing.assert_array_equal(other.mistakes_, model.mistakes_)


def test_a_pickled_copy_shares_nothing_with_its_original(member):
    X, y = whole_numbers()
    model = member.new().partial_fit(X[:30], y[:30], classes=[0, 1])
    before = weights_of(model).copy()

    pickled(model).partial_fit(X[30:], y[30:])

    np.testing.assert_array_equal(weights_of(model), before)


# Calls that fail


def state_of(model):
    """All that a caller can see of a model."""
    return (
        weights_of(model).tobytes(),
        model.decision_function(np.eye(model.n_features_in_)).tobytes(),
        model.classes_.tolist(),
        (model.n_features_in_, model.t_, model.n_updates_, model.n_iter_, model.converged_),
        list(model.history_),
        model.mistakes_.tolist(),
    )


def with_nan(X):
    X = X.copy()
    X[-1, -1] = np.nan
    return X


FAILING = {
    "NaN in the last row": lambda model, X, y: model(with_nan(X), y),
    "too few labels": lambda model, X, y: model(X, y[:-1]),
    "labels of one dimension too many": lambda model, X, y: model(X, np.column_stack([y, y])),
    "no labels": lambda model, X, y: model(X, None),
    "no rows": lambda model, X, y: model(X[:0], y[:0]),
    "no columns": lambda model, X, y: model(X[:, :0], y),
    "a negative weight": lambda model, X, y: model(X, y, sample_weight=-np.ones(len(X))),
    "too few weights": lambda model, X, y: model(X, y, sample_weight=np.ones(3)),
}
"""Calls of fit or partial_fit that must be refused."""


@pytest.mark.parametrize("failure", FAILING)
@pytest.mark.parametrize("method", ["fit", "warm fit", "partial_fit"])
def test_a_call_that_fails_leaves_the_model_as_it_was(member, method, failure):
    X, y = real_numbers(count=40, classes=3)
    model = member.new(record=True, random_state=0, max_iter=2).fit(X, y)
    model.set_params(warm_start=method == "warm fit")
    before = state_of(model)

    with pytest.raises(ValueError, match=r"."):
        FAILING[failure](getattr(model, method.split()[-1]), X, y)

    assert state_of(model) == before


@pytest.mark.parametrize("method", ["warm fit", "partial_fit"])
def test_a_stranger_among_the_labels_leaves_the_model_as_it_was(member, method):
    X, y = real_numbers(count=40, classes=3)
    model = member.new(record=True, random_state=0, warm_start=True).fit(X, y)
    before = state_of(model)
    y[-1] = 7

    with pytest.raises(ValueError, match="y holds the label"):
        getattr(model, method.split()[-1])(X, y)

    assert state_of(model) == before


def test_a_batch_that_fails_does_not_admit_its_classes(member):
    X, y = real_numbers(count=40)
    model = member.new(record=True).partial_fit(X, y, classes=[0, 1])
    before = state_of(model)

    with pytest.raises(ValueError, match="NaN"):
        model.partial_fit(with_nan(X), y, classes=[0, 1, 2])

    assert state_of(model) == before


def test_a_first_call_that_fails_leaves_the_model_unfitted(member):
    X, y = real_numbers(count=40)
    model = member.new()

    for call in (model.fit, model.partial_fit):
        with pytest.raises(ValueError, match=r"."):
            call(with_nan(X), y)

    assert not hasattr(model, "coef_")
    assert not hasattr(model, "classes_")
    assert not hasattr(model, "n_features_in_")


TOO_SHORT = [[-1.0, 3.0], [0.0, 1e-80]], [0, 1]
"""The second row is so short that the step to a margin of one is beyond all numbers."""


def model_without_cap():
    model = PassiveAggressiveClassifier(
        variant="PA", fit_intercept=False, shuffle=False, max_iter=1, record=True
    )
    return model.fit([[1.0, 0], [0, 1.0]], [0, 1])


def test_a_fit_whose_weights_grow_too_large_leaves_the_model_as_it_was():
    model = model_without_cap()
    before = state_of(model)

    with pytest.raises(ValueError, match="The weights grew too large at row 1 of X"):
        model.fit(*TOO_SHORT)

    assert state_of(model) == before


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_learning_on_until_weights_grow_too_large_leaves_the_model_as_it_was(method):
    model = model_without_cap().set_params(warm_start=True)
    before = state_of(model)

    with pytest.raises(ValueError, match="The weights grew too large at row 1 of X"):
        getattr(model, method)(*TOO_SHORT)

    assert state_of(model) == before


@pytest.mark.parametrize("covariance", ["diagonal", "full"])
@pytest.mark.parametrize("width", [3, 20_000])
def test_what_was_learned_of_a_sparse_batch_is_undone_where_it_is_refused(width, covariance):
    if covariance == "full":
        width = min(width, 300)
    model = AROW(covariance=covariance, average=True, record=True)
    model.partial_fit(sparse.eye_array(3, width, format="csr"), [0, 1, 1], classes=[0, 1])
    before = state_of(model)
    batch = sparse.csr_array(np.array([[1.0, 2.0, 0], [1, 2, 0], [1, 2, 1], [1, 2, 0]]))
    batch = sparse.csr_array((batch.data, batch.indices, batch.indptr), shape=(4, width))

    with pytest.raises(ValueError, match=r"The weights grew too large at row [123] of X"):
        model.partial_fit(batch, [1, 0, 1, 0], sample_weight=1e75)

    assert state_of(model) == before


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("container", [np.array, sparse.csr_array])
def test_a_row_too_short_to_be_scaled_to_length_one_is_refused(stream_member, classes, container):
    """Its squares would vanish, and nothing would be learned from it."""
    X, y = np.eye(classes) * 1e-200, range(classes)
    model = stream_member.new(unit_length=True, fit_intercept=False)

    with pytest.raises(ValueError, match=r"Row \d of X is too short to be scaled"):
        model.fit(container(X), y)

    assert not hasattr(model, "coef_")
    np.testing.assert_array_equal(model.fit(container(X * 1e100), y).predict(X * 1e100), y)
    rows_of_zeros = container(np.vstack([np.eye(classes), np.zeros((2, classes))]))
    model.fit(rows_of_zeros, [*y, 0, 1])


def test_one_example_too_short_to_be_scaled_to_length_one_is_refused(stream_member):
    model = stream_member.new(unit_length=True, fit_intercept=False, record=True).declare(
        classes=[0, 1]
    )
    model.learn_one([1.0, 0.0], 1)
    before = state_of(model)

    with pytest.raises(ValueError, match="x is too short to be scaled to length one"):
        model.learn_one([1e-200, 0.0], 0)

    assert state_of(model) == before
