"""Passive or aggressive: a larger C follows a stream that drifts, a smaller one ignores noise.

Each example is predicted first and learned from then, so every error is one on a new example.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import PassiveAggressiveClassifier

STEPS = np.logspace(-4, 1, 6)
out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)


def stream(turns, wrong):
    """2,000 points and on which side of a turning line they lie, some labels wrong."""
    rng = np.random.default_rng(0)
    angles = np.linspace(0, 2 * np.pi * turns, 2000)
    X = rng.normal(size=(2000, 2))
    y = X[:, 0] * np.cos(angles) + X[:, 1] * np.sin(angles) > 0
    return X, y, y ^ (rng.random(2000) < wrong)


def error(C, turns, wrong):
    """Share of points on the wrong side when they were predicted, whatever their label said."""
    X, y, labels = stream(turns, wrong)
    model = PassiveAggressiveClassifier(C=C).partial_fit(X[:1], labels[:1], classes=[False, True])
    guesses = np.empty(len(y), dtype=bool)
    for row in range(len(y)):
        guesses[row] = model.predict(X[row : row + 1])[0]
        model.partial_fit(X[row : row + 1], labels[row : row + 1])
    return 100 * np.mean(guesses != y)


SCENES = {
    "a line that turns four times": {"turns": 4, "wrong": 0.0},
    "a line at rest, one label in five wrong": {"turns": 0, "wrong": 0.2},
}
figure, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
for (name, scene), style in zip(SCENES.items(), ("o-", "s--"), strict=True):
    errors = [error(C, **scene) for C in STEPS]
    best = int(np.argmin(errors))
    print(f"{name}: lowest error {errors[best]:.1f} % at C = {STEPS[best]:.2g}")
    (line,) = ax.plot(STEPS, errors, style, color="#0072B2" if best > 2 else "#D55E00", label=name)
    ax.plot(STEPS[best], errors[best], "*", color=line.get_color(), mec="black", markersize=16)
ax.set(xscale="log", ylim=(0, None), ylabel="points predicted wrongly (%)")
ax.set(xlabel="C: passive on the left, aggressive on the right", title="The best C is starred")
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False)
figure.savefig(out / "passive_or_aggressive.png", dpi=100)
