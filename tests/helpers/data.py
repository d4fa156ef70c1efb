"""Examples for the tests, and the forms in which callers hand them in."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
"""One or the other but not both."""


def labels_of(rng, count, classes):
    """Class numbers in random order, every class among them."""
    codes = rng.integers(classes, size=count)
    codes[:classes] = np.arange(classes)
    return rng.permutation(codes)


def whole_numbers(seed=0, count=60, width=9, classes=2):
    """Examples of small whole numbers, half of them zero, that no hyperplane separates."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, size=(count, width)) * rng.integers(2, size=(count, width))
    return X.astype(float), labels_of(rng, count, classes)


def real_numbers(seed=0, count=60, width=9, classes=2):
    """Examples drawn from a normal distribution, half of the values zero."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(count, width)) * rng.integers(2, size=(count, width))
    return X, labels_of(rng, count, classes)


def noisy(seed=0, count=150, classes=2):
    """Examples that a plane separates but for one label in five: many passes overfit."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(count, 12))
    y = np.argmax(X @ rng.normal(size=(12, classes)), axis=1)
    y[: 2 * classes] = np.repeat(np.arange(classes), 2)
    wrong = rng.random(count) < 0.2
    y[wrong] = rng.integers(classes, size=wrong.sum())
    return X, y


def separable(seed=0, count=80, width=4, gap=0.1):
    """Two classes on either side of a plane: X, codes, and the plane's unit weights and bias."""
    rng = np.random.default_rng(seed)
    teacher = rng.normal(size=width)
    teacher /= np.linalg.norm(teacher)
    bias = rng.uniform(-0.5, 0.5)
    X = rng.uniform(-2, 2, size=(20 * count, width))
    X = X[np.abs(X @ teacher + bias) > gap][:count]
    return X, (X @ teacher + bias > 0).astype(int), teacher, bias


@st.composite
def whole_problems(draw, classes):
    """X of small whole numbers and class numbers, every class among them."""
    count = draw(st.integers(classes, classes + 14))
    width = draw(st.integers(1, 12))
    X = draw(arrays(np.float64, (count, width), elements=st.integers(-3, 3)))
    codes = draw(arrays(np.int64, count, elements=st.integers(0, classes - 1)))
    codes[:classes] = draw(st.permutations(range(classes)))
    return X, codes


@st.composite
def power_of_two_problems(draw, classes, nonzeros):
    """Rows of so many values of -1 or +1, else zeros.

    With three of them and the constant feature the squared length is four, so that division by
    it is exact.
    """
    count = draw(st.integers(classes, classes + 6))
    width = draw(st.integers(nonzeros, 9))
    X = np.zeros((count, width))
    for x in X:
        columns = draw(st.permutations(range(width)))[:nonzeros]
        x[columns] = draw(arrays(np.float64, nonzeros, elements=st.sampled_from([-1, 1])))
    codes = draw(arrays(np.int64, count, elements=st.integers(0, classes - 1)))
    codes[:classes] = draw(st.permutations(range(classes)))
    return X, codes


def _csr(container, value, index):
    def convert(X):
        rows = container(X.astype(value))
        rows.indices, rows.indptr = rows.indices.astype(index), rows.indptr.astype(index)
        return rows

    return convert


def _strided(X):
    wide = np.full((len(X), X.shape[1] + 3), np.nan)
    wide[:, : X.shape[1]] = X
    return wide[:, : X.shape[1]]


def _unsorted(X):
    """CSR whose rows name their columns from right to left, each value in two halves."""
    rows = sparse.csr_array(X)
    flipped = sparse.csr_array(X[:, ::-1])
    columns = np.repeat(X.shape[1] - 1 - flipped.indices, 2)
    return sparse.csr_array(
        (np.repeat(flipped.data / 2, 2), columns, 2 * flipped.indptr), shape=rows.shape
    )


LAYOUTS = {
    "float64": np.array,
    "float32": lambda X: X.astype(np.float32),
    "fortran": np.asfortranarray,
    "strided": _strided,
    "lists": lambda X: X.tolist(),
    "integers": lambda X: X.astype(int),
    "csr_array": _csr(sparse.csr_array, np.float64, np.int32),
    "csr_array float32": _csr(sparse.csr_array, np.float32, np.int32),
    "csr_array int64": _csr(sparse.csr_array, np.float64, np.int64),
    "csr_array float32 int64": _csr(sparse.csr_array, np.float32, np.int64),
    "csr_matrix": _csr(sparse.csr_matrix, np.float64, np.int32),
    "csr_matrix int64": _csr(sparse.csr_matrix, np.float64, np.int64),
    "csr unsorted, with duplicates": _unsorted,
    "csc_array": sparse.csc_array,
    "coo_matrix": sparse.coo_matrix,
}
"""The forms in which whole-numbered X may be passed: all mean the same."""
