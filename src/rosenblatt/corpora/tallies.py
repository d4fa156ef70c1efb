"""What is counted while a corpus is filtered."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt.corpora.samples import KINDS, Samples, foremost, no_samples, read_samples, sampled
from rosenblatt.corpora.shards import MalformedRow, Mask, Rows
from rosenblatt.inputs.parts import has_shape, is_whole, require

BINS = 20
"""Of the histogram of probabilities, from 0 to 1."""
MOST_COUNTED = 2**50
"""Rows of a shard that a record may tell of; so many more shards can be added up."""
SHOWN = 10
"""Malformed rows of a shard whose places are kept."""


class ShardSample(NamedTuple):
    """A row of a shard: where it is, what the model says of it, and how its text begins."""

    shard: str
    line: int
    score: float
    probability: float | None
    text: str


@dataclass
class Tally:
    """Rows of one shard."""

    __module__ = "rosenblatt"

    rows: int = 0
    """Those that can be read."""
    kept: int = 0
    malformed: int = 0
    faults: list[MalformedRow] = field(default_factory=list)
    """The first of them."""
    histogram: list[int] = field(default_factory=lambda: [0] * BINS)
    """How many rows have such a probability; all zero where the model knows none."""
    kept_histogram: list[int] = field(default_factory=lambda: [0] * BINS)
    samples: Samples = field(default_factory=no_samples)
    """Rows to read, of each kind."""

    def read(self, rows: Rows, probabilities: NDArray[np.float64] | None) -> None:
        self.rows += len(rows.lines)
        self.malformed += len(rows.faults)
        self.faults += rows.faults[: SHOWN - len(self.faults)]
        self.histogram = _more(self.histogram, probabilities)

    def keep(
        self,
        rows: Rows,
        mask: Mask,
        scores: NDArray[np.float64],
        probabilities: NDArray[np.float64] | None,
    ) -> None:
        self.kept += int(np.count_nonzero(mask))
        self.samples = sampled(self.samples, rows, mask, scores, probabilities)
        of_kept = None if probabilities is None else probabilities[mask]
        self.kept_histogram = _more(self.kept_histogram, of_kept)

    def facts(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def build(cls, told: Any) -> Self:
        """The same again; a ValueError for what cannot be right, which a file may say."""
        counts = dict.fromkeys(("rows", "kept", "malformed"), _is_count)
        bins = dict.fromkeys(("histogram", "kept_histogram"), (_is_count,) * BINS)
        shape = {**counts, **bins, "faults": [(is_whole, str)], "samples": dict}
        require(has_shape(told, shape) and len(told["faults"]) <= SHOWN, "it counts other things")
        faults = [MalformedRow(*fault) for fault in told["faults"]]
        return cls(**{**told, "faults": faults, "samples": read_samples(told["samples"])})


def _is_count(told: Any) -> bool:
    return is_whole(told, MOST_COUNTED)


def _more(counts: list[int], probabilities: NDArray[np.float64] | None) -> list[int]:
    if probabilities is None:
        return counts
    bins = np.minimum((probabilities * BINS).astype(np.int64), BINS - 1)
    return (np.array(counts) + np.bincount(bins, minlength=BINS)).tolist()


@dataclass(frozen=True)
class FilterSummary:
    """What came of a corpus.

    Attributes
    ----------
    rows, kept, malformed : int
        Rows that could be read, those of them that were kept, and those that could not be read.

    share_kept : float
        Of the rows that could be read.

    cut : float or None
        With ``keep_top`` the least score that is kept.

    histogram, kept_histogram : ndarray of int
        How many rows, and how many that were kept, have a probability in each twentieth from 0 to
        1; None if the model knows no probabilities.

    faults : dict of str to list of (line, reason)
        Where the first ten malformed rows of each shard are.

    shards : dict of str to dict
        The same numbers for each shard.

    keeps : bool
        Whether rows were to be kept; else all were scored.

    left_out : tuple of str
        Files of the folders that are no shards by their names and first bytes.

    samples : dict of str to list of ShardSample
        Rows to read before the others are used, at most ten of each kind: of those that were kept
        the ``"surest"``, among which the worst false positives are, and those ``"just_kept"``; of
        the others those ``"just_left_out"``.
    """

    __module__ = "rosenblatt"

    tallies: Mapping[str, Tally]
    cut: float | None
    has_probabilities: bool
    keeps: bool
    left_out: tuple[str, ...]

    @property
    def rows(self) -> int:
        return sum(tally.rows for tally in self.tallies.values())

    @property
    def kept(self) -> int:
        return sum(tally.kept for tally in self.tallies.values())

    @property
    def malformed(self) -> int:
        return sum(tally.malformed for tally in self.tallies.values())

    @property
    def share_kept(self) -> float:
        return self.kept / self.rows if self.rows else 0.0

    @property
    def histogram(self) -> NDArray[np.int64] | None:
        return self._sum("histogram")

    @property
    def kept_histogram(self) -> NDArray[np.int64] | None:
        return self._sum("kept_histogram")

    def _sum(self, which: str) -> NDArray[np.int64] | None:
        if not self.has_probabilities:
            return None
        counts = [getattr(tally, which) for tally in self.tallies.values()]
        return np.array(counts, np.int64).reshape(-1, BINS).sum(axis=0)

    @property
    def faults(self) -> dict[str, list[MalformedRow]]:
        return {name: tally.faults for name, tally in self.tallies.items() if tally.faults}

    @property
    def shards(self) -> dict[str, dict[str, Any]]:
        return {name: tally.facts() for name, tally in self.tallies.items()}

    @property
    def samples(self) -> dict[str, list[ShardSample]]:
        every = {
            kind: [
                ShardSample(name, *sample)
                for name, tally in self.tallies.items()
                for sample in tally.samples[kind]
            ]
            for kind in KINDS
        }
        return {kind: foremost(kind, some) for kind, some in every.items()}

    def facts(self) -> dict[str, Any]:
        """All of it, as JSON can hold it."""
        histograms = {}
        for name in ("histogram", "kept_histogram"):
            counts = self._sum(name)
            histograms[name] = None if counts is None else counts.tolist()
        return {
            "rows": self.rows,
            "kept": self.kept,
            "share_kept": self.share_kept,
            "malformed": self.malformed,
            "left_out": [*self.left_out],
            "cut": self.cut,
            **histograms,
            "samples": {
                kind: [sample._asdict() for sample in some] for kind, some in self.samples.items()
            },
            "shards": self.shards,
        }
