"""The options of ``train`` that say how to learn."""

import math
from typing import Any

import click

from rosenblatt.cli.options import Command, seed
from rosenblatt.cli.train_plan import LEARNERS


class Span(click.ParamType[tuple[int, int]]):
    """Two numbers, as 1-2, or one that stands for both."""

    name = "FROM-TO"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, int]:
        try:
            numbers = tuple(int(part) for part in str(value).split("-"))
        except ValueError:
            numbers = ()
        first, last = numbers[0] if numbers else 0, numbers[-1] if numbers else 0
        if len(numbers) not in (1, 2) or not 1 <= first <= last:
            self.fail(f"expected FROM-TO, as 1-2, got {value!r}.", param, ctx)
        return first, last


class Number(click.FloatRange):
    """A number of a range, in which NaN never is."""

    name = "NUMBER"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return number


def learning(command: Command) -> Command:
    """Adds what may be said of the learner, its passes and how it reads words."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def check_together(context: click.Context, options: dict[str, Any]) -> None:
    """Refuse options that say nothing together."""
    if options["aggressiveness"] is not None and options["learner"] != "pa":
        raise click.UsageError("-C is for --learner pa only.", context)
    if options["binarize"] is not None and options["learner"] != "winnow":
        raise click.UsageError("--binarize is for --learner winnow only.", context)
    if options["hash_bits"] is not None and options["min_df"] > 1:
        raise click.UsageError("--hash keeps no words, so --min-df can leave none out.", context)


OPTIONS = (
    click.option(
        "--learner",
        type=click.Choice(list(LEARNERS)),
        default="pa",
        show_default=True,
        help="Which member of the family learns.",
    ),
    click.option(
        "--passes", type=click.IntRange(1), default=20, show_default=True, help="At most."
    ),
    click.option(
        "--patience",
        type=click.IntRange(1),
        default=3,
        show_default=True,
        help="Stop after so many passes without a lower held-out error.",
    ),
    click.option(
        "--holdout",
        type=Number(0, 1, max_open=True),
        default=0.1,
        show_default=True,
        help="Share of the examples of each label to hold out.",
    ),
    seed,
    click.option(
        "-C",
        "aggressiveness",
        type=Number(0, min_open=True),
        help="Longest step of --learner pa; 1 if not given.",
    ),
    click.option(
        "--binarize",
        type=Number(0),
        help="For --learner winnow, which needs features of 0 or 1: read numbers above this as 1.",
    ),
    click.option(
        "--analyzer",
        type=click.Choice(["word", "char", "char_wb"]),
        default="word",
        show_default=True,
        help="Read words, or runs of characters.",
    ),
    click.option(
        "--ngrams",
        type=Span(),
        default="1-2",
        show_default=True,
        help="How many words or characters make a feature.",
    ),
    click.option(
        "--hash",
        "hash_bits",
        type=click.IntRange(1, 30),
        metavar="BITS",
        help="Share 2^BITS columns among all words, for bounded memory.",
    ),
    click.option(
        "--min-df",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        help="Leave out words of fewer documents.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(1),
        help="Threads that read words, with the same result; one on each processor if not given.",
    ),
)
