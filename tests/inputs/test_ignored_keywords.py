"""Keywords of scikit-learn's classifiers that change nothing here, and those that would."""

import re
from inspect import signature

import pytest
from sklearn import linear_model
from sklearn.base import clone

from data import noisy
from members import assert_same_model
from rosenblatt import AROW, AveragedPerceptron, PassiveAggressiveClassifier, Perceptron

THEIRS = {
    name: parameter.default
    for name, parameter in signature(linear_model.Perceptron.__init__).parameters.items()
    if name not in ("self", "max_iter")
}
"""What their Perceptron is built with by default."""


@pytest.mark.parametrize(
    "kind", [Perceptron, AveragedPerceptron, PassiveAggressiveClassifier, AROW]
)
def test_the_defaults_of_their_perceptron_are_heard_and_forgotten(kind):
    X, y = noisy()
    theirs = {**THEIRS, "tol": None, "random_state": 3}

    model = kind(**theirs).fit(X, y)

    assert_same_model(model, kind(random_state=3).fit(X, y))
    assert model.get_params() == kind(random_state=3).get_params()
    assert_same_model(clone(model).fit(X, y), model)


def test_set_params_hears_them_too():
    model = Perceptron().set_params(tol=None, alpha=0.1, max_iter=3)

    assert model.get_params() == Perceptron(max_iter=3).get_params()


def test_eta0_changes_no_prediction_of_a_perceptron():
    X, y = noisy()
    options = {"shuffle": False, "max_iter": 5, "tol": None, "eta0": 0.125}

    ours, theirs = Perceptron(**options).fit(X, y), linear_model.Perceptron(**options).fit(X, y)

    assert (ours.predict(X) == theirs.predict(X)).all()


@pytest.mark.parametrize(("loss", "variant"), [("hinge", "PA-I"), ("squared_hinge", "PA-II")])
def test_a_loss_of_theirs_is_a_variant_of_ours(loss, variant):
    model = PassiveAggressiveClassifier(loss=loss)

    assert model.variant == variant


@pytest.mark.parametrize(
    ("kind", "name", "value", "sentence"),
    [
        (
            Perceptron,
            "tol",
            1e-4,
            "tol must be None or 0.001, got tol=0.0001: training ends after "
            "a pass without an update, else after max_iter passes; see docs/switching.md.",
        ),
        (
            Perceptron,
            "penalty",
            "l2",
            "penalty must be None, got penalty='l2': no member of the "
            "family penalizes weights; see docs/switching.md.",
        ),
        (
            Perceptron,
            "eta0",
            0,
            "eta0 must be a positive number, got eta0=0: weights that start at "
            "zero are scaled by it, and no prediction changes; see docs/switching.md.",
        ),
        (
            PassiveAggressiveClassifier,
            "eta0",
            0.5,
            "eta0 must be 1.0, got eta0=0.5: each rule "
            "knows how long its steps are; see docs/switching.md.",
        ),
        (
            Perceptron,
            "loss",
            "log_loss",
            "loss must be 'perceptron', got loss='log_loss': see docs/switching.md.",
        ),
    ],
)
def test_a_value_that_would_change_something_is_refused(kind, name, value, sentence):
    for build in (kind, kind().set_params):
        with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
            build(**{name: value})


def test_other_keywords_are_pythons_to_refuse():
    with pytest.raises(TypeError, match="unexpected keyword argument 'lr'"):
        Perceptron(lr=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'loss'"):
        AROW(loss="hinge")
