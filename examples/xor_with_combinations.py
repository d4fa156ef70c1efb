"""XOR is no job for a line, but a plane can do it once x1 x2 is a feature of its own.

Prints the passes of the perceptron on both and draws them into xor_with_combinations.png.
"""

import numpy as np
from matplotlib.figure import Figure

from rosenblatt import FeatureCombinations, Perceptron

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
y = np.array([0, 1, 1, 0])
STYLES = {0: {"c": "#D55E00", "marker": "o"}, 1: {"c": "#0072B2", "marker": "s"}}


def main():
    combinations = FeatureCombinations().fit(X)
    lifted = combinations.transform(X)
    model = Perceptron(shuffle=False, max_iter=100)
    for name, rows in (("x1, x2", X), ("x1, x2, x1×x2", lifted)):
        model.fit(rows, y)
        outcome = "converged" if model.converged_ else "still making mistakes"
        print(f"{name:14} {model.n_iter_:3} passes, {model.n_updates_:3} updates: {outcome}")
    names = combinations.get_feature_names_out(["x1", "x2"])
    terms = [
        f"{weight:+g} {name}" for weight, name in zip(model.coef_[0], names, strict=True) if weight
    ]
    print("score =", *terms, f"{model.intercept_[0]:+g}")
    draw(lifted, model)


def draw(lifted, model):
    """The four corners, and where they lie with the third feature, on both sides of the plane."""
    figure = Figure(figsize=(10, 4.8), layout="constrained")
    flat = figure.add_subplot(1, 2, 1, title="x1, x2: no line parts squares from circles")
    deep = figure.add_subplot(1, 2, 2, projection="3d", title="x1, x2, x1×x2: a plane does")
    for label, style in STYLES.items():
        flat.scatter(*X[y == label].T, s=150, **style, label=f"XOR = {label}")
        deep.scatter(*lifted[y == label].T, s=150, **style, depthshade=False)
    w1, w2, w3 = model.coef_[0]

    def plane(x1, x2):
        return -(w1 * x1 + w2 * x2 + model.intercept_[0]) / w3

    x1, x2 = np.meshgrid([-0.2, 1.2], [-0.2, 1.2])
    deep.plot_surface(x1, x2, plane(x1, x2), alpha=0.3)
    for x in lifted:
        deep.plot(*zip(x, [x[0], x[1], plane(x[0], x[1])], strict=True), c="black", lw=1)
    flat.set(xlabel="x1", ylabel="x2", xticks=[0, 1], yticks=[0, 1], aspect="equal")
    flat.margins(0.3)
    flat.legend(loc="center", frameon=False)
    deep.set(xlabel="x1", ylabel="x2", zlabel="x1×x2", xticks=[0, 1], yticks=[0, 1], zticks=[0, 1])
    deep.view_init(elev=15, azim=-60)
    figure.savefig("xor_with_combinations.png", dpi=150)


if __name__ == "__main__":
    main()
