"""The weights of a linear model, their average, and how many examples made them."""

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
    measures: Array = field(default_factory=lambda: np.array([0.0, np.inf]))
    """The sum of all steps, and the smallest margin met in the present pass: written likewise."""
    _worked_out: dict[str, Array] = field(default_factory=dict, repr=False, compare=False)
    _worked_out_at: int = -1

    @classmethod
    def zeros(cls, width: int, classes: int, *, average: bool) -> Self:
        """Where learning starts."""
        shape = (width + 1, 1 if classes == 2 else -(-classes // 4) * 4)
        try:
            return cls(np.zeros(shape), np.zeros(shape) if average else None, classes)
        except (MemoryError, ValueError) as error:
            size = 8 * (1 + average) * shape[0] * shape[1]
            raise ValueError(
                f"The weights of {width} features and {classes} classes need {size} bytes, more "
                "than there are: hash the features to fewer columns, for example."
            ) from error

    @property
    def seen(self) -> int:
        return int(self.counts[0])

    @property
    def counted(self) -> float:
        """What the weights that predict are multiplied by when scored."""
        return 1.0 if self.missed is None else float(self.seen + 1)

    def for_scoring(self, stored: int) -> tuple[Array, Array | None]:
        """What the core scores ``stored`` values with, ``counted`` times too large.

        Multiplied by the count the averaged weights are exact while features are whole numbers,
        and so are ties. They are worked out here if that is less work than doing so value by value.
        """
        if self.missed is None:
            return self.values, None
        if "total" not in self._fresh() and stored < len(self.values):
            return self.values, self.missed
        return self._total(self.missed), None

    def means(self) -> Array:
        """The weights that predict, a row for each feature and one for the constant, read-only."""
        columns = 1 if self.classes == 2 else self.classes
        if self.missed is None:
            means = self.values[:, :columns]
        else:
            worked_out = self._fresh()
            if "means" not in worked_out:
                worked_out["means"] = self._total(self.missed)[:, :columns] / self.counted
            means = worked_out["means"][:]
        means.flags.writeable = False
        return means

    def with_classes(
        self, places: NDArray[np.intp], classes: int, *, two_class_share: float
    ) -> "Weights":
        """The same weights among more classes: old class k at places[k], new ones at zero.

        Two classes in one column become two: minus and plus ``two_class_share`` of the weights,
        which is what the same steps would have left in a race of two classes.
        """
        wide = Weights.zeros(len(self.values) - 1, classes, average=self.missed is not None)
        arrays = [(self.values, wide.values)]
        if self.missed is not None and wide.missed is not None:
            arrays.append((self.missed, wide.missed))
        for narrow, new in arrays:
            old = two_class_share * np.hstack([-narrow, narrow]) if self.classes == 2 else narrow
            new[:, places] = old[:, : self.classes]
        wide.counts[:] = self.counts
        wide.measures[0] = self.measures[0] * (two_class_share if self.classes == 2 else 1.0)
        return wide

    def _total(self, missed: Array) -> Array:
        worked_out = self._fresh()
        if "total" not in worked_out:
            worked_out["total"] = self.counted * self.values - missed
        return worked_out["total"]

    def _fresh(self) -> dict[str, Array]:
        """What has been worked out from the present weights."""
        if self._worked_out_at != self.seen:
            self._worked_out, self._worked_out_at = {}, self.seen
        return self._worked_out

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_worked_out": {}}
