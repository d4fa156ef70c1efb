"""What the caller passed as X and sample_weight, as the core reads it; every check and its message.

Arrays that are already right go straight to the core, which looks at every index and value
itself. Everything else (frames, lists, other types and layouts) goes through scikit-learn first.
"""

import numbers
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rosenblatt import core
from rosenblatt.inputs.messages import LARGEST_VALUE, refuse
from rosenblatt.inputs.sparse import FLOATS, csr_rows, plain_csr, to_csr
from rosenblatt.inputs.sparse import rows_of as rows_of


def read_table(estimator: Any, X: Any, *, reset: bool) -> Any:
    """X as an array or a CSR matrix that the core can borrow, not yet looked at.

    With ``reset`` the estimator's n_features_in_ and feature_names_in_ are set from X, otherwise X
    is compared with them.
    """
    named = hasattr(estimator, "feature_names_in_")
    if sparse.issparse(X):
        X = to_csr(X)
        _check_columns(estimator, X.shape, named, reset=reset)
        return X
    plain = type(X) is np.ndarray and X.ndim == 2 and X.dtype in FLOATS
    if plain and (reset or not named):
        _check_columns(estimator, X.shape, named, reset=reset)
    elif np.ma.is_masked(X):
        raise ValueError("X has masked values: fill them in first, for example with X.filled(0).")
    else:
        from sklearn.utils.validation import validate_data

        X = validate_data(
            estimator,
            X,
            reset=reset,
            dtype=[np.float64, np.float32],
            ensure_all_finite=False,
            accept_sparse="csr",  # for a frame of sparse columns
        )
    if sparse.issparse(X):
        return X
    if X.strides[1] != X.itemsize or X.strides[0] % X.itemsize or not X.flags.aligned:
        X = X.copy(order="C")
    return X


def sound_rows_of(X: Any, weights: NDArray[np.float64] | None = None, *, values: bool) -> core.Rows:
    """The rows of a table, every index checked, each row's columns once and in rising order.

    Without ``values`` these are left for the first pass to look at. To be called last, when no
    code of the caller's can change X any more. If ``weights`` are to change, X is kept apart.
    """
    if weights is not None:
        X = _apart_from(weights, X)
    rows = rows_of(X)
    refuse(rows.check(values))
    if not rows.in_order:
        rows = csr_rows(in_order(X))
        refuse(rows.check(values))
    return rows


def sound_csr(X: Any) -> Any:
    """A sparse matrix as a CSR copy in float64, every index and value checked."""
    X = to_csr(X)
    refuse(csr_rows(X).check(values=True))
    return in_order(X)


def sound_table_of(X: Any) -> Any:
    """The table in float64, every index and value checked, columns once and in rising order."""
    rows = rows_of(X)
    refuse(rows.check(values=True))
    if not rows.in_order:
        X = in_order(X)
        refuse(rows_of(X).check(values=True))
    return plain_csr(X) if sparse.issparse(X) else X.astype(np.float64, copy=False)


def in_order(X: Any) -> Any:
    """A copy of a checked CSR matrix whose rows name each column once, in rising order."""
    numbers = np.array(X.data, dtype=np.float64)  # wide enough for any sum of duplicates
    tidy = sparse.csr_array((numbers, X.indices.copy(), X.indptr.copy()), shape=X.shape)
    tidy.sum_duplicates()
    return tidy


def _apart_from(weights: NDArray[np.float64], X: Any) -> Any:
    """X, or a copy if it is a view of the weights, which are about to change."""
    for part in (X,) if isinstance(X, np.ndarray) else (X.data, X.indices, X.indptr):
        if np.may_share_memory(part, weights):
            return X.copy()
    return X


def read_sample_weight(sample_weight: Any, count: int) -> NDArray[np.float64] | None:
    """One finite weight of zero or more for each row, or None when all are one."""
    if sample_weight is None:
        return None
    if np.ma.is_masked(sample_weight):
        raise ValueError("sample_weight has masked entries: every row needs a weight.")
    if isinstance(sample_weight, numbers.Real):
        sample_weight = np.full(count, sample_weight, dtype=np.float64)
    try:
        given = np.asarray(sample_weight)
        if given.dtype.kind == "c":
            raise TypeError("complex numbers")
        weight = np.require(given, np.float64, ["C", "A"])
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


def _check_columns(estimator: Any, shape: tuple[int, ...], named: bool, *, reset: bool) -> None:
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
        if named:
            del estimator.feature_names_in_
    elif width != estimator.n_features_in_:
        raise ValueError(
            f"X has {width} features, but {name} is expecting {estimator.n_features_in_} "
            "features as input."
        )
    elif named:
        warnings.warn(
            f"X does not have valid feature names, but {name} was fitted with feature names",
            UserWarning,
            stacklevel=4,
        )
