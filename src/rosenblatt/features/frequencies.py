"""In how many documents a column occurs, and what it is worth for that."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Worth(NamedTuple):
    """The weights of columns, and what they were worked out from."""

    source: Any
    documents: int
    smooth: bool
    idf: NDArray[np.float64]


class Frequencies:
    """Has ``documents`` and ``counts``; weighs columns by them.

    Weights of columns are worked out once and kept until more is learned, so that a single document
    takes time in proportion to its words, not to all columns.
    """

    _worth: Worth | None = None

    @property
    def counted(self: Any) -> Any:
        """What has the counts, if any: another object, or more documents, once they change."""
        return self.counts

    def idf(self: Any, smooth: bool) -> NDArray[np.float64]:
        """The weight of each column, which is not to be changed."""
        source, documents, worth = self.counted, self.documents, self._worth
        if worth is None or worth.source is not source or worth[1:3] != (documents, smooth):
            idf = inverse_frequencies(self.counts, documents, smooth)
            worth = self._worth = Worth(source, documents, smooth, idf)
        known: NDArray[np.float64] = worth.idf
        return known


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
