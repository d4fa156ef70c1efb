"""Which examples of a file are held out, decided as they come."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


class StreamSplit:
    """Decides which examples of a file are held out: a share of those of every class.

    Of a class, the first example is learned from and the second is held out; then one at a random
    place in every 1 / fraction. Whether an example is held out depends on those before it and the
    seed alone, so that a file is split in the same way whether it is read at once or in batches,
    and rows added to its end change nothing for the others.

    Parameters
    ----------
    fraction : float
        At least 0 and below 1.

    seed : int

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt.training.stream_split import StreamSplit
    >>> split = StreamSplit(0.2, seed=0)
    >>> np.flatnonzero(split.among(np.zeros(30, dtype=int)))
    array([ 1, 10, 15, 17, 24, 27])
    """

    def __init__(self, fraction: float, seed: int) -> None:
        self._share = np.uint64(min(max(round(fraction * 2.0**32), fraction > 0), 2**32 - 1))
        self._seed = _scramble(np.uint64(seed))
        self._seen = 0
        self._counts = np.zeros(0, dtype=np.uint64)
        """How many examples of each class came before."""
        self._salts = np.zeros(0, dtype=np.uint64)

    def among(self, codes: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each of the next examples, whose classes have these numbers, is held out."""
        order = np.argsort(codes, kind="stable")
        sizes = np.bincount(codes, minlength=len(self._counts))
        begins = np.cumsum(sizes) - sizes
        self._meet(order, begins, sizes)
        places = np.empty(len(codes), dtype=np.uint64)
        places[order] = np.arange(len(codes)) - np.repeat(begins, sizes)
        places += self._counts[codes]
        self._counts += sizes.astype(np.uint64)
        self._seen += len(codes)
        if not self._share:
            return np.zeros(len(codes), dtype=np.bool_)
        return np.equal(places, self._held_in(places * self._share >> np.uint64(32), codes))

    def _meet(self, order: NDArray[Any], begins: NDArray[Any], sizes: NDArray[Any]) -> None:
        """Give every new class a number of its own, after the row in which it first comes."""
        new = len(sizes) - len(self._counts)
        self._counts = np.append(self._counts, np.zeros(new, dtype=np.uint64))
        self._salts = np.append(self._salts, np.zeros(new, dtype=np.uint64))
        first = (self._counts == 0) & (sizes > 0)
        rows = self._seen + order[begins[first]]
        self._salts[first] = _scramble(self._seed + rows.astype(np.uint64))

    def _held_in(self, blocks: NDArray[np.uint64], codes: NDArray[Any]) -> NDArray[np.uint64]:
        """The place in its class of the one example of each block that is held out."""
        begins, ends = (
            (((b << np.uint64(32)) + self._share - np.uint64(1)) // self._share)
            for b in (blocks, blocks + np.uint64(1))
        )
        drawn = begins + _scramble(self._salts[codes] + blocks) % (ends - begins)
        return np.where(blocks == 0, np.uint64(1), drawn)


def _scramble(numbers: NDArray[np.uint64] | np.uint64) -> NDArray[np.uint64]:
    """Steele, Lea and Flood (2014), SplitMix: neighbours become as good as unrelated."""
    with np.errstate(over="ignore"):
        mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return np.asarray(mixed ^ mixed >> np.uint64(31))
