"""X in forms that no model can learn from.

Each is named by what is odd about it and made from a plain array of whole numbers. Sparse matrices
are spoilt after they were built, when SciPy no longer looks.
"""

import numpy as np
from scipy import sparse

from unusual import csr, in_halves, longer, put, spoilt, to


def column(value, dtype=None, place=0):
    """A value stored in this column, the first of all or the one at ``place``."""
    return lambda X: csr(X, indices=put(place, value, dtype))


def bound(place, value, dtype=None):
    return lambda X: csr(X, indptr=put(place, value, dtype))


def value(value, place=0):
    return lambda X: csr(X, data=put(place, value))


def dense_value(value, row=0, column=0):
    return put((row, column), value)


def decreasing_but_empty(matrix):
    """Bounds that rise and fall back to zero, so that nothing seems to be stored."""
    matrix.indptr = put(1, 5)(np.zeros_like(matrix.indptr))
    matrix.indices, matrix.data = matrix.indices[:0], matrix.data[:0]
    return matrix


def coo(**changes):
    return lambda X: spoilt(sparse.coo_array(X), **changes)


def csc(**changes):
    return lambda X: spoilt(sparse.csc_array(X), **changes)


def bsr(**changes):
    return lambda X: spoilt(sparse.bsr_array(X, blocksize=(2, 3)), **changes)


def lil(list_name, change):
    def make(X):
        matrix = sparse.lil_array(X)
        change(getattr(matrix, list_name)[0])
        return matrix

    return make


MALFORMED = {
    # columns
    "a column just outside, where the intercept lies": (column(6), "column 6"),
    "a column two outside": (column(7), "column 7"),
    "a far column": (column(10**6), "column 1000000"),
    "a far column in the last row": (column(10**6, place=-1), "column 1000000"),
    "column -1": (column(-1), "column -1"),
    "column -1 in the last row": (column(-1, place=-1), "column -1"),
    "column -2**31": (column(-(2**31)), "column -2147483648"),
    "column 2**31": (column(2**31, "i8"), "column 2147483648"),
    "column 2**32, which is 0 in 32 bits": (column(2**32, "i8"), "column 4294967296"),
    "column 2**40": (column(2**40, "i8"), "column 1099511627776"),
    "column 2**63 - 1": (column(2**63 - 1, "i8"), "column 9223372036854775807"),
    "column -2**63": (column(-(2**63), "i8"), "column -9223372036854775808"),
    "column 2**64 - 1": (column(2**64 - 1, "u8"), "column"),
    # bounds of the rows
    "decreasing indptr": (bound(5, 0), "indptr must not decrease"),
    "decreasing indptr at the end": (bound(-1, 0), "indptr must not decrease"),
    "indptr past the end": (bound(-1, 10**6), "indptr ends at 1000000"),
    "indptr one past the end": (lambda X: bound(-1, np.count_nonzero(X) + 1)(X), "indptr ends at"),
    "indptr at 2**62": (bound(-1, 2**62, "i8"), "indptr ends at 4611686018427387904"),
    "indptr past the end in the middle": (bound(5, 10**6), "indptr must not decrease"),
    "indptr that does not start at 0": (bound(0, 1), "indptr must start at 0"),
    "indptr that starts below 0": (bound(0, -1), "indptr must start at 0"),
    "negative indptr": (bound(5, -7), "indptr must not decrease"),
    "indptr at -2**63": (bound(5, -(2**63), "i8"), "indptr must not decrease"),
    "indptr that falls back to zero": (lambda X: decreasing_but_empty(csr(X)), "indptr"),
    "indptr too short": (lambda X: csr(X, indptr=lambda bounds: bounds[:-1]), "13 entries"),
    "indptr too long": (
        lambda X: csr(X, indptr=lambda bounds: np.append(bounds, bounds[-1])),
        "13 entries",
    ),
    "indptr empty": (lambda X: csr(X, indptr=lambda bounds: bounds[:0]), "13 entries"),
    # arrays of the wrong length or type
    "fewer indices than values": (lambda X: csr(X, indices=lambda i: i[:-1]), "indices|indptr"),
    "more indices than values": (lambda X: csr(X, indices=longer), "indices"),
    "fewer values than indices": (lambda X: csr(X, data=lambda v: v[:-1]), "data|indptr"),
    "more values than indices": (lambda X: csr(X, data=longer), "data"),
    "no values at all": (lambda X: csr(X, data=lambda v: v[:0]), "data|indptr"),
    "float indices": (lambda X: csr(X, indices=to(float)), "indices must hold whole numbers"),
    "float indptr": (lambda X: csr(X, indptr=to(float)), "indptr must hold whole numbers"),
    "boolean indices": (lambda X: csr(X, indices=to(bool)), "indices must hold whole numbers"),
    "indices of objects": (lambda X: csr(X, indices=to("O")), "indices must hold whole numbers"),
    "indices of two dimensions": (
        lambda X: csr(X, indices=lambda i: i[:, np.newaxis]),
        "indices must be an array of one dimension",
    ),
    "indices that are a list": (lambda X: csr(X, indices=list), "indices must be an array"),
    "values that are None": (lambda X: csr(X, data=lambda _: None), "data must be an array"),
    "CSR of complex numbers": (lambda X: csr(X, data=to(complex)), "real numbers"),
    "CSR of objects": (lambda X: csr(X, data=to("O")), "real numbers"),
    "CSR of strings": (lambda X: csr(X, data=to("U")), "real numbers"),
    "CSR of dates": (lambda X: csr(X, data=to("M8[s]")), "real numbers"),
    "CSR of one dimension": (lambda X: sparse.csr_array(X[0]), "dimension|2D"),
    "COO of three dimensions": (
        lambda X: sparse.coo_array(np.ones((2, 3, 2))),
        "dimension|2D",
    ),
    # values
    "CSR with NaN": (value(np.nan), "NaN in row 0, column 0"),
    "CSR with NaN as last value": (value(np.nan, -1), "NaN in row 10, column"),
    "CSR with infinity": (value(np.inf), "infinity in row 0, column 0"),
    "CSR with minus infinity": (value(-np.inf, -1), "infinity in row 10, column"),
    "NaN": (dense_value(np.nan), "NaN"),
    "NaN in the last place": (dense_value(np.nan, -1, -1), "NaN in row 11, column 5"),
    "infinity": (dense_value(np.inf), "infinity"),
    "minus infinity in the last place": (dense_value(-np.inf, -1, -1), "infinity"),
    "float32 NaN": (lambda X: dense_value(np.nan, 1, 1)(X.astype("f4")), "NaN in row 1, column 1"),
    "a longdouble beyond float64": (
        lambda X: dense_value(np.finfo("g").max)(X.astype("g")),
        "infinity|beyond",
    ),
    "CSR of longdouble beyond float64": (
        lambda X: csr(X, data=put(0, np.finfo("g").max, "g")),
        "infinity|beyond",
    ),
    "NaN among the halves of a column named twice": (
        lambda X: spoilt(in_halves(csr(X)), data=put(0, np.nan)),
        "NaN in row 0",
    ),
    "a masked value": (lambda X: np.ma.masked_equal(X, 1), "mask"),
    "CSR with a masked value": (lambda X: csr(X, data=lambda v: np.ma.masked_equal(v, 1)), "mask"),
    # other sparse formats
    "CSC with a row too far": (csc(indices=put(0, 12)), "CSC|row 12"),
    "CSC with row -1": (csc(indices=put(0, -1)), "CSC|row -1"),
    "CSC with decreasing indptr": (csc(indptr=put(3, 0)), "CSC|indptr"),
    "CSC with indptr past the end": (csc(indptr=put(-1, 10**6)), "CSC|indptr"),
    "CSC with indptr that falls back to zero": (
        lambda X: decreasing_but_empty(sparse.csc_array(X)),
        "CSC|indptr",
    ),
    "CSC with indptr too short": (csc(indptr=lambda bounds: bounds[:-1]), "CSC|indptr"),
    "CSC with fewer indices than values": (csc(indices=lambda i: i[:-1]), "CSC|indices|indptr"),
    "CSC with float indices": (csc(indices=lambda i: i + 0.5), "CSC|whole numbers"),
    "CSC with values that are None": (csc(data=lambda _: None), "CSC|data"),
    "CSC with NaN": (csc(data=put(0, np.nan)), "NaN"),
    "CSC of complex numbers": (csc(data=to(complex)), "real numbers"),
    "CSC of objects": (csc(data=to("O")), "real numbers|CSC"),
    "BSR with a block too far": (bsr(indices=put(0, 2)), "BSR"),
    "BSR with block -1": (bsr(indices=put(0, -1)), "BSR"),
    "BSR with decreasing indptr": (bsr(indptr=put(2, 0)), "BSR|indptr"),
    "BSR with indptr past the end": (bsr(indptr=put(-1, 10**6)), "BSR|indptr"),
    "BSR with indptr that falls back to zero": (
        lambda X: decreasing_but_empty(sparse.bsr_array(X, blocksize=(2, 3))),
        "BSR|indptr",
    ),
    "BSR with half indices": (bsr(indices=lambda i: i + 0.5), "BSR|whole numbers"),
    "BSR with values of one dimension": (bsr(data=np.ravel), "BSR"),
    "COO with a column too far": (coo(col=put(0, 6)), "col"),
    "COO with column -1": (coo(col=put(0, -1)), "col"),
    "COO with a row too far": (coo(row=put(0, 12)), "row"),
    "COO with row -1": (coo(row=put(-1, -1)), "row"),
    "COO with half a row": (coo(coords=lambda places: (places[0] + 0.5, places[1])), "row"),
    "COO with fewer columns than values": (coo(col=lambda i: i[:-1]), "same length"),
    "COO with fewer values than columns": (coo(data=lambda v: v[:-1]), "same length"),
    "COO with three coordinates": (
        coo(coords=lambda places: (*places, places[0])),
        "dimension|coord|row",
    ),
    "COO with infinity": (coo(data=put(-1, np.inf)), "infinity"),
    "LIL with a column too far": (lil("rows", lambda row: row.__setitem__(0, 6)), "column 6"),
    "LIL with column -1": (lil("rows", lambda row: row.__setitem__(0, -1)), "column -1"),
    "LIL with more values than columns": (
        lil("data", lambda row: row.extend([1.0] * 10**6)),
        "LIL|length",
    ),
    "LIL with fewer values than columns": (lil("data", lambda row: row.pop()), "LIL|length"),
    "DIA with fewer offsets than diagonals": (
        lambda X: spoilt(sparse.dia_array(X), offsets=lambda offsets: offsets[:-1]),
        "DIA|diagonal|offset",
    ),
    "DIA with more offsets than diagonals": (
        lambda X: spoilt(sparse.dia_array(X), offsets=lambda offsets: np.append(offsets, [5, 6])),
        "DIA|diagonal|offset",
    ),
    "DIA with values of one dimension": (
        lambda X: spoilt(sparse.dia_array(X), data=np.ravel),
        "DIA|dimension",
    ),
    "DIA with NaN": (lambda X: spoilt(sparse.dia_array(X), data=put((0, 0), np.nan)), "NaN"),
    # not a table of numbers
    "no rows": (lambda X: X[:0], "0 sample"),
    "no columns": (lambda X: X[:, :0], "0 feature"),
    "CSR without rows": (lambda X: csr(X[:0]), "0 sample"),
    "CSR without columns": (lambda X: csr(X[:, :0]), "0 feature"),
    "one dimension": (lambda X: X[0], "2D|dimension"),
    "three dimensions": (lambda X: X[np.newaxis], "dim"),
    "a number": (lambda _: 1.0, "2D|scalar|dimension"),
    "None": (lambda _: None, "2D|None|scalar|dimension"),
    "a string": (lambda _: "a table", "2D|string|scalar|dimension"),
    "rows of different lengths": (lambda X: [row[: 1 + n % 3] for n, row in enumerate(X)], "shape"),
    "words": (lambda X: X.astype("U").astype("O") + "?", "string|numeric"),
    "a table of dicts": (lambda X: [[{}] * 6] * 12, "number|numeric|dict"),
    "complex numbers": (to(complex), "[Cc]omplex"),
    "np.matrix": (lambda X: X.view(np.matrix), "np.matrix"),
    "a record array": (lambda X: np.rec.fromarrays(X.T), "dim|2D|type|dtype"),
}
"""Forms that are refused, and what the message says."""
