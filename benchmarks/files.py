"""From files: svmlight text to rows, and svmlight text to a model, also in bounded memory."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import workloads
from bench import Bench
from learners import PASSES
from numpy.testing import assert_array_equal
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Perceptron as SklearnPerceptron
from table import Row

from rosenblatt import Perceptron, cached, read_svmlight

ROWS = {"full": 200_000, "small": 20_000}
ROWS_OF_STYLES = {"full": 40_000, "small": 4_000}
STYLES: dict[str, Callable[[float], str]] = {
    "values of 6 digits": lambda value: f"{value:.6g}",
    "values of 16 digits, as scikit-learn writes them": lambda value: f"{value:.16g}",
    "counts": lambda value: str(1 + int(20 * value)),
}
MEMORY = 25.0
"""Megabytes beyond model and one block that learning from a file may take."""


def reading(bench: Bench) -> Iterator[Row | str]:
    """Text of a file to labels and compressed rows, in one thread."""
    yield "svmlight file → CSR, MB of text a second"
    with TemporaryDirectory() as folder:
        path = str(Path(folder, "data.svm"))
        X, y = workloads.sparse_binary(ROWS_OF_STYLES[bench.scale])
        for label, style in STYLES.items():
            write(path, X, y, style, "{:+d} ")
            size = os.path.getsize(path) / 1e6
            peers = {"scikit-learn": load_svmlight_file, "xgboost": read_by_xgboost}
            times = bench.times(
                {label: lambda: read_svmlight(path)},
                {peer: lambda read=read: read(path) for peer, read in peers.items()},
            )
            if theirs := times["scikit-learn"].result:
                for part, other in zip(theirs, times[label].result, strict=True):
                    assert_array_equal(getattr(part, "data", part), getattr(other, "data", other))
            for peer, target in (("scikit-learn", 20.0), ("xgboost", 3.0)):
                yield times.row(
                    label,
                    peer,
                    lambda seconds, size=size: size / seconds,
                    kind=Row.more,
                    unit="MB/s",
                    at_least=target,
                )
    yield from second_thread(bench)


def second_thread(bench: Bench) -> Iterator[Row]:
    """One thread against two on two cores, by the clock on the wall: other users of them count."""
    if not hasattr(os, "sched_setaffinity") or (os.cpu_count() or 1) < 2:
        return
    path, mine = data_file(bench.scale, "svm"), os.sched_getaffinity(0)

    def read(threads: int) -> float:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        start = time.perf_counter()
        read_svmlight(path, threads=threads)
        seconds = time.perf_counter() - start
        os.sched_setaffinity(0, mine)
        return seconds

    work = "values of 6 digits, two threads, wall"
    told = bench.times({work: lambda: read(2)}, {"one thread": lambda: read(1)}, told="s")
    size = os.path.getsize(path) / 1e6
    yield told.row(work, "one thread", lambda s: size / s, kind=Row.more, unit="MB/s", at_least=1.7)


def learning(bench: Bench) -> Iterator[Row | str]:
    """A file on the disk to a model, everything in between; then the same in bounded memory."""
    yield f"svmlight file → model, {PASSES} passes, s"
    path, vw_path = data_file(bench.scale, "svm"), data_file(bench.scale, "vw")
    times = bench.times(
        {
            "in memory": lambda: learn_in_memory(path),
            "through a cache": lambda: learn_from_cache(path),
        },
        {
            "scikit-learn": lambda: learn_by_sklearn(path),
            "Vowpal Wabbit": lambda: learn_by_vw(vw_path),
        },
    )
    for work, targets in (("in memory", (12.0, 4.0)), ("through a cache", (None, None))):
        for peer, target in zip(("scikit-learn", "Vowpal Wabbit"), targets, strict=True):
            yield times.row(work, peer, float, unit="s", at_least=target)
    work = "memory, through a cache"
    told = bench.times(
        {work: lambda: peak_memory("learn_from_cache", path)},
        {"scikit-learn": lambda: peak_memory("learn_by_sklearn", path)},
        told="B",
        repeat=1,
    )
    yield told.row(
        work, "scikit-learn", lambda size: size / 1e6, kind=Row.no_more, unit="MB", most=MEMORY
    )


def read_by_xgboost(path: str) -> Any:
    import xgboost

    with xgboost.config_context(verbosity=0):
        return xgboost.DMatrix(f"{path}?format=libsvm&indexing_mode=1", nthread=1)


def learn_by_sklearn(path: str) -> Any:
    X, y = load_svmlight_file(path)
    # Its own Perceptron refuses the wide indices that its reader gives.
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return SklearnPerceptron(max_iter=PASSES, tol=None, random_state=0).fit(X, y)


def learn_by_vw(path: str) -> None:
    import vowpalwabbit

    with TemporaryDirectory() as folder:
        options = f"-d {path} --loss_function hinge --sgd --holdout_off --passes {PASSES}"
        cache = f"--cache_file {folder}/cache -k -f {folder}/model"
        vowpalwabbit.Workspace(arg_list=["--quiet", *options.split(), *cache.split()]).finish()


def learn_in_memory(path: str) -> Perceptron:
    X, y = read_svmlight(path)
    return Perceptron(max_iter=PASSES, shuffle="blocks", random_state=0).fit(X, y)


def learn_from_cache(path: str) -> Perceptron:
    shutil.rmtree(f"{path}.cache", ignore_errors=True)
    cache = cached(path)
    return Perceptron(max_iter=PASSES, shuffle=False).fit(cache.X, cache.y)


def peak_memory(work: str, path: str) -> int:
    """Bytes that a work takes at its worst moment, in a process of its own."""
    program = f"""
import files, measure
files.write({path!r} + ".few", *files.workloads.sparse_binary(200), str, "{{:+d}} ")
files.{work}({path!r} + ".few")  # whatever is imported or set up only once
print(measure.peak_memory(lambda: files.{work}({path!r})))
"""
    folder = Path(__file__).parent
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, check=True, capture_output=True, text=True
    )
    return int(told.stdout)


def data_file(scale: str, form: str) -> str:
    """A file of the sparse workload, written once."""
    path = workloads.FOLDER / scale / f"sparse_binary.{form}"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        X, y = workloads.sparse_binary(ROWS[scale])
        unfinished = f"{path}.unfinished"
        write(unfinished, X, y, STYLES["values of 6 digits"], HEADS[form])
        os.rename(unfinished, path)
    return str(path)


HEADS = {"svm": "{:+d} ", "vw": "{:d} | "}


def write(path: str, X: Any, y: Any, style: Callable[[float], str], head: str) -> None:
    """Write lines of index:value behind the label."""
    with open(path, "w", encoding="ascii") as file:
        for row, label in enumerate(y.tolist()):
            part = slice(X.indptr[row], X.indptr[row + 1])
            indices, values = X.indices[part] + 1, X.data[part]
            pairs = zip(indices.tolist(), map(style, values.tolist()), strict=True)
            file.write(head.format(label) + " ".join(f"{i}:{value}" for i, value in pairs) + "\n")
