"""Training: whole calls of fit, five passes, against the same learner of scikit-learn."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from bench import PASSES, Bench, arrays_of
from learners import OURS, SKLEARN, Mlpack, has_mlpack
from measure import read
from read_rows import reader
from table import Row
from workloads import Workload, first_rows

SEEDS = range(3)
"""Orders over which held-out accuracy is averaged."""


def sparse_binary(bench: Bench) -> Iterator[Row | str]:
    """Two classes, in a full random order and in shuffled blocks."""
    data = bench.load("sparse_binary")
    yield f"Two classes, sparse, {data}"
    targets = {"plain": (2.5, 4.5), "averaged": (4.0, 6.5), "PA-I": (3.5, 5.5)}
    for name, (full_target, blocks_target) in targets.items():
        makers = {
            "theirs": SKLEARN[name],
            "full": OURS[name],
            "blocks": lambda name=name: OURS[name](shuffle="blocks"),
        }
        fits = bench.fits(makers, data.X, data.y)
        yield fits.row(
            f"{name}, shuffle=True", "scikit-learn", "theirs", "full", at_least=full_target
        )
        yield fits.row(
            f'{name}, shuffle="blocks"', "scikit-learn", "theirs", "blocks", at_least=blocks_target
        )


def stored_order(bench: Bench) -> Iterator[Row | str]:
    """Rows as they stand, against merely reading the arrays once per pass."""
    data = bench.load("sparse_binary")
    yield "Two classes, sparse, rows in stored order"
    makers = {
        "theirs": lambda: SKLEARN["plain"](shuffle=False),
        "plain": lambda: OURS["plain"](shuffle=False),
        "averaged": lambda: OURS["averaged"](shuffle=False),
    }
    arrays = arrays_of(data.X)
    fits = bench.fits(makers, data.X, data.y, others={"read": lambda: read(arrays)})
    yield fits.row(
        "averaged, shuffle=False", "reading once", "read", "averaged", kind=Row.at_most, times=2.5
    )
    yield fits.row("plain, shuffle=False", "scikit-learn", "theirs", "plain")


def shuffled_order(bench: Bench) -> Iterator[Row | str]:
    """Rows in a full random order, against merely reading them in one."""
    data = bench.load("sparse_binary")
    yield "Two classes, sparse, rows in random order"
    makers = {name: OURS[name] for name in ("plain", "averaged")}
    fits = bench.fits(makers, data.X, data.y, others={"read": reader(data.X, passes=1)})
    for name in makers:
        yield fits.row(f"{name}, shuffle=True", "reading so", "read", name, kind=Row.longer)


def blocks_accuracy(bench: Bench) -> Iterator[Row | str]:
    """Whether shuffled blocks learn as well as a full shuffle, even from rows sorted by label."""
    data = bench.load("sparse_binary")
    yield f'Held-out accuracy of the average with shuffle="blocks", mean of {len(SEEDS)} orders'
    by_label = np.argsort(data.y, kind="stable")
    for label, rows in (("rows as given", None), ("rows sorted by label", by_label)):
        X, y = (data.X, data.y) if rows is None else (data.X[rows], data.y[rows])
        full, blocks = (accuracy(data, X, y, shuffle=shuffle) for shuffle in (True, "blocks"))
        yield Row.apart(label, "shuffle=True", theirs=full, ours=blocks, unit="%", low=-0.1)


def accuracy(data: Workload, X: Any, y: Any, *, shuffle: Any) -> float:
    """Per cent of the held-out rows that averaged perceptrons get right."""
    models = (OURS["averaged"](shuffle=shuffle).set_params(random_state=seed) for seed in SEEDS)
    return float(100 * np.mean([m.fit(X, y).score(data.X_test, data.y_test) for m in models]))


def averaging(bench: Bench) -> Iterator[Row | str]:
    """What averaging costs; the orders, and so the mistakes, are the same."""
    yield "Averaging"
    for name, label in (("sparse_binary", "sparse"), ("dense_binary", "dense")):
        data = bench.load(name)
        for shuffle in (True, "blocks", False):
            makers = {
                learner: lambda learner=learner, shuffle=shuffle: OURS[learner](shuffle=shuffle)
                for learner in ("plain", "averaged")
            }
            fits = bench.fits(makers, data.X, data.y)
            order = f'"{shuffle}"' if isinstance(shuffle, str) else shuffle
            work = f"two classes, {label}, shuffle={order}"
            yield fits.row(work, "plain", "plain", "averaged", kind=Row.at_most, times=1.06)


def sparse_classes(bench: Bench) -> Iterator[Row | str]:
    """Many classes; scikit-learn learns each against the rest."""
    targets = {
        "sparse_20": {"plain": 5.5, "averaged": 8.0, "PA-I": 5.0},
        "sparse_100": {"averaged": 11.0, "PA-I": 7.0},
    }
    for workload, learners in targets.items():
        data = bench.load(workload)
        yield f"{workload.removeprefix('sparse_')} classes, sparse, {data}"
        for name, target in learners.items():
            makers = {"theirs": SKLEARN[name], "ours": OURS[name]}
            fits = bench.fits(makers, data.X, data.y)
            yield fits.row(name, "scikit-learn", "theirs", "ours", at_least=target)


def dense(bench: Bench) -> Iterator[Row | str]:
    """Dense rows, where mlpack's perceptron, which does not average, is a peer as well."""
    data = bench.load("dense_binary")
    yield f"Two classes, dense, {data}"
    for name, target in (("plain", 5.0), ("averaged", 7.0)):
        makers = {"theirs": SKLEARN[name], "ours": OURS[name]}
        if name == "plain" and has_mlpack():
            makers["mlpack"] = Mlpack
        fits = bench.fits(makers, data.X, data.y)
        yield fits.row(name, "scikit-learn", "theirs", "ours", at_least=target)
        if "mlpack" in makers:
            yield fits.row(name, "mlpack", "mlpack", "ours")
    data = bench.load("dense_10")
    yield f"10 classes, dense, {data}"
    makers = {"theirs": SKLEARN["averaged"], "ours": OURS["averaged"]}
    if has_mlpack():
        makers["mlpack"] = Mlpack
    fits = bench.fits(makers, data.X, data.y)
    yield fits.row("averaged", "scikit-learn", "theirs", "ours", at_least=10.0)
    if "mlpack" in makers:
        yield fits.row("averaged", "mlpack, plain", "mlpack", "ours", at_least=3.0)


def growth(bench: Bench) -> Iterator[Row | str]:
    """Twice the rows, or twice the values in each row, should take twice the time."""
    yield "Growth, two classes, sparse, averaged: seconds for twice the values"
    long = bench.load("long_rows")
    short = bench.load("sparse_binary")
    half = short.X.shape[0] // 2
    whole = short.X, short.y
    halved = first_rows(short.X, half), short.y[:half]
    quarter = first_rows(short.X, long.X.shape[0]), short.y[: long.X.shape[0]]
    full, blocks = (partial(fit_averaged, shuffle=shuffle) for shuffle in (True, "blocks"))
    promised = partial(Row.at_most, times=2.2)
    for label, kind, work, smaller, larger in (
        ("twice the rows", promised, full, halved, whole),
        ('twice the rows, shuffle="blocks"', promised, blocks, halved, whole),
        ("twice the values a row", promised, full, quarter, (long.X, long.y)),
        ("twice the rows, merely read shuffled", Row.longer, read_shuffled, halved, whole),
    ):
        times = bench.times({"once": work(smaller), "twice": work(larger)})
        # The larger one has not exactly twice the values.
        exactly_twice = 2 * smaller[0].nnz / larger[0].nnz
        yield kind(
            label,
            "half of it",
            theirs=times["once"].best,
            ours=times["twice"].best * exactly_twice,
            unit="s",
            noise=max(each.noise for each in times.values()),
        )


def fit_averaged(data: tuple[Any, Any], shuffle: Any) -> Callable[[], Any]:
    return lambda: OURS["averaged"](shuffle=shuffle).fit(*data)


def read_shuffled(data: tuple[Any, Any]) -> Callable[[], None]:
    return reader(data[0], PASSES)


def float32(bench: Bench) -> Iterator[Row | str]:
    """The same in float32, where scikit-learn keeps its weights in float32 and ours do not."""
    yield "float32"
    for workload, name in (
        ("sparse_binary", "plain"),
        ("sparse_binary", "averaged"),
        ("sparse_20", "averaged"),
        ("sparse_100", "averaged"),
        ("dense_binary", "averaged"),
        ("dense_10", "averaged"),
    ):
        data = bench.load(workload)
        makers = {"theirs": SKLEARN[name], "ours": OURS[name]}
        fits = bench.fits(makers, data.X.astype(np.float32), data.y)
        work = f"{workload.replace('_', ', ')}, {name}"
        yield fits.row(work, "scikit-learn", "theirs", "ours")
