"""A linear model as a neuron: what comes in, what it is multiplied with, what comes out."""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from scipy import sparse

from rosenblatt.explain.linear_view import as_learned, check_scores_by_weights
from rosenblatt.explain.records import of_class
from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.inputs.parameters import check_count
from rosenblatt.plots.display import Display
from rosenblatt.plots.drawing import AGAINST, FOR, Array, caption, halo, ink, legible
from rosenblatt.plots.examples import symbol
from rosenblatt.plots.weights import namer, weights_for


@dataclass
class NeuronDisplay(Display):
    """The score of one example as a neuron adds it up: a = sum of w_d x_d, plus b.

    Each input is joined to the neuron by a line that is marked with its weight. The line is as
    broad as their product is large, dashed if the product is negative. The neuron fires if the
    sum is above zero; of several classes the one with the highest sum wins.

    Parameters
    ----------
    names : list of str
        The inputs drawn, those of the largest products first, the constant of the bias last.

    values, weights : ndarray of shape (n_inputs,)
        What comes in on each, and its weight.

    rest : float
        What the inputs that are not drawn add.

    left_out : int
        How many these are, inputs that are zero not counted.

    label : str
        The class that the neuron stands for.

    Attributes
    ----------
    products : ndarray of shape (n_inputs,)
        Value times weight of each input.

    activation : float
        Their sum, the rest included.

    lines_ : list of Line2D
        One for each input.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.plots import NeuronDisplay
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-2.0, 0.5]], ["yes", "yes", "no", "no"]
    >>> model = Perceptron(shuffle=False).fit(X, y)
    >>> display = NeuronDisplay.from_estimator(model, [1.0, 0.5])
    >>> display.products, display.activation
    (array([2. , 0.5, 1. ]), 3.5)
    >>> plt.close(display.figure_)
    """

    __module__ = "rosenblatt.plots"

    names: list[str]
    values: Array
    weights: Array
    rest: float
    left_out: int
    label: str
    lines_: list[Any] = field(init=False, repr=False)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        x: Any,
        *,
        label: Any = None,
        most: int = 8,
        feature_names: Any = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw how a fitted linear model scores one example.

        Parameters
        ----------
        model : fitted linear classifier

        x : array-like of shape (n_features,), or one row of a sparse matrix
            The example.

        label : one of ``classes_``, optional
            The class whose score to draw; if not given, the second of two, else the one predicted.

        most : int, default=8
            How many inputs to draw; the others are summed up.

        feature_names : sequence of str, optional
            If not given, those of the model.

        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        """
        check_count("most", most)
        check_scores_by_weights(model)
        row = np.ravel(x.toarray() if sparse.issparse(x) else np.asarray(x, dtype=np.float64))
        row = as_learned(model, row[np.newaxis])[0]
        if label is None and len(getattr(model, "classes_", ())) > 2 and hasattr(model, "coef_"):
            label = model.classes_.tolist()[int(np.argmax(model.coef_ @ row + model.intercept_))]
        weights, label = weights_for(model, label)
        if row.shape != weights.shape:
            allowed = f"be one example of {len(weights)} features"
            raise InputError(Name("x"), must=allowed, got=f"{len(row)} numbers")
        name = namer(model, feature_names, len(weights), symbol)
        code, count = model.classes_.tolist().index(label), len(model.classes_)
        b = float(of_class(code, count, np.ravel(model.intercept_)))
        products = row * weights
        shown = np.arange(len(row))
        if len(row) > most:
            shown = np.argsort(-np.abs(products), kind="stable")[:most]
        others = np.setdiff1d(np.flatnonzero(products), shown)
        return cls(
            [*(name(k) for k in shown.tolist()), "constant"],
            np.append(row[shown], 1.0),
            np.append(weights[shown], b),
            float(products[others].sum()),
            len(others),
            str(label),
        ).plot(ax)

    @property
    def products(self) -> Array:
        return self.values * self.weights

    @property
    def activation(self) -> float:
        return float(self.products.sum() + self.rest)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on a new figure."""
        count = len(self.names) + bool(self.left_out)
        axes = self._draw_on(ax, size=(7.2, 1.0 + 0.52 * count))
        heights = np.linspace(1, 0, count) if count > 1 else np.array([0.5])
        largest = max(float(np.abs(self.products).max()), abs(self.rest), 1e-300)
        inputs = [
            (name, f"{value:.3g}", f"× {weight:.3g}", product)
            for name, value, weight, product in zip(
                self.names, self.values, self.weights, self.products, strict=True
            )
        ]
        if self.left_out:
            inputs.append((f"{self.left_out} more", "…", "", self.rest))
        self.lines_ = []
        for height, (name, value, weight, product) in zip(heights, inputs, strict=True):
            self._plot_input(height, name, value, weight, product, abs(product) / largest)
        self._plot_sum()
        axes.set(xlim=(-1.5, 6.1), ylim=(-0.12, 1.22))
        axes.set_axis_off()
        return self

    def _plot_input(
        self, height: float, name: str, value: str, weight: str, product: float, share: float
    ) -> None:
        axes = self.ax_
        colour = FOR if product > 0 else AGAINST if product < 0 else ink(axes)
        (wire,) = axes.plot(
            [0.15, 1.9, 3],
            [height, height, 0.5],
            color=colour,
            linewidth=0.8 + 4.2 * share,
            linestyle="--" if product < 0 else "-",
            alpha=0.85 if product else 0.35,
            solid_capstyle="butt",
            dash_capstyle="butt",
            zorder=1,
        )
        self.lines_.append(wire)
        box = {"boxstyle": "round,pad=0.25", "facecolor": axes.get_facecolor(), "edgecolor": colour}
        text = {"va": "center", "color": ink(axes), "zorder": 3}
        axes.text(-0.3, height, legible(name), ha="right", **text)
        axes.text(0, height, value, ha="center", bbox=box, **text)
        above = {"xytext": (0, 4), "textcoords": "offset points", "ha": "center", "va": "bottom"}
        for place, number in ((0.75, weight), (1.5, f"= {product:.3g}")):
            axes.annotate(
                number, (place, height), color=ink(axes), path_effects=halo(axes), **above
            )

    def _plot_sum(self) -> None:
        axes = self.ax_
        fires = self.activation > 0
        colour = FOR if fires else AGAINST
        text = {"ha": "center", "va": "center", "color": ink(axes), "zorder": 3}
        box = {"boxstyle": "circle,pad=0.5", "facecolor": axes.get_facecolor(), "edgecolor": colour}
        axes.text(3, 0.5, "Σ", fontsize="x-large", bbox=box | {"linewidth": 2}, **text)
        style = {"arrowstyle": "-|>", "color": colour, "linewidth": 2, "shrinkA": 20}
        style["linestyle"] = "-" if fires else "--"
        axes.annotate("", (4.1, 0.5), (3, 0.5), arrowprops=style)
        verdict = "above zero: fires" if fires else "not above zero: silent"
        outcome = f"a = {self.activation:.4g}\n{verdict}\n({legible(self.label)})"
        caption(axes, outcome, np.array([4.1, 0.5]), (1, 0))
