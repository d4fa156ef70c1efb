"""Words make the rows of a TextVectorizer, and come back from files whole or not at all."""

import copy
import json
import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.pipeline import make_pipeline

from rosenblatt import Perceptron, Predictor, TextVectorizer, save
from rosenblatt.features.text_engine import Words, WordSettings
from rosenblatt.features.vocabularies import Reading

TALES = ["The cat sat on the mat", "a naïve dog sat", "日本語 の cat", "", "dog dog \ud800x"]
OPTIONS = [
    {},
    {"use_idf": True, "norm": "l2", "ngram_range": (1, 2), "stop_words": "english"},
    {"analyzer": "char_wb", "ngram_range": [2, 3], "dtype": "float32"},
    {"n_hash_bits": 5, "alternate_sign": True},
    {"n_hash_bits": 5, "use_idf": True},
]


def from_file(words):
    """What is told in JSON and arrays, read again."""
    return Words.build(json.loads(json.dumps(words.facts())), words.arrays())


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_words_from_a_file_make_the_same_rows_and_names(options):
    vectorizer = TextVectorizer(**options).fit(TALES)
    X = vectorizer.transform(TALES)

    words = from_file(vectorizer.words_)

    for mine, theirs in zip(words.rows(TALES), (X.indptr, X.indices, X.data), strict=True):
        assert_array_equal(mine, theirs)
    assert_array_equal(words.names(), vectorizer.get_feature_names_out())
    assert [words.name(k) for k in range(words.width)] == words.names().tolist()


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_words_from_a_file_learn_on_in_a_vectorizer(options):
    vectorizer = TextVectorizer(**options).fit(TALES[:2])

    again = TextVectorizer(**options).restore(from_file(vectorizer.words_))
    for each in (vectorizer, again):
        each.partial_fit(TALES[2:])

    assert again.vocabulary_ == vectorizer.vocabulary_
    assert_array_equal(again.transform(TALES).toarray(), vectorizer.transform(TALES).toarray())


def test_a_vectorizer_wears_only_words_of_its_own_settings():
    words = TextVectorizer(binary=True).fit(TALES).words_

    with pytest.raises(ValueError, match=r"The words were learned with .*binary=True"):
        TextVectorizer().restore(words)


@pytest.mark.parametrize("column", [9, 10**9])
def test_a_column_that_is_not_there_has_no_name(column):
    words = TextVectorizer().fit(["one two"]).words_

    with pytest.raises(ValueError, match="There is no such column"):
        words.name(column)


def grown():
    return TextVectorizer().fit(["one two", "two"]).words_


def hashed():
    return TextVectorizer(n_hash_bits=3, use_idf=True).fit(["one two", "two"]).words_


@pytest.mark.parametrize(
    ("words", "name", "value", "sentence"),
    [
        (grown, "name_ends", [3, 2], "must end in rising order"),
        (grown, "name_ends", [-1, 6], "must end in rising order"),
        (grown, "name_ends", [3, 5], "must end in rising order where their bytes do"),
        (grown, "name_ends", [3, 2**62], "must end in rising order"),
        (grown, "name_ends", [6], "a number of documents for each name"),
        (grown, "name_ends", [3.0, 6.0], "a row of int64 called name_ends"),
        (grown, "name_ends", [[3, 6]], "a row of int64 called name_ends"),
        (grown, "name_ends", None, "a row of int64 called name_ends"),
        (grown, "names", list(b"twotwo"), "names of the columns must differ"),
        (grown, "names", list(b"on\xfftwo"), "must be UTF-8"),
        (grown, "document_counts", [1, 3], "in more than there are"),
        (grown, "document_counts", [1, -1], "in fewer than no documents"),
        (hashed, "columns", [5, 5], "must rise and lie below"),
        (hashed, "columns", [0, 8], "must rise and lie below"),
        (hashed, "name_ends", [0, 6], "must have 1 to 128 bytes"),
        (hashed, "leads", [1], "a column, a hash and a lead for each name"),
        (hashed, "document_counts", [1] * 7, "Each column must have a number of documents"),
        (hashed, "document_counts", [3] * 8, "Each column must have a number of documents"),
        (hashed, "document_counts", None, "With use_idf each column must have"),
    ],
)
def test_arrays_that_describe_no_words_are_refused_in_a_sentence(words, name, value, sentence):
    facts, arrays = words().facts(), words().arrays()
    kind = arrays[name].dtype if value is None or np.array(value).dtype.kind == "i" else None
    if value is None:
        del arrays[name]
    else:
        arrays[name] = np.array(value, dtype=kind)

    with pytest.raises(ValueError, match=sentence):
        Words.build(facts, arrays)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("analyzer", "line"),
        ("analyzer", None),
        ("ngram_range", [2, 1]),
        ("ngram_range", 3),
        ("lowercase", 1),
        ("stop_words", "english"),
        ("stop_words", [1]),
        ("norm", "l3"),
        ("n_hash_bits", 31),
        ("n_hash_bits", 2.0),
        ("dtype", "int8"),
        ("dtype", ["float64"]),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_a_sentence(name, value):
    facts = grown().facts()
    facts["settings"][name] = value

    with pytest.raises(ValueError, match=rf"^{name} must be .*\.$"):
        Words.build(facts, grown().arrays())


@pytest.mark.parametrize("documents", [-1, 2**32, 1.0, None, True])
def test_a_number_of_documents_that_cannot_be_is_refused(documents):
    with pytest.raises(ValueError, match="There can't be"):
        Words.build(grown().facts() | {"documents": documents}, grown().arrays())


def test_settings_that_are_missing_or_unknown_are_refused():
    facts = grown().facts()
    less, more = copy.deepcopy(facts), copy.deepcopy(facts)
    del less["settings"]["norm"]
    more["settings"]["colour"] = 1

    for described in (less, more, {}, [], {"settings": 3, "documents": 0}):
        with pytest.raises(ValueError, match=r"described by|settings of words must be"):
            Words.build(described, grown().arrays())


@settings(max_examples=200, deadline=None)
@given(data=st.data(), words=st.sampled_from([grown, hashed]))
def test_damaged_arrays_are_refused_or_describe_words(data, words):
    facts, arrays = words().facts(), words().arrays()
    name = data.draw(st.sampled_from(sorted(arrays)))
    flat = arrays[name] = arrays[name].copy()
    flat.view(np.uint8)[data.draw(st.integers(0, flat.nbytes - 1))] ^= data.draw(
        st.integers(1, 255)
    )

    try:
        built = Words.build(facts, arrays)
    except ValueError:
        return
    assert len(built.names()) == built.width
    assert len(built.rows(TALES)[0]) == len(TALES) + 1


class Walked(np.ndarray):
    """Counts that tell how often all of them were looked at."""

    times = 0

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        Walked.times += 1
        plain = [np.asarray(given) if isinstance(given, Walked) else given for given in inputs]
        return getattr(ufunc, method)(*plain, **options)


def test_the_counts_of_all_buckets_are_walked_once_for_any_number_of_single_documents():
    vectorizer = TextVectorizer(n_hash_bits=10, use_idf=True).fit(TALES)
    expected = vectorizer.transform(TALES).toarray()
    vectorizer = pickle.loads(pickle.dumps(vectorizer))
    learned = vectorizer._learned
    learned._seen = learned._seen._replace(counts=learned.counts.view(Walked))

    Walked.times = 0
    first = vectorizer.transform(TALES[:1]).toarray()
    walked = Walked.times
    others = [vectorizer.transform([tale]).toarray() for tale in TALES[1:]]

    assert 0 < walked == Walked.times
    assert_array_equal(np.concatenate([first, *others]), expected)


def test_a_single_document_makes_no_array_as_long_as_the_buckets(tmp_path):
    bits = 18
    vectorizer = TextVectorizer(n_hash_bits=bits, use_idf=True, norm="l2")
    model = make_pipeline(vectorizer, Perceptron(random_state=0)).fit(TALES[:2], ["cat", "dog"])
    save(model, tmp_path / "model.rbt")
    predictor = Predictor.load(tmp_path / "model.rbt")
    calls = [lambda: vectorizer.transform(TALES[:1]), lambda: predictor.predict(TALES[:1])]
    calls.append(lambda: model.predict(TALES[:1]))

    for call in calls:
        call()  # works out what is then kept
        tracemalloc.start()
        call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 1 << bits  # a byte for each


@pytest.mark.parametrize("bits", [None, 8])
def test_idf_is_that_of_all_documents_after_each_batch(bits):
    vectorizer = TextVectorizer(n_hash_bits=bits, use_idf=True)

    for place, tale in enumerate(TALES):
        vectorizer.partial_fit([tale])
        whole = TextVectorizer(n_hash_bits=bits, use_idf=True)
        whole.partial_fit(TALES[: place + 1])

        assert_array_equal(vectorizer.idf_, whole.idf_)
        assert_array_equal(vectorizer.transform(TALES).toarray(), whole.transform(TALES).toarray())


def test_idf_that_a_caller_changes_is_a_copy():
    vectorizer = TextVectorizer(n_hash_bits=8, use_idf=True).fit(TALES)
    expected = vectorizer.transform(TALES).toarray()

    vectorizer.idf_[:] = 0

    assert_array_equal(vectorizer.transform(TALES).toarray(), expected)


@pytest.mark.parametrize("analyzer", ["word", "char", "char_wb"])
@pytest.mark.parametrize(
    "weighed",
    [{}, {"binary": True, "sublinear_tf": True}, {"use_idf": True, "norm": "l2"}, {"norm": "l1"}],
)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_rows_with_counts_of_all_features_are_those_without(analyzer, weighed, dtype):
    known = ["a good film", "ein schöner Film, good!", "plot twist plot"]
    told = ["good xyzzy Film plot plot", "", "¿qué?", "a schöner twist \ud800 of a good plot"]
    words = Words(WordSettings(analyzer, (1, 2), dtype=dtype, **weighed))
    words.learn(known)
    every = Words(WordSettings(analyzer, (1, 2)))
    every.learn(told)

    rows, known, counts = words.counted_rows(told)

    for found, expected in zip(rows, words.rows(told), strict=True):
        assert_array_equal(found, expected, strict=True)
    assert_array_equal(known, np.diff(rows[0]))
    assert_array_equal(counts, np.diff(every.rows(told)[0]))


@pytest.mark.parametrize("smooth", [True, False])
@pytest.mark.parametrize("bits", [4, 12, 17])
def test_hashed_words_weigh_the_same_whether_few_or_all_columns_are_looked_at(bits, smooth):
    settings = WordSettings(n_hash_bits=bits, use_idf=True, smooth_idf=smooth, norm="l2")
    rng = np.random.default_rng(0)
    documents = [" ".join(f"w{k}" for k in rng.integers(3000, size=12)) for _ in range(90)]
    stream = Words(settings)

    for number, document in enumerate(documents, start=1):
        before = stream.snapshot()
        expected = before.rows([document]) if number > 1 and smooth else None
        stream.learn([document])
        whole = Words(settings)
        whole.learn(documents[:number])
        assert_array_equal(stream.learned.counts, whole.learned.counts)
        idf = whole.idf
        for found in (stream.rows([document]), stream.rows(documents[:3])):
            other = whole.learned.rows(
                tuple([document] if len(found[0]) == 2 else documents[:3]),
                Reading(settings.cutting(), settings.weighing(idf), threads=1),
            )
            for mine, its in zip(found, other, strict=True):
                assert_array_equal(mine, its, strict=True)
        if expected is not None:
            for mine, its in zip(before.rows([document]), expected, strict=True):
                assert_array_equal(mine, its)
