"""Parquet files, read by pyarrow a part of a row group at a time."""

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from rosenblatt.features.column_kinds import as_cell
from rosenblatt.inputs.errors import InputError
from rosenblatt.readers.data import Batch
from rosenblatt.readers.sources import source_name
from rosenblatt.readers.tables import ROWS, Faults, Table, finite, several_labels


def parquet_of(source: Any) -> Any:
    """A file of pyarrow's."""
    name = source_name(source)
    if not isinstance(source, str | os.PathLike):
        what = f"{name} can't be read as Parquet, which needs a file"
        raise InputError(what, remedy="save it first")
    try:
        from pyarrow import parquet
    except ImportError as error:
        remedy = "pip install 'rosenblatt[tables]'"
        raise InputError("Parquet needs pyarrow", remedy=remedy) from error
    with damage_said(name):
        return parquet.ParquetFile(source)


@contextlib.contextmanager
def damage_said(name: str) -> Iterator[None]:
    """What pyarrow finds wrong with a file, in a sentence about it."""
    from pyarrow import ArrowException

    try:
        yield
    except MemoryError:  # which pyarrow's own is, too
        raise
    except (ArrowException, OSError) as error:
        if getattr(error, "errno", None) is not None:  # the disk, not what is on it
            raise
        raise InputError(f"{name} is no Parquet file, or a damaged one") from error


def parts_of(file: Any, name: str, **wanted: Any) -> Iterator[Any]:
    """Some rows at a time."""
    parts = file.iter_batches(**wanted)
    while True:
        with damage_said(name):
            part = next(parts, None)
        if part is None:
            return
        yield part


def first_rows(source: Any, count: int) -> tuple[tuple[str, ...], list[list[str]]]:
    """The names of the columns, and the cells of the first rows as strings."""
    with parquet_of(source) as file:
        names = tuple(file.schema_arrow.names)
        batch = next(parts_of(file, source_name(source), batch_size=count), None)
        rows = batch.to_pylist() if batch is not None else []
    return names, [[as_cell(row[name]) for name in names] for row in rows]


class ParquetTable(Table):
    """A table in a Parquet file; its rows are counted as lines, from one."""

    __module__ = "rosenblatt"

    def batches(self) -> Iterator[Batch]:
        layout = self.layout
        wanted = None if self.keeps_records else layout.read
        first = 1
        with parquet_of(self.source) as file, self._rejects.walk(self.source, self.name) as aside:
            for rows in parts_of(file, self.name, batch_size=ROWS, columns=wanted):
                faults: Faults = {}
                columns = self._columns(rows, faults)
                for k in sorted(faults):
                    name, reason = faults[k]
                    place, remedy = 1 + layout.columns.index(name), layout.remedy_for(name)
                    row = rows.slice(k, 1).to_pylist()[0]
                    line = json.dumps(row, default=str, ensure_ascii=False).encode()
                    aside.take(first + k, place, reason, line, remedy)
                lines = np.arange(first, first + len(rows))
                self.share = int(lines[-1]) / file.metadata.num_rows if len(rows) else None
                yield from self._batch(columns, lines, faults, partial(_rows_at, rows))
                first += len(rows)

    def examples_of(self, rows: Any) -> Any:
        """The examples that are rows of pyarrow's; an error where one cannot be read."""
        faults: Faults = {}
        columns = self._columns(rows, faults)
        for _, reason in faults.values():
            raise InputError(reason)
        return self._examples(columns)

    def _columns(self, rows: Any, faults: Faults) -> dict[str, Any]:
        layout = self.layout
        found = {
            name: self._column(name, rows.column(name), faults)
            for name in layout.read
            if name in layout.kinds or name == layout.label
        }
        for name, parts in layout.joined.items():
            cells = {part: [*map(as_cell, rows.column(part).to_pylist())] for part in parts}
            found[name] = layout.cells_of(name, cells)
        return found

    def _column(self, name: str, array: Any, faults: Faults) -> Any:
        from pyarrow import types

        kind = array.type
        if self.layout.kinds.get(name) == "number" and (
            types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)
        ):
            return finite(array.cast("float64").to_numpy(zero_copy_only=False), name, faults)
        values = array.to_pylist()
        if name == self.layout.label and self.layout.target.kind != "labels":
            for k, value in enumerate(values):
                if isinstance(value, list | dict):
                    faults[k] = (name, several_labels(name, value))
        return self._converted(name, [as_cell(value) for value in values], faults)


def _rows_at(rows: Any, places: Sequence[int]) -> Any:
    """Some of the rows; itself if these are all."""
    return rows if len(places) == len(rows) else rows.take(list(places))
