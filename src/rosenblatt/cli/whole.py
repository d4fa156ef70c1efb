"""All examples of a file in memory."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.failures import DATA, Failure, reading_data
from rosenblatt.cli.output import Output
from rosenblatt.formats.batches import Data, joined


class Whole(NamedTuple):
    """Examples, labels and lines of all of a file."""

    examples: Any
    labels: NDArray[Any]
    lines: NDArray[np.int64]
    weights: NDArray[np.float64] | None

    def __len__(self) -> int:
        return len(self.lines)


def read_whole(data: Data, out: Output) -> Whole:
    """Read all batches, telling how far we are where that takes long."""
    batches = []
    with reading_data(), out.counter(f"reading {data.name}", "examples") as counter:
        for batch in data.batches():
            batches.append(batch)
            counter.advance(len(batch.lines))
    if not batches:
        raise Failure(DATA, f"{data.name} holds no examples.")
    examples, labels, lines, weights = joined(batches)
    if labels is None:
        raise Failure(DATA, f"{data.name} has no labels: say where they are with --label.")
    return Whole(examples, labels, lines, weights)
