"""Which labels an example gets, where it may have several: those that score high enough."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.label_sets import Answers, LabelSets
from rosenblatt.inputs.parts import Arrays, Facts, Parts, check_array, require
from rosenblatt.training.calibration import Calibration, logits_of
from rosenblatt.training.storage import Array
from rosenblatt.training.weights import Weights

BELIEF = 1.0
"""Right labels in disfavour of a threshold, so that one example alone does not make it."""

ROUNDS = 100
"""In which thresholds follow each other, at most; some five do."""

RIDGE, LONGEST = 1e-6, 8.0
"""What keeps slopes finite where scores tell labels apart, and steps from going too far."""


@dataclass
class Thresholds:
    """From which score on each label is given."""

    __module__ = "rosenblatt"

    scores: Array
    as_indicator: bool
    """Whether labels were learned as a matrix of zeros and ones, and are given as such."""

    @classmethod
    def first(cls, labels: int, *, as_indicator: bool) -> "Thresholds":
        """Above zero, until examples say more."""
        return cls(np.full(labels, np.nextafter(0.0, 1.0)), as_indicator)

    @classmethod
    def best(
        cls, scores: Array, sets: LabelSets, sample_weight: Array | None = None
    ) -> "Thresholds":
        """Those with the highest F1 on examples that were not learned from.

        That is the F1 of all labels together and the mean of the F1 of each, half and half: the
        first alone neglects rare labels, the second gives frequent ones too often. A label that
        none of the examples has is given above the highest score that it came to.
        """
        weight = np.ones(len(scores)) if sample_weight is None else sample_weight
        right = sets.indicator() * weight[:, np.newaxis]
        order = np.argsort(-scores, axis=0, kind="stable")
        falling = np.take_along_axis(scores, order, axis=0)
        hits = np.cumsum(np.take_along_axis(right, order, axis=0), axis=0)
        given = np.cumsum(weight[order], axis=0)
        f1 = 2.0 * hits / (given + hits[-1] + BELIEF)
        f1[:-1][falling[:-1] == falling[1:]] = -np.inf  # no threshold lies between equal scores
        columns = np.arange(scores.shape[1])
        last = f1.argmax(axis=0)
        for _ in range(ROUNDS):
            count = given[last, columns].sum() + hits[-1].sum() + BELIEF
            together = 2.0 * hits[last, columns].sum() / count
            # What a change of one label adds to the F1 of all, as long as it changes little of it.
            adds = (2.0 * hits - together * given) / count
            before, last = last, (f1 / len(columns) + adds).argmax(axis=0)
            if (before == last).all():
                break
        lowest = falling[last, columns]
        below = falling[np.minimum(last + 1, len(falling) - 1), columns]
        halfway = np.where(below < lowest, below + (lowest - below) / 2, lowest)
        none = hits[-1] == 0
        halfway[none] = np.nextafter(falling[0, none], math.inf)
        return cls(halfway, sets.as_indicator)

    def sets(self, scores: Array, classes: NDArray[Any]) -> LabelSets:
        """The labels of each example."""
        return LabelSets.of(scores >= self.scores, classes, as_indicator=self.as_indicator)

    def with_classes(self, places: NDArray[np.intp], classes: int) -> "Thresholds":
        """The same among more labels, which are given above zero: old label k at places[k]."""
        wide = Thresholds.first(classes, as_indicator=self.as_indicator)
        wide.scores[places] = self.scores[: len(places)]
        return wide

    def facts(self) -> Facts:
        return {"as_indicator": self.as_indicator}

    def arrays(self) -> Arrays:
        return {"scores": self.scores}

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> "Thresholds":
        scores = arrays.get("scores", np.empty(0))
        check_array(scores, np.float64, (len(scores),) if scores.ndim else ())
        require(not np.isnan(scores).any(), "its thresholds are not numbers")
        require(type(facts["as_indicator"]) is bool, "how it gives labels is not told")
        return cls(scores, facts["as_indicator"])

    def require_fit(self, weights: Weights) -> None:
        """Refuse them for weights of other labels."""
        fits = weights.form.several and self.scores.shape == (weights.classes,)
        require(fits, "its thresholds do not fit its labels")


@dataclass
class Sigmoids:
    """How probable each label is: the sigmoid of its score, scaled and moved (Platt, 1999)."""

    __module__ = "rosenblatt"

    slopes: Array
    offsets: Array

    @classmethod
    def of(cls, scores: Array, sets: LabelSets, sample_weight: Array | None = None) -> "Sigmoids":
        """The likeliest on examples that were not learned from, by Newton's method.

        Labels are believed but for one example's worth of each kind, as by Platt.
        """
        weight = (np.ones(len(scores)) if sample_weight is None else sample_weight)[:, np.newaxis]
        right = sets.indicator().astype(bool)
        have = (right * weight).sum(axis=0)
        lack = weight.sum() - have
        target = np.where(right, (have + 1) / (have + 2), 1 / (lack + 2))
        scale = np.maximum(np.abs(scores).max(axis=0), np.finfo(float).tiny)
        x = scores / scale
        slopes, offsets = np.zeros(len(have)), np.log((have + 1) / (lack + 1))
        for _ in range(100):
            p = _sigmoid(slopes * x + offsets)
            error, bend = weight * (p - target), weight * np.maximum(p * (1 - p), 1e-12)
            rise, lift = (error * x).sum(axis=0) + RIDGE * slopes, error.sum(axis=0)
            aa, ab, bb = ((bend * x**k).sum(axis=0) for k in (2, 1, 0))
            aa = aa + RIDGE
            fall = np.maximum(aa * bb - ab * ab, np.finfo(float).tiny)
            steps = np.array([(bb * rise - ab * lift) / fall, (aa * lift - ab * rise) / fall])
            steps = np.clip(steps, -LONGEST, LONGEST)
            slopes, offsets = slopes - steps[0], offsets - steps[1]
            if np.abs(steps).max() < 1e-9:
                break
        return cls(np.maximum(slopes, 0.0) / scale, offsets)

    def probabilities(self, scores: Array, classes: int) -> Array:
        """Of each label for every example."""
        return _sigmoid(self.slopes * scores + self.offsets)

    def with_classes(self, places: NDArray[np.intp], classes: int, share: float) -> "Sigmoids":
        """The same among more labels, of which nothing is known: old label k at places[k]."""
        slopes, offsets = np.zeros(classes), np.zeros(classes)
        slopes[places], offsets[places] = self.slopes, self.offsets
        return Sigmoids(slopes, offsets)

    def copy(self) -> "Sigmoids":
        return Sigmoids(self.slopes.copy(), self.offsets.copy())

    def facts(self) -> Facts:
        return {}

    def arrays(self) -> Arrays:
        return {"slopes": self.slopes, "offsets": self.offsets}

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> "Sigmoids":
        shape = arrays.get("slopes", np.empty(0)).shape
        both = [check_array(arrays.get(name), np.float64, shape) for name in ("slopes", "offsets")]
        sound = len(shape) == 1 and all(np.isfinite(each).all() for each in both)
        require(sound, "how its scores become probabilities is not told")
        return cls(*both)

    def require_fit(self, classes: int) -> None:
        """Refuse it for a model of another number of labels."""
        require(len(self.slopes) == classes, "its probabilities do not fit its classes")


def calibration_parts(
    scores: Array,
    answers: Answers,
    sample_weight: Array | None = None,
    *,
    probabilities: bool,
    leaning: bool,
) -> dict[str, Any]:
    """The parts of a model that scores of examples tell that were not learned from, by name.

    Scores of classes are ``leaning`` where the classes had weights.
    """
    if isinstance(answers, LabelSets):
        sigmoids = Sigmoids.of(scores, answers, sample_weight) if probabilities else None
        thresholds = Thresholds.best(scores, answers, sample_weight)
        return {"thresholds": thresholds, "calibration": sigmoids}
    slope, offsets = logits_of(scores, answers, sample_weight, leaning=leaning)
    return {"calibration": Calibration(slope, offsets=offsets)}


def decided_by(
    parts: Parts, weights: Weights
) -> tuple[Calibration | Sigmoids | None, Thresholds | None]:
    """How a file says that scores of these weights become probabilities, and labels."""
    calibration: Calibration | Sigmoids | None = None
    thresholds = parts.build("thresholds", Thresholds) if "thresholds" in parts else None
    if "calibration" in parts:
        kind: type[Calibration | Sigmoids] = Calibration if thresholds is None else Sigmoids
        calibration = parts.build("calibration", kind)
        calibration.require_fit(weights.classes)
    if thresholds is not None:
        thresholds.require_fit(weights)
    return calibration, thresholds


def _sigmoid(logits: Array) -> Array:
    return 0.5 * (1.0 + np.tanh(0.5 * logits))
