"""Training: whole calls of fit, five passes, against the same learner of scikit-learn."""

from collections.abc import Callable, Iterator
from functools import partial
from operator import mul
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
        full, blocks = f"{name}, shuffle=True", f'{name}, shuffle="blocks"'
        ours = {full: OURS[name], blocks: partial(OURS[name], shuffle="blocks")}
        fits = bench.fits(ours, {"scikit-learn": SKLEARN[name]}, data.X, data.y)
        yield fits.row(full, "scikit-learn", at_least=full_target)
        yield fits.row(blocks, "scikit-learn", at_least=blocks_target)


def stored_order(bench: Bench) -> Iterator[Row | str]:
    """Rows as they stand, against merely reading the arrays once per pass."""
    data = bench.load("sparse_binary")
    yield "Two classes, sparse, rows in stored order"
    averaged, plain = "averaged, shuffle=False", "plain, shuffle=False"
    ours = {
        averaged: partial(OURS["averaged"], shuffle=False),
        plain: partial(OURS["plain"], shuffle=False),
    }
    theirs = {"scikit-learn": partial(SKLEARN["plain"], shuffle=False)}
    reading = {"reading once": partial(read, arrays_of(data.X))}
    fits = bench.fits(ours, theirs, data.X, data.y, others=reading)
    yield fits.row(averaged, "reading once", kind=Row.at_most, times=2.5)
    yield fits.row(plain, "scikit-learn")


def shuffled_order(bench: Bench) -> Iterator[Row | str]:
    """Rows in a full random order, against merely reading them in one."""
    data = bench.load("sparse_binary")
    yield "Two classes, sparse, rows in random order"
    ours = {f"{name}, shuffle=True": OURS[name] for name in ("plain", "averaged")}
    reading = {"reading so": reader(data.X, passes=1)}
    fits = bench.fits(ours, {}, data.X, data.y, others=reading)
    for work in ours:
        yield fits.row(work, "reading so", kind=Row.longer)


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
            order = f'"{shuffle}"' if isinstance(shuffle, str) else shuffle
            work = f"two classes, {label}, shuffle={order}"
            averaged, plain = (
                partial(OURS[name], shuffle=shuffle) for name in ("averaged", "plain")
            )
            fits = bench.fits({work: averaged}, {"plain": plain}, data.X, data.y)
            yield fits.row(work, "plain", kind=Row.at_most, times=1.06)


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
            fits = bench.fits({name: OURS[name]}, {"scikit-learn": SKLEARN[name]}, data.X, data.y)
            yield fits.row(name, "scikit-learn", at_least=target)


def dense(bench: Bench) -> Iterator[Row | str]:
    """Dense rows, where mlpack's perceptron, which does not average, is a peer as well."""
    data = bench.load("dense_binary")
    yield f"Two classes, dense, {data}"
    mlpack = {"mlpack, plain": Mlpack} if has_mlpack() else {}
    for name, target in (("plain", 5.0), ("averaged", 7.0)):
        peers = mlpack if name == "plain" else {}
        theirs = {"scikit-learn": SKLEARN[name]} | peers
        fits = bench.fits({name: OURS[name]}, theirs, data.X, data.y)
        yield fits.row(name, "scikit-learn", at_least=target)
        for peer in peers:
            yield fits.row(name, peer)
    data = bench.load("dense_10")
    yield f"10 classes, dense, {data}"
    theirs = {"scikit-learn": SKLEARN["averaged"]} | mlpack
    fits = bench.fits({"averaged": OURS["averaged"]}, theirs, data.X, data.y)
    yield fits.row("averaged", "scikit-learn", at_least=10.0)
    for peer in mlpack:
        yield fits.row("averaged", peer, at_least=3.0)


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
        times = bench.times({label: work(larger)}, {"half of it": work(smaller)})
        # The larger one has not exactly twice the values.
        exactly_twice = 2 * smaller[0].nnz / larger[0].nnz
        yield times.row(
            label, "half of it", partial(mul, exactly_twice), float, kind=kind, unit="s"
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
        work = f"{workload.replace('_', ', ')}, {name}"
        X = data.X.astype(np.float32)
        fits = bench.fits({work: OURS[name]}, {"scikit-learn": SKLEARN[name]}, X, data.y)
        yield fits.row(work, "scikit-learn")
