"""The plain twin itself: its walks pass through the weights of the slides."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from data import whole_numbers, whole_problems
from reference import binary_path, multiclass_path, with_constant

passes = st.integers(1, 3)
VARIANTS = {"PA": reference.pa, "PA-I": reference.pa_1(0.25), "PA-II": reference.pa_2(0.25)}


def signs_of(codes):
    return np.where(codes == 1, 1.0, -1.0)


@given(whole_problems(2), passes)
def test_the_walk_ends_where_algorithm_5_does(problem, passes):
    """SPEC L5, C4; the bias is the weight of a constant feature (L3)."""
    X, codes = problem
    w, b = reference.algorithm_5(X, signs_of(codes), passes)

    path = binary_path(with_constant(X), signs_of(codes), reference.perceptron, passes)

    np.testing.assert_array_equal(path[-1], [*w, b])


@given(whole_problems(2), passes)
def test_the_mean_of_the_walk_is_what_algorithm_7_returns(problem, passes):
    """SPEC C25, A6: w - u / c is the mean of w_0 ... w_T."""
    X, codes = problem
    w, b = reference.algorithm_7(X, signs_of(codes), passes)

    path = binary_path(with_constant(X), signs_of(codes), reference.perceptron, passes)

    np.testing.assert_allclose(path.mean(axis=0), [*w, b], atol=1e-12)


@given(whole_problems(4), passes)
def test_the_race_passes_through_the_weights_of_k4_and_averages_to_k9(problem, passes):
    """SPEC K4, K9, where argmax takes the first of the best: ties="predict"."""
    X, codes = problem
    w, b = reference.k4(X, codes, 4, passes)
    mean_w, mean_b = reference.k9(X, codes, 4, passes)

    path = multiclass_path(with_constant(X), codes, 4, reference.perceptron, passes, "predict")

    np.testing.assert_array_equal(path[-1], np.column_stack([w, b]))
    np.testing.assert_allclose(path.mean(axis=0), np.column_stack([mean_w, mean_b]), atol=1e-12)


@given(whole_problems(2), passes)
def test_without_a_constant_feature_the_walk_is_j1_and_its_mean_j5_and_j7(problem, passes):
    """SPEC J1, J5, J7: these average w_1 ... w_T, without the zeros at the start."""
    X, codes = problem

    path = binary_path(X, signs_of(codes), reference.perceptron, passes)

    np.testing.assert_array_equal(path[-1], reference.j1(X, signs_of(codes), passes))
    for average in (reference.j5, reference.j7):
        mean = average(X, signs_of(codes), passes)
        np.testing.assert_allclose(path[1:].mean(axis=0), mean, atol=1e-12)


@given(whole_problems(2), passes)
def test_examples_of_length_one_and_predicted_ties_are_b2(problem, passes):
    """SPEC B2; the constant feature is there before the scaling (A5 no. 16)."""
    X, codes = problem
    X = with_constant(X)

    path = binary_path(
        reference.unit_length(X), signs_of(codes), reference.perceptron, passes, "predict"
    )

    np.testing.assert_allclose(path[-1], reference.b2(X, signs_of(codes), passes), atol=1e-12)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_walks_of_the_passive_aggressive_rules_end_where_the_paper_says(variant):
    """Crammer et al. (2006)."""
    X, codes = whole_numbers()
    X3, codes3 = whole_numbers(classes=3)
    X, X3 = with_constant(X), with_constant(X3)

    path = binary_path(X, signs_of(codes), VARIANTS[variant], passes=2)
    path3 = multiclass_path(X3, codes3, 3, VARIANTS[variant], passes=2)

    w = reference.passive_aggressive(X, signs_of(codes), 2, variant, C=0.25)
    w3 = reference.passive_aggressive_multiclass(X3, codes3, 3, 2, variant, C=0.25)
    np.testing.assert_allclose(path[-1], w, rtol=1e-12)
    np.testing.assert_allclose(path3[-1], w3, rtol=1e-12, atol=1e-14)
