"""What the core finds wrong with rows, said in a sentence."""

import contextlib
import math
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core

LARGEST_VALUE = 1e75
"""As in rows.hpp: squares, sums and averages of smaller values stay finite."""

_ROW = re.compile(r" in row (\d+), column \d+")


def refuse(fault: core.Fault | None) -> None:
    """Raise a ValueError that says what is wrong with X and where, if anything is."""
    if fault is None:
        return
    kind, row, column, value = fault
    if kind == "start":
        raise ValueError(f"X.indptr must start at 0, but starts at {column}.")
    if kind == "decreasing":
        raise ValueError(f"X.indptr must not decrease, but row {row} of X ends before it begins.")
    if kind == "end":
        raise ValueError(f"X.indptr ends at {column}, beyond the values that X stores.")
    if kind == "column":
        raise ValueError(f"Row {row} of X names column {column}, which X does not have.")
    where = f"in row {row}, column {column}"
    if math.isnan(value):
        raise ValueError(f"Input X contains NaN {where}: fill in or drop missing values first.")
    if math.isinf(value):
        raise ValueError(f"Input X contains infinity {where}: replace or drop it first.")
    raise ValueError(
        f"Input X contains {value:g} {where}, beyond {LARGEST_VALUE:g}: scale the features first."
    )


def refuse_other_than_zero_or_one(rows: core.Rows) -> None:
    """Raise a ValueError that says where the rows hold something else."""
    other = rows.other_than_zero_or_one()
    if other is not None:
        _, row, column, value = other
        raise ValueError(not_zero_or_one(value, f"in row {row}, column {column}"))


def not_zero_or_one(value: float, where: str) -> str:
    return (
        f"Winnow needs features of 0 or 1, got {value:g} {where}: set binarize=0.5, for example, "
        "to read larger values as 1."
    )


def by_lines(sentence: str, lines: NDArray[np.int64]) -> str:
    """The sentence for who knows no X, but on which line of a file each row of it begins."""
    told = _ROW.sub(lambda found: f" on line {lines[int(found[1])]}", sentence)
    return told.replace("Input X", "The data")


@contextlib.contextmanager
def told_by_lines(lines: NDArray[np.int64]) -> Iterator[None]:
    """What is found wrong in here with a row is said of the line on which it begins."""
    try:
        yield
    except ValueError as error:
        raise ValueError(by_lines(str(error), lines)) from error
