"""The boundary among three features."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from sklearn.utils.validation import check_is_fitted

from rosenblatt.plots.display import Display
from rosenblatt.plots.drawing import Array, add_legend, ink
from rosenblatt.plots.examples import LabelledPoints
from rosenblatt.plots.hyperplane import Hyperplane


@dataclass
class PlaneDisplay(Display):
    """Examples of three features in space, and the plane by which a linear model parts them.

    Shows how a feature more can separate what no line could: two inputs and whether both are on,
    x3 = x1 x2, make a plane possible where XOR allowed no line.

    Parameters
    ----------
    examples : LabelledPoints
        What is drawn as points, in three dimensions.

    hyperplane : Hyperplane
        The plane w . x + b = 0.

    Attributes
    ----------
    corners_ : ndarray of shape (n_corners, 3)
        Of the part of the plane that is drawn, within a box around the examples; none if it
        passes them by.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.plots import PlaneDisplay
    >>> lifted, y = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]], ["off", "on", "on", "off"]
    >>> model = Perceptron(max_iter=100, random_state=0).fit(lifted, y)
    >>> display = PlaneDisplay.from_estimator(model, lifted, y)
    >>> plt.close(display.figure_)
    """

    __module__ = "rosenblatt.plots"

    examples: LabelledPoints
    hyperplane: Hyperplane
    corners_: Array = field(init=False, repr=False)

    @classmethod
    def from_estimator(cls, model: Any, X: Any, y: Any, *, ax: Axes | None = None) -> Self:
        """Draw the plane of a fitted model and the examples.

        Parameters
        ----------
        model : fitted linear classifier of two classes

        X : array-like of shape (n_samples, 3)

        y : array-like of shape (n_samples,)

        ax : matplotlib Axes3D, optional
            Where to draw, made with ``projection="3d"``; a new figure if not given.
        """
        check_is_fitted(model)
        examples, plane = LabelledPoints.read(X, y, model), Hyperplane.of(model)
        if plane is None or examples.X.shape[1] != 3:
            raise ValueError(
                f"PlaneDisplay draws a linear model of two classes and three features, got "
                f"{type(model).__name__} and {examples.X.shape[1]} features: try BoundaryDisplay."
            )
        return cls(examples, plane).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on a new figure."""
        if ax is not None and not hasattr(ax, "get_zlim"):
            raise TypeError("PlaneDisplay needs ax made with projection='3d'.")
        axes = self._draw_on(ax, projection="3d")
        examples = self.examples
        low, high = examples.X.min(axis=0), examples.X.max(axis=0)
        room = 0.15 * np.where(high > low, high - low, 1.0)
        self.corners_ = self._corners(low - room, high + room)
        if len(self.corners_):
            style = {"facecolors": ink(axes), "edgecolors": ink(axes), "alpha": 0.18}
            axes.add_collection3d(Poly3DCollection([self.corners_], **style))
        examples.draw(axes, size=70, depthshade=False)
        for name, limits in zip("xyz", np.stack([low - room, high + room]).T, strict=True):
            axes.set(**{f"{name}lim": limits})
        add_legend(axes)
        return self

    def _corners(self, low: Array, high: Array) -> Array:
        """Where the plane cuts the edges of the box, in turn around it."""
        plane = self.hyperplane
        cuts = []
        for start, end in _edges(low, high):
            here, there = plane.distances(np.stack([start, end]))
            if here * there <= 0 and here != there:
                cuts.append(start + here / (here - there) * (end - start))
        if len(cuts) < 3:
            return np.empty((0, 3))
        middle = np.mean(cuts, axis=0)
        first, second = np.linalg.svd(plane.w[np.newaxis])[2][1:]
        around = [np.arctan2((cut - middle) @ second, (cut - middle) @ first) for cut in cuts]
        return np.array(cuts)[np.argsort(around)]


def _edges(low: Array, high: Array) -> Iterator[tuple[Array, Array]]:
    """The twelve edges of a box."""
    for axis in range(3):
        for k in range(4):
            start = low.copy()
            first, second = (other for other in range(3) if other != axis)
            start[first] = (low, high)[k % 2][first]
            start[second] = (low, high)[k // 2][second]
            end = start.copy()
            end[axis] = high[axis]
            yield start, end
