"""Identities between algorithms: two ways to the same numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

import native
import reference
from data import real_numbers, whole_numbers, whole_problems
from members import assert_same_model, weights_of
from native import LEVELS
from rosenblatt import AveragedPerceptron, PassiveAggressiveClassifier, Perceptron, core

CLASSES = [2, 3, 6]
ties = st.sampled_from(["mistake", "predict"])


def margins_of(model, X, y):
    """How far the right class is ahead of the best wrong one, for each row."""
    scores = model.decision_function(X)
    if scores.ndim == 1:
        return np.where(y == 1, scores, -scores)
    return np.array(
        [s[label] - max(np.delete(s, label)) for s, label in zip(scores, y, strict=True)]
    )


# Averages


PLAIN_AND_AVERAGED = [
    (Perceptron(), Perceptron(average=True)),
    (Perceptron(), AveragedPerceptron()),
    (PassiveAggressiveClassifier(), PassiveAggressiveClassifier(average=True)),
]


@pytest.mark.parametrize(("plain", "averaged"), PLAIN_AND_AVERAGED)
@given(problem=whole_problems(3), passes=st.integers(1, 3))
def test_the_average_is_the_mean_of_every_weight_vector(plain, averaged, problem, passes):
    """K9, C25, A6: of w_0 ... w_T, as the plain member of the same rule passes through them."""
    X, y = problem
    plain, averaged = clone(plain), clone(averaged)
    path = [np.zeros((3, X.shape[1] + 1))]
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            plain.partial_fit([x], [label], classes=range(3))
            path.append(weights_of(plain).copy())

    for _ in range(passes):
        averaged.partial_fit(X, y, classes=range(3))

    np.testing.assert_allclose(weights_of(averaged), np.mean(path, axis=0), rtol=1e-12, atol=1e-12)


def test_a_mean_of_vectors_is_a_weighted_sum_of_changes():
    """J6: mean(w1, w2, w3) = 3/3 Δ1 + 2/3 Δ2 + 1/3 Δ3."""
    X, y = np.array([[3.0, 0], [0, 3], [6, -6]]), np.array([1, 0, 0])
    path = reference.binary_path(X, 2 * y - 1, reference.perceptron)
    changes = np.diff(path, axis=0)

    model = AveragedPerceptron(fit_intercept=False, shuffle=False, max_iter=1).fit(X, y)

    assert (changes != 0).any(axis=1).all()
    weighted = 3 / 3 * changes[0] + 2 / 3 * changes[1] + 1 / 3 * changes[2]
    np.testing.assert_allclose(model.coef_[0] * 4 / 3, weighted, rtol=1e-15)
    np.testing.assert_allclose(path[1:].mean(axis=0), weighted, rtol=1e-15)


@given(problem=whole_problems(2), passes=st.integers(1, 3))
def test_the_divisors_of_a6_differ_by_a_factor_only(problem, passes):
    """A6: w_0 ... w_T over T + 1, w_1 ... w_T over T, w_0 ... w_{T-1} over T."""
    X, y = problem
    path = reference.binary_path(
        reference.with_constant(X), 2 * y - 1, reference.perceptron, passes
    )
    T = len(path) - 1

    model = AveragedPerceptron()
    for _ in range(passes):
        model.partial_fit(X, y, classes=[0, 1])
    ours = weights_of(model)[0]

    np.testing.assert_allclose(ours * (T + 1) / T, path[1:].mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose((ours * (T + 1) - path[-1]) / T, path[:-1].mean(axis=0), atol=1e-12)


def test_the_average_is_the_sum_of_vectors_weighted_by_their_survival():
    """C24: each vector counts once for every example it lived through."""
    X, y = whole_numbers(classes=3)
    model = AveragedPerceptron(shuffle=False, record=True, max_iter=2).fit(X, y)
    Z = reference.with_constant(X)
    births = [0, *model.mistakes_["t"].tolist(), model.t_]
    survivals = np.diff(births)

    w = np.zeros((3, Z.shape[1]))
    total = survivals[0] * w
    for (_, example, rival, step), survival in zip(
        model.mistakes_.tolist(), survivals[1:], strict=True
    ):
        w[y[example]] += step * Z[example]
        w[rival] -= step * Z[example]
        total = total + survival * w

    assert survivals.sum() == model.t_
    np.testing.assert_array_equal(weights_of(model), total / model.t_)


# Two classes as a race


@pytest.mark.parametrize("core", LEVELS)
@given(problem=whole_problems(2), ties=ties, passes=st.integers(1, 3))
def test_two_classes_in_a_race_are_the_binary_perceptron_twice(core, problem, ties, passes):
    """A5 no. 2: w_1 - w_0 = 2 w, mistake by mistake, whichever way ties are read."""
    X, y = problem

    binary = native.learn(core, X, y, ties=ties, passes=passes)
    race = native.learn(core, X, y, ties=ties, passes=passes, race=True)

    for one, two in ((binary.weights, race.weights), (binary.missed, race.missed)):
        np.testing.assert_array_equal(two[:, [1]], one)
        np.testing.assert_array_equal(two[:, [0]], -one)
        assert not two[:, 2:].any()
    np.testing.assert_array_equal(race.counts, binary.counts)
    np.testing.assert_array_equal(race.mistakes, binary.mistakes)


@pytest.mark.parametrize("C", [0.1, 1.0, np.inf])
@pytest.mark.parametrize("damping", [False, True])
def test_two_classes_in_a_race_share_a_passive_aggressive_step(C, damping):
    """Each class makes half the way, so half of C holds the race as C holds the two."""
    X, y = real_numbers()

    def rule(C):
        return core.PassiveAggressiveRule(np.inf if damping else C, 0.5 / C if damping else 0.0)

    binary = native.learn(core, X, y, rule=rule(C), passes=2)
    race = native.learn(core, X, y, rule=rule(C / 2), passes=2, race=True)

    np.testing.assert_allclose(race.weights[:, [1]], binary.weights / 2, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(race.weights[:, [0]], -binary.weights / 2, rtol=1e-10, atol=1e-13)
    np.testing.assert_array_equal(race.counts, binary.counts)


# The intercept


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("unit_length", [False, True])
def test_the_intercept_is_the_weight_of_a_column_of_ones(member, classes, unit_length):
    """L3, B1, A5 no. 16: in the score, the norm and the step."""
    X, y = whole_numbers(classes=classes)
    options = {"random_state": 0, "unit_length": unit_length}

    with_intercept = member.new(**options).fit(X, y)
    with_ones = member.new(fit_intercept=False, **options).fit(reference.with_constant(X), y)

    np.testing.assert_allclose(weights_of(with_intercept), with_ones.coef_, rtol=1e-10, atol=1e-12)
    assert with_intercept.n_updates_ == with_ones.n_updates_


@given(problem=whole_problems(4))
def test_in_whole_numbers_a_column_of_ones_is_the_intercept_to_the_bit(problem):
    X, y = problem

    for estimator in (Perceptron, AveragedPerceptron):
        with_intercept = estimator(random_state=0).fit(X, y)
        with_ones = estimator(random_state=0, fit_intercept=False)
        with_ones.fit(reference.with_constant(X), y)

        np.testing.assert_array_equal(weights_of(with_intercept), with_ones.coef_)


# One step


@given(problem=whole_problems(2))
def test_a_mistake_moves_the_activation_by_the_squared_length_and_one(problem):
    """L9, C6: a' - a = Σ x² + 1 for a missed positive, and minus that for a false one."""
    X, y = problem
    model = Perceptron().partial_fit(X, y, classes=[0, 1])

    for x, label in zip(X, y, strict=True):
        before, updates = model.decision_function([x]).item(), model.n_updates_
        model.partial_fit([x], [label])
        gain = (2 * label - 1) * (model.decision_function([x]).item() - before)

        assert gain == (x @ x + 1 if model.n_updates_ > updates else 0)


@given(problem=whole_problems(4))
def test_a_mistake_moves_the_gap_to_the_rival_by_twice_that(problem):
    """K6: the score of the right class gains on the winner's exactly 2 (|x|² + 1)."""
    X, y = problem
    model = Perceptron(record=True).partial_fit(X, y, classes=range(4))

    for x, label in zip(X, y, strict=True):
        before, updates = model.decision_function([x])[0], model.n_updates_
        model.partial_fit([x], [label])
        after = model.decision_function([x])[0]

        if model.n_updates_ > updates:
            rival = model.mistakes_["rival"][-1]
            gap = (after[label] - after[rival]) - (before[label] - before[rival])
            assert gap == 2 * (x @ x + 1)
            assert before[rival] == np.delete(before, label).max()
        else:
            np.testing.assert_array_equal(after, before)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_at_length_one_a_mistake_moves_the_score_by_one(fit_intercept):
    """B3."""
    X, y = real_numbers(width=5)
    options = {"unit_length": True, "ties": "predict", "fit_intercept": fit_intercept}
    model = Perceptron(**options).partial_fit(X, y, classes=[0, 1])
    moved = 0

    for x, label in zip(X, y, strict=True):
        length = np.sqrt(x @ x + fit_intercept)
        before, updates = model.decision_function([x]).item() / length, model.n_updates_
        model.partial_fit([x], [label])
        gain = (2 * label - 1) * (model.decision_function([x]).item() / length - before)

        assert gain == pytest.approx(model.n_updates_ - updates, abs=1e-12)
        moved += model.n_updates_ - updates

    assert moved > 0


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("unit_length", [True, False])
def test_an_unheld_passive_aggressive_step_lands_on_a_margin_of_one(
    classes, fit_intercept, unit_length
):
    """L10; against the rival of that moment, whose margin the step was made for."""
    X, y = real_numbers(classes=classes)
    model = PassiveAggressiveClassifier(
        variant="PA", fit_intercept=fit_intercept, unit_length=unit_length, record=True
    )
    model.partial_fit(X[:1], y[:1], classes=range(classes))
    landed = 0

    for x, label in zip(X, y, strict=True):
        updates = model.n_updates_
        model.partial_fit([x], [label])
        if model.n_updates_ == updates or not x.any():
            continue
        length = np.sqrt(x @ x + fit_intercept) if unit_length else 1.0
        scores = model.decision_function([x])[0] / length
        rival = model.mistakes_["rival"][-1]
        margin = (2 * label - 1) * scores if classes == 2 else scores[label] - scores[rival]

        assert margin == pytest.approx(1.0, abs=1e-12)
        landed += 1

    assert landed > 10


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("C", [0.001, 0.05, 1.0])
def test_pa_1_never_steps_beyond_its_limit_and_pa_2_never_as_far_as_plain_pa(classes, C):
    X, y = real_numbers(classes=classes)
    Z = reference.with_constant(X)
    squared = (1 if classes == 2 else 2) * (Z * Z).sum(axis=1)

    one = PassiveAggressiveClassifier(C, record=True).fit(X, y)
    two = PassiveAggressiveClassifier(C, variant="PA-II", record=True, max_iter=1, shuffle=False)
    two.fit(X, y)

    assert one.mistakes_["step"].max() <= C
    first = two.mistakes_[0]
    row = first["example"]
    assert first["step"] == pytest.approx(1 / (squared[row] + 1 / (2 * C)), rel=1e-14)
    assert first["step"] < 1 / squared[row]


@pytest.mark.parametrize("classes", [3, 6])
def test_what_one_class_gains_another_loses(flat_member, classes):
    """K4: the weights of all classes sum to zero."""
    X, y = whole_numbers(classes=classes)

    model = flat_member.new(random_state=0).fit(X, y)

    np.testing.assert_allclose(weights_of(model).sum(axis=0), 0, atol=1e-12)


# Scale


@pytest.mark.parametrize("classes", CLASSES)
def test_twice_the_weights_predict_the_same(classes):
    """C12."""
    X, y = real_numbers(classes=classes)
    learned = native.learn(core, X, y, classes=classes)

    once = native.predict(core, X, learned.weights, classes=classes)
    twice = native.predict(core, X, 2 * learned.weights, classes=classes)

    np.testing.assert_array_equal(once, twice)


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("factor", [0.5, 4.0])
def test_scaled_examples_scale_a_perceptrons_weights(classes, factor):
    """Without intercept the mistakes are the same, so w scales with the data (to powers of two)."""
    X, y = real_numbers(classes=classes)

    model, scaled = (
        Perceptron(fit_intercept=False, random_state=0).fit(data, y) for data in (X, factor * X)
    )

    np.testing.assert_array_equal(scaled.coef_, factor * model.coef_)
    assert scaled.n_updates_ == model.n_updates_


@pytest.mark.parametrize("classes", CLASSES)
def test_examples_of_length_one_may_come_at_any_length(member, classes):
    """B2: with unit_length only directions count."""
    X, y = whole_numbers(classes=classes)
    lengths = 2.0 ** np.random.default_rng(0).integers(-3, 4, size=(len(X), 1))
    options = {"unit_length": True, "fit_intercept": False, "random_state": 0}

    model, other = (member.new(**options).fit(data, y) for data in (X, lengths * X))

    assert_same_model(other, model)


@pytest.mark.parametrize("classes", CLASSES)
def test_a_weight_for_all_scales_a_perceptron_and_its_margins(classes):
    X, y = whole_numbers(classes=classes)

    model, other = (
        Perceptron(random_state=0).fit(X, y, sample_weight=np.full(60, w)) for w in (1.0, 4.0)
    )

    np.testing.assert_array_equal(weights_of(other), 4 * weights_of(model))
    np.testing.assert_array_equal(margins_of(other, X, y), 4 * margins_of(model, X, y))
