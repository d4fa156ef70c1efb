"""scikit-learn's scalers in model files: they come back to the bit, and forged ones are refused."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, Normalizer, StandardScaler

from data import real_numbers
from refusals import is_one_sentence
from rosenblatt import (
    AveragedPerceptron,
    FeatureCombinations,
    ModelFileError,
    Predictor,
    TextVectorizer,
    load,
    save,
)
from rosenblatt.persistence.container import seal, unseal

SCALERS = [
    StandardScaler(),
    StandardScaler(with_mean=False),
    StandardScaler(with_std=False),
    StandardScaler(with_mean=False, with_std=False),
    MinMaxScaler(),
    MinMaxScaler(feature_range=(-1, 2), clip=True, copy=False),
    MaxAbsScaler(),
    Normalizer(),
    Normalizer(norm="l1"),
    Normalizer(norm="max"),
]
ZERO_STAYS = [StandardScaler(with_mean=False), MaxAbsScaler(), Normalizer()]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.rbt"


def fitted(scaler, X, y):
    return make_pipeline(scaler, AveragedPerceptron(random_state=0)).fit(X.copy(), y)


def examples(dtype):
    X, y = real_numbers(count=60, width=4, classes=3)
    return X.astype(dtype) * np.array([1, 10, 100, 0.1], dtype), y


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("scaler", SCALERS, ids=str)
def test_a_scaled_model_comes_back_to_the_bit(scaler, dtype, path):
    X, y = examples(dtype)
    model = fitted(scaler, X, y)

    save(model, path)
    other, predictor = load(path), Predictor.load(path)

    expected = model.decision_function(2 * X)
    assert str(other.get_params()) == str(model.get_params())
    np.testing.assert_array_equal(other.decision_function(2 * X), expected)
    np.testing.assert_array_equal(predictor.scores(2 * X), expected)
    first = path.read_bytes()
    save(other, path)
    assert path.read_bytes() == first


@pytest.mark.parametrize("scaler", ZERO_STAYS, ids=str)
def test_sparse_rows_are_scaled_alike(scaler, path):
    X, y = examples("float64")
    X = sparse.csr_array(X * (np.abs(X) > np.median(np.abs(X), axis=0)))
    model = fitted(scaler, X, y)

    save(model, path)

    expected = model.decision_function(X)
    np.testing.assert_array_equal(load(path).decision_function(X), expected)
    np.testing.assert_array_equal(Predictor.load(path).scores(X), expected)


def test_a_scaler_learns_on_after_loading(path):
    X, y = examples("float64")
    model = fitted(StandardScaler(), X, y)
    save(model, path)

    other = load(path)[0].partial_fit(3 * X)

    model[0].partial_fit(3 * X)
    np.testing.assert_array_equal(other.mean_, model[0].mean_)
    np.testing.assert_array_equal(other.scale_, model[0].scale_)
    assert other.n_samples_seen_ == model[0].n_samples_seen_


def test_scalers_stand_between_other_steps(path):
    texts, labels = ["a good film", "a bad film", "good plot", "no plot"], ["+", "-", "+", "-"]
    model = make_pipeline(
        *(TextVectorizer(), MaxAbsScaler(), FeatureCombinations(min_count=1), Normalizer()),
        AveragedPerceptron(random_state=0),
    ).fit(texts, labels)

    save(model, path)

    expected = model.decision_function(texts)
    np.testing.assert_array_equal(load(path).decision_function(texts), expected)
    np.testing.assert_array_equal(Predictor.load(path).scores(texts), expected)


def test_the_names_of_a_frame_are_kept(path):
    X, y = examples("float64")
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model = make_pipeline(StandardScaler(), AveragedPerceptron(random_state=0)).fit(frame, y)

    save(model, path)
    predictor = Predictor.load(path)

    assert load(path)[0].feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert predictor.name(2) == "c"
    expected = model.decision_function(frame[:1])
    np.testing.assert_array_equal(load(path).decision_function(frame[:1]), expected)
    np.testing.assert_array_equal(predictor.scores(dict(frame.iloc[0])), expected)


def test_predicting_leaves_the_rows_of_the_caller_alone(path):
    X, y = examples("float64")
    save(fitted(StandardScaler(copy=False), X, y), path)
    before = X.copy()

    Predictor.load(path).predict(X)

    np.testing.assert_array_equal(X, before)


def test_scalers_hold_no_numbers_that_are_not_finite(path):
    X, y = examples("float64")
    model = fitted(StandardScaler(), X, y)
    model[0].mean_[1] = np.nan

    with pytest.raises(ValueError, match="not finite"):
        save(model, path)


def without(name):
    return lambda facts, arrays: arrays.pop(name)


def with_array(name, array):
    return lambda facts, arrays: arrays.update({name: array})


def with_parameter(name, value):
    return lambda facts, arrays: facts["steps"][0]["parameters"].update({name: value})


def with_fact(name, value):
    return lambda facts, arrays: facts["steps"][0].update({name: value})


FORGED = {
    "no mean": without("0.learned.mean_"),
    "no count": without("0.learned.n_samples_seen_"),
    "short": with_array("0.learned.mean_", np.zeros(3)),
    "words": with_array("0.learned.mean_", np.zeros(4, np.uint8)),
    "whole": with_array("0.learned.mean_", np.zeros(4, np.int64)),
    "infinite": with_array("0.learned.mean_", np.full(4, np.inf)),
    "seen by many": with_array("0.learned.n_samples_seen_", np.zeros(2)),
    "another array": with_array("0.learned.feature_names_in_", np.zeros(4)),
    "method": with_array("0.learned.transform", np.zeros(4)),
    "flag": with_parameter("with_mean", "yes"),
    "another parameter": with_parameter("fit", 1),
    "another width": with_fact("features", {"named": False, "width": 5}),
    "no width": with_fact("features", {"named": False, "width": None}),
    "another part": with_fact("weights", {}),
    "said": with_fact("learned", {"a": 1}),
    "another class": with_fact("estimator", "FunctionTransformer"),
    "a class of another's learning": with_fact("estimator", "MinMaxScaler"),
    "not a scaler": with_fact("estimator", "KBinsDiscretizer"),
}


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED)
def test_forged_scalers_are_refused_in_a_sentence(forge, path):
    X, y = examples("float64")
    save(fitted(StandardScaler(), X, y), path)
    facts, arrays = unseal(str(path))
    forge(facts, arrays)
    path.write_bytes(b"".join(seal(facts, arrays)))

    for read in (load, Predictor.load):
        with pytest.raises(ModelFileError) as caught:
            read(path)
        assert is_one_sentence(str(caught.value))


@pytest.mark.parametrize("bounds", [[1, 0], [0, 1, 2], ["a", "b"]])
def test_a_forged_range_is_refused(bounds, path):
    X, y = examples("float64")
    save(fitted(MinMaxScaler(clip=True), X, y), path)
    facts, arrays = unseal(str(path))
    facts["steps"][0]["parameters"]["feature_range"] = {"tuple": bounds}
    path.write_bytes(b"".join(seal(facts, arrays)))

    with pytest.raises(ModelFileError):
        load(path)
