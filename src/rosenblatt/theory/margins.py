"""How far examples stay from the boundary: the margin of weights, and the widest there is."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt.models.linear import LinearLearner
from rosenblatt.theory.differences import Array, LabelledRows, read_rows, squared_lengths
from rosenblatt.theory.margin_solver import widest_margin


def radius(X: Any) -> float:
    """R, the length of the longest row of X.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)

    Examples
    --------
    >>> from rosenblatt import radius
    >>> radius([[3.0, 4.0], [1.0, 0.0]])
    5.0
    """
    return float(np.sqrt(squared_lengths(read_rows(X)).max()))


def margin(
    X: Any,
    y: Any,
    w: ArrayLike | LinearLearner,
    b: ArrayLike = 0.0,
    *,
    functional: bool = False,
    augmented: bool | None = None,
) -> float:
    """The margin that weights give the examples, -inf if they do not separate them.

    The least distance of an example from the boundary, on its right side::

        two classes     min y (w · x + b) / |w|
        more            min (w_y · x + b_y - w_r · x - b_r) / |(W, b)|    over the rivals r ≠ y

    with y -1 for the first class in sorted order and +1 for the second, and all weights and
    intercepts of several classes stacked into one vector.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)

    y : array-like of shape (n_samples,)

    w : array-like of shape (n_features,) or (n_classes, n_features), or a fitted model
        A model brings its own intercept and classes.

    b : float or array-like of shape (n_classes,), default=0.0

    functional : bool, default=False
        Do not divide by the length of the weights.

    augmented : bool, optional
        Whether intercepts count in the length, as the weights of a feature that is always one.
        By default they do not for two classes, where the margin then is a distance, and do for
        more, where the perceptron's bound is stated so.

    Examples
    --------
    >>> from rosenblatt import margin
    >>> X, y = [[3.0, 4.0], [-3.0, -4.0]], [+1, -1]
    >>> margin(X, y, [3.0, 4.0])
    5.0
    >>> margin(X, y, [3.0, 4.0], functional=True)
    25.0
    >>> margin(X, y, [-3.0, -4.0])
    -inf
    """
    if isinstance(w, LinearLearner):
        examples = LabelledRows.read(X, y, w.classes_)
        two = examples.blocks == 1
        w, b = (w.coef_[0], w.intercept_[0]) if two else (w.coef_, w.intercept_)
    else:
        examples = LabelledRows.read(X, y)
    weights, intercepts = _read_weights(examples, w, b)
    smallest = float(examples.gaps(weights, intercepts).min())
    if not smallest > 0:
        return -math.inf
    counted = counts_intercepts(examples, augmented)
    return smallest if functional else smallest / _length(weights, intercepts, counted)


@dataclass(frozen=True)
class DataMargin:
    """The widest margin of the examples, and the weights that reach it; see `data_margin`."""

    __module__ = "rosenblatt"

    margin: float
    """What w and b reach, measured on every example; -inf if no separator was found."""
    upper: float
    """What no weights exceed, by the multipliers of the examples in ``support``."""
    w: Array
    """The maximiser, of shape (n_features,) or (n_classes, n_features)."""
    b: Any
    """Its intercept, or an array with one for each class."""
    support: NDArray[np.intp]
    """The rows that hold the boundary where it is: at the margin, with a multiplier above zero."""


def data_margin(
    X: Any, y: Any, *, fit_intercept: bool = True, augmented: bool | None = None
) -> DataMargin:
    """The widest margin that any weights give the examples, and those weights.

    The supremum over w and b of `margin`, from a quadratic program::

        γ = max over |w| = 1, b  of  min over the examples of  y (w · x + b)

    The answer carries its own proof, up to rounding: ``margin`` is measured on every example, and
    no weights exceed ``upper``, which follows from non-negative multipliers α of the examples with
    sum one, since the least score is at most the mean Σ α y (w · x + b). Both agree to a relative
    1e-6 unless the margin is below some 1e-7 of the radius. To ask only whether there is a
    separator, and for an exact proof, use `separability`.

    Sparse X stays sparse, and memory is a few times that of X: 100,000 rows and 10,000 columns with
    fifty values in a row take about a minute.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)

    y : array-like of shape (n_samples,)
        Labels of two or more classes.

    fit_intercept : bool, default=True
        Whether there is a b, or the boundary goes through the origin.

    augmented : bool, optional
        Whether intercepts count in the length; see `margin`.

    Returns
    -------
    DataMargin
        With ``margin``, ``upper``, ``w``, ``b`` and ``support``.

    Examples
    --------
    >>> from rosenblatt import data_margin
    >>> found = data_margin([[0.0, 0.0], [0.0, 3.0], [4.0, 0.0], [4.0, 3.0]], [0, 0, 1, 1])
    >>> print(f"{found.margin:.6f}")
    2.000000
    >>> (found.w.round(6) + 0).tolist(), round(found.b, 6)
    ([1.0, 0.0], -2.0)
    """
    examples = LabelledRows.read(X, y)
    counted = counts_intercepts(examples, augmented)
    found = widest_margin(examples, fit_intercept=fit_intercept, augmented=counted)
    smallest = float(examples.gaps(found.w, found.b).min())
    return DataMargin(
        margin=smallest / _length(found.w, found.b, counted) if smallest > 0 else -math.inf,
        upper=found.upper,
        w=found.w,
        b=found.b,
        support=np.unique(found.rows[found.multipliers > 1e-6 * found.multipliers.max()]),
    )


def counts_intercepts(examples: LabelledRows, augmented: bool | None) -> bool:
    """Whether intercepts count in the length: as told, else only among several classes."""
    return examples.blocks > 1 if augmented is None else bool(augmented)


def _length(w: Array, b: Any, augmented: bool) -> float:
    return float(np.hypot(np.linalg.norm(w), np.linalg.norm(b) if augmented else 0.0))


def _read_weights(examples: LabelledRows, w: Any, b: Any) -> tuple[Array, Array]:
    weights, intercepts = np.asarray(w, dtype=np.float64), np.asarray(b, dtype=np.float64)
    two = examples.blocks == 1
    wanted = (examples.width,) if two else (examples.blocks, examples.width)
    if weights.shape != wanted:
        raise ValueError(
            f"w must have shape {wanted} for {examples.width} features and "
            f"{len(examples.classes)} classes, got shape {weights.shape}."
        )
    if intercepts.shape not in ((), wanted[:-1]):
        wish = "a number" if two else f"a number or have shape {wanted[:-1]}"
        raise ValueError(f"b must be {wish}, got shape {intercepts.shape}.")
    if not (np.isfinite(weights).all() and np.isfinite(intercepts).all()):
        raise ValueError("w and b must hold finite numbers.")
    return weights, np.broadcast_to(intercepts, wanted[:-1])
