"""Which learner ``train`` takes, with which setting and how many passes: what others did best."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.failures import DATA, Failure, asked_for, reading_data
from rosenblatt.cli.held_out_error import error_of, measured
from rosenblatt.cli.output import Output, columns, counted, shortened
from rosenblatt.cli.train_plan import Candidate, Plan
from rosenblatt.inputs.label_sets import LabelSets, strata
from rosenblatt.models.criteria import Criterion, criterion_of
from rosenblatt.models.selection import SAMPLE, choose, error
from rosenblatt.readers.training_data import TrainingData
from rosenblatt.training.calibration import spread
from rosenblatt.training.validation import Labelled, fold_numbers

MOST_SCORES = 1 << 24
"""Kept of a way to learn, at most: 128 MB."""

GROUPS = 5
"""Of the rows of a validation file, each measured with what the others chose."""


def fact(criterion: Criterion | None, measure: float) -> dict[str, float]:
    """The value of what was chosen by, for programs and for the model file."""
    return {} if criterion is None else {criterion.name: criterion.value(measure)}


class Chosen(NamedTuple):
    """What to learn with, and what is known of it."""

    candidate: Candidate
    passes: int
    held_out: dict[str, Any] | None
    """How good it was on examples that it had not seen; None if nobody looked."""
    tried: list[dict[str, Any]]
    """What each candidate came to."""
    unseen: "UnseenScores | None" = None
    """The scores of examples by models that learned from all the others, where these are kept."""


class UnseenScores(NamedTuple):
    """Scores of examples that were not learned from, and what these should come to."""

    scores: NDArray[np.float64]
    answers: Any
    sample_weight: NDArray[np.float64] | None


def chosen(plan: Plan, data: TrainingData, validation: Labelled | None, out: Output) -> Chosen:
    """Try all candidates, by cross-validation or on a file of the caller's."""
    with reading_data():
        candidates = plan.candidates(data)
    if not plan.folds and validation is None:
        return Chosen(candidates[0], plan.passes, None, [])
    from rosenblatt.models.cross_validation import tried_in_folds, tried_on

    with asked_for():
        criterion = criterion_of(plan.select, data.answers, data.classes)
    learned = data.labelled
    kept = None
    if validation is None:
        learned = learned.sample(SAMPLE, plan.seed)
        if np.bincount(strata(learned.codes)).max() < 2:
            raise Failure(
                DATA, "No label has two examples, so that none can be held out: add --folds 0."
            )
        tried, groups = learned, fold_numbers(strata(learned.codes), plan.folds, plan.seed)
        how = f"by {plan.folds}-fold cross-validation"
        if len(learned.codes) < len(data.y):
            how += f" on {len(learned.codes):,} of them"
        else:
            kept = kept_of(plan, data)
    else:
        tried, groups = validation, fold_numbers(strata(validation.codes), GROUPS, plan.seed)
        how = f"on the {len(validation.codes):,} examples of {plan.validation}"
    out.say("try", f"{counted(len(candidates), 'way')} to learn, {how}")
    walks = 1 if validation is not None else plan.folds
    work, done = len(candidates) * walks * plan.passes, 0

    def pass_done() -> None:
        nonlocal done
        done += 1

    weights = tried.sample_weight
    trials: list[Any] = []
    scores, choice = None, None
    measure = error if criterion is None else criterion.measure
    with reading_data(), out.bar("trying", lambda: done / work):
        class_weighted = tried.class_weighted(candidates[0].model) if criterion is None else weights
        for candidate in candidates:
            steps = plan.passes, pass_done, plan.select
            with worded_for(candidate, data):
                if validation is None:
                    found = tried_in_folds(candidate.model, learned, groups, *steps, kept)
                else:
                    found = tried_on(candidate.model, learned, tried, *steps)
            trials.append(replace(found, scores=None))
            answers = [one.found for one in trials]
            losses = None if found.losses is None else [one.losses for one in trials]
            by_weight = class_weighted, weights
            choice = choose(answers, tried.codes, groups, *by_weight, measure, losses)
            if choice.model == len(trials) - 1 and found.scores is not None:
                scores = found.scores
    assert choice is not None
    unseen = None
    if scores is not None:
        rows = trials[choice.model].rows
        weight = None if weights is None else weights[rows]
        unseen = UnseenScores(scores[choice.passes - 1], tried.codes[rows], weight)
    best = candidates[choice.model]
    tellings = [
        {"learner": one.name, **one.setting, "passes": each.passes, "error": each.error}
        | fact(criterion, each.measure)
        for one, each in zip(candidates, choice.tried, strict=True)
    ]
    show(candidates, choice, criterion, data, out)
    held_out = measured(tried, choice.error, plan.folds if validation is None else 0, data.counts)
    held_out |= fact(criterion, choice.measure)
    return Chosen(best, choice.passes, held_out, tellings, unseen)


def kept_of(plan: Plan, data: TrainingData) -> NDArray[np.intp] | None:
    """The examples whose scores are kept while ways to learn are tried; None if they are too many.

    They are to tell what scores mean: how probable labels are, and from where they are given.
    """
    rows = spread(len(data.y))
    small = len(rows) * len(data.classes) * plan.passes <= MOST_SCORES
    wanted = isinstance(data.y, LabelSets) or (plan.probabilities and len(data.classes) > 0)
    return rows if small and wanted and plan.shards is None else None


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
    candidates: list[Candidate],
    choice: Any,
    criterion: Criterion | None,
    data: TrainingData,
    out: Output,
) -> None:
    """A line for each candidate; the best among several is flattered a little."""
    head, format_error = error_of(data.answers)
    lines = [
        (
            f"  {one}",
            f"{each.passes}",
            format_error(each.error),
            *([] if criterion is None else [criterion.text(each.measure)]),
        )
        for one, each in zip(candidates, choice.tried, strict=True)
    ]
    title = [] if criterion is None else [shortened(criterion.title, 40)]
    heads, *rows = columns(("  learner", "passes", head, *title), lines)
    out.show(heads)
    for number, row in enumerate(rows):
        out.show(row + "  best" * (number == choice.model))
