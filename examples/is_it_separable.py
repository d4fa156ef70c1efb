"""See whether two kinds of flowers are separable, and why not.

Asks for a verdict on two kinds of iris, prints the proof, and draws the flowers that contradict
each other: a mixture of one kind is the same point as a mixture of the other.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_iris

from rosenblatt import separability

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
PETALS = [2, 3]  # length and width


def main():
    data = load_iris()
    X, y = data.data[50:], data.target_names[data.target[50:]]
    verdict = separability(X, y)
    print(verdict)
    print(f"checked without rounding: {verdict.check(X, y)}")
    for row, label, alpha in zip(verdict.rows, verdict.labels, verdict.multipliers, strict=True):
        print(f"  row {row:2d}  {X[row]}  {label:10s}  multiplier {float(alpha):.4f}")
    draw(X[:, PETALS], y, verdict)  # mixtures that coincide do so in any picture of them


def draw(X, y, verdict):
    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.subplots()
    for label, marker, colour in zip(verdict.classes, "os", ["#0072b2", "#d55e00"], strict=True):
        axes.scatter(*X[y == label].T, marker=marker, color=colour, alpha=0.4, label=label)
    ours = X[verdict.rows]
    axes.scatter(*ours.T, s=160, facecolors="none", edgecolors="black", label="in contradiction")
    first = np.array(verdict.labels) == verdict.classes[0]
    shares = np.array(verdict.multipliers, dtype=float)
    point = shares[first] @ ours[first] / shares[first].sum()
    for flower in ours:
        axes.plot(*np.transpose([flower, point]), color="black", linewidth=0.8, linestyle=":")
    axes.plot(*point, "k*", markersize=12, label="the point they share")
    axes.set(xlabel="petal length (cm)", ylabel="petal width (cm)", title="Not separable, and why")
    axes.legend()
    OUT.mkdir(parents=True, exist_ok=True)
    figure.savefig(OUT / "is_it_separable.png", dpi=120)


if __name__ == "__main__":
    main()
