"""Whether probabilities are believed rightly, and what abstaining would bring."""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter
from sklearn.base import is_regressor
from sklearn.utils.validation import check_is_fitted

from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.label_sets import are_label_sets, not_of_one_kind, read_label_sets
from rosenblatt.inputs.labels import encode
from rosenblatt.inputs.parameters import check_count
from rosenblatt.plots.display import Display
from rosenblatt.plots.drawing import AGAINST, FOR, ink
from rosenblatt.training.reliability import BINS, Reliability


@dataclass
class ReliabilityDisplay(Display):
    """How often labels were right, over how probable they were said to be; below, abstaining.

    Each point is a bin of equally many examples; on the diagonal a label that is said to be
    probable by 80 % is right in 80 % of the cases. The lower panel shows which share of the labels
    given is wrong if none is given below some probability, and which share of the examples is then
    without. Where an example may have several labels, each label of each example is one by itself,
    a bin has as many likely ones, and what is missing is the share of the right ones.

    Parameters
    ----------
    reliability : Reliability
        What was said and what came of it.

    name : str
        Of the model.

    bins : int, default=10

    Attributes
    ----------
    ax_ : matplotlib Axes
        The upper panel.

    strip_ : matplotlib Axes
        The lower panel.

    figure_ : matplotlib Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rosenblatt import AveragedPerceptron
    >>> from rosenblatt.plots import ReliabilityDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AveragedPerceptron(probabilities=True, random_state=0).fit(X[::2], y[::2])
    >>> display = ReliabilityDisplay.from_estimator(model, X[1::2], y[1::2])
    >>> len(display.reliability.bins())
    10
    >>> plt.close(display.figure_)
    """

    __module__ = "rosenblatt.plots"

    reliability: Reliability
    name: str
    bins: int = BINS
    strip_: Any = field(init=False, repr=False)

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, y: Any, *, bins: int = BINS, ax: Axes | None = None
    ) -> Self:
        """Draw it for a classifier with predict_proba, on examples that it has not learned from.

        Parameters
        ----------
        model : fitted classifier with ``predict_proba``

        X : array-like or sparse matrix of shape (n_samples, n_features)

        y : array-like of shape (n_samples,), or of labels of each as ``fit`` takes them
            Labels, all of which the model knows.

        bins : int, default=10
            Points to draw.

        ax : matplotlib Axes, optional
            Where to draw, the lower panel at its foot; a new figure if not given.
        """
        check_is_fitted(model)
        check_count("bins", bins)
        if is_regressor(model):
            name = type(model).__name__
            raise InputError(f"{name} predicts numbers, which have no probabilities")
        if not hasattr(model, "predict_proba"):
            raise InputError(
                f"{type(model).__name__} has no predict_proba",
                remedy="fit it with probabilities=True",
            )
        known = {"remedy": "leave out the rows of labels that the model does not know"}
        several = getattr(model, "_gives_sets", are_label_sets(y))
        if several != are_label_sets(y):
            raise not_of_one_kind(type(model).__name__, several=several)
        said = np.asarray(model.predict_proba(X))
        if several:
            sets = read_label_sets(y, len(said)).among(model.classes_, **known)
            found = Reliability.of_each_label(said, sets.indicator().astype(bool))
        else:
            right, given = (
                encode(np.asarray(each), model.classes_, **known) for each in (y, model.predict(X))
            )
            found = Reliability.of(said, right, given)
        return cls(found, type(model).__name__, bins).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on a new figure."""
        axes = self._draw_on(ax, size=(6.0, 7.2))
        if ax is None:  # no layout engine knows of what is at the foot of axes
            self.figure_.set_layout_engine("none")
            axes.set_position((0.13, 0.42, 0.83, 0.53))
        found = self.reliability
        bins = found.bins(self.bins)
        said, right = np.array([(each.said, each.right) for each in bins]).T
        least = max(0.0, np.floor(10 * min(said.min(), right.min())) / 10 - 0.05)
        axes.plot([0, 1], [0, 1], color=ink(axes), linewidth=0.8, linestyle="--", label="as said")
        counts = np.array([each.examples for each in bins])
        chance = 1.96 * np.sqrt(said * (1 - said) / counts)
        low, high = right - chance, np.minimum(1, right + chance)
        axes.vlines(said, low, high, color=FOR, alpha=0.3, linewidth=3, label="95 % by chance")
        axes.plot(said, right, "o-", color=FOR, label=self.name)
        title = f"log loss {found.log_loss:.3f}, calibration error {100 * found.error:.1f} %"
        axes.set(
            xlim=(least, 1.01),
            ylim=(least, 1.01),
            xlabel="probability said",
            ylabel="share right",
            title=title,
        )
        axes.legend(loc="lower right")
        self._plot_abstaining(least)
        for axis in (axes.xaxis, axes.yaxis, self.strip_.xaxis, self.strip_.yaxis):
            axis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        return self

    def _plot_abstaining(self, least: float) -> None:
        self.strip_ = strip = self.ax_.inset_axes((0.0, -0.57, 1.0, 0.4))
        strip.set_facecolor("none")
        levels = np.linspace(least, 1.0, 200)
        found = self.reliability
        curve = [each for each in found.abstentions(levels) if each.error is not None]
        below, missing, error = np.array(curve).T
        heads = "without a label", "wrong among the others"
        if found.several:
            heads = "right ones that are not given", "wrong among those given"
            missing = 1 - (1 - missing) * (1 - error) * len(found.right) / max(1, found.right.sum())
        strip.plot(below, missing, color=ink(self.ax_), linestyle="--", label=heads[0])
        strip.plot(below, error, color=AGAINST, label=heads[1])
        strip.set(xlim=(least, 1.01), ylim=(-0.02, 1.02), xlabel="no label below this probability")
        strip.legend(loc="center right" if found.several else "upper left")
