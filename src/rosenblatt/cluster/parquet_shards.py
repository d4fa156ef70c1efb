"""Shards in Parquet files, which every worker reads for itself."""

import os
from dataclasses import dataclass
from typing import Any

from rosenblatt.cluster.arrow_columns import (
    Named,
    check_columns,
    features_of,
    labels_of,
    numbers_of,
)
from rosenblatt.cluster.shard import Data
from rosenblatt.cluster.shared_folders import seen
from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.tables import read_sample_weight
from rosenblatt.readers.parquet import damage_said, parquet_of


@dataclass
class ParquetShard:
    """A file of examples."""

    path: str
    columns: Named
    vectorizer: Any = None
    """What makes rows of text, ready to."""

    @property
    def front(self) -> Named:
        file = os.path.basename(self.path)
        return Named(self.columns.features, self.columns.label, self.columns.weight, file)

    def load(self) -> Data:
        columns, file = self.columns, os.path.basename(self.path)
        with parquet_of(seen(self.path)) as opened, damage_said(file):
            check_columns(columns.all, opened.schema_arrow.names, file)
            table = opened.read(columns=columns.all)
        features = [columns.features] if isinstance(columns.features, str) else columns.features
        of_text = None if self.vectorizer is None else self.vectorizer.transform
        rows = features_of([table.column(name) for name in features], of_text)
        assert columns.label is not None
        sample_weight = None
        if columns.weight is not None:
            weights = numbers_of(table.column(columns.weight), "sample_weight")
            sample_weight = read_sample_weight(weights, len(table))
        return Data(rows, labels_of(table.column(columns.label)), sample_weight)


def files_in(folder: str) -> list[str]:
    """The Parquet files of a folder, or the one file."""
    if os.path.isfile(folder):
        return [folder]
    if not os.path.isdir(folder):
        raise InputError(f"{folder} is no folder of Parquet files that this machine sees")
    files = sorted(name for name in os.listdir(folder) if name.endswith(".parquet"))
    if not files:
        parts = any("=" in name for name in os.listdir(folder))
        remedy = "read its folders with spark.read.parquet, and pass the DataFrame"
        raise InputError(f"{folder} has no Parquet files", remedy=remedy if parts else None)
    return [os.path.join(folder, name) for name in files]


def rows_in(folder: str) -> list[int]:
    """How many rows each of the files has."""
    from pyarrow import parquet

    return [parquet.read_metadata(path).num_rows for path in files_in(folder)]
