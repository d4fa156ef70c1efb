"""The widest margin of many differences of few weights, found from the few of them that bind."""

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.interior_point import solve_by_interior_point
from rosenblatt.theory.margin_program import BestSoFar, MarginProgram, Point

FIRST = 8
"""Differences for each weight that are looked at first."""
MORE = 4
"""The most for each weight that join in a round."""
ROUGHLY = 1e-6
"""How near, relatively, the bounds of a part are at least if it has a solution."""
MOST = 2
"""The part of all differences that is worth it is one in so many."""


def is_worth_a_working_set(program: MarginProgram) -> bool:
    """Whether there are many more differences than a round looks at."""
    rows: int = program.D.shape[0]
    return rows > 2 * MOST * FIRST * _weights(program)


def solve_by_working_set(program: MarginProgram) -> BestSoFar:
    """The solution of a growing part of the differences, until it is that of all.

    Of a part the multipliers bound the margin of all from above, since those of the others may be
    zero; its weights, measured on all, bound it from below. Until the bounds meet, the differences
    that are furthest behind the margin of the part join it. Few have to: at the solution no more
    hold a multiplier than there are weights, and one.
    """
    rows, most = program.D.shape[0], MORE * _weights(program)
    chosen = np.zeros(rows, dtype=np.bool_)
    order = np.random.default_rng(0).permutation(rows)
    chosen[order[: FIRST * _weights(program)]] = True
    start = Point(np.zeros(program.D.shape[1]), np.zeros(program.C.shape[1]), np.full(rows, 1.0))
    best = BestSoFar(program, start)
    while np.count_nonzero(chosen) * MOST < rows:
        part = np.flatnonzero(chosen)
        found = solve_by_interior_point(MarginProgram(program.D[part], program.C[part]))
        weights, intercepts, of_part = found.point
        multipliers = np.zeros(rows)
        multipliers[part] = of_part
        best.note(np.concatenate([weights, intercepts, [0.0]]), multipliers)
        gaps = program.D @ weights + program.C @ intercepts
        behind = np.flatnonzero(~chosen & (gaps < gaps[part].min()))
        solved = found.close or found.gap <= ROUGHLY * found.highest
        if best.close or (solved and not len(behind)):
            return best
        if solved:
            chosen[_least(gaps, behind, most)] = True
        else:  # as where the part has no example of some class, and nothing holds back
            chosen[order[~chosen[order]][: len(part)]] = True
    return solve_by_interior_point(program)


def _weights(program: MarginProgram) -> int:
    return int(program.D.shape[1] + program.C.shape[1])


def _least(gaps: NDArray[np.float64], among: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Of some places those of the least gaps."""
    if len(among) <= most:
        return among
    return among[np.argpartition(gaps[among], most)[:most]]
