"""Which way to learn is best: each is tried, after every pass, on examples it has not seen."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.label_sets import Answers, LabelSets, are_classes

Found = NDArray[Any]
"""What an example, in its column, came to after a pass, in its row.

Whole numbers are of the class that it was given; bytes, in a third dimension, tell by their bits
which labels it was given; other numbers are what was lost on it.
"""

PASSES, FOLDS, SAMPLE = 20, 5, 20_000
"""Passes at most, in how many folds ways to learn are tried, and on how many examples at most."""

TINY = np.finfo(float).tiny
"""Divides nothing where there is nothing."""


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

    @classmethod
    def of_sets(cls, found: Found, sets: LabelSets, weights: NDArray[Any]) -> "Counts":
        """The same where an example has any number of labels."""
        right = sets.indicator()
        given = np.unpackbits(found, axis=-1, count=right.shape[1])
        rights = np.tile(weights @ right, (len(found), 1))
        return cls(np.stack([weights @ (row & right) for row in given]), rights, weights @ given)

    @classmethod
    def of_losses(cls, losses: Found, weights: NDArray[Any]) -> "Counts":
        """What was not lost of all there is, as if of one class."""
        total = np.full((len(losses), 1), weights.sum())
        return cls(total - (losses @ weights)[:, None], total, total)

    @classmethod
    def at(
        cls, found: Found, codes: Answers, weights: NDArray[Any], classes: int, mask: NDArray[Any]
    ) -> "Counts":
        """Those of some examples, by what is known of them."""
        if found.ndim == 3:
            assert isinstance(codes, LabelSets)
            return cls.of_sets(found[:, mask], codes[mask], weights[mask])
        if found.dtype.kind == "f":
            return cls.of_losses(found[:, mask], weights[mask])
        assert are_classes(codes)
        return cls.of(found[:, mask], codes[mask], weights[mask], classes)


Measure = Callable[[Counts], NDArray[Any]]
"""How bad that is, from 0 to 1."""


def error(counts: Counts) -> NDArray[Any]:
    """The share that came out wrong."""
    missed = (counts.rights - counts.hits).sum(axis=-1)
    return missed / np.maximum(counts.rights.sum(axis=-1), TINY)


def lack_of_f1(counts: Counts) -> NDArray[Any]:
    """What the harmonic mean of precision and recall lacks to one, of each class."""
    both = counts.rights + counts.founds
    return 1 - 2 * counts.hits / np.maximum(both, TINY)


def lack_of_macro_f1(counts: Counts) -> NDArray[Any]:
    """The mean of that over the classes that come up."""
    present = counts.rights + counts.founds > 0
    summed = np.sum(lack_of_f1(counts), axis=-1, where=present)
    return summed / np.maximum(present.sum(axis=-1), 1)


def lack_of_micro_f1(counts: Counts) -> NDArray[Any]:
    """What F1 lacks to one where all labels are counted together."""
    both = (counts.rights + counts.founds).sum(axis=-1)
    return 1 - 2 * counts.hits.sum(axis=-1) / np.maximum(both, TINY)


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
    """The share of the examples that came out wrong, or the mean of what was lost on them."""
    measure: float
    """The same by the measure by which they were chosen."""
    tried: list[Tried]
    """What each model came to after the best number of passes for it, by the weights by which they
    were chosen."""


def choose(
    trials: Sequence[Found],
    codes: Answers,
    groups: NDArray[np.intp],
    class_weighted: NDArray[np.float64] | None = None,
    sample_weight: NDArray[np.float64] | None = None,
    measure: Measure = error,
    losses: Sequence[Found] | None = None,
) -> Choice:
    """The model and the number of passes that are least bad; of several, the first.

    ``groups`` has the number of each example's group, ``class_weighted`` how much it counts in the
    choice, and ``sample_weight`` how much in what is told of the choice. The error that is told is
    the mean of the ``losses`` of each model, if they are given, else it is what the trials tell.
    """
    ones = np.ones(len(codes))
    chosen_by = ones if class_weighted is None else class_weighted
    weights = ones if sample_weight is None else sample_weight
    classes = 1
    if are_classes(codes):
        classes += max(int(codes.max()), *(int(found.max()) for found in trials))
    masks = [groups == group for group in range(int(groups.max()) + 1)]

    def counted(found: Found, mask: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
        return np.stack(Counts.at(found, codes, weights, classes, mask))

    by_group = np.stack(
        [np.stack([counted(found, mask, chosen_by) for found in trials], axis=1) for mask in masks]
    )  # hits, rights and founds of each group, by model, pass and class
    counts = Counts(*by_group.sum(axis=0))
    bad = measure(counts)
    model, last = np.unravel_index(bad.argmin(), bad.shape)
    totals, lost = np.zeros_like(by_group[0, :, 0, 0]), 0.0
    for group, mask in enumerate(masks):
        others = measure(Counts(*np.delete(by_group, group, axis=0).sum(axis=0)))
        best, after = map(int, np.unravel_index(others.argmin(), others.shape))
        totals += counted(trials[best][after : after + 1], mask, weights)[:, 0]
        lost += 0.0 if losses is None else float(losses[best][after, mask] @ weights[mask])
    wrong = error(counts)
    if losses is not None:
        wrong = np.stack([one @ chosen_by for one in losses]) / max(float(chosen_by.sum()), TINY)
    each = [
        Tried(int(best) + 1, float(of_each[best]), float(row[best]))
        for row, of_each, best in zip(bad, wrong, bad.argmin(axis=1), strict=True)
    ]
    result = Counts(*totals)
    share = float(error(result)) if losses is None else lost / max(float(weights.sum()), TINY)
    return Choice(int(model), int(last) + 1, share, float(measure(result)), each)
