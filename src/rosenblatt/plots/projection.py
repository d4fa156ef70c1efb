"""Scores as positions along the weights."""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from sklearn.utils.validation import check_is_fitted

from rosenblatt.plots.display import Display
from rosenblatt.plots.drawing import (
    Array,
    add_legend,
    arrow,
    caption,
    ink,
    line,
    scatter,
    set_view,
    view_of,
)
from rosenblatt.plots.examples import LabelledPoints
from rosenblatt.plots.hyperplane import Hyperplane


@dataclass
class ProjectionDisplay(Display):
    """Examples projected onto the weights, and below them the same as points of one axis.

    The score of an example over the length of the weights, ``(w . x + b) / |w|``, is its place on a
    line along w, counted from the boundary. All that a linear model of two classes knows of an
    example is this one number. More than two features are seen as in `BoundaryDisplay`.

    Parameters
    ----------
    examples : LabelledPoints
        What is drawn as points, in two dimensions.

    hyperplane : Hyperplane
        The boundary in the plane drawn.

    Attributes
    ----------
    positions : ndarray of shape (n_samples,)
        Where each example lies along w, zero on the boundary.

    ax_ : matplotlib Axes
        The upper panel.

    strip_ : matplotlib Axes
        The lower panel.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.plots import ProjectionDisplay
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-2.0, 0.5]], ["yes", "yes", "no", "no"]
    >>> model = Perceptron(shuffle=False, fit_intercept=False).fit(X, y)
    >>> display = ProjectionDisplay.from_estimator(model, X, y)
    >>> display.positions.round(2)
    array([ 2.24,  2.24, -1.79, -1.57])
    >>> plt.close(display.figure_)
    """

    __module__ = "rosenblatt.plots"

    examples: LabelledPoints
    hyperplane: Hyperplane
    strip_: Any = field(init=False, repr=False)

    @classmethod
    def from_estimator(cls, model: Any, X: Any, y: Any, *, ax: Axes | None = None) -> Self:
        """Draw the projections of the examples onto the weights of a fitted model.

        Parameters
        ----------
        model : fitted linear classifier of two classes

        X : array-like or sparse matrix of shape (n_samples, n_features)

        y : array-like of shape (n_samples,)

        ax : matplotlib Axes, optional
            Where to draw, the strip at its foot; a new figure if not given.
        """
        check_is_fitted(model)
        plane = Hyperplane.of(model)
        if plane is None or not plane.length:
            raise ValueError(
                "ProjectionDisplay needs a linear model of two classes whose weights are not all "
                f"zero, got {type(model).__name__}: try BoundaryDisplay."
            )
        return cls(*plane.in_plane(LabelledPoints.read(X, y, model))).plot(ax)

    @property
    def positions(self) -> Array:
        return self.hyperplane.distances(self.examples.X)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on a new figure."""
        axes = self._draw_on(ax, size=(6.4, 5.6))
        examples, plane = self.examples, self.hyperplane
        unit = plane.w / plane.length
        origin = plane.nearest_to(examples.X.mean(axis=0))
        feet = origin + np.outer(self.positions, unit)
        ends = origin + np.outer([min(0.0, self.positions.min()), self.positions.max()], unit)
        tip = ends[1] + 0.1 * (ends[1] - ends[0])
        set_view(axes, view_of(np.vstack([examples.X, feet, tip])))
        falls = np.stack([examples.X, feet], axis=1)
        axes.add_collection(LineCollection([*falls], color=ink(axes), linewidth=0.6, alpha=0.4))
        arrow(axes, ends[0], tip, color=ink(axes))
        caption(axes, "w", tip, unit, fontstyle="italic")
        line(axes, plane.w, plane.b, color=ink(axes), linewidth=1.5, label="boundary")
        examples.draw(axes)
        axes.plot(*feet.T, ".", color=ink(axes), markersize=3, zorder=5)
        add_legend(axes)
        self._plot_strip()
        return self

    def _plot_strip(self) -> None:
        """The positions on an axis of their own, the classes a little apart to tell them."""
        examples = self.examples
        self.strip_ = strip = self.ax_.inset_axes((0.0, -0.38, 1.0, 0.16))
        strip.set_facecolor("none")
        heights = np.where(examples.codes == 1, 0.3, -0.3)
        strip.axhline(0, color=ink(self.ax_), linewidth=0.8)
        strip.axvline(0, color=ink(self.ax_), linewidth=1.5)
        points = np.column_stack([self.positions, heights])
        scatter(strip, points, examples.codes, examples.classes)
        strip.set(ylim=(-1, 1), yticks=[], xlabel="position along w, zero on the boundary")
        strip.spines[["top", "left", "right"]].set_visible(False)
