"""Exported models predict in onnxruntime what they predict here."""

import json

import numpy as np
import onnx
import onnxruntime
import pytest
from skl2onnx import to_onnx
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    PolynomialFeatures,
    StandardScaler,
)

from data import real_numbers, whole_numbers
from members import MEMBERS
from refusals import is_one_sentence
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    FeatureCombinations,
    KernelPerceptron,
    PassiveAggressiveClassifier,
    PassiveAggressiveRegressor,
    Perceptron,
    TableVectorizer,
    TextVectorizer,
    VotedPerceptron,
    Winnow,
    export_onnx,
    register_onnx_converters,
)

MODELS = [member.model for member in MEMBERS if not (member.votes or member.through_kernel)] + [
    Perceptron(fit_intercept=False),
    AveragedPerceptron(unit_length=True),
    Winnow(binarize=0.0),
    Winnow(binarize=0.0, balanced=True, average=True),
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.onnx"


def exported(model, path):
    """Runs the exported model on examples: labels and scores."""
    export_onnx(model, path)
    onnx.checker.check_model(str(path))
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    (source,) = session.get_inputs()
    return lambda examples: session.run(["label", "scores"], {source.name: examples})


@pytest.mark.parametrize("classes", [2, 3, 6])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_labels_are_equal_and_scores_agree(model, classes, path):
    X, y = real_numbers(count=80, classes=classes)
    model = clone(model).fit(X, y)

    labels, scores = exported(model, path)(X)

    np.testing.assert_array_equal(labels, model.predict(X))
    np.testing.assert_allclose(scores, model.decision_function(X), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("class_weight", [None, {0: 5.0}])
@pytest.mark.parametrize("classes", [2, 3, 6])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_probabilities_agree(model, classes, class_weight, path):
    X, y = real_numbers(count=80, classes=classes)
    said = {"probabilities": True, "class_weight": class_weight, "random_state": 0}
    model = clone(model).set_params(**said).fit(X, y)

    export_onnx(model, path)

    onnx.checker.check_model(str(path))
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    assert [output.name for output in session.get_outputs()] == ["label", "scores", "probabilities"]
    (found,) = session.run(["probabilities"], {"X": X})
    np.testing.assert_allclose(found, model.predict_proba(X), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("classes", [2, 3])
def test_on_whole_numbers_ties_stay_ties(classes, path):
    X, y = whole_numbers(count=80, width=3, classes=classes)
    model = AveragedPerceptron(random_state=0, fit_intercept=False).fit(X, y)
    X = np.vstack([X, np.zeros((1, 3))]).astype(float)

    labels, scores = exported(model, path)(X)

    np.testing.assert_array_equal(labels, model.predict(X))
    np.testing.assert_array_equal(scores, model.decision_function(X))


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["ja", "nein"]),
        np.array(["ja", "nein"], dtype=object),
        np.array([3, 200], dtype=np.uint8),
        np.array([False, True]),
        np.array([-1.0, 1.0]),
        np.array([1, 2], dtype=">i4"),
    ],
    ids=lambda labels: str(labels.dtype),
)
def test_labels_keep_their_type_as_far_as_onnx_has_it(labels, path):
    model = Perceptron().fit([[0.0, 1.0], [1.0, 0.0]], labels)

    found, _ = exported(model, path)(np.array([[0.0, 1.0], [1.0, 0.0]]))

    assert found.tolist() == labels.tolist()


# Several labels, and numbers


SETS = [
    *(Perceptron(), AveragedPerceptron(), PassiveAggressiveClassifier(C=0.1, average=True)),
    AROW(),
]


def label_matrix(labels, count=80):
    """Rows of numbers, and for each label whether they have it; some rows have none."""
    rng = np.random.default_rng(labels)
    X = rng.normal(size=(count, 5))
    return X, (X @ rng.normal(size=(5, labels)) > 0.5).astype(int)


@pytest.mark.parametrize("labels", [2, 3, 6])
@pytest.mark.parametrize("model", SETS, ids=str)
def test_sets_of_labels_are_a_matrix_with_scores_and_probabilities(model, labels, path):
    X, Y = label_matrix(labels)
    model = clone(model).set_params(probabilities=True, random_state=0).fit(X, Y)

    export_onnx(model, path)

    onnx.checker.check_model(str(path))
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    assert names == ["labels", "scores", "probabilities"]
    found, scores, probabilities = session.run(names, {"X": X})
    np.testing.assert_array_equal(found, model.predict(X))
    np.testing.assert_allclose(scores, model.decision_function(X), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(probabilities, model.predict_proba(X), rtol=1e-9, atol=1e-12)


def test_sets_of_words_are_told_by_the_labels_in_the_file(path):
    texts = ["court rules on trade", "court hears a case", "trade grows", "goals"] * 9
    sets = [{"law", "trade"}, {"law"}, {"trade"}, {"sport"}] * 9
    model = make_pipeline(TextVectorizer(), AveragedPerceptron(random_state=0)).fit(texts, sets)

    export_onnx(model, path)

    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    (found,) = session.run(["labels"], {"text": np.array(texts, dtype=object)})
    names = json.loads(session.get_modelmeta().custom_metadata_map["labels"])
    given = [{name for name, one in zip(names, row, strict=True) if one} for row in found]
    assert given == model.predict(texts)


@pytest.mark.parametrize("labels", [["no", "yes"], [3, 1], [False, True], [-1.0, 1.0]], ids=str)
def test_a_file_tells_what_the_columns_of_scores_stand_for(labels, path):
    model = Perceptron(probabilities=True).fit([[0.0, 1.0], [1.0, 0.0]], labels)

    export_onnx(model, path)

    (told,) = onnx.load(path).metadata_props
    assert (told.key, json.loads(told.value)) == ("labels", model.classes_.tolist())


@pytest.mark.parametrize("average", [False, True])
def test_numbers_agree(average, path):
    X, _ = real_numbers(count=80, classes=2)
    y = X @ np.arange(X.shape[1]) + 7.0
    model = make_pipeline(
        StandardScaler(), PassiveAggressiveRegressor(average=average, random_state=0)
    ).fit(X, y)

    export_onnx(model, path)

    onnx.checker.check_model(str(path))
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    assert [output.name for output in session.get_outputs()] == ["number"]
    (found,) = session.run(None, {"X": X})
    np.testing.assert_allclose(found, model.predict(X), rtol=1e-12, atol=1e-12)


# Texts


VECTORIZERS = [
    TextVectorizer(),
    TextVectorizer(ngram_range=(1, 3)),
    TextVectorizer(ngram_range=(2, 2), lowercase=False),
    TextVectorizer(stop_words="english", binary=True),
    TextVectorizer(use_idf=True, norm="l2", sublinear_tf=True),
    TextVectorizer(use_idf=True, norm="l1", smooth_idf=False, dtype=np.float32),
    TextVectorizer(binary=True, sublinear_tf=True, norm="l2", ngram_range=(1, 2)),
]
ALPHABET = [*"abcXYZ0_9", *"äÖéß", *"жД", *"日本", *"١½", *" \t\n.,'-!", "e\u0301", "\U0001d400"]
"""Letters of many scripts, digits, marks and spaces; no sigma, no dotted capital I."""


def random_texts(count, seed):
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(ALPHABET, size=rng.integers(1, 5))) for _ in range(60)]
    return [" ".join(rng.choice(words, size=rng.integers(0, 12))) for _ in range(count)]


@pytest.mark.parametrize("vectorizer", VECTORIZERS, ids=str)
def test_texts_are_cut_and_counted_alike(vectorizer, path):
    texts = random_texts(200, seed=0)
    labels = np.random.default_rng(1).choice(["a", "b", "c"], size=200)
    model = make_pipeline(clone(vectorizer), AveragedPerceptron(random_state=0)).fit(texts, labels)
    unseen = [*random_texts(100, seed=2), ""]

    labels, scores = exported(model, path)(np.array(unseen, dtype=object))

    np.testing.assert_array_equal(labels, model.predict(unseen))
    tolerance = 1e-5 if vectorizer.dtype == np.float32 else 1e-12
    expected = model.decision_function(unseen)
    np.testing.assert_allclose(scores, expected, rtol=tolerance, atol=tolerance)


def test_texts_without_any_word_are_scored_too(path):
    model = make_pipeline(TextVectorizer(), Perceptron()).fit(["good", "bad"], [1, 0])

    labels, scores = exported(model, path)(np.array(["", "."], dtype=object))

    assert scores.tolist() == model.decision_function(["", "."]).tolist()
    assert labels.tolist() == model.predict(["", "."]).tolist()


# Scalers and tables


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "scalers",
    [
        [StandardScaler()],
        [StandardScaler(with_mean=False)],
        [StandardScaler(with_std=False)],
        [MinMaxScaler((-1, 3), clip=True)],
        [MaxAbsScaler(), Normalizer()],
        [Normalizer("l1")],
        [Normalizer("max")],
    ],
    ids=str,
)
def test_scalers_before_a_model_are_exported_with_it(scalers, classes, path):
    X, y = real_numbers(count=80, classes=classes)
    model = make_pipeline(*map(clone, scalers), AveragedPerceptron(random_state=0)).fit(
        X[:60], y[:60]
    )
    X = np.vstack([X, np.zeros((1, X.shape[1]))])

    labels, scores = exported(model, path)(X)

    np.testing.assert_array_equal(labels, model.predict(X))
    np.testing.assert_allclose(scores, model.decision_function(X), rtol=1e-12, atol=1e-12)


def test_a_scaler_behind_a_vectorizer_is_exported_with_it(path):
    texts, labels = ["a good film", "a bad film", "good good", "bad"], ["+", "-", "+", "-"]
    model = make_pipeline(TextVectorizer(), MaxAbsScaler(), Perceptron()).fit(texts, labels)

    found, scores = exported(model, path)(np.array(texts, dtype=object))

    assert found.tolist() == model.predict(texts).tolist()
    np.testing.assert_allclose(scores, model.decision_function(texts), rtol=1e-12)


TABLE = {
    "age": [20.0, 40.0, None, 33.5, 0.0, 61.0],
    "size": [0.0, 0.0, 3.0, 0.0, 0.0, 1.5],
    "pet": ["cat", "dog", "cat", "", "newt", "dog"],
    "note": ["soft and kind", "loud", "kind", "soft", "", "loud, loud and kind"],
}
KINDS = {"age": "number", "size": "number", "pet": "category", "note": "text"}


def columns_of(table):
    """The same as onnxruntime takes them."""
    return {
        name: np.array(cells, dtype=object if KINDS[name] in ("category", "text") else float)
        for name, cells in table.items()
        if name in KINDS
    }


@pytest.mark.parametrize("scale", ["auto", "standard", "spread", None])
@pytest.mark.parametrize("labels", [["a", "b"] * 3, [3, 1, 2, 1, 3, 2]], ids=str)
@pytest.mark.parametrize("grown", [False, True])
def test_a_table_is_exported_with_an_input_for_each_column(grown, labels, scale, path):
    vectorizer = TableVectorizer(kinds=KINDS, scale=scale)
    if grown:  # so that features stand in the order in which they came
        first = {name: cells[:2] for name, cells in TABLE.items()}
        vectorizer.partial_fit(first).partial_fit(TABLE)
    else:
        vectorizer.fit(TABLE)
    model = AveragedPerceptron(random_state=0).fit(vectorizer.transform(TABLE), labels)
    whole = Pipeline([("table", vectorizer), ("model", model)])
    unseen = {
        "age": [None, 7.0, 1e6],
        "size": [1.0, None, 0.0],
        "pet": ["emu", "", "dog"],
        "note": ["", "kind or unkind", "LOUD"],
    }

    export_onnx(whole, path)

    onnx.checker.check_model(str(path))
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    assert [each.name for each in session.get_inputs()] == [*KINDS]
    for table in (TABLE, unseen):
        found, scores = session.run(["label", "scores"], columns_of(table))
        assert found.tolist() == whole.predict(table).tolist()
        np.testing.assert_allclose(scores, whole.decision_function(table), rtol=1e-9, atol=1e-12)


# skl2onnx


@pytest.mark.parametrize(
    ("dtype", "before"),
    [(np.float64, MinMaxScaler()), (np.float32, PolynomialFeatures(2))],
    ids=str,
)
@pytest.mark.parametrize(
    ("model", "labels"),
    [
        (Perceptron(max_iter=50), [0, 1, 1, 0]),
        (AveragedPerceptron(), ["no", "yes", "yes", "no"]),
        (PassiveAggressiveClassifier(), [1.0, 2.0, 3.0, 1.0]),
        (AROW(), [7, 8, 9, 8]),
        (Winnow(balanced=True), [True, False, False, True]),
    ],
    ids=str,
)
def test_skl2onnx_converts_pipelines_that_end_in_a_linear_model(model, labels, dtype, before):
    register_onnx_converters()
    X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]], dtype=dtype)
    pipeline = make_pipeline(clone(before), StandardScaler(), clone(model)).fit(X, labels)

    graph = to_onnx(pipeline, X)

    session = onnxruntime.InferenceSession(
        graph.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    found, scores = session.run(["label", "scores"], {"X": X})
    assert scores.dtype == dtype
    assert found.tolist() == pipeline.predict(X).tolist()
    np.testing.assert_allclose(scores, pipeline.decision_function(X), atol=1e-5)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("classes", [2, 3])
def test_skl2onnx_converts_probabilities(classes, dtype):
    register_onnx_converters()
    X, y = real_numbers(count=80, classes=classes)
    model = AROW(random_state=0, probabilities=True, class_weight={0: 3.0})
    pipeline = make_pipeline(MinMaxScaler(), model).fit(X, y)

    graph = to_onnx(pipeline, X.astype(dtype))

    session = onnxruntime.InferenceSession(
        graph.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    names = [output.name for output in session.get_outputs()]
    assert names == ["label", "scores", "probabilities"]
    (found,) = session.run(["probabilities"], {"X": X.astype(dtype)})
    assert found.dtype == dtype
    np.testing.assert_allclose(found, pipeline.predict_proba(X), atol=1e-5)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_skl2onnx_converts_sets_of_labels(dtype):
    register_onnx_converters()
    X, Y = label_matrix(3)
    learner = AveragedPerceptron(random_state=0, probabilities=True)
    pipeline = make_pipeline(StandardScaler(), learner).fit(X, Y)
    X = X.astype(dtype)

    graph = to_onnx(pipeline, X)

    session = onnxruntime.InferenceSession(
        graph.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    labels, scores, shares = session.run(["labels", "scores", "probabilities"], {"X": X})
    assert labels.tolist() == pipeline.predict(X).tolist()
    np.testing.assert_allclose(scores, pipeline.decision_function(X), atol=1e-4)
    np.testing.assert_allclose(shares, pipeline.predict_proba(X), atol=1e-5)


def test_skl2onnx_converts_numbers():
    register_onnx_converters()
    X, _ = real_numbers(count=80, classes=2)
    pipeline = make_pipeline(MinMaxScaler(), PassiveAggressiveRegressor(random_state=0))
    pipeline.fit(X, X.sum(axis=1))

    graph = to_onnx(pipeline, X)

    session = onnxruntime.InferenceSession(
        graph.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    (found,) = session.run(["number"], {"X": X})
    np.testing.assert_allclose(found, pipeline.predict(X), rtol=1e-9)


def test_skl2onnx_refuses_votes_as_an_export_does():
    register_onnx_converters()
    X = np.eye(2)

    with pytest.raises(Exception, match="VotedPerceptron"):
        to_onnx(make_pipeline(StandardScaler(), VotedPerceptron()).fit(X, [0, 1]), X)


# What cannot be exported


def on_texts(vectorizer, *between):
    model = make_pipeline(vectorizer, *between, Perceptron())
    return model.fit(["a good film", "a bad film"], [1, 0])


X, Y = [[0.0, 1.0], [1.0, 0.0]], [0, 1]
REFUSED = {
    "votes": (lambda: VotedPerceptron().fit(X, Y), "got VotedPerceptron"),
    "kernel": (lambda: KernelPerceptron().fit(X, Y), "got KernelPerceptron"),
    "no model": (lambda: TextVectorizer().fit(["good film"]), "got TextVectorizer"),
    "hashing": (lambda: on_texts(TextVectorizer(n_hash_bits=8)), "Hashed words"),
    "characters": (lambda: on_texts(TextVectorizer(analyzer="char")), "Runs of characters"),
    "accents": (lambda: on_texts(TextVectorizer(strip_accents="ascii")), "What Python does"),
    "a pattern": (lambda: on_texts(TextVectorizer(token_pattern=r"\S+")), "What Python does"),
    "stop words": (
        lambda: on_texts(TextVectorizer(stop_words=["bad"], ngram_range=(1, 2))),
        "across stop words",
    ),
    "combinations": (
        lambda: on_texts(TextVectorizer(), FeatureCombinations()),
        "got TextVectorizer, FeatureCombinations",
    ),
    "hashed column": (
        lambda: make_pipeline(
            TableVectorizer(kinds={"note": "text"}, text=TextVectorizer(n_hash_bits=8)),
            Perceptron(),
        ).fit(TABLE, [0, 1] * 3),
        "Hashed words",
    ),
    "name of the labels": (
        lambda: make_pipeline(TableVectorizer(kinds={"labels": "number"}), Perceptron()).fit(
            {"labels": [1, 2, 3]}, [{"a"}, {"b"}, {"a", "b"}]
        ),
        "The column 'labels' has the name of what an exported model gives",
    ),
    "name of an output": (
        lambda: make_pipeline(TableVectorizer(kinds={"label": "number"}), Perceptron()).fit(
            {"label": [1, 2]}, [0, 1]
        ),
        "The column 'label' has the name of what an exported model gives",
    ),
}


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_exported_is_refused_in_a_sentence(make, message, path):
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        export_onnx(make(), path)

    assert is_one_sentence(str(caught.value))
    assert not path.exists()
