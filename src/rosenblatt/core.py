"""The native core, at the widest level of vector instructions that the processor has.

The levels v1, v3 and v4 of x86-64 (SSE2, AVX2, AVX-512) are the same code and give the same
bits; ROSENBLATT_ISA chooses a lower one, to compare or to rule one out.
"""

import importlib
import os
from typing import TYPE_CHECKING

from rosenblatt import _core_v1

if TYPE_CHECKING:
    from rosenblatt._core_v1 import (
        ArowRule,
        PassiveAggressiveRule,
        PerceptronRule,
        Problem,
        Rows,
        SvmlightReader,
        Ties,
        WinnowRule,
        csr,
        dense,
        learn,
        predict,
        score,
        shuffle,
        shuffle_blocks,
        svmlight_slack,
    )

__all__ = [
    "ArowRule",
    "PassiveAggressiveRule",
    "PerceptronRule",
    "Problem",
    "Rows",
    "SvmlightReader",
    "Ties",
    "WinnowRule",
    "csr",
    "dense",
    "learn",
    "level",
    "predict",
    "score",
    "shuffle",
    "shuffle_blocks",
    "svmlight_slack",
]


def choose_level() -> str:
    """The level that ROSENBLATT_ISA names, else the widest; an error if the processor lacks it."""
    usable = [f"v{level}" for level in (1, 3, 4) if level <= _core_v1.cpu_level()]
    chosen = os.environ.get("ROSENBLATT_ISA") or usable[-1]
    if chosen not in usable:
        raise ImportError(
            f"ROSENBLATT_ISA must name a level that this processor has, "
            f"{' or '.join(usable)}, got ROSENBLATT_ISA={chosen!r}."
        )
    return chosen


level = choose_level()
_native = importlib.import_module(f"rosenblatt._core_{level}")
globals().update({name: getattr(_native, name) for name in __all__ if name != "level"})
