"""Winnow: weights that are multiplied."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

import reference
from data import labels_of
from members import assert_same_model, weights_of
from rosenblatt import Perceptron, Winnow


@st.composite
def binary_problems(draw, classes):
    """X of zeros and ones and class numbers, every class among them."""
    count = draw(st.integers(classes, classes + 14))
    width = draw(st.integers(1, 12))
    X = draw(arrays(np.float64, (count, width), elements=st.integers(0, 1)))
    codes = draw(arrays(np.int64, count, elements=st.integers(0, classes - 1)))
    codes[:classes] = draw(st.permutations(range(classes)))
    return X, codes


def zeros_and_ones(seed=0, count=60, width=9, classes=2):
    rng = np.random.default_rng(seed)
    X = rng.integers(2, size=(count, width)).astype(float)
    return X, labels_of(rng, count, classes)


def disjunction(rng, width, relevant, count, present):
    """Examples with few features present; positive if one of the relevant ones is."""
    X = sparse.random_array((count, width), density=present / width, rng=rng, format="lil")
    X[X != 0] = 1.0
    chosen = rng.choice(width, relevant, replace=False)
    for example in rng.choice(count, count // 2, replace=False):
        X[example, rng.choice(chosen)] = 1.0
    X = X.tocsr()
    return X, (X[:, chosen].sum(axis=1) > 0).astype(int)


def twin_of(model, path):
    """What the model should have learned after this path of the twin."""
    weights = path.mean(axis=0) if model.average else path[-1]
    return weights[1:] - weights[:1] if len(weights) == 2 else weights


def test_the_trace_of_b8_by_hand():
    """B8: weights 1, threshold n, positive at or above it, double and halve."""
    X = np.array([[1.0, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 1], [1, 1, 1, 0], [1, 0, 0, 1]])
    y = [1, 1, 0, 1, 0]
    # 1 < 4: w1 = 2.  2 + 1 < 4: w1 = 4, w2 = 2.  2 + 1 + 1 >= 4: halve.  4 + 1 + .5 >= 4: right.
    # 4 + .5 >= 4: halve.

    model = Winnow(shuffle=False, max_iter=1, record=True).fit(X, y)

    assert model.coef_.tolist() == [[2.0, 1.0, 0.5, 0.25]]
    assert model.intercept_.tolist() == [-4.0]
    assert model.mistakes_["example"].tolist() == [0, 1, 2, 4]
    assert model.n_mistakes_ == model.n_updates_ == 4


def test_a_sum_that_just_reaches_the_threshold_is_positive():
    X, y = np.eye(2), np.array([0, 1])

    model = Winnow(threshold=1.0, shuffle=False, max_iter=1).fit(X, y)

    assert model.coef_.tolist() == [[0.5, 1.0]]
    assert model.decision_function(X).tolist() == [-0.5, np.nextafter(0, 1)]
    assert model.predict(X).tolist() == [0, 1]


@pytest.mark.parametrize("average", [False, True])
@given(problem=binary_problems(2), passes=st.integers(1, 4), threshold=st.sampled_from([None, 2.0]))
def test_two_classes_and_a_threshold_are_exactly_the_twin(average, problem, passes, threshold):
    X, y = problem
    model = Winnow(average=average, threshold=threshold, shuffle=False, max_iter=passes).fit(X, y)
    path = reference.winnow_path(X, y, 2, threshold=threshold, passes=model.n_iter_)

    np.testing.assert_array_equal(weights_of(model), twin_of(model, path))


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_a_race_is_exactly_the_twin(average, classes):
    for seed in range(20):
        X, y = zeros_and_ones(seed, classes=classes)
        model = Winnow(average=average, balanced=True, shuffle=False, max_iter=3).fit(X, y)
        path = reference.winnow_path(X, y, classes, race=True, passes=model.n_iter_)

        if average:
            np.testing.assert_allclose(weights_of(model), twin_of(model, path), rtol=1e-12)
        else:
            np.testing.assert_array_equal(weights_of(model), twin_of(model, path))


@pytest.mark.parametrize("classes", [2, 3])
def test_weights_of_examples_and_other_factors_follow_the_twin(classes):
    X, y = zeros_and_ones(classes=classes)
    weights = np.random.default_rng(1).uniform(0, 3, len(X))
    model = Winnow(1.5, shuffle=False, max_iter=1).fit(X, y, weights)

    path = reference.winnow_path(X, y, classes, factor=1.5, weights=weights)

    np.testing.assert_allclose(weights_of(model), path[-1], rtol=1e-12)


@pytest.mark.parametrize("options", [{}, {"balanced": True}, {"average": True}])
@pytest.mark.parametrize("layout", [sparse.csr_array, sparse.csc_array, np.float32])
def test_layouts_and_pieces_give_the_same_model(options, layout):
    X, y = zeros_and_ones()
    whole = Winnow(shuffle=False, max_iter=1, **options).fit(X, y)

    pieces = Winnow(**options).partial_fit(layout(X[:20]), y[:20], classes=[0, 1])
    pieces = pickle.loads(pickle.dumps(pieces)).partial_fit(layout(X[20:]), y[20:])

    assert_same_model(whole, pieces)
    np.testing.assert_array_equal(whole.predict(X), pieces.predict(layout(X)))


@pytest.mark.parametrize(("width", "relevant"), [(1000, 1), (1000, 5), (10_000, 3), (100_000, 2)])
def test_mistakes_on_disjunctions_stay_within_littlestones_bound(width, relevant):
    """B9: 2 + 3r(1 + lg n), whatever the order."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, y = disjunction(rng, width, relevant, count=600, present=40)

        model = Winnow(max_iter=100, random_state=seed).fit(X, y)

        assert model.converged_
        assert model.n_mistakes_ <= 2 + 3 * relevant * (1 + math.log2(width))
        assert model.mistake_bound(relevant) == 2 + 3 * relevant * (1 + math.log2(width))


def test_few_relevant_features_among_many_cost_winnow_fewer_mistakes_than_the_perceptron():
    rng = np.random.default_rng(0)
    X, y = disjunction(rng, 10_000, 2, count=1000, present=200)

    winnow = Winnow(random_state=0, max_iter=100).fit(X, y)
    perceptron = Perceptron(random_state=0, max_iter=100).fit(X, y)

    assert winnow.converged_
    assert perceptron.n_mistakes_ > 3 * winnow.n_mistakes_


@pytest.mark.parametrize("average", [False, True])
def test_weights_halved_for_ever_come_back_after_as_many_doublings(average):
    """A feature of 5,000 false positives would stand at 2**-5000."""
    times = 5000
    X = np.tile([[1.0, 1.0], [0.0, 1.0]], (times, 1))  # the second feature reaches the threshold
    model = Winnow(threshold=1.0, average=average)

    model.partial_fit(X, np.tile([0, 1], times), classes=[0, 1])
    least = model._state.weights.values[0, 0]
    model.partial_fit(np.tile([[1.0, 0.0]], (times, 1)), np.ones(times, dtype=int))

    assert 0 < least < 2.0**-900
    assert model._state.weights.values[0, 0] == 1.0
    assert np.isfinite(weights_of(model)).all()


def rounded_sum(exponents):
    """2**(60 k) summed over the exponents k as 53 bits hold it, for any k above -10,000."""
    exact = sum(1 << 60 * (int(k) + 10_000) for k in exponents)
    lost = max(0, exact.bit_length() - 53)
    return exact >> lost << lost


def test_weights_that_grow_large_are_scaled_with_the_rest_and_predict_the_same():
    """Each example has one feature more and another label, so each weight must beat the last."""
    X, y = np.tri(12), np.arange(12) % 3

    model = Winnow(2.0**60, shuffle=False, max_iter=100).fit(X, y)

    exponents = np.zeros((3, 12), dtype=int)
    for _ in range(model.n_iter_):
        for x, label in zip(X == 1, y, strict=True):
            scores = [rounded_sum(row[x]) for row in exponents]
            rival = reference.best_wrong_class(scores, label)
            if scores[label] <= scores[rival]:
                exponents[label, x] += 1
                exponents[rival, x] -= 1
    assert 1024 < exponents.max() * 60 < 1300
    assert np.isfinite(model.coef_).all()
    winners = [int(np.argmax([rounded_sum(row[x]) for row in exponents])) for x in X == 1]
    assert model.predict(X).tolist() == winners


def test_other_values_than_zero_and_one_are_refused_by_name():
    X, y = zeros_and_ones()
    X[3, 2] = 0.5

    for given_as in (X, sparse.csr_array(X)):
        with pytest.raises(ValueError, match=r"0 or 1, got 0.5 in row 3, column 2"):
            Winnow(binarize=None).fit(given_as, y)
    model = Winnow(binarize=None).fit(np.round(X), y)
    with pytest.raises(ValueError, match="features of 0 or 1"):
        model.predict(X)


def test_duplicates_that_add_up_to_two_are_refused():
    X = sparse.csr_array(([1.0, 1.0, 1.0], [1, 1, 0], [0, 2, 3]), shape=(2, 2))

    with pytest.raises(ValueError, match=r"got 2 in row 0, column 1"):
        Winnow(binarize=None).fit(X, [0, 1])


def test_binarize_reads_values_as_present_or_absent():
    X, y = np.random.default_rng(0).poisson(0.5, (50, 8)).astype(float), np.arange(50) % 2

    counts = Winnow(random_state=0).fit(X, y)

    assert_same_model(counts, Winnow(random_state=0).fit((X > 0).astype(float), y))
    assert_same_model(counts, Winnow(binarize=0, random_state=0).fit(sparse.csr_array(X), y))
    with pytest.raises(ValueError, match="would turn the zeros of a sparse X into ones"):
        Winnow(binarize=-1).fit(sparse.csr_array(X), y)
    with pytest.raises(ValueError, match="NaN"):
        Winnow(binarize=0).fit(np.where(X > 2, np.nan, X), y)


def test_a_race_takes_new_classes_and_a_threshold_does_not():
    X, y = zeros_and_ones(classes=3)
    early = y < 2
    model = Winnow(balanced=True).partial_fit(X[early], y[early], classes=[0, 1])

    model.partial_fit(X, y, classes=[0, 1, 2])

    path = reference.winnow_path(X[early], y[early], 2, race=True)
    start = np.vstack([path[-1], np.ones((1, path.shape[2]))])
    assert model.coef_.shape == start[:, :-1].shape
    assert (model.coef_ > 0).all()
    known = Winnow().partial_fit(X[early], y[early], classes=[0, 1])
    before = known.coef_.copy()
    with pytest.raises(ValueError, match="to which no third can be added: set balanced=True"):
        known.partial_fit(X, y, classes=[0, 1, 2])
    np.testing.assert_array_equal(known.coef_, before)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"factor": 1.0}, r"factor must be a number above 1 and at most 1e\+100, got factor=1.0"),
        ({"factor": math.inf}, "factor must be"),
        ({"factor": "two"}, "factor must be"),
        ({"threshold": 0}, "threshold must be a number above 0"),
        ({"threshold": math.nan}, "threshold must be"),
        ({"balanced": "yes"}, "balanced must be True or False"),
        ({"binarize": "0"}, "binarize must be a number or None"),
    ],
)
def test_wrong_parameters_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Winnow(**options).fit([[0.0], [1.0]], [0, 1])


def test_a_step_too_long_to_multiply_by_is_refused():
    X, y = zeros_and_ones()

    with pytest.raises(ValueError, match="weights grew too large"):
        Winnow(1e100).fit(X, y, sample_weight=np.full(len(X), 1e75))
