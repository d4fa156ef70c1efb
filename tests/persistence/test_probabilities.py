"""Probabilities in model files: they come back, go on exactly, and damaged ones are refused."""

import numpy as np
import pytest

from data import real_numbers
from forgeries import forged
from members import MEMBERS
from rosenblatt import (
    AveragedPerceptron,
    InputError,
    KernelPerceptron,
    ModelFileError,
    Perceptron,
    Predictor,
    Winnow,
    load,
    save,
)
from states import assert_same_state

MODELS = [member.model for member in MEMBERS] + [
    KernelPerceptron(vote=True),
    Winnow(binarize=0.0, balanced=True),
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.rbt"


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_model_from_a_file_has_the_same_probabilities(model, classes, path):
    X, y = real_numbers(count=60, classes=classes)
    model = type(model)(**model.get_params() | {"probabilities": True, "random_state": 0}).fit(X, y)
    expected = model.predict_proba(X)

    save(model, path)

    np.testing.assert_array_equal(load(path).predict_proba(X), expected)
    predictor = Predictor.load(path)
    assert predictor.has_probabilities
    np.testing.assert_array_equal(predictor.predict_proba(X), expected)
    np.testing.assert_array_equal(predictor.judge(X).probabilities, expected)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_stream_goes_on_exactly_from_a_file(classes, path):
    X, y = real_numbers(count=1600, classes=classes)
    model = Perceptron(probabilities=True, random_state=0)
    model.partial_fit(X[:900], y[:900], classes=range(classes))

    save(model, path)
    loaded = load(path)

    assert_same_state(loaded, model)
    for each in (model, loaded):
        each.partial_fit(X[900:], y[900:])
    assert_same_state(loaded, model)


@pytest.mark.parametrize("classes", [2, 3])
def test_probabilities_of_leaning_scores_come_back(classes, path):
    X, y = real_numbers(count=600, classes=classes)
    model = Perceptron(probabilities=True, random_state=0, class_weight={0: 9.0})
    for fitted in (model.fit(X, y), model.partial_fit(X, y)):
        expected = fitted.predict_proba(X)

        save(fitted, path)

        np.testing.assert_array_equal(load(path).predict_proba(X), expected)
        np.testing.assert_array_equal(Predictor.load(path).predict_proba(X), expected)
        assert_same_state(load(path), fitted)


def test_a_model_without_probabilities_says_so(path):
    save(Perceptron(random_state=0).fit([[0.0], [1.0]], ["ham", "spam"]), path)
    predictor = Predictor.load(path)

    assert not predictor.has_probabilities
    with pytest.raises(InputError, match="no probabilities: fit it with probabilities=True"):
        predictor.predict_proba([[1.0]])
    with pytest.raises(InputError, match="no probabilities: fit it with probabilities=True"):
        predictor.predict([[1.0]], abstain_below=0.9)


def test_a_file_without_probabilities_is_as_before(path):
    save(AveragedPerceptron(random_state=0).fit([[0.0], [1.0]], ["ham", "spam"]), path)

    header = path.read_bytes()

    assert b"probabilities" not in header
    assert b"calibration" not in header


def spoil_slope(facts, arrays):
    facts["steps"][0]["calibration"]["slope"] = -1.0


def spoil_counts(facts, arrays):
    facts["steps"][0]["calibration"]["recent"] = [10**30, 1]


def drop_scores(facts, arrays):
    del arrays["0.calibration.scores"]


def spoil_scores(facts, arrays):
    arrays["0.calibration.scores"][0] = np.nan


def spoil_codes(facts, arrays):
    arrays["0.calibration.codes"][0] = 3


def widen_scores(facts, arrays):
    arrays["0.calibration.scores"] = np.zeros((60, 4))


def spoil_offsets(facts, arrays):
    arrays["0.calibration.offsets"] = np.array([0.0, np.nan, 0.0])


def widen_offsets(facts, arrays):
    arrays["0.calibration.offsets"] = np.zeros(4)


@pytest.mark.parametrize(
    "change",
    [
        *(spoil_slope, spoil_counts, drop_scores, spoil_scores, spoil_codes, widen_scores),
        *(spoil_offsets, widen_offsets),
    ],
)
def test_probabilities_that_cannot_be_are_refused(change, path):
    X, y = real_numbers(count=60, classes=3)
    save(Perceptron(probabilities=True, random_state=0).partial_fit(X, y, range(3)), path)

    def changed(facts, arrays):
        arrays.update({key: array.copy() for key, array in arrays.items()})
        change(facts, arrays)

    forged(path, changed)

    for read in (load, Predictor.load):
        with pytest.raises(ModelFileError, match="does not describe a model"):
            read(path)
