"""Which way to learn is best: each is tried, after every pass, on examples it has not seen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from rosenblatt.inputs import class_weight
from rosenblatt.training.validation import shuffled, shuffled_by_class

Found = NDArray[np.integer[Any]]
"""The number of the class that an example, in its column, was given after a pass, in its row."""

TINY = np.finfo(float).tiny
"""Divides nothing where there is nothing."""


@dataclass(frozen=True)
class Learned:
    """Rows to learn from, and the numbers of their classes."""

    X: Any
    codes: NDArray[Any]
    classes: NDArray[Any]
    sample_weight: NDArray[np.float64] | None = None

    def at(self, rows: NDArray[Any]) -> "Learned":
        """Some of the rows."""
        weight = None if self.sample_weight is None else self.sample_weight[rows]
        return Learned(self.X[rows], self.codes[rows], self.classes, weight)

    def sample(self, most: int, seed: int) -> "Learned":
        """As many rows as allowed, drawn at random, in the order in which they stand."""
        if len(self.codes) <= most:
            return self
        return self.at(np.sort(shuffled(len(self.codes), seed)[:most]))

    def importance(self, model: Any) -> NDArray[np.float64] | None:
        """How much each row counts: its own weight times that of its class."""
        of_class = class_weight.of_examples(model.class_weight, self.classes, self.codes)
        if of_class is None:
            return self.sample_weight
        weights: NDArray[np.float64] = of_class[self.codes]
        return weights if self.sample_weight is None else weights * self.sample_weight


class Counts(NamedTuple):
    """How much came out how: of each class, in the last dimension, over whatever is before it."""

    hits: NDArray[Any]
    """What has the class and was given it."""
    rights: NDArray[Any]
    """What has it."""
    founds: NDArray[Any]
    """What was given it."""

    @classmethod
    def of(cls, found: Found, codes: NDArray[Any], weights: NDArray[Any], classes: int) -> "Counts":
        """The counts after each pass; each example counts as its weight says."""

        def summed(codes: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
            return np.bincount(codes, weights, minlength=classes)

        rights = np.tile(summed(codes, weights), (len(found), 1))
        founds = np.stack([summed(row, weights) for row in found])
        hits = np.stack([summed(codes, weights * (row == codes)) for row in found])
        return cls(hits, rights, founds)


Measure = Callable[[Counts], NDArray[Any]]
"""How bad that is, from 0 to 1."""


def error(counts: Counts) -> NDArray[Any]:
    """The share that came out wrong."""
    missed = (counts.rights - counts.hits).sum(axis=-1)
    share: NDArray[Any] = missed / np.maximum(counts.rights.sum(axis=-1), TINY)
    return share


def lack_of_f1(counts: Counts) -> NDArray[Any]:
    """What the harmonic mean of precision and recall lacks to one, of each class."""
    both = counts.rights + counts.founds
    lack: NDArray[Any] = 1 - 2 * counts.hits / np.maximum(both, TINY)
    return lack


def lack_of_macro_f1(counts: Counts) -> NDArray[Any]:
    """The mean of that over the classes that come up."""
    present = counts.rights + counts.founds > 0
    summed = np.sum(lack_of_f1(counts), axis=-1, where=present)
    lack: NDArray[Any] = summed / np.maximum(present.sum(axis=-1), 1)
    return lack


class Tried(NamedTuple):
    """The best that one model came to."""

    passes: int
    error: float
    measure: float
    """By which they were chosen."""


class Choice(NamedTuple):
    """What to learn with, and how good it is.

    The error and the measure are of all groups, each with the model and the number of passes that
    the others would choose: no example has a say in what it is tried with.
    """

    model: int
    """The place of the best of the models."""
    passes: int
    error: float
    """The share of the examples that came out wrong."""
    measure: float
    """The same by the measure by which they were chosen."""
    tried: list[Tried]
    """What each model came to after the best number of passes for it, by the weights by which they
    were chosen."""


def fold_numbers(codes: NDArray[Any], folds: int, seed: int) -> NDArray[np.intp]:
    """The fold of each example, of every class as many in each as can be."""
    numbers = np.empty(len(codes), dtype=np.intp)
    numbers[shuffled_by_class(codes, seed)] = np.arange(len(codes)) % folds
    return numbers


def tried_in_folds(
    model: Any,
    learned: Learned,
    folds: NDArray[np.intp],
    passes: int,
    pass_done: Callable[[], None] = lambda: None,
) -> Found:
    """Each example tried on a model that has learned from the other folds.

    ``pass_done`` is called after every pass.
    """
    found = np.empty((passes, len(folds)), dtype=np.min_scalar_type(len(learned.classes) - 1))
    for fold in range(int(folds.max()) + 1):
        inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        others, tried = learned.at(inside), learned.at(outside)
        found[:, outside] = tried_on(model, others, tried, passes, pass_done)
    return found


def tried_on(
    model: Any, learned: Learned, tried: Learned, passes: int, pass_done: Callable[[], None]
) -> Found:
    """Some examples tried on a model that learns from others."""
    known, codes = np.unique(learned.codes, return_inverse=True)
    found = np.empty((passes, len(tried.codes)), dtype=np.min_scalar_type(len(learned.classes) - 1))
    if len(known) < 2:  # nothing to tell apart: all are taken for the only class there is
        found[:] = known[0]
        return found
    weight = learned.importance(model)
    model = clone(model).set_params(class_weight=None, warm_start=True, max_iter=1)
    for number in range(passes):
        model.fit(learned.X, codes, weight)
        found[number] = known[model.predict(tried.X)]
        pass_done()
        if model.converged_:
            found[number:] = found[number]
            break
    return found


def choose(
    trials: Sequence[Found],
    codes: NDArray[Any],
    groups: NDArray[np.intp],
    importance: NDArray[np.float64] | None = None,
    sample_weight: NDArray[np.float64] | None = None,
    measure: Measure = error,
) -> Choice:
    """The model and the number of passes that are least bad; of several, the first.

    Parameters
    ----------
    trials : sequence of integer arrays of shape (n_passes, n_examples)
        Of each model, the class that examples were given after each pass.

    codes : ndarray of shape (n_examples,)
        The class that each example has.

    groups : ndarray of shape (n_examples,)
        The number of each example's group.

    importance : ndarray of shape (n_examples,), optional
        How much each example counts in the choice.

    sample_weight : ndarray of shape (n_examples,), optional
        How much each counts in what is told of the choice.

    measure : callable
        How bad it is what came out.
    """
    ones = np.ones(len(codes))
    chosen_by = ones if importance is None else importance
    told_by = ones if sample_weight is None else sample_weight
    classes = 1 + max(int(codes.max()), *(int(found.max()) for found in trials))
    masks = [groups == group for group in range(int(groups.max()) + 1)]

    def counted(found: Found, mask: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
        return np.stack(Counts.of(found[:, mask], codes[mask], weights[mask], classes))

    by_group = np.stack(
        [np.stack([counted(found, mask, chosen_by) for found in trials], axis=1) for mask in masks]
    )  # hits, rights and founds of each group, by model, pass and class
    counts = Counts(*by_group.sum(axis=0))
    bad = measure(counts)
    model, last = np.unravel_index(bad.argmin(), bad.shape)
    told = np.zeros((3, classes))
    for group, mask in enumerate(masks):
        others = measure(Counts(*np.delete(by_group, group, axis=0).sum(axis=0)))
        best, after = np.unravel_index(others.argmin(), others.shape)
        told += counted(trials[int(best)][after : after + 1], mask, told_by)[:, 0]
    each = [
        Tried(int(best) + 1, float(wrong[best]), float(row[best]))
        for row, wrong, best in zip(bad, error(counts), bad.argmin(axis=1), strict=True)
    ]
    result = Counts(*told)
    return Choice(int(model), int(last) + 1, float(error(result)), float(measure(result)), each)
