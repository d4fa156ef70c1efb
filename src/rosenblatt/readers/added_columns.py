"""New columns beside those of a table, whose rows stay as they stand in its file."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rosenblatt.inputs.errors import InputError
from rosenblatt.readers.data import Batch, Data
from rosenblatt.readers.tables import Layout, Table
from rosenblatt.readers.written_tables import row_groups

Widened = Iterable[tuple[Batch, Sequence[Sequence[Any]]]]
"""Batches whose table keeps its records, and the new columns of each."""


def keep_records(data: Data) -> Layout:
    """Let a table keep its rows as they stand; its layout. An error where columns cannot be added.

    To be called before the first walk over the data.
    """
    if not isinstance(data, Table) or data.format == "arff":
        raise InputError(
            "Columns can be added to CSV, TSV, JSON lines and Parquet only, and "
            f"{data.name} is {data.format}"
        )
    data.keeps_records = True
    return data.layout


def free_name(name: str, columns: Sequence[str]) -> str:
    """What to call a new column: so, or with a number if a column is called so already."""
    free, number = name, 2
    while free in columns:
        free, number = f"{name}_{number}", number + 1
    return free


def beside(layout: Layout, names: Sequence[str], batches: Widened) -> Iterator[bytes]:
    """The file again in its own format, with new columns of these names after its own."""
    if layout.format == "parquet":
        return row_groups(_widened(names, batches))
    return (_objects if layout.format == "jsonl" else _separated)(layout, names, batches)


def _separated(layout: Layout, names: Sequence[str], batches: Widened) -> Iterator[bytes]:
    """Lines with further cells at their ends; a row of names only if the file has one."""
    mark = layout.delimiter
    ends = b" \r\n" if mark == " " else b"\r\n"
    if layout.header:
        yield _cells([*layout.columns, *names], mark) + b"\n"
    for batch, columns in batches:
        rows = zip(batch.records, zip(*columns, strict=True), strict=True)
        yield b"".join(
            line.rstrip(ends) + mark.encode() + _cells(new, mark) + b"\n" for line, new in rows
        )


def _cells(cells: Iterable[Any], delimiter: str) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="").writerow(cells)
    return text.getvalue().encode("utf-8", "replace")


def _objects(layout: Layout, names: Sequence[str], batches: Widened) -> Iterator[bytes]:
    """Objects with further members at their ends."""
    for batch, columns in batches:
        lines = []
        for line, new in zip(batch.records, zip(*columns, strict=True), strict=True):
            members = json.dumps(dict(zip(names, new, strict=True)), ensure_ascii=False)
            begin = line.rstrip()[:-1].rstrip()
            comma = b"" if begin == b"{" else b", "
            lines.append(begin + comma + members[1:].encode("utf-8", "replace") + b"\n")
        yield b"".join(lines)


def _widened(names: Sequence[str], batches: Widened) -> Iterator[Any]:
    """Tables of pyarrow's with further columns, those of the file in their own types."""
    import pyarrow as pa

    for batch, columns in batches:
        rows = pa.Table.from_batches([batch.records])
        for name, cells in zip(names, columns, strict=True):
            rows = rows.append_column(name, pa.array(cells))
        yield rows
