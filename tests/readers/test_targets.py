"""What examples of files have: one label, several, or a number to foretell."""

import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from rosenblatt import PassiveAggressiveClassifier, TextLines, cached, open_data
from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.readers.writing import write_data

SETS = [("law", "trade"), (), ("law",), ("sport",)]
TEXTS = ["court on trade", "nothing of it", "a case in court", "a goal in it"]


def file_of(folder, name):
    """A file of these examples in the format that its name ends in."""
    path = folder / name
    if name.endswith(".txt"):
        marked = [" ".join(f"__label__{label}" for label in own) for own in SETS]
        lines = [f"{a} {b}".strip() for a, b in zip(marked, TEXTS, strict=True)]
    elif name.endswith(".csv"):
        rows = zip(SETS, TEXTS, strict=True)
        lines = ["topics,text", *(f"{' ; '.join(own)},{text}" for own, text in rows)]
    else:
        rows = zip(SETS, TEXTS, strict=True)
        lines = [json.dumps({"topics": own, "text": text}) for own, text in rows]
    path.write_text("\n".join(lines) + "\n")
    return path


SAID = {
    "news.txt": {"target": "labels"},
    "news.csv": {"label": "topics", "text": "text", "label_separator": ";"},
    "news.jsonl": {"label": "topics", "text": "text", "target": "labels"},
}


@pytest.mark.parametrize("name", SAID)
def test_several_labels_are_read_from_each_format(tmp_path, name):
    data = open_data(file_of(tmp_path, name), **SAID[name])

    batch = data.whole()

    assert list(batch.labels) == SETS
    assert batch.labels.classes.tolist() == ["law", "sport", "trade"]
    assert list(batch.examples) == TEXTS
    again = open_data(data.source, **data.settings())
    assert list(again.whole().labels) == SETS


@pytest.mark.parametrize("to", ["o.txt", "o.csv", "o.jsonl", "o.parquet"])
def test_written_sets_are_read_again(tmp_path, to):
    data = open_data(file_of(tmp_path, "news.jsonl"), **SAID["news.jsonl"])
    path = tmp_path / to

    write_data(data, path)

    said = {} if to == "o.txt" else {"label": "topics", "text": "text"}
    read = open_data(path, target="labels", **said).whole()
    assert list(read.labels) == SETS


@pytest.mark.parametrize("name", SAID)
def test_several_labels_are_an_error_that_names_the_way_out(tmp_path, name):
    said = {key: value for key, value in SAID[name].items() if key in ("label", "text")}
    path = file_of(tmp_path, name)
    if name == "news.csv":  # where a cell is one label, whatever it holds
        assert "law ; trade" in open_data(path, rejects=[], **said).whole().labels
        return

    with pytest.raises(ValueError, match=r"to learn all of them, say target='labels', or set"):
        open_data(path, **said).whole()


def test_a_cell_of_a_table_is_no_label_unless_a_separator_is_said(tmp_path):
    rejects = []

    path = file_of(tmp_path, "news.csv")
    open_data(path, label="topics", text="text", target="labels", rejects=rejects).whole()

    assert [each.line for each in rejects] == [2, 4, 5]
    assert rejects[0].reason == "expected a JSON list of labels, got 'law ; trade'"


def test_svmlight_has_several_labels_with_commas_between_them(tmp_path):
    path = tmp_path / "rows.svm"
    path.write_text("3,1,3 1:1 2:2\n 2:3\n10 1:1\n")

    batch = open_data(path, target="labels").whole()

    assert list(batch.labels) == [(1, 3), (), (10,)]
    with pytest.raises(ValueError, match="got '3,1,3'; to learn all of them, say target='labels'"):
        open_data(path).whole()


@pytest.mark.parametrize(
    ("content", "format_"),
    [
        ("__label__1.5 a\n__label__x b\n__label__2 c\n", "text"),
        ("1.5\ta\nx\tb\n2\tc\n", "text"),
        ("price,text\n1.5,a b\nx,b c\n2,c d\n", "csv"),
        ('{"price": 1.5, "text": "a"}\n{"price": "x", "text": "b"}\n{"price": 2}\n', "jsonl"),
    ],
)
def test_numbers_are_read_and_what_is_none_is_set_aside(tmp_path, content, format_):
    rejects = []
    said = {"label": "price", "text": "text"} if format_ != "text" else {}
    path = tmp_path / "prices"
    path.write_text(content)

    data = open_data(path, format=format_, target="number", rejects=rejects, **said)
    batch = data.whole()

    assert_array_equal(batch.labels, [1.5, 2.0])
    assert batch.labels.dtype == np.float64
    assert [each.reason for each in rejects] == ["expected a finite number as the target, got 'x'"]


def test_numbers_of_svmlight_and_vw_stay_floats(tmp_path):
    rows, bags = tmp_path / "a.svm", tmp_path / "a.vw"
    rows.write_text("1 1:1\n2 1:2\n")
    bags.write_text("1 | a\n2 | b\n")

    for path in (rows, bags):
        assert open_data(path, target="number").whole().labels.dtype == np.float64


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"target": "set"}, "target must be"),
        ({"label_separator": ""}, "label_separator must be a string"),
        ({"label_separator": ";", "target": "number"}, "stands between labels, and examples"),
        ({"label_separator": ";"}, "each has its own __label__: say target='labels' alone"),
    ],
)
def test_targets_that_cannot_be_are_refused(tmp_path, said, wrong):
    with pytest.raises(ValueError, match=wrong):
        open_data(file_of(tmp_path, "news.txt"), **said).whole()


def test_lines_of_vowpal_wabbit_have_one_label(tmp_path):
    path = tmp_path / "a.vw"
    path.write_text("1 | a\n")

    with pytest.raises(ValueError, match="have one label each: leave out target='labels'"):
        open_data(path, target="labels")


def test_a_folder_may_be_called_by_several_labels(tmp_path):
    for name in ("a;b", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "one.txt").write_text("text")

    assert list(open_data(tmp_path, label_separator=";").whole().labels) == [("a", "b"), ("c",)]


def test_a_cache_keeps_sets(tmp_path):
    data = open_data(file_of(tmp_path, "news.txt"), target="labels")

    cache, again = cached(data), cached(open_data(data.source, target="labels"))

    assert list(cache.y) == list(again.y) == SETS
    assert cache.classes.tolist() == ["law", "sport", "trade"]
    model = PassiveAggressiveClassifier(shuffle="blocks", random_state=0)
    in_memory = PassiveAggressiveClassifier(shuffle="blocks", random_state=0)
    model.fit(cache.X, cache.y)
    in_memory.fit(cache.vectorizer.transform(TEXTS), [*map(set, SETS)])
    assert_array_equal(model.coef_, in_memory.coef_)


def test_a_cache_is_of_labels(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n2 1:2\n")

    with pytest.raises(ValueError, match="A cache holds labels, and numbers are to be foretold"):
        cached(open_data(path, target="number"))


blank = " \t"
words = st.sampled_from(["__label__a", "__label__bé", "a", "__label__", "x__label__"])


@given(
    lines=st.lists(
        st.lists(st.tuples(st.text(blank, min_size=1, max_size=2), words), min_size=1, max_size=5),
        min_size=1,
        max_size=6,
    )
)
def test_marked_labels_are_those_before_the_text(lines):
    rejects, content, expected = [], [], []
    for line in lines:
        content.append("".join(space + word for space, word in line))
        own = []
        for _, word in line:
            if not word.startswith("__label__"):
                break
            own.append(word.removeprefix("__label__"))
        expected.append(None if "" in own else tuple(sorted(set(own))))

    file = io.BytesIO("\n".join(content).encode())
    read = TextLines(file, style="fasttext", target="labels", rejects=rejects, encoding="utf-8")
    found = [own for batch in read.batches() for own in batch.labels]

    assert found == [own for own in expected if own is not None]
    assert [each.line for each in rejects] == [
        k for k, own in enumerate(expected, 1) if own is None
    ]


sets_of_words = st.lists(st.sets(st.sampled_from("abcd")).map(sorted), min_size=1, max_size=6)


@given(parts=st.lists(sets_of_words, min_size=1, max_size=4))
def test_joined_sets_are_those_of_the_parts(parts):
    joined = LabelSets.joined([LabelSets.of_each(part) for part in parts])

    assert joined.tuples() == [tuple(own) for part in parts for own in part]
    assert joined.classes.tolist() == sorted({w for part in parts for own in part for w in own})
