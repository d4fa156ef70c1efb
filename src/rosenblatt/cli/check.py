"""``rosenblatt check``: what there is to know about data before training on it."""

import difflib
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import click
import numpy as np

from rosenblatt.cli.failures import DATA, reading_data
from rosenblatt.cli.options import opened, reading, speaking
from rosenblatt.cli.output import Output, counted, shortened
from rosenblatt.features.examples import Bags, Records, Texts
from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.readers.data import label_list

MOST_SHOWN = 5
"""Of each kind of trouble."""
RARE = 0.01
"""A label that likely is a typo has at most this share of the examples of the one meant."""
ALIKE = 0.8
"""How alike two labels are that may be one."""


@click.command("check")
@click.argument("file", type=click.Path())
@reading
@speaking
def command(file: str, reading: dict[str, Any], out: Output) -> None:
    """Summary at FILE before training on it.

    Counts examples and labels, and shows lines that cannot be read, labels that look like typos,
    examples that come twice, the same example with different labels, empty examples and numbers
    that are missing. Ends with 1 if the file cannot be trained on as it is.
    """
    unreadable: list[Any] = []
    data = opened(file, **reading | {"rejects": unreadable})
    found = Findings(of_numbers=data.foretold == "number")
    with reading_data(), out.reading(data, "checking"):
        for batch in data.batches():
            found.take(batch)
    facts = found.facts() | {
        "file": data.name,
        "format": data.format,
        "unreadable": [
            {"line": bad.line, "column": bad.column, "reason": bad.reason} for bad in unreadable
        ],
    }
    out.say("read", f"{data.name}: {counted(facts['examples'], 'example')}, {data.describe()}")
    report(facts, out)
    out.give(facts)
    if unreadable or (len(facts["labels"]) < 2 and facts["numbers"] is None):
        click.get_current_context().exit(DATA)


class Findings:
    """What is gathered from one batch after the other."""

    def __init__(self, *, of_numbers: bool = False) -> None:
        self.of_numbers = of_numbers
        """Whether these are foretold, and there are no labels."""
        self.targets: list[float] = []
        self.labels: Counter[Any] = Counter()
        self.seen: dict[int, tuple[int, Any]] = {}
        self.duplicates: list[tuple[int, int]] = []
        self.contradictions: list[tuple[int, int]] = []
        self.empty: list[int] = []
        self.missing: list[int] = []
        self.examples = 0
        self.without = 0
        """Examples that have none of the labels."""

    def take(self, batch: Any) -> None:
        labels: list[Any] = label_list(batch.labels) or [None] * len(batch.lines)
        self.examples += len(labels)
        if isinstance(batch.labels, LabelSets):
            self.labels.update(batch.labels.classes[batch.labels.numbers].tolist())
            self.without += sum(not own for own in labels)
        elif self.of_numbers:
            self.targets += labels
        else:
            self.labels.update(label for label in labels if label is not None)
        lines = batch.lines.tolist()
        for line, label, summary in zip(lines, labels, summaries(batch.examples), strict=True):
            for seen, found in ((summary.empty, self.empty), (summary.missing, self.missing)):
                if seen:
                    found.append(line)
            before = self.seen.setdefault(summary.key, (line, label))
            if before[0] != line:
                kind = self.duplicates if before[1] == label else self.contradictions
                kind.append((before[0], line))

    def facts(self) -> dict[str, Any]:
        return {
            "examples": self.examples,
            "labels": {str(label): count for label, count in self.labels.most_common()},
            "without_labels": self.without,
            "numbers": self._numbers(),
            "typos": typos(self.labels),
            "duplicates": self.duplicates,
            "contradictions": self.contradictions,
            "empty": self.empty,
            "missing": self.missing,
        }

    def _numbers(self) -> dict[str, float] | None:
        """Where the numbers lie that are foretold."""
        if not self.targets:
            return None
        low, median, high = np.quantile(self.targets, [0, 0.5, 1]).tolist()
        mean = float(np.mean(self.targets))
        return {"lowest": low, "median": median, "mean": mean, "highest": high}


class Summary(NamedTuple):
    """What there is to see in one example."""

    key: int
    """A number that the same example has too."""
    empty: bool = False
    missing: bool = False
    """Whether it lacks numbers or cells."""


def summaries(examples: Any) -> Iterator[Summary]:
    """A summary of each example, whatever the format."""
    if isinstance(examples, Texts):
        for k in range(len(examples)):
            text = examples.piece(k)
            yield Summary(hash(text), not text.strip())
    elif isinstance(examples, Records):
        for row in examples:
            known = tuple(None if cell != cell or cell == "" else cell for cell in row.values())
            yield Summary(hash(known), not any(cell is not None for cell in known), None in known)
    elif isinstance(examples, Bags):
        for bag in examples:
            yield Summary(hash(tuple(bag)), not bag)
    else:
        for k in range(examples.shape[0]):
            row = slice(examples.indptr[k], examples.indptr[k + 1])
            values = examples.data[row]
            key = hash((examples.indices[row].tobytes(), values.tobytes()))
            yield Summary(key, not len(values), not bool(np.isfinite(values).all()))


def typos(labels: Counter[Any]) -> list[dict[str, Any]]:
    """Rare labels that are nearly the same as a frequent one."""
    found = []
    names = {str(label): count for label, count in labels.items()}
    for name, count in names.items():
        likely = {
            other
            for other, more in names.items()
            if other != name and count <= max(1, RARE * more) and more > count
        }
        same = [other for other in likely if other.strip().casefold() == name.strip().casefold()]
        near = same or difflib.get_close_matches(name, likely, n=1, cutoff=ALIKE)
        if near and (same or re.sub(r"\d", "", near[0]) != re.sub(r"\d", "", name)):
            found.append({"label": name, "count": count, "meant": near[0], "times": names[near[0]]})
    return found


def report(facts: dict[str, Any], out: Output) -> None:
    total = max(1, facts["examples"])
    lines = [
        (shortened(label, 40), f"{count:,}", f"{100 * count / total:.1f} %")
        for label, count in list(facts["labels"].items())[:20]
    ]
    out.show()
    numbers = facts["numbers"]
    if numbers is not None:
        out.show_columns([*numbers], [[f"{value:.4g}" for value in numbers.values()]])
    else:
        out.show_columns(("label", "examples", "share"), lines)
    if len(facts["labels"]) > 20:
        out.show(f"  … and {len(facts['labels']) - 20} more labels")
    out.show()
    troubles = list(troubles_in(facts))
    for trouble in troubles:
        out.show(trouble)
    if not troubles:
        out.show("Nothing strange was found.")


def troubles_in(facts: dict[str, Any]) -> Iterator[str]:
    """Each kind of trouble in a line or a few."""
    if facts["numbers"] is None and not facts["labels"]:
        yield "There are no labels: nothing can be learned."
    elif len(facts["labels"]) == 1:
        yield "There is only one label: nothing can be told apart."
    yield from first_few(
        "cannot be read",
        [
            f"line {bad['line']}, column {bad['column']}: {bad['reason']}"
            for bad in facts["unreadable"]
        ],
    )
    if facts["without_labels"]:
        yield f"{facts['without_labels']:,} examples have none of the labels."
    for typo in facts["typos"]:
        yield (
            f"Likely a typo: label {typo['label']!r} ({typo['count']} ×) beside "
            f"{typo['meant']!r} ({typo['times']:,} ×)."
        )
    alone = [label for label, count in facts["labels"].items() if count == 1]
    if alone:
        yield f"Labels of one example: {shortened(', '.join(alone[:MOST_SHOWN]), 70)}."
    yield from first_few(
        "came before",
        [f"line {later} is line {first} again" for first, later in facts["duplicates"]],
    )
    yield from first_few(
        "came before with another label",
        [f"lines {first} and {later}" for first, later in facts["contradictions"]],
    )
    for what, lines in (
        ("with nothing in it", facts["empty"]),
        ("without some number or cell", facts["missing"]),
    ):
        yield from first_few(what, [f"line {line}" for line in lines])


def first_few(what: str, places: list[str]) -> Iterator[str]:
    """How many there are, and the first few."""
    if not places:
        return
    yield f"{len(places):,} {'example' if len(places) == 1 else 'examples'} {what}:"
    for place in places[:MOST_SHOWN]:
        yield f"  {place}"
    if len(places) > MOST_SHOWN:
        yield f"  … and {len(places) - MOST_SHOWN:,} more"
