"""The examples of a file made ready: read, looked at and turned into rows."""

from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.failures import DATA, Failure, reading_data
from rosenblatt.cli.options import opened, tell_rejects
from rosenblatt.cli.output import Output, shortened
from rosenblatt.inputs.label_sets import Answers, LabelSets, are_classes
from rosenblatt.readers.data import Batch, Data
from rosenblatt.readers.training_data import TrainingData
from rosenblatt.training.validation import Labelled

LIMITS = ("max_line", "max_size", "max_index")
"""What may be said of all files of a call."""
MOST_LABELS = 6
"""How many labels are named in one line."""


def without_labels(data: Data) -> str:
    """The sentence about data whose labels are wanted."""
    if data.format == "text":
        return (
            f"{data.name} has no labels: let each line begin with __label__NAME and a blank, or "
            "with NAME and a tab."
        )
    return f"{data.name} has no labels."


def read_whole(data: Data, out: Output) -> Batch:
    """All examples with their labels, telling how far we are where that takes long."""
    with reading_data(file=data.name), out.reading(data):
        batch = data.whole()
    if batch is None:
        raise Failure(DATA, f"{data.name} holds no examples.")
    if batch.labels is None:
        raise Failure(DATA, without_labels(data))
    return batch


def check_labels(labels: NDArray[Any], count: int, foretold: str = "label") -> None:
    """Refuse examples of one label alone."""
    if foretold == "labels" and len(labels) < 2:
        only = f"but {labels[0]!s}" if len(labels) else "at all"
        raise Failure(DATA, f"No example has a label {only}: there is nothing to tell apart.")
    if foretold != "number" and len(labels) < 2:
        whose = "The only example has" if count == 1 else f"All {count:,} examples have"
        raise Failure(DATA, f"{whose} the label {labels[0]!s}: there is nothing to tell apart.")


def read_several(data: Data, out: Output) -> Batch:
    """All examples, which are of two labels or more, and of one each."""
    if data.foretold != "label":
        raise click.UsageError("This is for one label an example.")
    batch = read_whole(data, out)
    tell_rejects(len(data.rejected), len(batch), out)
    check_labels(np.unique(np.asarray(batch.known_labels())), len(batch))
    return batch


def counts_of(classes: NDArray[Any], counts: NDArray[Any]) -> str:
    """The most frequent labels and how many examples they have."""
    order = (-counts).argsort(kind="stable")[:MOST_LABELS]
    named = ", ".join(f"{shortened(str(classes[k]), 30)} ({counts[k]:,})" for k in order)
    more = f" and {len(counts) - MOST_LABELS} more" if len(counts) > MOST_LABELS else ""
    return f"{len(counts)}: {named}{more}"


def described(answers: Answers, classes: NDArray[Any], counts: NDArray[Any]) -> tuple[str, str]:
    """What the examples should come to, and what that is called."""
    if isinstance(answers, LabelSets):
        sizes = np.diff(answers.indptr)
        none = np.count_nonzero(sizes == 0)
        without = f"; {none:,} examples without" if none else ""
        return "labels", f"{counts_of(classes, counts)}; {sizes.mean():.2f} an example{without}"
    if not are_classes(answers):
        low, high, median = (float(of(answers)) for of in (np.min, np.max, np.median))
        return "numbers", f"from {low:.4g} to {high:.4g}, half of them up to {median:.4g}"
    return "labels", counts_of(classes, counts)


def features_of(batch: Batch, vectorizer: Any, out: Output) -> Any:
    """Rows of all examples, by a vectorizer that is fitted to them if they are not rows yet."""
    if vectorizer is None:
        return batch.examples
    with reading_data(), out.bar("making features"):
        return vectorizer.fit_transform(batch.examples)


def in_memory(data: Data, vectorizer: Any, out: Output) -> tuple[TrainingData, dict[str, Any]]:
    """All examples at once, and how to read more files like it."""
    batch = read_whole(data, out)
    with reading_data(batch.lines, data.name):
        learned = TrainingData.of(batch, numbers=data.foretold == "number")
    check_labels(learned.classes, len(learned.y), data.foretold)
    if vectorizer is not None:
        with reading_data(file=data.name), out.bar("making features"):
            learned = learned.vectorized(vectorizer)
    return learned, data.settings()


def on_disk(data: Data, vectorizer: Any, out: Output) -> tuple[TrainingData, dict[str, Any]]:
    """The same in bounded memory, from a cache beside the data."""
    from rosenblatt.readers.cache import cached

    with reading_data(file=data.name), out.reading(data):
        cache = cached(data, vectorizer=vectorizer)
    check_labels(cache.classes, len(cache.y), data.foretold)
    return cache, cache.source["settings"]


def as_learned(
    batch: Batch, name: str, transform: Any, width: int, classes: NDArray[Any]
) -> Labelled:
    """Examples of another file as rows of so many columns, and labels that are known already."""
    with reading_data(batch.lines, name):
        X = batch.examples
        if transform is not None:
            X = transform(X)
        elif X.shape[1] != width:  # the last columns may hold nothing
            X = X[:, :width] if X.shape[1] > width else X.copy()
            X.resize((X.shape[0], width))
        labels = batch.known_labels()
        if not len(classes):
            return Labelled(X, np.asarray(labels, np.float64), classes, batch.weights)
        sets = labels if isinstance(labels, LabelSets) else LabelSets.singles(labels)
        known = np.isin(sets.classes, classes)[sets.numbers]
        if not known.all():
            first = int(known.argmin())
            k = int(np.searchsorted(sets.indptr, first, side="right")) - 1
            known_labels = shortened(", ".join(map(str, classes.tolist())), 60)
            stranger = sets.classes[sets.numbers[[first]]].tolist()[0]
            raise Failure(
                DATA,
                f"{name}, line {batch.lines[k]}: the label {stranger!r} is not among those "
                f"that are learned, {known_labels}: leave such examples out.",
            )
        known_sets = sets.among(classes)
        codes = known_sets if isinstance(labels, LabelSets) else known_sets.numbers
    return Labelled(X, codes, classes, batch.weights)


def read_beside(file: str, settings: dict[str, Any], reading: dict[str, Any], out: Output) -> Batch:
    """The examples of another file, read as those that are learned from, within the same limits.

    The file of rejects is that of the first; where there is one, what cannot be read is left out.
    """
    allowed = {name: reading[name] for name in LIMITS if name in reading}
    aside: dict[str, Any] = {"rejects": []} if "rejects" in reading else {}
    data = opened(file, **settings | allowed | aside)
    batch = read_whole(data, out)
    tell_rejects(len(data.rejected), len(batch), out, f"rows of {file}", "left out")
    return batch


def to_try(
    file: str, settings: dict[str, Any], reading: dict[str, Any], learned: TrainingData, out: Output
) -> Labelled:
    """The examples of another file as rows like those that are learned from."""
    batch = read_beside(file, settings, reading, out)
    transform = None if learned.vectorizer is None else learned.vectorizer.transform
    return as_learned(batch, file, transform, learned.X.shape[1], learned.classes)
