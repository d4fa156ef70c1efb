"""The way that a search comes to, and what it is worth on examples that had no say in it."""

from typing import Any, NamedTuple

from rosenblatt.inputs.errors import InputError
from rosenblatt.tuning.budget import Smallness
from rosenblatt.tuning.search import Measured, Search
from rosenblatt.tuning.search_space import Configuration

WHOLE = Smallness()


class FinalChoice(NamedTuple):
    """A way that was chosen, and how wrong it is where nothing was chosen by."""

    way: Configuration
    passes: int
    worth: Measured
    first: Measured
    """Of the way that was tried first."""
    whole: Measured | None
    """Of the choice before it was made small; None if it was not."""
    model: Any
    """The choice, which has learned from the examples that it was chosen by, not yet small."""


def choose_finally(search: Search, small: Smallness = WHOLE) -> FinalChoice:
    """Choose among what a search has tried, and measure the choice."""
    finalists = search.finalists()
    way, passes = _best_when_small(search, finalists, small) if small.asked_for else finalists[0]
    model, known = search.fitted(way, passes, search.inside)
    worth = whole = search.measured(model, known, search.outside)
    if small.asked_for:
        worth = search.measured(small.made(model)[0], known, search.outside)
    first = whole
    if search.first() != (way, passes):
        first = search.measured(*search.fitted(*search.first(), search.inside), search.outside)
    return FinalChoice(way, passes, worth, first, whole if small.asked_for else None, model)


def _best_when_small(
    search: Search, finalists: list[tuple[Configuration, int]], small: Smallness
) -> tuple[Configuration, int]:
    """The best of the best ways once their models are as small as they must be."""
    folds = search.last_folds
    others, tried = search.sample_rows[folds != 0], search.sample_rows[folds == 0]
    found, refused = [], None
    for place, (way, passes) in enumerate(finalists):
        model, known = search.fitted(way, passes, others)
        try:
            made, _ = small.made(model)
        except InputError as error:  # not even a part of it fits
            refused = error
            continue
        found.append((search.measured(made, known, tried).measure, place, way, passes))
    if not found:
        assert refused is not None
        raise refused
    _, _, way, passes = min(found)
    return way, passes
