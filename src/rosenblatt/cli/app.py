"""The program: its commands, and how it ends."""

import json
import os
import sys

import click

import rosenblatt
from rosenblatt.cli.bench import command as bench
from rosenblatt.cli.check import command as check
from rosenblatt.cli.convert import command as convert
from rosenblatt.cli.evaluate import command as evaluate
from rosenblatt.cli.explain import command as explain
from rosenblatt.cli.export import command as export
from rosenblatt.cli.failures import INTERRUPTED, Failure
from rosenblatt.cli.inspect import command as inspect
from rosenblatt.cli.margin import command as margin
from rosenblatt.cli.output import echo
from rosenblatt.cli.plot import command as plot
from rosenblatt.cli.predict import command as predict
from rosenblatt.cli.train import command as train


class InOrder(click.Group):
    """Lists its commands as they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(
    cls=InOrder,
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


COMMANDS = (
    train, predict, evaluate, inspect, explain, check, margin, plot, convert, export, bench,
)  # fmt: skip
for command in COMMANDS:
    app.add_command(command)


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
