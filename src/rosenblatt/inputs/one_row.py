"""One example as a table of one row, for models that learn from tables alone.

It reads what the core reads for models that it holds ready, and refuses in the same words.
"""

from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple, NoReturn

import numpy as np
from scipy import sparse

from rosenblatt.inputs.messages import LARGEST_VALUE
from rosenblatt.inputs.one_example import Hitch, plain, refuse_hitch, width_of


class OneRow(NamedTuple):
    """An example that was read."""

    table: Any
    """Of one row: an array, or a CSR matrix."""
    fresh: dict[Hashable, int] | None
    """The columns to be of names that are new; None where columns have numbers."""


class Columns(NamedTuple):
    """The columns that there are when an example comes."""

    model: str
    """Who has them, for messages."""
    width: int
    places: dict[Hashable, int] | None
    """The column of each name, if they have names."""

    def read(self, x: Any, *, learning: bool) -> OneRow:
        """The example; when learning, columns that are new are counted in, else left out."""
        width, x = width_of(x), plain(x)
        if learning and width is not None and width != self.width:
            if self.width:
                self._stop(Hitch.length, width)
            return self._replace(width=width).read(x, learning=learning)
        if isinstance(x, np.ndarray):
            return self._read_row(x, learning)
        if isinstance(x, tuple):
            columns, values = x
            if len(columns) != len(values):
                self._stop(Hitch.sizes, len(columns), len(values))
            return self._read_numbered(
                zip(columns.tolist(), values.tolist(), strict=True), learning
            )
        pairs = list(x.items() if isinstance(x, dict) else x)
        if self.places is None and not self.width:
            strangers = [key for key, _ in pairs if not isinstance(key, int)]
            if strangers:  # the first key that is no number makes them names
                return self._replace(places={})._read_named(pairs, learning)
        if self.places is not None:
            return self._read_named(pairs, learning)
        for key, value in pairs:
            if not isinstance(key, int):
                self._check(key, value)
                self._stop(Hitch.key, key)
        return self._read_numbered(pairs, learning)

    def _read_row(self, row: Any, learning: bool) -> OneRow:
        width = self.width
        if not width and self.places is None:  # the first row says how many columns there are
            width = len(row) if learning else 0
            row = row[:width]
        if len(row) != width:
            self._stop(Hitch.length, len(row))
        unsound = np.flatnonzero(~(np.abs(row) <= LARGEST_VALUE))
        if len(unsound):
            column = int(unsound[0])
            self._stop(Hitch.number, self._called(column), row[column])
        return OneRow(row.reshape(1, -1), None if self.places is None else {})

    def _read_numbered(self, pairs: Iterable[tuple[int, float]], learning: bool) -> OneRow:
        width, stored = self.width, []
        for column, value in pairs:
            if not abs(value) <= LARGEST_VALUE:
                self._stop(Hitch.number, self._called(column), value)
            if column < 0 or column >= 2**63 - 1:
                self._stop(Hitch.column, column)
            if column >= self.width:
                if not learning:
                    continue
                if self.places is not None:
                    self._stop(Hitch.column, column)
                width = max(width, column + 1)
            stored.append((column, value))
        return OneRow(_table_of(stored, width), None if self.places is None else {})

    def _read_named(self, pairs: Iterable[tuple[Hashable, float]], learning: bool) -> OneRow:
        assert self.places is not None
        fresh: dict[Hashable, int] = {}
        stored = []
        for name, value in pairs:
            self._check(name, value)
            column = self.places.get(name)
            if column is None and learning:
                column = fresh.setdefault(name, self.width + len(fresh))
            elif column is not None and column >= self.width:
                column = None  # of names that others are learning meanwhile
            if column is not None:
                stored.append((column, value))
        return OneRow(_table_of(stored, self.width + len(fresh)), fresh)

    def _check(self, name: Any, value: float) -> None:
        if not abs(value) <= LARGEST_VALUE:
            self._stop(Hitch.number, name, value)

    def _called(self, column: int) -> Any:
        """The name of a column if it has one, else its number."""
        places = self.places or {}
        return next((name for name, place in places.items() if place == column), column)

    def _stop(self, *hitch: Any) -> NoReturn:
        refuse_hitch(self.model, self.width, self.places is not None, hitch)


def _table_of(stored: list[tuple[int, float]], width: int) -> Any:
    """A CSR matrix of one row, its columns in rising order, values of the same column added."""
    stored.sort(key=lambda pair: pair[0])
    index = np.int32 if width < 2**31 else np.int64
    columns = np.array([column for column, _ in stored], dtype=index)
    values = np.array([value for _, value in stored], dtype=np.float64)
    table = sparse.csr_array((values, columns, np.array([0, len(stored)], index)), (1, width))
    table.sum_duplicates()
    return table
