"""The columns of TextVectorizer: on streams, hashed, copied, and what they are called."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.feature_extraction.text import (
    CountVectorizer,
    TfidfVectorizer,
)
from sklearn.pipeline import make_pipeline

from rosenblatt import AveragedPerceptron, TextVectorizer
from tales import TALES, assert_same_rows, cuttings, texts


@settings(max_examples=40, deadline=None)
@given(documents=texts, cut=st.integers(0, 6), cutting=cuttings)
def test_a_stream_cut_anywhere_gives_the_same_columns(documents, cut, cutting):
    whole = TextVectorizer(**cutting).partial_fit(documents)

    parts = TextVectorizer(**cutting).partial_fit(documents[:cut]).partial_fit(documents[cut:])

    assert_array_equal(parts.get_feature_names_out(), whole.get_feature_names_out())
    assert_array_equal(parts.document_counts_, whole.document_counts_)
    assert parts.n_documents_ == len(documents)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"min_df": 2, "max_df": 0.8, "use_idf": True},
        {"max_features": 3},
        {"max_features": 3, "binary": True},
        {"n_hash_bits": 6, "use_idf": True},
    ],
)
@given(documents=st.lists(st.text("abc ", max_size=20), min_size=1, max_size=12), cut=st.data())
def test_fitting_batch_by_batch_is_fitting_at_once(options, documents, cut):
    documents = [*documents, "aa bb cc", "bb aa ab"]
    cuts = sorted(cut.draw(st.lists(st.integers(0, len(documents)), max_size=4)))
    parts = [documents[a:b] for a, b in pairwise([0, *cuts, len(documents)])]

    whole = TextVectorizer(**options).fit(documents)

    fitted = TextVectorizer(**options).fit_batches(iter(parts))
    assert fitted.vocabulary_ == whole.vocabulary_
    for sparse_rows in (fitted.transform(documents), whole.fit_transform(documents)):
        assert_array_equal(sparse_rows.toarray(), whole.transform(documents).toarray())
    if options.get("use_idf"):
        assert_array_equal(fitted.idf_, whole.idf_)


def test_words_met_later_get_columns_at_the_end():
    vectorizer = TextVectorizer(use_idf=True).fit(["bb aa"])

    vectorizer.partial_fit(["zz bb cc", "aa zz"])

    assert vectorizer.get_feature_names_out().tolist() == ["aa", "bb", "zz", "cc"]
    assert vectorizer.document_counts_.tolist() == [2, 2, 2, 1]
    assert_allclose(vectorizer.idf_, 1 + np.log(4 / np.array([3, 3, 3, 2])))
    assert vectorizer.transform(["cc new cc"]).indices.tolist() == [3]


def test_fit_forgets_what_was_learned_before():
    vectorizer = TextVectorizer().fit(["bb aa"]).fit(["cc"])

    assert vectorizer.vocabulary_ == {"cc": 0}
    assert vectorizer.n_documents_ == 1


@pytest.mark.parametrize("n", [1, 7, 8, 9, 16, 17, 300])
def test_long_words_that_differ_only_at_their_ends_have_their_own_columns(n):
    words = ["x" * n + end for end in ("aa", "ab", "b", "bb")]
    words += ["x" * 255 + "yy", "x" * 256 + "yy"]

    vocabulary = TextVectorizer().fit([" ".join(words)]).vocabulary_

    assert list(vocabulary) == sorted(words)


def test_a_large_vocabulary_keeps_every_name():
    words = [f"word{k}" for k in range(100_000)]

    vectorizer = TextVectorizer().partial_fit(words)

    assert vectorizer.get_feature_names_out().tolist() == words
    assert_array_equal(vectorizer.transform(words).indices, np.arange(len(words)))


def test_words_of_one_to_two_hundred_letters_are_found_wherever_they_lie():
    rng = np.random.default_rng(0)
    documents = [
        "".join("a" * rng.integers(1, 200) + " " * rng.integers(1, 70) for _ in range(20))
        for _ in range(50)
    ]

    ours, theirs = TextVectorizer(), CountVectorizer()

    assert_same_rows(ours.fit_transform(documents), theirs.fit_transform(documents))


@pytest.mark.parametrize("length", [10, 60, 500, 20_000])
def test_long_documents_are_counted_in_the_order_of_the_columns(length):
    rng = np.random.default_rng(length)
    documents = [" ".join(f"w{k}" for k in rng.zipf(1.3, length) % 5000) for _ in range(3)]
    grown = TextVectorizer().partial_fit(documents)

    ours, theirs = TextVectorizer().fit_transform(documents), CountVectorizer()

    assert_same_rows(ours, theirs.fit_transform(documents))
    assert grown.transform(documents).has_sorted_indices
    assert (np.diff(grown.transform(documents[:1]).indices) > 0).all()


def test_a_hashed_column_is_called_by_the_word_it_met_most():
    vectorizer = TextVectorizer(n_hash_bits=1)
    documents = ["rare words come first", *["frequent"] * 20, *["other"] * 20]

    names = vectorizer.fit(documents).get_feature_names_out()

    columns = [vectorizer.transform([word]).indices[0] for word in ("frequent", "other")]
    assert names[columns[0]] in ("frequent", "other")
    assert len(names) == 2
    assert TextVectorizer(n_hash_bits=8).fit(["aa"]).vocabulary_.keys() == {"aa"}
    assert set(TextVectorizer(n_hash_bits=2).fit(["aa"]).get_feature_names_out()) > {"aa"}


def test_names_of_hashed_columns_stay_bounded():
    words = [f"w{k}" * 3 for k in range(20_000)] + ["long" * 1000, "ü" * 1000]

    names = TextVectorizer(n_hash_bits=4).fit(words).get_feature_names_out()

    assert len(names) == 16
    assert max(len(name.encode()) for name in names) <= 128


@pytest.mark.parametrize("options", [{}, {"n_hash_bits": 8}, {"use_idf": True, "n_hash_bits": 8}])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))])
def test_a_copy_goes_on_where_the_original_stood(options, copied):
    vectorizer = TextVectorizer(**options).partial_fit(TALES[:3])

    other = copied(vectorizer)
    for each in (vectorizer, other):
        each.partial_fit(TALES[3:])

    assert other.vocabulary_ == vectorizer.vocabulary_
    assert_same_rows(other.transform(TALES), vectorizer.transform(TALES))


@pytest.mark.parametrize("options", [{}, {"n_hash_bits": 10}], ids=str)
def test_threads_may_learn_and_read_at_the_same_time(options):
    words = [f"word{k}" for k in range(40_000)]
    vectorizer = TextVectorizer(**options).partial_fit(words[:1])

    with ThreadPoolExecutor(4) as pool:
        learned = [pool.submit(vectorizer.partial_fit, words[k::8]) for k in range(8)]
        read = [pool.submit(vectorizer.transform, words) for _ in range(4)]
        named = [pool.submit(vectorizer.get_feature_names_out) for _ in range(4)]
        for future in (*learned, *read, *named):
            future.result()

    assert set(vectorizer.get_feature_names_out()) <= {*words, *(f"#{k}" for k in range(1024))}
    assert_array_equal(vectorizer.transform(words).sum(axis=1), np.ones((len(words), 1)))


def test_a_pickle_names_no_build_of_the_core():
    for options in ({}, {"n_hash_bits": 4}):
        assert b"_core_" not in pickle.dumps(TextVectorizer(**options).fit(TALES))


def test_values_may_be_single_precision():
    X = TextVectorizer(use_idf=True, norm="l2", dtype=np.float32).fit_transform(TALES)

    assert X.dtype == np.float32
    assert_same_rows(X, TfidfVectorizer().fit_transform(TALES), rtol=1e-6)


@pytest.mark.parametrize("kind", [list, tuple, iter, np.array, lambda d: np.array(d, object)])
def test_documents_may_come_in_any_row(kind):
    assert TextVectorizer().fit(kind(TALES)).vocabulary_ == CountVectorizer().fit(TALES).vocabulary_


def test_words_are_learned_and_named_in_a_pipeline():
    model = make_pipeline(TextVectorizer(), AveragedPerceptron(random_state=0))
    model.fit(["good film", "great good fun", "bad film", "dull bad plot"], [1, 1, 0, 0])

    weights = dict(zip(model[0].get_feature_names_out(), model[1].coef_[0], strict=True))

    assert model.predict(["good", "bad"]).tolist() == [1, 0]
    assert weights["good"] > 0 > weights["bad"]
