"""Theorems about the family, held against recorded runs."""

import numpy as np
import pytest

import reference
from data import separable
from rosenblatt import PassiveAggressiveClassifier, Perceptron

SEEDS = range(30)
UNTIL_CONVERGED = {"max_iter": 100_000}


def separable_classes(seed, classes=4, count=60, width=5):
    """Several classes, the stacked teacher (a row for each class, bias last, of length one), γ."""
    rng = np.random.default_rng(seed)
    teacher = rng.normal(size=(classes, width + 1))
    teacher /= np.linalg.norm(teacher)
    X = rng.uniform(-2, 2, size=(50 * count, width))
    scores = np.sort(reference.with_constant(X) @ teacher.T, axis=1)
    X = X[scores[:, -1] - scores[:, -2] > 0.1][:count]
    scores = reference.with_constant(X) @ teacher.T
    y = scores.argmax(axis=1)
    ordered = np.sort(scores, axis=1)
    return X, y, (ordered[:, -1] - ordered[:, -2]).min()


def path_of_mistakes(model, X, y):
    """The weights before the first and after each recorded mistake of two classes, bias last."""
    Z = reference.with_constant(X, float(model.fit_intercept))
    if model.unit_length:
        Z = reference.unit_length(Z)
    mistakes = model.mistakes_
    signs = 2.0 * y[mistakes["example"]] - 1
    changes = (mistakes["step"] * signs)[:, np.newaxis] * Z[mistakes["example"]]
    return np.vstack([np.zeros(Z.shape[1]), np.cumsum(changes, axis=0)])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("shuffle", [True, False])
def test_mistakes_stay_within_the_bound_that_counts_the_bias(seed, shuffle):
    """Novikoff (1962), C20, A5 no. 9: k ≤ (R² + 1)(1 + b²) / γ²."""
    X, y, teacher, bias = separable(seed)
    radius = np.linalg.norm(X, axis=1).max()
    gamma = np.abs(X @ teacher + bias).min()

    model = Perceptron(shuffle=shuffle, random_state=seed, **UNTIL_CONVERGED).fit(X, y)

    assert model.converged_
    assert model.score(X, y) == 1
    assert model.n_updates_ <= (radius**2 + 1) * (1 + bias**2) / gamma**2


@pytest.mark.parametrize("seed", SEEDS)
def test_without_a_bias_mistakes_stay_within_novikoffs_bound(seed):
    """Novikoff (1962), C20: k ≤ R² / γ²."""
    X, _, teacher, _ = separable(seed)
    X = X[np.abs(X @ teacher) > 0.1]
    y = (X @ teacher > 0).astype(int)
    radius, gamma = np.linalg.norm(X, axis=1).max(), np.abs(X @ teacher).min()

    model = Perceptron(fit_intercept=False, random_state=seed, **UNTIL_CONVERGED).fit(X, y)

    assert model.converged_
    assert model.n_updates_ <= (radius / gamma) ** 2


@pytest.mark.parametrize("seed", SEEDS)
def test_at_length_one_mistakes_stay_within_one_over_the_squared_margin(seed):
    """B4, theorem 1: M ≤ (1/γ)² with γ the least |cos| between w* and an example."""
    X, _, teacher, _ = separable(seed)
    cosines = X @ teacher / np.linalg.norm(X, axis=1)
    X, cosines = X[np.abs(cosines) > 0.05], cosines[np.abs(cosines) > 0.05]
    y = (cosines > 0).astype(int)
    options = {"unit_length": True, "ties": "predict", "fit_intercept": False}

    model = Perceptron(random_state=seed, **options, **UNTIL_CONVERGED).fit(X, y)

    assert model.converged_
    assert model.n_updates_ <= 1 / np.abs(cosines).min() ** 2


@pytest.mark.parametrize("seed", SEEDS)
def test_mistakes_among_several_classes_stay_within_the_stacked_bound(seed):
    """SPEC, open points: k ≤ 2 (R² + 1) / γ² with the stacked weights at length one."""
    X, y, gamma = separable_classes(seed)
    radius = np.linalg.norm(X, axis=1).max()

    model = Perceptron(random_state=seed, **UNTIL_CONVERGED).fit(X, y)

    assert model.converged_
    assert model.score(X, y) == 1
    assert model.n_updates_ <= 2 * (radius**2 + 1) / gamma**2


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("ties", ["mistake", "predict"])
def test_every_mistake_gains_on_the_teacher_and_adds_at_most_one_to_the_squared_length(seed, ties):
    """B6: w·w* grows by γ or more, |w|² by one or less, so γM ≤ |w| ≤ √M."""
    X, y, teacher, bias = separable(seed)
    Z = reference.unit_length(reference.with_constant(X))
    teacher = np.append(teacher, bias) / np.sqrt(1 + bias**2)
    gamma = np.abs(Z @ teacher).min()

    model = Perceptron(
        unit_length=True, ties=ties, record=True, random_state=seed, **UNTIL_CONVERGED
    ).fit(X, y)

    path = path_of_mistakes(model, X, y)
    M = model.n_updates_
    assert (np.diff(path @ teacher) >= gamma - 1e-12).all()
    assert (np.diff((path**2).sum(axis=1)) <= 1 + 1e-12).all()
    assert gamma * M - 1e-9 <= np.linalg.norm(path[-1]) <= np.sqrt(M) + 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_the_cosine_to_the_teacher_is_at_least_what_is_proved(seed):
    """A5 no. 10: cos ≥ γ √k / R after k mistakes."""
    X, y, teacher, bias = separable(seed)
    Z = reference.with_constant(X)
    teacher = np.append(teacher, bias) / np.sqrt(1 + bias**2)
    gamma, radius = np.abs(Z @ teacher).min(), np.linalg.norm(Z, axis=1).max()

    model = Perceptron(record=True, random_state=seed, **UNTIL_CONVERGED).fit(X, y)

    path = path_of_mistakes(model, X, y)[1:]
    cosines = path @ teacher / np.linalg.norm(path, axis=1)
    k = np.arange(1, len(path) + 1)
    assert (cosines >= gamma * np.sqrt(k) / radius - 1e-12).all()


def test_the_angle_to_the_teacher_need_not_shrink():
    """A5 no. 10: it grows at some mistakes, though the cosine keeps to its bound."""
    grew = 0
    for seed in SEEDS:
        X, y, teacher, bias = separable(seed)
        teacher = np.append(teacher, bias) / np.sqrt(1 + bias**2)

        model = Perceptron(record=True, random_state=seed, **UNTIL_CONVERGED).fit(X, y)

        path = path_of_mistakes(model, X, y)[1:]
        cosines = path @ teacher / np.linalg.norm(path, axis=1)
        grew += (np.diff(cosines) < 0).sum()

    assert grew > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_the_margin_lies_between_what_the_weights_reach_and_what_they_cost(seed):
    """The free bracket after k mistakes: margin of w / |w| ≤ γ ≤ |w| / k."""
    X, y, _, _ = separable(seed, gap=0.3)
    Z = reference.with_constant(X)

    model = Perceptron(random_state=seed, **UNTIL_CONVERGED).fit(X, y)

    w = np.append(model.coef_[0], model.intercept_)
    reached = ((2 * y - 1) * (Z @ w)).min() / np.linalg.norm(w)
    assert 0 < reached <= np.linalg.norm(w) / model.n_updates_


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_that_converges_takes_at_most_a_pass_for_each_mistake_and_one(seed):
    """C22: passes ≤ k + 1, whatever the order."""
    X, y, _, _ = separable(seed)
    order = np.argsort(y, kind="stable")  # all of one class, then all of the other

    model = Perceptron(shuffle=False, **UNTIL_CONVERGED).fit(X[order], y[order])

    assert model.converged_
    assert model.n_iter_ <= model.n_updates_ + 1


@pytest.mark.parametrize("seed", SEEDS)
def test_squared_losses_of_plain_pa_sum_to_at_most_the_bound_of_its_paper(seed):
    """Crammer et al. (2006), theorem 2: Σ loss² ≤ R² |u|² for any u with margins of one or more."""
    X, y, teacher, bias = separable(seed)
    Z = reference.with_constant(X)
    u = np.append(teacher, bias) / np.abs(X @ teacher + bias).min()
    squared = (Z * Z).sum(axis=1)

    model = PassiveAggressiveClassifier(
        variant="PA", record=True, max_iter=50, random_state=seed
    ).fit(X, y)

    losses = model.mistakes_["step"] * squared[model.mistakes_["example"]]
    assert (losses**2).sum() <= squared.max() * (u @ u) + 1e-9
