"""Tables: rows, lines, what columns hold, and what is said about bad lines."""

import csv
import gzip
import json
import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import open_data
from rosenblatt.features.examples import Records, Texts


def opened(path, content, **options):
    path.write_bytes(content)
    return open_data(path, **options)


def rows_of(data):
    """Line, label and example of every row."""
    return [
        (int(line), str(label), example)
        for batch in data.batches()
        for line, label, example in zip(batch.lines, batch.labels, batch.examples, strict=True)
    ]


def test_a_single_text_column_is_read_as_texts(tmp_path):
    data = opened(tmp_path / "mail.csv", b"label,message\nspam,you won\nham,see you at ten\n")

    (batch,) = data.batches()

    assert isinstance(batch.examples, Texts)
    assert list(batch.examples) == ["you won", "see you at ten"]
    assert batch.labels.tolist() == ["spam", "ham"]
    assert batch.lines.tolist() == [2, 3]


def test_lines_are_counted_through_quoted_ones(tmp_path):
    content = b'label,text\nspam,"you\nwon, ""really"""\n\nham,at ten\n'

    data = opened(tmp_path / "mail.csv", content)

    assert rows_of(data) == [(2, "spam", 'you\nwon, "really"'), (5, "ham", "at ten")]


def test_byte_order_mark_and_carriage_returns_are_no_part_of_cells(tmp_path):
    content = b"\xef\xbb\xbflabel,text\r\nspam,you won\r\nham,at ten\r\n"

    data = opened(tmp_path / "mail.csv", content)

    assert rows_of(data) == [(2, "spam", "you won"), (3, "ham", "at ten")]


def test_numbers_become_floats_and_unknown_ones_nan(tmp_path):
    content = b"class,age,colour\na,1.5,red\nb,?,blue\na,-2e3,red\nb,,red\n"

    (batch,) = opened(tmp_path / "t.csv", content).batches()

    assert isinstance(batch.examples, Records)
    np.testing.assert_array_equal(batch.examples.columns["age"], [1.5, np.nan, -2000, np.nan])
    assert list(batch.examples.columns["colour"]) == ["red", "blue", "red", "red"]


KINDS = {"age": "number", "colour": "category"}

BAD = {
    "too few columns": (b"a", "line 3, column 2: expected 3 columns, got 1"),
    "too many columns": (b"a,1,x,y", "line 3, column 7: expected 3 columns, got 4"),
    "an empty label": (b",1,red", "line 3, column 1: the label, column 'class', is empty"),
    "no number": (b"a,old,red", "line 3, column 3: expected a number in column 'age'"),
    "Python's own spelling": (b"a,1_000,red", "line 3, column 3: expected a number in column"),
    "digits of another script": ("a,٣,red".encode(), "line 3, column 3: expected a number in"),
    "no finite number": (b"a,inf,red", "line 3, column 3: expected a finite number"),
    "text after a quote": (b'a,1,"red"dish', "line 3, column 9: a cell goes on after its closing"),
    "an open quote": (b'a,1,"red', "line 3, column 5: a quote that opens here is never closed"),
    "Latin-1": (b"a,1,caf\xe9", "line 3, column 8: the text is not UTF-8"),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_line_is_an_error_that_names_its_place(fault, tmp_path):
    line, message = BAD[fault]
    path = tmp_path / "t.csv"

    content = b"class,age,colour\nb,2,blue\n" + line + b"\na,1,red\nb,3,red\n"

    data = opened(path, content, kinds=KINDS, encoding="utf-8")

    with pytest.raises(ValueError, match="^" + re.escape(f"{path}, {message}")):
        list(data.batches())


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_line_is_set_aside_alone(fault, tmp_path):
    line, _ = BAD[fault]
    rejects = []
    content = b"class,age,colour\nb,2,blue\n" + line + b"\na,1,red\nb,3,red\n"

    data = opened(tmp_path / "t.csv", content, kinds=KINDS, rejects=rejects, encoding="utf-8")

    for _ in range(2):  # the second walk does not tell of it again
        assert [number for number, _, _ in rows_of(data)] == [2, 4, 5]
        assert [(reject.line, reject.text) for reject in rejects] == [(3, line)]


@pytest.mark.parametrize("cell", ["1_000", "٣", "１"])
def test_what_other_programs_take_for_words_is_no_number(cell, tmp_path):
    content = "label,n\n" + "".join(f"{'ab'[k % 2]},{cell}\n" for k in range(8))

    data = opened(tmp_path / "t.csv", content.encode())

    assert data.describe() == 'csv, label "label" (guessed), category "n"'


def test_a_bad_byte_in_a_row_of_many_lines_spoils_that_row_alone(tmp_path):
    good = b'a,"one\ntwo, ""three""\nfour"\n'
    bad = good.replace(b"two", b"tw\xf6")
    rejects = []

    content = b"label,text\n" + good + 2 * bad + good

    data = opened(tmp_path / "t.csv", content, rejects=rejects, encoding="utf-8")

    assert [line for line, _, _ in rows_of(data)] == [2, 11]
    assert [(reject.line, reject.column, reject.text) for reject in rejects] == [
        (6, 3, bad[:-1]),
        (9, 3, bad[:-1]),
    ]


def test_a_header_of_more_than_a_megabyte_is_read_whole(tmp_path):
    names = [f"a-name-that-is-rather-long-{k:06d}" for k in range(50_000)]
    rows = [",".join(["yes", *(["1"] * 50_000)]), ",".join(["no", *(["2"] * 50_000)])]
    content = "\n".join([",".join(["label", *names]), *rows, *rows]).encode()

    (batch,) = opened(tmp_path / "t.csv", content).batches()

    assert list(batch.examples.columns) == names
    assert batch.labels.tolist() == ["yes", "no"] * 2


BAD_JSON = {
    "no JSON": (b'{"label": "a", "age": }', "line 2, column 23: expected JSON: expecting value"),
    "a list": (b"[1, 2]", "line 2, column 1: expected a JSON object {...}, got a list"),
    "no label": (b'{"age": 3}', "line 2, column 1: the label, column 'label', is empty"),
    "no number": (b'{"label": "a", "age": "x"}', "line 2, column 16: expected a number"),
    "not UTF-8": (b'{"label": "\xe9", "age": 1}', "line 2, column 12: the text is not UTF-8"),
    "a name twice": (b'{"label": "a", "age": 1, "age": 2}', "line 2, column 26: two values are"),
    "a list of labels": (
        b'{"age": 1, "label": ["a", "b"]}',
        "line 2, column 12: expected one label",
    ),
    "a name twice within": (b'{"label": {"x": 1, "x": 2}}', "line 2, column 20: two values are"),
    "too many digits": (b'{"label": 1%s}' % (b"0" * 5000), "line 2, column 1: expected JSON, got"),
    "deep": (b'{"label": ' + b"[" * 100_000, "line 2, column 1: expected JSON that is not nested"),
}


@pytest.mark.parametrize("fault", BAD_JSON)
def test_a_bad_line_of_json_is_named_or_set_aside(fault, tmp_path):
    line, message = BAD_JSON[fault]
    path = tmp_path / "t.jsonl"
    content = b'{"label": "a", "age": 1}\n' + line + b'\n{"label": "b", "age": 2.5}\n'
    rejects = []

    with pytest.raises(ValueError, match="^" + re.escape(f"{path}, {message}")):
        list(opened(path, content, kinds={"age": "number"}, encoding="utf-8").batches())
    kept = rows_of(open_data(path, kinds={"age": "number"}, rejects=rejects, encoding="utf-8"))

    assert kept == [(1, "a", {"age": 1.0}), (3, "b", {"age": 2.5})]
    assert [reject.text for reject in rejects] == [line]


def test_json_lines_need_not_have_every_name(tmp_path):
    lines = [{"label": "a", "n": 1, "s": "x"}, {"label": True, "s": "y"}, {"n": 3, "label": 2}]
    content = "\n".join(map(json.dumps, lines)).encode()

    data = opened(tmp_path / "t.ndjson", content)

    (batch,) = data.batches()
    assert batch.labels.tolist() == ["a", "true", "2"]
    np.testing.assert_array_equal(batch.examples.columns["n"], [1, np.nan, 3])
    assert list(batch.examples.columns["s"]) == ["x", "y", ""]


def test_parquet_gives_what_csv_gives(tmp_path):
    table = {
        "class": ["a", "b", None, "a"],
        "n": [1, None, 3, 4],
        "s": ["x", "y", "x", None],
        "flag": [True, False, True, None],
    }
    pq.write_table(pa.table(table), tmp_path / "t.parquet")
    content = b"class,n,s,flag\na,1,x,1\nb,,y,0\n,3,x,1\na,4,,\n"
    options = {"kinds": {"n": "number", "s": "category", "flag": "number"}}

    aside = []

    from_parquet = open_data(tmp_path / "t.parquet", rejects=aside, **options)
    from_csv = opened(tmp_path / "t.csv", content, rejects=[], **options)

    (a,), (b,) = from_parquet.batches(), from_csv.batches()
    assert a.labels.tolist() == b.labels.tolist() == ["a", "b", "a"]
    assert a.lines.tolist() == [1, 2, 4]
    for name in options["kinds"]:
        np.testing.assert_array_equal(a.examples.columns[name], b.examples.columns[name])
    assert [(reject.line, reject.column) for reject in aside] == [(3, 1)]


def test_a_list_of_labels_in_parquet_is_an_error(tmp_path):
    pq.write_table(pa.table({"labels": [["a"], ["a", "b"]], "n": [1, 2]}), tmp_path / "t.parquet")

    with pytest.raises(ValueError, match=r"line 1, column 1: expected one label in 'labels', got"):
        list(open_data(tmp_path / "t.parquet", label="labels", use=["n"]).batches())


def test_a_damaged_parquet_file_is_refused(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1 and nothing else")

    with pytest.raises(ValueError, match=r"t\.parquet is no Parquet file, or a damaged one\."):
        open_data(path)


def test_long_files_come_in_batches_of_bounded_size(tmp_path):
    content = b"label,n\n" + b"".join(b"%d,%d\n" % (k % 3, k * 7 % 11) for k in range(10_000))

    batches = list(opened(tmp_path / "t.csv.gz", gzip.compress(content)).batches())

    assert [len(batch.lines) for batch in batches] == [4096, 4096, 1808]
    assert np.concatenate([b.lines for b in batches]).tolist() == list(range(2, 10_002))


def test_a_quote_that_is_never_closed_does_not_swallow_memory(tmp_path):
    content = b'label,text\na,"b\n' + b"x,y\n" * 1000

    data = opened(tmp_path / "t.csv", content, max_line=1000)

    with pytest.raises(ValueError, match=r"line 2: the line is longer than 1000 bytes, or"):
        list(data.batches())


cells = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0\r"), max_size=8)


@given(table=st.lists(st.tuples(st.sampled_from(["a", "b"]), cells, cells), min_size=1))
def test_what_the_csv_module_writes_is_read_back(table, tmp_path_factory):
    path = tmp_path_factory.mktemp("t") / "t.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("label", "s", "t"), *table])

    data = open_data(path, kinds={"s": "category", "t": "text"})

    assert [(label, row["s"], row["t"]) for _, label, row in rows_of(data)] == table
