"""Pipelines in files, and the notes beside them; pickles and skops of the same."""

import contextlib
import pickle

import numpy as np
import pytest
import skops.io
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import RobustScaler

from data import real_numbers
from members import MEMBERS
from refusals import is_one_sentence
from rosenblatt import (
    AveragedPerceptron,
    FeatureCombinations,
    ModelFileError,
    NamedVectorizer,
    Perceptron,
    Predictor,
    TableVectorizer,
    TextVectorizer,
    contributions,
    feature_weights,
    load,
    read_notes,
    save,
)
from rosenblatt.persistence.container import seal, unseal
from states import assert_same_state

TEXTS = ["a good film", "a bad film", "good, GOOD plot", "no plot at all", "bad and long", "fine"]
LABELS = ["+", "-", "+", "-", "-", "+"]
VECTORIZERS = {
    "words": {},
    "pairs of words, weighed": {
        "ngram_range": (1, 2),
        "use_idf": True,
        "norm": "l2",
        "min_df": 1,
        "dtype": np.float32,
    },
    "without a list of words": {"stop_words": ["a", "at"], "binary": True},
    "without English words": {"stop_words": "english"},
    "without a set of words": {"stop_words": {"a", "at"}, "sublinear_tf": True},
    "letters": {"analyzer": "char_wb", "ngram_range": (2, 3), "max_features": 20},
    "hashed": {"n_hash_bits": 6, "alternate_sign": True},
    "hashed, weighed": {"n_hash_bits": 6, "use_idf": True},
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.rbt"


@pytest.fixture(params=VECTORIZERS)
def pipeline(request):
    vectorizer = TextVectorizer(**VECTORIZERS[request.param])
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
        (lambda: make_pipeline(RobustScaler(), Perceptron()), "got RobustScaler"),
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
    notes = {
        "made": {"of": "text", "columns": ["a", None]},
        "data": {"format": "text"},
        "error": 0.125,
        'quo"te': "ä",
    }
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
    "rosenblatt.AROW",
    "rosenblatt.Bracket",
    "rosenblatt.CombinationColumns",
    "rosenblatt.FeatureCombinations",
    "rosenblatt.Expansion",
    "rosenblatt.Pass",
    "rosenblatt.Form",
    "rosenblatt.Mistakes",
    "rosenblatt.KernelPerceptron",
    "rosenblatt.PassiveAggressiveClassifier",
    "rosenblatt.AveragedPerceptron",
    "rosenblatt.Perceptron",
    "rosenblatt.Similarity",
    "rosenblatt.TextVectorizer",
    "rosenblatt.Run",
    "rosenblatt.State",
    "rosenblatt.GrowingVocabulary",
    "rosenblatt.HashedColumns",
    "rosenblatt.VotedPerceptron",
    "rosenblatt.WeightArrays",
    "rosenblatt.Whole",
    "rosenblatt.Weights",
    "rosenblatt.Winnow",
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


# Tables


TABLE = {
    "age": [20, None, 31.5, 40, 28, 20],
    "pet": ["cat", "dog", "", "cat", "dog", "fish"],
    "title": TEXTS,
    "words.of": list(reversed(TEXTS)),
}
KINDS = {"title": "text", "age": "number", "pet": "category", "words.of": "text"}
TABLE_VECTORIZERS = [
    TableVectorizer(kinds=KINDS),
    TableVectorizer(kinds={"pet": "category"}, scale=None),
    TableVectorizer(kinds=KINDS, text=TextVectorizer(ngram_range=(1, 2), n_hash_bits=5)),
]


@pytest.mark.parametrize("vectorizer", TABLE_VECTORIZERS, ids=str)
def test_tables_come_back_and_go_on_growing(vectorizer, path):
    model = make_pipeline(clone(vectorizer), AveragedPerceptron(random_state=0)).fit(TABLE, LABELS)

    other = saved_and_loaded(model, path)

    assert str(other.get_params()) == str(model.get_params())
    np.testing.assert_array_equal(other.decision_function(TABLE), model.decision_function(TABLE))
    more = {"age": [1.0], "pet": ["owl"], "title": ["new words"], "words.of": ["more"]}
    for each in (model, other):
        each[0].partial_fit(more)
    mine, its = (each[0].get_feature_names_out().tolist() for each in (model, other))
    assert mine == its
    difference = model[0].transform(more) - other[0].transform(more)
    assert difference.nnz == 0


@pytest.mark.parametrize("vectorizer", TABLE_VECTORIZERS, ids=str)
def test_tables_are_predicted_and_explained_from_files(vectorizer, path):
    model = make_pipeline(clone(vectorizer), AveragedPerceptron(random_state=0)).fit(TABLE, LABELS)
    save(model, path)

    predictor = Predictor.load(path)

    np.testing.assert_array_equal(predictor.scores(TABLE), model.decision_function(TABLE))
    assert str(predictor.feature_weights(5)) == str(feature_weights(model, 5))
    row = {name: cells[:1] for name, cells in TABLE.items()}
    found = predictor.contributions(row)
    assert found.score == model.decision_function(row)[0]


@pytest.mark.parametrize("vectorizer", TABLE_VECTORIZERS, ids=str)
def test_forged_tables_are_refused_or_harmless(vectorizer, path):
    save(clone(vectorizer).fit(TABLE), path)
    facts, arrays = unseal(str(path))
    told = facts["steps"][0]["table_columns"]
    forgeries = [(changed, arrays) for changed in changes_of(told)]
    forgeries += [(told, arrays | {name: arrays[name][1:]}) for name in arrays]
    outcomes = []

    for changed, others in forgeries:
        step = facts["steps"][0] | {"table_columns": changed}
        path.write_bytes(b"".join(seal(facts | {"steps": [step]}, others)))
        outcomes.append("refused")
        with contextlib.suppress(ModelFileError):
            load(path).transform(TABLE)
            outcomes[-1] = "works"

    assert outcomes.count("refused") > len(outcomes) / 2


def changes_of(told):
    """Every fact in turn left out, or something else."""
    for name in told:
        yield {key: value for key, value in told.items() if key != name}
        for other in (None, -1, 10**6, "words", [], [[1]], {}):
            yield told | {name: other}


# Named values


NAMED = [{"size": 2, "colour": "red"}, {"size": 0.5}, {"colour": "blue", "age": 3.0}]


def test_named_values_come_back_and_are_predicted_from_files(path):
    model = make_pipeline(NamedVectorizer(), AveragedPerceptron(random_state=0)).fit(
        NAMED, [1, 0, 1]
    )

    other, predictor = saved_and_loaded(model, path), Predictor.load(path)

    np.testing.assert_array_equal(other.decision_function(NAMED), model.decision_function(NAMED))
    np.testing.assert_array_equal(predictor.scores(NAMED), model.decision_function(NAMED))
    assert str(predictor.contributions(NAMED[2])) == str(contributions(model, NAMED[2]))
    mine, its = (each[0].partial_fit([{"new": 1}]).vocabulary_ for each in (model, other))
    assert mine == its


def test_hashed_words_are_saved_though_nobody_fitted_them(tmp_path):
    texts = ["fine film", "dull plot"]
    words = TextVectorizer(n_hash_bits=6)
    model = Perceptron(random_state=0).fit(words.transform(texts), [1, 0])
    save(Pipeline([("words", words), ("model", model)]), tmp_path / "m.rbt")

    assert load(tmp_path / "m.rbt").predict(texts).tolist() == [1, 0]
