"""Documents that come one after the other."""

from itertools import count, islice

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from crawls import pages, probabilities, save_model
from rosenblatt import (
    AveragedPerceptron,
    InputError,
    Predictor,
    TextVectorizer,
    keep,
    save,
    score_documents,
)
from rosenblatt.corpora.label_scores import LabelScorer
from rosenblatt.features.examples import Texts

COLOURS = ["red apple", "green leaf", "blue sea", "red rose", "green tree", "blue sky"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save_model(tmp_path_factory.mktemp("model") / "pages.rbt")


@pytest.mark.parametrize("size", [1, 7, 512])
def test_the_documents_with_the_probability_are_kept_in_order(model, size):
    texts = pages(100)
    wanted = probabilities(model, texts) >= 0.6

    kept = list(keep(model, iter(texts), label="good", min_probability=0.6, batch_size=size))

    assert kept == [text for text, keeps in zip(texts, wanted, strict=True) if keeps]


def test_documents_may_be_anything_that_has_a_text(model):
    texts = pages(20)
    rows = [{"id": k, "text": text} for k, text in enumerate(texts)]

    by_key = keep(model, rows, label="good", min_score=0, text="text")
    by_function = keep(model, enumerate(texts), label="good", min_score=0, text=lambda row: row[1])

    assert [row["id"] for row in by_key] == [k for k, _ in by_function]


def test_no_more_than_a_batch_is_taken_from_an_endless_stream(model):
    numbers = count()
    stream = (f"superb film {k}" for k in numbers)

    kept = list(islice(keep(model, stream, label="good", min_score=0, batch_size=10), 3))

    assert (len(kept), next(numbers)) == (3, 10)


def test_documents_come_with_their_probabilities_or_scores(model, tmp_path):
    texts = pages(10)
    bare = save_model(tmp_path / "bare.rbt", probabilities=False)

    probable = [number for _, number in score_documents(model, texts, label="bad")]
    scored = [number for _, number in score_documents(bare, texts, label="bad")]

    np.testing.assert_array_equal(probable, probabilities(model, texts, "bad"))
    np.testing.assert_array_equal(scored, -Predictor.load(bare).scores(texts))


def test_of_several_labels_the_score_is_the_lead_over_the_strongest_rival(tmp_path):
    pipeline = make_pipeline(TextVectorizer(), AveragedPerceptron(random_state=0))
    labels = [text.split()[0] for text in COLOURS]
    save(pipeline.fit(COLOURS, labels), tmp_path / "colours.rbt")
    predictor = Predictor.load(tmp_path / "colours.rbt")

    scores = LabelScorer.of(predictor, "green").score(Texts.of(COLOURS))

    blue, green, red = predictor.scores(COLOURS).T
    np.testing.assert_array_equal(scores.scores, green - np.maximum(blue, red))
    kept = list(keep(predictor, COLOURS, label="green", min_score=1e-9))
    assert kept == ["green leaf", "green tree"]


def test_labels_that_are_numbers_may_be_said_as_strings(tmp_path):
    pipeline = make_pipeline(TextVectorizer(), AveragedPerceptron(random_state=0))
    save(pipeline.fit(["good", "bad"], [1, 0]), tmp_path / "m.rbt")

    assert list(keep(tmp_path / "m.rbt", ["bad", "good"], label="1", min_score=0.1)) == ["good"]


def test_several_labels_an_example_have_scores_of_their_own(tmp_path):
    texts = ["red rose", "green leaf", "red green apple", "grey stone"] * 5
    sets = [["red"], ["green"], ["green", "red"], []] * 5
    pipeline = make_pipeline(TextVectorizer(), AveragedPerceptron(random_state=0))
    save(pipeline.fit(texts, sets), tmp_path / "m.rbt")
    predictor = Predictor.load(tmp_path / "m.rbt")

    scores = LabelScorer.of(predictor, "red").score(Texts.of(texts))

    place = predictor.classes.tolist().index("red")
    np.testing.assert_array_equal(scores.scores, predictor.scores(texts)[:, place])


REFUSED = {
    "nothing said": ({}, "Say what is kept, once: give min_probability or min_score"),
    "both": ({"min_score": 1, "min_probability": 0.5}, "Say what is kept, once"),
    "no batch": ({"min_score": 1, "batch_size": 0}, "batch_size must be a whole number"),
    "no label": ({"min_score": 1, "label": "fine"}, "label must be one of the model's, 'bad'"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_is_wrong_is_told_before_the_first_document(fault, model):
    options, message = REFUSED[fault]

    with pytest.raises(InputError, match=message):
        keep(model, pages(3), **({"label": "good"} | options))


@pytest.mark.parametrize(
    ("documents", "text", "message"),
    [
        (
            [{"text": "a"}],
            None,
            "Document 0 must be a string, got dict: say by text=KEY where",
        ),
        (["a", None], None, "Document 1 must be a string, got None: leave"),
        ([b"a"], None, "Document 0 must be a string, got bytes: decode"),
        (
            [{"text": "a"}] * 4 + [{"x": 1}],
            "text",
            "Document 4 has nothing called 'text', got dict",
        ),
        (["a"], "text", "Document 0 has nothing called 'text', got str"),
        ([{"text": None}], "text", "Text 0 must be a string, got None: leave"),
        (["a", "b", "c"], len, "Text 0 must be a string, got int"),
    ],
)
def test_a_document_that_is_no_text_is_told_by_its_number(model, documents, text, message):
    with pytest.raises(InputError, match=message):
        list(keep(model, documents, label="good", min_score=0, text=text, batch_size=2))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"documents": "river"}, "documents must be documents one after the other, got one str"),
        ({"documents": 5}, "documents must be documents one after the other, got one int"),
        ({"model": 5}, "model must be a model's file, got int: save it and give its path"),
        ({"label": "fine"}, "label must be one of the model's"),
    ],
)
def test_what_scoring_cannot_take_is_told_before_the_first_document(model, given, message):
    with pytest.raises(InputError, match=message):
        score_documents(**({"model": model, "documents": ["a"], "label": "good"} | given))


def test_a_model_of_numbers_is_refused(tmp_path):
    save(AveragedPerceptron().fit([[1.0], [-1.0]], ["a", "b"]), tmp_path / "m.rbt")

    with pytest.raises(InputError, match="The model does not take texts"):
        keep(tmp_path / "m.rbt", ["a"], label="a", min_score=0)
