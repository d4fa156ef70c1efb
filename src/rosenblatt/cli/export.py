"""``rosenblatt export``: a model for other programs."""

import click

from rosenblatt.cli.failures import MODEL, Failure, check_free, reading_model, sentence
from rosenblatt.cli.options import speaking
from rosenblatt.cli.output import Output


@click.command("export")
@click.argument("model", type=click.Path())
@click.argument("output", type=click.Path())
@click.option("-f", "--force", is_flag=True, help="Write over a file that exists.")
@speaking
def command(model: str, output: str, force: bool, out: Output) -> None:
    """Write MODEL to OUTPUT as ONNX, which many programs and languages can run."""
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
