"""Files of svmlight a block at a time."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Line, Parameter
from rosenblatt.inputs.sparse import matrix_of
from rosenblatt.readers.data import Batch, FileData, as_whole_numbers
from rosenblatt.readers.svmlight_blocks import BLOCK, blocks_read, check_settings


@dataclass(eq=False, repr=False)
class Svmlight(FileData):
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

    _: KW_ONLY
    n_features: int | None = None
    zero_based: bool | Literal["auto"] = "auto"
    labelled: bool = True
    max_index: int = 2**40

    def __post_init__(self) -> None:
        super().__post_init__()
        check_settings(self.n_features, zero_based=self.zero_based, max_index=self.max_index)

    def batches(self) -> Iterator[Batch]:
        limits = {"max_index": int(self.max_index), "max_line": int(self.max_line)}
        reader = core.SvmlightReader(
            float32=False,
            base=1,
            zero_allowed=self.zero_based is not False,
            multilabel=not self.labelled,
            every_line=not self.labelled,
            query_id=False,
            set_aside=self._rejects.sets_aside,
            largest_index=limits["max_index"],
            longest_line=limits["max_line"],
        )
        with self._opened() as (text, aside):
            for _ in blocks_read(reader, text, aside, 1, limits):
                if self.zero_based == "auto" and reader.highest >= 0:
                    self.zero_based = bool(reader.lowest == 0)
                values, columns, indptr, labels, _, _, lines = reader.take_rows()
                self.share, self.encoding = text.share, text.encoding
                if len(lines):
                    X = self._rows(values, columns, indptr, lines, reader.highest)
                    yield Batch(X, as_whole_numbers(labels) if self.labelled else None, lines)

    def vectorizer(self) -> None:
        return None

    def describe(self) -> str:
        first = "" if self.zero_based == "auto" else f", indices from {int(not self.zero_based)}"
        return self._described(f"svmlight{first}")

    def settings(self) -> dict[str, Any]:
        known = {} if self.zero_based == "auto" else {"zero_based": bool(self.zero_based)}
        return super().settings() | known

    def _rows(
        self,
        values: NDArray[np.float64],
        columns: NDArray[Any],
        indptr: NDArray[np.int64],
        lines: NDArray[np.int64],
        highest: int,
    ) -> Any:
        if self.zero_based is True:
            columns += 1
        elif len(columns) and columns.min() < 0:
            row = np.searchsorted(indptr, np.argmin(columns), side="right") - 1
            raise InputError(
                f"an index of 0, though no line of the first {BLOCK} bytes has one, so that "
                "indices were taken to begin at 1",
                where=Line(int(lines[row]), file=self.name),
                remedy=("say ", Parameter("zero_based", True)),
            )
        width = max(1, self.n_features or 1, highest + int(self.zero_based is True))
        return matrix_of(indptr, columns, values, width, "csr_array")
