"""Whole-number arithmetic for proofs: dot products, sums and linear systems without rounding."""

from fractions import Fraction
from math import gcd, isqrt, lcm

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PRIME = 67_108_859
"""The largest below 2**26: products of remainders, 2**11 of them summed, fit 64 bits."""
LIMB = 20
"""Bits of a whole number handled together."""


def exact_dot(w: Array, x: Array) -> Fraction:
    """The sum of all products, without rounding."""
    both = (w != 0) & (x != 0)
    pairs = zip(w[both].tolist(), x[both].tolist(), strict=True)
    return sum((Fraction(u) * Fraction(v) for u, v in pairs), Fraction(0))


def whole_numbers(column: list[float]) -> list[int]:
    """The numbers times the least power of two that makes them whole, or that over any other."""
    ratios = [value.as_integer_ratio() for value in column]
    least = lcm(*(below for _, below in ratios))
    return [above * (least // below) for above, below in ratios]


def cancelling_counts(rows: Array) -> list[int] | None:
    """Counts of zero or more, not all zero, with which the rows sum to exactly zero.

    Found if some of the rows are independent and one more completes them, as in a vertex of the
    feasible multipliers; None if the counts would not be positive, or there are none.
    """
    rows = rows[:, (rows != 0).any(axis=0)]
    if not rows.size:
        return [1] * len(rows)
    A = np.array([whole_numbers(column) for column in rows.T.tolist()], dtype=object)
    features, examples = _pivots(np.array(A % PRIME, dtype=np.int64))
    if not features:
        return None
    B = A[np.ix_(features, examples)]
    for spare in sorted(set(range(len(rows))) - set(examples)):
        solution = _solve(B, -A[features, spare])
        if solution is None or min(solution) < 0:
            continue
        counts = [Fraction(0)] * len(rows)
        counts[spare] = Fraction(1)
        for example, count in zip(examples, solution, strict=True):
            counts[example] = count
        least = lcm(*(count.denominator for count in counts))
        whole = [int(count * least) for count in counts]
        if not (A @ np.array(whole, dtype=object)).any():
            common = gcd(*whole)
            return [count // common for count in whole]
    return None


def _pivots(A: NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """Rows and columns of a largest part of A that is regular modulo the prime."""
    A = A.copy()
    free, rows, columns = list(range(len(A))), [], []
    for column in range(A.shape[1]):
        candidates = A[free, column].nonzero()[0]
        if not len(candidates):
            continue
        row = free.pop(int(candidates[0]))
        pivot = A[row] * pow(int(A[row, column]), -1, PRIME) % PRIME
        A[free] = (A[free] - A[free, column][:, np.newaxis] * pivot) % PRIME
        rows.append(row)
        columns.append(column)
    return rows, columns


def _inverse(B: NDArray[np.int64]) -> NDArray[np.int64]:
    """The inverse modulo the prime of a matrix that has one."""
    size = len(B)
    A = np.hstack([B, np.eye(size, dtype=np.int64)])
    for column in range(size):
        row = column + int(A[column:, column].nonzero()[0][0])
        A[[column, row]] = A[[row, column]]
        A[column] = A[column] * pow(int(A[column, column]), -1, PRIME) % PRIME
        others = A[:, column].copy()
        others[column] = 0
        A = (A - others[:, np.newaxis] * A[column]) % PRIME
    return A[:, size:]


def _solve(B: NDArray[np.object_], right: NDArray[np.object_]) -> list[Fraction] | None:
    """The solution of ``B x = right`` in whole numbers, by Dixon's p-adic lifting (1982).

    The solution modulo p, p², p³ ... is tried as fractions each time its digits have doubled.
    """
    inverse = _inverse(np.array(B % PRIME, dtype=np.int64))
    limbs = _limbs(B)
    shifts = [1 << (LIMB * k) for k in range(len(limbs))]
    bits = sum(_bits(row) for row in B) + _bits(right) + len(B)
    digits: list[NDArray[np.int64]] = []
    left, tried, most = right, 8, (2 * bits + 50) // 25 + 1
    while len(digits) < most:
        digit = inverse @ np.array(left % PRIME, dtype=np.int64) % PRIME
        digits.append(digit)
        product = sum(
            (limb @ digit).astype(object) * shift for limb, shift in zip(limbs, shifts, strict=True)
        )
        left = (left - product) // PRIME
        if len(digits) >= min(tried, most) or not left.any():
            solution = _fractions(digits)
            if solution is not None and not (_times(B, solution) - right).any():
                return solution
            tried *= 2
    return None


def _times(B: NDArray[np.object_], x: list[Fraction]) -> NDArray[np.object_]:
    least = lcm(*(value.denominator for value in x))
    scaled = np.array([int(value * least) for value in x], dtype=object)
    return np.array([Fraction(int(value), least) for value in B @ scaled], dtype=object)


def _limbs(B: NDArray[np.object_]) -> list[NDArray[np.int64]]:
    """B cut into matrices of small whole numbers, the least significant first."""
    signs = np.array(np.where(B < 0, -1, 1), dtype=np.int64)
    rest, limbs = abs(B), []
    while rest.any():
        limbs.append(signs * np.array(rest % (1 << LIMB), dtype=np.int64))
        rest = rest >> LIMB
    return limbs


def _bits(numbers: NDArray[np.object_]) -> int:
    return isqrt(int(sum(value * value for value in numbers))).bit_length() + 1


def _fractions(digits: list[NDArray[np.int64]]) -> list[Fraction] | None:
    """The fractions with small parts that the digits may stand for, sharing denominators."""
    modulus = PRIME ** len(digits)
    bound = isqrt(modulus // 2)
    values = [0] * len(digits[0])
    for digit in reversed(digits):
        values = [value * PRIME + d for value, d in zip(values, digit.tolist(), strict=True)]
    below, found = 1, []
    for value in values:
        above, factor = _reconstruct(below * value % modulus, modulus, bound)
        below *= factor
        if abs(below) > bound:
            return None
        found.append(Fraction(above, below))
    return found


def _reconstruct(value: int, modulus: int, bound: int) -> tuple[int, int]:
    """Small whole numbers a and b with ``a = b * value`` modulo the modulus (Wang, 1981)."""
    if value <= bound or modulus - value <= bound:
        return (value if value <= bound else value - modulus), 1
    above, last, b, b_last = value, modulus, 1, 0
    while above > bound:
        quotient = last // above
        last, above = above, last - quotient * above
        b_last, b = b, b_last - quotient * b
    return (above, b) if b > 0 else (-above, -b)
