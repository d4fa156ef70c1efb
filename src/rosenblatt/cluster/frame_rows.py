"""What the rows of a DataFrame are to a model: vectors and numbers, cells of a table, lines."""

import io
from dataclasses import dataclass
from typing import Any, Protocol

from rosenblatt.cluster.arrow_columns import Named, features_of
from rosenblatt.inputs.errors import Front, InputError, OfFile
from rosenblatt.readers.tables import Layout


class FrameRows(Protocol):
    """Makes examples of batches of Arrow, on the worker that has them."""

    @property
    def columns(self) -> list[str]:
        """The columns that it reads."""

    @property
    def front(self) -> Front:
        """How they are called in messages."""

    def examples(self, batch: Any) -> Any:
        """What a model takes, for each row of the batch."""


@dataclass(frozen=True)
class FeatureColumns:
    """Columns of vectors, lists of numbers, numbers or text."""

    named: Named

    @property
    def columns(self) -> list[str]:
        return self.named.all

    @property
    def front(self) -> Front:
        return self.named

    def examples(self, batch: Any) -> Any:
        return features_of([batch.column(name) for name in self.columns], list)


@dataclass(frozen=True)
class Cells:
    """Columns read as those of a Parquet file are: text of one or several, or a table."""

    layout: Layout
    front = OfFile("the DataFrame")

    @property
    def columns(self) -> list[str]:
        return self.layout.read

    def examples(self, batch: Any) -> Any:
        from rosenblatt.readers.parquet import ParquetTable

        return ParquetTable("the DataFrame", self.layout).examples_of(batch)


@dataclass(frozen=True)
class FileLines:
    """One column with the lines of a file in the format of `open_data`, an example on each."""

    column: str
    name: str
    """Of the file."""
    settings: dict[str, Any]

    @property
    def columns(self) -> list[str]:
        return [self.column]

    @property
    def front(self) -> Front:
        return OfFile(self.name)

    def examples(self, batch: Any) -> Any:
        from rosenblatt.readers.opening import open_data

        lines = batch.column(self.column).to_pylist()
        text = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
        try:
            found = open_data(text, labelled=False, **self.settings).whole()
        except InputError as error:  # the number of the line in this batch would tell nothing
            what = (f"a line of {self.name} cannot be read: ", *error.what)
            raise InputError(*what, must=error.must, got=error.got) from error
        if found is None or len(found) != len(lines):
            read = 0 if found is None else len(found)
            raise InputError(f"{self.name} has lines without an example: {read} of {len(lines)}")
        return found.examples
