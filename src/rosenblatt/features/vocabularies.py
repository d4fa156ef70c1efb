"""What a vectorizer has learned: what its columns are called, and how frequent they are.

The native tables are made for the processor at hand, so pickles and files hold plain arrays.
"""

import mmap
from collections import Counter
from collections.abc import Iterable, Mapping
from copy import copy
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rosenblatt import core
from rosenblatt.features.examples import Bags, Texts
from rosenblatt.features.frequencies import Frequencies, inverse_frequencies
from rosenblatt.inputs.errors import InputError, InputTypeError, Name
from rosenblatt.inputs.parameters import wrong

Documents = tuple[str, ...] | core.Pieces | core.Tokens
Rows = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"""indptr, indices and data of a sparse matrix."""
Arrays = dict[str, NDArray[Any]]

MOST_DOCUMENTS = 2**32 - 1


class Reading(NamedTuple):
    """How documents become rows."""

    cutting: core.Cutting
    weighing: core.Weighing
    threads: int


class Vocabulary(Frequencies):
    """A column for each name."""

    def __init__(self) -> None:
        none = np.zeros(0, dtype=np.int64)
        self.lexicon = core.Lexicon(np.zeros(0, dtype=np.uint8), none, none, 0)

    @classmethod
    def build(cls, arrays: Arrays, documents: int) -> Self:
        """What arrays() tells, once it is found to be a vocabulary."""
        vocabulary = cls.__new__(cls)
        vocabulary.lexicon = core.Lexicon(
            taken(arrays, "names", np.uint8),
            taken(arrays, "name_ends", np.int64),
            taken(arrays, "document_counts", np.int64),
            documents,
        )
        return vocabulary

    def arrays(self) -> Arrays:
        """The names in UTF-8, one behind the other, where each ends, and how frequent it is."""
        names, ends = self.lexicon.spell()
        return {"names": names, "name_ends": ends, "document_counts": self.counts}

    def __getstate__(self) -> tuple[Arrays, int]:
        now = self.snapshot()
        return now.arrays(), now.documents

    def __setstate__(self, state: tuple[Arrays, int]) -> None:
        self.lexicon = self.build(*state).lexicon

    @property
    def width(self) -> int:
        return len(self.lexicon)

    @property
    def documents(self) -> int:
        return self.lexicon.documents

    @property
    def version(self) -> int:
        return self.lexicon.version

    def snapshot(self) -> Self:
        now = self._alike()
        now.lexicon = self.lexicon.snapshot()
        return now

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of documents that each name occurs in."""
        return self.lexicon.frequencies()

    def names(self) -> NDArray[np.object_]:
        return np.array(self.lexicon.names(), dtype=object)

    def name(self, column: int) -> str:
        return self.lexicon.name(column)

    def columns(self) -> dict[str, int]:
        return {name: column for column, name in enumerate(self.lexicon.names())}

    def columns_of(self, others: "Vocabulary") -> NDArray[np.int32]:
        """The column here of each name there, -1 for those that are only there."""
        names, ends = others.lexicon.spell()
        ones, alone = np.ones(len(ends)), np.array([0, len(ends)], dtype=np.int64)
        bag = Bags(Texts.packed(names, ends), ones, alone)
        return core.find_names(bag.native(), self.lexicon).view(np.int32)

    def rows(self, documents: Documents, how: Reading) -> Rows:
        return core.look_up(documents, how.cutting, self.lexicon, how.weighing, how.threads)


class GrowingVocabulary(Vocabulary):
    """New names get new columns at the end."""

    __module__ = "rosenblatt"

    def grow(
        self, documents: Documents, cutting: core.Cutting, threads: int, *, keep: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        """Learn from more documents; not to be interrupted, lest they be counted in part.

        Where each document ends, and if they are to be kept the columns of all its names.
        """
        return core.grow(
            documents, cutting, self.lexicon, keep, interruptible=False, threads=threads
        )

    def keep(self, columns: NDArray[np.uint32]) -> NDArray[np.int32]:
        """Forget all names but those of these columns, which are numbered as they stand.

        The new number of each column, -1 if it is forgotten.
        """
        numbers = np.full(self.width, -1, dtype=np.int32)
        numbers[columns] = np.arange(len(columns), dtype=np.int32)
        self.lexicon = self.lexicon.select(columns)
        return numbers


class GivenVocabulary(Vocabulary):
    """Names that the caller chose: none is added and none is left out."""

    __module__ = "rosenblatt"

    @classmethod
    def of(cls, vocabulary: Any) -> Self:
        """The names of a list in their order, of a set by name, or of a dict by its columns."""
        names = _given_names(vocabulary)
        pieces = [name.encode("utf-8", "surrogatepass") for name in names]
        ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int64)
        data = np.frombuffer(b"".join(pieces), dtype=np.uint8)
        none = np.zeros(len(pieces), dtype=np.int64)
        return cls.build({"names": data, "name_ends": ends, "document_counts": none}, 0)

    def learn(self, documents: Documents, how: Reading, count: bool) -> Rows:
        """Count in how many of these documents each name occurs, whether asked to or not."""
        rows = self.rows(documents, how)
        counts = self.counts
        core.count_columns(rows[1], counts)
        arrays = self.arrays() | {"document_counts": counts}
        self.lexicon = self.build(arrays, self.documents + len(documents)).lexicon
        return rows


COLUMNS_FOR_A_DOCUMENT = 2**15
"""So many columns take as long to weigh as one document takes to be read again."""
SMALL = 2**20
"""Numbers that NumPy finds room for without asking the system for huge pages, which it clears."""
COLUMNS_FOR_A_NAME, MOST_SINCE = 512, 4096
"""So many columns take as long to copy as a name among the last few, which are 4,096 at most."""


class Seen(NamedTuple):
    """Documents, and in how many of them each column occurs; never changed, lest threads mix."""

    documents: int
    counts: NDArray[np.int64] | None = None
    """None if that was not asked for."""
    since: Mapping[int, int] = MappingProxyType({})
    """What the last few documents add, which is less to copy."""

    def after(self, documents: int, columns: NDArray[Any] | None) -> "Seen":
        """The same, and so many more with these columns, each once in a document, if they count."""
        count = self.documents + documents
        if columns is None or self.counts is None:
            return self._replace(documents=count)
        most = min(MOST_SINCE, len(self.counts) // COLUMNS_FOR_A_NAME)
        if len(columns) + len(self.since) <= most:
            since = dict(self.since)
            for column in columns.tolist():
                since[column] = since.get(column, 0) + 1
            return Seen(count, self.counts, since)
        counts = self.counts.copy() if not self.since else self.together().counts
        assert counts is not None
        core.count_columns(columns, counts)
        return Seen(count, counts)

    def together(self) -> "Seen":
        """The same with nothing told apart."""
        if self.counts is None or not self.since:
            return self
        counts = self.counts.copy()
        counts[[*self.since]] += [*self.since.values()]
        return Seen(self.documents, counts)

    def of(self, columns: NDArray[Any]) -> NDArray[np.int64]:
        """The counts of these columns alone."""
        assert self.counts is not None
        added = [self.since.get(column, 0) for column in columns.tolist()]
        return self.counts[columns] + np.array(added, dtype=np.int64)


def _untouched(width: int) -> NDArray[np.float64]:
    """So many numbers in memory that costs nothing until it is looked at."""
    if width <= SMALL:
        return np.empty(width)
    return np.frombuffer(mmap.mmap(-1, 8 * width), dtype=np.float64)


class HashedColumns(Frequencies):
    """Columns that names share: each is called by the name that it met most, as far as known."""

    __module__ = "rosenblatt"

    def __init__(self, bits: int, alternate_sign: bool) -> None:
        self.bits = bits
        self.alternate_sign = alternate_sign
        self._seen = Seen(0)

    @classmethod
    def build(cls, bits: int, alternate_sign: bool, arrays: Arrays, documents: int) -> Self:
        """What arrays() tells, once it is found to describe columns."""
        hashed = cls.__new__(cls)
        hashed.bits, hashed.alternate_sign, hashed._seen = bits, alternate_sign, Seen(documents)
        if "document_counts" in arrays:
            counts = taken(arrays, "document_counts", np.int64)
            if len(counts) != 1 << bits or counts.min() < 0 or counts.max() > documents:
                raise InputError(
                    "Each column must have a number of documents, none more than there are"
                )
            hashed._seen = Seen(documents, counts)
        hashed.buckets = core.BucketNames(
            bits,
            taken(arrays, "names", np.uint8),
            taken(arrays, "name_ends", np.int64),
            *(taken(arrays, name, np.uint32) for name in ("columns", "hashes", "leads")),
        )
        return hashed

    @property
    def documents(self) -> int:
        return self._seen.documents

    @property
    def counts(self) -> NDArray[np.int64] | None:
        """The number of documents that each column occurs in, if that was asked for."""
        return self._seen.together().counts

    @property
    def are_counted(self) -> bool:
        return self._seen.counts is not None

    def idf_of(self, documents: Documents, how: Reading, smooth: bool) -> NDArray[np.float64]:
        """The weights of the columns of these documents at least.

        Those of all take as long as columns are many. Once they have been worked out and more was
        learned, they are for these alone, until so many documents have come that it is worth that.
        """
        seen = self._seen
        met = len(documents) + self._met_since.get(seen.documents, 0)
        last, _ = self._worth.get(smooth, (None, None))
        if met > self.width // COLUMNS_FOR_A_DOCUMENT or last in (None, seen.documents):
            return self.idf(smooth)
        self._met_since.clear()
        self._met_since[seen.documents] = met
        columns = np.unique(self.rows(documents, how)[1])
        idf = _untouched(self.width)
        idf[columns] = inverse_frequencies(seen.of(columns), seen.documents, smooth)
        return idf

    @property
    def version(self) -> int:
        return self.documents

    def snapshot(self) -> Self:
        now = self._alike()
        if "buckets" in vars(now):
            now.buckets = now.buckets.snapshot()
        return now

    @cached_property
    def buckets(self) -> core.BucketNames:
        """Made when they are first needed, as they take a place for each column."""
        none = np.zeros(0, dtype=np.uint32)
        return core.BucketNames(
            self.bits, none.astype(np.uint8), none.astype(np.int64), none, none, none
        )

    def arrays(self) -> Arrays:
        """Columns that met a name, and the names with their hashes and their leads over others."""
        spelled = zip(
            ("names", "name_ends", "columns", "hashes", "leads"), self.buckets.spell(), strict=True
        )
        return dict(spelled) | ({} if self.counts is None else {"document_counts": self.counts})

    def __getstate__(self) -> tuple[int, bool, Arrays, int]:
        return self.bits, self.alternate_sign, self.arrays(), self.documents

    def __setstate__(self, state: tuple[int, bool, Arrays, int]) -> None:
        self.__dict__.update(vars(self.build(*state)))

    @property
    def width(self) -> int:
        return 1 << self.bits

    def names(self) -> NDArray[np.object_]:
        """The names of all columns: a number after a # where none was met."""
        names = [f"#{column}" for column in range(self.width)]
        for column in self._named():
            names[column] = self.buckets.name(column)
        return np.array(names, dtype=object)

    def name(self, column: int) -> str:
        return self.buckets.name(column) or f"#{column}"

    @property
    def met(self) -> NDArray[np.bool_]:
        """Which columns met a name; worked out once and kept until more is learned."""
        kept: tuple[int, NDArray[np.bool_]] | None = vars(self).get("_met")
        if kept is None or kept[0] != self.version:
            met = np.zeros(self.width, dtype=np.bool_)
            met[self._named()] = True
            self._met = kept = self.version, met
        return kept[1]

    def columns(self) -> dict[str, int]:
        return {self.buckets.name(column): column for column in self._named()}

    def _named(self) -> list[int]:
        """The columns that met a name."""
        return self.buckets.spell()[2].tolist()

    def learn(self, documents: Documents, how: Reading, count: bool) -> Rows:
        """Meet the names of these documents, and count in how many each column is if asked to."""
        rows = self.rows(documents, how, self.buckets if len(documents) else None)
        seen = self._seen
        if count and seen.counts is None:
            seen = seen._replace(counts=np.zeros(self.width, dtype=np.int64))
        self._seen = seen.after(len(documents), rows[1] if count else None)
        return rows

    def rows(
        self, documents: Documents, how: Reading, buckets: core.BucketNames | None = None
    ) -> Rows:
        cutting, weighing, threads = how
        return core.hash_rows(
            documents, cutting, self.bits, self.alternate_sign, buckets, weighing, threads
        )


class Engine:
    """Makes rows of examples by what it has learned, without scikit-learn and SciPy.

    Its class says which kind of `Examples` it ``takes``, and which ``part`` of a file it is.
    """

    learned: Any

    def snapshot(self) -> Self:
        """What is known now, which stays as it is while another thread learns."""
        now = copy(self)
        now.learned = self.learned.snapshot()
        return now

    @property
    def width(self) -> int:
        """The number of columns."""
        return int(self.learned.width)

    def names(self) -> NDArray[np.object_]:
        """What the columns are called; a hashed column that met no name, by its number."""
        return self.learned.names()

    def name(self, column: int) -> str:
        """What one column is called."""
        return str(self.learned.name(int(column)))

    def arrays(self) -> Arrays:
        """The names of the columns and how frequent they are."""
        return self.learned.arrays()


def document_count(facts: Any, *others: str) -> int:
    """The number of documents among facts of these names; refused if they are not these."""
    if not isinstance(facts, dict) or facts.keys() != {*others, "documents"}:
        raise InputError(f"What makes rows is described by {', '.join(others)} and documents")
    documents = facts["documents"]
    if type(documents) is not int or not 0 <= documents <= MOST_DOCUMENTS:
        raise InputError(f"There can't be {documents!r} documents")
    return documents


def taken(arrays: Arrays, name: str, dtype: DTypeLike) -> NDArray[Any]:
    """The array of this name, if it is a row of such numbers."""
    array = arrays.get(name)
    if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype != dtype:
        raise InputError(f"There must be a row of {np.dtype(dtype).name} called {name}")
    return np.ascontiguousarray(array)


def _given_names(vocabulary: Any) -> list[str]:
    """The names in the order of their columns, once they are found to be a vocabulary."""
    what = Name("vocabulary")
    if isinstance(vocabulary, str | bytes) or not isinstance(vocabulary, Iterable):
        raise wrong("vocabulary", vocabulary, "be a list, a set or a dict of strings")
    names = list(vocabulary)
    if not names:
        raise InputError(what, " must not be empty")
    other = next((name for name in names if not isinstance(name, str)), None)
    if other is not None:
        raise InputTypeError(what, must="hold strings", got=repr(other))
    if isinstance(vocabulary, Mapping):
        columns = [*vocabulary.values()]
        missing = {*range(len(names))} - {*columns}
        if missing:
            what_is = (what, f" has no word in column {min(missing)} of {len(names)}")
            raise InputError(*what_is, remedy="number the words from 0 on, each once")
        return sorted(names, key=vocabulary.__getitem__)
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(what, f" holds {twice[0]!r} twice")
    return sorted(names) if isinstance(vocabulary, set | frozenset) else names
