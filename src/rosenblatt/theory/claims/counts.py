"""Claims about how many mistakes there can be, and about the proof."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.explain.replay import retrace
from rosenblatt.models.perceptron import Perceptron
from rosenblatt.models.winnow import Winnow, winnow_bound
from rosenblatt.theory.bounds import mistake_bound
from rosenblatt.theory.claims.intervals import mean, share
from rosenblatt.theory.claims.record import Outcome, claim
from rosenblatt.theory.claims.sets import either_side, sectors
from rosenblatt.theory.margins import data_margin, radius

PATIENCE = 1_000_000
"""Passes that no run below comes near to."""


def _two_sided(runs: int) -> Iterator[tuple[NDArray[np.float64], Any]]:
    """Separable sets of many shapes, some of them far from the origin."""
    for seed in range(runs):
        rng = np.random.default_rng([7, seed])
        yield either_side(
            seed,
            count=int(rng.integers(2, 80)),
            width=int(rng.integers(1, 8)),
            gap=float(rng.uniform(0.02, 1)),
            offset=float(rng.normal()),
        )


def _against(bounds: list[float], made: list[int], what: str) -> Outcome:
    """How often a bound was exceeded, and how near to it the worst run came."""
    used = 100 * np.array(made) / np.array(bounds)
    exceeded = _exceeded(bounds, made)
    return Outcome(
        share(exceeded, len(used)),
        " % of the sets exceed it",
        "no" if exceeded else "yes",
        f"{what}; at most {used.max():.0f} % of the bound was used, {used.mean():.0f} % on "
        "average.",
    )


def _exceeded(bounds: list[float], made: list[int]) -> int:
    return int((np.array(made) > np.array(bounds) * (1 + 1e-6)).sum())  # margins err by as much


@claim(
    "B4",
    "Mistake-bound notes, theorem 1",
    "At length one there are at most 1/γ² mistakes",
    "never more than 1/γ²",
    runs=1000,
    quick=60,
)
def at_length_one(runs: int) -> Outcome:
    """B4: examples scaled to length one, the constant feature among them."""
    bounds, made = [], []
    for X, y in _two_sided(runs):
        Z = np.column_stack([X, np.ones(len(X))])
        Z /= np.linalg.norm(Z, axis=1, keepdims=True)
        model = Perceptron(unit_length=True, ties="predict", max_iter=PATIENCE, random_state=0)
        made.append(model.fit(X, y).n_mistakes_)
        bounds.append(1 / data_margin(Z, y, fit_intercept=False).margin ** 2)
    return _against(bounds, made, f"{runs:,} random sets, each until it converged")


@claim(
    "C20",
    "Daumé, theorem 2 (Rosenblatt, Novikoff)",
    "Without a bias there are at most R²/γ² updates",
    "never more than R²/γ²",
    runs=1000,
    quick=60,
)
def without_bias(runs: int) -> Outcome:
    """C20: boundaries through the origin."""
    bounds, made = [], []
    for seed, (shape, _) in enumerate(_two_sided(runs)):
        X, y = either_side(seed, count=len(shape), width=shape.shape[1] + 1, gap=0.1)
        model = Perceptron(fit_intercept=False, max_iter=PATIENCE, random_state=0).fit(X, y)
        made.append(model.n_updates_)
        bounds.append(mistake_bound(X, y, fit_intercept=False))
    return _against(bounds, made, f"{runs:,} random sets, each until it converged")


@claim(
    "C20-bias",
    "Daumé, theorem 2, of algorithm 5",
    "With a bias, too, there are at most R²/γ² updates",
    "never more than R²/γ²",
    runs=1000,
    quick=60,
)
def with_bias(runs: int) -> Outcome:
    """A5 no. 9: the bias is a feature too, and must be counted."""
    printed, mended, made = [], [], []
    for X, y in _two_sided(runs):
        made.append(Perceptron(max_iter=PATIENCE, random_state=0).fit(X, y).n_updates_)
        printed.append((radius(X) / data_margin(X, y).margin) ** 2)
        mended.append(mistake_bound(X, y))
    exceeded = _exceeded(printed, made)
    pair = Perceptron(shuffle=False).fit([[1.0], [-1.0]], [1, -1]).n_updates_
    return Outcome(
        share(exceeded, runs),
        " % of the sets exceed it",
        "no" if exceeded else "yes",
        f"On +1 (positive) and -1 (negative) R²/γ² is 1, and there are {pair} updates. Counted as "
        "a feature, k ≤ (R² + 1)(1 + b²)/γ², which "
        f"{_exceeded(mended, made)} of {runs:,} sets exceed.",
    )


@claim(
    "K4",
    "not in the documents; of Kuhlmann's algorithm",
    "Of several classes there are at most 2(R² + 1)/γ² updates, all weights stacked in one vector",
    "never more than 2(R² + 1)/γ²",
    runs=1000,
    quick=60,
)
def several_classes(runs: int) -> Outcome:
    """K4: the race of several classes."""
    bounds, made = [], []
    for seed in range(runs):
        rng = np.random.default_rng([8, seed])
        classes, width = int(rng.integers(3, 6)), int(rng.integers(2, 6))
        X, y = sectors(seed, count=int(rng.integers(6, 30)), width=width, classes=classes)
        made.append(Perceptron(max_iter=PATIENCE, random_state=0).fit(X, y).n_updates_)
        bounds.append(mistake_bound(X, y))
    return _against(bounds, made, f"{runs:,} random sets of three to five classes")


@claim(
    "B9",
    "Mistake-bound notes, theorem 5 (Littlestone)",
    "Winnow makes at most 2 + 3r(1 + lg n) mistakes on a disjunction of r of n variables",
    "never more than 2 + 3r(1 + lg n)",
    runs=1000,
    quick=60,
)
def winnow(runs: int) -> Outcome:
    """B9: disjunctions of random variables, met in random order."""
    bounds, made = [], []
    for seed in range(runs):
        rng = np.random.default_rng([9, seed])
        n, r = int(2 ** rng.integers(4, 10)), int(rng.integers(1, 6))
        X = (rng.random((300, n)) < rng.choice([0.5, 1 / r, 0.05])).astype(float)
        y = X[:, rng.choice(n, r, replace=False)].any(axis=1)
        model = Winnow().partial_fit(X, y, classes=[False, True])
        made.append(model.n_mistakes_)
        bounds.append(winnow_bound(n, r))
    return _against(bounds, made, f"{runs:,} disjunctions of 1 to 5 of 16 to 512 variables")


@claim(
    "C20-angle",
    "Daumé, proof of theorem 2",
    "The angle between the weights and w* decreases at each update",
    "grows at 0 % of updates",
    runs=60,
    quick=6,
)
def angle(runs: int) -> Outcome:
    """A5 no. 10: only cos ≥ γ √k / R is proved."""
    grew, worst, broken = [], (0.0, 0.0), 0
    for seed in range(runs):
        X, y = either_side(seed, count=200, width=5, gap=0.05)
        best = data_margin(X, y, augmented=True)
        teacher = np.append(best.w, best.b) / math.hypot(np.linalg.norm(best.w), best.b)
        model = Perceptron(max_iter=100_000, record=True, random_state=seed).fit(X, y)
        path = np.array([update.after[0] for update in retrace(model, X, y)])
        cosines = path @ teacher / np.linalg.norm(path, axis=1)
        angles = np.degrees(np.arccos(np.clip(cosines, -1, 1)))
        jumps = np.diff(angles)
        grew.append(100 * float((jumps > 0).mean()))
        k = int(jumps.argmax())
        worst = max(
            worst, (float(angles[k]), float(angles[k + 1])), key=lambda pair: pair[1] - pair[0]
        )
        proved = best.margin * np.sqrt(np.arange(1, len(path) + 1)) / math.hypot(radius(X), 1)
        broken += int((cosines < proved - 1e-9).sum())
    share_grown = mean(grew)
    return Outcome(
        share_grown,
        " % of updates",
        "no" if share_grown.low > 0 else "yes",
        f"The worst turned away from {worst[0]:.0f}° to {worst[1]:.0f}°. What is proved, "
        f"cos ≥ γ√k/R, failed at {broken} updates.",
    )
