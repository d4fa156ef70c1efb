"""Exclusive or: no line separates it, a product of features does, and a kernel supplies products.

Trains a plain and a kernel perceptron on the four corners, then a third on two rings, and draws
the regions that each one claims into xor_with_a_kernel.png.
"""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_circles

from rosenblatt import KernelPerceptron, Perceptron

CORNERS = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
RINGS = make_circles(200, noise=0.07, factor=0.4, random_state=0)

MODELS = [
    ("a line", Perceptron(max_iter=100, random_state=4), CORNERS),
    (
        "products of two features",
        KernelPerceptron(kernel="poly", degree=2, gamma=1, max_iter=100, random_state=0),
        CORNERS,
    ),
    ("distances (rbf), averaged", KernelPerceptron(average=True, random_state=0), RINGS),
]


def draw(ax, model, X, y):
    """The regions of the two classes, their border, the examples, and rings around supports."""
    low, high = X.min(axis=0) - 0.5, X.max(axis=0) + 0.5
    across, up = np.meshgrid(np.linspace(low[0], high[0], 200), np.linspace(low[1], high[1], 200))
    scores = model.decision_function(np.column_stack([across.ravel(), up.ravel()]))
    scores = scores.reshape(across.shape)
    ax.contourf(across, up, scores > 0, levels=[-0.5, 0.5, 1.5], colors=["#dbe7f5", "#fbe3d0"])
    if scores.min() < 0 < scores.max():
        ax.contour(across, up, scores, levels=[0], colors="black", linewidths=1)
    ax.scatter(*X.T, c=np.where(y == 1, "#d95f02", "#1f5fa8"), zorder=2)
    if hasattr(model, "support_"):
        supports = X[model.support_]
        ax.scatter(*supports.T, s=130, facecolors="none", edgecolors="black", zorder=3)
    ax.set(xticks=[], yticks=[], aspect="equal")


def main():
    figure, axes = plt.subplots(1, 3, figsize=(12, 5), layout="constrained")
    for ax, (name, model, (X, y)) in zip(axes, MODELS, strict=True):
        model.fit(X, y)
        verdict = f"{model.score(X, y):.0%} right after {model.n_iter_} passes"
        print(f"{name:28} {verdict}")
        draw(ax, model, X, y)
        ax.set_title(f"{name}\n{verdict}", fontsize=11)
    figure.savefig("xor_with_a_kernel.png", dpi=110)
    print("drawn: xor_with_a_kernel.png")


if __name__ == "__main__":
    main()
