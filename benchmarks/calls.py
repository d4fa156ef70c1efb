"""Everything but long fits: predicting, calls with one row, small data, memory, import."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from bench import Bench, Measured
from learners import OURS, SKLEARN, Make
from sklearn.datasets import load_iris
from table import Row
from workloads import Workload

CALLS, THEIR_CALLS = 200, 10
"""Timed together."""


def predict(bench: Bench) -> Iterator[Row | str]:
    """Rows predicted in a second, all in one call."""
    yield "predict, million rows a second"
    for workload, label, target in (
        ("sparse_binary", "two classes, sparse", 1.5),
        ("sparse_20", "20 classes, sparse", 2.5),
        ("sparse_100", "100 classes, sparse", 4.0),
    ):
        data = bench.load(workload)
        for name in ("plain", "averaged"):
            work = f"{label}, {name}"
            ours, theirs = (_predicting(makers[name], data) for makers in (OURS, SKLEARN))
            times = bench.times({work: ours}, {"scikit-learn": theirs})
            million = data.X_test.shape[0] / 1e6
            yield times.row(
                work,
                "scikit-learn",
                lambda seconds, million=million: million / seconds,
                kind=Row.more,
                unit="M/s",
                at_least=target,
            )


def _predicting(make: Make, data: Workload) -> Callable[[], Any]:
    """Predicts with a model that learns from some rows when first asked."""
    model = cache(lambda: make().fit(data.X[:20_000], data.y[:20_000]))
    return lambda: model().predict(data.X_test)


def one_row(bench: Bench) -> Iterator[Row | str]:
    """Loops of calls with one row each, as a stream would make them."""
    yield "One row a call"
    for workload, label, targets in (
        ("dense_binary", "dense", {"partial_fit": 30.0, "predict": 5.0}),
        ("sparse_binary", "sparse", {"partial_fit": 30.0, "predict": 5.0}),
        ("sparse_100", "100 classes, sparse", {"partial_fit": None, "predict": 500.0}),
    ):
        data = bench.load(workload)
        some = slice(0, 2_000)
        rows = [(data.X_test[i : i + 1], data.y_test[i : i + 1]) for i in range(500)]
        ours, theirs = (
            makers["plain"]().fit(data.X[some], data.y[some]) for makers in (OURS, SKLEARN)
        )
        for method, target in targets.items():
            work = f"{method}, {label}"
            times = bench.times(
                {work: partial(_loop, ours, method, rows, CALLS)},
                {"scikit-learn": partial(_loop, theirs, method, rows, THEIR_CALLS)},
            )
            yield _each_call(times, work, target)


def _loop(model: Any, method: str, rows: list[Any], count: int) -> None:
    call = getattr(model, method)
    if method == "predict":
        for X, _ in islice(cycle(rows), count):
            call(X)
    else:
        for X, y in islice(cycle(rows), count):
            call(X, y)


def small_fit(bench: Bench) -> Iterator[Row | str]:
    """Data so small that only the call of fit itself counts."""
    yield "Small data"
    X, y = load_iris(return_X_y=True)
    work = "fit on iris, 150 × 4, 3 classes"
    times = bench.times(
        {work: lambda: [OURS["plain"]().fit(X, y) for _ in range(CALLS)]},
        {"scikit-learn": lambda: [SKLEARN["plain"]().fit(X, y) for _ in range(THEIR_CALLS)]},
    )
    yield _each_call(times, work, 5.0)


def _each_call(times: Measured, work: str, target: float | None) -> Row:
    return times.row(
        work,
        "scikit-learn",
        lambda seconds: 1e6 * seconds / CALLS,
        lambda seconds: 1e6 * seconds / THEIR_CALLS,
        unit="µs",
        at_least=target,
    )


def memory(bench: Bench) -> Iterator[Row | str]:
    """Memory that fit takes beyond the loaded data, each side in a process of its own."""
    yield "Memory beyond the data during fit"
    program = str(Path(__file__).with_name("memory.py"))
    for name in ("plain", "averaged"):
        work = f"two classes, sparse, {name}"
        ours, theirs = (
            lambda side=side, name=name: int(_output([program, side, name, bench.scale]))
            for side in ("ours", "theirs")
        )
        told = bench.times({work: ours}, {"scikit-learn": theirs}, told="B", repeat=1)
        yield told.row(
            work,
            "scikit-learn",
            lambda size: size / 1e6,
            kind=Row.no_more,
            unit="MB",
            most=6.0,
        )


IMPORTS = """
import time
start = time.process_time()
import sklearn.linear_model
theirs = time.process_time()
from rosenblatt import AveragedPerceptron, PassiveAggressiveClassifier, Perceptron
print(theirs - start, time.process_time() - theirs)
"""


def import_time(bench: Bench) -> Iterator[Row | str]:
    """What importing our learners adds to importing scikit-learn's, in fresh interpreters."""
    yield "import"
    work = "the three learners"
    theirs, ours = (lambda k=k: float(_output(["-c", IMPORTS]).split()[k]) for k in range(2))
    told = bench.times({work: ours}, {"linear_model": theirs}, told="s")
    yield told.row(
        work, "linear_model", lambda seconds: 1e3 * seconds, kind=Row.no_more, unit="ms", most=50.0
    )


def _output(arguments: list[str]) -> str:
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
