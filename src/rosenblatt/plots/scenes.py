"""What the frames of a replay show."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from rosenblatt.explain.replay import Update
from rosenblatt.plots.drawing import (
    Array,
    add_legend,
    grid_of,
    ink,
    legible,
    ring,
    scatter,
    set_view,
    tint,
    view_of,
)
from rosenblatt.plots.examples import LabelledPoints
from rosenblatt.plots.weights import PrototypesDisplay, shape_for

ACROSS = 120
"""Points along each side of the grid whose colours show the prediction."""


class Scene(ABC):
    """A picture that follows the updates."""

    def __init__(self, model: Any, X: Any, y: Any) -> None:
        self.examples = LabelledPoints.read(X, y, model)
        self.average = bool(model.average)

    def weights(self, update: Update) -> Array:
        """Those that predict after it."""
        return update.mean if self.average else update.after

    def pair(self, update: Update) -> str:
        """Which example was learned from, and what was taken for what."""
        right, rival = self.examples.classes[[update.right, update.rival]].tolist()
        return f"row {update.example} is {right}, not {rival}"

    @abstractmethod
    def start(self, ax: Axes, updates: list[Update]) -> None:
        """Draw what stays."""

    @abstractmethod
    def show(self, update: Update) -> str:
        """Draw the rest for this update, and say what there is to see."""


class PlaneScene(Scene):
    """Two features: the boundary among the examples, in the colours of the predictions."""

    def start(self, ax: Axes, updates: list[Update]) -> None:
        examples = self.examples
        view = view_of(examples.X)
        set_view(ax, view)
        self.reach = 10 * float(np.ptp(view))
        self.grid = grid_of(view, ACROSS)
        several = len(examples.classes)
        self.tint = tint(ax, view, np.zeros((ACROSS, ACROSS)), several)
        examples.draw(ax)
        self.lines: list[Any] = []
        if several == 2:
            names = ("average", "last weights") if self.average else ("after", "before")
            for name, style, width in zip(names, ("-", "--"), (1.8, 1.2), strict=True):
                self.lines += ax.plot(
                    [], [], color=ink(ax), linestyle=style, linewidth=width, label=name
                )
        self.circle = ring(ax, np.empty((0, 2)), "learned from", s=180, linewidths=2)
        add_legend(ax)

    def show(self, update: Update) -> str:
        weights = self.weights(update)
        other = update.after if self.average else update.before
        self.tint.set_data(predicted(weights, self.grid).reshape(ACROSS, ACROSS))
        for boundary, w in zip(self.lines, (weights, other), strict=False):
            boundary.set_data(*self._segment(w[0]))
        self.circle.set_offsets(self.examples.X[[update.example]])
        wrong = int((predicted(weights, self.examples.X) != self.examples.codes).sum())
        return f"{self.pair(update)}; {wrong} wrong now"

    def _segment(self, w: Array) -> Array:
        """A stretch of the line long enough to cross the picture; nothing while w is zero."""
        squared = float(w[:2] @ w[:2])
        if squared == 0.0:
            return np.empty((2, 0))
        foot = -w[2] * w[:2] / squared
        along = np.array([-w[1], w[0]]) / squared**0.5
        middle = foot + along * (along @ (self.grid.mean(axis=0) - foot))
        return np.stack([middle - self.reach * along, middle + self.reach * along], axis=1)


class MarginsScene(Scene):
    """Any number of features: the margin of each example over the length of the weights."""

    def start(self, ax: Axes, updates: list[Update]) -> None:
        codes, classes = self.examples.codes, self.examples.classes
        jitter = np.random.default_rng(0).uniform(-0.3, 0.3, size=len(codes))
        self.heights = codes + jitter
        late = updates[len(updates) // 2 :: max(1, len(updates) // 20)]
        self.reach = 1.2 * max(float(np.abs(self._margins(update)).max()) for update in late)
        self.points = scatter(ax, np.column_stack([0 * jitter, self.heights]), codes, classes)
        ax.axvline(0, color=ink(ax), linewidth=1.5)
        self.circle = ring(ax, np.empty((0, 2)), "learned from", s=180, linewidths=2)
        ax.set(xlim=(-self.reach, self.reach), ylim=(-0.7, len(classes) - 0.3))
        ax.set(xlabel="margin over the length of the weights: wrong (left), right (right)")
        ax.set_yticks(range(len(classes)), [legible(label) for label in classes.tolist()])

    def show(self, update: Update) -> str:
        margins = self._margins(update)
        edge = 0.98 * self.reach  # short weights at the start may throw margins far out
        places = np.column_stack([margins.clip(-edge, edge), self.heights])
        for code, points in enumerate(self.points):
            points.set_offsets(places[self.examples.codes == code])
        self.circle.set_offsets(places[[update.example]])
        wrong = int((margins <= 0).sum())
        return f"{self.pair(update)}; {wrong} wrong now"

    def _margins(self, update: Update) -> Array:
        weights, codes = self.weights(update), self.examples.codes
        scores = self.examples.X @ weights[:, :-1].T + weights[:, -1]
        if len(weights) == 1:
            margins = np.where(codes == 1, scores[:, 0], -scores[:, 0])
        else:
            rows = np.arange(len(codes))
            own = scores[rows, codes]
            scores[rows, codes] = -np.inf
            margins = own - scores.max(axis=1)
        length = float(np.linalg.norm(weights))
        return margins / length if length else margins


class PicturesScene(Scene):
    """Features that are pixels: the weights of each class as a picture."""

    def __init__(self, model: Any, X: Any, y: Any, shape: tuple[int, int]) -> None:
        super().__init__(model, X, y)
        self.shape = shape_for(model.n_features_in_, shape)

    def start(self, ax: Axes, updates: list[Update]) -> None:
        final = self._pictures(updates[-1])
        labels = [str(label) for label in self.examples.classes[-len(final) :].tolist()]
        self.images = PrototypesDisplay(final, labels).plot(ax).images_

    def show(self, update: Update) -> str:
        for image, picture in zip(self.images, self._pictures(update), strict=True):
            image.set_data(picture)
        return self.pair(update)

    def _pictures(self, update: Update) -> Array:
        return self.weights(update)[:, :-1].reshape(-1, *self.shape)


def predicted(weights: Array, X: Array) -> NDArray[np.intp]:
    """The number of the class that the weights choose for each row."""
    scores = X @ weights[:, :-1].T + weights[:, -1]
    return (scores[:, 0] > 0).astype(np.intp) if len(weights) == 1 else scores.argmax(axis=1)
