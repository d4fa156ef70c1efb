"""Boundaries, projections, planes and updates are drawn where they are."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.datasets import load_iris, make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from data import XOR, separable
from pictures import LIFTED, XOR_LABELS, drawn, tips
from rosenblatt import AveragedPerceptron, Perceptron
from rosenblatt.plots import (
    BoundaryDisplay,
    PlaneDisplay,
    ProjectionDisplay,
    UpdateDisplay,
)

pytestmark = pytest.mark.usefixtures("no_figures_stay")


@pytest.fixture
def plane():
    """Two features, and a model that separates them."""
    X, y, _, _ = separable(count=40, width=2, gap=0.3)
    model = Perceptron(max_iter=1000, random_state=0, record=True).fit(X, y)
    assert model.converged_
    return model, X, y


# BoundaryDisplay


def test_the_line_lies_where_the_score_is_zero(plane):
    """C10, L12: B = {x : w . x + b = 0}."""
    model, X, y = plane

    display = BoundaryDisplay.from_estimator(model, X, y)

    assert_allclose(model.decision_function(drawn(display.boundary_)), 0, atol=1e-9)


def test_the_weights_point_across_the_line_to_the_second_class(plane):
    """C10: w is perpendicular to the boundary and points to the positives."""
    model, X, y = plane

    display = BoundaryDisplay.from_estimator(model, X, y)

    start, end = tips(display.weights_)
    one, other = drawn(display.boundary_)
    assert (end - start) @ (other - one) == pytest.approx(0, abs=1e-9)
    assert model.predict([end])[0] == model.classes_[1]
    assert display.ax_.get_aspect() == 1


def test_the_band_reaches_to_the_nearest_example(plane):
    model, X, y = plane
    distances = np.abs(model.decision_function(X)) / np.linalg.norm(model.coef_)

    display = BoundaryDisplay.from_estimator(model, X, y)

    edges = [model.decision_function(drawn(edge)[:1])[0] for edge in display.band_]
    edges = np.array(edges) / np.linalg.norm(model.coef_)
    assert_allclose(np.sort(edges), [-distances.min(), distances.min()])


def test_there_is_no_band_around_a_boundary_that_does_not_separate():
    """Fig. 4.11: examples on the wrong side are circled instead (SPEC L15, L16)."""
    model = Perceptron(random_state=0).fit(XOR, XOR_LABELS)

    display = BoundaryDisplay.from_estimator(model, XOR, XOR_LABELS)

    assert display.band_ == []
    wrong = np.flatnonzero(model.predict(XOR) != XOR_LABELS)
    np.testing.assert_array_equal(display.highlight, wrong)
    assert len(wrong) > 0


@pytest.mark.parametrize("b", [-1.5, 0.75])
def test_the_bias_shifts_the_boundary_by_minus_b_over_the_length_of_w(b):
    """C14 with SPEC A5 no. 14: -b / |w|, not -b."""
    w = np.array([3.0, 4.0])

    display = BoundaryDisplay.from_weights(w, b, XOR, XOR_LABELS, bias=True)

    start, end = tips(display.shift_)
    assert_allclose(start, 0)
    assert end @ w / 5 == pytest.approx(-b / 5)
    assert end @ w + b == pytest.approx(0)


def test_angles_to_the_weights_decide_the_side():
    """K3: acute, obtuse and right angles to w = (2, 2) give +6, -6 and 0."""
    w, X = np.array([2.0, 2.0]), np.array([[2.0, 1.0], [-2.0, -1.0], [-2.0, 2.0]])

    display = BoundaryDisplay.from_weights(w, 0, X, [1, -1, -1])

    np.testing.assert_array_equal(X @ w, [6, -6, 0])
    assert_allclose(display.hyperplane.distances(X) * np.linalg.norm(w), [6, -6, 0])
    assert len(display.highlight) == 0


def test_more_features_are_seen_from_where_distances_stay_true():
    X, y, _, _ = separable(count=60, width=7)
    model = AveragedPerceptron(random_state=0).fit(X, y)

    display = BoundaryDisplay.from_estimator(model, sparse.csr_array(X), y)

    distances = model.decision_function(X) / np.linalg.norm(model.coef_)
    assert_allclose(display.examples.X[:, 0], distances)
    assert_allclose(drawn(display.boundary_)[:, 0], 0)


@pytest.mark.parametrize("frame", [np.array, pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(),
        DecisionTreeClassifier(max_depth=3),
        KNeighborsClassifier(3),
        make_pipeline(StandardScaler(), AveragedPerceptron(random_state=0)),
    ],
    ids=lambda model: type(model).__name__,
)
def test_any_classifier_on_any_table_can_be_drawn(model, frame):
    X, y = make_moons(60, noise=0.2, random_state=0)
    labels = np.array(["down", "up"])[y]
    table = frame({"a": X[:, 0], "b": X[:, 1]}) if frame is not np.array else X
    model.fit(table, labels)

    display = BoundaryDisplay.from_estimator(model, table, labels)

    assert len(display.highlight) == (model.predict(table) != labels).sum()
    if frame is not np.array:
        assert display.ax_.get_xlabel() == "a"


def test_regions_have_the_classes_that_the_model_predicts():
    X, y = load_iris(return_X_y=True)
    model = KNeighborsClassifier().fit(X[:, 2:], y)

    display = BoundaryDisplay.from_estimator(model, X[:, 2:], y)

    (image,) = display.ax_.images
    left, right, bottom, top = image.get_extent()
    codes = image.get_array()
    x, height = np.linspace(left, right, 300)[40], np.linspace(bottom, top, 300)[250]
    assert codes[250, 40] == model.predict([[x, height]])[0]
    assert set(np.unique(codes)) == {0, 1, 2}


def test_models_stand_side_by_side_on_the_same_limits():
    X, y = make_moons(80, noise=0.2, random_state=0)
    models = {
        "plain": Perceptron(random_state=0).fit(X, y),
        "averaged": AveragedPerceptron(random_state=0).fit(X, y),
        "tree": DecisionTreeClassifier(max_depth=3).fit(X, y),
    }

    displays = BoundaryDisplay.from_estimators(models, X, y)

    assert len({display.ax_.get_xlim() for display in displays}) == 1
    for (name, model), display in zip(models.items(), displays, strict=True):
        wrong = round(80 * (1 - model.score(X, y)))
        assert display.ax_.get_title() == f"{name}: {wrong} wrong"


# ProjectionDisplay


@pytest.mark.parametrize("width", [1, 2, 6])
def test_positions_on_the_strip_are_scores_over_the_length_of_the_weights(width):
    """C13: the projection onto w, with zero marked."""
    X, y, _, _ = separable(count=30, width=width)
    model = Perceptron(random_state=0).fit(X, y)

    display = ProjectionDisplay.from_estimator(model, X, y)

    expected = model.decision_function(X) / np.linalg.norm(model.coef_)
    points = np.vstack([part.get_offsets() for part in display.strip_.collections])
    assert_allclose(np.sort(points[:, 0]), np.sort(expected), atol=1e-12)
    zero = [line for line in display.strip_.lines if list(line.get_xdata()) == [0, 0]]
    assert len(zero) == 1


def test_a_projection_has_the_length_of_the_dot_product():
    """C11 with SPEC A5 no. 13: 0.734 is the length of the part along u."""
    display = BoundaryDisplay.from_weights([0.8, 0.6], 0, [[0.37, 0.73], [-1, -1]], [1, 0])

    along = display.hyperplane.distances(np.array([[0.37, 0.73]]))[0]

    assert along == pytest.approx(0.734)


# UpdateDisplay


@pytest.mark.parametrize(("label", "after"), [(1, [2.0, 1.0]), (0, [0.0, -1.0])])
def test_the_new_weights_are_the_diagonal_of_the_parallelogram(label, after):
    """L14: (1, 0) + (1, 1) = (2, 1) and (1, 0) - (1, 1) = (0, -1)."""
    x = np.array([1.0, 1.0])

    display = UpdateDisplay(
        before=np.array([1.0, 0.0]),
        change=(2.0 * label - 1) * x,
        intercepts=(0.0, 0.0),
        example=x,
        right=label,
        labels=("this", "that"),
        margins=(-1.0, 1.0),
        names=["a", "b"],
    ).plot()

    np.testing.assert_array_equal(display.after, after)
    for name, end in (("before", [1, 0]), ("after", after), ("change", display.change)):
        np.testing.assert_array_equal(tips(display.arrows_[name]), [[0, 0], end])
    corners = [line.get_xydata() for line in display.ax_.lines if len(line.get_xydata()) == 2]
    sides = [corner for corner in corners if (corner[1] == after).all()]
    np.testing.assert_array_equal([side[0] for side in sides], [[1, 0], display.change])


@pytest.mark.parametrize(("width", "classes"), [(1, 2), (2, 2), (5, 2), (1, 3), (2, 3), (6, 4)])
def test_an_update_adds_up_in_any_number_of_features_and_classes(width, classes):
    """C15, L13: lengths, angles and margins are those of the model's own update."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, width)), np.arange(40) % classes
    model = Perceptron(random_state=0, record=True, max_iter=2).fit(X, y)
    z = np.column_stack([X, np.ones(40)])
    weights = np.zeros((classes, width + 1))
    for _, row, loser, step in model.mistakes_[:7].tolist():
        weights[y[row]] += step * z[row]
        weights[loser] -= step * z[row]
    _, example, rival, _ = model.mistakes_[7].tolist()
    side = 1 if classes > 2 or y[example] else -1
    if classes == 2:
        v, d = weights[1], side * z[example]
    else:
        v, d = weights[y[example]] - weights[rival], 2 * z[example]

    display = UpdateDisplay.from_estimator(model, X, y, update=7)

    assert np.linalg.norm(display.before) == pytest.approx(np.linalg.norm(v[:-1]))
    assert np.linalg.norm(display.change) == pytest.approx(np.linalg.norm(d[:-1]))
    assert display.before @ display.change == pytest.approx(v[:-1] @ d[:-1])
    assert display.margins[0] == pytest.approx(side * v @ z[example])
    assert display.margins[0] <= 0
    assert display.margins[1] - display.margins[0] == pytest.approx(side * d @ z[example])


def test_the_first_update_with_weights_is_shown_unless_one_is_named(plane):
    model, X, y = plane

    display = UpdateDisplay.from_estimator(model, X, y)
    last = UpdateDisplay.from_estimator(model, X, y, update=-1)

    assert display.before.any()
    assert_allclose(last.after, model.coef_[0])


# PlaneDisplay


def test_a_plane_separates_xor_once_both_is_a_feature():
    """C27 and the exercise on x3 = x1 and x2: Fig. 4.12 and its lift."""
    model = Perceptron(max_iter=1000, random_state=0).fit(LIFTED, XOR_LABELS)
    assert model.converged_

    display = PlaneDisplay.from_estimator(model, LIFTED, XOR_LABELS)

    assert len(display.corners_) >= 3
    assert_allclose(model.decision_function(display.corners_), 0, atol=1e-9)
    assert (model.predict(LIFTED) == XOR_LABELS).all()
