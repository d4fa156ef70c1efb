"""What ``train`` notes in a model file, read with the care that a stranger's file needs.

Notes are free: who saves a model by hand may call something else ``data`` or ``held_out``.
"""

import math
from typing import Any

from rosenblatt.cli.output import counted
from rosenblatt.inputs.parts import is_whole


def held_out(notes: dict[str, Any]) -> dict[str, Any] | None:
    """How good the model was on held-out examples; None if that is not noted."""
    held = notes.get("held_out")
    if not isinstance(held, dict):
        return None
    examples = held.get("examples")
    shares = [held.get(name) for name in ("error", "ranking_precision") if name in held]
    sound = all(_is_number(share, most=1) for share in shares)
    if not shares:
        sound = _is_number(held.get("mean_absolute_error"))
    return held if sound and is_whole(examples) and examples else None


def _is_number(value: Any, most: float = math.inf) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= most


def how_measured(held_out: dict[str, Any]) -> str:
    """On what the error of a model was measured, in words."""
    folds, count = held_out.get("folds"), held_out["examples"]
    if isinstance(folds, int) and folds > 1:
        return f"by {folds}-fold cross-validation of {count:,} examples"
    if held_out.get("progressive") is True:
        return f"on {count:,} examples, each predicted before it was learned from"
    return f"on {counted(count, 'held-out example')}"
