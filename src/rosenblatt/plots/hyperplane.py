"""The boundary of a linear model of two classes, and planes to look at it in."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse.linalg import svds

from rosenblatt.plots.drawing import Array
from rosenblatt.plots.examples import LabelledPoints

FEW = 300
"""Rows or columns up to which all directions are soon found."""


@dataclass(frozen=True)
class Hyperplane:
    """Where w . x + b = 0; the second class lies on the side that w points to."""

    __module__ = "rosenblatt.plots"

    w: Array
    b: float = 0.0

    @classmethod
    def of(cls, model: Any) -> "Hyperplane | None":
        """The boundary of a linear model of two classes, None if the model is not one."""
        coef = getattr(model, "coef_", None)
        if not getattr(model, "_scores_by_weights", True):
            return None
        if getattr(model, "binarize", None) is not None:  # flat but for steps
            return None
        if coef is None or len(getattr(model, "classes_", ())) != 2 or np.shape(coef)[0] != 1:
            return None
        w = np.asarray(coef.toarray() if hasattr(coef, "toarray") else coef, dtype=np.float64)
        return cls(w[0], float(np.ravel(model.intercept_)[0]))

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.w))

    def distances(self, X: Array) -> Array:
        """How far each row lies from the boundary, below zero on the side of the first class."""
        scores: Array = X @ self.w + self.b
        return scores / self.length if self.length else scores

    def nearest_to(self, point: Array) -> Array:
        """The point of the boundary that is nearest to this one."""
        return point - (point @ self.w + self.b) / self.length**2 * self.w

    def in_plane(self, examples: LabelledPoints) -> "tuple[LabelledPoints, Hyperplane]":
        """Examples and boundary in the plane: two features as they are, else as seen along w.

        Then the other direction is that across w in which they vary most. Distances from the
        boundary stay as they are.
        """
        X = examples.X
        if X.shape[1] == 2:
            return examples, self
        across = X - np.outer(X @ self.w, self.w) / max(self.length**2, 1e-300)
        direction = main_direction(across - across.mean(axis=0))
        points = np.column_stack([self.distances(X), across @ direction])
        names = ["distance from the boundary, along w", "main direction across w"]
        flat = LabelledPoints(points, examples.codes, examples.classes, names)
        return flat, Hyperplane(np.array([1.0, 0.0]))


def main_direction(X: Array) -> Array:
    """The direction in which rows around zero vary most, told up to its sign."""
    if min(X.shape) <= FEW:
        direction: Array = np.linalg.svd(X, full_matrices=False)[2][0]
    else:  # all directions would take minutes where there are thousands
        direction = svds(X, k=1, v0=np.ones(min(X.shape)), tol=1e-3, random_state=0)[2][0]
    return direction
