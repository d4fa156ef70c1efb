"""``rosenblatt predict``: a label for every example of a file."""

import contextlib
import re
import sys
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

import click

from rosenblatt.cli.decision_options import Deciding, check_probabilities, deciding
from rosenblatt.cli.failures import check_free, reading_data
from rosenblatt.cli.options import loaded, opened_for, reading, speaking, tell_rejects, tell_unknown
from rosenblatt.cli.output import Output, counted, is_terminal, printable, put
from rosenblatt.cli.predicted_lines import OutputFields
from rosenblatt.readers.atomic_write import written_whole


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
@click.option(
    "--spark",
    metavar="MASTER",
    help="Read FILE, a file or folder of Spark's, and predict there; with --beside or -o "
    "NAME.parquet its workers write a folder.",
)
@reading
@speaking
def command(
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
    spark: str | None,
    reading: dict[str, Any],
    out: Output,
) -> None:
    """Print the label that MODEL gives to each example of FILE, in order, one a line.

    Several labels stand with a comma between them, or with what separated them in the data that
    MODEL learned from; as a JSON list where one of them holds that itself. A model of
    numbers prints numbers.

    FILE is read the way the model's own data was read; labels in it are not needed and not looked
    at. Without FILE, standard input is read. Where lines are set aside with --rejects, or hold no
    example, as comments in svmlight, an empty line stands in their place, so that both files line
    up; with --beside they are left out. Blank lines between the rows of a table are none of them.
    """
    if beside and out.as_json:
        raise click.UsageError("--beside prints FILE's own format: leave out --json.")
    if scores and (probabilities or top is not None):
        raise click.UsageError("--scores does not go with --probabilities or --top.")
    predictor = loaded(model, out)
    if predictor.foretold == "number" and (scores or probabilities or top is not None):
        raise click.UsageError("The model tells numbers: --scores and the like are of labels.")
    if probabilities:
        check_probabilities(predictor)
    decide = Deciding(predictor, deciding)
    fields = OutputFields(predictor, scores=scores, probabilities=probabilities, top=top)
    if spark is not None:
        from rosenblatt.cli.predict_spark import SparkOptions, predict_on_spark

        asked = SparkOptions(spark, model, file, output, beside, force, unknown, reading)
        predict_on_spark(asked, predictor, decide, fields, out)
        return
    data = opened_for(predictor, file, reading, labelled=False)
    predictions = Predictions(predictor, data, decide, fields, unknown=unknown, as_json=out.as_json)
    if beside and data.format == "parquet" and output is None:
        raise click.UsageError("Parquet is not for printing: add -o FILE.")
    pieces = predictions.beside() if beside else (text.encode() for text in predictions.lines())
    if output is not None:
        check_free(output, force=force)
        with out.reading(data, "predicting"), written_whole(output) as target:
            target.writelines(pieces)
        out.say("wrote", f"{output}, {counted(predictions.examples, 'example')}")
    else:
        unseen = not is_terminal(sys.stdout)  # labels on the terminal tell enough
        with out.reading(data, "predicting") if unseen else contextlib.nullcontext():
            for piece in pieces:
                text = piece.decode()
                put(text if unseen else printable_lines(text), exact=unseen)
    tell_rejects(len(data.rejected), predictions.examples, out)
    decide.tell(predictions.examples, out)
    tell_unknown(predictions.unknown, predictions.examples, out)


LISTS = ("jsonl", "parquet")
"""Formats whose cells may be lists."""
LINES = ("jsonl", "svmlight", "text", "vw")
"""Formats with an example on each line: what is none, as a comment, has a line of output, too."""


class Predictions:
    """A line for each example, in order; for one that was set aside a line without a label."""

    def __init__(
        self,
        predictor: Any,
        data: Any,
        decide: Deciding,
        fields: OutputFields,
        *,
        unknown: bool,
        as_json: bool,
    ) -> None:
        self._predictor, self._data, self._as_json = predictor, data, as_json
        self._decide, self._fields, self._shares = decide, fields, unknown
        self._line_by_line = data.format in LINES and not as_json
        self.examples = 0
        self.unknown = 0

    def lines(self) -> Iterator[str]:
        """The text to print, some lines at a time."""
        data, taken, before = self._data, 0, 0
        pending: list[int] = []
        with reading_data():
            for batch in data.batches():
                pending = sorted(pending + data.rejected[taken:])
                taken = len(data.rejected)
                lines, last = self._of(batch), int(batch.lines[-1])
                gaps = [line for line in pending if line < last]
                pending = pending[len(gaps) :]
                if self._line_by_line and last - before > len(lines):
                    gaps = sorted({*range(before + 1, last)}.difference(batch.lines.tolist()))
                for line in reversed(gaps):
                    lines.insert(bisect_left(batch.lines, line), self._gap(line))
                before = last
                yield "".join(lines)
            yield from map(self._gap, sorted(pending + data.rejected[taken:]))

    def beside(self) -> Iterator[bytes]:
        """The table itself with the labels, and with what else is wanted."""
        from rosenblatt.readers.added_columns import beside, free_name, keep_records

        with reading_data():
            layout = keep_records(self._data)
            names: list[str] = []
            for name in ["predicted", *self._fields.heads, *["unknown"] * self._shares]:
                names.append(free_name(name, [*layout.columns, *names]))
            yield from beside(layout, names, map(self._columns, self._data.batches()))

    def _columns(self, batch: Any) -> tuple[Any, list[list[Any]]]:
        judgement = self._calibrate(batch)
        found = self._decide.labels(judgement)
        of_sets, lists = self._predictor.foretold == "labels", self._data.format in LISTS
        if of_sets:
            labels = [[*own] if lists else self._fields.joined(own) for own in found]
        else:
            labels = ["" if label is None else label for label in found]
        columns = [labels, *self._fields.columns(judgement)]
        shares = _unknown_shares(judgement)
        return batch, columns if shares is None else [*columns, shares]

    def _calibrate(self, batch: Any) -> Any:
        with reading_data(batch.lines, self._data.name):
            judgement = self._predictor.judge(batch.examples, unknown=self._shares)
        self.examples += len(batch)
        self.unknown += int(judgement.unknown.sum())
        return judgement

    def _of(self, batch: Any) -> list[str]:
        """The line of each example of a batch."""
        judgement = self._calibrate(batch)
        labels = self._decide.labels(judgement)
        if self._as_json:
            return self._json_of(batch, labels, judgement)
        pairs, shares = self._fields.pairs(judgement), _unknown_shares(judgement)
        return self._fields.lines(labels, pairs, shares)

    def _json_of(self, batch: Any, labels: list[Any], judgement: Any) -> list[str]:
        """An object for each example: all that is known of its labels."""
        number = self._predictor.foretold == "number"
        tables = {} if number else {"scores": judgement.by_label.tolist()}
        if self._predictor.has_probabilities:
            tables["probabilities"] = judgement.probabilities.tolist()
        pairs, shares = self._fields.pairs(judgement), _unknown_shares(judgement)
        return self._fields.objects(batch.lines.tolist(), labels, tables, pairs, shares)

    def _gap(self, line: int) -> str:
        """What stands in the place of a line that cannot be read."""
        return self._fields.gap(line) if self._as_json else "\n"


def _unknown_shares(judgement: Any) -> list[float] | None:
    """Of each example the share of its features that is unknown, if that is wanted."""
    return None if judgement.unknown_share is None else judgement.unknown_share.tolist()


def printable_lines(text: str) -> str:
    """Lines of a file of the caller's, with their tabs, made safe to look at."""
    return "".join(one if one in "\n\t" else printable(one) for one in re.split("([\n\t])", text))
