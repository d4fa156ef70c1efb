"""The forms in which one example may come, as the core reads them, and what can be wrong with it.

The core itself reads dicts, lists of pairs, two arrays and rows whose numbers are floats, ints or
arrays of them. Everything else that means the same comes through here.
"""

import math
import operator
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, InputTypeError, Name, Parameter, Thing, wording
from rosenblatt.inputs.messages import (
    LARGEST_VALUE,
    MATRIX,
    cannot_be_learned,
    not_zero_or_one,
    refuse,
    refuse_masked,
)
from rosenblatt.inputs.sparse import Compressed, csr_rows, to_csr

Hitch = core.Hitch
Hitched = core.Hitched

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


def only_row(X: Any, width: int) -> Any:
    """The row of a table of one, plain and so wide, as an example; else None."""
    if type(X) is np.ndarray:
        return X[0] if X.shape == (1, width) else None
    if not sparse.issparse(X) or X.format != "csr" or X.shape != (1, width):
        return None
    indptr, columns, values = X.indptr, X.indices, X.data
    whole = len(indptr) == 2 and indptr[0] == 0 and indptr[1] == len(columns)
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


def refuse_hitch(name: str, width: int, named: bool, hitch: tuple[Any, ...]) -> NoReturn:
    """Put in words why the core could not take an example: the kind of hitch, and what about it."""
    kind, *what = hitch
    if kind in (Hitch.number, Hitch.presence):
        where = f"for {what[0]!r}" if named else f"in column {what[0]}"
        if kind is Hitch.presence:
            raise not_zero_or_one(what[1], f" {where}")
        raise _about_value(what[1], where)
    if kind is Hitch.absence:
        binarize = Parameter("binarize", what[0])
        raise InputError(
            *(binarize, " would turn what ", EXAMPLE, " leaves out into ones"),
            remedy="use 0 or more, or give the values of all columns",
        )
    if kind is Hitch.key:
        raise InputError(
            *(EXAMPLE, f" names {what[0]!r}, but the columns of this {name} have numbers"),
            remedy=f"name them by 0 to {width - 1}, or learn from names in a new model",
        )
    if kind is Hitch.column and named and what[0] >= width:
        raise InputError(
            EXAMPLE,
            f" names column {what[0]}, but this {name} has {width} columns, which have names",
            remedy="give new features by name",
        )
    if kind is Hitch.column:
        raise InputError(EXAMPLE, f" names column {what[0]}, but columns are numbered from 0 on")
    if kind is Hitch.length:
        raise InputError(
            EXAMPLE, f" has {what[0]} features, but {name} is expecting {width} features as input"
        )
    if kind is Hitch.sizes:
        raise InputError(EXAMPLE, f" has {what[0]} column numbers but {what[1]} values")
    if kind is Hitch.overflow:
        raise cannot_be_learned(EXAMPLE, then="which was not learned from", too_short=what[0])
    raise InputTypeError(EXAMPLE, must=FORMS)


def _about_value(value: float, where: str) -> InputError:
    if math.isnan(value):
        remedy = "fill in or leave out missing values first"
        return InputError(EXAMPLE, f" holds NaN {where}", remedy=remedy)
    if math.isinf(value):
        remedy = "replace or leave it out first"
        return InputError(EXAMPLE, f" holds infinity {where}", remedy=remedy)
    beyond = f" holds {value:g} {where}, beyond {LARGEST_VALUE:g}"
    return InputError(EXAMPLE, beyond, remedy="scale the features first")


def _key(key: Any) -> Any:
    return operator.index(key) if isinstance(key, np.integer) else key


def _number(value: Any, key: Any) -> float:
    refuse_masked(value, EXAMPLE)
    if isinstance(value, str):
        raise InputTypeError(
            *(EXAMPLE, f" holds {value!r} for {key!r}, which is not a number"),
            remedy=f"make words features of their own, such as {{{f'{key}={value}'!r}: 1.0}}",
        )
    try:
        if np.ndim(value) == 0 and not isinstance(value, (bytes, complex)):
            return float(value)
    except OverflowError:  # of a whole number
        return math.inf if value > 0 else -math.inf
    except (TypeError, ValueError):
        pass
    raise InputTypeError(EXAMPLE, f" holds {value!r} for {key!r}, which is not a number")


def _is_list(part: Any) -> bool:
    return isinstance(part, (list, np.ndarray)) or hasattr(part, "__array__")


def _is_pair(part: Any) -> bool:
    return isinstance(part, (tuple, list)) and len(part) == 2


def _stored(x: Any) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The columns and values of a sparse row, which goes through the gate of sparse tables."""
    if x.ndim == 2 and x.shape[0] != 1:
        raise InputError(EXAMPLE, must="be one row", got=f"shape {x.shape}")
    with wording(by=_of_example):
        row = _table_of(x)
        refuse(csr_rows(row).check(values=False))
    stored = slice(*row.indptr.tolist())
    return _integers(row.indices[stored]), _floats(row.data[stored])


def _table_of(x: Any) -> Any:
    """A sparse row as a table of that row; SciPy converts CSR of one dimension without a look."""
    if x.ndim == 2:
        return to_csr(x)
    shape = 1, x.shape[0]
    if x.format == "csr":
        return Compressed(x.indptr, x.indices, x.data, shape)
    return to_csr(x.reshape(shape))


def _of_example(thing: Thing) -> Thing:
    return EXAMPLE if thing == MATRIX else thing


def _integers(columns: Any) -> NDArray[np.int64]:
    refuse_masked(columns, EXAMPLE)
    given = np.asarray(columns)
    if given.ndim != 1 or (given.dtype.kind not in "iu" and given.size):
        raise InputTypeError("The columns of ", EXAMPLE, must="be an array of whole numbers")
    return np.require(given, np.int64, ["C", "A"])


def _floats(values: Any) -> NDArray[np.float64]:
    refuse_masked(values, EXAMPLE)
    try:
        given = np.asarray(values)
        row = np.require(given, np.float64, ["C", "A"])
    except (TypeError, ValueError) as error:
        raise InputTypeError(EXAMPLE, must=FORMS) from error
    if given.dtype.kind not in "biufO":
        raise InputTypeError(EXAMPLE, must=FORMS)
    if given.ndim != 1:
        raise InputError(EXAMPLE, must="be one row of numbers", got=f"shape {given.shape}")
    return row
