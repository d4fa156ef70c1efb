"""What every format is read into: batches of examples with their labels and lines."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Self

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

    @classmethod
    def of(cls, documents: Iterable[str]) -> Self:
        """The same of strings."""
        pieces = [document.encode("utf-8", "replace") for document in documents]
        ends = np.cumsum(np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces)))
        begins = np.concatenate([np.zeros(min(1, len(ends)), dtype=np.int64), ends[:-1]])
        return cls(np.frombuffer(b"".join(pieces), dtype=np.uint8), begins, ends)

    def __iter__(self) -> Iterator[str]:
        return (self[k] for k in range(len(self)))


class Records:
    """Rows of a table by columns: floats with NaN for unknown ones, or strings."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.columns = columns

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, k: int) -> dict[str, Any]:
        return {name: cells[k] for name, cells in self.columns.items()}

    def __iter__(self) -> Iterator[dict[str, Any]]:
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

    def settings(self) -> dict[str, Any]:
        """What to give `open_data` so that it reads another file as this one was understood."""
        return {"format": self.format}
