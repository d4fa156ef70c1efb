"""Linear models as ONNX graphs, for programs in other languages."""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.features.text_engine import Words
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.readers.atomic_write import write_whole

try:
    from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
except ImportError as missing:
    raise ImportError("Export needs onnx: pip install 'rosenblatt[onnx]'.") from missing

OPERATIONS = 18
"""The version of ONNX's operations, of 2022, and of the file's own format that came with it."""
FILE_FORMAT = 8
LARGEST_FILE = 2**31 - 1
"""Bytes that a protocol buffer can hold."""

WORDS = r"[\p{L}\p{N}_]{2,}"
"""Python's \\w\\w+ for a regular expression of RE2."""


def export_onnx(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted linear model to an ONNX file, alone or behind a TextVectorizer.

    The graph takes ``X``, rows of float64, or ``text``, an array of strings, and gives ``label``
    and ``scores``, what ``predict`` and ``decision_function`` give, and ``probabilities``, what
    ``predict_proba`` gives, if the model has it. It computes in float64; scores
    may differ in their last bits, as sums are taken in another order.

    Texts are lower-cased and cut by onnxruntime (its operation Tokenizer is not of the standard),
    in the locale C.UTF-8. Two letters come out differently: a capital sigma at the end of a word
    and the Turkish dotted capital I. Each text becomes a dense row as long as the vocabulary, so
    send large collections in batches.

    Parameters
    ----------
    model : fitted linear model, or Pipeline of a TextVectorizer and one
        Whose words are not hashed, and no characters.

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
    _check_linear(last)
    check_is_fitted(last)
    graph = Graph()
    if before:
        graph.cut_and_count(_words_of(before))
        source = helper.make_tensor_value_info("text", TensorProto.STRING, [None])
    else:
        width = last.n_features_in_
        source = helper.make_tensor_value_info("X", TensorProto.DOUBLE, [None, width])
    graph.score(last)
    if last._state.thresholds is not None:
        raise TypeError("Models that give sets of labels cannot be written as ONNX as yet.")
    calibration = last._state.calibration
    if calibration is not None:
        graph.calibrate(calibration.slope or 0.0, two=len(last.classes_) == 2)
    return graph.finished(source, last.classes_, probable=calibration is not None)


def _check_linear(model: Any) -> None:
    from rosenblatt.models.linear import LinearLearner
    from rosenblatt.training.weights import Weights

    linear = isinstance(model, LinearLearner) and model._scores_by_weights
    if not linear or type(model._state.weights) is not Weights:
        raise TypeError(
            "Only linear models of rosenblatt that score by one vector of weights a class can be "
            f"exported, alone or behind a TextVectorizer, got {type(model).__name__}."
        )


def _words_of(before: list[Any]) -> Words:
    words = getattr(before[0], "words_", None)
    if len(before) > 1 or not isinstance(words, Words):
        names = ", ".join(type(step).__name__ for step in before)
        raise TypeError(f"Only a TextVectorizer can be exported before the model, got {names}.")
    settings = words.settings
    if settings.n_hash_bits is not None:
        remedy = ("fit the vectorizer without ", Name("n_hash_bits"))
        raise InputError("Hashed words cannot be exported", remedy=remedy)
    if settings.analyzer != "word":
        got = Parameter("analyzer", settings.analyzer)
        raise InputError("Runs of characters cannot be exported", got=got, remedy="use words")
    if not words.native or settings.strip_accents is not None:
        remedy = ("use ", Parameter("strip_accents", None), " and words as they are")
        raise InputError("What Python does with a text cannot be exported", remedy=remedy)
    if settings.stop_words and settings.ngram_range[1] > 1:
        raise InputError(
            "Runs of words across stop words cannot be exported",
            remedy=(
                *("fit the vectorizer with ", Parameter("stop_words", None), ", or with "),
                Parameter("ngram_range", (1, 1)),
            ),
        )
    return words


class Graph:
    """Operations added one after the other, each on the result of the last."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: list[Any] = []

    def add(self, operation: str, *inputs: str, result: str | None = None, **options: Any) -> str:
        """The name of what the operation gives."""
        result = result or f"{operation}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, list(inputs), [result], **options))
        return result

    def constant(self, value: Any) -> str:
        """The name of a constant, in float64 unless it is a list of strings or whole numbers."""
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def cut_and_count(self, words: Words) -> None:
        """From text to X: words, how often each occurs, and what that weighs."""
        settings, text = words.settings, "text"
        if settings.lowercase:
            text = self.add("StringNormalizer", text, case_change_action="LOWER", locale="C.UTF-8")
        tokens = self.add(
            "Tokenizer",
            text,
            domain="com.microsoft",
            mark=0,
            mincharnum=1,
            pad_value="",
            tokenexp=WORDS,
        )
        counts = self.add("TfIdfVectorizer", tokens, mode="TF", **_pool(words))
        X = self.add("Cast", counts, to=TensorProto.DOUBLE)
        if settings.binary:
            X = self.add("Sign", X)
        if settings.sublinear_tf:
            logarithm = self.add("Add", self.add("Log", X), self.constant(1.0))
            X = self.add("Where", self.add("Cast", X, to=TensorProto.BOOL), logarithm, X)
        if words.idf is not None:
            X = self.add("Mul", X, self.constant(words.idf))
        if settings.norm is not None:
            axes = self.constant(np.array([1]))
            length = self.add(f"Reduce{settings.norm.upper()}", X, axes, keepdims=1)
            X = self.add("Div", X, self.add("Max", length, self.constant(np.finfo(float).tiny)))
        if settings.dtype == "float32":
            X = self.add("Cast", X, to=TensorProto.FLOAT)
        self.add("Cast", X, result="X", to=TensorProto.DOUBLE)

    def score(self, model: Any) -> None:
        """From X to scores and the number of the winner."""
        state, X = model._state, "X"
        weights, scoring = state.weights, state.weights.scoring
        held, _ = scoring.numbers(stored=len(weights.values))
        held = held[:, : weights.columns]
        if getattr(model, "binarize", None) is not None:
            present = self.add("Greater", X, self.constant(float(model.binarize)))
            X = self.add("Cast", present, to=TensorProto.DOUBLE)
        sums = self.add("MatMul", X, self.constant(held[:-1].copy()))
        sums = self.add("Add", sums, self.constant(model._constant(state) * held[-1]))
        # Sums of averaged weights are whole numbers where features are, so that ties stay ties.
        scores = self.add("Div", sums, self.constant(scoring.counted))
        if weights.columns == 1:
            reached = model._has_threshold(state)
            scores = self.add("Squeeze", scores, self.constant(np.array([1])))
            sums = self.add("Squeeze", sums, self.constant(np.array([1])))
            above = "GreaterOrEqual" if reached else "Greater"
            won = self.add(above, sums, self.constant(0.0))
            self.add("Cast", won, result="winner", to=TensorProto.INT64)
            if reached:
                zero = self.add("Equal", scores, self.constant(0.0))
                scores = self.add("Where", zero, self.constant(np.nextafter(0.0, 1.0)), scores)
        else:
            self.add("ArgMax", sums, result="winner", axis=1, keepdims=0)
            if weights.classes == 2:
                first, second = (
                    self.add("Gather", scores, self.constant(np.int64(k)), axis=1) for k in (0, 1)
                )
                scores = self.add("Sub", second, first)
        self.add("Identity", scores, result="scores")

    def calibrate(self, slope: float, *, two: bool) -> None:
        """From scores to probabilities."""
        scores = "scores"
        if two:
            column = self.add("Unsqueeze", scores, self.constant(np.array([1])))
            scores = self.add("Mul", column, self.constant([[-0.5, 0.5]]))
        logits = self.add("Mul", scores, self.constant(slope))
        self.add("Softmax", logits, result="probabilities", axis=1)

    def finished(self, source: Any, classes: NDArray[Any], *, probable: bool) -> ModelProto:
        """The whole model: labels for winners, and names for what goes in and out."""
        labels = _labels(classes)
        self.add("Gather", self.constant(labels), "winner", result="label")
        kind = helper.np_dtype_to_tensor_dtype(labels.dtype)
        shape = [None] if len(classes) == 2 else [None, len(classes)]
        outputs = [
            helper.make_tensor_value_info("label", kind, [None]),
            helper.make_tensor_value_info("scores", TensorProto.DOUBLE, shape),
        ]
        if probable:
            shape = [None, len(classes)]
            info = helper.make_tensor_value_info("probabilities", TensorProto.DOUBLE, shape)
            outputs.append(info)
        graph = helper.make_graph(self.nodes, "rosenblatt", [source], outputs, self.constants)
        used = [helper.make_opsetid("", OPERATIONS), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(
            graph, opset_imports=used, ir_version=FILE_FORMAT, producer_name="rosenblatt"
        )


def _labels(classes: NDArray[Any]) -> NDArray[Any]:
    """Labels of a type that ONNX has."""
    if classes.dtype.kind in "UO" and all(type(label) is str for label in classes.tolist()):
        return classes.astype(object)
    if classes.dtype.kind in "biuf":
        return classes.astype(classes.dtype.newbyteorder("="))
    raise ValueError(f"Labels of type {classes.dtype} cannot be exported: use strings or numbers.")


def _pool(words: Words) -> dict[str, Any]:
    """The vocabulary as TfIdfVectorizer wants it: all runs of one word, then all of two ..."""
    shortest, longest = words.settings.ngram_range
    runs = sorted(
        ((tuple(name.split(" ")), column) for column, name in enumerate(words.names())),
        key=lambda run: len(run[0]),
    )
    lengths = np.array([len(run) for run, _ in runs])
    shorter = [int(lengths[lengths < size].sum()) for size in range(1, longest + 1)]
    return {
        "min_gram_length": shortest,
        "max_gram_length": longest,
        "max_skip_count": 0,
        "ngram_counts": shorter,
        "ngram_indexes": [column for _, column in runs],
        "pool_strings": [word for run, _ in runs for word in run],
    }
