"""Weights and what they add to a score, feature by feature, as records that print as tables."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.explain.bar_tables import BarTable, Tabular
from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.labels import list_text
from rosenblatt.inputs.parameters import wrong

Array = NDArray[np.float64]

MOST_LINES = 20
"""Pushes or examples printed at most; iterating gives all of them."""


class Weight(NamedTuple):
    """A feature's weight for a class, the feature's spread, and their product."""

    label: Any
    feature: str
    weight: float
    spread: float
    scaled: float


Weight.__module__ = "rosenblatt"


class Push(NamedTuple):
    """What a feature of one row adds to a score: its value times its weight."""

    feature: str
    value: float
    weight: float
    push: float


Push.__module__ = "rosenblatt"


@dataclass(frozen=True, repr=False)
class FeatureWeights(Tabular[Weight]):
    """The heaviest weights of each class as records of `Weight`, from highest to lowest."""

    __module__ = "rosenblatt"

    records: tuple[Weight, ...]
    classes: tuple[Any, ...]
    scaled: bool
    """Whether the order is that of weight times spread."""

    def tables(self) -> list[BarTable]:
        heads = ("feature", "weight", "spread", "scaled") if self.scaled else ("feature", "weight")
        tables = []
        for label, group in groupby(self.records, key=lambda record: record.label):
            lines: list[Any] = [record[1 : 1 + len(heads)] for record in group]
            against = [line for line in lines if line[-1] < 0]
            if 0 < len(against) < len(lines):
                lines.insert(len(lines) - len(against), None)
            tables.append(BarTable(heading("Weights", label, self.classes), heads, lines))
        return tables


@dataclass(frozen=True, repr=False)
class Contributions(Tabular[Push]):
    """Each feature's push on a score as records of `Push`, the largest first.

    ``math.fsum`` of all pushes, ``intercept`` and ``rounding`` is ``score``.
    """

    __module__ = "rosenblatt"

    records: tuple[Push, ...]
    label: Any
    classes: tuple[Any, ...]
    intercept: float
    rounding: float
    """What adding in another order changes: some 1e-16 of the pushes; on whole numbers, zero."""
    score: float
    """As decision_function gives it."""

    def tables(self) -> list[BarTable]:
        lines: list[Any] = list(self.records[:MOST_LINES])
        if len(self.records) > MOST_LINES:
            smaller = math.fsum(record.push for record in self.records[MOST_LINES:])
            lines.append((f"{len(self.records) - MOST_LINES} smaller", "", "", smaller))
        if self.intercept:
            lines.append(("(intercept)", "", "", self.intercept))
        title = heading("Pushes", self.label, self.classes)
        foot = f"  score {self.score:+.6g}"
        return [BarTable(title, ("feature", "value", "weight", "push"), lines, foot)]


def heaviest(
    n: int, coef: Array, spread: Array | None, labels: list[Any], name: Callable[[int], str]
) -> FeatureWeights:
    """The n highest and the n lowest of each row of weights, those of the last labels.

    With the spread of each feature the order is that of weight times spread.
    """
    records = []
    for label, weights in zip(labels[-len(coef) :], coef, strict=True):
        effect = weights if spread is None else weights * spread
        order = np.argsort(-effect, kind="stable")
        highest = [k for k in order[:n] if effect[k] > 0]
        lowest = [k for k in order[-n:] if effect[k] < 0]
        records += [
            Weight(
                label,
                name(k),
                float(weights[k]),
                1.0 if spread is None else float(spread[k]),
                float(effect[k]),
            )
            for k in highest + lowest
        ]
    return FeatureWeights(tuple(records), tuple(labels), scaled=spread is not None)


def pushes_on(
    classes: NDArray[Any],
    label: Any,
    scores: Array,
    intercepts: Array,
    coef: Array,
    columns: NDArray[Any],
    values: Array,
    name: Callable[[int], str],
) -> Contributions:
    """What each column of one row adds to its score for a label, largest first.

    Scores, intercepts and rows of weights of these columns are one for two classes, else one each.
    """
    number, labels = class_number(classes, label, scores), classes.tolist()
    score, intercept, weights = (
        of_class(number, len(labels), each) for each in (scores, intercepts, coef)
    )
    score, intercept = float(score), float(intercept)
    pushes = weights * values
    order = [k for k in np.argsort(-np.abs(pushes), kind="stable") if pushes[k]]
    rounding = exact_sum([score, -intercept, *(-pushes[order])])
    check_sum(
        rounding,
        [intercept, *pushes[order]],
        "The score of x is not the sum of its pushes: contributions needs a model whose "
        "decision_function is coef_ times x plus intercept_.",
    )
    records = [
        Push(name(columns[k]), float(values[k]), float(weights[k]), float(pushes[k])) for k in order
    ]
    return Contributions(tuple(records), labels[number], tuple(labels), intercept, rounding, score)


def class_number(classes: NDArray[Any], label: Any, scores: Array | None) -> int:
    """The place of the label among the classes; if None, the second of two, else the winner."""
    if label is None and len(classes) == 2:
        return 1
    if label is None and scores is not None:
        return int(scores.argmax())
    labels: list[Any] = classes.tolist()
    if label in labels:
        return labels.index(label)
    raise wrong("label", label, f"be one of {list_text(classes)}")


def of_class(number: int, classes: int, values: Array) -> Any:
    """The entry for a class among weights, intercepts or scores; minus it for a first of two.

    Two classes share one entry, that of the second, unless an example may have both.
    """
    if classes > 2 or len(values) == 2:
        return values[number]
    return values[0] if number == 1 else -values[0]


def check_sum(remainder: float, parts: Any, otherwise: str) -> None:
    """Refuse parts of a sum that leave more than rounding can explain."""
    if not abs(remainder) <= 1e-6 * exact_sum(map(abs, parts)):
        raise ValueError(otherwise)


def exact_sum(parts: Iterable[float]) -> float:
    """``math.fsum``, which cannot tell of sums that overflow."""
    try:
        return math.fsum(parts)
    except OverflowError as error:
        raise InputError(
            "The score of x is beyond the largest number that there is: its weights or values are "
            "too large to explain"
        ) from error


def heading(what: str, label: Any, classes: tuple[Any, ...]) -> str:
    """For which class the numbers speak; of two classes, also for which if below zero."""
    if len(classes) > 2:
        return f"{what} for {label!r}"
    other = classes[0] if label == classes[1] else classes[1]
    return f"{what} for {label!r} (below zero: for {other!r})"
