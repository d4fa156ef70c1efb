"""What the parameters of all linear members mean, and checks of theirs and others.

A check that fails says so with the name and the value as the caller typed them.
"""

import math
import numbers
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from rosenblatt.inputs.errors import InputError, Name, Parameter, Words

MOST_THREADS = 1024

SHARED = """fit_intercept : bool, default=True
        Whether examples get a constant feature of one, whose weight is the intercept. It counts
        as a feature like any other: in the score, the norm and the step.

    max_iter : int, default=10
        Passes over the examples at most; a pass without an update is the last.

    shuffle : {True, "once", "blocks", False}, default=True
        Visit the examples in a new random order every pass; in one random order; along random
        blocks of 128 neighbouring rows, one from each quarter of the data at a time or, if labels
        come in runs, from each 32nd, anew every pass (as good, and much faster on data larger than
        the processor's cache); or as they stand.

    ties : {"mistake", "predict"}, default="mistake"
        Whether an example whose two best classes score the same is always a mistake, or only if
        the class that comes first, which predict would choose, is the wrong one.

    unit_length : bool, default=False
        Scale each example, its constant feature included, to length one while learning.

    class_weight : dict or "balanced", optional
        How many times as long as usual a step on an example of this class is; "balanced" makes it
        inversely proportional to how often the class occurs.

    warm_start : bool, default=False
        Whether fit goes on from the weights it finds, and from where it was interrupted.

    early_stopping : bool, default=False
        Whether to hold out rows, try the weights that would predict on them after every pass, end
        after ``n_iter_no_change`` passes without a lower error, and keep the best pass's weights.

    validation_fraction : float, default=0.1
        How much of each class is held out by early stopping, unless fit is given a validation set.

    n_iter_no_change : int, default=5
        Passes without a lower validation error after which early stopping ends training.

    random_state : int, RandomState or Generator, optional
        Where the random orders and the rows held out come from. The same number gives the same
        model, bit for bit, on every platform.

    verbose : int, default=0
        1 prints a line for each pass, 2 also measures the error on the rows learned from.

    record : bool, default=False
        Keep every update as ``mistakes_``.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights; for two classes, those of the second. A read-only view.

    intercept_ : ndarray of shape (1,) or (n_classes,)
        Weights of the constant feature.

    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.

    n_features_in_ : int
        Number of features.

    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X had names that are all strings.

    n_iter_ : int
        Number of passes.

    t_ : int
        One more than the number of examples seen in all passes.

    n_updates_ : int
        Number of times the weights were moved.

    n_mistakes_ : int
        Number of examples that came out wrong when they were learned from.

    converged_ : bool
        Whether the last pass made no update.

    history_ : list of Pass
        For each pass the updates and mistakes made during it and its seconds; where measured, the
        length of the weights and the errors on training and held-out rows after it.

    best_iter_ : int
        The pass of the last fit with the lowest validation error, if one was measured; early
        stopping keeps its weights.

    mistakes_ : ndarray of records (t, example, rival, step)
        Every update, if ``record=True``."""


def without(text: str, *names: str) -> str:
    """The text less the paragraphs about these names."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(p for p in paragraphs if p.split(" : ")[0].strip() not in names).lstrip()


def wrong(name: str, value: Any, allowed: str, remedy: Words | None = None) -> InputError:
    """The error of a parameter that must be something else."""
    return InputError(Name(name), must=allowed, got=Parameter(name, value), remedy=remedy)


def check_positive(name: str, value: Any) -> None:
    """A number above zero; infinity will do."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or not float(value) > 0:
        raise wrong(name, value, "be a positive number")


def check_number(name: str, value: Any) -> None:
    """Any finite number."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or not math.isfinite(value):
        raise wrong(name, value, "be a finite number")


def threads_of(n_jobs: Any) -> int:
    """The number of threads that scikit-learn's n_jobs asks for: -1 is one for each processor."""
    whole = isinstance(n_jobs, numbers.Integral) and not isinstance(n_jobs, bool)
    if n_jobs is not None and (not whole or n_jobs == 0):
        allowed = "be a number of threads, -1 for one on each processor, or None"
        raise wrong("n_jobs", n_jobs, allowed)
    wanted = 1 if n_jobs is None else int(n_jobs)
    if wanted < 0:
        wanted += 1 + (os.cpu_count() or 1)
    return min(max(1, wanted), MOST_THREADS)


def check_count(name: str, value: Any) -> None:
    """A whole number, one or more."""
    if type(value) is int and value >= 1:
        return
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or int(value) < 1:
        raise wrong(name, value, "be a whole number of at least 1")


def check_fraction(name: str, value: Any) -> None:
    """A number between zero and one, neither of them."""
    if not isinstance(value, numbers.Real) or not 0 < float(value) < 1:
        raise wrong(name, value, "lie between 0 and 1")


def check_choice(
    name: str, value: Any, choices: Sequence[str | bool], remedy: str | None = None
) -> None:
    """One of a few words or flags."""
    if isinstance(value, np.bool_):
        value = bool(value)
    for choice in choices:
        if type(value) is type(choice) and value == choice:
            return
    allowed = ", ".join(repr(choice) for choice in choices[:-1]) + f" or {choices[-1]!r}"
    raise wrong(name, value, f"be {allowed}", remedy)


def check_flag(name: str, value: Any) -> None:
    """True or False, or a number that stands for one."""
    if value is True or value is False:
        return
    if not isinstance(value, (np.bool_, numbers.Integral)) or value not in (0, 1):
        raise wrong(name, value, "be True or False")


def check_verbosity(name: str, value: Any) -> None:
    """A whole number, or a flag."""
    if type(value) is int and value >= 0:
        return
    if not isinstance(value, numbers.Real) or not math.isfinite(value) or float(value) < 0:
        raise wrong(name, value, "be 0, 1 or more")
