"""``rosenblatt predict``: a label for every example of a file."""

import contextlib
import re
import sys
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

import click

from rosenblatt.cli.deciding import Deciding, check_probabilities, deciding
from rosenblatt.cli.failures import check_free, reading_data
from rosenblatt.cli.notes import data_settings
from rosenblatt.cli.options import loaded, opened_for, reading, speaking, tell_rejects, tell_unknown
from rosenblatt.cli.output import Output, counted, is_terminal, json_text, printable, put


@click.command("predict")
@click.argument("model", type=click.Path())
@click.argument("file", default="-", type=click.Path())
@click.option("--scores", is_flag=True, help="Add the score of every label.")
@click.option("--probabilities", is_flag=True, help="Add the probability of every label.")
@click.option(
    "--top",
    metavar="NUMBER",
    type=click.IntRange(1),
    help="Add the best labels only, with their probabilities or, without these, their scores.",
)
@click.option(
    "--unknown",
    is_flag=True,
    help="Add the share of an example's features that the model does not know.",
)
@deciding
@click.option(
    "--beside",
    is_flag=True,
    help="Print FILE itself, a table, with the labels in a column beside its own.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(),
    help="Write here instead of standard output.",
)
@click.option("-f", "--force", is_flag=True, help="Write over a file that exists.")
@reading
@speaking
@click.pass_context
def command(
    context: click.Context,
    /,
    model: str,
    file: str,
    scores: bool,
    probabilities: bool,
    top: int | None,
    unknown: bool,
    deciding: dict[str, Any],
    beside: bool,
    output: str | None,
    force: bool,
    reading: dict[str, Any],
    out: Output,
) -> None:
    """Print the label that MODEL gives to each example of FILE, in order, one a line.

    Several labels stand with a comma between them, or with what separated them in the data that
    MODEL learned from; as a JSON list where one of them holds that itself. A model of
    numbers prints numbers.

    FILE is read the way the model's own data was read; labels in it are not needed and not looked
    at. Without FILE, standard input is read. Where lines are set aside with --rejects, an empty
    line stands in their place; with --beside they are left out.
    """
    if beside and out.as_json:
        raise click.UsageError("--beside prints FILE's own format: leave out --json.", context)
    if scores and (probabilities or top is not None):
        message = "--scores does not go with --probabilities or --top."
        raise click.UsageError(message, context)
    predictor = loaded(model, out)
    if predictor.foretold == "number" and (scores or probabilities or top is not None):
        raise click.UsageError("The model tells numbers: --scores and the like are of labels.")
    if probabilities:
        check_probabilities(predictor)
    decide = Deciding(predictor, deciding)
    shown = Shown(predictor, scores=scores, probabilities=probabilities, top=top)
    data = opened_for(predictor, file, reading, labelled=False)
    told = Predictions(predictor, data, decide, shown, unknown=unknown, as_json=out.as_json)
    if beside and data.format == "parquet" and output is None:
        raise click.UsageError("Parquet is not for printing: add -o FILE.", context)
    pieces = told.beside() if beside else (text.encode() for text in told.lines())
    if output is not None:
        from rosenblatt.readers.atomic_write import written_whole

        check_free(output, force=force)
        with out.reading(data, "predicting"), written_whole(output) as target:
            target.writelines(pieces)
        out.say("wrote", f"{output}, {counted(told.examples, 'example')}")
    else:
        unseen = not is_terminal(sys.stdout)  # labels on the terminal tell enough
        with out.reading(data, "predicting") if unseen else contextlib.nullcontext():
            for piece in pieces:
                text = piece.decode()
                put(text if unseen else printable_lines(text), exact=unseen)
    tell_rejects(len(data.rejected), told.examples, out)
    decide.tell(told.examples, out)
    tell_unknown(told.unknown, told.examples, out)


LISTS = ("jsonl", "parquet")
"""Formats whose cells may be lists."""


class Shown:
    """What stands beside a label: labels with their scores or probabilities, if any."""

    def __init__(
        self, predictor: Any, *, scores: bool, probabilities: bool, top: int | None
    ) -> None:
        self.names = [str(label) for label in predictor.classes.tolist()]
        self.probable = probabilities or (top is not None and predictor.has_probabilities)
        self.any = scores or probabilities or top is not None
        self.top = top

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
        if not self.any:
            return []
        columns: list[list[Any]] = []
        for pairs in zip(*self.pairs(judgement), strict=True):
            names, numbers = [name for name, _ in pairs], [number for _, number in pairs]
            columns += [numbers] if self.top is None else [names, numbers]
        return columns

    def pairs(self, judgement: Any) -> list[list[tuple[str, float]]]:
        """Of each example, labels and their numbers."""
        if not self.any:
            return [[] for _ in judgement.labels]
        numbers = judgement.probabilities if self.probable else judgement.by_label
        order = None if self.top is None else judgement.strongest(self.top).tolist()
        return [
            [(self.names[k], row[k]) for k in (range(len(row)) if order is None else order[place])]
            for place, row in enumerate(numbers.tolist())
        ]


class Predictions:
    """A line for each example, in order; for one that was set aside a line without a label."""

    def __init__(
        self,
        predictor: Any,
        data: Any,
        decide: Deciding,
        shown: Shown,
        *,
        unknown: bool,
        as_json: bool,
    ) -> None:
        self._predictor, self._data, self._as_json = predictor, data, as_json
        self._decide, self._shown, self._shares = decide, shown, unknown
        self._word = predictor.foretold
        self._separator = data_settings(predictor.notes).get("label_separator", ",")
        self.examples = 0
        self.unknown = 0

    def lines(self) -> Iterator[str]:
        """The text to print, some lines at a time."""
        data, taken = self._data, 0
        pending: list[int] = []
        with reading_data():
            for batch in data.batches():
                pending = sorted(pending + data.rejected[taken:])
                taken = len(data.rejected)
                lines = self._of(batch)
                gaps = [line for line in pending if line < batch.lines[-1]]
                pending = pending[len(gaps) :]
                for line in reversed(gaps):
                    lines.insert(bisect_left(batch.lines, line), self._gap(line))
                yield "".join(lines)
            yield from map(self._gap, sorted(pending + data.rejected[taken:]))

    def beside(self) -> Iterator[bytes]:
        """The table itself with the labels, and with what else is wanted."""
        from rosenblatt.readers.beside import beside, free_name, keep_records

        with reading_data():
            layout = keep_records(self._data)
            names: list[str] = []
            for name in ["predicted", *self._shown.heads, *["unknown"] * self._shares]:
                names.append(free_name(name, [*layout.columns, *names]))
            yield from beside(layout, names, map(self._columns, self._data.batches()))

    def _columns(self, batch: Any) -> tuple[Any, list[list[Any]]]:
        judgement = self._judge(batch)
        found = self._decide.labels(judgement)
        of_sets, lists = self._predictor.foretold == "labels", self._data.format in LISTS
        if of_sets:
            labels = [[*own] if lists else self._joined(own) for own in found]
        else:
            labels = ["" if label is None else label for label in found]
        shares = [self._unknown_shares(batch)] if self._shares else []
        return batch, [labels, *self._shown.columns(judgement), *shares]

    def _unknown_shares(self, batch: Any) -> list[float]:
        shares: list[float] = self._predictor.unknown_share(batch.examples).tolist()
        return shares

    def _judge(self, batch: Any) -> Any:
        with reading_data(batch.lines, self._data.name):
            judgement = self._predictor.judge(batch.examples)
        self.examples += len(batch)
        self.unknown += int(judgement.unknown.sum())
        return judgement

    def _of(self, batch: Any) -> list[str]:
        """The line of each example of a batch."""
        judgement = self._judge(batch)
        labels = self._decide.labels(judgement)
        if self._as_json:
            return self._json_of(batch, labels, judgement)
        firsts = ["" if label is None else printable(self._joined(label)) for label in labels]
        shares = self._unknown_shares(batch) if self._shares else None
        if not self._shown.any and shares is None:
            return [f"{first}\n" for first in firsts]
        every = self._shown.pairs(judgement)
        if shares is not None:
            every = [
                [*pairs, ("unknown", share)] for pairs, share in zip(every, shares, strict=True)
            ]
        return [
            "\t".join([first, *(printable(f"{name}:{number:.6g}") for name, number in pairs)])
            + "\n"
            for first, pairs in zip(firsts, every, strict=True)
        ]

    def _joined(self, label: Any) -> str:
        """A label, or several with what stands between them in the model's own data.

        Where that stands in a label itself they are a list of JSON's, lest one passes for two.
        """
        if not isinstance(label, tuple):
            return str(label)
        names = [*map(str, label)]
        if any(self._separator in name or name.startswith("[") for name in names):
            return json_text(names)
        return str(self._separator).join(names)

    def _json_of(self, batch: Any, labels: list[Any], judgement: Any) -> list[str]:
        """An object for each example: all that is known of its labels."""
        names = self._shown.names
        tables = {} if self._word == "number" else {"scores": judgement.by_label}
        if self._predictor.has_probabilities:
            tables["probabilities"] = judgement.probabilities
        facts: list[dict[str, Any]] = [
            {"line": line, self._word: label}
            for line, label in zip(batch.lines.tolist(), labels, strict=True)
        ]
        for word, table in tables.items():
            for one, row in zip(facts, table.tolist(), strict=True):
                one[word] = dict(zip(names, row, strict=True))
        if self._shown.top is not None:
            for one, pairs in zip(facts, self._shown.pairs(judgement), strict=True):
                one["top"] = [name for name, _ in pairs]
        if self._shares:
            for one, share in zip(facts, self._unknown_shares(batch), strict=True):
                one["unknown"] = share
        return [json_text(one) + "\n" for one in facts]

    def _gap(self, line: int) -> str:
        """What stands in the place of a line that cannot be read."""
        if self._as_json:
            gap = {"line": line, self._word: None}
            return json_text(gap if self._word == "number" else gap | {"scores": None}) + "\n"
        return "\n"


def printable_lines(text: str) -> str:
    """Lines of a file of the caller's, with their tabs, made safe to look at."""
    return "".join(one if one in "\n\t" else printable(one) for one in re.split("([\n\t])", text))
