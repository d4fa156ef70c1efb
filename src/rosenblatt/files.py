"""Model files: save and load, so that a loaded model predicts and learns on exactly."""

import importlib
import math
import os
import re
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.sealed import Arrays, Facts, ModelFileError, seal, unseal, write_whole
from rosenblatt.training import MISTAKE, Pass, Progress
from rosenblatt.weights import Weights

__all__ = ["ModelFileError", "load", "save"]

FORMAT = 1
ESTIMATORS = {
    "AROW": "arow",
    "AveragedPerceptron": "perceptron",
    "PassiveAggressiveClassifier": "passive_aggressive",
    "Perceptron": "perceptron",
    "Winnow": "winnow",
}
"""Those that a file may name, and their modules: nothing else is ever imported for a file."""
LONGEST_LABEL = 1 << 20
"""Bytes, so that a file cannot ask for more memory than it has a use for."""


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted model to a file, by custom ``*.rbt``.

    The file holds all that is needed to predict and to go on learning exactly. Until it is
    complete and on the disk, a file that was there before stays as it is. The same training gives
    the same bytes, so the seconds that passes took are not kept.

    Parameters
    ----------
    model : estimator
        Fitted, and one of rosenblatt's own classes.

    path : str or path-like
        Where to. The format is safetensors, which other programs can read too.

    Examples
    --------
    >>> import os, tempfile
    >>> from rosenblatt import Perceptron, load, save
    >>> model = Perceptron(random_state=0).fit([[0.0, 1.0], [1.0, 0.0]], ["ham", "spam"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, os.path.join(folder, "mail.rbt"))
    ...     same = load(os.path.join(folder, "mail.rbt"))
    >>> same
    Perceptron(random_state=0)
    >>> same.predict([[0.9, 0.2]])
    array(['spam'], dtype='<U4')
    """
    name = type(model).__name__
    if name not in ESTIMATORS or type(model) is not _class_of(name):
        raise TypeError(
            f"save takes one of rosenblatt's own models ({', '.join(ESTIMATORS)}), got {name}: "
            "pickle others."
        )
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(model)
    model._check_parameters()
    model._rule()
    facts, arrays = _describe(model)
    write_whole(os.fspath(path), seal(facts, arrays))


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model that save wrote, and nothing else: a file changed in any byte is refused.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    model : estimator
        As it was when saved.

    Raises
    ------
    ModelFileError
        If the file is not a model file, is damaged, or is of a newer format.
    """
    path = os.fspath(path)
    facts, arrays = unseal(path)
    form = facts.get("format")
    if type(form) is not int or form > FORMAT:
        raise ModelFileError(
            f"{path} has format {form!r} and this version of rosenblatt reads format {FORMAT}: "
            "install a newer one."
        )
    try:
        return _build(facts, arrays)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        sentence = str(error)  # of ours, or else NumPy's
        what = sentence if sentence.endswith(".") else "something is missing or out of place."
        raise ModelFileError(f"{path} does not describe a model: {what}") from error


def _class_of(name: str) -> Any:
    return getattr(importlib.import_module(f"rosenblatt.{ESTIMATORS[name]}"), name)


def _describe(model: Any) -> tuple[Facts, Arrays]:
    parameters = model.get_params(deep=False)
    if not isinstance(parameters.get("random_state"), int | np.integer | None):
        parameters["random_state"] = model._progress.seed
    weights, arrays = _split(model._weights)
    progress = model._progress
    names = getattr(model, "feature_names_in_", None)
    facts = {
        "format": FORMAT,
        "estimator": type(model).__name__,
        "parameters": {
            key: _to_json(value, f"{key}={value!r}") for key, value in parameters.items()
        },
        "classes": _describe_labels(model.classes_),
        "features": int(model.n_features_in_),
        "feature_names": None if names is None else names.tolist(),
        "weights": weights,
        "progress": {
            "seed": progress.seed,
            "goal": progress.goal,
            "start": progress.start.tolist(),
            "earlier": [each._replace(seconds=0.0) for each in progress.earlier],
            "totals": [each._replace(seconds=0.0) for each in progress.totals],
        },
    }
    if progress.journal:
        mistakes = progress.mistakes
        arrays |= {f"mistakes.{key}": mistakes[key].copy() for key in MISTAKE.names or ()}
    return facts, arrays


def _build(facts: Facts, arrays: Arrays) -> Any:
    _require(facts["estimator"] in ESTIMATORS, "it names an estimator that is not known.")
    model = _class_of(facts["estimator"])(
        **{key: _from_json(value) for key, value in facts["parameters"].items()}
    )
    model._check_parameters()
    model._rule()
    model.classes_ = _labels_of(facts["classes"])
    classes, width = len(model.classes_), facts["features"]
    _require(_is_whole(width) and width >= 1, "it has no features.")
    model.n_features_in_ = width
    names = facts["feature_names"]
    if names is not None:
        _require(
            len(names) == width and all(type(name) is str for name in names),
            "the names of the features do not fit their number.",
        )
        model.feature_names_in_ = np.array(names, dtype=object)
    journal = {key: arrays.pop(f"mistakes.{key}", None) for key in MISTAKE.names or ()}
    model._weights = _weights_of(facts["weights"], arrays, width, classes)
    usual = model._new_weights(1, 2)
    _require(
        (model._weights.sureness is None) == (usual.sureness is None)
        and model._weights.start == usual.start,
        "its weights are those of another estimator.",
    )
    model._progress = _progress_of(facts["progress"])
    if any(column is not None for column in journal.values()):
        model._progress.journal = [_mistakes_of(journal, classes)]
    return model


def _split(weights: Weights) -> tuple[Facts, Arrays]:
    """Arrays apart from the rest; what is worked out from other fields is left out."""
    kept = {field.name: getattr(weights, field.name) for field in _kept_fields()}
    arrays = {name: value for name, value in kept.items() if isinstance(value, np.ndarray)}
    return {name: value for name, value in kept.items() if name not in arrays}, arrays


def _kept_fields() -> list[Any]:
    return [field for field in fields(Weights) if not field.name.startswith("_")]


def _weights_of(facts: Facts, arrays: Arrays, width: int, classes: int) -> Weights:
    _require(
        {*facts, *arrays} == {field.name for field in _kept_fields()}
        and len(facts) + len(arrays) == len(_kept_fields())
        and all(facts[name] is None for name in facts if name not in ("classes", "start")),
        "it has other arrays than weights need.",
    )
    kept: dict[str, Any] = facts | arrays
    weights = Weights(**kept)
    shape, counts = weights.values.shape, weights.counts
    columns = shape[1]
    _require(
        all(a.dtype == np.float64 and a.shape == shape for a in arrays.values() if a is not counts)
        and weights.classes == classes
        and shape[0] == width + 1
        and (classes == 2 if columns == 1 else columns == -(-classes // 4) * 4),
        "the shape of the weights does not fit its classes and features.",
    )
    _require(
        counts.dtype == np.int64 and counts.shape == (3,) and bool((counts >= 0).all()),
        "its counts are not counts.",
    )
    _require(
        type(weights.start) is float
        and all(bool(np.isfinite(array).all()) for array in arrays.values()),
        "not all weights are finite.",
    )
    return weights


def _progress_of(facts: Facts) -> Progress:
    start = np.array(facts["start"], dtype=np.int64)
    passes = {name: [Pass(*each) for each in facts[name]] for name in ("earlier", "totals")}
    numbers = [number for run in passes.values() for each in run for number in each]
    _require(
        _is_whole(facts["seed"])
        and facts["seed"] < 2**64
        and _is_whole(facts["goal"])
        and start.shape == (3,)
        and all(type(number) in (int, float) for number in numbers),
        "where its training stands is not told.",
    )
    return Progress(facts["seed"], facts["goal"], start, passes["earlier"], passes["totals"])


def _mistakes_of(journal: dict[str, NDArray[Any] | None], classes: int) -> NDArray[Any]:
    columns = {key: column for key, column in journal.items() if column is not None}
    _require(
        len(columns) == len(journal)
        and len({column.shape for column in columns.values()}) == 1
        and all(
            column.ndim == 1 and column.dtype == MISTAKE[key] for key, column in columns.items()
        ),
        "its record of mistakes is not one.",
    )
    mistakes = np.empty(len(columns["t"]), dtype=MISTAKE)
    for key, column in columns.items():
        mistakes[key] = column
    rivals = mistakes["rival"]
    _require(bool(((rivals >= 0) & (rivals < classes)).all()), "its record of mistakes is not one.")
    return mistakes


def _describe_labels(classes: NDArray[Any]) -> Facts:
    described = {"dtype": classes.dtype.str, "labels": classes.tolist()}
    try:
        _labels_of(described)
    except ValueError as error:
        raise ValueError(
            f"Labels of type {classes.dtype} cannot be saved: use strings, whole numbers, booleans "
            "or floats of at most 64 bits."
        ) from error
    return described


def _labels_of(facts: Facts) -> NDArray[Any]:
    labels = facts["labels"]
    dtype = str(facts["dtype"])
    _require(
        re.fullmatch(r"[<>|][biufU][0-9]{1,9}|\|O", dtype) is not None
        and np.dtype(dtype).itemsize <= LONGEST_LABEL
        and all(type(label) in (str, int, bool, float) for label in labels),
        "its labels are of a type that is not known.",
    )
    classes: NDArray[Any] = np.array(labels, dtype=dtype)
    _require(
        len(labels) >= 2
        and classes.tolist() == labels
        and [type(label) for label in classes.tolist()] == [type(label) for label in labels]
        and np.array_equal(np.unique(classes), classes),
        "its labels are not distinct and sorted.",
    )
    return classes


def _to_json(value: Any, shown: str) -> Any:
    """A parameter as JSON: numbers, words, and dicts, which become pairs to keep their keys."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value) in (bool, int, str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"number": repr(value)}
    if isinstance(value, dict):
        return {"pairs": [[_to_json(part, shown) for part in pair] for pair in value.items()]}
    raise ValueError(
        f"A model with {shown} cannot be saved: only numbers, words and dicts of them can be "
        "written to a file, so set another value with set_params first."
    )


def _from_json(value: Any) -> Any:
    if not isinstance(value, dict):
        _require(value is None or type(value) in (bool, int, float, str), "a parameter is a list.")
        return value
    if "number" in value:
        return float(value["number"])
    return {_from_json(key): _from_json(weight) for key, weight in value["pairs"]}


def _is_whole(value: Any) -> bool:
    return type(value) is int and value >= 0


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
