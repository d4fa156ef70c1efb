"""TextVectorizer on several threads gives what it gives on one, to the bit."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from rosenblatt import TextVectorizer
from rosenblatt.features.examples import Texts

THREADS = (2, 3, 7)
ALPHABET = "abcAB ..\u00a0éÉİΣσ日本\U00010400😀\ud800"
documents = st.lists(
    st.one_of(st.text(ALPHABET, max_size=40), st.text(max_size=12)), min_size=1, max_size=12
)
options = st.one_of(
    st.fixed_dictionaries(
        {
            "ngram_range": st.sampled_from([(1, 1), (1, 2)]),
            "analyzer": st.sampled_from(["word", "char_wb"]),
            "max_features": st.sampled_from([None, 3]),
            "use_idf": st.booleans(),
            "norm": st.sampled_from([None, "l2"]),
        }
    ),
    st.fixed_dictionaries(
        {
            "n_hash_bits": st.sampled_from([1, 3, 10]),
            "alternate_sign": st.booleans(),
            "use_idf": st.booleans(),
            "dtype": st.sampled_from([np.float32, np.float64]),
        }
    ),
)


def as_texts(strings):
    """The same documents where a file has them."""
    pieces = [string.encode("utf-8", "replace") for string in strings]
    ends = np.cumsum([len(piece) for piece in pieces])
    data = np.frombuffer(b"".join(pieces), dtype=np.uint8)
    return Texts(data, ends - [len(piece) for piece in pieces], ends)


def everything(vectorizer):
    """All that a vectorizer has learned."""
    words = vectorizer.words_
    return {"documents": np.array(words.learned.documents)} | words.arrays()


def assert_same(ones, others):
    assert ones.keys() == others.keys()
    for name, one in ones.items():
        assert others[name].dtype == one.dtype
        assert_array_equal(others[name], one, err_msg=name, strict=True)


def parts(X):
    return {"indptr": X.indptr, "indices": X.indices, "data": X.data, "shape": np.array(X.shape)}


def fitted(vectorizer, given):
    """The rows of all, and what was learned; or that there was nothing to learn."""
    try:
        X = vectorizer.fit_transform(given)
    except ValueError:
        return None
    return parts(X) | everything(vectorizer)


@settings(max_examples=150, deadline=None)
@given(strings=documents, more=documents, options=options, in_a_file=st.booleans())
def test_any_number_of_threads_gives_the_same_on_any_text(strings, more, options, in_a_file):
    given, later = (as_texts(strings), as_texts(more)) if in_a_file else (strings, more)
    one = TextVectorizer(**options)
    expected = fitted(one, given)

    for threads in THREADS:
        several = TextVectorizer(**options, n_jobs=threads)
        found = fitted(several, given)
        assert (found is None) == (expected is None)
        if found is None:
            continue
        assert_same(expected, found)
        assert_same(parts(one.transform(later)), parts(several.transform(later)))
        assert_same(everything(one), everything(several.fit(given)))


@settings(max_examples=100, deadline=None)
@given(batches=st.lists(documents, min_size=1, max_size=4), bits=st.sampled_from([None, 2, 8]))
def test_streams_grow_the_same_columns_on_any_number_of_threads(batches, bits):
    one = TextVectorizer(n_hash_bits=bits)
    several = [TextVectorizer(n_hash_bits=bits, n_jobs=threads) for threads in THREADS]

    for batch in batches:
        one.partial_fit(batch)
        for each in several:
            each.partial_fit(batch)
            assert_same(everything(one), everything(each))


@pytest.mark.parametrize("bits", [None, 8])
def test_so_many_documents_that_threads_take_turns_give_the_same(bits):
    rng = np.random.default_rng(0)
    words = np.array([f"w{k}" * (1 + k % 7) for k in range(5_000)], dtype=object)
    strings = [" ".join(words[rng.zipf(1.3, 20) % len(words)]) for _ in range(40_000)]

    expected = fitted(TextVectorizer(n_hash_bits=bits), strings)

    assert sum(map(len, strings)) > 2 * (2 * 2**18)  # characters that two threads name at a time
    assert_same(expected, fitted(TextVectorizer(n_hash_bits=bits, n_jobs=2), strings))


def test_minus_one_is_a_thread_on_each_processor():
    strings = ["one two", "two three", "three four"]

    expected = fitted(TextVectorizer(), strings)

    for n_jobs in (-1, -2, -1000, os.cpu_count(), 10**9):
        assert_same(expected, fitted(TextVectorizer(n_jobs=n_jobs), strings))


@pytest.mark.parametrize("n_jobs", [0, 1.5, "all", True])
def test_n_jobs_must_be_a_number_of_threads(n_jobs):
    with pytest.raises(ValueError, match="n_jobs must be a number of threads"):
        TextVectorizer(n_jobs=n_jobs).fit(["one two"])
