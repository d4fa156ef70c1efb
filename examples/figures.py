"""Every figure of the docs, drawn from data; ``make figures`` puts them in place."""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from sklearn.datasets import load_breast_cancer, load_digits, make_blobs, make_moons
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from rosenblatt import AveragedPerceptron, Perceptron, VotedPerceptron, Winnow
from rosenblatt.plots import (
    BoundaryDisplay,
    ExamplesDisplay,
    MistakesDisplay,
    NeuronDisplay,
    PassesDisplay,
    PlaneDisplay,
    ProjectionDisplay,
    PrototypesDisplay,
    ReliabilityDisplay,
    UpdateDisplay,
    WeightsDisplay,
)

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
OUT.mkdir(parents=True, exist_ok=True)


def save(name, figure):
    path = OUT / f"{name}.png"
    figure.savefig(path, dpi=75)
    plt.close(figure)
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(256)  # a third of the bytes, and looks the same
    small.save(path, optimize=True)


def geometry():
    X, y = make_blobs(60, centers=[[0, 0], [3, 2]], cluster_std=0.8, random_state=4)
    y = np.array(["ham", "spam"])[y]
    model = Perceptron(max_iter=100, random_state=0, record=True).fit(X, y)
    save("boundary", BoundaryDisplay.from_estimator(model, X, y).figure_)
    save("projection", ProjectionDisplay.from_estimator(model, X, y).figure_)
    save("bias", BoundaryDisplay.from_estimator(model, X, y, bias=True, band=False).figure_)
    save("mistakes", MistakesDisplay.from_estimator(model, bound=bound_of(model, X)).figure_)
    save("neuron", NeuronDisplay.from_estimator(model, X[0]).figure_)

    X, y = [[2.0, 0.5], [-1.0, 2.0]], [1, 1]
    model = Perceptron(fit_intercept=False, shuffle=False, record=True)
    save(
        "update",
        UpdateDisplay.from_estimator(model.partial_fit(X, y, classes=[0, 1]), X, y).figure_,
    )

    angles = [[2, 1], [-2, -1], [-2, 2]]
    save("angles", BoundaryDisplay.from_weights([2, 2], 0, angles, [1, -1, -1]).figure_)


def bound_of(model, X):
    """Novikoff (1962) for these weights, which separate: (R² + 1)(1 + b²) / γ² with |w| = 1."""
    length = np.linalg.norm(model.coef_)
    gamma = np.abs(model.decision_function(X)).min() / length
    return ((X**2).sum(axis=1).max() + 1) * (1 + (model.intercept_[0] / length) ** 2) / gamma**2


def separability():
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="compressed")
    for ax, title, seed in ((left, "separable", 4), (right, "inseparable", 3)):
        X, y = make_blobs(60, centers=[[0, 0], [3, 2]], cluster_std=0.8, random_state=seed)
        model = Perceptron(max_iter=100, random_state=0).fit(X, y)
        BoundaryDisplay.from_estimator(model, X, y, ax=ax)
        ax.set_title(title)
    save("separable", figure)

    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["off", "on", "on", "off"]
    save("xor", ExamplesDisplay.from_data(X, y).figure_)
    lifted = [[a, b, a * b] for a, b in X]
    model = Perceptron(max_iter=1000, random_state=0).fit(lifted, y)
    save("lift", PlaneDisplay.from_estimator(model, lifted, y).figure_)

    X, y = make_moons(150, noise=0.2, random_state=0)
    models = {
        "perceptron": Perceptron(random_state=0),
        "averaged": AveragedPerceptron(random_state=0),
        "voted": VotedPerceptron(random_state=0),
        "decision tree": DecisionTreeClassifier(max_depth=4, random_state=0),
        "3 neighbours": KNeighborsClassifier(3),
    }
    models = {name: model.fit(X, y) for name, model in models.items()}
    save("compare", BoundaryDisplay.from_estimators(models, X, y)[0].figure_)


def learning():
    X, y = load_digits(return_X_y=True)
    held_out = X[1::2], y[1::2]
    model = AveragedPerceptron(random_state=0)
    save("passes", PassesDisplay.from_estimator(model, X[::2], y[::2], *held_out).figure_)
    save("prototypes", PrototypesDisplay.from_estimator(model.fit(X, y)).figure_)

    noisy = X + np.random.default_rng(0).normal(scale=4.0, size=X.shape)
    model = AveragedPerceptron(probabilities=True, random_state=0).fit(noisy[::2], y[::2])
    display = ReliabilityDisplay.from_estimator(model, noisy[1::2], y[1::2])
    save("reliability", display.figure_)

    order = np.argsort(y[::2], kind="stable")
    orders = {"never": False, "once": "once", "each pass": True}
    models = {name: Perceptron(shuffle=s, random_state=0) for name, s in orders.items()}
    X, y = X[::2][order], y[::2][order]
    save("orders", PassesDisplay.from_estimators(models, X, y, *held_out, passes=12).figure_)

    X = np.random.default_rng(0).integers(0, 2, size=(2000, 500)).astype(float)
    y = X[:, [17, 400]].any(axis=1)
    models = {"perceptron": Perceptron(record=True), "Winnow": Winnow(record=True)}
    models = {name: model.set_params(shuffle=False).fit(X, y) for name, model in models.items()}
    save("needles", MistakesDisplay.from_estimators(models).figure_)

    cancer = load_breast_cancer()
    X = StandardScaler().fit_transform(cancer.data)
    model = AveragedPerceptron(random_state=0).fit(X, cancer.target_names[cancer.target])
    names = cancer.feature_names
    save("weights", WeightsDisplay.from_estimator(model, feature_names=names, n=8).figure_)
    save(
        "wide", BoundaryDisplay.from_estimator(model, X, cancer.target_names[cancer.target]).figure_
    )


geometry()
separability()
learning()
