"""The examples of a file made ready: read, looked at and turned into rows."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.failures import DATA, Failure, reading_data
from rosenblatt.cli.options import opened
from rosenblatt.cli.output import Output, shortened
from rosenblatt.inputs.labels import encode
from rosenblatt.readers.data import Batch, Data
from rosenblatt.readers.training_data import TrainingData

if TYPE_CHECKING:
    from rosenblatt.models.selection import Learned

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


def check_labels(labels: NDArray[Any], count: int) -> None:
    """Refuse examples of one label alone."""
    if len(labels) < 2:
        whose = "The only example has" if count == 1 else f"All {count:,} examples have"
        raise Failure(DATA, f"{whose} the label {labels[0]!s}: there is nothing to tell apart.")


def read_several(data: Data, out: Output) -> Batch:
    """All examples, which are of two labels or more."""
    batch = read_whole(data, out)
    check_labels(np.unique(batch.known_labels()), len(batch))
    return batch


def counts_of(classes: NDArray[Any], counts: NDArray[Any]) -> str:
    """The most frequent labels and how many examples they have."""
    order = (-counts).argsort(kind="stable")[:MOST_LABELS]
    named = ", ".join(f"{shortened(str(classes[k]), 30)} {counts[k]:,}" for k in order)
    more = f" and {len(counts) - MOST_LABELS} more" if len(counts) > MOST_LABELS else ""
    return f"{len(counts)}: {named}{more}"


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
        learned = TrainingData.of(batch)
    check_labels(learned.classes, len(learned.y))
    if vectorizer is not None:
        with reading_data(file=data.name), out.bar("making features"):
            learned = learned.vectorized(vectorizer)
    return learned, data.settings()


def on_disk(data: Data, vectorizer: Any, out: Output) -> tuple[TrainingData, dict[str, Any]]:
    """The same in bounded memory, from a cache beside the data."""
    from rosenblatt.readers.cache import cached

    with reading_data(file=data.name), out.reading(data):
        cache = cached(data, vectorizer=vectorizer)
    check_labels(cache.classes, len(cache.y))
    return cache, cache.source["settings"]


def as_learned(
    batch: Batch, name: str, transform: Any, width: int, classes: NDArray[Any]
) -> "Learned":
    """Examples of another file as rows of so many columns, and labels that are known already."""
    from rosenblatt.models.selection import Learned

    with reading_data(batch.lines, name):
        X = batch.examples
        if transform is not None:
            X = transform(X)
        elif X.shape[1] != width:  # the last columns may hold nothing
            X = X[:, :width] if X.shape[1] > width else X.copy()
            X.resize((X.shape[0], width))
        labels = batch.known_labels()
        known = np.isin(labels, classes)
        if not known.all():
            k = int(known.argmin())
            known_labels = shortened(", ".join(map(str, classes.tolist())), 60)
            raise Failure(
                DATA,
                f"{name}, line {batch.lines[k]}: the label {labels[k].item()!r} is not among those "
                f"that are learned, {known_labels}: leave such examples out.",
            )
        codes = encode(labels, classes)
    return Learned(X, codes, classes, batch.weights)


def to_try(file: str, settings: dict[str, Any], learned: TrainingData, out: Output) -> "Learned":
    """The examples of another file, read as those that are learned from, as rows like theirs."""
    batch = read_whole(opened(file, **settings), out)
    transform = None if learned.vectorizer is None else learned.vectorizer.transform
    return as_learned(batch, file, transform, learned.X.shape[1], learned.classes)
