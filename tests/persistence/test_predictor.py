"""A model read from a file predicts and explains as it did, without scikit-learn or SciPy."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from data import real_numbers, whole_numbers
from members import MEMBERS
from refusals import is_one_sentence
from rosenblatt import (
    AveragedPerceptron,
    FeatureCombinations,
    KernelPerceptron,
    ModelFileError,
    NamedVectorizer,
    Perceptron,
    Predictor,
    TableVectorizer,
    TextVectorizer,
    VotedPerceptron,
    Winnow,
    contributions,
    feature_weights,
    save,
)
from rosenblatt.features.examples import Bags, Texts
from rosenblatt.readers.data import Batch
from subprocesses import printed_by_python

MODELS = [member.model for member in MEMBERS] + [
    Winnow(binarize=0.0),
    Winnow(binarize=0.0, balanced=True),
    Perceptron(fit_intercept=False, ties="predict"),
    KernelPerceptron(vote=True),
]
LINEAR = [model for model in MODELS if not isinstance(model, VotedPerceptron | KernelPerceptron)]
TEXTS = ["a good film", "a bad film", "good, GOOD plot", "no plot at all", "bad and long", "fine"]
TABLE = {"age": [20.0, 31.5], "pet": ["cat", "dog"], "title": TEXTS[:2]}
KINDS = {"age": "number", "pet": "category", "title": "text"}
LABELS = ["+", "-", "+", "-", "-", "+"]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.rbt"


def predictor_of(model, path, notes=None):
    save(model, path, notes)
    return Predictor.load(path)


def text_model(*between, texts=TEXTS, labels=LABELS, vectorizer=None):
    vectorizer = vectorizer or TextVectorizer(ngram_range=(1, 2), use_idf=True, norm="l2")
    return make_pipeline(vectorizer, *between, AveragedPerceptron(random_state=0)).fit(
        texts, labels
    )


# The same as the model


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csr_matrix, np.float32])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_it_predicts_and_scores_as_the_model_does(model, classes, form, path):
    X, y = real_numbers(count=60, classes=classes)
    X = form(X)
    model = type(model)(**model.get_params()).fit(X, y)

    predictor = predictor_of(model, path)

    np.testing.assert_array_equal(predictor.scores(X), model.decision_function(X))
    np.testing.assert_array_equal(predictor.predict(X), model.predict(X))
    judgement = predictor.judge(X)
    np.testing.assert_array_equal(judgement.scores, model.decision_function(X))
    np.testing.assert_array_equal(judgement.labels, model.predict(X))
    assert judgement.by_label.shape == (60, classes)
    assert predictor.classes.tolist() == model.classes_.tolist()
    assert (predictor.estimator, predictor.n_features) == (type(model).__name__, X.shape[1])


@pytest.mark.parametrize(
    "vectorizer",
    [
        TextVectorizer(),
        TextVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True),
        TextVectorizer(n_hash_bits=6, alternate_sign=True),
        TextVectorizer(stop_words="english", binary=True, dtype=np.float32),
        TextVectorizer(n_hash_bits=8, use_idf=True, norm="l1"),
        TextVectorizer(strip_accents="unicode"),
        TextVectorizer(vocabulary=["good", "unseen", "bad"], use_idf=True),
    ],
    ids=str,
)
def test_it_reads_texts_as_the_vectorizer_does(vectorizer, path):
    model = text_model(vectorizer=clone(vectorizer))

    predictor = predictor_of(model, path)

    unseen = [*TEXTS, "", "unseen göod words"]
    np.testing.assert_array_equal(predictor.scores(unseen), model.decision_function(unseen))
    np.testing.assert_array_equal(predictor.predict(unseen), model.predict(unseen))


def test_texts_may_lie_in_one_array_and_come_in_a_batch(path):
    predictor = predictor_of(text_model(), path)
    data = np.frombuffer("".join(TEXTS).encode(), dtype=np.uint8)
    ends = np.cumsum([len(text) for text in TEXTS])
    texts = Texts(data, np.append(0, ends[:-1]), ends)
    batch = Batch(texts, None, np.arange(len(TEXTS)))

    for given in (texts, batch):
        np.testing.assert_array_equal(predictor.scores(given), predictor.scores(TEXTS))


@pytest.mark.parametrize("columns", ["seen", "all", "hashed"])
def test_combinations_stand_between_texts_and_the_model(columns, path):
    model = text_model(FeatureCombinations(columns=columns, n_hash_bits=8))

    predictor = predictor_of(model, path)

    np.testing.assert_array_equal(predictor.scores(TEXTS), model.decision_function(TEXTS))
    expected = [record[:3] for record in contributions(model, TEXTS[0])]
    assert [record[:3] for record in predictor.contributions(TEXTS[0])] == expected


def test_combinations_of_numbers_have_their_names(path):
    X = pd.DataFrame(whole_numbers(count=40, width=3)[0], columns=["a", "b", "c"])
    y = X["a"] * X["b"] > 0
    model = make_pipeline(FeatureCombinations(), Perceptron(random_state=0)).fit(X, y)

    predictor = predictor_of(model, path)

    np.testing.assert_array_equal(predictor.predict(X), model.predict(X))
    assert next(iter(predictor.feature_weights(3))).feature == "a×b"


# Columns that differ


def test_unknown_columns_are_left_out_and_the_last_may_be_missing(path):
    X, y = whole_numbers(count=40, width=6)
    predictor = predictor_of(Perceptron().fit(X, y), path)
    wide = sparse.csr_array(np.hstack([X, X]))
    narrow = sparse.csr_array(X[:, :4])

    expected = np.hstack([X[:, :4], np.zeros((40, 2))])
    np.testing.assert_array_equal(predictor.scores(wide), predictor.scores(X))
    np.testing.assert_array_equal(predictor.scores(narrow), predictor.scores(expected))


@pytest.mark.parametrize("form", ["csc", "coo", "lil"])
def test_other_sparse_matrices_are_taken_for_what_they_are(form, path):
    X, y = whole_numbers(count=6, width=6)
    predictor = predictor_of(Perceptron().fit(X, y), path)

    given = sparse.csr_array(X).asformat(form)

    np.testing.assert_array_equal(predictor.scores(given), predictor.scores(X))


@pytest.mark.parametrize(
    "examples", [sparse.csr_array([[1.0, 2.0]]), Bags(Texts.of([]), np.empty(0), np.zeros(1, int))]
)
def test_examples_of_another_kind_are_called_by_it(examples, path):
    predictor = predictor_of(text_model(), path)
    kind = "named values" if isinstance(examples, Bags) else "rows of numbers"

    with pytest.raises(ValueError, match=f"The model takes texts, but these are {kind}."):
        predictor.scores(examples)


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        ([[1.0, 2.0]], "X has 2 features, but the model has 6"),
        ([1.0, 2.0], "two dimensions"),
        ([[np.nan] * 6], "contains NaN in row 0"),
        (sparse.csr_array([[0, np.inf, 0, 0, 0, 0]]), "contains infinity in row 0, column 1"),
    ],
)
def test_rows_that_do_not_fit_are_refused_in_a_sentence(examples, message, path):
    X, y = real_numbers(count=40, width=6)
    predictor = predictor_of(Perceptron().fit(X, y), path)

    for call in (predictor.predict, predictor.scores):
        with pytest.raises(ValueError, match=message) as caught:
            call(examples)
        assert is_one_sentence(str(caught.value))


# Explaining


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("model", LINEAR, ids=str)
def test_pushes_sum_to_the_score_exactly(model, classes, path):
    X, y = real_numbers(count=60, classes=classes)
    model = type(model)(**model.get_params()).fit(X, y)
    predictor = predictor_of(model, path)

    for label in (None, *predictor.classes):
        found = predictor.contributions(X[0], label)
        pushes = [record.push for record in found]
        assert math.fsum([*pushes, found.intercept, found.rounding]) == found.score
        assert str(found) == str(contributions(model, X[0], label=label))


def test_it_explains_texts_as_the_pipeline_is_explained(path):
    model = text_model(texts=[*TEXTS, "so so"], labels=[*LABELS, "?"])
    predictor = predictor_of(model, path)

    assert str(predictor.contributions("a good, bad film")) == str(
        contributions(model, "a good, bad film")
    )
    assert str(predictor.contributions(["fine"], "-")) == str(
        contributions(model, "fine", label="-")
    )
    assert str(predictor.feature_weights(4)) == str(feature_weights(model, 4))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_each_row_of_a_judgement_is_explained(form, path):
    X, y = real_numbers(count=30, classes=3)
    predictor = predictor_of(AveragedPerceptron().fit(X, y), path)

    judgement = predictor.judge(form(X))

    for row in range(5):
        for label in (None, 2):
            found = judgement.contributions(row, label)
            assert str(found) == str(predictor.contributions(X[row], label))
    assert str(judgement.contributions(-1)) == str(predictor.contributions(X[-1]))
    with pytest.raises(IndexError):
        judgement.contributions(30)


def test_names_of_columns_are_told(path):
    X = pd.DataFrame({"länge": [0.0, 1.0], "b": [1.0, 0.0]})
    predictor = predictor_of(Perceptron(shuffle=False).fit(X, [0, 1]), path)

    assert {one.feature for one in predictor.feature_weights()} <= {"länge", "b"}
    assert [push.feature for push in predictor.contributions({"länge": 2.0, "c": 1.0})] == ["länge"]


@pytest.mark.parametrize("model", [VotedPerceptron(), KernelPerceptron()], ids=str)
def test_scores_that_are_no_sum_of_weights_are_not_explained(model, path):
    X, y = real_numbers(count=40)
    predictor = predictor_of(model.fit(X, y), path)

    for call in (lambda: predictor.contributions(X[0]), predictor.feature_weights):
        with pytest.raises(ValueError, match="scores by") as caught:
            call()
        assert is_one_sentence(str(caught.value))


def test_only_one_example_is_explained_at_a_time(path):
    with pytest.raises(ValueError, match="must be one, got 6"):
        predictor_of(text_model(), path).contributions(TEXTS)


# Files


def test_notes_come_along(path):
    notes = {"data": {"format": "text"}, "held_out": {"error": 0.125}}

    assert predictor_of(text_model(), path, notes).notes == notes


def test_a_transformer_is_no_model(path):
    save(FeatureCombinations().fit([[1.0, 2.0]]), path)

    with pytest.raises(ModelFileError, match="it ends in a transformer"):
        Predictor.load(path)


@pytest.mark.parametrize("kind", ["text", "numbers", "voted", "combinations", "named", "table"])
def test_neither_scikit_learn_nor_scipy_is_imported(kind, path):
    X, y = real_numbers(count=40, width=3)
    named = Perceptron()
    named.learn_one({"a": 1.0}, "no")
    named.learn_one({"b": 1.0, "a": 0.5}, "yes")
    models = {
        "text": lambda: text_model(),
        "numbers": lambda: Perceptron(average=True).fit(X, y),
        "voted": lambda: VotedPerceptron().fit(X, y),
        "combinations": lambda: text_model(FeatureCombinations()),
        "named": lambda: named,
        "table": lambda: make_pipeline(TableVectorizer(kinds=KINDS), Perceptron()).fit(
            TABLE, [0, 1]
        ),
    }
    save(models[kind](), path)
    of_kind = {"text": TEXTS, "combinations": TEXTS, "named": [[1.0, 2.0]], "table": TABLE}
    examples = of_kind.get(kind, X.tolist())
    one = {name: cells[:1] for name, cells in TABLE.items()} if kind == "table" else examples[0]
    program = f"""
import sys
from rosenblatt.persistence.predictor import Predictor
predictor = Predictor.load({str(path)!r})
predictor.predict({examples!r}), predictor.scores({examples!r})
if {kind != "voted"}:
    str(predictor.contributions({one!r})), str(predictor.feature_weights())
print([name for name in ("sklearn", "scipy", "pandas") if name in sys.modules])
"""

    assert printed_by_python(program) == "[]\n"


# What it does not know


@pytest.mark.parametrize(
    ("vectorizer", "expected"),
    [
        (TextVectorizer(ngram_range=(1, 2), use_idf=True, norm="l2"), [0.0, 0.8, 1.0, 1.0]),
        (TextVectorizer(binary=True, sublinear_tf=True), [0.0, 2 / 3, 1.0, 1.0]),
        (TextVectorizer(n_hash_bits=16), [0.0, 2 / 3, 1.0, 1.0]),
        (TextVectorizer(n_hash_bits=16, alternate_sign=True, use_idf=True), [0.0, 2 / 3, 1.0, 1.0]),
    ],
)
def test_the_share_of_unknown_words_is_told(vectorizer, expected, path):
    predictor = predictor_of(text_model(vectorizer=vectorizer), path)

    shares = predictor.unknown_share(["a good film", "good xyzzy plugh", "xyzzy", ""])

    np.testing.assert_allclose(shares, expected)


@pytest.mark.parametrize("text", [None, TextVectorizer(n_hash_bits=16)])
def test_the_share_of_unknown_words_and_categories_of_tables_is_told(text, path):
    table = pd.DataFrame({"n": [1.0, 2.0] * 5, "pet": ["cat", "dog"] * 5, "said": ["a film"] * 10})
    kinds = {"n": "number", "pet": "category", "said": "text"}
    made = [TableVectorizer(kinds=kinds, text=text), TableVectorizer(kinds={"n": "number"})]
    told, numbers = (
        predictor_of(make_pipeline(each, AveragedPerceptron()).fit(table, ["x", "y"] * 5), path)
        for each in made
    )
    strange = pd.DataFrame({"n": [1.0] * 4, "pet": ["dog", "eel", "dog", ""]})
    strange["said"] = ["film", "zzz qqq", "xyzzy plot", ""]

    np.testing.assert_allclose(told.unknown_share(strange), [0, 1, 2 / 3, 1])
    np.testing.assert_array_equal(numbers.unknown_share(strange), 0)
    expected = told.judge(strange)
    np.testing.assert_array_equal(told.judge(strange, unknown=True).scores, expected.scores)


def test_the_share_of_unknown_names_and_columns_is_told(path):
    bags = [{"a": 1.0, "b": 2.0}, {"b": 1.0}]
    model = make_pipeline(NamedVectorizer(), FeatureCombinations(), AveragedPerceptron())
    named = predictor_of(model.fit(bags, ["x", "y"]), path)
    numbered = predictor_of(AveragedPerceptron().fit([[0.0, 1.0], [1.0, 0.0]], [0, 1]), path)

    np.testing.assert_allclose(named.unknown_share([{"a": 1.0, "z": 3.0}, {"q": 1.0}]), [0.5, 1.0])
    sparse_row = sparse.csr_array([[1.0, 0.0, 2.0, 3.0]])
    np.testing.assert_allclose(numbered.unknown_share(sparse_row), [2 / 3])
    np.testing.assert_allclose(numbered.unknown_share([[1.0, 2.0]]), [0.0])
