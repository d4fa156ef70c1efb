"""The weights of a linear model, their averaging sums, and how many examples made them."""

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.parts import MOST_COUNTED, Arrays, Facts, check_array, require
from rosenblatt.training.storage import Array, Form, WeightArrays, Whole
from rosenblatt.training.weight_scores import Scoring, Storage
from rosenblatt.training.weights_file import read_numbers


@dataclass
class Weights:
    """A row of weights for each feature and a last one for the constant feature.

    With averaging sums, the mean of all weights passed through is
    ``values - missed / (examples + 1)``, as in Algorithm 7; where it forgets, the divisor is
    what `Form.weights_before` tells.
    """

    __module__ = "rosenblatt"

    tell_features: ClassVar[bool] = True
    """Whether they are as many as the features."""

    form: Form
    features: NDArray[np.int64]
    """Their number, in an array since the core adds to it while it learns."""
    storage: Storage
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(3, dtype=np.int64))
    """Examples seen, updates made, mistakes made: written by the core together with the weights."""
    measures: Array = field(default_factory=lambda: np.array([0.0, np.inf]))
    """The sum of all steps, and the smallest margin met in the present pass: written likewise.

    The first is infinite for weights that steps alone did not make.
    """
    _scoring: Scoring | None = field(default=None, repr=False, compare=False)

    @classmethod
    def new(cls, width: int, form: Form) -> Self:
        """Where learning starts."""
        features = np.array([min(width, 2**63 - 1)], dtype=np.int64)
        return cls(form, features, Whole(form, width + 1))

    @classmethod
    def of(cls, form: Form, arrays: WeightArrays, **more: Any) -> Self:
        """Of numbers that there are."""
        width = np.array([len(arrays.weights) - 1], dtype=np.int64)
        return cls(form, width, Whole.of(form, arrays), **more)

    def numbers(self) -> WeightArrays:
        """All of them, with spare rows for features to come, which are as at the start."""
        return self.storage.arrays()

    @property
    def classes(self) -> int:
        return self.form.classes

    @property
    def columns(self) -> int:
        return self.form.columns

    @property
    def average(self) -> bool:
        return self.form.average

    @property
    def only_predicts(self) -> bool:
        """Whether what it would take to learn on was left out."""
        return self.form.divisor is not None

    @property
    def width(self) -> int:
        return int(self.features[0])

    @property
    def nbytes(self) -> int:
        """Of the weights alone."""
        return self.form.nbytes(self.storage.rows)

    @property
    def values(self) -> Array:
        return self.numbers().weights[: self.width + 1]

    @property
    def missed(self) -> Array | None:
        missed = self.numbers().missed
        return None if missed is None else missed[: self.width + 1]

    @property
    def sureness(self) -> Array | None:
        sureness = self.numbers().sureness
        return None if sureness is None else sureness[: self.width + 1]

    @property
    def covariance(self) -> Array | None:
        covariance = self.numbers().covariance
        used = (self.width + 1) * self.form.stride
        return None if covariance is None else covariance[:used, :used]

    @property
    def seen(self) -> int:
        return int(self.counts[0])

    @property
    def scoring(self) -> Scoring:
        """The present weights as they score rows."""
        scoring = self._scoring
        if scoring is None or (scoring.seen, scoring.width) != (self.seen, self.width):
            scoring = self._scoring = Scoring(self.form, self.storage, self.width, self.seen)
        return scoring

    def norm(self) -> float:
        """The length of the last weights of all classes together, constant feature included."""
        return math.sqrt(core.squared_length(self.values))

    @property
    def are_sums_of_steps(self) -> bool:
        """Whether each step added as much of its difference to every weight, from zero on."""
        form, steps = self.form, self.measures[0]
        return form.initial == 0 and not (form.surer or form.covarying) and bool(steps < math.inf)

    def begin_at(self, coef: Array, intercept: Array) -> None:
        """Start with these weights instead, in the shapes of ``coef_`` and ``intercept_``."""
        self.values[:-1, : self.columns] = coef.T
        self.values[-1, : self.columns] = intercept
        self.measures[0] = math.inf

    def last(self) -> Self:
        """The same weights without their average."""
        return self.with_missed(None)

    def with_missed(self, missed: Array | None) -> Self:
        """The same weights with these averaging sums, or none."""
        form = replace(self.form, average=missed is not None)
        storage = Whole.of(form, self.numbers()._replace(missed=missed))
        return replace(self, form=form, storage=storage, _scoring=None)

    def to_predict(self) -> "Weights":
        """The same without what only learning needs: scores have the same bits."""
        if self.only_predicts:
            return self
        scoring = self.scoring
        total, _ = scoring.numbers(stored=len(self.values))
        form = self.form.to_predict(scoring.counted)
        return self.predicting(form, total)

    def predicting(self, form: Form, values: Array) -> "Weights":
        """Weights that only predict, of these numbers, with the counts of this one."""
        measures = np.array([math.inf, math.inf])
        return Weights.of(
            form, WeightArrays(values, None, None), counts=self.counts, measures=measures
        )

    def variances(self) -> Array:
        """How unsure each weight is, in the places of ``values``."""
        if self.covariance is not None:
            variances = np.roll(self.covariance.diagonal().reshape(self.values.shape), -1, axis=0)
        else:
            assert self.sureness is not None
            variances = 1 / (1 + self.sureness)
        return variances[:, : self.columns]

    def with_classes(
        self, places: NDArray[np.intp], classes: int, *, two_class_share: float
    ) -> "Weights":
        """The same weights among more classes: old class k at places[k], new ones as at the start.

        Two classes in one column become two: minus and plus ``two_class_share`` of the weights,
        which is what the same steps would have left in a race of two classes.
        """
        wide = Weights.new(self.width, self.form.among(classes))
        for few, new in ((self.values, wide.values), (self.missed, wide.missed)):
            if few is None or new is None:
                continue
            old = two_class_share * np.hstack([-few, few]) if self.columns == 1 else few
            new[:, places] = old[:, : self.classes]
        if self.sureness is not None and wide.sureness is not None:
            share = two_class_share if self.columns == 1 else 1.0  # of the variance
            wide.sureness[:, places] = (1 + self.sureness[:, : self.columns]) / share - 1
        if self.covariance is not None and wide.covariance is not None:
            self._spread_covariance(wide.covariance, places, two_class_share)
        wide.counts[:] = self.counts
        wide.measures[0] = self.measures[0] * (two_class_share if self.form.has_two_sides else 1.0)
        return wide

    def _spread_covariance(self, wide: Array, places: NDArray[np.intp], share: float) -> None:
        """Write the covariance of these weights among those of more classes.

        Two classes that shared a column are independent, each with its share of the variance.
        """
        assert self.covariance is not None
        rows, stride = self.width + 1, self.form.stride
        old = self.covariance.reshape(rows, stride, rows, stride)
        new = wide.reshape(rows, -1, rows, len(wide) // rows)
        if self.columns == 1:
            for place in places:
                new[:, place, :, place] = share * old[:, 0, :, 0]
        else:
            for k, place in enumerate(places):
                for other, there in enumerate(places):
                    new[:, place, :, there] = old[:, k, :, other]

    def with_features(self, width: int) -> "Weights":
        """The same weights for ``width`` features, new ones as at the start."""
        more = {"counts": self.counts.copy(), "measures": self.measures.copy()}
        return Weights.of(self.form, self._in_rows(width + 1, width), **more)

    def with_room(self, features: int) -> "Weights":
        """The same weights, and room for so many features and as many again."""
        arrays = self._in_rows(self.form.roomy_rows(features), self.width)
        own = self.features.copy()  # as another thread may still read the old
        return replace(self, features=own, storage=Whole.of(self.form, arrays), _scoring=None)

    def _in_rows(self, rows: int, width: int) -> WeightArrays:
        """The numbers in so many rows, those of the constant behind so many features."""
        arrays, covariance = self.form.new(rows), self.covariance
        for old, new in zip(self.used()[:3], arrays[:3], strict=True):
            if old is not None and new is not None:
                new[: len(old) - 1] = old[:-1]
                new[width] = old[-1]
        if covariance is not None and arrays.covariance is not None:
            arrays.covariance[: len(covariance), : len(covariance)] = covariance
        return arrays

    def used(self) -> WeightArrays:
        """The numbers without spare rows."""
        return WeightArrays(self.values, self.missed, self.sureness, self.covariance)

    def copy(self) -> Self:
        """The same, to be changed apart."""
        return replace(
            self,
            features=self.features.copy(),
            storage=Whole.of(self.form, self.used().each(np.copy)),
            counts=self.counts.copy(),
            measures=self.measures.copy(),
            _scoring=None,
        )

    def facts(self) -> Facts:
        facts: Facts = {"classes": self.classes, "start": self.form.initial}
        if self.form.half_life < math.inf:
            facts["half_life"] = self.form.half_life
        if self.form.several:
            facts["several"] = True
        if self.only_predicts:
            facts["divisor"] = self.form.divisor
        return facts

    def arrays(self) -> Arrays:
        if self.only_predicts:  # the constant may need more room than the others
            values = {"values": self.values[:-1], "constant": self.values[-1]}
            return values | {"counts": self.counts, "measures": self.measures}
        arrays = {
            "values": self.values,
            "missed": self.missed,
            "sureness": self.sureness,
            "covariance": self.covariance,
            "counts": self.counts,
            "measures": self.measures,
        }
        return {name: array for name, array in arrays.items() if array is not None}

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> Self:
        form, storage = read_numbers(facts, arrays)
        counts = check_array(arrays.get("counts"), np.int64, (3,))
        sound = bool(((counts >= 0) & (counts <= MOST_COUNTED)).all())
        require(sound, "its counts are not counts")
        measures = check_array(arrays.get("measures"), np.float64, (2,))
        require(not np.isnan(measures).any(), "what it has measured are not numbers")
        return cls(form, np.array([storage.rows - 1]), storage, counts, measures)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"storage": Whole.of(self.form, self.used()), "_scoring": None}
