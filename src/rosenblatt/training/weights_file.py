"""The numbers of weights as files hold them: which there may be, and what fits together."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.parts import Arrays, Facts, check_array, is_whole, require
from rosenblatt.training.low_precision import LowPrecision
from rosenblatt.training.storage import SHORTEST_HALF_LIFE, Array, Form, WeightArrays, Whole
from rosenblatt.training.weight_scores import LARGER_THAN_CACHES, Storage

STORED_TYPES = ("float64", "float32", "float16", "int32", "int16", "int8")
"""Types in which weights that only predict may come."""


LEARNING = {"missed", "sureness", "covariance"}
"""What weights that only predict do not have."""


def read_numbers(facts: Facts, arrays: Arrays) -> tuple[Form, Storage]:
    """The form and the numbers of weights, once they are found to fit each other."""
    if facts.get("divisor") is not None:
        return _to_predict(facts, arrays)
    values = arrays.get("values", np.empty(0))
    missed, sureness, covariance = map(arrays.get, ("missed", "sureness", "covariance"))
    require(values.ndim == 2 and len(values) > 0, "there are no weights")
    form = _form(facts, values, missed is not None, sureness is not None, covariance is not None)
    for array in (values, missed, sureness):
        if array is not None:
            _check_finite(check_array(array, np.float64, values.shape))
    if covariance is not None:
        check_array(covariance, np.float64, (values.size, values.size))
        finite, some = np.isfinite(covariance).all(), (covariance.diagonal() >= 0).all()
        require(bool(finite and some), "its covariance is none")
    return form, Whole.of(form, WeightArrays(values, missed, sureness, covariance))


def _to_predict(facts: Facts, arrays: Arrays) -> tuple[Form, Storage]:
    """The same of weights that only predict, which may come in few bytes."""
    divisor = facts["divisor"]
    sound = type(divisor) is float and 0 < divisor < math.inf
    require(sound, "what its scores are divided by is no number")
    values, constant = arrays.get("values", np.empty(0)), arrays.get("constant")
    constant = _check_finite(check_array(constant, np.float64))
    require(values.dtype.name in STORED_TYPES, "its weights are no numbers")
    check_array(values, values.dtype, (*values.shape[:1], len(constant)))
    form = _form(facts, values)
    plain = arrays.keys().isdisjoint(LEARNING) and form.half_life == math.inf
    require(plain, "it only predicts, but has what learning needs")
    form = form.to_predict(divisor)
    _check_finite(values)
    if values.itemsize < 8 and 8 * values.size >= LARGER_THAN_CACHES:
        return form, LowPrecision(form, values, constant)
    whole = np.vstack([values.astype(np.float64), constant])
    return form, Whole.of(form, WeightArrays(whole, None, None))


def _form(facts: Facts, values: NDArray[Any], *kept: bool) -> Form:
    """What kind of weights these are; ``kept`` says which other numbers there are of each."""
    classes, initial = facts["classes"], facts["start"]
    half_life, several = facts.get("half_life", math.inf), facts.get("several", False)
    stride = values.shape[1] if values.ndim == 2 else 0
    require(
        is_whole(classes)
        and classes >= 2
        and (classes == 2 if stride == 1 else stride == -(-classes // 4) * 4),
        "the shape of its weights does not fit its classes",
    )
    finite = type(initial) is float and math.isfinite(initial)
    require(finite, "what its weights start at is no number")
    lasting = type(half_life) is float and half_life >= SHORTEST_HALF_LIFE
    require(lasting, "its half life is not one")
    told = type(several) is bool and not (several and stride == 1)
    require(told, "whether its examples are of several classes is not told")
    averages, surer, covarying = kept or (False, False, False)
    return Form(classes, stride, averages, surer, covarying, initial, half_life, several)


def _check_finite(array: Array) -> Array:
    require(bool(np.isfinite(array).all()), "not all its weights are finite")
    return array
