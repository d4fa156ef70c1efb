"""``rosenblatt shrink``: a small model file, to predict with."""

import click

from rosenblatt.cli.failures import check_free, reading_model
from rosenblatt.cli.options import loaded, speaking
from rosenblatt.cli.output import Output, size
from rosenblatt.cli.small_models import examples_in, lost, say_kept, small, unseen_among


@click.command("shrink")
@click.argument("model", type=click.Path())
@click.argument("output", type=click.Path())
@small
@click.option(
    "--on",
    metavar="FILE",
    type=click.Path(),
    help="Tell how many examples of this file get another label from OUTPUT than from MODEL; by "
    "their labels, if they have any, probabilities are found out anew where weights are left out.",
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
    whole, examples = loaded(model, out), None
    if on is not None:
        examples = examples_in(whole, on, {}, out, labelled=True)
    unseen = unseen_among(examples, whole)
    with reading_model(model), out.bar("making it small"):
        made = shrink(model, output, max_size=max_size, precision=precision, **unseen)
    facts = {"file": output} | say_kept(made, out) | lost(whole, output, examples, out)
    out.say("wrote", f"{output}, {size(made.bytes)}")
    out.give(facts)
