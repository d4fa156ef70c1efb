"""``rosenblatt predict``: a label for every example of a file."""

import contextlib
import re
import sys
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

import click

from rosenblatt.cli.failures import check_free, reading_data
from rosenblatt.cli.options import loaded, opened_for, reading, speaking, tell_rejects, tell_unknown
from rosenblatt.cli.output import Output, is_terminal, json_text, printable, put


@click.command("predict")
@click.argument("model", type=click.Path())
@click.argument("file", default="-", type=click.Path())
@click.option("--scores", is_flag=True, help="Add the score of every label.")
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
    beside: bool,
    output: str | None,
    force: bool,
    reading: dict[str, Any],
    out: Output,
) -> None:
    """Print the label that MODEL gives to each example of FILE, in order, one a line.

    FILE is read the way the model's own data was read; labels in it are not needed and not looked
    at. Without FILE, standard input is read. Where lines are set aside with --rejects, an empty
    line stands in their place; with --beside they are left out.
    """
    if beside and out.as_json:
        raise click.UsageError("--beside prints FILE's own format: leave out --json.", context)
    predictor = loaded(model, out)
    data = opened_for(predictor, file, reading, labelled=False)
    told = Predictions(predictor, data, scores=scores, as_json=out.as_json)
    if beside and data.format == "parquet" and output is None:
        raise click.UsageError("Parquet is not for printing: add -o FILE.", context)
    pieces = told.beside() if beside else (text.encode() for text in told.lines())
    if output is not None:
        from rosenblatt.readers.atomic_write import written_whole

        check_free(output, force=force)
        with out.reading(data, "predicting"), written_whole(output) as target:
            target.writelines(pieces)
    else:
        unseen = not is_terminal(sys.stdout)  # labels on the terminal tell enough
        with out.reading(data, "predicting") if unseen else contextlib.nullcontext():
            for piece in pieces:
                text = piece.decode()
                put(text if unseen else printable_lines(text), exact=unseen)
    tell_rejects(len(data.rejected), told.examples, out)
    tell_unknown(told.unknown, told.examples, out)


class Predictions:
    """A line for each example, in order; for one that was set aside a line without a label."""

    def __init__(self, predictor: Any, data: Any, *, scores: bool, as_json: bool) -> None:
        self._predictor, self._data, self._as_json = predictor, data, as_json
        self._names = [str(label) for label in predictor.classes.tolist()]
        self._scores = scores
        self._write = json_line if as_json else line_with_scores if scores else None
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
        """The table itself with the labels, and with the scores if they are wanted."""
        from rosenblatt.readers.beside import beside, free_name, keep_records

        with reading_data():
            layout = keep_records(self._data)
            wanted = ["predicted", *(f"score_{name}" for name in self._names if self._scores)]
            names: list[str] = []
            for name in wanted:
                names.append(free_name(name, [*layout.columns, *names]))
            yield from beside(layout, names, map(self._columns, self._data.batches()))

    def _columns(self, batch: Any) -> tuple[Any, list[list[Any]]]:
        judgement = self._judge(batch)
        scores = judgement.by_label.T.tolist() if self._scores else []
        return batch, [judgement.labels.tolist(), *scores]

    def _judge(self, batch: Any) -> Any:
        with reading_data(batch.lines, self._data.name):
            judgement = self._predictor.judge(batch.examples)
        self.examples += len(batch)
        self.unknown += int(judgement.unknown.sum())
        return judgement

    def _of(self, batch: Any) -> list[str]:
        """The line of each example of a batch."""
        judgement = self._judge(batch)
        labels = judgement.labels.tolist()
        if self._write is None:
            return [f"{printable(str(label))}\n" for label in labels]
        names = self._names
        found = zip(batch.lines.tolist(), labels, judgement.by_label.tolist(), strict=True)
        return [
            self._write(line, label, dict(zip(names, scores, strict=True)))
            for line, label, scores in found
        ]

    def _gap(self, line: int) -> str:
        """What stands in the place of a line that cannot be read."""
        return json_line(line, None, None) if self._as_json else "\n"


def printable_lines(text: str) -> str:
    """Lines of a file of the caller's, with their tabs, made safe to look at."""
    return "".join(one if one in "\n\t" else printable(one) for one in re.split("([\n\t])", text))


def line_with_scores(line: int, label: Any, scores: dict[str, float]) -> str:
    pairs = (f"{name}:{score:.6g}" for name, score in scores.items())
    return "\t".join(map(printable, [str(label), *pairs])) + "\n"


def json_line(line: int, label: Any, scores: dict[str, float] | None) -> str:
    return json_text({"line": line, "label": label, "scores": scores}) + "\n"
