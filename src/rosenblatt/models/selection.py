"""Which way to learn is best: each is tried, after every pass, on examples it has not seen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from rosenblatt import core
from rosenblatt.inputs import class_weight
from rosenblatt.training.validation import SPLIT

Wrong = NDArray[np.bool_]
"""Whether an example, in its column, came out wrong after a pass, in its row."""


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
        return self.at(np.sort(_shuffled(len(self.codes), seed)[:most]))

    def importance(self, model: Any) -> NDArray[np.float64] | None:
        """How much each row counts: its own weight times that of its class."""
        of_class = class_weight.of_examples(model.class_weight, self.classes, self.codes)
        if of_class is None:
            return self.sample_weight
        weights: NDArray[np.float64] = of_class[self.codes]
        return weights if self.sample_weight is None else weights * self.sample_weight


class Tried(NamedTuple):
    """The best that one model came to."""

    passes: int
    error: float


class Choice(NamedTuple):
    """What to learn with, and how good it is."""

    model: int
    """The place of the best of the models."""
    passes: int
    error: float
    """The share of the examples that came out wrong, each group with the model and the number of
    passes that the others would choose: none of them has a say in what it is tried with."""
    tried: list[Tried]
    """What each model came to after the best number of passes for it, by the weights by which they
    were chosen."""


def fold_numbers(codes: NDArray[Any], folds: int, seed: int) -> NDArray[np.intp]:
    """The fold of each example, of every class as many in each as can be."""
    order = _shuffled(len(codes), seed)
    by_class = order[np.argsort(codes[order], kind="stable")]
    numbers = np.empty(len(codes), dtype=np.intp)
    numbers[by_class] = np.arange(len(codes)) % folds
    return numbers


def tried_in_folds(
    model: Any,
    learned: Learned,
    folds: NDArray[np.intp],
    passes: int,
    told: Callable[[], None] = lambda: None,
) -> Wrong:
    """Each example tried on a model that has learned from the other folds.

    ``told`` is called after every pass.
    """
    wrong = np.empty((passes, len(folds)), dtype=np.bool_)
    for fold in range(int(folds.max()) + 1):
        inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        others, tried = learned.at(inside), learned.at(outside)
        wrong[:, outside] = tried_on(model, others, tried, passes, told)
    return wrong


def tried_on(
    model: Any, learned: Learned, tried: Learned, passes: int, told: Callable[[], None]
) -> Wrong:
    """Some examples tried on a model that learns from others."""
    known, codes = np.unique(learned.codes, return_inverse=True)
    wrong = np.empty((passes, len(tried.codes)), dtype=np.bool_)
    if len(known) < 2:  # nothing to tell apart: all are taken for the only class there is
        wrong[:] = tried.codes != known[0]
        return wrong
    weight = learned.importance(model)
    model = clone(model).set_params(class_weight=None, warm_start=True, max_iter=1)
    for number in range(passes):
        model.fit(learned.X, codes, weight)
        wrong[number] = known[model.predict(tried.X)] != tried.codes
        told()
        if model.converged_:
            wrong[number:] = wrong[number]
            break
    return wrong


def choose(
    trials: Sequence[Wrong],
    groups: NDArray[np.intp],
    importance: NDArray[np.float64] | None = None,
    sample_weight: NDArray[np.float64] | None = None,
) -> Choice:
    """The model and the number of passes with the fewest examples wrong; of several, the first.

    Parameters
    ----------
    trials : sequence of boolean arrays of shape (n_passes, n_examples)
        Of each model, which examples came out wrong after which pass.

    groups : ndarray of shape (n_examples,)
        The number of each example's group.

    importance : ndarray of shape (n_examples,), optional
        How much each example counts in the choice.

    sample_weight : ndarray of shape (n_examples,), optional
        How much each counts in the error.
    """
    wrong = np.array(trials)
    counts = np.ones(wrong.shape[-1], dtype=np.int64)
    chosen_by = counts if importance is None else importance
    masks = [groups == group for group in range(int(groups.max()) + 1)]
    sums = np.stack([wrong[..., mask] @ chosen_by[mask] for mask in masks])
    total = sums.sum(axis=0)
    model, last = np.unravel_index(total.argmin(), total.shape)
    weights = counts if sample_weight is None else sample_weight
    missed = 0.0
    for group, mask in enumerate(masks):
        best = np.delete(sums, group, axis=0).sum(axis=0).argmin()
        missed += float(wrong.reshape(-1, len(mask))[best, mask] @ weights[mask])
    each = [Tried(int(row.argmin()) + 1, float(row.min() / chosen_by.sum())) for row in total]
    return Choice(int(model), int(last) + 1, missed / float(weights.sum()), each)


def _shuffled(count: int, seed: int) -> NDArray[np.uint32]:
    order = np.empty(count, dtype=np.uint32)
    core.shuffle(order, seed, SPLIT)
    return order
