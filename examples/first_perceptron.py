"""A first perceptron: two clouds of points, and the line that it finds between them."""

import sys
from pathlib import Path

from sklearn.datasets import make_blobs

from rosenblatt import Perceptron
from rosenblatt.plots import BoundaryDisplay

out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)

X, y = make_blobs(60, centers=[[0, 0], [3, 2]], cluster_std=0.8, random_state=4)

model = Perceptron(max_iter=100, random_state=0).fit(X, y)

print(f"weights {model.coef_[0]}, intercept {model.intercept_[0]}")
print(f"{model.n_updates_} updates in {model.n_iter_} passes; converged: {model.converged_}")

display = BoundaryDisplay.from_estimator(model, X, y)
display.figure_.savefig(out / "first_perceptron.png", dpi=100)
