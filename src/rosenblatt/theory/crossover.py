"""From many multipliers that solve a system to as few as it has equations."""

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

Array = NDArray[np.float64]
Index = NDArray[np.intp]

SMALLEST_PIVOT = 1e-9
BLOCK = 64


def basis_below(M: Array, multipliers: Array) -> Index | None:
    """Columns of M, as many as rows, that solve ``M x = M multipliers`` with x ≥ 0 too.

    None if the rows of M are not independent. Large multipliers start as the basis; each
    other is pushed to zero while the basis makes up for it, and takes the place of what reaches
    zero first (the push phase of Megiddo's crossover, 1991). Up to rounding: the caller has to
    verify that the solution is positive.
    """
    size, count = M.shape
    if count < size:
        return None
    basis, others = _independent(M, multipliers)
    if basis is None:
        return None
    values = multipliers[basis]
    T = np.asfortranarray(np.linalg.solve(M[:, basis], M[:, others]))
    left, right, held = np.empty((size, BLOCK)), np.empty((BLOCK, len(others))), 0
    for place in range(len(others) - 1, -1, -1):  # the smallest first
        column = T[:, place] - left[:, :held] @ right[:held, place]
        amount = float(multipliers[others[place]])
        falling = np.flatnonzero(column < -SMALLEST_PIVOT)
        reach = np.maximum(values[falling], 0.0) / -column[falling]
        if not len(falling) or reach.min() >= amount:
            values += amount * column
            continue
        length, leaving = float(reach.min()), int(falling[reach.argmin()])
        values += length * column
        values[leaving] = amount - length
        basis[leaving] = others[place]
        row = T[leaving, :place] - left[leaving, :held] @ right[:held, :place]
        right[held, :place] = row / column[leaving]
        column[leaving] -= 1.0
        left[:, held] = column
        held += 1
        if held == BLOCK:  # many changes of T in one product are quicker than one by one
            T[:, :place] -= left @ right[:, :place]
            held = 0
    return basis


def _independent(M: Array, weights: Array) -> tuple[Index | None, Index]:
    """As many independent columns of M as it has rows, and the others, largest weights first."""
    size, count = M.shape
    factors, swaps, _ = linalg.lapack.dgetrf((M * weights).T)
    pivots = np.abs(np.diagonal(factors))
    order = np.arange(count)
    for place, other in enumerate(swaps.tolist()):
        order[[place, other]] = order[[other, place]]
    others = order[size:][np.argsort(-weights[order[size:]], kind="stable")]
    return (None if pivots.min() <= 1e-12 * pivots.max() else order[:size]), others
