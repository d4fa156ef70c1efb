"""What a TextVectorizer has learned: what its columns are called, and how frequent they are.

The native tables are made for the processor at hand, so a pickle holds plain lists and arrays.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core

Documents = tuple[str, ...]
Rows = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"""indptr, indices and data of a sparse matrix."""


class GrowingVocabulary:
    """A column for each name; new names get new columns at the end."""

    def __init__(self) -> None:
        self._restore([], np.zeros(0, dtype=np.int64), 0)

    def _restore(self, names: list[str], counts: NDArray[np.int64], documents: int) -> None:
        self.lexicon = core.Lexicon(names, counts, documents)

    def __getstate__(self) -> tuple[list[str], NDArray[np.int64], int]:
        return self.lexicon.names(), self.counts, self.documents

    def __setstate__(self, state: tuple[list[str], NDArray[np.int64], int]) -> None:
        self._restore(*state)

    @property
    def width(self) -> int:
        return len(self.lexicon)

    @property
    def documents(self) -> int:
        return self.lexicon.documents

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of documents that each name occurs in."""
        counts: NDArray[np.int64] = self.lexicon.frequencies()
        return counts

    def names(self) -> NDArray[np.object_]:
        return np.array(self.lexicon.names(), dtype=object)

    def columns(self) -> dict[str, int]:
        return {name: column for column, name in enumerate(self.lexicon.names())}

    def grow(self, documents: Documents, cutting: core.Cutting) -> None:
        """Learn from more documents; not to be interrupted, lest they be counted in part."""
        core.grow(documents, cutting, self.lexicon, keep=False, interruptible=False)

    def keep(self, columns: NDArray[np.uint32]) -> None:
        """Forget all names but those of these columns, which are numbered as they stand."""
        self.lexicon = self.lexicon.select(columns)

    def rows(self, documents: Documents, cutting: core.Cutting, weighing: core.Weighing) -> Rows:
        rows: Rows = core.look_up(documents, cutting, self.lexicon, weighing)
        return rows


class HashedColumns:
    """Columns that names share: each is called by the name that it met most, as far as known."""

    def __init__(self, bits: int, alternate_sign: bool) -> None:
        self.bits = bits
        self.alternate_sign = alternate_sign
        self.documents = 0
        self.counts: NDArray[np.int64] | None = None
        self.buckets = core.BucketNames(bits)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"buckets": self.buckets.list()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.buckets = core.BucketNames(self.bits)
        for bucket in state["buckets"]:
            self.buckets.give(*bucket)

    @property
    def width(self) -> int:
        return 1 << self.bits

    def names(self) -> NDArray[np.object_]:
        """The names of all columns: a number after a # where none was met."""
        names = [f"#{column}" for column in range(self.width)]
        for column, name, _, _ in self.buckets.list():
            names[column] = name
        return np.array(names, dtype=object)

    def columns(self) -> dict[str, int]:
        return {name: column for column, name, _, _ in self.buckets.list()}

    def learn(
        self,
        documents: Documents,
        cutting: core.Cutting,
        weighing: core.Weighing,
        count: bool,
    ) -> Rows:
        """Meet the names of these documents, and count in how many each column is if asked to."""
        rows = self.rows(documents, cutting, weighing, self.buckets)
        if count:
            counts = np.bincount(rows[1], minlength=self.width)
            self.counts = counts if self.counts is None else self.counts + counts
        self.documents += len(documents)
        return rows

    def rows(
        self,
        documents: Documents,
        cutting: core.Cutting,
        weighing: core.Weighing,
        buckets: core.BucketNames | None = None,
    ) -> Rows:
        rows: Rows = core.hash_rows(
            documents, cutting, self.bits, self.alternate_sign, buckets, weighing
        )
        return rows
