"""What ``fit`` takes, split in memory as a cache splits it on disk."""

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import AveragedPerceptron, Batch, Cache, Texts, TextVectorizer
from rosenblatt.readers.training_data import TrainingData

TEXTS = [f"{'good' if k % 3 else 'bad'} film {k % 7}" for k in range(60)]
LABELS = np.array(["+" if k % 3 else "-" for k in range(60)])
WEIGHTS = np.arange(60) % 4 / 2.0


def batch_of_numbers():
    X = sparse.csr_array(np.random.default_rng(0).integers(-3, 4, (60, 5)).astype(float))
    return Batch(X, LABELS, np.arange(1, 61), WEIGHTS)


@pytest.mark.parametrize("fraction", [0.0, 0.3])
def test_it_is_split_as_a_cache_is(fraction, tmp_path):
    batch = batch_of_numbers()
    cache = Cache.write(tmp_path / "c", [batch], validation_fraction=fraction, seed=4)

    split = TrainingData.split(batch, fraction, 4)

    assert (split.X != cache.X).nnz == 0
    np.testing.assert_array_equal(np.asarray(split.y), np.asarray(cache.y))
    np.testing.assert_array_equal(split.sample_weight, cache.sample_weight)
    np.testing.assert_array_equal(split.counts, cache.counts)
    np.testing.assert_array_equal(split.counts_val, cache.counts_val)
    assert split.counts.sum() + split.counts_val.sum() == 60
    assert split.held_out.keys() == cache.held_out.keys()
    if fraction:
        assert (split.X_val != cache.X_val).nnz == 0
        np.testing.assert_array_equal(np.asarray(split.y_val), np.asarray(cache.y_val))


def test_the_vectorizer_learns_nothing_from_what_is_held_out():
    batch = Batch(Texts.of(TEXTS), LABELS, np.arange(60))
    split = TrainingData.split(batch, 0.3, 0)
    inside = split.lines

    made = split.vectorized(TextVectorizer())

    expected = TextVectorizer().fit([TEXTS[k] for k in inside])
    assert made.vectorizer.vocabulary_ == expected.vocabulary_
    assert (expected.transform([TEXTS[k] for k in inside]) != made.X).nnz == 0
    assert made.X_val.shape == (60 - len(inside), expected.transform([]).shape[1])


def test_fit_takes_it_as_it_is():
    split = TrainingData.split(batch_of_numbers(), 0.3, 0)
    plain = {name: part for name, part in split.held_out.items() if name != "y_val"}

    model, same = (AveragedPerceptron(random_state=0, early_stopping=True) for _ in range(2))
    model.fit(split.X, split.y, split.sample_weight, **split.held_out)
    same.fit(
        split.X, np.asarray(split.y), split.sample_weight, y_val=np.asarray(split.y_val), **plain
    )

    np.testing.assert_array_equal(model.coef_, same.coef_)
    assert model.classes_.tolist() == ["+", "-"]


def test_rows_that_are_not_sound_are_refused_before_they_are_split():
    batch = batch_of_numbers()
    batch.examples.data[3] = np.nan

    with pytest.raises(ValueError, match="contains NaN in row"):
        TrainingData.split(batch, 0.3, 0)


def test_examples_without_labels_teach_nothing():
    with pytest.raises(ValueError, match="have no labels"):
        TrainingData.split(Batch(Texts.of(TEXTS), None, np.arange(60)), 0.3, 0)
