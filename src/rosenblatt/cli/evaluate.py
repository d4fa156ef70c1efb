"""``rosenblatt evaluate``: how good a model is on labelled examples."""

from collections import Counter
from typing import Any, NamedTuple

import click

from rosenblatt.cli.failures import DATA, Failure, reading_data
from rosenblatt.cli.intervals import interval, with_interval
from rosenblatt.cli.options import loaded, opened_for, reading, speaking, tell_rejects, tell_unknown
from rosenblatt.cli.output import Output, columns, percent, shortened
from rosenblatt.cli.train_data import without_labels
from rosenblatt.features.examples import Texts
from rosenblatt.readers.data import Batch

MOST_LABELS = 12
"""Of which the whole matrix of confusions is shown."""
MOST_CONFUSIONS = 10


@click.command("evaluate")
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path())
@click.option("-n", "worst", type=click.IntRange(0), default=5, help="How many errors to show.")
@reading
@speaking
def command(model: str, file: str, worst: int, reading: dict[str, Any], out: Output) -> None:
    """Hold what MODEL predicts against the labels of FILE.

    Prints the error with its 95 % interval, precision, recall and F1 of every label, which labels
    are taken for which, and the errors that the model was most sure of.
    """
    predictor = loaded(model, out)
    data = opened_for(predictor, file, reading, labelled=True)
    tally = Tally(predictor, worst)
    with reading_data(), out.reading(data, "evaluating"):
        for batch in data.batches():
            if batch.labels is None:
                raise Failure(DATA, without_labels(data))
            with reading_data(batch.lines, data.name):
                tally.take(batch)
    if not tally.count:
        raise Failure(DATA, f"{data.name} holds no examples.")
    report(tally, data.name, out)
    tell_foreign(tally, out)
    rejected = tell_rejects(len(data.rejected), tally.count, out)
    out.give(tally.facts() | rejected | tell_unknown(tally.unknown, tally.count, out))


def tell_foreign(tally: "Tally", out: Output) -> None:
    """Say which labels of the data the model can never give."""
    if tally.foreign:
        some = shortened(", ".join(tally.foreign), 60)
        share = f"{tally.foreign.total():,} of {tally.count:,} examples"
        out.warn("labels", f"{share} have a label that the model does not know: {some}")


class Mistake(NamedTuple):
    """An example that came out wrong, and by how much."""

    margin: float
    line: int
    right: str
    found: str
    text: str
    """As a person would know the example; nothing if it is numbers."""


class Tally:
    """How often each label was taken for each, and the worst errors."""

    def __init__(self, predictor: Any, worst: int) -> None:
        self.predictor = predictor
        self.labels = [str(label) for label in predictor.classes.tolist()]
        self.worst = worst
        self.pairs: Counter[tuple[str, str]] = Counter()
        self.errors: list[Mistake] = []
        self.unknown = 0
        """Examples without a feature that the model knows."""

    def take(self, batch: Batch) -> None:
        """Count one batch."""
        judgement = self.predictor.judge(batch.examples)
        self.unknown += int(judgement.unknown.sum())
        lines, scores = batch.lines.tolist(), judgement.by_label.tolist()
        names = [str(label) for label in judgement.labels.tolist()]
        for k, (right, name) in enumerate(
            zip(map(str, batch.known_labels().tolist()), names, strict=True)
        ):
            self.pairs[right, name] += 1
            if right != name:
                by_label = dict(zip(self.labels, scores[k], strict=True))
                margin = by_label[name] - by_label.get(right, min(scores[k]))
                text = batch.examples[k] if isinstance(batch.examples, Texts) else ""
                self.errors.append(Mistake(margin, lines[k], right, name, text))
        self.errors = sorted(self.errors, reverse=True)[: self.worst]

    @property
    def count(self) -> int:
        return self.pairs.total()

    @property
    def wrong(self) -> int:
        return sum(times for (right, found), times in self.pairs.items() if right != found)

    @property
    def rights(self) -> Counter[str]:
        """How many examples have each label."""
        return self._summed(0)

    @property
    def foreign(self) -> Counter[str]:
        """The same of labels that the model does not know."""
        known = set(self.labels)
        return Counter({name: count for name, count in self.rights.items() if name not in known})

    @property
    def founds(self) -> Counter[str]:
        """How many examples were given each label."""
        return self._summed(1)

    def _summed(self, side: int) -> Counter[str]:
        total: Counter[str] = Counter()
        for pair, times in self.pairs.items():
            total[pair[side]] += times
        return total

    @property
    def confusions(self) -> list[tuple[str, str, int]]:
        """Which label was taken for which, the most frequent first."""
        wrong = [(*pair, times) for pair, times in self.pairs.items() if pair[0] != pair[1]]
        return sorted(wrong, key=lambda one: (-one[2], one[:2]))

    def facts(self) -> dict[str, Any]:
        low, high = interval(self.wrong, self.count)
        label, times = self.rights.most_common(1)[0]
        return {
            "examples": self.count,
            "error": self.wrong / self.count,
            "low": low,
            "high": high,
            "majority": label,
            "majority_error": 1 - times / self.count,
            "labels": {
                name: dict(zip(("precision", "recall", "f1"), self.rates(name), strict=True))
                | {"examples": self.rights[name]}
                for name in self.rights | self.founds
            },
            "foreign": dict(self.foreign),
            "confusions": [
                {"label": right, "taken_for": found, "times": times}
                for right, found, times in self.confusions
            ],
            "worst": [error._asdict() for error in self.errors],
        }

    def rates(self, name: str) -> tuple[float, float, float]:
        """Precision, recall and their harmonic mean; zero where there is nothing to divide by."""
        hits = self.pairs[name, name]
        precision = hits / self.founds[name] if self.founds[name] else 0.0
        recall = hits / self.rights[name] if self.rights[name] else 0.0
        both = self.rights[name] + self.founds[name]
        return precision, recall, 2 * hits / both if both else 0.0


def report(tally: Tally, name: str, out: Output) -> None:
    """The tables, for people."""
    label, times = tally.rights.most_common(1)[0]
    out.say(
        "error",
        f"{with_interval(tally.wrong, tally.count)} on {tally.count:,} examples of {name}; "
        f"always {label}: {percent(1 - times / tally.count)}",
    )
    labels = sorted(tally.rights | tally.founds)
    out.show()
    lines = [
        (
            shortened(name, 30),
            *(percent(rate) for rate in tally.rates(name)),
            f"{tally.rights[name]:,}",
        )
        for name in labels
    ]
    for line in columns(("label", "precision", "recall", "F1", "examples"), lines):
        out.show("  " + line)
    out.show()
    if len(labels) <= MOST_LABELS:
        out.show("  Rows are what is right, columns what was found:")
        lines = [
            (shortened(right, 16), *(f"{tally.pairs[right, found]:,}" for found in labels))
            for right in labels
        ]
        heads = ("", *(shortened(name, 12) for name in labels))
        for line in columns(heads, lines):
            out.show("  " + line)
    else:
        out.show("  Most often taken for another:")
        for right, found, times in tally.confusions[:MOST_CONFUSIONS]:
            out.show(f"  {times:>6,}  {right} → {found}")
    if tally.errors:
        out.show()
        out.show("  The errors it was most sure of:")
    for error in tally.errors:
        start = f"  line {error.line}, by {error.margin:.3g}: {error.right} taken for {error.found}"
        out.show(start + (f': "{shortened(error.text, 44)}"' if error.text else ""))
