"""Where a model changes its mind."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from rosenblatt.plots.display import Display
from rosenblatt.plots.drawing import (
    COLOURS,
    Array,
    View,
    add_legend,
    arrow,
    caption,
    grid_of,
    ink,
    line,
    ring,
    set_view,
    tint,
    view_of,
)
from rosenblatt.plots.examples import LabelledPoints
from rosenblatt.plots.hyperplane import Hyperplane

ACROSS = 300
"""Points along each side of the grid on which a curved boundary is looked for."""


@dataclass
class BoundaryDisplay(Display):
    """The boundary of a classifier among the examples: where it changes its mind.

    A linear model of two classes shows its boundary {x : w . x + b = 0} as a line, the weights w
    as an arrow across it towards the second class, and the band around it that holds no example,
    if it has the classes on their right sides. Two features are drawn as they are. More are seen
    along w and along the direction across it in which they vary most, which leaves distances
    from the boundary true.

    Any other classifier (several classes, a kernel, a tree, neighbours, a pipeline) shows the
    regions in which it predicts each class, and needs two features. Examples predicted wrongly
    are circled. Use `ProjectionDisplay` to see scores as positions along w, `PlaneDisplay` for
    three features.

    Parameters
    ----------
    examples : LabelledPoints
        What is drawn as points.

    hyperplane : Hyperplane or None
        The boundary of a linear model of two classes, in the plane drawn.

    predict : callable
        From points of the plane to class numbers, or to scores above zero for the second class.

    highlight : ndarray of int
        Rows to circle.

    highlighted : str
        What they are.

    Attributes
    ----------
    boundary_ : AxLine or None
        The line, for a linear model of two classes.

    weights_ : Annotation or None
        The arrow along w; its length says nothing.

    band_ : list of AxLine
        The edges of the band.

    shift_ : Annotation or None
        The arrow from the origin to the boundary, with ``bias=True``.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.plots import BoundaryDisplay
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-2.0, 0.5]], ["yes", "yes", "no", "no"]
    >>> model = Perceptron(shuffle=False).fit(X, y)
    >>> display = BoundaryDisplay.from_estimator(model, X, y)
    >>> plt.close(display.figure_)
    """

    __module__ = "rosenblatt.plots"

    examples: LabelledPoints
    hyperplane: Hyperplane | None
    predict: Callable[[Array], NDArray[Any]]
    highlight: NDArray[np.intp]
    highlighted: str = "wrong"
    boundary_: Any = field(init=False, repr=False, default=None)
    weights_: Any = field(init=False, repr=False, default=None)
    band_: list[Any] = field(init=False, repr=False, default_factory=list)
    shift_: Any = field(init=False, repr=False, default=None)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any,
        *,
        band: bool | float = True,
        bias: bool = False,
        weights: bool = True,
        highlight: ArrayLike | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the boundary of a fitted classifier and the examples.

        Parameters
        ----------
        model : fitted classifier

        X : array-like or sparse matrix of shape (n_samples, n_features)

        y : array-like of shape (n_samples,)

        band : bool or float, default=True
            Whether to show the band that holds no example, or how far to either side of the
            boundary to show one.

        bias : bool, default=False
            Whether to show how the intercept b moves the boundary by ``-b/|w|`` from the origin.

        weights : bool, default=True
            Whether to show the weights as an arrow.

        highlight : array-like of int, optional
            Rows to circle in place of those predicted wrongly.

        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        """
        display = cls._of(model, X, y, highlight)
        return display.plot(ax, band=band, bias=bias, weights=weights)

    @classmethod
    def from_weights(
        cls, w: ArrayLike, b: float, X: Any, y: Any, *, ax: Axes | None = None, **options: Any
    ) -> Self:
        """Draw the boundary w . x + b = 0 and the examples; options are those of `plot`."""
        examples = LabelledPoints.read(X, y)
        plane = Hyperplane(np.asarray(w, dtype=np.float64), float(b))
        if len(examples.classes) > 2 or plane.w.shape != examples.X.shape[1:]:
            raise ValueError(
                f"w must hold a weight for each of the {examples.X.shape[1]} features and y labels "
                f"of two classes, got w of shape {plane.w.shape} and {len(examples.classes)} "
                "classes."
            )
        wrong = np.flatnonzero((plane.distances(examples.X) > 0) != (examples.codes == 1))
        return cls._linear(examples, plane, wrong, f"wrong: {len(wrong)}").plot(ax, **options)

    @classmethod
    def from_estimators(
        cls, models: Mapping[str, Any], X: Any, y: Any, *, axes: Any = None, **options: Any
    ) -> list[Self]:
        """Draw several classifiers side by side, on axes of the same limits.

        Parameters
        ----------
        models : dict of fitted classifiers
            By the titles to give them.

        X, y : as for `from_estimator`

        axes : sequence of matplotlib Axes, optional
            Where to draw; a new figure if not given.

        **options
            Those of `plot`.
        """
        if axes is None:
            size = (3.6 * len(models) + 1.2, 3.4)
            axes = plt.figure(figsize=size, layout="compressed").subplots(1, len(models))
        displays = []
        panels = list(np.ravel(axes))
        for (title, model), panel in zip(models.items(), panels, strict=True):
            display = cls._of(model, X, y)
            display.highlighted = "wrong"
            last = panel is panels[-1]
            display.plot(panel, **({"legend": last, "regions": True, "band": False} | options))
            panel.set_title(f"{title}: {len(display.highlight)} wrong")
            displays.append(display)
        return displays

    @classmethod
    def _of(cls, model: Any, X: Any, y: Any, highlight: ArrayLike | None = None) -> Self:
        check_is_fitted(model)
        if not hasattr(model, "classes_"):
            raise TypeError(f"BoundaryDisplay draws classifiers, {type(model).__name__} is none.")
        examples = LabelledPoints.read(X, y, model)
        if highlight is None:
            rows = np.flatnonzero(np.asarray(model.predict(X)) != examples.classes[examples.codes])
            circles = rows, f"wrong: {len(rows)}"
        else:
            circles = np.asarray(highlight, dtype=np.intp), "highlighted"
        plane = Hyperplane.of(model)
        if plane is not None:
            return cls._linear(examples, plane, *circles)
        width = examples.X.shape[1]
        if width != 2:
            raise ValueError(
                f"BoundaryDisplay draws two features, or a linear model of two classes, but X has "
                f"{width} and {type(model).__name__} is no such model: fit it on two columns."
            )
        return cls(examples, None, _predictor(model, X), *circles)

    @classmethod
    def _linear(cls, examples: LabelledPoints, plane: Hyperplane, *circles: Any) -> Self:
        points, line = plane.in_plane(examples)
        return cls(points, line, line.distances, *circles)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        band: bool | float = True,
        bias: bool = False,
        weights: bool = True,
        regions: bool = False,
        legend: bool = True,
    ) -> Self:
        """Draw on these axes, or on a new figure.

        Options are those of `from_estimator`, and ``regions`` to tint the sides of a line too.
        """
        axes = self._draw_on(ax)
        examples = self.examples
        points = np.vstack([examples.X, [[0.0, 0.0]]]) if bias else examples.X
        view = view_of(points)
        set_view(axes, view)
        if regions or self.hyperplane is None:
            self._plot_regions(view)
        if self.hyperplane is not None and self.hyperplane.length:
            self._plot_line(self.hyperplane, view, band=band, bias=bias, weights=weights)
        examples.draw(axes)
        if len(self.highlight):
            ring(axes, examples.X[self.highlight], self.highlighted)
        if legend:
            add_legend(axes)
        return self

    def _plot_line(
        self, plane: Hyperplane, view: View, *, band: bool | float, bias: bool, weights: bool
    ) -> None:
        axes = self.ax_
        w, b = plane.w, plane.b
        self.boundary_ = line(axes, w, b, color=ink(axes), linewidth=1.8, label="boundary")
        half = self._half_width(plane) if band is True else float(band)
        if half > 0:
            edge = {"color": ink(axes), "linewidth": 1, "linestyle": (0, (5, 4))}
            label = f"margin: {half:.3g}"
            self.band_ = [
                line(axes, w, b - half * plane.length, **edge, label=label),
                line(axes, w, b + half * plane.length, **edge),
            ]
        middle = np.mean(view, axis=1)
        unit, span = w / plane.length, np.ptp(view, axis=1)
        reach = 0.22 * float(np.min(span / np.maximum(np.abs(unit), 1e-12)))
        if weights:
            start = plane.nearest_to(middle if b else np.zeros(2))
            self.weights_ = arrow(axes, start, start + reach * unit, color=ink(axes))
            caption(axes, "w", start + reach * unit, unit, fontstyle="italic", clip_on=True)
        if bias:
            foot = plane.nearest_to(np.zeros(2))
            line(axes, w, 0.0, color=ink(axes), linewidth=1, linestyle=":", label="without bias")
            self.shift_ = arrow(axes, np.zeros(2), foot, color=COLOURS[3])
            axes.plot(0, 0, "+", color=ink(axes), markersize=9, zorder=4)
            shift = rf"$-b/\|w\|$ = {-b / plane.length:.3g}"  # beside the axes it hides no example
            axes.plot([], [], color=COLOURS[3], linewidth=1.8, label=shift)

    def _half_width(self, plane: Hyperplane) -> float:
        """The distance of the nearest example if all lie on their right sides, else zero."""
        sides = np.where(self.examples.codes == 1, 1.0, -1.0)
        return max(0.0, float((sides * plane.distances(self.examples.X)).min()))

    def _plot_regions(self, view: View) -> None:
        axes = self.ax_
        values = self.predict(grid_of(view, ACROSS)).reshape(ACROSS, ACROSS)
        several = len(self.examples.classes)
        codes = values if values.dtype.kind in "iu" else values > 0
        tint(axes, view, codes, several)
        if self.hyperplane is not None:
            return
        sides = [np.linspace(low, high, ACROSS) for low, high in view]
        edges = [codes == code for code in range(several)] if several > 2 else [codes == 1]
        for surface in edges if values is codes else [values]:
            level = 0.5 if surface.dtype == bool else 0.0
            if surface.min() <= level < surface.max():
                axes.contour(*sides, surface, levels=[level], colors=[ink(axes)], linewidths=1.2)


def _predictor(model: Any, X: Any) -> Callable[[Array], NDArray[Any]]:
    """From points to scores where two classes have them, else to class numbers."""
    columns = getattr(X, "columns", None)

    def predict(points: Array) -> NDArray[Any]:
        rows = points if columns is None else type(X)(dict(zip(columns, points.T, strict=True)))
        if len(model.classes_) == 2 and hasattr(model, "decision_function"):
            return np.asarray(model.decision_function(rows), dtype=np.float64)
        return np.asarray(np.searchsorted(model.classes_, model.predict(rows)))

    return predict
