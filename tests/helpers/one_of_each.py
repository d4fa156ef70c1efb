"""One of each class of estimators, and how tests of what may crash call them."""

import numpy as np
import pytest

from members import MEMBERS
from unusual import plain

LEARNERS = list({type(member.model): member for member in reversed(MEMBERS)}.values())
"""One of each class of estimators."""

FOR_EACH_LEARNER = [pytest.mark.in_a_child, pytest.mark.parametrize("learner", LEARNERS, ids=str)]
"""Marks of tests of what may crash."""

LEARNING = ["fit", "partial_fit"]


def labels(classes):
    """Labels for the plain rows."""
    return np.arange(12) * 7 % 5 % classes


def trained(learner, classes=2, **parameters):
    """A model with something to lose: after a few passes over the plain rows."""
    return learner.new(random_state=0, max_iter=3, **parameters).fit(plain(), labels(classes))


def learn(model, method, X, y, **arguments):
    if method == "partial_fit" and "classes" not in arguments:
        arguments["classes"] = range(len(np.unique(y)))
    return getattr(model, method)(X, y, **arguments)
