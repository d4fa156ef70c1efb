"""What the examples of a file should come to: one label each, a set of labels, or a number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.features.column_kinds import as_cell, as_number
from rosenblatt.inputs.errors import InputError, Name, Parameter, Words
from rosenblatt.inputs.label_sets import Answers, LabelSets
from rosenblatt.inputs.parameters import check_choice, wrong
from rosenblatt.inputs.parts import read_json
from rosenblatt.readers.rejects import MEND, quoted

TARGETS = ("label", "labels", "number")
LONGEST = 16
"""Letters that may separate labels."""

ALL_OF_THEM: Words = ("to learn all of them, say ", Parameter("target", "labels"))
"""The way out where one label was expected and several came."""


def is_separator(value: Any) -> bool:
    """Whether this may stand between labels."""
    return isinstance(value, str) and 0 < len(value) <= LONGEST and value.isprintable()


@dataclass(frozen=True)
class Target:
    """What is foretold, and how a cell says it.

    Several labels are a JSON list, or stand with a separator between them.
    """

    __module__ = "rosenblatt"

    kind: str = "label"
    separator: str | None = None

    @classmethod
    def of(cls, kind: str | None, separator: str | None) -> "Target":
        """What a caller says; labels with a separator between them are several."""
        if kind is not None:
            check_choice("target", kind, TARGETS)
        if separator is None:
            return cls(kind or "label")
        if not is_separator(separator):
            must = f"be a string of at most {LONGEST} letters that can be seen"
            raise wrong("label_separator", separator, must)
        if kind not in (None, "labels"):
            what = " stands between labels, and examples are to have one"
            raise InputError(Name("label_separator"), what, remedy=ALL_OF_THEM)
        return cls("labels", separator)

    def __bool__(self) -> bool:
        """Whether a cell holds anything else than one label."""
        return self.kind != "label"

    def settings(self) -> dict[str, Any]:
        """What to give `open_data` for the same."""
        said = {"target": self.kind, "label_separator": self.separator}
        return {name: value for name, value in said.items() if value is not None and self}

    @property
    def remedy(self) -> Words:
        """What to do about cells that say nothing of the kind."""
        if self.kind == "labels":
            return ("say what stands between labels with ", Parameter("label_separator", ";"))
        return MEND

    def described(self, name: str) -> str:
        """A column of it, in words."""
        between = "" if self.separator is None else f" separated by {self.separator!r}"
        return f'{"target" if self.kind == "number" else self.kind} "{name}"{between}'

    def read(self, cells: Sequence[str], *, alone: bool) -> "Answered":
        """What these cells say, and what is wrong with some.

        ``alone`` says that a cell which is no list of labels may be one label.
        """
        return self._numbers(cells) if self.kind == "number" else self._sets(cells, alone)

    def _numbers(self, cells: Sequence[str]) -> "Answered":
        numbers, faults = np.zeros(len(cells)), {}
        for k, cell in enumerate(cells):
            try:
                numbers[k] = as_number(cell)
                sound = bool(np.isfinite(numbers[k]))
            except ValueError:
                sound = False
            if not sound:
                faults[k] = f"expected a finite number as the target, got {quoted(cell)}"
        return Answered(numbers, faults)

    def _sets(self, cells: Sequence[str], alone: bool) -> "Answered":
        rows: list[Sequence[str]] = []
        faults = {}
        for k, cell in enumerate(cells):
            found = self._labels(cell.strip(), alone)
            if found is None:
                faults[k] = f"expected a JSON list of labels, got {quoted(cell)}"
            rows.append(found or ())
        return Answered(LabelSets.of_each(rows), faults)

    def _labels(self, cell: str, alone: bool) -> Sequence[str] | None:
        if cell.startswith("["):
            try:
                return [as_cell(label) for label in read_json(cell)]
            except ValueError:
                pass  # it may be a label or more that begin so
        if self.separator is not None:
            words = map(str.strip, cell.split(self.separator))
            return [word for word in words if word]
        if not cell:
            return ()
        return (cell,) if alone else None


ONE_LABEL = Target()


@dataclass(frozen=True)
class Answered:
    """What cells say, and of those that say nothing of the kind, why."""

    answers: Answers
    faults: dict[int, str]
