"""Colours, marks, axes and arrows that the pictures share."""

from functools import lru_cache
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_rgba
from matplotlib.font_manager import get_font
from matplotlib.image import AxesImage
from matplotlib.lines import AxLine
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation, Text
from matplotlib.typing import ColorType
from numpy.typing import NDArray

Array = NDArray[np.float64]
View = tuple[tuple[float, float], tuple[float, float]]

COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Okabe and Ito (2008), those first that stand out from both white and black."""
MARKS = "so^DvPX*"
DASHES = ("-", "--", ":", "-.")
AGAINST, FOR = COLOURS[:2]
"""What speaks for the first of two classes, and for the second."""
MOVED = COLOURS[2]

RATIO = 1.25
"""Of the width of a picture to its height."""


class Formula(str):
    """Text that matplotlib is to typeset."""

    __module__ = "rosenblatt.plots"

    __slots__ = ()


def legible(text: Any) -> str:
    """Text of the caller's as it stands: no formulas, and no letters that the font lacks.

    These, and what is no letter at all, are spelled out. ``rcParams["font.family"]`` may name
    several fonts, of which each letter needs one.
    """
    if isinstance(text, Formula):
        return text
    fonts = [get_font(path) for path in _paths(tuple(plt.rcParams["font.family"]))]

    def spelled(letter: str) -> str:
        known = letter.isprintable() and any(font.get_char_index(ord(letter)) for font in fonts)
        return letter if known else letter.encode("unicode-escape").decode()

    text = str(text)
    if not (text.isascii() and text.isprintable()):
        text = "".join(map(spelled, text))
    return text.replace("$", r"\$")


@lru_cache
def _paths(families: tuple[str, ...]) -> list[str]:
    return [font_manager.findfont(font_manager.FontProperties(family=[each])) for each in families]


def ink(ax: Axes) -> ColorType:
    """The colour of text and lines on these axes."""
    return ax.xaxis.label.get_color()


def paper(ax: Axes) -> ColorType:
    """The colour behind them."""
    face = to_rgba(ax.get_facecolor())
    return face if face[3] else plt.rcParams["axes.facecolor"]


def halo(ax: Axes) -> list[Any]:
    """An outline that keeps text legible over points and lines."""
    return [withStroke(linewidth=3, foreground=paper(ax), alpha=0.85)]


def colour_of(code: int) -> str:
    return COLOURS[code % len(COLOURS)]


def mark_of(code: int) -> str:
    return MARKS[code % len(MARKS)]


def scatter(
    ax: Any,
    points: Array,
    codes: NDArray[Any],
    classes: NDArray[Any],
    size: float = 36.0,
    **options: Any,
) -> list[Any]:
    """The points of each class in its colour and mark; returns one collection for each class."""
    size *= min(1.4, max(0.15, (200 / max(1, len(points))) ** 0.5))
    return [
        ax.scatter(
            *points[codes == code].T,
            s=size,
            c=colour_of(code),
            marker=mark_of(code),
            edgecolors=[paper(ax)],
            linewidths=0.5,
            label=legible(label),
            zorder=3,
            **options,
        )
        for code, label in enumerate(classes.tolist())
    ]


def ring(ax: Any, points: Array, label: str, **options: Any) -> Any:
    """Circles around some points."""
    style = {"s": 130, "facecolors": "none", "edgecolors": [ink(ax)], "linewidths": 1.3} | options
    return ax.scatter(*points.T, label=label, zorder=4, **style)


def tint(ax: Axes, view: View, codes: NDArray[Any], classes: int) -> AxesImage:
    """The colours of classes behind everything else, for a grid of their numbers over the view."""
    return ax.imshow(
        codes,
        cmap=ListedColormap([colour_of(code) for code in range(classes)]),
        vmin=-0.5,
        vmax=classes - 0.5,
        extent=(*view[0], *view[1]),
        origin="lower",
        interpolation="nearest",
        alpha=0.2,
        aspect=ax.get_aspect(),
        zorder=0,
    )


def grid_of(view: View, across: int) -> Array:
    """Points of the plane, row by row from the bottom."""
    x, y = (np.linspace(low, high, across) for low, high in view)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def view_of(points: Array, *, room: float = 0.1) -> View:
    """Limits that show every point, with the same unit both ways unless that would squash them."""
    low, high = points.min(axis=0), points.max(axis=0)
    span = np.maximum(high - low, 1e-12 * np.maximum(1.0, np.abs(high)))
    if (high == low).any():
        span[:] = max(span.max(), 1.0 if (high == low).all() else 0.0)
    if span.max() <= 12 * span.min() or (high == low).any():
        span[:] = max(span[0], span[1] * RATIO) * np.array([1.0, 1 / RATIO])
    middle, reach = (low + high) / 2, (0.5 + room) * span
    (left, bottom), (right, top) = middle - reach, middle + reach
    return (left, right), (bottom, top)


def set_view(ax: Axes, view: View) -> None:
    """Set the limits, and equal units where they are close to it."""
    ax.set(xlim=view[0], ylim=view[1])
    (left, right), (bottom, top) = view
    if 0.5 < (right - left) / (top - bottom) < 2:
        ax.set_aspect("equal")


def line(ax: Axes, w: Array, b: float, **style: Any) -> AxLine | None:
    """The line w . x + b = 0 in the plane; none if w is zero, as there is none then."""
    squared = float(w @ w)
    if squared == 0.0:
        return None
    x, y = -b * w / squared
    return ax.axline((x, y), (x - w[1] / squared**0.5, y + w[0] / squared**0.5), **style)


def arrow(ax: Axes, start: Array, end: Array, **options: Any) -> Annotation:
    """An arrow in data units."""
    properties = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "linewidth": 1.8} | options
    return ax.annotate("", tuple(end), tuple(start), arrowprops=properties, zorder=4)


def caption(
    ax: Axes, text: str, at: Array, towards: Array | tuple[float, float], **options: Any
) -> Text:
    """Text a little way from a point, on the side that ``towards`` points to."""
    x, y = np.asarray(towards) / max(1e-300, float(np.hypot(*towards)))
    return ax.annotate(
        text,
        tuple(at),
        (9 * x, 9 * y),
        textcoords="offset points",
        ha="left" if x > 0.3 else "right" if x < -0.3 else "center",
        va="bottom" if y > 0.3 else "top" if y < -0.3 else "center",
        **({"color": ink(ax), "path_effects": halo(ax), "zorder": 5} | options),
    )


def add_legend(ax: Axes) -> None:
    """Beside the axes if the figure's layout makes room for it, else where it hides least."""
    figure = ax.get_figure(root=True)
    engine = figure.get_layout_engine() if figure is not None else None
    if engine is not None and engine.adjust_compatible is False:
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0, frameon=False)
    else:
        ax.legend(framealpha=0.7)
