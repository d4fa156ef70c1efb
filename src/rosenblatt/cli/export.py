"""``rosenblatt export``: a model for other programs, or for the web."""

import os

import click

from rosenblatt.cli.failures import MODEL, STORAGE, Failure, check_free, reading_model, sentence
from rosenblatt.cli.options import speaking
from rosenblatt.cli.output import Output
from rosenblatt.cli.small_models import say_kept, small


@click.command("export")
@click.argument("model", type=click.Path())
@click.argument("output", type=click.Path(), required=False)
@click.option("--web", metavar="DIR", type=click.Path(), help="Write a folder for the web instead.")
@small
@click.option("-f", "--force", is_flag=True, help="Write over a file that exists.")
@speaking
def command(
    model: str,
    output: str | None,
    web: str | None,
    max_size: int | None,
    precision: str,
    force: bool,
    out: Output,
) -> None:
    """Write MODEL to OUTPUT as ONNX, which many programs and languages can run.

    With --web a model of texts becomes a folder for any web space: a page that classifies and
    explains, and a module predict.js for other pages and for node; --max-size and --precision are
    for these.
    """
    if (output is None) == (web is None):
        raise click.UsageError("Name either OUTPUT or --web DIR.")
    if web is None:
        if max_size is not None or precision != "float64":
            raise click.UsageError(
                "--max-size and --precision go with --web; or shrink MODEL first."
            )
        assert output is not None
        return to_onnx(model, output, force=force, out=out)
    return to_web(model, web, max_size, precision, force=force, out=out)


def to_web(
    model: str, folder: str, max_size: int | None, precision: str, *, force: bool, out: Output
) -> None:
    from rosenblatt.cli.lab import require_built
    from rosenblatt.lab.web_export import export_web

    require_built()
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise Failure(STORAGE, f"{folder} is a file: name a folder.")
    if os.path.isdir(folder) and os.listdir(folder) and not force:
        raise Failure(STORAGE, f"{folder} is not empty: choose another name, or add --force.")
    with reading_model(model):
        made = export_web(model, folder, max_size, precision)
    facts = say_kept(made, out)
    out.say("wrote", f"{folder}, with a model of {made.bytes:,} bytes")
    out.give({"folder": folder} | facts)


def to_onnx(model: str, output: str, *, force: bool, out: Output) -> None:
    from rosenblatt.persistence.model_files import load

    check_free(output, force=force)
    with reading_model(model):
        whole = load(model)
    try:
        from rosenblatt.persistence.onnx import export_onnx
    except ImportError as error:
        raise Failure(MODEL, "Export needs onnx: pip install 'rosenblatt[onnx]'.") from error
    try:
        with reading_model(model):
            export_onnx(whole, output)
    except TypeError as error:  # a model or transformer that ONNX files are not made of
        raise Failure(MODEL, sentence(error)) from error
    out.say("wrote", output)
    out.give({"file": output})
