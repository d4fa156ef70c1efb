"""Whatever X is: the right answer, or one sentence that says what is wrong with it.

Never a crash, never silence. Each case runs in a child, which may die without ending the others.
"""

import itertools
import resource
import warnings
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from malformed import MALFORMED
from members import assert_same_model
from one_of_each import FOR_EACH_LEARNER, LEARNING, labels, learn, trained
from refusals import assert_leaves_alone, assert_refused, assert_refused_by_all
from unusual import LEGAL, MEANINGS, csr, plain, put, to

METHODS = [*LEARNING, "predict"]
SQUARES_TOO_LARGE = "CSR of float32 whose halves add up to more than a float32"
"""A form that can be learned from, but not through its products."""

pytestmark = FOR_EACH_LEARNER


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("form", LEGAL)
def test_an_unusual_form_gives_the_same_answer(form, method, learner):
    X, meant = LEGAL[form](plain()), MEANINGS.get(form, np.array)(plain())
    if learner.through_kernel and form == SQUARES_TOO_LARGE and method != "predict":
        assert_refused(lambda: learn(learner.new(), method, X, labels(2)), "The kernel gave")
        return
    for classes in (2, 3):
        if method == "predict":
            model = other = trained(learner, classes)
        else:
            model = learn(learner.new(random_state=0), method, X, labels(classes))
            other = learn(learner.new(random_state=0), method, meant, labels(classes))
        assert_allclose(model.coef_, other.coef_, rtol=1e-9, atol=1e-12)
        assert_allclose(
            model.decision_function(X), other.decision_function(meant), rtol=1e-9, atol=1e-9
        )
        assert_array_equal(model.predict(X), other.predict(meant))


@pytest.mark.parametrize("method", LEARNING)
@pytest.mark.parametrize("form", MALFORMED)
def test_malformed_examples_are_not_learned_from(form, method, learner):
    make, words = MALFORMED[form]

    warnings.filterwarnings("ignore", "overflow encountered in cast")
    assert_refused_by_all(learner, lambda model, y: learn(model, method, make(plain()), y), words)


@pytest.mark.parametrize("form", MALFORMED)
def test_malformed_examples_are_not_predicted(form, learner):
    make, words = MALFORMED[form]

    warnings.filterwarnings("ignore", "overflow encountered in cast")
    for classes in (2, 3):
        model = trained(learner, classes)
        for method in (model.predict, model.decision_function):
            assert_leaves_alone(model, lambda: method(make(plain())), words)  # noqa: B023


@pytest.mark.parametrize("huge", [1e76, 1e200, -1.7e308])
@pytest.mark.parametrize("method", METHODS)
def test_huge_values_give_finite_numbers_or_are_refused(method, huge, learner):
    def check(form, classes, place):
        X = form(put(place, huge)(plain()))
        model = trained(learner, classes)
        call = getattr(model, method)
        arguments = () if method == "predict" else (labels(classes),)
        try:
            call(X, *arguments)
        except ValueError:
            model = trained(learner, classes)
            call = getattr(model, method)
            assert_leaves_alone(model, lambda: call(X, *arguments), "row .* column|too large")
        else:
            assert np.isfinite(model.coef_).all()
            assert np.isfinite(model.decision_function(plain())).all()

    for case in itertools.product([np.array, csr], [2, 3], [(0, 0), (7, 3), (11, 5)]):
        check(*case)


@pytest.mark.parametrize("method", ["partial_fit", "warm fit", "predict", "decision_function"])
def test_another_number_of_columns_is_refused(method, learner):
    def check(form, width, classes):
        X, words = form(plain(width)), f"{width} features, .* 6 features"
        model = trained(learner, classes, warm_start=True)
        if method in ("predict", "decision_function"):
            assert_leaves_alone(model, lambda: getattr(model, method)(X), words)
        else:
            name = method.removeprefix("warm ")
            assert_leaves_alone(model, lambda: learn(model, name, X, labels(classes)), words)

    forms = [np.array, csr, sparse.csc_array, pd.DataFrame]
    for case in itertools.product(forms, [1, 5, 7, 99], [2, 3]):
        check(*case)


@pytest.mark.parametrize("method", LEARNING)
def test_labels_may_share_the_memory_of_the_examples(method, learner):
    X = plain()
    X[:, 2] = labels(3)

    model = learn(learner.new(random_state=0), method, X, X[:, 2])

    other = learn(learner.new(random_state=0), method, X.copy(), labels(3))
    assert_same_model(model, other)


def test_rows_that_are_the_weights_themselves_are_read_before_they_change(learner):
    model, other = trained(learner), trained(learner)
    X = np.broadcast_to(model.coef_, (12, 6))

    other.partial_fit(X.copy(), labels(2))
    model.partial_fit(X, labels(2))

    assert_same_model(model, other)


def test_columns_that_are_the_weights_themselves_are_read_before_they_change(learner):
    """The weight 0.0 has the bits of column 0; after the first step it has others."""
    model, other = (
        learner.new(fit_intercept=False, shuffle=False, warm_start=True).partial_fit(
            np.zeros((1, 6)), [0], classes=[0, 1]
        )
        for _ in range(2)
    )
    y = [0, 1, 1, 0, 1, 1]
    X = csr(np.eye(6), indices=lambda _: model.coef_[0].view(np.int64))

    other.fit(X.copy(), y)
    model.fit(X, y)

    assert_same_model(model, other)


class Sly:
    """Labels or weights that spoil X while they are read."""

    def __init__(self, X, values):
        self.X, self.values = X, values

    def __array__(self, dtype=None, copy=None):
        self.X.indices[:] = 10**8
        return np.array(self.values, dtype)


@pytest.mark.parametrize("method", LEARNING)
@pytest.mark.parametrize("argument", ["y", "sample_weight"])
def test_examples_spoilt_while_the_rest_is_read_are_refused(argument, method, learner):
    for classes in (2, 3):
        X, y = csr(plain()), labels(classes)
        model = trained(learner, classes)
        sly = Sly(X, y if argument == "y" else np.ones(12))
        arguments = {"y": y, argument: sly}
        if method == "partial_fit":
            arguments["classes"] = model.classes_
        assert_leaves_alone(model, lambda: getattr(model, method)(X, **arguments), "column")  # noqa: B023


@pytest.mark.limits_memory
@pytest.mark.parametrize("width", [2**31, 2**40, 2**62, 2**63 - 1])
@pytest.mark.parametrize("method", LEARNING)
def test_weights_beyond_the_memory_are_refused(method, width, learner):
    """Here 8 GiB; the weights of 2**31 columns need 16."""
    X = wide(width)

    def check(y):
        if learner.through_kernel:  # which has weights for supports, not for columns
            assert learn(learner.new(), method, X, y).predict(X).shape == y.shape
            return
        assert_refused(lambda: learn(learner.new(), method, X, y), "bytes")
        if method == "fit":
            model = learner.new(random_state=0).fit(plain(), y)
            assert_leaves_alone(model, lambda: model.fit(X, y), "bytes")

    with memory_limited_to(2**33):
        check(labels(2))
        check(labels(3))


@pytest.mark.limits_memory
@pytest.mark.parametrize("width", [2**31, 2**31 + 7, 2**32 + 7, 2**40])
def test_very_wide_examples_are_learned_from_or_refused(width, learner):
    """Weights that are never touched take no memory, so that even these widths may do."""
    X, y = wide(width), labels(2)
    model = learner.new(random_state=0)
    try:
        model.fit(X, y)
    except (ValueError, MemoryError):
        assert_refused(lambda: model.fit(X, y), "bytes")
        return
    other = learner.new(random_state=0).fit(plain(), y)
    assert_allclose(model.decision_function(X), other.decision_function(plain()), rtol=1e-9)
    assert_array_equal(model.predict(X), other.predict(plain()))


@pytest.mark.parametrize("width", [2**31 + 7, 2**32 + 7, 2**40])
def test_a_negative_column_of_very_wide_examples_is_refused(width, learner):
    """Read as numbers without a sign, negative ones in 32 bits would be inside."""
    for column in (-1, -2, -(2**31)):
        X = csr(plain(), indices=put(0, column))
        X._shape = (12, width)
        assert_refused(lambda: learner.new().fit(X, labels(2)), f"column {column},|bytes")  # noqa: B023


@contextmanager
def memory_limited_to(size):
    unlimited = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size, unlimited[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, unlimited)


def wide(width):
    """The plain rows with columns of zeros to the right."""
    X = csr(plain(), indices=to(np.int64), indptr=to(np.int64))
    return sparse.csr_array((X.data, X.indices, X.indptr), shape=(12, width))
