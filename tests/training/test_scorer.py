"""One scorer for estimators and files: the same numbers whatever form the rows come in."""

import numpy as np
import pytest
from scipy import sparse

from data import real_numbers, whole_numbers
from refusals import is_one_sentence
from rosenblatt import AveragedPerceptron, Perceptron, VotedPerceptron, Winnow, core
from rosenblatt.inputs.sparse import Compressed, rows_of
from rosenblatt.training.scorer import Scorer, presence
from subprocesses import printed_by_python


def compressed(X):
    X = sparse.csr_array(X)
    return Compressed(X.indptr, X.indices, X.data, X.shape)


FORMS = [np.asarray, sparse.csr_array, sparse.csr_matrix, compressed]


def scorer_of(model):
    return model._scorer(model._state)


MODELS = [
    Perceptron(),
    Perceptron(fit_intercept=False, ties="predict"),
    AveragedPerceptron(),
    VotedPerceptron(),
    Winnow(binarize=0.0),
    Winnow(binarize=0.0, balanced=True, average=True),
]


@pytest.mark.parametrize("numbers", [real_numbers, whole_numbers])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_it_says_what_the_estimator_says(model, classes, form, numbers):
    X, y = numbers(count=60, classes=classes)
    X[::7] = 0.0  # level, if there is no intercept
    model = type(model)(**model.get_params()).fit(X, y)
    scorer = scorer_of(model)
    known = sparse.csr_array(X) if form is compressed else form(X)

    winners, scores = scorer.judge(form(X))

    np.testing.assert_array_equal(scores, model.decision_function(known))
    np.testing.assert_array_equal(model.classes_[winners], model.predict(known))
    np.testing.assert_array_equal(scorer.scores(form(X)), scores)
    np.testing.assert_array_equal(scorer.winners(form(X)), winners)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_rows_of_the_core_are_taken_as_the_weights_meet_them(model):
    X, y = real_numbers(count=40)
    scorer = scorer_of(type(model)(**model.get_params()).fit(X, y))

    rows = rows_of(scorer.as_learned(X))

    np.testing.assert_array_equal(scorer.winners(rows), scorer.winners(X))
    np.testing.assert_array_equal(scorer.scores(rows), scorer.scores(X))


def test_quotients_that_are_level_do_not_hide_who_won():
    """An average of numbers next to zero is zero, but its sum is not."""
    weights = AveragedPerceptron().fit([[1.0], [-1.0]], [1, 0])._state.weights
    weights.values[:] = [[5e-324], [0.0]]
    weights.missed[:] = 0.0
    weights.missed[0] = 5e-324 * (weights.seen + 1) - 5e-324
    scorer = Scorer(weights, 1.0, core.Ties.mistake)

    winners, scores = scorer.judge(np.array([[1.0]]))

    assert scores.tolist() == [0.0]
    assert winners.tolist() == scorer.winners(np.array([[1.0]])).tolist() == [1]


def test_the_weights_of_votes_explain_nothing():
    X, y = real_numbers(count=40)
    scorer = scorer_of(VotedPerceptron().fit(X, y))

    with pytest.raises(ValueError, match="scores by the votes of many weights") as caught:
        scorer.coef()
    assert is_one_sentence(str(caught.value))


# Zeros and ones


@pytest.mark.parametrize("form", [sparse.csr_array, compressed])
def test_zeros_that_are_not_stored_cannot_become_ones(form):
    with pytest.raises(ValueError, match="use 0 or more, or rows that are dense") as caught:
        presence(form([[0.0, 1.0]]), -0.5)

    assert is_one_sentence(str(caught.value))


@pytest.mark.parametrize("kind", [Compressed, sparse.csr_array])
def test_a_column_that_a_row_names_twice_counts_by_its_sum(kind):
    arrays = np.array([0, 2]), np.array([1, 1]), np.array([0.3, 0.4])
    X = (
        Compressed(*arrays, (1, 2))
        if kind is Compressed
        else sparse.csr_array((arrays[2], arrays[1], arrays[0]), shape=(1, 2))
    )

    present = presence(X, 0.5)

    assert (present.indices.tolist(), present.data.tolist()) == ([1], [1.0])


def test_it_imports_neither_scikit_learn_nor_scipy():
    program = "import rosenblatt.training.scorer, sys; print('scipy' in sys.modules)"

    assert printed_by_python(program) == "False\n"
