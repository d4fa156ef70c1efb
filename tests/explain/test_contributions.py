"""Scores taken apart by feature."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from data import LAYOUTS, real_numbers, whole_numbers, whole_problems
from handmade import weighing
from members import MEMBERS
from refusals import assert_refused
from rosenblatt import AveragedPerceptron, Perceptron, contributions, feature_weights

TEXTS = ["an excellent film", "a terrible film", "excellent and moving", "terrible and dull"]


OPINIONS = ["pos", "neg", "pos", "neg"]


def reviewer(vectorizer=None):
    return make_pipeline(vectorizer or CountVectorizer(), Perceptron(random_state=0)).fit(
        TEXTS, OPINIONS
    )


def sum_of(explained):
    pushes = [record.push for record in explained]
    return math.fsum([*pushes, explained.intercept, explained.rounding])


def scores_by_class(model, x):
    """The score of each class; of two, minus and plus the one there is."""
    scores = model.decision_function(x)
    return np.array([-scores[0], scores[0]]) if len(model.classes_) == 2 else scores[0]


# contributions


@pytest.mark.parametrize("member", [m for m in MEMBERS if not m.votes], ids=str)
@pytest.mark.parametrize("classes", [2, 3, 7])
@pytest.mark.parametrize("layout", ["float64", "float32", "csr_array", "lists"])
def test_pushes_sum_to_the_score_to_the_bit(member, classes, layout):
    X, codes = member.numbers(seed=classes, classes=classes)
    model = member.new(random_state=0).fit(X, codes)

    for k in range(5):
        x = LAYOUTS[layout](X[[k]])
        for label, score in enumerate(scores_by_class(model, x)):
            explained = contributions(model, x, label=label)

            assert explained.score == score
            assert sum_of(explained) == score
            assert abs(explained.rounding) < 1e-14 * max(1, np.abs(model.coef_).max())


@given(problem=whole_problems(3))
def test_pushes_of_whole_numbers_leave_nothing_to_rounding(problem):
    X, codes = problem
    model = Perceptron().fit(X, codes)

    explained = contributions(model, X[0], label=2)

    assert explained.rounding == 0
    assert explained.score == explained.intercept + sum(record.push for record in explained)
    assert {record.feature: record.push for record in explained} == {
        f"x{k}": push for k, push in enumerate(model.coef_[2] * X[0]) if push
    }


@given(pushes=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_pushes_of_any_size_sum_to_the_score(pushes):
    model = weighing(pushes, intercept=0.1)

    explained = contributions(model, np.ones(len(pushes)))

    assert sum_of(explained) == model.decision_function(np.ones((1, len(pushes))))[0]


def test_the_largest_pushes_come_first_and_zeros_not_at_all():
    explained = contributions(weighing([1, 0, -5, 2, 7]), [3, 1, 1, 2, 0])

    assert [(record.feature, record.push) for record in explained] == [
        ("x2", -5),
        ("x3", 4),
        ("x0", 3),
    ]
    assert len(explained) == 3


def test_of_two_classes_the_second_is_explained_and_the_first_is_its_mirror():
    model = weighing([2, -1], intercept=0.5)

    for_yes, for_no = contributions(model, [1, 1]), contributions(model, [1, 1], label="no")

    assert (for_yes.label, for_yes.score) == ("yes", 1.5)
    assert (for_no.label, for_no.score) == ("no", -1.5)
    assert [record.push for record in for_yes] == [-record.push for record in for_no]


def test_of_several_classes_the_winner_is_explained():
    X, y = load_iris(return_X_y=True)
    model = AveragedPerceptron(random_state=0).fit(X, y)

    for x in X[::10]:
        explained = contributions(model, x)

        assert explained.label == model.predict([x])[0]
        assert explained.score == model.decision_function([x]).max()


@pytest.mark.parametrize(
    "form",
    [
        lambda frame: frame.iloc[[7]],
        lambda frame: frame.iloc[7],
        lambda frame: frame.iloc[7].to_dict(),
        lambda frame: frame.iloc[7].to_numpy(),
        lambda frame: frame.iloc[7].tolist(),
        lambda frame: sparse.csc_array(frame.to_numpy()[[7]]),
    ],
    ids=["frame", "series", "dict", "array", "list", "sparse"],
)
def test_a_row_may_come_in_any_form(form):
    frame, y = load_iris(return_X_y=True, as_frame=True)
    model = Perceptron(random_state=0).fit(frame, y)

    explained = contributions(model, form(frame))

    assert explained.score == model.decision_function(frame.iloc[[7]]).max()
    assert {record.feature for record in explained} <= set(frame.columns)


def test_a_dict_may_leave_out_names_and_bring_others():
    explained = contributions(weighing([1, 2, 3]), {"x1": 5, "unheard of": 9})

    assert [(record.feature, record.push) for record in explained] == [("x1", 10)]


@pytest.mark.parametrize(
    "model",
    [LinearSVC(), LinearSVC(fit_intercept=False), SGDClassifier(random_state=0)],
    ids=str,
)
@pytest.mark.parametrize("classes", [2, 3])
def test_other_linear_models_are_explained_too(model, classes):
    X, codes = real_numbers(classes=classes)
    model.fit(X, codes)

    explained = contributions(model, X[0], label=1)

    assert explained.score == scores_by_class(model, X[[0]])[1]
    assert sum_of(explained) == explained.score


def test_weights_that_scikit_learn_keeps_sparse_are_read():
    X, codes = whole_numbers(classes=3)
    model = SGDClassifier(random_state=0, penalty="l1").fit(X, codes)
    before = list(feature_weights(model)), list(contributions(model, X[0]))

    model.sparsify()

    assert (list(feature_weights(model)), list(contributions(model, X[0]))) == before


# pipelines and names


def test_a_text_is_explained_word_by_word():
    model = reviewer()

    explained = contributions(model, "an excellent excellent film")

    assert explained.score == model.decision_function(["an excellent excellent film"])[0]
    assert explained.records[0].feature == "excellent"
    assert explained.records[0].value == 2
    assert list(contributions(model, ["an excellent excellent film"])) == list(explained)


def test_dicts_go_through_a_pipeline_that_reads_dicts():
    rows = [{"colour=red": 1, "size": 2}, {"colour=blue": 1, "size": 1}]
    model = make_pipeline(DictVectorizer(), Perceptron()).fit(rows, ["apple", "plum"])

    explained = contributions(model, rows[0])

    assert explained.score == model.decision_function(rows[:1])[0]
    assert {record.feature for record in explained} <= {"colour=red", "colour=blue", "size"}


def test_names_come_from_every_step_of_a_pipeline():
    frame, y = load_iris(return_X_y=True, as_frame=True)
    model = make_pipeline(StandardScaler(), Perceptron(random_state=0)).fit(frame, y)

    assert {record.feature for record in feature_weights(model)} == set(frame.columns)


@pytest.mark.parametrize("alone", [False, True])
def test_a_pipeline_without_names_and_a_pipeline_of_one_step_number_the_features(alone):
    if alone:
        model = make_pipeline(Perceptron()).fit(*whole_numbers())
    else:
        model = reviewer(HashingVectorizer(n_features=32))

    assert all(re.fullmatch(r"x\d+", record.feature) for record in feature_weights(model))


def test_names_may_be_given_as_a_list_or_as_what_made_the_features():
    vectorizer = CountVectorizer().fit(TEXTS)
    model = Perceptron(random_state=0).fit(vectorizer.transform(TEXTS), OPINIONS)
    names = vectorizer.get_feature_names_out().tolist()

    expected = list(feature_weights(reviewer()))

    assert list(feature_weights(model, feature_names=names)) == expected
    assert list(feature_weights(model, feature_names=vectorizer)) == expected


def test_long_rows_print_their_largest_pushes_and_the_sum_of_the_others():
    explained = contributions(weighing(np.arange(1, 31)), np.ones(30))

    lines = str(explained).splitlines()

    assert len(explained) == 30
    assert len(lines) == 2 + 20 + 1 + 1
    assert lines[-2].split() == ["10", "smaller", "+55", "│████████████"]
    assert lines[-1] == "  score +465"


def test_names_are_harmless_in_a_notebook_and_visible_in_a_terminal():
    explained = contributions(weighing([1, 2]), [1, 1], feature_names=["<b>", " a\n"])

    assert "&lt;b&gt;" in explained._repr_html_()
    assert "<b>" not in explained._repr_html_()
    assert r"' a\n'" in str(explained)


# refusals


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m: feature_weights(m, 0), "n must be a whole number of at least 1, got n=0"),
        (lambda m: feature_weights(m, scale=[1.0]), "the model's 2 features"),
        (lambda m: feature_weights(m, scale=[1.0, -1.0]), "zero or more"),
        (lambda m: feature_weights(m, scale=[[1.0, np.nan]]), "finite"),
        (lambda m: feature_weights(m, feature_names=["a"]), "2 features but 1 feature_names"),
        (lambda m: feature_weights(m, feature_names=7), "feature_names must be a list of names"),
        (lambda m: feature_weights("model"), "a fitted linear classifier.* got str"),
        (lambda m: feature_weights(KNeighborsClassifier().fit([[0]], [0])), "got KNeighbors"),
        (lambda m: contributions(m, [[1, 2], [3, 4]]), r"x must be one row, got shape \(2, 2\)"),
        (lambda m: contributions(m, None), "x must be one row"),
        (lambda m: contributions(m, [1, 2, 3]), "3 features, but LogisticRegression is expecting"),
        (lambda m: contributions(m, [1, np.nan]), "NaN"),
        (lambda m: contributions(m, [1, 2], label="maybe"), "one of .*'no', 'yes'.*got label="),
    ],
)
def test_what_cannot_be_explained_is_refused_in_a_sentence(call, words):
    assert_refused(lambda: call(weighing([1, -1])), words)


def test_a_model_that_is_not_fitted_is_refused():
    for model in (Perceptron(), LinearSVC(), make_pipeline(StandardScaler(), Perceptron())):
        with pytest.raises(NotFittedError):
            feature_weights(model)


def test_a_model_whose_scores_are_not_sums_over_its_features_is_refused():
    X, codes = real_numbers(classes=3)
    pairwise = SVC(kernel="linear").fit(X, codes)

    assert_refused(lambda: contributions(pairwise, X[0]), "not the sum of its pushes")


def test_weights_for_pairs_of_classes_are_refused():
    X, codes = real_numbers(classes=4)
    pairwise = SVC(kernel="linear").fit(X, codes)

    assert_refused(lambda: feature_weights(pairwise), "a row of coef_ for each of its 4 classes")
