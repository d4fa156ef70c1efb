"""A cache is whole or made anew, and nothing is left of one that could not be written."""

import errno
import os
import resource
import signal

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from caches import Lines, Rows, files_in, write
from data import real_numbers
from refusals import is_one_sentence
from rosenblatt import Cache, cached
from rosenblatt.inputs.mapped_rows import GrowingFile
from rosenblatt.readers.cache_files import HEADER, CacheError
from rosenblatt.readers.data import Batch
from rosenblatt.training.stream_split import StreamSplit
from subprocesses import in_a_child


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "data.svm"
    path.write_text("stands for the rows\n")
    return path


def test_words_are_learned_from_rows_that_are_not_held_out(file):
    texts = np.array([f"number{k} film" for k in range(100)], dtype=object)
    data = Lines(file, texts, np.arange(100) % 2)

    cache = cached(data, validation_fraction=0.2)

    held = StreamSplit(0.2, seed=0).among(np.arange(100) % 2)
    names = set(cache.vectorizer.get_feature_names_out())
    assert names == {"film", *(f"number{k}" for k in np.flatnonzero(~held))}
    assert cache.X_val.shape == (held.sum(), len(names))


def test_documents_are_vectorized_on_the_way(file):
    texts = np.array(["a good film", "bad film", "good, good", "bad plot"] * 5, dtype=object)
    data = Lines(file, texts, np.array([1, 0, 1, 0] * 5))

    cache = cached(data)

    names = cache.vectorizer.get_feature_names_out().tolist()
    assert names == ["bad", "film", "good", "plot"]
    assert_array_equal(
        cache.X.toarray()[:4], [[0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 2, 0], [1, 0, 0, 1]]
    )


# Whole, or made anew


def test_a_cache_that_is_still_true_is_used_again(file):
    X, y = real_numbers()
    data = Rows(file, X, y)

    first, second = cached(data), cached(data)

    assert data.walks == 1
    assert_array_equal(first.X.toarray(), second.X.toarray())
    assert files_in(file.parent) == ["data.svm", "data.svm.cache"]


@pytest.mark.parametrize(
    "change",
    [
        lambda data: os.utime(data.name, (1, 1)),
        lambda data: os.truncate(data.name, 3),
        lambda data: setattr(data, "size", 8),
    ],
    ids=["time", "size", "setting"],
)
def test_a_cache_of_something_else_is_made_anew(change, file):
    data = Rows(file, *real_numbers())
    cached(data)

    change(data)
    cached(data)

    assert data.walks == 2
    assert files_in(file.parent) == ["data.svm", "data.svm.cache"]


def test_a_cache_of_another_split_is_made_anew(file):
    data = Rows(file, *real_numbers())
    cached(data)

    cache = cached(data, validation_fraction=0.5)

    assert cache.X_val is not None


def truncate(path):
    os.truncate(path, os.path.getsize(path) - 1)


def flip(path):
    with open(path, "r+b") as file:
        file.seek(os.path.getsize(path) // 2)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 1]))


@pytest.mark.parametrize("harm", [truncate, flip, os.unlink], ids=lambda harm: harm.__name__)
@pytest.mark.parametrize("name", ["values", "columns", "bounds", "labels"])
def test_a_damaged_cache_is_refused_and_made_anew(harm, name, file):
    X, y = real_numbers()
    data = Rows(file, X, y)
    cached(data)
    harm(f"{file}.cache/learned.{name}")

    with pytest.raises(CacheError, match="is damaged or incomplete") as caught:
        Cache.open(f"{file}.cache")
    again = cached(data)

    assert is_one_sentence(str(caught.value).replace(str(file), "data.svm"))
    assert data.walks == 2
    assert_array_equal(again.X.toarray(), X)


@pytest.mark.parametrize("harm", [truncate, flip], ids=lambda harm: harm.__name__)
def test_a_damaged_header_is_refused_and_made_anew(harm, file):
    data = Rows(file, *real_numbers())
    cached(data)
    harm(f"{file}.cache/{HEADER}")

    with pytest.raises(CacheError, match="is damaged or incomplete"):
        Cache.open(f"{file}.cache")
    cached(data)

    assert data.walks == 2


def test_a_folder_without_a_header_is_no_cache_and_is_left_alone(file):
    folder = file.parent / "data.svm.cache"
    folder.mkdir()
    (folder / "letters.txt").write_text("dear")

    with pytest.raises(CacheError, match="is not a cache of rosenblatt"):
        Cache.open(folder)
    with pytest.raises(ValueError, match="is there and is not a cache: name another path"):
        cached(Rows(file, *real_numbers()))

    assert files_in(folder) == ["letters.txt"]


def test_an_open_cache_outlives_its_successor(file):
    X, y = real_numbers()
    old = cached(Rows(file, X, y))

    cached(Rows(file, 2 * X, y, size=5))

    assert_array_equal(old.X.toarray(), X)


# Nothing half-written


class Interrupted(Rows):
    """Stops in the middle."""

    error = KeyboardInterrupt()

    def batches(self):
        for k, batch in enumerate(super().batches()):
            if k == 3:
                raise self.error
            yield batch


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("line 3"), MemoryError()])
def test_what_goes_wrong_midway_leaves_nothing(error, file):
    data = Interrupted(file, *real_numbers())
    data.error = error

    with pytest.raises(type(error)):
        cached(data)

    assert files_in(file.parent) == ["data.svm"]


def test_what_goes_wrong_midway_leaves_the_cache_that_was(file):
    X, y = real_numbers()
    cached(Rows(file, X, y))
    data = Interrupted(file, X, y, size=5)

    with pytest.raises(KeyboardInterrupt):
        cached(data)

    assert files_in(file.parent) == ["data.svm", "data.svm.cache"]
    assert_array_equal(Cache.open(f"{file}.cache").X.toarray(), X)


def test_a_full_disk_is_told_in_a_sentence_and_leaves_nothing(file):
    """A limit on the size of files fails a write as a full disk does."""
    X, y = real_numbers(count=2000)

    def check():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        with pytest.raises(OSError, match="cannot be written") as caught:
            cached(Rows(file, X, y))
        return str(caught.value), caught.value.errno

    message, number = in_a_child(check)

    assert is_one_sentence(message.replace(str(file), "data.svm"))
    assert number == errno.EFBIG
    assert files_in(file.parent) == ["data.svm"]


def test_ctrl_c_while_a_file_is_rewritten_is_heard_as_such(tmp_path):
    """NumPy's own reading of files, interrupted, raises a TypeError."""

    def heard_of(turn):
        armed = False

        def interrupt(*_):
            if armed:
                raise KeyboardInterrupt

        file = GrowingFile(str(tmp_path / f"array{turn}"), np.int64)
        file.append(np.arange(4096))
        signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, 1e-6 * (5 + turn % 200))
        try:
            armed = True
            file.rewrite(np.int32)
            armed = False
        except BaseException as error:
            armed = False
            return type(error).__name__
        return "nothing"

    heard = in_a_child(lambda: {heard_of(turn) for turn in range(2000)})

    assert "KeyboardInterrupt" in heard
    assert heard <= {"KeyboardInterrupt", "nothing"}


def test_a_folder_that_is_not_there_is_told_in_a_sentence(tmp_path):
    with pytest.raises(OSError, match="cannot be written") as caught:
        write(tmp_path / "nowhere" / "rows.cache", *real_numbers())

    assert is_one_sentence(str(caught.value).replace(str(tmp_path), "folder"))


def test_examples_without_labels_cannot_be_cached(tmp_path):
    with pytest.raises(ValueError, match="have no labels"):
        Cache.write(tmp_path / "rows.cache", [Batch(np.eye(2), None, None)])

    assert files_in(tmp_path) == []


def test_no_examples_make_no_cache(tmp_path):
    with pytest.raises(ValueError, match="no examples"):
        Cache.write(tmp_path / "rows.cache", [])

    assert files_in(tmp_path) == []


def test_indices_out_of_range_never_reach_a_cache(tmp_path):
    X = sparse.csr_array(np.eye(3))
    X.indices[1] = 7

    with pytest.raises(ValueError, match="names column 7"):
        Cache.write(tmp_path / "rows.cache", [Batch(X, np.arange(3), None)])

    assert files_in(tmp_path) == []


def test_standard_input_needs_a_path():
    with pytest.raises(ValueError, match="set path"):
        cached(Rows("standard input", *real_numbers()))
