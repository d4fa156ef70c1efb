"""Golden traces of the source documents, item by item of SPEC's checklist."""

import numpy as np
import pytest
from scipy import sparse

import native
import reference
from data import XOR
from members import weights_of
from native import LEVELS
from rosenblatt import AveragedPerceptron, Perceptron
from rosenblatt.theory.claims.sets import either_side

AND = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1, -1, -1, 1])


def trace(X, y, **parameters):
    """The weights, with the intercept last, after each example of one pass as it stands."""
    model, steps = Perceptron(**parameters), []
    for x, label in zip(X, y, strict=True):
        model.partial_fit([x], [label], classes=np.unique(y))
        steps.append(weights_of(model).tolist())
    return steps


# S0: several classes


def test_one_weight_vector_for_each_class_and_the_highest_score_wins():
    """K1: argmax_k (x . w_k + b_k)."""
    X, y = np.eye(3), ["a", "b", "c"]
    model = Perceptron(shuffle=False).fit(X, y)

    scores = X @ model.coef_.T + model.intercept_

    np.testing.assert_array_equal(model.decision_function(X), scores)
    assert model.predict(X).tolist() == model.classes_[scores.argmax(axis=1)].tolist() == y


def test_a_weight_vector_is_a_prototype_of_its_class():
    """K2: the dot product is a similarity."""
    prototypes = np.array([[1.0, 1, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1]])

    model = Perceptron(fit_intercept=False).fit(prototypes, [0, 1, 2])

    similarity = model.coef_ @ prototypes.T
    assert similarity.argmax(axis=1).tolist() == [0, 1, 2]
    assert (model.coef_[prototypes == 1] > 0).all()


def test_acute_obtuse_and_right_angles():
    """K3: with w = (2, 2) the scores of (2, 1), (-2, -1), (-2, 2) are 6, -6, 0."""
    model = Perceptron(fit_intercept=False, shuffle=False).fit([[2.0, 2], [-2, -1]], [1, 0])

    assert model.coef_.tolist() == [[2.0, 2.0]]
    assert model.decision_function([[2.0, 1], [-2, -1], [-2, 2]]).tolist() == [6.0, -6.0, 0.0]


def test_the_race_of_three_classes_step_by_step():
    """K4: the wrong winner loses the example, the right class gains it."""
    X = np.array([[1.0, 0], [0, 1], [1, 1], [2, 1]])
    y = [1, 2, 0, 1]

    steps = trace(X, y, ties="predict")

    assert steps == [
        [[-1, 0, -1], [1, 0, 1], [0, 0, 0]],
        [[-1, 0, -1], [1, -1, 0], [0, 1, 1]],
        [[0, 1, 0], [1, -1, 0], [-1, 0, 0]],
        [[-2, 0, -1], [3, 0, 1], [-1, 0, 0]],
    ]


def test_weights_of_all_classes_sum_to_zero():
    """K4: what one class gains another loses."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(-3, 4, size=(50, 5)).astype(float), rng.integers(4, size=50)

    for model in (Perceptron(max_iter=3), AveragedPerceptron(max_iter=3)):
        model.fit(X, y)

        np.testing.assert_allclose(weights_of(model).sum(axis=0), 0, atol=1e-12)


def test_an_example_that_comes_out_right_changes_nothing():
    """K5: online and error-driven."""
    model = Perceptron(shuffle=False).fit(*AND)
    before = weights_of(model).tobytes(), model.n_updates_

    for x, label in zip(*AND, strict=True):
        model.partial_fit([x], [label])

    assert (weights_of(model).tobytes(), model.n_updates_) == before


def test_examples_one_at_a_time_and_all_together_come_to_the_same_mistakes():
    """L4: online, so that a batch is no more than its examples in turn; only mistakes teach."""
    rng = np.random.default_rng(4)
    X, y = rng.integers(-3, 4, size=(50, 4)).astype(float), rng.choice([-1, 1], size=50)
    together = Perceptron(shuffle=False, max_iter=1, record=True).fit(X, y)

    steps = trace(X, y)

    changed = [k for k in range(50) if steps[k] != ([[[0.0] * 5], *steps])[k]]
    assert weights_of(together).tolist() == steps[-1]
    assert together.mistakes_["example"].tolist() == changed
    assert 0 < len(changed) < 50


def test_random_orders_need_fewer_passes_than_all_positives_before_all_negatives():
    """L11: summed over fifty sets that a line divides."""
    passes = {True: 0, False: 0}
    for seed in range(50):
        X, y = either_side(seed)
        order = np.argsort(~y, kind="stable")
        for shuffle in passes:
            model = Perceptron(shuffle=shuffle, max_iter=100_000, random_state=seed)
            passes[shuffle] += model.fit(X[order], y[order]).n_iter_

    assert passes[True] < 0.9 * passes[False]


def test_the_last_example_of_ten_thousand_overturns_the_plain_weights_only():
    """K7: good after 100, silent for 9,899, wrong on the last; J2, L17."""
    X = np.ones((10_000, 1))
    y = np.ones(10_000, dtype=int)
    y[-1] = 0

    plain = Perceptron(fit_intercept=False, shuffle=False, max_iter=1).fit(X, y)
    averaged = AveragedPerceptron(fit_intercept=False, shuffle=False, max_iter=1).fit(X, y)

    assert plain.n_updates_ == averaged.n_updates_ == 2
    assert plain.predict([[1.0]]).tolist() == [0]
    assert averaged.predict([[1.0]]).tolist() == [1]
    assert averaged.coef_.item() == 9_999 / 10_001


def test_three_ways_to_average_agree():
    """K8: a list of vectors, a running sum, and a sum that is touched on mistakes only."""
    rng = np.random.default_rng(1)
    X, y = rng.integers(-3, 4, size=(40, 3)).astype(float), rng.integers(2, size=40)
    path = reference.binary_path(reference.with_constant(X), 2 * y - 1, reference.perceptron)
    running = np.zeros(4)
    for w in path:
        running += w

    model = AveragedPerceptron(shuffle=False, max_iter=1).fit(X, y)

    np.testing.assert_array_equal(weights_of(model)[0], running / 41)
    np.testing.assert_array_equal(weights_of(model)[0], sum(list(path)) / 41)


def test_the_averaged_race_equals_its_slide():
    """K9: w_k - u_k / count."""
    X = np.array([[1.0, 0], [0, 1], [1, 1], [2, 1]])
    y = [1, 2, 0, 1]
    w, b = reference.k9(X, y, 3, passes=1)

    model = AveragedPerceptron(shuffle=False, max_iter=1, ties="predict").fit(X, y)

    np.testing.assert_allclose(weights_of(model), np.column_stack([w, b]), rtol=1e-15)
    assert weights_of(model)[1].tolist() == [6 / 5, -2 / 5, 2 / 5]


# S1 and S4: two classes


def test_a_threshold_is_a_negative_bias():
    """L1, L2, C3: w . x > θ is w . x + b > 0 with b = -θ."""
    model = Perceptron(shuffle=False, max_iter=100).fit(*AND)
    X, y = AND
    threshold = -model.intercept_

    assert model.converged_
    np.testing.assert_array_equal(X @ model.coef_[0] > threshold, y > 0)
    np.testing.assert_array_equal(model.decision_function(X), X @ model.coef_[0] - threshold)


def test_algorithm_5_step_by_step():
    """L5, C4, L8: a missed positive is added, a false positive subtracted."""
    X = np.array([[1.0, 2], [2, 0], [-1, 1], [0, -1]])
    y = [1, -1, 1, -1]

    steps = trace(X, y)

    assert steps == [[[1, 2, 1]], [[-1, 2, 0]], [[-1, 2, 0]], [[-1, 2, 0]]]


def test_algorithm_6_gives_a_score_of_zero_to_the_first_class():
    """L6, B1: positive means above zero."""
    model = Perceptron(fit_intercept=False, shuffle=False).fit([[2.0, 2], [-2, -1]], [1, -1])
    X = np.array([[1.0, 1], [-1, 1], [-1, -1]])

    predicted = model.predict(X).tolist()

    assert predicted == [1, -1, -1]
    assert predicted == [reference.algorithm_6(model.coef_[0], 0.0, x) for x in X]


@pytest.mark.parametrize("label", [-1, 1])
def test_a_tie_is_a_mistake_for_either_label(label):
    """L7, C5: ya <= 0, never ya < 0; A5 no. 1: with < nothing would ever be learned."""
    model = Perceptron().partial_fit([[1.0, 2.0]], [label], classes=[-1, 1])

    assert model.n_updates_ == 1
    assert weights_of(model).tolist() == [[label, 2 * label, label]]


def test_a_false_positive_is_subtracted():
    """L14: (1, 0) - (1, 1) = (0, -1)."""
    X, y = np.array([[1.0, 0], [1, 1]]), [1, -1]

    steps = trace(X, y, fit_intercept=False)

    assert steps == [[[1, 0, 0]], [[0, -1, 0]]]


def test_coding_yes_as_minus_one_flips_that_weights_sign_only():
    """C2; and a feature that is always zero keeps a weight of zero."""
    rng = np.random.default_rng(2)
    X, y = rng.choice([-1.0, 1.0], size=(30, 4)), rng.integers(2, size=30)
    X[:, 3] = 0
    flipped = X * [1, -1, 1, 1]

    model, other = (Perceptron(random_state=0).fit(data, y) for data in (X, flipped))

    np.testing.assert_array_equal(other.coef_, model.coef_ * [1, -1, 1, 1])
    np.testing.assert_array_equal(other.intercept_, model.intercept_)
    assert model.coef_[0, 3] == 0


@pytest.mark.parametrize("core", LEVELS)
def test_without_features_only_the_bias_moves_for_ever(core):
    """C17: one positive and one negative example; b = 1, 0, 1, 0 ..."""
    X, codes = np.empty((2, 0)), [1, 0]

    biases = [native.learn(core, X, codes, passes=passes).weights.item() for passes in (1, 2, 9)]
    halfway = native.learn(core, X[:1], codes[:1])
    learned = native.learn(core, X, codes, passes=50)

    assert biases == [0.0, 0.0, 0.0]
    assert halfway.weights.item() == 1.0
    assert learned.counts.tolist() == [100, 100, 100]


def test_training_converges_on_separable_data_and_on_no_other():
    """C18, L15: converged means one whole pass without an update."""
    separable = Perceptron(shuffle=False, max_iter=1000).fit(*AND)
    inseparable = Perceptron(shuffle=False, max_iter=1000).fit(XOR, [-1, 1, 1, -1])

    assert separable.converged_
    assert [done.updates == 0 for done in separable.history_].index(True) == separable.n_iter_ - 1
    assert separable.score(*AND) == 1
    assert not inseparable.converged_
    assert inseparable.n_iter_ == 1000
    assert all(done.updates > 0 for done in inseparable.history_)


def test_algorithm_7_step_by_step():
    """C25, A5 no. 4: c counts every example; updates at t = 1 and 2 of T = 4, so c ends at 5."""
    X = np.array([[1.0, 2], [2, 0], [-1, 1], [0, -1]])
    y = np.array([1, -1, 1, -1])
    w, b = reference.algorithm_7(X, y, passes=1)

    model = AveragedPerceptron(shuffle=False, max_iter=1).fit(X, y)

    assert weights_of(model).tolist() == [[-2 / 5, 8 / 5, 1 / 5]]
    np.testing.assert_allclose(weights_of(model)[0], [*w, b], rtol=1e-15)
    assert model.t_ == 5


def test_xor_with_a_conjunction_is_learned_in_twelve_passes():
    """C30: 29 updates, w = (2, 2, -5), b = -1."""
    X, y = XOR, np.array([-1, 1, 1, -1])
    X = np.column_stack([X, X[:, 0] * X[:, 1]])

    model = Perceptron(shuffle=False, max_iter=100).fit(X, y)

    assert (model.n_iter_, model.n_updates_) == (12, 29)
    assert weights_of(model).tolist() == [[2, 2, -5, -1]]
    assert model.converged_
    assert model.score(X, y) == 1


# S2: averaging without a bias


def test_the_perceptron_without_a_bias_step_by_step():
    """J1."""
    X = np.array([[1.0, 2], [2, 0], [-1, 1], [0, -1]])
    y = np.array([1, -1, 1, -1])

    steps = trace(X, y, fit_intercept=False)

    assert steps == [[[1, 2, 0]], [[-1, 2, 0]], [[-1, 2, 0]], [[-1, 2, 0]]]
    assert steps[-1][0][:2] == reference.j1(X, y, passes=1).tolist()


def test_the_last_vector_leaves_out_what_the_average_keeps():
    """J3, J4, J5, J7: N |T| vectors, whose mean is T / (T + 1) short of ours, zero included."""
    rng = np.random.default_rng(3)
    X, y = rng.integers(-3, 4, size=(20, 4)).astype(float), rng.choice([-1, 1], size=20)

    model = AveragedPerceptron(fit_intercept=False, shuffle=False, max_iter=3).fit(X, y)

    T = model.t_ - 1
    assert T == 60
    for average in (reference.j5, reference.j7):
        np.testing.assert_allclose(model.coef_[0] * (T + 1) / T, average(X, y, 3), rtol=1e-12)


def test_sparse_examples_move_dense_weights_alike():
    """J8: the averaged sparse perceptron, a tie is a mistake."""
    rng = np.random.default_rng(8)
    X = rng.integers(-3, 4, size=(40, 9)) * (rng.random((40, 9)) < 0.3).astype(float)
    y = rng.choice([-1, 1], size=40)

    model = AveragedPerceptron(fit_intercept=False, shuffle=False, max_iter=3)
    model.fit(sparse.csr_array(X), y)

    T = model.t_ - 1
    np.testing.assert_allclose(model.coef_[0] * (T + 1) / T, reference.j7(X, y, 3), atol=1e-12)


# S3: examples of length one


def test_the_perceptron_of_the_mistake_bound_step_by_step():
    """B2: 3-4-5 triangles, so that length one is (0.6, 0.8)."""
    X, y = np.array([[3.0, 4], [4, 3], [-4, 3]]), [-1, 1, -1]

    steps = trace(X, y, fit_intercept=False, unit_length=True, ties="predict")

    np.testing.assert_allclose(steps[0], [[0, 0, 0]])  # a tie goes to the negative class: right
    np.testing.assert_allclose(steps[1], [[0.8, 0.6, 0]], rtol=1e-15)
    np.testing.assert_allclose(steps[2], [[0.8, 0.6, 0]], rtol=1e-15)


def test_the_constant_feature_is_there_before_the_scaling():
    """A5 no. 16: (1, 1, 1) and its constant one have length two together."""
    model = Perceptron(unit_length=True).partial_fit([[1.0, 1, 1]], [1], classes=[0, 1])

    assert weights_of(model).tolist() == [[0.5, 0.5, 0.5, 0.5]]


# Verdicts


@pytest.mark.parametrize(("ties", "updates"), [("mistake", 2), ("predict", 0)])
def test_two_orthogonal_negatives_show_how_ties_are_read(ties, updates):
    """A5 no. 2: S3 makes no update, S4 two."""
    model = Perceptron(fit_intercept=False, ties=ties)

    model.partial_fit([[1.0, 0], [0, 1]], [-1, -1], classes=[-1, 1])

    assert model.n_updates_ == updates


def test_a_bias_needs_the_bound_that_counts_it():
    """A5 no. 9: γ = 1 and R = 1, yet Algorithm 5 makes two updates; (R² + 1)(1 + b²) / γ² = 2."""
    model = Perceptron(shuffle=False).fit([[1.0], [-1.0]], [1, -1])

    assert model.n_updates_ == 2


def test_any_two_labels_do():
    """A5 no. 19: they are encoded as -1 and +1 in sorted order."""
    X, y = AND

    models = [
        Perceptron(shuffle=False).fit(X, np.where(y > 0, yes, no))
        for no, yes in ((-1, 1), (0, 1), ("no", "yes"), (False, True), (2.0, 7.0))
    ]

    assert all(weights_of(model).tolist() == weights_of(models[0]).tolist() for model in models)


def test_the_mean_still_drifts_towards_the_last_weights_after_convergence():
    """A5 no. 22: so training stops there, and averages are compared at equal T."""
    X, y = AND
    model = AveragedPerceptron(shuffle=False, max_iter=100).fit(X, y)
    last = Perceptron(shuffle=False, max_iter=100).fit(X, y)
    distance = np.abs(weights_of(model) - weights_of(last)).max()

    for _ in range(10):
        model.partial_fit(X, y)

    assert model.n_updates_ == last.n_updates_
    assert 0 < np.abs(weights_of(model) - weights_of(last)).max() < distance
