"""Calls of the core itself that do not fit: refused before anything is read or written.

No estimator makes such calls; but should one come to, it is to end in words, not in memory.
"""

import numpy as np
import pytest

from native import LEVELS, rows_of
from rosenblatt.training.mistakes import MISTAKE, Mistakes

pytestmark = [pytest.mark.in_a_child, pytest.mark.parametrize("core", LEVELS)]

FAR = 10**6


def problem(core, rows=None, labels=(0, 1, 1), classes=2, sample_weight=None, class_weight=None):
    return core.Problem(
        rows_of(core, np.eye(3)) if rows is None else rows,
        np.array(labels, dtype=np.int32),
        classes,
        1.0,
        False,
        False,
        core.Ties.mistake,
        class_weight,
        sample_weight,
    )


def learn(core, posed=None, **changes):
    arguments = {
        "rule": core.PerceptronRule(),
        "weights": np.zeros((4, 1)),
        "missed": None,
        "sureness": None,
        "counts": np.zeros(3, dtype=np.int64),
        "order": None,
        "begin": 0,
        "end": 3,
        "look": True,
    }
    core.learn(posed or problem(core), **(arguments | changes))


def dual(core):
    return rows_checked(core.dual(np.eye(3), np.arange(3, dtype=np.int32)))


def rows_checked(rows):
    assert rows.check(values=True) is None
    return rows


def room_for_none(core):
    none = Mistakes()
    return core.Mistakes(
        none.list.view(np.uint8), ints(0, kind=np.int64), ints(), np.empty(0), none.used,
        ints(kind=np.int64),
    )  # fmt: skip


def order(*rows):
    return np.array(rows, dtype=np.uint32)


def ints(*numbers, kind=np.int32):
    return np.array(numbers, dtype=kind)


REFUSED = {
    "labels of no class": (lambda core: problem(core, labels=(0, 1, 2)), "labels must lie below"),
    "labels below zero": (lambda core: problem(core, labels=(0, -1, 1)), "labels must lie below"),
    "fewer labels": (lambda core: problem(core, labels=(0, 1)), "a label for each row"),
    "rows that were not looked at": (
        lambda core: problem(core, rows=core.dense(np.eye(3))),
        "check the rows first",
    ),
    "fewer weights of rows": (
        lambda core: problem(core, sample_weight=np.ones(2)),
        "one weight for each row",
    ),
    "fewer weights of classes": (
        lambda core: problem(core, class_weight=np.ones(1)),
        "one weight for each class",
    ),
    "weights of fewer columns": (
        lambda core: learn(core, weights=np.zeros((3, 1))),
        "a weight row for each column and one",
    ),
    "weights of fewer classes": (
        lambda core: learn(core, problem(core, classes=5), weights=np.zeros((4, 4))),
        "a weight column for each class",
    ),
    "sums of another shape": (
        lambda core: learn(core, missed=np.zeros((3, 1))),
        "missed must have the shape",
    ),
    "an end beyond the rows": (lambda core: learn(core, end=4), "positions in the pass"),
    "an end before the beginning": (lambda core: learn(core, begin=2, end=1), "positions"),
    "rows that there are not": (
        lambda core: learn(core, order=order(0, FAR, 1)),
        "order must name rows",
    ),
    "fewer counts": (lambda core: learn(core, counts=np.zeros(2, dtype=np.int64)), "counts are"),
    "steps of AROW without what is sure": (
        lambda core: learn(core, rule=core.ArowRule(1.0)),
        "sureness is for AROW",
    ),
    "a budget of rows": (
        lambda core: learn(core, budget=core.Budget(1, 0, [])),
        "a budget is for",
    ),
    "supports that there are not": (
        lambda core: learn(core, problem(core, dual(core)), budget=core.Budget(1, 0, [FAR])),
        "supports must be candidates",
    ),
    "candidates that there are not": (
        lambda core: core.dual(np.eye(3), ints(0, 1, 3)),
        "candidates must be columns",
    ),
    "candidates below zero": (
        lambda core: core.dual(np.eye(3), ints(0, -1, 2)),
        "candidates must be columns",
    ),
    "no indptr": (
        lambda core: core.csr(np.ones(1), ints(0), ints(), 1),
        "indptr must not be empty",
    ),
    "indices of two types": (
        lambda core: core.csr(np.ones(1), ints(0), ints(0, 1, kind=np.int64), 1),
        "must share a type",
    ),
    "no room for mistakes": (
        lambda core: learn(core, mistakes=room_for_none(core)),
        "room for the mistakes",
    ),
    "voters on rows that are not kept": (
        lambda core: core.Voters(
            np.array([(1, 0, 1, 0, 1.0, FAR, 1.0)], dtype=MISTAKE).view(np.uint8),
            ints(0, 1, kind=np.int64),
            ints(0),
            np.ones(1),
            1,
            1,
            2,
            1.0,
        ),
        "mistakes must name kept rows",
    ),
    "voters of classes that there are not": (
        lambda core: core.Voters(
            np.array([(1, 0, FAR, 0, 1.0, 0, 1.0)], dtype=MISTAKE).view(np.uint8),
            ints(0, 1, kind=np.int64),
            ints(0),
            np.ones(1),
            1,
            1,
            2,
            1.0,
        ),
        "classes must be known",
    ),
}


@pytest.mark.parametrize(("call", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_what_does_not_fit_is_refused(core, call, words):
    with pytest.raises((ValueError, RuntimeError), match=words):
        call(core)
