"""Averages that forget: exact, however long the stream."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import reference
from data import real_numbers, whole_numbers
from members import weights_of
from native import LEVELS
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    load,
    save,
    why,
)
from rosenblatt.explain.replay import retrace

HALF_LIVES = [0.01, 0.3, 1, 2.5, 40, 1e6]


def walk(X, y, half_life):
    model = AveragedPerceptron(half_life=half_life)
    return weights_of(model.partial_fit(X, y, classes=[0, 1]))


def path_of(X, y):
    signs = np.where(y == 1, 1.0, -1.0)
    return reference.binary_path(reference.with_constant(X), signs, reference.perceptron)


@pytest.mark.parametrize("half_life", HALF_LIVES)
def test_the_average_is_that_of_the_path_with_older_weights_halved(half_life):
    X, y = real_numbers(count=700)

    path = path_of(X, y)

    assert_allclose(walk(X, y, half_life)[0], reference.mean(path, half_life), atol=1e-12)


def test_after_every_example_counting_double_the_average_is_exact_to_the_bit():
    """Powers of two and whole numbers leave nothing to round but the last quotient."""
    X, y = whole_numbers(count=40)
    path = path_of(X, y).astype(int).tolist()
    counts = [2**t for t in range(len(path))]

    means = [
        float(
            sum(Fraction(count * w) for count, w in zip(counts, column, strict=True)) / sum(counts)
        )
        for column in zip(*path, strict=True)
    ]

    assert walk(X, y, half_life=1)[0].tolist() == means


def test_a_long_half_life_is_the_plain_mean_and_a_short_one_the_last_weights():
    X, y = real_numbers(count=300)
    last = Perceptron().partial_fit(X, y, classes=[0, 1])

    assert_allclose(walk(X, y, 1e12), walk(X, y, None), rtol=1e-9)
    assert_allclose(walk(X, y, 0.01), weights_of(last), atol=1e-15)


@given(
    cuts=st.lists(st.integers(0, 400), max_size=6).map(sorted),
    half_life=st.sampled_from([0.02, 0.7, 3.0, 100.0]),
)
def test_any_cut_of_a_stream_gives_the_same_bits(cuts, half_life):
    """Also where a cut meets an epoch, after which sums are told in other units."""
    X, y = real_numbers(count=400)
    whole = walk(X, y, half_life)

    model = AveragedPerceptron(half_life=half_life)
    for begin, end in zip([0, *cuts], [*cuts, 400], strict=True):
        if begin < end:
            model.partial_fit(X[begin:end], y[begin:end], classes=[0, 1])

    assert_array_equal(weights_of(model), whole)


@pytest.mark.parametrize("half_life", [0.02, 1, 30])
def test_one_example_at_a_time_gives_the_same_bits(half_life):
    X, y = real_numbers(count=300)
    model = AveragedPerceptron(half_life=half_life).declare(classes=[0, 1])

    for x, label in zip(X, y, strict=True):
        model.learn_one(x, int(label))

    assert_array_equal(weights_of(model), walk(X, y, half_life))
    assert model.score_one(X[0]) == model.decision_function(X[:1])[0]


def test_a_saved_model_goes_on_to_the_bit(tmp_path):
    X, y = real_numbers(count=300)
    first = AveragedPerceptron(half_life=0.5).partial_fit(X[:170], y[:170], classes=[0, 1])

    save(first, tmp_path / "m.rbt")
    second = load(tmp_path / "m.rbt").partial_fit(X[170:], y[170:])

    assert_array_equal(weights_of(second), walk(X, y, 0.5))


@pytest.mark.parametrize("half_life", [0.05, 7])
def test_classes_that_come_late_leave_the_average_of_the_others(half_life):
    X, codes = whole_numbers(count=90, classes=4)
    early = codes < 3
    path = reference.multiclass_path(
        reference.with_constant(X[early]), codes[early], 4, reference.perceptron
    )

    model = AveragedPerceptron(half_life=half_life)
    model.partial_fit(X[early], codes[early], classes=[0, 1, 2])
    model.partial_fit(X[:1], codes[:1], classes=[0, 1, 2, 3], sample_weight=[0.0])

    path = np.concatenate([path, path[-1:]])
    assert_allclose(weights_of(model), reference.mean(path, half_life), atol=1e-12)


@pytest.mark.parametrize("half_life", [0.05, 7])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_recorded_mistakes_add_up_to_it(half_life, classes):
    X, y = whole_numbers(count=80, classes=classes)
    model = AveragedPerceptron(half_life=half_life, record=True, random_state=0).fit(X, y)

    assert len(list(retrace(model, X, y))) == model.n_updates_  # refuses what does not add up
    assert len(why(model, X[0], X, y)) > 0  # likewise


def test_a_concept_that_turns_round_is_followed():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(20_000, 5))
    y = (X[:, 0] > 0) ^ (np.arange(20_000) >= 10_000) ^ (generator.random(20_000) < 0.1)

    def right(model):
        model.declare(classes=[False, True])
        found = 0
        for x, label in zip(X, y.tolist(), strict=True):
            found += model.predict_one(x) == label
            model.learn_one(x, label)
        return found / len(y)

    forgetting = right(AveragedPerceptron(half_life=200))
    assert forgetting > right(AveragedPerceptron()) + 0.2
    assert forgetting > right(Perceptron()) + 0.05


@pytest.mark.parametrize("half_life", [0, -1, 0.001, np.inf, np.nan, "short"])
def test_a_half_life_is_a_number_of_examples(half_life):
    with pytest.raises(ValueError, match="half_life must be"):
        AveragedPerceptron(half_life=half_life).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("member", [Perceptron, PassiveAggressiveClassifier, AROW])
def test_only_an_average_forgets(member):
    with pytest.raises(ValueError, match="set average=True"):
        member(half_life=3).fit([[0.0], [1.0]], [0, 1])


def test_an_average_cannot_go_on_at_another_pace():
    model = AveragedPerceptron(half_life=3).fit([[0.0], [1.0]], [0, 1])

    with pytest.raises(ValueError, match="forgot at another pace"):
        model.set_params(half_life=4).partial_fit([[0.0]], [0])


@pytest.mark.parametrize("core", LEVELS)
def test_every_processor_counts_alike(core):
    times = np.array([1, 2, 5, 64, 1000, 123_456], dtype=np.int64)

    counted = core.weights_before(times, 123_456, 1000.0)

    assert counted == LEVELS[0].weights_before(times, 123_456, 1000.0)
    assert core.weights_before(times, 9, np.inf) == times.tolist()
    with pytest.raises(ValueError, match="too short"):
        core.weights_before(times, 0, 0.001)
