"""``rosenblatt explain``: why a model gives an example its label."""

from typing import Any

import click

from rosenblatt.cli.failures import DATA, Failure, reading_data
from rosenblatt.cli.options import loaded, opened_for, reading, speaking
from rosenblatt.cli.output import Output


@click.command("explain")
@click.argument("model", type=click.Path())
@click.argument("words", nargs=-1, metavar="TEXT")
@click.option(
    "--file",
    metavar="FILE",
    type=click.Path(),
    help="Explain an example of this file instead of a text.",
)
@click.option("--line", type=click.IntRange(1), default=1, help="The line on which it begins.")
@click.option("--for", "whose", metavar="LABEL", help="Whose score; that of the winner if absent.")
@reading
@speaking
def command(
    model: str,
    words: tuple[str, ...],
    file: str | None,
    line: int,
    whose: str | None,
    reading: dict[str, Any],
    out: Output,
) -> None:
    """Show how much each word of TEXT pushes the score of MODEL, as bars.

    For a model of a table give cells as COLUMN=VALUE, such as title="a fine film" year=1999; those
    left out are empty. For other data name an example with --file and --line.
    """
    if bool(words) == bool(file):
        raise click.UsageError("Give a text, or a file with --file, and not both.")
    predictor = loaded(model, out)
    if predictor.foretold == "number":
        raise click.UsageError(f"{model} tells numbers, and what is explained are labels.")
    if not words:
        example = on_line(predictor, file, line, reading)
    elif predictor.takes_text:
        example = [" ".join(words)]
    elif predictor.table:
        example = in_columns(predictor.table, words)
    else:
        raise click.UsageError(
            f"{model} reads rows of numbers: name an example with --file and --line."
        )
    with reading_data():
        judgement = predictor.judge(example)
        names = [str(one) for one in predictor.classes.tolist()]
        if whose is not None and whose not in names:
            raise click.UsageError(
                f"The model does not know the label {whose}: it knows {', '.join(names)}."
            )
        scores = judgement.by_label[0].tolist()
        given = judgement.labels[0] if predictor.foretold == "labels" else (judgement.labels[0],)
        found = ", ".join(map(str, given)) or "none"
        strongest = names[int(judgement.strongest(1)[0, 0])]
        whose = whose or strongest
        pushes = judgement.contributions(label=predictor.classes[names.index(whose)])
    ranked = sorted(zip(names, scores, strict=True), key=lambda pair: -pair[1])
    out.say(
        "label", f"{found} " + "  ".join(f"({name} {score:+.4g})" for name, score in ranked[:4])
    )
    out.show()
    out.show_table(str(pushes))
    out.give(
        {
            **({"labels": [*given]} if predictor.foretold == "labels" else {"label": found}),
            "scores": dict(zip(names, scores, strict=True)),
            "explained": whose,
            "intercept": pushes.intercept,
            "pushes": [push._asdict() for push in pushes],
        }
    )


def in_columns(columns: list[str], words: tuple[str, ...]) -> dict[str, list[str]]:
    """A table of one row with these cells, each said as COLUMN=VALUE."""
    cells = dict.fromkeys(columns, "")
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in cells:
            raise click.UsageError(
                f"The model reads a table with the columns {', '.join(columns)}: say cells as "
                f"{columns[0]}=VALUE, got {word!r}."
            )
        cells[name] = value
    return {name: [value] for name, value in cells.items()}


def on_line(predictor: Any, file: str | None, line: int, reading: dict[str, Any]) -> Any:
    """The example that begins on this line of the file."""
    data = opened_for(predictor, str(file), reading, labelled=False)
    with reading_data():
        for batch in data.batches():
            places = (batch.lines == line).nonzero()[0]
            if len(places):
                return batch.at(places)
    raise Failure(DATA, f"No example of {file} begins on line {line}.")
