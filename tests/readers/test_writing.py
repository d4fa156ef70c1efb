"""Writing examples in another format, whole or not at all."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from rosenblatt import open_data, read_svmlight, write_data, write_svmlight

doubles = st.floats(allow_nan=False, allow_infinity=False)


@given(X=arrays(float, (4, 3), elements=doubles), y=arrays(float, 4, elements=doubles))
def test_svmlight_gives_every_double_back(X, y, tmp_path_factory):
    path = tmp_path_factory.mktemp("x") / "x.svm"

    for zero_based in (True, False):
        write_svmlight(path, X, y, zero_based=zero_based)
        A, b = read_svmlight(path, n_features=3, zero_based=zero_based)

        np.testing.assert_array_equal(A.toarray(), X)
        np.testing.assert_array_equal(b, y)


def test_a_stored_zero_keeps_its_sign_and_place(tmp_path):
    X = sparse.csr_array(([-0.0, 0.0, 3.0], ([0, 0, 1], [0, 2, 1])), shape=(2, 3))

    write_svmlight(tmp_path / "x.svm", X, [1, 0])

    assert (tmp_path / "x.svm").read_bytes() == b"1 1:-0 3:0\n0 2:3\n"


TABLE = (
    'id,label,age,city,note\n1,spam,1.5,Rome,"so, so ""good"" words\nhere"\n'
    "2,ham,,Oslo,at ten to ten\n3,ham,-0.1,,naïve words\n"
).encode()
KINDS = {"age": "number", "city": "category", "note": "text"}


@pytest.mark.parametrize(
    "name", ["t.csv", "t.tsv", "t.jsonl", "t.parquet", "t.csv.gz", "t.tsv.xz", "t.csv.zst"]
)
def test_a_table_keeps_its_columns_in_other_formats(name, tmp_path):
    (tmp_path / "first.csv").write_bytes(TABLE)
    first = open_data(tmp_path / "first.csv", label="label", kinds=KINDS)

    count = write_data(first, tmp_path / name)

    second = open_data(tmp_path / name, label="label", kinds=KINDS)
    (a,), (b,) = first.batches(), second.batches()
    assert count == 3
    assert second.layout.columns == ("label", "id", "age", "city", "note")
    assert a.labels.tolist() == b.labels.tolist()
    np.testing.assert_array_equal(a.examples.columns["age"], b.examples.columns["age"])
    for column in ("city", "note"):
        assert list(a.examples.columns[column]) == list(b.examples.columns[column])


def test_texts_become_lines_of_text(tmp_path):
    (tmp_path / "t.csv").write_bytes(b'label,text\nspam,"buy\nnow, friend"\nham,see you\n')

    count = write_data(open_data(tmp_path / "t.csv"), tmp_path / "t.txt")

    assert count == 2
    content = (tmp_path / "t.txt").read_text(encoding="utf-8")
    assert content == "__label__spam buy now, friend\n__label__ham see you\n"


def test_a_table_becomes_lines_of_vowpal_wabbit(tmp_path):
    (tmp_path / "t.csv").write_bytes(TABLE)
    (tmp_path / "n.csv").write_bytes(TABLE.replace(b"spam", b"1").replace(b"ham", b"-1"))
    data = open_data(tmp_path / "n.csv", label="label", kinds=KINDS)

    with pytest.raises(ValueError, match="vw needs numbers as labels, but the example of line 2"):
        write_data(open_data(tmp_path / "t.csv", label="label", kinds=KINDS), tmp_path / "t.vw")
    write_data(data, tmp_path / "t.vw")

    (again,) = open_data(tmp_path / "t.vw").batches()
    assert again.labels.tolist() == [1, -1, -1]
    assert (tmp_path / "t.vw").read_text(encoding="utf-8").splitlines() == [
        '1 | age:1.5 city=Rome |note so, so "good" words here',
        "-1 | city=Oslo |note at ten to ten",
        "-1 | age:-0.1 city= |note naïve words",
    ]


def test_features_become_columns_of_svmlight_unscaled(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"y,n,c\n1,2.5,x\n-1,7,y\n1,,x\n")
    data = open_data(tmp_path / "t.csv", label="y", kinds={"n": "number", "c": "category"})

    write_data(data, tmp_path / "t.svm")

    assert (tmp_path / "t.svm").read_bytes() == b"1 1:2.5 3:1\n-1 1:7 4:1\n1 2:1 3:1\n"


def test_svmlight_becomes_a_table_as_wide_as_its_widest_row(tmp_path):
    (tmp_path / "t.svm").write_bytes(b"1 1:2\n" * 100_000 + b"-1 3:0.1\n")

    count = write_data(open_data(tmp_path / "t.svm"), tmp_path / "t.csv")

    rows = (tmp_path / "t.csv").read_text(encoding="ascii").splitlines()
    assert count == 100_001
    assert rows[:2] + rows[-1:] == ["label,x1,x2,x3", "1,2,0,0", "-1,0,0,0.1"]


REFUSED = {
    "words as labels": ("t.svm", "svmlight needs numbers as labels, but the example of line 2 has"),
    "no format": ("t.xyz", r"t\.xyz does not tell its format: let it end in"),
    "several columns": ("t.txt", "Lines of text need examples that are one text each"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_cannot_be_written_leaves_the_old_file(fault, tmp_path):
    name, message = REFUSED[fault]
    (tmp_path / "first.csv").write_bytes(TABLE)
    (tmp_path / name).write_bytes(b"old")

    with pytest.raises(ValueError, match=message):
        write_data(open_data(tmp_path / "first.csv"), tmp_path / name)

    assert (tmp_path / name).read_bytes() == b"old"
    assert sorted(os.listdir(tmp_path)) == ["first.csv", name]


def test_labels_with_blanks_are_refused_in_lines_of_text(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"label,text\nnot good,some words here\nham,see you\n")

    with pytest.raises(ValueError, match="needs labels without blanks, but the example of line 2"):
        write_data(open_data(tmp_path / "t.csv", text="text"), tmp_path / "t.txt")


def test_a_row_for_each_label_is_needed(tmp_path):
    with pytest.raises(ValueError, match="y must have a label for each of 2 rows"):
        write_svmlight(tmp_path / "t.svm", np.eye(2), [1])


def test_lines_of_vowpal_wabbit_come_through_with_namespaces_and_importance(tmp_path):
    lines = "1 2.5 |a x:2 y |b z\n-1 | q\n1 |a x^y |\n-1 |^c d:0.5\n"
    (tmp_path / "t.vw").write_text(lines)

    write_data(open_data(tmp_path / "t.vw"), tmp_path / "o.vw")
    (before,), (after,) = (open_data(tmp_path / name).batches() for name in ("t.vw", "o.vw"))

    assert [after.examples[k] for k in range(4)] == [before.examples[k] for k in range(4)]
    assert after.labels.tolist() == before.labels.tolist()
    assert after.weights.tolist() == before.weights.tolist() == [2.5, 1, 1, 1]
