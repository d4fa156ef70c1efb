"""What DESIGN promises of every member, whatever its rule."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from data import LAYOUTS, real_numbers, whole_numbers, whole_problems
from members import MEMBERS, assert_same_model, weights_of

CLASSES = [2, 3, 6]


def assert_same_weights(member, model, expected):
    """To the bit if whole numbers stay whole under this rule, else to twelve digits."""
    if member.whole:
        np.testing.assert_array_equal(weights_of(model), expected)
    else:
        np.testing.assert_allclose(weights_of(model), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("member", [m for m in MEMBERS if m.whole], ids=str)
@given(data=st.data(), classes=st.integers(2, 5))
def test_whole_numbers_are_learned_exactly(member, data, classes):
    X, y = data.draw(whole_problems(classes))

    model = member.new(shuffle=False, max_iter=2).fit(X, y)

    path = member.path(X, y, classes, model.n_iter_)
    np.testing.assert_array_equal(weights_of(model), member.learned(path))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("classes", CLASSES)
def test_every_layout_of_whole_numbers_means_the_same(member, classes, layout):
    X, y = whole_numbers(classes=classes)
    model = member.new(random_state=0).fit(X, y)

    other = member.new(random_state=0).fit(LAYOUTS[layout](X), y)

    assert_same_weights(member, other, weights_of(model))
    np.testing.assert_array_equal(other.predict(LAYOUTS[layout](X)), model.predict(X))


@pytest.mark.parametrize("classes", CLASSES)
def test_dense_and_sparse_agree_on_real_numbers(member, classes):
    X, y = real_numbers(classes=classes)
    rows = sparse.csr_array(X)

    dense, csr = (member.new(random_state=0).fit(data, y) for data in (X, rows))

    np.testing.assert_allclose(weights_of(csr), weights_of(dense), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(
        csr.decision_function(rows), dense.decision_function(X), rtol=1e-10, atol=1e-10
    )


@pytest.mark.parametrize("container", [np.array, sparse.csr_array])
@pytest.mark.parametrize("classes", CLASSES)
def test_float32_values_give_the_bits_of_the_same_values_in_float64(member, classes, container):
    X, y = real_numbers(classes=classes)
    single = X.astype(np.float32)
    double = single.astype(np.float64)

    model = member.new(random_state=0).fit(container(double), y)
    other = member.new(random_state=0).fit(container(single), y)

    assert_same_model(other, model)
    assert other.coef_.dtype == other.intercept_.dtype == np.float64
    np.testing.assert_array_equal(
        other.decision_function(container(single)), model.decision_function(container(double))
    )


@pytest.mark.parametrize("container", [np.array, sparse.csr_array])
@pytest.mark.parametrize("classes", CLASSES)
def test_permuted_columns_give_permuted_weights(member, classes, container):
    X, y = whole_numbers(width=21, classes=classes)
    order = np.random.default_rng(0).permutation(21)

    model = member.new(random_state=0).fit(container(X), y)
    permuted = member.new(random_state=0).fit(container(X[:, order]), y)

    assert_same_weights(member, permuted, weights_of(model)[:, [*order, -1]])


@pytest.mark.parametrize("classes", CLASSES)
def test_a_column_of_zeros_changes_nothing(member, classes):
    X, y = whole_numbers(classes=classes)
    wider = np.column_stack([np.zeros(len(X)), X])

    model, other = (member.new(random_state=0).fit(data, y) for data in (X, wider))

    assert not other.coef_[:, 0].any()
    assert_same_weights(member, model, weights_of(other)[:, 1:])


@pytest.mark.parametrize("classes", CLASSES)
def test_a_row_alone_scores_as_among_others(member, classes):
    """One row is scored from the averaging sums, many from the averaged weights."""
    X, y = member.numbers(width=40, classes=classes)
    model = member.new(random_state=0).fit(X, y)

    alone = np.concatenate([model.decision_function(sparse.csr_array(x[None])) for x in X])
    together = model.decision_function(sparse.csr_array(X))

    np.testing.assert_array_equal(alone, together)


@pytest.mark.parametrize("member", [m for m in MEMBERS if not m.votes], ids=str)
@pytest.mark.parametrize("classes", CLASSES)
def test_scores_are_those_of_the_weights_shown(member, classes):
    X, y = real_numbers(classes=classes)
    model = member.new(random_state=0).fit(X, y)

    scores = X @ model.coef_.T + model.intercept_

    scores = scores if classes > 2 else scores[:, 0]
    winners = scores.argmax(axis=1) if classes > 2 else (scores > 0).astype(int)
    np.testing.assert_allclose(model.decision_function(X), scores, rtol=1e-10, atol=1e-10)
    np.testing.assert_array_equal(model.predict(X), winners)


@pytest.mark.parametrize("classes", CLASSES)
def test_without_intercept_none_is_learned(member, classes):
    X, y = real_numbers(classes=classes)

    model = member.new(fit_intercept=False).fit(X, y)

    assert not model.intercept_.any()


def test_at_prediction_time_a_tie_goes_to_the_first_class(member):
    for labels in (["b", "a"], ["c", "b", "a"]):
        model = member.new(fit_intercept=False).fit(np.eye(len(labels)), labels)

        assert model.predict(np.zeros((1, len(labels)))).tolist() == ["a"]


@pytest.mark.parametrize("classes", CLASSES)
def test_a_sample_weight_multiplies_the_step(member, classes):
    X, y = whole_numbers(classes=classes)
    weights = np.random.default_rng(2).choice([0.0, 0.5, 1.0, 3.0], size=len(X))

    model = member.new(shuffle=False, max_iter=1).fit(X, y, sample_weight=weights)

    path = member.path(X, y, classes, weights=weights)
    assert_same_weights(member, model, member.learned(path))


@pytest.mark.parametrize("classes", CLASSES)
def test_a_class_weight_multiplies_the_step_and_the_sample_weight(member, classes):
    X, y = whole_numbers(classes=classes)
    of_class = np.arange(1.0, classes + 1) / 2
    of_row = np.random.default_rng(2).choice([0.5, 1.0, 2.0], size=len(X))
    class_weight = dict(enumerate(of_class))

    model = member.new(shuffle=False, class_weight=class_weight, max_iter=1)
    model.fit(X, y, sample_weight=of_row)

    assert_same_model(
        model, member.new(shuffle=False, max_iter=1).fit(X, y, sample_weight=of_class[y] * of_row)
    )


@pytest.mark.parametrize("classes", CLASSES)
def test_balanced_classes_weigh_the_inverse_of_their_share(member, classes):
    X, y = whole_numbers(classes=classes)
    shares = len(y) / (classes * np.bincount(y))

    model = member.new(shuffle=False, class_weight="balanced").fit(X, y)

    assert_same_model(model, member.new(shuffle=False).fit(X, y, sample_weight=shares[y]))


def test_a_balanced_model_may_go_on_without_examples_of_a_class(member):
    X, y = whole_numbers(classes=3)
    options = {"shuffle": False, "warm_start": True, "max_iter": 1}
    first, later = (X, y), (X[y < 2], y[y < 2])

    model = member.new(class_weight="balanced", **options).fit(*first).fit(*later)

    other = member.new(**options)
    for part, labels in (first, later):
        shares = len(labels) / (len(set(labels)) * np.bincount(labels))
        other.fit(part, labels, sample_weight=shares[labels])
    assert_same_model(model, other)


def test_examples_of_weight_zero_move_nothing(member):
    X, y = whole_numbers()
    weights = np.zeros(60)
    weights[17] = 1.0

    model = member.new(record=True, max_iter=3).fit(X, y, sample_weight=weights)

    assert set(model.mistakes_["example"]) == {17}
    assert model.t_ == 1 + 60 * model.n_iter_


def test_a_number_as_sample_weight_counts_for_every_row(member):
    X, y = whole_numbers()

    model = member.new(random_state=0).fit(X, y, sample_weight=2.0)

    assert_same_model(model, member.new(random_state=0).fit(X, y, np.full(len(X), 2.0)))
