"""How alike two examples are: kernels as scikit-learn works them out, in blocks, checked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn import config_context
from sklearn.metrics.pairwise import pairwise_kernels

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Name, Row
from rosenblatt.inputs.messages import LARGEST_VALUE
from rosenblatt.inputs.parameters import check_choice, check_count, check_number, check_positive
from rosenblatt.inputs.parts import Arrays, Facts, check_array, from_json, require, to_json

Kernel = str | Callable[[Any, Any], Any]
Array = NDArray[np.float64]

NAMED = ["linear", "poly", "rbf", "sigmoid", "laplacian", "cosine", "chi2", "precomputed"]
"""Kernels that scikit-learn's pairwise_kernels knows, and values that the caller worked out."""

SCALED = ["poly", "rbf", "sigmoid", "laplacian", "chi2"]
"""Those with a parameter gamma."""

VALUES_PER_BLOCK = 1 << 22
"""Kernel values held at a time, 32 megabytes."""


def check_kernel(kernel: Any, gamma: Any, degree: Any, coef0: Any) -> None:
    """Refuse a kernel or a parameter of it that makes no sense."""
    if not callable(kernel):
        check_choice("kernel", kernel, NAMED, "name one of these, or pass a function")
    if isinstance(gamma, str):
        check_choice("gamma", gamma, ["scale", "auto"])
    else:
        check_positive("gamma", gamma)
    check_count("degree", degree)
    check_number("coef0", coef0)


def gamma_for(X: Any, gamma: str | float) -> float:
    """The number that ``gamma`` stands for, as in scikit-learn's SVC."""
    if not isinstance(gamma, str):
        return float(gamma)
    if gamma == "auto":
        return 1.0 / int(X.shape[1])
    size, mean = X.shape[0] * X.shape[1], float(X.mean())
    if sparse.issparse(X):
        variance = float(X.data @ X.data) / size - mean**2
    else:
        length = max(1, VALUES_PER_BLOCK // X.shape[1])
        blocks = (X[start : start + length] - mean for start in range(0, len(X), length))
        variance = sum(float(np.vdot(block, block)) for block in blocks) / size
    return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0


@dataclass(frozen=True)
class Similarity:
    """A kernel, every parameter known."""

    __module__ = "rosenblatt"

    kernel: Kernel
    gamma: float
    degree: int
    coef0: float
    asked: tuple[Any, ...] = ()
    """Kernel, gamma, degree and coef0 as the caller gave them."""

    def facts(self) -> Facts:
        if callable(self.kernel):
            raise ValueError(
                "A model whose kernel is a function cannot be saved, as a file holds no code: name "
                "one of the kernels, or pickle the model."
            )
        asked = to_json(list(self.asked), f"kernel parameters {self.asked!r}")
        numbers = {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
        return {"kernel": self.kernel, **numbers, "asked": asked}

    def arrays(self) -> Arrays:
        return {}

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> "Similarity":
        kernel, gamma, degree, coef0 = (
            facts[name] for name in ("kernel", "gamma", "degree", "coef0")
        )
        check_kernel(kernel, gamma, degree, coef0)
        asked = tuple(from_json(facts["asked"]))
        require(len(asked) == 4, "it does not say what kernel was asked for")
        check_kernel(*asked)
        require(type(gamma) is float, "its gamma is not a number")
        return cls(kernel, gamma, degree, coef0, asked)

    @property
    def precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def takes(self, references: Any, width: int) -> bool:
        """Whether examples of so many features can be compared with these."""
        if references is None:
            return True
        if self.precomputed:
            return references.ndim == 1 and int(references.max(initial=-1)) < width
        return tuple(references.shape[1:]) == (width,)

    def references(self, X: Any, rows: NDArray[np.intp]) -> Any:
        """These rows as something to compare others with: copies, or the columns that hold them."""
        return rows.copy() if self.precomputed else X[rows]

    def values(self, X: Any, rows: NDArray[np.intp], references: Any) -> Array:
        """The kernel values of these rows with each of the references."""
        if references is None:
            return np.empty((len(rows), 0))
        shape = (len(rows), references.shape[0])
        values = self._evaluated(X[rows], references)
        if values.shape != shape:
            allowed = f"return an array of shape {shape} for {shape[0]} rows of "
            raise InputError(
                Name("kernel"),
                must=(allowed, Name("X"), f" and {shape[1]} supports"),
                got=f"shape {values.shape}",
            )
        if values.size and not -LARGEST_VALUE <= values.min() <= values.max() <= LARGEST_VALUE:
            row, support = np.argwhere(~(np.abs(values) <= LARGEST_VALUE))[0]
            raise InputError(
                f"The kernel gave {values[row, support]:g} for ",
                *(Row(int(rows[row])), " of ", Name("X")),
                remedy="scale the features, or choose other parameters of the kernel",
            )
        return values

    def _evaluated(self, X: Any, references: Any) -> Array:
        if self.precomputed:
            values = X[:, references]
        elif callable(self.kernel):
            values = self.kernel(alike(X, references), references)
        else:
            with config_context(assume_finite=True, skip_parameter_validation=True):  # for speed
                both = without_empty_columns(alike(X, references), references)
                values = pairwise_kernels(
                    *map(with_short_indices, both),
                    metric=self.kernel,
                    filter_params=True,
                    gamma=self.gamma,
                    degree=self.degree,
                    coef0=self.coef0,
                )
        if sparse.issparse(values):
            values = values.toarray()
        return np.ascontiguousarray(values, dtype=np.float64)


def stacked(first: Any, second: Any) -> Any:
    """The references of both, dense or sparse as the first are."""
    second = alike(second, first)
    if sparse.issparse(first):
        return sparse.vstack([first, second], format="csr")
    return np.concatenate([first, second])


def alike(X: Any, pattern: Any) -> Any:
    """X, dense or sparse as the pattern is."""
    if sparse.issparse(pattern) and not sparse.issparse(X):
        return sparse.csr_array(X)
    if sparse.issparse(X) and not sparse.issparse(pattern):
        return X.toarray()
    return X


def without_empty_columns(X: Any, Y: Any) -> tuple[Any, Any]:
    """Both with no columns but those that either has values in, if that makes them much narrower.

    To no kernel here such columns matter, but SciPy multiplies with a number for each.
    """
    if not sparse.issparse(X) or X.shape[1] <= X.nnz + Y.nnz:
        return X, Y
    used, places = np.unique(np.concatenate([X.indices, Y.indices]), return_inverse=True)
    width = max(1, len(used))
    return (
        sparse.csr_array((X.data, places[: X.nnz], X.indptr), shape=(X.shape[0], width)),
        sparse.csr_array((Y.data, places[X.nnz :], Y.indptr), shape=(Y.shape[0], width)),
    )


def with_short_indices(X: Any) -> Any:
    """The same with indices of four bytes, if they fit: the Laplacian kernel reads no others."""
    if not sparse.issparse(X) or max(X.nnz, *X.shape) >= 2**31:
        return X
    indices, indptr = X.indices.astype(np.int32, copy=False), X.indptr.astype(np.int32, copy=False)
    return sparse.csr_array((X.data, indices, indptr), shape=X.shape)


def arrays_of(references: Any) -> Arrays:
    """References as a file holds them, always with indices of eight bytes."""
    if references is None:
        return {}
    if not sparse.issparse(references):
        return {"references": references}
    return {
        "references.data": references.data,
        "references.indices": references.indices.astype(np.int64),
        "references.indptr": references.indptr.astype(np.int64),
    }


def references_of(arrays: Arrays, count: int, width: int) -> Any:
    """The references that these arrays hold, every index and value checked."""
    if "references" in arrays:
        references = arrays["references"]
        if references.dtype == np.int64:  # columns of precomputed values
            check_array(references, np.int64, (count,))
            require(bool((references >= 0).all()), "its supports have no places")
            return references.astype(np.intp)
        check_array(references, np.float64, (count, width))
        require(core.dense(references).check(values=True) is None, "its supports are not sound")
        return references
    if "references.data" not in arrays:
        require(count == 0, "it has no supports")
        return None
    data = check_array(arrays["references.data"], np.float64)
    indices = check_array(arrays.get("references.indices"), np.int64, data.shape)
    indptr = check_array(arrays.get("references.indptr"), np.int64, (count + 1,))
    rows = core.csr(data, indices, indptr, width)
    require(rows.check(values=True) is None and rows.in_order, "its supports are not sound")
    index = np.int32 if max(len(data), width) < 2**31 else np.int64  # as SciPy would have them
    parts = data, indices.astype(index), indptr.astype(index)
    return sparse.csr_array(parts, shape=(count, width))
