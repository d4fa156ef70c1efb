"""The program: its commands, and how it ends."""

import importlib

import click

import rosenblatt
from rosenblatt.cli.failures import (
    DATA,
    INTERRUPTED,
    STORAGE,
    UNREAD,
    Failure,
    UnreadError,
    not_written,
)
from rosenblatt.cli.output import echo, flush, json_text, put
from rosenblatt.readers.atomic_write import WriteError

COMMANDS = (
    "train", "predict", "filter", "evaluate", "inspect", "explain", "check", "margin", "plot",
    "convert", "export", "shrink", "lab", "bench",
)  # fmt: skip
"""In the order in which they are listed; each is the ``command`` of a module of its name."""


class Commands(click.Group):
    """Imports a command when it is called, lest it wait for what others import."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.commands:
            return None
        command: click.Command = importlib.import_module(f"rosenblatt.cli.{name}").command
        return command


@click.group(
    cls=Commands,
    commands={name: click.Command(name) for name in COMMANDS},
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
    epilog="A first model: rosenblatt train reviews.csv, then rosenblatt inspect reviews.rbt.",
)
@click.version_option(rosenblatt.__version__, prog_name="rosenblatt")
def app() -> None:
    """Learn linear models from files of examples, and look into them.

    Files may be CSV, TSV, JSON lines, Parquet, lines of text with labels, svmlight or Vowpal
    Wabbit's, packed or not; "-" is standard input.

    The program ends with 0 when done, 1 if something is wrong with the data, 2 with the command,
    3 with the model file, 4 with writing, 130 when interrupted, and 141 when nobody reads its
    output any more.
    """


def run(arguments: list[str]) -> int:
    """Run the program and tell how it ended."""
    as_json = "--json" in arguments
    try:
        ended = app.main(arguments, prog_name="rosenblatt", standalone_mode=False) or 0
        flush()
        return ended
    except click.UsageError as error:
        if not as_json and error.ctx is not None:
            usage = f"{error.ctx.get_usage()}\nTry '{error.ctx.command_path} -h' for help.\n"
            for line in usage.split("\n"):
                echo(line, err=True)
        return complain(error.format_message(), error.exit_code, as_json=as_json)
    except Failure as failure:
        return complain(failure.message, failure.code, as_json=as_json)
    except WriteError as error:
        return complain(not_written(error), STORAGE, as_json=as_json)
    except MemoryError:
        sentence = "There is not enough memory for this."
        if arguments[:1] == ["train"]:
            sentence = "There is not enough memory for this: --stream needs little."
        return complain(sentence, DATA, as_json=as_json)
    except (KeyboardInterrupt, click.Abort):
        return complain("Interrupted: nothing was written.", INTERRUPTED, as_json=as_json)
    except UnreadError:
        return UNREAD


def complain(sentence: str, code: int, *, as_json: bool) -> int:
    """Say what went wrong; the code to end with."""
    if as_json:
        put(json_text({"error": sentence, "exit_code": code}) + "\n", err=True)
    else:
        echo(sentence, head=click.style("error:", fg="red", bold=True) + " ", err=True)
    return code
