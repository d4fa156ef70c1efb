"""The weights of a linear model, their average, and how many examples made them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass
class Weights:
    """A row of weights for each feature and a last one for the constant feature.

    Two classes share one column, which scores the second class. More classes have a column
    each, side by side, filled up with zeros to a multiple of four.

    ``missed`` holds the averaging sums of Algorithm 7: each change times the number of weight
    vectors before it, so that the mean of all is ``values - missed / (examples + 1)``.
    """

    values: Array
    missed: Array | None
    classes: int
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(3, dtype=np.int64))
    """Examples seen, updates made, mistakes made: written by the core together with the weights."""

    @classmethod
    def zeros(cls, width: int, classes: int, *, average: bool) -> Self:
        """Where learning starts."""
        shape = (width + 1, 1 if classes == 2 else -(-classes // 4) * 4)
        return cls(np.zeros(shape), np.zeros(shape) if average else None, classes)

    @property
    def seen(self) -> int:
        return int(self.counts[0])

    @property
    def counted(self) -> float:
        """What the weights that predict are multiplied by when scored."""
        return 1.0 if self.missed is None else float(self.seen + 1)

    def for_scoring(self, stored: int) -> tuple[Array, Array | None]:
        """What the core scores ``stored`` values with, ``counted`` times too large.

        Multiplied by the count the averaged weights are exact while features are whole numbers
        (SPEC A6). They are worked out once if that is less work than doing so value by value.
        """
        if self.missed is None:
            return self.values, None
        if self._cached("total") is None and stored < self.values.shape[0]:
            return self.values, self.missed
        return self._total(), None

    def means(self) -> Array:
        """The weights that predict, a row for each feature and one for the constant, read-only."""
        if self.missed is None:
            means = self.values[:, : self._columns].view()
        elif (means := self._cached("means")) is None:
            means = self._total()[:, : self._columns] / self.counted
            self._keep("means", means)
        means.flags.writeable = False
        return means

    def with_classes(
        self, places: Sequence[int], classes: int, *, two_class_share: float
    ) -> "Weights":
        """The same weights among more classes: old class k at places[k], new ones at zero.

        Two classes in one column become two: minus and plus ``two_class_share`` of the weights,
        which is what the same steps would have left in a race of two classes.
        """
        wide = Weights.zeros(len(self.values) - 1, classes, average=self.missed is not None)
        for old, new in ((self.values, wide.values), (self.missed, wide.missed)):
            if old is None or new is None:
                continue
            if self.classes == 2:
                old = two_class_share * np.hstack([-old, old])
            new[:, list(places)] = old[:, : self.classes]
        wide.counts[:] = self.counts
        return wide

    @property
    def _columns(self) -> int:
        return 1 if self.classes == 2 else self.classes

    def _total(self) -> Array:
        total = self._cached("total")
        if total is None:
            total = self.counted * self.values - self.missed  # type: ignore[operator]
            self._keep("total", total)
        return total

    def _cached(self, name: str) -> Array | None:
        seen, array = self.__dict__.get("_cache", {}).get(name, (None, None))
        return array if seen == self.seen else None

    def _keep(self, name: str, array: Array) -> None:
        self.__dict__.setdefault("_cache", {})[name] = (self.seen, array)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_cache"}
