"""``rosenblatt shrink``: a small model file, to predict with."""

import click

from rosenblatt.cli.failures import check_free, reading_model
from rosenblatt.cli.options import loaded, speaking
from rosenblatt.cli.output import Output, size
from rosenblatt.cli.smaller import lost, say_kept, small


@click.command("shrink")
@click.argument("model", type=click.Path())
@click.argument("output", type=click.Path())
@small
@click.option(
    "--on",
    metavar="FILE",
    type=click.Path(),
    help="Tell how many examples of this file get another label from OUTPUT than from MODEL.",
)
@click.option("-f", "--force", is_flag=True, help="Write over a file that exists.")
@speaking
def command(
    model: str,
    output: str,
    max_size: int | None,
    precision: str,
    on: str | None,
    force: bool,
    out: Output,
) -> None:
    """Write a small OUTPUT that predicts as MODEL does, and cannot learn on.

    Without options it predicts the same to the last bit.
    """
    from rosenblatt.persistence.shrinking import shrink

    check_free(output, force=force)
    whole = loaded(model, out)
    with reading_model(model), out.bar("making it small"):
        made = shrink(model, output, max_size=max_size, precision=precision)
    facts = {"file": output} | say_kept(made, out)
    if on is not None:
        facts |= lost(whole, output, on, {}, out)
    out.say("wrote", f"{output}, {size(made.bytes)}")
    out.give(facts)
