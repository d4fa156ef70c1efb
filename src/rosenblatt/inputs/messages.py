"""What the core finds wrong with rows, and where."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Name, Parameter, Row, Words

MATRIX = Name("X")

LARGEST_VALUE = 1e75
"""As in rows.hpp: squares, sums and averages of smaller values stay finite."""


def refuse(fault: core.Fault | None) -> None:
    """Raise an error that says what is wrong with X and where, if anything is."""
    if fault is None:
        return
    kind, row, column, value = fault
    if kind == "start":
        raise InputError(MATRIX, f".indptr must start at 0, but starts at {column}")
    this_row = (Row(row), " of ", MATRIX)
    if kind == "decreasing":
        but = ".indptr must not decrease, but "
        raise InputError(MATRIX, but, this_row, " ends before it begins")
    if kind == "end":
        ends = f".indptr ends at {column}, beyond the values that "
        raise InputError(MATRIX, ends, MATRIX, " stores")
    if kind == "column":
        raise InputError(*this_row, f" names column {column}, which ", MATRIX, " does not have")
    found, beyond, remedy = f"{value:g}", f", beyond {LARGEST_VALUE:g},", "scale the features first"
    if math.isnan(value):
        found, beyond, remedy = "NaN", "", "fill in or drop missing values first"
    elif math.isinf(value):
        found, beyond, remedy = "infinity", "", "replace or drop it first"
    raise InputError(MATRIX, f" contains {found}{beyond}", where=Row(row, column), remedy=remedy)


def cannot_be_learned(*place: Words, then: str, too_short: bool) -> InputError:
    """What to say of an example at which the core stopped, though its values are sound."""
    unit_length = Parameter("unit_length", not too_short)
    remedy = "scale the features, or set ", unit_length
    if too_short:
        return InputError(*place, " is too short to be scaled to length one", remedy=remedy)
    return InputError("The weights grew too large at ", place, f", {then}", remedy=remedy)


def refuse_masked(given: Any, name: Name) -> None:
    """Raise an error if values are masked: the numbers that lie under a mask mean nothing."""
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        remedy = ("fill them in, as with ", name, ".filled(0), or leave those rows out")
        raise InputError(name, " has masked values", remedy=remedy)


def as_array(given: Any, name: Name) -> NDArray[Any]:
    """What the caller passed, as an array without a mask."""
    refuse_masked(given, name)
    return np.asarray(given)


def refuse_other_than_zero_or_one(rows: core.Rows) -> None:
    """Raise an error that says where the rows hold something else."""
    other = rows.other_than_zero_or_one()
    if other is not None:
        _, row, column, value = other
        raise not_zero_or_one(value, where=Row(row, column))


def not_zero_or_one(value: float, before: str = "", where: Row | None = None) -> InputError:
    return InputError(
        "Winnow needs features of 0 or 1",
        got=f"{value:g}{before}",
        where=where,
        remedy=("set ", Parameter("binarize", 0.5), ", for example, to read larger values as 1"),
    )
