"""Pipelines in files, and the notes beside them; pickles and skops of the same."""

import contextlib
import pickle

import numpy as np
import pytest
import skops.io
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from data import real_numbers
from members import MEMBERS
from refusals import is_one_sentence
from rosenblatt import (
    AveragedPerceptron,
    FeatureCombinations,
    ModelFileError,
    Perceptron,
    TextVectorizer,
    load,
    read_notes,
    save,
)
from rosenblatt.sealed import seal, unseal
from states import assert_same_state

TEXTS = ["a good film", "a bad film", "good, GOOD plot", "no plot at all", "bad and long", "fine"]
LABELS = ["+", "-", "+", "-", "-", "+"]
VECTORIZERS = [
    TextVectorizer(),
    TextVectorizer(ngram_range=(1, 2), use_idf=True, norm="l2", min_df=1, dtype=np.float32),
    TextVectorizer(stop_words=["a", "at"], binary=True),
    TextVectorizer(stop_words="english"),
    TextVectorizer(stop_words={"a", "at"}, sublinear_tf=True),
    TextVectorizer(analyzer="char_wb", ngram_range=(2, 3), max_features=20),
    TextVectorizer(n_hash_bits=6, alternate_sign=True),
    TextVectorizer(n_hash_bits=6, use_idf=True),
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.rbt"


@pytest.fixture(params=VECTORIZERS, ids=str)
def pipeline(request):
    vectorizer = TextVectorizer(**request.param.get_params())
    steps = [("vectorizer", vectorizer), ("model", AveragedPerceptron(random_state=0))]
    return Pipeline(steps).fit(TEXTS, LABELS)


def saved_and_loaded(model, path):
    save(model, path)
    return load(path)


def test_a_pipeline_comes_back(pipeline, path):
    other = saved_and_loaded(pipeline, path)

    assert [name for name, _ in other.steps] == ["vectorizer", "model"]
    assert_same_state(other[-1], pipeline[-1])
    assert str(other.get_params()) == str(pipeline.get_params())
    unseen = [*TEXTS, "", "unseen good words"]
    np.testing.assert_array_equal(
        other.decision_function(unseen), pipeline.decision_function(unseen)
    )
    mine, its = (each[0].get_feature_names_out().tolist() for each in (pipeline, other))
    assert mine == its


def test_the_same_pipeline_gives_the_same_bytes(pipeline, path):
    save(pipeline, path)
    first = path.read_bytes()

    save(load(path), path)

    assert path.read_bytes() == first


def test_words_and_weights_go_on_growing_after_loading(path):
    vectorizer, model = TextVectorizer(), AveragedPerceptron(random_state=0)
    model.partial_fit(vectorizer.partial_fit(TEXTS).transform(TEXTS), LABELS, classes=["+", "-"])

    other = saved_and_loaded(make_pipeline(vectorizer, model), path)
    for each in (vectorizer, other[0]):
        each.partial_fit(["new words", "good words"])

    assert other[0].vocabulary_ == vectorizer.vocabulary_
    assert_same_state(other[1], model)


def test_combinations_stand_in_pipelines(path):
    model = make_pipeline(TextVectorizer(), FeatureCombinations(min_count=1), Perceptron())
    model.fit(TEXTS, LABELS)

    other = saved_and_loaded(model, path)

    assert other.predict(TEXTS).tolist() == model.predict(TEXTS).tolist()
    assert (
        other[:-1].get_feature_names_out().tolist() == model[:-1].get_feature_names_out().tolist()
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: make_pipeline(StandardScaler(), Perceptron()), "got StandardScaler"),
        (lambda: make_pipeline(make_pipeline(Perceptron())), "got Pipeline"),
        (lambda: make_pipeline("passthrough", Perceptron()), "got 'passthrough'"),
        (lambda: make_pipeline(FeatureCombinations(), None), "got NoneType"),
        (lambda: make_pipeline(Perceptron(), memory="cache"), "memory='cache'"),
    ],
)
def test_other_pipelines_are_refused_in_a_sentence(make, message, path):
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        save(make(), path)

    assert is_one_sentence(str(caught.value))
    assert not path.exists()


def test_every_step_must_be_fitted(path):
    with pytest.raises(NotFittedError):
        save(make_pipeline(TextVectorizer(), Perceptron().fit([[0.0], [1.0]], [0, 1])), path)


# Notes


def test_notes_come_back_without_the_model(path):
    notes = {"data": {"format": "text", "columns": ["a", None]}, "error": 0.125, 'quo"te': "ä"}
    save(Perceptron().fit([[0.0], [1.0]], [0, 1]), path, notes)

    assert read_notes(path) == notes


def test_without_notes_there_are_none(path):
    save(Perceptron().fit([[0.0], [1.0]], [0, 1]), path)

    assert read_notes(path) == {}


def test_notes_are_under_the_checksum(path):
    save(Perceptron().fit([[0.0], [1.0]], [0, 1]), path, {"checksum": "0" * 64, "word": "right"})
    path.write_bytes(path.read_bytes().replace(b"right", b"wrong"))

    with pytest.raises(ModelFileError, match="is damaged"):
        read_notes(path)


@pytest.mark.parametrize(
    "notes", [{"a": np.zeros(2)}, {1: "a"}, {"a": float("nan")}, ["a"], "words", {"a": (1, 2)}]
)
def test_notes_that_json_cannot_hold_are_refused_in_a_sentence(notes, path):
    with pytest.raises(ValueError, match="notes must be a dict") as caught:
        save(Perceptron().fit([[0.0], [1.0]], [0, 1]), path, notes)

    assert is_one_sentence(str(caught.value))
    assert not path.exists()


def test_forged_words_are_refused_or_harmless(pipeline, path):
    save(pipeline, path)
    facts, arrays = unseal(str(path))
    for name in [name for name in arrays if name.startswith("0.")]:
        for forged in (arrays[name][1:], arrays[name][::-1].copy(), arrays[name].astype("f8")):
            if np.array_equal(forged, arrays[name]) and forged.dtype == arrays[name].dtype:
                continue
            path.write_bytes(b"".join(seal(facts, arrays | {name: forged})))
            with contextlib.suppress(ModelFileError):
                load(path).predict(TEXTS)


# Pickles and skops


TRUSTED = [
    "rosenblatt.arow.AROW",
    "rosenblatt.bracket.Bracket",
    "rosenblatt.columns.Columns",
    "rosenblatt.combinations.FeatureCombinations",
    "rosenblatt.dual.Expansion",
    "rosenblatt.history.Pass",
    "rosenblatt.kept.Mistakes",
    "rosenblatt.kernel.KernelPerceptron",
    "rosenblatt.passive_aggressive.PassiveAggressiveClassifier",
    "rosenblatt.perceptron.AveragedPerceptron",
    "rosenblatt.perceptron.Perceptron",
    "rosenblatt.similarity.Similarity",
    "rosenblatt.text.TextVectorizer",
    "rosenblatt.training.Progress",
    "rosenblatt.vocabularies.GrowingVocabulary",
    "rosenblatt.vocabularies.HashedColumns",
    "rosenblatt.voted.VotedPerceptron",
    "rosenblatt.weights.Weights",
    "rosenblatt.winnow.Winnow",
]


def through_pickle(model):
    return pickle.loads(pickle.dumps(model))


def through_skops(model):
    data = skops.io.dumps(model)
    asked = set(skops.io.get_untrusted_types(data=data))
    assert asked <= set(TRUSTED)
    return skops.io.loads(data, trusted=sorted(asked))


@pytest.mark.parametrize("carry", [through_pickle, through_skops])
@pytest.mark.parametrize("member", MEMBERS, ids=str)
def test_models_survive_pickles_and_skops(member, carry):
    X, y = real_numbers(classes=3)
    model = member.new(random_state=0, record=True, early_stopping=True, max_iter=3).fit(X, y)

    other = carry(model)

    assert_same_state(model, other)
    assert_same_state(model.partial_fit(X, y), other.partial_fit(X, y))


@pytest.mark.parametrize("carry", [through_pickle, through_skops])
def test_pipelines_survive_pickles_and_skops(pipeline, carry):
    other = carry(pipeline)

    scores = pipeline.decision_function(TEXTS)
    np.testing.assert_array_equal(other.decision_function(TEXTS), scores)
