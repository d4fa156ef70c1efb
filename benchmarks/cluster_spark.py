"""Spark: beside its own LinearSVC and LogisticRegression, and with very many columns.

Run by ``python benchmarks/cluster.py spark`` and ``spark-wide``. All that travels stays on this
machine.
"""

import contextlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from workloads import sparse_binary

from rosenblatt import AveragedPerceptron, PassiveAggressiveClassifier, SparkTrainer
from rosenblatt.cluster.arrow_columns import Named
from rosenblatt.cluster.executors import Here
from rosenblatt.cluster.parquet_shards import ParquetShard, files_in
from rosenblatt.cluster.passes import train
from rosenblatt.cluster.shard import Learn

SHARDS = 2
PASSES = (1, 2, 3, 5)
ITERATIONS = (5, 20, 60)
UNSCALED = {"standardization": False, "regParam": 1e-4}
"""Better than the defaults for rows of length one, whose rare columns these would scale up."""
THEIRS: dict[str, dict[str, Any]] = {
    "LinearSVC": {},
    "LinearSVC unscaled": UNSCALED,
    "LogisticRegression": {},
    "LogisticRegression unscaled": UNSCALED,
}
OURS = ("rosenblatt", "rosenblatt, its files")
STEP = 0.5
NEAR = 0.002
"""Accuracies as near as this are equal: the standard error of some 10,000 held-out rows."""


@contextlib.contextmanager
def session(master: str, **settings: str) -> Iterator[Any]:
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    from pyspark.sql import SparkSession

    making = SparkSession.builder.master(master)
    quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    for name, value in (quiet | settings).items():
        making = making.config(name, value)
    spark = making.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    try:
        yield spark
    finally:
        spark.stop()


def beside_spark_ml(rows: int) -> None:
    """Seconds to equal held-out accuracy, what a pass costs beyond the kernel, and its bytes."""
    settings = {"spark.driver.memory": "2g", "spark.sql.shuffle.partitions": str(SHARDS)}
    with session(f"local[{SHARDS}]", **settings) as spark, tempfile.TemporaryDirectory() as folder:
        files, held_out, (X, y) = _parts(spark, folder, rows)
        learned = spark.read.parquet(f"file://{files}")
        print(
            f"{rows:,} rows to learn from, {len(y):,} held out, {X.shape[1]:,} columns", flush=True
        )
        ours = dict(zip(OURS, (learned, files), strict=True))
        _ours(learned, X, y, 1, Path(folder) / "warm")  # Python workers are started once
        found: dict[str, list[tuple[float, float]]] = {}
        for k in range(max(len(PASSES), len(ITERATIONS))):
            for name, table in ours.items() if k < len(PASSES) else ():
                own = _ours(table, X, y, PASSES[k], Path(folder) / f"{name}-{k}")
                found.setdefault(name, []).append(own)
                _tell(name, f"{PASSES[k]} passes", own)
            if k < len(ITERATIONS):
                for name, settings in THEIRS.items():
                    its = _spark_ml(name, settings, learned, held_out, ITERATIONS[k])
                    found.setdefault(name, []).append(its)
                    _tell(name, f"{ITERATIONS[k]} iterations", its)
        _tell_times(found)
        _overhead(spark, folder)


def _parts(spark: Any, folder: str, rows: int) -> tuple[str, Any, Any]:
    """Rows to learn from, as Parquet files of Spark ML's vectors; others as a frame, and as CSR."""
    from sklearn.datasets import dump_svmlight_file

    X, y = sparse_binary(rows + rows // 4)
    y = (np.asarray(y) == np.max(y)).astype(int)
    frames = []
    for name, part in (("learned", slice(None, rows)), ("held", slice(rows, None))):
        path = os.path.join(folder, f"{name}.svm")
        dump_svmlight_file(X[part], y[part], path, zero_based=False)
        reader = spark.read.format("libsvm").option("numFeatures", X.shape[1])
        frames.append(reader.load(f"file://{path}").repartition(SHARDS))
    files, held_out = os.path.join(folder, "learned"), frames[1].cache()
    frames[0].write.parquet(f"file://{files}")
    held_out.count()
    return files, held_out, (X[rows:], y[rows:])


def _ours(table: Any, X: Any, y: Any, passes: int, folder: Path) -> tuple[float, float]:
    """Seconds, with those in which a frame is written as shards, and accuracy."""
    own = PassiveAggressiveClassifier(C=STEP, average=True, max_iter=passes, random_state=0)
    clock = time.perf_counter()
    model = SparkTrainer(own, n_shards=SHARDS, checkpointDir=folder).fit(table)
    return time.perf_counter() - clock, model.score(X, y)


def _spark_ml(
    name: str, settings: dict[str, Any], frame: Any, held_out: Any, iterations: int
) -> tuple[float, float]:
    from pyspark.ml import classification

    learner = getattr(classification, name.split()[0])(maxIter=iterations, **settings)
    clock = time.perf_counter()
    model = learner.fit(frame)
    seconds = time.perf_counter() - clock
    right = model.transform(held_out).where("prediction = label").count()
    return seconds, right / held_out.count()


def _tell_times(found: dict[str, list[tuple[float, float]]]) -> None:
    """Seconds to the accuracy that each of Spark ML's and the family both reach."""
    print(f"\n{'seconds to':30}{'accuracy':>10}{'Spark ML':>10}", end="")
    print("".join(f"{name:>28}" for name in OURS))
    for name in THEIRS:
        best = {each: max(accuracy for _, accuracy in found[each]) for each in (name, *OURS)}
        goal = min(best.values()) - NEAR
        first = {
            each: min(seconds for seconds, accuracy in found[each] if accuracy >= goal)
            for each in best
        }
        own = "".join(f"{first[each]:20.2f} {first[name] / first[each]:6.1f}×" for each in OURS)
        print(f"{name:30}{100 * goal:8.2f} %{first[name]:10.2f}{own}")


def _tell(name: str, how: str, found: tuple[float, float]) -> None:
    print(f"{name:30}{how:16}{found[0]:8.2f} s   {100 * found[1]:6.2f} %", flush=True)


class Weighed(Here):
    """Does the shards here, and adds up what would have travelled."""

    def __init__(self) -> None:
        self.down: list[int] = []
        self.up: list[int] = []

    def run(self, task: Any, sources: Any) -> Iterator[Any]:
        if not isinstance(task, Learn):
            yield from super().run(task, sources)
            return
        self.down.append(task.sent.rows.nbytes * len(sources))
        self.up.append(0)
        for made in super().run(task, sources):
            self.up[-1] += made.rows.nbytes
            yield made


def _overhead(spark: Any, folder: str) -> None:
    """A pass on Spark beside the same shards learned from by the bare kernel."""
    shards = os.path.join(folder, "warm", f"shards-{SHARDS}")
    own = AveragedPerceptron(max_iter=8, random_state=0)
    on_spark = SparkTrainer(own, spark=spark).fit(shards)
    sources = [ParquetShard(path, Named("features", "label")) for path in files_in(shards)]
    weighed = Weighed()
    alone = train(own, weighed, sources)
    there, bare = (min(done.seconds for done in each.history_[1:]) for each in (on_spark, alone))
    print(
        f"a pass: {there:.3f} s on Spark, {bare:.3f} s for all shards one after the other in one "
        f"process ({bare / SHARDS:.3f} s a core): {there - bare / SHARDS:.3f} s beyond the kernel"
    )
    for which, place in (("first", 0), ("last", -1)):
        print(f"bytes in the {which} pass: {weighed.down[place]:,} down, {weighed.up[place]:,} up")


MAKE = """
import sys
import numpy as np
import pyarrow as pa
from pyarrow import parquet

folder, columns, rows, values, shards = sys.argv[1], *map(int, sys.argv[2:])
teacher = np.random.default_rng(0).normal(size=columns).astype(np.float32)
for shard in range(shards):
    rng, count = np.random.default_rng(1 + shard), rows // shards
    drawn = (columns * rng.random((count, values)) ** 3).astype(np.int32)
    drawn.sort(axis=1)
    labels = (teacher[drawn].sum(axis=1) > 0).astype(np.int64)
    for k in range(1, values):  # each column once in a row
        drawn[:, k] = np.maximum(drawn[:, k], drawn[:, k - 1] + 1)
    drawn = np.minimum(drawn, columns - values + np.arange(values, dtype=np.int32))
    bounds = pa.array(np.arange(count + 1, dtype=np.int32) * values)
    vectors = pa.StructArray.from_arrays(
        [
            pa.array(np.zeros(count, np.int8)),
            pa.array(np.full(count, columns, np.int32)),
            pa.ListArray.from_arrays(bounds, pa.array(drawn.ravel())),
            pa.ListArray.from_arrays(bounds, pa.array(np.ones(count * values))),
        ],
        ["type", "size", "indices", "values"],
    )
    table = pa.table({"features": vectors, "label": labels})
    parquet.write_table(table, f"{folder}/part-{shard}.parquet")
"""
"""Made in a process of its own, so that its memory is none of the driver's."""


def wide(columns: int, rows: int, values: int = 50, passes: int = 3) -> None:
    """Hashed features by the million: the memory of the driver, Python's and Java's."""
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "rows")
        os.mkdir(made)
        sizes = map(str, (columns, rows, values, SHARDS))
        subprocess.run([sys.executable, "-c", MAKE, made, *sizes], check=True)
        print(f"{rows:,} rows of {values} values among {columns:,} columns, {SHARDS} shards")
        settings = {"spark.driver.memory": "1g", "spark.executor.memory": "512m"}
        with session(f"local-cluster[{SHARDS},1,1024]", **settings) as spark:
            java = spark.sparkContext._gateway.proc.pid
            clock = time.perf_counter()
            own = AveragedPerceptron(max_iter=passes, random_state=0, verbose=1)
            SparkTrainer(own, checkpointDir=os.path.join(folder, "run")).fit(made)
            print(f"{time.perf_counter() - clock:.1f} s in all, {passes} passes and checkpoints")
            python = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            print(
                f"peak of the driver: Python {python / 2**20:.2f} GB, "
                f"Java {_peak_of(java) / 2**20:.2f} GB"
            )


def _peak_of(process: int) -> int:
    """Kilobytes that a process and what became of its launcher took at most."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
