"""The examples of a file made ready: read, looked at, some held out, all turned into rows."""

from typing import Any

from numpy.typing import NDArray

from rosenblatt.cli.failures import DATA, Failure, reading_data
from rosenblatt.cli.output import Output
from rosenblatt.readers.data import Batch, Data
from rosenblatt.readers.training_data import TrainingData


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
        raise Failure(
            DATA,
            f"All {count:,} examples have the label {labels[0]!s}: there is nothing to tell apart.",
        )


def features_of(batch: Batch, vectorizer: Any, out: Output) -> Any:
    """Rows of all examples, by a vectorizer that is fitted to them if they are not rows yet."""
    if vectorizer is None:
        return batch.examples
    with reading_data(), out.bar("making features"):
        return vectorizer.fit_transform(batch.examples)


def in_memory(
    data: Data, vectorizer: Any, holdout: float, seed: int, out: Output
) -> tuple[TrainingData, dict[str, Any]]:
    """All examples at once, of every label a share held out, and how to read more files like it."""
    batch = read_whole(data, out)
    with reading_data(batch.lines, data.name):
        split = TrainingData.split(batch, holdout, seed)
    check_split(split)
    if vectorizer is not None:
        with reading_data(file=data.name), out.bar("making features"):
            split = split.vectorized(vectorizer)
    return split, data.settings()


def on_disk(
    data: Data, vectorizer: Any, holdout: float, seed: int, out: Output
) -> tuple[TrainingData, dict[str, Any]]:
    """The same in bounded memory, from a cache beside the data."""
    from rosenblatt.readers.cache import cached

    with reading_data(file=data.name), out.reading(data):
        cache = cached(data, vectorizer=vectorizer, validation_fraction=holdout, seed=seed)
    check_split(cache)
    return cache, cache.source["settings"]


def check_split(split: TrainingData) -> None:
    """Refuse examples from which nothing can be learned or held out."""
    check_labels(split.classes, int(split.counts.sum() + split.counts_val.sum()))
    if split.y_val is not None and len(split.y_val) == 0:
        raise Failure(
            DATA, "No label has two examples, so that none can be held out: add --holdout 0."
        )
