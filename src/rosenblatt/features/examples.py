"""Examples of one kind in a few arrays, so that none becomes an object of Python's own."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.sparse import picked


class Examples(ABC):
    """What a vectorizer takes, in arrays. Examples without one are matrices of numbers."""

    holds: ClassVar[str]
    """What messages call the examples."""
    alone: ClassVar[type]
    """The type of one example as a caller may pass it; of none if there is no such type."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, k: int) -> Any: ...

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    @abstractmethod
    def at(self, rows: NDArray[Any]) -> Self:
        """Some of the examples."""

    @classmethod
    @abstractmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """All examples of several."""


@dataclass(eq=False, repr=False)
class Texts(Examples):
    """Documents as pieces of UTF-8 that lie in one array.

    What is not UTF-8 reads as U+FFFD.

    Parameters
    ----------
    data : ndarray of uint8
    begins, ends : ndarrays of int64
        Document k is ``data[begins[k]:ends[k]]``.
    """

    __module__ = "rosenblatt"

    holds = "texts"
    alone = str

    data: NDArray[np.uint8]
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]

    @classmethod
    def packed(cls, data: NDArray[np.uint8], ends: NDArray[np.int64]) -> Self:
        """Documents of which each begins where the one before it ends."""
        return cls(data, np.concatenate([[0], ends])[:-1].astype(np.int64), ends)

    @classmethod
    def of(cls, documents: Iterable[str]) -> Self:
        """The same of strings."""
        pieces = [document.encode("utf-8", "replace") for document in documents]
        ends = np.cumsum(np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces)))
        return cls.packed(np.frombuffer(b"".join(pieces), dtype=np.uint8), ends)

    def __len__(self) -> int:
        return len(self.begins)

    def __getitem__(self, k: int) -> str:
        return self.piece(k).decode("utf-8", "replace")

    def piece(self, k: int) -> bytes:
        """A document as it is, even if it is not UTF-8."""
        return self.data[self.begins[k] : self.ends[k]].tobytes()

    def at(self, rows: NDArray[Any]) -> Self:
        return type(self)(self.data, self.begins[rows], self.ends[rows])

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        sizes = np.array([len(part.data) for part in parts])
        shifts = np.repeat(np.cumsum(sizes) - sizes, [*map(len, parts)])
        data = core.spare_array(int(sizes.sum()), "uint8")
        return cls(
            np.concatenate([part.data for part in parts], out=data),
            np.concatenate([part.begins for part in parts]) + shifts,
            np.concatenate([part.ends for part in parts]) + shifts,
        )


@dataclass(eq=False, repr=False)
class Bags(Examples):
    """Examples of named values.

    Parameters
    ----------
    names : Texts
        The name of each value.
    values : ndarray of float64
    indptr : ndarray of int64
        The values of example k are ``values[indptr[k]:indptr[k + 1]]``.
    """

    __module__ = "rosenblatt"

    holds = "named values"
    alone = Mapping

    names: Texts
    values: NDArray[np.float64]
    indptr: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __getitem__(self, k: int) -> list[tuple[str, float]]:
        places = range(self.indptr[k], self.indptr[k + 1])
        return [(self.names[place], float(self.values[place])) for place in places]

    def at(self, rows: NDArray[Any]) -> Self:
        indptr, places = picked(self.indptr, rows)
        return type(self)(self.names.at(places), self.values[places], indptr)

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        used = [np.arange(part.indptr[0], part.indptr[-1]) for part in parts]
        sizes = np.concatenate([np.diff(part.indptr) for part in parts])
        return cls(
            Texts.join([part.names.at(own) for part, own in zip(parts, used, strict=True)]),
            np.concatenate([part.values[own] for part, own in zip(parts, used, strict=True)]),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        )

    def native(self) -> core.Bags:
        """As the core reads them, once they are found in order."""
        names = self.names
        return core.Bags(names.data, names.begins, names.ends, self.values, self.indptr)


@dataclass(eq=False, repr=False)
class Records(Examples):
    """Rows of a table by columns: floats with NaN for unknown ones, or strings."""

    __module__ = "rosenblatt"

    holds = "tables"
    alone = NoneType

    columns: dict[str, Any]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, k: int) -> dict[str, Any]:
        return {name: cells[k] for name, cells in self.columns.items()}

    def at(self, rows: NDArray[Any]) -> Self:
        return type(self)(
            {
                name: cells[rows] if isinstance(cells, np.ndarray) else [cells[k] for k in rows]
                for name, cells in self.columns.items()
            }
        )

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        return cls(
            {
                name: np.concatenate([part.columns[name] for part in parts])
                if isinstance(cells, np.ndarray)
                else [cell for part in parts for cell in part.columns[name]]
                for name, cells in parts[0].columns.items()
            }
        )


def chosen(examples: Any, rows: NDArray[Any]) -> Any:
    """Some of the examples, or of the rows of a matrix."""
    return examples.at(rows) if isinstance(examples, Examples) else examples[rows]


def joined(parts: Sequence[Any]) -> Any:
    """All examples of several, or all rows of several CSR matrices, as wide as the widest."""
    if isinstance(parts[0], Examples):
        return type(parts[0]).join(parts)
    from scipy import sparse

    width = max(part.shape[1] for part in parts)
    for part in parts:
        part.resize(part.shape[0], width)
    return sparse.vstack(parts, format="csr")
