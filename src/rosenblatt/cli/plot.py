"""``rosenblatt plot``: pictures of a model."""

from typing import Any

import click

from rosenblatt.cli.failures import (
    DATA,
    MODEL,
    Failure,
    check_free,
    reading_data,
    reading_model,
    writing,
)
from rosenblatt.cli.options import opened, speaking
from rosenblatt.cli.output import Output

ENDINGS = (".png", ".svg", ".pdf")


@click.command("plot")
@click.argument("model")
@click.option(
    "--kind",
    type=click.Choice(["passes", "weights", "projection", "boundary"]),
    default="passes",
    show_default=True,
    help="The error of each pass, the heaviest weights, the scores of examples, or the boundary "
    "between examples of two features.",
)
@click.option("--data", metavar="FILE", help="Examples to draw, for projection and boundary.")
@click.option("-n", "number", type=click.IntRange(1), default=10, help="How many weights a side.")
@click.option("-o", "--output", metavar="PICTURE", required=True, help="A .png, .svg or .pdf file.")
@click.option("-f", "--force", is_flag=True, help="Write over a picture that exists.")
@speaking
@click.pass_context
def command(
    context: click.Context,
    model: str,
    kind: str,
    data: str | None,
    number: int,
    output: str,
    force: bool,
    out: Output,
) -> None:
    """Draw MODEL: how its error fell, or what it weighs."""
    if not output.lower().endswith(ENDINGS):
        raise click.UsageError(f"The picture must end in one of {', '.join(ENDINGS)}.", context)
    if kind in ("projection", "boundary") and data is None:
        raise click.UsageError(
            f"--kind {kind} draws examples: name them with --data FILE.", context
        )
    check_free(output, force=force)
    with reading_model(model):
        from rosenblatt.files import load, read_notes

        whole, notes = load(model), read_notes(model)
    try:
        import matplotlib
    except ImportError as error:
        raise Failure(
            MODEL, "Pictures need matplotlib: pip install 'rosenblatt[plots]'."
        ) from error
    matplotlib.use("agg")
    figure = draw(kind, whole, notes, data, number, out)
    with writing(output):
        figure.savefig(output, bbox_inches="tight", dpi=150)
    out.say("wrote", output)
    out.give({"picture": output})


def draw(
    kind: str, whole: Any, notes: dict[str, Any], data: str | None, number: int, out: Output
) -> Any:
    """The figure of this kind."""
    from rosenblatt.cli.whole import read_whole
    from rosenblatt.plots import BoundaryDisplay, PassesDisplay, ProjectionDisplay, WeightsDisplay

    model = whole.steps[-1][1] if hasattr(whole, "steps") else whole
    with reading_data():
        if kind == "passes":
            if not model.history_:
                raise Failure(DATA, "The model learned from a stream: it made no passes.")
            return PassesDisplay.from_estimator(model).figure_
        if kind == "weights":
            return WeightsDisplay.from_estimator(whole, n=number).figure_
        read = opened(str(data), **notes.get("data", {}))
        examples = read_whole(read, out)
        X = (
            whole[:-1].transform(examples.examples)
            if hasattr(whole, "steps")
            else examples.examples
        )
        display = BoundaryDisplay if kind == "boundary" else ProjectionDisplay
        return display.from_estimator(model, X, examples.labels).figure_
