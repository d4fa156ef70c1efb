"""A shard of a corpus: its rows in blocks, and those of them that are kept, as they stand in it."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.features.examples import Texts
from rosenblatt.inputs.errors import Blank, InputError, Parameter
from rosenblatt.readers.rejects import quoted

Mask = NDArray[np.bool_]


class MalformedRow(NamedTuple):
    """A row that cannot be read: its line, or its number in a table, and why."""

    line: int
    reason: str


MalformedRow.__module__ = "rosenblatt"


@dataclass(frozen=True)
class Rows(ABC):
    """Some rows of a shard that have a text, in order, and those among them that have none."""

    texts: Texts
    lines: NDArray[np.int64]
    faults: list[MalformedRow]

    @abstractmethod
    def kept(self, mask: Mask) -> Any:
        """Some of the rows as they stand in the shard."""


class Shard(ABC):
    """A file of a corpus."""

    def __init__(self, path: str, name: str, column: str, max_line: int) -> None:
        self.path, self.name, self.column = path, name, column
        self.max_line = max_line
        self.share: float = 0.0
        """How much has been read, from 0 to 1, packed as it is."""

    @abstractmethod
    def check(self, head: bytes) -> None:
        """Refuse a file of which no row can be read, as far as its first bytes tell."""

    @abstractmethod
    def rows(self, *, whole: bool) -> Iterator[Rows]:
        """All rows, in blocks; texts alone unless rows are to be kept whole."""

    @abstractmethod
    def written(self, kept: Iterable[Any]) -> Iterator[bytes]:
        """A file like this one that has only the rows that were kept, block by block."""


def check_column(path: str, column: str, columns: list[str]) -> None:
    """Refuse a shard without the column of the texts."""
    if column not in columns:
        called = ", but " + ", ".join(map(quoted, columns[:20])) if columns else ""
        remedy = ("name the one of the texts by ", Parameter("text_column", Blank("COLUMN")))
        raise InputError(f"{path} has no column {column!r}{called}", remedy=remedy)
