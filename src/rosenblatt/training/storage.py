"""Where the numbers of a model are kept, and how they are laid out."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Parameter

Array = NDArray[np.float64]

SHORTEST_HALF_LIFE = 0.01
"""In examples; there is no room for shorter ones, which forget all but the last weights."""


MOST_COVARYING = 2048
"""Weights of which each two may have a covariance: 32 MB of them."""


class WeightArrays(NamedTuple):
    """Rows for the features and the constant, and maybe spare rows: of one shape but the last."""

    weights: Array
    missed: Array | None
    """The averaging sums of Algorithm 7: each change times the weight vectors before it."""
    sureness: Array | None
    """How sure each weight is: its variance is 1 / (1 + sureness)."""
    covariance: Array | None = None
    """Of each two weights: those of the constant first, then feature by feature, then spare."""

    def each(self, change: Callable[[Array], Array]) -> "WeightArrays":
        """The same with a change made to each array that there is."""
        others = (None if array is None else change(array) for array in self[1:])
        return WeightArrays(change(self.weights), *others)


WeightArrays.__module__ = "rosenblatt"


@dataclass(frozen=True)
class Form:
    """What kind of weights a model has.

    Two classes share one column, which scores the second class, unless they are in a race. Classes
    in a race, as more than two always are, have a column each, side by side, filled up with zeros
    to a multiple of four.
    """

    __module__ = "rosenblatt"

    classes: int
    stride: int
    """The length of a row: one, or the classes filled up."""
    average: bool
    """Whether averaging sums are kept."""
    surer: bool = False
    """Whether it is kept how sure each weight is."""
    covarying: bool = False
    """Whether the covariance of each two weights is kept."""
    initial: float = 0.0
    """What the weight of a feature is before anything is learned."""
    half_life: float = math.inf
    """After how many examples weights count half as much in the average."""
    several: bool = False
    """Whether an example may be of several classes, or of none: each has a score of its own."""
    divisor: float | None = None
    """What scores are divided by, of weights that only predict."""

    @classmethod
    def of(
        cls,
        classes: int,
        *,
        average: bool,
        race: bool = False,
        surer: bool = False,
        covarying: bool = False,
        initial: float = 0.0,
        half_life: float | None = None,
    ) -> Self:
        """The form for so many classes."""
        stride = _filled(classes) if race or classes > 2 else 1
        lasting = math.inf if half_life is None or not average else float(half_life)
        return cls(classes, stride, average, surer, covarying, initial, lasting)

    def among(self, classes: int) -> "Form":
        """The same for so many classes."""
        race = self.stride > 1 or classes > 2
        return replace(self, classes=classes, stride=_filled(classes) if race else 1)

    def for_several(self) -> "Form":
        """The same where an example may be of several classes."""
        return replace(self, stride=_filled(self.classes), several=True)

    def of_estimator(self) -> "Form":
        """What the estimator alone decides of it, whatever the classes and the average."""
        return replace(self, classes=2, stride=1, average=False, several=False)

    def to_predict(self, divisor: float | None) -> "Form":
        """The same for weights that only predict."""
        return replace(
            self, average=False, surer=False, covarying=False, half_life=math.inf, divisor=divisor
        )

    @property
    def columns(self) -> int:
        """One for two classes that share a column, else one for each class."""
        return 1 if self.stride == 1 else self.classes

    @property
    def has_two_sides(self) -> bool:
        """Whether one score says which of two classes wins."""
        return self.classes == 2 and not self.several

    def weights_before(self, times: ArrayLike, seen: int) -> Array:
        """How much the weights before these examples count in the average after ``seen``."""
        times = np.ascontiguousarray(np.atleast_1d(times), dtype=np.int64)
        return np.array(core.weights_before(times, seen, self.half_life))

    def fading(self, seen: int, later: int) -> float:
        """What averaging sums after ``seen`` examples are multiplied by to be those ``later``."""
        return core.fading(seen, later, self.half_life)

    def nbytes(self, rows: int) -> int:
        """Of the weights alone."""
        return 8 * rows * self.stride

    def roomy_rows(self, features: int) -> int:
        """Rows for these features and the constant, and for about as many features more."""
        rows = 2 * features + 1
        if self.covarying:
            rows = max(features + 1, min(rows, MOST_COVARYING // self.columns))
        return rows

    def new(self, rows: int) -> WeightArrays:
        """The numbers before anything is learned: features at ``initial``, the constant at zero."""
        shape = rows, self.stride
        if self.covarying and rows * self.columns > MOST_COVARYING:
            raise InputError(
                *(Parameter("covariance", "full"), " is for up to "),
                f"{MOST_COVARYING:,} weights, but {rows - 1:,} features and the constant",
                f" have {rows * self.columns:,} for {self.classes} classes",
                remedy=("set ", Parameter("covariance", "diagonal")),
            )
        try:
            arrays = WeightArrays(
                _zeros(shape),
                _zeros(shape) if self.average else None,
                _zeros(shape) if self.surer else None,
                np.eye(rows * self.stride) if self.covarying else None,
            )
        except (MemoryError, OverflowError, ValueError) as error:
            raise ValueError(
                f"The weights of {rows - 1} features and {self.classes} classes need "
                f"{self.nbytes(rows) * (1 + self.average + self.surer)} bytes, more than there "
                "are: hash the features to fewer columns, for example."
            ) from error
        if self.initial:
            arrays.weights[:-1, : self.columns] = self.initial
        return arrays


@dataclass
class Whole:
    """All numbers, side by side; made when first asked for."""

    __module__ = "rosenblatt"

    form: Form
    rows: int
    _made: dict[str, WeightArrays] = field(default_factory=dict)

    @classmethod
    def of(cls, form: Form, arrays: WeightArrays) -> Self:
        """Of numbers that there are."""
        return cls(form, len(arrays.weights), {"arrays": arrays})

    @property
    def viewed(self) -> Array | None:
        return self._made["arrays"].weights if self._made else None

    def renumbered(self, rows: core.Rows) -> None:
        return None

    def arrays(self) -> WeightArrays:
        if not self._made:  # of two threads that find it so, both get what the first has made
            self._made.setdefault("arrays", self.form.new(self.rows))
        return self._made["arrays"]


def outnumber(numbers: int, rows: core.Rows, *, compressed: bool = False) -> bool:
    """Whether so many weights are more work to look at than all rows, which must be in memory."""
    if compressed and not (rows.compressed and rows.let_go is None):
        return False
    return bool(numbers > rows.stored + rows.count)


def _filled(classes: int) -> int:
    """The length of a row for classes side by side."""
    return -(-classes // 4) * 4


def _zeros(shape: tuple[int, int]) -> Array:
    """Zeros that begin with a line of the cache, so that no four or eight lie across two."""
    line = 64
    room = np.zeros((shape[0] + line // 8, shape[1])).reshape(-1)
    first = -room.__array_interface__["data"][0] % line // 8
    return room[first : first + shape[0] * shape[1]].reshape(shape)
