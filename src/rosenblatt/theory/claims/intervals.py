"""Numbers measured on samples, with the interval that they leave open."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binomtest

Array = NDArray[np.float64]

RESAMPLES = 4000


@dataclass(frozen=True)
class Interval:
    """A measured number and its 95 % interval; no wider than a point if nothing is random."""

    value: float
    low: float
    high: float
    samples: int

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.value:.3g}"
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}]"


def exactly(number: float) -> Interval:
    """A number in which there is no chance."""
    return Interval(float(number), float(number), float(number), 1)


def mean(samples: ArrayLike) -> Interval:
    """The mean over samples."""
    return resampled(lambda columns: columns.mean(axis=-1), samples)


def median(samples: ArrayLike) -> Interval:
    """The median over samples, which a few slow rounds do not move."""
    return resampled(lambda columns: np.median(columns, axis=-1), samples)


def saving(fewer: ArrayLike, more: ArrayLike) -> Interval:
    """By how many per cent the sum of the first is below that of the second, sample by sample."""
    return resampled(
        lambda pairs: 100 * (1 - pairs[0].sum(axis=-1) / pairs[1].sum(axis=-1)),
        np.stack([fewer, more]),
    )


def resampled(statistic: Callable[[Array], Any], samples: ArrayLike) -> Interval:
    """A statistic of samples along the last axis, by the percentile bootstrap."""
    given = np.asarray(samples, dtype=float)
    count = given.shape[-1]
    drawn = np.random.default_rng(0).integers(count, size=(RESAMPLES, count))
    low, high = np.quantile(statistic(given[..., drawn]), [0.025, 0.975])
    return Interval(float(statistic(given)), float(low), float(high), count)


def share(hits: int, trials: int) -> Interval:
    """How many per cent of independent trials hit, by the exact interval for a proportion."""
    ends = binomtest(int(hits), trials).proportion_ci(0.95, method="exact")
    return Interval(100 * hits / trials, 100 * float(ends.low), 100 * float(ends.high), trials)
