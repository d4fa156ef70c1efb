"""Checks of constructor parameters: one sentence, name and value as the caller typed them."""

import math
import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np


def check_positive(name: str, value: Any) -> None:
    """A number above zero; infinity will do."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or not float(value) > 0:
        raise ValueError(f"{name} must be a positive number, got {name}={value!r}.")


def check_count(name: str, value: Any) -> None:
    """A whole number, one or more."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or int(value) < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, got {name}={value!r}.")


def check_choice(name: str, value: Any, choices: Sequence[str | bool]) -> None:
    """One of a few words or flags."""
    if isinstance(value, np.bool_):
        value = bool(value)
    for choice in choices:
        if type(value) is type(choice) and value == choice:
            return
    allowed = ", ".join(repr(choice) for choice in choices[:-1]) + f" or {choices[-1]!r}"
    raise ValueError(f"{name} must be {allowed}, got {name}={value!r}.")


def check_flag(name: str, value: Any) -> None:
    """True or False, or a number that stands for one."""
    if value is True or value is False:
        return
    if not isinstance(value, (np.bool_, numbers.Integral)) or value not in (0, 1):
        raise ValueError(f"{name} must be True or False, got {name}={value!r}.")


def check_verbosity(name: str, value: Any) -> None:
    """A whole number, or a flag."""
    if not isinstance(value, numbers.Real) or not math.isfinite(value) or float(value) < 0:
        raise ValueError(f"{name} must be 0, 1 or more, got {name}={value!r}.")
