"""Rows to read before the others are used: the surest of those kept, and those around the cut."""

import heapq
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.corpora.shards import Mask, Rows
from rosenblatt.inputs.parts import has_shape, is_whole, require

MOST = 10
"""Rows of each kind that are remembered."""
LETTERS = 240
"""Of a text, at most."""
KINDS = ("surest", "just_kept", "just_left_out")
"""Of those kept the ones that score highest, and the last; of the others the first."""


class Sample(NamedTuple):
    """A row and how it begins."""

    line: int
    score: float
    probability: float | None
    text: str


Sample.__module__ = "rosenblatt"


Samples = dict[str, list[Sample]]


def no_samples() -> Samples:
    return {kind: [] for kind in KINDS}


def sampled(
    known: Samples,
    rows: Rows,
    mask: Mask,
    scores: NDArray[np.float64],
    probabilities: NDArray[np.float64] | None,
) -> Samples:
    """Those that are known and the rows, of which only the foremost of each kind stay."""
    found = no_samples()
    for kind, among in zip(KINDS, (mask, mask, ~mask), strict=True):
        places = np.flatnonzero(among)
        order = np.argsort(-_sign(kind) * scores[places], kind="stable")
        new = [
            Sample(
                int(rows.lines[k]),
                float(scores[k]),
                None if probabilities is None else float(probabilities[k]),
                _beginning(rows, k),
            )
            for k in places[order[:MOST]].tolist()
        ]
        found[kind] = foremost(kind, known[kind] + new)
    return found


def foremost(kind: str, samples: list[Any]) -> list[Any]:
    """The first of a kind; of those that score the same, as they come."""
    return heapq.nsmallest(MOST, samples, key=lambda sample: -_sign(kind) * sample.score)


def _sign(kind: str) -> int:
    return -1 if kind == "just_kept" else 1


def _beginning(rows: Rows, k: int) -> str:
    begin, end = int(rows.texts.begins[k]), int(rows.texts.ends[k])
    piece = rows.texts.data[begin : min(end, begin + 4 * LETTERS)].tobytes()
    words = " ".join(piece.decode("utf-8", "replace").split())
    return words if len(words) <= LETTERS else f"{words[: LETTERS - 1]}…"


def read_samples(told: Any) -> Samples:
    """The same again; a ValueError for what cannot be right, which a file may say."""
    sample = is_whole, float, _is_probability, _is_beginning
    sound = has_shape(told, {kind: [sample] for kind in KINDS})
    require(sound and max(map(len, told.values())) <= MOST, "it has no samples")
    return {kind: [Sample(*sample) for sample in told[kind]] for kind in KINDS}


def _is_probability(told: Any) -> bool:
    return told is None or isinstance(told, float)


def _is_beginning(told: Any) -> bool:
    return isinstance(told, str) and len(told) <= LETTERS
