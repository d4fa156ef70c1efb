"""Operations of an ONNX graph: from columns, texts and numbers to scores and labels."""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.features.table_cells import NO_VALUE
from rosenblatt.features.table_engine import NumberColumn, TableColumns
from rosenblatt.features.text_engine import Words
from rosenblatt.training.thresholds import Sigmoids

try:
    from onnx import ModelProto as ModelProto
    from onnx import NodeProto, numpy_helper
    from onnx import TensorProto as TensorProto
    from onnx import helper as helper
except ImportError as missing:
    raise ImportError("Export needs onnx: pip install 'rosenblatt[onnx]'.") from missing

OPERATIONS, ENCODERS = 18, 2
"""The versions of ONNX's operations, of 2022, and of those for machine learning."""
FILE_FORMAT = 8
"""The version of the file's own format that came with it."""

WORDS = r"[\p{L}\p{N}_]{2,}"
"""Python's \\w\\w+ for a regular expression of RE2."""


class Graph:
    """Operations added one after the other, under names that begin alike."""

    def __init__(self, prefix: str = "rosenblatt") -> None:
        self.prefix = prefix
        self.sources: list[Any] = []
        self.nodes: list[NodeProto] = []
        self.constants: list[Any] = []

    def take(self, name: str, kind: int, *shape: int | None) -> str:
        """The name of what the caller gives: so many columns of each example, or one value."""
        self.sources.append(helper.make_tensor_value_info(name, kind, [None, *shape]))
        return name

    def add(self, operation: str, *inputs: str, result: str | None = None, **options: Any) -> str:
        """The name of what the operation gives."""
        result = result or f"{self.prefix}/{operation}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, list(inputs), [result], **options))
        return result

    def constant(self, value: Any) -> str:
        """The name of a constant, in float64 unless it is a list of strings or whole numbers."""
        name = f"{self.prefix}/constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def features_of(self, table: TableColumns) -> str:
        """From the columns of a table to the features made of them."""
        found: list[tuple[str, list[int]]] = []
        for name, column in table.numbers.items():
            numbers = self.take(name, TensorProto.DOUBLE)
            found += self._number_features(numbers, column, *column.scaling(table.scale))
        for name, known in table.categories.items():
            found.append(self._category_features(self.take(name, TensorProto.STRING), known))
        for name, words in table.words.items():
            counts = self.counts_of(words, self.take(name, TensorProto.STRING))
            found.append((counts, table.places[name].tolist()))
        X = self.add("Concat", *(features for features, _ in found), axis=1)
        places = np.concatenate([np.array(of_part, dtype=np.int64) for _, of_part in found])
        return self.add("Gather", X, self.constant(np.argsort(places)), axis=1)

    def _number_features(
        self, numbers: str, column: NumberColumn, centre: float, spread: float
    ) -> list[tuple[str, list[int]]]:
        """A number that is not known is NaN here, too: zero, and marked if it ever was unknown."""
        axis, unknown = self.constant(np.array([1])), self.add("IsNaN", numbers)
        scaled = self.add("Sub", numbers, self.constant(centre))
        scaled = self.add("Div", scaled, self.constant(spread))
        value = self.add("Where", unknown, self.constant(0.0), scaled)
        found = [(self.add("Unsqueeze", value, axis), [column.place])]
        if column.unknown >= 0:
            marked = self.add("Cast", unknown, to=TensorProto.DOUBLE)
            found.append((self.add("Unsqueeze", marked, axis), [column.unknown]))
        return found

    def _category_features(self, cells: str, known: dict[str, int]) -> tuple[str, list[int]]:
        """Numbers of the categories, compared with each; an empty cell has no value."""
        names = [*known]
        numbers = {name: number for number, name in enumerate(names)}
        if NO_VALUE in numbers:
            numbers.setdefault("", numbers[NO_VALUE])
        number = self.add(
            "LabelEncoder",
            cells,
            domain="ai.onnx.ml",
            keys_strings=[*numbers],
            values_int64s=[*numbers.values()],
            default_int64=-1,
        )
        number = self.add("Unsqueeze", number, self.constant(np.array([1])))
        equal = self.add("Equal", number, self.constant(np.arange(len(names))))
        return self.add("Cast", equal, to=TensorProto.DOUBLE), [known[name] for name in names]

    def scaled(self, X: str, scaler: Any) -> str:
        """As one of scikit-learn's scalers leaves rows."""
        kind = type(scaler).__name__
        if kind == "Normalizer":
            return self._of_length_one(X, scaler.norm)
        if kind == "StandardScaler" and scaler.with_mean:
            X = self.add("Sub", X, self.constant(scaler.mean_))
        if kind == "MinMaxScaler":
            X = self.add("Mul", X, self.constant(scaler.scale_))
            X = self.add("Add", X, self.constant(scaler.min_))
        elif kind != "StandardScaler" or scaler.with_std:
            X = self.add("Div", X, self.constant(scaler.scale_))
        if getattr(scaler, "clip", False):
            low, high = getattr(scaler, "feature_range", (-1.0, 1.0))
            X = self.add("Clip", X, self.constant(float(low)), self.constant(float(high)))
        return X

    def _of_length_one(self, X: str, norm: str) -> str:
        """Rows divided by their length; those of zeros stay zeros."""
        axes = self.constant(np.array([1]))
        if norm == "max":
            length = self.add("ReduceMax", self.add("Abs", X), axes, keepdims=1)
        else:
            length = self.add(f"Reduce{norm.upper()}", X, axes, keepdims=1)
        return self.add("Div", X, self.add("Max", length, self.constant(np.finfo(float).tiny)))

    def counts_of(self, words: Words, text: str) -> str:
        """From text to words, how often each occurs, and what that weighs."""
        settings = words.settings
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
            X = self._of_length_one(X, settings.norm)
        if settings.dtype == "float32":
            X = self.add("Cast", X, to=TensorProto.FLOAT)
        return self.add("Cast", X, to=TensorProto.DOUBLE)

    def results(self, model: Any, X: str) -> dict[str, str]:
        """What the model makes of X, under the names that it has in a graph."""
        results = self._decisions(model, X)
        if model._state.calibration is not None:
            results["probabilities"] = self._probabilities(model, results["scores"])
        return results

    def _decisions(self, model: Any, X: str) -> dict[str, str]:
        """All but probabilities."""
        state = model._state
        sums, scores = self._scored(model, X)
        if model._predicts_numbers:
            return {"number": self._only_column(scores)}
        if state.thresholds is not None:
            reached = self.add("GreaterOrEqual", scores, self.constant(state.thresholds.scores))
            return {"labels": self.add("Cast", reached, to=TensorProto.INT64), "scores": scores}
        if state.weights.columns == 1:
            winner, scores = self._of_two_sides(model, sums, scores)
        else:
            winner = self.add("ArgMax", sums, axis=1, keepdims=0)
            if state.weights.classes == 2:
                first, second = (
                    self.add("Gather", scores, self.constant(np.int64(k)), axis=1) for k in (0, 1)
                )
                scores = self.add("Sub", second, first)
        label = self.add("Gather", self.constant(labels_of(model.classes_)), winner)
        return {"label": label, "scores": scores}

    def _scored(self, model: Any, X: str) -> tuple[str, str]:
        """A column of scores for each of weights; first so many times too large."""
        weights, scoring = model._state.weights, model._state.weights.scoring
        held, _ = scoring.numbers(stored=len(weights.values))
        held = held[:, : weights.columns]
        if getattr(model, "binarize", None) is not None:
            present = self.add("Greater", X, self.constant(float(model.binarize)))
            X = self.add("Cast", present, to=TensorProto.DOUBLE)
        sums = self.add("MatMul", X, self.constant(held[:-1].copy()))
        sums = self.add("Add", sums, self.constant(model._scorer(model._state).constant * held[-1]))
        # Sums of averaged weights are whole numbers where features are, so that ties stay ties.
        return sums, self.add("Div", sums, self.constant(scoring.counted))

    def _of_two_sides(self, model: Any, sums: str, scores: str) -> tuple[str, str]:
        """The number of the winner and the score, where one score is for both classes."""
        reached = model._scorer(model._state).has_threshold
        sums, scores = self._only_column(sums), self._only_column(scores)
        above = "GreaterOrEqual" if reached else "Greater"
        winner = self.add("Cast", self.add(above, sums, self.constant(0.0)), to=TensorProto.INT64)
        if reached:
            zero = self.add("Equal", scores, self.constant(0.0))
            scores = self.add("Where", zero, self.constant(np.nextafter(0.0, 1.0)), scores)
        return winner, scores

    def _only_column(self, matrix: str) -> str:
        return self.add("Squeeze", matrix, self.constant(np.array([1])))

    def _probabilities(self, model: Any, scores: str) -> str:
        """From scores to probabilities."""
        calibration = model._state.calibration
        if isinstance(calibration, Sigmoids):
            scaled = self.add("Mul", scores, self.constant(calibration.slopes))
            return self.add("Sigmoid", self.add("Add", scaled, self.constant(calibration.offsets)))
        if len(model.classes_) == 2:
            column = self.add("Unsqueeze", scores, self.constant(np.array([1])))
            scores = self.add("Mul", column, self.constant([[-0.5, 0.5]]))
        slope, offsets = calibration.logits
        logits = self.add("Mul", scores, self.constant(slope))
        if offsets is not None:
            logits = self.add("Add", logits, self.constant(offsets))
        return self.add("Softmax", logits, axis=1)

    def finished(self, results: dict[str, str], model: Any) -> ModelProto:
        """The whole model, with the names under which it gives its results."""
        for output, found in results.items():
            self.add("Identity", found, result=output)
        labels = labels_of(model._state.classes)
        columns: list[int | None] = [None, len(labels)]
        numbers = TensorProto.DOUBLE
        two_sides = model._state.weights.form.has_two_sides
        kinds: dict[str, tuple[int, list[int | None]]] = {
            "label": (helper.np_dtype_to_tensor_dtype(labels.dtype), [None]),
            "labels": (TensorProto.INT64, columns),
            "number": (numbers, [None]),
            "scores": (numbers, [None] if two_sides else columns),
            "probabilities": (numbers, columns),
        }
        outputs = [helper.make_tensor_value_info(name, *kinds[name]) for name in results]
        graph = helper.make_graph(self.nodes, "rosenblatt", self.sources, outputs, self.constants)
        versions = {"": OPERATIONS, "ai.onnx.ml": ENCODERS, "com.microsoft": 1}
        used = [helper.make_opsetid(domain, version) for domain, version in versions.items()]
        made = helper.make_model(
            graph, opset_imports=used, ir_version=FILE_FORMAT, producer_name="rosenblatt"
        )
        if len(labels):
            helper.set_model_props(made, {"labels": json.dumps(labels.tolist())})
        return made


def labels_of(classes: NDArray[Any]) -> NDArray[Any]:
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
