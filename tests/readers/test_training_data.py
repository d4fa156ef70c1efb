"""What ``fit`` takes, of examples in memory as of those in a cache."""

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


def test_it_is_what_a_cache_has(tmp_path):
    batch = batch_of_numbers()
    cache = Cache.write(tmp_path / "c", [batch])

    data = TrainingData.of(batch)

    assert (data.X != cache.X).nnz == 0
    np.testing.assert_array_equal(np.asarray(data.y), np.asarray(cache.y))
    np.testing.assert_array_equal(data.sample_weight, cache.sample_weight)
    np.testing.assert_array_equal(data.counts, cache.counts)
    assert data.counts.sum() == 60


def test_its_vectorizer_is_fitted_to_its_examples():
    data = TrainingData.of(Batch(Texts.of(TEXTS), LABELS, np.arange(60)))

    made = data.vectorized(TextVectorizer())

    expected = TextVectorizer().fit(TEXTS)
    assert made.vectorizer.vocabulary_ == expected.vocabulary_
    assert (expected.transform(TEXTS) != made.X).nnz == 0


def test_fit_takes_it_as_it_is():
    data = TrainingData.of(batch_of_numbers())

    model, same = (AveragedPerceptron(random_state=0, early_stopping=True) for _ in range(2))
    model.fit(data.X, data.y, data.sample_weight)
    same.fit(data.X, np.asarray(data.y), data.sample_weight)

    np.testing.assert_array_equal(model.coef_, same.coef_)
    assert model.classes_.tolist() == ["+", "-"]


def test_rows_that_are_not_sound_are_refused():
    batch = batch_of_numbers()
    batch.examples.data[3] = np.nan

    with pytest.raises(ValueError, match="contains NaN in row"):
        TrainingData.of(batch)


def test_examples_without_labels_teach_nothing():
    with pytest.raises(ValueError, match="have no labels"):
        TrainingData.of(Batch(Texts.of(TEXTS), None, np.arange(60)))
