"""Ways to learn tried on examples that they have not learned from, after every pass."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from rosenblatt.inputs.label_sets import LabelSets, are_classes, ranking_losses
from rosenblatt.models.selection import Found
from rosenblatt.training.calibration import logits_of, of_each
from rosenblatt.training.reliability import LEAST
from rosenblatt.training.storage import Array
from rosenblatt.training.thresholds import Sigmoids, Thresholds
from rosenblatt.training.validation import Labelled


@dataclass(frozen=True)
class Trial:
    """What examples came to, after each pass, on models that had not learned from them."""

    found: Found
    """By which models and passes are chosen."""
    losses: Found | None = None
    """What was lost on each, where ``found`` is something else than what errors are told of."""
    scores: Array | None = None
    """Of some of the examples, if they are kept."""
    rows: NDArray[np.intp] | None = None
    """Which these are."""

    @classmethod
    def stacked(cls, passes: list[Self], count: int) -> Self:
        """That of so many passes; those after the last are like it."""
        every = passes + passes[-1:] * (count - len(passes))
        return cls(*(_together([getattr(one, name) for one in every], 0) for name in PER_PASS))


PER_PASS = ("found", "losses", "scores")


def _together(arrays: list[Any], axis: int) -> Any:
    return None if arrays[0] is None else np.concatenate(arrays, axis=axis)


def tried_in_folds(
    model: Any,
    learned: Labelled,
    folds: NDArray[np.intp],
    passes: int,
    pass_done: Callable[[], None] = lambda: None,
    by: str = "error",
    kept: NDArray[np.intp] | None = None,
) -> Trial:
    """Each example tried on a model that has learned from the other folds.

    ``pass_done`` is called after every pass. Of the examples ``kept`` all scores are kept.
    """
    keeps = np.zeros(len(folds), np.bool_)
    keeps[[] if kept is None else kept] = True
    parts, places = [], []
    for fold in range(int(folds.max()) + 1):
        inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        others, tried = learned.at(inside), learned.at(outside)
        of_kept = None if kept is None else np.flatnonzero(keeps[outside])
        parts.append(tried_on(model, others, tried, passes, pass_done, by, of_kept))
        places.append(outside)
    order = np.argsort(np.concatenate(places), kind="stable")
    found, losses, scores = (_together([getattr(p, name) for p in parts], 1) for name in PER_PASS)
    rows = None if kept is None else np.concatenate([own[keeps[own]] for own in places])
    return Trial(found[:, order], None if losses is None else losses[:, order], scores, rows)


def tried_on(
    model: Any,
    learned: Labelled,
    tried: Labelled,
    passes: int,
    pass_done: Callable[[], None] = lambda: None,
    by: str = "error",
    kept: NDArray[np.intp] | None = None,
) -> Trial:
    """Some examples tried on a model that learns from others."""
    leaning = are_classes(learned.codes) and model.class_weight is not None
    outcome = Outcome(tried, by, kept, leaning)
    known, codes = np.arange(len(learned.classes)), learned.codes
    if are_classes(codes):
        known, codes = np.unique(codes, return_inverse=True)
        if len(known) < 2:  # nothing to tell apart: all are taken for the only class there is
            return Trial.stacked([outcome.at_one_class(int(known[0]))], passes)
    weight = learned.class_weighted(model)
    model = clone(model).set_params(warm_start=True, max_iter=1)
    if are_classes(learned.codes):
        model.set_params(class_weight=None)  # which is in the weights
    model._calibrates = False
    seen: list[Trial] = []
    for _ in range(passes):
        model.fit(learned.X, codes, weight)
        seen.append(outcome(model, known))
        pass_done()
        if model.converged_:
            break
    return Trial.stacked(seen, passes)


@dataclass(frozen=True)
class Outcome:
    """What is noted of examples after a pass, so that passes can be chosen by it."""

    tried: Labelled
    by: str
    """The error, F1, macro-f1 or log-loss."""
    kept: NDArray[np.intp] | None
    """Those whose scores are kept, if any."""
    leaning: bool = False
    """Whether classes have weights, which lean the scores."""

    def __call__(self, model: Any, known: NDArray[Any]) -> Trial:
        """After one pass of a model of the classes ``known``."""
        answers, X = self.tried.codes, self.tried.X
        if isinstance(answers, LabelSets):
            return self._of_sets(answers, model.decision_function(X))
        if not are_classes(answers):
            return Trial(np.abs(model.predict(X) - answers)[None])
        winners, scores = known[model.predict(X)], None
        if self.by == "log-loss":
            scores = self._spread(model.decision_function(X), known)
        kept = self._kept(scores)
        if kept is None and self.kept is not None:
            kept = self._spread(model.decision_function(X[self.kept]), known)[None]
        return self._of_classes(winners, scores, kept)

    def at_one_class(self, only: int) -> Trial:
        """Where all are taken for one class, and nothing is known of the others."""
        count, classes = len(self.tried.codes), len(self.tried.classes)
        scores = np.zeros(count) if classes == 2 else np.zeros((count, classes))
        return self._of_classes(np.full(count, only), scores, self._kept(scores))

    def _spread(self, scores: Array, known: NDArray[Any]) -> Array:
        """The scores of all classes; those not learned from score zero, as at the start."""
        count = len(self.tried.classes)
        if len(known) == count:
            return scores
        wide = np.zeros((len(scores), count))
        wide[:, known] = of_each(scores)
        return wide

    def _of_classes(self, winners: NDArray[Any], scores: Array | None, kept: Any) -> Trial:
        codes = self.tried.codes
        assert are_classes(codes)
        found = winners.astype(np.min_scalar_type(len(self.tried.classes) - 1))[None]
        if self.by != "log-loss":
            return Trial(found, None, kept)
        assert scores is not None
        losses = np.empty(len(scores))
        for some, others in halves(len(scores)):
            unseen = scores[others], codes[others], self._weights(others)
            shares = logits_of(*unseen, leaning=self.leaning).probabilities(scores[some])
            right = shares[np.arange(len(shares)), codes[some]]
            losses[some] = -np.log(np.maximum(right, LEAST))
        return Trial(losses[None], (winners != codes).astype(np.float64)[None], kept)

    def _of_sets(self, sets: LabelSets, scores: Array) -> Trial:
        losses, kept = ranking_losses(sets, scores)[None], self._kept(scores)
        if self.by == "error":
            return Trial(losses, None, kept)
        right, log_losses = sets.indicator().astype(bool), np.empty(len(scores))
        given = np.zeros_like(right)
        for some, others in halves(len(scores)):
            unseen = scores[others], sets[others], self._weights(others)
            if self.by == "log-loss":
                shares = Sigmoids.of(*unseen).probabilities(scores[some], right.shape[1])
                believed = np.where(right[some], shares, 1 - shares)
                log_losses[some] = -np.log(np.maximum(believed, LEAST)).mean(axis=1)
            else:
                given[some] = scores[some] >= Thresholds.best(*unseen).scores
        if self.by == "log-loss":
            return Trial(log_losses[None], losses, kept)
        return Trial(np.packbits(given, axis=1)[None], losses, kept)

    def _weights(self, rows: NDArray[Any]) -> NDArray[np.float64] | None:
        weight = self.tried.sample_weight
        return None if weight is None else weight[rows]

    def _kept(self, scores: Array | None) -> Array | None:
        return None if self.kept is None or scores is None else scores[self.kept][None]


def halves(count: int) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Some examples and the others, which tell what probabilities or thresholds to hold to them."""
    even, odd = np.arange(0, count, 2), np.arange(1, count, 2)
    return [(even, odd), (odd, even)] if len(odd) else [(even, even)]
