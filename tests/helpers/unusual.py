"""X in forms that are unusual but legal.

Each is named by what is odd about it and made from a plain array of whole numbers. Sparse matrices
are changed after they were built, when SciPy no longer looks.
"""

import functools
import tempfile

import numpy as np
import pandas as pd
from scipy import sparse


def plain(width=6):
    """Twelve rows of small whole numbers; the fourth and the last are empty."""
    return _plain(width).copy()


@functools.cache
def _plain(width):
    rng = np.random.default_rng(5)
    X = rng.integers(-3, 4, size=(12, width)) * rng.integers(2, size=(12, width))
    X[[0, 10], 0] = 1  # the first and the last value stored stand in column 0
    X[[3, 11]] = 0
    return X.astype(float)


class OwnArray(np.ndarray):
    """A subclass, as others' packages make them."""


class OwnMatrix(sparse.csr_matrix):
    """The same for sparse matrices."""


def csr(X, **changes):
    """X in compressed rows, some of its arrays replaced by what a function makes of them."""
    return spoilt(sparse.csr_array(X), **changes)


def spoilt(matrix, **changes):
    for name, change in changes.items():
        setattr(matrix, name, change(getattr(matrix, name)))
    return matrix


def put(place, value, dtype=None):
    """A change of one entry."""

    def change(array):
        array = array.astype(dtype or array.dtype)
        array[place] = value
        return array

    return change


def to(dtype):
    return lambda array: array.astype(dtype)


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


def unaligned(array):
    """The same values one byte beside where the processor would like them."""
    shifted = np.frombuffer(b"\0" + array.tobytes(), array.dtype, offset=1)
    return shifted.reshape(array.shape)


def mapped(array):
    """The same values in a file."""
    with tempfile.TemporaryFile() as file:
        in_file = np.memmap(file, array.dtype, "w+", shape=array.shape)
    in_file[:] = array
    return in_file


def every_other(array):
    """The same values with others between them."""
    return np.repeat(array, 2, axis=0)[::2]


def in_records(X):
    """The same values, the next row at no multiple of their size away."""
    records = np.zeros(len(X), [("x", X.dtype, X.shape[1]), ("odd", "i1")])
    records["x"] = X
    return records["x"]


def longer(array):
    """Room for more, filled with what must not be looked at."""
    return np.append(array, np.array([99, 99], array.dtype))


def from_right_to_left(X):
    flipped = sparse.csr_array(X[:, ::-1])
    columns = X.shape[1] - 1 - flipped.indices
    return sparse.csr_array((flipped.data, columns, flipped.indptr), shape=X.shape)


def in_halves(matrix):
    """Every stored value as two of half its size in the same place."""
    return type(matrix)(
        (np.repeat(matrix.data / 2, 2), np.repeat(matrix.indices, 2), 2 * matrix.indptr),
        shape=matrix.shape,
    )


def coo_in_halves(X):
    whole = sparse.coo_array(X)
    places = (np.repeat(whole.row, 2), np.repeat(whole.col, 2))
    return sparse.coo_array((np.repeat(whole.data / 2, 2), places), shape=X.shape)


def with_false_flags(matrix):
    """What SciPy remembers of the order is no longer true."""
    matrix.has_sorted_indices = matrix.has_canonical_format = True
    return matrix


def with_zeros_stored(X):
    everything = sparse.csr_array(np.ones_like(X))
    everything.data = X.ravel().copy()
    return everything


def sparse_frame(X):
    return pd.DataFrame.sparse.from_spmatrix(sparse.csr_matrix(X))


LEGAL = {
    # dense
    "Fortran order": np.asfortranarray,
    "rows backwards": lambda X: X[::-1].copy()[::-1],
    "columns backwards": lambda X: X[:, ::-1].copy()[:, ::-1],
    "every other row of a larger array": every_other,
    "every other column of a larger array": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "the left part of a larger array": lambda X: np.hstack([X, np.full_like(X, np.nan)])[:, :6],
    "a field of odd-sized records": in_records,
    "read-only": read_only,
    "unaligned": unaligned,
    "unaligned float32": lambda X: unaligned(X.astype("f4")),
    "in a file": mapped,
    "of swapped bytes": to(">f8"),
    "float16": to("f2"),
    "longdouble": to("g"),
    "int8": to("i1"),
    "int64": to("i8"),
    "one row repeated": lambda X: np.broadcast_to(X[0], X.shape),
    "one column repeated": lambda X: np.broadcast_to(X[:, :1], X.shape),
    "objects that are numbers": to("O"),
    "lists": lambda X: X.tolist(),
    "a subclass of ndarray": lambda X: X.view(OwnArray),
    "a masked array without a mask": np.ma.masked_array,
    "a frame": pd.DataFrame,
    "a frame of sparse columns": sparse_frame,
    # compressed rows
    "CSR array": csr,
    "CSR matrix": sparse.csr_matrix,
    "a subclass of CSR": OwnMatrix,
    "CSR of float32": lambda X: csr(X, data=to("f4")),
    "CSR of float16": lambda X: csr(X, data=to("f2")),
    "CSR of longdouble": lambda X: csr(X, data=to("g")),
    "CSR of int8": lambda X: csr(X, data=to("i1")),
    "CSR of swapped bytes": lambda X: csr(X, data=to(">f8"), indices=to(">i4")),
    "CSR with int64 indices": lambda X: csr(X, indices=to("i8"), indptr=to("i8")),
    "CSR with uint8 indices": lambda X: csr(X, indices=to("u1"), indptr=to("u1")),
    "CSR with uint64 indices": lambda X: csr(X, indices=to("u8"), indptr=to("u8")),
    "CSR with int64 indptr only": lambda X: csr(X, indptr=to("i8")),
    "CSR with int64 indices only": lambda X: csr(X, indices=to("i8")),
    "CSR read-only": lambda X: csr(X, data=read_only, indices=read_only, indptr=read_only),
    "CSR unaligned": lambda X: csr(X, data=unaligned, indices=unaligned, indptr=unaligned),
    "CSR in files": lambda X: csr(X, data=mapped, indices=mapped, indptr=mapped),
    "CSR strided": lambda X: csr(X, data=every_other, indices=every_other, indptr=every_other),
    "CSR with room to spare": lambda X: csr(X, data=longer, indices=longer),
    "CSR with zeros stored": with_zeros_stored,
    "CSR with columns from right to left": from_right_to_left,
    "CSR with columns named twice": lambda X: in_halves(sparse.csr_array(X)),
    "CSR of float16 with columns named twice": lambda X: spoilt(
        in_halves(sparse.csr_array(X)), data=to("f2")
    ),
    "CSR of int8 whose halves add up to more than an int8": lambda X: spoilt(
        in_halves(csr(80 * X)), data=to("i1")
    ),
    "CSR of float32 whose halves add up to more than a float32": lambda X: spoilt(
        in_halves(csr(2e38 * X)), data=to("f4")
    ),
    "CSR unsorted that claims to be sorted": lambda X: with_false_flags(from_right_to_left(X)),
    "CSR with twice named columns that claims to have none": lambda X: with_false_flags(
        in_halves(sparse.csr_array(X))
    ),
    # other sparse formats
    "CSC": sparse.csc_array,
    "CSC with rows named twice": lambda X: in_halves(sparse.csc_array(X)),
    "CSC with room to spare": lambda X: spoilt(sparse.csc_array(X), data=longer, indices=longer),
    "CSC read-only": lambda X: spoilt(sparse.csc_array(X), data=read_only, indices=read_only),
    "BSR": lambda X: sparse.bsr_array(X, blocksize=(2, 3)),
    "COO": sparse.coo_array,
    "COO with places named twice": coo_in_halves,
    "COO that claims to name none twice": lambda X: with_false_flags(coo_in_halves(X)),
    "DIA": sparse.dia_array,
    "DIA with its diagonals out of order": lambda X: spoilt(
        sparse.dia_array(X), data=lambda d: d[::-1].copy(), offsets=lambda o: o[::-1].copy()
    ),
    "LIL": sparse.lil_array,
    "DOK": sparse.dok_array,
}
"""Forms that mean the same as the plain array."""


MEANINGS = {
    "one row repeated": lambda X: np.tile(X[0], (12, 1)),
    "one column repeated": lambda X: np.tile(X[:, :1], 6),
    "CSR of int8 whose halves add up to more than an int8": lambda X: 80 * X,
    "CSR of float32 whose halves add up to more than a float32": lambda X: (
        2 * (1e38 * X).astype("f4").astype(float)
    ),
}
"""What those forms mean that mean something else."""
