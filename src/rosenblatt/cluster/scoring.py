"""Scoring the rows of a Spark DataFrame with a model, where they lie."""

import functools
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from rosenblatt.cluster.arrow_columns import Named, features_of
from rosenblatt.inputs.errors import InputError, Name, wording
from rosenblatt.persistence.model_files import save
from rosenblatt.persistence.predictor import Predictor


def score_dataframe(
    model: Any,
    data: Any,
    *,
    featuresCol: str | Sequence[str] = "features",
    predictionCol: str = "prediction",
    scoreCol: str | None = "score",
) -> Any:
    """Add the label and the score that a model gives each row of a Spark DataFrame.

    The model file goes to every worker once, by ``SparkContext.addFile`` or, with Spark Connect,
    as an artifact; rows are scored there natively, a batch of Arrow at a time. Nothing is computed
    before the DataFrame is used. The workers need Python with rosenblatt and pyarrow; they need
    not import scikit-learn.

    Parameters
    ----------
    model : str, path-like, estimator or Pipeline
        A model file, or what `save` takes: rows of numbers, or text behind a `TextVectorizer`.

    data : DataFrame

    featuresCol : str or list of str, default="features"
        As in `SparkTrainer`: vectors, lists of numbers, text, or columns of numbers.

    predictionCol : str, default="prediction"
        What the column of labels is called.

    scoreCol : str, optional
        What the column of scores is called: of two classes a number above zero for the second, of
        more a list with one for each class in their order. None leaves it out.

    Returns
    -------
    DataFrame
        With all columns of ``data`` and these.
    """
    spark = data.sparkSession
    path, name = _filed(model)
    predictor = Predictor.load(path)
    if predictor.table:
        raise InputError("The model reads tables", remedy="score_dataframe takes numbers and text")
    columns = Named(featuresCol if isinstance(featuresCol, str) else tuple(featuresCol))
    added = [predictionCol] + ([] if scoreCol is None else [scoreCol])
    for column in columns.all:
        if column not in data.columns:
            raise InputError(
                f"The DataFrame has no column {column}, only {', '.join(data.columns)}"
            )
    for column in added:
        if column in data.columns:
            raise InputError(
                f"The DataFrame has a column {column} already",
                remedy=("choose another ", Name("predictionCol"), " or ", Name("scoreCol")),
            )
    _ship(spark, path)
    schema = _schema(data, predictor, predictionCol, scoreCol)
    return data.mapInArrow(_on_worker(name, columns, added), schema)


def _filed(model: Any) -> tuple[str, str]:
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


def _schema(data: Any, predictor: Predictor, prediction: str, score: str | None) -> Any:
    from pyspark.sql import types

    number = types.DoubleType()
    kinds = {
        "b": types.BooleanType(),
        "i": types.LongType(),
        "u": types.LongType(),
        "f": number,
    }
    label = kinds.get(predictor.classes.dtype.kind, types.StringType())
    schema = types.StructType([*data.schema.fields, types.StructField(prediction, label)])
    if score is not None:
        many = len(predictor.classes) > 2
        schema = schema.add(score, types.ArrayType(number) if many else number)
    return schema


def _on_worker(
    name: str, columns: Named, added: list[str]
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """What `mapInArrow` calls with batches of rows."""

    def work(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa
        from pyspark import SparkFiles

        predictor = _predictor(SparkFiles.get(name))
        of_text = list if predictor.takes_text else None
        features = [columns.features] if isinstance(columns.features, str) else columns.features
        for batch in batches:
            if not batch.num_rows:
                continue
            with wording(columns):
                X = features_of([batch.column(each) for each in features], of_text)
                judged = predictor.judge(X)
            labels = judged.labels
            made = [pa.array(labels.tolist() if labels.dtype.kind in "UO" else labels)]
            if len(added) > 1:
                found = np.asarray(judged.scores, dtype=np.float64)
                made.append(pa.array(found if found.ndim == 1 else list(found)))
            yield pa.RecordBatch.from_arrays(
                [*batch.columns, *made],
                [*batch.schema.names, *added],
            )

    return work


@functools.lru_cache(maxsize=4)
def _predictor(path: str) -> Predictor:
    """The model of this worker."""
    return Predictor.load(path)
