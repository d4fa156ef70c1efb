"""Votes or averages? Two ways to use every weight vector that a perceptron passed through.

Trains one perceptron in many random orders, pass by pass, and compares the held-out error of its
last weights, of the votes of all its weights, and of their average.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from rosenblatt import VotedPerceptron

PASSES, ORDERS = 15, 10
STYLES = {
    "last weights": {"c": "#D55E00", "marker": "o"},
    "votes": {"c": "#009E73", "marker": "^"},
    "average": {"c": "#0072B2", "marker": "s"},
}
out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)


def watch(X, y, X_out, y_out, order):
    """Errors after each pass; one training run serves all three ways to predict."""
    model = VotedPerceptron(warm_start=True, max_iter=1, random_state=order)
    for _ in range(PASSES):
        model.fit(X, y)
        last = model.classes_[(X_out @ model.coef_[0] + model.intercept_ > 0).astype(int)]
        guesses = last, model.predict(X_out), model.average_.predict(X_out)
        yield [100 * np.mean(guess != y_out) for guess in guesses]


X, y = load_breast_cancer(return_X_y=True)
X, X_out, y, y_out = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
scaler = StandardScaler().fit(X)
data = scaler.transform(X), y, scaler.transform(X_out), y_out
errors = np.mean([list(watch(*data, order)) for order in range(ORDERS)], axis=0)

print(f"Held-out error, mean of {ORDERS} random orders\n")
print("  pass" + "".join(f"{name:>16}" for name in STYLES))
for number, now in enumerate(errors, start=1):
    print(f"{number:6}" + "".join(f"{error:14.2f} %" for error in now))

figure = Figure(figsize=(8, 5), layout="constrained")
axis = figure.subplots()
for (name, style), curve in zip(STYLES.items(), errors.T, strict=True):
    axis.plot(range(1, PASSES + 1), curve, **style, label=name)
axis.set(xlabel="pass", ylabel="held-out error (% of rows)", ylim=(0, None))
axis.set_title(f"One perceptron, three ways to predict (mean of {ORDERS} orders)")
axis.legend(frameon=False)
figure.savefig(out / "voted_or_averaged.png", dpi=100)
