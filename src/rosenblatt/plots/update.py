"""One step of learning, before and after."""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from sklearn.utils.validation import check_is_fitted

from rosenblatt.explain.replay import Update, retrace, row_of
from rosenblatt.inputs.errors import InputError, Parameter
from rosenblatt.plots.display import Display
from rosenblatt.plots.drawing import (
    AGAINST,
    FOR,
    MOVED,
    Array,
    add_legend,
    arrow,
    caption,
    colour_of,
    ink,
    legible,
    line,
    mark_of,
    paper,
    set_view,
    view_of,
)
from rosenblatt.plots.examples import names_of


@dataclass
class UpdateDisplay(Display):
    """One update of a model: the old weights, the difference added to them, the new weights.

    The new weights are the diagonal of the parallelogram that the old ones span with step times
    d, where d is y x. They lean towards the right side, and the boundary, at right angles to
    them, turns with them. One update need not put the example right.

    Two features are drawn as they are. With more, the picture is of the plane that holds the old
    weights and the example, where all this happens. With more than two classes the weights are
    those of the right class minus the rival's, and d is 2 x.

    Parameters
    ----------
    before, change : ndarray of shape (2,)
        The old weights, and what was added.

    intercepts : tuple of float
        The intercept before and after.

    example : ndarray of shape (2,)
        The example learned from.

    right : int
        The number of its class.

    labels : tuple of str
        The class of the example and its rival.

    margins : tuple of float
        How clearly right the example was before and after; zero or less is wrong.

    names : list of str
        Names for the axes.

    Attributes
    ----------
    after : ndarray of shape (2,)
        The new weights.

    arrows_ : dict of Annotation
        Those of the weights ``before`` and ``after`` and of the ``change``.

    boundaries_ : tuple of AxLine or None
        The boundaries before and after; there is none while weights are zero.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.plots import UpdateDisplay
    >>> X, y = [[1.0, 0.0], [-1.0, 1.0]], [1, 1]
    >>> model = Perceptron(shuffle=False, fit_intercept=False, record=True)
    >>> display = UpdateDisplay.from_estimator(model.partial_fit(X, y, classes=[0, 1]), X, y)
    >>> display.before, display.change, display.after
    (array([1., 0.]), array([-1.,  1.]), array([0., 1.]))
    >>> plt.close(display.figure_)
    """

    __module__ = "rosenblatt.plots"

    before: Array
    change: Array
    intercepts: tuple[float, float]
    example: Array
    right: int
    labels: tuple[str, str]
    margins: tuple[float, float]
    names: list[str]
    arrows_: dict[str, Any] = field(init=False, repr=False, default_factory=dict)
    boundaries_: tuple[Any, Any] = field(init=False, repr=False)

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, y: Any, *, update: int | None = None, ax: Axes | None = None
    ) -> Self:
        """Draw one update of a model that was fitted with ``record=True``.

        Parameters
        ----------
        model : fitted member of the family
            Fitted with ``record=True`` in one call, on X and y.

        X : array-like or sparse matrix of shape (n_samples, n_features)

        y : array-like of shape (n_samples,)

        update : int, optional
            The place of the update in ``mistakes_``, negative ones counted from the last; if not
            given, the first that finds weights which are not zero.

        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        """
        check_is_fitted(model)
        chosen = None
        for number, one in enumerate(retrace(model, X, y)):
            if update is None:
                wanted = chosen is None or not chosen.before.any()
            else:
                wanted = number == update % model.n_updates_
            chosen = one if wanted else chosen
        count = model.n_updates_
        if chosen is None or not -count <= (update or 0) < count:
            raise InputError(Parameter("update", update), f" asks for one of {count} updates")
        return cls._of(chosen, model, X).plot(ax)

    @classmethod
    def _of(cls, update: Update, model: Any, X: Any) -> Self:
        if len(model.classes_) == 2:
            side = 2 * update.right - 1
            before, after = update.before[0], update.after[0]
        else:
            side = 1
            before, after = (
                w[update.right] - w[update.rival] for w in (update.before, update.after)
            )
        x = row_of(X, update.example)
        basis = np.eye(2) if len(x) == 2 else _plane_of(before[:-1], x)
        names = names_of(len(x), model, X)
        if len(x) != 2:
            names = ["along the example", "across it, in the plane of the old weights"]
        framed = np.append(x, float(model.fit_intercept))
        labels = model.classes_[[update.right, update.rival]].tolist()
        return cls(
            basis @ before[:-1],
            basis @ (after - before)[:-1],
            (float(before[-1]), float(after[-1])),
            basis @ x,
            update.right,
            (str(labels[0]), str(labels[1])),
            (float(side * before @ framed), float(side * after @ framed)),
            names,
        )

    @property
    def after(self) -> Array:
        return self.before + self.change

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on a new figure."""
        axes = self._draw_on(ax, size=(6.8, 4.8))
        origin, before, change, after = np.zeros(2), self.before, self.change, self.after
        set_view(axes, view_of(np.stack([origin, before, change, after, self.example]), room=0.2))
        text = "{}: margin {:.3g}".format
        old = {"color": ink(axes), "linestyle": "--", "linewidth": 1.3, "alpha": 0.7}
        new = {"color": ink(axes), "linestyle": "-", "linewidth": 1.8}
        self.boundaries_ = (
            line(axes, before, self.intercepts[0], **old, label=text("before", self.margins[0])),
            line(axes, after, self.intercepts[1], **new, label=text("after", self.margins[1])),
        )
        for corner in (before, change):
            axes.plot(*np.stack([corner, after]).T, color=ink(axes), linewidth=0.9, linestyle=":")
        for name, end, symbol, colour in (
            ("before", before, "old w", AGAINST),
            ("change", change, "added", MOVED),
            ("after", after, "new w", FOR),
        ):
            if end.any():
                self.arrows_[name] = arrow(axes, origin, end, color=colour, linewidth=2.2)
                caption(axes, symbol, end, end)
        axes.plot(
            *self.example,
            mark_of(self.right),
            color=colour_of(self.right),
            markeredgecolor=paper(axes),
            markersize=10,
            linestyle="",
            zorder=6,
            label=legible(f"x: {self.labels[0]}, not {self.labels[1]}"),
        )
        axes.set(xlabel=legible(self.names[0]), ylabel=legible(self.names[1]))
        add_legend(axes)
        return self


def _plane_of(w: Array, x: Array) -> Array:
    """Two directions at right angles whose plane holds x and w, the first along x."""
    found = np.linalg.qr(np.stack([x, w, *np.eye(len(x))[:2]]).T)[0].T[:2]
    basis = np.zeros((2, len(x)))  # of a single feature there is no second direction
    basis[: len(found)] = found
    signs = np.sign([basis[0] @ x, basis[1] @ w])
    return basis * np.where(signs == 0, 1.0, signs)[:, np.newaxis]
