"""Sets of labels one example at a time, for streams and for River."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from river import base, checks, datasets, evaluate, metrics, preprocessing

from members import assert_same_model
from refusals import is_one_sentence
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    VotedPerceptron,
    Winnow,
    load,
    save,
)

MEMBERS = [
    Perceptron(),
    Perceptron(record=True, class_weight={"a": 2.0}),
    AveragedPerceptron(half_life=30.0),
    PassiveAggressiveClassifier(C=0.1, average=True, unit_length=True),
    AROW(),
    AROW(covariance="full"),
]


def examples(labels=4, rows=100, seed=0):
    """Each label has weights of its own, so that some rows have none and some have all."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, size=(rows, 5)).astype(float)
    Y = X @ rng.integers(-2, 3, size=(5, labels)) > 2
    return X, [{"abcdefgh"[k] for k in np.flatnonzero(row)} for row in Y]


def told(labels, own):
    return {label: label in own for label in labels}


def new(model):
    return pickle.loads(pickle.dumps(model))


@pytest.mark.parametrize("labels", ["ab", "abc", "abcdef"])
@pytest.mark.parametrize("model", MEMBERS, ids=repr)
def test_examples_one_by_one_leave_the_bits_of_a_batch(model, labels):
    X, sets = examples(len(labels))

    batch = new(model).partial_fit(X, sets, classes=list(labels))

    by_row, by_one = new(model), new(model).declare(classes=list(labels), several_labels=True)
    for x, own in zip(X, sets, strict=True):
        known = None if hasattr(by_row, "classes_") else list(labels)
        by_row.partial_fit([x], [own], classes=known)
        by_one.learn_one(x, own)
    for other in (by_row, by_one):
        assert_same_model(batch, other)
        np.testing.assert_array_equal(batch.decision_function(X), other.decision_function(X))
    scores = [list(by_one.score_one(x).values()) for x in X]
    np.testing.assert_array_equal(scores, batch.decision_function(X))


@pytest.mark.parametrize("form", [set, frozenset, list, tuple, lambda own: told("abcd", own)])
def test_sets_lists_tuples_and_dicts_of_labels_say_the_same(form):
    X, sets = examples()
    model, twin = Perceptron(), Perceptron()

    for x, own in zip(X, sets, strict=True):
        model.learn_one(x, form(own))
        twin.learn_one(x, own)

    assert model.classes_.tolist() == list("abcd")
    if form in (set, frozenset, list, tuple):
        assert_same_model(model, twin)


def test_sets_are_given_as_sets_and_what_was_told_label_by_label_likewise():
    X, sets = examples()
    by_set, by_dict = AveragedPerceptron(), AveragedPerceptron()

    for x, own in zip(X, sets, strict=True):
        by_set.learn_one(x, own)
        by_dict.learn_one(x, told("abcd", own))

    assert [by_set.predict_one(X[7])] == by_set.predict(X[7:8])
    given = by_dict.predict_one(X[7])
    assert list(given) == list("abcd")
    assert [list(given.values())] == by_dict.predict(X[7:8]).astype(bool).tolist()


def test_labels_and_names_may_come_at_any_time():
    model = AveragedPerceptron()

    assert model.predict_one({"x": 1.0}) is None
    model.learn_one({"x": 1.0}, {"m"})
    model.learn_one({"y": 1.0}, [])
    model.learn_one({"y": 1.0}, {"b"})
    model.learn_one({"x": 1.0, "z": 2.0}, {"m", "z"})
    model.learn_one({"y": 1.0}, {"b"})

    assert model.classes_.tolist() == ["b", "m", "z"]
    assert model.feature_names_in_.tolist() == ["x", "y", "z"]
    assert model.t_ == 6
    assert model.score_one({"y": 1.0})["b"] > model.score_one({"y": 1.0})["z"]


def test_labels_that_come_late_are_as_if_declared_before_the_step_that_brings_them():
    X, sets = examples(2)
    more, theirs = examples(3, seed=1)
    late, early = (PassiveAggressiveClassifier(record=True) for _ in range(2))
    late.declare(classes=["a", "b"], several_labels=True)
    for x, own in zip(X, sets, strict=True):
        late.learn_one(x, own)
    steps = late.mistakes_["step"].copy()
    early.partial_fit(X, sets, classes=["a", "b"]).partial_fit(more, theirs, classes=list("abc"))

    late.learn_one(more[0], told("abc", theirs[0]))
    for x, own in zip(more[1:], theirs[1:], strict=True):
        late.learn_one(x, own)

    np.testing.assert_array_equal(late.coef_, early.coef_)
    np.testing.assert_array_equal(late.mistakes_["step"], early.mistakes_["step"])
    np.testing.assert_array_equal(late.mistakes_["step"][: len(steps)], steps)


@pytest.mark.parametrize("way", ["file", "pickle", "copy"])
def test_a_model_of_sets_goes_on_exactly_from_a_file_a_pickle_and_a_copy(way, tmp_path):
    X, sets = examples()
    whole, part = Perceptron(random_state=0), Perceptron(random_state=0)
    for x, own in zip(X, sets, strict=True):
        whole.learn_one(x, own)
    for x, own in zip(X[:60], sets[:60], strict=True):
        part.learn_one(x, own)

    if way == "file":
        save(part, tmp_path / "part.rbt")
        part = load(tmp_path / "part.rbt")
    else:
        part = new(part) if way == "pickle" else copy.deepcopy(part)
    for x, own in zip(X[60:], sets[60:], strict=True):
        part.learn_one(x, own)

    assert_same_model(whole, part)
    assert part.predict_one(X[0]) == whole.predict_one(X[0])


def test_frames_are_learned_from_and_predicted_row_by_row():
    X, sets = examples()
    frame = pd.DataFrame(X, columns=list("vwxyz"))
    many, one = AveragedPerceptron(), AveragedPerceptron()

    many.learn_many(frame, pd.Series(sets))
    for row, own in zip(X, sets, strict=True):
        one.learn_one(dict(zip("vwxyz", row, strict=True)), own)

    assert_same_model(many, one)
    assert many.predict_many(frame).tolist() == many.predict(frame)


def test_probabilities_are_known_after_calibration_and_rivers_form_has_both_sides():
    X, sets = examples(rows=200)
    model = AveragedPerceptron(probabilities=True)
    for x, own in zip(X[:100], sets[:100], strict=True):
        model.learn_one(x, own)
    with pytest.raises(NotImplementedError, match="call calibrate"):
        model.predict_proba_one(X[0])

    model.calibrate(X[100:], sets[100:])

    (row,) = model.predict_proba(X[:1])
    found = model.predict_proba_one(X[0])
    assert [each[True] for each in found.values()] == row.tolist()
    assert all(each[True] + each[False] == pytest.approx(1.0) for each in found.values())


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ("a", "has learned sets of labels, but y holds one label for each example"),
        (None, "has learned sets of labels, but y holds one label for each example"),
        ([["a"]], "y must hold labels, got"),
        ({1}, "The label 1 cannot be sorted among the classes"),
        (["a", 1], "y must hold labels of one type"),
        ({float("nan")}, "y must hold labels of one type"),
    ],
    ids=str,
)
def test_what_is_no_set_of_labels_is_refused_and_nothing_is_learned(y, message):
    X, sets = examples()
    model = AveragedPerceptron()
    for x, own in zip(X, sets, strict=True):
        model.learn_one(x, own)
    before = new(model)

    with pytest.raises(ValueError, match=message) as caught:
        model.learn_one(X[0], y)

    assert is_one_sentence(str(caught.value))
    assert " row " not in str(caught.value)
    assert_same_model(model, before)


@pytest.mark.parametrize("model", [Winnow(), VotedPerceptron()], ids=repr)
def test_members_of_one_label_refuse_sets_and_their_declaration(model):
    with pytest.raises(ValueError, match="learns one label for each example, but y holds several"):
        model.learn_one({"x": 1.0}, {"a"})
    with pytest.raises(ValueError, match="learns one label for each example, but y holds several"):
        model.declare(several_labels=True)


# River


DATASET_CHECKS = [
    checks.common.check_learn_one,
    checks.common.check_pickling,
    checks.common.check_shuffle_features_no_impact,
    checks.common.check_emerging_features,
    checks.common.check_disappearing_features,
    checks.common.check_radically_disappearing_features,
    checks.common.check_predict_one_pure,
    checks.common.check_predict_one_before_any_learn,
    checks.common.check_no_state_aliasing_with_input,
    checks.common.check_clone_is_independent,
    checks.common.check_bounded_memory_growth,
]
"""Those that River makes of a classifier of several labels, whose own data it would download."""


@pytest.mark.parametrize("check", DATASET_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("model", [AveragedPerceptron(), AROW()], ids=repr)
def test_rivers_checks_pass_on_several_labels(model, check):
    declared = new(model).declare(several_labels=True)

    assert isinstance(declared, base.MultiLabelClassifier)
    assert not isinstance(declared, base.Classifier)
    check(declared, dataset=datasets.Yeast().take(50))


def test_rivers_metrics_of_several_labels_take_a_pipeline():
    model = preprocessing.StandardScaler() | AveragedPerceptron().declare(several_labels=True)
    metric = metrics.multioutput.MicroAverage(metrics.F1())

    evaluate.progressive_val_score(datasets.Yeast().take(500), model, metric)

    assert 0.4 < metric.get() < 1.0


def test_a_clone_gives_sets_as_the_original_does():
    model = AveragedPerceptron().declare(several_labels=True)
    model.learn_one({"x": 1.0}, {"a": True, "b": False})

    other = model.clone()

    assert other.predict_one({"x": 1.0}) == {}
    assert isinstance(other, base.MultiLabelClassifier)
