"""The voted perceptron."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.models.linear import LinearLearner
from rosenblatt.models.perceptron import AveragedPerceptron
from rosenblatt.models.streaming import told_of_row
from rosenblatt.training.mistakes import MOST_FEATURES, Mistakes
from rosenblatt.training.scorer import VoteScorer
from rosenblatt.training.state import State


class VotedPerceptron(LinearLearner):
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
    ``decision_function`` gives shares of the votes: of two classes that of the second less that of
    the first, between -1 and 1; of more that of each, between 0 and 1.

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

    _scores_by_weights = False

    def _scorer(self, state: State) -> VoteScorer:
        assert state.mistakes is not None
        return VoteScorer.of(state.weights, self.fit_intercept, self.ties, state.mistakes)

    @property
    def average_(self) -> AveragedPerceptron:
        """The averaged perceptron that the same training would have made.

        A model of its own, worked out from the mistakes whenever it is asked for: it predicts with
        the mean of all weights passed through, shows it as ``coef_``, and may learn on.
        """
        state = self._fitted("average_").copy()
        weights = state.weights.with_missed(self._missed(state))
        model = AveragedPerceptron(**self.get_params(deep=False))
        recorded = state.mistakes.without_rows() if self.record and state.mistakes else None
        model._state = replace(state, weights=weights, mistakes=recorded, calibration=None)
        return model

    def _missed(self, state: State) -> NDArray[np.float64]:
        """The averaging sums of Algorithm 7: each change times the weight vectors before it."""
        assert state.mistakes is not None
        tidy = state.mistakes.tidy()
        mistakes, rows = tidy.list, tidy.rows
        changes = mistakes["t"] * mistakes["amount"]
        missed = np.zeros_like(state.weights.values)
        of_rows = np.zeros((rows.shape[0], missed.shape[1]))
        if len(state.classes) == 2:
            signed = np.where(mistakes["right"] == 1, changes, -changes)
            np.add.at(of_rows[:, 0], mistakes["row"], signed)
        else:
            np.add.at(of_rows, (mistakes["row"], mistakes["right"]), changes)
            np.subtract.at(of_rows, (mistakes["row"], mistakes["rival"]), changes)
        missed[:-1] = rows.T @ of_rows
        missed[-1] = self._scorer(state).constant * of_rows.sum(axis=0)
        return missed

    def _first_state(self, classes: NDArray[Any], width: int) -> State:
        state = super()._first_state(classes, _numbered(width))
        return replace(state, mistakes=Mistakes(keeps_rows=True).with_width(width))

    def _widened(self, state: State, width: int) -> State:
        assert state.mistakes is not None
        mistakes = state.mistakes.with_width(_numbered(width))
        return replace(super()._widened(state, width), mistakes=mistakes)

    def _with_room(self, state: State, width: int) -> State:
        return super()._with_room(state, _numbered(width))

    def _scored(self, method: str, x: Any) -> Any:
        """By votes on a table of one row."""
        with self._learning_lock:  # lest others learn more features meanwhile
            rows, state = super()._scored("table", x), self._learned
            labels, scorer = state.classes.tolist(), self._scorer(state)
        return told_of_row(method, rows, labels, scorer)


def _numbered(width: int) -> int:
    """The number of features, if so many can be told apart."""
    if width > MOST_FEATURES:
        most = f"VotedPerceptron numbers features in 4 bytes, {MOST_FEATURES} at most, but "
        remedy = "hash the features to fewer columns"
        raise InputError(most, Name("X"), f" has {width}", remedy=remedy)
    return width
