"""The widest margin as a quadratic programme, solved by an interior-point method."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from rosenblatt.examples import Examples, squared_lengths

Array = NDArray[np.float64]

LARGEST = 12_000
"""The most rows of the dense matrix that each iteration factors: about a gigabyte."""
AT_FIRST = 200
"""Rows tried first."""
ITERATIONS = 80
CLOSE_ENOUGH = 1e-8
NOTHING = 1e-13
"""A margin so small beside differences of length one that rounding hides it."""
TINY = 1e-300


class Point(NamedTuple):
    """Where the solver stands: weights, intercepts, and a multiplier for each difference."""

    weights: Array
    intercepts: Array
    multipliers: Array


@dataclass(frozen=True)
class Widest:
    """Weights of length one, and multipliers that show how near they are to the best."""

    w: Array
    b: Any
    upper: float
    """No weights of length one reach a greater margin."""
    rows: NDArray[np.intp]
    rivals: NDArray[np.intp]
    multipliers: Array
    """For each row and rival, how much of the bound rests on it."""


def widest(examples: Examples, *, fit_intercept: bool, augmented: bool) -> Widest:
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
    v, b, multipliers = _direction(D, C)
    stacked = np.concatenate([v, b * scale])
    weights = examples.blocks * examples.width
    w, b = examples.unstacked(stacked[:weights], stacked[weights:])
    return Widest(w, b, _upper_bound(D, C, multipliers) * scale, rows, rivals, multipliers)


def _direction(D: Any, C: Any) -> Point:
    """Find v and b, |v| = 1, for which the least of ``D v + C b`` is greatest.

    Solves, for differences D of length one at most::

        minimise ½ |v|² - t   subject to   D v + C b ≥ t

    whose solution points in the direction sought, its length the margin. Unlike the form with
    margins of one this has a solution whether or not the examples can be separated (then v = 0),
    and needs no guess of the scale.

    Few rows of D decide, so a few are tried first, then those as well that come out worse; what
    is widest for some of the rows, and no narrower for the rest, is widest for all.
    """
    rows, columns = D.shape
    found = None
    order = np.argsort(D @ (D.T @ np.ones(rows)), kind="stable")
    kinds = np.unique(C.toarray()[order], axis=0, return_index=True)[1]  # without one, b has no end
    chosen = np.union1d(order[:AT_FIRST], order[kinds])
    while len(chosen) < min(rows, columns / 3):
        found = _solve_few(D[chosen], C[chosen])
        gaps = D @ found.weights + C @ found.intercepts
        multipliers = np.zeros(rows)
        multipliers[chosen] = found.multipliers
        found = found._replace(multipliers=multipliers)
        forgotten = gaps < gaps[chosen].min() - CLOSE_ENOUGH * abs(gaps[chosen].min())
        if _upper_bound(D, C, multipliers) <= NOTHING or not forgotten.any():
            break
        worst = np.argsort(np.where(forgotten, gaps, np.inf), kind="stable")[: forgotten.sum()]
        chosen = np.union1d(chosen, worst[: len(chosen)])
        found = None
    if found is None:
        found = _solve_all(D, C)
    length = float(np.linalg.norm(found.weights)) or 1.0
    return found._replace(weights=found.weights / length, intercepts=found.intercepts / length)


def _solve_all(D: Any, C: Any) -> Point:
    rows, columns = D.shape
    if min(rows, columns) > LARGEST:
        raise ValueError(
            f"The widest margin is found among at most {LARGEST} examples or {LARGEST} weights, "
            f"but there are {rows} examples (each rival counted) and {columns} weights."
        )
    if columns > rows:
        return _solve_few(D, C)
    return _solve(D.toarray() if D.nnz > 0.2 * rows * columns else D, C)


def _solve_few(D: Any, C: Any) -> Point:
    """For fewer differences than weights: only their products matter."""
    squares, vectors = linalg.eigh((D @ D.T).toarray())
    vectors, lengths = vectors[:, squares > 0], np.sqrt(squares[squares > 0])
    found = _solve(vectors * lengths, C)
    return found._replace(weights=D.T @ (vectors @ (found.weights / lengths)))


def _upper_bound(D: Any, C: Any, multipliers: Array) -> float:
    """A margin that no weights of length one exceed.

    For any α ≥ 0 with sum one and any separator, its margin is at most α · (D v + C b), and that
    is |D' α| + |C' α|₁ at most: where differences are no longer than one, a separator needs no
    intercepts further apart than that.
    """
    alpha = multipliers / multipliers.sum()
    return float(np.linalg.norm(D.T @ alpha) + np.abs(C.T @ alpha).sum())


def _solve(D: Any, C: Any) -> Point:
    """Mehrotra's predictor-corrector method (1992)."""
    rows, columns = D.shape
    free = C.toarray()
    A, A_T = _side_by_side(D, free, -np.ones((rows, 1)))  # of (v, b, t)
    curvature, slope = np.zeros(A.shape[1]), np.zeros(A.shape[1])
    curvature[:columns], slope[-1] = 1.0, -1.0
    x = slope.copy()  # v = 0, b = 0, t = -1
    slack, multipliers = np.ones(rows), np.full(rows, 1.0 / rows)
    best = Point(x[:columns], x[columns:-1], multipliers)
    lowest, highest, idle = -np.inf, np.inf, 0
    for _ in range(ITERATIONS):
        complement = multipliers @ slack / rows
        newton = _Newton(
            A,
            A_T,
            _factor(A, A_T, multipliers / slack, curvature),
            gradient=curvature * x + slope - A_T @ multipliers,
            excess=A @ x - slack,
            slack=slack,
            multipliers=multipliers,
        )
        _, d_slack, d_multipliers = newton.towards(multipliers * slack)
        length = min(_reach(slack, d_slack), _reach(multipliers, d_multipliers))
        predicted = (multipliers + length * d_multipliers) @ (slack + length * d_slack) / rows
        centring = (predicted / complement) ** 3 * complement
        dx, d_slack, d_multipliers = newton.towards(
            multipliers * slack + d_slack * d_multipliers - centring
        )
        length = 0.99 * min(_reach(slack, d_slack), _reach(multipliers, d_multipliers))
        x, slack = x + length * dx, slack + length * d_slack
        multipliers = multipliers + length * d_multipliers

        v, b = x[:columns], x[columns:-1]
        lower = float((D @ v + free @ b).min()) / max(float(np.linalg.norm(v)), TINY)
        upper = _upper_bound(D, C, multipliers)
        better = upper - lower < 0.9 * (highest - lowest) or upper < 0.9 * highest
        idle = 0 if better else idle + 1
        if lower > lowest:
            lowest, best = lower, best._replace(weights=v, intercepts=b)
        if upper < highest:
            highest, best = upper, best._replace(multipliers=multipliers)
        if lowest >= (1 - CLOSE_ENOUGH) * highest or highest <= NOTHING or idle > 5:
            break
    return best


class _Newton(NamedTuple):
    """The equations that a step from here solves."""

    A: Any
    A_T: Any
    factor: Any
    gradient: Array
    excess: Array
    slack: Array
    multipliers: Array

    def towards(self, surplus: Array) -> tuple[Array, Array, Array]:
        """The step that takes ``surplus`` off the products of slacks and multipliers."""
        wish = (surplus + self.multipliers * self.excess) / self.slack
        dx = linalg.cho_solve(self.factor, -self.gradient - self.A_T @ wish, check_finite=False)
        d_slack = self.A @ dx + self.excess
        return dx, d_slack, -(surplus + self.multipliers * d_slack) / self.slack


def _side_by_side(D: Any, *others: Array) -> tuple[Any, Any]:
    """One matrix of all columns, and its transpose, both quick to walk by rows."""
    if not sparse.issparse(D):
        A = np.hstack([D, *others])
        return A, A.T
    A = sparse.csr_array(sparse.hstack([D, *others]))
    return A, sparse.csr_array(A.T)


def _factor(A: Any, A_T: Any, weights: Array, curvature: Array) -> Any:
    """The Cholesky factor of ``diag(curvature) + A' diag(weights) A``."""
    for ridge in (0.0, 1e-14, 1e-12, 1e-10, 1e-8):
        M = _normal(A, A_T, weights)
        M[np.diag_indices_from(M)] += curvature + ridge * M.diagonal()
        try:
            return linalg.cho_factor(M, lower=True, overwrite_a=True, check_finite=False)
        except linalg.LinAlgError:  # rounding, near the solution
            continue
    raise linalg.LinAlgError("The examples are too badly scaled to find their margin.")


def _normal(A: Any, A_T: Any, weights: Array, block: int = 1024) -> Array:
    if not sparse.issparse(A):
        scaled = np.sqrt(weights)[:, np.newaxis] * A
        dense: Array = scaled.T @ scaled
        return dense
    counts = weights > 1e-17 * weights.max()
    weighted = sparse.csr_array(sparse.diags_array(weights[counts]) @ A[counts])
    A_T = A_T[:, counts]
    M = np.empty((A.shape[1], A.shape[1]), order="F")
    for start in range(0, A.shape[1], block):  # a sparse product of all would fill the memory
        M[:, start : start + block] = (A_T[start : start + block] @ weighted).toarray().T
    return M


def _reach(values: Array, changes: Array) -> float:
    """How far, at most one, to go along the changes before a value becomes zero."""
    falling = changes < 0
    if not falling.any():
        return 1.0
    return min(1.0, float((-values[falling] / changes[falling]).min()))
