"""The perceptron through a kernel: its primal form, its twin, and what no hyperplane can do."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.datasets import make_circles
from sklearn.metrics.pairwise import rbf_kernel

import reference
from data import XOR, real_numbers, whole_numbers
from kernels import CLASSES, MEMORIES, gram, rings
from native import LEVELS
from rosenblatt import AveragedPerceptron, KernelPerceptron, Perceptron
from rosenblatt.explain.replay import retrace
from rosenblatt.plots import BoundaryDisplay

# The primal perceptron, where there is one


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
@pytest.mark.parametrize("shuffle", [True, "once", "blocks", False])
@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("primal", [Perceptron, AveragedPerceptron])
def test_the_linear_kernel_gives_the_primal_perceptron_exactly(primal, classes, shuffle, form):
    """C31; more rows than a block has, so that supports of earlier blocks and passes are met."""
    X, y = whole_numbers(count=600, width=5, classes=classes)
    options = {"shuffle": shuffle, "max_iter": 3, "random_state": 0, "record": True}

    model = KernelPerceptron(kernel="linear", average=primal is AveragedPerceptron, **options)
    model.fit(form(X), y)

    other = primal(**options).fit(X, y)
    assert_array_equal(model.coef_, other.coef_)
    assert_array_equal(model.intercept_, other.intercept_)
    assert_array_equal(model.mistakes_, other.mistakes_)
    assert_array_equal(model.decision_function(form(X)), other.decision_function(X))
    assert_array_equal(model.predict(form(X)), other.predict(X))
    assert [p[:2] for p in model.history_] == [p[:2] for p in other.history_]


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
@pytest.mark.parametrize("classes", CLASSES)
def test_the_supports_are_the_examples_erred_on(classes, form):
    X, y = whole_numbers(classes=classes)

    model = KernelPerceptron(kernel="linear", record=True, random_state=0).fit(form(X), y)

    rows = 1 if classes == 2 else classes
    vectors = model.support_vectors_
    assert sparse.issparse(vectors) == (form is sparse.csr_array)
    vectors = vectors.toarray() if sparse.issparse(vectors) else vectors
    assert sorted(model.support_) == sorted(set(model.mistakes_["example"]))
    assert_array_equal(vectors, X[model.support_])
    assert model.dual_coef_.shape == (rows, len(model.support_))
    assert_array_equal(model.dual_coef_ @ vectors, model.coef_)
    assert_array_equal(model.dual_coef_.sum(axis=1), model.intercept_)


def test_weights_of_features_exist_for_the_linear_kernel_only():
    X, y = whole_numbers()

    assert not hasattr(KernelPerceptron(kernel="rbf").fit(X, y), "coef_")
    assert not hasattr(KernelPerceptron(kernel="linear", vote=True).fit(X, y), "coef_")


# The plain twin


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("memory", MEMORIES, ids=str)
def test_it_does_what_its_twin_does(memory, classes, fit_intercept):
    """C31; C23 for the votes, whose counts sum to T (SPEC A5 no. 6)."""
    X, y = whole_numbers(count=50, width=4, classes=classes)
    K = gram(X, metric="poly", degree=2, gamma=1, coef0=1)
    path = reference.kernel_path(K, y, classes, passes=3, constant=float(fit_intercept))
    options = {"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 1, "max_iter": 3}

    model = KernelPerceptron(**memory, **options, shuffle=False, fit_intercept=fit_intercept)
    scores = model.fit(X, y).decision_function(X)

    if memory.get("vote"):
        expected = reference.kernel_votes(K, path, float(fit_intercept))
        expected = expected / expected[0].sum()
        if classes == 2:
            expected = expected[:, 1] - expected[:, 0]
    else:
        alpha = sum(path) / (len(path) + 1) if memory else path[-1]
        expected = (K + float(fit_intercept)) @ alpha.T
        expected = expected[:, 1] if classes == 2 else expected
    assert_allclose(scores, expected, rtol=1e-12, atol=1e-8)
    winners = expected > 0 if classes == 2 else expected.argmax(axis=1)
    assert_array_equal(model.predict(X), winners)


@pytest.mark.parametrize("classes", [2, 4])
def test_examples_scaled_to_length_one_vote_as_if_they_had_been_before(classes):
    X, y = real_numbers(width=6, classes=classes)
    X = X[X.any(axis=1)]
    y = y[: len(X)]
    options = {"kernel": "linear", "vote": True, "fit_intercept": False, "random_state": 0}

    model = KernelPerceptron(unit_length=True, **options).fit(X, y)

    before = KernelPerceptron(**options).fit(reference.unit_length(X), y)
    assert_array_equal(model.decision_function(X), before.decision_function(X))


# What no hyperplane can do


def test_xor_is_solved_by_products_of_two_features():
    """C27: its diagonals share labels, so that no line separates them; C31: kernels."""
    X, y = XOR, np.array([0, 1, 1, 0])

    model = KernelPerceptron(kernel="poly", degree=2, gamma=1, max_iter=100).fit(X, y)
    linear = KernelPerceptron(kernel="linear", max_iter=100).fit(X, y)

    assert model.converged_
    assert model.score(X, y) == 1
    assert not linear.converged_


@pytest.mark.parametrize("memory", [*MEMORIES, {"budget": 40}], ids=str)
def test_rings_are_separated_by_distance(memory):
    X, y = rings()
    new, new_y = make_circles(100, noise=0.05, factor=0.4, random_state=1)

    model = KernelPerceptron(**memory, random_state=0).fit(X, y)

    assert model.score(X, y) > 0.98
    assert model.score(new, new_y) > 0.98
    assert Perceptron(random_state=0).fit(X, y).score(X, y) < 0.7


def test_novikoffs_bound_holds_in_the_kernels_space():
    """C20 through a kernel: with radius R and a separator of margin γ, at most (R / γ)² updates."""
    X, y = rings()
    K = rbf_kernel(X, gamma=1.0)
    options = {"gamma": 1.0, "fit_intercept": False, "max_iter": 1000}
    separator = KernelPerceptron(random_state=1, **options).fit(X, y)
    alpha = np.zeros(len(X))
    alpha[separator.support_] = separator.dual_coef_[0]
    margin = ((2 * y - 1) * (K @ alpha)).min() / np.sqrt(alpha @ K @ alpha)
    assert margin > 0

    model = KernelPerceptron(random_state=2, **options).fit(X, y)

    assert model.converged_
    assert model.n_updates_ <= K.diagonal().max() / margin**2


# What needs weights of features


def test_what_takes_the_length_of_the_weights_is_not_told():
    model = KernelPerceptron(kernel="linear").fit(*whole_numbers())

    assert {(done.norm, done.bracket) for done in model.history_} == {(None, None)}
    with pytest.raises(AttributeError, match="KernelPerceptron has no bracket_, which would take"):
        print(model.bracket_)


@pytest.mark.parametrize("parameters", [{}, {"vote": True}, {"kernel": "linear", "budget": 5}])
def test_mistakes_explain_no_weights_but_those_they_make(parameters):
    X, y = whole_numbers()
    model = KernelPerceptron(record=True, **parameters).fit(X, y)

    with pytest.raises(ValueError, match="are not the sum of its mistakes"):
        list(retrace(model, X, y))


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_the_boundary_is_drawn_as_a_line_only_if_it_is_one(kernel, no_figures_stay):
    X, y = rings(60)
    model = KernelPerceptron(kernel=kernel, random_state=0).fit(X, y)

    display = BoundaryDisplay.from_estimator(model, X, y)

    assert (display.hyperplane is not None) == (kernel == "linear")


@pytest.mark.parametrize("classes", CLASSES)
def test_every_level_of_vector_instructions_gives_the_same_coefficients(classes):
    X, y = real_numbers(count=80, classes=classes)
    learned = []

    for core in LEVELS:
        rows = core.dual(rbf_kernel(X), np.arange(80, dtype=np.int32))
        rows.check(values=True)
        codes = y.astype(np.uint8)
        problem = core.Problem(
            rows, codes, classes, 1.0, False, True, core.Ties.mistake, None, None
        )
        weights = np.zeros((81, 1 if classes == 2 else -(-classes // 4) * 4))
        counts = np.zeros(3, dtype=np.int64)
        for _ in range(3):
            rest = (None, None, counts, None, 0, 80, False, None)
            core.learn(problem, core.PerceptronRule(), weights, *rest)
        learned.append((weights.tobytes(), counts.tobytes()))

    assert len(set(learned)) == 1
    assert np.frombuffer(learned[0][0]).any()
