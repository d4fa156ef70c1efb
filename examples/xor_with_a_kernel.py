"""Exclusive or: no line separates it, a product of features does, and kernels supply products."""

import sys
from pathlib import Path

import numpy as np

from rosenblatt import KernelPerceptron, Perceptron
from rosenblatt.plots import BoundaryDisplay

out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)

rng = np.random.default_rng(0)
X = rng.uniform(-1, 1, size=(120, 2))
X = X[np.abs(X).min(axis=1) > 0.1]  # a gap around the axes
y = (X[:, 0] > 0) ^ (X[:, 1] > 0)  # either, but not both

models = {
    "a line": Perceptron(max_iter=100),
    "products of two features": KernelPerceptron(kernel="poly", degree=2, max_iter=100),
    "distances": KernelPerceptron(kernel="rbf", max_iter=100),
}
for name, model in models.items():
    model.set_params(random_state=0).fit(X, y)
    supports = f", {len(model.support_)} supports" if hasattr(model, "support_") else ""
    print(f"{name:24} {model.score(X, y):4.0%} right after {model.n_iter_} passes{supports}")

displays = BoundaryDisplay.from_estimators(models, X, y, weights=False)
displays[0].figure_.savefig(out / "xor_with_a_kernel.png", dpi=100)
