"""The weight of each class, as callers say it."""

import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.inputs.labels import list_text
from rosenblatt.inputs.messages import LARGEST_VALUE
from rosenblatt.inputs.parameters import wrong


def is_balanced(class_weight: Any) -> bool:
    return isinstance(class_weight, str) and class_weight == "balanced"


def check_known(class_weight: Any, method: str) -> None:
    """Refuse what needs all labels for a method that does not see them."""
    if is_balanced(class_weight):
        what = f" is not supported for {method}, which does not see all labels"
        remedy = "pass a dict of weights instead"
        raise InputError(Parameter("class_weight", "balanced"), what, remedy=remedy)


def of_examples(
    class_weight: Any, classes: NDArray[Any], codes: NDArray[Any]
) -> NDArray[np.float64] | None:
    """The weight of each class, given the classes of all examples; None if all are one."""
    if class_weight is None:  # counting takes more memory than learning does
        return None
    return of_counts(class_weight, classes, np.bincount(codes, minlength=len(classes)))


def of_counts(
    class_weight: Any, classes: NDArray[Any], counts: NDArray[np.int64]
) -> NDArray[np.float64] | None:
    """The same, given how many examples each class has."""
    if is_balanced(class_weight):
        return counts.sum() / (np.count_nonzero(counts) * np.maximum(counts, 1.0))
    weights = of_classes(class_weight, classes)
    if weights is not None:
        known = set(classes.tolist())
        strangers = [label for label in class_weight if label not in known]
        if strangers and not all(label in class_weight for label in known):
            label = f" holds the label {strangers[0]!r}, which is not among the classes "
            raise InputError(Name("class_weight"), label, list_text(classes))
    return weights


def of_classes(class_weight: Any, classes: NDArray[Any]) -> NDArray[np.float64] | None:
    """The weight of each class so far, one if none is given; None if all are one."""
    if class_weight is None:
        return None
    if not isinstance(class_weight, Mapping):
        raise wrong("class_weight", class_weight, "be a dict, 'balanced' or None")
    weights = np.ones(len(classes))
    for place, label in enumerate(classes.tolist()):
        weight = class_weight.get(label, 1.0)
        if not isinstance(weight, numbers.Real) or not 0 <= float(weight) <= LARGEST_VALUE:
            must, got = "hold finite numbers of zero or more", f"{weight!r} for class {label!r}"
            raise InputError(Name("class_weight"), must=must, got=got)
        weights[place] = weight
    return weights
