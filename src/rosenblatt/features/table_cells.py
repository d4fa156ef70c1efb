"""The columns of a table of any library: their names, and their cells as numbers or strings."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.features.column_kinds import as_cell, as_number, is_missing
from rosenblatt.inputs.errors import InputError, Row, Words

NO_VALUE = "missing"
"""What a feature is called, after the column and =, that marks cells without a value."""


def column_names(table: Any) -> list[str]:
    """The names of the columns of a table of any library, or of a dict of lists."""
    names = getattr(table, "column_names", None)  # pyarrow
    if names is None:
        columns = table if isinstance(table, Mapping) else getattr(table, "columns", None)
        names = columns if columns is None else list(columns)
    if names is None or isinstance(table, str | bytes):
        raise TypeError(
            "A table must be a data frame, a pyarrow Table or a dict of lists, got "
            f"{type(table).__name__}."
        )
    return list(names)


def cells_of(table: Any, name: str) -> Sequence[Any]:
    """A column as an array or a list."""
    columns = getattr(table, "columns", None)
    column = columns[name] if isinstance(columns, Mapping) else table[name]
    for listing in ("to_pylist", "to_list"):
        if hasattr(column, listing):
            return getattr(column, listing)()
    if isinstance(column, str | bytes) or not hasattr(column, "__len__"):
        raise TypeError(f"Column {name!r} must be a list, got {type(column).__name__}.")
    return column


def as_numbers(name: str, cells: Sequence[Any]) -> NDArray[np.float64]:
    """Floats, NaN where the number is not known."""
    try:
        if any(isinstance(cell, str) for cell in cells):
            raise TypeError  # NumPy reads more strings as numbers than other programs do
        numbers = np.array(cells, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.array([_number(name, k, cell) for k, cell in enumerate(cells)], dtype=float)
    if np.isinf(numbers).any():
        row = int(np.flatnonzero(np.isinf(numbers))[0])
        raise InputError(*_cell_of(name, row), must="be a finite number", got=str(cells[row]))
    return numbers


def _number(name: str, row: int, cell: Any) -> float:
    if isinstance(cell, str) and is_missing(cell):
        return np.nan
    try:
        return as_number(cell) if isinstance(cell, str) else float(cell)
    except (TypeError, ValueError):
        if str(cell) == "<NA>":  # of pandas
            return np.nan
        raise InputError(*_cell_of(name, row), must="be a number", got=repr(cell)) from None


def _cell_of(name: str, row: int) -> tuple[Words, ...]:
    return Row(row), f" of column {name!r}"


def as_strings(cells: Sequence[Any], kind: str) -> list[str]:
    strings = [as_cell(cell) for cell in cells]
    if kind == "category":
        return [cell if cell.strip() else NO_VALUE for cell in strings]
    return strings
