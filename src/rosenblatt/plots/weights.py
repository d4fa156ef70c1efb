"""What a model has learned to look for."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from sklearn.utils.validation import check_is_fitted

from rosenblatt.explain.records import of_class
from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.inputs.labels import list_text
from rosenblatt.inputs.parameters import check_count, wrong
from rosenblatt.plots.display import Display
from rosenblatt.plots.drawing import AGAINST, FOR, Array, ink, legible
from rosenblatt.plots.examples import feature_names


@dataclass
class WeightsDisplay(Display):
    """The largest and the smallest weights of a linear model as bars, with their features' names.

    A weight says how fast the score changes with its feature. The largest speak for the class,
    the smallest against it. Compare weights of features on one scale only: scale them first if
    they are not. `PrototypesDisplay` suits features that are pixels.

    Parameters
    ----------
    values : ndarray
        The weights drawn, from the largest to the smallest.

    names : list of str
        Their features.

    label : str
        The class that they speak for.

    Attributes
    ----------
    bars_ : BarContainer

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.plots import WeightsDisplay
    >>> X, y = [[0.0, 2.0, -3.0], [1.0, -1.0, 1.0]], ["good", "bad"]
    >>> model = Perceptron(shuffle=False).fit(X, y)
    >>> names = ["fun", "kind", "dull"]
    >>> display = WeightsDisplay.from_estimator(model, feature_names=names, n=1)
    >>> display.names, display.values
    (['kind', 'dull'], array([ 2., -3.]))
    >>> plt.close(display.figure_)
    """

    __module__ = "rosenblatt.plots"

    values: Array
    names: list[str]
    label: str
    bars_: Any = field(init=False, repr=False)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        *,
        label: Any = None,
        n: int = 10,
        feature_names: Any = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the weights of a fitted linear model.

        Parameters
        ----------
        model : fitted linear classifier

        label : one of ``classes_``, optional
            The class whose weights to draw; of two classes, the second if not given.

        n : int, default=10
            How many of the largest, and how many of the smallest, to draw.

        feature_names : sequence of str, optional
            Such as a vectorizer's ``get_feature_names_out()``; if not given, those of the model.

        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        """
        check_count("n", n)
        weights, label = weights_for(model, label)
        name = namer(model, feature_names, len(weights), lambda k: f"feature {k}")
        order = np.argsort(-weights, kind="stable")
        if len(order) > 2 * n:
            order = np.concatenate([order[:n], order[-n:]])
        return cls(weights[order], [name(k) for k in order.tolist()], str(label)).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on a new figure."""
        axes = self._draw_on(ax, size=(6.4, 1.2 + 0.25 * len(self.values)))
        places = np.arange(len(self.values))
        colours = [FOR if value >= 0 else AGAINST for value in self.values]
        self.bars_ = axes.barh(places, self.values, color=colours)
        axes.set_yticks(places, [legible(name) for name in self.names])
        axes.invert_yaxis()
        axes.axvline(0, color=ink(axes), linewidth=0.8)
        label = legible(self.label)
        axes.set_xlabel(f"weight: against {label} (left), for {label} (right)")
        axes.spines[["top", "right"]].set_visible(False)
        return self


@dataclass
class PrototypesDisplay(Display):
    """The weights of each class as a picture, for features that are pixels.

    The weights of a class are a prototype: the more a picture looks like it, the higher the
    score. All pictures share one scale, blank at zero.

    Parameters
    ----------
    pictures : ndarray of shape (n, height, width)
        The weights.

    labels : list of str
        What each picture speaks for.

    Attributes
    ----------
    images_ : list of AxesImage

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_digits
    >>> from rosenblatt import AveragedPerceptron
    >>> from rosenblatt.plots import PrototypesDisplay
    >>> model = AveragedPerceptron(random_state=0).fit(*load_digits(return_X_y=True))
    >>> display = PrototypesDisplay.from_estimator(model)
    >>> display.pictures.shape
    (10, 8, 8)
    >>> plt.close(display.figure_)
    """

    __module__ = "rosenblatt.plots"

    pictures: Array
    labels: list[str]
    images_: list[Any] = field(init=False, repr=False)

    @classmethod
    def from_estimator(
        cls, model: Any, *, shape: tuple[int, int] | None = None, ax: Axes | None = None
    ) -> Self:
        """Draw the weights of a fitted linear model.

        Parameters
        ----------
        model : fitted linear classifier

        shape : (height, width), optional
            Of a picture whose pixels, row by row, are the features; a square if not given.

        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        """
        coef = _coef(model)
        shape = shape_for(coef.shape[1], shape)
        labels = [str(label) for label in model.classes_[-len(coef) :].tolist()]
        return cls(coef.reshape(-1, *shape), labels).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on a new figure."""
        count, height, width = self.pictures.shape
        columns = int(np.ceil(np.sqrt(2 * count))) if count > 3 else count
        rows = -(-count // columns)
        size = (1.2 * columns + 1.2, 1.35 * rows * height / width + 0.4)
        axes = self._draw_on(ax, size=(max(3.2, size[0]), max(2.0, size[1])))
        most = max(float(np.abs(self.pictures).max()), 1e-300)
        self.images_ = []
        for k, (picture, label) in enumerate(zip(self.pictures, self.labels, strict=True)):
            left, top = 1.12 * width * (k % columns), 1.32 * height * (k // columns)
            extent = (left, left + width, top + height, top)
            scale = {"cmap": "PuOr", "vmin": -most, "vmax": most}
            self.images_.append(axes.imshow(picture, extent=extent, **scale))
            axes.text(
                left + width / 2, top - 0.05 * height, legible(label), ha="center", va="bottom"
            )
        right, bottom = 1.12 * width * columns - 0.12 * width, 1.32 * height * rows
        axes.set(xlim=(0, right), ylim=(bottom - 0.32 * height, -0.32 * height))
        axes.set_axis_off()
        bar = self.figure_.colorbar(self.images_[0], ax=axes, shrink=0.8)
        bar.set_label("weight")
        return self


def weights_for(model: Any, label: Any) -> tuple[Array, Any]:
    """The weights that speak for a class, and the class."""
    coef = _coef(model)
    classes = model.classes_.tolist()
    if label is None and len(classes) == 2:
        label = classes[1]
    if label not in classes:
        allowed = f"be the class whose weights to draw, one of {list_text(model.classes_)}"
        raise wrong("label", label, allowed)
    return of_class(classes.index(label), len(classes), coef), label


def namer(
    model: Any, given: Any, width: int, otherwise: Callable[[int], str]
) -> Callable[[int], str]:
    """What names a feature by its number: the names given, or those of the model, or others.

    Names are asked for one by one, as they may take long to make.
    """
    names = feature_names(model) if given is None else given
    if names is None:
        return otherwise
    if not hasattr(names, "__getitem__"):
        names = list(names)
    if len(names) != width:
        allowed = f"name each of the {width} features"
        raise InputError(Name("feature_names"), must=allowed, got=f"{len(names)} names")
    return lambda k: str(names[k])


def shape_for(width: int, shape: tuple[int, int] | None) -> tuple[int, int]:
    """Height and width of pictures of so many pixels."""
    if shape is None:
        side = round(width**0.5)
        shape = (side, side)
    if shape[0] * shape[1] != width:
        raise wrong("shape", tuple(shape), f"be the height and width of pictures of {width} pixels")
    return shape


def _coef(model: Any) -> Array:
    check_is_fitted(model)
    coef = getattr(model, "coef_", None)
    if coef is None or not hasattr(model, "classes_"):
        raise TypeError(
            f"{type(model).__name__} has no weights to draw: pass a linear classifier, of a "
            "pipeline its last step."
        )
    return np.asarray(coef.toarray() if hasattr(coef, "toarray") else coef, dtype=np.float64)
