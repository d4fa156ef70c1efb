"""Winnow finds needles: three words decide, and ever more words that mean nothing surround them.

Mistakes of Winnow grow with the logarithm of the number of words, those of the perceptron faster.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import Perceptron, Winnow, winnow_bound

WORDS = [30, 100, 300, 1000, 3000]
NEEDLES = 3
out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)


def mistakes(model, n, seed):
    """Mistakes on 2,000 rows of random words, positive if one of the needles is there."""
    rng = np.random.default_rng(seed)
    X = (rng.random((2000, n)) < 0.2).astype(float)
    needles = rng.choice(n, NEEDLES, replace=False)
    y = X[:, needles].any(axis=1)
    model.partial_fit(X, y, classes=[False, True])
    found = set(np.argsort(model.coef_[0])[-NEEDLES:]) == set(needles)
    return model.n_mistakes_, found


curves = {"perceptron": [], "Winnow": []}
print("words   perceptron   Winnow   its bound   needles on top: perceptron, Winnow")
for n in WORDS:
    runs = [[mistakes(model(), n, s) for model in (Perceptron, Winnow)] for s in range(5)]
    made, found = np.array(runs).transpose(2, 1, 0)
    for curve, number in zip(curves.values(), made.mean(axis=1), strict=True):
        curve.append(number)
    line = (n, *made.mean(axis=1), winnow_bound(n, NEEDLES), *found.sum(axis=1))
    print("{:5}{:13.1f}{:9.1f}{:12.1f}{:20} of 5, {} of 5".format(*line))

figure, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
ax.plot(WORDS, curves["perceptron"], "o--", color="#D55E00", label="perceptron")
ax.plot(WORDS, curves["Winnow"], "s-", color="#0072B2", label="Winnow")
bounds = [winnow_bound(n, NEEDLES) for n in WORDS]
ax.plot(WORDS, bounds, ":", color="#0072B2", label="Winnow, never more than")
ax.set(xscale="log", ylim=(0, None), xlabel="words, of which three matter", ylabel="mistakes")
ax.set_xticks(WORDS, [f"{n:,}" for n in WORDS], minor=False)
ax.set_title("Mistakes on 2,000 examples: few needles, ever more hay")
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False)
figure.savefig(out / "winnow_finds_needles.png", dpi=100)
