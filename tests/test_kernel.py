"""The perceptron through a kernel: its primal form, its twin, and what no hyperplane can do."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_circles
from sklearn.metrics.pairwise import pairwise_kernels, polynomial_kernel, rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.svm import SVC

import reference
from data import real_numbers, whole_numbers
from native import LEVELS
from rosenblatt import AveragedPerceptron, KernelPerceptron, Perceptron, dual, similarity
from rosenblatt.plots import BoundaryDisplay
from rosenblatt.retrace import retrace

XOR = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
CLASSES = [2, 3, 6]
MEMORIES = [{}, {"average": True}, {"vote": True}]


def rings(count=200, noise=0.05):
    return make_circles(count, noise=noise, factor=0.4, random_state=0)


def gram(X, Y=None, **parameters):
    return pairwise_kernels(X, Y, **parameters)


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
    X, y = XOR

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


# Kernels


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


@pytest.mark.parametrize("kernel", [k for k in similarity.NAMED if k != "precomputed"])
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
        monkeypatch.setattr(dual, "EXAMPLES_PER_BLOCK", size)
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


def test_precomputed_values_can_be_held_out():
    X, y = rings(noise=0.3)
    options = {"early_stopping": True, "n_iter_no_change": 2, "random_state": 0}

    model = KernelPerceptron(gamma=1.0, **options).fit(X, y)
    other = KernelPerceptron(kernel="precomputed", **options).fit(rbf_kernel(X, gamma=1.0), y)

    assert_array_equal(other.support_, model.support_)
    errors = [done.validation_error for done in model.history_]
    assert [done.validation_error for done in other.history_] == errors


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


# scikit-learn


def test_cross_validation_cuts_precomputed_values_in_both_directions():
    X, y = rings()

    scores = cross_val_score(KernelPerceptron(kernel="precomputed"), rbf_kernel(X), y, cv=4)
    named = cross_val_score(KernelPerceptron(gamma=0.5), X, y, cv=4)

    assert scores.min() > 0.9
    assert named.min() > 0.9


def test_kernels_are_chosen_by_grid_search():
    grid = {"kernel": ["linear", "rbf", rbf_kernel], "vote": [True, False]}

    search = GridSearchCV(KernelPerceptron(random_state=0), grid, cv=3).fit(*rings())

    assert search.best_params_["kernel"] != "linear"
    assert search.best_score_ > 0.98


# The core


@pytest.mark.parametrize("core", LEVELS)
@pytest.mark.parametrize("own", [[0, 3], [0, -1], [0], [0, 1, 2]])
def test_the_core_takes_no_example_for_a_candidate_that_is_not_there(core, own):
    with pytest.raises(ValueError, match="candidate"):
        core.dual(np.ones((2, 3)), np.array(own, dtype=np.int32))


@pytest.mark.parametrize("core", LEVELS)
def test_the_core_takes_no_budget_for_supports_that_are_not_there(core):
    rows = core.dual(np.eye(2), np.arange(2, dtype=np.int32))
    rows.check(values=True)
    problem = core.Problem(
        rows, np.array([0, 1], np.uint8), 2, 1.0, False, False, core.Ties.mistake, None, None
    )
    weights, counts = np.zeros((3, 1)), np.zeros(3, dtype=np.int64)
    rest = (None, counts, None, 0, 2, False, None)

    for missed, supports in [(None, [2]), (np.zeros((3, 1)), [])]:
        budget = core.Budget(1, 0, supports)
        with pytest.raises(ValueError, match=r"supports|budget"):
            core.learn(problem, core.PerceptronRule(), weights, missed, *rest, budget=budget)
    assert not weights.any()


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


# Refusals


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"kernel": "gauss"},
            "kernel must be 'linear', 'poly', 'rbf', 'sigmoid', 'laplacian', 'cosine', 'chi2' or "
            "'precomputed', got kernel='gauss': name one of these, or pass a function.",
        ),
        ({"gamma": 0}, "gamma must be a positive number, got gamma=0."),
        ({"gamma": "big"}, "gamma must be 'scale' or 'auto', got gamma='big'."),
        ({"degree": 0}, "degree must be a whole number of at least 1, got degree=0."),
        ({"coef0": float("nan")}, "coef0 must be a finite number, got coef0=nan."),
        ({"coef0": "1"}, "coef0 must be a finite number, got coef0='1'."),
        ({"vote": "yes"}, "vote must be True or False, got vote='yes'."),
        ({"budget": 0}, "budget must be a whole number of at least 1, got budget=0."),
        (
            {"average": True, "vote": True},
            "average=True and vote=True exclude each other: set one to False.",
        ),
        (
            {"average": True, "budget": 9},
            "budget=9 forgets supports, which average=True and vote=True still need: set "
            "budget=None, or both to False.",
        ),
        (
            {"kernel": lambda A, B: np.zeros((1, 1))},
            "kernel must return an array of shape (60, 60) for 60 rows of X and 60 supports, got "
            "shape (1, 1).",
        ),
        (
            {"kernel": lambda A, B: np.full((len(A), len(B)), np.nan), "shuffle": False},
            "The kernel gave nan for row 0 of X: scale the features, or choose other parameters of "
            "the kernel.",
        ),
        (
            {"kernel": lambda A, B: np.full((len(A), len(B)), 1e80), "shuffle": False},
            "The kernel gave 1e+80 for row 0 of X: scale the features, or choose other parameters "
            "of the kernel.",
        ),
        (
            {"kernel": lambda A, B: -A @ B.T - 2, "unit_length": True, "shuffle": False},
            "The kernel gives row 0 of X a squared length of -23, so that it cannot be scaled to "
            "length one: set unit_length=False.",
        ),
        (
            {"kernel": "precomputed"},
            "With kernel='precomputed' X must be square, the kernel values of all examples with "
            "each other, got shape (60, 9).",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(parameters, message):
    with pytest.raises(ValueError, match=r".") as refusal:
        KernelPerceptron(**parameters).fit(*whole_numbers())

    assert str(refusal.value) == message


def test_precomputed_values_cannot_come_in_batches():
    with pytest.raises(ValueError, match="partial_fit cannot learn with kernel='precomputed'"):
        KernelPerceptron(kernel="precomputed").partial_fit(np.eye(4), [0, 1, 0, 1], classes=[0, 1])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"vote": True}, "vote=True cannot begin on a model that was learned without it"),
        ({"average": True}, "average=True cannot begin on weights"),
        ({"gamma": 2.0}, "The kernel cannot change on a model that was learned with another"),
        ({"kernel": "poly"}, "The kernel cannot change on a model that was learned with another"),
    ],
)
def test_a_model_cannot_become_another_while_it_goes_on(change, words):
    X, y = whole_numbers()
    model = KernelPerceptron(warm_start=True).fit(X, y)
    before = model.dual_coef_.copy()

    model.set_params(**change)

    for learn in (model.fit, model.partial_fit):
        with pytest.raises(ValueError, match=words):
            learn(X, y)
    assert_array_equal(model.dual_coef_, before)


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_a_kernel_that_fails_halfway_leaves_the_model_as_it_was(method):
    X, y = whole_numbers(count=600)
    calls = []

    def tiring(A, B):
        calls.append(len(A))
        if len(calls) > 4:
            raise RuntimeError("enough")
        return A @ B.T

    model = KernelPerceptron(kernel=tiring, warm_start=True, max_iter=1).fit(X[:300], y[:300])
    before = model.dual_coef_.copy(), model.t_

    with pytest.raises(RuntimeError, match="enough"):
        getattr(model, method)(X, y)

    assert_array_equal(model.dual_coef_, before[0])
    assert model.t_ == before[1]
