"""Held-out examples, and how wrong the weights are on them and on those they learn from."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs import class_weight
from rosenblatt.inputs.errors import InputError, Name, Parameter, Thing
from rosenblatt.inputs.label_sets import Answers, LabelSets, are_classes, ranking_losses, strata
from rosenblatt.inputs.tables import read_sample_weight
from rosenblatt.training.scorer import Scorer
from rosenblatt.training.state import State

SPLIT = 2**64 - 1
"""The number of a pass that never comes: its order decides which rows are held out."""


class Labelled(NamedTuple):
    """Rows, and what they should come to: the numbers of their classes, their labels, or numbers.

    As read, but not yet looked at.
    """

    X: Any
    codes: Answers
    classes: NDArray[Any]
    sample_weight: NDArray[np.float64] | None = None

    def at(self, rows: NDArray[Any]) -> "Labelled":
        """A copy of some of the rows."""
        weight = None if self.sample_weight is None else self.sample_weight[rows]
        return Labelled(self.X[rows], self.codes[rows], self.classes, weight)

    def sample(self, most: int, seed: int) -> "Labelled":
        """As many rows as allowed, drawn at random, in the order in which they stand."""
        if len(self.codes) <= most:
            return self
        return self.at(np.sort(shuffled(len(self.codes), seed)[:most]))

    def class_weighted(self, model: Any) -> NDArray[np.float64] | None:
        """How much each row counts: its own weight times that of its class."""
        if not are_classes(self.codes):
            return self.sample_weight
        of_class = class_weight.of_examples(model.class_weight, self.classes, self.codes)
        if of_class is None:
            return self.sample_weight
        weights: NDArray[np.float64] = of_class[self.codes]
        return weights if self.sample_weight is None else weights * self.sample_weight

    def measured(
        self, sound_rows_of: Callable[[Any], Any], of_class: NDArray[np.float64] | None
    ) -> "Measured":
        """The same as the weights score them, every value looked at."""
        with _of_validation("X_val"):
            rows = sound_rows_of(self.X)
        return Measured("held-out", rows, self.codes, self.sample_weight, of_class)


class Measured:
    """Rows whose classes are known, to try the weights on."""

    def __init__(
        self,
        name: str,
        rows: Any,
        codes: Answers,
        sample_weight: NDArray[np.float64] | None,
        of_class: NDArray[np.float64] | None,
        chosen: NDArray[np.uint32] | None = None,
    ) -> None:
        self.name, self.rows = name, rows
        self.chosen = slice(None) if chosen is None else chosen
        self.codes = codes[self.chosen]
        self.sample_weight = None if sample_weight is None else sample_weight[self.chosen]
        codes = self.codes
        if of_class is not None and are_classes(codes):
            by_class = of_class[codes]
            weight = 1.0 if self.sample_weight is None else self.sample_weight
            self.sample_weight = by_class * weight

    def judged(self, scorer: Scorer) -> NDArray[Any]:
        """What a scorer says of all the rows: their classes, or scores."""
        return scorer.winners(self.rows) if are_classes(self.codes) else scorer.scores(self.rows)

    def error(self, judged: NDArray[Any]) -> float:
        """The mean of the losses, by the weight of the rows."""
        wrong, all_of_them = self.tally(judged)
        return wrong / all_of_them

    def tally(self, judged: NDArray[Any]) -> tuple[float, float]:
        """The sum of the losses, by the weight of the rows, and that of the weights.

        A wrong class loses one, a number its distance, and labels in a wrong order the share of
        them by which precision falls short.
        """
        judged = judged[self.chosen]
        if isinstance(self.codes, LabelSets):
            wrong = ranking_losses(self.codes, judged)
        else:
            wrong = judged != self.codes if are_classes(self.codes) else abs(judged - self.codes)
        if self.sample_weight is None:
            return float(wrong.sum()), float(len(wrong))
        return float((wrong * self.sample_weight).sum()), float(self.sample_weight.sum())


@dataclass
class Watch:
    """What is measured after every pass, beyond what the pass itself counts."""

    learned: Measured
    held_out: Measured | None
    scorer: Callable[[], Scorer]
    """Of the weights as they are."""

    def __post_init__(self) -> None:
        for each in (self.learned, self.held_out):
            if each is not None:
                require_weight(each.name, each.sample_weight is None or each.sample_weight.any())

    def measure(self) -> dict[str, float]:
        """The measures by their names in a record of a pass."""
        learned, held_out, scorer = self.learned, self.held_out, self.scorer()
        judged = learned.judged(scorer)
        found = {"train_error": learned.error(judged)}
        if held_out is not None:
            if held_out.rows is not learned.rows:
                judged = held_out.judged(scorer)
            found["validation_error"] = held_out.error(judged)
            last = scorer.by_last_weights()
            if last is not None:
                found["last_validation_error"] = held_out.error(held_out.judged(last))
        return found


def require_weight(name: str, weighs: Any) -> None:
    """Refuse rows that have none."""
    if not weighs:
        raise ValueError(f"The {name} rows all weigh zero, so they show no error.")


def read_validation(
    model: Any, state: State, X_val: Any, y_val: Any, sample_weight_val: Any
) -> Labelled | None:
    """The validation set that a caller passed to fit, if any."""
    if X_val is None and y_val is None and sample_weight_val is None:
        return None
    if X_val is None or y_val is None:
        missing = "X_val" if X_val is None else "y_val"
        raise ValueError(f"A validation set is X_val and y_val, but {missing} was not passed.")
    with _of_validation("X_val"):
        table, _ = model._read_table(X_val, state)
    with _of_validation("y_val"):
        labels = model._read_answers(y_val, table.shape[0])
        codes = model._encoded(labels, state, remedy="leave out the rows of such labels")
    with _of_validation("sample_weight_val"):
        sample_weight = read_sample_weight(sample_weight_val, table.shape[0])
    return Labelled(table, codes, state.classes, sample_weight)


@contextlib.contextmanager
def _of_validation(name: str) -> Iterator[None]:
    """What is wrong in here with X, y or sample_weight is so with X_val, y_val, ..."""
    try:
        yield
    except InputError as error:
        raise error.worded(by=of_validation) from error
    except ValueError as error:  # of scikit-learn's
        raise ValueError(f"{name}: {error}") from error


def of_validation(thing: Thing) -> Thing:
    """The front of a validation set, whose X is X_val."""
    learned = isinstance(thing, Name) and thing.name in ("X", "y", "sample_weight")
    return Name(f"{thing}_val") if learned else thing


def shuffled(count: int, seed: int) -> NDArray[np.uint32]:
    """So many rows in a random order that no pass has."""
    order = np.empty(count, dtype=np.uint32)
    core.shuffle(order, seed, SPLIT)
    return order


def shuffled_by_class(codes: NDArray[Any], seed: int) -> NDArray[np.uint32]:
    """The rows of each class in such an order, class after class."""
    order = shuffled(len(codes), seed)
    return order[np.argsort(codes[order], kind="stable")]


def fold_numbers(codes: NDArray[Any], folds: int, seed: int) -> NDArray[np.intp]:
    """The fold of each example, of every class as many in each as can be."""
    numbers = np.empty(len(codes), dtype=np.intp)
    numbers[shuffled_by_class(codes, seed)] = np.arange(len(codes)) % folds
    return numbers


def split(
    answers: Answers,
    classes: NDArray[Any],
    fraction: float,
    seed: int,
    *,
    of_every_class: bool = True,
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """The rows to learn from and those to hold out, as they stand: a fraction of every class.

    At least one row of a class is held out; a fraction that would leave none is refused, or, unless
    rows ``of_every_class`` are needed, such a class is not held out.
    """
    codes = strata(answers)
    if len(codes) >= 2**32:
        raise InputError(
            *(Name("X"), f" has {len(codes)} rows, but only fewer than 2**32 can be split"),
            remedy="pass X_val, y_val",
        )
    sizes = np.bincount(codes)
    held = np.maximum(np.rint(fraction * sizes), 1)
    if not of_every_class:
        held[held >= sizes] = 0
    elif (sizes == 1).any():
        lonely = classes[[np.argmax(sizes == 1)]].tolist()[0]
        raise InputError(
            *(Parameter("early_stopping", True), " holds out rows of every class, but there is "),
            f"only one row of class {lonely!r}",
            remedy="pass X_val and y_val, or leave that row out",
        )
    elif ((held >= sizes) & (sizes > 0)).any():
        emptied = classes[[np.argmax((held >= sizes) & (sizes > 0))]].tolist()[0]
        raise InputError(
            *(Parameter("validation_fraction", fraction), " leaves no row of class "),
            f"{emptied!r} to learn from",
            remedy="lower it, or pass X_val and y_val",
        )
    by_class = shuffled_by_class(codes, seed)
    place_in_class = np.arange(len(codes)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    first = place_in_class < np.repeat(held, sizes)
    return np.sort(by_class[~first]), np.sort(by_class[first])
