"""What the core finds wrong with rows, said in a sentence."""

import math
from typing import Any

from rosenblatt import core

LARGEST_VALUE = 1e75
"""As in rows.hpp: squares, sums and averages of smaller values stay finite."""


class UnfitValueError(ValueError):
    """A value that nothing can be learned from: what is wrong with it, and where it stands."""

    def __init__(self, wrong: str, row: int, column: int, way_out: str) -> None:
        super().__init__(f"{wrong} in row {row}, column {column}{way_out}")
        self.wrong, self.row, self.way_out = wrong, row, way_out

    def by_lines(self, lines: Any) -> str:
        """The same sentence for who knows no X, but on which line of a file each row begins."""
        place = f"on line {lines[self.row]}"
        return f"{self.wrong} {place}{self.way_out}".replace("Input X", "The data")


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
    wrong, way_out = f"{value:g}", f", beyond {LARGEST_VALUE:g}: scale the features first."
    if math.isnan(value):
        wrong, way_out = "NaN", ": fill in or drop missing values first."
    elif math.isinf(value):
        wrong, way_out = "infinity", ": replace or drop it first."
    raise UnfitValueError(f"Input X contains {wrong}", row, column, way_out)


def refuse_other_than_zero_or_one(rows: core.Rows) -> None:
    """Raise a ValueError that says where the rows hold something else."""
    other = rows.other_than_zero_or_one()
    if other is not None:
        _, row, column, value = other
        raise UnfitValueError(
            f"Winnow needs features of 0 or 1, got {value:g}",
            row,
            column,
            ": set binarize=0.5, for example, to read larger values as 1.",
        )
