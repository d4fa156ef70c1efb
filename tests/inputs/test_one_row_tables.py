"""Tables of one row, which partial_fit takes the short way: the same as by the long one."""

import warnings

import numpy as np
import pandas
import pytest
from scipy import sparse

from data import real_numbers
from members import assert_same_model
from rosenblatt import AveragedPerceptron, PassiveAggressiveClassifier, Perceptron

FORMS = {
    "dense": lambda X, i: X[i : i + 1],
    "float32": lambda X, i: X[i : i + 1].astype(np.float32),
    "csr": lambda X, i: sparse.csr_array(X[i : i + 1]),
    "csr matrix": lambda X, i: sparse.csr_matrix(X[i : i + 1]),
}


def ready_model(**parameters):
    """A model that the core holds ready, and what it learned from."""
    X, y = real_numbers(count=20, width=4, classes=3)
    model = AveragedPerceptron(**parameters).partial_fit(X, y, classes=range(3))
    model.partial_fit(X[:1], y[:1])
    assert model._ready is not None
    return model, X, y


@pytest.mark.parametrize("classes", [2, 3, 30])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("record", [False, True])
def test_a_loop_over_tables_of_one_row_learns_the_same_both_ways(member, classes, form, record):
    X, y = real_numbers(count=90, width=40, classes=classes)
    short, long = (
        member.new(record=record).partial_fit(X[:1], y[:1], classes=range(classes))
        for _ in range(2)
    )
    for i in range(1, 90):
        row, label = FORMS[form](X, i), y[i : i + 1]
        assert short.partial_fit(row, label if i % 2 else label.tolist()) is short
        long.partial_fit(row, label, sample_weight=[1.0])

    assert_same_model(short, long)
    assert short.history_ == long.history_
    if record:
        np.testing.assert_array_equal(short.mistakes_, long.mistakes_)


@pytest.mark.parametrize("labels", [["no", "yes"], [0, 1], [0.0, 1.0], [False, True]])
def test_labels_of_any_kind_are_found(labels):
    X, y = real_numbers(count=30, width=4, classes=2)
    y = np.array(labels)[y]
    whole = Perceptron().partial_fit(X, y, classes=labels)
    for form in (np.array, list):
        model = Perceptron().partial_fit(X[:1], y[:1], classes=labels)
        for i in range(1, 30):
            model.partial_fit(X[i : i + 1], form(y[i : i + 1].tolist()))
        assert_same_model(model, whole)


def test_unsorted_and_duplicate_columns_are_what_they_are_in_a_table():
    model, *_ = ready_model()
    other, *_ = ready_model()
    row = sparse.csr_array(([1.0, 2.0, 0.5], [3, 0, 3], [0, 3]), shape=(1, 4))
    model.partial_fit(row, np.array([2]))
    other.partial_fit(row, np.array([2]), sample_weight=[1.0])
    assert_same_model(model, other)


def csr_row(columns, bounds=(0, 2), width=4):
    """Of columns and bounds that need not be sound."""
    row = sparse.csr_array(([1.0, 2.0], [0, 1], [0, 2]), shape=(1, width))
    row.indices, row.indptr = np.array(columns, dtype=np.int32), np.array(bounds, dtype=np.int32)
    return row


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.zeros((1, 5)), [0]),
        (np.zeros((1, 3)), [0]),
        (np.array([[0.0, np.nan, 0.0, 0.0]]), [0]),
        (np.array([[0.0, 1e200, 0.0, 0.0]]), [0]),
        (np.zeros((1, 4)), [3]),
        (np.zeros((1, 4)), ["a"]),
        (np.zeros((1, 4)), [0, 1]),
        (np.zeros((1, 4)), []),
        (np.zeros((1, 4)), [np.nan]),
        (csr_row([0, 4]), [0]),
        (csr_row([0, -1]), [0]),
        (csr_row([0, 1], bounds=(0, 3)), [0]),
        (csr_row([0, 1], bounds=(1, 2)), [0]),
        (csr_row([0, 1], bounds=(0, -1)), [0]),
        (csr_row([0, 1], width=5), [0]),
    ],
)
def test_what_is_wrong_is_said_as_of_a_table_and_nothing_is_learned(X, y):
    said = []
    for more in ({}, {"sample_weight": [1.0]}):
        model, *_ = ready_model()
        untouched, *_ = ready_model()
        with pytest.raises((ValueError, TypeError)) as caught:
            model.partial_fit(X, y, **more)
        said.append((caught.type, str(caught.value)))
        assert_same_model(model, untouched)
    assert said[0] == said[1]


def test_a_model_with_names_still_warns_of_rows_without():
    X, y = real_numbers(count=20, width=4, classes=2)
    model = Perceptron().partial_fit(pandas.DataFrame(X, columns=list("abcd")), y, classes=[0, 1])
    with pytest.warns(UserWarning, match="feature names"):
        model.partial_fit(X[:1], y[:1])


def test_a_changed_parameter_counts_from_the_next_row_on():
    X, y = real_numbers(count=40, width=4, classes=2)
    rows = [(X[i : i + 1], y[i : i + 1]) for i in range(40)]
    one, other = (PassiveAggressiveClassifier(C=1.0) for _ in range(2))
    for model, more in ((one, {}), (other, {"sample_weight": [1.0]})):
        model.partial_fit(*rows[0], classes=[0, 1])
        for row in rows[1:20]:
            model.partial_fit(*row, **more)
        model.set_params(C=0.01)
        for row in rows[20:]:
            model.partial_fit(*row, **more)
    assert_same_model(one, other)


def test_class_weights_scale_the_steps_and_balanced_ones_are_refused():
    plain, X, y = ready_model()
    model, *_ = ready_model(class_weight={0: 2.0, 1: 0.5, 2: 1.0})
    for i in range(20):
        for each in (plain, model):
            each.partial_fit(X[i : i + 1], y[i : i + 1])
    assert (plain.coef_ != model.coef_).any()
    model.set_params(class_weight="balanced")
    with pytest.raises(ValueError, match="partial_fit"):
        model.partial_fit(X[:1], y[:1])


def test_no_warning_and_no_slow_way_for_a_plain_row():
    model, X, y = ready_model()
    ready = model._ready
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.partial_fit(X[1:2], y[1:2])
    assert model._ready is ready
