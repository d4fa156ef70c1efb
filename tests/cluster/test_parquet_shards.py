"""Shards in Parquet files: what their columns may hold, and what is said of them otherwise."""

from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from rosenblatt import AveragedPerceptron, Perceptron
from rosenblatt.cluster.arrow_columns import Named, check_columns, features_of, labels_of
from rosenblatt.cluster.executors import Here
from rosenblatt.cluster.frame_schemas import check_schema
from rosenblatt.cluster.parquet_shards import ParquetShard, files_in
from rosenblatt.cluster.passes import train
from rosenblatt.inputs.errors import wording

VECTOR = pa.struct(
    [
        ("type", pa.int8()),
        ("size", pa.int32()),
        ("indices", pa.list_(pa.int32())),
        ("values", pa.list_(pa.float64())),
    ]
)
SPARSE = {"type": 0, "size": 3, "indices": [0, 2], "values": [1.0, 5.0]}
DENSE = {"type": 1, "size": None, "indices": None, "values": [7.0, 0.0, 9.0]}
LISTS = pa.list_(pa.float64())


def dense(rows):
    return rows if isinstance(rows, np.ndarray) else rows.toarray()


@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        ([pa.array([SPARSE, DENSE], VECTOR)], [[1, 0, 5], [7, 0, 9]]),
        ([pa.array([DENSE, DENSE], VECTOR)], [[7, 0, 9], [7, 0, 9]]),
        ([pa.array([DENSE, SPARSE, SPARSE], VECTOR)[1:]], [[1, 0, 5], [1, 0, 5]]),
        ([pa.array([[1.0, 2.0], [3.0, 4.0]], LISTS)], [[1, 2], [3, 4]]),
        ([pa.array([[0.0, 0.0], [1.0, 2.0], [3.0, 4.0]], LISTS)[1:]], [[1, 2], [3, 4]]),
        ([pa.array([[1, 2], [3, 4]], pa.list_(pa.int32(), 2))], [[1, 2], [3, 4]]),
        ([pa.array([1, 2]), pa.array([0.5, 1.5], pa.float32())], [[1, 0.5], [2, 1.5]]),
        ([pa.chunked_array([[1.0], [2.0, 3.0]])], [[1], [2], [3]]),
        ([pa.array([Decimal("0.5"), Decimal(2)])], [[0.5], [2]]),
        ([pa.array([[Decimal("0.5")], [Decimal(2)]])], [[0.5], [2]]),
    ],
)
def test_columns_hold_rows(columns, rows):
    np.testing.assert_array_equal(dense(features_of(columns)), rows)


@pytest.mark.parametrize(
    ("column", "labels"),
    [
        (["b", "a", "b"], ["b", "a", "b"]),
        ([3, 1, 3], [3, 1, 3]),
        ([True, False, True], [True, False, True]),
        (pa.array(["b", "a", "b"]).dictionary_encode(), ["b", "a", "b"]),
        ([Decimal(1), Decimal(0)], [1.0, 0.0]),
    ],
)
def test_labels_are_strings_numbers_or_booleans(column, labels):
    assert np.asarray(labels_of(pa.array(column))).tolist() == labels


def shards_of(folder, *tables, features="features", weight=None):
    for number, table in enumerate(tables):
        parquet.write_table(pa.table(table), folder / f"part-{number}.parquet")
    named = Named(features, "label", weight)
    return [ParquetShard(path, named) for path in files_in(str(folder))]


def lists(rows, labels, kind=LISTS, **more):
    return {"features": pa.array(rows, kind), "label": labels} | more


SOUND = lists([[1.0], [2.0]], ["a", "b"])


def vectors(*rows):
    return {"features": pa.array(rows, VECTOR), "label": ["a", "b"][: len(rows)]}


EMPTY = pa.array([], pa.float64())
WHOLE = lists([[1.0], [2.0]], [0, 1])


@pytest.mark.parametrize(
    ("tables", "columns", "message"),
    [
        ([lists([[1.0]], [None])], {}, "column label of part-0.parquet is null in row 0: fill in"),
        ([lists([[1.0], None], ["a", "b"])], {}, "column features of part-0.parquet is null in ro"),
        ([lists([[1.0], [1, 2]], ["a", "b"])], {}, "one size, got 1 in the first row and 2 in row"),
        ([lists([[1.0], [None]], ["a", "b"])], {}, "has a null value in row 1, column 0"),
        (
            [lists([[1.0], [np.nan]], ["a", "b"])],
            {},
            "features of part-0.parquet contains NaN in",
        ),
        (
            [SOUND, lists([], pa.array([], pa.string()))],
            {},
            "features of part-1.parquet has no rows: leave the file out",
        ),
        (
            [SOUND, lists([[1.0, 2.0]], ["a"])],
            {},
            "features of part-1.parquet must have 1 features, as the f",
        ),
        (
            [SOUND, lists([[1.0]], [3])],
            {},
            "label of part-1.parquet must hold strings, as in the fi",
        ),
        ([WHOLE, lists([[1.0]], [True])], {}, "label of part-1.*hold whole numbers.*got booleans"),
        ([WHOLE, lists([[1.0]], [3.0])], {}, "label of part-1.*hold whole numbers.*got floats"),
        ([WHOLE, lists([[1.0]], pa.array([3], pa.uint64()))], {}, "label of part-1.*got unsigned"),
        ([SOUND, lists([[1.0]], [0.5])], {}, "type: continuous, in column label of part-1.parq"),
        ([lists([[1.0]], [np.nan])], {}, "column label of part-0.parquet contains NaN or infinity"),
        ([lists([[1.0]], [np.inf])], {}, "column label of part-0.parquet contains NaN or infinity"),
        (
            [dict.fromkeys(("a", "b", "label"), EMPTY)],
            {"features": ("a", "b")},
            "columns a, b of .*no rows",
        ),
        ([SOUND, {"features": SOUND["features"]}], {}, "part-1.parquet has no column label, only"),
        ([lists([["a"]], ["a"], pa.list_(pa.string()))], {}, "column features .* must be vectors"),
        ([lists(["film"], ["a"], pa.string())], {}, "holds text: put a TextVectorizer before the"),
        ([vectors(SPARSE | {"values": [1.0]})], {}, "have an index for each .* vector in row 0"),
        ([vectors(SPARSE, DENSE | {"indices": [0]})], {}, "have an index for each .* in row 1"),
        ([vectors(SPARSE | {"values": [1.0, None]})], {}, "has a null value in row 0, column 1"),
        ([vectors(SPARSE | {"indices": [0, None]})], {}, "has a null value in row 0, column 1"),
        ([lists([[], []], ["a", "b"])], {}, "column features of part-0.parquet has no columns"),
        ([lists([[1.0]], ["a"])], {}, "column label must hold labels of at least two classes, got"),
        ([lists([[1.0]], [[1]])], {}, "column label of .* must be numbers, strings or booleans"),
        ([SOUND | {"w": [1.0, -1.0]}], {"weight": "w"}, "column w of part-0.parquet must hold fin"),
        (
            [SOUND | {"w": ["a", "b"]}],
            {"weight": "w"},
            "column w of part-0.parquet must be numb",
        ),
        ([SOUND | {"w": [0.0, 0.0]}], {"weight": "w"}, "column w is zero for every row"),
    ],
)
def test_what_is_wrong_with_a_shard_is_said_of_its_column_and_file(
    tmp_path, tables, columns, message
):
    sources = shards_of(tmp_path, *tables, **columns)
    front = replace(sources[0].columns, file="")

    with pytest.raises(ValueError, match=message), wording(front):
        train(Perceptron(), Here(), sources)


def test_files_are_shards_in_the_order_of_their_names(tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 2
    tables = [lists(X[k::2].tolist(), y[k::2]) for k in range(2)]

    model = train(AveragedPerceptron(random_state=0), Here(), shards_of(tmp_path, *tables))

    assert model.n_features_in_ == 3
    assert model.t_ == model.n_iter_ * 40 + 1


def test_a_folder_without_shards_is_refused(tmp_path):
    with pytest.raises(ValueError, match="has no Parquet files"):
        files_in(str(tmp_path))
    with pytest.raises(ValueError, match="is no folder of Parquet files that this machine sees"):
        files_in(str(tmp_path / "nowhere"))
    (tmp_path / "label=1").mkdir()
    with pytest.raises(ValueError, match=r"Parquet files: read its folders with spark\.read"):
        files_in(str(tmp_path))


def test_a_damaged_file_and_one_that_a_worker_does_not_see_are_said(tmp_path):
    sources = shards_of(tmp_path, SOUND, SOUND)

    sound = (tmp_path / "part-1.parquet").read_bytes()
    for damaged in (b"PAR1 of something else", sound[:-9], sound[:30] + b"\xff" * 30 + sound[60:]):
        (tmp_path / "part-1.parquet").write_bytes(damaged)
        with pytest.raises(ValueError, match=r"part-1\.parquet is no Parquet file, or a damaged"):
            train(Perceptron(), Here(), sources)
    (tmp_path / "part-1.parquet").unlink()
    with pytest.raises(ValueError, match=r"A worker does not see .*part-1\.parquet: the driver"):
        train(Perceptron(), Here(), sources)


def test_columns_are_there_once():
    check_columns(["a"], ["a", "A"], "x.parquet")

    with pytest.raises(ValueError, match=r"x\.parquet has no column b, only a"):
        check_columns(["a", "b"], ["a"], "x.parquet")
    with pytest.raises(ValueError, match=r"The DataFrame has several columns a: rename all but on"):
        check_columns(["a"], ["a", "A"], "The DataFrame", same=str.lower)


def test_a_type_of_the_callers_own_is_no_vector():
    from pyspark.sql import types

    class Point(types.UserDefinedType):
        @classmethod
        def sqlType(cls):  # noqa: N802
            return types.ArrayType(types.DoubleType())

    kinds = {"features": Point(), "label": types.LongType()}
    frame = SimpleNamespace(
        columns=[*kinds],
        schema=types.StructType([types.StructField(*field) for field in kinds.items()]),
        sparkSession=SimpleNamespace(conf={}),
    )

    with pytest.raises(ValueError, match="column features must be vectors, lists of numbers or"):
        check_schema(frame, Named("features", "label"), text=False)


@pytest.mark.parametrize("given", [None, [], [None], 3])
def test_features_are_of_columns_that_have_names(given):
    with pytest.raises(TypeError, match="featuresCol must name a column, or several, got "):
        Named.of(given)
