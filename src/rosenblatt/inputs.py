"""What the caller passed as X and sample_weight, as the core reads it; every check and its message.

Arrays that are already right go straight to the core, which looks at every index and value
itself. Everything else (frames, lists, other types and layouts) goes through scikit-learn first.
"""

import math
import numbers
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rosenblatt import core

Fault = tuple[str, int, int, float]
LARGEST_VALUE = 1e75
"""As in rows.hpp: squares, sums and averages of smaller values stay finite."""


def read_rows(estimator: Any, X: Any, *, reset: bool) -> core.Rows:
    """The rows of X for the core, not yet checked.

    With ``reset`` the estimator's n_features_in_ and feature_names_in_ are set from X, otherwise X
    is compared with them.
    """
    if sparse.issparse(X):
        rows = _sparse_rows(X)
        _check_columns(estimator, X.shape, reset=reset)
        return rows
    plain = type(X) is np.ndarray and X.ndim == 2 and _is_float(X.dtype)
    if plain and (reset or not hasattr(estimator, "feature_names_in_")):
        _check_columns(estimator, X.shape, reset=reset)
    else:
        from sklearn.utils.validation import validate_data

        X = validate_data(
            estimator, X, reset=reset, dtype=[np.float64, np.float32], ensure_all_finite=False
        )
    if X.strides[1] != X.itemsize or X.strides[0] % X.itemsize or not X.flags.aligned:
        X = X.copy(order="C")
    return core.dense(X)


def read_sound_rows(estimator: Any, X: Any, *, reset: bool, values: bool) -> core.Rows:
    """The rows of X, every index checked, each row's columns once and in rising order.

    Without ``values`` these are not looked at: learning stops at a row whose score is not a number.
    """
    rows = read_rows(estimator, X, reset=reset)
    refuse(rows.check(values))
    if not rows.in_order:
        tidy = sparse.csr_array((X.data, X.indices, X.indptr), shape=X.shape, copy=True)
        tidy.sum_duplicates()
        rows = core.csr(_floats(tidy.data), tidy.indices, tidy.indptr, X.shape[1])
        refuse(rows.check(values))
    return rows


def refuse(fault: Fault | None) -> None:
    """Raise a ValueError that says what is wrong with X and where, if anything is."""
    if fault is None:
        return
    kind, row, column, value = fault
    if kind == "start":
        raise ValueError(f"X.indptr must start at 0, but starts at {column}.")
    if kind == "decreasing":
        raise ValueError(f"X.indptr must not decrease, but row {row} of X ends before it begins.")
    if kind == "end":
        raise ValueError(f"X.indptr ends at {column}, beyond the values that X stores.")
    if kind == "column":
        raise ValueError(f"Row {row} of X names column {column}, which X does not have.")
    where = f"in row {row}, column {column}"
    if math.isnan(value):
        raise ValueError(f"Input X contains NaN {where}: fill in or drop missing values first.")
    if math.isinf(value):
        raise ValueError(f"Input X contains infinity {where}: replace or drop it first.")
    raise ValueError(
        f"Input X contains {value:g} {where}, beyond {LARGEST_VALUE:g}: scale the features first."
    )


def read_sample_weight(sample_weight: Any, count: int) -> NDArray[np.float64] | None:
    """One finite weight of zero or more for each row, or None when all are one."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, numbers.Real):
        sample_weight = np.full(count, sample_weight, dtype=np.float64)
    try:
        weight = np.ascontiguousarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError("sample_weight must hold numbers, one for each row of X.") from error
    if weight.ndim != 1:
        raise ValueError(f"sample_weight must have one dimension, got shape {weight.shape}.")
    if len(weight) != count:
        raise ValueError(f"X has {count} rows but sample_weight has {len(weight)} entries.")
    wrong = ~((weight >= 0) & (weight <= LARGEST_VALUE))
    if wrong.any():
        row = int(wrong.argmax())
        raise ValueError(
            "sample_weight must hold finite numbers of zero or more, got "
            f"{weight[row]} for row {row}."
        )
    return weight


def _is_float(dtype: np.dtype[Any]) -> bool:
    return dtype == np.float64 or dtype == np.float32


def _floats(values: NDArray[Any]) -> NDArray[Any]:
    """The values as aligned float32 or float64 in native order, without a copy where they are."""
    if values.dtype.kind not in "biuf":
        raise ValueError(f"X must hold real numbers, got values of type {values.dtype}.")
    dtype = values.dtype if _is_float(values.dtype) else np.float64
    return np.require(values, dtype, ["C", "A"])


def _sparse_rows(X: Any) -> core.Rows:
    if X.format != "csr":
        X = _to_csr(X)
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, got shape {X.shape}.")
    values, columns, bounds = X.data, X.indices, X.indptr
    count, width = X.shape
    for name, array in (("data", values), ("indices", columns), ("indptr", bounds)):
        if type(array) is not np.ndarray or array.ndim != 1:
            raise ValueError(f"X.{name} must be an array of one dimension.")
    if len(bounds) != count + 1:
        raise ValueError(
            f"X has {count} rows, so X.indptr must have {count + 1} entries, but it has "
            f"{len(bounds)}."
        )
    try:
        if values.flags.aligned and columns.flags.aligned and bounds.flags.aligned:
            return core.csr(values, columns, bounds, width)
    except (TypeError, ValueError):  # other types or layouts than the core reads in place
        pass
    return core.csr(_floats(values), *_indices(columns, bounds), width)


def _indices(columns: NDArray[Any], bounds: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both as int32 or both as int64, without a copy where they are."""
    for name, array in (("indices", columns), ("indptr", bounds)):
        if array.dtype.kind not in "iu":
            raise ValueError(f"X.{name} must hold whole numbers, got type {array.dtype}.")
    both = np.result_type(columns, bounds)
    dtype = np.int32 if both == np.int32 else np.int64
    return np.require(columns, dtype, ["C", "A"]), np.require(bounds, dtype, ["C", "A"])


def _to_csr(X: Any) -> Any:
    """Other sparse formats as CSR, after a look at their indices: SciPy trusts them."""
    if X.format in ("csc", "bsr"):
        try:
            X.check_format(full_check=True)
        except ValueError as error:
            raise ValueError(f"X is not a sound {X.format.upper()} matrix: {error}.") from error
    if X.format == "coo":
        for axis, indices in enumerate(X.coords):
            if len(indices) != len(X.data):
                raise ValueError("X.row, X.col and X.data must have the same length.")
            if len(indices) and not (indices.min() >= 0 and indices.max() < X.shape[axis]):
                name = ("row", "col")[axis]
                raise ValueError(f"X.{name} must lie between 0 and {X.shape[axis] - 1}.")
    return X.tocsr()


def _check_columns(estimator: Any, shape: tuple[int, ...], *, reset: bool) -> None:
    """What scikit-learn's validate_data says about the shape of X, in microseconds."""
    rows, width = shape
    if rows == 0 or width == 0:
        nothing = "0 sample(s)" if rows == 0 else "0 feature(s)"
        raise ValueError(
            f"Found array with {nothing} (shape=({rows}, {width})) "
            "while a minimum of 1 is required."
        )
    name = type(estimator).__name__
    if reset:
        estimator.n_features_in_ = width
        if hasattr(estimator, "feature_names_in_"):
            del estimator.feature_names_in_
    elif width != estimator.n_features_in_:
        raise ValueError(
            f"X has {width} features, but {name} is expecting {estimator.n_features_in_} "
            "features as input."
        )
    elif hasattr(estimator, "feature_names_in_"):
        warnings.warn(
            f"X does not have valid feature names, but {name} was fitted with feature names",
            UserWarning,
            stacklevel=4,
        )
