"""Keywords of scikit-learn's linear classifiers that ask for what is done here anyway.

A constructor takes them and forgets them, so that a program for scikit-learn runs on; they are no
parameters, and no model has to carry them along. A value that asks for something else is refused.
"""

import math
import numbers
from collections.abc import Callable
from typing import Any, NamedTuple

from rosenblatt.inputs.errors import Name, Words
from rosenblatt.inputs.parameters import is_real, wrong

PAGE = "see docs/switching.md"


class IgnoredKeyword(NamedTuple):
    """Which values of a keyword change nothing, and why others have no place here."""

    allows: Callable[[Any], bool]
    allowed: str
    why: Words


def _is_one(value: Any) -> bool:
    return is_real(value) and value == 1


UNUSED = IgnoredKeyword(
    lambda value: value is None or is_real(value), "be a number", "it has no use"
)

IGNORED_KEYWORDS = {
    "tol": IgnoredKeyword(
        lambda value: value is None or (is_real(value) and value == 1e-3),
        "be None or 0.001",
        ("training ends after a pass without an update, else after ", Name("max_iter"), " passes"),
    ),
    "penalty": IgnoredKeyword(
        lambda value: value is None, "be None", "no member of the family penalizes weights"
    ),
    "learning_rate": IgnoredKeyword(
        lambda value: isinstance(value, str) and value == "constant",
        "be 'constant'",
        "each rule knows how long its steps are",
    ),
    "eta0": IgnoredKeyword(_is_one, "be 1.0", "each rule knows how long its steps are"),
    "alpha": UNUSED,
    "l1_ratio": UNUSED,
    "power_t": UNUSED,
    "epsilon": UNUSED,
    "n_jobs": IgnoredKeyword(
        lambda value: value is None or isinstance(value, numbers.Integral),
        "be a whole number or None",
        "all classes learn in one race, on one thread",
    ),
}

SCALED = IgnoredKeyword(
    lambda value: is_real(value) and 0 < value < math.inf,
    "be a positive number",
    "weights that start at zero are scaled by it, and no prediction changes",
)
"""The ``eta0`` of a perceptron."""


def without_ignored(
    keywords: dict[str, Any], ignored: dict[str, IgnoredKeyword], losses: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """The keywords less those that change nothing; ``losses`` says what each is called here."""
    kept: dict[str, Any] = {}
    for name, value in keywords.items():
        if name == "loss" and losses:
            if value not in losses:
                raise wrong(name, value, f"be {' or '.join(map(repr, losses))}", remedy=PAGE)
            kept |= losses[value]
        elif name not in ignored:
            kept[name] = value
        elif not ignored[name].allows(value):
            why = (ignored[name].why, "; ", PAGE)
            raise wrong(name, value, ignored[name].allowed, remedy=why)
    return kept
