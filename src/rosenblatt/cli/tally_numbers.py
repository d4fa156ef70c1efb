"""What ``evaluate`` counts where numbers are foretold."""

import math
from heapq import nlargest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.tally import Evaluation, excerpt
from rosenblatt.readers.data import Batch


class FarOff(NamedTuple):
    """An example whose number is far from the right one."""

    distance: float
    line: int
    right: float
    found: float
    text: str

    @property
    def said(self) -> str:
        """All but the text, in words."""
        what = f"{self.right:.6g} taken for {self.found:.6g}"
        return f"line {self.line}, by {self.distance:.4g}: {what}"


class NumberTally(Evaluation):
    """How far numbers are from the right ones."""

    def __init__(self, predictor: Any, worst: int) -> None:
        super().__init__(predictor, worst)
        self._right: list[NDArray[np.float64]] = []
        self._found: list[NDArray[np.float64]] = []

    def take(self, batch: Batch) -> None:
        """Count one batch."""
        judgement = self.judge(batch)
        right = np.asarray(batch.known_labels(), np.float64)
        found = judgement.scores
        distances = np.abs(found - right).tolist()
        worst = [
            FarOff(
                far,
                int(batch.lines[k]),
                float(right[k]),
                float(found[k]),
                excerpt(batch.examples, k),
            )
            for far, k in nlargest(self.worst, zip(distances, range(len(right)), strict=True))
        ]
        self.keep_worst(worst)
        self._right.append(right)
        self._found.append(found)

    def facts(self) -> dict[str, Any]:
        right, found = np.concatenate(self._right), np.concatenate(self._found)
        far = found - right
        median, spread = float(np.median(right)), float(((right - right.mean()) ** 2).mean())
        squares = float((far**2).mean())
        return {
            "examples": self.count,
            "mean_absolute_error": float(np.abs(far).mean()),
            "root_mean_squared_error": math.sqrt(squares),
            "r2": 1 - squares / spread if spread else None,
            "mean_difference": float(far.mean()),
            "median": median,
            "median_error": float(np.abs(right - median).mean()),
            "worst": [error._asdict() for error in self.errors],
        }
