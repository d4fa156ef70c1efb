"""``rosenblatt predict``: a label for every example of a file."""

import contextlib
import json
import sys
from collections.abc import Iterator
from typing import Any

import click

from rosenblatt.cli.failures import check_free, reading_data, writing
from rosenblatt.cli.options import loaded, opened_for, reading, speaking
from rosenblatt.cli.output import Output


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
    at. Without FILE, standard input is read.
    """
    predictor = loaded(model, out)
    data = opened_for(predictor, file, reading, labelled=False)
    lines = predictions(predictor, data, scores=scores, as_json=out.as_json)
    if output is not None:
        from rosenblatt.readers.atomic_write import written_whole

        check_free(output, force=force)
        with writing(output), out.reading(data, "predicting"), written_whole(output) as target:
            for text in lines:
                target.write(text.encode())
        return
    unseen = not sys.stdout.isatty()  # labels on the terminal tell enough
    with out.reading(data, "predicting") if unseen else contextlib.nullcontext():
        for text in lines:
            sys.stdout.write(text)
        sys.stdout.flush()


def predictions(predictor: Any, data: Any, *, scores: bool, as_json: bool) -> Iterator[str]:
    """The lines to print for each batch of examples."""
    with reading_data():
        for batch in data.batches():
            with reading_data(batch.lines, data.name):
                if as_json:
                    yield from json_lines(predictor, batch)
                elif scores:
                    yield from lines_with_scores(predictor, batch)
                elif len(batch.lines):
                    yield "\n".join(map(str, predictor.predict(batch.examples).tolist())) + "\n"


def lines_with_scores(predictor: Any, batch: Any) -> Iterator[str]:
    for _, label, scores in judged(predictor, batch):
        pairs = (f"{name}:{score:.6g}" for name, score in scores.items())
        yield "\t".join([str(label), *pairs]) + "\n"


def json_lines(predictor: Any, batch: Any) -> Iterator[str]:
    for line, label, scores in judged(predictor, batch):
        facts = {"line": line, "label": label, "scores": scores}
        yield json.dumps(facts, ensure_ascii=False) + "\n"


def judged(predictor: Any, batch: Any) -> Iterator[tuple[int, Any, dict[str, float]]]:
    """The line of each example, its label, and the scores of all labels."""
    judgement = predictor.judge(batch.examples)
    names = [str(label) for label in predictor.classes.tolist()]
    found = batch.lines.tolist(), judgement.labels.tolist(), judgement.by_label.tolist()
    for line, label, scores in zip(*found, strict=True):
        yield line, label, dict(zip(names, scores, strict=True))
