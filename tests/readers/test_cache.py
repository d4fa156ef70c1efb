"""Learning from a cache on disk gives what memory gives."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from caches import WORDS, Rows, files_in, write
from data import noisy, real_numbers, whole_numbers
from members import assert_same_model
from rosenblatt import AveragedPerceptron, Cache, VotedPerceptron
from rosenblatt.readers.data import Batch
from rosenblatt.training.stream_split import StreamSplit
from subprocesses import in_a_child


def distinct_numbers(y):
    return np.unique(y, return_inverse=True)[1]


# What is learned


@pytest.mark.parametrize("shuffle", [True, "blocks", "once", False])
def test_a_cache_gives_the_model_that_memory_gives(member, shuffle, tmp_path):
    X, codes = member.numbers(count=130, classes=3)
    model = member.new(shuffle=shuffle, max_iter=3, random_state=0)

    cache = write(tmp_path / "rows.cache", sparse.csr_array(X), WORDS[codes])
    on_disk = pickle.loads(pickle.dumps(model)).fit(cache.X, cache.y)

    in_memory = model.fit(sparse.csr_array(X), WORDS[codes])
    assert_same_model(on_disk, in_memory)
    assert_array_equal(on_disk.predict(cache.X), in_memory.predict(sparse.csr_array(X)))


def test_stopping_early_on_a_cache_is_stopping_early_in_memory(stream_member, tmp_path):
    X, y = noisy(classes=3)
    model = stream_member.new(early_stopping=True, max_iter=30, n_iter_no_change=2, random_state=0)

    cache = write(tmp_path / "rows.cache", sparse.csr_array(X), y)
    on_disk = pickle.loads(pickle.dumps(model)).fit(cache.X, cache.y)

    in_memory = model.fit(sparse.csr_array(X), y)
    assert_same_model(on_disk, in_memory)
    assert on_disk.best_iter_ == in_memory.best_iter_
    errors = [
        [(done.train_error, done.validation_error, done.last_validation_error) for done in history]
        for history in (on_disk.history_, in_memory.history_)
    ]
    assert errors[0] == errors[1]


def test_rows_held_out_by_the_cache_are_those_held_out_in_memory(tmp_path):
    X, y = noisy()
    held = StreamSplit(0.2, seed=5).among(distinct_numbers(y))
    model = AveragedPerceptron(early_stopping=True, max_iter=20, random_state=0)

    cache = write(tmp_path / "rows.cache", X, y, validation_fraction=0.2, seed=5)
    on_disk = pickle.loads(pickle.dumps(model))
    on_disk.fit(cache.X, cache.y, X_val=cache.X_val, y_val=cache.y_val)

    in_memory = model.fit(sparse.csr_array(X[~held]), y[~held], X_val=X[held], y_val=y[held])
    assert_same_model(on_disk, in_memory)
    assert 0 < held.sum() < len(y) / 2


def test_the_weights_of_examples_are_kept(tmp_path):
    X, y = real_numbers()
    weights = np.random.default_rng(0).random(len(y))
    data = Rows("rows", X, y, weights=weights)

    cache = Cache.write(tmp_path / "rows.cache", data.batches(), validation_fraction=0.3)

    held = StreamSplit(0.3, seed=0).among(distinct_numbers(y))
    assert_array_equal(cache.sample_weight, weights[~held])
    assert_array_equal(cache.sample_weight_val, weights[held])


def test_a_batch_without_weights_among_others_weighs_one_each(tmp_path):
    X, y = real_numbers(count=4)
    batches = [Batch(X[:2], y[:2], None), Batch(X[2:3], y[2:3], None, np.array([0.5]))]
    batches.append(Batch(X[3:], y[3:], None))

    cache = Cache.write(tmp_path / "rows.cache", batches)

    assert_array_equal(cache.sample_weight, [1, 1, 0.5, 1])


def test_partial_fit_over_the_batches_is_one_pass_over_the_cache(stream_member, tmp_path):
    X, y = stream_member.numbers(classes=3)
    data = Rows("rows", sparse.csr_array(X), y)
    cache = Cache.write(tmp_path / "rows.cache", data.batches())

    streamed = stream_member.new()
    for batch in data.batches():
        streamed.partial_fit(batch.examples, batch.labels, classes=[0, 1, 2])

    assert_same_model(streamed, stream_member.new(shuffle=False, max_iter=1).fit(cache.X, cache.y))


def test_resident_memory_stays_bounded_while_learning(tmp_path):
    rng = np.random.default_rng(0)
    rows, per_row, width = 40_000, 60, 2_000
    columns = np.sort(rng.integers(width // per_row, size=(rows, per_row)), axis=1)
    columns += np.arange(per_row) * (width // per_row)
    bounds = np.arange(rows + 1) * per_row
    X = sparse.csr_array((rng.normal(size=columns.size), columns.ravel(), bounds), (rows, width))
    y = rng.integers(2, size=rows)
    path = tmp_path / "rows.cache"
    cache = Cache.write(path, Rows(path, X, y, size=1000).batches(), validation_fraction=0.3)
    size = sum(os.path.getsize(path / name) for name in files_in(path))
    assert size > 28e6
    del X, y, columns

    def resident():
        """The most so far: what the process had, and what it maps."""
        with open("/proc/self/status") as status:
            facts = dict(line.split(":", 1) for line in status)
        return int(facts["VmHWM"].split()[0]) * 1024

    def grown(**options):
        """Bytes by which a fit raises the most that was ever resident."""
        model = AveragedPerceptron(max_iter=2, random_state=0, **options)
        held = {"X_val": cache.X_val, "y_val": cache.y_val} if options else {}
        with open("/proc/self/clear_refs", "w") as forget:
            forget.write("5")
        before = resident()
        model.fit(cache.X, cache.y, **held)
        return resident() - before

    def check():
        AveragedPerceptron(max_iter=1).fit(cache.X[:100], cache.y[:100])
        return [
            grown(shuffle=False),
            grown(shuffle="blocks", early_stopping=True),
            grown(shuffle="blocks", verbose=0),
        ]

    assert max(in_a_child(check)) < size / 2


# What a cache holds


@pytest.mark.parametrize(
    ("X", "dtype"),
    [(whole_numbers()[0], np.float32), (real_numbers()[0], np.float64)],
    ids=["exact in 32 bits", "not exact"],
)
def test_values_take_four_bytes_where_that_loses_nothing(X, dtype, tmp_path):
    y = np.arange(len(X)) % 2

    cache = write(tmp_path / "rows.cache", X, y)

    assert cache.X.dtype == dtype
    assert_array_equal(cache.X.toarray(), X)


def test_values_that_need_eight_bytes_may_come_late(tmp_path):
    X = np.ones((20, 3))
    X[17, 1] = 0.1

    cache = write(tmp_path / "rows.cache", X, np.arange(20) % 2)

    assert_array_equal(cache.X.toarray(), X)


def test_columns_beyond_32_bits_may_come_late(tmp_path):
    columns = np.array([[3, 7], [2, 2**40]])
    batches = [
        Batch(sparse.csr_array(([1.0], ([0], [top])), shape=(1, top + 1)), np.array([k]), None)
        for k, (_, top) in enumerate(columns)
    ]

    cache = Cache.write(tmp_path / "rows.cache", batches)

    assert cache.X.indices.tolist() == [7, 2**40]
    assert cache.X.indices.dtype == cache.X.indptr.dtype == np.int64


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["b", "a", "long name", "ü"]),
        np.array(["b", "a", "c", "d"], dtype=object),
        np.array([2.0, -1.0, 7.0, 0.0]),
        np.array([True, False]),
        np.arange(300)[::-1],
    ],
    ids=["strings", "objects", "floats", "flags", "many"],
)
def test_labels_of_any_kind_come_back(labels, tmp_path):
    y = np.concatenate([labels, labels])

    cache = write(tmp_path / "rows.cache", np.eye(len(y)), y)

    assert_array_equal(np.asarray(cache.y), y)
    assert_array_equal(cache.classes, np.unique(labels))
    assert cache.y.codes.dtype == (np.uint8 if len(labels) <= 256 else np.int32)
    assert cache.y[3] == y[3]


def test_rows_out_of_order_are_put_in_order(tmp_path):
    X = sparse.csr_array(([1.0, 2.0, 4.0], [2, 0, 2], [0, 3, 3]), shape=(2, 3))

    cache = Cache.write(tmp_path / "rows.cache", [Batch(X, np.array([0, 1]), None)])

    assert cache.X.indices.tolist() == [0, 2]
    assert cache.X.data.tolist() == [2.0, 5.0]


def test_what_is_cut_from_a_cache_or_pickled_lies_in_memory(tmp_path):
    X, y = real_numbers()
    cache = write(tmp_path / "rows.cache", X, y)

    for copy in (cache.X[3:9], pickle.loads(pickle.dumps(cache.X))[3:9], cache.X.copy()[3:9]):
        assert getattr(copy, "let_go", None) is None
        assert_array_equal(copy.toarray(), X[3:9])


def test_votes_are_kept_from_a_cache(tmp_path):
    X, y = real_numbers(count=100)
    cache = write(tmp_path / "rows.cache", X, y)

    on_disk = VotedPerceptron(random_state=0).fit(cache.X, cache.y)

    assert_array_equal(
        on_disk.decision_function(cache.X),
        VotedPerceptron(random_state=0).fit(X, y).decision_function(X),
    )


def test_processes_with_different_seeds_get_their_own_caches(tmp_path):
    """All under one name, at the same time, again and again."""
    path = tmp_path / "data.svm"
    path.write_text("".join(f"{k % 2} {k + 1}:1\n" for k in range(40)))
    program = (
        "import sys\n"
        "from rosenblatt import cached\n"
        "seed = int(sys.argv[2])\n"
        "for _ in range(60):\n"
        "    cache = cached(sys.argv[1], validation_fraction=0.3, seed=seed)\n"
        "    assert cache.source['holdout'] == [0.3, seed], cache.source\n"
        "    print(cache.X.indices.tolist())\n"
    )

    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, path, str(seed)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in range(3)
    ]
    told = [process.communicate() for process in running]

    assert [error for _, error in told] == ["", "", ""]
    rows = [set(printed.splitlines()) for printed, _ in told]
    assert [len(own) for own in rows] == [1, 1, 1]
    assert len(set.union(*rows)) == 3
    assert sorted(os.listdir(tmp_path)) == ["data.svm", "data.svm.cache"]
