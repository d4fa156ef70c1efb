"""What weights say of rows: one scorer for estimators and for models read from files."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.inputs.messages import refuse, refuse_other_than_zero_or_one
from rosenblatt.inputs.sparse import Compressed, rows_of
from rosenblatt.training.storage import Array
from rosenblatt.training.weights import Weights

if TYPE_CHECKING:
    from rosenblatt.training.mistakes import Mistakes

Winners = NDArray[np.int64]

VOTES_ARE_NO_WEIGHTS = (
    "VotedPerceptron scores by the votes of many weights, which no single one explains: use its "
    "average_, or AveragedPerceptron."
)


@dataclass
class Scorer:
    """Scores by weights.

    Takes a table (an array, a CSR matrix of SciPy's or `Compressed`), or rows of the core's, whose
    values are then those that the weights meet.
    """

    __module__ = "rosenblatt"

    weights: Weights
    constant: float
    """The value of the constant feature."""
    ties: core.Ties

    @classmethod
    def of(cls, weights: Weights, fit_intercept: Any, ties: Any, *more: Any) -> Self:
        """By weights of a model with these parameters."""
        both = core.Ties.mistake if ties == "mistake" else core.Ties.first
        return cls(weights, 1.0 if fit_intercept else 0.0, both, *more)

    @property
    def has_threshold(self) -> bool:
        """Whether the weight of the constant feature is a threshold that stays as it is."""
        return False

    @property
    def width(self) -> int:
        return self.weights.width

    def scores(self, table: Any) -> Array:
        """As decision_function gives them."""
        return self._scores(self.rows(table))

    def winners(self, table: Any) -> Winners:
        """The number of the class of each row."""
        return self._winners(self.rows(table))

    def judge(self, table: Any) -> tuple[Winners, Array]:
        """The winners and the scores, as a rule from one walk over the rows."""
        rows = self.rows(table)
        scores = self._scores(rows)
        winners = (scores > 0).astype(np.int64) if scores.ndim == 1 else scores.argmax(axis=1)
        # Scores are divided by `counted`, which may round two of a row to one: winners are told by
        # what was divided, so that such a row is looked at again. Nothing is divided by one.
        if self.weights.scoring.counted != 1.0 and _some_are_level(scores):
            winners = self._winners(rows)
        return winners, scores

    def by_last_weights(self) -> "Scorer | None":
        """The same by the last weights, if those do not predict."""
        return replace(self, weights=self.weights.last()) if self.weights.average else None

    def coef(self) -> Array:
        """A row of weights for each feature and one for the constant, if these are what scores."""
        return self.weights.scoring.means()

    def as_learned(self, table: Any) -> Any:
        """The table with the values that the weights meet."""
        return table

    def rows(self, table: Any) -> Any:
        """What the weights score, looked at no later than then."""
        return table if isinstance(table, core.Rows) else rows_of(self.as_learned(table))

    def _scores(self, rows: core.Rows) -> Array:
        return self.weights.scoring.decisions(rows, self.constant)

    def _winners(self, rows: core.Rows) -> Winners:
        return self.weights.scoring.winners(rows, self.constant, self.ties)


@dataclass
class PresenceScorer(Scorer):
    """Scores zeros and ones, as Winnow does."""

    __module__ = "rosenblatt"

    binarize: float | None

    @classmethod
    def of_winnow(cls, weights: Weights, binarize: float | None) -> Self:
        """By weights of Winnow's, of which one column has a threshold, and more race."""
        alone = weights.columns == 1
        ties = core.Ties.last if alone else core.Ties.mistake
        return cls(weights, float(alone), ties, None if binarize is None else float(binarize))

    @property
    def has_threshold(self) -> bool:
        return self.weights.columns == 1

    def as_learned(self, table: Any) -> Any:
        return presence(table, self.binarize)

    def _scores(self, rows: core.Rows) -> Array:
        """Above zero where a sum just reaches the threshold (B8)."""
        scores = super()._scores(rows)
        if self.ties == core.Ties.last:
            scores[scores == 0.0] = np.nextafter(0.0, 1.0)
        return scores


@dataclass
class VoteScorer(Scorer):
    """Lets every weight vector passed through vote."""

    __module__ = "rosenblatt"

    mistakes: "Mistakes"

    def by_last_weights(self) -> Scorer:
        return Scorer(self.weights, self.constant, self.ties)

    def coef(self) -> Array:
        raise ValueError(VOTES_ARE_NO_WEIGHTS)

    def _scores(self, rows: core.Rows) -> Array:
        return self.mistakes.shares(*self._voting(rows))

    def _winners(self, rows: core.Rows) -> Winners:
        return self.mistakes.winners(*self._voting(rows))

    def _voting(self, rows: core.Rows) -> tuple[core.Rows, int, int, float]:
        refuse(rows.check(values=True))
        return rows, self.weights.seen, self.weights.classes, self.constant


def _some_are_level(scores: Array) -> bool:
    """Whether two classes have the best score of a row together."""
    if scores.ndim == 1:
        return bool((scores == 0.0).any())
    return int(np.count_nonzero(scores == scores.max(axis=1, keepdims=True))) > len(scores)


def presence(table: Any, binarize: float | None) -> Any:
    """The table as zeros and ones: one for values above ``binarize``, if it is given."""
    rows = rows_of(table)
    refuse(rows.check(values=True))
    if not rows.in_order:
        from rosenblatt.inputs.tables import in_order

        table = in_order(table)
    if binarize is None:
        refuse_other_than_zero_or_one(rows_of(table))
        return table
    if 0 <= binarize < 1 and rows_of(table).other_than_zero_or_one() is None:
        return table
    if isinstance(table, np.ndarray):
        return np.greater(table, float(binarize)).astype(np.float64)
    if binarize < 0:
        raise InputError(
            *(Parameter("binarize", binarize), " would turn the zeros of a sparse ", Name("X")),
            " into ones",
            remedy="use 0 or more, or rows that are dense",
        )
    present = np.greater(table.data, float(binarize)).astype(np.float64)
    if isinstance(table, Compressed):
        return table._replace(data=present)
    from scipy import sparse

    return sparse.csr_array((present, table.indices, table.indptr), shape=table.shape)
