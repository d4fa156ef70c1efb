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
    if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biuU":
        labels = y
    else:
        from sklearn.utils.multiclass import check_classification_targets
        from sklearn.utils.validation import column_or_1d

        labels = column_or_1d(y, warn=True)
        if labels.dtype.kind == "f" and not np.isfinite(labels).all():
            raise ValueError("Input y contains NaN or infinity: every row needs a label.")
        check_classification_targets(labels)
    if len(labels) != count:
        raise ValueError(f"X has {count} rows but y has {len(labels)} labels.")
    return labels


def distinct(y: NDArray[Any]) -> NDArray[Any]:
    """The labels of y, each once, sorted."""
    parts = [np.unique(y[start : start + CHUNK]) for start in range(0, len(y), CHUNK)]
    return parts[0] if len(parts) == 1 else np.unique(np.concatenate(parts))


def encode(y: NDArray[Any], classes: NDArray[Any]) -> NDArray[Any]:
    """The place of each label among the sorted ``classes``, in a byte each where that will do."""
    codes = np.empty(len(y), dtype=np.uint8 if len(classes) <= 256 else np.int32)
    for start in range(0, len(y), CHUNK):
        part = y[start : start + CHUNK]
        found = classes.searchsorted(part)
        known = classes.take(found, mode="clip") == part
        if np.count_nonzero(known) < len(part):
            stranger = part[[np.argmin(known)]].tolist()[0]  # as Python prints it
            raise ValueError(
                f"y holds the label {stranger!r}, which is not among the classes "
                f"{classes.tolist()}: name every class that may come with "
                "partial_fit(X, y, classes=[...])."
            )
        codes[start : start + CHUNK] = found
    return codes
