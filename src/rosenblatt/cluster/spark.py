"""Training on Apache Spark, through `DataFrame.mapInArrow` alone."""

import contextlib
import os
import pickle
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from rosenblatt.cluster import passes
from rosenblatt.cluster.arrow_columns import VECTOR, Named
from rosenblatt.cluster.mixing import Mixing
from rosenblatt.cluster.parquet_shards import ParquetShard, files_in, rows_in
from rosenblatt.cluster.sessions import master_of, session
from rosenblatt.cluster.shard import ShardSource, Task, WithWeights
from rosenblatt.inputs.errors import InputError, InputTypeError, Name, Parameter
from rosenblatt.inputs.parameters import check_count

INLINE = 1 << 20
"""Bytes up to which weights travel with the task and a result with its row, not in a file."""
ROOM = 1 << 30
"""Bytes of shards that one worker keeps between passes; the others it reads again."""
RESULT = "shard long, failed boolean, filed boolean, result binary"


class OnSpark:
    """Maps a task over the shards, one to a partition."""

    def __init__(self, spark: Any, folder: str) -> None:
        self.spark, self.folder = spark, folder

    def run(self, task: Task, sources: Mapping[int, ShardSource]) -> Iterator[Any]:
        """What is large lies in files for as long as the round lasts, and is read one by one."""
        with _round_folder(self.folder) as folder:
            rows = self.spark.range(0, len(sources), 1, len(sources))
            work = _on_worker(_filed(task, folder), list(sources.items()), folder)
            found = rows.mapInArrow(work, RESULT).toArrow().sort_by("shard").to_pylist()
            for row in found:
                if row["failed"]:
                    raise pickle.loads(row["result"])
            for row in found:
                contents = row["result"]
                if row["filed"]:
                    with open(contents.decode(), "rb") as file:
                        contents = file.read()
                yield pickle.loads(contents)


@contextlib.contextmanager
def _round_folder(inside: str) -> Iterator[str]:
    """A folder for a round, which workers that run as somebody else may read and write too."""
    folder = os.path.join(inside, f"round-{uuid.uuid4().hex}")
    os.mkdir(folder)
    with contextlib.suppress(OSError):
        os.chmod(folder, os.stat(inside).st_mode & 0o777)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Filed:
    """A task whose weights lie in a file."""

    def __init__(self, task: WithWeights, path: str) -> None:
        self.kind, self.plan, self.path = type(task), task.plan, path
        with open(path, "wb") as file:
            pickle.dump(task.sent, file, protocol=5)

    def __call__(self, number: int, source: ShardSource) -> Any:
        with open(self.path, "rb") as file:
            return self.kind(self.plan, pickle.load(file))(number, source)  # type: ignore[operator]


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

    def __init__(
        self,
        estimator: Any,
        *,
        featuresCol: str | Sequence[str] = "features",
        labelCol: str = "label",
        weightCol: str | None = None,
        checkpointDir: str | os.PathLike[str] | None = None,
        n_shards: int = 8,
        mixing: Mixing = "changed",
        spark: Any = None,
        on_pass: passes.OnPass | None = None,
    ) -> None:
        self.estimator = estimator
        self.featuresCol = featuresCol
        self.labelCol = labelCol
        self.weightCol = weightCol
        self.checkpointDir = checkpointDir
        self.n_shards = n_shards
        self.mixing = mixing
        self.spark = spark
        self.on_pass = on_pass

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
        given = self.featuresCol
        columns = Named(
            given if isinstance(given, str) else tuple(given), self.labelCol, self.weightCol
        )
        for name, rows in (("data", data), ("validation", validation)):
            if rows is not None:
                _check_rows(name, rows, columns, text=vectorizer is not None)
        spark = self.spark or (session() if _is_path(data) else data.sparkSession)
        with self._folder(spark) as folder:

            def shards(name: str, rows: Any) -> list[ShardSource]:
                if not _is_path(rows):
                    rows = written(rows, columns, folder, f"{name}-{self.n_shards}", self.n_shards)
                return [ParquetShard(path, columns, vectorizer) for path in files_in(rows)]

            checkpoint = None
            if self.checkpointDir is not None:
                checkpoint = os.path.join(folder, "model.rbt")
            passes.train(
                estimator,
                OnSpark(spark, folder),
                shards("shards", data),
                tried=[] if validation is None else shards("validation", validation),
                names=None if isinstance(given, str) else names_of(given),
                mixing=self.mixing,
                checkpoint=checkpoint,
                on_pass=self.on_pass,
                room=ROOM,
            )
        if vectorizer is None:
            return estimator
        steps = [name for name, _ in self.estimator.steps]
        return Pipeline(list(zip(steps, [vectorizer, estimator], strict=True)))

    @contextlib.contextmanager
    def _folder(self, spark: Any) -> Iterator[str]:
        """A folder that the workers see, made if need be."""
        if self.checkpointDir is not None:
            folder = os.path.abspath(self.checkpointDir)
            os.makedirs(folder, exist_ok=True)
            yield folder
        elif master_of(spark).startswith("local"):
            with tempfile.TemporaryDirectory(prefix="rosenblatt-") as folder:
                yield folder
        else:
            raise InputError(
                Name("checkpointDir"), must="name a folder that the driver and all workers share"
            )


def parts_of(model: Any) -> tuple[Any, Any]:
    """The vectorizer, if there is one, ready to make rows on workers; and a new estimator."""
    if not isinstance(model, Pipeline):
        return None, clone(model)
    if len(model.steps) != 2:
        raise InputError("A pipeline", must="have a vectorizer and a model, and nothing else")
    vectorizer, estimator = (step for _, step in model.steps)
    if not vectorizer.__sklearn_is_fitted__():
        hashes = getattr(vectorizer, "n_hash_bits", None) is not None
        if not hashes or vectorizer.use_idf:
            raise InputError(
                "The vectorizer has columns that only the data tells",
                remedy=("set ", Parameter("n_hash_bits", 20), ", or fit it to a sample first"),
            )
        vectorizer = clone(vectorizer).fit([])
    return vectorizer, clone(estimator)


def _is_path(rows: Any) -> bool:
    return isinstance(rows, str | os.PathLike)


def _check_rows(name: str, rows: Any, columns: Named, *, text: bool) -> None:
    """Refuse what holds no rows, and a DataFrame whose columns will not do."""
    if _is_path(rows):
        return
    if not hasattr(rows, "mapInArrow"):
        must = "be a Spark DataFrame or a folder of Parquet files"
        raise InputTypeError(Name(name), must=must, got=type(rows).__name__)
    check_schema(rows, columns, text=text)


def check_schema(data: Any, columns: Named, *, text: bool) -> None:
    """Refuse columns that a DataFrame lacks or that cannot be what they are to be."""
    from pyspark.sql import types as spark_types

    kinds = {field.name: field.dataType for field in data.schema.fields}
    for name in columns.all:
        if name not in kinds:
            raise InputError(f"The DataFrame has no column {name}, only {', '.join(kinds)}")
    number, text_kind = spark_types.NumericType, spark_types.StringType

    def check(name: str | None, fits: Callable[[Any], bool], must: str) -> None:
        if name is None or fits(kinds[name]):
            return
        remedy = None
        if name == columns.features and isinstance(kinds[name], text_kind):
            remedy = "put a TextVectorizer before the model"
        got = kinds[name].simpleString()
        raise InputError(f"column {name}", must=must, got=got, remedy=remedy)

    def is_number(kind: Any) -> bool:
        return isinstance(kind, number)

    def holds_rows(kind: Any) -> bool:
        of_numbers = isinstance(kind, spark_types.ArrayType) and is_number(kind.elementType)
        return of_numbers or is_number(kind) or _is_vector(kind)

    plain = (number, text_kind, spark_types.BooleanType)
    check(columns.label, lambda kind: isinstance(kind, plain), "be numbers, strings or booleans")
    check(columns.weight, is_number, "be numbers")
    if not isinstance(columns.features, str):
        for name in columns.features:
            check(name, is_number, "be numbers")
    elif text:
        check(columns.features, lambda kind: isinstance(kind, text_kind), "be text")
    else:
        check(columns.features, holds_rows, "be vectors, lists of numbers or numbers")


def _is_vector(kind: Any) -> bool:
    return hasattr(kind, "sqlType") and {field.name for field in kind.sqlType()} == VECTOR


def names_of(columns: Sequence[str]) -> Any:
    import numpy as np

    return np.array(columns, dtype=object)


def written(data: Any, columns: Named, folder: str, name: str, shards: int) -> str:
    """The folder in which the rows of a DataFrame are Parquet files, written if they are not.

    An unfinished one is written anew; one with other rows is refused.
    """
    path = os.path.join(folder, name)
    if not os.path.exists(os.path.join(path, "_SUCCESS")):
        chosen = data.select(*(f"`{name}`" for name in columns.all))
        chosen.repartition(shards).write.mode("overwrite").parquet(f"file://{path}")
    elif (count := rows_in(path)) != data.count():
        raise InputError(
            f"{path} has {count} rows of another DataFrame", remedy="name another checkpointDir"
        )
    return path
