"""``rosenblatt convert``: the same examples in another format."""

from typing import Any

import click

from rosenblatt.cli.failures import check_free, reading_data
from rosenblatt.cli.options import opened, reading, speaking, tell_rejects
from rosenblatt.cli.output import Output, counted
from rosenblatt.readers.sniffing import WRITTEN, by_name


@click.command("convert")
@click.argument("file", type=click.Path())
@click.argument("output", type=click.Path())
@click.option("--to", type=click.Choice(WRITTEN), help="The format, where OUTPUT's name is silent.")
@click.option("-f", "--force", is_flag=True, help="Write over a file that exists.")
@reading
@speaking
def command(
    file: str, output: str, to: str | None, force: bool, reading: dict[str, Any], out: Output
) -> None:
    """Write the examples of FILE to OUTPUT in another format.

    The format is told by OUTPUT's ending: .svm, .txt, .vw, .csv, .tsv, .jsonl or .parquet.
    """
    from rosenblatt.readers.writing import write_data

    if to is None and by_name(output) is None:
        raise click.UsageError(
            f"{output} does not tell its format: let it end in .svm, .txt, .vw, .csv, .tsv, "
            ".jsonl or .parquet, or add --to."
        )
    check_free(output, force=force)
    data = opened(file, **reading)
    with reading_data(), out.reading(data, "converting"):
        count = write_data(data, output, format=to)
    out.say("wrote", f"{output}, {counted(count, 'example')}")
    out.give({"file": output, "examples": count} | tell_rejects(len(data.rejected), count, out))
