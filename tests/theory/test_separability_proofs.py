"""Proofs of verdicts on separability hold, for many rows too, until they are tampered with."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from data import XOR, separable
from rosenblatt import separability
from rosenblatt.theory.rational import cancelling_counts
from rosenblatt.theory.verdicts import (
    Contradiction,
    CountedContradiction,
    EnclosedContradiction,
    Separable,
    Undecided,
)
from rosenblatt.theory.verified_solve import error_bound, refined_solution


def noised(count, width, share=0.1):
    """Numbers labelled by a hyperplane, some of the labels flipped."""
    rng = np.random.default_rng(width)
    X = rng.normal(size=(count, width))
    return X, ((X @ rng.normal(size=width) > 0) ^ (rng.random(count) < share)).astype(int)


def in_fractions(A, right):
    """The solution of ``A x = right`` by elimination without rounding."""
    rows = [[*map(Fraction, row), Fraction(value)] for row, value in zip(A, right, strict=True)]
    for pivot in range(len(rows)):
        rows[pivot] = [value / rows[pivot][pivot] for value in rows[pivot]]
        for other in range(len(rows)):
            if other != pivot:
                factor = rows[other][pivot]
                pairs = zip(rows[other], rows[pivot], strict=True)
                rows[other] = [value - factor * by for value, by in pairs]
    return [row[-1] for row in rows]


def test_tampered_separators_are_refused():
    X, y, _, _ = separable(0)
    verdict = separability(X, y)
    assert isinstance(verdict, Separable)

    nearest = np.argmin(np.abs(X @ verdict.w + verdict.b))
    on_the_row = -float(X[nearest] @ verdict.w)
    other_side = on_the_row - np.sign(verdict.b - on_the_row) * 1e-3

    assert verdict.check(X, y)
    assert not replace(verdict, b=other_side).check(X, y)
    assert not replace(verdict, w=-verdict.w).check(X, y)
    assert not replace(verdict, w=verdict.w[:-1]).check(X, y)
    assert not replace(verdict, w=verdict.w * np.nan).check(X, y)
    assert not replace(verdict, fit_intercept=False).check(X, y)
    assert not verdict.check(X, 1 - y)
    assert not verdict.check(-X, y)
    assert not verdict.check(X, np.where(y == 1, "a", "b"))


def test_a_separator_is_told_from_one_that_touches_without_rounding():
    """0.1 + 0.2 - 0.3 is zero, or 5.6e-17, or 2.8e-17: only the last is what the numbers sum to."""
    X, y = np.array([[0.1, 0.2, -0.3], [-1.0, -1.0, -1.0]]), np.array([1, 0])
    exact = sum(map(Fraction, X[0].tolist()))
    touches = Separable(np.array([0, 1]), True, np.ones(3), -float(exact))

    assert Fraction(float(exact)) == exact > 0
    assert Separable(np.array([0, 1]), True, np.ones(3), 0.0).check(X, y)
    assert not touches.check(X, y)
    assert replace(touches, b=np.nextafter(touches.b, 1)).check(X, y)


def test_tampered_contradictions_are_refused():
    y = np.array([0, 1, 1, 0])
    verdict = separability(XOR, y)
    assert isinstance(verdict, Contradiction)

    assert verdict.check(XOR, y)
    assert replace(verdict, counts=(2, 2, 2, 2)).check(XOR, y)
    for counts in [(1, 1, 1, 2), (1, 1, 1, 0), (-1, -1, -1, -1), (0, 0, 0, 0), (1, 1, 1), ()]:
        assert not replace(verdict, counts=counts).check(XOR, y)
    assert not replace(verdict, counts=(1.0, 1.0, 1.0, 1.0)).check(XOR, y)
    for rows in [[0, 1, 2, 2], [0, 1, 2, 4], [0, 1, 2, -1]]:
        assert not replace(verdict, rows=np.array(rows)).check(XOR, y)
    assert not replace(verdict, rivals=np.array([0, 0, 0, 1])).check(XOR, y)
    assert not replace(verdict, rivals=np.array([1, 0, 0, 2])).check(XOR, y)
    assert not verdict.check(XOR, [0, 0, 1, 1])
    nudged = XOR.copy()
    nudged[3, 0] = np.nextafter(1.0, 2.0)
    assert not verdict.check(nudged, y)


@pytest.mark.parametrize("container", [np.array, sparse.csr_array])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_noised_labels_of_many_features_are_refuted_by_one_row_more_than_weights(
    container, fit_intercept
):
    X, y = noised(1500, 200)

    verdict = separability(container(X), y, fit_intercept=fit_intercept)

    assert isinstance(verdict, EnclosedContradiction)
    assert verdict.check(X, y)
    assert verdict.check(container(X), y)
    assert len(verdict.rows) == 201 + fit_intercept
    assert 0 < verdict.within < verdict.multipliers.min()
    signs = np.where(y[verdict.rows] == 1, 1.0, -1.0)
    np.testing.assert_allclose((verdict.multipliers * signs) @ X[verdict.rows], 0, atol=1e-12)
    assert verdict.multipliers.sum() == pytest.approx(1)


def test_a_contradiction_of_seven_hundred_rows_is_proven():
    X, y = noised(3000, 700)

    verdict = separability(X, y)

    assert len(verdict.rows) == 702
    assert verdict.check(X, y)


def test_several_classes_with_many_weights_are_refuted_with_a_proof():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 40))
    y = rng.integers(0, 5, size=600)

    verdict = separability(X, y)

    assert isinstance(verdict, EnclosedContradiction)
    assert len(verdict.rows) == 4 * 41 + 1
    assert verdict.check(X, y)


def test_columns_that_are_sums_of_others_need_no_equation_of_their_own():
    X, y = noised(1200, 160)
    X[:, 100:130] = np.eye(30)[np.arange(1200) % 30]  # which sum to the constant feature
    X = np.round(8 * X)
    X[:, -1] = X[:, 0] + 3 * X[:, 1]

    verdict = separability(X, y)

    assert isinstance(verdict, EnclosedContradiction)
    assert len(verdict.rows) == 161 - 2 + 1
    assert verdict.check(X, y)
    assert not verdict.check(X + np.eye(1200, 160, k=-int(verdict.rows[0])), y)


def test_columns_that_depend_on_others_otherwise_leave_the_proof_to_whole_numbers():
    X, y = noised(1200, 160)
    X = np.round(4 * X)
    X[:, -1] = (3 * X[:, 0] + 7 * X[:, 1]) / 2

    verdict = separability(X, y)

    assert isinstance(verdict, CountedContradiction)
    assert verdict.check(X, y)


def test_tampered_enclosures_are_refused():
    X, y = noised(1500, 200)
    verdict = separability(X, y)
    alpha = verdict.multipliers
    nudged = alpha.copy()
    nudged[5] += 1e-9
    fewer = {"rows": verdict.rows[:-1], "rivals": verdict.rivals[:-1]}

    assert verdict.check(X, y)
    assert replace(verdict, within=alpha.min() / 2).check(X, y)
    assert not replace(verdict, within=alpha.min()).check(X, y)
    assert not replace(verdict, within=0.0).check(X, y)
    assert not replace(verdict, multipliers=nudged).check(X, y)
    assert replace(verdict, multipliers=nudged, within=1e-6).check(X, y)
    assert not replace(verdict, multipliers=-alpha).check(X, y)
    assert not replace(verdict, multipliers=alpha * np.nan).check(X, y)
    assert not replace(verdict, multipliers=alpha[:-1]).check(X, y)
    assert not replace(verdict, multipliers=alpha[:-1], **fewer).check(X, y)
    assert not replace(verdict, rows=verdict.rows[::-1]).check(X, y)
    assert not replace(verdict, fit_intercept=False).check(X, y)
    assert not verdict.check(X, 1 - np.roll(y, 1))
    moved = X.copy()
    moved[verdict.rows[0], 0] += 1e-9
    assert not verdict.check(moved, y)


@pytest.mark.parametrize("size", [1, 3, 8, 12])
def test_exact_solutions_lie_within_their_bound(size):
    rng = np.random.default_rng(size)
    A, right = rng.uniform(-1, 1, size=(size, size)), rng.uniform(-1, 1, size=size)
    exact = in_fractions(A, right)

    for z in (refined_solution(A, right), np.linalg.solve(A, right) + 1e-6):
        bound = error_bound(A, z, right)
        off = max(abs(x - Fraction(value)) for x, value in zip(exact, z.tolist(), strict=True))
        assert off <= bound <= 20 * size * max(off, 1e-15)


def test_systems_that_may_be_singular_have_no_bound():
    """The inverse of Hilbert's matrix of 15 rows is all rounding."""
    hilbert = 1 / (1 + np.add.outer(np.arange(15.0), np.arange(15.0)))

    assert error_bound(hilbert, np.ones(15), np.ones(15)) == np.inf
    assert error_bound(np.ones((2, 2)), np.ones(2), np.ones(2)) == np.inf
    assert error_bound(np.full((2, 2), np.nan), np.ones(2), np.ones(2)) == np.inf


def test_nothing_is_proved_by_a_verdict_that_is_undecided():
    verdict = Undecided(np.array([0, 1]), True, 1e-14)

    assert verdict.separable is None
    assert not verdict.check(XOR, [0, 1, 1, 1])
    assert "a margin of 1e-14 at most" in str(verdict)


@pytest.mark.parametrize("size", [2, 5, 30, 60])
@pytest.mark.parametrize("whole", [True, False])
def test_counts_that_cancel_are_found_for_many_rows(size, whole):
    rng = np.random.default_rng(size)
    rows = (
        rng.integers(-9, 10, size=(size, size - 1)) if whole else rng.normal(size=(size, size - 1))
    )
    rows = rows.astype(float)
    rows *= np.sign(np.linalg.svd(rows.T)[2][-1])[:, np.newaxis]

    counts = cancelling_counts(rows)

    assert min(counts) >= 0
    for column in rows.T.tolist():
        parts = zip(counts, column, strict=True)
        assert sum(count * Fraction(value) for count, value in parts) == 0


def test_rows_that_do_not_cancel_have_no_counts():
    assert cancelling_counts(np.array([[1.0, 0.0], [0.0, 1.0]])) is None
    assert cancelling_counts(np.array([[1.0], [2.0]])) is None
    assert cancelling_counts(np.array([[1.0], [-3.0]])) == [3, 1]
