"""What every format is read into: batches of examples with their labels and lines."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core


class Batch(NamedTuple):
    """Examples that stand together in a file."""

    examples: Any
    """What the vectorizer of the data takes, or a CSR matrix where there is none."""
    labels: NDArray[Any] | None
    """One for each example; None if the file has none."""
    lines: NDArray[np.int64]
    """The line on which each begins, counted from one."""
    weights: NDArray[np.float64] | None = None
    """How much each counts, if the file says so."""


class Texts:
    """Documents as pieces of UTF-8 that lie in one array, so that none becomes a Python string.

    What is not UTF-8 reads as U+FFFD.

    Parameters
    ----------
    data : ndarray of uint8
    begins, ends : ndarrays of int64
        Document k is ``data[begins[k]:ends[k]]``.
    """

    holds: ClassVar = "texts"
    """What messages call the examples."""

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

    def at(self, rows: NDArray[Any]) -> "Texts":
        """Some of the documents."""
        return Texts(self.data, self.begins[rows], self.ends[rows])

    @classmethod
    def join(cls, parts: Sequence["Texts"]) -> "Texts":
        """All documents of several, in one array."""
        sizes = np.array([0, *(len(part.data) for part in parts)])
        shifts = np.cumsum(sizes)[:-1]
        data = core.spare_array(int(sizes.sum()), "uint8")
        return cls(
            np.concatenate([part.data for part in parts], out=data),
            np.concatenate(
                [part.begins + shift for part, shift in zip(parts, shifts, strict=True)]
            ),
            np.concatenate([part.ends + shift for part, shift in zip(parts, shifts, strict=True)]),
        )


class Records:
    """Rows of a table by columns: floats with NaN for unknown ones, or strings."""

    holds: ClassVar = "tables"

    def __init__(self, columns: dict[str, Any]) -> None:
        self.columns = columns

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, k: int) -> dict[str, Any]:
        return {name: cells[k] for name, cells in self.columns.items()}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[k] for k in range(len(self)))

    def at(self, rows: NDArray[Any]) -> "Records":
        """Some of the rows."""
        return Records(
            {
                name: cells[rows] if isinstance(cells, np.ndarray) else [cells[k] for k in rows]
                for name, cells in self.columns.items()
            }
        )

    @classmethod
    def join(cls, parts: Sequence["Records"]) -> "Records":
        """All rows of several."""
        return cls(
            {
                name: np.concatenate([part.columns[name] for part in parts])
                if isinstance(cells, np.ndarray)
                else [cell for part in parts for cell in part.columns[name]]
                for name, cells in parts[0].columns.items()
            }
        )


class Data(ABC):
    """A file of examples, opened but not read: batches may be asked for again and again."""

    name: str
    """As the caller would call it: the path, or "standard input"."""
    format: str
    """One of "svmlight", "text", "vw", "csv", "tsv", "jsonl", "parquet"."""
    share: float | None = None
    """How much of the file has been read, from 0 to 1; None where its length is not known."""

    @abstractmethod
    def batches(self) -> Iterator[Batch]:
        """The examples in stored order, some thousand at a time, in bounded memory."""

    def whole(self) -> Batch | None:
        """All examples at once; None if there are none."""
        return joined(list(self.batches()))

    @abstractmethod
    def vectorizer(self) -> Any:
        """A transformer, not yet fitted, that turns `examples` into CSR; None where they are."""

    @abstractmethod
    def describe(self) -> str:
        """How the file was understood, in one line for the user."""

    def settings(self) -> dict[str, Any]:
        """What to give `open_data` so that it reads another file as this one was understood."""
        return {"format": self.format}


def joined(batches: Sequence[Batch]) -> Batch | None:
    """All examples of several batches, in one; None if there are none."""
    if len(batches) <= 1:
        return batches[0] if batches else None
    examples, labels, lines, weights = zip(*batches, strict=True)
    weighed = all(part is not None for part in weights)
    return Batch(
        _joined_examples(examples),
        None if any(part is None for part in labels) else np.concatenate(labels),
        np.concatenate(lines),
        np.concatenate(weights) if weighed else None,
    )


def as_whole_numbers(labels: NDArray[np.float64]) -> NDArray[Any]:
    """Labels as whole numbers if that is what they are."""
    if np.all((labels == np.floor(labels)) & (np.abs(labels) < 2.0**53)):
        return labels.astype(np.int64)
    return labels


def chosen(examples: Any, rows: NDArray[Any]) -> Any:
    """Some of the examples of a batch."""
    return examples.at(rows) if hasattr(examples, "at") else examples[rows]


def _joined_examples(parts: Sequence[Any]) -> Any:
    first = parts[0]
    if not hasattr(first, "indptr"):
        return type(first).join(parts)
    from scipy import sparse

    width = max(part.shape[1] for part in parts)
    for part in parts:
        part.resize(part.shape[0], width)
    return sparse.vstack(parts, format="csr")
