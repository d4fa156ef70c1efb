"""Columns of Arrow to what the core reads: vectors of Spark ML, lists, numbers, text; labels."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputError, InputTypeError, Name, Row, Thing
from rosenblatt.inputs.labels import CodedLabels, Labels

VECTOR = {"type", "size", "indices", "values"}
"""The fields of a vector of Spark ML's; its type is 1 if it is dense."""


@dataclass(frozen=True)
class Named:
    """What columns hold: says errors of X and y in their names."""

    features: str | tuple[str, ...]
    label: str | None = None
    weight: str | None = None
    file: str = ""
    """Where they are, if in a file."""

    @classmethod
    def of(cls, featuresCol: Any, label: str | None = None, weight: str | None = None) -> "Named":
        """Those that a caller names."""
        if isinstance(featuresCol, str):
            return cls(featuresCol, label, weight)
        several = isinstance(featuresCol, Iterable)
        features = tuple(featuresCol) if several else ()
        if not features or not all(isinstance(name, str) for name in features):
            got = repr(featuresCol)
            raise InputTypeError(Name("featuresCol"), must="name a column, or several", got=got)
        return cls(features, label, weight)

    def __call__(self, thing: Thing) -> str | Thing:
        said = {"X": self.features, "y": self.label, "sample_weight": self.weight}
        name = said.get(thing.name) if isinstance(thing, Name) else None
        if name is None:
            return thing
        of = f" of {self.file}" if self.file else ""
        one = isinstance(name, str) or len(name) == 1
        names = name if isinstance(name, str) else ", ".join(name)
        return f"column{'' if one else 's'} {names}{of}"

    @property
    def all(self) -> list[str]:
        """The columns, each once."""
        features = [self.features] if isinstance(self.features, str) else [*self.features]
        more = [name for name in (self.label, self.weight) if name is not None]
        return list(dict.fromkeys(features + more))


def check_columns(
    wanted: Iterable[str], there: Sequence[str], whose: str, same: Callable[[str], str] = str
) -> None:
    """Refuse columns that are not there, or more than once."""
    names = [same(name) for name in there]
    for name in wanted:
        if name not in there:
            raise InputError(f"{whose} has no column {name}, only {', '.join(there)}")
        if names.count(same(name)) > 1:
            raise InputError(f"{whose} has several columns {name}", remedy="rename all but one")


def features_of(columns: Sequence[Any], of_text: Callable[[list[str]], Any] | None = None) -> Any:
    """The rows that columns hold, as an array or a CSR matrix; ``of_text`` makes them of text."""
    import pyarrow as pa

    if len(columns) > 1 or _is_number(columns[0].type):
        return np.column_stack([numbers_of(column, "X") for column in columns])
    column = _joined(columns[0], "X")
    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        if of_text is None:
            raise InputError(
                Name("X"), " holds text", remedy="put a TextVectorizer before the model"
            )
        return of_text(column.to_pylist())
    if pa.types.is_struct(kind) and {field.name for field in kind} == VECTOR:
        return _vectors(column)
    if _is_list(kind) and _is_number(kind.value_type):
        return _lists(column)
    raise InputError(
        Name("X"), must="be vectors, lists of numbers, numbers or text", got=f"type {kind}"
    )


def labels_of(column: Any) -> Labels:
    """Labels of numbers, strings or truth values."""
    import pyarrow as pa

    column = _joined(column, "y")
    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        coded = column.dictionary_encode()
        found = np.array(coded.dictionary.to_pylist(), dtype=np.str_)
        classes, places = np.unique(found, return_inverse=True)
        codes = places.astype(np.int32)[coded.indices.to_numpy(zero_copy_only=False)]
        return CodedLabels(codes, classes)
    if not (_is_number(kind) or pa.types.is_boolean(kind)):
        raise InputError(Name("y"), must="be numbers, strings or booleans", got=f"type {kind}")
    return column.to_numpy(zero_copy_only=False)


def _joined(column: Any, name: str) -> Any:
    """One array, without nulls, chunks or dictionaries, decimals as floats."""
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, pa.ChunkedArray):  # of no chunks
        column = pa.array([], column.type)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if column.null_count:
        row = int(column.is_null().to_numpy(zero_copy_only=False).argmax())
        raise InputError(Name(name), " is null", where=Row(row), remedy="fill in or drop it first")
    return column.cast(pa.float64()) if pa.types.is_decimal(column.type) else column


def numbers_of(column: Any, name: str) -> NDArray[np.float64]:
    column = _joined(column, name)
    if not _is_number(column.type):
        raise InputError(Name(name), must="be numbers", got=f"type {column.type}")
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def _lists(column: Any) -> NDArray[Any]:
    """Rows of numbers, all of one length."""
    import pyarrow as pa

    if pa.types.is_fixed_size_list(column.type):
        values, width = column.flatten(), column.type.list_size
    else:
        values, lengths = column.flatten(), np.diff(column.offsets.to_numpy())
        width = int(lengths[0]) if len(lengths) else 0
        _refuse_lengths(lengths, width)
    _refuse_null_values(values, np.arange(len(column) + 1) * width)
    return _floats(values).reshape(len(column), width)


def _vectors(column: Any) -> Any:
    """Vectors of Spark ML's: dense if all of them are, else compressed rows."""
    from scipy import sparse

    types, sizes, indices, values = (
        column.field(name) for name in ("type", "size", "indices", "values")
    )
    dense = types.to_numpy(zero_copy_only=False) == 1
    indptr = values.offsets.to_numpy().astype(np.int64)
    counts = np.diff(indptr)
    indptr -= indptr[0] if len(indptr) else 0
    _refuse_null_values(values.flatten(), indptr)
    numbers = _floats(values.flatten())
    lengths = counts.astype(np.int64)
    if not dense.all():
        lengths = np.where(dense, counts, sizes.fill_null(0).to_numpy(zero_copy_only=False))
    width = int(lengths[0]) if len(lengths) else 0
    _refuse_lengths(lengths, width)
    if dense.all():
        return numbers.reshape(len(column), width)
    own = indices.offsets.to_numpy()
    _refuse_null_values(indices.flatten(), own - own[0])
    other = np.diff(own) != np.where(dense, 0, counts)
    if other.any():
        must = "have an index for each value of a sparse vector"
        raise InputError(Name("X"), must=must, where=Row(int(other.argmax())))
    columns = indices.flatten().to_numpy(zero_copy_only=False).astype(np.int64, copy=False)
    if dense.any():
        places = np.repeat(dense, counts)
        mixed = np.arange(len(numbers)) - np.repeat(indptr[:-1], counts)
        mixed[~places] = columns
        columns = mixed
    return sparse.csr_array((numbers, columns, indptr), shape=(len(column), width))


def _refuse_lengths(lengths: NDArray[Any], width: int) -> None:
    other = lengths != width
    if other.any():
        row = int(other.argmax())
        got = f"{width} in the first row and {lengths[row]}"
        raise InputError(Name("X"), must="have vectors of one size", got=got, where=Row(row))


def _refuse_null_values(values: Any, indptr: NDArray[Any]) -> None:
    if values.null_count:
        place = int(values.is_null().to_numpy(zero_copy_only=False).argmax())
        row = int(np.searchsorted(indptr, place, side="right")) - 1
        raise InputError(Name("X"), " has a null value", where=Row(row, place - int(indptr[row])))


def _floats(values: Any) -> NDArray[Any]:
    import pyarrow as pa

    if pa.types.is_decimal(values.type):
        values = values.cast(pa.float64())
    numbers: NDArray[Any] = values.to_numpy(zero_copy_only=False)
    return numbers if numbers.dtype in (np.float32, np.float64) else numbers.astype(np.float64)


def _is_number(kind: Any) -> bool:
    import pyarrow as pa

    kinds = pa.types
    return bool(kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_decimal(kind))


def _is_list(kind: Any) -> bool:
    import pyarrow as pa

    return bool(
        pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    )
