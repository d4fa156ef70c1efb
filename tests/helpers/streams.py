"""Examples one at a time, in the forms in which callers hand them in."""

import numpy as np
from scipy import sparse


def pieces(X):
    """Of each row of a CSR matrix, the columns and the values."""
    for begin, end in zip(X.indptr[:-1], X.indptr[1:], strict=True):
        yield X.indices[begin:end], X.data[begin:end]


def names_of(columns):
    return [f"feature {column}" for column in columns]


def backwards(columns, values):
    return columns[::-1].copy(), values[::-1].copy()


SPARSE_FORMS = {
    "arrays": lambda columns, values: (columns, values),
    "arrays backwards": backwards,
    "wide arrays": lambda columns, values: (columns.astype(np.int64), values),
    "lists": lambda columns, values: (columns.tolist(), values.tolist()),
    "pairs": lambda columns, values: list(zip(columns.tolist(), values.tolist(), strict=True)),
    "pairs backwards": lambda columns, values: list(
        zip(*(part.tolist() for part in backwards(columns, values)), strict=True)
    ),
    "numbered dict": lambda columns, values: dict(
        zip(columns.tolist(), values.tolist(), strict=True)
    ),
    "NumPy's own numbers": lambda columns, values: dict(zip(columns, values, strict=True)),
}
"""What a sparse row of column numbers may look like."""

DENSE_FORMS = {"row": np.array, "list": lambda x: x.tolist(), "tuple": lambda x: tuple(x.tolist())}


def as_dicts(X, name=names_of):
    """The stored values of each row by name."""
    for columns, values in pieces(sparse.csr_array(X)):
        yield dict(zip(name(columns), values.tolist(), strict=True))


def learn_all(model, examples, labels):
    for x, y in zip(examples, labels, strict=True):
        model.learn_one(x, y)
    return model
