"""All examples of a file in memory."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.failures import DATA, Failure, reading_data
from rosenblatt.cli.output import Output
from rosenblatt.features.batches import Data


class Whole(NamedTuple):
    """Examples, labels and lines of all of a file."""

    examples: Any
    labels: NDArray[Any]
    lines: NDArray[np.int64]
    weights: NDArray[np.float64] | None

    def __len__(self) -> int:
        return len(self.lines)


def without_labels(data: Data) -> str:
    """The sentence about data whose labels are wanted."""
    if data.format == "text":
        return (
            f"{data.name} has no labels: let each line begin with __label__NAME and a blank, or "
            "with NAME and a tab."
        )
    return f"{data.name} has no labels."


def read_whole(data: Data, out: Output) -> Whole:
    """Read all of it, telling how far we are where that takes long."""
    with reading_data(), out.reading(data):
        batch = data.whole()
    if batch is None:
        raise Failure(DATA, f"{data.name} holds no examples.")
    if batch.labels is None:
        raise Failure(DATA, without_labels(data))
    return Whole(batch.examples, batch.labels, batch.lines, batch.weights)


def check_labels(labels: NDArray[Any], count: int) -> None:
    """Refuse examples of one label alone."""
    if len(labels) < 2:
        raise Failure(
            DATA,
            f"All {count:,} examples have the label {labels[0]!s}: there is nothing to tell apart.",
        )


def features_of(whole: Whole, vectorizer: Any, out: Output) -> Any:
    """Rows of all examples, by a vectorizer that is fitted to them if they are not rows yet."""
    if vectorizer is None:
        return whole.examples
    with reading_data(), out.bar("making features"):
        return vectorizer.fit_transform(whole.examples)
