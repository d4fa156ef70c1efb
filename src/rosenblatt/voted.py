"""The voted perceptron."""

from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from rosenblatt import core
from rosenblatt.inputs import read_table, refuse, rows_of
from rosenblatt.linear import LinearLearner
from rosenblatt.mistakes import Keeper, Mistakes
from rosenblatt.perceptron import AveragedPerceptron
from rosenblatt.training import WORK_PER_CALL, Trainer
from rosenblatt.weights import Weights


class VotedPerceptron(LinearLearner):
    """x {shared}"""

    average = False
    _mistakes: Mistakes

    def predict(self, X: Any) -> NDArray[Any]:
        check_is_fitted(self)
        rows = self._rows_to_vote_on(X)
        winners = np.empty(rows.count, dtype=np.int64)
        electorate = self._electorate()
        for start, stop in self._stretches(rows):
            core.elect(electorate, rows, start, stop, winners)
        labels: NDArray[Any] = self.classes_.take(winners)
        return labels

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        rows = self._rows_to_vote_on(X)
        votes = np.empty((rows.count, len(self.classes_)), dtype=np.int64)
        electorate = self._electorate()
        for start, stop in self._stretches(rows):
            core.poll(electorate, rows, start, stop, votes)
        cast = max(1, int(votes[0].sum()))
        if len(self.classes_) == 2:
            return (votes[:, 1] - votes[:, 0]) / cast
        return votes / cast

    @property
    def average_(self) -> AveragedPerceptron:
        fitted = self._fitted("average_")
        model = AveragedPerceptron(**self.get_params())
        learned = {name: value for name, value in vars(fitted).items() if name != "_mistakes"}
        weights = Weights(
            self._weights.values.copy(),
            self._missed(),
            self._weights.classes,
            self._weights.counts.copy(),
        )
        model.__dict__ |= deepcopy(learned) | {"_weights": weights}
        return model

    def _missed(self) -> NDArray[np.float64]:
        """The averaging sums of Algorithm 7, each change times the weight vectors before it."""
        mistakes, rows = self._mistakes.list, self._mistakes.rows()
        missed = np.zeros_like(self._weights.values)
        pull = np.zeros((rows.shape[0], missed.shape[1]))
        moved = mistakes["t"] * mistakes["amount"]
        if len(self.classes_) == 2:
            np.add.at(pull[:, 0], mistakes["row"], np.where(mistakes["right"] == 1, moved, -moved))
        else:
            np.add.at(pull, (mistakes["row"], mistakes["right"]), moved)
            np.subtract.at(pull, (mistakes["row"], mistakes["rival"]), moved)
        missed[:-1] = rows.T @ pull
        missed[-1] = self._constant * pull.sum(axis=0)
        return missed

    def _rule(self) -> core.PerceptronRule:
        return core.PerceptronRule()

    def _start(self, classes: NDArray[Any], width: int) -> None:
        super()._start(classes, width)
        self._mistakes = Mistakes(width)

    def _admit(self, classes: ArrayLike) -> None:
        known = self.classes_
        super()._admit(classes)
        if len(self.classes_) > len(known):
            self._mistakes = self._mistakes.with_places(self.classes_.searchsorted(known))

    def _trainer(self, X: Any, *arguments: Any, **options: Any) -> Trainer:
        trainer = super()._trainer(X, *arguments, **options)
        trainer.keeper = Keeper(self._mistakes, trainer.rows.count)
        return trainer

    def _rows_to_vote_on(self, X: Any) -> core.Rows:
        rows = rows_of(read_table(self, X, reset=False))
        refuse(rows.check(values=True))
        return rows

    def _electorate(self) -> core.Electorate:
        return core.Electorate(
            self._mistakes.features(),
            self._mistakes.list.view(np.uint8),
            self._weights.seen,
            len(self.classes_),
            self._constant,
        )

    def _stretches(self, rows: core.Rows) -> Any:
        mistakes, _, values = self._mistakes.used.tolist()
        length = max(1, WORK_PER_CALL // (1 + mistakes + values) // 4) * 4
        return [
            (start, min(start + length, rows.count)) for start in range(0, rows.count, length)
        ]
