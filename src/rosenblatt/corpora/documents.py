"""Documents that come one after the other, scored some hundred at a time."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, compress, islice
from typing import Any

from rosenblatt import core
from rosenblatt.corpora.label_scores import KeepRule, LabelScorer, LabelScores, model_path
from rosenblatt.features.documents import described
from rosenblatt.features.examples import Texts
from rosenblatt.inputs.errors import Blank, InputError, InputTypeError, Name, Parameter
from rosenblatt.inputs.parameters import check_count
from rosenblatt.persistence.predictor import Predictor

TextOf = str | Callable[[Any], str] | None


def keep(
    model: Any,
    documents: Iterable[Any],
    *,
    label: Any,
    min_probability: float | None = None,
    min_score: float | None = None,
    text: TextOf = None,
    batch_size: int = 512,
) -> Iterator[Any]:
    """The documents that a model finds good enough, in order, as they come.

    Parameters
    ----------
    model : str, path-like or Predictor
        A model of texts, or its file.

    documents : iterable
        Strings, or anything that `text` tells the text of. No more than a batch is held.

    label : str
        The label that is wanted.

    min_probability, min_score : float
        What a document needs, one of them: the probability of the label, or its score, how far it
        is ahead of its strongest rival.

    text : str or callable, optional
        The key of the text in each document, or a function that gives it.

    batch_size : int, default=512
        Documents that are scored together.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.pipeline import make_pipeline
    >>> from rosenblatt import AveragedPerceptron, Predictor, TextVectorizer, keep, save
    >>> texts, labels = ["a clear page", "click here", "a good page"], ["good", "junk", "good"]
    >>> model = make_pipeline(TextVectorizer(norm="l2"), AveragedPerceptron(random_state=0))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "pages.rbt")
    ...     save(model.fit(texts, labels), path)
    ...     pages = [{"id": 1, "text": "click, click here"}, {"id": 2, "text": "one more page"}]
    ...     list(keep(path, pages, label="good", min_score=0, text="text"))
    [{'id': 2, 'text': 'one more page'}]
    """
    scorer = _scorer(model, label)
    rule = KeepRule.of(scorer, min_probability, min_score)
    check_count("batch_size", batch_size)
    batches = _scored(scorer, documents, text, batch_size)
    return chain.from_iterable(compress(batch, rule.keeps(scores)) for batch, scores in batches)


def score_documents(
    model: Any, documents: Iterable[Any], *, label: Any, text: TextOf = None, batch_size: int = 512
) -> Iterator[tuple[Any, float]]:
    """Each document with the probability of a label; with its score if the model knows none.

    Parameters
    ----------
    model, documents, label, text, batch_size : as for `keep`
    """
    scorer = _scorer(model, label)
    check_count("batch_size", batch_size)
    return _numbers(_scored(scorer, documents, text, batch_size))


def _numbers(batches: Iterator[tuple[list[Any], LabelScores]]) -> Iterator[tuple[Any, float]]:
    for batch, scores in batches:
        numbers = scores.scores if scores.probabilities is None else scores.probabilities
        yield from zip(batch, numbers.tolist(), strict=True)


def _scorer(model: Any, label: Any) -> LabelScorer:
    known = model if isinstance(model, Predictor) else Predictor.load(model_path(model))
    return LabelScorer.of(known, label)


def _scored(
    scorer: LabelScorer, documents: Iterable[Any], text: TextOf, size: int
) -> Iterator[tuple[list[Any], LabelScores]]:
    """Some documents after the other; what they are is checked before the first is taken."""
    if isinstance(documents, str | bytes) or not isinstance(documents, Iterable):
        got = f"one {type(documents).__name__}"
        raise InputTypeError(Name("documents"), must="be documents one after the other", got=got)
    return _batches(scorer, documents, text, size)


def _batches(
    scorer: LabelScorer, documents: Iterable[Any], text: TextOf, size: int
) -> Iterator[tuple[list[Any], LabelScores]]:
    documents, count = iter(documents), 0
    while batch := list(islice(documents, size)):
        yield batch, scorer.score(Texts.of(_texts(batch, text, count)))
        count += len(batch)


def _texts(batch: list[Any], text: TextOf, first: int) -> list[str]:
    """The text of each document; the number of the first is that in the whole stream."""
    texts: list[Any] = []
    try:
        for one in batch:
            texts.append(text(one) if callable(text) else one if text is None else one[text])
    except (LookupError, TypeError) as error:
        if callable(text):
            raise
        what = f"Document {first + len(texts)} has nothing called {text!r}"
        raise InputError(what, got=type(batch[len(texts)]).__name__) from error
    other = core.first_other(tuple(texts))
    if other >= 0:
        whose = f"Document {first + other}" if text is None else f"Text {first + other}"
        got, remedy = described(texts[other])
        key = ("say by ", Parameter("text", Blank("KEY")), " where its text is")
        way_out = remedy or (key if text is None else None)
        raise InputTypeError(whose, must="be a string", got=got, remedy=way_out)
    return texts
