"""Labels as the core reads them: the number of each one's class."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

CHUNK = 1 << 16
"""Labels looked at together, so that a long y needs no long temporary array."""


def read_labels(estimator: Any, y: Any, count: int) -> NDArray[Any]:
    """The labels y as an array of one label for each of ``count`` rows."""
    if y is None:
        raise ValueError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None."
        )
    if type(y) is not np.ndarray or y.ndim != 1 or y.dtype.kind not in "biuU":
        from sklearn.utils.multiclass import check_classification_targets
        from sklearn.utils.validation import column_or_1d

        y = column_or_1d(y, warn=True)
        if y.dtype.kind == "f" and not np.isfinite(y).all():
            raise ValueError("Input y contains NaN or infinity: every row needs a label.")
        check_classification_targets(y)
    if len(y) != count:
        raise ValueError(f"X has {count} rows but y has {len(y)} labels.")
    return y


def distinct(y: NDArray[Any]) -> NDArray[Any]:
    """The labels of y, each once, sorted."""
    parts = [np.unique(y[start : start + CHUNK]) for start in range(0, len(y), CHUNK)]
    return parts[0] if len(parts) == 1 else np.unique(np.concatenate(parts))


def encode(y: NDArray[Any], classes: NDArray[Any]) -> NDArray[Any]:
    """The place of each label among the sorted ``classes``, in one byte each where that is enough."""
    codes = np.empty(len(y), dtype=np.uint8 if len(classes) <= 256 else np.int32)
    for start in range(0, len(y), CHUNK):
        part = y[start : start + CHUNK]
        found = np.searchsorted(classes, part)
        known = classes.take(found, mode="clip") == part
        if not np.all(known):
            stranger = part[np.argmin(known)]
            raise ValueError(
                f"y holds the label {stranger!r}, which is not among the classes "
                f"{classes.tolist()}: name every class that may come with "
                "partial_fit(X, y, classes=[...])."
            )
        codes[start : start + CHUNK] = found
    return codes
