"""What cannot be read of an svmlight file is refused, or set aside, with its place."""

import gzip
import io

import numpy as np
import pytest

from packed import PACKERS, large_packed
from rosenblatt import read_svmlight
from rosenblatt.readers.rejects import Reject
from rosenblatt.readers.svmlight_blocks import BLOCK

# Lines that cannot be read


BAD = {
    "good 1:2": (1, "expected a number as the label, got 'good'"),
    "1 good": (3, "expected index:value, got 'good'"),
    "1 1:2 good:3": (7, "expected index:value, got 'good:3'"),
    "1 1:2 2:": (7, "expected index:value, got '2:'"),
    "1 1:2x": (3, "expected index:value, got '1:2x'"),
    "1 1:0x10": (3, "expected index:value, got '1:0x10'"),
    "1 1:2:3": (3, "expected index:value, got '1:2:3'"),
    "1 -1:2": (3, "expected index:value, got '-1:2'"),
    "1 1:1_0": (3, "expected index:value, got '1:1_0'"),
    "1 1:2\0": (3, "expected index:value, got '1:2\\x00'"),
    "1 2:1 2:1": (7, "expected an index above those before it, got '2:1'"),
    "1 2:1 1:1": (7, "expected an index above those before it, got '1:1'"),
    "1 99999999999999999999:1": (3, "expected an index of at most 1099511627776"),
    "1 2000000000000:1": (3, "expected an index of at most 1099511627776"),
    "1:2 2:3": (1, "expected a number as the label, got '1:2'"),
    "1,2 1:3": (1, "expected a number as the label, got '1,2'"),
    f"1 {'x' * 70}": (3, f"expected index:value, got '{'x' * 37}...'"),
}


@pytest.mark.parametrize("line", BAD, ids=lambda line: line[:20].replace("\0", "NUL"))
def test_a_bad_line_is_refused_with_its_place(line, tmp_path):
    column, reason = BAD[line]
    path = tmp_path / "reviews.svm"
    path.write_text(f"1 1:1\n# note\n\n2 2:2\n{line}\n3 3:3\n")

    with pytest.raises(ValueError, match="set it aside with rejects=FILE") as caught:
        read_svmlight(path)

    assert str(caught.value).startswith(f"{path}, line 5, column {column}: {reason}")


def test_a_zero_index_is_refused_if_indices_begin_at_one():
    with pytest.raises(ValueError, match=r"line 2, column 3: expected indices from 1 on"):
        read_svmlight(io.BytesIO(b"1 1:1\n2 0:2\n"), zero_based=False)


def test_every_line_needs_a_query_if_queries_are_asked_for():
    with pytest.raises(ValueError, match=r"line 2, column 3: expected qid:number, got '1:2'"):
        read_svmlight(io.BytesIO(b"1 qid:3 1:1\n2 1:2\n"), query_id=True)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("line", BAD, ids=lambda line: line[:20].replace("\0", "NUL"))
def test_bad_lines_are_set_aside_in_a_list(line, threads):
    column, reason = BAD[line]
    text = b"1 1:1\n%b\n" % line.encode() + b"2 2:3\n" * 100_000 + line.encode()
    assert len(text) > BLOCK
    rejects = []

    X, y = read_svmlight(io.BytesIO(text), rejects=rejects, threads=threads)

    assert y.tolist() == [1] + [2] * 100_000
    assert X.indices.tolist() == [0] + [1] * 100_000
    assert X.data.tolist() == [1] + [3] * 100_000
    assert [reject[:2] for reject in rejects] == [(2, column), (100_003, column)]
    assert all(isinstance(reject, Reject) for reject in rejects)
    assert rejects[0].reason.startswith(reason)
    assert [reject.text for reject in rejects] == [line.encode()] * 2


def test_bad_lines_are_set_aside_in_a_file_that_can_be_mended(tmp_path):
    path, rejects = tmp_path / "data.svm", tmp_path / "rejects.svm"
    path.write_text("1 1:1\n2 good\n3 3:3\nbad 4:4\n")

    X, y = read_svmlight(path, rejects=rejects)

    assert y.tolist() == [1, 3]
    assert X.toarray().tolist() == [[1, 0, 0], [0, 0, 3]]
    assert rejects.read_text() == (
        f"# {path}, line 2, column 3: expected index:value, got 'good'\n2 good\n"
        f"# {path}, line 4, column 1: expected a number as the label, got 'bad'\nbad 4:4\n"
    )
    rejects.write_text(rejects.read_text().replace("good\n3", "2:2\n3").replace("\nbad", "\n4"))
    assert read_svmlight(rejects, rejects=[])[1].tolist() == [4]


def test_lines_are_not_set_aside_in_the_file_that_is_read(tmp_path):
    path = tmp_path / "data.svm"
    path.write_text("1 1:1\n2 good\n")

    with pytest.raises(ValueError, match="rejects must be another file"):
        read_svmlight(path, rejects=str(path))

    assert path.read_text() == "1 1:1\n2 good\n"


# Limits


def test_a_line_beyond_the_limit_is_refused():
    text = b"1 1:1\n2 1:1 2:2 3:3 4:4\n3 1:1\n"

    with pytest.raises(
        ValueError, match=r"line 2, column 1: .* longer than 15 bytes; raise max_line, or set"
    ):
        read_svmlight(io.BytesIO(text), max_line=15)


def test_a_line_without_end_is_refused():
    with pytest.raises(
        ValueError, match=r"line 2: the line is longer than 1000 bytes; raise max_line\."
    ):
        read_svmlight(io.BytesIO(b"1 1:1\n" + b"1" * 10_000_000), max_line=1000)


def test_a_file_that_unpacks_to_too_much_is_refused():
    bomb = gzip.compress(b"\n" * 10_000_000)

    with pytest.raises(ValueError, match=r"unpacks to more than max_size=1000000 bytes: raise it"):
        read_svmlight(io.BytesIO(bomb), max_size=10**6)


def test_n_features_must_suffice():
    with pytest.raises(ValueError, match=r"has 3 features, more than n_features=2 allows\."):
        read_svmlight(io.BytesIO(b"1 3:1\n"), n_features=2)


# Other faults


PACKED = [name for name in PACKERS if name != "plain"]


@pytest.mark.parametrize("packing", PACKED)
@pytest.mark.parametrize("part", [0.2, 0.5, 0.99])
def test_a_packed_file_cut_short_is_refused(packing, part):
    packed = large_packed(packing)

    with pytest.raises(ValueError, match=r"the file is damaged or cut short"):
        read_svmlight(io.BytesIO(packed[: int(part * len(packed))]))


@pytest.mark.parametrize("packing", PACKED)
def test_a_damaged_packed_file_is_refused(packing):
    packed = bytearray(large_packed(packing))
    packed[len(packed) // 2] ^= 255

    with pytest.raises(ValueError, match=r"damaged or cut short|mend the line"):
        read_svmlight(io.BytesIO(packed))


def test_a_file_that_is_not_there_is_missed(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_svmlight(tmp_path / "none.svm")


@pytest.mark.parametrize("source", [None, 3, b"1 1:1\n", io.StringIO("1 1:1\n"), ["a"]])
def test_other_sources_are_refused(source):
    with pytest.raises(TypeError, match=r"Expected a path, '-' or a file opened in binary mode"):
        read_svmlight(source)


WRONG = {
    "dtype": (np.int64, "dtype must be float64 or float32"),
    "zero_based": ("no", "zero_based must be True or False"),
    "n_features": (0, "n_features must be a whole number"),
    "threads": (0, "threads must be a whole number"),
    "max_line": (-1, "max_line must be a whole number"),
    "max_index": (2**70, "max_index must be at most"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_options_are_refused(name):
    value, words = WRONG[name]

    with pytest.raises(ValueError, match=words):
        read_svmlight(io.BytesIO(b"1 1:1\n"), **{name: value})
