"""How far probabilities can be believed: what was said beside what came of it."""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.parameters import check_count
from rosenblatt.training.calibration import most_probable
from rosenblatt.training.storage import Array

BINS = 10
LEAST = 1e-15
"""No probability counts as less in the log loss, which would be infinite."""


class Bin(NamedTuple):
    """Examples whose labels were about equally probable."""

    said: float
    """Their mean probability."""
    right: float
    """How many of them were right, as a share."""
    examples: int


Bin.__module__ = "rosenblatt"


class Abstention(NamedTuple):
    """What comes of giving no label below some probability."""

    below: float
    abstained: float
    """The share of the examples without a label."""
    error: float | None
    """The share of the others whose label is wrong; None where there are no others."""


Abstention.__module__ = "rosenblatt"


@dataclass(frozen=True)
class Reliability:
    """The probabilities of labels that were given, and which of these were right.

    Made of several parts by ``joined``, for data that comes in batches.
    """

    __module__ = "rosenblatt"

    confidence: Array
    """Of each example, the probability of the most probable label."""
    right: NDArray[np.bool_]
    """Whether it was right."""
    losses: Array
    """Minus the logarithm of the probability of the right label."""
    squares: Array
    """The squared differences between the probabilities and the truth, summed over labels."""
    several: bool = False
    """Whether examples may have several labels: then each label of each is one by itself."""

    @classmethod
    def of(
        cls, probabilities: Array, codes: NDArray[Any], winners: NDArray[np.int64] | None = None
    ) -> Self:
        """Of a row of probabilities for each example and the number of its right label.

        Of equally probable labels the one that scores highest is given, if it is told.
        """
        rows = np.arange(len(codes))
        believed = probabilities[rows, codes]
        squares = (probabilities**2).sum(axis=1) - 2 * believed + 1
        losses = -np.log(np.maximum(believed, LEAST))
        given = probabilities.argmax(axis=1)
        given = given if winners is None else most_probable(probabilities, winners)
        return cls(probabilities[rows, given], given == codes, losses, squares)

    @classmethod
    def of_each_label(cls, probabilities: Array, right: NDArray[np.bool_]) -> Self:
        """Of a probability of each label for each example, and whether the example has it."""
        believed = np.where(right, probabilities, 1 - probabilities).ravel()
        losses = -np.log(np.maximum(believed, LEAST))
        squares = (1 - believed) ** 2
        return cls(probabilities.ravel(), right.ravel(), losses, squares, several=True)

    @classmethod
    def joined(cls, parts: "list[Reliability]") -> "Reliability":
        """All examples of several."""
        fields = ("confidence", "right", "losses", "squares")
        whole = {name: np.concatenate([getattr(part, name) for part in parts]) for name in fields}
        return cls(**whole, several=parts[0].several)

    @property
    def log_loss(self) -> float:
        """The mean of -log p of the right label."""
        return float(self.losses.mean())

    @property
    def brier(self) -> float:
        """The mean squared difference from the truth, summed over labels (Brier, 1950)."""
        return float(self.squares.mean())

    @property
    def error(self) -> float:
        """Expected calibration error: how far what was said is from what came of it, on average.

        Over bins of equally many examples, so that none is of a few.
        """
        bins = self.bins()
        return sum(b.examples * abs(b.said - b.right) for b in bins) / len(self.right)

    def bins(self, count: int = BINS) -> list[Bin]:
        """The examples in so many bins of about equally many, the least probable first.

        Most labels that might be given are improbable. Of these a bin has those that come to a
        tenth of all that are likely to be right.
        """
        check_count("bins", count)
        order = np.argsort(self.confidence, kind="stable")
        parts = np.array_split(order, min(count, len(order)))
        if self.several:
            likely = np.cumsum(self.confidence[order])
            ends = np.searchsorted(likely, np.arange(1, count) * likely[-1] / count)
            parts = [part for part in np.split(order, ends) if len(part)]
        return [
            Bin(float(self.confidence[part].mean()), float(self.right[part].mean()), len(part))
            for part in parts
        ]

    def abstentions(self, levels: Array) -> list[Abstention]:
        """What comes of abstaining below each of these probabilities."""
        found = []
        for below in levels:
            kept = self.confidence >= below
            given = int(kept.sum())
            wrong = int((kept & ~self.right).sum())
            error = wrong / given if given else None
            found.append(Abstention(float(below), 1 - given / len(kept), error))
        return found
