"""The caller's data: never copied without need, never changed, in frames as in arrays."""

import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from data import real_numbers, whole_numbers
from members import assert_same_model
from rosenblatt import AveragedPerceptron

FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def every_other_row(X):
    wide = np.full((2 * len(X), X.shape[1]), np.nan, dtype=X.dtype)
    wide[::2] = X
    return wide[::2]


def rows_backwards(X):
    return X[::-1].copy()[::-1]


def left_part(X):
    wide = np.full((len(X), 2 * X.shape[1]), np.nan, dtype=X.dtype)
    wide[:, : X.shape[1]] = X
    return wide[:, : X.shape[1]]


def memory_mapped(X, directory):
    np.save(directory / "X.npy", X)
    return np.load(directory / "X.npy", mmap_mode="r")


VIEWS = [np.array, read_only, every_other_row, rows_backwards, left_part]


def bytes_needed(work):
    """The most memory that Python held at one time during the work, beyond what it held before."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def most_bytes_needed(model, X, y):
    """The same for each of the model's methods, the most of all."""
    return max(
        bytes_needed(work)
        for work in (
            lambda: model.fit(X, y),
            lambda: model.partial_fit(X, y),
            lambda: model.predict(X),
            lambda: model.decision_function(X),
        )
    )


def csr_of(count, width, value, index):
    rng = np.random.default_rng(0)
    columns = np.tile(np.arange(0, width, 5, dtype=index), count)
    bounds = np.arange(count + 1, dtype=index) * (width // 5)
    values = rng.normal(size=len(columns)).astype(value)
    return sparse.csr_array((values, columns, bounds), shape=(count, width))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_dense_rows_are_read_where_they_lie(view, dtype):
    rng = np.random.default_rng(0)
    X = view(rng.normal(size=(20_000, 50)).astype(dtype))
    y = rng.integers(2, size=20_000)
    model = AveragedPerceptron(max_iter=2).fit(X[:100], y[:100])

    assert most_bytes_needed(model, X, y) < X.nbytes / 3


@pytest.mark.parametrize("value", [np.float64, np.float32])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_rows_are_read_where_they_lie(value, index):
    X = csr_of(50_000, 200, value, index)
    y = np.random.default_rng(1).integers(2, size=50_000)
    model = AveragedPerceptron(max_iter=2).fit(X[:100], y[:100])

    assert most_bytes_needed(model, X, y) < X.data.nbytes / 3


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("view", VIEWS)
def test_views_and_read_only_arrays_mean_what_they_hold(member, view, classes):
    X, y = real_numbers(classes=classes)
    model = member.new(random_state=0).fit(X, y)

    other = member.new(random_state=0).fit(view(X), read_only(y))

    assert_same_model(other, model)
    np.testing.assert_array_equal(other.predict(view(X)), model.predict(X))


def test_memory_mapped_rows_mean_what_they_hold(member, tmp_path):
    X, y = real_numbers()
    model = member.new(random_state=0).fit(X, y)
    mapped = memory_mapped(X, tmp_path)

    other = member.new(random_state=0).fit(mapped, y)

    assert_same_model(other, model)
    np.testing.assert_array_equal(other.predict(mapped), model.predict(X))


def test_memory_mapped_rows_are_not_read_into_memory(tmp_path):
    X = np.random.default_rng(0).normal(size=(20_000, 25))
    y = np.arange(20_000) % 2
    mapped = memory_mapped(X, tmp_path)
    AveragedPerceptron().fit(mapped[:100], y[:100])

    needed = bytes_needed(lambda: AveragedPerceptron(max_iter=2).fit(mapped, y))

    assert needed < X.nbytes / 3


def test_read_only_sparse_rows_are_taken(member):
    X, y = real_numbers()
    rows = sparse.csr_array(X)
    model = member.new(random_state=0).fit(rows, y)
    for array in (rows.data, rows.indices, rows.indptr):
        array.flags.writeable = False

    other = member.new(random_state=0).fit(rows, y)

    assert_same_model(other, model)


@pytest.mark.parametrize("tidy", [True, False])
def test_the_callers_arrays_stay_as_they_are(member, tidy):
    """Also where columns are out of order, and a copy is put in order instead."""
    X, y = whole_numbers()
    rows = sparse.csr_array(X)
    if not tidy:
        rows.indices, rows.data = rows.indices[::-1].copy(), rows.data[::-1].copy()
        rows.indptr = (rows.indptr[-1] - rows.indptr[::-1]).copy()
    weights = np.full(60, 0.5)
    arrays = [X, y, weights, rows.data, rows.indices, rows.indptr]
    before = [array.tobytes() for array in arrays]

    for data in (X, rows):
        model = member.new(shuffle=True).fit(data, y, weights)
        model.partial_fit(data, y, sample_weight=weights)
        model.predict(data)
        model.decision_function(data)

    assert [array.tobytes() for array in arrays] == before


def test_data_changed_after_fit_do_not_change_the_model(member):
    X, y = whole_numbers()
    model = member.new(record=True, random_state=0).fit(X, y)
    coef, mistakes = model.coef_.copy(), model.mistakes_.copy()

    X[:], y[:] = 0, 0

    np.testing.assert_array_equal(model.coef_, coef)
    np.testing.assert_array_equal(model.mistakes_, mistakes)


# Frames


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_a_frame_means_its_values_and_names_its_features(member, frame, dtype):
    X, y = whole_numbers(width=4)
    names = ["height", "width", "depth", "weight"]
    columns = {name: X[:, k].astype(dtype) for k, name in enumerate(names)}

    model = member.new(random_state=0).fit(FRAMES[frame](columns), y)

    assert_same_model(model, member.new(random_state=0).fit(X, y))
    assert model.feature_names_in_.tolist() == names
    np.testing.assert_array_equal(
        model.predict(FRAMES[frame](columns)), member.new(random_state=0).fit(X, y).predict(X)
    )


@pytest.mark.parametrize("frame", FRAMES)
def test_features_under_other_names_are_refused(member, frame):
    X, y = whole_numbers(width=2)
    model = member.new().fit(FRAMES[frame]({"a": X[:, 0], "b": X[:, 1]}), y)
    swapped = FRAMES[frame]({"b": X[:, 1], "a": X[:, 0]})

    for work in (model.predict, model.decision_function, lambda X: model.partial_fit(X, y)):
        with pytest.raises(ValueError, match="feature names should match"):
            work(swapped)


@pytest.mark.parametrize("container", [np.array, sparse.csr_array])
def test_features_without_names_are_taken_with_a_warning(member, container):
    X, y = whole_numbers(width=2)
    model = member.new().fit(pd.DataFrame(X, columns=["a", "b"]), y)

    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        model.predict(container(X))


def test_a_fit_without_names_forgets_the_old_ones(member):
    X, y = whole_numbers(width=2)
    model = member.new().fit(pd.DataFrame(X, columns=["a", "b"]), y)

    model.fit(X, y)

    assert not hasattr(model, "feature_names_in_")


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series(["no", "yes"] * 30),
        pd.Series(["no", "yes"] * 30, dtype="category"),
        pl.Series(["no", "yes"] * 30),
        pa.array(["no", "yes"] * 30),
        ["no", "yes"] * 30,
        np.array(["no", "yes"] * 30, dtype=object),
    ],
    ids=["pandas", "categories", "polars", "pyarrow", "list", "objects"],
)
def test_labels_may_come_from_a_frame_too(member, labels):
    X, _ = whole_numbers()

    model = member.new(random_state=0).fit(X, labels)

    assert_same_model(model, member.new(random_state=0).fit(X, np.array(["no", "yes"] * 30)))
    assert set(model.predict(X)) <= {"no", "yes"}


@pytest.mark.parametrize(
    ("dtype", "labels"),
    [
        ("boolean", [False, True]),
        ("bool[pyarrow]", [False, True]),
        ("Int64", [2**53, 2**53 + 1]),  # no float tells these apart
        ("uint8[pyarrow]", [3, 7]),
    ],
)
def test_whole_numbers_and_booleans_of_pandas_own_stay_what_they_are(member, dtype, labels):
    X, _ = whole_numbers()

    model = member.new().fit(X, pd.Series(labels * 30, dtype=dtype))

    assert repr(model.classes_.tolist()) == repr(labels)
