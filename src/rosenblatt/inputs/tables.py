"""What the caller passed as X and sample_weight, as the core reads it; every check and its message.

Arrays that are already right go straight to the core, which looks at every index and value
itself. Everything else (frames, lists, other types and layouts) goes through scikit-learn first.
"""

import numbers
import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Name, Row
from rosenblatt.inputs.messages import LARGEST_VALUE, MATRIX, refuse, refuse_masked
from rosenblatt.inputs.sparse import FLOATS, csr_rows, plain_csr, rows_of, to_csr


class Columns(NamedTuple):
    """How many columns a table has, and what they are called, if they have names."""

    width: int
    names: NDArray[Any] | None

    @classmethod
    def known_to(cls, estimator: Any) -> "Columns":
        """Those that an estimator was fitted on."""
        return cls(estimator.n_features_in_, getattr(estimator, "feature_names_in_", None))


def read_table(X: Any, known: Columns | None, reader: str) -> tuple[Any, Columns]:
    """X as an array or a CSR matrix that the core can borrow, not yet looked at, and its columns.

    They are compared with those known, if any; ``reader`` is who knows them, for messages.
    """
    named = known is not None and known.names is not None
    if sparse.issparse(X):
        X = to_csr(X)
        return X, _columns_of(X.shape, known, reader)
    plain = type(X) is np.ndarray and X.ndim == 2 and X.dtype in FLOATS
    if plain and not named:
        columns = _columns_of(X.shape, known, reader)
    else:
        refuse_masked(X, MATRIX)
        X, columns = _validated(X, known, reader)
    if sparse.issparse(X):
        return X, columns
    if X.strides[1] != X.itemsize or X.strides[0] % X.itemsize or not X.flags.aligned:
        X = X.copy(order="C")
    return X, columns


def _validated(X: Any, known: Columns | None, reader: str) -> tuple[Any, Columns]:
    """What scikit-learn makes of X, such as a frame, and says about it."""
    from sklearn.base import BaseEstimator
    from sklearn.utils.validation import check_array, validate_data

    stand_in = type(reader, (BaseEstimator,), {})()
    if known is not None and known.names is not None:
        stand_in.feature_names_in_ = known.names
    # Of these checks only that of the names of columns.
    validate_data(stand_in, X, reset=known is None, skip_check_array=True, ensure_2d=False)
    X = check_array(
        X,
        estimator=stand_in,
        input_name="X",
        dtype=[np.float64, np.float32],
        ensure_all_finite=False,
        accept_sparse="csr",  # for a frame of sparse columns
    )
    _check_width(X.shape[1], known, reader)
    return X, Columns(X.shape[1], getattr(stand_in, "feature_names_in_", None))


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


def refuse_short(rows: core.Rows) -> None:
    """Refuse values whose squares vanish, where a step is divided by the sum of these."""
    scaled = core.Problem(rows, np.zeros(rows.count), 0.0, True, None)
    short = next(filter(scaled.too_short, range(rows.count)), None)
    if short is not None:
        what = " is too short to learn from: the squares of its values vanish"
        raise InputError(Row(short), " of ", MATRIX, what, remedy="scale the features")


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
    name = Name("sample_weight")
    if isinstance(sample_weight, numbers.Real):
        sample_weight = np.full(count, sample_weight, dtype=np.float64)
    refuse_masked(sample_weight, name)
    try:
        given = np.asarray(sample_weight)
        if given.dtype.kind == "c":
            raise TypeError("complex numbers")
        weight = np.require(given, np.float64, ["C", "A"])
    except (TypeError, ValueError) as error:
        raise InputError(name, must=("hold numbers, one for each row of ", MATRIX)) from error
    if weight.ndim != 1:
        raise InputError(name, must="have one dimension", got=f"shape {weight.shape}")
    if len(weight) != count:
        raise InputError(MATRIX, f" has {count} rows but ", name, f" has {len(weight)} entries")
    wrong = ~((weight >= 0) & (weight <= LARGEST_VALUE))
    if wrong.any():
        row = int(wrong.argmax())
        must, got = "hold finite numbers of zero or more", (f"{weight[row]} for ", Row(row))
        raise InputError(name, must=must, got=got)
    return weight


def read_initial_weights(name: str, given: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Weights to begin with; one for two classes needs no brackets around it."""
    refuse_masked(given, Name(name))
    try:
        start = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(Name(name), must="hold numbers") from error
    if start.shape != shape and (shape[0] != 1 or start.shape != shape[1:]):
        raise InputError(Name(name), must=f"have shape {shape}", got=f"shape {start.shape}")
    if not (np.abs(start) <= LARGEST_VALUE).all():
        raise InputError(Name(name), must="hold finite numbers")
    return start.reshape(shape)


def _columns_of(shape: tuple[int, ...], known: Columns | None, reader: str) -> Columns:
    """What scikit-learn's validate_data says about the shape of X, in microseconds."""
    rows, width = shape
    if rows == 0 or width == 0:
        nothing = "0 sample(s)" if rows == 0 else "0 feature(s)"
        raise ValueError(
            f"Found array with {nothing} (shape=({rows}, {width})) "
            "while a minimum of 1 is required."
        )
    _check_width(width, known, reader)
    if known is None:
        return Columns(width, None)
    if known.names is not None:
        warnings.warn(
            f"X does not have valid feature names, but {reader} was fitted with feature names",
            UserWarning,
            stacklevel=4,
        )
    return known


def _check_width(width: int, known: Columns | None, reader: str) -> None:
    if known is not None and width != known.width:
        expected = f"{reader} is expecting {known.width} features as input"
        raise InputError(MATRIX, f" has {width} features, but {expected}")
