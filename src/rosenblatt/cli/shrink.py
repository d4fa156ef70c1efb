"""``rosenblatt shrink``: a small model file, to predict with."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from rosenblatt.cli.failures import check_free, reading_model
from rosenblatt.cli.options import Size, loaded, precision, speaking
from rosenblatt.cli.output import Output, percent, size

if TYPE_CHECKING:
    from rosenblatt.persistence.shrinking import Shrunk


@click.command("shrink")
@click.argument("model", type=click.Path())
@click.argument("output", type=click.Path())
@click.option(
    "--max-size",
    type=Size(),
    help="Most that OUTPUT may take, as 2MB; the weights of least effect are left out.",
)
@precision
@click.option("-f", "--force", is_flag=True, help="Write over a file that exists.")
@speaking
def command(
    model: str, output: str, max_size: int | None, precision: str, force: bool, out: Output
) -> None:
    """Write a small OUTPUT that predicts as MODEL does, and cannot learn on.

    Without options it predicts the same to the last bit. What smaller ones lose, rosenblatt
    evaluate tells.
    """
    from rosenblatt.persistence.shrinking import shrink

    check_free(output, force=force)
    loaded(model, out)
    with reading_model(model), out.bar("making it small"):
        made = shrink(model, output, max_size=max_size, precision=precision)
    tell_kept(made, out)
    out.say("wrote", f"{output}, {size(made.bytes)}")
    out.give({"file": output} | asdict(made))


def tell_kept(made: "Shrunk", out: Output) -> None:
    """Say what a small model has kept, if not all."""
    if made.weights < made.weights_before:
        share = f"{percent(made.square)} of their squared length"
        out.say("kept", f"{made.weights:,} of {made.weights_before:,} weights, {share}")
    if made.columns < made.columns_before:
        out.say("words", f"{made.columns:,} of {made.columns_before:,}")
