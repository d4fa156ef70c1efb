"""Probabilities: predict_proba and its kin, from scores that the weights have not learned from."""

import copy
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import NotFittedError
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rosenblatt.inputs.label_sets import Answers, occurrences, strata
from rosenblatt.inputs.labels import come_in_runs
from rosenblatt.inputs.tables import Columns, read_sample_weight
from rosenblatt.models.frames import Frame, MiniBatches
from rosenblatt.models.trials import fold_numbers
from rosenblatt.training.calibration import ENOUGH, Calibration, spread
from rosenblatt.training.passes import ByClass, Trainer
from rosenblatt.training.state import State
from rosenblatt.training.storage import Array
from rosenblatt.training.thresholds import Sigmoids
from rosenblatt.training.validation import Labelled

FOLDS = 5
"""At most, of examples that are scored by a model that learns from the others."""


def _has_probabilities(model: Any) -> bool:
    state = model._state
    if model.probabilities or (state is not None and state.calibration is not None):
        return True
    raise AttributeError(
        f"{type(model).__name__} has scores but no probabilities: fit it with probabilities=True, "
        "or give it examples that it has not learned from with calibrate(X, y)."
    )


class Calibrated(MiniBatches):
    """A classifier whose scores can be told as probabilities."""

    _looks = True
    """Whether fit finds out what scores mean, rather than who calls it."""

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """How probable each class is for each row; see ``probabilities``, or `calibrate`.

        The softmax of the scores times one number, for two classes the sigmoid, so that the most
        probable class is the one that ``predict`` gives.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        check_is_fitted(self)
        state = self._learned
        table, _ = self._read_table(X, state)
        scores = self._scorer(state).scores(table)
        return self._known_calibration.probabilities(scores, len(state.classes))

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithms of ``predict_proba``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        logarithms : ndarray of shape (n_samples, n_classes)
        """
        with np.errstate(divide="ignore"):
            logarithms: NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms

    def calibrate(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Find out how scores become probabilities, on rows that were not learned from.

        For a model that has learned without ``probabilities``, or whose examples to come are unlike
        those of before. The weights stay as they are.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        y : array-like of shape (n_samples,)
            Their labels, all of classes that the model knows.

        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts.
        """
        check_is_fitted(self)
        state = self._learned
        table, _ = self._read_table(X, state)
        codes = self._encoded(self._read_answers(y, table.shape[0]), state)
        importance = read_sample_weight(sample_weight, table.shape[0])
        unseen = Labelled(table, codes, importance)
        scores, codes, importance = scored_by(self, state, unseen)
        self._state = state.judged_by(scores, codes, importance, probabilities=True)
        return self

    def predict_proba_one(self, x: Any) -> dict[Any, Any]:
        """How probable each class is for one example; nothing before any label has been seen.

        Needs ``probabilities=True``, and is River's.

        Parameters
        ----------
        x : dict, list of pairs, pair of arrays, or row
            As for `learn_one`.

        Returns
        -------
        probabilities : dict of floats by class
            Where an example may have several labels, as River has it, a dict by label of dicts that
            tell how probable it is to be right (True), and not to be (False).
        """
        if not hasattr(self, "predict_proba"):
            return super().predict_proba_one(x)
        state = self._state
        if state is None:
            return {}
        if self._gives_sets:
            return {label: {False: 1 - p, True: p} for label, p in self._sigmoids_of(x).items()}
        scores, labels = self.score_one(x), state.classes.tolist()
        row = np.array([list(scores.values()) if isinstance(scores, dict) else scores])
        calibration = state.calibration or Calibration()
        found = calibration.probabilities(row, len(labels))[0].tolist()
        return dict(zip(labels, found, strict=True))

    def predict_proba_many(self, X: Any) -> Any:
        """How probable each class is for each row of a data frame, for River.

        Parameters
        ----------
        X : DataFrame
            Columns that the model does not know are left out.

        Returns
        -------
        probabilities : DataFrame
            A column for each class.
        """
        import pandas

        frame = Frame.of(X)
        told = self._sigmoids_of if self._gives_sets else self.predict_proba_one
        rows = [told(frame.example(row)) for row in range(len(frame))]
        return pandas.DataFrame(rows, index=X.index)

    def _sigmoids_of(self, x: Any) -> dict[Any, float]:
        """How probable each label is, where an example may have several."""
        scores = self.score_one(x)
        assert isinstance(scores, dict)
        if self._learned.calibration is None:
            raise NotImplementedError(
                "How probable sets of labels are is told by examples that were not learned from: "
                "call calibrate(X, Y) with some, or use score_one."
            )
        row = np.array([list(scores.values())])
        found = self._known_calibration.probabilities(row, len(scores))[0].tolist()
        return dict(zip(scores, found, strict=True))

    @abstractmethod
    def _read_table(self, X: Any, state: State | None) -> tuple[Any, Columns]:
        """X and its columns, compared with those of what was learned before, if anything."""

    @property
    def _known_calibration(self) -> Calibration | Sigmoids:
        """How scores become probabilities; refused where that is not known."""
        _has_probabilities(self)
        calibration = self._learned.calibration
        if calibration is None:
            raise NotFittedError(
                f"This {type(self).__name__} has learned without probabilities=True, or was "
                "interrupted: fit it again, or call calibrate(X, y) with rows held out."
            )
        return calibration

    def _looks_at_unseen(self, state: State) -> bool:
        """Whether fit needs the scores of rows that were not learned from."""
        return self._looks and (bool(self.probabilities) or state.weights.form.several)

    def _judge_by(self, unseen: "Unseen") -> None:
        """Learn from them which labels to give, and how probable they are."""
        scores, answers, importance = unseen.scores(self)
        self._state = self._learned.judged_by(scores, answers, importance, bool(self.probabilities))


class Unseen(NamedTuple):
    """Where examples are that a fit does not learn from."""

    held_out: Labelled | None
    """The rows that were held out, if any."""
    labelled: Labelled
    """Those learned from otherwise."""
    of_class: NDArray[np.float64] | None
    begin: Callable[[Any], State]
    """Where a model starts that learns as this one."""

    def scores(self, model: Any) -> tuple[Array, Answers, Array | None]:
        """The scores of those by the model that was fitted, and what they should come to."""
        if self.held_out is not None:
            return scored_by(model, model._learned, self.held_out)
        scores, rows = map(np.concatenate, zip(*self._folds(model), strict=True))
        importance = self.labelled.importance
        return scores, self.labelled.codes[rows], None if importance is None else importance[rows]

    def _folds(self, model: Any) -> Iterator[tuple[Array, NDArray[Any]]]:
        """Rows scored by models that learn from the others, until they are enough."""
        run, codes = model._state.run, strata(self.labelled.codes)
        twin = copy.copy(model)
        twin.random_state, twin.record, twin.verbose = run.seed, False, 0
        folds, scored = fold_numbers(codes, min(FOLDS, len(codes)), run.seed), 0
        for fold in range(FOLDS):
            outside = np.flatnonzero(folds == fold)
            if scored >= ENOUGH or not len(outside):
                return
            scored += len(outside)
            inside = np.flatnonzero(folds != fold).astype(np.uint32)
            state = self.begin(twin).next_run(max(1, run.passes))
            state, trainer = twin._trainer(state, self.labelled, self.of_class, values=True)
            trainer.chosen = inside
            if twin.shuffle == "blocks" and come_in_runs(codes[inside]):
                trainer.by_class = ByClass.of(codes[inside])
            trainer.train(twin.shuffle, verbose=False)
            tried = outside[spread(len(outside))]
            yield twin._scorer(state).scores(self.labelled.table[tried]), tried


def scored_by(model: Any, state: State, unseen: Labelled) -> tuple[Array, Answers, Array | None]:
    """The scores of rows, or of enough of them, and what these should come to."""
    some = spread(len(unseen.codes))
    if len(some) < len(unseen.codes):
        unseen = unseen.at(some)
    scores: Array = model._scorer(state).scores(unseen.table)
    return scores, unseen.codes, unseen.importance


def learn_and_look(model: Any, trainer: Trainer, examples: Labelled) -> None:
    """Walk over the rows of a batch, and look at the scores of some just before their step."""
    recent = model._recent(trainer.state)
    order = np.arange(len(examples.codes), dtype=np.uint32)
    begin = 0
    while begin < len(order):
        if recent.looks:
            row = examples.at(order[begin : begin + 1])
            scores = model._scorer(trainer.state).scores(row.table)
            importance = 1.0 if row.importance is None else float(row.importance[0])
            recent.add(scores, int(occurrences(row.codes)[0]), importance)
        end = min(len(order), begin + recent.until_next)
        trainer.walk_stretch(order, begin, end)
        recent.seen += end - begin
        begin = end
