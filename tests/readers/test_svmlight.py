"""Reading sound svmlight files: the same as scikit-learn reads."""

import gzip
import io
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from data import real_numbers
from packed import LARGE, PACKERS, large_expected, large_packed
from rosenblatt import Perceptron, read_svmlight
from rosenblatt.readers.svmlight_blocks import BLOCK


def assert_same(ours, theirs):
    (X, *rest), (A, *their_rest) = ours, theirs
    assert X.shape == A.shape
    assert X.dtype == A.dtype
    assert X.indices.dtype == X.indptr.dtype
    for part in ("data", "indices", "indptr"):
        assert_array_equal(getattr(X, part), getattr(A, part))
    assert len(rest) == len(their_rest)
    for mine, its in zip(rest, their_rest, strict=True):
        if isinstance(its, list):
            assert mine == its
        else:
            assert_array_equal(mine, its)
            assert mine.dtype == its.dtype


def assert_read_as_scikit_learn_reads_it(text, **options):
    assert_same(
        read_svmlight(io.BytesIO(text), **options),
        load_svmlight_file(io.BytesIO(text), **options),
    )


SOUND = {
    "one-based": b"+1 1:0.5 7:-2\n-1 3:1e-3\n",
    "zero-based": b"1 0:0.5 7:-2\n-1 3:1e-3\n",
    "no features": b"1\n2\n-3.5\n",
    "nothing": b"",
    "blank lines": b"\n\n1 1:2\n   \n\t\n2 2:3\n\n",
    "comments": b"# all\n1 1:2 # some 3:4\n2 2:3#close\n  # more\n",
    "CRLF": b"1 1:2\r\n2 2:3\r\n\r\n",
    "no final newline": b"1 1:2\n2 2:3",
    "no final newline, no features": b"1 1:2\n2",
    "blanks of all kinds": b" 1\t1:2 \v 2:3\f\r\n\t2  2:3\t\n",
    "queries": b"1 qid:7 1:2\n2 qid:-8 2:3\n3 qid:+9\n",
    "signs and points": b"+1. 1:+.5 2:-5. 3:+0 4:-0\n",
    "long numbers": b"1 1:0.12345678901234567890123 2:123456789012345678901234567890\n",
    "not finite": b"nan 1:inf 2:-Infinity 3:NaN\n",
    "beyond range": b"1 1:1e999 2:-1e999 3:1e-999 4:5e-324\n",
    "leading zeros": b"01 0001:0002 0000000000002:1\n",
}


@pytest.mark.parametrize("query_id", [False, True])
@pytest.mark.parametrize("zero_based", [True, False, "auto"])
@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND.keys())
def test_sound_files_are_read_as_scikit_learn_reads_them(text, zero_based, query_id):
    zero_based = zero_based or b" 0:" in text
    query_id = query_id and b"qid" in text

    assert_read_as_scikit_learn_reads_it(text, zero_based=zero_based, query_id=query_id)


def test_indices_may_need_more_than_32_bits():
    X, _ = read_svmlight(io.BytesIO(b"1 4:1\n2 3000000000:2 3000000001:3\n3 5:4\n"))

    assert X.shape == (3, 3000000001)
    assert X.indices.tolist() == [3, 2999999999, 3000000000, 4]
    assert X.indices.dtype == X.indptr.dtype == np.int64
    assert X.data.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_values_may_be_of_either_type(dtype):
    assert_read_as_scikit_learn_reads_it(b"1 1:0.1 2:1e-50 3:16777217\n", dtype=dtype)


def test_lines_may_have_several_labels_or_none():
    text = b"2,1 1:2\n3 2:1\n1:1 2:2\nqid:4 1:1\n-1.5,+2 # none\n"

    assert_read_as_scikit_learn_reads_it(text, multilabel=True)


blanks = st.sampled_from([" ", "  ", "\t", " \t "])


values = st.one_of(
    st.floats(allow_nan=False).map(repr),
    st.integers(-1000, 1000).map(str),
    st.decimals(allow_nan=False, allow_infinity=False, places=6).map(str),
    st.from_regex(
        r"[+-]?([0-9]{1,20}\.?[0-9]{0,20}|\.[0-9]{1,9})([eE][+-]?[0-9]{1,3})?", fullmatch=True
    ),
)


@st.composite
def lines(draw):
    indices = sorted(draw(st.sets(st.integers(1, 10**6), max_size=6)))
    words = [draw(values), *(f"{index}:{draw(values)}" for index in indices)]
    text = "".join(word + draw(blanks) for word in words)
    return text + draw(st.sampled_from(["\n", "\r\n", "# note\n", "\n\n"]))


@given(st.lists(lines(), max_size=6).map("".join))
def test_random_files_are_read_as_scikit_learn_reads_them(text):
    assert_read_as_scikit_learn_reads_it(text.encode())


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_files_of_many_blocks_are_read_alike_by_any_number_of_threads(threads):
    assert len(LARGE) > 2 * BLOCK

    ours = read_svmlight(io.BytesIO(LARGE), threads=threads)

    assert_same(ours, large_expected())


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("end", [b"", b"\n# done\n", b"\n1 70000000000:1"], ids=len)
def test_threads_read_stretches_of_a_file_alike(tmp_path, threads, end):
    path = tmp_path / "large.svm"
    path.write_bytes(LARGE.rstrip(b"\n") + end)

    ours = read_svmlight(path, threads=threads)

    assert_same(ours, read_svmlight(io.BytesIO(path.read_bytes())))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("multilabel", [False, True])
def test_threads_keep_what_stands_between_values_apart(tmp_path, dtype, multilabel):
    path, labels = tmp_path / "queries.svm", "1,2" if multilabel else "2"
    lines = (f"{labels} qid:{k} {1 + k % 7}:0.1 9:{k} # at 12:{k % 60}\n" for k in range(70_000))
    path.write_text("# 1:1 2:2\n\n" + "".join(lines))
    assert path.stat().st_size > 2 * BLOCK
    options = {"dtype": dtype, "multilabel": multilabel, "query_id": True}

    ours = read_svmlight(path, threads=2, **options)

    assert_same(ours, read_svmlight(path, **options))


def test_a_file_that_is_open_is_read_by_threads_from_where_it_stands(tmp_path):
    path = tmp_path / "large.svm"
    path.write_bytes(b"no svmlight\n" + LARGE)

    with path.open("rb") as file:
        file.readline()
        ours = read_svmlight(file, threads=2)
        rest = file.read()

    assert_same(ours, large_expected())
    assert rest == b""


def test_threads_tell_the_first_of_the_bad_lines_of_a_file_by_its_number(tmp_path):
    path = tmp_path / "large.svm"
    path.write_bytes(LARGE + b"\n1 bad\n" + LARGE + b"\nworse\n")
    first = LARGE.count(b"\n") + 2

    with pytest.raises(ValueError, match=f"line {first}, column 3: expected index:value"):
        read_svmlight(path, threads=2)


def test_threads_set_bad_lines_of_a_file_aside_in_order(tmp_path):
    path, rejects = tmp_path / "large.svm", []
    path.write_bytes(b"worst\n" + LARGE + b"\n1 bad\n" + LARGE + b"\nworse\n")
    bad = LARGE.count(b"\n") + 3

    X, y = read_svmlight(path, threads=2, rejects=rejects)

    assert len(y) == X.shape[0] == 2 * len(large_expected()[1])
    assert [reject.line for reject in rejects] == [1, bad, 2 * bad - 1]
    assert [reject.text for reject in rejects] == [b"worst", b"1 bad", b"worse"]


def test_a_line_may_be_longer_than_a_block(tmp_path):
    path = tmp_path / "long.svm"
    text = b"1 1:2\n2 " + b" ".join(b"%d:1" % k for k in range(1, 4 * BLOCK // 7)) + b"\n3 4:5\n"
    assert len(text) > 2 * BLOCK
    path.write_bytes(text)

    assert_read_as_scikit_learn_reads_it(text)
    assert_same(read_svmlight(path, threads=2), read_svmlight(path))


def test_a_signal_is_heard_while_threads_read(tmp_path):
    path = tmp_path / "long.svm"
    path.write_bytes(b"+1 1:0.5 2:0.25 3:1e-3\n" * 3_000_000)

    def read():
        threading.Timer(0.005, os.kill, (os.getpid(), signal.SIGINT)).start()
        read_svmlight(path, threads=2)

    with pytest.raises(KeyboardInterrupt):
        read()


def test_threads_refuse_a_line_beyond_the_limit(tmp_path):
    path = tmp_path / "long.svm"
    path.write_bytes(LARGE + b"\n2 " + b" " * BLOCK + b"1:1\n3 1:1\n")
    line = LARGE.count(b"\n") + 2

    with pytest.raises(ValueError, match=f"line {line}.* longer than 9999 bytes"):
        read_svmlight(path, threads=2, max_line=9999)


@pytest.mark.parametrize("packing", PACKERS)
def test_packed_files_are_unpacked(packing, tmp_path):
    path = tmp_path / "data.svm"
    path.write_bytes(large_packed(packing))

    assert_same(read_svmlight(path), large_expected())
    assert_same(read_svmlight(str(path)), large_expected())
    with path.open("rb") as file:
        assert_same(read_svmlight(file), large_expected())


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_standard_input_is_a_source(pack):
    program = "import rosenblatt; X, y = rosenblatt.read_svmlight('-'); print(X.sum(), len(y))"

    run = subprocess.run(
        [sys.executable, "-c", program], input=pack(LARGE), capture_output=True, check=True
    )

    X, y = large_expected()
    assert run.stdout.split() == [str(X.sum()).encode(), str(len(y)).encode()]


def test_what_was_written_is_read_and_learned_from(tmp_path):
    X, y = real_numbers(classes=3)
    path = str(tmp_path / "data.svm")
    dump_svmlight_file(X, y, path, zero_based=False)

    A, b = read_svmlight(path, n_features=X.shape[1])

    assert_same((A, b), load_svmlight_file(path, n_features=X.shape[1]))
    assert A.has_canonical_format
    assert Perceptron().fit(A, b).n_features_in_ == X.shape[1]
