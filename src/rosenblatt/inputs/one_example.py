"""The forms in which one example may come, as the core reads them, and what can be wrong with it.

The core itself reads dicts, lists of pairs, two arrays and rows whose numbers are floats, ints or
arrays of them. Everything else that means the same comes through here.
"""

import math
import operator
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rosenblatt.inputs.errors import InputError, InputTypeError, Name, Parameter
from rosenblatt.inputs.messages import LARGEST_VALUE

Hitch = tuple[Any, ...]

KINDS = {int: "i", str: "U"}
"""Of plain labels, as NumPy names them."""

FORMS = (
    "be a dict of numbers, a list of (name, value) pairs, two arrays of columns and values, or a "
    "row of numbers"
)

EXAMPLE = Name("x")


def plain(x: Any) -> Any:
    """The example as a dict of floats, a list of pairs, two arrays, or a row: as the core reads."""
    if hasattr(x, "to_dict"):  # a pandas Series
        x = x.to_dict()
    if isinstance(x, Mapping):
        return {_key(key): _number(value, key) for key, value in x.items()}
    if sparse.issparse(x):
        return _stored(x)
    if isinstance(x, tuple) and len(x) == 2 and all(_is_list(part) for part in x):
        return _integers(x[0]), _floats(x[1])
    if isinstance(x, (list, tuple)) and all(_is_pair(part) for part in x):
        return [(_key(key), _number(value, key)) for key, value in x]
    return _floats(x)


@dataclass(frozen=True)
class Placed:
    """An example in columns, and what the columns are with those that it brings."""

    columns: NDArray[np.int64] | None
    """None for a row, which has a value for each column."""
    values: NDArray[np.float64]
    names: dict[Hashable, int] | None
    width: int


def placed(
    x: Any, names: dict[Hashable, int] | None, width: int, *, learning: bool
) -> Placed | Hitch:
    """An example in a form that the core reads, as the core would place it, or the hitch.

    When learning, columns that are new are counted in; otherwise they are left out.
    """
    if isinstance(x, np.ndarray):
        return _placed_row(x, names, width, learning=learning)
    if isinstance(x, tuple):
        keys, values = x[0].tolist(), x[1]
        if len(keys) != len(values):
            return "sizes", len(keys), len(values)
        numbered = True
    else:
        pairs = list(x.items() if isinstance(x, dict) else x)
        keys, values = [key for key, _ in pairs], np.array([value for _, value in pairs])
        if names is None and not width and not all(isinstance(key, int) for key in keys):
            names = {}
        numbered = names is None
    for key, value in zip(keys, values.tolist(), strict=True):
        if not abs(value) <= LARGEST_VALUE:
            return "value", key, value
        if numbered and not isinstance(key, int):
            return "name", key
        if numbered and (key < 0 or (learning and names is not None and key >= width)):
            return "column", key
    if not numbered:
        assert names is not None
        fresh = dict.fromkeys(key for key in keys if key not in names) if learning else {}
        if fresh:
            names = names | {name: width + k for k, name in enumerate(fresh)}
            width = len(names)
        keys = [names.get(key, width) for key in keys]
    elif learning:
        width = max([width, *(key + 1 for key in keys)])
    columns = np.array(keys, dtype=np.int64)
    known = columns < width
    return Placed(columns[known], values[known].astype(np.float64), names, width)


def _placed_row(
    x: NDArray[np.float64], names: dict[Hashable, int] | None, width: int, *, learning: bool
) -> Placed | Hitch:
    if width == 0 and names is None:  # the first row says how many columns there are
        width = len(x) if learning else 0
        x = x if learning else x[:0]
    if len(x) != width:
        return "length", len(x)
    wrong = ~(np.abs(x) <= LARGEST_VALUE)
    if wrong.any():
        first = int(wrong.argmax())
        return "value", list(names)[first] if names else first, float(x[first])
    return Placed(None, x, names, width)


def only_row(X: Any, width: int) -> Any:
    """The row of a table of one, plain and so wide, as an example; else None."""
    if type(X) is np.ndarray:
        return X[0] if X.shape == (1, width) else None
    if not sparse.issparse(X) or X.format != "csr" or X.shape != (1, width):
        return None
    bounds, columns, values = X.indptr, X.indices, X.data
    whole = len(bounds) == 2 and bounds[0] == 0 and bounds[1] == len(columns)
    return (columns, values) if whole else None


def only_label(y: Any) -> tuple[str, Any]:
    """The kind and the value of the label of one example; no kind if it is not plain."""
    if type(y) is np.ndarray and y.shape == (1,):
        return y.dtype.kind, y.item()
    if type(y) is list and len(y) == 1:
        return KINDS.get(type(y[0]), ""), y[0]
    return "", None


def width_of(x: Any) -> int | None:
    """How many columns the example says that there are, if it does."""
    return int(x.shape[-1]) if sparse.issparse(x) else None


def refuse(name: str, width: int, named: bool, hitch: Hitch) -> NoReturn:
    """Put in words why the core could not take an example."""
    kind, *what = hitch
    if kind == "value":
        raise _about_value(what[1], f"for {what[0]!r}" if named else f"in column {what[0]}")
    if kind == "name":
        raise InputError(
            *(EXAMPLE, f" names {what[0]!r}, but the columns of this {name} have numbers"),
            remedy=f"name them by 0 to {width - 1}, or learn from names in a new model",
        )
    if kind == "column" and named and what[0] >= width:
        raise InputError(
            EXAMPLE,
            f" names column {what[0]}, but this {name} has {width} columns, which have names",
            remedy="give new features by name",
        )
    if kind == "column":
        raise InputError(EXAMPLE, f" names column {what[0]}, but columns are numbered from 0 on")
    if kind == "length":
        raise InputError(
            EXAMPLE, f" has {what[0]} features, but {name} is expecting {width} features as input"
        )
    if kind == "sizes":
        raise InputError(EXAMPLE, f" has {what[0]} column numbers but {what[1]} values")
    if kind == "overflow":
        raise InputError(
            *("The weights grew too large at ", EXAMPLE, ", which was not learned from"),
            remedy=("scale the features, or set ", Parameter("unit_length", True)),
        )
    raise InputTypeError(EXAMPLE, must=FORMS)


def _about_value(value: float, where: str) -> InputError:
    if math.isnan(value):
        remedy = "fill in or leave out missing values first"
        return InputError(EXAMPLE, f" holds NaN {where}", remedy=remedy)
    if math.isinf(value):
        return InputError(
            EXAMPLE, f" holds infinity {where}", remedy="replace or leave it out first"
        )
    beyond = f" holds {value:g} {where}, beyond {LARGEST_VALUE:g}"
    return InputError(EXAMPLE, beyond, remedy="scale the features first")


def _key(key: Any) -> Any:
    return operator.index(key) if isinstance(key, np.integer) else key


def _number(value: Any, key: Any) -> float:
    if isinstance(value, str):
        raise InputTypeError(
            *(EXAMPLE, f" holds {value!r} for {key!r}, which is not a number"),
            remedy=f"make words features of their own, such as {{{f'{key}={value}'!r}: 1.0}}",
        )
    try:
        if np.ndim(value) == 0 and not isinstance(value, (bytes, complex)):
            return float(value)
    except (TypeError, ValueError):
        pass
    raise InputTypeError(EXAMPLE, f" holds {value!r} for {key!r}, which is not a number")


def _is_list(part: Any) -> bool:
    return isinstance(part, (list, np.ndarray)) or hasattr(part, "__array__")


def _is_pair(part: Any) -> bool:
    return isinstance(part, (tuple, list)) and len(part) == 2


def _stored(x: Any) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    if x.ndim == 2 and x.shape[0] != 1:
        raise InputError(EXAMPLE, must="be one row", got=f"shape {x.shape}")
    row = x.tocoo()
    return _integers(row.coords[-1]), _floats(row.data)


def _integers(columns: Any) -> NDArray[np.int64]:
    given = np.asarray(columns)
    if given.ndim != 1 or (given.dtype.kind not in "iu" and given.size):
        raise InputTypeError("The columns of ", EXAMPLE, must="be an array of whole numbers")
    return np.ascontiguousarray(given, dtype=np.int64)


def _floats(values: Any) -> NDArray[np.float64]:
    try:
        given = np.asarray(values)
        row = np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputTypeError(EXAMPLE, must=FORMS) from error
    if given.dtype.kind not in "biufO" or np.ma.is_masked(values):
        raise InputTypeError(EXAMPLE, must=FORMS)
    if given.ndim != 1:
        raise InputError(EXAMPLE, must="be one row of numbers", got=f"shape {given.shape}")
    return row
