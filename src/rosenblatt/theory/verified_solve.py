"""How far floating-point numbers are, at most, from the exact solution of a linear system."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

Array = NDArray[np.float64]

HALF_A_UNIT = 2.0**-53
"""How far, relative to its result, a single sum or product may be off."""
UNDERFLOW = 1e-290
"""More than all that sums of numbers of at most one can lose to underflow."""


def rounding(terms: int) -> float:
    """How far a sum of so many products may be off, relative to the sum of their sizes.

    Whatever the order of summation, fused or not; twice over, to cover the rounding of the bound.
    """
    return 4 * (terms + 4) * HALF_A_UNIT


def error_bound(A: Array, z: Array, right: Array) -> float:
    """How far z is at most, in any entry, from the one solution of ``A x = right``.

    Infinite if A is not shown to have one. With R about the inverse of A, and |R A - I| ≤ g < 1 in
    the norm of largest row sums, A is regular and z is within |R| |A z - right| / (1 - g) of the
    solution (Rump, 1980). Products by R are bounded with their rounding errors, and the residual
    is summed without any. Entries of A are one at most in size.
    """
    size = len(A)
    try:
        R = np.linalg.inv(A)
    except np.linalg.LinAlgError:
        return math.inf
    off = np.abs(R @ A - np.eye(size)).sum(axis=1)
    products = np.abs(R) @ np.abs(A).sum(axis=1)
    g = float((off + rounding(2 * size) * (products + 1)).max()) * (1 + rounding(size))
    if not g < 0.5:
        return math.inf
    left = np.abs(residual(A, z, right)) * (1 + 4 * HALF_A_UNIT) + UNDERFLOW
    bound = float((np.abs(R) @ left).max()) / (1 - g) * (1 + rounding(2 * size))
    return bound if math.isfinite(bound) else math.inf


def refined_solution(A: Array, right: Array) -> Array:
    """The solution of ``A x = right``, with hardly more error than its last digit."""
    z = np.asarray(np.linalg.solve(A, right), dtype=np.float64)
    return z - np.linalg.solve(A, residual(A, z, right))


def without_implied(A: Array) -> Array:
    """The rows of A but for those that whole multiples of others are shown to imply.

    A row is left out if some row c of small whole numbers, not zero there and zero at all rows
    left out before, has ``c A = 0`` exactly: then ``A x`` is zero there wherever it is in the rows
    that stay.
    """
    products = A @ A.T
    _, order, rank, _ = linalg.lapack.dpstrf(products, tol=1e-9 * float(products.max()), lower=1)
    stay, go = np.sort(order[:rank] - 1), np.sort(order[rank:] - 1)
    if not len(go):
        return A
    multiples = np.linalg.solve(products[np.ix_(stay, stay)], products[np.ix_(stay, go)])
    implied = []
    for row, ratios in zip(go.tolist(), multiples.T, strict=True):
        c = np.zeros(len(A))
        c[stay], c[row] = ratios, -1.0
        c = np.round(c / np.abs(c[np.abs(c) > 1e-6]).min())
        if c[row] != 0 and not residual(A.T, c, np.zeros(A.shape[1])).any():
            implied.append(row)
    return np.delete(A, implied, axis=0)


def residual(A: Array, z: Array, right: Array) -> Array:
    """``A z - right``, each entry rounded but once."""
    products = A * z
    high_A, high_z = _high_half(A), _high_half(z)
    low_A, low_z = A - high_A, z - high_z
    lost = ((high_A * high_z - products) + high_A * low_z + low_A * high_z) + low_A * low_z
    rows = zip(products.tolist(), lost.tolist(), right.tolist(), strict=True)
    return np.array([math.fsum([*row, *rest, -value]) for row, rest, value in rows])


def _high_half(values: Array) -> Array:
    """The upper half of the digits, so that products of halves are exact (Dekker, 1971)."""
    spread = values * 134_217_729.0
    return spread - (spread - values)
