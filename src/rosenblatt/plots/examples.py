"""Examples as points of the plane."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import check_array

from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.inputs.labels import distinct, encode, read_labels
from rosenblatt.plots.display import Display
from rosenblatt.plots.drawing import (
    Array,
    Formula,
    add_legend,
    legible,
    ring,
    scatter,
    set_view,
    view_of,
)


@dataclass
class LabelledPoints:
    """Rows, the number of each one's class, and what features and classes are called."""

    __module__ = "rosenblatt.plots"

    X: Array
    codes: NDArray[Any]
    classes: NDArray[Any]
    names: list[str]

    @classmethod
    def read(cls, X: Any, y: Any, model: Any = None) -> Self:
        """What the caller passed, checked; classes in the order of the model's if there is one."""
        table = check_array(X, accept_sparse="csr", dtype=np.float64)
        rows = table.toarray() if sparse.issparse(table) else table
        labels = read_labels(type(model).__name__, y, len(rows))
        known = getattr(model, "classes_", None)
        classes = distinct(labels) if known is None else np.asarray(known)
        return cls(rows, encode(labels, classes), classes, names_of(rows.shape[1], model, X))

    def draw(self, ax: Any, **options: Any) -> list[Any]:
        """The points of each class, and what the axes are called; as `scatter` returns them."""
        named = zip("xyz", self.names, strict=False)
        ax.set(**{f"{axis}label": legible(name) for axis, name in named})
        return scatter(ax, self.X, self.codes, self.classes, **options)


def feature_names(model: Any, X: Any = None) -> Sequence[Any] | None:
    """The names that the model or the columns of X have, if they have any."""
    names = getattr(model, "feature_names_in_", None)
    return getattr(X, "columns", None) if names is None else names


def names_of(width: int, model: Any, X: Any) -> list[str]:
    """What the features of a picture are called; only so many as can be axes have names."""
    names = feature_names(model, X)
    shown = range(width if width <= 3 else 0)
    return [symbol(k) if names is None else str(names[k]) for k in shown]


def symbol(number: int) -> str:
    """What a feature without a name is called."""
    return Formula(f"$x_{{{number + 1}}}$")


@dataclass
class ExamplesDisplay(Display):
    """Examples of two features as points, a colour and a mark for each class.

    Use `BoundaryDisplay` to see what a model makes of them.

    Parameters
    ----------
    examples : LabelledPoints
        Rows, classes and names; `from_data` reads them.

    highlight : ndarray of int
        Rows to circle.

    Attributes
    ----------
    points_ : list of PathCollection
        The points of each class.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from rosenblatt.plots import ExamplesDisplay
    >>> xor = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> display = ExamplesDisplay.from_data(xor, ["off", "on", "on", "off"])
    >>> [len(points.get_offsets()) for points in display.points_]
    [2, 2]
    >>> plt.close(display.figure_)
    """

    __module__ = "rosenblatt.plots"

    examples: LabelledPoints
    highlight: NDArray[np.intp]
    points_: list[Any] = field(init=False, repr=False)

    @classmethod
    def from_data(cls, X: Any, y: Any, *, highlight: Any = (), ax: Axes | None = None) -> Self:
        """Draw rows of two features and their labels.

        Parameters
        ----------
        X : array-like of shape (n_samples, 2)

        y : array-like of shape (n_samples,)

        highlight : array-like of int, optional
            Rows to circle, such as those that contradict each other.

        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        """
        examples = LabelledPoints.read(X, y)
        width = examples.X.shape[1]
        if width != 2:
            raise InputError(
                *("ExamplesDisplay draws two features, ", Name("X"), f" has {width}"),
                remedy="pass two of its columns, or BoundaryDisplay a linear model, which shows "
                "where to look from",
            )
        return cls(examples, np.asarray(highlight, dtype=np.intp)).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on a new figure."""
        axes = self._draw_on(ax)
        examples = self.examples
        set_view(axes, view_of(examples.X))
        self.points_ = examples.draw(axes)
        if len(self.highlight):
            ring(axes, examples.X[self.highlight], "highlighted")
        add_legend(axes)
        return self
