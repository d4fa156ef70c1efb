"""What a file keeps beside weights: runs stopped early, growing names, supports, combinations."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from data import real_numbers
from interrupts import CtrlC, lines_of
from members import MEMBERS, STREAM_MEMBERS
from refusals import is_one_sentence
from rosenblatt import (
    FeatureCombinations,
    KernelPerceptron,
    Perceptron,
    VotedPerceptron,
    load,
    save,
)
from rosenblatt.training import passes
from states import assert_same_state
from subprocesses import in_a_child

ALL = [pytest.param(member, id=str(member)) for member in MEMBERS]
SINGLE = [pytest.param(member, id=str(member)) for member in STREAM_MEMBERS]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.rbt"


def saved_and_loaded(model, path):
    save(model, path)
    return load(path)


# Runs that are stopped early


@pytest.mark.parametrize("member", ALL)
def test_a_run_that_went_back_to_its_best_pass_comes_back(member, path):
    X, y = real_numbers(count=120, classes=3)
    options = {"early_stopping": True, "n_iter_no_change": 2, "record": True}
    model = member.new(random_state=2, max_iter=30, warm_start=True, **options).fit(X, y)

    other = saved_and_loaded(model, path)

    assert_same_state(model, other)
    assert other.best_iter_ == model.best_iter_
    assert_same_state(model.fit(X, y), other.fit(X, y))


@pytest.mark.parametrize("turn", [0.4, 0.7])
@pytest.mark.parametrize("member", ALL)
def test_a_watched_run_that_was_interrupted_goes_on_after_loading(member, turn, path):
    X, y = real_numbers(count=120, classes=3)
    options = {"early_stopping": True, "n_iter_no_change": 3, "max_iter": 6, "warm_start": True}

    def check():
        passes.WORK_PER_CALL = 300
        model, whole = (member.new(random_state=1, **options) for _ in range(2))
        lines = lines_of(lambda: whole.fit(X, y))
        with pytest.raises(KeyboardInterrupt), CtrlC(int(turn * lines)):
            model.fit(X, y)
        other = saved_and_loaded(model, path)
        assert_same_state(model, other)
        return assert_same_state(other.fit(X, y), whole)

    in_a_child(check)


# Single examples


STREAM = [
    ({"länge": 1.0, "b": -2.0}, "yes"),
    ({"b": 1.0, 7: 0.5}, "no"),
    ({"c": 3.0}, "maybe"),
    ({"länge": 2.0, "d\0 \ud800": 1.0}, "no"),
    ({"e": 1.0, "c": -1.0}, "yes"),
]


@pytest.mark.parametrize("seen", range(len(STREAM) + 1))
@pytest.mark.parametrize("member", SINGLE)
def test_names_and_classes_go_on_growing_after_loading(member, seen, path):
    model = member.new(random_state=0, record=True).declare()
    for x, label in STREAM[:seen]:
        model.learn_one(x, label)

    other = saved_and_loaded(model, path)
    assert_same_state(model, other)
    for x, label in STREAM[seen:]:
        assert other.predict_one(x) == model.predict_one(x)
        for each in (model, other):
            each.learn_one(x, label)

    assert_same_state(model, other)
    assert other.feature_names_in_.tolist() == ["länge", "b", 7, "c", "d\0 \ud800", "e"]


def test_a_name_that_is_neither_string_nor_number_is_refused_in_a_sentence(path):
    model = Perceptron()
    model.learn_one({("a", 1): 1.0}, "yes")

    with pytest.raises(ValueError, match=r"feature named \('a', 1\) cannot be saved") as caught:
        save(model, path)

    assert is_one_sentence(str(caught.value))


def test_numbered_columns_and_tables_mix_after_loading(path):
    X, y = real_numbers(count=30, width=4)
    model = Perceptron(random_state=0)
    for row, label in zip(X[:10], y[:10], strict=True):
        model.learn_one(row, label)

    other = saved_and_loaded(model, path)
    for each in (model, other):
        each.partial_fit(X[10:], y[10:])

    assert_same_state(model, other)


# Supports


KERNELS = ["linear", "poly", "rbf", "sigmoid", "laplacian", "cosine", "chi2"]
MODES = [{}, {"average": True}, {"vote": True}, {"budget": 8}]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csc_matrix])
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_supports_come_back_dense_or_sparse(mode, form, path):
    X, y = real_numbers(count=60, width=6, classes=3)
    X = form(np.where(np.abs(X) > 0.5, X, 0.0))
    model = KernelPerceptron(random_state=0, record=True, max_iter=3, **mode).fit(X, y)

    other = saved_and_loaded(model, path)

    assert_same_state(model, other)
    np.testing.assert_array_equal(other.decision_function(X), model.decision_function(X))
    assert_same_state(model.partial_fit(X, y), other.partial_fit(X, y))


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_that_has_a_name_can_be_saved(kernel, path):
    X, y = real_numbers(count=40)
    X = np.abs(X)
    model = KernelPerceptron(kernel=kernel, degree=2, coef0=0.5, random_state=0).fit(X, y)

    other = saved_and_loaded(model, path)

    np.testing.assert_array_equal(other.decision_function(X), model.decision_function(X))
    assert_same_state(model, other)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_precomputed_kernels_can_be_saved(mode, path):
    X, y = real_numbers(count=40)
    options = {"kernel": "precomputed", "random_state": 0, "warm_start": True, "max_iter": 2}
    model = KernelPerceptron(**options, **mode).fit(X @ X.T, y)

    other = saved_and_loaded(model, path)

    assert_same_state(model, other)
    assert_same_state(model.fit(X @ X.T, y), other.fit(X @ X.T, y))


def test_another_kernel_is_refused_after_loading_as_before(path):
    X, y = real_numbers(count=40)
    model = KernelPerceptron(gamma="auto").fit(X, y)

    other = saved_and_loaded(model, path)

    with pytest.raises(ValueError, match="The kernel cannot change"):
        other.set_params(gamma=2.0).partial_fit(X, y)


@pytest.mark.parametrize("afterwards", [{}, {"kernel": "rbf"}])
def test_a_kernel_that_is_a_function_is_refused_in_a_sentence(afterwards, path):
    X, y = real_numbers(count=40)
    model = KernelPerceptron(kernel=lambda A, B: A @ B.T).fit(X, y).set_params(**afterwards)

    with pytest.raises(ValueError, match="kernel is a function cannot be saved") as caught:
        save(model, path)

    assert is_one_sentence(str(caught.value))
    assert not path.exists()


# Rows of mistakes


def test_rows_of_mistakes_are_kept_once_however_often_fit_was_called(path):
    X, y = real_numbers(count=60)
    options = {"random_state": 0, "warm_start": True, "record": True}
    apart = VotedPerceptron(max_iter=1, **options)
    for _ in range(4):
        apart.fit(X, y)
    together = VotedPerceptron(max_iter=4, **options).fit(X, y)

    other = saved_and_loaded(apart, path)

    mine, its = other._state.mistakes, together._state.mistakes
    np.testing.assert_array_equal(mine.list, its.tidy().list)
    assert mine.used.tolist() == its.used.tolist()
    np.testing.assert_array_equal(other.average_.coef_, together.average_.coef_)


@pytest.mark.parametrize("record", [False, True])
def test_mistakes_on_rows_without_features_are_kept_too(record, path):
    """They move nothing where there is no intercept, but count as updates."""
    options = {"fit_intercept": False, "max_iter": 1, "shuffle": False, "record": record}
    model = VotedPerceptron(**options).fit([[0.0], [1.0], [0.0]], [1, 0, 1])

    other = saved_and_loaded(model, path)

    assert other.n_updates_ == 3
    for each in (model, other):
        each.partial_fit([[0.0], [2.0]], [1, 0])
        assert each.decision_function([[-1.0]]).tolist() == [1.0]
    assert_same_state(other, model)


def test_a_voter_that_was_not_recorded_tells_its_mistakes_until_it_is_saved(path):
    """A file has all that votes; which example it was, it has only where that is recorded."""
    X, y = real_numbers(count=60)
    model = VotedPerceptron(random_state=0).fit(X, y)
    recorded = VotedPerceptron(random_state=0, record=True).fit(X, y)

    other = saved_and_loaded(model, path)

    np.testing.assert_array_equal(model.set_params(record=True).mistakes_, recorded.mistakes_)
    assert len(other.set_params(record=True).mistakes_) == 0
    before = len(recorded.mistakes_)
    for each in (other, recorded):
        each.partial_fit(X, y)
    later = recorded.mistakes_[before:]
    np.testing.assert_array_equal(other.mistakes_, later)
    np.testing.assert_array_equal(saved_and_loaded(other, path).mistakes_, later)


# Combinations


@pytest.mark.parametrize("columns", ["seen", "all", "hashed"])
@pytest.mark.parametrize("degree", [2, 3])
def test_combinations_come_back(degree, columns, path):
    X = pd.DataFrame(np.round(real_numbers(count=30, width=5)[0]), columns=list("abcde"))
    model = FeatureCombinations(degree, columns=columns, n_hash_bits=6).fit(X)

    other = saved_and_loaded(model, path)

    assert_same_state(model, other)
    assert other.get_feature_names_out().tolist() == model.get_feature_names_out().tolist()
    table, expected = other.transform(X), model.transform(X)
    difference = table - expected
    assert not np.abs(difference).sum()
