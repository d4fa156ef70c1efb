"""The weights of a linear model, their average, and how many examples made them."""

import math
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.parts import Arrays, Facts, check_array, is_whole, require

Array = NDArray[np.float64]

LARGER_THAN_CACHES = 2**20
"""Bytes of weights that predicting has to fetch from afar."""
LARGER_THAN_ALL_CACHES = 2**24
"""Bytes of weights that even learning, which has more to do, has to wait for."""
STORED_TO_PAY_FOR_A_ROW = 4
"""Values to predict or learn from for each row of weights that is first worked out."""


class Rooms(NamedTuple):
    """Arrays of one shape: rows for the features and the constant, and spare rows below."""

    weights: Array
    missed: Array | None
    sureness: Array | None


class Elsewhere(Protocol):
    """Where the numbers are while of most features there is nothing to tell; see `Condensed`."""

    learning: bool

    def spread(self, whole: Rooms) -> None: ...

    def scores(self, rows: core.Rows, constant: float) -> tuple[Array, core.Fault | None]: ...

    def winners(
        self, rows: core.Rows, constant: float, ties: core.Ties
    ) -> tuple[NDArray[np.int64], core.Fault | None]: ...


@dataclass
class Weights:
    """A row of weights for each feature and a last one for the constant feature.

    Two classes share one column, which scores the second class, unless they are in a race. Classes
    in a race, as more than two always are, have a column each, side by side, filled up with zeros
    to a multiple of four.

    ``missed`` holds the averaging sums of Algorithm 7: each change times the number of weight
    vectors before it, so that the mean of all is ``values - missed / (examples + 1)``.
    """

    shape: tuple[int, int]
    """Of each array: as many rows as features and one, and maybe more, by ``columns`` or more."""
    classes: int
    features: NDArray[np.int64]
    """Their number, in an array since the core adds to it while it learns."""
    average: bool
    """Whether averaging sums are kept."""
    surer: bool = False
    """Whether it is kept how sure each weight is: its variance is 1 / (1 + sureness)."""
    start: float = 0.0
    """What the weight of a feature is before anything is learned."""
    rooms: Rooms | None = None
    """The numbers, if there are any yet; to be reached by ``room`` and so on, which see to it."""
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(3, dtype=np.int64))
    """Examples seen, updates made, mistakes made: written by the core together with the weights."""
    measures: Array = field(default_factory=lambda: np.array([0.0, np.inf]))
    """The sum of all steps, and the smallest margin met in the present pass: written likewise."""
    condensed: Elsewhere | None = None
    """What has the numbers, if they are not in ``rooms``."""
    _worked_out: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _worked_out_at: int = -1

    @classmethod
    def new(
        cls,
        width: int,
        classes: int,
        *,
        average: bool,
        race: bool = False,
        start: float = 0.0,
        surer: bool = False,
    ) -> Self:
        """Where learning starts: features at ``start``, the constant at zero."""
        race = race or classes > 2
        shape = (width + 1, -(-classes // 4) * 4 if race else 1)
        try:
            features = np.array([width], dtype=np.int64)
        except OverflowError as error:
            raise _too_large(shape, classes, 1 + average + surer) from error
        return cls(shape, classes, features, average, surer, start)

    @property
    def room(self) -> Array:
        """The weights, and below them spare rows for features to come, as at the start."""
        return self.numbers().weights

    @property
    def made(self) -> Array | None:
        """The same if they have been made yet."""
        return None if self.rooms is None else self.rooms.weights

    @property
    def missed_room(self) -> Array | None:
        """The averaging sums, with as many spare rows."""
        return self.numbers().missed

    @property
    def sureness_room(self) -> Array | None:
        """How sure each weight is, with as many spare rows."""
        return self.numbers().sureness

    def numbers(self) -> Rooms:
        """All of them, where they belong; a copy while another thread learns elsewhere."""
        condensed = self.condensed
        if condensed is None:  # maybe not for long: another thread may be about to learn
            if self.rooms is None:
                self.rooms = self._new_rooms()
            return self.rooms
        if not condensed.learning:
            return self.settle()
        rooms = self._new_rooms()
        condensed.spread(rooms)
        return rooms

    def settle(self) -> Rooms:
        """Bring them to where they belong for good, as they are about to change there."""
        rooms = self._new_rooms() if self.rooms is None else self.rooms
        if self.condensed is not None:
            self.condensed.spread(rooms)
        self.rooms, self.condensed = rooms, None
        return rooms

    def _new_rooms(self) -> Rooms:
        try:
            rooms = Rooms(
                _zeros(self.shape),
                _zeros(self.shape) if self.average else None,
                _zeros(self.shape) if self.surer else None,
            )
        except (MemoryError, ValueError) as error:
            arrays = 1 + self.average + self.surer
            raise _too_large(self.shape, self.classes, arrays) from error
        if self.start:
            rooms.weights[:-1, : self.columns] = self.start
        return rooms

    @property
    def columns(self) -> int:
        """One for two classes that share a column, else one for each class."""
        return 1 if self.shape[1] == 1 else self.classes

    @property
    def nbytes(self) -> int:
        """Of the weights alone."""
        return 8 * self.shape[0] * self.shape[1]

    @property
    def width(self) -> int:
        return int(self.features[0])

    @property
    def values(self) -> Array:
        return self.room[: self.width + 1]

    @property
    def missed(self) -> Array | None:
        return None if self.missed_room is None else self.missed_room[: self.width + 1]

    @property
    def sureness(self) -> Array | None:
        return None if self.sureness_room is None else self.sureness_room[: self.width + 1]

    @property
    def seen(self) -> int:
        return int(self.counts[0])

    @property
    def counted(self) -> float:
        """What the weights that predict are multiplied by when scored."""
        return float(self.seen + 1) if self.average else 1.0

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

    def scores(self, rows: Any, constant: float) -> tuple[Array, core.Fault | None]:
        """A score of each column for each row, and what is wrong with the rows."""
        condensed = self.condensed
        if condensed is not None and self.would_be_condensed_for(rows):
            return condensed.scores(rows, constant)
        scores = np.empty((rows.count, self.columns))
        values, missed = self.for_scoring(rows.stored)
        fault = core.score(rows, values, missed, self.counted, constant, scores)
        return scores, fault

    def decisions(self, rows: Any, constant: float) -> tuple[Array, core.Fault | None]:
        """A score for each row, above zero for the second of two classes; of more, one each."""
        scores, fault = self.scores(rows, constant)
        if self.classes > 2:
            return scores, fault
        return scores[:, 0] if self.columns == 1 else scores[:, 1] - scores[:, 0], fault

    def winners(
        self, rows: Any, constant: float, ties: core.Ties
    ) -> tuple[NDArray[np.int64], core.Fault | None]:
        """The class that the weights predict for each row, and what is wrong with the rows."""
        condensed = self.condensed
        if condensed is not None and self.would_be_condensed_for(rows):
            return condensed.winners(rows, constant, ties)
        winners = np.empty(rows.count, dtype=np.int64)
        narrow = self._narrow(rows.stored)
        values, missed = self.for_scoring(0 if narrow else rows.stored)
        fault = core.predict(
            rows, values, missed, self.counted, constant, self.classes, ties, winners, narrow
        )
        return winners, fault

    def _narrow(self, stored: int) -> core.SinglePrecision | None:
        """Weights of half the size, if it pays to make them to predict from ``stored`` values.

        They tell most winners beyond doubt; the others are told by the weights themselves.
        """
        worked_out = self._fresh()
        if "narrow" not in worked_out:
            large = self.columns > 1 and self.nbytes >= LARGER_THAN_CACHES
            if not large or stored < STORED_TO_PAY_FOR_A_ROW * self.shape[0]:
                return None
            worked_out["narrow"] = core.SinglePrecision(self.values, self.missed, self.counted)
        narrow: core.SinglePrecision = worked_out["narrow"]
        return narrow

    def narrow_to_learn(self, rows: Any) -> core.SinglePrecision | None:
        """Weights of half the size, if it pays to have them while learning from rows.

        They tell most examples that need no step beyond doubt; the core keeps them up to date.
        """
        large = self.columns > 1 and self.nbytes >= LARGER_THAN_ALL_CACHES
        if not (rows.compressed and large) or rows.stored < STORED_TO_PAY_FOR_A_ROW * self.shape[0]:
            return None
        return core.SinglePrecision(self.values, None, 1.0)

    def has_more_numbers_than(self, rows: Any) -> bool:
        """Whether it is more work to look at all weights than at all rows."""
        return bool(self.shape[0] * self.shape[1] > rows.stored + rows.count)

    def would_be_condensed_for(self, rows: Any) -> bool:
        """Whether it is less work to number the columns of rows anew than to have all weights."""
        in_memory = rows.compressed and rows.let_go is None
        return in_memory and self.has_more_numbers_than(rows)

    def norm(self) -> float:
        """The length of the last weights of all classes together, constant feature included."""
        return math.sqrt(core.squared_length(self.values))

    @property
    def are_sums_of_steps(self) -> bool:
        """Whether each step added as much of its difference to every weight."""
        return self.start == 0 and not self.surer

    @property
    def last_predict(self) -> bool:
        """Whether the last weights are those that predict."""
        return not self.average

    def last(self) -> Self:
        """The same weights without their average."""
        rooms = self.numbers()._replace(missed=None)
        return replace(self, average=False, rooms=rooms, _worked_out={})

    def with_missed(self, missed: Array) -> Self:
        """The same weights with averaging sums."""
        rooms = self.numbers()._replace(missed=missed)
        return replace(self, average=True, rooms=rooms, _worked_out={})

    def means(self) -> Array:
        """The weights that predict, a row for each feature and one for the constant, read-only."""
        if self.missed is None:
            means = self.values[:, : self.columns]
        else:
            worked_out = self._fresh()
            if "means" not in worked_out:
                worked_out["means"] = self._total(self.missed)[:, : self.columns] / self.counted
            means = worked_out["means"][:]
        if self.classes == self.columns == 2:
            means = means[:, 1:] - means[:, :1]
        means.flags.writeable = False
        return means

    def variances(self) -> Array:
        """How unsure each weight is, in the places of ``values``; one if no count is kept."""
        sureness = 0.0 * self.values if self.sureness is None else self.sureness
        variances: Array = 1 / (1 + sureness[:, : self.columns])
        return variances

    def with_classes(
        self, places: NDArray[np.intp], classes: int, *, two_class_share: float
    ) -> "Weights":
        """The same weights among more classes: old class k at places[k], new ones as at the start.

        Two classes in one column become two: minus and plus ``two_class_share`` of the weights,
        which is what the same steps would have left in a race of two classes.
        """
        wide = self.like(self.width, classes)
        for narrow, new in ((self.values, wide.values), (self.missed, wide.missed)):
            if narrow is None or new is None:
                continue
            old = two_class_share * np.hstack([-narrow, narrow]) if self.columns == 1 else narrow
            new[:, places] = old[:, : self.classes]
        if self.sureness is not None and wide.sureness is not None:
            share = two_class_share if self.columns == 1 else 1.0  # of the variance
            wide.sureness[:, places] = (1 + self.sureness[:, : self.columns]) / share - 1
        wide.counts[:] = self.counts
        wide.measures[0] = self.measures[0] * (two_class_share if self.classes == 2 else 1.0)
        return wide

    def with_features(self, width: int) -> "Weights":
        """The same weights for ``width`` features, new ones as at the start."""
        wide = self.like(width, self.classes)
        wide._copy(self)
        wide.counts[:] = self.counts
        wide.measures[:] = self.measures
        return wide

    def with_room(self, features: int) -> "Weights":
        """The same weights, and room for so many features and as many again."""
        roomy = replace(
            self.like(2 * features, self.classes),
            features=self.features,
            counts=self.counts,
            measures=self.measures,
        )
        roomy._copy(self)
        return roomy

    def like(self, width: int, classes: int) -> "Weights":
        """Weights of the same kind, as at the start."""
        return Weights.new(
            width,
            classes,
            average=self.average,
            race=self.shape[1] > 1,
            start=self.start,
            surer=self.surer,
        )

    def _copy(self, narrow: "Weights") -> None:
        for old, new in (
            (narrow.values, self.values),
            (narrow.missed, self.missed),
            (narrow.sureness, self.sureness),
        ):
            if old is not None and new is not None:
                new[: len(old) - 1] = old[:-1]
                new[-1] = old[-1]

    def _total(self, missed: Array) -> Array:
        worked_out = self._fresh()
        if "total" not in worked_out:
            worked_out["total"] = self.counted * self.values - missed
        total: Array = worked_out["total"]
        return total

    def _fresh(self) -> dict[str, Any]:
        """What has been worked out from the present weights."""
        if self._worked_out_at != self.seen:
            self._worked_out, self._worked_out_at = {}, self.seen
        return self._worked_out

    def facts(self) -> Facts:
        return {"classes": self.classes, "start": self.start}

    def arrays(self) -> Arrays:
        arrays = {
            "values": self.values,
            "missed": self.missed,
            "sureness": self.sureness,
            "counts": self.counts,
            "measures": self.measures,
        }
        return {name: array for name, array in arrays.items() if array is not None}

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> Self:
        classes, start = facts["classes"], facts["start"]
        values = arrays.get("values", np.empty(0))
        rows, columns = values.shape if values.ndim == 2 else (0, 0)
        require(
            is_whole(classes)
            and classes >= 2
            and rows >= 1
            and (classes == 2 if columns == 1 else columns == -(-classes // 4) * 4),
            "the shape of its weights does not fit its classes.",
        )
        of_weights = [a for name in ("missed", "sureness") if (a := arrays.get(name)) is not None]
        for array in (values, *of_weights):
            check_array(array, np.float64, values.shape)
            require(bool(np.isfinite(array).all()), "not all its weights are finite.")
        counts = check_array(arrays.get("counts"), np.int64, (3,))
        require(bool((counts >= 0).all()), "its counts are not counts.")
        measures = check_array(arrays.get("measures"), np.float64, (2,))
        require(
            type(start) is float and math.isfinite(start) and not np.isnan(measures).any(),
            "what it has measured are not numbers.",
        )
        rooms = Rooms(values, arrays.get("missed"), arrays.get("sureness"))
        return cls(
            (rows, columns),
            classes,
            np.array([rows - 1], dtype=np.int64),
            rooms.missed is not None,
            rooms.sureness is not None,
            start,
            rooms,
            counts,
            measures,
        )

    def __getstate__(self) -> dict[str, Any]:
        rooms = Rooms(self.values, self.missed, self.sureness)
        here = {"shape": self.values.shape, "rooms": rooms, "condensed": None}
        return self.__dict__ | here | {"_worked_out": {}}


def _zeros(shape: tuple[int, int]) -> Array:
    """Zeros that begin with a line of the cache, so that no four or eight lie across two."""
    line = 64
    room = np.zeros((shape[0] + line // 8, shape[1])).reshape(-1)
    first = -room.__array_interface__["data"][0] % line // 8
    return room[first : first + shape[0] * shape[1]].reshape(shape)


def _too_large(shape: tuple[int, int], classes: int, arrays: int) -> ValueError:
    return ValueError(
        f"The weights of {shape[0] - 1} features and {classes} classes need "
        f"{8 * arrays * shape[0] * shape[1]} bytes, more than there are: hash the features to "
        "fewer columns, for example."
    )
