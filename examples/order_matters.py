"""Order matters: all examples of one class, then all of the other, are a poor order to learn in."""

import sys
from pathlib import Path

import numpy as np

from rosenblatt import Perceptron
from rosenblatt.plots import MistakesDisplay

ORDERS = {"as sorted": False, "shuffled once": "once", "shuffled each pass": True}


def sorted_examples(seed):
    """A thousand points on either side of a plane in ten dimensions, first one side."""
    rng = np.random.default_rng(seed)
    teacher = rng.normal(size=10)
    scores = (X := rng.normal(size=(2000, 10))) @ teacher / np.linalg.norm(teacher)
    X, scores = X[np.abs(scores) > 0.05][:1000], scores[np.abs(scores) > 0.05][:1000]
    order = np.argsort(scores > 0, kind="stable")
    return X[order], (scores > 0)[order]


def fit(shuffle, seed):
    model = Perceptron(shuffle=shuffle, max_iter=10_000, random_state=seed, record=True)
    return model.fit(*sorted_examples(seed))


out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)

print("passes until none errs, over 20 sets of examples: mean (median)")
for name, shuffle in ORDERS.items():
    passes = [fit(shuffle, seed).n_iter_ for seed in range(20)]
    print(f"  {name:18}  {np.mean(passes):5.1f}  ({np.median(passes):.0f})")

display = MistakesDisplay.from_estimators({name: fit(s, 2) for name, s in ORDERS.items()})
display.figure_.savefig(out / "order_matters.png", dpi=100)
