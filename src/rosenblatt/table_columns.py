"""What a TableVectorizer has learned: the columns of a table, and the features made of them."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt.facts import (
    Arrays,
    Facts,
    check_array,
    is_whole,
    packed_names,
    require,
    unpacked_names,
    within,
)
from rosenblatt.formats.guessing import KINDS, as_cell, is_missing, listed
from rosenblatt.words import Words

NO_VALUE = "missing"
"""What a feature is called, after the column and =, that marks cells without a value."""


class Numbers:
    """A column of numbers: its feature, perhaps one for unknown ones, and how numbers spread.

    Sums run one number after the other from the first on, so that they are the same to the last
    bit however the rows are cut into batches.
    """

    def __init__(self, place: int) -> None:
        self.place = place
        self.unknown = -1
        """The feature that marks unknown numbers, once there was one."""
        self.count = 0
        self.zeros = 0
        self.first = 0.0
        self.sum = 0.0
        """Of what numbers are more than the first."""
        self.squares = 0.0

    @classmethod
    def build(cls, told: Facts) -> Self:
        """The same from what vars() told a file."""
        column = cls(0)
        whole = ("place", "count", "zeros")
        require(
            told.keys() == vars(column).keys()
            and all(is_whole(told[name]) for name in whole)
            and (told["unknown"] == -1 or is_whole(told["unknown"]))
            and all(type(told[name]) is float for name in ("first", "sum", "squares")),
            "its numbers are not told.",
        )
        vars(column).update(told)
        return column

    def after(self, numbers: NDArray[np.float64]) -> Self:
        """The same once these numbers are learned from too."""
        after = copy(self)
        if not len(numbers):
            return after
        if not self.count:
            after.first = float(numbers[0])
        with np.errstate(over="ignore", invalid="ignore"):
            above = numbers - after.first
            after.sum = float(np.add.accumulate(np.append(self.sum, above))[-1])
            after.squares = float(np.add.accumulate(np.append(self.squares, above * above))[-1])
        after.count += len(numbers)
        after.zeros += int(np.count_nonzero(numbers == 0.0))
        return after

    def scaling(self, scale: str | None) -> tuple[float, float]:
        """What is subtracted from numbers, and what they are then divided by."""
        if scale is None or not self.count:
            return 0.0, 1.0
        mean = self.sum / self.count
        spread = float(np.sqrt(max(0.0, self.squares / self.count - mean * mean)))
        centred = scale == "standard" or (scale == "auto" and 2 * self.zeros <= self.count)
        return (self.first + mean if centred else 0.0), spread or 1.0


class Columns:
    """Turns the columns of a table into features, whose numbers stay as they are while more come.

    Parameters
    ----------
    kinds : dict of str to {"number", "category", "text"}
        The columns of the table that count.

    scale : {"auto", "standard", "spread"} or None
        See `TableVectorizer`.

    new_words : function
        Makes a vectorizer of documents, not yet fitted, for a column of text.
    """

    def __init__(
        self, kinds: Mapping[str, str], scale: str | None, new_words: Callable[[], Any]
    ) -> None:
        self.kinds = dict(kinds)
        self.scale = scale
        self.width = 0
        self.numbers: dict[str, Numbers] = {}
        self.categories: dict[str, dict[str, int]] = {}
        self.words: dict[str, Any] = {}
        self.places: dict[str, NDArray[np.int64]] = {}
        """The features of the words of each column of text."""
        for name, kind in self.kinds.items():
            if kind == "number":
                self.numbers[name] = Numbers(self._new_place())
            elif kind == "category":
                self.categories[name] = {}
            else:
                self.words[name] = new_words()
                self.places[name] = np.zeros(0, dtype=np.int64)

    def learn(self, table: Any, *, further: bool) -> None:
        """Learn from a table; from a further one, new features come after those there are."""
        read = self._read(table)
        learned = {
            name: column.after(read[name][~np.isnan(read[name])])
            for name, column in self.numbers.items()
        }
        for name, column in learned.items():
            if not np.isfinite(column.squares):
                raise ValueError(f"Column {name!r} holds numbers too large to be scaled.")
        for name, words in self.words.items():
            (words.partial_fit if further else words.fit)(read[name])
            count = len(words.get_feature_names_out()) - len(self.places[name])
            more = np.arange(self.width, self.width + count)
            self.places[name] = np.concatenate([self.places[name], more])
            self.width += count
        for name, column in learned.items():
            if column.unknown < 0 and np.isnan(read[name]).any():
                column.unknown = self._new_place()
        self.numbers = learned
        for name, known in self.categories.items():
            for value in read[name]:
                if value not in known:
                    known[value] = self._new_place()

    def rows(self, table: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """The features of each row: indptr, indices and data of a sparse matrix, in order."""
        read = self._read(table)
        count = len(next(iter(read.values())))
        found = [
            *(self._number_features(name, read[name]) for name in self.numbers),
            *(self._category_features(name, read[name]) for name in self.categories),
            *(self._word_features(name, read[name]) for name in self.words),
        ]
        rows, columns, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.lexsort((columns, rows))
        bounds = np.append(0, np.cumsum(np.bincount(rows, minlength=count)))
        return bounds, columns[order], values[order]

    def names(self) -> NDArray[np.object_]:
        names = np.empty(self.width, dtype=object)
        for name, column in self.numbers.items():
            names[column.place] = name
            if column.unknown >= 0:
                names[column.unknown] = f"{name}={NO_VALUE}"
        for name, known in self.categories.items():
            for value, place in known.items():
                names[place] = f"{name}={value}"
        for name, words in self.words.items():
            found = _plain(words).names()
            names[self.places[name]] = found if len(self.kinds) == 1 else f"{name}:" + found
        return names

    def name(self, column: int) -> str:
        """What one feature is called, without naming all of them."""
        for name, number in self.numbers.items():
            if column in (number.place, number.unknown):
                return name if column == number.place else f"{name}={NO_VALUE}"
        for name, known in self.categories.items():
            for value, place in known.items():
                if place == column:
                    return f"{name}={value}"
        for name, words in self.words.items():
            for place in np.flatnonzero(self.places[name] == column):
                word = _plain(words).name(int(place))
                return word if len(self.kinds) == 1 else f"{name}:{word}"
        raise IndexError(f"There is no feature {column}.")

    def facts(self) -> Facts:
        return {
            "kinds": [list(pair) for pair in self.kinds.items()],
            "scale": self.scale,
            "width": self.width,
            "numbers": [vars(column) for column in self.numbers.values()],
            "words": [_plain(words).facts() for words in self.words.values()],
        }

    def arrays(self) -> Arrays:
        arrays: Arrays = {}
        for k, known in enumerate(self.categories.values()):
            arrays[f"categories.{k}.names"] = packed_names(list(known))
            arrays[f"categories.{k}.places"] = np.array(list(known.values()), dtype=np.int64)
        for k, (name, words) in enumerate(self.words.items()):
            arrays[f"places.{k}"] = self.places[name]
            arrays |= {f"words.{k}.{key}": one for key, one in _plain(words).arrays().items()}
        return arrays

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> "Columns":
        kinds, scale = dict(facts["kinds"]), facts["scale"]
        require(
            all(type(name) is str and kind in KINDS for name, kind in kinds.items())
            and len(kinds) == len(facts["kinds"])
            and scale in ("auto", "standard", "spread", None),
            "its columns are not told.",
        )
        columns = cls(kinds, scale, lambda: None)
        columns.width = facts["width"]
        for name, told in zip(columns.numbers, facts["numbers"], strict=True):
            columns.numbers[name] = Numbers.build(told)
        for k, name in enumerate(columns.categories):
            own = within(f"categories.{k}", arrays)
            names = unpacked_names(own.get("names"))
            places = check_array(own.get("places"), np.int64, (len(names),))
            require(all(type(each) is str for each in names), "its categories are not names.")
            columns.categories[name] = dict(zip(map(str, names), places.tolist(), strict=True))
        for k, (name, told) in enumerate(zip(columns.words, facts["words"], strict=True)):
            columns.words[name] = words = Words.build(told, within(f"words.{k}", arrays))
            columns.places[name] = check_array(arrays.get(f"places.{k}"), np.int64, (words.width,))
        columns._check_places()
        return columns

    def _check_places(self) -> None:
        """Refuse features that are not numbered from zero on, each once."""
        numbers = [[column.place, column.unknown] for column in self.numbers.values()]
        places = np.concatenate(
            [
                np.array([place for pair in numbers for place in pair if place >= 0], np.int64),
                *(np.array(list(known.values()), np.int64) for known in self.categories.values()),
                *self.places.values(),
            ]
        )
        require(
            is_whole(self.width) and np.array_equal(np.sort(places), np.arange(self.width)),
            "its features are not numbered.",
        )

    def _new_place(self) -> int:
        self.width += 1
        return self.width - 1

    def _number_features(self, name: str, cells: NDArray[np.float64]) -> tuple[Any, ...]:
        column = self.numbers[name]
        centre, spread = column.scaling(self.scale)
        values = (cells - centre) / spread
        known = np.flatnonzero(~np.isnan(cells) & (values != 0.0))
        unknown = np.flatnonzero(np.isnan(cells)) if column.unknown >= 0 else known[:0]
        return (
            np.concatenate([known, unknown]),
            np.repeat([column.place, column.unknown], [len(known), len(unknown)]),
            np.concatenate([values[known], np.ones(len(unknown))]),
        )

    def _category_features(self, name: str, cells: Sequence[str]) -> tuple[Any, ...]:
        known = self.categories[name]
        places = np.array([known.get(cell, -1) for cell in cells], dtype=np.int64)
        rows = np.flatnonzero(places >= 0)
        return rows, places[rows], np.ones(len(rows))

    def _word_features(self, name: str, cells: Sequence[str]) -> tuple[Any, ...]:
        bounds, columns, values = _plain(self.words[name]).rows(cells)
        rows = np.repeat(np.arange(len(cells)), np.diff(bounds))
        return rows, self.places[name][columns], values

    def _read(self, table: Any) -> dict[str, Any]:
        """The columns that count: floats, or lists of strings."""
        present = column_names(table)
        missing = [name for name in self.kinds if name not in present]
        if missing:
            raise ValueError(
                f"The table has no column {missing[0]!r}: it has {listed(present) or 'none'}."
            )
        read = {
            name: as_numbers(name, cells_of(table, name))
            if kind == "number"
            else _strings(cells_of(table, name), kind)
            for name, kind in self.kinds.items()
        }
        lengths = {name: len(cells) for name, cells in read.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"The columns of the table differ in length: {lengths}.")
        return read


def _plain(words: Any) -> Words:
    """The words of a TextVectorizer, or words as a file had them."""
    plain: Words = getattr(words, "words_", words)
    return plain


def column_names(table: Any) -> list[str]:
    """The names of the columns of a table of any library, or of a dict of lists."""
    names = getattr(table, "column_names", None)  # pyarrow
    if names is None:
        columns = table if isinstance(table, Mapping) else getattr(table, "columns", None)
        names = columns if columns is None else list(columns)
    if names is None or isinstance(table, str | bytes):
        raise TypeError(
            "A table must be a data frame, a pyarrow Table or a dict of lists, got "
            f"{type(table).__name__}."
        )
    return list(names)


def cells_of(table: Any, name: str) -> Sequence[Any]:
    """A column as an array or a list."""
    columns = getattr(table, "columns", None)
    column = columns[name] if isinstance(columns, Mapping) else table[name]
    for listing in ("to_pylist", "to_list"):
        if hasattr(column, listing):
            cells: Sequence[Any] = getattr(column, listing)()
            return cells
    if isinstance(column, str | bytes) or not hasattr(column, "__len__"):
        raise TypeError(f"Column {name!r} must be a list, got {type(column).__name__}.")
    return column  # type: ignore[no-any-return]


def as_numbers(name: str, cells: Sequence[Any]) -> NDArray[np.float64]:
    """Floats, NaN where the number is not known."""
    try:
        numbers = np.array(cells, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.array([_number(name, k, cell) for k, cell in enumerate(cells)], dtype=float)
    if np.isinf(numbers).any():
        row = int(np.flatnonzero(np.isinf(numbers))[0])
        raise ValueError(f"Row {row} of column {name!r} must be a finite number, got {cells[row]}.")
    return numbers


def _number(name: str, row: int, cell: Any) -> float:
    if isinstance(cell, str) and is_missing(cell):
        return np.nan
    try:
        return float(cell)
    except (TypeError, ValueError):
        if str(cell) == "<NA>":  # of pandas
            return np.nan
        raise ValueError(f"Row {row} of column {name!r} must be a number, got {cell!r}.") from None


def _strings(cells: Sequence[Any], kind: str) -> list[str]:
    strings = [as_cell(cell) for cell in cells]
    if kind == "category":
        return [cell if cell.strip() else NO_VALUE for cell in strings]
    return strings
