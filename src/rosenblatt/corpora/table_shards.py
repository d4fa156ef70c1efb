"""Shards in Parquet: texts are read where pyarrow has them, and rows are kept with all columns."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.corpora.shards import MalformedRow, Mask, Rows, Shard, check_column
from rosenblatt.features.examples import Texts
from rosenblatt.inputs.errors import InputError
from rosenblatt.readers.parquet import parquet_of, parts_of
from rosenblatt.readers.written_tables import row_groups

MOST_READ, BLOCK = 4096, 1 << 25
"""Rows that are read at a time, and about how many bytes."""
MOST_ROWS, MOST_BYTES = 1 << 16, 1 << 26
"""Of a row group that is written; it may have a few more."""


@dataclass(frozen=True)
class TableRows(Rows):
    """Rows of a table."""

    batch: Any
    places: NDArray[np.int64]
    """Those of the batch that have a text."""

    def kept(self, mask: Mask) -> Any:
        return self.batch.take(self.places[mask])


class TableShard(Shard):
    """A table with a column of texts."""

    def check(self, head: bytes) -> None:
        with parquet_of(self.path) as file:
            self._check(file.schema_arrow)

    def rows(self, *, whole: bool) -> Iterator[Rows]:
        first = 1
        with parquet_of(self.path) as file:
            self._check(file.schema_arrow)
            for batch in self._batches(file, None if whole else [self.column]):
                texts, there = _texts(batch.column(self.column))
                for begin, end in _stretches(texts):
                    part = batch.slice(begin, end - begin)
                    yield self._rows(part, texts.at(np.arange(begin, end)), there[begin:end], first)
                    first += end - begin
                    self.share = (first - 1) / max(1, file.metadata.num_rows)

    def _rows(self, batch: Any, texts: Texts, there: NDArray[np.bool_], first: int) -> TableRows:
        faults = [
            MalformedRow(first + k, f"expected a text in {self.column!r}, got null")
            for k in np.flatnonzero(~there).tolist()
        ]
        places = np.flatnonzero(there)
        return TableRows(texts.at(places), first + places, faults, batch, places)

    def _batches(self, file: Any, columns: list[str] | None) -> Iterator[Any]:
        """Rows in parts of which each takes little memory, also where single rows take much."""
        for k in range(file.metadata.num_row_groups):
            group = file.metadata.row_group(k)
            size = max(1, group.total_byte_size // max(1, group.num_rows))
            rows = max(1, min(MOST_READ, BLOCK // size))
            wanted = {"row_groups": [k], "batch_size": rows, "columns": columns}
            yield from parts_of(file, self.path, **wanted)

    def written(self, kept: Iterable[Any]) -> Iterator[bytes]:
        with parquet_of(self.path) as file:
            schema, metadata = file.schema_arrow, file.metadata
            self._check(schema)
            stored = metadata.num_row_groups and metadata.row_group(0).column(0).compression
        codec = {0: "snappy", "UNCOMPRESSED": "none"}.get(stored, stored)
        yield from row_groups(_groups(kept), schema, codec)

    def _check(self, schema: Any) -> None:
        from pyarrow import types

        check_column(self.path, self.column, schema.names)
        if schema.names.count(self.column) > 1:
            raise InputError(f"{self.path} has several columns {self.column!r}")
        kind = schema.field(self.column).type
        value = kind.value_type if types.is_dictionary(kind) else kind
        if not (types.is_string(value) or types.is_large_string(value)):
            raise InputError(f"The column {self.column!r} of {self.path} holds {kind}, not texts")


def _stretches(texts: Texts) -> Iterator[tuple[int, int]]:
    """From where to where the texts are about a block; one text stands in many rows at no cost."""
    sizes = np.cumsum(texts.ends - texts.begins)
    begin = 0
    while begin < len(sizes):
        before = int(sizes[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(sizes, before + BLOCK, side="right")))
        yield begin, end
        begin = end


def _texts(column: Any) -> tuple[Texts, NDArray[np.bool_]]:
    """The texts of a column, and which of them there are."""
    import pyarrow as pa

    there = column.is_valid().to_numpy(zero_copy_only=False)
    if pa.types.is_dictionary(column.type):  # each text stays once in memory
        indices = column.indices.fill_null(0).to_numpy(zero_copy_only=False)
        texts, valid = _texts(column.dictionary)
        if not len(valid):
            return Texts(texts.data, np.zeros(len(column), int), np.zeros(len(column), int)), there
        return texts.at(indices), there & valid[indices]
    column = column.cast(pa.large_string())
    _, offsets, data = column.buffers()
    begin, count = column.offset, len(column)
    places = np.frombuffer(offsets, np.int64, count + 1, 8 * begin) if count else np.zeros(1, int)
    letters = np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    return Texts(letters, places[:-1], places[1:]), there


def _groups(kept: Iterable[Any]) -> Iterator[Any]:
    """Tables of pyarrow's, large enough for a row group each."""
    import pyarrow as pa

    pending: list[Any] = []
    for batch in kept:
        if len(batch):
            pending.append(batch)
        rows, size = sum(map(len, pending)), sum(each.nbytes for each in pending)
        if rows >= MOST_ROWS or size >= MOST_BYTES:
            yield pa.Table.from_batches(pending)
            pending = []
    if pending:
        yield pa.Table.from_batches(pending)
