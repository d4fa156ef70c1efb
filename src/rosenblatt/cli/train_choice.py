"""Which learner ``train`` takes, with which setting and how many passes: what others did best."""

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rosenblatt.cli.failures import DATA, USAGE, Failure, reading_data
from rosenblatt.cli.intervals import interval
from rosenblatt.cli.output import Output, columns, percent, shortened
from rosenblatt.cli.train_plan import SAMPLE, Candidate, Plan
from rosenblatt.readers.training_data import TrainingData

if TYPE_CHECKING:
    from rosenblatt.models.selection import Learned

GROUPS = 5
"""Of the rows of a validation file, each measured with what the others chose."""


class Criterion(NamedTuple):
    """What is to be high in the best candidate, if not the share of right answers."""

    name: str
    title: str
    bad: Callable[[Any], Any]
    """What it lacks to one."""


def criterion_of(select: str, data: TrainingData) -> Criterion | None:
    """What ``--select`` says; None for the error."""
    from rosenblatt.models.selection import lack_of_f1, lack_of_macro_f1

    if select == "error":
        return None
    if select == "macro-f1":
        return Criterion("macro_f1", "macro F1", lack_of_macro_f1)
    if len(data.classes) > 2:
        raise Failure(
            USAGE,
            f"--select f1 is for two labels, and {len(data.classes)} were found: say macro-f1.",
        )
    rare = int(data.counts[1] <= data.counts[0])
    title = f"F1 of {shortened(str(data.classes[rare]), 30)}"
    return Criterion("f1", title, lambda counts: lack_of_f1(counts)[..., rare])


def fact(criterion: Criterion | None, lack: float) -> dict[str, float]:
    """The value of what was chosen by, for programs and for the model file."""
    return {} if criterion is None else {criterion.name: 1 - lack}


class Chosen(NamedTuple):
    """What to learn with, and what is known of it."""

    candidate: Candidate
    passes: int
    held_out: dict[str, Any] | None
    """How good it was on examples that it had not seen; None if nobody looked."""
    tried: list[dict[str, Any]]
    """What each candidate came to."""


def chosen(plan: Plan, data: TrainingData, validation: "Learned | None", out: Output) -> Chosen:
    """Try all candidates, by cross-validation or on a file of the caller's."""
    with reading_data():
        candidates = plan.candidates(data.classes)
    if not plan.folds and validation is None:
        return Chosen(candidates[0], plan.passes, None, [])
    from rosenblatt.models.selection import (
        Learned,
        choose,
        fold_numbers,
        tried_in_folds,
        tried_on,
    )

    criterion = criterion_of(plan.select, data)
    learned = Learned(data.X, data.y.codes, data.classes, data.sample_weight)
    if validation is None:
        learned = learned.sample(SAMPLE, plan.seed)
        if np.bincount(learned.codes).max() < 2:
            raise Failure(
                DATA, "No label has two examples, so that none can be held out: add --folds 0."
            )
        tried, groups = learned, fold_numbers(learned.codes, plan.folds, plan.seed)
        how = f"by {plan.folds}-fold cross-validation"
        if len(learned.codes) < len(data.y):
            how += f" on {len(learned.codes):,} of them"
    else:
        tried, groups = validation, fold_numbers(validation.codes, GROUPS, plan.seed)
        how = f"on the {len(validation.codes):,} examples of {plan.validation}"
    ways = "1 way" if len(candidates) == 1 else f"{len(candidates)} ways"
    out.say("try", f"{ways} to learn, {how}")
    walks = 1 if validation is not None else plan.folds
    work, done = len(candidates) * walks * plan.passes, 0

    def pass_done() -> None:
        nonlocal done
        done += 1

    trials = []
    with reading_data(), out.bar("trying", lambda: done / work):
        for candidate in candidates:
            with worded_for(candidate, data):
                if validation is None:
                    found = tried_in_folds(candidate.model, learned, groups, plan.passes, pass_done)
                else:
                    found = tried_on(candidate.model, learned, tried, plan.passes, pass_done)
            trials.append(found)
        weights = tried.sample_weight
        importance = tried.importance(candidates[0].model) if criterion is None else weights
        measure = {} if criterion is None else {"measure": criterion.bad}
        choice = choose(trials, tried.codes, groups, importance, weights, **measure)
    best = candidates[choice.model]
    tellings = [
        {"learner": one.name, **one.setting, "passes": each.passes, "error": each.error}
        | fact(criterion, each.measure)
        for one, each in zip(candidates, choice.tried, strict=True)
    ]
    show(candidates, choice, criterion, out)
    count = len(tried.codes)
    low, high = interval(choice.error * count, count)
    counts = np.bincount(tried.codes, minlength=len(data.classes))
    most = int(data.counts.argmax())
    held_out = {
        "examples": count,
        "folds": plan.folds if validation is None else 0,
        "error": choice.error,
        "low": low,
        "high": high,
        "majority": str(data.classes[most]),
        "majority_error": 1 - float(counts[most]) / count,
    } | fact(criterion, choice.measure)
    return Chosen(best, choice.passes, held_out, tellings)


@contextlib.contextmanager
def worded_for(candidate: Candidate, data: TrainingData) -> Iterator[None]:
    """Let what is wrong with a row be said of its line, which rows of a fold do not tell."""
    from sklearn.base import clone

    try:
        yield
    except ValueError:
        with reading_data(data.lines):
            clone(candidate.model).set_params(max_iter=1).fit(data.X, data.y, data.sample_weight)
        raise


def show(
    candidates: list[Candidate], choice: Any, criterion: Criterion | None, out: Output
) -> None:
    """A line for each candidate; the best among several is flattered a little."""
    lines = [
        (
            f"  {one}",
            f"{each.passes}",
            percent(each.error),
            *([] if criterion is None else [percent(1 - each.measure)]),
        )
        for one, each in zip(candidates, choice.tried, strict=True)
    ]
    title = [] if criterion is None else [criterion.title]
    heads, *rows = columns(("  learner", "passes", "error", *title), lines)
    out.show(heads)
    for number, row in enumerate(rows):
        out.show(row + "  best" * (number == choice.model))
