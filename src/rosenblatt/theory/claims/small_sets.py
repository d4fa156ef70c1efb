"""Claims about single small sets of examples."""

import operator

import numpy as np
from numpy.typing import NDArray

from rosenblatt.models.perceptron import Perceptron
from rosenblatt.theory.claims.intervals import exactly, share
from rosenblatt.theory.claims.record import Outcome, claim
from rosenblatt.theory.claims.sets import either_side
from rosenblatt.theory.claims.textbook import weights_after_each
from rosenblatt.theory.margins import data_margin, margin
from rosenblatt.theory.separability import separability


@claim(
    "C5",
    "Johansson, slides on averaging",
    "An example is a mistake if its score is < 0; his first slide and all others say ≤ 0",
    "learns with < 0",
    runs=10,
    quick=2,
)
def ties(runs: int) -> Outcome:
    """C5, L7, A5 no. 1: from zero weights every score is zero."""
    X, y = either_side(0, count=100, width=5)
    strict = weights_after_each(X, y, passes=runs, errs=operator.lt)
    right = weights_after_each(X, y, passes=runs)
    return Outcome(
        exactly(_updates(strict)),
        " updates",
        "yes" if _updates(strict) else "no",
        f"With < 0 the weights are zero after {runs} passes over 100 examples, since every score "
        f"starts at zero; with ≤ 0 there are {_updates(right)} updates.",
    )


def _updates(path: NDArray[np.float64]) -> int:
    """How often the weights moved, from zero on."""
    return int((np.diff(path, axis=0, prepend=0) != 0).any(axis=1).sum())


@claim(
    "C17",
    "Daumé, 4.5",
    "With no features, one positive and one negative example move the bias for ever",
    "b = 1, 0, 1, 0, ...",
    runs=1000,
    quick=100,
)
def no_features(runs: int) -> Outcome:
    """C17: the bias alone, back and forth."""
    X, y = np.zeros((2, 1)), [1, -1]
    model = Perceptron(shuffle=False, max_iter=runs).fit(X, y)
    one_by_one, biases = Perceptron(), []
    for _ in range(2):
        for row in range(2):
            one_by_one.partial_fit(X[[row]], [y[row]], classes=[-1, 1])
            biases.append(f"{one_by_one.intercept_[0]:.0f}")
    return Outcome(
        exactly(100 * model.n_updates_ / (2 * runs)),
        " % of visits update",
        "yes" if model.n_updates_ == 2 * runs and biases == ["1", "0", "1", "0"] else "no",
        f"b = {', '.join(biases)}, ... and so on through {runs:,} passes.",
    )


@claim(
    "C21",
    "Daumé, 4.5",
    "On data with margin 0.9 the perceptron may end with a margin of 0.000001",
    "1e-06 from 0.9",
    runs=1000,
    quick=60,
)
def thin_margin(runs: int) -> Outcome:
    """C21: a pair that shows it, and why examples of length one at most cannot."""
    X, y = np.array([[0.9, 1.0], [-0.9, 0.81 - 1.35e-6]]), [1, -1]
    model = Perceptron(fit_intercept=False, shuffle=False).fit(X, y)
    widest = data_margin(X, y, fit_intercept=False).margin
    reached = margin(X, y, model)
    least = min(_reached_within_length_one(seed) for seed in range(runs))
    tiny = widest >= 0.9 - 1e-6 and reached < 2e-6
    return Outcome(
        exactly(reached),
        f" from {widest:.3g}",
        "partly" if tiny and least >= 0.62 else "yes" if tiny else "no",
        "Two examples no longer than 1.35 show it. Within length one and without a bias, as the "
        "theorem before it supposes, it cannot happen: 1/γ² < 2 leaves one update, whose margin is "
        f"2γ² - 1 = 0.62 or more (least of {runs:,} random sets: {least:.2f}).",
    )


def _reached_within_length_one(seed: int) -> float:
    """The margin the perceptron ends with on a random set of margin 0.9 inside the unit ball."""
    rng = np.random.default_rng([21, seed])
    count, width = int(rng.integers(2, 20)), int(rng.integers(1, 6))
    aside = rng.normal(size=(count, width))
    aside *= rng.uniform(0.5, 1, size=(count, 1)) * np.sqrt(0.19 / (aside**2).sum(axis=1))[:, None]
    signs = np.where(np.arange(count) % 2 == 0, 1, -1)
    X = signs[:, np.newaxis] * np.column_stack([np.full(count, 0.9), aside])
    return margin(X, signs, Perceptron(fit_intercept=False, random_state=seed).fit(X, signs))


@claim(
    "C27",
    "Daumé, figure 4.12; Liverpool slides",
    "No line separates XOR, and the perceptron never converges on it",
    "no pass without an update",
    runs=2000,
    quick=500,
)
def xor(runs: int) -> Outcome:
    """C27, C18: the four corners."""
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    model = Perceptron(max_iter=runs, random_state=0).fit(X, y)
    silent = sum(done.updates == 0 for done in model.history_)
    verdict = separability(X, y)
    proved = verdict.separable is False and verdict.check(X, y)
    return Outcome(
        share(silent, len(model.history_)),
        " % of passes are silent",
        "yes" if proved and not silent else "no",
        f"{model.n_updates_:,} updates in {len(model.history_):,} passes. {verdict} "
        f"That is proof, checked without rounding: {'yes' if proved else 'no'}.",
    )
