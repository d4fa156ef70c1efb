"""Calls of the core itself, for what no estimator lets through.

That is a chosen level of vector instructions, no columns at all, two classes in a race of many.
"""

import importlib
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from rosenblatt import core
from rosenblatt.training.mistakes import MISTAKE

LEVELS = [importlib.import_module(f"rosenblatt._core_{level}") for level in core.LEVELS]
"""The core at every level of vector instructions that this processor has."""


@dataclass
class Learned:
    weights: np.ndarray
    missed: np.ndarray
    counts: np.ndarray
    mistakes: np.ndarray

    @property
    def total(self):
        """The sum of w_0 ... w_T."""
        return (self.counts[0] + 1) * self.weights - self.missed


def rows_of(core, X):
    """X as the core reads it, checked."""
    if sparse.issparse(X):
        rows = core.csr(X.data, X.indices, X.indptr, X.shape[1])
    else:
        rows = core.dense(X)
    assert rows.check(values=True) is None
    return rows


def learn(
    core,
    X,
    codes,
    *,
    classes=2,
    race=False,
    rule=None,
    passes=1,
    constant=1.0,
    unit_length=False,
    ties="mistake",
    order=None,
    class_weight=None,
    sample_weight=None,
):
    """Walk over the rows; ``race=True`` gives two classes a column each, as if they were more."""
    columns = 1 if classes == 2 and not race else -(-classes // 4) * 4
    learned = Learned(
        np.zeros((X.shape[1] + 1, columns)),
        np.zeros((X.shape[1] + 1, columns)),
        np.zeros(3, dtype=np.int64),
        np.zeros(passes * len(codes), dtype=MISTAKE),
    )
    problem = core.Problem(
        rows_of(core, X),
        np.asarray(codes, dtype=np.int32),
        classes,
        constant,
        False,
        unit_length,
        core.Ties.mistake if ties == "mistake" else core.Ties.first,
        class_weight,
        sample_weight,
    )
    used, none = np.zeros(4, dtype=np.int64), np.empty(0, dtype=np.int64)
    arrays = learned.mistakes.view(np.uint8), none, none.astype(np.int32), np.empty(0), used, none
    for _ in range(passes):
        core.learn(
            problem=problem,
            rule=rule or core.PerceptronRule(),
            weights=learned.weights,
            missed=learned.missed,
            sureness=None,
            counts=learned.counts,
            order=order,
            begin=0,
            end=len(codes),
            look=False,
            mistakes=core.Mistakes(*arrays),
        )
    learned.mistakes = learned.mistakes[: used[0]]
    return learned


def score(core, X, weights, *, missed=None, counted=1.0, constant=1.0, classes=2):
    out = np.empty((X.shape[0], 1 if classes == 2 else classes))
    core.score(rows_of(core, X), weights, missed, counted, constant, out)
    return out


def predict(core, X, weights, *, missed=None, counted=1.0, constant=1.0, classes=2, float32=False):
    """The winners; with ``float32``, told by weights of half the size where they can."""
    out = np.empty(X.shape[0], dtype=np.int64)
    rows = rows_of(core, X)
    half = core.SinglePrecision(weights, missed, counted) if float32 else None
    core.predict(rows, weights, missed, counted, constant, classes, core.Ties.first, out, half)
    return out


def frequent_combinations(core, X, degree, least):
    return core.frequent_combinations(rows_of(core, X), degree, least)


def combine(core, X, places, ranks, degree):
    """The rows with all combinations, with those of the ranks, or with 64 hashed columns."""
    count, width = X.shape
    starts = np.zeros(2 + (ranks[-1] if len(ranks) else 0) + width**degree, dtype=np.uint32)
    core.index_combinations(ranks, 0, starts)
    chosen = {
        "all": core.AllCombinations(width),
        "seen": core.SeenCombinations(width, ranks, starts, 0),
        "hashed": core.HashedCombinations(6),
    }[places]
    rows = rows_of(core, X)
    ends = np.empty(count, dtype=np.int64)
    core.count_combinations(rows, degree, True, ends)
    values = np.empty(ends[-1], dtype=X.dtype)
    columns, bounds = np.empty(len(values), np.int64), np.zeros(count + 1, np.int64)
    filled = core.combine(rows, chosen, degree, True, 0, count, ends, values, columns, bounds, 0)
    parts = values[:filled], columns[:filled], bounds
    return sparse.csr_array(parts, shape=(count, width**3 + width + 64))
