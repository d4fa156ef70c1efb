"""From scores to probabilities, by one number: how steeply they rise with the scores.

Where class weights lean the scores, by a number for each class, too, which sets them upright.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.parts import MOST_COUNTED, Arrays, Facts, check_array, is_whole, require
from rosenblatt.training.storage import Array

ENOUGH = 10_000
"""Examples from which one number is known as well as from more."""
CLOSE, ROUNDED, RIDGE = 1e-10, 1e-14, 1e-12
"""How small a step of Newton's ends the search, what of a loss may be rounding, and what keeps
steps finite."""


def of_each(scores: Array) -> Array:
    """A score of each class for every example; of two, they mirror each other at half of it."""
    return scores[:, None] * [-0.5, 0.5] if scores.ndim == 1 else scores


def spread(count: int) -> NDArray[np.intp]:
    """Examples enough of so many, evenly apart."""
    return np.arange(min(count, ENOUGH)) * count // min(count, ENOUGH)


def slope_of(scores: Array, codes: NDArray[Any], sample_weight: Array | None = None) -> float:
    """The slope under which examples that the weights have not learned from are likeliest.

    The least mean of -log p of the right class, where p is the softmax of slope times scores (Guo,
    Pleiss, Sun and Weinberger, 2017; Platt, 1999, for two classes). Labels are believed but for
    one example's worth in all, so that the slope stays finite where all come out right.
    """
    each, weight = of_each(scores), np.ones(len(codes)) if sample_weight is None else sample_weight
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
        if abs(newton - slope) <= CLOSE * slope:  # the next step would be as good as none
            return newton / scale
        if not low < newton < high:
            newton = (low + high) / 2 if high < math.inf else 4 * slope
        slope = newton
    return slope / scale


class Logits(NamedTuple):
    """How scores become logarithms of probabilities, but for a number that all classes share."""

    slope: float
    offsets: Array | None = None
    """A number for each class, where class weights lean the scores."""

    def probabilities(self, scores: Array) -> Array:
        """Of each class for every example."""
        logits = self.slope * of_each(scores)
        return softmax(logits if self.offsets is None else logits + self.offsets)


def logits_of(
    scores: Array, codes: NDArray[Any], sample_weight: Array | None = None, *, leaning: bool
) -> Logits:
    """Those under which examples that the weights have not learned from are likeliest.

    Without offsets unless the scores are ``leaning``, since the most probable class is then the one
    that scores highest. With them, by Newton's method on slope and offsets together, labels being
    believed as by `slope_of`.
    """
    if not leaning:
        return Logits(slope_of(scores, codes, sample_weight))
    each, weight = of_each(scores), np.ones(len(codes)) if sample_weight is None else sample_weight
    classes, total = each.shape[1], float(weight.sum())
    scale = float(np.abs(each).max(initial=0.0))
    if not scale < math.inf or not total > 0:
        return Logits(0.0, np.zeros(classes))
    each = each / (scale or 1.0)
    each -= each.mean(axis=1, keepdims=True)
    believed = total / (total + 1)
    aim = believed * np.bincount(codes, weight, classes) + (1 - believed) * total / classes
    right = believed * each[np.arange(len(codes)), codes]
    aim = np.append(aim, weight @ right) / total
    weight = weight / total
    start = np.log(aim[:-1])
    numbers = np.append(start - start.mean(), 0.0)
    best = _off(numbers, each, weight, aim)
    if best.fall[-1] >= 0:  # scores say nothing, or the contrary
        return Logits(0.0, numbers[:-1])
    for _ in range(200):
        step = np.linalg.solve(best.bends(each, weight), -best.fall)
        drop, share = float(best.fall @ step), 1.0
        found = _off(numbers + step, each, weight, aim)
        while found.loss > best.loss + share * drop / 10 and -share * drop > ROUNDED:
            share /= 2
            found = _off(numbers + share * step, each, weight, aim)
        numbers, best = numbers + share * step, found
        if float(np.abs(step).max()) <= CLOSE * float(np.abs(numbers).max()):
            break
    return Logits(max(0.0, float(numbers[-1])) / scale, numbers[:-1])


class _Off(NamedTuple):
    """How far offsets and slope are from the likeliest."""

    loss: float
    fall: Array
    """The slope of the loss in each of them."""
    shares: Array

    def bends(self, each: Array, weight: Array) -> Array:
        """The second derivatives; what is added to all offsets alike is held where it is."""
        weighed = self.shares * weight[:, None]
        mean = (self.shares * each).sum(axis=1)
        found = np.empty((len(self.fall), len(self.fall)))
        own = weighed.sum(axis=0)
        found[:-1, :-1] = np.diag(own + RIDGE) - self.shares.T @ weighed + 1 / len(own)
        found[-1, :-1] = found[:-1, -1] = (weighed * each).sum(axis=0) - mean @ weighed
        found[-1, -1] = (weighed * each**2).sum() - weight @ mean**2 + RIDGE
        return found


def _off(numbers: Array, each: Array, weight: Array, aim: Array) -> _Off:
    """Of offsets and a slope, which the softmax of scores is to hold against the aim."""
    logits = numbers[-1] * each + numbers[:-1]
    most = logits.max(axis=1, keepdims=True)
    powers = np.exp(logits - most)
    sums = powers.sum(axis=1, keepdims=True)
    shares = powers / sums
    weighed = shares * weight[:, None]
    loss = float(weight @ (np.log(sums) + most)[:, 0] - aim @ numbers)
    return _Off(loss, np.append(weighed.sum(axis=0), (weighed * each).sum()) - aim, shares)


def softmax(logits: Array) -> Array:
    """Numbers above zero that sum to one in each row."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def most_probable(shares: Array, winners: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of the largest of each row; the winner, if none is larger."""
    rows, largest = np.arange(len(shares)), shares.argmax(axis=1)
    level = shares[rows, winners] == shares[rows, largest]
    return np.where(level, winners, largest)


WINDOW, FIRST, EVERY, STEP = 1024, 512, 8, 32
"""Of a stream the first 512 examples and every eighth of the others are looked at, the last 1,024
of them are kept, and the slope follows them in steps of 32 at most."""


UNTOLD = (-1, False, Logits(0.0))


@dataclass
class Recent:
    """Examples of a stream with the scores that they had just before they were learned from."""

    __module__ = "rosenblatt"

    scores: Array
    codes: NDArray[np.int64]
    sample_weight: Array
    kept: int = 0
    """How many were ever looked at; number n is in place n modulo the window."""
    seen: int = 0
    """How many came by."""
    _told: tuple[int, bool, Logits] = field(default=UNTOLD, init=False, repr=False)
    """What was worked out last, and from how many examples, leaning or not."""

    @classmethod
    def new(cls, classes: int) -> "Recent":
        columns = 1 if classes == 2 else classes
        return cls(np.zeros((WINDOW, columns)), np.zeros(WINDOW, np.int64), np.zeros(WINDOW))

    @property
    def keeps_next(self) -> bool:
        """Whether the next example is to be looked at."""
        return self.seen < FIRST or self.seen % EVERY == 0

    @property
    def until_next(self) -> int:
        """How many examples from the next on until another is to be looked at."""
        return 1 if self.seen < FIRST else EVERY - self.seen % EVERY

    def add(self, scores: Any, code: int, weight: float) -> None:
        """The next example, which is about to be learned from."""
        place = self.kept % WINDOW
        self.scores[place], self.codes[place], self.sample_weight[place] = scores, code, weight
        self.kept += 1

    def logits(self, *, leaning: bool = False) -> Logits:
        """What the latest half of the examples says, up to the last step.

        Older scores were of weights that had learned too little, or something else.
        """
        bits = max(0, self.kept.bit_length() - 6)
        last = self.kept - self.kept % min(STEP, 1 << bits)
        if self._told[:2] != (last, leaning):
            first = max(last // 2 if last > 64 else 0, last - (WINDOW - STEP))
            places = np.arange(first, last) % WINDOW
            scores = self.scores[places]
            scores = scores[:, 0] if scores.shape[1] == 1 else scores
            unseen = scores, self.codes[places], self.sample_weight[places]
            self._told = last, leaning, logits_of(*unseen, leaning=leaning)
        return self._told[2]

    def with_classes(self, places: NDArray[np.intp], classes: int, share: float) -> "Recent":
        """The same among more classes, which until now scored zero."""
        wide = Recent.new(classes)
        both = self.scores.shape[1] == 1
        wide.scores[:, places] = self.scores * [-share, share] if both else self.scores
        wide.codes[:] = places[self.codes]
        weight = self.sample_weight.copy()
        return replace(wide, sample_weight=weight, kept=self.kept, seen=self.seen)

    def copy(self) -> "Recent":
        arrays = self.scores.copy(), self.codes.copy(), self.sample_weight.copy()
        return Recent(*arrays, self.kept, self.seen)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_told": UNTOLD}


@dataclass
class Calibration:
    """How scores become probabilities: the softmax of one slope times the scores.

    One slope for all classes, so that the most probable label is the one that scores highest;
    plus a number for each class, where class weights lean the scores.
    """

    __module__ = "rosenblatt"

    fitted: float | None = None
    """The slope that examples held out by fit have shown, if any were."""
    recent: Recent | None = None
    """What a stream has shown since."""
    offsets: Array | None = None
    """Those that belong to the slope; None unless class weights lean the scores."""

    @property
    def logits(self) -> Logits:
        """What counts now; all the same as long as nothing is known."""
        recent = self.recent
        if recent is None or (recent.kept < STEP and self.fitted is not None):
            return Logits(self.fitted or 0.0, self.offsets)
        return recent.logits(leaning=self.offsets is not None)

    def probabilities(self, scores: Array, classes: int) -> Array:
        """Of each class for every example."""
        if classes < 2:
            return np.ones((len(scores), classes))
        return self.logits.probabilities(scores)

    def with_classes(self, places: NDArray[np.intp], classes: int, share: float) -> "Calibration":
        """The same among more classes: old class k at places[k].

        Of two classes that shared their weights, each has ``share`` of them in the race.
        """
        narrower = 1 / (2 * share) if len(places) == 2 else 1.0
        fitted = None if self.fitted is None else self.fitted * narrower
        recent = None if self.recent is None else self.recent.with_classes(places, classes, share)
        offsets = None if self.offsets is None else np.zeros(classes)
        if offsets is not None:
            offsets[places] = self.offsets
        return Calibration(fitted, recent, offsets)

    def copy(self) -> "Calibration":
        """The same, to be changed apart."""
        return replace(self, recent=None if self.recent is None else self.recent.copy())

    def facts(self) -> Facts:
        recent = self.recent
        counts = None if recent is None else [recent.kept, recent.seen]
        return {"slope": self.fitted, "recent": counts}

    def arrays(self) -> Arrays:
        recent = self.recent
        found = {} if self.offsets is None else {"offsets": self.offsets}
        if recent is None:
            return found
        there = slice(min(recent.kept, WINDOW))
        return found | {
            "scores": recent.scores[there],
            "codes": recent.codes[there],
            "importance": recent.sample_weight[there],
        }

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> "Calibration":
        slope, counts = facts["slope"], facts["recent"]
        require(
            slope is None or (type(slope) is float and 0 <= slope < math.inf),
            "how its scores become probabilities is not told",
        )
        arrays = dict(arrays)
        offsets = arrays.pop("offsets", None)
        if offsets is not None:
            check_array(offsets, np.float64, (offsets.size,))
            finite = bool(np.isfinite(offsets).all())
            require(finite, "how its scores become probabilities is not told")
        if counts is None:
            require(not arrays, "it has scores of examples that it has not seen")
            return cls(slope, offsets=offsets)
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
        recent.sample_weight[:there] = check_array(arrays.get("importance"), np.float64, (there,))
        sound = np.isfinite(recent.scores).all() and (recent.sample_weight >= 0).all()
        known = (recent.codes >= 0) & (recent.codes < max(2, width))
        require(
            bool(sound and known.all() and np.isfinite(recent.sample_weight).all()),
            "the scores that its probabilities are from are none",
        )
        return cls(slope, recent, offsets)

    def require_fit(self, classes: int) -> None:
        """Refuse it for a model of another number of classes."""
        width = 1 if classes == 2 else classes
        fits = self.recent is None or self.recent.scores.shape[1] == width
        fits = fits and (self.offsets is None or len(self.offsets) == classes)
        require(fits, "its probabilities do not fit its classes")
