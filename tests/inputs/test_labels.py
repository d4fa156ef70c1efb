"""String labels are told apart natively: as NumPy does it, only sooner."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import Perceptron
from rosenblatt.inputs.labels import CHUNK, distinct, encode

words = st.lists(st.text(max_size=3), min_size=1, max_size=40)


@given(words, st.sampled_from("<>"), st.integers(1, 2))
def test_labels_are_found_and_numbered_as_numpy_does(labels, order, step):
    y = np.array(labels).astype(f"{order}U5")[::step]

    classes = distinct(y)

    assert classes.tolist() == np.unique(y).tolist()
    assert encode(y, classes).tolist() == np.unique(y, return_inverse=True)[1].tolist()


@pytest.mark.parametrize("count", [CHUNK - 1, 2 * CHUNK + 1])
@pytest.mark.parametrize("kinds", [2, 3, 5000])
def test_so_are_many(count, kinds):
    y = np.array([f"{k}" for k in np.random.default_rng(0).integers(0, kinds, count)])

    classes = distinct(y)

    assert np.array_equal(classes, np.unique(y))
    assert np.array_equal(encode(y, classes), classes.searchsorted(y))


def test_shorter_and_longer_labels_are_compared_whole():
    classes = np.array(["a", "ab"])

    assert encode(np.array(["ab", "a"], dtype="U9"), classes).tolist() == [1, 0]
    with pytest.raises(ValueError, match="holds the label 'abc'"):
        encode(np.array(["a", "abc"]), classes)


def test_no_labels_are_none():
    assert distinct(np.array([], dtype="U3")).tolist() == []


def test_a_model_of_strings_is_that_of_numbers():
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = np.arange(60) % 3
    numbers, strings = Perceptron(random_state=0), Perceptron(random_state=0)

    numbers.fit(X, y)
    strings.fit(X, np.array(["a", "bb", "ccc"])[y])

    assert strings.coef_.tobytes() == numbers.coef_.tobytes()
    assert strings.classes_.tolist() == ["a", "bb", "ccc"]
