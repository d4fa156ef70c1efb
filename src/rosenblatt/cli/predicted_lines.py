"""What stands beside a label that a model gives, and the line that both make."""

from collections.abc import Sequence
from typing import Any

from rosenblatt.cli.output import json_text, printable
from rosenblatt.readers.settings import data_settings

Pairs = list[tuple[str, float]]
"""Labels and their numbers."""


class OutputFields:
    """What stands beside a label: labels with their scores or probabilities, if any."""

    def __init__(
        self, predictor: Any, *, scores: bool, probabilities: bool, top: int | None
    ) -> None:
        self.names = [str(label) for label in predictor.classes.tolist()]
        self.probable = probabilities or (top is not None and predictor.has_probabilities)
        self.any = scores or probabilities or top is not None
        self.top = top
        self._word = predictor.foretold
        self.separator = str(data_settings(predictor.notes).get("label_separator", ","))

    @property
    def heads(self) -> list[str]:
        """Names of columns for it."""
        word = "probability" if self.probable else "score"
        if not self.any:
            return []
        if self.top is None:
            return [f"{word}_{name}" for name in self.names]
        places = range(1, 1 + min(self.top, len(self.names)))
        return [f"{what}_{place}" for place in places for what in ("label", word)]

    def columns(self, judgement: Any) -> list[list[Any]]:
        """These columns."""
        columns: list[list[Any]] = []
        for pairs in zip(*self.pairs(judgement), strict=True):
            names, numbers = [name for name, _ in pairs], [number for _, number in pairs]
            columns += [numbers] if self.top is None else [names, numbers]
        return columns

    def pairs(self, judgement: Any) -> list[Pairs]:
        """Of each example, labels and their numbers."""
        if not self.any:
            return [[] for _ in judgement.labels]
        numbers = judgement.probabilities if self.probable else judgement.by_label
        order = None if self.top is None else judgement.strongest(self.top).tolist()
        return [
            [(self.names[k], row[k]) for k in (range(len(row)) if order is None else order[place])]
            for place, row in enumerate(numbers.tolist())
        ]

    def lines(
        self, labels: Sequence[Any], every: Sequence[Pairs], shares: Sequence[float] | None
    ) -> list[str]:
        """A line for each example: its label, what is shown beside it, the share unknown."""
        firsts = ["" if label is None else printable(self.joined(label)) for label in labels]
        if not self.any and shares is None:
            return [f"{first}\n" for first in firsts]
        if shares is not None:
            every = [
                [*pairs, ("unknown", share)] for pairs, share in zip(every, shares, strict=True)
            ]
        return [
            "\t".join([first, *(printable(f"{name}:{number:.6g}") for name, number in pairs)])
            + "\n"
            for first, pairs in zip(firsts, every, strict=True)
        ]

    def objects(
        self,
        lines: Sequence[int],
        labels: Sequence[Any],
        tables: dict[str, Any],
        every: Sequence[Pairs],
        shares: Sequence[float] | None,
    ) -> list[str]:
        """The same as objects, with tables of scores and the like by their word."""
        facts: list[dict[str, Any]] = [
            {"line": line, self._word: label} for line, label in zip(lines, labels, strict=True)
        ]
        for word, table in tables.items():
            for one, row in zip(facts, table, strict=True):
                one[word] = dict(zip(self.names, row, strict=True))
        if self.top is not None:
            for one, pairs in zip(facts, every, strict=True):
                one["top"] = [name for name, _ in pairs]
        if shares is not None:
            for one, share in zip(facts, shares, strict=True):
                one["unknown"] = share
        return [json_text(one) + "\n" for one in facts]

    def gap(self, line: int) -> str:
        """What stands in the place of an object where a line cannot be read."""
        gap = {"line": line, self._word: None}
        return json_text(gap if self._word == "number" else gap | {"scores": None}) + "\n"

    def joined(self, label: Any) -> str:
        """A label, or several with what stands between them in the model's own data.

        Where that stands in a label itself they are a list of JSON's, lest one passes for two.
        """
        if not isinstance(label, tuple | list):
            return str(label)
        names = [*map(str, label)]
        if any(self.separator in name or name.startswith("[") for name in names):
            return json_text(names)
        return self.separator.join(names)
