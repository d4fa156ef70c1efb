"""The perceptron through a kernel, learning on: batches, warm starts, best passes, budgets."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_circles
from sklearn.metrics.pairwise import rbf_kernel

import reference
from data import real_numbers, whole_numbers
from kernels import CLASSES, MEMORIES, rings
from rosenblatt import KernelPerceptron
from rosenblatt.models import dual_training


def test_dense_and_sparse_batches_may_follow_each_other():
    X, y = whole_numbers(classes=3)
    whole = KernelPerceptron(kernel="linear").partial_fit(X, y, classes=range(3))

    for first, second in [(np.array, sparse.csr_array), (sparse.csr_array, np.array)]:
        model = KernelPerceptron(kernel="linear")
        model.partial_fit(first(X[:30]), y[:30], classes=range(3))
        model.partial_fit(second(X[30:]), y[30:])
        assert_array_equal(model.coef_, whole.coef_)
        assert_array_equal(model.predict(second(X)), whole.predict(X))


# Pieces


@pytest.mark.parametrize("memory", [*MEMORIES, {"budget": 12}], ids=str)
@pytest.mark.parametrize("classes", CLASSES)
def test_batches_are_one_pass_in_order(classes, memory):
    X, y = whole_numbers(count=400, classes=classes)
    options = {"gamma": 0.1, "random_state": 5, **memory}
    whole = KernelPerceptron(shuffle=False, max_iter=1, **options).fit(X, y)

    model = KernelPerceptron(**options)
    for start in range(0, 400, 37):
        piece = slice(start, start + 37)
        model.partial_fit(X[piece], y[piece], classes=range(classes))

    assert_array_equal(model.support_, whole.support_)
    assert_array_equal(model.dual_coef_, whole.dual_coef_)
    assert_allclose(model.decision_function(X), whole.decision_function(X), atol=1e-9)


@pytest.mark.parametrize("memory", [*MEMORIES, {"budget": 12}], ids=str)
def test_blocks_of_any_size_give_the_same_model(memory, monkeypatch):
    X, y = whole_numbers(count=90, classes=3)
    model = KernelPerceptron(gamma=0.1, random_state=0, max_iter=4, **memory)
    whole = clone(model).fit(X, y)

    for size in (1, 7):
        monkeypatch.setattr(dual_training, "EXAMPLES_PER_BLOCK", size)
        model.fit(X, y)
        assert_array_equal(model.support_, whole.support_)
        assert_array_equal(model.dual_coef_, whole.dual_coef_)
        assert model.n_updates_ == whole.n_updates_


@pytest.mark.parametrize("memory", [*MEMORIES, {"budget": 12}], ids=str)
def test_a_pickled_model_predicts_and_learns_on(memory):
    X, y = whole_numbers(classes=3)
    model = KernelPerceptron(gamma=0.1, random_state=0, max_iter=2, **memory).fit(X, y)

    copy = pickle.loads(pickle.dumps(model))

    for one in (model, copy):
        one.partial_fit(X[::-1], y[::-1])
    assert_array_equal(copy.decision_function(X), model.decision_function(X))
    assert_array_equal(copy.dual_coef_, model.dual_coef_)


def test_a_warm_start_knows_the_supports_that_it_meets_again():
    X, y = whole_numbers()
    model = KernelPerceptron(gamma=0.1, max_iter=2, warm_start=True, random_state=0).fit(X, y)
    model.fit(X, y)

    whole = KernelPerceptron(gamma=0.1, max_iter=4, random_state=0).fit(X, y)
    assert_array_equal(model.support_, whole.support_)
    assert_array_equal(model.dual_coef_, whole.dual_coef_)

    other = X + 0.5
    before = model.support_vectors_
    model.fit(other, y)
    assert (model.support_[: len(before)] == -1).all()
    assert_array_equal(model.support_vectors_[: len(before)], before)


def test_a_class_that_comes_late_changes_no_vote_between_the_others():
    X, y = whole_numbers(classes=2)
    model = KernelPerceptron(gamma=0.1, vote=True).partial_fit(X, y, classes=[0, 1])
    votes = model.decision_function(X)

    model.partial_fit(X[:1], y[:1], classes=[-1, 0, 1])

    shares = model.decision_function(X)
    decided = shares[:, 0] == 0
    assert decided.any()
    assert_allclose(shares[decided].sum(axis=1), 1)
    assert (np.abs(shares[:, 2] - shares[:, 1] - votes)[decided] <= 2 / len(X)).all()


# Held-out rows


@pytest.mark.parametrize("memory", [*MEMORIES, {"budget": 30}], ids=str)
def test_early_stopping_goes_back_to_the_supports_of_the_best_pass(memory):
    """C26: through the kernel, and for coefficients that predict in every way."""
    X, y = rings(noise=0.4)
    new, new_y = make_circles(100, noise=0.4, factor=0.4, random_state=1)
    options = {"gamma": 1.0, "random_state": 0, "record": True, **memory}

    model = KernelPerceptron(early_stopping=True, n_iter_no_change=3, max_iter=20, **options)
    model.fit(X, y, X_val=new, y_val=new_y)

    assert model.best_iter_ < len(model.history_)
    then = KernelPerceptron(max_iter=model.best_iter_, **options).fit(X, y)
    assert_array_equal(model.support_, then.support_)
    assert_array_equal(model.dual_coef_, then.dual_coef_)
    assert_array_equal(model.mistakes_, then.mistakes_)
    assert_array_equal(model.decision_function(new), then.decision_function(new))
    error = model.history_[model.best_iter_ - 1].validation_error
    assert error == np.mean(then.predict(new) != new_y)


@pytest.mark.parametrize("memory", MEMORIES[1:], ids=str)
def test_the_error_of_the_last_coefficients_is_told_beside_that_of_mean_and_vote(memory):
    X, y = rings(noise=0.4)
    new, new_y = make_circles(100, noise=0.4, factor=0.4, random_state=1)
    options = {"gamma": 1.0, "max_iter": 5, "random_state": 0}

    model, plain = (
        KernelPerceptron(**options, **how).fit(X, y, X_val=new, y_val=new_y) for how in (memory, {})
    )

    last = [done.last_validation_error for done in model.history_]
    assert last == [done.validation_error for done in plain.history_]
    assert last != [done.validation_error for done in model.history_]
    assert {done.last_validation_error for done in plain.history_} == {None}


# Budgets


@pytest.mark.parametrize("budget", [1, 3, 10])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_stream_never_holds_more_supports_than_its_budget(classes, budget):
    X, y = real_numbers(count=80, classes=classes)
    model = KernelPerceptron(budget=budget, gamma=1.0, random_state=0)

    for x, label in zip(X, y, strict=True):
        model.partial_fit([x], [label], classes=range(classes))
        assert len(model.support_) <= budget

    assert len(model.support_) == len(model.support_vectors_) == budget
    assert_array_equal(model.dual_coef_.sum(axis=1), model.intercept_)
    assert model.n_updates_ > budget


def test_a_budget_walk_forgets_one_support_at_a_time_and_else_learns_as_ever():
    """Cavallanti et al. (2007): the twin, told which support went, holds the same ones."""
    X, y = real_numbers(count=120, width=3)
    signs = 2 * y - 1
    model = KernelPerceptron(budget=6, gamma=1.0, fit_intercept=False, random_state=3)
    held = [set()]
    for x, label in zip(X, y, strict=True):
        model.partial_fit([x], [label], classes=[0, 1])
        held.append(set(model.support_.tolist()))

    def gone(supports, t):
        (lost,) = held[t - 1] - held[t]
        return lost

    walked = reference.budget_walk(rbf_kernel(X, gamma=1.0), signs, 6, gone)
    assert_array_equal(model.support_, walked)
    assert_array_equal(model.dual_coef_[0], signs[walked])


def test_another_seed_forgets_others():
    X, y = real_numbers(count=120)

    first, second, again = (
        KernelPerceptron(budget=5, gamma=1.0, random_state=seed, shuffle=False).fit(X, y).support_
        for seed in (0, 1, 0)
    )

    assert_array_equal(first, again)
    assert set(first) != set(second)


def test_a_budget_that_is_large_enough_changes_nothing():
    X, y = real_numbers(count=120, classes=3)

    model, other = (
        KernelPerceptron(budget=budget, random_state=0, record=True).fit(X, y)
        for budget in (120, None)
    )

    assert_array_equal(model.mistakes_, other.mistakes_)
    assert_array_equal(model.decision_function(X), other.decision_function(X))


@pytest.mark.parametrize("classes", [2, 3])
def test_later_passes_compare_examples_with_the_supports_that_changed_alone(classes):
    X, y = real_numbers(count=400, width=5, classes=classes)
    compared = []

    def kernel(A, B):
        compared.append(len(A) * len(B))
        return rbf_kernel(A, B, gamma=1.0)

    model = KernelPerceptron(kernel=kernel, warm_start=True, max_iter=1, random_state=0)
    passes = []
    whole = KernelPerceptron(kernel=kernel, max_iter=12, random_state=0).fit(X, y)
    together = sum(compared)
    compared.clear()
    for _ in range(whole.n_iter_):
        model.fit(X, y)
        passes.append(sum(compared))
        compared.clear()

    # Each fit of one pass begins with the scores by all supports; a run of passes keeps them.
    assert together < 0.7 * sum(passes)
    np.testing.assert_array_equal(model.support_, whole.support_)
    np.testing.assert_array_equal(model.dual_coef_, whole.dual_coef_)
