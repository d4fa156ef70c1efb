"""The way that a search comes to, and what it is worth on examples that had no say in it."""

import os
import tempfile
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputError
from rosenblatt.persistence.model_files import load
from rosenblatt.persistence.shrinking import Shrunk, shrink
from rosenblatt.tuning.search import Measured, Search
from rosenblatt.tuning.ways import Way

FINALISTS = 4
"""How many of the best ways are tried once more where models must be small."""


class Settled(NamedTuple):
    """A way that was chosen, and how wrong it is where nothing was chosen by."""

    way: Way
    passes: int
    worth: Measured
    first: Measured
    """Of the way that was tried first."""
    whole: Measured | None
    """Of the choice before it was made small; None if it was not."""
    model: Any
    """The choice, which has learned from the examples that it was chosen by, not yet small."""


def settled(search: Search, max_size: int | None = None) -> Settled:
    """Choose among what a search has tried, and measure the choice."""
    [(way, passes), *_] = search.best()
    if max_size is not None:
        way, passes = _best_when_small(search, max_size)
    model, known = search.fitted(way, passes, search.inside)
    worth = whole = search.measured(model, known, search.outside)
    if max_size is not None:
        small, _ = made_small(model, max_size)
        worth = search.measured(small, known, search.outside)
    first = whole
    if search.first() != (way, passes):
        first = search.measured(*search.fitted(*search.first(), search.inside), search.outside)
    return Settled(way, passes, worth, first, None if max_size is None else whole, model)


def _best_when_small(search: Search, max_size: int) -> tuple[Way, int]:
    """The best of the best ways once their models are as small as they must be."""
    others, tried = _fifth_apart(search)
    found, refused = [], None
    for place, (way, passes) in enumerate(search.best(FINALISTS)):
        model, known = search.fitted(way, passes, others)
        try:
            small, _ = made_small(model, max_size)
        except InputError as error:  # not even a part of it fits
            refused = error
            continue
        found.append((search.measured(small, known, tried).measure, place, way, passes))
    if not found:
        assert refused is not None
        raise refused
    _, _, way, passes = min(found)
    return way, passes


def _fifth_apart(search: Search) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Examples of the search to learn from, and others to try on."""
    folds = search.last_folds
    rows = search.sample_rows
    return rows[folds != 0], rows[folds == 0]


def made_small(model: Any, max_size: int) -> tuple[Any, Shrunk]:
    """The model as a file of so many bytes holds it, and what is left of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "small.rbt")
        made = shrink(model, path, max_size=max_size)
        return load(path), made
