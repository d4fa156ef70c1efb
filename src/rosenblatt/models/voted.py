"""The voted perceptron."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt import core
from rosenblatt.inputs.messages import refuse
from rosenblatt.inputs.parts import Part, Parts
from rosenblatt.inputs.tables import rows_of
from rosenblatt.models.perceptron import AveragedPerceptron
from rosenblatt.models.single import SingleRows
from rosenblatt.training.mistakes import MOST_FEATURES, Keeper, Mistakes
from rosenblatt.training.passes import LinearTrainer, Trainer
from rosenblatt.training.validation import Predict
from rosenblatt.training.weights import Weights


class VotedPerceptron(SingleRows):
    """Voted perceptron (Freund and Schapire, 1999).

    Learns as `Perceptron` does and lets every weight vector it passed through vote, once for each
    example that the vector survived::

        y = sign(sum of c_k sign(w_k . x))

    The k-th mistake makes w_k. Its votes c_k count the example of that mistake and those that came
    out right until the next one; the zeros of the start have none. For more than two classes each
    vector votes for its strongest class, and the class with most votes wins. A score of zero is a
    vote for the first class, a tie one for the first of the best.

    No weight vector is stored. The model keeps the mistakes, each with the non-zero values of its
    row (a row once only, however often the passes of a fit come back to it), and rolls the scores
    forward over them. So memory grows with the mistakes, and so does the time to predict: thousands
    of mistakes make it hundreds of times slower than a single weight vector.

    Reach for it where its theory matters (Freund and Schapire bound the error of the vote), or to
    compare. Its sibling `AveragedPerceptron` sums up scores where this one sums up signs: it is
    about as accurate and predicts with a single vector. ``average_`` has it from the same run.

    Parameters
    ----------
    {shared}

    average_ : AveragedPerceptron
        The averaged perceptron that the same training would have made; see the property.

    Notes
    -----
    ``coef_`` and ``intercept_`` are the last weight vector, those of the sibling `Perceptron`.

    References
    ----------
    Y. Freund, R. E. Schapire (1999). Large margin classification using the perceptron algorithm.
    Machine Learning 37, 277-296.

    Examples
    --------
    >>> from rosenblatt import VotedPerceptron
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [2.0, 0.5]], [1, 1, 0, 0]
    >>> model = VotedPerceptron(shuffle=False, max_iter=1).fit(X, y)
    >>> model.predict([[0.5, 0.5], [0.5, -0.5]])
    array([1, 1])
    >>> model.decision_function([[0.5, 0.5], [0.5, -0.5]])  # all four votes, and three against one
    array([1. , 0.5])
    >>> model.average_.coef_
    array([[1.2, 0.7]])
    """

    __module__ = "rosenblatt"

    average = False
    _mistakes: Mistakes

    _scores_by_weights = False

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Share of the votes: second class minus first of two classes, else of each class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        shares : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Between -1 and 1 for two classes, else between 0 and 1.
        """
        return super().decision_function(X)

    def _decide(self, table: Any) -> NDArray[np.float64]:
        rows = rows_of(table)
        refuse(rows.check(values=True))
        return self._mistakes.shares(rows, self._weights.seen, len(self.classes_), self._constant)

    def _winners(self, rows: Any) -> tuple[NDArray[np.int64], core.Fault | None]:
        """The class with most votes; those that cannot change the winner are not counted."""
        fault = rows.check(values=True)
        if fault is not None:
            return np.empty(0, dtype=np.int64), fault
        seen, classes = self._weights.seen, len(self.classes_)
        return self._mistakes.winners(rows, seen, classes, self._constant), None

    def _winners_by_last(self) -> Predict:
        return super()._winners

    def _learned(self) -> dict[str, Any]:
        return super()._learned() | {"_mistakes": deepcopy(self._mistakes)}

    def _go_back(self, best: Weights) -> None:
        super()._go_back(best)
        self._mistakes = self._mistakes.up_to(best.seen)

    @property
    def average_(self) -> AveragedPerceptron:
        """The averaged perceptron that the same training would have made.

        A model of its own, worked out from the mistakes whenever it is asked for: it predicts with
        the mean of all weights passed through, shows it as ``coef_``, and may learn on.
        """
        fitted = self._fitted("average_")
        learned = {name: value for name, value in vars(fitted).items() if name != "_mistakes"}
        model = AveragedPerceptron()
        model.__dict__ = deepcopy(learned)
        model._weights = model._weights.with_missed(self._missed())
        return model

    def _missed(self) -> NDArray[np.float64]:
        """The averaging sums of Algorithm 7: each change times the weight vectors before it."""
        tidy = self._mistakes.tidy()
        mistakes, rows = tidy.list, tidy.rows
        changes = mistakes["t"] * mistakes["amount"]
        missed = np.zeros_like(self._weights.values)
        of_rows = np.zeros((rows.shape[0], missed.shape[1]))
        if len(self.classes_) == 2:
            signed = np.where(mistakes["right"] == 1, changes, -changes)
            np.add.at(of_rows[:, 0], mistakes["row"], signed)
        else:
            np.add.at(of_rows, (mistakes["row"], mistakes["right"]), changes)
            np.subtract.at(of_rows, (mistakes["row"], mistakes["rival"]), changes)
        missed[:-1] = rows.T @ of_rows
        missed[-1] = self._constant * of_rows.sum(axis=0)
        return missed

    def _parts(self) -> dict[str, Part | None]:
        return super()._parts() | {"mistakes": self._mistakes}

    def _restore(self, parts: Parts) -> None:
        self._mistakes = parts.build("mistakes", Mistakes)
        super()._restore(parts)

    def _check_restored(self) -> None:
        super()._check_restored()
        self._mistakes.require_fit(self._weights)

    def _rule(self) -> core.PerceptronRule:
        return core.PerceptronRule()

    def _start_at(self, classes: NDArray[Any], width: int) -> None:
        super()._start_at(classes, _numbered(width))
        self._mistakes = Mistakes(width)

    def _widened(self, width: int) -> Weights:
        self._mistakes = replace(self._mistakes, width=_numbered(width), _voters=None)
        return super()._widened(width)

    def _admit(self, classes: ArrayLike) -> None:
        known = self.classes_
        super()._admit(classes)
        if len(self.classes_) > len(known):
            self._mistakes = self._mistakes.with_places(self.classes_.searchsorted(known))

    def _trainer(self, *arguments: Any, **options: Any) -> Trainer:
        trainer = super()._trainer(*arguments, **options)
        assert isinstance(trainer, LinearTrainer)
        trainer.keeper = Keeper(self._mistakes, trainer.rows.count)
        return trainer


def _numbered(width: int) -> int:
    """The number of features, if so many can be told apart."""
    if width > MOST_FEATURES:
        raise ValueError(
            f"VotedPerceptron numbers features in 4 bytes, {MOST_FEATURES} at most, but X has "
            f"{width}: hash the features to fewer columns."
        )
    return width
