"""How far examples stay from the boundary, and how far they could."""

import math

import numpy as np
import pytest
from scipy import optimize, sparse
from sklearn.datasets import load_iris

import reference
from data import LAYOUTS, XOR, labels_of, separable, whole_numbers
from rosenblatt import AveragedPerceptron, Perceptron, data_margin, margin, radius
from rosenblatt.theory.augmented_lagrangian import solve_by_augmented_lagrangian
from rosenblatt.theory.differences import LabelledRows
from rosenblatt.theory.interior_point import solve_by_interior_point
from rosenblatt.theory.margin_program import MarginProgram
from rosenblatt.theory.working_set import is_worth_a_working_set, solve_by_working_set

SQUARE = np.array([[0.0, 0.0], [0.0, 3.0], [4.0, 0.0], [4.0, 3.0]])


def classes_apart(seed, classes=4, count=60, width=5):
    """Several classes that stacked weights separate."""
    rng = np.random.default_rng(seed)
    centres = 6 * rng.normal(size=(classes, width))
    y = labels_of(rng, count, classes)
    return centres[y] + 0.1 * rng.normal(size=(count, width)), y


def mirrored(count, width, gamma, seed=0):
    """Sparse rows whose widest margin is γ, along the first column.

    Every row has a mirror image in all other columns, so that their mean points along the first.
    """
    rng = np.random.default_rng(seed)
    half, stored = count // 2, 20
    side = sparse.csr_array(
        (
            rng.normal(size=half * stored),
            rng.integers(1, width, size=half * stored),
            np.arange(0, half * stored + 1, stored),
        ),
        shape=(half, width),
    )
    y = np.where(rng.random(half) < 0.5, -1.0, 1.0)
    beyond = np.where(np.arange(half) < 50, 0.0, rng.random(half))
    first = np.zeros(half, dtype=int)
    ahead = sparse.csr_array((y * (gamma + beyond), (np.arange(half), first)), side.shape)
    return sparse.csr_array(sparse.vstack([ahead + side, ahead - side])), np.append(y, y)


def labelled_by_a_hyperplane(count, width, stored):
    rng = np.random.default_rng(0)
    X = sparse.random_array(
        (count, width), density=stored / width, rng=rng, data_sampler=rng.normal, format="csr"
    )
    return X, (X @ rng.normal(size=width) > 0).astype(int)


def by_another_solver(X, y):
    """The widest margin of two classes from SciPy's general solver: min |w|, margins of one."""
    signs = np.where(y == 1, 1.0, -1.0)
    width = X.shape[1]
    Z = signs[:, np.newaxis] * reference.with_constant(X)
    found = optimize.minimize(
        lambda v: v[:width] @ v[:width] / 2,
        np.linalg.lstsq(Z, np.ones(len(Z)), rcond=None)[0],
        jac=lambda v: np.append(v[:width], 0.0),
        constraints={"type": "ineq", "fun": lambda v: Z @ v - 1, "jac": lambda v: Z},
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    assert found.success
    return 1 / np.linalg.norm(found.x[:width])


def test_the_radius_is_the_length_of_the_longest_row():
    """C20: |x| ≤ R."""
    assert radius([[3.0, 4.0], [0.0, -2.0]]) == 5
    assert radius(sparse.csr_array([[3.0, 4.0], [0.0, -2.0]])) == 5


@pytest.mark.parametrize(
    ("w", "b", "expected"),
    [([1.0, 0.0], -2.0, 2.0), ([2.0, 0.0], -4.0, 2.0), ([1.0, 0.0], -1.0, 1.0)],
)
def test_the_margin_is_the_distance_of_the_nearest_example(w, b, expected):
    """C19, B5, A5 no. 8: min y (w · x + b) / |w|."""
    assert margin(SQUARE, [0, 0, 1, 1], w, b) == expected


def test_the_functional_margin_is_not_divided_by_the_length():
    """(4.8) as printed; A5 no. 8: it grows with w."""
    assert margin(SQUARE, [0, 0, 1, 1], [2.0, 0.0], -4.0, functional=True) == 4
    assert margin(SQUARE, [0, 0, 1, 1], [4.0, 0.0], -8.0, functional=True) == 8


@pytest.mark.parametrize(("w", "b"), [([1.0, 0.0], 0.0), ([0.0, 1.0], 0.0), ([0.0, 0.0], 0.0)])
def test_weights_that_do_not_separate_have_a_margin_of_minus_infinity(w, b):
    """(4.8), C5: an example on the boundary is not on its right side."""
    assert margin(SQUARE, [0, 0, 1, 1], w, b) == -math.inf


def test_augmented_the_intercept_counts_in_the_length():
    y = [0, 0, 1, 1]

    assert margin(SQUARE, y, [1.0, 0.0], -2.0, augmented=True) == pytest.approx(2 / math.sqrt(5))


def test_a_model_brings_its_weights_and_classes():
    X, y, _, _ = separable(1)
    model = Perceptron(max_iter=1000, random_state=0).fit(X, y)
    several = Perceptron(max_iter=1000, random_state=0).fit(*classes_apart(0))

    assert margin(X, y, model) == margin(X, y, model.coef_[0], model.intercept_[0]) > 0
    expected = margin(*classes_apart(0), several.coef_, several.intercept_)
    assert margin(*classes_apart(0), several) == expected > 0
    assert margin(X[y == 1], y[y == 1], model) > 0  # the model knows the other class


def test_the_margin_of_several_classes_is_the_least_gap_at_stacked_length_one():
    """SPEC, open points."""
    X, y = np.eye(3), [0, 1, 2]
    W = np.eye(3)

    assert margin(X, y, W) == pytest.approx(1 / math.sqrt(3))
    assert margin(X, y, W, [1.0, 1.0, 1.0]) == pytest.approx(1 / math.sqrt(6))
    assert margin(X, y, W, [1.0, 1.0, 1.0], augmented=False) == pytest.approx(1 / math.sqrt(3))
    assert margin(X, y, -W) == -math.inf


def test_two_points_are_half_their_distance_from_the_widest_boundary():
    found = data_margin([[0.0, 0.0], [3.0, 4.0]], ["left", "right"])

    assert found.margin == pytest.approx(2.5, rel=1e-6)
    assert found.upper == pytest.approx(2.5, rel=1e-6)
    np.testing.assert_allclose(found.w, [0.6, 0.8], rtol=1e-6)
    assert found.b == pytest.approx(-2.5, rel=1e-6)
    assert found.support.tolist() == [0, 1]


def test_without_an_intercept_the_boundary_goes_through_the_origin():
    found = data_margin([[1.0, 0.0], [3.0, 0.0]], [0, 1], fit_intercept=False)
    other = data_margin([[-1.0, 0.0], [3.0, 0.0]], [0, 1], fit_intercept=False)

    assert found.margin == -math.inf
    assert other.margin == pytest.approx(1, rel=1e-6)
    assert other.b == 0
    assert other.support.tolist() == [0]


def test_what_cannot_be_separated_has_a_margin_of_minus_infinity():
    """(4.9), C27."""
    found = data_margin(XOR, [0, 1, 1, 0])

    assert found.margin == -math.inf
    assert found.upper < 1e-9


def test_a_wide_data_margin_may_end_with_a_narrow_separator():
    """C21: the perceptron promises a separator, not the widest."""
    X = np.array([[1.0, 0.0], [1.0, 1.0], [-1.0, 0.0], [-1.0, -1.0]])
    y = [1, 1, 0, 0]

    assert data_margin(X, y).margin > 0.9
    assert margin(X, y, [1e-6, 1.0]) < 1.1e-6


@pytest.mark.parametrize("seed", range(10))
def test_the_widest_margin_is_the_one_of_another_solver(seed):
    X, y, _, _ = separable(seed, count=60)

    found = data_margin(X, y)

    assert found.margin == pytest.approx(by_another_solver(X, y), rel=1e-6)
    assert found.margin == pytest.approx(margin(X, y, found.w, found.b))
    assert np.linalg.norm(found.w) == pytest.approx(1)
    assert found.margin <= found.upper * (1 + 1e-12) <= found.margin * (1 + 1e-6)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("augmented", [True, False])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_both_ends_meet_for_several_classes_too(seed, augmented, fit_intercept):
    X, y = classes_apart(seed)

    found = data_margin(X, y, fit_intercept=fit_intercept, augmented=augmented)

    reached = margin(X, y, found.w, found.b, augmented=augmented)
    assert found.margin > 0
    assert found.margin == pytest.approx(reached)
    assert found.margin <= found.upper * (1 + 1e-12) <= found.margin * (1 + 1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_the_support_alone_has_the_same_margin(seed):
    X, y, _, _ = separable(seed)
    found = data_margin(X, y)

    alone = data_margin(X[found.support], y[found.support])

    assert len(found.support) <= X.shape[1] + 1
    assert alone.margin == pytest.approx(found.margin, rel=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_stacked_a_race_of_two_has_the_margin_of_two_classes_times_root_two(seed):
    """Of weights that share the two classes' work evenly: W = (-w, w) / √2."""
    X, y, _, _ = separable(seed)
    found = data_margin(X, y, augmented=True)
    W = np.vstack([-found.w, found.w]) / math.sqrt(2)

    gaps = (X @ W.T + np.array([-found.b, found.b]) / math.sqrt(2)) @ [-1, 1]

    assert (np.where(y == 1, 1, -1) * gaps).min() == pytest.approx(math.sqrt(2) * found.margin)


def test_no_other_weights_have_a_wider_margin():
    X, y = load_iris(return_X_y=True)
    y = y == 0
    widest = data_margin(X, y)
    rng = np.random.default_rng(0)

    for scale in (1e-3, 1e-2, 1e-1):
        for _ in range(50):
            w = widest.w + scale * rng.normal(size=4)
            b = widest.b + scale * rng.normal()
            assert margin(X, y, w, b) <= widest.upper


@pytest.mark.parametrize(("count", "width"), [(20_000, 2_000), (3_000, 100), (400, 5_000)])
def test_known_margins_are_found_in_large_sparse_data(count, width):
    X, y = mirrored(count, width, gamma=0.3)

    found = data_margin(X, y)

    assert found.margin == pytest.approx(0.3, rel=1e-6)
    assert found.upper == pytest.approx(0.3, rel=1e-6)
    assert found.w[0] == pytest.approx(1, rel=1e-6)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize(
    ("count", "width", "stored"), [(2000, 310, 30), (350, 900, 30), (500, 310, 310)]
)
def test_two_solvers_agree_where_most_weights_are_held_by_a_row(
    count, width, stored, fit_intercept
):
    """The method of multipliers and the interior-point method share no step."""
    X, y = labelled_by_a_hyperplane(count, width, stored)
    signs = np.where(y == 1, 1.0, -1.0)[:, np.newaxis]
    D = sparse.csr_array(signs * X.toarray() / np.sqrt((X.toarray() ** 2).sum(axis=1).max()))
    program = MarginProgram(D, sparse.csr_array(signs[:, : int(fit_intercept)]))

    many, few = solve_by_augmented_lagrangian(program), solve_by_interior_point(program)

    assert many.close
    assert few.close
    assert many.lowest == pytest.approx(few.lowest, rel=1e-7)
    assert (many.point.multipliers > 0).sum() > 0.5 * min(count, width)
    np.testing.assert_allclose(
        many.point.weights / np.linalg.norm(many.point.weights),
        few.point.weights / np.linalg.norm(few.point.weights),
        atol=2e-4,  # the root of how near the margins are
    )


@pytest.mark.parametrize("augmented", [True, False])
@pytest.mark.parametrize(("classes", "noise"), [(2, 0.0), (6, 0.0), (6, 0.05), (3, 0.05)])
def test_a_few_differences_have_the_widest_margin_of_all(classes, noise, augmented):
    """Of many differences of few weights; the first ones looked at miss a class that is rare."""
    rng = np.random.default_rng(classes)
    X = rng.normal(size=(3000, 4))
    scores = X @ rng.normal(size=(4, classes))
    ahead = np.diff(np.sort(scores, axis=1)[:, -2:], axis=1).ravel() > 0.02
    X, y = X[ahead], scores[ahead].argmax(axis=1)
    rare = np.flatnonzero(y == 0)[3:]
    X, y = np.delete(X, rare, axis=0), np.delete(y, rare)
    flipped = rng.random(len(y)) < noise
    y[flipped] = rng.integers(classes, size=np.count_nonzero(flipped))
    examples = LabelledRows.read(X, y)
    pairs = examples.pairs()
    D, C = examples.differences(*pairs), examples.constants(*pairs)
    if augmented:
        D, C = sparse.csr_array(sparse.hstack([D, C])), C[:, :0]
    program = MarginProgram(D / np.sqrt(D.multiply(D).sum(axis=1).max()), C)
    assert is_worth_a_working_set(program)

    few, whole = solve_by_working_set(program), solve_by_interior_point(program)

    if noise:
        assert max(few.highest, whole.highest) < 1e-9
    else:
        assert few.lowest == pytest.approx(whole.lowest, rel=1e-6)
        assert few.highest == pytest.approx(few.lowest, rel=1e-6)
    assert np.count_nonzero(few.point.multipliers) <= len(D.toarray()) / 2


def test_a_margin_among_more_weights_and_rows_than_a_factor_could_hold_is_found():
    X, y = mirrored(14_000, 13_000, gamma=0.3)

    found = data_margin(X, y)

    assert found.margin == pytest.approx(0.3, rel=1e-6)
    assert found.upper == pytest.approx(0.3, rel=1e-6)


def test_rows_of_one_class_that_look_worst_do_not_mislead():
    """Many weights and few rows tried first, all of one class if only their gaps counted."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [600, 300])
    X = np.zeros((900, 1500))
    X[:, 0] = np.where(y == 1, 5.0, 3.0)
    X[np.arange(900), rng.integers(1, 1500, size=900)] = 0.1

    found = data_margin(X, y)

    assert found.margin == pytest.approx(1, rel=0.01)
    assert found.margin <= found.upper <= found.margin * (1 + 1e-6)


def test_scaling_the_features_scales_the_margin():
    X, y, _, _ = separable(3)
    plain = data_margin(X, y)

    assert data_margin(1e6 * X, y).margin == pytest.approx(1e6 * plain.margin, rel=1e-6)
    assert data_margin(1e-6 * X, y).margin == pytest.approx(1e-6 * plain.margin, rel=1e-6)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_dense_sparse_and_other_layouts_mean_the_same(layout):
    X, _ = whole_numbers(classes=2)
    y = (X @ np.arange(1, 10) > 0).astype(int)
    expected = data_margin(X, y)

    found = data_margin(LAYOUTS[layout](X), y)

    assert found.margin == expected.margin
    np.testing.assert_array_equal(found.w, expected.w)
    w, b = expected.w, expected.b
    assert margin(LAYOUTS[layout](X), y, w, b) == pytest.approx(expected.margin)


def test_examples_that_stand_twice_change_nothing():
    X, y, _, _ = separable(4)

    twice = data_margin(np.vstack([X, X]), np.append(y, y))

    assert twice.margin == pytest.approx(data_margin(X, y).margin, rel=1e-7)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: margin(SQUARE, [1, 1, 1, 1], [1.0, 0.0]), "only the label 1"),
        (lambda: data_margin(SQUARE, ["a"] * 4), "only the label 'a'"),
        (lambda: data_margin(SQUARE, None), "y must hold the labels of the examples, got y=None"),
        (lambda: margin(SQUARE, [0, 0, 1, 1], [1.0]), r"w must have shape \(2,\)"),
        (lambda: margin(SQUARE, [0, 1, 2, 2], [1.0, 2.0]), r"w must have shape \(3, 2\)"),
        (lambda: margin(SQUARE, [0, 0, 1, 1], [1.0, 0.0], [1.0, 2.0]), "b must be a number"),
        (lambda: margin(SQUARE, [0, 0, 1, 1], [np.nan, 0.0]), "finite"),
        (lambda: margin(SQUARE, [0, 1, 1], [1.0, 0.0]), "X has 4 rows but y has 3 labels"),
        (lambda: radius([[1.0, np.nan]]), "NaN in row 0, column 1"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_averaging_often_widens_what_the_perceptron_leaves():
    """C21, C26: over many runs the mean of the weights has the wider margin more often than not."""
    wider = 0
    for seed in range(20):
        X, y, _, _ = separable(seed, gap=0.3)
        plain = Perceptron(max_iter=1000, random_state=seed).fit(X, y)
        mean = AveragedPerceptron(max_iter=1000, random_state=seed).fit(X, y)
        wider += margin(X, y, mean) > margin(X, y, plain)

    assert wider > 10
