"""A perceptron is the list of its mistakes: they sum to its weights and to its scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline

from data import LAYOUTS, real_numbers, whole_numbers, whole_problems
from members import FLAT_MEMBERS
from refusals import assert_refused
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    Winnow,
    made_of,
    why,
)

TEXTS = ["an excellent film", "a terrible film", "excellent and moving", "not excellent at all"]
OPINIONS = ["pos", "neg", "pos", "neg"]


def weight_of(model, column, label):
    """The weight of a feature for a class; of two classes, the first has minus the second's."""
    if len(model.classes_) > 2:
        return model.coef_[label, column]
    return model.coef_[0, column] if label == 1 else -model.coef_[0, column]


@pytest.mark.parametrize("averaged", [False, True])
@given(data=st.data(), classes=st.integers(2, 4), fit_intercept=st.booleans())
def test_mistakes_rebuild_scores_and_weights_exactly(averaged, data, classes, fit_intercept):
    """On whole numbers, to the bit."""
    X, codes = data.draw(whole_problems(classes))
    model = Perceptron(
        average=averaged, fit_intercept=fit_intercept, max_iter=3, record=True, random_state=0
    ).fit(X, codes)
    label = data.draw(st.integers(1, classes - 1))
    scores = model.decision_function(X[:3])

    for x, score in zip(X[:3], scores if classes == 2 else scores[:, label], strict=True):
        assert why(model, x, X, codes, label=label).total == score
    for column in range(X.shape[1]):
        made = made_of(model, column, X, codes, label=label)
        assert made.total == weight_of(model, column, label)


@pytest.mark.parametrize("flat_member", [m for m in FLAT_MEMBERS if not m.votes], ids=str)
@pytest.mark.parametrize("unit_length", [False, True])
@pytest.mark.parametrize("layout", ["float32", "csr unsorted, with duplicates", "csc_array"])
@pytest.mark.parametrize("classes", [2, 4])
def test_mistakes_of_every_member_sum_to_its_scores(flat_member, classes, layout, unit_length):
    X, codes = real_numbers(seed=classes, classes=classes)
    X = X.astype(np.float32).astype(np.float64)
    weights = np.random.default_rng(0).uniform(0, 2, size=len(X))
    class_weight = {k: 1 + k for k in range(classes)}
    model = flat_member.new(
        max_iter=3,
        record=True,
        random_state=1,
        unit_length=unit_length,
        class_weight=class_weight,
    ).fit(LAYOUTS[layout](X), codes, weights)

    for label in range(classes):
        for x in X[:4]:
            explained = why(model, x, LAYOUTS[layout](X), codes, label=label)

            scores = model.decision_function([x])
            score = scores[0, label] if classes > 2 else scores[0] * (2 * label - 1)
            assert_allclose(explained.total, score, rtol=1e-10, atol=1e-10)
            pulls = [record.pull for record in explained]
            assert_allclose(sum(pulls), score, rtol=1e-10, atol=1e-10)
            assert sorted(pulls, key=abs, reverse=True) == pulls


@pytest.mark.parametrize("flat_member", [m for m in FLAT_MEMBERS if not m.votes], ids=str)
@pytest.mark.parametrize(("early", "late"), [([1, 3], [1, 2, 3]), ([0, 1, 2], [0, 1, 2, 3, 4])])
def test_mistakes_made_before_a_late_class_came_still_sum_to_the_weights(flat_member, early, late):
    X, codes = whole_numbers(classes=len(early))
    y = np.array(early)[codes]
    X_late, codes_late = whole_numbers(seed=1, classes=len(late))
    y_late = np.array(late)[codes_late]
    model = flat_member.new(record=True).partial_fit(X, y, classes=early)
    model.partial_fit(X_late, y_late, classes=late)
    both, labels = np.concatenate([X, X_late]), np.concatenate([y, y_late])

    for k, label in enumerate(late):
        weights = [
            made_of(model, column, both, labels, label=label).total for column in range(X.shape[1])
        ]

        assert_allclose(weights, model.coef_[k], rtol=1e-10, atol=1e-10)


def test_a_mistake_tells_when_where_and_against_whom():
    X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [2.0, 0.5]], ["yes", "yes", "no", "no"]
    model = Perceptron(shuffle=False, max_iter=2, record=True).fit(X, y)

    strongest, *_ = why(model, [1.0, 2.0], X, y)

    assert strongest == (1, 0, "yes", "no", 1.0, 5.0)
    assert strongest._fields == ("t", "example", "label", "rival", "step", "pull")


def test_only_mistakes_of_the_class_and_against_it_pull():
    X, codes = whole_numbers(classes=4)
    model = Perceptron(record=True, random_state=0).fit(X, codes)

    for pull in why(model, X[0], X, codes, label=2):
        assert 2 in (pull.label, pull.rival)
        assert pull.label == codes[pull.example]


def test_mistakes_on_one_example_are_counted_together():
    X, codes = whole_numbers()
    model = Perceptron(record=True, random_state=0).fit(X, codes)

    explained = why(model, X[0], X, codes)
    examples = explained.by_example()

    assert sum(each.times for each in examples) == len(explained)
    assert sum(each.pull for each in examples) == explained.total
    assert len({each.example for each in examples}) == len(examples)
    assert any(each.times > 1 for each in examples)


def test_a_pipeline_shows_the_texts_behind_a_word():
    model = make_pipeline(CountVectorizer(), AveragedPerceptron(record=True, random_state=0))
    model.fit(TEXTS, OPINIONS)

    made = made_of(model, "excellent", TEXTS, OPINIONS)
    explained = why(model, "an excellent idea", TEXTS, OPINIONS)

    column = model[0].vocabulary_["excellent"]
    assert made.total == model[-1].coef_[0, column]
    assert {made.records[k].example for k in range(len(made))} <= {0, 2, 3}
    assert explained.total == model.decision_function(["an excellent idea"])[0]
    assert any(text in str(explained) for text in TEXTS)
    assert str(made).startswith("Mistakes behind the weight of 'excellent' for 'pos'")


def test_long_lists_print_the_strongest_examples_and_the_sum_of_the_others():
    X, codes = whole_numbers(count=200)
    model = AveragedPerceptron(record=True, random_state=0).fit(X, codes)
    explained = why(model, X[0], X, codes)

    lines = str(explained).splitlines()

    assert len(lines) == 2 + 20 + 1 + 1
    assert lines[-2].split()[:2] == [str(len(explained.by_example()) - 20), "more"]
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m, X, y: why(m, X[0], X[:5], y[:5]), "every row that the model learned from"),
        (lambda m, X, y: why(m, X[0], X[::-1], y), "do not add up to the score"),
        (lambda m, X, y: why(m, X[0], X, 1 - y), "do not add up to the score"),
        (lambda m, X, y: made_of(m, 0, X[::-1], y), "do not add up to the weight of 'x0'"),
        (lambda m, X, y: why(m, X[0], X, y[1:]), "60 rows but y has 59 labels"),
        (lambda m, X, y: why(m, X[0], X[:, 1:], y), "8 features"),
        (lambda m, X, y: why(m, X, X, y), "x must be one row"),
        (lambda m, X, y: made_of(m, "salt", X, y), "no feature named 'salt'"),
        (lambda m, X, y: made_of(m, 9, X, y), "a name or a column below 9, got feature=9"),
        (lambda m, X, y: made_of(m, None, X, y), "a name or a column below 9, got feature=None"),
        (lambda m, X, y: why(m.set_params(record=False), X[0], X, y), "record=True"),
    ],
)
def test_what_the_mistakes_cannot_explain_is_refused_in_a_sentence(call, words):
    X, y = whole_numbers()
    model = Perceptron(record=True, random_state=0).fit(X, y)

    assert_refused(lambda: call(model, X, y), words)


def test_a_weight_of_several_classes_needs_a_label():
    X, y = whole_numbers(classes=3)
    model = Perceptron(record=True, random_state=0).fit(X, y)

    assert_refused(lambda: made_of(model, 0, X, y), r"label must be one of \[0, 1, 2\]")


def test_mistakes_recorded_in_part_are_refused():
    X, y = whole_numbers()
    model = PassiveAggressiveClassifier(warm_start=True, random_state=0).fit(X, y)
    model.set_params(record=True).fit(X, y)

    assert_refused(lambda: why(model, X[0], X, y), "record=True")


def test_other_models_have_no_mistakes():
    X, y = whole_numbers()

    assert_refused(lambda: why(SGDClassifier().fit(X, y), X[0], X, y), "got SGDClassifier")


@pytest.mark.parametrize("model", [AROW(record=True), Winnow(record=True)], ids=repr)
def test_weights_that_are_no_sum_of_mistakes_are_not_explained_by_them(model):
    X, y = np.eye(4), [0, 1, 0, 1]
    model.fit(X, y)

    with pytest.raises(ValueError, match="are not the sum of its mistakes"):
        why(model, X[0], X, y)
    with pytest.raises(AttributeError, match="are not a sum of steps"):
        print(model.bracket_)
