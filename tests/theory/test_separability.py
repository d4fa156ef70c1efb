"""Verdicts on separability: those of a linear program, each with a proof."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import optimize, sparse
from sklearn.datasets import load_breast_cancer, load_iris

import reference
from data import LAYOUTS, XOR, separable, whole_numbers, whole_problems
from rosenblatt import Perceptron, separability


def mixture(verdict, X, y, constant=1.0):
    """Σ α y x in fractions, the constant feature last."""
    X = np.column_stack([np.asarray(X, dtype=float), np.full(len(X), constant)])
    signs = np.where(np.asarray(y) == verdict.classes[1], 1, -1)
    rows = verdict.rows.tolist()
    return [
        sum(
            alpha * int(signs[row]) * Fraction(float(X[row, column]))
            for alpha, row in zip(verdict.multipliers, rows, strict=True)
        )
        for column in range(X.shape[1])
    ]


def feasible(X, y):
    """Whether a linear program finds margins of one: another way to the same verdict."""
    Z = np.where(y == 1, 1.0, -1.0)[:, np.newaxis] * reference.with_constant(X)
    width = Z.shape[1]
    found = optimize.linprog(
        np.zeros(width), A_ub=-Z, b_ub=-np.ones(len(Z)), bounds=[(None, None)] * width
    )
    return found.status == 0


def test_exclusive_or_is_refuted_by_its_four_corners():
    """C27, L16: the diagonals cross."""
    y = np.array(["no", "yes", "yes", "no"])

    verdict = separability(XOR, y)

    assert verdict.separable is False
    assert verdict.rows.tolist() == [0, 1, 2, 3]
    assert verdict.multipliers == (Fraction(1, 4),) * 4
    assert mixture(verdict, XOR, y) == [0, 0, 0]
    assert verdict.check(XOR, y)
    assert str(verdict) == (
        "Not separable: mixtures of rows 0 and 3 (label 'no') and of rows 1 and 2 (label 'yes') "
        "coincide."
    )


def test_exclusive_or_with_their_product_is_separable():
    """C30: x3 = x1 ∧ x2 makes it so."""
    X = np.column_stack([XOR, XOR[:, 0] * XOR[:, 1]])

    verdict = separability(X, [0, 1, 1, 0])

    assert verdict.separable is True
    assert verdict.check(X, [0, 1, 1, 0])
    assert "every example on its right side" in str(verdict)


@pytest.mark.parametrize("X", [np.empty((2, 0)), np.ones((2, 3)), sparse.csr_array((2, 4))])
def test_examples_without_features_of_their_own_are_refuted(X):
    """C17: no features, one + and one -."""
    verdict = separability(X, [1, -1])

    assert verdict.separable is False
    assert verdict.check(X, [1, -1])
    assert str(verdict) == (
        "Not separable: rows 0 and 1 have the same features but different labels, 1 and -1."
    )


@pytest.mark.parametrize("container", [np.array, sparse.csr_array])
def test_equal_rows_with_different_labels_are_named(container):
    X, y, _, _ = separable(0)
    X[17], y[3], y[17] = X[3], 0, 1

    verdict = separability(container(X), y)

    assert verdict.rows.tolist() == [3, 17]
    assert "rows 3 and 17 have the same features but different labels, 0 and 1" in str(verdict)
    assert verdict.check(container(X), y)


def test_without_an_intercept_a_row_of_zeros_is_enough():
    X, y = np.array([[1.0, 2.0], [0.0, 0.0], [-1.0, 0.0]]), [1, 0, 0]

    verdict = separability(X, y, fit_intercept=False)

    assert verdict.rows.tolist() == [1]
    assert "row 1 is zero in every feature" in str(verdict)
    assert verdict.check(X, y)
    assert separability(X, y).separable is True


def test_without_an_intercept_opposite_rows_of_one_class_contradict_each_other():
    X, y = np.array([[1.0, 1.0], [-2.0, -2.0], [-1.0, 5.0]]), [0, 0, 1]

    verdict = separability(X, y, fit_intercept=False)

    assert verdict.rows.tolist() == [0, 1]
    assert verdict.multipliers == (Fraction(2, 3), Fraction(1, 3))
    assert verdict.check(X, y)
    assert separability(X, y).separable is True


@given(problem=whole_problems(classes=2))
def test_the_verdict_is_that_of_a_linear_program_and_its_proof_holds(problem):
    """L15, C18, Gordan (1873): a separator or a contradiction, never both."""
    X, y = problem

    verdict = separability(X, y)

    assert verdict.separable == feasible(X, y)
    assert verdict.check(X, y)


@given(problem=whole_problems(classes=3))
def test_every_verdict_on_several_classes_has_a_proof(problem):
    X, y = problem

    verdict = separability(X, y)

    assert verdict.separable is not None
    assert verdict.check(X, y)


@given(
    X=arrays(np.float64, (9, 2), elements=st.floats(-1e3, 1e3)),
    y=arrays(np.int64, 9, elements=st.integers(0, 1)),
)
def test_proofs_hold_on_awkward_numbers(X, y):
    y[:2] = [0, 1]

    verdict = separability(X, y)

    assert verdict.check(X, y) == (verdict.separable is not None)


@pytest.mark.parametrize("seed", range(10))
def test_a_perceptron_converges_on_what_is_said_to_be_separable(seed):
    """C18: one whole pass without update, if and only if separable."""
    X, y, _, _ = separable(seed, gap=0.05)
    noised = y.copy()
    noised[np.argsort(X[:, 0])[:3]] ^= 1

    for labels in (y, noised):
        verdict = separability(X, labels)
        model = Perceptron(max_iter=5000, random_state=seed).fit(X, labels)
        assert verdict.check(X, labels)
        assert verdict.separable == model.converged_


@pytest.mark.parametrize("scaled", [True, False])
def test_noised_labels_of_measured_data_are_refuted_exactly(scaled):
    X, y = load_breast_cancer(return_X_y=True)
    if scaled:
        X = (X - X.mean(axis=0)) / X.std(axis=0)
    assert separability(X, y).separable is True

    y[:5] ^= 1
    verdict = separability(X, y)

    assert verdict.separable is False
    assert len(verdict.rows) <= X.shape[1] + 2
    assert mixture(verdict, X, y) == [0] * (X.shape[1] + 1)
    assert sum(verdict.multipliers) == 1
    assert min(verdict.multipliers) > 0
    assert str(verdict).count("...") == 2  # a few rows stand for all


def test_three_kinds_of_iris_are_refuted_by_a_few_flowers():
    X, y = load_iris(return_X_y=True)

    verdict = separability(X, y)

    assert verdict.separable is False
    assert len(verdict.rows) < 10
    assert verdict.check(X, y)
    assert "contradict each other" in str(verdict)


def test_a_narrow_separator_that_the_perceptron_misses_is_found():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 6))
    y = (X @ np.arange(1, 7) > 0).astype(int)
    assert not Perceptron(max_iter=100, random_state=0).fit(X, y).converged_

    verdict = separability(X, y)

    assert verdict.separable is True
    assert verdict.check(X, y)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_proof_holds_for_every_layout_of_the_same_examples(layout):
    X, y = whole_numbers()
    verdict = separability(X, y)

    other = separability(LAYOUTS[layout](X), y)

    assert other.separable is verdict.separable is False
    assert verdict.check(LAYOUTS[layout](X), y)
    assert other.check(X, y)


def test_one_class_alone_is_refused():
    with pytest.raises(ValueError, match="only the label 1"):
        separability(XOR, [1, 1, 1, 1])
