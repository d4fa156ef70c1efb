"""``rosenblatt predict``: a label for every example of a file."""

import contextlib
import sys
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

import click

from rosenblatt.cli.failures import check_free, reading_data
from rosenblatt.cli.options import loaded, opened_for, reading, speaking, tell_rejects
from rosenblatt.cli.output import Output, is_terminal, json_text, printable, put


@click.command("predict")
@click.argument("model", type=click.Path())
@click.argument("file", default="-", type=click.Path())
@click.option("--scores", is_flag=True, help="Add the score of every label.")
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
def command(
    model: str,
    file: str,
    scores: bool,
    output: str | None,
    force: bool,
    reading: dict[str, Any],
    out: Output,
) -> None:
    """Print the label that MODEL gives to each example of FILE, in order, one a line.

    FILE is read the way the model's own data was read; labels in it are not needed and not looked
    at. Without FILE, standard input is read. Where lines are set aside with --rejects, an empty
    line stands in their place.
    """
    predictor = loaded(model, out)
    data = opened_for(predictor, file, reading, labelled=False)
    lines = predictions(predictor, data, scores=scores, as_json=out.as_json)
    if output is not None:
        from rosenblatt.readers.atomic_write import written_whole

        check_free(output, force=force)
        with out.reading(data, "predicting"), written_whole(output) as target:
            count = 0
            for text in lines:
                target.write(text.encode())
                count += text.count("\n")
        tell_rejects(data, count - len(data.rejected), out)
        return
    unseen = not is_terminal(sys.stdout)  # labels on the terminal tell enough
    with out.reading(data, "predicting") if unseen else contextlib.nullcontext():
        count = 0
        for text in lines:
            put(text)
            count += text.count("\n")
    tell_rejects(data, count - len(data.rejected), out)


def predictions(predictor: Any, data: Any, *, scores: bool, as_json: bool) -> Iterator[str]:
    """A line for each example, in order; for one that was set aside a line without a label."""
    write = json_line if as_json else line_with_scores if scores else None
    pending: list[int] = []
    told = 0
    with reading_data():
        for batch in data.batches():
            with reading_data(batch.lines, data.name):
                if write is None:
                    found = predictor.predict(batch.examples).tolist()
                    lines = [f"{printable(str(label))}\n" for label in found]
                else:
                    lines = [write(*found) for found in judged(predictor, batch)]
            pending = sorted(pending + data.rejected[told:])
            told = len(data.rejected)
            last = int(batch.lines[-1])
            gaps = [line for line in pending if line < last]
            pending = pending[len(gaps) :]
            for line in reversed(gaps):
                lines.insert(bisect_left(batch.lines, line), without_label(line, as_json))
            yield "".join(lines)
        for line in sorted(pending + data.rejected[told:]):
            yield without_label(line, as_json)


def without_label(line: int, as_json: bool) -> str:
    """What stands in the place of a line that cannot be read."""
    return json_line(line, None, None) if as_json else "\n"


def line_with_scores(line: int, label: Any, scores: dict[str, float]) -> str:
    pairs = (f"{name}:{score:.6g}" for name, score in scores.items())
    return "\t".join(map(printable, [str(label), *pairs])) + "\n"


def json_line(line: int, label: Any, scores: dict[str, float] | None) -> str:
    return json_text({"line": line, "label": label, "scores": scores}) + "\n"


def judged(predictor: Any, batch: Any) -> Iterator[tuple[int, Any, dict[str, float]]]:
    """The line of each example, its label, and the scores of all labels."""
    judgement = predictor.judge(batch.examples)
    names = [str(label) for label in predictor.classes.tolist()]
    found = batch.lines.tolist(), judgement.labels.tolist(), judgement.by_label.tolist()
    for line, label, scores in zip(*found, strict=True):
        yield line, label, dict(zip(names, scores, strict=True))
