"""Rows scored by weights, by their average if they have one."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.messages import refuse
from rosenblatt.training.storage import Array, Form, WeightArrays

LARGER_THAN_CACHES = 2**20
"""Bytes of weights that predicting has to wait for, prefetched or not."""
LARGER_THAN_ALL_CACHES = 2**24
"""Bytes of weights that even learning, which has more to do, has to wait for."""
STORED_TO_PAY_FOR_A_ROW = 4
"""Values to predict or learn from for each row of weights that is first worked out."""


class Renumbered(NamedTuple):
    """Rows in the columns of fewer weights, which score them."""

    scoring: "Scoring"
    rows: core.Rows


class Storage(Protocol):
    """Has the numbers of a model, in whatever way."""

    @property
    def rows(self) -> int:
        """How many rows the arrays have, spare ones included."""

    @property
    def viewed(self) -> Array | None:
        """The weights, if anybody may hold a view of them."""

    def arrays(self) -> WeightArrays:
        """The numbers of all features, side by side."""

    def renumbered(self, rows: core.Rows) -> "Renumbered | None":
        """The rows as fewer weights would score them, if that is less work; see `Condensed`."""


@dataclass
class Scoring:
    """Scores by the weights as they are after ``seen`` examples.

    What is worked out for it, such as the mean, is kept for the next rows.
    """

    form: Form
    storage: Storage
    width: int
    seen: int
    _total: Array | None = field(default=None, init=False)
    _means: Array | None = field(default=None, init=False)
    _single: core.SinglePrecision | None = field(default=None, init=False)

    @cached_property
    def counted(self) -> float:
        """What the weights that predict are multiplied by when scored."""
        if self.form.divisor is not None:
            return self.form.divisor
        if not self.form.average:
            return 1.0
        return float(self.form.weights_before(self.seen + 1, self.seen)[0])

    def scores(self, rows: core.Rows, constant: float) -> Array:
        """A score of each column for each row; refused where rows are not sound."""
        few = self.storage.renumbered(rows)
        if few is not None:
            return few.scoring.scores(few.rows, constant)
        scores = np.empty((rows.count, self.form.columns))
        values, missed = self.numbers(rows.stored)
        refuse(core.score(rows, values, missed, self.counted, constant, scores))
        return scores

    def decisions(self, rows: core.Rows, constant: float) -> Array:
        """A score for each row, above zero for the second of two classes; of more, one each."""
        scores = self.scores(rows, constant)
        if not self.form.has_two_sides:
            return scores
        return scores[:, 0] if self.form.columns == 1 else scores[:, 1] - scores[:, 0]

    def winners(self, rows: core.Rows, constant: float, ties: core.Ties) -> NDArray[np.int64]:
        """The class that the weights predict for each row; refused likewise."""
        few = self.storage.renumbered(rows)
        if few is not None:
            return few.scoring.winners(few.rows, constant, ties)
        winners = np.empty(rows.count, dtype=np.int64)
        single = self._single_precision(rows.stored)
        values, missed = self.numbers(0 if single else rows.stored)
        fault = core.predict(
            rows, values, missed, self.counted, constant, self.form.classes, ties, winners, single
        )
        refuse(fault)
        return winners

    def numbers(self, stored: int) -> tuple[Array, Array | None]:
        """What the core scores ``stored`` values with, ``counted`` times too large.

        Multiplied by the count the averaged weights are exact while features are whole numbers,
        and so are ties. They are worked out here if that is less work than doing so value by value.
        """
        weights, missed = self._arrays()
        if missed is None:
            return weights, None
        if self._total is None:
            if stored < len(weights):
                return weights, missed
            self._total = self.counted * weights - missed
        return self._total, None

    def means(self) -> Array:
        """The weights that predict, a row for each feature and one for the constant, read-only."""
        weights, missed = self._arrays()
        if missed is None:
            means = weights[:, : self.form.columns]
            if self.counted != 1.0:
                means = means / self.counted
        else:
            if self._means is None:
                total, _ = self.numbers(stored=len(weights))
                self._means = total[:, : self.form.columns] / self.counted
            means = self._means[:]
        if self.form.has_two_sides and self.form.columns == 2:
            means = means[:, 1:] - means[:, :1]
        means.flags.writeable = False
        return means

    def _single_precision(self, stored: int) -> core.SinglePrecision | None:
        """Weights in single precision, if it pays to make them to predict from ``stored`` values.

        They tell most winners beyond doubt; the others are told by the weights themselves.
        """
        if self._single is None and self._outweigh(LARGER_THAN_CACHES, stored):
            self._single = core.SinglePrecision(*self._arrays(), self.counted)
        return self._single

    def single_precision_to_learn(self, rows: core.Rows) -> core.SinglePrecision | None:
        """The last weights in single precision, if it pays to have them while learning from rows.

        They tell most examples that need no step beyond doubt; the core keeps them up to date.
        """
        if not (rows.compressed and self._outweigh(LARGER_THAN_ALL_CACHES, rows.stored)):
            return None
        return core.SinglePrecision(self._arrays()[0], None, 1.0)

    def _outweigh(self, caches: int, stored: int) -> bool:
        """Whether weights of several classes are larger, and soon used up to ``stored`` times."""
        rows = self.storage.rows
        large = self.form.columns > 1 and self.form.nbytes(rows) >= caches
        return large and stored >= STORED_TO_PAY_FOR_A_ROW * rows

    def _arrays(self) -> tuple[Array, Array | None]:
        arrays = self.storage.arrays()
        missed = None if arrays.missed is None else arrays.missed[: self.width + 1]
        return arrays.weights[: self.width + 1], missed

    def __deepcopy__(self, memo: Any) -> None:
        """Nothing: a copy works it out again."""
