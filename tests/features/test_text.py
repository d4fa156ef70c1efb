"""TextVectorizer beside scikit-learn's vectorizers, on any text, and by itself on streams."""

import sys
import warnings

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import SkipTestWarning
from sklearn.feature_extraction.text import (
    CountVectorizer,
    HashingVectorizer,
    TfidfTransformer,
    TfidfVectorizer,
)
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import TextVectorizer
from rosenblatt.features.examples import Texts
from tales import ALPHABET, TALES, assert_same_rows, cuttings, texts


def fitted(vectorizer, documents):
    """The rows and names of all documents, or that there was nothing to learn."""
    try:
        X = vectorizer.fit_transform(documents)
    except ValueError:
        return None
    return X, vectorizer.get_feature_names_out()


@settings(max_examples=300, deadline=None)
@given(documents=texts, cutting=cuttings, binary=st.booleans())
@example(TALES, {"analyzer": "word", "ngram_range": (1, 3), "lowercase": True}, False)
@example(TALES, {"analyzer": "char_wb", "ngram_range": (2, 4), "lowercase": True}, False)
@example(TALES, {"analyzer": "char", "ngram_range": (1, 4), "lowercase": False}, True)
def test_counts_equal_those_of_scikit_learn_on_any_text(documents, cutting, binary):
    ours = fitted(TextVectorizer(**cutting, binary=binary), documents)
    theirs = fitted(CountVectorizer(**cutting, binary=binary), documents)

    assert (ours is None) == (theirs is None)
    if ours:
        assert_same_rows(ours[0], theirs[0])
        assert_array_equal(ours[1], theirs[1])


def test_every_character_is_lower_cased_and_classed_as_python_does():
    """Each character of Unicode alone, among letters, and at the end of a word."""
    every = [chr(c) for c in range(sys.maxunicode + 1)]
    documents = ["".join(f"a{c}b x{c} {c}{c}\n" for c in every[k : k + 4096]) for k in
                 range(0, len(every), 4096)]  # fmt: skip

    ours, theirs = TextVectorizer(), CountVectorizer()

    assert_same_rows(ours.fit_transform(documents), theirs.fit_transform(documents))
    assert_array_equal(ours.get_feature_names_out(), theirs.get_feature_names_out())


@settings(max_examples=60, deadline=None)
@given(
    documents=texts,
    options=st.fixed_dictionaries(
        {
            "binary": st.booleans(),
            "norm": st.sampled_from([None, "l1", "l2"]),
            "use_idf": st.booleans(),
            "smooth_idf": st.booleans(),
            "sublinear_tf": st.booleans(),
        }
    ),
)
def test_weights_equal_those_of_scikit_learns_tf_idf(documents, options):
    documents = [*documents, *TALES]
    ours, theirs = TextVectorizer(**options), TfidfVectorizer(**options)

    assert_same_rows(ours.fit_transform(documents), theirs.fit_transform(documents), rtol=1e-14)
    assert_same_rows(ours.transform(TALES), theirs.transform(TALES), rtol=1e-14)
    if options["use_idf"]:
        assert_allclose(ours.idf_, theirs.idf_, rtol=1e-15)


@settings(max_examples=100, deadline=None)
@given(
    documents=texts,
    cutting=cuttings,
    bits=st.sampled_from([1, 4, 20]),
    alternate_sign=st.booleans(),
    binary=st.booleans(),
    norm=st.sampled_from([None, "l1", "l2"]),
)
def test_hashed_rows_equal_those_of_scikit_learn(
    documents, cutting, bits, alternate_sign, binary, norm
):
    documents = [document.replace("\ud800", "") for document in documents]  # theirs can't encode it
    options = {**cutting, "alternate_sign": alternate_sign, "binary": binary, "norm": norm}
    ours = TextVectorizer(n_hash_bits=bits, **options)
    theirs = HashingVectorizer(n_features=2**bits, **options).transform(documents)

    assert_same_rows(ours.fit_transform(documents), theirs, rtol=1e-15)
    assert_same_rows(ours.transform(documents), theirs, rtol=1e-15)


def test_hashed_rows_can_be_weighed_by_idf():
    ours = TextVectorizer(n_hash_bits=6, use_idf=True, norm="l2")
    theirs = make_pipeline(
        HashingVectorizer(n_features=64, alternate_sign=False, norm=None), TfidfTransformer()
    )

    assert_same_rows(ours.fit_transform(TALES), theirs.fit_transform(TALES), rtol=1e-14)
    assert_same_rows(ours.transform(TALES[::2]), theirs.transform(TALES[::2]), rtol=1e-14)


@pytest.mark.parametrize(
    "options",
    [
        {"min_df": 2},
        {"max_df": 2},
        {"min_df": 0.2, "max_df": 0.5},
        {"max_features": 3},
        {"max_features": 2, "binary": True},
        {"stop_words": "english"},
        {"stop_words": ["cat", "the", "日本語", "unheard"], "ngram_range": (1, 2)},
    ],
    ids=str,
)
def test_words_are_left_out_as_scikit_learn_leaves_them_out(options):
    documents = [
        "cat cat cat cat dog dog dog the the",
        "cat dog the cow",
        "bird 日本語 the cat",
        "pig",
    ]
    ours, theirs = TextVectorizer(**options), CountVectorizer(**options)

    assert_same_rows(ours.fit_transform(documents), theirs.fit_transform(documents))
    assert_array_equal(ours.get_feature_names_out(), theirs.get_feature_names_out())
    assert ours.vocabulary_ == theirs.vocabulary_
    assert_same_rows(ours.transform(documents), theirs.transform(documents))
    assert clone(ours).fit(documents).vocabulary_ == ours.vocabulary_


def test_equally_frequent_words_are_kept_in_the_order_of_their_names():
    vectorizer = TextVectorizer(max_features=2).fit(["dd cc bb aa"])

    assert vectorizer.get_feature_names_out().tolist() == ["aa", "bb"]


def texts_of(documents):
    """Documents in one array, out of order and with bytes between them, as a file may have it."""
    data, begins, ends = b"", [], []
    for document in reversed(documents):
        data += b"\xff between \xce"
        begins.append(len(data))
        data += document
        ends.append(len(data))
    bounds = (np.array(bounds[::-1], dtype=np.int64) for bounds in (begins, ends))
    return Texts(np.frombuffer(data, dtype=np.uint8), *bounds)


# What begins and ends characters of every length, and what never does.
BYTES = (
    b"aZ9 _\x00\x7f\x80\x8f\x90\x9f\xa0\xa3\xb0\xbf\xc0\xc2\xc4\xce\xe0\xe2\xed\xef\xf0\xf4\xf5\xff"
)


@settings(max_examples=300, deadline=None)
@given(
    documents=st.lists(
        st.one_of(
            st.lists(st.sampled_from(BYTES), max_size=12).map(bytes),
            st.text(ALPHABET.replace("\ud800", ""), max_size=20).map(str.encode),
        ),
        min_size=1,
        max_size=4,
    ),
    cutting=cuttings,
    bits=st.sampled_from([None, 6]),
)
def test_texts_in_an_array_count_as_the_strings_that_they_decode_to(documents, cutting, bits):
    strings = [document.decode("utf-8", "replace") for document in documents]
    ours = fitted(TextVectorizer(**cutting, n_hash_bits=bits), texts_of(documents))
    theirs = fitted(TextVectorizer(**cutting, n_hash_bits=bits), strings)

    assert (ours is None) == (theirs is None)
    if ours:
        assert_same_rows(ours[0], theirs[0])
        assert_array_equal(ours[1], theirs[1])


with warnings.catch_warnings():
    # Of an estimator of strings it tests the interface only, as it does for its own.
    warnings.simplefilter("ignore", SkipTestWarning)
    checked = parametrize_with_checks([TextVectorizer(), TextVectorizer(n_hash_bits=10)])


@checked
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)
