"""Examples as CSV, TSV, JSON lines and Parquet."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from rosenblatt.features.column_kinds import as_cell
from rosenblatt.features.examples import Examples, Records
from rosenblatt.readers.data import Batch, label_list
from rosenblatt.readers.written_svmlight import number_text

WIDEST = 1000
"""Columns that rows without names may have in a table, at most."""


def separated_lines(batches: Iterable[Batch], label: str, delimiter: str) -> Iterator[bytes]:
    """A row of names, then rows of cells; unknown numbers are empty."""
    begun = False
    for columns in _tables(batches, label):
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
        if not begun:
            writer.writerow(columns)
            begun = True
        writer.writerows(zip(*(map(_cell, cells) for cells in columns.values()), strict=True))
        yield text.getvalue().encode("utf-8", "replace")


def _cell(value: Any) -> str:
    if isinstance(value, str | tuple):
        return as_cell(value if isinstance(value, str) else [*value])
    return "" if value is None else number_text(value)


def json_lines(batches: Iterable[Batch], label: str) -> Iterator[bytes]:
    """An object on each line; unknown numbers are null."""
    for columns in _tables(batches, label):
        rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        yield lines.encode("utf-8", "replace")


def parquet_pieces(batches: Iterable[Batch], label: str) -> Iterator[bytes]:
    """The bytes of a Parquet file with a row group for each batch."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise ValueError("Parquet needs pyarrow: pip install 'rosenblatt[tables]'.") from error

    def typed(columns: dict[str, list[Any]]) -> Any:
        if label in columns and not any(isinstance(own, tuple) for own in columns[label]):
            columns[label] = list(map(_cell, columns[label]))
        return pa.table(
            {name: pa.array(cells, type=_type_of(cells)) for name, cells in columns.items()}
        )

    return row_groups(map(typed, _tables(batches, label)))


def row_groups(
    tables: Iterable[Any], schema: Any = None, compression: str = "snappy"
) -> Iterator[bytes]:
    """The same of tables of pyarrow's that are alike; of none, too, if their schema is given."""
    import pyarrow as pa
    from pyarrow import parquet

    sink, writer = _Sink(), None

    def begin(schema: Any) -> Any:
        return parquet.ParquetWriter(pa.PythonFile(sink, "w"), schema, compression=compression)

    if schema is not None:
        writer = begin(schema)
    for table in tables:
        writer = writer or begin(table.schema)
        writer.write_table(table)
        yield from sink.taken()
    if writer is not None:
        writer.close()
    yield from sink.taken()


class _Sink(io.RawIOBase):
    """Keeps what is written to it until it is taken."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self._pieces.append(bytes(piece))
        self._size += len(piece)
        return len(piece)

    def tell(self) -> int:
        return self._size

    def taken(self) -> list[bytes]:
        pieces, self._pieces = self._pieces, []
        return pieces


def _type_of(cells: Sequence[Any]) -> Any:
    import pyarrow as pa

    if any(isinstance(cell, tuple) for cell in cells):
        return pa.list_(_type_of([label for cell in cells for label in cell]))
    return pa.string() if any(isinstance(cell, str) for cell in cells) else pa.float64()


def _tables(batches: Iterable[Batch], label: str) -> Iterator[dict[str, list[Any]]]:
    """The columns of each batch: strings, or numbers with None for unknown ones."""
    for batch in batches:
        labels = {} if batch.labels is None else {label: label_list(batch.labels)}
        yield labels | {name: _as_list(c) for name, c in _columns(batch.examples).items()}


def _columns(examples: Any) -> dict[str, Any]:
    if isinstance(examples, Records):
        return examples.columns
    if isinstance(examples, Examples) or examples.shape[1] > WIDEST:
        raise ValueError(
            f"Such examples do not fit in a table of {WIDEST} columns or fewer: choose another "
            "format."
        )
    return {f"x{j}": column for j, column in enumerate(examples.toarray().T, 1)}


def _as_list(cells: Any) -> list[Any]:
    if isinstance(cells, np.ndarray):
        return [None if cell != cell else cell for cell in cells.tolist()]
    return list(cells)
