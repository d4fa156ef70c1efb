"""TextVectorizer beside scikit-learn's vectorizers, on any text, and by itself on streams."""

import copy
import pickle
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.feature_extraction.text import (
    CountVectorizer,
    HashingVectorizer,
    TfidfTransformer,
    TfidfVectorizer,
)
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import AveragedPerceptron, TextVectorizer
from rosenblatt.formats.batches import Texts

TALES = [
    "The cat sat on the mat; the cat SAT.",
    "A dog, a cat and 2 mice: naïve façade_1",
    "",
    "x y z",
    "Ὀδυσσεύς ΟΔΥΣΣΕΥΣ İstanbul'da ΣΣ Straße STRASSE",
    "日本語 の 文章 です 日本語",
    "mat mat\tmat\n\nmat  the\u00a0end 😀😀 😀a",
]

# Every kind of character that is treated apart: cases, sigmas, blanks, scripts, surrogates.
ALPHABET = "abzAZ019_ .,-'\t\n\x00\x1c\u00a0\u2003\u200dßéÉİıΣσςΑ日本ǅ\u0301①²½٣\U00010400😀\ud800"
texts = st.lists(
    st.one_of(st.text(ALPHABET, max_size=30), st.text(max_size=12)), min_size=1, max_size=6
)
cuttings = st.fixed_dictionaries(
    {
        "analyzer": st.sampled_from(["word", "char", "char_wb"]),
        "ngram_range": st.sampled_from([(1, 1), (1, 2), (2, 3), (3, 3), (1, 5)]),
        "lowercase": st.booleans(),
    }
)


def assert_same_rows(ours, theirs, rtol=0.0):
    """Equal, but that ours stand in the order of their columns."""
    theirs = theirs.sorted_indices()
    assert ours.shape == theirs.shape
    assert_array_equal(ours.indptr, theirs.indptr)
    assert_array_equal(ours.indices, theirs.indices)
    assert_allclose(ours.data, theirs.data, rtol=rtol)


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


def test_texts_that_do_not_lie_in_their_array_are_refused():
    data, at = np.zeros(3, dtype=np.uint8), np.array([0], dtype=np.int64)
    for begins, ends in ((at, at + 4), (at - 1, at), (at + 2, at + 1), (at, at[:0])):
        with pytest.raises(ValueError, match="must begin and end within the data"):
            TextVectorizer().partial_fit(Texts(data, begins, ends))


@pytest.mark.parametrize(
    ("documents", "error", "sentence"),
    [
        ("one text", ValueError, "must be a list of strings, got one str: put it in a list"),
        (b"one text", ValueError, "must be a list of strings, got one bytes"),
        (3, TypeError, "must be a list of strings, got int"),
        (["a"] * 17 + [None], TypeError, "Row 17 of the documents must be a string, got None"),
        (["a", float("nan")], TypeError, "Row 1 of the documents must be a string, got nan"),
        ([b"bytes"], TypeError, "Row 0 .* got bytes: decode them first"),
        ([["a"]], TypeError, "Row 0 of the documents must be a string, got list"),
        (np.array([["a"]]), ValueError, r"one column of strings, got ndarray of shape \(1, 1\)"),
    ],
    ids=str,
)
def test_documents_that_are_no_strings_are_refused_in_a_sentence(documents, error, sentence):
    vectorizer = TextVectorizer().fit(["known words"])

    for method in (vectorizer.fit, vectorizer.fit_transform, vectorizer.partial_fit,
                   vectorizer.transform):  # fmt: skip
        with pytest.raises(error, match=sentence):
            method(documents)

    assert vectorizer.vocabulary_ == {"known": 0, "words": 1}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"analyzer": "line"}, "analyzer must be 'word', 'char' or 'char_wb', got analyzer='line'"),
        ({"ngram_range": (2, 1)}, r"ngram_range must be two whole numbers.*got ngram_range=\(2, 1"),
        ({"ngram_range": 2}, "ngram_range must be two whole numbers"),
        ({"ngram_range": (0, 1)}, "ngram_range must be two whole numbers"),
        ({"stop_words": "german"}, "stop_words must be a list of strings, 'english' or None"),
        ({"stop_words": [1]}, r"stop_words must be a list .* got stop_words=\[1\]"),
        ({"min_df": -1}, "min_df must be a whole number of documents or a share"),
        ({"max_df": 1.5}, "max_df must be a whole number of documents or a share"),
        ({"min_df": 3, "max_df": 2}, "max_df must not leave fewer documents than min_df"),
        ({"min_df": 2, "max_df": 2}, "min_df and max_df leave no word"),
        ({"max_features": 0}, "max_features must be a whole number of at least 1"),
        ({"norm": "l3"}, "norm must be 'l1' or 'l2', got norm='l3'"),
        ({"dtype": np.int64}, "dtype must be float64 or float32"),
        ({"dtype": "words"}, "dtype must be float64 or float32, got dtype='words'"),
        ({"n_hash_bits": 31}, "n_hash_bits must be at most 30, got n_hash_bits=31"),
        ({"n_hash_bits": 0}, "n_hash_bits must be a whole number of at least 1"),
        ({"n_hash_bits": 8, "min_df": 2}, "Hashed words can't be left out"),
        ({"n_hash_bits": 8, "alternate_sign": True, "sublinear_tf": True}, "sublinear_tf takes"),
        ({"stop_words": ["aa", "bb"]}, "hold nothing to count"),
    ],
    ids=str,
)
def test_bad_parameters_are_refused_in_a_sentence(options, sentence):
    for method in ("fit", "fit_transform"):
        with pytest.raises(ValueError, match=sentence):
            getattr(TextVectorizer(**options), method)(["aa bb", "aa bb aa", "bb aa"])


@pytest.mark.parametrize("options", [{"min_df": 2}, {"max_df": 1}, {"max_features": 9}], ids=str)
def test_partial_fit_leaves_no_word_out(options):
    with pytest.raises(ValueError, match="partial_fit keeps every word"):
        TextVectorizer(**options).partial_fit(TALES)


def test_the_kind_of_columns_can_not_change_after_fit():
    vectorizer = TextVectorizer().fit(TALES).set_params(n_hash_bits=4)

    with pytest.raises(ValueError, match="n_hash_bits can't change after fit: it was None, got"):
        vectorizer.transform(TALES)


@pytest.mark.parametrize("name", ["vocabulary_", "n_documents_", "document_counts_"])
def test_nothing_is_known_before_fit(name):
    with pytest.raises(NotFittedError):
        TextVectorizer().transform(TALES)
    assert not hasattr(TextVectorizer(), name)


def test_idf_is_there_only_if_used():
    assert not hasattr(TextVectorizer().fit(TALES), "idf_")
    assert not hasattr(TextVectorizer(n_hash_bits=4).fit(TALES), "document_counts_")


with warnings.catch_warnings():
    # Of an estimator of strings it tests the interface only, as it does for its own.
    warnings.simplefilter("ignore", SkipTestWarning)
    checked = parametrize_with_checks([TextVectorizer(), TextVectorizer(n_hash_bits=10)])


@checked
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)
