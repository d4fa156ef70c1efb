"""Winnow and the voted perceptron from single examples."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from rosenblatt import VotedPerceptron, Winnow
from streams import SPARSE_FORMS, as_dicts, learn_all, names_of, pieces

KINDS = [
    Winnow(),
    Winnow(threshold=3.0),
    Winnow(average=True),
    Winnow(balanced=True),
    Winnow(balanced=True, average=True, factor=1.3),
    VotedPerceptron(),
]


def presence(seed=0, classes=2, count=80, width=12):
    """Features of 0 or 1, and labels that no disjunction tells."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, size=(count, width)).astype(float), rng.integers(0, classes, count)


def new(kind, **parameters):
    return type(kind)(**{**kind.get_params(), **parameters})


def assert_same_weights(model, other):
    assert_array_equal(model.coef_, other.coef_)
    assert_array_equal(model.intercept_, other.intercept_)
    assert (model.t_, model.n_updates_) == (other.t_, other.n_updates_)


def assert_same_answers(model, other, X):
    assert_same_weights(model, other)
    assert_array_equal(model.decision_function(X), other.decision_function(X))


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_loop_over_declared_names_is_partial_fit_and_one_pass_of_fit(kind):
    X, y = presence()
    rows = sparse.csr_array(X)
    names = names_of(range(X.shape[1]))

    model = new(kind).declare(classes=[0, 1], names=names)
    learn_all(model, as_dicts(rows), y)

    assert model.feature_names_in_.tolist() == names
    scores = [model.score_one(x) for x in as_dicts(rows)]
    for other in (
        new(kind).partial_fit(rows, y, classes=[0, 1]),
        new(kind, shuffle=False, max_iter=1).fit(rows, y),
    ):
        assert_same_weights(model, other)
        assert scores == other.decision_function(rows).tolist()


@pytest.mark.parametrize("form", SPARSE_FORMS)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_form_of_an_example_means_the_same(kind, form):
    X, y = presence(count=30)
    rows = sparse.csr_array(X)
    model = new(kind).partial_fit(rows[:1], y[:1], classes=[0, 1])

    learn_all(model, (SPARSE_FORMS[form](*piece) for piece in list(pieces(rows))[1:]), y[1:])

    assert_same_answers(model, new(kind).partial_fit(rows, y, classes=[0, 1]), rows)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_rows_are_learned_and_predicted_as_tables_are(kind):
    X, y = presence()
    model = learn_all(new(kind).declare(classes=[0, 1]), X, y)
    batch = new(kind).partial_fit(X, y, classes=[0, 1])

    assert_same_answers(model, batch, X)
    assert [model.predict_one(x) for x in X] == batch.predict(X).tolist()
    assert [model.score_one(x) for x in X] == batch.decision_function(X).tolist()


def test_winnow_may_be_told_of_three_classes_before_it_learns():
    X, y = presence(classes=3)

    model = learn_all(Winnow().declare(classes=[0, 1, 2]), X, y)

    assert_same_answers(model, Winnow().partial_fit(X, y, classes=[0, 1, 2]), X)


@pytest.mark.parametrize("kind", [Winnow(balanced=True), VotedPerceptron()], ids=str)
def test_labels_and_names_arrive_at_will(kind):
    X, y = presence(classes=4)
    examples = [{f"f{k}": 1.0 for k in np.flatnonzero(x)} for x in X]

    model = learn_all(new(kind), examples, y)

    assert model.classes_.tolist() == [0, 1, 2, 3]
    assert model.n_features_in_ == X.shape[1]
    table = pd.DataFrame(X, columns=[f"f{k}" for k in range(X.shape[1])])[model.feature_names_in_]
    assert [model.predict_one(x) for x in examples] == model.predict(table).tolist()
    assert model.predict_one({"f0": 1.0, "never seen": 1.0}) == model.predict_one({"f0": 1.0})
    scores = dict(zip(model.classes_.tolist(), model.decision_function(table)[0], strict=True))
    assert model.score_one(examples[0]) == scores


def test_the_threshold_of_winnow_is_the_number_of_names_so_far():
    model = Winnow().declare(classes=[0, 1])

    model.learn_one({"a": 1.0, "b": 1.0}, 1)
    assert model.intercept_ == -2

    model.learn_one({"c": 1.0, "d": 1.0, "e": 0.0}, 0)
    assert model.intercept_ == -5
    assert_array_equal(model.coef_, [[1, 1, 1, 1, 1]])

    model.learn_one({"a": 1.0}, 1)
    assert_array_equal(model.coef_, [[2, 1, 1, 1, 1]])
    assert model.intercept_ == -5


def test_a_threshold_that_is_given_stays():
    model = Winnow(threshold=1.5)

    learn_all(model, [{"a": 1.0}, {"b": 1.0}, {"a": 1.0}], [1, 0, 1])

    assert model.intercept_ == -1.5
    assert_array_equal(model.coef_, [[2, 1]])


def test_what_cannot_be_learned_leaves_no_trace():
    model = learn_all(Winnow(), [{"a": 1.0}, {"b": 1.0}], [1, 0])
    before = model.coef_.copy()

    for x, y, message in [
        ({"c": 2.0}, 1, "Winnow needs features of 0 or 1, got 2"),
        ({"c": float("nan")}, 1, "x holds NaN for 'c'"),
        ({"c": 1.0}, 2, "no third can be added"),
        ([1.0, 0.0, 1.0], 1, "x has 3 features, but Winnow is expecting 2"),
    ]:
        with pytest.raises(ValueError, match=message):
            model.learn_one(x, y)
    with pytest.raises(ValueError, match="w must be a finite number of zero or more, got w=-1"):
        model.learn_one({"a": 1.0}, 1, w=-1)

    assert model.feature_names_in_.tolist() == ["a", "b"]
    assert_array_equal(model.coef_, before)
    assert model.t_ == 3


def test_values_are_made_present_or_absent_if_asked():
    model = Winnow(binarize=0.5)

    learn_all(model, [{"a": 7.0}, {"b": 3.0, "a": 0.2}], ["yes", "no"])

    assert model.predict_one({"a": 2.0, "b": 1.0}) == "yes"
