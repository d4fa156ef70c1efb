"""The list of mistakes that made the weights; with their rows it tells every weight vector."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.parts import (
    Arrays,
    Facts,
    check_array,
    columns_of,
    is_whole,
    records_of,
    require,
    within,
)
from rosenblatt.training.weights import Weights

MISTAKE = np.dtype(
    [
        ("t", "i8"),
        ("example", "i8"),
        ("right", "i4"),
        ("rival", "i4"),
        ("step", "f8"),
        ("row", "i8"),
        ("amount", "f8"),
    ]
)
"""As in record.hpp: at example t ``amount`` times its row was added to the weights of the right
class and taken from those of the rival. The row is the one that it is kept in, -1 if it is not."""

UPDATE = np.dtype([("t", "i8"), ("example", "i8"), ("rival", "i8"), ("step", "f8")])
"""What is shown of a mistake, and written of it where it is recorded."""

STORED_MISTAKE = np.dtype(
    [("t", "i8"), ("row", "i8"), ("right", "i4"), ("rival", "i4"), ("amount", "f8")]
)
"""What is written of it where the row is kept."""

MOST_FEATURES = 2**31

ROOM = 64
"""Mistakes for which room is made when examples come one at a time."""

WORK_PER_CALL = 20_000_000
"""Multiplications in one call of the core, some 20 milliseconds: then Ctrl-C is heard."""


def recast(
    records: NDArray[Any], dtype: np.dtype[Any], names: Mapping[str, str] | None = None
) -> NDArray[Any]:
    """The same as records of another type, -1 in fields they lack; ``names`` maps old to new."""
    new = np.full(len(records), -1).astype(dtype)
    for old in records.dtype.names or ():
        if (name := (names or {}).get(old, old)) in (dtype.names or ()):
            new[name] = records[old]
    return new


@dataclass
class Mistakes:
    """Arrays with room at their end, which the core fills while it learns.

    Rows are kept where all weight vectors vote: without their zeros, as compressed sparse rows, so
    that memory is proportional to the non-zero values of the rows on which mistakes were made.
    """

    __module__ = "rosenblatt"

    used: NDArray[np.int64] = field(default_factory=lambda: np.zeros(4, dtype=np.int64))
    """Mistakes, rows, values and features: written by the core together with the weights."""
    _list: NDArray[Any] = field(default_factory=lambda: np.empty(0, dtype=MISTAKE))
    _indptr: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    _columns: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    _values: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    keeps_rows: bool = False
    recorded: bool = True
    """Whether they are to be shown, and not only to vote."""
    _voters: tuple[tuple[int, int, float], core.Voters] | None = None
    """What votes on rows, and after how many examples and for what it was worked out."""

    @property
    def width(self) -> int:
        return int(self.used[3])

    @property
    def list(self) -> NDArray[Any]:
        """A record for each mistake, in order."""
        return self._list[: self.used[0]]

    @property
    def updates(self) -> NDArray[Any]:
        """What is shown of each; a file may not have told it of all."""
        return recast(self.list[self.list["example"] >= 0], UPDATE)

    @property
    def rows(self) -> Any:
        """The kept rows, as a CSR array."""
        from scipy import sparse

        _, rows, values, _ = self.used.tolist()
        arrays = self._values[:values], self._columns[:values], self._indptr[: rows + 1]
        return sparse.csr_array(arrays, shape=(rows, self.width))

    def voters(self, seen: int, classes: int, constant: float) -> core.Voters:
        """The weight vectors after each mistake, worked out once while nothing more is learned.

        Mistakes made since then are left out: another thread may be learning on. So are those on
        rows without features that moved nothing, since the zeros of the start have no vote.
        """
        key, known = (seen, classes, constant), self._voters
        if known is None or known[0] != key:
            mistakes = self.list
            mistakes = mistakes[: mistakes["t"].searchsorted(seen, side="right")]
            if constant == 0:
                lengths = np.diff(self._indptr[: self.used[1] + 1])
                mistakes = mistakes[lengths[mistakes["row"]] > 0]
            rows = int(mistakes["row"].max(initial=-1)) + 1
            values = int(self._indptr[rows])
            voters = core.Voters(
                mistakes.view(np.uint8),
                self._indptr[: rows + 1],
                self._columns[:values],
                self._values[:values],
                self.width,
                seen,
                classes,
                constant,
            )
            self._voters = known = key, voters
        return known[1]

    def shares(
        self, rows: core.Rows, seen: int, classes: int, constant: float
    ) -> NDArray[np.float64]:
        """The share of the votes, of the second class less the first of two, else of each."""
        votes = np.empty((rows.count, classes), dtype=np.int64)
        self._vote(core.poll, rows, self.voters(seen, classes, constant), votes)
        cast = max(1, int(votes[:1].sum()))
        shares: NDArray[np.float64] = votes / cast
        return (votes[:, 1] - votes[:, 0]) / cast if classes == 2 else shares

    def winners(
        self, rows: core.Rows, seen: int, classes: int, constant: float
    ) -> NDArray[np.int64]:
        """The class with most votes; those that cannot change the winner are not counted."""
        winners = np.empty(rows.count, dtype=np.int64)
        self._vote(core.elect, rows, self.voters(seen, classes, constant), winners)
        return winners

    def _vote(
        self, vote: Any, rows: core.Rows, voters: core.Voters, out: NDArray[np.int64]
    ) -> None:
        """Vote on the rows, in calls short enough for Ctrl-C."""
        length = 4 * max(1, WORK_PER_CALL // (4 + 4 * int(self.used[:3].sum())))
        for start in range(0, rows.count, length):
            vote(voters, rows, start, min(start + length, rows.count), out)

    def make_room(self, mistakes: int, values: int = 0) -> None:
        """Make the arrays long enough for so many mistakes more, with so many values."""
        made, rows, stored, _ = self.used.tolist()
        self._list = _longer(self._list, made, mistakes)
        if not self.keeps_rows:
            return
        self._indptr = _longer(self._indptr, rows + 1, mistakes)
        self._columns = _longer(self._columns, stored, values)
        self._values = _longer(self._values, stored, values)

    def for_the_core(self, places: NDArray[np.int64]) -> core.Mistakes:
        """What the core writes to; ``places`` says where the row of each example is kept."""
        return core.Mistakes(
            self._list.view(np.uint8), self._indptr, self._columns, self._values, self.used, places
        )

    def places(self, count: int) -> NDArray[np.int64]:
        """Such places for the first of so many examples to come; none if no rows are kept."""
        return np.full(count if self.keeps_rows else 0, -1, dtype=np.int64)

    def with_width(self, width: int) -> "Mistakes":
        """The same among so many features."""
        used = self.used.copy()
        used[3] = width
        return replace(self, used=used, _voters=None)

    def with_classes(self, places: NDArray[np.intp], *, two_class_share: float) -> "Mistakes":
        """The same among more classes: old class k is now number places[k].

        Steps of two classes become what each class then holds of them, as the weights do.
        """
        new = self.trimmed()
        for name in ("right", "rival"):
            old = new._list[name]
            new._list[name] = np.where(old < 0, old, places[old])
        if len(places) == 2:
            new._list["step"] *= two_class_share
            new._list["amount"] *= two_class_share
        return new

    def up_to(self, seen: int) -> "Mistakes":
        """A copy with the mistakes among the first so many examples only."""
        early = replace(self, used=self.used.copy())
        early.used[0] = early.list["t"].searchsorted(seen, side="right")
        return early.tidy()

    @classmethod
    def of(cls, records: NDArray[Any]) -> "Mistakes":
        """A list of these alone."""
        return cls(np.array([len(records), 0, 0, 0]), records)

    def without_rows(self) -> "Mistakes":
        """A copy of the list alone."""
        records = self.list.copy()
        records["row"] = -1
        return Mistakes.of(records)

    def tidy(self) -> "Mistakes":
        """A copy in which a row stands once, in the order in which mistakes were made on them.

        Several calls of fit may each have kept the same row; training that was interrupted and
        taken up again ends in the same tidy copy as training in one go.
        """
        if not self.keeps_rows:
            return self.trimmed()
        rows = int(self.used[1])
        mentioned, first = np.unique(self.list["row"], return_index=True)
        numbers: dict[tuple[bytes, bytes], int] = {}
        renumbered = np.zeros(rows, dtype=np.int64)
        kept: list[slice] = []
        for row in mentioned[np.argsort(first)].tolist():
            place = slice(self._indptr[row], self._indptr[row + 1])
            contents = self._columns[place].tobytes(), self._values[place].tobytes()
            renumbered[row] = numbers.setdefault(contents, len(numbers))
            if len(numbers) > len(kept):
                kept.append(place)
        records = self.list.copy()
        records["row"] = renumbered[records["row"]]
        indptr = np.cumsum([0, *(place.stop - place.start for place in kept)], dtype=np.int64)
        columns = np.concatenate([self._columns[:0], *(self._columns[place] for place in kept)])
        values = np.concatenate([self._values[:0], *(self._values[place] for place in kept)])
        used = np.array([len(records), len(kept), len(values), self.width], dtype=np.int64)
        return Mistakes(used, records, indptr, columns, values, True, self.recorded)

    def trimmed(self) -> "Mistakes":
        """A copy without the room at the end."""
        mistakes, rows, values, _ = self.used.tolist()
        return replace(
            self,
            used=self.used.copy(),
            _list=self._list[:mistakes].copy(),
            _indptr=self._indptr[: rows + 1].copy(),
            _columns=self._columns[:values].copy(),
            _values=self._values[:values].copy(),
            _voters=None,
        )

    def facts(self) -> Facts:
        return {"width": self.width}

    def arrays(self) -> Arrays:
        own = self.tidy()
        rows: Arrays = {"bounds": own._indptr, "columns": own._columns, "values": own._values}
        return rows | {
            f"list.{name}": column
            for name, column in columns_of(recast(own._list, STORED_MISTAKE)).items()
        }

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> "Mistakes":
        width = facts["width"]
        records = recast(records_of(within("list", arrays), STORED_MISTAKE), MISTAKE)
        require(is_whole(width, most=MOST_FEATURES), "its mistakes have no features")
        indptr = check_array(arrays.get("bounds"), np.int64)
        columns = check_array(arrays.get("columns"), np.int32)
        values = check_array(arrays.get("values"), np.float64, columns.shape)
        require(
            len(indptr) > 0
            and int(indptr[-1]) == len(values)
            and core.csr(values, columns.astype(np.int64), indptr, width).check(values=True)
            is None,
            "the rows of its mistakes are not sound",
        )
        numbers = [records[name] for name in ("right", "rival", "row")]
        require(
            bool(np.isfinite(records["amount"]).all())
            and bool((np.diff(records["t"], prepend=0) > 0).all())
            and all(bool((number >= 0).all()) for number in numbers)
            and bool((records["row"] < len(indptr) - 1).all()),
            "its list of mistakes is not sound",
        )
        used = np.array([len(records), len(indptr) - 1, len(values), width], dtype=np.int64)
        return cls(used, records, indptr, columns, values, keeps_rows=True, recorded=False)

    def with_record(self, updates: NDArray[Any]) -> "Mistakes":
        """The same with what a file has recorded of them; these alone if it has no others."""
        new = self if self.keeps_rows else Mistakes.of(recast(updates, MISTAKE))
        refusal = "its record of mistakes is not one"
        there = np.isin(new.list["t"], updates["t"])
        require(np.count_nonzero(there) == len(updates), refusal)
        for name in ("example", "rival", "step"):
            new.list[name][there] = updates[name]
        require(
            bool((np.diff(updates["t"], prepend=0) > 0).all())
            and np.array_equal(recast(new.list[there], UPDATE), updates),
            refusal,
        )
        new.recorded = True
        return new

    def require_fit(self, weights: Weights) -> None:
        """Refuse mistakes of a file that did not make these weights."""
        seen, updates, _ = weights.counts.tolist()
        classes = ("right", "rival") if self.keeps_rows else ("rival",)
        numbers = np.concatenate([self.list[name] for name in classes])
        require(
            bool(((numbers >= 0) & (numbers < weights.classes)).all())
            and bool((self.list["t"] <= seen).all())
            and (not self.keeps_rows or (self.width, len(self.list)) == (weights.width, updates)),
            "its mistakes do not fit its weights",
        )

    def __getstate__(self) -> dict[str, Any]:
        return self.trimmed().__dict__


def _longer(array: NDArray[Any], used: int, more: int) -> NDArray[Any]:
    """The array if it has room for so many more, else a longer one with the same beginning."""
    if used + more <= len(array):
        return array
    longer = np.empty(max(used + more, len(array) + len(array) // 2), dtype=array.dtype)
    longer[:used] = array[:used]
    return longer
