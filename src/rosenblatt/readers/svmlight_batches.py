"""Files of svmlight a block at a time."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Line, Parameter
from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.inputs.sparse import matrix_of
from rosenblatt.readers.data import Batch, FileData, as_whole_numbers
from rosenblatt.readers.svmlight_blocks import BLOCK, blocks_read, check_settings
from rosenblatt.readers.targets import ALL_OF_THEM, Target


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

    target : {"label", "labels", "number"}, optional
        Whether a line begins with a label, with several as ``1,3`` or none, or with a number to
        foretell; a label if not given.

    encoding : str, optional
        As in `TextLines`.
    """

    __module__ = "rosenblatt"

    format = "svmlight"

    _: KW_ONLY
    n_features: int | None = None
    zero_based: bool | Literal["auto"] = "auto"
    labelled: bool = True
    max_index: int = 2**40
    target: str | None = None

    def __post_init__(self) -> None:
        self._target = Target.of(self.target, None)
        super().__post_init__()
        check_settings(self.n_features, zero_based=self.zero_based, max_index=self.max_index)

    def batches(self) -> Iterator[Batch]:
        limits = {"max_index": int(self.max_index), "max_line": int(self.max_line)}
        reader = core.SvmlightReader(
            float32=False,
            base=1,
            zero_allowed=self.zero_based is not False,
            multilabel=not self.labelled or self._target.kind == "labels",
            every_line=not self.labelled,
            query_id=False,
            set_aside=self._rejects.sets_aside,
            largest_index=limits["max_index"],
            longest_line=limits["max_line"],
        )
        with self._opened() as (text, aside):
            for _ in blocks_read(reader, text, aside, 1, limits, ALL_OF_THEM):
                if self.zero_based == "auto" and reader.highest >= 0:
                    self.zero_based = bool(reader.lowest == 0)
                values, columns, indptr, labels, label_indptr, _, lines = reader.take_rows()
                self.share, self.encoding = text.share, text.encoding
                if len(lines):
                    X = self._rows(values, columns, indptr, lines, reader.highest)
                    answers = self._answers(labels, label_indptr) if self.labelled else None
                    yield Batch(X, answers, lines)

    def _answers(
        self, labels: NDArray[np.float64], indptr: NDArray[np.int64]
    ) -> NDArray[Any] | LabelSets:
        """What the examples should come to, of the numbers before them."""
        if self._target.kind == "number":
            return labels
        labels = as_whole_numbers(labels)
        return LabelSets.flat(labels, indptr) if self._target else labels

    def vectorizer(self) -> None:
        return None

    def describe(self) -> str:
        first = "" if self.zero_based == "auto" else f", indices from {int(not self.zero_based)}"
        what = {"label": "", "labels": ", several labels", "number": ", numbers to foretell"}
        return self._described(f"svmlight{first}{what[self._target.kind]}")

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
