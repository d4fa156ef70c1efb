"""In how many documents a column occurs, and what it is worth for that."""

from abc import abstractmethod
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


class Frequencies:
    """Has ``documents`` and ``counts``; weighs columns by them.

    Weights of columns are worked out once and kept until more is learned, so that a single document
    takes time in proportion to its words, not to all columns.
    """

    documents: Any
    counts: Any

    @property
    def are_counted(self) -> bool:
        """Whether there are counts."""
        return True

    @property
    @abstractmethod
    def version(self) -> int:
        """Another number once more is learned."""

    @abstractmethod
    def snapshot(self) -> Self:
        """What is known now, which stays as it is while another thread learns."""

    def idf(self, smooth: bool) -> NDArray[np.float64]:
        """The weight of each column, which is not to be changed."""
        version, idf = self._worth.get(smooth, (None, None))
        if idf is None or version != self.version:
            now = self.snapshot()
            idf = inverse_frequencies(now.counts, now.documents, smooth)
            self._worth[smooth] = now.version, idf
        return idf

    def _alike(self) -> Self:
        """Another that knows the same, and keeps weights in the same place."""
        alike = self.__class__.__new__(self.__class__)
        vars(alike).update(vars(self), _worth=self._worth, _met_since=self._met_since)
        return alike

    @cached_property
    def _worth(self) -> dict[bool, tuple[int, NDArray[np.float64]]]:
        """The weights last worked out, and of which version; shared with snapshots."""
        return {}

    @cached_property
    def _met_since(self) -> dict[int, int]:
        """Of a version, how many documents were weighed without those of all; shared likewise."""
        return {}


def inverse_frequencies(
    counts: NDArray[np.int64], documents: int, smooth: bool
) -> NDArray[np.float64]:
    """1 + log(documents / count), as if one more document had every word if smoothed."""
    added, most = int(smooth), int(counts.max(initial=0))
    # As a rule counts are fewer than columns: a logarithm for each is then enough.
    few = np.arange(most + 1) if most < len(counts) else counts
    idf: NDArray[np.float64] = np.log((documents + added) / (np.maximum(few, 1 - added) + added))
    idf += 1.0
    return idf if few is counts else idf[counts]
