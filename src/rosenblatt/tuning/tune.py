"""``tune``: the best way to learn that a budget finds, fitted, and what was tried."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import ArrayLike
from sklearn.pipeline import Pipeline

from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.inputs.label_sets import are_label_sets, read_label_sets
from rosenblatt.inputs.labels import distinct, encode, read_labels
from rosenblatt.inputs.parameters import (
    check_choice,
    check_count,
    check_positive,
    is_integer,
    wrong,
)
from rosenblatt.inputs.tables import read_sample_weight
from rosenblatt.persistence.shrinking import PRECISIONS, Shrunk
from rosenblatt.tuning.budget import Budget, Smallness
from rosenblatt.tuning.feature_cache import maker_of, may_pair, steps_of, takes_text
from rosenblatt.tuning.final_choice import FinalChoice, choose_finally
from rosenblatt.tuning.search import Run, Search, Task
from rosenblatt.tuning.search_space import Space
from rosenblatt.tuning.tuning_examples import TuningExamples

RUNS = 40
"""What a search comes to unless told."""


@dataclass(frozen=True)
class Tuned:
    """What `tune` has found."""

    __module__ = "rosenblatt"

    best: Any = field(repr=False)
    """The estimator, or the pipeline of vectorizer and estimator, fitted to all examples."""
    choice: dict[str, Any]
    """Its settings: learner, passes and, of text, how it is cut and weighed."""
    held_out: dict[str, Any]
    """How wrong the choice was on examples that had no say in it: how many these are, the error,
    that of the way tried first, and the value it was chosen by if that is not the error; None,
    where that is the F1 of a label, if none of these has the label in ``none_held_out``."""
    tried: list[dict[str, Any]] = field(repr=False)
    """A row for each run, in order: how many examples, settings, best number of passes, error; or
    why nothing could be learned so."""
    runs: int
    """How many they are. ``tune(..., runs=runs)`` makes the same choice."""
    seconds: float
    """That all of it took."""
    interrupted: bool = False
    """Whether Ctrl-C ended the search."""
    shrunk: Shrunk | None = None
    """What is left of the model, if it was to be small."""


def tune(
    X: Any,
    y: Any,
    *,
    seconds: float | None = None,
    runs: int | None = None,
    max_size: int | None = None,
    precision: str = "float64",
    select: str = "error",
    sample_weight: ArrayLike | None = None,
    class_weight: Any = None,
    probabilities: bool = False,
    random_state: int = 0,
    n_jobs: int | None = None,
    run_done: Callable[[dict[str, Any]], None] | None = None,
) -> Tuned:
    """Search for the best way to learn from these examples, and fit it to all of them.

    A run tries one way, by five-fold cross-validation, with its best number of passes: a learner
    (the averaged passive-aggressive learner with steps of several lengths, AROW, the averaged
    perceptron) and, for texts, words or characters, how many of them make a feature, whether case
    counts, and how they are weighed. Ways are first tried on a quarter of the examples, the better
    half of them on half, the better half of these on all; new ones are drawn at random, or differ
    in one setting from the best so far. The four best compete once more in ten other folds. A tenth
    of the examples has no say in this: it tells what the choice is worth. Then the choice learns
    from all examples.

    Parameters
    ----------
    X : list of texts, table, list of dicts, or matrix
        Columns of a data frame or a dict of lists are read as `TableVectorizer` reads them, dicts
        as `NamedVectorizer` does. A matrix, dense or sparse, is learned from as it is, or with the
        pairs of its features if its rows have few.

    y : array-like of shape (n_samples,), or sets of labels
        Labels; a set of them for each example, or a matrix of zeros and ones, for several.

    seconds : float, optional
        Begin no run after so much time. To fit the choice takes longer.

    runs : int, optional
        Make so many runs; 40 if neither is given. The same runs make the same choice.

    max_size : int, optional
        Bytes that the model's file may take. The best ways are compared once more by what models of
        this size come to, and ``best`` is such a model, which predicts but does not learn on; see
        `shrink`.

    precision : {"float64", "float16", "int8"}, default="float64"
        How weights are rounded in such a file, likewise.

    select : {"error", "f1", "macro-f1", "log-loss"}, default="error"
        Choose by fewest errors, by F1 of the rarer of two labels (of all together, where examples
        have several), by the mean F1 of all labels, or by probabilities.

    sample_weight : array-like of shape (n_samples,), optional
        How much each example counts, in learning and in choosing.

    class_weight : dict or "balanced", optional
        How much labels count, likewise.

    probabilities : bool, default=False
        Whether ``best`` is to know how probable its labels are.

    random_state : int, default=0
        What is drawn at random follows from it.

    n_jobs : int, optional
        Threads that read words, with the same result.

    run_done : callable, optional
        Called after each run with its row of ``tried``.

    Returns
    -------
    Tuned
        The fitted ``best``, its settings, what was tried, and what the choice is worth. Ctrl-C
        after the first run ends the search alone: the best so far is then fitted.

    Examples
    --------
    >>> from rosenblatt import tune
    >>> texts = ["a good film", "a bad film", "good plot", "bad plot", "good", "bad cast"] * 5
    >>> labels = ["+", "-", "+", "-", "+", "-"] * 5
    >>> found = tune(texts, labels, runs=3)
    >>> found.choice["learner"], found.held_out["error"], len(found.tried)
    ('pa', 0.0, 3)
    >>> found.best.predict(["a good cast"])
    array(['+'], dtype='<U1')
    """
    begin = time.monotonic()
    check_choice("precision", precision, list(PRECISIONS))
    _check(seconds, runs, max_size, random_state)
    given = TuningExamples.of(X, n_jobs)
    task = _task(given, y, sample_weight, select, class_weight, random_state)
    search = Search(task)
    budget = Budget(RUNS if runs is None and seconds is None else runs, seconds)
    interrupted = False
    try:
        for run in search.until(budget):
            if run_done is not None:
                run_done(row_of(run, search))
    except KeyboardInterrupt:
        if not search.runs:
            raise
        interrupted = True
    small = Smallness(max_size, precision)
    found = choose_finally(search, small)
    best = _fitted(found, given, y, sample_weight, probabilities, task)
    shrunk = None
    if small.asked_for:
        best, shrunk = small.made(best)
    return Tuned(
        best,
        found.way.facts() | {"passes": found.passes},
        held_out_by(found, search),
        [row_of(run, search) for run in search.runs],
        len(search.runs),
        time.monotonic() - begin,
        interrupted,
        shrunk,
    )


def _check(seconds: Any, runs: Any, max_size: Any, random_state: Any) -> None:
    if seconds is not None:
        check_positive("seconds", seconds)
    for name, value in (("runs", runs), ("max_size", max_size)):
        if value is not None:
            check_count(name, value)
    if not is_integer(random_state) or not 0 <= random_state < 2**63:
        raise wrong("random_state", random_state, "be a whole number of at least 0")


def _task(
    given: TuningExamples, y: Any, sample_weight: Any, select: str, class_weight: Any, seed: int
) -> Task:
    """What is to be learned, once it is found in order."""
    count = given.length
    sample_weight = read_sample_weight(sample_weight, count)
    answers: Any
    if are_label_sets(y):
        answers = read_label_sets(y, count)
        classes = answers.classes
    else:
        labels = read_labels("tune", y, count)
        classes = distinct(labels)
        answers = encode(labels, classes)
    if len(classes) < 2:
        raise InputError(Name("y"), must="hold two labels or more", got=str(classes.tolist()))
    space = Space.of(text=takes_text(given.base), pairs=may_pair(given.examples, given.base))
    shared = {"shuffle": "blocks", "random_state": int(seed), "class_weight": class_weight}
    return Task(
        *(given.examples, answers, classes, sample_weight, given.base, space, shared, select),
        seed=seed,
    )


def _fitted(
    found: FinalChoice,
    given: TuningExamples,
    y: Any,
    sample_weight: Any,
    probabilities: bool,
    task: Task,
) -> Any:
    """The choice, which has learned from all examples."""
    model = found.way.model(task.shared)
    model.set_params(max_iter=found.passes, probabilities=probabilities)
    steps = steps_of(maker_of(given.base, found.way))
    if not steps:
        return model.fit(given.examples, y, sample_weight)
    best = Pipeline([*steps, ("model", model)])
    best.fit(given.examples, y, model__sample_weight=sample_weight)
    if "n_jobs" in best[0].get_params(deep=False):
        best[0].set_params(n_jobs=None)
    return best


def row_of(run: Run, search: Search) -> dict[str, Any]:
    """A run as facts."""
    facts = {"run": run.number, "examples": run.examples, **run.way.facts(), "passes": run.passes}
    if run.failed:
        return facts | {"error": None, "failed": run.failed}
    return facts | {"error": run.error} | value_of(search, run.measure)


def value_of(search: Search, measure: float) -> dict[str, float]:
    """What ways are chosen by, if not by errors."""
    criterion = search.criterion
    return {} if criterion is None else {criterion.name: criterion.value(measure)}


def held_out_value(found: FinalChoice, search: Search) -> dict[str, Any]:
    """What the choice came to by what it was chosen by, if that can be told of what is held out."""
    label = search.none_held_out
    if label is None or search.criterion is None:
        return value_of(search, found.worth.measure)
    return {search.criterion.name: None, "none_held_out": label}


def held_out_by(found: FinalChoice, search: Search) -> dict[str, Any]:
    """What the choice came to on the examples that had no say in it."""
    facts: dict[str, Any] = {"examples": len(search.outside), "error": found.worth.error}
    facts |= held_out_value(found, search)
    facts["first_error"] = found.first.error
    if found.whole is not None:
        facts["whole_error"] = found.whole.error
    return facts
