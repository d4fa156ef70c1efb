"""Errors, mistakes, scores and weights are drawn as they are."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.datasets import load_digits

from data import separable
from pictures import fitted
from rosenblatt import AveragedPerceptron, Perceptron, Winnow
from rosenblatt.plots import (
    MistakesDisplay,
    NeuronDisplay,
    PassesDisplay,
    PrototypesDisplay,
    WeightsDisplay,
)

pytestmark = pytest.mark.usefixtures("no_figures_stay")


def test_the_neuron_adds_up_to_the_score():
    """C1: a = sum of w_d x_d + b; it fires iff a > 0."""
    model, X, _ = fitted(12)

    for x, score in zip(X[:5], model.decision_function(X[:5]), strict=True):
        display = NeuronDisplay.from_estimator(model, x, most=4)

        assert display.activation == pytest.approx(score)
        assert len(display.lines_) == 6  # four inputs, the constant, and the rest
        assert display.left_out == 8
        dashed = [line.get_linestyle() == "--" for line in display.lines_[:5]]
        assert dashed == (display.products < 0).tolist()
        fires = "above zero: fires" in display.ax_.texts[-1].get_text()
        assert fires == (score > 0)


def test_the_neuron_of_winnow_takes_in_zeros_and_ones():
    X, y, _, _ = separable()
    model = Winnow(binarize=0.5).fit(X, y)

    display = NeuronDisplay.from_estimator(model, X[0])

    assert display.activation == pytest.approx(model.decision_function(X[:1])[0])
    assert set(display.values) <= {0, 1}


@pytest.mark.parametrize("label", [0, 1, 2, None])
def test_a_neuron_can_stand_for_any_class(label):
    model, X, _ = fitted(4, classes=3)
    scores = model.decision_function(X[:1])[0]

    display = NeuronDisplay.from_estimator(model, sparse.csr_array(X)[[0]], label=label)

    assert display.activation == pytest.approx(scores.max() if label is None else scores[label])


def test_the_best_pass_is_marked_where_the_held_out_error_is_lowest():
    """C7: train and held-out error per pass, with the sweet spot."""
    X, y = load_digits(return_X_y=True)
    X, y, X_val, y_val = X[:600], y[:600], X[600:], y[600:]

    display = PassesDisplay.from_estimator(
        AveragedPerceptron(random_state=0), X, y, X_val, y_val, passes=6
    )

    (curves,) = display.errors.values()
    for k in (1, 6):
        model = AveragedPerceptron(random_state=0, max_iter=k).fit(X, y)
        assert curves.training[k - 1] == pytest.approx(1 - model.score(X, y))
        assert curves.held_out[k - 1] == pytest.approx(1 - model.score(X_val, y_val))
    (star,) = [line for line in display.ax_.lines if line.get_marker() == "*"]
    best = curves.held_out.argmin()
    assert_allclose(star.get_xydata(), [[best + 1, 100 * curves.held_out[best]]])


def test_orders_are_compared_pass_by_pass():
    """C9: permuting never, once and each pass."""
    X, y, _, _ = separable(count=60, width=3)
    models = {str(s): Perceptron(shuffle=s, random_state=0) for s in (False, "once", True)}

    display = PassesDisplay.from_estimators(models, X, y, passes=4)

    assert list(display.errors) == ["False", "once", "True"]
    assert [len(line.get_xdata()) for line in display.ax_.lines] == [4, 4, 4]
    assert not hasattr(models["once"], "classes_")


def test_errors_measured_while_fitting_are_drawn_too():
    history = [SimpleNamespace(train_error=e / 2, validation_error=e) for e in (0.3, 0.1, 0.2)]

    display = PassesDisplay.from_history({"mine": history})

    assert display.best == {"mine": 2}
    assert_allclose(display.errors["mine"].training, [0.15, 0.05, 0.1])


@pytest.mark.parametrize("record", [True, False])
def test_mistakes_are_counted_up_to_their_total_below_the_bound(record):
    X, y, teacher, bias = separable(count=80, width=3, gap=0.3)
    model = Perceptron(max_iter=1000, random_state=0, record=record).fit(X, y)
    gamma = np.abs(X @ teacher + bias).min()
    bound = ((X**2).sum(axis=1).max() + 1) * (1 + bias**2) / gamma**2

    display = MistakesDisplay.from_estimator(model, bound=bound)

    curve = display.ax_.lines[0].get_xydata()
    total = sum(done.mistakes for done in model.history_)
    assert_allclose(curve[[0, -1]], [[0, 0], [model.t_ - 1, total]])
    assert (np.diff(curve, axis=0) >= 0).all()
    assert display.bound_.get_ydata()[0] == bound >= total
    if record:
        np.testing.assert_array_equal(curve[2:-1:2, 0], model.mistakes_["t"])


@pytest.mark.parametrize("label", [0, 1])
def test_bars_are_the_largest_and_the_smallest_weights(label):
    model, _, _ = fitted(9)
    weights = model.coef_[0] * (1 if label else -1)

    display = WeightsDisplay.from_estimator(model, label=label, n=3)

    largest, smallest = np.sort(weights)[::-1][:3], np.sort(weights)[::-1][-3:]
    assert_allclose([bar.get_width() for bar in display.bars_], [*largest, *smallest])
    assert [tick.get_text() for tick in display.ax_.get_yticklabels()] == display.names
    assert display.names[0] == f"feature {weights.argmax()}"


def test_prototypes_are_the_weights_of_each_class():
    """K2."""
    X, y = load_digits(return_X_y=True)
    model = AveragedPerceptron(random_state=0, max_iter=2).fit(X, y)

    display = PrototypesDisplay.from_estimator(model)

    for image, weights in zip(display.images_, model.coef_, strict=True):
        assert_allclose(image.get_array(), weights.reshape(8, 8))
        assert image.get_clim() == (-np.abs(model.coef_).max(), np.abs(model.coef_).max())
    assert display.labels == [str(digit) for digit in range(10)]
