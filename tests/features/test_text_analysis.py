"""Functions, patterns and files of the caller's: the rows are scikit-learn's."""

import io
import pickle
import re
import warnings

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_array_equal
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.pipeline import make_pipeline

from forgeries import forged
from rosenblatt import (
    ModelFileError,
    NamedVectorizer,
    Perceptron,
    Predictor,
    TableVectorizer,
    TextVectorizer,
    load,
    save,
)
from rosenblatt.features.examples import Texts
from rosenblatt.features.text_engine import Words, WordSettings
from tales import TALES, assert_same_rows, texts


def shout(text):
    return text.upper()


def pieces(text):
    return re.split(r"[ ,;]", text)


OTHER_WAYS = {
    "accents off": {"strip_accents": "unicode"},
    "ASCII": {"strip_accents": "ascii", "ngram_range": (1, 2)},
    "accents off characters": {"strip_accents": "unicode", "analyzer": "char", "lowercase": False},
    "a function for accents": {"strip_accents": shout},
    "between blanks": {"token_pattern": r"\S+", "ngram_range": (1, 2), "stop_words": ["sat"]},
    "with their case and without accents": {
        "token_pattern": r"\S+",
        "lowercase": False,
        "strip_accents": "unicode",
    },
    "a pattern": {"token_pattern": r"\w", "ngram_range": (1, 3)},
    "a pattern with a group": {"token_pattern": r"(\w)\w*", "ngram_range": (2, 2)},
    "a preprocessor": {"preprocessor": shout},
    "a preprocessor of characters": {"preprocessor": shout, "analyzer": "char_wb"},
    "a tokenizer": {"tokenizer": pieces, "token_pattern": None, "ngram_range": (1, 2)},
    "a tokenizer and stop words": {
        "tokenizer": pieces,
        "token_pattern": None,
        "ngram_range": (1, 2),
        "stop_words": ["cat", "the", ""],
        "strip_accents": "unicode",
    },
    "an analyzer": {"analyzer": pieces},
}


@pytest.mark.parametrize("options", OTHER_WAYS.values(), ids=OTHER_WAYS.keys())
@given(documents=texts)
def test_other_ways_to_cut_give_scikit_learns_rows_and_names(options, documents):
    documents = [*documents, *TALES]
    ours, theirs = TextVectorizer(**options), CountVectorizer(**options)

    assert_same_rows(ours.fit_transform(documents), theirs.fit_transform(documents))

    assert ours.vocabulary_ == theirs.vocabulary_
    assert_same_rows(ours.transform(documents[::-1]), theirs.transform(documents[::-1]))


@pytest.mark.parametrize("options", OTHER_WAYS.values(), ids=OTHER_WAYS.keys())
def test_other_ways_to_cut_are_weighed_and_hashed_alike(options):
    tfidf = TextVectorizer(use_idf=True, norm="l2", n_jobs=3, **options)
    hashed = TextVectorizer(n_hash_bits=12, alternate_sign=True, norm="l2", **options)

    assert_same_rows(
        tfidf.fit_transform(TALES), TfidfVectorizer(**options).fit_transform(TALES), rtol=1e-14
    )
    assert_same_rows(
        hashed.fit_transform(TALES),
        HashingVectorizer(n_features=2**12, **options).transform(TALES),
        rtol=1e-14,
    )


@pytest.mark.parametrize("options", OTHER_WAYS.values(), ids=OTHER_WAYS.keys())
def test_batches_pickles_and_texts_of_files_go_the_same_way(options):
    whole = TextVectorizer(**options).fit(TALES)

    batched = TextVectorizer(**options).fit_batches([TALES[:3], TALES[3:]])
    grown = TextVectorizer(**options).partial_fit(TALES[:2]).partial_fit(TALES[2:])
    copied = pickle.loads(pickle.dumps(whole))

    assert batched.vocabulary_ == copied.vocabulary_ == whole.vocabulary_
    assert {*grown.vocabulary_} == {*whole.vocabulary_}
    assert_same_rows(copied.transform(Texts.of(TALES)), whole.transform(TALES))


def test_what_is_built_is_scikit_learns():
    ours = TextVectorizer(ngram_range=(1, 2), stop_words=["sat"], strip_accents="unicode")
    theirs = CountVectorizer(ngram_range=(1, 2), stop_words=["sat"], strip_accents="unicode")

    for text in TALES:
        assert ours.build_analyzer()(text) == theirs.build_analyzer()(text)
        assert ours.build_tokenizer()(text) == theirs.build_tokenizer()(text)
        assert ours.build_preprocessor()(text) == theirs.build_preprocessor()(text)
    assert ours.get_stop_words() == {"sat"}
    assert ours.decode(b"caf\xc3\xa9") == "café"


class Stemmed(TextVectorizer):
    def build_tokenizer(self):
        find = super().build_tokenizer()
        return lambda text: [word[:2] for word in find(text)]


class Shouted(TextVectorizer):
    def build_preprocessor(self):
        return shout


class Halves(TextVectorizer):
    def build_analyzer(self):
        analyze = super().build_analyzer()
        return lambda document: analyze(document)[::2]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Stemmed, ["fi", "fo", "go"]),
        (Shouted, ["FILM", "FOR", "GOOD"]),
        (Halves, ["for", "good"]),
    ],
)
def test_a_subclass_may_build_its_own(kind, words):
    assert kind().fit(["Good film for"]).get_feature_names_out().tolist() == words


def test_names_of_files_and_files_are_read(tmp_path):
    documents = ["A good film", "café, café"]
    paths = [tmp_path / f"{k}.txt" for k in range(2)]
    for path, document in zip(paths, documents, strict=True):
        path.write_bytes(document.encode("latin-1"))
    expected = TextVectorizer().fit_transform(documents)

    named = TextVectorizer(input="filename", encoding="latin-1").fit_transform(paths)
    opened = TextVectorizer(input="file", encoding="latin-1").fit_transform(
        [io.BytesIO(path.read_bytes()) for path in paths]
    )
    raw = TextVectorizer(encoding="latin-1").fit_transform([path.read_bytes() for path in paths])

    for rows in (named, opened, raw):
        assert_same_rows(rows, expected)


def test_bytes_are_decoded_as_told():
    documents = ["plain words", b"caf\xe9 noir"]

    assert "caf" in TextVectorizer(decode_error="ignore").fit(documents).vocabulary_
    with pytest.raises(ValueError, match=r"Row 1 of the documents is not utf-8.* at byte 3: say"):
        TextVectorizer().fit(documents)


@pytest.mark.parametrize(
    ("options", "documents", "error", "sentence"),
    [
        ({"input": "web"}, ["a"], ValueError, "input must be 'content', 'filename' or 'file', got"),
        ({"input": "filename"}, ["no such file"], FileNotFoundError, "no such file"),
        ({"token_pattern": "("}, ["a"], ValueError, "token_pattern must be a regular expression"),
        ({"token_pattern": None}, ["a"], ValueError, "token_pattern must be a regular expression"),
        ({"token_pattern": "(a)(b)"}, ["ab"], ValueError, "capturing group"),
        ({"strip_accents": "all"}, ["a"], ValueError, "strip_accents must be 'unicode' or 'ascii'"),
        ({"analyzer": len}, ["a"], TypeError, "makes of row 0 .* must be a list of strings, got 1"),
        ({"analyzer": lambda _: [3]}, ["a"], TypeError, "must be a list of strings, got 3"),
        ({"preprocessor": len}, ["a"], TypeError, "Row 0 of the documents must be a string, got i"),
        ({"vocabulary": []}, ["a"], ValueError, "vocabulary must not be empty"),
        ({"vocabulary": "word"}, ["a"], ValueError, "vocabulary must be a list, a set or a dict"),
        ({"vocabulary": ["a", "a"]}, ["a"], ValueError, "vocabulary holds 'a' twice"),
        ({"vocabulary": ["a", 1]}, ["a"], TypeError, "vocabulary must hold strings, got 1"),
        ({"vocabulary": {"a": 1, "b": 2}}, ["a"], ValueError, "no word in column 0 of 2"),
        ({"vocabulary": {"a": 0, "b": 0}}, ["a"], ValueError, "no word in column 1 of 2"),
        ({"vocabulary": ["a"], "n_hash_bits": 4}, ["a"], ValueError, "Hashed words have no vocab"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(options, documents, error, sentence):
    with pytest.raises(error, match=sentence):
        TextVectorizer(**options).fit(documents)


@pytest.mark.parametrize(
    "vocabulary", [["good", "bad", "new words"], {"bad": 1, "new words": 2, "good": 0}], ids=str
)
def test_a_given_vocabulary_counts_and_weighs_as_scikit_learns(vocabulary):
    documents, later = ["good good film", "bad", "good new words"], ["bad bad good", ""]
    options = {"vocabulary": vocabulary, "ngram_range": (1, 2)}
    ours, theirs = TextVectorizer(**options), CountVectorizer(**options)

    assert ours.get_feature_names_out().tolist() == ["good", "bad", "new words"]
    assert ours.fixed_vocabulary_
    assert_same_rows(ours.transform(later), theirs.transform(later))  # no fit is needed
    assert_same_rows(ours.fit_transform(documents), theirs.fit_transform(documents))
    assert ours.document_counts_.tolist() == [2, 1, 1]
    assert ours.n_documents_ == 3
    ours, theirs = TextVectorizer(use_idf=True, norm="l2", **options), TfidfVectorizer(**options)
    assert_same_rows(ours.fit_transform(documents), theirs.fit_transform(documents), rtol=1e-14)
    batches = TextVectorizer(use_idf=True, norm="l2", **options)
    batches.partial_fit(documents[:1]).partial_fit(documents[1:])
    assert_same_rows(batches.transform(later), theirs.transform(later), rtol=1e-14)


def test_a_set_of_words_stands_in_the_order_of_their_names():
    assert TextVectorizer(vocabulary={"b", "c", "a"}).vocabulary_ == {"a": 0, "b": 1, "c": 2}


def test_a_given_vocabulary_goes_to_a_file_and_goes_on_counting(tmp_path):
    options = {"vocabulary": ["film", "good"], "use_idf": True, "strip_accents": "ascii"}
    whole = TextVectorizer(**options).fit([*TALES, "good film", "göod"])
    saved = TextVectorizer(**options).fit(TALES)

    save(saved, tmp_path / "words.rbt")
    loaded = load(tmp_path / "words.rbt").partial_fit(["good film", "göod"])

    np.testing.assert_array_equal(loaded.idf_, whole.idf_)
    assert loaded.vocabulary_ == {"film": 0, "good": 1}


def test_words_of_a_row_are_those_that_are_not_zero():
    vectorizer = TextVectorizer().fit(TALES)

    for X in (vectorizer.transform(TALES), vectorizer.transform(TALES).toarray()):
        for words, tale in zip(vectorizer.inverse_transform(X), TALES, strict=True):
            assert {*words} == {*vectorizer.build_analyzer()(tale)}
    with pytest.raises(ValueError, match=r"X must have \d+ columns, got shape \(1, 2\)"):
        vectorizer.inverse_transform([[0, 1]])


def test_hashed_words_need_no_fit_but_for_idf():
    vectorizer = TextVectorizer(n_hash_bits=10)

    assert_same_rows(vectorizer.transform(TALES), vectorizer.fit_transform(TALES))
    assert not vectorizer.__sklearn_tags__().requires_fit
    assert TextVectorizer(n_hash_bits=3).get_feature_names_out()[7] == "#7"
    with pytest.raises(ValueError, match="not fitted yet"):
        TextVectorizer(n_hash_bits=10, use_idf=True).transform(TALES)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"analyzer": "char", "stop_words": ["a"]}, "'stop_words'"),
        ({"analyzer": "char", "token_pattern": r"\w"}, "'token_pattern'"),
        ({"analyzer": "char_wb", "tokenizer": pieces}, "'tokenizer'"),
        ({"tokenizer": pieces, "token_pattern": r"\w"}, "'token_pattern'"),
        ({"analyzer": pieces, "ngram_range": (1, 2)}, "'ngram_range'"),
        ({"analyzer": pieces, "preprocessor": shout}, "'preprocessor'"),
        ({"stop_words": ["you've"]}, r"stop_words may be inconsistent .*\['ve', 'you'\]"),
        ({"vocabulary": ["Cat"]}, "Upper case characters"),
    ],
)
def test_what_changes_nothing_is_a_warning(options, name):
    for method in ("fit", "fit_transform"):
        with pytest.warns(UserWarning, match=name):
            getattr(TextVectorizer(**options), method)(TALES)


def test_what_has_its_effect_is_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TextVectorizer(stop_words="english", ngram_range=(1, 2)).fit(TALES)
        TextVectorizer(tokenizer=pieces).fit(TALES)
        TextVectorizer(vocabulary=["Cat"], lowercase=False).fit(TALES)


@pytest.mark.parametrize("options", [{"analyzer": pieces}, {"token_pattern": r"\w"}])
def test_functions_and_patterns_go_to_no_file(options, tmp_path):
    table = TableVectorizer(kinds={"a": "text"}, text=TextVectorizer(**options))

    for vectorizer, X in ((TextVectorizer(**options), TALES), (table, {"a": TALES})):
        with pytest.raises(ValueError, match="A file can't hold how functions and patterns"):
            save(vectorizer.fit(X), tmp_path / "words.rbt")
    with pytest.raises(ValueError, match="neither functions"):
        TextVectorizer(**options).restore(Words(WordSettings()))


@pytest.mark.parametrize("hashed", [{}, {"n_hash_bits": 12}], ids=["kept", "hashed"])
def test_words_between_blanks_go_to_files(hashed, tmp_path):
    texts, labels = [":-) 我 爱", "x -- y", ":-) x"] * 3, ["a", "b", "a"] * 3
    words = TextVectorizer(token_pattern=r"\S+", **hashed)
    model = make_pipeline(words, Perceptron(random_state=0)).fit(texts, labels)

    save(model, tmp_path / "words.rbt")

    again = load(tmp_path / "words.rbt")
    assert_same_rows(again[0].transform(texts), words.transform(texts))
    predictor = Predictor.load(tmp_path / "words.rbt")
    assert_array_equal(predictor.scores(texts), model.decision_function(texts))
    assert predictor.unknown_share(["x 恨"]).tolist() == [0.5]


def test_a_model_that_reads_files_goes_to_no_file(tmp_path):
    (tmp_path / "one.txt").write_text("some words")
    vectorizer = TextVectorizer(input="filename").fit([tmp_path / "one.txt"])

    with pytest.raises(ValueError, match="can't hold a model that reads other files"):
        save(vectorizer, tmp_path / "words.rbt")
    with pytest.raises(ValueError, match="input must be 'content' where the words are in a table"):
        TableVectorizer(kinds={"a": "text"}, text=vectorizer).fit({"a": TALES})


@pytest.mark.parametrize(
    "said",
    [{"token_pattern": "(a+)+$"}, {"input": "filename"}, {"vocabulary": {"list": ["other"]}}],
    ids=str,
)
def test_a_forged_file_brings_no_pattern_and_reads_no_files(said, tmp_path):
    path = tmp_path / "words.rbt"
    save(TextVectorizer().fit(TALES), path)
    forged(path, lambda facts, _: facts["steps"][0]["parameters"].update(said))

    with pytest.raises(ModelFileError, match="does not describe a model"):
        load(path)


@pytest.mark.parametrize("kind", [NamedVectorizer, TextVectorizer, TableVectorizer])
def test_rows_of_words_offer_no_data_frames(kind):
    assert not hasattr(kind(), "set_output")


def test_a_table_counts_tokens_of_a_function_and_can_be_pickled():
    table = TableVectorizer(kinds={"a": "text"}, text=TextVectorizer(analyzer=pieces))
    X = {"a": ["x;y", "y z"]}

    rows = table.fit_transform(X)

    assert table.get_feature_names_out().tolist() == ["x", "y", "z"]
    assert_same_rows(pickle.loads(pickle.dumps(table)).transform(X), rows)
    assert Perceptron().fit(rows, [0, 1]).score(rows, [0, 1]) == 1.0
