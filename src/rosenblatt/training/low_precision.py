"""Weights in types of few bytes, as files of models that only predict may hold them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.messages import refuse
from rosenblatt.training.storage import Array, Form, WeightArrays, Whole
from rosenblatt.training.weight_scores import Renumbered, Scoring


@dataclass
class LowPrecision:
    """Weights whose rows are brought to float64 when examples have their columns."""

    form: Form
    values: NDArray[Any]
    """Of the features, in a type of numbers that float64 holds exactly."""
    constant: Array
    """Of the constant feature."""
    _made: dict[str, WeightArrays] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return len(self.values) + 1

    @property
    def viewed(self) -> Array | None:
        return None

    def arrays(self) -> WeightArrays:
        """All of them in float64, which then stay: for single examples, dense rows and reasons."""
        if not self._made:
            wide = np.vstack([self.values, self.constant]).astype(np.float64)
            self._made.setdefault("arrays", WeightArrays(wide, None, None))
        return self._made["arrays"]

    def renumbered(self, rows: core.Rows) -> Renumbered | None:
        """Compressed rows in the columns of the weights of those that they have."""
        if self._made or not rows.compressed or rows.width != len(self.values):
            return None
        refuse(rows.check(values=True))
        columns = core.CondensedColumns(rows)
        few = np.zeros((len(columns) + 2, self.form.stride))
        few[1:-1] = self.values[columns.columns()]
        few[-1] = self.constant
        storage = Whole.of(self.form, WeightArrays(few, None, None))
        return Renumbered(Scoring(self.form, storage, len(few) - 1, 0), columns.rows(rows))
