"""Choosing a way to learn, and an error that the choice does not flatter."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from data import real_numbers, whole_numbers
from rosenblatt import AROW, AveragedPerceptron, Perceptron
from rosenblatt.models.selection import Learned, choose, fold_numbers, tried_in_folds, tried_on


def learned(classes=2, **shape):
    X, codes = real_numbers(classes=classes, **shape)
    return Learned(X, codes, np.arange(classes))


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

    wrong = tried_in_folds(model, examples, folds, passes=4)

    for fold in range(3):
        inside, outside = examples.at(folds != fold), examples.at(folds == fold)
        for passes in (1, 4):
            fitted = model.set_params(max_iter=passes).fit(inside.X, inside.codes)
            expected = fitted.predict(outside.X) != outside.codes
            assert_array_equal(wrong[passes - 1, folds == fold], expected)


def test_the_passes_after_one_without_an_update_are_like_it():
    examples = Learned(np.eye(4), np.array([0, 1, 0, 1]), np.arange(2))

    wrong = tried_on(Perceptron(), examples, examples, 50, lambda: None)

    assert not wrong[5:].any()


def test_examples_of_a_class_that_was_not_learned_come_out_wrong():
    examples = Learned(np.eye(3), np.array([0, 0, 1]), np.arange(2))

    wrong = tried_on(Perceptron(), examples.at(np.array([0, 1])), examples, 2, lambda: None)

    assert wrong.tolist() == [[False, False, True]] * 2


def test_the_fewest_wrong_win_and_of_several_the_first():
    wrong = np.array([[[1, 1, 0, 0], [1, 0, 0, 0]], [[1, 0, 0, 0], [0, 0, 1, 0]]], dtype=bool)
    groups = np.array([0, 0, 1, 1])

    assert choose(list(wrong), groups)[:2] == (0, 2)
    assert choose(list(wrong), groups, importance=np.array([2.0, 1, 1, 1]))[:2] == (1, 2)


def test_weights_count_in_the_error():
    wrong = np.array([[1, 0, 0, 0]], dtype=bool)

    assert choose([wrong], np.array([0, 0, 1, 1])).error == 0.25
    weighted = choose([wrong], np.array([0, 0, 1, 1]), sample_weight=np.array([5.0, 1, 1, 1]))
    assert weighted.error == 5 / 8


def test_chance_does_not_look_better_for_being_chosen():
    """Eighty trials that guess: the best flatters itself, the error told does not."""
    generator = np.random.default_rng(0)
    best, told = [], []
    for _ in range(60):
        trials = list(generator.random((4, 20, 200)) < 0.5)
        choice = choose(trials, np.arange(200) % 5)
        best.append(min(each.error for each in choice.tried))
        told.append(choice.error)

    assert np.mean(best) < 0.43
    assert abs(np.mean(told) - 0.5) < 0.02


def test_a_sample_is_drawn_by_its_seed_and_keeps_the_order():
    X, codes = whole_numbers(count=50)
    examples = Learned(X, codes, np.arange(2), np.arange(50.0))

    some = examples.sample(20, seed=3)

    assert len(some.codes) == 20
    assert (np.diff(some.sample_weight) > 0).all()
    assert_array_equal(some.X, X[some.sample_weight.astype(int)])
    assert examples.sample(50, seed=3) is examples


def test_class_weights_count_as_weights_of_their_examples():
    examples = learned(count=60)
    model = Perceptron(class_weight={0: 3.0}, random_state=0)

    wrong = tried_on(model, examples, examples, 2, lambda: None)

    fitted = model.set_params(max_iter=2).fit(examples.X, examples.codes)
    assert_array_equal(wrong[1], fitted.predict(examples.X) != examples.codes)
