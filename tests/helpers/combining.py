"""What tests of combinations share."""

import numpy as np
from numpy.testing import assert_array_equal

KINDS = ["seen", "all", "hashed"]


def assert_same_rows(rows, others):
    """The same sparse matrix, bit for bit, in the same arrays."""
    assert rows.shape == others.shape
    assert rows.dtype == others.dtype
    assert rows.data.tobytes() == others.data.tobytes()
    assert_array_equal(rows.indices, others.indices)
    assert_array_equal(rows.indptr, others.indptr)


def assert_in_order(rows):
    for row in range(rows.shape[0]):
        columns = rows.indices[rows.indptr[row] : rows.indptr[row + 1]]
        assert (np.diff(columns) > 0).all()
