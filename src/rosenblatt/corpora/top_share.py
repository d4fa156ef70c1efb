"""Where to cut so that a share of all rows is kept, exactly: a selection over files of scores."""

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.parameters import wrong
from rosenblatt.inputs.parts import has_shape, is_whole, require

DIGIT = 16
"""Bits that are decided in one walk over all scores."""
ROWS = 1 << 20
"""Scores that are looked at together."""

SCORED = np.dtype([("score", "<f8"), ("probability", "<f8")])
"""What a file of scores holds of each row."""


@dataclass(frozen=True)
class Cut:
    """Rows that score more are kept, and of those that score the same the first few.

    Rows are in the order of the names of their shards, and within a shard as they stand.
    """

    __module__ = "rosenblatt"

    score: float
    level: tuple[int, ...]
    """How many rows of each shard with just this score are kept."""

    def facts(self) -> dict[str, Any]:
        return {"score": self.score.hex(), "level": list(self.level)}

    @classmethod
    def build(cls, told: Any) -> "Cut":
        """The same again; a ValueError for what cannot be right, which a file may say."""
        require(has_shape(told, {"score": str, "level": [is_whole]}), "it is no cut")
        score = float.fromhex(told["score"])
        require(not math.isnan(score), "it has no score")
        return cls(score, tuple(told["level"]))


def share_of(value: Any) -> Fraction:
    """A share of all rows, as a number or in percent: 0.1 or "10%"."""
    said = str(value).strip()
    try:
        share = Fraction(said.removesuffix("%").strip()) / (100 if said.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if isinstance(value, bool) or not 0 < share <= 1:
        raise wrong("keep_top", value, "be a share of all rows, such as 0.1 or '10%'")
    return share


def cut_at(share: Fraction, files: Sequence[str]) -> Cut:
    """Where to cut so that this share of all rows, rounded up, lies above."""
    rows = sum(os.stat(file).st_size // SCORED.itemsize for file in files)
    wanted = math.ceil(share * rows)
    if wanted == 0:
        return Cut(math.inf, (0,) * len(files))
    prefix = 0
    for shift in range(64 - DIGIT, -1, -DIGIT):
        counts = np.zeros(1 << DIGIT, np.int64)
        for file in files:
            for keys in map(_keys, _scores(file)):
                if shift + DIGIT < 64:
                    keys = keys[keys >> np.uint64(shift + DIGIT) == prefix]
                digits = (keys >> np.uint64(shift)) & np.uint64((1 << DIGIT) - 1)
                counts += np.bincount(digits.astype(np.int64), minlength=1 << DIGIT)
        above = np.cumsum(counts[::-1])[::-1] - counts
        digit = int(np.flatnonzero(above < wanted)[0])
        wanted -= int(above[digit])
        prefix = prefix << DIGIT | digit
    score = _number(prefix)
    level = []
    for file in files:
        here = sum(int(np.count_nonzero(scores == score)) for scores in _scores(file))
        level.append(min(here, wanted))
        wanted -= level[-1]
    return Cut(score, tuple(level))


def _scores(file: str) -> Iterator[NDArray[np.float64]]:
    """The scores of a file, some at a time."""
    with open(file, "rb") as opened:
        while len(part := np.fromfile(opened, SCORED, ROWS)):
            yield part["score"]


def _keys(scores: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Numbers in the order of the scores: their bits, with those of negative ones turned over."""
    bits = np.ascontiguousarray(scores).view(np.uint64)
    sign = np.uint64(1 << 63)
    return np.where(bits & sign, ~bits, bits | sign)


def _number(key: int) -> float:
    bits = np.uint64(key & ~(1 << 63) if key >> 63 else ~key & (1 << 64) - 1)
    return float(bits.view(np.float64))
