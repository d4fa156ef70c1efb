"""Choosing a way to learn, and an error that the choice does not flatter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from sklearn.metrics import f1_score

from data import real_numbers, whole_numbers
from rosenblatt import AROW, AveragedPerceptron, Perceptron
from rosenblatt.models.cross_validation import tried_in_folds, tried_on
from rosenblatt.models.selection import Counts, choose, error, lack_of_f1, lack_of_macro_f1
from rosenblatt.training.validation import Labelled, fold_numbers


def learned(classes=2, **shape):
    X, codes = real_numbers(classes=classes, **shape)
    return Labelled(X, codes, np.arange(classes))


@pytest.mark.parametrize("sizes", [[50, 50], [100, 3], [7, 1, 20]])
def test_folds_have_as_many_of_every_class_as_can_be(sizes):
    codes = np.repeat(np.arange(len(sizes)), sizes)

    folds = fold_numbers(codes, 5, seed=0)

    for code, size in enumerate(sizes):
        counts = np.bincount(folds[codes == code], minlength=5)
        assert counts.max() - counts.min() <= 1
        assert counts.sum() == size
    assert_array_equal(folds, fold_numbers(codes, 5, seed=0))
    assert (folds != fold_numbers(codes, 5, seed=1)).any()


@pytest.mark.parametrize("model", [Perceptron(), AveragedPerceptron(), AROW(r=0.5)])
@pytest.mark.parametrize("classes", [2, 4])
def test_every_example_is_tried_on_a_model_of_the_other_folds(model, classes):
    examples = learned(classes, count=90)
    folds = fold_numbers(examples.codes, 3, seed=0)
    model.set_params(random_state=0)

    found = tried_in_folds(model, examples, folds, passes=4).found

    for fold in range(3):
        inside, outside = examples.at(folds != fold), examples.at(folds == fold)
        for passes in (1, 4):
            fitted = model.set_params(max_iter=passes).fit(inside.X, inside.codes)
            assert_array_equal(found[passes - 1, folds == fold], fitted.predict(outside.X))


def test_the_passes_after_one_without_an_update_are_like_it():
    examples = Labelled(np.eye(4), np.array([0, 1, 0, 1]), np.arange(2))

    found = tried_on(Perceptron(), examples, examples, 50).found

    assert (found[5:] == examples.codes).all()


def test_examples_of_a_class_that_was_not_learned_come_out_wrong():
    examples = Labelled(np.eye(3), np.array([0, 0, 1]), np.arange(2))

    found = tried_on(Perceptron(), examples.at(np.array([0, 1])), examples, 2).found

    assert found.tolist() == [[0, 0, 0]] * 2


RIGHT = np.zeros(4, dtype=int)


def test_the_fewest_wrong_win_and_of_several_the_first():
    found = np.array([[[1, 1, 0, 0], [1, 0, 0, 0]], [[1, 0, 0, 0], [0, 0, 1, 0]]])
    groups = np.array([0, 0, 1, 1])

    assert choose(list(found), RIGHT, groups)[:2] == (0, 2)
    weights = np.array([2.0, 1, 1, 1])
    assert choose(list(found), RIGHT, groups, class_weighted=weights)[:2] == (1, 2)


def test_weights_count_in_the_error():
    found, groups = np.array([[1, 0, 0, 0]]), np.array([0, 0, 1, 1])

    assert choose([found], RIGHT, groups).error == 0.25
    weighted = choose([found], RIGHT, groups, sample_weight=np.array([5.0, 1, 1, 1]))
    assert weighted.error == 5 / 8


@given(
    codes=arrays(int, 24, elements=st.integers(0, 2)),
    found=arrays(int, (2, 24), elements=st.integers(0, 2)),
)
def test_measures_are_those_of_scikit_learn(codes, found):
    counts = Counts.of(found, codes, np.ones(24), classes=3)

    for row, wrong, lack, macro in zip(
        found, error(counts), lack_of_f1(counts), lack_of_macro_f1(counts), strict=True
    ):
        each = f1_score(codes, row, labels=[0, 1, 2], average=None, zero_division=0)
        assert wrong == pytest.approx(np.mean(row != codes))
        assert 1 - lack == pytest.approx(each)
        assert 1 - macro == pytest.approx(f1_score(codes, row, average="macro", zero_division=0))


def test_the_best_f1_of_a_rare_class_may_cost_errors():
    codes = np.repeat([0, 1], [90, 10])
    never = np.zeros(100, dtype=int)
    often = np.where(np.arange(100) < 78, 0, 1)  # 12 false alarms, and finds all
    groups = np.arange(100) % 5

    by_error = choose([never[None], often[None]], codes, groups)
    by_f1 = choose(
        [never[None], often[None]], codes, groups, measure=lambda counts: lack_of_f1(counts)[..., 1]
    )

    assert (by_error.model, by_error.error) == (0, 0.1)
    assert (by_f1.model, by_f1.error) == (1, 0.12)
    assert 1 - by_f1.measure == pytest.approx(f1_score(codes, often))
    assert [1 - each.measure for each in by_f1.tried] == pytest.approx([0, f1_score(codes, often)])


def test_the_measure_told_is_of_what_the_other_groups_chose():
    codes = np.array([0, 1, 0, 1])
    first, second = np.array([[0, 1, 1, 0]]), np.array([[1, 0, 0, 1]])

    choice = choose([first, second], codes, np.array([0, 0, 1, 1]), measure=lack_of_macro_f1)

    assert (choice.error, choice.measure) == (1, 1)  # each group is tried with what fails on it
    assert [each.error for each in choice.tried] == [0.5, 0.5]


def test_chance_does_not_look_better_for_being_chosen():
    """Eighty trials that guess: the best flatters itself, the error told does not."""
    generator = np.random.default_rng(0)
    best, told = [], []
    for _ in range(60):
        trials = list((generator.random((4, 20, 200)) < 0.5).astype(int))
        choice = choose(trials, np.zeros(200, dtype=int), np.arange(200) % 5)
        best.append(min(each.error for each in choice.tried))
        told.append(choice.error)

    assert np.mean(best) < 0.43
    assert abs(np.mean(told) - 0.5) < 0.02


def test_a_sample_is_drawn_by_its_seed_and_keeps_the_order():
    X, codes = whole_numbers(count=50)
    examples = Labelled(X, codes, np.arange(2), np.arange(50.0))

    some = examples.sample(20, seed=3)

    assert len(some.codes) == 20
    assert (np.diff(some.sample_weight) > 0).all()
    assert_array_equal(some.X, X[some.sample_weight.astype(int)])
    assert examples.sample(50, seed=3) is examples


def test_class_weights_count_as_weights_of_their_examples():
    examples = learned(count=60)
    model = Perceptron(class_weight={0: 3.0}, random_state=0)

    found = tried_on(model, examples, examples, 2).found

    fitted = model.set_params(max_iter=2).fit(examples.X, examples.codes)
    assert_array_equal(found[1], fitted.predict(examples.X))
