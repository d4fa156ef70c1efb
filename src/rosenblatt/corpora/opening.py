"""Opening a shard: which kind it is."""

import numpy as np

from rosenblatt.corpora.line_shards import JsonShard, TextShard
from rosenblatt.corpora.shards import Shard
from rosenblatt.inputs.errors import InputError
from rosenblatt.readers.data import LARGEST_LIMIT
from rosenblatt.readers.sniffing import by_name
from rosenblatt.readers.sources import open_source


def open_shard(path: str, name: str, column: str, max_line: int) -> Shard:
    """A shard by the end of its name, else by its first bytes: JSON lines, Parquet or texts."""
    format = by_name(path)  # noqa: A001
    if format is None:
        with open_source(path, largest=LARGEST_LIMIT) as source:
            head = np.empty(1 << 12, np.uint8)
            begin = head[: source.fill(head, 0, len(head))].tobytes()
        parquet = begin.startswith(b"PAR1")
        format = "parquet" if parquet else "jsonl" if begin.lstrip()[:1] == b"{" else "text"  # noqa: A001
    if format == "parquet":
        from rosenblatt.corpora.parquet_shards import ParquetShard

        return ParquetShard(path, name, column, max_line)
    if format not in ("jsonl", "text"):
        raise InputError(f"{path} is {format}, and shards are JSON lines, Parquet or lines of text")
    return (JsonShard if format == "jsonl" else TextShard)(path, name, column, max_line)
