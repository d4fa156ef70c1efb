"""See how wide the margin is, and how wide it could be.

Finds the widest boundary between two classes and sets the perceptron's beside it: learning from
mistakes promises some separator, not the widest, and tells for free how far it may be from it.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from rosenblatt import Perceptron, data_margin, margin, mistake_bound, share_of_bound

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
OUT.mkdir(parents=True, exist_ok=True)


def main():
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], 40)
    X = rng.normal(size=(80, 2)) + np.where(y == 1, 2.2, -2.2)[:, np.newaxis] * [0.8, 0.6]
    X += [3.0, 0.0]

    model = Perceptron(max_iter=1000, random_state=0).fit(X, y)
    widest = data_margin(X, y)
    print(f"margin of the perceptron  {margin(X, y, model):.4f}")
    print(f"widest margin             {widest.margin:.4f}  (at most {widest.upper:.4f})")
    print(f"with the bias counted     {data_margin(X, y, augmented=True).margin:.4f}")
    print("  known from learning     {:.4f} to {:.4f}".format(*model.bracket_))
    print(f"mistakes made             {model.n_updates_} of {mistake_bound(X, y):.0f} possible")
    print("  share, from learning    {:.1%} to {:.1%}".format(*share_of_bound(model, X)))
    draw(X, y, model, widest)


def draw(X, y, model, widest):
    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.subplots()
    for label, marker, colour in zip((0, 1), "os", ["#0072b2", "#d55e00"], strict=True):
        axes.scatter(*X[y == label].T, marker=marker, color=colour, alpha=0.6)
    axes.scatter(*X[widest.support].T, s=160, facecolors="none", edgecolors="black")
    axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim(), aspect="equal")
    line(axes, widest.w, widest.b, color="black", label=f"widest, {widest.margin:.2f} either side")
    for side in (-1, 1):
        line(axes, widest.w, widest.b + side * widest.margin, color="black", linestyle=":")
    style = {"color": "#009e73", "linestyle": "--"}
    label = f"perceptron, {margin(X, y, model):.2f}"
    line(axes, model.coef_[0], model.intercept_[0], label=label, **style)
    axes.legend(title="held by the circled rows")
    figure.savefig(OUT / "how_wide_is_the_margin.png", dpi=120)


def line(axes, w, b, **style):
    """Where w · x + b is zero."""
    foot = -b * w / (w @ w)
    axes.axline(foot, foot + np.array([-w[1], w[0]]), **style)


if __name__ == "__main__":
    main()
