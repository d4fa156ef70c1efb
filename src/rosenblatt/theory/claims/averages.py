"""Claims about averaging."""

import time
from collections.abc import Iterator

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from rosenblatt.models.perceptron import AveragedPerceptron, Perceptron
from rosenblatt.theory.claims.intervals import mean, median, share
from rosenblatt.theory.claims.record import Outcome, claim
from rosenblatt.theory.claims.sets import Array, either_side, reviews
from rosenblatt.theory.claims.textbook import weights_after_each


def _gains(runs: int) -> Iterator[tuple[str, float]]:
    """Points of held-out accuracy that averaging adds after ten passes, for each run."""
    digits = load_digits(return_X_y=True)
    X, y = load_breast_cancer(return_X_y=True)
    cancer = StandardScaler().fit_transform(X), y
    for seed in range(runs):
        sets = {"digits": digits, "breast cancer": cancer, "reviews": reviews(seed, count=2000)}
        for name, (X, y) in sets.items():
            parts = train_test_split(X, y, test_size=0.5, random_state=seed)
            scores = [
                kind(random_state=seed).fit(parts[0], parts[2]).score(parts[1], parts[3])
                for kind in (AveragedPerceptron, Perceptron)
            ]
            yield name, 100 * (scores[0] - scores[1])


@claim(
    "J9-gain",
    "Johansson",
    "The averaged perceptron reaches 0.829 where the plain one reaches 0.809",
    "+2.0 points of accuracy",
    runs=40,
    quick=5,
)
def gain(runs: int) -> Outcome:
    """J9: held-out accuracy of the averaged weights minus that of the last ones."""
    by_set: dict[str, list[float]] = {}
    for name, points in _gains(runs):
        by_set.setdefault(name, []).append(points)
    gained = mean(np.mean(list(by_set.values()), axis=0))
    each = ", ".join(f"{np.mean(points):+.1f} on {name}" for name, points in by_set.items())
    return Outcome(
        gained,
        " points",
        "yes" if gained.low > 0 else "no",
        f"{each}. The lecture does not name its data, so the sign is what can be held to.",
    )


@claim(
    "J9-time",
    "Johansson",
    "Averaging takes 3.6 s where plain learning takes 3.4 s",
    "1.06 times the time",
    runs=25,
    quick=5,
)
def cost(runs: int) -> Outcome:
    """J9: processor time of averaged over plain training, in turns."""
    X, y = reviews(0, count=20_000, words=20_000, length=60)
    ratios = []
    for seed in range(runs):
        seconds = []
        for kind in (AveragedPerceptron, Perceptron):
            clock = time.process_time()
            kind(random_state=seed).fit(X, y)
            seconds.append(time.process_time() - clock)
        ratios.append(seconds[0] / seconds[1])
    ratio = median(ratios)
    return Outcome(
        ratio,
        " times the time",
        "yes" if ratio.low <= 1.06 else "no",
        "Ten passes over 20,000 rows of up to 60 words, in turns; the median of the ratios.",
    )


@claim(
    "C26-better",
    "Daumé, 4.6",
    "The averaged perceptron almost always generalises better than the plain one",
    "almost always",
    runs=40,
    quick=5,
)
def better(runs: int) -> Outcome:
    """C26: how often the averaged weights do better on held-out rows."""
    gains = np.array([points for _, points in _gains(runs)])
    often = share(int((gains > 0).sum()), len(gains))
    return Outcome(
        often,
        " % of the runs",
        "yes" if often.value >= 90 else "partly" if often.low > 50 else "no",
        f"Ten passes on digits, breast cancer and made-up reviews, halved at random; worse in "
        f"{int((gains < 0).sum())} of {len(gains)} runs.",
    )


@claim(
    "C26-overfit",
    "Daumé, 4.6",
    "The averaged perceptron, too, overfits in the end and needs early stopping",
    "error rises after the best pass",
    runs=30,
    quick=4,
)
def overfits(runs: int) -> Outcome:
    """C26: error after many passes minus that of a pass chosen on other rows."""
    rises = []
    for seed in range(runs):
        X, y = reviews(seed, count=3000, words=2000, wrong=0.25)
        model = AveragedPerceptron(max_iter=1, warm_start=True, random_state=seed)
        chosen, tested = [], []
        for _ in range(50):
            model.fit(X[:1000], y[:1000])
            chosen.append(model.score(X[1000:2000], y[1000:2000]))
            tested.append(model.score(X[2000:], y[2000:]))
        rises.append(100 * (tested[int(np.argmax(chosen))] - tested[-1]))
    rise = mean(rises)
    return Outcome(
        rise,
        " points more error",
        "yes" if rise.low > 0 else "no",
        "Reviews with one label in four wrong, after 50 passes against the pass that was best on "
        "a thousand other rows; measured on a third thousand.",
    )


@claim(
    "C25",
    "Daumé, algorithm 7; Kuhlmann",
    "w - u/c is the average of the weights after each example",
    "mean of w_1 to w_T",
    runs=50,
    quick=5,
)
def divisor(runs: int) -> Outcome:
    """C25, K9, J5, A6: which weights are averaged, and by what number they are divided."""
    with_start, without = [], []
    for seed in range(runs):
        X, y = either_side(seed, count=60, width=5)
        model = AveragedPerceptron(shuffle=False, max_iter=1).fit(X, y)
        found = np.append(model.coef_[0], model.intercept_)
        path = weights_after_each(X, y)
        with_start.append(_gap(found, path.sum(axis=0) / (len(path) + 1)))
        without.append(_gap(found, path.mean(axis=0)))
    off = mean(without)
    return Outcome(
        off,
        " relative gap",
        "yes" if off.high < 1e-12 else "partly",
        f"It is the mean of w_0 to w_T, the zeros of the start included (largest relative gap "
        f"{max(with_start):.0e}): T/(T+1) times the mean over T, here T = {len(path)}. "
        "Predictions are the same, scores a little smaller.",
    )


def _gap(found: Array, expected: Array) -> float:
    return float(np.linalg.norm(found - expected) / np.linalg.norm(expected))
