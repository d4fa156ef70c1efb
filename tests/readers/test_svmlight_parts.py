"""Several files of svmlight as one, parts of one, and what the writer adds."""

import gzip
import io
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.datasets import load_svmlight_file, load_svmlight_files

from rosenblatt import read_svmlight, read_svmlights, write_svmlight

LINES = b"1 qid:1 0:1 2:0.5\n\n-1 qid:1 # nothing\n2 qid:2 1:3\n# all\n-2 qid:3 0:1 1:-1 2:7"
OPTIONS = {"n_features": 3, "query_id": True}


def as_lists(read):
    return [part.toarray().tolist() if sparse.issparse(part) else part.tolist() for part in read]


LONGEST = max(map(len, LINES.split(b"\n"))) + 1
"""Of a shorter stretch scikit-learn reads a line that the next stretch has, too."""


@given(
    offset=st.integers(0, len(LINES) + 3),
    length=st.sampled_from([-1, 0, *range(LONGEST, len(LINES) + 3)]),
)
def test_a_stretch_has_the_lines_that_scikit_learn_finds_in_it(offset, length):
    ours = read_svmlight(io.BytesIO(LINES), offset=offset, length=length, **OPTIONS)
    theirs = load_svmlight_file(io.BytesIO(LINES), offset=offset, length=length, **OPTIONS)

    assert as_lists(ours) == as_lists(theirs)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_stretches_have_each_line_once(pack, tmp_path):
    path = tmp_path / "x.svm"
    path.write_bytes(pack(LINES))
    _, whole, _ = read_svmlight(path, **OPTIONS)

    for size in range(1, len(LINES) + 1):
        found = [
            read_svmlight(path, offset=begin, length=size, threads=2, **OPTIONS)[1]
            for begin in range(0, len(LINES), size)
        ]
        assert np.concatenate(found).tolist() == whole.tolist()


def test_a_stretch_needs_a_file_that_can_be_entered_anywhere():
    reader, writer = os.pipe()
    os.close(writer)

    with open(reader, "rb") as pipe, pytest.raises(ValueError, match="can't be read from byte 3"):
        read_svmlight(pipe, offset=3, n_features=1)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"offset": 3}, "n_features is required when offset or length is given"),
        ({"offset": -1, "n_features": 1}, "offset must be a whole number of at least 0, got off"),
        ({"length": 1.5, "n_features": 1}, "length must be a whole number of at least -1, got le"),
    ],
)
def test_stretches_that_cannot_be_are_refused(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_svmlight(io.BytesIO(LINES), **options)


TEXTS = [b"1 1:1 2:2\n", b"-1 3:1\n2 1:1\n"]
FROM_ZERO = [*TEXTS, b"1 0:2\n"]


@pytest.mark.parametrize("texts", [TEXTS, FROM_ZERO, TEXTS[:1]], ids=len)
@pytest.mark.parametrize("zero_based", ["auto", True])
def test_several_files_are_read_as_scikit_learn_reads_them(texts, zero_based):
    ours = read_svmlights(map(io.BytesIO, texts), zero_based=zero_based)
    theirs = load_svmlight_files([*map(io.BytesIO, texts)], zero_based=zero_based)

    assert as_lists(ours) == as_lists(theirs)


def test_a_file_without_features_has_no_say_in_where_indices_begin():
    X, _, Z, _ = read_svmlights(map(io.BytesIO, [b"1 1:1 2:2\n", b"5\n"]))

    assert X.toarray().tolist() == [[1.0, 2.0]]
    assert Z.shape == (1, 2)


def test_of_several_files_the_widest_is_named_that_does_not_fit(tmp_path):
    (tmp_path / "wide.svm").write_bytes(b"1 7:1\n")

    with pytest.raises(ValueError, match=r"wide.svm has 7 features, more than n_features=3 allows"):
        read_svmlights([io.BytesIO(b"1 1:1\n"), tmp_path / "wide.svm"], n_features=3)
    for one in ("file", io.BytesIO(b"")):
        with pytest.raises(TypeError, match="sources must be a list of files"):
            read_svmlights(one)
    with pytest.raises(ValueError, match="sources must be a list of files, got an empty one"):
        read_svmlights([])


@given(labels=st.lists(st.lists(st.integers(0, 3), unique=True).map(tuple), min_size=1, max_size=5))
def test_several_labels_come_back(labels):
    file, X = io.BytesIO(), np.ones((len(labels), 2))
    indicator = np.array([[k in row for k in range(4)] for row in labels])

    write_svmlight(file, X, labels, multilabel=True)
    _, again = read_svmlight(io.BytesIO(file.getvalue()), multilabel=True)
    matrices = [io.BytesIO(), io.BytesIO()]
    for given_, written in zip((indicator, sparse.csr_array(indicator)), matrices, strict=True):
        write_svmlight(written, X, given_, multilabel=True)

    assert again == [tuple(sorted(row)) for row in labels]
    assert matrices[0].getvalue() == matrices[1].getvalue()
    _, sorted_labels = read_svmlight(io.BytesIO(matrices[0].getvalue()), multilabel=True)
    assert sorted_labels == [tuple(sorted(row)) for row in labels]


def test_queries_and_comments_are_written():
    file = io.BytesIO()

    write_svmlight(file, np.eye(2), [1, 2], query_id=[7, -(2**62)], comment="two\n\nrows½")

    assert file.getvalue().decode() == (f"# two\n#\n# rows½\n1 qid:7 1:1\n2 qid:-{2**62} 2:1\n")
    _, _, queries = read_svmlight(io.BytesIO(file.getvalue()), query_id=True)
    assert queries.tolist() == [7, -(2**62)]
    assert not file.closed


def test_columns_are_written_in_order_and_the_callers_matrix_stays():
    X = sparse.csr_array(([3.0, 1.0, 2.0], [2, 0, 0], [0, 3]), shape=(1, 3))
    file = io.BytesIO()

    write_svmlight(file, X, sparse.csr_array([[4]]))

    assert file.getvalue() == b"4 1:3 3:3\n"
    assert_array_equal(X.indices, [2, 0, 0])


@pytest.mark.parametrize(
    ("y", "options", "error", "sentence"),
    [
        ([1, 2, 3], {}, ValueError, "y must have a label for each of 2 rows"),
        (["a", "b"], {}, ValueError, "svmlight needs numbers as labels, but y holds 'a'"),
        ([None, 2], {}, ValueError, "svmlight needs numbers as labels, but y holds None"),
        (["1_0", "2"], {}, ValueError, "svmlight needs numbers as labels, but y holds '1_0'"),
        (["1", "٣"], {}, ValueError, "svmlight needs numbers as labels, but y holds '٣'"),
        ([1, 2], {"query_id": [1]}, ValueError, "query_id must be a whole number for each of 2"),
        ([1, 2], {"query_id": [0.5, 1]}, ValueError, "query_id must be a whole number .* float64"),
        ([1, 2], {"multilabel": True}, ValueError, "y must be a list of tuples, or a matrix"),
        ([(1,)], {"multilabel": True}, ValueError, "y must have labels for each of 2 rows, got 1"),
        ([1, 2], {"comment": b"bytes"}, TypeError, "comment must be a string, got bytes"),
        ([1, 2], {"comment": "\0"}, ValueError, "comment must not hold the character 0"),
    ],
)
def test_what_cannot_be_written_is_refused_in_a_sentence(y, options, error, sentence):
    file = io.BytesIO()

    with pytest.raises(error, match=sentence):
        write_svmlight(file, np.eye(2), y, **options)

    assert file.getvalue() == b""


def test_a_file_of_text_takes_no_bytes():
    with pytest.raises(TypeError, match="Expected a path or a binary file, got StringIO"):
        write_svmlight(io.StringIO(), np.eye(1), [1])
