"""Probabilities: predict_proba and its kin, from scores that the weights have not learned from."""

import copy
from collections.abc import Callable, Hashable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import NotFittedError

from rosenblatt.inputs.label_sets import Answers, occurrences, strata
from rosenblatt.inputs.labels import come_in_runs
from rosenblatt.training.calibration import ENOUGH, Calibration, Recent, spread
from rosenblatt.training.orders import ByClass
from rosenblatt.training.passes import Trainer
from rosenblatt.training.state import State
from rosenblatt.training.storage import Array
from rosenblatt.training.thresholds import Sigmoids
from rosenblatt.training.validation import Labelled, fold_numbers

UNTOLD_OF_SETS = (
    "How probable labels of sets are is told by examples that were not learned from: call "
    "calibrate(X, Y) with some; batches and single examples do not tell it."
)
FOLDS = 5
"""At most, of examples that are scored by a model that learns from the others."""


def has_probabilities(model: Any) -> bool:
    state = model._state
    if model.probabilities or (state is not None and state.calibration is not None):
        return True
    raise AttributeError(
        f"{type(model).__name__} has scores but no probabilities: fit it with probabilities=True, "
        "or give it examples that it has not learned from with calibrate(X, y)."
    )


def known_calibration(model: Any) -> Calibration | Sigmoids:
    """How scores become probabilities; refused where that is not known."""
    has_probabilities(model)
    state: State = model._learned
    if state.calibration is not None:
        return state.calibration
    if state.thresholds is not None:
        raise NotFittedError(UNTOLD_OF_SETS)
    if len(state.classes) < 2:
        return Calibration()
    raise NotFittedError(
        f"This {type(model).__name__} has learned without probabilities=True, or was "
        "interrupted: fit it again, or call calibrate(X, y) with rows held out."
    )


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
        weight = self.labelled.sample_weight
        return scores, self.labelled.codes[rows], None if weight is None else weight[rows]

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
            yield twin._scorer(state).scores(self.labelled.X[tried]), tried


def scored_by(model: Any, state: State, unseen: Labelled) -> tuple[Array, Answers, Array | None]:
    """The scores of rows, or of enough of them, and what these should come to."""
    some = spread(len(unseen.codes))
    if len(some) < len(unseen.codes):
        unseen = unseen.at(some)
    scores: Array = model._scorer(state).scores(unseen.X)
    return scores, unseen.codes, unseen.sample_weight


def learn_and_calibrate(model: Any, trainer: Trainer, examples: Labelled) -> None:
    """Walk over the rows of a batch, and look at the scores of some just before their step."""
    recent = _recent(model, trainer.state)
    order = np.arange(len(examples.codes), dtype=np.uint32)
    begin = 0
    while begin < len(order):
        if recent.keeps_next:
            row = examples.at(order[begin : begin + 1])
            scores = model._scorer(trainer.state).scores(row.X)
            sample_weight = 1.0 if row.sample_weight is None else float(row.sample_weight[0])
            recent.add(scores, int(occurrences(row.codes)[0]), sample_weight)
        end = min(len(order), begin + recent.until_next)
        trainer.walk_stretch(order, begin, end)
        recent.seen += end - begin
        begin = end


def scores_before(model: Any, x: Any, y: Any) -> Any:
    """The scores of an example that is about to be learned from, if it is to be looked at.

    Empty if not, as one whose label is new; None while there are no two labels.
    """
    state = model._state
    if state is None or len(state.classes) < 2:
        return None
    if state.calibration is not None and not _recent(model, state).keeps_next:
        return ()
    if not isinstance(y, Hashable) or y not in state.classes.tolist():
        return ()
    scores = model.score_one(x)
    return list(scores.values()) if isinstance(scores, dict) else scores


def keep_scores(model: Any, before: Any, y: Any, w: Any) -> None:
    """Keep the scores of an example that was learned from."""
    state = model._learned
    recent = _recent(model, state)
    if before != ():
        recent.add(before, state.classes.tolist().index(y), float(w))
    recent.seen += 1


def _recent(model: Any, state: State) -> Recent:
    """Where scores are kept for probabilities."""
    if state.calibration is None:
        state.calibration = Calibration()
    assert isinstance(state.calibration, Calibration)
    if model.class_weight is not None and state.calibration.offsets is None:
        state.calibration.offsets = np.zeros(state.weights.classes)
    if state.calibration.recent is None:
        state.calibration.recent = Recent.new(state.weights.classes)
    return state.calibration.recent
