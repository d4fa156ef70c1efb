"""Training over shards: accuracy beside serial training, bytes that travel, and a model of cost.

python benchmarks/cluster.py accuracy [--data FOLDER]   # 1 to 16 shards after equal passes
python benchmarks/cluster.py wide [--columns 20000000]  # hashed features: bytes and memory
python benchmarks/cluster.py model                      # large clusters, on paper and simulated
python benchmarks/cluster.py spark [--rows 20000]       # beside Spark ML; a pass, its bytes
python benchmarks/cluster.py spark-wide [--columns 20000000] [--rows 60000]  # a driver of 2 GB

FOLDER holds public data sets; without it one task is generated.
"""

import argparse
import heapq
import resource
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from datasets import DATASETS, Split
from scipy import sparse
from workloads import ROWS, load

from rosenblatt import AveragedPerceptron, PassiveAggressiveClassifier, ShardTrainer
from rosenblatt.cluster.executors import dealt
from rosenblatt.cluster.mixing import Sent
from rosenblatt.cluster.shard import Data, Shard, ShardPlan
from rosenblatt.inputs.labels import CodedLabels

PASSES = 10
SHARDS = (1, 2, 4, 8, 16)


def generated(name: str, scale: str) -> Iterator[Split]:
    """A workload of the other benchmarks, its rows parted five times."""
    made = load(name, scale)
    X, y = sparse.vstack([made.X, made.X_test], "csr"), np.concatenate([made.y, made.y_test])
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(y))
        learned, tried = np.split(order, [len(made.y)])
        yield Split(X[learned], y[learned], X[tried], y[tried])


def accuracy(folder: Path | None) -> None:
    """Held-out accuracy after equal passes: lost against serial training, in points."""
    tasks = {f"20 classes, {scale}": list(generated("sparse_20", scale)) for scale in ROWS}
    if folder is not None:
        for name in ("rt_polarity", "names_18_languages"):
            found = next(each for each in DATASETS if each.name == name)
            tasks[name] = list(found.splits(folder))[:5]
    learners = {
        "averaged": AveragedPerceptron(max_iter=PASSES, random_state=0),
        "PA-I, averaged": PassiveAggressiveClassifier(
            C=0.1, average=True, max_iter=PASSES, random_state=0
        ),
    }
    print(f"held-out accuracy after {PASSES} passes, %, by number of shards; then points lost")
    print(
        f"{'task':24}{'learner':16}{'mixing':10}" + "".join(f"{k:>7}" for k in SHARDS) + "   lost"
    )
    for task, splits in tasks.items():
        for name, learner in learners.items():
            for mixing in ("changed", "uniform", "mistakes"):
                means = [
                    100 * np.mean([
                        ShardTrainer(learner, n_shards=shards, n_jobs=-1, mixing=mixing)
                        .fit(split.X, split.y)
                        .score(split.X_out, split.y_out)
                        for split in splits
                    ])
                    for shards in SHARDS
                ]  # fmt: skip
                row = "".join(f"{mean:7.2f}" for mean in means)
                lost = means[0] - min(means)
                print(f"{task:24}{name:16}{mixing:10}{row}{lost:7.2f}", flush=True)


def wide(columns: int, rows: int = 200_000, values: int = 50, shards: int = 4) -> None:
    """Very many columns, as hashing gives: seconds, memory, and the bytes that travel."""
    rng = np.random.default_rng(0)
    print(f"{rows:,} rows of {values} values among {columns:,} columns, {shards} shards")
    drawn = (columns * rng.random((rows, values)) ** 3).astype(np.int32)
    drawn.sort(axis=1)
    X = sparse.csr_matrix(
        (np.ones(rows * values), drawn.ravel(), np.arange(rows + 1) * values),
        shape=(rows, columns),
    )
    X.sum_duplicates()
    y = (X @ rng.normal(size=columns) > 0).astype(np.uint8)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    own = AveragedPerceptron(max_iter=5, random_state=0, verbose=1)
    model = ShardTrainer(own, n_shards=shards).fit(X, y)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory {peak / 2**20:.2f} GB, of which {before / 2**20:.2f} GB to make the data")
    plan = ShardPlan("", shards, own, 0, classes=model.classes_)
    labels = CodedLabels(y, model.classes_)
    first = Shard.of(plan, dealt(Data(X, labels, None), shards)[0].data)
    state = model._first_state(model.classes_, columns)
    up = first.epoch(Sent.of(state.weights, state.run)).rows.nbytes
    down = Sent.of(model._state.weights, model._state.run).rows.nbytes
    print(f"bytes of all weights and sums: {16 * (columns + 1):,}")
    print(f"up from a shard in the first pass: {up:,}; down to each after the last: {down:,}")


VALUES_PER_SECOND = 3e8
"""That one core learns from, in rows of its own that lie in memory."""
OVERHEAD = 0.3
"""Seconds of a round on Spark: planning, shipping the closure, collecting."""
BANDWIDTH = 1e9
"""Bytes a second that the driver takes in or gives out."""
MIXED_PER_SECOND = 1e8
"""Numbers that the driver adds up."""


def on_paper(values: float, cores: int, moved: float) -> float:
    """Seconds of a pass: values a core, the round, weights out and in through the driver."""
    travel = 2 * moved * 24 * cores / BANDWIDTH
    return values / cores / VALUES_PER_SECOND + OVERHEAD + travel + cores * moved / MIXED_PER_SECOND


def simulated(values: float, cores: int, moved: float, *, seed: int = 0) -> float:
    """The same event by event: uneven cores, a driver that sends and takes in one at a time."""
    rng = np.random.default_rng(seed)
    speeds = rng.lognormal(0.0, 0.2, cores)
    sending = moved * 24 / BANDWIDTH
    ready: list[float] = []
    for core in range(cores):
        begun = OVERHEAD + (core + 1) * sending
        heapq.heappush(ready, begun + values / cores / (VALUES_PER_SECOND * speeds[core]))
    clock = 0.0
    while ready:
        clock = max(clock, heapq.heappop(ready)) + sending + moved / MIXED_PER_SECOND
    return clock


def model() -> None:
    """When more cores pay, by the figures above."""
    print(f"{'values':>9}{'rows moved':>12}{'cores':>7}{'paper, s':>11}{'simulated':>11}"
          f"{'one core, s':>13}")  # fmt: skip
    for values in (1e8, 1e10, 1e12):
        for moved in (1e5, 2e6):
            for cores in (10, 100, 1000):
                paper, events = (how(values, cores, moved) for how in (on_paper, simulated))
                alone = values / VALUES_PER_SECOND
                print(f"{values:9.0e}{moved:12.0e}{cores:7}{paper:11.1f}{events:11.1f}"
                      f"{alone:13.1f}")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["accuracy", "wide", "model", "spark", "spark-wide"])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--columns", type=int, default=20_000_000)
    parser.add_argument("--rows", type=int)
    said = parser.parse_args()
    if said.what.startswith("spark"):
        import cluster_spark

        if said.what == "spark":
            cluster_spark.beside_spark_ml(said.rows or 20_000)
        else:
            cluster_spark.wide(said.columns, said.rows or 60_000)
        return
    if said.what == "accuracy":
        accuracy(said.data)
    elif said.what == "wide":
        wide(said.columns)
    else:
        model()


if __name__ == "__main__":
    main()
