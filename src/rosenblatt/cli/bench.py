"""``rosenblatt bench``: how fast the family learns here, beside scikit-learn."""

import time
from typing import Any, NamedTuple

import click
import numpy as np

import rosenblatt
from rosenblatt.cli.failures import reading_data
from rosenblatt.cli.options import opened, reading, seed, speaking
from rosenblatt.cli.output import Output, columns

PASSES = 5


class Timing(NamedTuple):
    """What was measured of one learner."""

    learner: str
    seconds: float
    accuracy: float


@click.command("bench")
@click.argument("file", required=False, type=click.Path())
@click.option("--repeat", type=click.IntRange(1), default=3, help="Best of.")
@seed
@reading
@speaking
def command(file: str | None, repeat: int, seed: int, reading: dict[str, Any], out: Output) -> None:
    """Time five passes of each learner over FILE, or over made-up text, beside scikit-learn.

    A quarter of the examples is held out to tell how well they predict.
    """
    X, y = given(file, reading, out) if file else made_up(seed)
    order = np.random.default_rng(seed).permutation(X.shape[0])
    cut = X.shape[0] // 4
    inside, outside = np.sort(order[cut:]), np.sort(order[:cut])
    X_in, y_in, X_out, y_out = X[inside], y[inside], X[outside], y[outside]
    out.say("data", f"{X_in.shape[0]:,} rows, {X_in.nnz:,} values; {len(outside):,} rows held out")
    rows: list[Timing] = []
    for name, model in learners(seed).items():
        with reading_data(), out.bar(name):
            seconds = best_of(model, X_in, y_in, repeat)
            accuracy = float(np.mean(model.predict(X_out) == y_out))
            rows.append(Timing(name, seconds, accuracy))
    theirs = rows[-1].seconds
    lines = [
        (
            row.learner,
            f"{row.seconds:.3f}",
            f"{1e9 * row.seconds / (PASSES * X_in.nnz):.2f}",
            f"{theirs / row.seconds:.1f} ×",
            f"{100 * row.accuracy:.2f} %",
        )
        for row in rows
    ]
    for line in columns(("learner", "seconds", "ns a value", "speed", "held-out accuracy"), lines):
        out.tell(line)
    out.give([row._asdict() for row in rows])


def learners(seed: int) -> dict[str, Any]:
    """The family, and last the one it is held against."""
    from sklearn.linear_model import Perceptron as Peer

    names = ("Perceptron", "AveragedPerceptron", "PassiveAggressiveClassifier", "AROW")
    shared = {"max_iter": PASSES, "random_state": seed}
    ours = {name: getattr(rosenblatt, name)(**shared) for name in names}
    return ours | {"scikit-learn Perceptron": Peer(tol=None, **shared)}


def best_of(model: Any, X: Any, y: Any, repeat: int) -> float:
    """The shortest time of several fits."""
    times = []
    for _ in range(repeat):
        begun = time.perf_counter()
        model.fit(X, y)
        times.append(time.perf_counter() - begun)
    return min(times)


def given(file: str, reading: dict[str, Any], out: Output) -> tuple[Any, Any]:
    """Features and labels of a file."""
    from rosenblatt.cli.train_data import features_of, read_several

    data = opened(file, **reading)
    whole = read_several(data, out)
    return features_of(whole, data.vectorizer(), out), whole.known_labels()


def made_up(seed: int) -> tuple[Any, Any]:
    """Rows like those of short documents: few of many columns, the first the most frequent."""
    from scipy import sparse

    rng = np.random.default_rng(seed)
    rows, width, length = 50_000, 40_000, 40
    columns = (width ** rng.random((rows, length))).astype(np.int32) - 1
    columns.sort(axis=1)
    X = sparse.csr_matrix(
        (np.ones(rows * length), columns.ravel(), np.arange(0, rows * length + 1, length)),
        shape=(rows, width),
    )
    X.sum_duplicates()
    y = np.asarray(X @ rng.standard_normal(width) + rng.standard_normal(rows) > 0)
    return X, np.where(y, "yes", "no")
