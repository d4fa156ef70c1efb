"""Tables: CSV, TSV and JSON lines as batches of columns, or of texts if they hold no more."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt.features.column_kinds import as_cell, as_number, enumerated, is_missing
from rosenblatt.features.examples import Records, Texts
from rosenblatt.inputs.errors import Words
from rosenblatt.readers.arff import arff_records
from rosenblatt.readers.data import Batch, FileData
from rosenblatt.readers.rejects import MEND, RejectSink, quoted
from rosenblatt.readers.table_rows import JsonLine, Lines, Record, json_objects, place_of, separated
from rosenblatt.readers.targets import ALL_OF_THEM, ONE_LABEL, Target

ROWS = 4096
"""Rows in a batch, at most."""
BYTES = 1 << 23
"""Bytes of the file in a batch, about."""

Faults = dict[int, tuple[str, str]]
"""Rows of a batch that can't be learned from: the column at fault, and why."""


@dataclass(frozen=True)
class Layout:
    """How a table is understood."""

    __module__ = "rosenblatt"

    format: str
    columns: tuple[str, ...]
    """All that the file has, in its order."""
    label: str | None
    kinds: Mapping[str, str]
    """Of the columns that are learned from: "number", "category" or "text"."""
    joined: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The feature that is read from other columns than the one of its name, and those."""
    ignored: Mapping[str, str] = field(default_factory=dict)
    """The other columns and why they teach nothing, if that is the reason."""
    guessed: bool = False
    """Whether nobody named the label."""
    header: bool = True
    delimiter: str = ","
    target: Target = ONE_LABEL
    """What the label column holds."""

    @property
    def only_text(self) -> str | None:
        """The one feature column, if it is text."""
        (name, kind), *others = self.kinds.items()
        return name if kind == "text" and not others else None

    def describe(self) -> str:
        parts = [self.format]
        if self.label is not None:
            parts.append(self.target.described(self.label) + (" (guessed)" if self.guessed else ""))
        for kind in ("text", "number", "category"):
            names = [f'"{name}"' for name, of in self.kinds.items() if of == kind]
            if names:
                many = {"text": "text", "number": "numbers", "category": "categories"}
                parts.append(f"{kind if len(names) == 1 else many[kind]} {enumerated(names, 6)}")
        return ", ".join(parts) + (f"; ignored: {self._reasons()}" if self.ignored else "")

    def _reasons(self) -> str:
        """The columns that are ignored, and why where they teach nothing."""
        alike: dict[str, list[str]] = {}
        for name, why in self.ignored.items():
            alike.setdefault(why, []).append(name)
        return ", ".join(
            enumerated(names, 6) + (f" ({why})" if why else "") for why, names in alike.items()
        )

    def settings(self) -> dict[str, Any]:
        known: dict[str, Any] = {"label": self.label, "kinds": dict(self.kinds)}
        if self.format in ("csv", "tsv"):
            known |= {"header": self.header, "delimiter": self.delimiter}
        if not self.header:
            known["columns"] = list(self.columns)
        for names in self.joined.values():
            known["text"] = list(names)
        return known

    @property
    def read(self) -> list[str]:
        """The columns of the file that are needed."""
        features = [column for name in self.kinds for column in self.joined.get(name, [name])]
        return [*dict.fromkeys([*features, *([self.label] if self.label else [])])]

    def remedy_for(self, name: str) -> Words:
        """What to do about cells of a column that cannot be read."""
        return self.target.remedy if name == self.label else MEND

    def cells_of(self, name: str, columns: Mapping[str, Sequence[str]]) -> Sequence[str]:
        """The cells of a feature or of the label; of several columns of text, one text."""
        parts = [columns[column] for column in self.joined.get(name, [name])]
        return parts[0] if len(parts) == 1 else [*map(" ".join, zip(*parts, strict=True))]


def several_labels(name: str | None, label: Any) -> str:
    """What is wrong with a label that is not one."""
    got = quoted(json.dumps(label, ensure_ascii=False, default=str))
    return f"expected one label in {name!r}, got {got}"


@dataclass(eq=False, repr=False)
class Table(FileData):
    """A table opened as its layout says."""

    layout: Layout
    keeps_records: bool = field(default=False, init=False)
    """Whether batches hold the rows as they stand in the file, too."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.format, self._target = self.layout.format, self.layout.target

    def vectorizer(self) -> Any:
        if self.layout.only_text is not None:
            return super().vectorizer()
        from rosenblatt.features.table import TableVectorizer

        return TableVectorizer(kinds=dict(self.layout.kinds))

    def describe(self) -> str:
        return self._described(self.layout.describe())

    def settings(self) -> dict[str, Any]:
        return super().settings() | self.layout.settings()

    def with_all_columns(self) -> Self:
        """The same table with the columns that were ignored, as words."""
        layout = self.layout
        kinds = {name: layout.kinds.get(name, "category") for name in layout.columns}
        kinds.pop(layout.label or "", None)
        other = copy(self)
        other.layout = replace(layout, kinds=kinds, joined={}, ignored={})
        return other

    def _examples(self, columns: dict[str, Any]) -> Texts | Records:
        if self.layout.only_text is not None:
            return Texts.of(columns[self.layout.only_text])
        return Records(columns)

    def _converted(self, name: str, cells: Sequence[str], faults: Faults) -> Any:
        """A column as it is learned from; rows that can't be are noted with column and reason."""
        if name == self.layout.label and self.layout.target:
            alone = self.layout.format in ("jsonl", "parquet")
            found = self.layout.target.read(cells, alone=alone)
            for k, wrong in found.faults.items():
                faults.setdefault(k, (name, wrong))
            return found.answers
        if name == self.layout.label:
            for k, cell in enumerate(cells):
                if not cell.strip():
                    faults.setdefault(k, (name, f"the label, column {name!r}, is empty"))
        elif self.layout.kinds[name] == "number":
            return _numbers(cells, name, faults)
        return cells

    def _batch(
        self,
        columns: dict[str, Any],
        lines: NDArray[np.int64],
        faults: Faults,
        chosen: Callable[[Sequence[int]], Any],
    ) -> Iterator[Batch]:
        """The rows without a fault, if there are any; `chosen` gives some as they stand."""
        sound = [k for k in range(len(lines)) if k not in faults] if faults else range(len(lines))
        labels = columns.pop(self.layout.label) if self.layout.label else None
        if labels is not None and not self.layout.target:
            labels = np.array(labels)
        if faults:
            places = np.array(sound, dtype=np.int64)
            lines, labels = lines[places], None if labels is None else labels[places]
            columns = Records(columns).at(places).columns
        if len(lines):
            yield Batch(
                self._examples(columns),
                labels,
                lines,
                records=chosen(sound) if self.keeps_records else None,
            )


class TextTable(Table):
    """A table in a file of lines."""

    __module__ = "rosenblatt"

    def batches(self) -> Iterator[Batch]:
        with self._opened() as (source, aside):
            lines = Lines(source, int(self.max_line))
            gathered: list[Record] = []
            size = 0
            for record in self._sound(self._records(lines, aside), aside):
                gathered.append(record)
                size += len(record.text)
                if len(gathered) == ROWS or size > BYTES:
                    self.share = source.share
                    yield from self._gathered(gathered, aside)
                    gathered, size = [], 0
            if gathered:
                yield from self._gathered(gathered, aside)

    def _records(self, lines: Lines, aside: RejectSink) -> Iterator[Record]:
        layout = self.layout
        if layout.format == "jsonl":
            several = layout.target.kind == "labels"
            objects = json_objects if several else self._of_one_label
            for line, value, text in objects(lines, aside):
                yield Record(line, [as_cell(value.get(name)) for name in layout.columns], text)
        elif layout.format == "arff":
            yield from arff_records(lines, aside)
        else:
            records = separated(lines, layout.delimiter, aside)
            if layout.header:
                next(records, None)
            yield from records

    def _of_one_label(self, lines: Lines, aside: RejectSink) -> Iterator[JsonLine]:
        """The objects whose label is no list of labels."""
        for line, value, text in json_objects(lines, aside):
            label = value.get(self.layout.label) if self.layout.label else None
            if isinstance(label, list | dict):
                at = text.find(json.dumps(self.layout.label, ensure_ascii=False).encode())
                reason = several_labels(self.layout.label, label)
                aside.take(line, max(0, at) + 1, reason, text, ALL_OF_THEM)
            else:
                yield line, value, text

    def _sound(self, records: Iterator[Record], aside: RejectSink) -> Iterator[Record]:
        """Those with as many cells as there are columns."""
        width = len(self.layout.columns)
        for record in records:
            if len(record.cells) == width:
                yield record
            else:
                place = self._place(record, min(width, len(record.cells)))
                reason = f"expected {width} columns, got {len(record.cells)}"
                aside.take(*place, reason, record.text.rstrip(b"\r\n"))

    def _gathered(self, records: list[Record], aside: RejectSink) -> Iterator[Batch]:
        names, faults = self.layout.columns, Faults()
        cells = dict(zip(names, zip(*(r.cells for r in records), strict=True), strict=True))
        columns = {
            name: self._converted(name, self.layout.cells_of(name, cells), faults)
            for name in (*self.layout.kinds, *([self.layout.label] if self.layout.label else []))
        }
        for k in sorted(faults):
            name, reason = faults[k]
            place = self._place(records[k], names.index(name))
            remedy = self.layout.remedy_for(name)
            aside.take(*place, reason, records[k].text.rstrip(b"\r\n"), remedy)
        lines = np.array([record.line for record in records], dtype=np.int64)
        yield from self._batch(columns, lines, faults, lambda rows: [records[k].text for k in rows])

    def _place(self, record: Record, column: int) -> tuple[int, int]:
        if self.format == "jsonl":
            name = json.dumps(self.layout.columns[column], ensure_ascii=False).encode()
            return record.line, max(0, record.text.find(name)) + 1
        return place_of(record, column, self.layout.delimiter)


def _numbers(cells: Sequence[str], name: str, faults: Faults) -> NDArray[np.float64]:
    try:
        # All cells are looked at for what only Python takes for numbers at once, which is quick.
        as_python = "".join(cells)
        convert = as_number if "_" in as_python or not as_python.isascii() else float
        numbers = np.fromiter(map(convert, cells), dtype=np.float64, count=len(cells))
    except ValueError:
        numbers = np.full(len(cells), np.nan)
        for k, cell in enumerate(cells):
            try:
                numbers[k] = np.nan if is_missing(cell) else as_number(cell)
            except ValueError:
                got = quoted(cell)
                reason = f"expected a number in column {name!r} as in rows before, got {got}"
                faults.setdefault(k, (name, reason))
    return finite(numbers, name, faults)


def finite(numbers: NDArray[np.float64], name: str, faults: Faults) -> NDArray[np.float64]:
    """The same numbers, once those that are infinite are noted."""
    for k in np.flatnonzero(np.isinf(numbers)):
        faults.setdefault(int(k), (name, f"expected a finite number in column {name!r}"))
    return numbers
