"""Runs that are stopped early, and which of their rows are held out."""

import numpy as np

from rosenblatt.training.validation import split

CLASSES = [2, 3]
STOPPING = {"early_stopping": True, "max_iter": 40, "n_iter_no_change": 3, "random_state": 5}


def parts(model, y, fraction=0.1):
    """The rows that this model learns from and those that it holds out."""
    codes = np.searchsorted(model.classes_, y)
    return split(codes, model.classes_, fraction, model.random_state)


def untimed(model):
    """The history, but for what no two runs share."""
    return [done._replace(seconds=0.0) for done in model.history_]
