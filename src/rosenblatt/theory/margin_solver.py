"""The weights with the widest margin, and the multipliers that show how near they are to it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rosenblatt.theory.augmented_lagrangian import solve_by_augmented_lagrangian
from rosenblatt.theory.differences import LabelledRows, squared_lengths
from rosenblatt.theory.interior_point import solve_by_interior_point
from rosenblatt.theory.margin_program import Array, MarginProgram, Point
from rosenblatt.theory.working_set import is_worth_a_working_set, solve_by_working_set

FEW = 300
"""Rows of a dense matrix that are factored sooner than the rows are looked at often."""
LARGEST = 12_000
"""The most rows of a dense matrix that are factored at all: about a gigabyte."""


@dataclass(frozen=True)
class MarginSolution:
    """Weights of length one, and multipliers that show how near they are to the best."""

    w: Array
    b: Any
    upper: float
    """No weights of length one reach a greater margin."""
    rows: NDArray[np.intp]
    rivals: NDArray[np.intp]
    multipliers: Array
    """For each row and rival, how much of the bound rests on it."""


def widest_margin(
    examples: LabelledRows, *, fit_intercept: bool, augmented: bool
) -> MarginSolution:
    """The weights whose least gap between a right class and a rival is greatest.

    With ``augmented`` intercepts count in the length of the weights.
    """
    rows, rivals = examples.pairs()
    D = examples.differences(rows, rivals)
    C = examples.constants(rows, rivals)
    if not fit_intercept:
        C = C[:, :0]
    if augmented:
        D, C = sparse.csr_array(sparse.hstack([D, C])), C[:, :0]
    scale = float(np.sqrt(squared_lengths(D).max())) or 1.0
    D = D / scale
    program = MarginProgram(D.toarray() if D.nnz > 0.4 * D.shape[0] * D.shape[1] else D, C)
    found = _solve(program)
    length = float(np.linalg.norm(found.weights)) or 1.0
    stacked = np.concatenate([found.weights, found.intercepts * scale]) / length
    weights = examples.blocks * examples.width
    w, b = examples.unstacked(stacked[:weights], stacked[weights:])
    upper = program.upper_bound(found.multipliers) * scale
    return MarginSolution(w, b, upper, rows, rivals, found.multipliers)


def _solve(program: MarginProgram) -> Point:
    """By the method that suits the size; if its bounds do not meet, by the other as well."""
    smaller = min(program.D.shape)
    if smaller <= FEW:
        many = is_worth_a_working_set(program)
        return (solve_by_working_set if many else solve_by_interior_point)(program).point
    best = solve_by_augmented_lagrangian(program)
    if not best.close and smaller <= LARGEST:
        best = min(best, solve_by_interior_point(program), key=lambda found: found.gap)
    return best.point
