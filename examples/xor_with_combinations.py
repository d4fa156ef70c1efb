"""XOR is no job for a line, but a plane can do it once x1×x2 is a feature of its own."""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import FeatureCombinations, Perceptron
from rosenblatt.plots import ExamplesDisplay, PlaneDisplay

out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)

X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
y = np.array([0, 1, 1, 0])
combinations = FeatureCombinations().fit(X)
lifted = combinations.transform(X)

model = Perceptron(shuffle=False, max_iter=100)
for name, rows in (("x1, x2", X), ("x1, x2, x1×x2", lifted)):
    model.fit(rows, y)
    outcome = "converged" if model.converged_ else "still making mistakes"
    print(f"{name:14} {model.n_iter_:3} passes, {model.n_updates_:3} updates: {outcome}")
names = combinations.get_feature_names_out(["x1", "x2"])
terms = [f"{weight:+g} {name}" for weight, name in zip(model.coef_[0], names, strict=True)]
print("score =", *terms, f"{model.intercept_[0]:+g}")

figure = plt.figure(figsize=(10, 4.8), layout="constrained")
flat = figure.add_subplot(1, 2, 1, title="x1, x2: no line will do")
deep = figure.add_subplot(1, 2, 2, projection="3d", title="x1, x2, x1×x2: a plane does")
ExamplesDisplay.from_data(X, y, ax=flat)
PlaneDisplay.from_estimator(model, lifted, y, ax=deep)
figure.savefig(out / "xor_with_combinations.png", dpi=100)
