"""The perceptron as a slide has it, for claims about a line of the slide."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def weights_after_each(
    X: Array,
    y: NDArray[np.bool_],
    *,
    passes: int = 1,
    errs: Callable[[Any, Any], Any] = operator.le,
) -> Array:
    """The weights after every example, the bias last; ``errs(margin, 0)`` tells a mistake."""
    rows = np.column_stack([X, np.ones(len(X))])
    w = np.zeros(rows.shape[1])
    path = []
    for _ in range(passes):
        for x, sign in zip(rows, np.where(y, 1.0, -1.0), strict=True):
            if errs(sign * (w @ x), 0):
                w = w + sign * x
            path.append(w)
    return np.array(path)
