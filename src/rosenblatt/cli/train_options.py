"""The options of ``train`` that say how to learn."""

import re
from typing import Any

import click

from rosenblatt.cli.options import Command, Number, seed
from rosenblatt.models.criteria import SELECT
from rosenblatt.models.selection import FOLDS, PASSES
from rosenblatt.tuning.budget import Budget
from rosenblatt.tuning.search_space import LEARNERS

AVERAGED = ("auto", "pa", "averaged")
"""Learners whose averages may forget."""


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


class Folds(click.IntRange):
    """Two or more, or none."""

    name = "NUMBER"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        number = int(super().convert(value, param, ctx))
        if number == 1:
            self.fail("one fold leaves nothing to learn from: say 0, or 2 or more.", param, ctx)
        return number


class BudgetType(click.ParamType[Budget]):
    """Runs, as 40runs, or time, as 60s, 5min or 1h."""

    name = "BUDGET"

    def convert(self, value: Any, param: Any, ctx: Any) -> Budget:
        if isinstance(value, Budget):
            return value
        said = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?(runs?|s|min|h)", str(value))
        number = float(said[1]) if said else 0.0
        if said is None or number <= 0 or (said[2].startswith("run") and "." in said[1]):
            self.fail(f"expected runs or time, as 40runs, 60s or 5min, got {value!r}.", param, ctx)
        if said[2].startswith("run"):
            return Budget(runs=int(number))
        return Budget(seconds=number * {"s": 1, "min": 60, "h": 3600}[said[2]])


def learning(command: Command) -> Command:
    """Adds what may be said of the learner, its passes and how it reads words."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def check_together(context: click.Context, options: dict[str, Any]) -> None:
    """Refuse options that say nothing together."""
    if options["aggressiveness"] is not None and options["learner"] not in ("auto", "pa"):
        raise click.UsageError("-C is for --learner pa only.")
    if options["r"] is not None and options["learner"] not in ("auto", "arow"):
        raise click.UsageError("-r is for --learner arow only.")
    if options["r"] is not None and options["aggressiveness"] is not None:
        raise click.UsageError("-C and -r are for different learners.")
    if options["half_life"] is not None and options["learner"] not in AVERAGED:
        raise click.UsageError(f"--half-life is for --learner {', '.join(AVERAGED)}.")
    if options["binarize"] is not None and options["learner"] != "winnow":
        raise click.UsageError("--binarize is for --learner winnow only.")
    if options["select"] != "error" and not options["folds"] and options["validation"] is None:
        raise click.UsageError("--select chooses among what is tried: leave out --folds 0.")
    if options["hash_bits"] is not None and options["min_df"] > 1:
        raise click.UsageError("--hash keeps no words, so --min-df can leave none out.")
    if options["spark"] is not None and options["shards"] is None:
        raise click.UsageError("--spark trains over shards: add --shards NUMBER.")
    if options["shards"] is not None and options["learner"] == "voted":
        raise click.UsageError("--learner voted can't learn over --shards.")
    said = context.params
    if options["shards"] is not None:
        for name in ("several_labels", "label_separator", "regression"):
            if said[name] is not None:
                flag = f"--{name.replace('_', '-')}"
                raise click.UsageError(f"--shards is for one label an example, not for {flag}.")
    if said["regression"] and said["stream"]:
        raise click.UsageError("--regression learns in memory: leave out --stream.")


OPTIONS = (
    click.option(
        "--learner",
        type=click.Choice(["auto", *LEARNERS]),
        default="auto",
        help="Which member of the family learns; auto tries some.",
    ),
    click.option(
        "--passes", type=click.IntRange(1), default=PASSES, help="At most; with --folds 0, so many."
    ),
    click.option(
        "--folds",
        type=Folds(0),
        default=FOLDS,
        help="Choose learner and passes by cross-validation in so many folds; 0 to try nothing.",
    ),
    click.option(
        "--validation",
        metavar="FILE",
        type=click.Path(),
        help="Choose them on the examples of this file instead, which are not learned from.",
    ),
    click.option(
        "--select",
        type=click.Choice(SELECT),
        default=SELECT[0],
        show_default=True,
        help="Choose by fewest errors, by F1 of the rarer of two labels (of all together, where "
        "examples have several), by the mean F1 of all labels, or by probabilities.",
    ),
    seed,
    click.option(
        "-C",
        "aggressiveness",
        type=Number(0, min_open=True),
        help="Longest step of --learner pa; 1 if not given.",
    ),
    click.option(
        "--epsilon",
        type=Number(0),
        help="With --regression, how near is near enough; a hundredth of the spread if not given.",
    ),
    click.option(
        "-r",
        "r",
        type=Number(0, min_open=True),
        help="How slowly --learner arow becomes sure; 1 if not given.",
    ),
    click.option(
        "--half-life",
        type=Number(1),
        metavar="EXAMPLES",
        help="Let averages forget: so many examples ago counts half; for streams that drift.",
    ),
    click.option(
        "--class-weight",
        metavar="WEIGHTS",
        help="How much labels count: LABEL=NUMBER,..., or balanced, for all labels alike.",
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
        help="Read words, or runs of characters.",
    ),
    click.option(
        "--ngrams", type=Span(), default="1-2", help="How many words or characters make a feature."
    ),
    click.option(
        "--hash",
        "hash_bits",
        type=click.IntRange(1, 30),
        metavar="BITS",
        help="Share 2^BITS columns among all words, for bounded memory.",
    ),
    click.option(
        "--min-df", type=click.IntRange(1), default=1, help="Leave out words of fewer documents."
    ),
    click.option(
        "--shards",
        type=click.IntRange(1),
        metavar="NUMBER",
        help="Learn from so many parts side by side, and mix what they come to after each pass.",
    ),
    click.option(
        "--spark",
        metavar="MASTER",
        help="Where --shards are learned from: a URL of Spark's; on this machine if not given.",
    ),
    click.option(
        "--probabilities/--no-probabilities",
        default=True,
        help="Whether the model is to know how probable its labels are, found out in folds.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(1),
        help="Threads that read words, with the same result; one on each processor if not given.",
    ),
)
