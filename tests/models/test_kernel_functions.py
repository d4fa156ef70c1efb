"""Kernels by name, by function and by value, and how scikit-learn chooses among them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.svm import SVC

from data import real_numbers, whole_numbers
from kernels import MEMORIES, gram, rings
from rosenblatt import KernelPerceptron
from rosenblatt.models import kernels


@pytest.mark.parametrize("memory", [*MEMORIES, {"budget": 20}], ids=str)
@pytest.mark.parametrize("classes", [2, 3])
def test_values_worked_out_before_are_as_good(classes, memory):
    X, y = real_numbers(count=300, classes=classes)
    new = real_numbers(seed=1, classes=classes)[0]
    K, K_new = rbf_kernel(X, gamma=0.3), rbf_kernel(new, X, gamma=0.3)

    model = KernelPerceptron(gamma=0.3, random_state=0, **memory).fit(X, y)
    other = KernelPerceptron(kernel="precomputed", random_state=0, **memory).fit(K, y)
    sparse_other = clone(other).fit(sparse.csr_array(K), y)

    for known in (other, sparse_other):
        assert_array_equal(known.support_, model.support_)
        assert_allclose(known.decision_function(K_new), model.decision_function(new), atol=1e-9)
    assert other.support_vectors_.shape == (0, 0)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_a_function_is_as_good_as_a_name(form):
    X, y = whole_numbers(classes=3)
    named = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, random_state=0)

    def squared(A, B):
        return polynomial_kernel(A, B, degree=2, gamma=1, coef0=1)

    model = KernelPerceptron(kernel=squared, random_state=0).fit(form(X), y)

    assert_array_equal(model.decision_function(X), named.fit(X, y).decision_function(X))


@pytest.mark.parametrize("kernel", [k for k in kernels.NAMED if k != "precomputed"])
def test_every_kernel_is_scikit_learns(kernel):
    X, y = whole_numbers(count=40)
    X = np.abs(X) + 1.0

    model = KernelPerceptron(kernel=kernel, gamma=0.01, coef0=0.5, degree=2, random_state=0)
    scores = model.fit(X, y).decision_function(X)

    known = {"gamma": 0.01, "coef0": 0.5, "degree": 2}
    K = gram(X, model.support_vectors_, metric=kernel, filter_params=True, **known)
    assert_allclose(scores, K @ model.dual_coef_[0] + model.intercept_, rtol=1e-9)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
@pytest.mark.parametrize("gamma", ["scale", "auto", 0.25])
def test_gamma_means_what_it_means_to_scikit_learns_svc(gamma, form):
    X, y = real_numbers(count=80)
    X = form(X + 3.0)

    model = KernelPerceptron(gamma=gamma).fit(X, y)

    assert model.gamma_ == pytest.approx(SVC(gamma=gamma).fit(X, y)._gamma, rel=1e-9)
    assert not hasattr(KernelPerceptron(kernel="linear").fit(X, y), "gamma_")


def test_columns_without_values_cost_nothing():
    """SciPy multiplies sparse matrices with a number for each column: here 8 tebibytes."""
    X, y = whole_numbers(count=30)
    narrow = sparse.csr_array(X)
    wide = sparse.csr_array(
        (narrow.data, narrow.indices.astype(np.int64) * 2**36, narrow.indptr), shape=(30, 2**40)
    )

    model = KernelPerceptron(gamma=0.1, random_state=0).fit(wide, y)

    other = KernelPerceptron(gamma=0.1, random_state=0).fit(narrow, y)
    assert_array_equal(model.decision_function(wide), other.decision_function(narrow))


def test_precomputed_values_can_be_held_out():
    X, y = rings(noise=0.3)
    options = {"early_stopping": True, "n_iter_no_change": 2, "random_state": 0}

    model = KernelPerceptron(gamma=1.0, **options).fit(X, y)
    other = KernelPerceptron(kernel="precomputed", **options).fit(rbf_kernel(X, gamma=1.0), y)

    assert_array_equal(other.support_, model.support_)
    errors = [done.validation_error for done in model.history_]
    assert [done.validation_error for done in other.history_] == errors


# scikit-learn


def test_cross_validation_cuts_precomputed_values_in_both_directions():
    X, y = rings()

    scores = cross_val_score(
        KernelPerceptron(kernel="precomputed", random_state=0), rbf_kernel(X), y, cv=4
    )
    named = cross_val_score(KernelPerceptron(gamma=0.5, random_state=0), X, y, cv=4)

    assert scores.min() > 0.9
    assert named.min() > 0.9


def test_kernels_are_chosen_by_grid_search():
    grid = {"kernel": ["linear", "rbf", rbf_kernel], "vote": [True, False]}

    search = GridSearchCV(KernelPerceptron(random_state=0), grid, cv=3).fit(*rings())

    assert search.best_params_["kernel"] != "linear"
    assert search.best_score_ > 0.98
