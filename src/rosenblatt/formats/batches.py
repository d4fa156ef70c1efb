"""What every format is read into: batches of examples with their labels and lines."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Batch(NamedTuple):
    """Examples that stand together in a file."""

    examples: Any
    """What the vectorizer of the data takes, or a CSR matrix where there is none."""
    labels: NDArray[Any] | None
    """One for each example; None if the file has none."""
    lines: NDArray[np.int64]
    """The line on which each begins, counted from one."""


class Texts:
    """Documents as pieces of UTF-8 that lie in one array, so that none becomes a Python string.

    What is not UTF-8 reads as U+FFFD.

    Parameters
    ----------
    data : ndarray of uint8
    begins, ends : ndarrays of int64
        Document k is ``data[begins[k]:ends[k]]``.
    """

    def __init__(
        self, data: NDArray[np.uint8], begins: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> None:
        self.data = data
        self.begins = begins
        self.ends = ends

    def __len__(self) -> int:
        return len(self.begins)

    def __getitem__(self, k: int) -> str:
        return self.data[self.begins[k] : self.ends[k]].tobytes().decode("utf-8", "replace")

    def __iter__(self) -> Iterator[str]:
        return (self[k] for k in range(len(self)))


class Data(ABC):
    """A file of examples, opened but not read: batches may be asked for again and again."""

    name: str
    """As the caller would call it: the path, or "standard input"."""
    format: str
    """One of "svmlight", "text", "vw", "csv", "tsv", "jsonl", "parquet"."""

    @abstractmethod
    def batches(self) -> Iterator[Batch]:
        """The examples in stored order, some thousand at a time, in bounded memory."""

    @abstractmethod
    def vectorizer(self) -> Any:
        """A transformer, not yet fitted, that turns `examples` into CSR; None where they are."""

    @abstractmethod
    def describe(self) -> str:
        """How the file was understood, in one line for the user."""
