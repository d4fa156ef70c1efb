"""Shards in Parquet files, which every worker reads for itself."""

import os
from dataclasses import dataclass
from typing import Any

from rosenblatt.cluster.arrow_columns import Named, features_of, labels_of, weights_of
from rosenblatt.cluster.shard import Data
from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.tables import read_sample_weight


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
        from pyarrow import parquet

        columns = self.columns
        there = parquet.read_schema(self.path).names
        for name in columns.all:
            if name not in there:
                file = os.path.basename(self.path)
                raise InputError(f"{file} has no column {name}, only {', '.join(there)}")
        table = parquet.ParquetFile(self.path).read(columns=columns.all)
        one = isinstance(columns.features, str)
        features = [columns.features] if one else [*columns.features]
        of_text = None if self.vectorizer is None else self.vectorizer.transform
        rows = features_of([table.column(name) for name in features], of_text)
        assert columns.label is not None
        sample_weight = None
        if columns.weight is not None:
            sample_weight = read_sample_weight(weights_of(table.column(columns.weight)), len(table))
        return Data(rows, labels_of(table.column(columns.label)), sample_weight)


def files_in(folder: str) -> list[str]:
    """The Parquet files of a folder, or the one file."""
    if os.path.isfile(folder):
        return [folder]
    if not os.path.isdir(folder):
        raise InputError(f"{folder} is no folder of Parquet files that this machine sees")
    files = sorted(name for name in os.listdir(folder) if name.endswith(".parquet"))
    if not files:
        raise InputError(f"{folder} has no Parquet files")
    return [os.path.join(folder, name) for name in files]


def rows_in(folder: str) -> int:
    """How many rows the files have together."""
    from pyarrow import parquet

    return sum(parquet.read_metadata(path).num_rows for path in files_in(folder))
