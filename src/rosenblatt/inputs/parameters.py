"""Checks of parameters, which name them and their values as the caller typed them."""

import math
import numbers
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from rosenblatt.inputs.errors import InputError, Name, Parameter, Words

MOST_THREADS = 1024


def wrong(name: str, value: Any, allowed: str, remedy: Words | None = None) -> InputError:
    """The error of a parameter that must be something else."""
    return InputError(Name(name), must=allowed, got=Parameter(name, value), remedy=remedy)


def is_real(value: Any) -> bool:
    """Whether it is a number, which a flag is not."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def is_integer(value: Any) -> bool:
    """Whether it is a whole number, which a flag is not."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def check_positive(name: str, value: Any) -> None:
    """A number above zero; infinity will do."""
    if not is_real(value) or not float(value) > 0:
        raise wrong(name, value, "be a positive number")


def check_number(name: str, value: Any) -> None:
    """Any finite number."""
    if not is_real(value) or not math.isfinite(value):
        raise wrong(name, value, "be a finite number")


def threads_of(n_jobs: Any) -> int:
    """The number of threads that scikit-learn's n_jobs asks for: -1 is one for each processor."""
    if n_jobs is not None and (not is_integer(n_jobs) or n_jobs == 0):
        allowed = "be a number of threads, or -1 for one on each processor"
        raise wrong("n_jobs", n_jobs, allowed)
    wanted = 1 if n_jobs is None else int(n_jobs)
    if wanted < 0:
        wanted += 1 + (os.cpu_count() or 1)
    return min(max(1, wanted), MOST_THREADS)


def check_count(name: str, value: Any) -> None:
    """A whole number, one or more."""
    if type(value) is int and value >= 1:
        return
    if not is_integer(value) or int(value) < 1:
        raise wrong(name, value, "be a whole number of at least 1")


def is_share(value: Any) -> bool:
    """Whether it is a number between zero and one, or one of them."""
    return is_number_from(value, 0.0, 1.0)


def is_number_from(value: Any, low: float, high: float) -> bool:
    """Whether it is a number between these, or one of them."""
    return is_real(value) and low <= float(value) <= high


def check_fraction(name: str, value: Any) -> None:
    """A number between zero and one, neither of them."""
    if not isinstance(value, numbers.Real) or not 0 < float(value) < 1:
        raise wrong(name, value, "lie between 0 and 1")


def check_choice(
    name: str, value: Any, choices: Sequence[str | bool], remedy: str | None = None
) -> None:
    """One of a few words or flags."""
    if isinstance(value, np.bool_):
        value = bool(value)
    for choice in choices:
        if type(value) is type(choice) and value == choice:
            return
    allowed = ", ".join(repr(choice) for choice in choices[:-1]) + f" or {choices[-1]!r}"
    raise wrong(name, value, f"be {allowed}", remedy)


def check_dtype(dtype: Any) -> None:
    """A type of floating-point numbers that the core reads."""
    try:
        known = np.dtype(dtype) in (np.float32, np.float64)
    except TypeError:
        known = False
    if not known:
        raise wrong("dtype", dtype, "be float64 or float32")


def check_flag(name: str, value: Any) -> None:
    """True or False, or a number that stands for one."""
    if value is True or value is False:
        return
    if not isinstance(value, (np.bool_, numbers.Integral)) or value not in (0, 1):
        raise wrong(name, value, "be True or False")


def check_verbosity(name: str, value: Any) -> None:
    """A whole number, or a flag."""
    if type(value) is int and value >= 0:
        return
    if not isinstance(value, numbers.Real) or not math.isfinite(value) or float(value) < 0:
        raise wrong(name, value, "be 0, 1 or more")
