"""Can a hyperplane tell the classes apart? A verdict, with a proof that is checked exactly."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from rosenblatt.models.perceptron import Perceptron
from rosenblatt.theory.crossover import basis_below
from rosenblatt.theory.differences import LabelledRows
from rosenblatt.theory.margin_solver import MarginSolution, widest_margin
from rosenblatt.theory.rational import cancelling_counts
from rosenblatt.theory.verdicts import (
    Contradiction,
    CountedContradiction,
    EnclosedContradiction,
    Separable,
    Undecided,
    Verdict,
    cancelling_equations,
    last_one,
)
from rosenblatt.theory.verified_solve import error_bound, refined_solution

PASSES = 100
"""Passes in which the perceptron may find a separator, before the costly search."""
FEW_EQUATIONS = 150
"""Columns up to which a contradiction is at once solved for exactly."""
MOST_ROWS = 600
"""Rows of a contradiction up to which that ends in about a minute."""
MOST_VALUES = 1 << 28
"""Values of a dense matrix in the search for larger ones: two gigabytes."""


def separability(X: Any, y: Any, *, fit_intercept: bool = True) -> Verdict:
    """Whether weights exist that put every example on its right side, and a proof.

    The examples are separable if and only if there are w and b with y (w · x + b) > 0 for all of
    them. If there are none, some examples contradict each other (Gordan, 1873): there are
    multipliers α ≥ 0 with sum one for which ::

        Σ α y x = 0   and   Σ α y = 0

    so that the same mixture of scores would have to be both zero and positive. For several classes
    y x is what an example has under its class and not under a rival, in the stacked weights.

    Either proof is checked without rounding: ``verdict.check(X, y)`` walks over the examples once,
    and uses fractions where floating-point numbers leave a doubt.

    Looks for equal rows with different labels, lets the perceptron try, then searches for the
    widest margin, and where there is none for the few examples that rule it out: by a linear
    program (HiGHS) whose vertex is solved for in whole numbers, or for many weights by a vertex
    that is shown to have a positive solution, by bounds on all rounding errors.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)

    y : array-like of shape (n_samples,)
        Labels of two or more classes.

    fit_intercept : bool, default=True
        Whether there is a b, or the boundary goes through the origin.

    Returns
    -------
    Verdict
        Its ``separable`` is True, False, or None where neither proof was found; ``str(verdict)``
        says it in a sentence. A `Separable` has ``w`` and ``b``, a `Contradiction` the ``rows``
        that contradict each other and their ``multipliers``.

    Examples
    --------
    >>> from rosenblatt import separability
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> verdict = separability(X, y)
    >>> print(verdict)
    Not separable: mixtures of rows 0 and 3 (label 0) and of rows 1 and 2 (label 1) coincide.
    >>> verdict.separable, verdict.check(X, y)
    (False, True)
    >>> separability(X, [0, 1, 1, 1]).separable
    True
    """
    examples = LabelledRows.read(X, y)
    found = _obvious_contradiction(examples, fit_intercept) or _try_perceptron(
        examples, fit_intercept
    )
    if found is not None:
        return found
    best = widest_margin(examples, fit_intercept=fit_intercept, augmented=fit_intercept)
    separable = Separable(examples.classes, fit_intercept, best.w, best.b)
    if separable.holds(examples):
        return separable
    return _contradiction(examples, fit_intercept, best) or Undecided(
        examples.classes, fit_intercept, best.upper
    )


def _obvious_contradiction(examples: LabelledRows, fit_intercept: bool) -> Contradiction | None:
    """Equal rows with different labels; without an intercept, a row of zeros."""
    seen: dict[bytes, int] = {}
    for stretch, part in examples.batches():
        for row, key in enumerate(_keys(part), start=stretch.start):
            if not fit_intercept and not key.strip(b"\0"):
                rival = int(examples.codes[row] == 0)
                return _counted(examples, fit_intercept, [(row, rival, 1)])
            other = seen.setdefault(key, row)
            right, wrong = int(examples.codes[other]), int(examples.codes[row])
            if right != wrong:
                pairs = [(other, wrong, 1), (row, right, 1)]
                return _counted(examples, fit_intercept, pairs)
    return None


def _keys(part: Any) -> list[bytes]:
    """For each row, bytes that are equal where the row is; zero bytes for a row of zeros."""
    if not sparse.issparse(part):
        return [row.tobytes() for row in part + 0.0]  # which makes a zero of each minus zero
    part.eliminate_zeros()
    indptr = part.indptr.tolist()
    return [part.indices[a:b].tobytes() + part.data[a:b].tobytes() for a, b in pairwise(indptr)]


def _try_perceptron(examples: LabelledRows, fit_intercept: bool) -> Separable | None:
    model = Perceptron(max_iter=PASSES, fit_intercept=fit_intercept, random_state=0)
    model.fit(examples.X, examples.codes)
    if not model.converged_:
        return None
    w, b = examples.unstacked(model.coef_.ravel().copy(), model.intercept_.copy())
    separable = Separable(examples.classes, fit_intercept, w, b)
    return separable if separable.holds(examples) else None


def _contradiction(
    examples: LabelledRows, fit_intercept: bool, best: MarginSolution
) -> Contradiction | None:
    """The examples that rule out a separator, as a vertex of the feasible multipliers.

    There at most one more of them is above zero than there are weights. The multipliers of the
    widest margin say which examples matter.
    """
    many = examples.blocks * examples.width > FEW_EQUATIONS
    found = _enclosed_contradiction(examples, fit_intercept, best) if many else None
    return found or _counted_contradiction(examples, fit_intercept, best)


def _enclosed_contradiction(
    examples: LabelledRows, fit_intercept: bool, best: MarginSolution
) -> EnclosedContradiction | None:
    """For many weights: multipliers that are shown to exist, not written down."""
    matter = best.multipliers > 1e-9 * best.multipliers.max()
    rows, rivals, multipliers = best.rows[matter], best.rivals[matter], best.multipliers[matter]
    if len(rows) * examples.blocks * examples.width > MOST_VALUES:
        return None
    A = cancelling_equations(examples, rows, rivals, fit_intercept)
    basis = None if A is None else basis_below(A, multipliers / multipliers.sum())
    if A is None or basis is None:
        return None
    basis.sort()
    alpha = np.linalg.solve(A[:, basis], last_one(len(basis)))
    basis = basis[alpha > 1e-12]  # where one is zero, a column may be too without its row
    rows, rivals = rows[basis], rivals[basis]
    A = cancelling_equations(examples, rows, rivals, fit_intercept)
    if A is None or len(A) != len(rows):
        return None
    try:
        alpha = refined_solution(A, last_one(len(rows)))
    except np.linalg.LinAlgError:
        return None
    within = 2 * error_bound(A, alpha, last_one(len(rows)))  # elsewhere it may round otherwise
    if not alpha.min() > within:
        return None
    labels = _labels(examples, rows)
    return EnclosedContradiction(
        examples.classes, fit_intercept, rows, rivals, labels, alpha, within
    )


def _counted_contradiction(
    examples: LabelledRows, fit_intercept: bool, best: MarginSolution
) -> CountedContradiction | None:
    """For few weights: a linear program finds the vertex, and whole numbers solve for it."""
    matter = best.multipliers > 1e-9 * best.multipliers.max()
    for some in (matter, slice(None)):  # all of them, if these do not do
        rows, rivals = best.rows[some], best.rivals[some]
        D = sparse.csr_array(examples.framed(rows, rivals, fit_intercept))
        sizes = abs(D).max(axis=0).toarray().ravel()
        D = D[:, sizes > 0]
        scaled = D / np.exp2(np.ceil(np.log2(sizes[sizes > 0])))
        vertex = optimize.linprog(
            np.zeros(len(rows)),
            A_eq=sparse.vstack([scaled.T, np.ones((1, len(rows)))]),
            b_eq=np.append(np.zeros(scaled.shape[1]), 1.0),
            method="highs-ds",
        )
        if vertex.status != 0:
            continue
        support = np.flatnonzero(vertex.x > 1e-12)
        if len(support) > MOST_ROWS:
            return None
        counts = cancelling_counts(D[support].toarray())
        if counts is not None:
            chosen = zip(rows[support].tolist(), rivals[support].tolist(), counts, strict=True)
            return _counted(examples, fit_intercept, [part for part in chosen if part[2]])
    return None


def _counted(
    examples: LabelledRows, fit_intercept: bool, parts: list[tuple[int, int, int]]
) -> CountedContradiction | None:
    rows, rivals, counts = zip(*sorted(parts), strict=True)
    found = CountedContradiction(
        examples.classes,
        fit_intercept,
        np.array(rows, dtype=np.intp),
        np.array(rivals, dtype=np.intp),
        _labels(examples, rows),
        counts,
    )
    return found if found.holds(examples) else None


def _labels(examples: LabelledRows, rows: Sequence[int] | NDArray[np.intp]) -> tuple[Any, ...]:
    return tuple(examples.classes[examples.codes[list(rows)]].tolist())
