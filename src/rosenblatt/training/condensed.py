"""Few examples among many columns: weights of the columns alone that they have."""

from dataclasses import dataclass, field
from typing import Self

from rosenblatt import core
from rosenblatt.inputs.messages import refuse
from rosenblatt.training.storage import Array, Form, WeightArrays, outnumber
from rosenblatt.training.weight_scores import LARGER_THAN_CACHES, Renumbered
from rosenblatt.training.weights import Weights

MOST_COLUMNS = 2**28
"""Of which it is noted which occur."""


@dataclass
class Condensed:
    """The weights of the columns that occurred, where those of all others are zero.

    Its rows are one for all other columns together, one for each column that occurred, and one for
    the constant. Counts and measures are shared with the weights whose storage it is.
    """

    form: Form
    rows: int
    columns: core.CondensedColumns
    few: Weights
    learning: bool = True
    """Whether the run that they are for still goes on."""
    _spread: dict[str, WeightArrays] = field(default_factory=dict)

    @classmethod
    def of(cls, weights: Weights, rows: core.Rows) -> Self | None:
        """For weights that have learned nothing yet, if rows have few of their columns."""
        fresh = weights.form.initial == 0 and weights.seen == 0 and weights.measures[0] == 0
        large = weights.nbytes >= LARGER_THAN_CACHES and weights.width <= MOST_COLUMNS
        numbers = weights.form.stride * weights.storage.rows
        if not (fresh and large and outnumber(numbers, rows, compressed=True)):
            return None
        columns = core.CondensedColumns(rows)
        if len(columns) > rows.width // 2:
            return None
        few = Weights.new(len(columns) + 1, weights.form)
        few.counts, few.measures = weights.counts, weights.measures
        return cls(weights.form, weights.storage.rows, columns, few)

    @property
    def viewed(self) -> Array | None:
        return None

    def arrays(self) -> WeightArrays:
        """A copy while the run goes on, then the same for everyone."""
        if self.learning:
            return self._all()
        if not self.settled:
            self._spread.setdefault("arrays", self._all())
        return self._spread["arrays"]

    @property
    def settled(self) -> bool:
        """Whether all weights have been written, so that these few are of no use any more."""
        return bool(self._spread)

    def renumbered(self, rows: core.Rows) -> Renumbered | None:
        """The rows in the columns of the few weights, if that is less work than to have all."""
        if self.settled or not outnumber(self.form.stride * self.rows, rows, compressed=True):
            return None
        refuse(rows.check(values=True))
        return Renumbered(self.few.scoring, self.columns.rows(rows))

    def _all(self) -> WeightArrays:
        arrays, columns = self.form.new(self.rows), self.columns.columns()
        for few, many in zip(self.few.numbers(), arrays, strict=True):
            if few is not None and many is not None:
                many[columns] = few[1:-1]
                many[-1] = few[-1]
        return arrays
