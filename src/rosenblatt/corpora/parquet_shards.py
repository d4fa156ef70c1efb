"""Shards in Parquet: texts are read where pyarrow has them, and rows are kept with all columns."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.corpora.shards import Fault, Mask, Rows, Shard, check_column
from rosenblatt.features.examples import Texts
from rosenblatt.inputs.errors import InputError
from rosenblatt.readers.parquet import parquet_of, parts_of
from rosenblatt.readers.written_tables import row_groups

ROWS = 4096
"""Rows that are read at a time."""
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


class ParquetShard(Shard):
    """A table with a column of texts."""

    def rows(self, *, whole: bool) -> Iterator[Rows]:
        first = 1
        with parquet_of(self.path) as file:
            self._check(file.schema_arrow)
            columns = None if whole else [self.column]
            for batch in parts_of(file, self.path, batch_size=ROWS, columns=columns):
                texts, there = _texts(batch.column(self.column))
                faults = [
                    Fault(first + k, f"expected a text in {self.column!r}, got null")
                    for k in np.flatnonzero(~there).tolist()
                ]
                places = np.flatnonzero(there)
                self.share = (first - 1 + len(batch)) / max(1, file.metadata.num_rows)
                yield TableRows(texts.at(places), first + places, faults, batch, places)
                first += len(batch)

    def written(self, kept: Iterable[Any]) -> Iterator[bytes]:
        with parquet_of(self.path) as file:
            schema, metadata = file.schema_arrow, file.metadata
            stored = metadata.num_row_groups and metadata.row_group(0).column(0).compression
        codec = {0: "snappy", "UNCOMPRESSED": "none"}.get(stored, stored)
        yield from row_groups(_groups(kept), schema, codec)

    def _check(self, schema: Any) -> None:
        from pyarrow import types

        check_column(self.path, self.column, schema.names)
        kind = schema.field(self.column).type
        value = kind.value_type if types.is_dictionary(kind) else kind
        if not (types.is_string(value) or types.is_large_string(value)):
            raise InputError(f"The column {self.column!r} of {self.path} holds {kind}, not texts")


def _texts(column: Any) -> tuple[Texts, NDArray[np.bool_]]:
    """The texts of a column, and which of them there are."""
    import pyarrow as pa

    column = column.cast(pa.large_string())
    _, offsets, data = column.buffers()
    begin, count = column.offset, len(column)
    places = np.frombuffer(offsets, np.int64, count + 1, 8 * begin) if count else np.zeros(1, int)
    letters = np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    there = column.is_valid().to_numpy(zero_copy_only=False)
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
