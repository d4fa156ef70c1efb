"""scikit-learn's tests of its vectorizers of text, with ours in the place of each."""

from dataclasses import dataclass

import pytest

from adopted import adopt
from rosenblatt import TextVectorizer

pytestmark = pytest.mark.filterwarnings("default")


@dataclass(eq=False, repr=False, kw_only=True)
class Tfidf(TextVectorizer):
    use_idf: bool = True
    norm: str | None = "l2"


@dataclass(eq=False, repr=False, kw_only=True)
class Hashing(TextVectorizer):
    n_hash_bits: int | None = 20
    alternate_sign: bool = True
    norm: str | None = "l2"


adopt(
    globals(),
    "sklearn.feature_extraction.tests.test_text",
    {
        "sklearn.feature_extraction.text.CountVectorizer": TextVectorizer,
        "sklearn.feature_extraction.text.TfidfVectorizer": Tfidf,
        "sklearn.feature_extraction.text.HashingVectorizer": Hashing,
    },
)

globals().pop("test_tfidf_transformer_sparse")  # is about another class, and pytest objects to it


OTHERS = ["test_tf*_transformer_*", "test_transformer_*", "test_pickling_transformer"]

DIFFERENCES = {
    "text.md#words-of-our-own": [
        "test_countvectorizer_custom_vocabulary_repeated_indices",
        "test_countvectorizer_custom_vocabulary_gap_index",
        "test_countvectorizer_empty_vocabulary",
        "test_hashingvectorizer_nan_in_docs",
        "test_vectorizer_string_object_as_input*",
        "test_vectorizers_invalid_ngram_range*",
        "test_vectorizer_stop_words_inconsistent",
        "test_stop_word_validation_custom_preprocessor*",
        "test_countvectorizer_sort_features_64bit_sparse_indices*",
        "test_tfidf_vectorizer_setters",
        "test_tfidfvectorizer_export_idf",
    ],
    "text.md#values-are-floats": ["test_tfidf_vectorizer_type[int*"],
    "text.md#weights-are-those-that-were-learned": [
        "test_tfidf_vectorizer_setter",
        "test_tfidfvectorizer_invalid_idf_attr",
    ],
    "text.md#hashed-columns-are-a-power-of-two-and-have-names": [
        "test_hashing_vectorizer",
        "test_n_features_in[Hashing*",
        "test_nonnegative_hashing_vectorizer_result_indices",
        "test_hashing_vectorizer_transform_without_fit",
    ],
}
