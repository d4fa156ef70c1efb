"""The widest margin as a quadratic program: its bounds, and the best that a solver has met."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Array = NDArray[np.float64]

CLOSE_ENOUGH = 1e-8
"""How near, relatively, both bounds are brought."""
NOTHING = 1e-13
"""A margin so small beside differences of length one that rounding hides it."""
PATIENCE = 5
"""Iterations that may pass without progress."""
TINY = 1e-300


class Point(NamedTuple):
    """Where a solver stands: weights, intercepts, and a multiplier for each difference."""

    weights: Array
    intercepts: Array
    multipliers: Array


@dataclass(frozen=True)
class MarginProgram:
    """The widest margin for differences D of length one at most and constants C.

    ::

        minimise ½ |v|² - t   subject to   D v + C b ≥ t

    Its solution points in the direction with the widest margin, its length the margin. Unlike the
    form with margins of one this has a solution whether or not the examples can be separated
    (then v = 0), and needs no guess of the scale.
    """

    D: Any
    C: Any

    def lower_bound(self, v: Array, b: Array) -> float:
        """The margin that the weights reach."""
        return float((self.D @ v + self.C @ b).min()) / max(float(np.linalg.norm(v)), TINY)

    def upper_bound(self, multipliers: Array) -> float:
        """A margin that no weights of length one exceed.

        For any α ≥ 0 with sum one and any separator, its margin is at most α · (D v + C b), and
        that is |D' α| + |C' α|₁ at most: where differences are no longer than one, a separator
        needs no intercepts further apart than that.
        """
        alpha = multipliers / multipliers.sum()
        return float(np.linalg.norm(self.D.T @ alpha) + np.abs(self.C.T @ alpha).sum())

    def constraints(self) -> tuple[Any, Array, Array]:
        """The matrix A of ``A x ≥ 0`` for x = (v, b, t), and the curvature and slope of the aim."""
        rows, columns = self.D.shape
        parts = [self.D, self.C.toarray(), -np.ones((rows, 1))]
        stored = sparse.issparse(self.D)
        A = sparse.hstack(parts, format="csr") if stored else np.hstack(parts)
        curvature, slope = np.zeros(A.shape[1]), np.zeros(A.shape[1])
        curvature[:columns], slope[-1] = 1.0, -1.0
        return A, curvature, slope


@dataclass
class BestSoFar:
    """The best weights and the best multipliers so far, which need not be of one iteration."""

    program: MarginProgram
    point: Point
    lowest: float = -np.inf
    highest: float = np.inf
    idle: int = 0

    def note(self, x: Array, multipliers: Array) -> None:
        """Look at an iteration's x = (v, b, t) and multipliers."""
        columns = self.program.D.shape[1]
        v, b = x[:columns], x[columns:-1]
        lower = self.program.lower_bound(v, b)
        upper = self.program.upper_bound(multipliers)
        better = upper - lower < 0.9 * (self.highest - self.lowest) or upper < 0.9 * self.highest
        self.idle = 0 if better else self.idle + 1
        if lower > self.lowest:
            self.lowest, self.point = lower, self.point._replace(weights=v, intercepts=b)
        if upper < self.highest:
            self.highest, self.point = upper, self.point._replace(multipliers=multipliers)

    @property
    def gap(self) -> float:
        return self.highest - self.lowest

    @property
    def close(self) -> bool:
        """Whether both bounds meet, or no margin is left to find."""
        met = self.lowest >= (1 - CLOSE_ENOUGH) * self.highest
        return met or self.highest <= NOTHING

    @property
    def over(self) -> bool:
        """Whether there is nothing more to gain."""
        return self.close or self.idle > PATIENCE


def transposed(A: Any) -> Any:
    """The transpose, quick to walk by rows."""
    return sparse.csr_array(A.T) if sparse.issparse(A) else A.T
