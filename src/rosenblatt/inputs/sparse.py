"""SciPy's sparse matrices as compressed rows, without trusting their indices as SciPy does."""

import sys
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.messages import MATRIX, refuse_masked

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
"""Types of values that the core reads in place."""

SparseKind = Literal["csr_array", "csr_matrix"]


class Compressed(NamedTuple):
    """The arrays of a CSR matrix, for who does without SciPy."""

    indptr: NDArray[Any]
    indices: NDArray[Any]
    data: NDArray[Any]
    shape: tuple[int, int]


def is_sparse(X: Any) -> bool:
    """Whether it is a matrix of SciPy's, which whoever has one has imported."""
    scipy = sys.modules.get("scipy.sparse")
    return scipy is not None and bool(scipy.issparse(X))


def picked(indptr: NDArray[Any], rows: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The indptr of some of the rows alone, and where their values stand among all."""
    sizes = np.diff(indptr)[rows]
    ends = np.cumsum(sizes)
    places = np.arange(sizes.sum()) + np.repeat(indptr[:-1][rows] + sizes - ends, sizes)
    return np.concatenate([[0], ends]).astype(np.int64), places


def row_numbers(indptr: NDArray[Any]) -> NDArray[np.int64]:
    """For each value the number of the row that it is in."""
    return np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))


def rows_of(X: Any) -> core.Rows:
    """The rows of an array or a CSR matrix for the core, not yet looked at."""
    return core.dense(X) if isinstance(X, np.ndarray) else csr_rows(X)


def matrix_of(
    indptr: NDArray[Any],
    columns: NDArray[Any],
    values: NDArray[Any],
    width: int,
    kind: SparseKind = "csr_matrix",
) -> Any:
    """Rows that the core made, columns in order, each once, with int32 indices if these will do."""
    from scipy import sparse

    index = np.int32 if max(width, len(columns)) < 2**31 else np.int64
    X = getattr(sparse, kind)(
        (values, columns.astype(index, copy=False), indptr.astype(index, copy=False)),
        shape=(len(indptr) - 1, width),
    )
    X.has_sorted_indices = X.has_canonical_format = True
    return X


def csr_rows(X: Any) -> core.Rows:
    """The rows of a CSR matrix for the core: borrowed if of its types, else converted."""
    values, columns, indptr = X.data, X.indices, X.indptr
    count, width = X.shape
    for name, array in (("data", values), ("indices", columns), ("indptr", indptr)):
        if not isinstance(array, np.ndarray) or array.ndim != 1:
            raise InputError(MATRIX, f".{name}", must="be an array of one dimension")
        refuse_masked(array, MATRIX)
    if len(indptr) != count + 1:
        must = f"have {count + 1} entries for {count} rows"
        raise InputError(MATRIX, ".indptr", must=must, got=f"{len(indptr)}")
    if len(columns) != len(values):
        sizes = f"{len(columns)} entries but its data has {len(values)}"
        raise InputError(MATRIX, f".indices has {sizes}")
    try:
        if values.flags.aligned and columns.flags.aligned and indptr.flags.aligned:
            return core.csr(values, columns, indptr, width, getattr(X, "let_go", None))
    except (TypeError, ValueError):  # other types or layouts than the core reads in place
        pass
    return core.csr(_floats(values), *_indices(columns, indptr), width)


def plain_csr(X: Any) -> Any:
    """A sound CSR matrix in float64, with indices of a type that SciPy computes with."""
    from scipy import sparse

    parts = X.data.astype(np.float64, copy=False), *_indices(X.indices, X.indptr)
    return sparse.csr_array(parts, shape=X.shape)


def to_csr(X: Any) -> Any:
    """Any sparse format as CSR, after a look at its arrays."""
    if X.ndim != 2:
        raise InputError(MATRIX, must="have two dimensions", got=f"shape {X.shape}")
    if X.format == "csr":
        return X
    wrong = LOOKS[X.format](X) if X.format in LOOKS else None
    if wrong:
        raise InputError(MATRIX, f" is not a sound {X.format.upper()} matrix: {wrong}")
    return X.tocsr()


def _floats(values: NDArray[Any]) -> NDArray[Any]:
    """The values as aligned float32 or float64 in native order, without a copy where they are."""
    if values.dtype.kind not in "biuf":
        raise InputError(MATRIX, must="hold real numbers", got=f"values of type {values.dtype}")
    dtype = values.dtype if values.dtype in FLOATS else np.float64
    return np.require(values, dtype, ["C", "A"])


def _indices(columns: NDArray[Any], indptr: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both as int32 or both as int64, without a copy where they are."""
    for name, array in (("indices", columns), ("indptr", indptr)):
        if array.dtype.kind not in "iu":
            raise InputError(
                MATRIX, f".{name}", must="hold whole numbers", got=f"type {array.dtype}"
            )
    dtype = np.int32 if np.result_type(columns, indptr) == np.int32 else np.int64
    return np.require(columns, dtype, ["C", "A"]), np.require(indptr, dtype, ["C", "A"])


def _look_at_compressed(X: Any) -> str | None:
    """CSC has columns for rows, BSR rows of blocks."""
    parts = (X.data, X.indices, X.indptr)
    dimensions = (3 if X.format == "bsr" else 1, 1, 1)
    for part, dimension in zip(parts, dimensions, strict=True):
        if not isinstance(part, np.ndarray) or part.ndim != dimension:
            return "its arrays have the wrong dimensions"
    _floats(X.data[:0])
    block = X.data.shape[1:] if X.format == "bsr" else (1, 1)
    if 0 in block or X.shape[0] % block[0] or X.shape[1] % block[1]:
        return "its blocks do not fill it"
    count, width = X.shape[0] // block[0], X.shape[1] // block[1]
    if X.format == "csc":
        count, width = width, count
    if len(X.indptr) != count + 1:
        return f"indptr must have {count + 1} entries, but it has {len(X.indptr)}"
    if len(X.indices) != len(X.data):
        return f"indices has {len(X.indices)} entries but data has {len(X.data)}"
    zeros = np.zeros(len(X.indices), dtype=np.float32)
    fault = core.csr(zeros, *_indices(X.indices, X.indptr), width).check(values=False)
    if fault is None:
        return None
    if fault[0] == "column":
        return f"indices must lie between 0 and {width - 1}, got {fault[2]}"
    return "indptr must rise from 0 to the number of values"


def _look_at_coo(X: Any) -> str | None:
    if len(X.coords) != 2:
        return "it needs a row and a col for each value"
    for name, places, limit in zip(("row", "col"), X.coords, X.shape, strict=True):
        if places.dtype.kind not in "iu":
            return f"{name} must hold whole numbers, got type {places.dtype}"
        if len(places) != len(X.data):
            return "row, col and data must have the same length"
        if len(places) and (places.min() < 0 or places.max() >= limit):
            return f"{name} must lie between 0 and {limit - 1}"
    return None


def _look_at_lil(X: Any) -> str | None:
    alike = [len(row) for row in X.rows] == [len(row) for row in X.data]
    return None if alike else "the lists of its rows and data differ in length"


def _look_at_dia(X: Any) -> str | None:
    sound = X.data.ndim == 2 and X.offsets.ndim == 1 and len(X.data) == len(X.offsets)
    return None if sound else "it needs one offset for each diagonal"


LOOKS = {
    "csc": _look_at_compressed,
    "bsr": _look_at_compressed,
    "coo": _look_at_coo,
    "lil": _look_at_lil,
    "dia": _look_at_dia,
}
"""What can be wrong with a matrix of each format; None if nothing is."""
