"""A model of texts as a folder for any web space: a page and a module that run it."""

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.parts import Arrays, Facts
from rosenblatt.lab.serving import PAGE
from rosenblatt.persistence.container import seal, unseal
from rosenblatt.persistence.predictor import Predictor
from rosenblatt.readers.atomic_write import write_whole

OF_THE_LAB = (
    "core.js", "core.wasm", "icon.svg", "rbt.js", "style.css", "svg.js", "text.js",
    "text_models.js", "words.js",
)  # fmt: skip
OWN = Path(__file__).parent / "exported"
EXPLAINED = ("AROW", "AveragedPerceptron", "PassiveAggressiveClassifier", "Perceptron")
MOST_BITS = 22
OF_COLUMNS = ("1.weights.values", "1.weights.missed", "1.weights.sureness")
KEPT = {
    *OF_COLUMNS, "1.weights.counts", "1.weights.measures", "0.words.names", "0.words.name_ends",
    "0.words.document_counts",
}  # fmt: skip


class Exported(NamedTuple):
    """What a folder holds."""

    bytes: int
    """Of the model alone."""
    columns: int
    dropped: int
    loss: float
    """The share of the weights that was dropped, by their absolute values."""


def export_web(model: str, folder: str, max_size: int | None = None) -> Exported:
    """Write a folder with a page that classifies and explains by a model of texts, and a module.

    Parameters
    ----------
    model : str
        A file that save wrote: a TextVectorizer of words before a linear model.

    folder : str
        Made if it is not there; files of these names in it are written over.

    max_size : int, optional
        Bytes that the model may take. Columns of small weights are dropped until it fits.
    """
    predictor = Predictor.load(model)
    facts, arrays = unseal(model)
    _check_explained(facts)
    parts, columns, loss = seal(facts, arrays), predictor.n_features, 0.0
    if max_size is not None and _size(parts) > max_size:
        parts, columns, loss = _within(facts, arrays, max_size)
    os.makedirs(folder, exist_ok=True)
    for file in [PAGE / name for name in OF_THE_LAB] + sorted(OWN.iterdir()):
        write_whole(os.path.join(folder, file.name), [file.read_bytes()])
    write_whole(os.path.join(folder, "model.rbt"), parts)
    return Exported(_size(parts), columns, predictor.n_features - columns, loss)


def _check_explained(facts: Facts) -> None:
    """Refuse what the page would refuse."""
    steps = facts["steps"]
    names = [step["estimator"] for step in steps]
    if len(names) != 2 or names[0] != "TextVectorizer" or names[1] not in EXPLAINED:
        raise InputError(
            f"A page explains a TextVectorizer before {', '.join(EXPLAINED)}, and this model is "
            f"{', '.join(names)}"
        )
    settings = steps[0].get("words", {}).get("settings", {})
    if settings.get("analyzer") != "word":
        raise InputError("A page explains models of words, and this model counts characters")
    if settings["alternate_sign"] or settings.get("strip_accents"):
        raise InputError("A page reads neither alternating signs nor texts without accents")
    if (settings["n_hash_bits"] or 0) > MOST_BITS:
        raise InputError(f"A page holds {MOST_BITS} bits of hashed columns at most")
    weights = steps[1]["weights"]
    full = steps[1]["parameters"].get("covariance") == "full"
    if "half_life" in weights or weights.get("several") or full:
        raise InputError(
            "A page reads no averages that forget, no models of several labels for a text, and no "
            "full covariances"
        )


def _size(parts: list[Any]) -> int:
    return sum(len(part) for part in parts)


def _within(facts: Facts, arrays: Arrays, max_size: int) -> tuple[list[Any], int, float]:
    """The model with as many of its columns as fit, those of the largest weights first."""
    if facts["steps"][0]["words"]["settings"]["n_hash_bits"] is not None:
        raise InputError(
            "Hashed columns cannot be dropped to make a model smaller",
            remedy="train it with a vocabulary, or with fewer bits",
        )
    if not arrays.keys() <= KEPT:
        raise InputError("A model that keeps its mistakes cannot be made smaller")
    strength = np.abs(_means(arrays)[:-1]).max(axis=1)
    order = np.argsort(-strength, kind="stable")
    fits, too_many = -1, len(order) + 1
    while too_many - fits > 1:
        count = (fits + too_many) // 2
        if _size(_of_columns(facts, arrays, np.sort(order[:count]))) <= max_size:
            fits = count
        else:
            too_many = count
    if fits < 0:
        raise InputError(f"No part of this model fits into {max_size} bytes")
    kept = np.sort(order[:fits])
    loss = 1 - strength[kept].sum() / max(strength.sum(), np.finfo(float).tiny)
    return _of_columns(facts, arrays, kept), fits, float(loss)


def _means(arrays: Arrays) -> NDArray[np.float64]:
    """The weights that predict."""
    values, missed = arrays["1.weights.values"], arrays.get("1.weights.missed")
    counted = float(arrays["1.weights.counts"][0]) + 1
    means: NDArray[np.float64] = values if missed is None else values - missed / counted
    return means


def _of_columns(facts: Facts, arrays: Arrays, kept: NDArray[np.intp]) -> list[Any]:
    """The bytes of the same model with these columns alone."""
    few = dict(arrays)
    rows = np.append(kept, len(arrays["1.weights.values"]) - 1)
    for name in OF_COLUMNS:
        if name in few:
            few[name] = np.ascontiguousarray(few[name][rows])
    ends = arrays["0.words.name_ends"]
    begins = np.append(0, ends[:-1]).astype(np.int64)
    names = bytes(arrays["0.words.names"])
    spelled = [names[begins[column] : ends[column]] for column in kept]
    few["0.words.names"] = np.frombuffer(b"".join(spelled), dtype=np.uint8)
    few["0.words.name_ends"] = np.cumsum([len(each) for each in spelled], dtype=np.int64)
    few["0.words.document_counts"] = arrays["0.words.document_counts"][kept]
    vectorizer, model = facts["steps"]
    model = model | {"features": model["features"] | {"width": len(kept)}}
    return seal(facts | {"steps": [vectorizer, model]}, few)
