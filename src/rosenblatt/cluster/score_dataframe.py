"""Scoring the rows of a Spark DataFrame with a model, where they lie."""

import functools
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rosenblatt.cluster.arrow_columns import Named, check_columns
from rosenblatt.cluster.frame_rows import Cells, FeatureColumns, FrameRows
from rosenblatt.cluster.frame_schemas import check_frame, check_schema, same_case
from rosenblatt.cluster.scored_columns import ScoredColumns
from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.persistence.model_files import save
from rosenblatt.persistence.predictor import Predictor
from rosenblatt.readers.tables import Layout


def score_dataframe(
    model: Any,
    data: Any,
    *,
    featuresCol: str | Sequence[str] | None = None,
    predictionCol: str = "prediction",
    scoreCol: str | None = "score",
    probabilityCol: str | None = None,
    topCol: str | None = None,
    top: int = 3,
    unknownCol: str | None = None,
    threshold: Mapping[Any, float] | None = None,
    abstain_below: float | None = None,
    abstain: Any = None,
) -> Any:
    """Add the label and the score that a model gives each row of a Spark DataFrame.

    The model file goes to every worker once, by ``SparkContext.addFile`` or, with Spark Connect,
    as an artifact; rows are scored there natively, a batch of Arrow at a time. Nothing is computed
    before the DataFrame is used. The workers need Python with rosenblatt and pyarrow; they need
    not import scikit-learn.

    Parameters
    ----------
    model : str, path-like, estimator or Pipeline
        A model file, or what `save` takes: of rows of numbers, or behind a `TextVectorizer` or a
        `TableVectorizer`.

    data : DataFrame

    featuresCol : str or list of str, optional
        As in `SparkTrainer`: vectors, lists of numbers, text, or columns of numbers; "features" if
        not given. A model of tables reads the columns that it has learned from, by their names;
        cells that are null are missing.

    predictionCol : str, default="prediction"
        What the column of labels is called. A model of several labels gives lists, and one of
        numbers gives numbers.

    scoreCol : str, optional
        What the column of scores is called, "score" if not given: of two classes a number above
        zero for the second, of more a list with one for each class in their order. None leaves it
        out, as do models of numbers.

    probabilityCol : str, optional
        Adds a column of this name with the probability of each class, in their order.

    topCol : str, optional
        Adds a column with the best labels, a list of ``label``, ``score`` and, if the model has
        them, ``probability``.

    top : int, default=3
        How many labels that lists.

    unknownCol : str, optional
        Adds a column with the share of a row's features that the model does not know.

    threshold, abstain_below, abstain : optional
        Which label is given, and where none is, as ``predict`` has it; a null stands for none if
        ``abstain`` is not given.

    Returns
    -------
    DataFrame
        With all columns of ``data`` and these.
    """
    check_frame("data", data)
    path, name = filed(model)
    predictor = Predictor.load(path)
    columns = ScoredColumns(
        predictionCol, scoreCol, probabilityCol, topCol, unknownCol, top,
        threshold, abstain_below, abstain,
    )  # fmt: skip
    rows = _rows_in_columns(predictor, data, featuresCol)
    return scored(data, path, name, rows, columns.of(predictor))


def _rows_in_columns(
    predictor: Predictor, data: Any, given: str | Sequence[str] | None
) -> FrameRows:
    """How the rows of a DataFrame are read for a model."""
    there = list(data.columns)
    if predictor.kinds:
        if given is not None:
            raise InputError(
                "The model reads tables",
                remedy=("leave out ", Name("featuresCol"), ": their columns have names"),
            )
        check_columns(predictor.table, there, "The DataFrame")
        return Cells(Layout("parquet", tuple(there), None, predictor.kinds))
    if not (predictor.takes_numbers or predictor.takes_text):
        raise InputError("The model reads named values, which no column of a DataFrame holds")
    named = Named.of("features" if given is None else given)
    check_schema(data, named, text=predictor.takes_text)
    return FeatureColumns(named)


def scored(data: Any, path: str, name: str, rows: FrameRows, columns: ScoredColumns) -> Any:
    """The DataFrame with these columns, by a model file that `filed` gives."""
    check_columns(data.columns, data.columns, "The DataFrame")
    same = same_case(data.sparkSession)
    taken = {*map(same, data.columns)}
    for parameter, column in columns.parameters.items():
        if same(column) in taken:
            remedy = ("choose another ", Name(parameter))
            raise InputError(f"There is a column {column} already", remedy=remedy)
        taken.add(same(column))
    _ship(data.sparkSession, path)
    predictor = Predictor.load(path)
    return data.mapInArrow(_on_worker(name, rows, columns), _schema(data, predictor, columns))


def filed(model: Any) -> tuple[str, str]:
    """A copy of the model file whose name tells its contents, so that workers mix up none."""
    folder = _folder().name
    fresh = os.path.join(folder, "model.rbt")
    if isinstance(model, str | os.PathLike):
        shutil.copyfile(model, fresh)
    else:
        save(model, fresh)
    with open(fresh, "rb") as file:
        name = f"rosenblatt-{hashlib.file_digest(file, 'sha256').hexdigest()[:32]}.rbt"
    path = os.path.join(folder, name)
    os.replace(fresh, path)
    return path, name


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Where this process keeps, until it ends, the model files that Spark fetches."""
    return tempfile.TemporaryDirectory(prefix="rosenblatt-")


def _ship(spark: Any, path: str) -> None:
    """Have the file on every worker."""
    if type(spark).__module__.startswith("pyspark.sql.connect"):
        spark.addArtifacts(path, file=True)
    else:
        spark.sparkContext.addFile(path)


def _schema(data: Any, predictor: Predictor, columns: ScoredColumns) -> Any:
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import StructField, StructType

    types = map(from_arrow_type, columns.types(predictor))
    added = map(StructField, columns.names, types)
    return StructType([*data.schema.fields, *added])


def _on_worker(
    name: str, rows: FrameRows, columns: ScoredColumns
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """What `mapInArrow` calls with batches of rows."""

    def work(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa
        from pyspark import SparkFiles

        predictor = _predictor(SparkFiles.get(name))
        for batch in batches:
            if batch.num_rows:
                try:
                    made = columns.arrays(predictor, rows.examples(batch))
                except InputError as error:
                    error.where = None  # a row of this batch, which nobody knows
                    raise error.worded(rows.front) from error
                yield pa.RecordBatch.from_arrays(
                    [*batch.columns, *made], [*batch.schema.names, *columns.names]
                )

    return work


@functools.lru_cache(maxsize=4)
def _predictor(path: str) -> Predictor:
    """The model of this worker."""
    return Predictor.load(path)
