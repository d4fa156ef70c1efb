"""The native core, at the widest level of vector instructions that the processor has.

The levels v1, v3 and v4 of x86-64 (SSE2, AVX2, AVX-512) are the same code and give the same
bits; ROSENBLATT_ISA chooses a lower one, to compare or to rule one out. What gains nothing from
wider vectors, such as the readers of files, is compiled once.
"""

import importlib
import os
from typing import TYPE_CHECKING

from rosenblatt import _core_any

if TYPE_CHECKING:
    from rosenblatt._core_any import *  # noqa: F403
    from rosenblatt._core_v1 import *  # noqa: F403

Fault = tuple[str, int, int, float]
"""What is wrong with rows: the kind of fault, its row, its column and its value."""


def choose_level() -> str:
    """The level that ROSENBLATT_ISA names, else the widest; an error if the processor lacks it."""
    usable = [f"v{level}" for level in (1, 3, 4) if level <= _core_any.cpu_level()]
    chosen = os.environ.get("ROSENBLATT_ISA") or usable[-1]
    if chosen not in usable:
        raise ImportError(
            f"ROSENBLATT_ISA must name a level that this processor has, "
            f"{' or '.join(usable)}, got ROSENBLATT_ISA={chosen!r}."
        )
    return chosen


level = choose_level()
for _part in (_core_any, importlib.import_module(f"rosenblatt._core_{level}")):
    globals().update({name: value for name, value in vars(_part).items() if name[0] != "_"})
