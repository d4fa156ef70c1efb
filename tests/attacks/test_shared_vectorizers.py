"""A vectorizer that threads share: readers see it as it was between two calls that learn."""

import pickle
import threading

import numpy as np
import pytest

from rosenblatt import NamedVectorizer, TableVectorizer, TextVectorizer
from threads import in_threads, times

BATCHES = [[f"new{k} word", "word", f"rare{k} again"] for k in range(60)]
ASKED = ["word again", "word word rare3", "nothing known"]
KINDS = {
    "growing": {"use_idf": True, "norm": "l2"},
    "hashed": {"use_idf": True, "n_hash_bits": 8},
    "given": {"use_idf": True, "vocabulary": ["word", "again", "rare3"]},
}
kinds = pytest.mark.parametrize("options", KINDS.values(), ids=KINDS)


def fingerprint(rows):
    """Values and their places, to compare rows of any width."""
    rows = rows.tocoo()
    return rows.row.tobytes(), rows.col.tobytes(), rows.data.tobytes()


def after_each_batch(options, look):
    alone, found = TextVectorizer(**options).partial_fit(BATCHES[0]), set()
    for batch in BATCHES:
        found.add(look(alone))
        alone.partial_fit(batch)
    return alone, found | {look(alone)}


def seen_beside_learning(options, look):
    """What a thread sees of a vectorizer that another lets learn, and what went wrong."""
    shared, over, seen = TextVectorizer(**options).partial_fit(BATCHES[0]), threading.Event(), set()

    def learn():
        try:
            for batch in BATCHES:
                shared.partial_fit(batch)
        finally:
            over.set()

    def read():
        while not over.is_set():
            seen.add(look(shared))

    failures = in_threads(learn, read, read)
    return shared, seen, failures


@kinds
@pytest.mark.parametrize("attempt", range(3))
def test_rows_are_weighed_by_what_was_known_after_some_batch(options, attempt):
    def look(vectorizer):
        return fingerprint(vectorizer.transform(ASKED))

    alone, expected = after_each_batch(options, look)
    shared, seen, failures = seen_beside_learning(options, look)

    assert failures == []
    assert seen <= expected
    assert look(shared) == look(alone)


@pytest.mark.in_a_child
def test_a_long_batch_shows_nothing_until_it_is_learned():
    """Which the core's own lock sees to: rows are made beside it."""
    many = [" ".join(f"w{k}" for k in range(n, n + 40)) for n in range(0, 200_000, 40)]
    shared, over, seen = TextVectorizer().partial_fit(["word"]), threading.Event(), set()

    def learn():
        try:
            shared.partial_fit(many)
        finally:
            over.set()

    def read():
        while not over.is_set():
            seen.add(shared.transform(["word"]).shape[1])

    assert in_threads(learn, read) == []
    assert seen <= {1, 200_001}
    assert len(shared.vocabulary_) == 200_001


@kinds
def test_documents_that_let_it_learn_while_they_are_read_get_what_was_known_before(options):
    vectorizer = TextVectorizer(**options).partial_fit(BATCHES[0])
    expected = fingerprint(vectorizer.transform(ASKED))

    def asked():
        yield from ASKED
        vectorizer.partial_fit(BATCHES[1])

    assert fingerprint(vectorizer.transform(asked())) == expected
    assert vectorizer.n_documents_ == 6


def arrays_of(words):
    facts = words.facts()["documents"]
    return facts, *((name, array.tobytes()) for name, array in sorted(words.arrays().items()))


@kinds
def test_it_is_pickled_as_it_was_after_some_batch(options):
    def look(vectorizer):
        return arrays_of(pickle.loads(pickle.dumps(vectorizer)).words_)

    _, expected = after_each_batch(options, look)
    _, seen, failures = seen_beside_learning(options, look)

    assert failures == []
    assert seen <= expected


@kinds
def test_what_makes_rows_stays_as_it_was_when_it_was_asked_for(options):
    vectorizer = TextVectorizer(**options).partial_fit(BATCHES[0])
    words = vectorizer.words_
    before = arrays_of(words)

    vectorizer.partial_fit(BATCHES[1])

    assert arrays_of(words) == before != arrays_of(vectorizer.words_)


@pytest.mark.parametrize("n_hash_bits", [None, 8])
def test_no_document_of_several_threads_is_lost(n_hash_bits):
    shared = TextVectorizer(use_idf=True, n_hash_bits=n_hash_bits)
    alone = TextVectorizer(use_idf=True, n_hash_bits=n_hash_bits).partial_fit(ASKED * 90)

    failures = in_threads(*[times(30, lambda: shared.partial_fit(ASKED))] * 3)

    assert failures == []
    assert shared.n_documents_ == alone.n_documents_ == 270
    assert shared.vocabulary_.keys() == alone.vocabulary_.keys()
    assert sorted(shared.document_counts_) == sorted(alone.document_counts_)


def test_names_may_be_learned_beside_rows():
    shared, over = NamedVectorizer().partial_fit([{"a": 1.0}]), threading.Event()
    batches = [[{f"n{k}": 1.0, "a": 2.0}] for k in range(200)]

    def learn():
        for batch in batches:
            shared.partial_fit(batch)
        over.set()

    def read():
        while not over.is_set():
            rows = shared.transform([{"a": 3.0, "n150": 1.0}])
            assert rows[:, [0]].toarray() == [[3.0]]

    def start_afresh():
        while not over.is_set():
            other.fit([{"a": 1.0}])
            other.fit([{"a": 1.0, "b": 2.0}])

    other = NamedVectorizer().fit([{"a": 1.0}])

    def read_other():
        while not over.is_set():
            assert other.transform([{"a": 1.0, "b": 2.0}]).sum() in (1.0, 3.0)

    assert in_threads(learn, read, start_afresh, read_other) == []


def test_a_table_may_be_learned_from_beside_rows_and_saving():
    kinds = {"words": "text", "colour": "category", "size": "number"}

    def table(k):
        return {"words": [f"one w{k}", "one"], "colour": ["red", f"c{k}"], "size": [1.0, 2.0]}

    shared, over = TableVectorizer(kinds=kinds, scale=None), threading.Event()
    shared.partial_fit(table(0))
    place = shared.get_feature_names_out().tolist().index("words:one")

    def learn():
        for k in range(150):
            shared.partial_fit(table(k))
        over.set()

    def read():
        while not over.is_set():
            assert shared.transform(table(120))[:, [place]].toarray().tolist() == [[1.0], [1.0]]

    def keep():
        while not over.is_set():
            copy = pickle.loads(pickle.dumps(shared))
            assert None not in copy.get_feature_names_out()
            assert len(copy.columns_.names()) == copy.columns_.width
            copy.columns_.build(copy.columns_.facts(), copy.columns_.arrays())

    assert in_threads(learn, read, keep) == []
    alone = TableVectorizer(kinds=kinds, scale=None).partial_fit(table(0))
    for k in range(150):
        alone.partial_fit(table(k))
    np.testing.assert_array_equal(shared.get_feature_names_out(), alone.get_feature_names_out())
