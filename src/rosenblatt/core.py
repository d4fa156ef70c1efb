"""The native core, at the widest level of vector instructions that the processor has.

The levels v1, v3 and v4 of x86-64 (SSE2, AVX2, AVX-512) are the same code and give the same
bits; ROSENBLATT_ISA chooses a lower one, to compare or to rule one out. What gains nothing from
wider vectors, such as the readers of files, is compiled once.
"""

import importlib
import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rosenblatt import _core_any

if TYPE_CHECKING:
    from rosenblatt._core_any import *  # noqa: F403
    from rosenblatt._core_v1 import *  # noqa: F403

Fault = tuple[str, int, int, float]
"""What is wrong with rows: the kind of fault, its row, its column and its value."""


LEVELS = [
    f"v{level}"
    for level in (1, 3, 4)
    if level <= _core_any.cpu_level() and find_spec(f"rosenblatt._core_v{level}")
]
"""The levels that this processor has and that the core was compiled for."""


def choose_level() -> str:
    """The level that ROSENBLATT_ISA names, else the widest."""
    if not LEVELS:
        raise ImportError(
            "The core was compiled for wider vector instructions than this processor has: install "
            "rosenblatt again on this machine, or a build with ROSENBLATT_LEVELS=all."
        )
    chosen = os.environ.get("ROSENBLATT_ISA") or LEVELS[-1]
    if chosen not in LEVELS:
        raise ImportError(
            f"ROSENBLATT_ISA must name a level that this processor has and the core was compiled "
            f"for, {' or '.join(LEVELS)}, got ROSENBLATT_ISA={chosen!r}."
        )
    return chosen


level = choose_level()
for _part in (_core_any, importlib.import_module(f"rosenblatt._core_{level}")):
    globals().update({name: value for name, value in vars(_part).items() if name[0] != "_"})
globals()["Ties"].__module__ = "rosenblatt"  # so that a pickle can be read at another level
