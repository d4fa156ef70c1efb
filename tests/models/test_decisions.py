"""The labels that predict gives when asked for several, with thresholds, or not to guess."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from data import real_numbers, whole_numbers
from rosenblatt import AveragedPerceptron, InputError, Perceptron, Predictor, Winnow, save
from rosenblatt.training.decisions import ABSTAINS, Decision

CLASSES = np.array(["ham", "news", "spam"])
SHARES = [[0.1, 0.2, 0.7], [0.5, 0.3, 0.2], [0.05, 0.9, 0.05]]


def fitted(classes=3, **parameters):
    X, y = real_numbers(count=80, classes=classes)
    names = np.array(["ham", "spam", "news", "talk"])[:classes]
    return X, AveragedPerceptron(random_state=0, **parameters).fit(X, names[y])


def said(threshold=None, abstain_below=None, shares=SHARES):
    codes = Decision.of(CLASSES, threshold, abstain_below).codes(
        np.array(shares), np.argmax(shares, axis=1)
    )
    return [None if code == ABSTAINS else str(CLASSES[code]) for code in codes]


def test_a_label_with_a_threshold_is_given_where_it_reaches_it_and_nowhere_else():
    assert said({"spam": 0.7}) == ["spam", "ham", "news"]
    assert said({"spam": 0.71}) == ["news", "ham", "news"]
    assert said({"spam": 0.2}) == ["spam", "spam", "news"]


def test_of_several_the_one_that_reaches_the_largest_multiple_is_given():
    assert said({"spam": 0.2, "news": 0.1}) == ["spam", "news", "news"]


def test_no_label_is_given_where_the_others_do_not_reach_what_they_need():
    assert said(abstain_below=0.6) == ["spam", None, "news"]
    assert said({"spam": 0.8}, abstain_below=0.5) == [None, "ham", "news"]
    assert said({"ham": 0.9, "news": 0.9, "spam": 0.9}) == [None, None, "news"]


def test_of_equally_probable_labels_the_one_that_scores_highest_is_given():
    decision = Decision.of(CLASSES, {"spam": 0.4, "news": 0.4}, 0.0)

    codes = decision.codes(np.array([[0.2, 0.4, 0.4], [0.4, 0.3, 0.3]]), np.array([2, 0]))

    np.testing.assert_array_equal(codes, [2, 0])


def test_labels_without_abstaining_are_those_predicted_where_scores_say_nothing():
    """Of what was held out nothing came as the scores said, so that all are equally probable."""
    X, y = real_numbers(count=80, classes=3)
    model = AveragedPerceptron(random_state=0).fit(X, y).calibrate(X, (y + 1) % 3)
    np.testing.assert_array_equal(model.predict_proba(X), 1 / 3)

    np.testing.assert_array_equal(model.predict(X, abstain_below=0.0), model.predict(X))


@given(
    shares=arrays(float, (5, 3), elements=st.floats(0.01, 1)),
    least=st.floats(0, 1),
    own=st.dictionaries(st.sampled_from(CLASSES.tolist()), st.floats(0.01, 1)),
)
def test_a_label_is_never_given_below_what_it_needs(shares, least, own):
    shares /= shares.sum(axis=1, keepdims=True)

    labels = said(own, least, shares)

    for row, label in zip(shares, labels, strict=True):
        of = dict(zip(CLASSES.tolist(), row, strict=True))
        able = {name for name in of if of[name] >= own.get(name, least)}
        assert label in able if able else label is None


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_the_best_labels_are_in_the_order_of_their_scores(classes):
    X, model = fitted(classes)

    best = model.predict(X, top=classes)

    scores = model.decision_function(X)
    each = np.column_stack([-scores, scores]) if classes == 2 else scores
    np.testing.assert_array_equal(best, model.classes_[np.argsort(-each, axis=1)])
    np.testing.assert_array_equal(model.predict(X, top=1)[:, 0], model.predict(X))
    np.testing.assert_array_equal(model.predict(X, top=9), best)


@pytest.mark.parametrize("classes", [2, 3])
def test_at_a_tie_the_label_that_is_predicted_comes_first(classes):
    X, y = whole_numbers(count=40, width=2, classes=classes)
    for model in (Perceptron(max_iter=2, random_state=0), Winnow(random_state=0)):
        model.fit(X, y)

        np.testing.assert_array_equal(model.predict(X, top=2)[:, 0], model.predict(X))


def test_where_no_label_is_given_stands_what_was_asked_for():
    X, model = fitted(probabilities=True)
    best = model.predict_proba(X).max(axis=1)
    least = float(np.median(best))
    probable = best >= least

    none = model.predict(X, abstain_below=least)
    named = model.predict(X, abstain_below=least, abstain="unsure")

    assert 0 < probable.sum() < len(X)
    np.testing.assert_array_equal(none[probable], model.predict(X)[probable])
    assert none[~probable].tolist() == [None] * (~probable).sum()
    assert named.dtype.kind == "U"
    assert set(named[~probable]) == {"unsure"}


def test_whole_numbers_stay_whole_beside_one_for_no_label():
    X, y = real_numbers(count=80, classes=3)
    model = AveragedPerceptron(random_state=0, probabilities=True).fit(X, y)

    assert model.predict(X, abstain_below=0.4, abstain=-1).dtype == y.dtype
    assert model.predict(X, abstain_below=0.4, abstain="?").dtype == object


def test_pipelines_and_models_of_files_decide_likewise(tmp_path):
    X, y = real_numbers(count=80, classes=3)
    model = make_pipeline(
        StandardScaler(), AveragedPerceptron(random_state=0, probabilities=True)
    ).fit(X, y)
    save(model, tmp_path / "model.rbt")
    predictor = Predictor.load(tmp_path / "model.rbt")

    for options in (
        {"top": 2},
        {"abstain_below": 0.4},
        {"threshold": {1: 0.2}, "abstain": -1},
        {"threshold": {1: 0.9}, "abstain_below": 0.5, "abstain": "no"},
    ):
        np.testing.assert_array_equal(predictor.predict(X, **options), model.predict(X, **options))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"top": 0}, "top must be a whole number of at least 1, got top=0."),
        ({"abstain_below": 1.5}, "abstain_below must lie between 0 and 1, got abstain_below=1.5."),
        (
            {"threshold": 0.9},
            "threshold must be a dict of probabilities by label, got threshold=0.9.",
        ),
        (
            {"threshold": {"scam": 0.9}},
            "threshold names the label 'scam', which the model does not know.",
        ),
        (
            {"threshold": {"spam": 0}},
            "threshold of 'spam' must lie above 0 and be at most 1, got 0.",
        ),
        (
            {"abstain": "?"},
            "abstain is given where no label is: say when: abstain_below or threshold.",
        ),
        (
            {"abstain_below": 0.5, "abstain": ["?"]},
            "abstain must be one label or None, got abstain=",
        ),
        (
            {"top": 2, "abstain_below": 0.5},
            "top lists labels whatever their probability, so that threshold and abstain_below",
        ),
    ],
)
def test_what_cannot_be_decided_is_refused_in_a_sentence(options, sentence):
    X, model = fitted(probabilities=True)

    with pytest.raises(InputError) as found:
        model.predict(X, **options)

    assert str(found.value).startswith(sentence)


def test_without_probabilities_there_are_no_thresholds():
    X, model = fitted()

    with pytest.raises(AttributeError, match="scores but no probabilities"):
        model.predict(X, abstain_below=0.5)
