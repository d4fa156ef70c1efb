"""The widest margin of many examples, by the augmented Lagrangian and Newton's method."""

from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg

from rosenblatt.theory.differences import squared_lengths
from rosenblatt.theory.margin_program import (
    CLOSE_ENOUGH,
    Array,
    BestSoFar,
    MarginProgram,
    Point,
    transposed,
)

PENALTY = 25.0
"""What a violated constraint costs at first, and how that grows."""
GROWTH = 2.0
ROUNDS = 40
NEWTON_STEPS = 40
GRADIENT_STEPS = 3000


def solve_by_augmented_lagrangian(program: MarginProgram) -> BestSoFar:
    """Rockafellar's method of multipliers (1976) on the constraints A x ≥ 0.

    Each round minimises, over x alone, ::

        ½ |v|² - t + |max(0, α - σ A x)|² / 2σ

    whose minimum makes the next multipliers, α = max(0, α - σ A x). It is convex and piecewise
    quadratic: Newton's method ends in few steps, each a linear system of those rows alone that are
    violated or hold a multiplier, solved by conjugate gradients. Nothing larger than the rows is
    ever kept, and all of them are looked at only once for each step. A little of the distance from
    the last b and t is added too, for they have no curvature of their own.
    """
    A, curvature, slope = program.constraints()
    rows, columns = program.D.shape
    multipliers = np.full(rows, 1.0 / rows)
    x = np.zeros(len(slope))
    x[:columns] = program.D.T @ multipliers
    best = BestSoFar(program, Point(x[:columns], x[columns:-1], multipliers))
    penalty, gap = PENALTY, 1.0
    for _ in range(ROUNDS):
        hold = np.where(curvature > 0, 0.0, 1 / penalty)
        x, multipliers = _minimise(
            A, curvature + hold, slope - hold * x, x, multipliers, penalty, good_enough=0.02 * gap
        )
        if not multipliers.any():  # rounding: the penalty drowns everything else
            break
        best.note(x, multipliers)
        if best.over:
            break
        gap = max(best.gap, CLOSE_ENOUGH * best.highest)
        penalty *= GROWTH
    return best


def _minimise(
    A: Any,
    curvature: Array,
    slope: Array,
    x: Array,
    multipliers: Array,
    penalty: float,
    *,
    good_enough: float,
) -> tuple[Array, Array]:
    """The x of least augmented Lagrangian, and the multipliers that follow from it."""
    surplus = A @ x
    pull = np.maximum(0.0, multipliers - penalty * surplus)
    for _ in range(NEWTON_STEPS):
        active = np.flatnonzero(pull)
        part = A[active]
        part_T = transposed(part)
        gradient = curvature * x + slope - part_T @ pull[active]
        size = float(np.linalg.norm(gradient))
        if size <= good_enough:
            break
        tolerance = min(0.03, max(1e-3, 0.3 * good_enough / size))
        step = _newton_step(part, part_T, curvature, penalty, -gradient, tolerance)
        along = A @ step
        downhill = float(gradient @ step)
        start, bend = float((curvature * x + slope) @ step), float((curvature * step) @ step)
        length = 1.0
        while length > 1e-9:
            pull = np.maximum(0.0, multipliers - penalty * (surplus + length * along))
            if start + length * bend - float(pull @ along) <= -0.1 * downhill:
                break  # no longer uphill, but for rounding
            length /= 2
        x, surplus = x + length * step, surplus + length * along
    return x, pull


def _newton_step(
    part: Any, part_T: Any, curvature: Array, penalty: float, right: Array, tolerance: float
) -> Array:
    """The solution of ``(diag(curvature) + penalty part' part) x = right``.

    By conjugate gradients (Hestenes and Stiefel, 1952), each coordinate divided by its own scale.
    """
    scale = curvature + penalty * squared_lengths(part_T)
    size = (len(right), len(right))
    system = LinearOperator(size, lambda x: curvature * x + penalty * (part_T @ (part @ x)))
    scaling = LinearOperator(size, lambda x: x / scale)
    return cg(system, right, rtol=tolerance, maxiter=GRADIENT_STEPS, M=scaling)[0]
