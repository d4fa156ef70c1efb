"""From scores to probabilities, by one number: how steeply they rise with the scores."""

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.parts import MOST_COUNTED, Arrays, Facts, check_array, is_whole, require
from rosenblatt.training.storage import Array

ENOUGH = 10_000
"""Examples from which one number is known as well as from more."""


def of_each(scores: Array) -> Array:
    """A score of each class for every example; of two, they mirror each other at half of it."""
    return scores[:, None] * [-0.5, 0.5] if scores.ndim == 1 else scores


def spread(count: int) -> NDArray[np.intp]:
    """Examples enough of so many, evenly apart."""
    return np.arange(min(count, ENOUGH)) * count // min(count, ENOUGH)


def slope_of(scores: Array, codes: NDArray[Any], importance: Array | None = None) -> float:
    """The slope under which examples that the weights have not learned from are likeliest.

    The least mean of -log p of the right class, where p is the softmax of slope times scores (Guo,
    Pleiss, Sun and Weinberger, 2017; Platt, 1999, for two classes). Labels are believed but for
    one example's worth in all, so that the slope stays finite where all come out right.
    """
    each, weight = of_each(scores), np.ones(len(codes)) if importance is None else importance
    gaps = each - each[np.arange(len(codes)), codes][:, None]
    scale, total = float(np.abs(gaps).max(initial=0.0)), float(weight.sum())
    if not 0 < scale < math.inf or not total > 0:
        return 0.0
    gaps /= scale
    flat = float(weight @ gaps.mean(axis=1))
    if flat >= 0:  # scores say nothing, or the contrary
        return 0.0
    unbelieved = flat / (total + 1)
    low, high, slope = 0.0, math.inf, 1.0
    for _ in range(200):
        shares = softmax(slope * gaps)
        mean = (shares * gaps).sum(axis=1)
        rise = float(weight @ mean) - unbelieved
        if rise > 0:
            high = slope
        else:
            low = slope
        bend = float(weight @ ((shares * gaps**2).sum(axis=1) - mean**2))
        newton = slope - rise / bend if bend > 0 else math.inf
        if not low < newton < high:
            newton = (low + high) / 2 if high < math.inf else 4 * slope
        if abs(newton - slope) <= 1e-12 * slope:
            break
        slope = newton
    return slope / scale


def softmax(logits: Array) -> Array:
    """Numbers above zero that sum to one in each row."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Array = powers / powers.sum(axis=1, keepdims=True)
    return shares


WINDOW, FIRST, EVERY, STEP = 1024, 512, 8, 32
"""Of a stream the first 512 examples and every eighth of the others are looked at, the last 1,024
of them are kept, and the slope follows them in steps of 32 at most."""


@dataclass
class Recent:
    """Examples of a stream with the scores that they had just before they were learned from."""

    __module__ = "rosenblatt"

    scores: Array
    codes: NDArray[np.int64]
    importance: Array
    kept: int = 0
    """How many were ever looked at; number n is in place n modulo the window."""
    seen: int = 0
    """How many came by."""
    _slope: tuple[int, float] = field(default=(-1, 0.0), init=False, repr=False)
    """The last slope that was worked out, and from how many examples."""

    @classmethod
    def new(cls, classes: int) -> "Recent":
        columns = 1 if classes == 2 else classes
        return cls(np.zeros((WINDOW, columns)), np.zeros(WINDOW, np.int64), np.zeros(WINDOW))

    @property
    def looks(self) -> bool:
        """Whether the next example is to be looked at."""
        return self.seen < FIRST or self.seen % EVERY == 0

    @property
    def until_next(self) -> int:
        """How many examples from the next on until another is to be looked at."""
        return 1 if self.seen < FIRST else EVERY - self.seen % EVERY

    def add(self, scores: Any, code: int, importance: float) -> None:
        """The next example, which is about to be learned from."""
        place = self.kept % WINDOW
        self.scores[place], self.codes[place], self.importance[place] = scores, code, importance
        self.kept += 1

    def slope(self) -> float:
        """What the latest half of the examples says, up to the last step.

        Older scores were of weights that had learned too little, or something else.
        """
        bits = max(0, self.kept.bit_length() - 6)
        last = self.kept - self.kept % min(STEP, 1 << bits)
        if self._slope[0] != last:
            first = max(last // 2 if last > 64 else 0, last - (WINDOW - STEP))
            places = np.arange(first, last) % WINDOW
            scores = self.scores[places]
            scores = scores[:, 0] if scores.shape[1] == 1 else scores
            self._slope = last, slope_of(scores, self.codes[places], self.importance[places])
        return self._slope[1]

    def with_classes(self, places: NDArray[np.intp], classes: int, share: float) -> "Recent":
        """The same among more classes, which until now scored zero."""
        wide = Recent.new(classes)
        both = self.scores.shape[1] == 1
        wide.scores[:, places] = self.scores * [-share, share] if both else self.scores
        wide.codes[:] = places[self.codes]
        return replace(wide, importance=self.importance.copy(), kept=self.kept, seen=self.seen)

    def copy(self) -> "Recent":
        arrays = self.scores.copy(), self.codes.copy(), self.importance.copy()
        return Recent(*arrays, self.kept, self.seen)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_slope": (-1, 0.0)}


@dataclass
class Calibration:
    """How scores become probabilities: the softmax of ``slope`` times the scores.

    One slope for all classes, so that the most probable label is the one that scores highest.
    """

    __module__ = "rosenblatt"

    fitted: float | None = None
    """The slope that examples held out by fit have shown, if any were."""
    recent: Recent | None = None
    """What a stream has shown since."""

    @property
    def slope(self) -> float | None:
        """What counts now; None before any example was looked at."""
        recent = self.recent
        if recent is None or (recent.kept < STEP and self.fitted is not None):
            return self.fitted
        return recent.slope()

    def probabilities(self, scores: Array, classes: int) -> Array:
        """Of each class for every example; all the same as long as nothing is known."""
        if classes < 2:
            return np.ones((len(scores), classes))
        return softmax((self.slope or 0.0) * of_each(scores))

    def with_classes(self, places: NDArray[np.intp], classes: int, share: float) -> "Calibration":
        """The same among more classes: old class k at places[k].

        Of two classes that shared their weights, each has ``share`` of them in the race.
        """
        narrower = 1 / (2 * share) if len(places) == 2 else 1.0
        fitted = None if self.fitted is None else self.fitted * narrower
        recent = None if self.recent is None else self.recent.with_classes(places, classes, share)
        return Calibration(fitted, recent)

    def copy(self) -> "Calibration":
        """The same, to be changed apart."""
        return Calibration(self.fitted, None if self.recent is None else self.recent.copy())

    def facts(self) -> Facts:
        recent = self.recent
        counts = None if recent is None else [recent.kept, recent.seen]
        return {"slope": self.fitted, "recent": counts}

    def arrays(self) -> Arrays:
        recent = self.recent
        if recent is None:
            return {}
        there = slice(min(recent.kept, WINDOW))
        return {
            "scores": recent.scores[there],
            "codes": recent.codes[there],
            "importance": recent.importance[there],
        }

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> "Calibration":
        slope, counts = facts["slope"], facts["recent"]
        require(
            slope is None or (type(slope) is float and 0 <= slope < math.inf),
            "how its scores become probabilities is not told",
        )
        if counts is None:
            require(not arrays, "it has scores of examples that it has not seen")
            return cls(slope)
        require(
            len(counts) == 2 and all(is_whole(count, most=MOST_COUNTED) for count in counts),
            "how many examples its probabilities are from is not told",
        )
        there = min(counts[0], WINDOW)
        scores = arrays.get("scores", np.empty(0))
        width = scores.shape[-1] if scores.ndim == 2 else 0
        require(
            1 <= width != 2, "the scores that its probabilities are from do not fit its classes"
        )
        recent = Recent.new(2 if width == 1 else width)
        recent.kept, recent.seen = counts
        recent.scores[:there] = check_array(scores, np.float64, (there, width))
        recent.codes[:there] = check_array(arrays.get("codes"), np.int64, (there,))
        recent.importance[:there] = check_array(arrays.get("importance"), np.float64, (there,))
        sound = np.isfinite(recent.scores).all() and (recent.importance >= 0).all()
        known = (recent.codes >= 0) & (recent.codes < max(2, width))
        require(
            bool(sound and known.all() and np.isfinite(recent.importance).all()),
            "the scores that its probabilities are from are none",
        )
        return cls(slope, recent)

    def require_fit(self, classes: int) -> None:
        """Refuse it for a model of another number of classes."""
        width = 1 if classes == 2 else classes
        fits = self.recent is None or self.recent.scores.shape[1] == width
        require(fits, "its probabilities do not fit its classes")
