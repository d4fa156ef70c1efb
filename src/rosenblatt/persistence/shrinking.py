"""Small model files, of models that only predict."""

import math
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.features.text_engine import Words
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.inputs.label_sets import Answers, read_label_sets
from rosenblatt.inputs.labels import encode
from rosenblatt.inputs.messages import as_array
from rosenblatt.inputs.parameters import check_choice, check_count
from rosenblatt.inputs.parts import Arrays, Facts, Parts, within
from rosenblatt.persistence.container import seal, unseal
from rosenblatt.persistence.model_files import LINEAR, contents_of, sound_notes
from rosenblatt.persistence.predictor import Predictor
from rosenblatt.readers.atomic_write import write_whole
from rosenblatt.training.storage import Array
from rosenblatt.training.thresholds import calibration_parts
from rosenblatt.training.weights import Weights

PRECISIONS = ("float64", "float16", "int8")
ONLY_TO_LEARN = {"best", "mistakes"}
"""Parts of a model of which predicting needs nothing."""
CLOSE = 200
"""The size is met when so small a part of the weights could be added at most."""
POWER, MOST_POWER = 15, 900
"""The largest weight in half precision lies below two to the first; scales, below the second."""
LARGEST_INT8 = 127
COUNTS = "0.words.document_counts"

Places = NDArray[np.intp]


@dataclass(frozen=True)
class Shrunk:
    """What a small file holds of a model."""

    __module__ = "rosenblatt"

    bytes: int
    """Of the file."""
    weights: int
    """That are not zero, beside those of the constant feature."""
    weights_before: int
    square: float
    """The share of the squared length of all weights that these have."""
    columns: int
    """Words, or other features, that it knows."""
    columns_before: int


def shrink(
    model: Any,
    path: str | os.PathLike[str],
    *,
    max_size: int | None = None,
    precision: str = "float64",
    notes: dict[str, Any] | None = None,
    X_val: Any = None,
    y_val: Any = None,
) -> Shrunk:
    """Write a linear model to a file that is as small as asked, and only to predict.

    What only learning needs is left out: averaging sums, variances, recorded mistakes, the best
    pass so far. Without more, the file predicts with the same bits. ``load`` and `Predictor` read
    it as any other, and ``partial_fit`` or a warm start on what they give is refused.

    With ``max_size`` the weights of least effect are left out, until the file fits: those for which
    ``|w| t sqrt(n)`` is smallest, where t is the idf of the word, and n the number of documents
    that had it; one for what is not known. Words that no weight is left of go, too, unless they are
    hashed or something stands between vectorizer and model. They then count as unknown, and the
    rows that remain are brought to length one without them. A model that fits as it is keeps all.

    Probabilities and thresholds of labels are those of the whole model, and too sure of themselves
    where weights are gone, unless there are examples to find them out anew.

    Parameters
    ----------
    model : estimator, Pipeline or path
        A linear model, alone or as `save` takes it, or a file that `save` wrote.

    path : str or path-like
        Where to, by custom ``*.rbt``.

    max_size : int, optional
        Bytes that the file may take.

    precision : {"float64", "float16", "int8"}, default="float64"
        How weights are rounded: not at all, to half precision, with eleven bits and exponents of
        five, or to whole numbers from -127 to 127 with one scale for all. Those of the constant
        feature stay as they are. When loaded, weights that would take a megabyte or more stay so
        narrow; of each batch of sparse rows those that it needs are turned into float64. Single
        examples, dense rows and reasons take all of them, once.

    notes : dict, optional
        As for `save`; those of a file stay if not given.

    X_val : as for ``Predictor.predict``, optional
        Examples that the model has not learned from. If weights are left out, their scores tell
        what probabilities the small model gives, and from where on labels are given where an
        example may have several.

    y_val : array-like of shape (n_validation,), or of labels of each, optional
        Their labels, all of classes that the model knows.

    Returns
    -------
    Shrunk
        Bytes, and how much of the model they hold.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.pipeline import make_pipeline
    >>> from rosenblatt import AveragedPerceptron, TextVectorizer, load, shrink
    >>> texts, labels = ["a good film", "a bad film", "good plot"], ["+", "-", "+"]
    >>> model = make_pipeline(TextVectorizer(), AveragedPerceptron(random_state=0))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     small = os.path.join(folder, "small.rbt")
    ...     made = shrink(model.fit(texts, labels), small, precision="int8")
    ...     label = load(small).predict(["bad, bad plot"])
    >>> made.weights, made.weights_before
    (3, 3)
    >>> label
    array(['-'], dtype='<U1')
    """
    whole, allowed = _contents(model, notes), max_size
    while True:
        facts, arrays, made = smaller(*whole, allowed, precision)
        if X_val is not None and made.weights < made.weights_before:
            facts, arrays = _calibrated(facts, arrays, X_val, y_val)
        file = seal(facts, arrays)
        made = replace(made, bytes=sum(map(len, file)))
        if max_size is None or allowed is None or made.bytes <= max_size:
            break
        allowed -= made.bytes - max_size  # other probabilities may be longer to tell
    write_whole(os.fspath(path), file)
    return made


def smaller(
    facts: Facts, arrays: Arrays, max_size: int | None, precision: str
) -> tuple[Facts, Arrays, Shrunk]:
    """What a small file is to hold of the model of which a file holds this."""
    check_choice("precision", precision, list(PRECISIONS))
    if max_size is not None:
        check_count("max_size", max_size)
    small = _Model.of(facts, arrays)
    values, form = _rounded(small.weights, precision)
    small = replace(small, weights=small.weights.predicting(form, values))
    order = small.by_effect()
    whole = small.contents(None)
    if max_size is None or _size(*whole) <= max_size:
        return *whole, small.summary(whole, order)
    if small.weights.form.initial:
        raise InputError(
            "The weights of Winnow start at one, so that none is too small to matter",
            remedy=("leave out ", Name("max_size"), ", or choose another learner"),
        )
    count = _most(len(order), lambda count: _size(*small.contents(order[:count])) <= max_size)
    if count is None:
        least = _size(*small.contents(order[:0]))
        raise InputError(
            f"No part of this model fits into {max_size} bytes",
            remedy=("set ", Parameter("max_size", least), " or more"),
        )
    part = small.contents(order[:count])
    return *part, small.summary(part, order[:count])


def _contents(model: Any, notes: dict[str, Any] | None) -> tuple[Facts, Arrays]:
    if not isinstance(model, str | os.PathLike):
        return contents_of(model, notes)
    path = os.fspath(model)
    Predictor.load(path)
    facts, arrays = unseal(path)
    return facts if notes is None else facts | {"notes": sound_notes(notes)}, arrays


def _calibrated(facts: Facts, arrays: Arrays, X: Any, y: Any) -> tuple[Facts, Arrays]:
    """The same with what scores of examples say that were not learned from."""
    last, own = facts["steps"][-1], f"{len(facts['steps']) - 1}"
    there = [part for part in ("calibration", "thresholds") if part in last]
    if not there:
        return facts, arrays
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "small.rbt")
        write_whole(path, seal(facts, arrays))
        predictor = Predictor.load(path)
    scores = predictor.scores(X)
    answers: Answers
    if "thresholds" in last:
        answers = read_label_sets(y, len(scores)).among(predictor.classes)
    else:
        answers = encode(as_array(y, Name("y")), predictor.classes, "leave out examples of others")
    leaning = last["parameters"].get("class_weight") is not None
    found = Parts.of(
        calibration_parts(scores, answers, probabilities="calibration" in last, leaning=leaning)
    )
    gone = tuple(f"{own}.{part}." for part in there)
    kept = {name: array for name, array in arrays.items() if not name.startswith(gone)}
    kept |= {f"{own}.{name}": array for name, array in found.arrays.items()}
    return facts | {"steps": [*facts["steps"][:-1], last | found.facts]}, kept


def _rounded(weights: Weights, precision: str) -> tuple[Array, Any]:
    """Weights of less precision, in float64, and their form; they are so many times as large."""
    values, divisor = weights.values, weights.form.divisor
    largest = float(np.abs(values[:-1]).max(initial=0.0))
    if precision == "float64" or largest == 0.0:
        return values, weights.form
    if precision == "int8":
        scale = LARGEST_INT8 / largest
        features = np.round(values[:-1] * scale)
    else:
        scale = math.ldexp(1.0, min(POWER - math.frexp(largest)[1], MOST_POWER))
        features = (values[:-1] * scale).astype(np.float16).astype(np.float64)
    assert divisor is not None
    scaled = np.vstack([features, values[-1:] * scale]) + 0.0  # no minus zero
    if not (np.isfinite(scaled).all() and 0 < divisor * scale < math.inf):
        raise InputError(
            Parameter("precision", precision),
            " has no room for weights of these sizes",
            remedy=("use ", Parameter("precision", "float64")),
        )
    return scaled, weights.form.to_predict(divisor * scale)


def _most(count: int, fits: Callable[[int], bool]) -> int | None:
    """Nearly as many of ``count`` as fit; None if none does."""
    if not fits(0):
        return None
    if fits(count):
        return count
    few, many = 0, count + 1
    while many - few > 1 and (many - few) * CLOSE > many:
        middle = (few + many) // 2
        few, many = (middle, many) if fits(middle) else (few, middle)
    return few


def _size(facts: Facts, arrays: Arrays) -> int:
    return sum(len(part) for part in seal(facts, arrays))


@dataclass(frozen=True)
class _Model:
    """What a file is to hold of a model, with its weights to be chosen from."""

    facts: Facts
    arrays: Arrays
    """All but those of the weights."""
    weights: Weights
    original: Array
    """The weights before they were rounded."""
    words: Words | None
    """What makes the columns, if nothing stands between it and the model."""

    @classmethod
    def of(cls, facts: Facts, arrays: Arrays) -> "_Model":
        *before, last = facts["steps"]
        if last["estimator"] not in LINEAR:
            raise InputError(
                f"Only {', '.join(LINEAR)} can be made small, alone or behind what makes their "
                f"features, and this is {last['estimator']}"
            )
        place, words = len(before), None
        own = f"{place}."
        weights = Weights.build(last["weights"], within(f"{own}weights", arrays)).to_predict()
        kept = {name: fact for name, fact in last.items() if name not in ONLY_TO_LEARN}
        kept["parameters"] = last["parameters"] | {"record": False}
        gone = tuple(f"{own}{part}." for part in ("weights", "progress", *ONLY_TO_LEARN))
        others = {name: array for name, array in arrays.items() if not name.startswith(gone)}
        if [step["estimator"] for step in before] == ["TextVectorizer"]:
            words = Words.build(before[0]["words"], within("0.words", arrays))
            if not words.settings.use_idf and words.settings.n_hash_bits is None:
                others[COUNTS] = np.zeros_like(others[COUNTS])
        facts = {name: fact for name, fact in facts.items() if name not in ("checksum", "format")}
        facts |= {"format": 1, "steps": [*before, kept]}
        return cls(facts, others, weights, weights.values, words)

    def by_effect(self) -> Places:
        """The places of all weights that are not zero, those of the largest effect first."""
        features = self.weights.values[:-1]
        effect = np.abs(features)
        if self.words is not None and (counts := self.words.learned.counts) is not None:
            often = np.sqrt(np.maximum(counts, 1))
            idf = self.words.idf
            effect = effect * (often if idf is None else often * idf)[:, None]
        effect = effect.ravel()
        places = np.flatnonzero(effect)
        return places[np.argsort(-effect[places], kind="stable")]

    def contents(self, places: Places | None) -> tuple[Facts, Arrays]:
        """The model with the weights in these places alone; all of them if not told."""
        form, values, arrays, width = self.weights.form, self.weights.values, self.arrays, None
        if places is not None:
            rows, columns = np.divmod(places, form.stride)
            if self._drops_words:
                kept, rows = np.unique(rows, return_inverse=True)
                width = len(kept)
                arrays = arrays | _spelled(arrays, kept) | {COUNTS: arrays[COUNTS][kept]}
            elif self.words is not None:
                arrays = arrays | _names(arrays, np.unique(rows))
            few = np.zeros(((len(values) if width is None else width + 1), form.stride))
            few[rows, columns] = values.ravel()[places]
            few[-1] = values[-1]
            values = few
        weights = self.weights.predicting(form, values)
        *before, last = self.facts["steps"]
        last = last | {"weights": weights.facts()}
        if width is not None:
            last["features"] = last["features"] | {"width": width}
        own = {f"{len(before)}.weights.{name}": a for name, a in weights.arrays().items()}
        return self.facts | {"steps": [*before, last]}, arrays | own

    @property
    def _drops_words(self) -> bool:
        named = self.facts["steps"][-1]["features"]["named"]
        return self.words is not None and self.words.settings.n_hash_bits is None and not named

    def summary(self, contents: tuple[Facts, Arrays], places: Places) -> Shrunk:
        """What is left of the model with the weights in these places."""
        original = self.original[:-1].ravel()
        squares = np.square(original / np.abs(original).max(initial=np.finfo(float).tiny))
        lost = squares.copy()
        lost[places] = 0.0
        before = np.count_nonzero(original)
        share = 1.0 - lost.sum() / squares.sum() if before else 1.0
        width = contents[0]["steps"][-1]["features"]["width"]
        columns = self.weights.width if width is None else width
        size, width_before = _size(*contents), self.weights.width
        return Shrunk(size, len(places), int(before), float(share), columns, width_before)


def _names(arrays: Arrays, columns: Places) -> Arrays:
    """The names of these hashed columns alone; hashes and leads are for those to be met."""
    kept = np.flatnonzero(np.isin(arrays["0.words.columns"], columns))
    return _spelled(arrays, kept) | {
        "0.words.columns": arrays["0.words.columns"][kept],
        "0.words.hashes": np.zeros(len(kept), dtype=np.uint32),
        "0.words.leads": np.ones(len(kept), dtype=np.uint32),
    }


def _spelled(arrays: Arrays, kept: Places) -> Arrays:
    """The bytes of some of the names, and where each ends."""
    lengths = np.diff(arrays["0.words.name_ends"], prepend=0)
    chosen = np.zeros(len(lengths), dtype=np.bool_)
    chosen[kept] = True
    return {
        "0.words.names": arrays["0.words.names"][np.repeat(chosen, lengths)],
        "0.words.name_ends": np.cumsum(lengths[chosen]),
    }
