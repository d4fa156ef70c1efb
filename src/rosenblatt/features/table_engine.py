"""What a TableVectorizer has learned: the columns of a table, and the features made of them."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt.features.column_kinds import KINDS, enumerated
from rosenblatt.features.examples import Records
from rosenblatt.features.table_cells import NO_VALUE, as_numbers, as_strings, cells_of, column_names
from rosenblatt.features.text_engine import Words
from rosenblatt.features.vocabularies import Rows
from rosenblatt.inputs.parts import (
    MOST_COUNTED,
    Arrays,
    Facts,
    check_array,
    has_shape,
    packed_names,
    require,
    unpacked_names,
    within,
)
from rosenblatt.inputs.sparse import row_numbers

SCALES = ("auto", "standard", "spread")


@dataclass
class NumberColumn:
    """A column of numbers: its feature, perhaps one for unknown ones, and how numbers spread.

    Sums run one number after the other from the first on, so that they are the same to the last
    bit however the rows are cut into batches.
    """

    __module__ = "rosenblatt"

    place: int
    unknown: int = -1
    """The feature that marks unknown numbers, once there was one."""
    count: int = 0
    zeros: int = 0
    first: float = 0.0
    sum: float = 0.0
    """Of what numbers are more than the first."""
    squares: float = 0.0

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


class TableColumns:
    """Turns the columns of a table into features, whose numbers stay as they are while more come.

    Needs neither scikit-learn nor SciPy.

    Parameters
    ----------
    kinds : dict of str to {"number", "category", "text"}
        The columns of the table that count.

    scale : {"auto", "standard", "spread"} or None
        See `TableVectorizer`.
    """

    __module__ = "rosenblatt"

    takes: ClassVar = Records
    part: ClassVar = "table_columns"
    """What a file calls it."""

    def __init__(self, kinds: Mapping[str, str], scale: str | None) -> None:
        self.kinds = dict(kinds)
        self.scale = scale
        self.width = 0
        self.numbers = {name: NumberColumn(self._new_place()) for name in self._of_kind("number")}
        self.categories: dict[str, dict[str, int]] = {n: {} for n in self._of_kind("category")}
        self.words: dict[str, Words] = {}
        self.places = {name: np.zeros(0, dtype=np.int64) for name in self._of_kind("text")}
        """The features of the words of each column of text."""

    def snapshot(self) -> Self:
        """What is known now, which stays as it is while more is learned."""
        now = copy(self)
        now.categories = {name: known.copy() for name, known in self.categories.items()}
        now.words = {name: words.snapshot() for name, words in self.words.items()}
        now.places = self.places.copy()
        return now

    def learn(self, table: Any, learn_words: Callable[[str, Any], None]) -> None:
        """Learn from a table; new features come after those there are.

        Documents are learned from by `learn_words`, which gets the name of their column with them;
        their features are numbered by `place_words`.
        """
        read = self._read(table)
        learned = {
            name: column.after(read[name][~np.isnan(read[name])])
            for name, column in self.numbers.items()
        }
        for name, column in learned.items():
            if not np.isfinite(column.squares):
                raise ValueError(f"Column {name!r} holds numbers too large to be scaled.")
        for name in self.places:
            learn_words(name, read[name])
        for name, column in learned.items():
            if column.unknown < 0 and np.isnan(read[name]).any():
                column.unknown = self._new_place()
        self.numbers = learned
        for name, known in self.categories.items():
            for value in read[name]:
                if value not in known:
                    known[value] = self._new_place()

    def place_words(self) -> None:
        """Give features to words that have none yet, after those there are."""
        for name, words in self.words.items():
            places = self.places[name]
            width = self.width + words.width - len(places)
            self.places[name] = np.concatenate([places, np.arange(self.width, width)])
            self.width = width

    def renumber(self) -> None:
        """Number all features anew as if they had been learned from one table."""
        self.width = 0
        for column in self.numbers.values():
            column.place = self._new_place()
        for column in self.numbers.values():
            if column.unknown >= 0:
                column.unknown = self._new_place()
        for known in self.categories.values():
            for value in known:
                known[value] = self._new_place()
        self.places = {name: np.zeros(0, dtype=np.int64) for name in self.places}
        self.place_words()

    def rows(self, table: Any) -> Rows:
        """indptr, indices and data of a sparse matrix with `width` columns, in order."""
        read = self._read(table)
        words = {name: words.snapshot().rows(read[name]) for name, words in self.words.items()}
        return self._rows(read, words)

    def counted_rows(self, table: Any) -> tuple[Rows, NDArray[np.int64], NDArray[np.int64]]:
        """The rows, and how many words and categories of each row are known of how many it has.

        Where there are numbers alone, which always are known, one of one.
        """
        read = self._read(table)
        counted = {name: of.snapshot().counted_rows(read[name]) for name, of in self.words.items()}
        there = np.zeros(len(next(iter(read.values()))), dtype=np.int64)
        known = there.copy()
        for _, own, of in counted.values():
            known, there = known + own, there + of
        for name, values in self.categories.items():
            has = np.array([value != NO_VALUE for value in read[name]], dtype=np.bool_)
            there += has
            known += has & np.array([value in values for value in read[name]], dtype=np.bool_)
        if not (self.words or self.categories):
            known, there = known + 1, there + 1
        return self._rows(read, {name: rows for name, (rows, *_) in counted.items()}), known, there

    def _rows(self, read: dict[str, Any], words: dict[str, Rows]) -> Rows:
        """From cells, and the rows of the words of each column of text."""
        found = [
            *(self._number_features(name, read[name]) for name in self.numbers),
            *(self._category_features(name, read[name]) for name in self.categories),
            *(self._word_features(name, *rows) for name, rows in words.items()),
        ]
        rows, columns, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.argsort(rows * self.width + columns, kind="stable")  # quick: a few sorted runs
        count = len(next(iter(read.values())))
        ends = np.cumsum(np.bincount(rows, minlength=count))
        return np.concatenate([[0], ends]), columns[order], values[order]

    def names(self) -> NDArray[np.object_]:
        """What the features are called."""
        names = np.empty(self.width, dtype=object)
        for name, column in self.numbers.items():
            names[column.place] = name
            if column.unknown >= 0:
                names[column.unknown] = f"{name}={NO_VALUE}"
        for name, known in self.categories.items():
            for value, place in known.items():
                names[place] = f"{name}={value}"
        for name, words in self.words.items():
            names[self.places[name]] = self._prefix(name) + words.names()
        return names

    def name(self, feature: int) -> str:
        """What one feature is called."""
        for name, places in self.places.items():
            at = int(np.searchsorted(places, feature))
            if at < len(places) and places[at] == feature:
                return self._prefix(name) + self.words[name].name(at)
        return str(self.names()[feature])

    def facts(self) -> Facts:
        """What JSON can say."""
        return {
            "kinds": [list(pair) for pair in self.kinds.items()],
            "scale": self.scale,
            "words": [words.facts() for words in self.words.values()],
        }

    def arrays(self) -> Arrays:
        """The rest; categories and words by the number of their column."""
        numbers = list(self.numbers.values())
        arrays: Arrays = {
            "number_counts": np.array(
                [(n.place, n.unknown, n.count, n.zeros) for n in numbers], dtype=np.int64
            ).reshape(-1, 4),
            "number_sums": np.array(
                [(n.first, n.sum, n.squares) for n in numbers], dtype=np.float64
            ).reshape(-1, 3),
        }
        for k, known in enumerate(self.categories.values()):
            arrays[f"categories{k}.names"] = packed_names(list(known))
            arrays[f"categories{k}.places"] = np.array(list(known.values()), dtype=np.int64)
        for k, (name, words) in enumerate(self.words.items()):
            arrays[f"words{k}.places"] = self.places[name]
            arrays |= {f"words{k}.{key}": array for key, array in words.arrays().items()}
        return arrays

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> Self:
        """The same again; a ValueError of one sentence for what cannot be right."""
        require(facts.keys() == {"kinds", "scale", "words"}, "its table is not described")
        built = cls(_kinds_of(facts["kinds"]), facts["scale"])
        require(built.scale in (None, *SCALES), "it scales numbers in a way that is not known")
        counts = check_array(arrays.get("number_counts"), np.int64, (len(built.numbers), 4))
        sums = check_array(arrays.get("number_sums"), np.float64, (len(built.numbers), 3))
        require(bool(np.isfinite(sums).all()), "its numbers have sums that are not finite")
        for column, whole, real in zip(
            built.numbers.values(), counts.tolist(), sums.tolist(), strict=True
        ):
            column.place, column.unknown, column.count, column.zeros = whole
            column.first, column.sum, column.squares = real
            sound = 0 <= column.zeros <= column.count <= MOST_COUNTED
            require(sound, "its numbers are counted wrongly")
        for k, name in enumerate(built.categories):
            own = within(f"categories{k}", arrays)
            values = unpacked_names(own.get("names"))
            places = check_array(own.get("places"), np.int64, (len(values),))
            built.categories[name] = dict(zip(map(str, values), places.tolist(), strict=True))
        texts = facts["words"]
        require(isinstance(texts, list) and len(texts) == len(built.places), "words are missing")
        for k, (name, words) in enumerate(zip([*built.places], texts, strict=True)):
            own = within(f"words{k}", arrays)
            places = check_array(own.pop("places", None), np.int64)
            built.words[name] = Words.build(words, own)
            require(len(places) == built.words[name].width, "its words have no features")
            built.places[name] = places
        built._require_each_place_once()
        return built

    def _require_each_place_once(self) -> None:
        places = [
            *(column.place for column in self.numbers.values()),
            *(column.unknown for column in self.numbers.values() if column.unknown != -1),
            *(place for known in self.categories.values() for place in known.values()),
        ]
        taken = np.concatenate([np.array(places, dtype=np.int64), *self.places.values()])
        self.width = len(taken)
        require(
            np.array_equal(np.sort(taken), np.arange(self.width))
            and all(bool(np.all(np.diff(p) > 0)) for p in self.places.values()),
            "the features of its table are not numbered one by one",
        )

    def _of_kind(self, kind: str) -> list[str]:
        return [name for name, its in self.kinds.items() if its == kind]

    def _prefix(self, name: str) -> str:
        return "" if len(self.kinds) == 1 else f"{name}:"

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

    def _word_features(
        self, name: str, indptr: NDArray[Any], columns: NDArray[Any], values: NDArray[Any]
    ) -> tuple[Any, ...]:
        rows, places = row_numbers(indptr), self.places[name]
        placed = columns < len(places)  # which another thread may be about to give
        return rows[placed], places[columns[placed]], values[placed]

    def _read(self, table: Any) -> dict[str, Any]:
        """The columns that count: floats, or lists of strings."""
        present = column_names(table)
        known = set(present)
        missing = [name for name in self.kinds if name not in known]
        if missing:
            raise ValueError(
                f"The table has no column {missing[0]!r}: it has {enumerated(present) or 'none'}."
            )
        read = {
            name: as_numbers(name, cells_of(table, name))
            if kind == "number"
            else as_strings(cells_of(table, name), kind)
            for name, kind in self.kinds.items()
        }
        lengths = {name: len(cells) for name, cells in read.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"The columns of the table differ in length: {lengths}.")
        return read


def _kinds_of(pairs: Any) -> dict[str, str]:
    sound = bool(pairs) and has_shape(pairs, [(str, lambda kind: kind in KINDS)])
    require(sound, "the columns of its table are not described")
    kinds: dict[str, str] = dict(pairs)
    require(len(kinds) == len(pairs), "its table has two columns of one name")
    return kinds
