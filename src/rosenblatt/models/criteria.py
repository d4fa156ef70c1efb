"""What the best way to learn is best at: few errors, F1, or probable labels."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputError, Parameter
from rosenblatt.inputs.label_sets import Answers, LabelSets, occurrences
from rosenblatt.inputs.parameters import check_choice
from rosenblatt.models.selection import (
    Counts,
    error,
    lack_of_f1,
    lack_of_macro_f1,
    lack_of_micro_f1,
)

SELECT = ("error", "f1", "macro-f1", "log-loss")


class Criterion(NamedTuple):
    """What is to be best in the best candidate, if not the error."""

    name: str
    title: str
    measure: Callable[[Counts], NDArray[Any]]
    """How bad it is."""
    of_one: bool = True
    """Whether that is what is lacking to one."""
    rare: int | None = None
    """The number of the class that alone it is of, if so."""

    def value(self, measure: float) -> float:
        return 1 - measure if self.of_one else measure

    def text(self, measure: float) -> str:
        return f"{100 * (1 - measure):.1f} %" if self.of_one else f"{measure:.4g}"


def criterion_of(select: str, answers: Answers, classes: NDArray[Any]) -> Criterion | None:
    """What ``select`` says; None for the error."""
    check_choice("select", select, SELECT)
    if select == "error":
        return None
    if not len(classes):
        raise InputError(Parameter("select", select), " is for labels, not for numbers")
    if select == "log-loss":
        return Criterion("log_loss", "log loss", error, of_one=False)
    if select == "macro-f1":
        return Criterion("macro_f1", "macro F1", lack_of_macro_f1)
    if isinstance(answers, LabelSets):
        return Criterion("f1", "micro F1", lack_of_micro_f1)
    if len(classes) > 2:
        raise InputError(
            *(Parameter("select", select), f" is for two labels, and {len(classes)} were found"),
            remedy=("set ", Parameter("select", "macro-f1")),
        )
    counts = np.bincount(occurrences(answers), minlength=len(classes))
    rare = int(counts[1] <= counts[0])
    title, of_rare = f"F1 of {classes[rare]}", lambda counts: lack_of_f1(counts)[..., rare]
    return Criterion("f1", title, of_rare, rare=rare)
