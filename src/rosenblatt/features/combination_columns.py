"""The columns of combinations: how many there are, where the core finds them, what they are called.

All pairs of D features have a rank, as in a dictionary: (0, 1), (0, 2) ... (D-2, D-1); after them
come all triples likewise. No list of them is ever made.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.parts import Arrays, Facts, check_array, is_whole, require

Places = core.AllCombinations | core.SeenCombinations | core.HashedCombinations
Ranks = NDArray[np.int64]

Float = Literal["float64", "float32"]

LARGEST_INDEX = 2**63 - 1

BYTES_AT_MOST = 8
"""Of a value, or of its column."""

MOST_SEEN = 2**32 - 2
"""The core finds seen combinations by numbers of 32 bits."""

VALUES_PER_CALL = 10_000_000
"""Values written in one call of the core, some 20 milliseconds: then Ctrl-C is heard."""

VALUES_PER_THREAD = 1 << 18
"""Values that are worth a thread, some hundred microseconds."""

VALUES_AHEAD = 1 << 27
"""Room made beforehand where not all may be needed: the system gives memory once it is used."""


@dataclass(frozen=True)
class CombinationColumns:
    """The features themselves if ``original``, then combinations: all, those seen, or hashed."""

    __module__ = "rosenblatt"

    width: int
    degree: int
    original: bool
    ranks: Ranks | None = None
    """Of the combinations seen, rising."""
    starts: NDArray[np.uint32] | None = None
    """Where those begin whose rank has the same bits above the lowest ``shift``."""
    shift: int = 0
    bits: int | None = None
    """The binary logarithm of the number of hashed columns."""

    @classmethod
    def seen(cls, rows: core.Rows, degree: int, original: bool, min_count: int) -> Self:
        """Columns for what occurs in ``min_count`` rows or more."""
        ranks = core.frequent_combinations(rows, degree, min_count)
        if len(ranks) > MOST_SEEN:
            raise ValueError(
                f"X holds {len(ranks)} combinations, too many to find again: raise min_count, or "
                "set columns='hashed'."
            )
        return cls(rows.width, degree, original).only(ranks)

    @property
    def possible(self) -> int:
        """How many combinations there may be."""
        return sum(math.comb(self.width, size) for size in range(2, self.degree + 1))

    @property
    def first(self) -> int:
        """The column of the first combination."""
        return self.width if self.original else 0

    @property
    def complete(self) -> bool:
        """Whether every combination has a column of its own."""
        return self.bits is None and (self.ranks is None or len(self.ranks) == self.possible)

    @property
    def count(self) -> int:
        if self.bits is not None:
            return self.first + (1 << self.bits)
        return self.first + (len(self.ranks) if self.ranks is not None else self.possible)

    def places(self) -> Places:
        """The same for the core."""
        if self.bits is not None:
            return core.HashedCombinations(self.bits)
        if self.complete or self.ranks is None or self.starts is None:
            return core.AllCombinations(self.width)
        return core.SeenCombinations(self.width, self.ranks, self.starts, self.shift)

    def combined_dense(self, rows: core.Rows, dtype: Float, threads: int = 1) -> NDArray[Any]:
        """The rows with their combinations."""
        places = self.places()
        total = rows.count * self.count
        if total * BYTES_AT_MOST > LARGEST_INDEX:
            raise MemoryError
        out = np.empty((rows.count, self.count), dtype)
        threads = _worthwhile(threads, total)
        step = 1 + VALUES_PER_CALL // (self.count + 1)
        for begin in range(0, rows.count, step):
            end = min(begin + step, rows.count)
            core.combine_dense(rows, places, self.degree, self.original, begin, end, out, threads)
        return out

    def combined(
        self, rows: core.Rows, dtype: Float, threads: int = 1
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """The rows with their combinations: values, columns and indptr, no larger than need be."""
        places = self.places()
        ends = np.empty(rows.count, dtype=np.int64)
        core.count_combinations(rows, self.degree, self.original, ends)
        total = int(ends[-1])
        if total * 2 * BYTES_AT_MOST > LARGEST_INDEX:
            raise MemoryError
        threads = _worthwhile(threads, total)
        index = "int32" if max(total, self.count) < 2**31 else "int64"
        if self.complete:
            values, indices = core.spare_array(total, dtype), core.spare_array(total, index)
        else:
            room = min(total, VALUES_AHEAD)
            values, indices = np.empty(room, dtype), np.empty(room, index)
        indptr = np.zeros(rows.count + 1, index)
        begin = filled = looked_at = 0
        while begin < rows.count:
            end = int(ends.searchsorted(looked_at + VALUES_PER_CALL, side="right"))
            end = max(end, begin + 1)
            needed = filled + int(ends[end - 1]) - looked_at
            if needed > len(values):
                for array in (values, indices):
                    array.resize(max(needed, 3 * filled // 2), refcheck=False)
            filled = core.combine(
                *(rows, places, self.degree, self.original, begin, end, ends),
                *(values, indices, indptr, filled, threads),
            )
            begin, looked_at = end, int(ends[end - 1])
        if not self.complete:
            for array in (values, indices):
                array.resize(filled, refcheck=False)
        return values, indices, indptr

    def facts(self) -> Facts:
        whole = {"width": self.width, "degree": self.degree, "bits": self.bits}
        return whole | {"original": self.original}

    def arrays(self) -> Arrays:
        return {} if self.ranks is None else {"ranks": self.ranks}

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> Self:
        width, degree, bits = facts["width"], facts["degree"], facts["bits"]
        hashed = bits is None or (is_whole(bits, most=32) and bits > 0 and not arrays)
        sized = is_whole(width) and width > 0 and degree in (2, 3)
        sound = hashed and sized and type(facts["original"]) is bool
        require(sound, "its combinations are not described")
        columns = cls(width, degree, facts["original"], bits=bits)
        few = bits is not None or columns.first + columns.possible <= LARGEST_INDEX
        require(few, "its combinations are too many")
        if "ranks" not in arrays:
            return columns
        ranks = check_array(arrays["ranks"], np.int64)
        between = np.concatenate([[-1], ranks, [columns.possible]])
        in_order = bool((between[:-1] < between[1:]).all())
        require(len(ranks) <= MOST_SEEN and in_order, "its combinations are not in order")
        return columns.only(ranks)

    def only(self, ranks: Ranks) -> Self:
        """Columns for no combinations but these."""
        shift = max(0, self.possible.bit_length() - len(ranks).bit_length())
        starts = np.empty((self.possible >> shift) + 2, dtype=np.uint32)
        core.index_combinations(ranks, shift, starts)
        return replace(self, ranks=ranks, starts=starts, shift=shift)

    def name(self, column: int, features: NDArray[Any] | None) -> str:
        """What one column is called."""
        return str(self.names(np.array([column]), features)[0])

    def names(self, columns: Ranks, features: NDArray[Any] | None) -> NDArray[Any]:
        """What the columns are called, given the names of the features, or None for x0, x1 ..."""
        names = np.empty(len(columns), dtype=object)
        single = columns < self.first
        names[single] = _named(columns[single], features)
        places = columns[~single] - self.first
        if self.bits is not None:
            names[~single] = [f"hashed{place}" for place in places]
            return names
        ranks = places if self.ranks is None else self.ranks[places]
        is_pair = ranks < math.comb(self.width, 2)
        combined = np.empty(len(ranks), dtype=object)
        for some, members_of in ((is_pair, _pair), (~is_pair, _triple)):
            if some.any():
                first, *others = (_named(m, features) for m in members_of(ranks[some], self.width))
                combined[some] = sum(("×" + other for other in others), first)
        names[~single] = combined
        return names


def _worthwhile(threads: int, values: int) -> int:
    """As many of the threads as so many values keep busy."""
    return min(threads, 1 + values // VALUES_PER_THREAD)


def _named(members: Ranks, features: NDArray[Any] | None) -> NDArray[Any]:
    if features is None:
        return np.array([f"x{member}" for member in members], dtype=object)
    return features[members]


def _pairs_among(n: Any) -> Any:
    """Pairs of n things, numbers or arrays of them; no product is larger than the result."""
    return n // 2 * (n - 1 + n % 2)


def _triples_among(n: Any) -> Any:
    pairs = _pairs_among(n)
    return np.where(pairs % 3 == 0, pairs // 3 * (n - 2), (n - 2) // 3 * pairs)


def _pair(ranks: Ranks, width: int) -> tuple[Ranks, ...]:
    """The two members of each pair."""
    a, rest = _first_member(ranks, width, _pairs_among)
    return a, rest + a + 1


def _triple(ranks: Ranks, width: int) -> tuple[Ranks, ...]:
    pairs = math.comb(width, 2)
    a, rest = _first_member(ranks - pairs, width, _triples_among)
    # The pairs of features after a are the last of all pairs, in the same order.
    return a, *_pair(rest + pairs - _pairs_among(width - a - 1), width)


def _first_member(ranks: Ranks, width: int, among: Callable[[Any], Any]) -> tuple[Ranks, Ranks]:
    """The first member of each combination, and its rank among those that begin with it.

    Those that begin with a or later are all among the last width - a features.
    """
    low, high = np.zeros_like(ranks), np.full_like(ranks, width - 1)
    while (low < high).any():
        middle = low + (high - low + 1) // 2
        reached = among(width) - among(width - middle) <= ranks
        low, high = np.where(reached, middle, low), np.where(reached, high, middle - 1)
    return low, ranks - (among(width) - among(width - low))
