"""``rosenblatt lab``: the page on which a perceptron is seen to learn."""

import webbrowser
from pathlib import Path

import click

from rosenblatt.cli.failures import USAGE, Failure, check_free, reading_data
from rosenblatt.cli.options import speaking
from rosenblatt.cli.output import Output
from rosenblatt.readers.atomic_write import write_whole


@click.command("lab")
@click.argument("file", required=False, type=click.Path())
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="0 takes one that is free.")
@click.option("--browser/--no-browser", default=True, help="Whether to open a browser.")
@click.option(
    "--save", metavar="PAGE", type=click.Path(), help="Write the page as one file instead."
)
@click.option("-f", "--force", is_flag=True, help="With --save, write over a file that exists.")
@speaking
def command(
    file: str | None, port: int, browser: bool, save: str | None, force: bool, out: Output
) -> None:
    """Open the perceptron lab in a browser, with FILE in it if one is given.

    FILE is a model of texts (.rbt), whose words the page then weighs, or a CSV or TSV file with a
    line of names, of which the page asks which columns to show. The page is served to this machine
    alone until Ctrl-C.

    With --save lab.html it becomes one file that any browser opens, from a disk, a mail or the web.
    """
    require_built()
    if save is None:
        return serve(file, port, browser=browser, out=out)
    if file is not None:
        raise click.UsageError("--save goes without FILE: open FILE on the saved page.")
    return write(save, force=force, out=out)


def write(path: str, *, force: bool, out: Output) -> None:
    from rosenblatt.lab.one_file import the_lab

    check_free(path, force=force, name="save")
    write_whole(path, [the_lab().encode()])
    out.say("wrote", path)
    out.give({"file": path})


def serve(file: str | None, port: int, *, browser: bool, out: Output) -> None:
    from rosenblatt.lab.serving import LOOPBACK, PageServer
    from rosenblatt.readers.sources import open_plain

    opened = None
    if file is not None:
        opened = Path(file)
        with reading_data(file=file), open_plain(opened):
            pass
    try:
        server = PageServer(opened, port)
    except OSError as error:
        raise Failure(
            USAGE, f"The port {port} of {LOOPBACK} is taken: leave out --port."
        ) from error
    with server:
        out.say("lab", f"{server.url} (Ctrl-C ends it)")
        out.give({"url": server.url})
        if browser:
            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            out.say("done", "The lab is closed.")


def require_built() -> None:
    """Say how to get the core for the browser where it is missing."""
    from rosenblatt.lab.serving import is_built

    if not is_built():
        raise Failure(
            USAGE,
            "This install has no lab, as its core for the browser was not compiled: install a "
            "wheel, or run make lab in a clone.",
        )
