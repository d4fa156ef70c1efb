"""Training on Apache Spark, through `DataFrame.mapInArrow` alone."""

import contextlib
import os
import pickle
import shutil
import tempfile
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from rosenblatt.cluster import passes
from rosenblatt.cluster.arrow_columns import Named
from rosenblatt.cluster.frame_schemas import check_frame, check_schema, quoted
from rosenblatt.cluster.mixing import Mixing
from rosenblatt.cluster.parquet_shards import ParquetShard, files_in, rows_in
from rosenblatt.cluster.sessions import master_of, session
from rosenblatt.cluster.shard import ShardSource, Task, WithWeights
from rosenblatt.cluster.shared_folders import (
    SHARED,
    dump,
    folder_inside,
    load,
    path_of,
    remove_left,
)
from rosenblatt.features.text import TextVectorizer
from rosenblatt.inputs.errors import InputError, Name, Parameter, wording
from rosenblatt.inputs.parameters import check_count

INLINE = 1 << 20
"""Bytes up to which weights travel with the task and a result with its row, not in a file."""
ROOM = 1 << 30
"""Bytes of shards that one worker keeps between passes; the others it reads again."""
RESULT = "shard long, failed boolean, filed boolean, result binary"


SHARDS = {"data": "shards", "validation": "validation"}
"""What the folder of the shards of each begins with."""
ROUND = "round-"
"""What the name of the folder of a round begins with."""


@dataclass
class OnSpark:
    """Maps a task over the shards, one to a partition."""

    spark: Any
    folder: str

    def run(self, task: Task, sources: Mapping[int, ShardSource]) -> Iterator[Any]:
        """What is large lies in files for as long as the round lasts, and is read one by one."""
        with folder_inside(self.folder, ROUND) as folder:
            rows = self.spark.range(0, len(sources), 1, len(sources))
            work = _on_worker(_filed(task, folder), list(sources.items()), folder)
            found = rows.mapInArrow(work, RESULT).toArrow().sort_by("shard").to_pylist()
            for row in found:
                if row["failed"]:
                    raise pickle.loads(row["result"])
            for row in found:
                contents = row["result"]
                yield load(contents.decode()) if row["filed"] else pickle.loads(contents)


class Filed:
    """A task whose weights lie in a file."""

    def __init__(self, task: WithWeights, path: str) -> None:
        self.kind, self.plan, self.path = type(task), task.plan, path
        dump(task.sent, path)

    def __call__(self, number: int, source: ShardSource) -> Any:
        return self.kind(self.plan, load(self.path))(number, source)  # type: ignore[operator]


def _filed(task: Any, folder: str) -> Any:
    """The task as it is sent: its weights in a file for all workers if they are large."""
    if isinstance(task, WithWeights) and task.sent.rows.nbytes > INLINE:
        return Filed(task, os.path.join(folder, "weights"))
    return task


def _on_worker(task: Any, sources: list[tuple[int, ShardSource]], folder: str) -> Any:
    """What `mapInArrow` calls on a worker with the places of shards."""

    def work(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            for place in batch.column(0).to_pylist():
                failed = filed = False
                try:
                    made = task(*sources[place])
                except ValueError as error:  # of the data: trying again would not help
                    made, failed = error, True
                contents = pickle.dumps(made, protocol=5)
                if len(contents) > INLINE and not failed:
                    path = os.path.join(folder, f"{place}-{uuid.uuid4().hex}")
                    with open(path, "xb") as file:
                        file.write(contents)
                    filed, contents = True, path.encode()
                yield pa.RecordBatch.from_arrays(
                    [
                        pa.array([place], pa.int64()),
                        pa.array([failed]),
                        pa.array([filed]),
                        pa.array([contents], pa.binary()),
                    ],
                    ["shard", "failed", "filed", "result"],
                )

    return work


@dataclass(repr=False, eq=False)
class SparkTrainer:
    """Train on Apache Spark, by iterative parameter mixing (McDonald et al., 2010).

    The rows are written once as Parquet files, the shards; in every pass Spark's workers each learn
    from a shard, starting from the same weights, and the driver mixes what they come to, as
    `ShardTrainer` does: same shards, same bits, whatever workers there are and whichever of them
    are lost. Works on classic sessions and on Spark Connect. The workers need Python with
    rosenblatt and pyarrow, and must see ``checkpointDir``.

    Parameters
    ----------
    estimator : estimator or Pipeline
        As `ShardTrainer` takes it; for text, in a pipeline behind a `TextVectorizer` that hashes
        words (``n_hash_bits``) or has been fitted.

    featuresCol : str or list of str, default="features"
        A column of Spark ML's vectors, of lists of numbers or of text; or columns of numbers, whose
        names become those of the features.

    labelCol : str, default="label"
        Numbers, strings or booleans.

    weightCol : str, optional
        The weight of each row.

    checkpointDir : str or path-like, optional
        A folder that driver and workers share. It takes the shards, and the model after every
        pass: when ``fit`` finds them there, it goes on from them, to the bits of an undisturbed
        run. Without it a local master writes to a temporary folder.

    n_shards : int, default=8
        How many files a DataFrame becomes. A folder of Parquet files has a shard in each.

    mixing : {"changed", "uniform", "mistakes"}, default="changed"
        As in `ShardTrainer`.

    spark : SparkSession, optional
        The active one if not given.

    on_pass : callable, optional
        As in `ShardTrainer`.

    Examples
    --------
    ::

        trainer = SparkTrainer(AveragedPerceptron(), featuresCol="features", labelCol="label",
                               checkpointDir="/shared/run-1", n_shards=64)
        model = trainer.fit(df)          # or the folder of Parquet files that df was read from
        save(model, "model.rbt")
    """

    __module__ = "rosenblatt"

    estimator: Any
    _: KW_ONLY
    featuresCol: str | Sequence[str] = "features"
    labelCol: str = "label"
    weightCol: str | None = None
    checkpointDir: str | os.PathLike[str] | None = None
    n_shards: int = 8
    mixing: Mixing = "changed"
    spark: Any = None
    on_pass: passes.OnPass | None = None

    def fit(self, data: Any, validation: Any = None) -> Any:
        """Learn from a DataFrame, or from a folder of Parquet files, a shard in each.

        Parameters
        ----------
        data : DataFrame, str or path-like

        validation : DataFrame, str or path-like, optional
            Held-out rows with the same columns, to try the weights on after every pass. Without
            early stopping they are measured only; with it, they take the place of a fraction of
            ``data``.

        Returns
        -------
        estimator or Pipeline
            A fitted one.
        """
        vectorizer, estimator = parts_of(self.estimator)
        passes.check_parameters(estimator, self.mixing)
        check_count("n_shards", self.n_shards)
        columns = Named.of(self.featuresCol, self.labelCol, self.weightCol)
        for name, rows in (("data", data), ("validation", validation)):
            if not (rows is None or _is_path(rows)):
                check_frame(name, rows, or_else=" or a folder of Parquet files")
                check_schema(rows, columns, text=vectorizer is not None)
        spark = self.spark or (session() if _is_path(data) else data.sparkSession)
        fresh: list[str] = []
        with self._folder(spark) as folder, wording(columns):

            def shards(name: str, rows: Any) -> list[ShardSource]:
                if _is_path(rows):
                    path = path_of(name, rows)
                else:
                    path = os.path.join(folder, f"{SHARDS[name]}-{self.n_shards}")
                    if write(name, rows, columns, path, self.n_shards):
                        fresh.append(path)
                return [ParquetShard(file, columns, vectorizer) for file in files_in(path)]

            checkpoint = None
            if self.checkpointDir is not None:
                checkpoint = os.path.join(folder, "model.rbt")
            one = isinstance(columns.features, str)
            try:
                passes.train(
                    estimator,
                    OnSpark(spark, folder),
                    shards("data", data),
                    tried=[] if validation is None else shards("validation", validation),
                    names=None if one else np.array(columns.features, dtype=object),
                    mixing=self.mixing,
                    checkpoint=checkpoint,
                    on_pass=self.on_pass,
                    room=ROOM,
                )
            except InputError:
                if estimator._state is None:  # nothing can be learned from what was written
                    for path in fresh:
                        shutil.rmtree(path, ignore_errors=True)
                raise
        if vectorizer is None:
            return estimator
        steps = [name for name, _ in self.estimator.steps]
        return Pipeline(list(zip(steps, [vectorizer, estimator], strict=True)))

    @contextlib.contextmanager
    def _folder(self, spark: Any) -> Iterator[str]:
        """A folder that the workers see, made if need be."""
        if self.checkpointDir is not None:
            folder = path_of("checkpointDir", self.checkpointDir)
            try:
                os.makedirs(folder, exist_ok=True)
            except FileExistsError as error:
                raise InputError(Name("checkpointDir"), must="be a folder", got=folder) from error
            remove_left(folder, ROUND)
            yield folder
        elif master_of(spark).startswith("local"):
            with tempfile.TemporaryDirectory(prefix="rosenblatt-") as folder:
                yield folder
        else:
            raise InputError(Name("checkpointDir"), must=SHARED)


def parts_of(model: Any) -> tuple[Any, Any]:
    """The vectorizer, if there is one, ready to make rows on workers; and a new estimator."""
    if not isinstance(model, Pipeline):
        return None, clone(model)
    if len(model.steps) != 2:
        raise InputError("A pipeline", must="have a vectorizer and a model, and nothing else")
    vectorizer, estimator = (step for _, step in model.steps)
    if not isinstance(vectorizer, TextVectorizer):
        must, got = "have a TextVectorizer before the model", type(vectorizer).__name__
        raise InputError("A pipeline", must=must, got=got)
    if not vectorizer.__sklearn_is_fitted__():
        if vectorizer.n_hash_bits is None or vectorizer.use_idf:
            raise InputError(
                "The vectorizer has columns that only the data tells",
                remedy=("set ", Parameter("n_hash_bits", 20), ", or fit it to a sample first"),
            )
        vectorizer = clone(vectorizer).fit([])
    return vectorizer, clone(estimator)


def _is_path(rows: Any) -> bool:
    return isinstance(rows, str | os.PathLike)


def write(name: str, data: Any, columns: Named, path: str, shards: int) -> bool:
    """Have the rows of a DataFrame in Parquet files of a folder; whether they were not there yet.

    A folder is there when all of it is; one with other rows or columns is refused.
    """
    chosen = data.select(*map(quoted, columns.all))
    if os.path.exists(path):
        if _identity(data.sparkSession.read.parquet(f"file://{path}")) != _identity(chosen):
            what = f"{path} has rows or columns of another DataFrame"
            raise InputError(what, remedy="name another checkpointDir")
        return False
    unfinished = f"{path}.unfinished"
    chosen.repartition(shards).write.mode("overwrite").parquet(f"file://{unfinished}")
    try:
        _check_rows(name, rows_in(unfinished), shards)
    except InputError:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    os.rename(unfinished, path)
    return True


def _check_rows(name: str, rows: list[int], shards: int) -> None:
    """Refuse files without rows, unless they are of a validation set that has some in others."""
    if not any(rows):
        raise InputError(Name(name), " has no rows")
    if name == "data" and (len(rows) < shards or 0 in rows):
        got = f"{sum(rows)} rows for {shards}"
        raise InputError(Name("n_shards"), must="leave rows for every shard", got=got)


def _identity(data: Any) -> Any:
    """The types and names of columns, and what the rows are in whichever order."""
    from pyspark.sql import functions as spark_functions

    kinds = [(field.name, field.dataType.simpleString()) for field in data.schema.fields]
    hashed = spark_functions.xxhash64(*map(quoted, data.columns)).cast("decimal(38, 0)")
    return kinds, data.select(spark_functions.count("*"), spark_functions.sum(hashed)).collect()
