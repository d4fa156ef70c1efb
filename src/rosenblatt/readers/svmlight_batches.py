"""Files of svmlight a block at a time."""

import os
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Line, Parameter
from rosenblatt.readers.data import Batch, Data, as_whole_numbers
from rosenblatt.readers.encodings import as_encoding
from rosenblatt.readers.rejects import Reject, Walks
from rosenblatt.readers.sources import open_source, source_name
from rosenblatt.readers.svmlight_blocks import BLOCK, blocks_read, check_settings, matrix


class Svmlight(Data):
    """A file of svmlight as batches of CSR rows, a block of the file at a time.

    Whether indices begin at 0 is taken from the first block unless `zero_based` says it. A batch
    is as wide as the highest index so far, and at least `n_features` wide.

    Parameters
    ----------
    source, zero_based, rejects, max_index, max_line, max_size
        As in `read_svmlight`.

    n_features : int, optional
        The least number of columns.

    labelled : bool, default=True
        Whether every line begins with a label; else it may have one, which is ignored, and a blank
        line is a row without features.

    encoding : str, optional
        As in `TextLines`.
    """

    format = "svmlight"

    def __init__(
        self,
        source: Any,
        *,
        n_features: int | None = None,
        zero_based: bool | Literal["auto"] = "auto",
        labelled: bool = True,
        rejects: str | os.PathLike[str] | list[Reject] | None = None,
        max_index: int = 2**40,
        max_line: int = 2**26,
        max_size: int = 2**36,
        encoding: str | None = None,
    ) -> None:
        self.encoding = as_encoding(encoding)
        self.name = source_name(source)
        self._source = source
        self._n_features = n_features
        self._zero_based = zero_based
        self._labelled = labelled
        self._rejects = Walks(rejects)
        self._limits = {"max_index": max_index, "max_line": max_line, "max_size": max_size}
        check_settings(n_features, zero_based=zero_based, **self._limits)

    def batches(self) -> Iterator[Batch]:
        reader = core.SvmlightReader(
            float32=False,
            base=1,
            zero_allowed=self._zero_based is not False,
            multilabel=not self._labelled,
            every_line=not self._labelled,
            query_id=False,
            set_aside=self._rejects.sets_aside,
            largest_index=int(self._limits["max_index"]),
            longest_line=int(self._limits["max_line"]),
        )
        with (
            open_source(
                self._source, largest=int(self._limits["max_size"]), encoding=self.encoding
            ) as text,
            self._rejects.walk(self._source, text.name) as aside,
        ):
            for _ in blocks_read(reader, text, aside, 1, self._limits):
                if self._zero_based == "auto" and reader.highest >= 0:
                    self._zero_based = bool(reader.lowest == 0)
                values, columns, indptr, labels, _, _, lines = reader.take_rows()
                self.share, self.encoding = text.share, text.encoding
                if len(lines):
                    X = self._rows(values, columns, indptr, lines, reader.highest)
                    yield Batch(X, as_whole_numbers(labels) if self._labelled else None, lines)

    def vectorizer(self) -> None:
        return None

    def describe(self) -> str:
        first = "" if self._zero_based == "auto" else f", indices from {int(not self._zero_based)}"
        return self._described(f"svmlight{first}")

    def settings(self) -> dict[str, Any]:
        known = {} if self._zero_based == "auto" else {"zero_based": bool(self._zero_based)}
        return super().settings() | known

    def _rows(
        self,
        values: NDArray[np.float64],
        columns: NDArray[Any],
        indptr: NDArray[np.int64],
        lines: NDArray[np.int64],
        highest: int,
    ) -> Any:
        if self._zero_based is True:
            columns += 1
        elif len(columns) and columns.min() < 0:
            row = np.searchsorted(indptr, np.argmin(columns), side="right") - 1
            raise InputError(
                f"an index of 0, though no line of the first {BLOCK} bytes has one, so that "
                "indices were taken to begin at 1",
                where=Line(int(lines[row]), file=self.name),
                remedy=("say ", Parameter("zero_based", True)),
            )
        width = max(1, self._n_features or 1, highest + int(self._zero_based is True))
        return matrix(values, columns, indptr, width)
