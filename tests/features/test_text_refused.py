"""What TextVectorizer cannot do it refuses in one sentence."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from rosenblatt import TextVectorizer
from rosenblatt.features.examples import Texts
from tales import TALES


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
        ([b"words", "\xff".encode("latin-1")], ValueError, "Row 1 of the documents is not utf-8"),
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
        ({"min_df": 3, "max_df": 2}, "min_df=3 and max_df=2 leave no word of"),
        ({"min_df": 2, "max_df": 2}, "min_df=2 and max_df=2 leave no word of"),
        ({"max_features": 0}, "max_features must be a whole number of at least 1"),
        ({"norm": "l3"}, "norm must be 'l1' or 'l2', got norm='l3'"),
        ({"dtype": np.int64}, "dtype must be float64 or float32"),
        ({"dtype": "words"}, "dtype must be float64 or float32, got dtype='words'"),
        ({"n_hash_bits": 31}, "n_hash_bits must be at most 30, got n_hash_bits=31"),
        ({"n_hash_bits": 0}, "n_hash_bits must be a whole number of at least 1"),
        ({"n_hash_bits": 8, "min_df": 2}, "Hashed words can't be left out"),
        ({"n_hash_bits": 8, "max_df": 2}, "Hashed words can't be left out"),
        ({"n_hash_bits": 8, "alternate_sign": True, "sublinear_tf": True}, "sublinear_tf takes"),
        ({"stop_words": ["aa", "bb"]}, "hold nothing to count"),
    ],
    ids=str,
)
def test_bad_parameters_are_refused_in_a_sentence(options, sentence):
    for method in ("fit", "fit_transform"):
        with pytest.raises(ValueError, match=sentence):
            getattr(TextVectorizer(**options), method)(["aa bb", "aa bb aa", "bb aa"])


@pytest.mark.parametrize(
    "options", [{"min_df": 2}, {"max_df": 1}, {"max_df": 2}, {"max_features": 9}], ids=str
)
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
