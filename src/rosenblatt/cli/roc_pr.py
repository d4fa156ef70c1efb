"""How well a model ranks the examples of a label above the others: areas under two curves."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Areas(NamedTuple):
    """One each if all examples of the label come first."""

    roc: float
    """Under the share found against the share of the others taken: the probability that an example
    of the label ranks above one of another; half of them by chance."""
    precision_recall: float
    """Under precision against recall (average precision); by chance the share of the label."""


def margins_of(scores: NDArray[Any]) -> NDArray[Any]:
    """How far each label's score, in its column, is above that of its strongest rival."""
    second, first = np.partition(scores, -2, axis=1)[:, -2:].T
    rivals = np.repeat(first[:, None], scores.shape[1], axis=1)
    rivals[np.arange(len(scores)), scores.argmax(axis=1)] = second
    return scores - rivals


def areas(margins: NDArray[Any], right: NDArray[np.bool_]) -> Areas | None:
    """The areas of one label; None unless some examples have it and some have not."""
    positives = np.count_nonzero(right)
    if positives in (0, len(right)):
        return None
    order = np.argsort(-margins, kind="stable")
    ranked = margins[order]
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))  # equal ones come at once
    hits = np.cumsum(right[order])[last]
    taken = last + 1
    found = np.append(0, hits) / positives
    false = np.append(0, taken - hits) / (len(right) - positives)
    roc = np.diff(false) @ (found[1:] + found[:-1]) / 2
    return Areas(float(roc), float(np.diff(found) @ (hits / taken)))
