"""Held-out rows: which they are, what is measured on them, what is refused."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn import config_context
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from data import noisy, whole_numbers
from held_out import CLASSES, STOPPING, parts, untimed
from members import assert_same_model, weights_of
from one_of_each import LEARNERS
from refusals import assert_refused_by_all
from rosenblatt import AveragedPerceptron, Perceptron
from rosenblatt.training.stream_split import StreamSplit
from rosenblatt.training.validation import split
from unusual import plain

# Which rows are held out


@given(
    sizes=st.lists(st.integers(2, 60), min_size=2, max_size=6),
    fraction=st.floats(0.01, 0.99),
    seed=st.integers(0, 2**64 - 1),
)
def test_every_class_is_held_out_in_proportion(sizes, fraction, seed):
    rng = np.random.default_rng(0)
    codes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes)).astype(np.uint8)

    rows, held = split(codes, np.arange(len(sizes)), fraction, seed)

    assert sorted([*rows, *held]) == list(range(len(codes)))
    assert (np.diff(rows) > 0).all()
    assert (np.diff(held) > 0).all()
    for code, size in enumerate(sizes):
        share = np.sum(codes[held] == code)
        assert 1 <= share <= size - 1
        assert abs(share - fraction * size) <= 1


def test_the_split_depends_on_the_seed_alone():
    codes = np.zeros(1000, dtype=np.uint8)
    codes[::3] = 1
    seeds = [0, 0, 1, 2**64 - 1]

    held = [split(codes, np.arange(2), 0.1, seed)[1].tolist() for seed in seeds]

    assert held[0] == held[1]
    assert len({tuple(rows) for rows in held}) == 3
    assert held[0][:8] == [9, 13, 19, 24, 29, 30, 49, 61]  # on every platform


def test_any_row_is_as_likely_to_be_held_out():
    codes = np.repeat([0, 1], 10).astype(np.uint8)

    held = [split(codes, np.arange(2), 0.2, seed)[1] for seed in range(2000)]

    counts = np.bincount(np.concatenate(held), minlength=20)
    assert np.abs(counts - 400).max() < 4 * np.sqrt(2000 * 0.2 * 0.8)


@given(
    sizes=st.lists(st.integers(1, 60), min_size=1, max_size=6),
    fraction=st.floats(0.001, 0.999),
    seed=st.integers(0, 2**64 - 1),
    cuts=st.lists(st.integers(0, 360), max_size=8),
)
def test_a_stream_is_held_out_in_proportion_however_it_is_cut(sizes, fraction, seed, cuts):
    rng = np.random.default_rng(0)
    codes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))

    held = StreamSplit(fraction, seed).among(codes)

    split = StreamSplit(fraction, seed)
    assert held.tolist() == [
        one for part in np.split(codes, np.sort(cuts)) for one in split.among(part).tolist()
    ]
    for code, size in enumerate(sizes):
        of_class = held[codes == code]
        assert not of_class[0]
        assert of_class[1:2].all()
        assert abs(of_class.sum() - fraction * size) <= 1


def test_what_comes_later_does_not_change_what_is_held_out():
    codes = np.random.default_rng(0).integers(0, 3, 500)

    begun, whole = (StreamSplit(0.1, seed=3).among(part) for part in (codes[:321], codes))

    assert whole[:321].tolist() == begun.tolist()


def test_which_numbers_classes_have_does_not_change_what_is_held_out():
    codes = np.random.default_rng(0).integers(0, 3, 500)

    held = StreamSplit(0.1, seed=3).among(codes)

    assert held.tolist() == StreamSplit(0.1, seed=3).among(np.array([4, 0, 2])[codes]).tolist()


def test_any_place_but_the_first_two_is_as_likely_to_be_held_out():
    codes = np.zeros(60, dtype=np.uint8)

    counts = sum(StreamSplit(0.1, seed).among(codes).astype(int) for seed in range(2000))

    assert counts[:10].tolist() == [0, 2000, 0, 0, 0, 0, 0, 0, 0, 0]
    assert np.abs(counts[10:] - 200).max() < 4 * np.sqrt(2000 * 0.1 * 0.9)


def test_the_seed_decides_what_a_stream_holds_out():
    codes = np.zeros(1000, dtype=np.uint8)

    held = [
        np.flatnonzero(StreamSplit(0.1, seed).among(codes)).tolist() for seed in (0, 1, 2**64 - 1)
    ]

    assert len({tuple(rows) for rows in held}) == 3
    assert held[0][:8] == [1, 19, 29, 36, 48, 56, 65, 79]  # on every platform


def test_nothing_is_held_out_of_a_stream_if_nobody_asks():
    assert not StreamSplit(0.0, seed=0).among(np.zeros(50, dtype=np.uint8)).any()


@pytest.mark.parametrize("classes", CLASSES)
def test_held_out_rows_are_never_learned_from(member, classes):
    """Whatever they hold, the passes are the same."""
    X, y = noisy(classes=classes)
    options = STOPPING | {"n_iter_no_change": 40, "max_iter": 8, "class_weight": "balanced"}
    model = member.new(record=True, **options).fit(X, y)
    _, held = parts(model, y)
    assert not np.isin(model.mistakes_["example"], held).any()

    X[held] = 1000.0
    other = member.new(record=True, **options).fit(X, y)

    assert [done[:4] for done in untimed(model)] == [done[:4] for done in untimed(other)]


def test_the_same_seed_gives_the_same_run(member):
    X, y = noisy()

    model, other = (member.new(**STOPPING).fit(X, y) for _ in range(2))

    assert_same_model(model, other)
    assert untimed(model) == untimed(other)


def test_dense_and_sparse_rows_are_stopped_alike(member):
    X, y = whole_numbers(count=120, classes=3)

    dense, compressed = (
        member.new(**STOPPING).fit(form(X), y) for form in (np.array, sparse.coo_array)
    )

    assert [done[5:] for done in dense.history_] == [done[5:] for done in compressed.history_]
    np.testing.assert_allclose(weights_of(dense), weights_of(compressed), rtol=1e-12, atol=1e-12)


# A validation set of the caller's own


def test_a_given_validation_set_leaves_all_rows_to_learn_from(member):
    X, y = noisy(classes=3)

    model = member.new(**STOPPING).fit(X[50:], y[50:], X_val=X[:50], y_val=y[:50])

    same = member.new(random_state=5, max_iter=model.best_iter_).fit(X[50:], y[50:])
    assert_same_model(model, same)
    best = model.history_[model.best_iter_ - 1]
    assert best.validation_error == np.mean(same.predict(X[:50]) != y[:50])


@pytest.mark.parametrize(
    "container", [np.array, sparse.csr_array, sparse.coo_array, np.ndarray.tolist]
)
def test_without_early_stopping_a_validation_set_is_only_measured(member, container):
    X, y = noisy()

    model = member.new(max_iter=7, random_state=0)
    model.fit(X[50:], y[50:], X_val=container(X[:50]), y_val=y[:50].tolist())

    assert_same_model(model, member.new(max_iter=7, random_state=0).fit(X[50:], y[50:]))
    assert model.history_[-1].validation_error == np.mean(model.predict(X[:50]) != y[:50])
    errors = [done.validation_error for done in model.history_]
    assert model.best_iter_ == 1 + errors.index(min(errors))


def test_a_validation_set_may_lack_a_class():
    X, y = noisy(classes=3)
    few = y < 2

    model = AveragedPerceptron(**STOPPING).fit(X, y, X_val=X[few], y_val=y[few])

    assert model.best_iter_ >= 1


def test_labels_may_be_of_any_type():
    X, y = noisy(classes=3)
    names = np.array(["ham", "eggs", "spam"])
    codes = np.argsort(np.argsort(names))[y]

    model = AveragedPerceptron(**STOPPING).fit(X, names[y])

    assert_same_model(model.fit(X, names[y]), AveragedPerceptron(**STOPPING).fit(X, names[y]))
    assert untimed(model) == untimed(AveragedPerceptron(**STOPPING).fit(X, codes))


def test_a_validation_set_goes_through_a_pipeline():
    """As scikit-learn routes it: transformed like X, since both are passed to fit."""
    X, y = noisy()
    with config_context(enable_metadata_routing=True):
        learner = AveragedPerceptron(**STOPPING).set_fit_request(X_val=True, y_val=True)
        pipeline = make_pipeline(StandardScaler(), learner, transform_input=["X_val"])
        pipeline.fit(X[50:], y[50:], X_val=X[:50], y_val=y[:50])

    best = pipeline[-1].history_[pipeline[-1].best_iter_ - 1]
    assert best.validation_error == np.mean(pipeline.predict(X[:50]) != y[:50])


# Weights of examples


def test_errors_count_examples_by_their_weight(member):
    X, y = noisy(classes=3)
    weight = np.random.default_rng(1).uniform(0, 3, size=len(y))

    model = member.new(**STOPPING).fit(X, y, sample_weight=weight)

    rows, held = parts(model, y)
    same = member.new(random_state=5, max_iter=model.best_iter_)
    same.fit(X[rows], y[rows], sample_weight=weight[rows])
    assert_same_model(model, same)
    best = model.history_[model.best_iter_ - 1]
    for part, error in ((rows, best.train_error), (held, best.validation_error)):
        right = same.score(X[part], y[part], sample_weight=weight[part])
        np.testing.assert_allclose(error, 1 - right, rtol=1e-12)


def test_errors_count_classes_by_their_weight():
    """Balanced classes are watched in balance."""
    X, y = noisy(seed=3, classes=3)
    X, y = X[(y > 0) | (np.arange(150) < 60)], y[(y > 0) | (np.arange(150) < 60)]

    model = AveragedPerceptron(class_weight="balanced", **STOPPING).fit(X, y, X_val=X, y_val=y)

    error = 1 - balanced_accuracy_score(y, model.predict(X))
    best = model.history_[model.best_iter_ - 1]
    np.testing.assert_allclose([best.train_error, best.validation_error], error, rtol=1e-12)
    assert abs(error - np.mean(model.predict(X) != y)) > 1e-6


def test_a_validation_set_has_weights_of_its_own():
    X, y = noisy()
    weight = np.arange(50.0)

    model = Perceptron(max_iter=1, shuffle=False).fit(
        X[50:], y[50:], X_val=X[:50], y_val=y[:50], sample_weight_val=weight
    )

    right = model.score(X[:50], y[:50], sample_weight=weight)
    np.testing.assert_allclose(model.history_[0].validation_error, 1 - right, rtol=1e-12)


# Refusals


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("early_stopping", "yes", "{0} must be True or False, got {0}={1!r}."),
        ("validation_fraction", 0, "{0} must lie between 0 and 1, got {0}={1!r}."),
        ("validation_fraction", 1.0, "{0} must lie between 0 and 1, got {0}={1!r}."),
        ("validation_fraction", float("nan"), "{0} must lie between 0 and 1, got {0}={1!r}."),
        ("validation_fraction", "half", "{0} must lie between 0 and 1, got {0}={1!r}."),
        ("n_iter_no_change", 0, "{0} must be a whole number of at least 1, got {0}={1!r}."),
        ("n_iter_no_change", 2.5, "{0} must be a whole number of at least 1, got {0}={1!r}."),
    ],
)
def test_a_wrong_parameter_is_refused(member, name, value, message):
    with pytest.raises(ValueError, match=re.escape(message.format(name, value))):
        member.new(**{name: value}).fit(*noisy())


GIVEN = {
    "no labels": ({"X_val": np.ones((2, 6))}, "X_val and y_val, but y_val was not passed"),
    "no rows": ({"y_val": [0, 1]}, "X_val and y_val, but X_val was not passed"),
    "weights alone": ({"sample_weight_val": [1.0]}, "X_val and y_val, but X_val was not passed"),
    "a stranger": (
        {"X_val": np.ones((2, 6)), "y_val": [0, 7]},
        "y_val holds the label 7, which is not among the classes",
    ),
    "too narrow": ({"X_val": np.ones((2, 5)), "y_val": [0, 1]}, "^X_val has 5 features, but"),
    "too few labels": (
        {"X_val": np.ones((3, 6)), "y_val": [0, 1]},
        "^X_val has 3 rows but y_val has 2 labels",
    ),
    "empty": ({"X_val": np.ones((0, 6)), "y_val": []}, "^X_val: Found array with 0 sample"),
    "NaN": (
        {"X_val": np.array([[0.0] * 6, [np.nan] * 6]), "y_val": [0, 1]},
        "^X_val contains NaN in row 1, column 0",
    ),
    "negative weights": (
        {"X_val": np.ones((2, 6)), "y_val": [0, 1], "sample_weight_val": [1, -1]},
        "^sample_weight_val must hold finite numbers of zero or more",
    ),
    "no weight": (
        {"X_val": np.ones((2, 6)), "y_val": [0, 1], "sample_weight_val": [0, 0]},
        "The held-out rows all weigh zero",
    ),
}


@pytest.mark.parametrize("wrong", GIVEN)
@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_a_wrong_validation_set_is_refused(learner, wrong):
    arguments, words = GIVEN[wrong]

    assert_refused_by_all(learner, lambda model, y: model.fit(plain(), y, **arguments), words)


def test_a_class_of_one_row_cannot_be_held_out(member):
    X, y = noisy()
    y = y.astype(str)
    y[7] = "rare"

    with pytest.raises(ValueError, match="only one row of class 'rare': pass X_val and y_val"):
        member.new(early_stopping=True).fit(X, y)


def test_a_fraction_that_leaves_nothing_to_learn_from_is_refused():
    X, y = noisy(count=8)
    model = Perceptron(early_stopping=True, validation_fraction=0.99)

    with pytest.raises(ValueError, match=r"^validation_fraction=0.99 leaves no row of class 0 to "):
        model.fit(X, y)


@pytest.mark.parametrize("part", [0, 1])
def test_both_parts_must_weigh_something(part):
    X, y = noisy()
    model = Perceptron(**STOPPING).fit(X, y)
    weight = np.ones(len(y))
    weight[parts(model, y)[part]] = 0

    with pytest.raises(ValueError, match="zero"):
        model.fit(X, y, sample_weight=weight)
