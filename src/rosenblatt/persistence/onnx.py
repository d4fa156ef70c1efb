"""Linear models as ONNX graphs, for programs in other languages."""

import os
from typing import Any

from rosenblatt.features.table_engine import TableColumns
from rosenblatt.features.text_engine import WORDS, Words
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.persistence.onnx_graph import Graph, ModelProto, TensorProto
from rosenblatt.persistence.scalers import SCALERS
from rosenblatt.readers.atomic_write import write_whole

LARGEST_FILE = 2**31 - 1
"""Bytes that a protocol buffer can hold."""


def export_onnx(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted linear model to an ONNX file, alone or behind a vectorizer and scalers.

    The graph takes ``X``, rows of float64, or ``text``, an array of strings, or of a table an
    array for each of its columns under its name: float64 for numbers, NaN where they are not known,
    and strings for categories and texts. It gives ``label`` and ``scores``, what ``predict`` and
    ``decision_function`` give, and ``probabilities``, what ``predict_proba`` gives, if the model
    has it. Where an example may have several labels it gives in place of ``label`` a matrix
    ``labels`` of zeros and ones, by the thresholds of the model; where it comes to a number, that
    alone, as ``number``. What the columns stand for is in the file, as JSON under ``labels`` of
    its metadata, so that the best three, or none that is improbable, can be taken by the caller.
    It computes in float64; scores may differ in their last bits, as sums are taken in another
    order.

    Texts are lower-cased and cut by onnxruntime (its operation Tokenizer is not of the standard),
    in the locale C.UTF-8. Two letters come out differently: a capital sigma at the end of a word
    and the Turkish dotted capital I. Each text becomes a dense row as long as the vocabulary, so
    send large collections in batches.

    Parameters
    ----------
    model : fitted linear model, or Pipeline that ends with one
        Before it may stand a TextVectorizer or TableVectorizer whose words are not hashed, and no
        characters, and scikit-learn's StandardScaler, MinMaxScaler, MaxAbsScaler and Normalizer.

    path : str or path-like
        Where to, by custom ``*.onnx``.

    Examples
    --------
    >>> import os, tempfile
    >>> import onnxruntime
    >>> from rosenblatt import AveragedPerceptron, export_onnx
    >>> model = AveragedPerceptron(random_state=0).fit([[0.0, 1.0], [1.0, 0.0]], ["ham", "spam"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "mail.onnx")
    ...     export_onnx(model, path)
    ...     session = onnxruntime.InferenceSession(path)
    >>> label, scores = session.run(None, {"X": [[0.9, 0.2]]})
    >>> label
    array(['spam'], dtype=object)
    """
    contents = graph_of(model).SerializeToString()
    if len(contents) > LARGEST_FILE:
        raise ValueError(
            f"The model takes {len(contents)} bytes, more than the {LARGEST_FILE} that an ONNX "
            "file can hold: fit it with fewer features."
        )
    write_whole(os.fspath(path), [contents])


def graph_of(model: Any) -> ModelProto:
    """The model as an ONNX graph."""
    from sklearn.utils.validation import check_is_fitted

    *before, last = [step for _, step in getattr(model, "steps", [("", model)])]
    check_linear(last)
    for step in (*before, last):
        check_is_fitted(step)
    graph = Graph()
    outputs = _outputs(last)
    results = graph.results(last, _input_rows(graph, before, last, outputs))
    return graph.finished(results, last)


def _outputs(model: Any) -> list[str]:
    """The names of what the graph of a model gives."""
    if model._predicts_numbers:
        return ["number"]
    first = "label" if model._state.thresholds is None else "labels"
    return [first, "scores"] + ["probabilities"] * (model._state.calibration is not None)


def check_linear(model: Any) -> None:
    """Refuse what has more than one vector of weights a class, or none."""
    from rosenblatt.models.linear import LinearLearner
    from rosenblatt.training.weights import Weights

    linear = isinstance(model, LinearLearner) and model._scores_by_weights
    if not linear or type(model._state.weights) is not Weights:
        raise TypeError(
            "Only linear models of rosenblatt that score by one vector of weights a class can be "
            f"exported, alone or behind {BEFORE}, got {type(model).__name__}."
        )


BEFORE = f"a TextVectorizer or TableVectorizer and {', '.join(SCALERS)} of scikit-learn"
"""What may stand before a model."""


def _input_rows(graph: Graph, before: list[Any], model: Any, outputs: list[str]) -> str:
    """The rows that the model scores, from what goes in."""
    names = ", ".join(type(step).__name__ for step in before)
    refusal = TypeError(f"Only {BEFORE} can be exported before the model, got {names}.")
    scalers = list(before)
    if before and type(before[0]).__name__ not in SCALERS:
        scalers = before[1:]
        table, words = getattr(before[0], "columns_", None), getattr(before[0], "words_", None)
        if isinstance(table, TableColumns):
            X = graph.features_of(_exportable_table(table, outputs))
        elif isinstance(words, Words):
            _check_words(words)
            X = graph.counts_of(words, graph.take("text", TensorProto.STRING))
        else:
            raise refusal
    else:
        width = (before[0] if before else model).n_features_in_
        X = graph.take("X", TensorProto.DOUBLE, width)
    for scaler in scalers:
        if type(scaler).__name__ not in SCALERS:
            raise refusal
        X = graph.scaled(X, scaler)
    return X


def _exportable_table(table: TableColumns, outputs: list[str]) -> TableColumns:
    for name in table.kinds:
        if name in outputs:
            raise InputError(
                f"The column {name!r} has the name of what an exported model gives",
                remedy="call it something else",
            )
    for words in table.words.values():
        _check_words(words)
    return table


def _check_words(words: Words) -> None:
    """Refuse words that onnxruntime cuts and counts otherwise."""
    settings = words.settings
    if settings.n_hash_bits is not None:
        remedy = ("fit the vectorizer without ", Name("n_hash_bits"))
        raise InputError("Hashed words cannot be exported", remedy=remedy)
    if settings.analyzer != "word":
        got = Parameter("analyzer", settings.analyzer)
        raise InputError("Runs of characters cannot be exported", got=got, remedy="use words")
    if not words.native or settings.strip_accents is not None or settings.token_pattern != WORDS:
        raise InputError(
            "What Python does with a text cannot be exported",
            remedy=("use ", Parameter("strip_accents", None), " and words as they are"),
        )
    if settings.stop_words and settings.ngram_range[1] > 1:
        either = Parameter("stop_words", None), ", or with ", Parameter("ngram_range", (1, 1))
        raise InputError(
            "Runs of words across stop words cannot be exported",
            remedy=("fit the vectorizer with ", *either),
        )
