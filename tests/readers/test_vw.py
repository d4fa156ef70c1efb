"""Vowpal Wabbit's lines, against Vowpal Wabbit itself and against plain Python."""

import io
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from vowpalwabbit import Workspace

from rosenblatt import VW
from rosenblatt.readers import blocks
from rosenblatt.readers.data import Batch


def read(text, **options):
    """All examples of a file that holds this."""
    return Batch.join(list(VW(io.BytesIO(text), **options).batches()))


def bags(batch):
    return [batch.examples[k] for k in range(len(batch.examples))]


@pytest.mark.parametrize(
    ("line", "label", "weight", "features"),
    [
        (b"1 |a x y:2", 1.0, 1.0, [("a^x", 1.0), ("a^y", 2.0)]),
        (b"-1 0.5 'tag |a x", -1.0, 0.5, [("a^x", 1.0)]),
        (b"1 2 tag|a x", 1.0, 2.0, [("a^x", 1.0)]),
        (b"1 | x y", 1.0, 1.0, [("x", 1.0), ("y", 1.0)]),
        (b"1 |a:2 x:3 y |b:0.5 z", 1.0, 1.0, [("a^x", 6.0), ("a^y", 2.0), ("b^z", 0.5)]),
        (b"1 |a x|b y", 1.0, 1.0, [("a^x", 1.0), ("b^y", 1.0)]),
        (b"  +1e0\t|a  x:-1e-2  ", 1.0, 1.0, [("a^x", -0.01)]),
        ("1 |ä é".encode(), 1.0, 1.0, [("ä^é", 1.0)]),
        (b"1 |a x x", 1.0, 1.0, [("a^x", 1.0), ("a^x", 1.0)]),
        (b"3 |", 3.0, 1.0, []),
        (b"3 |a", 3.0, 1.0, []),
    ],
)
def test_a_line_is_label_importance_and_named_features(line, label, weight, features):
    batch = read(line)

    assert batch.labels.tolist() == [label]
    assert batch.weights.tolist() == [weight]
    assert bags(batch) == [features]


@pytest.mark.parametrize("line", [b"|a x", b" |a x", b"'tag |a x", b"tag|a x"])
def test_a_line_may_have_no_label(line):
    batch = read(line)

    assert batch.labels is None
    assert bags(batch) == [[("a^x", 1.0)]]


words = st.text("abc'", min_size=1, max_size=3)
amounts = st.sampled_from(["", ":1", ":0.5", ":-2", ":1e-1"])
spaces = st.tuples(words, amounts, st.lists(st.tuples(words, amounts), min_size=1, max_size=4))
examples = st.tuples(
    st.sampled_from(["1", "-1", "0.5"]), st.sampled_from(["", " 2", " 0.5"]),
    st.sampled_from(["", " 'tag", " tag"]), st.lists(spaces, min_size=1, max_size=3),
)  # fmt: skip


def written(example):
    label, importance, tag, namespaces = example
    features = (
        f"|{name}{weight} " + " ".join(f"{word}{value}" for word, value in inside)
        for name, weight, inside in namespaces
    )
    return f"{label}{importance}{tag}{'' if tag == ' tag' else ' '}{' '.join(features)}"


@settings(max_examples=60, deadline=None)
@given(examples=st.lists(examples, min_size=1, max_size=5))
def test_examples_are_those_that_vowpal_wabbit_reads(examples):
    """Of its features the values are compared: it knows the names by their hashes only."""
    lines = [written(example) for example in examples]
    batch = read("\n".join(lines).encode())
    theirs = Workspace(quiet=True, noconstant=True)

    for k, line in enumerate(lines):
        example = theirs.example(line)
        values = [value for _, value in example.iter_features()]
        assert example.get_simplelabel_label() == pytest.approx(batch.labels[k])
        assert example.get_simplelabel_weight() == pytest.approx(batch.weights[k])
        ours = [value for _, value in batch.examples[k]]
        assert sorted(ours) == pytest.approx(sorted(values))
        theirs.finish_example(example)
    theirs.finish()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"1 a b", "line 2, column 1: expected a | before the features"),
        (b"good |a x", "line 2, column 1: expected a number as the label, got 'good'"),
        (b"nan |a x", "expected a number as the label, got 'nan'"),
        (b"|a x", "line 2, column 1: expected a label, got none"),
        (b"1 -2 |a x", "column 3: expected a number of at least 0 as the importance, got '-2'"),
        (b"1 1 0.5 |a x", "column 5: expected label, importance and tag before the |, got also"),
        (b"1 |a:x y", "column 4: expected a number as the weight of a namespace, got 'a:x'"),
        (b"1 |a x:y", "column 6: expected feature or feature:number, got 'x:y'"),
        (b"1 |a x:1:2", "column 6: expected feature or feature:number, got 'x:1:2'"),
        (b"1 |a x:", "expected feature or feature:number, got 'x:'"),
        (b"1 |a :3", "expected feature or feature:number, got ':3'"),
        (b"1 |a x:inf", "expected feature or feature:number, got 'x:inf'"),
        (b"1 |a:1e300 x:1e300", "expected feature or feature:number"),
        (b"1 |a \xff", "line 2, column 6: the text is not UTF-8; say which encoding"),
        (b"1 |a " + b"x" * 90, "longer than 80 bytes"),
    ],
)
def test_a_line_that_cannot_be_read_is_an_error_or_set_aside(line, sentence):
    rejects = []
    text = b"1 |a x\n" + line + b"\n-1 |a y\n"

    with pytest.raises(ValueError, match=re.escape(sentence)):
        read(text, max_line=80, encoding="utf-8")
    batch = read(text, rejects=rejects, max_line=80, encoding="utf-8")

    assert [(each.line, each.text) for each in rejects] == [(2, line)]
    assert bags(batch) == [[("a^x", 1.0)], [("a^y", 1.0)]]
    assert batch.lines.tolist() == [1, 3]


def test_labels_are_ignored_where_none_are_expected():
    assert read(b"1 |a x\n|a y\n", labelled=False).labels is None


def test_without_labels_every_line_is_an_example():
    batch = read(b"|a x\n\n  \n1 |a y\n\n", labelled=False)

    assert batch.lines.tolist() == [1, 2, 3, 4, 5]
    assert [len(bag) for bag in batch.examples] == [1, 0, 0, 1, 0]


def test_many_blocks_give_the_examples_of_one(monkeypatch):
    rng = np.random.default_rng(0)
    text = b"".join(
        b"%d |f %s\n" % (k, b" ".join(b"w%d:%d" % (w, w) for w in rng.integers(0, 99, 9)))
        for k in range(500)
    )
    whole = read(text)
    monkeypatch.setattr(blocks, "BLOCK", 300)

    parts = read(text)

    assert bags(parts) == bags(whole)
    assert_array_equal(parts.labels, np.arange(500))


@given(rows=st.lists(st.integers(0, 3), max_size=6))
def test_examples_may_be_chosen_and_joined(rows):
    batch = read(b"1 |a x y:2\n1 |a\n1 |b z\n1 |c u v w\n")
    all_of_them = bags(batch)

    some = batch.examples.at(np.array(rows, dtype=int))
    twice = type(some).join([some, batch.examples])

    assert [some[k] for k in range(len(some))] == [all_of_them[k] for k in rows]
    assert [twice[k] for k in range(len(twice))] == [all_of_them[k] for k in rows] + all_of_them


def test_a_vectorizer_makes_rows_of_the_features():
    data = VW(io.BytesIO(b"1 |a x y:2\n-1 |a y x x:-1\n"))
    (batch,) = data.batches()
    vectorizer = data.vectorizer()

    X = vectorizer.fit_transform(batch.examples)

    assert vectorizer.get_feature_names_out().tolist() == ["a^x", "a^y"]
    assert X.toarray().tolist() == [[1.0, 2.0], [0.0, 1.0]]
    assert data.describe().startswith("lines of Vowpal Wabbit")


def test_labels_are_whole_numbers_where_all_are():
    (whole,) = VW(io.BytesIO(b"1 |w a\n-1 |w b\n")).batches()
    (others,) = VW(io.BytesIO(b"1 |w a\n0.5 |w b\n")).batches()

    assert whole.labels.tolist() == [1, -1]
    assert whole.labels.dtype == np.int64
    assert others.labels.tolist() == [1.0, 0.5]
