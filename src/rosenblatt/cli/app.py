"""The program: its commands, and how it ends."""

import importlib
import json
import os
import sys

import click

import rosenblatt
from rosenblatt.cli.failures import INTERRUPTED, Failure
from rosenblatt.cli.output import echo

COMMANDS = (
    "train", "predict", "evaluate", "inspect", "explain", "check", "margin", "plot", "convert",
    "export", "bench",
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
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="A first model: rosenblatt train reviews.csv, then rosenblatt inspect reviews.rbt.",
)
@click.version_option(rosenblatt.__version__, prog_name="rosenblatt")
def app() -> None:
    """Learn linear models from files of examples, and look into them.

    Files may be CSV, TSV, JSON lines, Parquet, lines of text with labels, svmlight or Vowpal
    Wabbit's, packed or not; "-" is standard input.

    The program ends with 0 when done, 1 if something is wrong with the data, 2 with the command,
    3 with the model file, 4 with writing to the disk, and 130 when interrupted.
    """


def run(arguments: list[str]) -> int:
    """Run the program and tell how it ended."""
    try:
        return app.main(arguments, prog_name="rosenblatt", standalone_mode=False) or 0
    except click.UsageError as error:
        if "--json" in arguments:
            complain(error.format_message(), error.exit_code, as_json=True)
        else:
            error.show()
        return error.exit_code
    except Failure as failure:
        complain(failure.message, failure.code, as_json="--json" in arguments)
        return failure.code
    except (KeyboardInterrupt, click.Abort):
        complain("Interrupted: nothing was written.", INTERRUPTED, as_json="--json" in arguments)
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def complain(sentence: str, code: int, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"error": sentence, "exit_code": code}), err=True)
    else:
        echo(f"{click.style('error:', fg='red', bold=True)} {sentence}", err=True)
