"""Everything but long fits: predicting, calls with one row, small data, memory, import."""

import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from bench import Bench
from learners import OURS, SKLEARN
from sklearn.datasets import load_iris
from table import Row

CALLS = {"theirs": 10, "ours": 200}
"""Calls timed together."""


def predict(bench: Bench) -> Iterator[Row | str]:
    """Rows predicted in a second, all in one call."""
    yield "predict, million rows a second"
    for workload, label, target in (
        ("sparse_binary", "two classes, sparse", 1.5),
        ("sparse_20", "20 classes, sparse", 2.5),
        ("sparse_100", "100 classes, sparse", 4.0),
    ):
        data = bench.load(workload)
        some = slice(0, 20_000)
        for name in ("plain", "averaged"):
            theirs = SKLEARN[name]().fit(data.X[some], data.y[some])
            ours = OURS[name]().fit(data.X[some], data.y[some])
            times = bench.times(
                {
                    "theirs": lambda model=theirs, X=data.X_test: model.predict(X),
                    "ours": lambda model=ours, X=data.X_test: model.predict(X),
                }
            )
            million = data.X_test.shape[0] / 1e6
            yield Row.more(
                f"{label}, {name}",
                "scikit-learn",
                theirs=million / times["theirs"].best,
                ours=million / times["ours"].best,
                unit="M/s",
                at_least=target,
                noise=max(each.noise for each in times.values()),
            )


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
        models = {
            "theirs": SKLEARN["plain"]().fit(data.X[some], data.y[some]),
            "ours": OURS["plain"]().fit(data.X[some], data.y[some]),
        }
        for method, target in targets.items():
            loops = {
                side: lambda side=side, model=model, method=method, rows=rows: _loop(
                    model, method, rows, CALLS[side]
                )
                for side, model in models.items()
            }
            times = bench.times(loops)
            yield Row.faster(
                f"{method}, {label}",
                "scikit-learn",
                theirs=1e6 * times["theirs"].best / CALLS["theirs"],
                ours=1e6 * times["ours"].best / CALLS["ours"],
                unit="µs",
                at_least=target,
                noise=max(each.noise for each in times.values()),
            )


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
    makers = {"theirs": SKLEARN["plain"], "ours": OURS["plain"]}
    times = bench.times(
        {
            side: lambda side=side, make=make: [make().fit(X, y) for _ in range(CALLS[side])]
            for side, make in makers.items()
        }
    )
    yield Row.faster(
        "fit on iris, 150 × 4, 3 classes",
        "scikit-learn",
        theirs=1e6 * times["theirs"].best / CALLS["theirs"],
        ours=1e6 * times["ours"].best / CALLS["ours"],
        unit="µs",
        at_least=5.0,
        noise=max(each.noise for each in times.values()),
    )


def memory(bench: Bench) -> Iterator[Row | str]:
    """Memory that fit takes beyond the loaded data, each side in a process of its own."""
    yield "Memory beyond the data during fit"
    program = str(Path(__file__).with_name("memory.py"))
    for name in ("plain", "averaged"):
        theirs, ours = (
            int(_output([program, side, name, bench.scale])) / 1e6 for side in ("theirs", "ours")
        )
        yield Row.no_more(
            f"two classes, sparse, {name}",
            "scikit-learn",
            theirs=theirs,
            ours=ours,
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
    runs = [_output(["-c", IMPORTS]).split() for _ in range(bench.repeat)]
    theirs, added = (1e3 * min(map(float, seconds)) for seconds in zip(*runs, strict=True))
    yield Row.apart(
        "the three learners",
        "linear_model",
        theirs=theirs,
        ours=theirs + added,
        unit="ms",
        high=50.0,
    )


def _output(arguments: list[str]) -> str:
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
