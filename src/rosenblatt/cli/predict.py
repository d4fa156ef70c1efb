"""``rosenblatt predict``: a label for every example of a file."""

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

import click

from rosenblatt.cli.failures import check_free, reading_data, writing
from rosenblatt.cli.options import loaded, opened_for, reading, speaking
from rosenblatt.cli.output import Output


@click.command("predict")
@click.argument("model")
@click.argument("file", default="-")
@click.option("--scores", is_flag=True, help="Add the score of every label.")
@click.option("-o", "--output", metavar="FILE", help="Write here instead of standard output.")
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
                    yield from told_to_programs(predictor, batch)
                elif scores:
                    yield from told_with_scores(predictor, batch)
                elif len(batch.lines):
                    yield "\n".join(map(str, predictor.predict(batch.examples).tolist())) + "\n"


def told_with_scores(predictor: Any, batch: Any) -> Iterator[str]:
    labels = [str(label) for label in predictor.classes.tolist()]
    found, table = judged(predictor, batch.examples)
    for label, numbers in zip(found, table, strict=True):
        pairs = (f"{name}:{number:.6g}" for name, number in zip(labels, numbers, strict=True))
        yield "\t".join([str(label), *pairs]) + "\n"


def told_to_programs(predictor: Any, batch: Any) -> Iterator[str]:
    import json

    labels = [str(label) for label in predictor.classes.tolist()]
    found, table = judged(predictor, batch.examples)
    for line, label, numbers in zip(batch.lines.tolist(), found, table, strict=True):
        facts = {"line": line, "label": label, "scores": dict(zip(labels, numbers, strict=True))}
        yield json.dumps(facts, ensure_ascii=False) + "\n"


def judged(predictor: Any, examples: Any) -> tuple[list[Any], list[list[float]]]:
    """The label of each example, and the scores of all labels; of two, they mirror each other."""
    table = predictor.scores(examples)
    if table.ndim == 1:
        table = table[:, None] * [-1.0, 1.0]
    return predictor.predict(examples).tolist(), table.tolist()
