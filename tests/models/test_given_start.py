"""fit from weights that the caller gives: coef_init and intercept_init."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from data import real_numbers
from members import STREAM_MEMBERS, weights_of
from rosenblatt import (
    AveragedPerceptron,
    KernelPerceptron,
    Perceptron,
    VotedPerceptron,
    Winnow,
    load,
    save,
)

ONE_PASS = {"shuffle": False, "max_iter": 1}


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("member", [m for m in STREAM_MEMBERS if not m.votes], ids=str)
def test_learning_begins_at_the_weights_given(member, classes):
    X, y = real_numbers(classes=classes)
    start = np.random.default_rng(1).normal(size=(classes if classes > 2 else 1, X.shape[1] + 1))
    path = member.path(X, y, classes, start=start if classes > 2 else start[0])

    model = member.new(**ONE_PASS)
    model.fit(X, y, coef_init=start[:, :-1], intercept_init=start[:, -1])

    assert_allclose(weights_of(model), member.learned(path), rtol=1e-9, atol=1e-9)


def test_what_is_not_given_starts_at_zero_and_one_weight_needs_no_brackets():
    X, y = real_numbers()
    coef = np.arange(X.shape[1])

    of_both = Perceptron(**ONE_PASS).fit(X, y, coef_init=[coef], intercept_init=[0])

    for given in ({"coef_init": coef}, {"coef_init": coef, "intercept_init": 0.0}):
        assert_array_equal(
            weights_of(Perceptron(**ONE_PASS).fit(X, y, **given)), weights_of(of_both)
        )


def test_the_start_is_not_lost_where_few_columns_occur():
    width = 2_000_000
    X = sparse.csr_array(([1.0, 1.0], ([0, 1], [3, 5])), shape=(2, width))
    coef = np.zeros(width)
    coef[7] = 1.0

    model = Perceptron(**ONE_PASS).fit(X, [0, 1], coef_init=coef)

    assert model.coef_[0, [3, 5, 7]].tolist() == [-1.0, 1.0, 1.0]


def test_a_given_start_takes_the_place_of_a_warm_one():
    X, y = real_numbers()
    options = {"warm_start": True, **ONE_PASS}
    zeros = np.zeros(X.shape[1])

    model = Perceptron(**options).fit(X, y)
    once, t = weights_of(model), model.t_
    model.fit(X, y, coef_init=zeros)

    assert_array_equal(weights_of(model), once)
    assert model.t_ == t


def test_weights_that_steps_alone_did_not_make_have_no_bracket(tmp_path):
    X, y = real_numbers()
    model = Perceptron(**ONE_PASS).fit(X, y, coef_init=np.ones(X.shape[1]))
    save(model, tmp_path / "given.rbt")

    for each in (model, load(tmp_path / "given.rbt")):
        with pytest.raises(AttributeError, match="are not a sum of steps"):
            each.bracket_  # noqa: B018
        assert model.history_[0].bracket is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"coef_init": np.zeros(3)}, r"coef_init must have shape \(1, 9\), got shape \(3,\)\."),
        ({"intercept_init": [0, 0]}, r"intercept_init must have shape \(1,\), got shape \(2,\)\."),
        ({"coef_init": "much"}, r"coef_init must hold numbers\."),
        ({"intercept_init": np.nan}, r"intercept_init must hold finite numbers\."),
    ],
)
def test_weights_of_another_shape_are_refused(given, message):
    X, y = real_numbers()
    with pytest.raises(ValueError, match=f"^{message}$"):
        AveragedPerceptron().fit(X, y, **given)


def test_an_intercept_that_would_have_no_say_is_refused():
    X, y = real_numbers()
    with pytest.raises(ValueError, match=r"^intercept_init needs fit_intercept=True\.$"):
        Perceptron(fit_intercept=False).fit(X, y, intercept_init=1.0)


@pytest.mark.parametrize("model", [Winnow(), VotedPerceptron(), KernelPerceptron()], ids=str)
def test_members_made_of_their_mistakes_take_no_start(model):
    X = np.eye(3)
    with pytest.raises(ValueError, match="cannot begin with coef_init or intercept_init"):
        model.fit(X, [0, 1, 0], coef_init=np.zeros(3))
