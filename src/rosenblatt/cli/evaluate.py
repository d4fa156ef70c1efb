"""``rosenblatt evaluate``: how good a model is on labelled examples."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import click

from rosenblatt.cli.costs import cost_facts, read_costs
from rosenblatt.cli.failures import DATA, Failure, reading_data
from rosenblatt.cli.intervals import with_interval
from rosenblatt.cli.options import loaded, opened_for, reading, speaking, tell_rejects, tell_unknown
from rosenblatt.cli.output import Output, percent, shortened, width
from rosenblatt.cli.reliability import reliability_facts, show_reliability
from rosenblatt.cli.tally import LabelTally, Rates
from rosenblatt.cli.tally_numbers import NumberTally
from rosenblatt.cli.tally_sets import SetTally
from rosenblatt.cli.train_data import without_labels

HEADS = ("label", "precision", "recall", "F1", "ROC area", "PR area", "examples")
MOST_LABELS = 12
"""Of which the whole matrix of confusions is shown."""
MOST_CONFUSIONS = 10
LEAST_ROOM = 24
"""For the text of an error, however narrow the terminal."""


@click.command("evaluate")
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path())
@click.option("-n", "worst", type=click.IntRange(0), default=5, help="How many errors to show.")
@click.option(
    "--costs",
    metavar="COSTS",
    help="What it costs to take a label for another: RIGHT:FOUND=NUMBER,...; 1 if not given.",
)
@reading
@speaking
def command(
    model: str, file: str, worst: int, costs: str | None, reading: dict[str, Any], out: Output
) -> None:
    """Hold what MODEL predicts against the labels of FILE.

    Prints the error with its 95 % interval; precision, recall, F1 and the areas under the ROC and
    the precision-recall curve of every label, and their averages; which labels are taken for which;
    what that costs, if --costs says so; how far the model's probabilities can be believed, and what
    giving no label below one would bring; and the errors that the model was most sure of.

    Where examples may have several labels, micro and macro F1, the share of examples with just the
    right ones, the Hamming loss and the precision of rankings; where numbers are foretold, the mean
    absolute error, the root of the mean squared one, and R².
    """
    predictor = loaded(model, out)
    kind = {"label": LabelTally, "labels": SetTally, "number": NumberTally}[predictor.foretold]
    tally: Any = kind(predictor, worst)
    if costs is not None and predictor.foretold != "label":
        raise click.UsageError("--costs is for models of one label an example.")
    priced = None if costs is None else read_costs(costs, tally.labels)
    data = opened_for(predictor, file, reading, labelled=True)
    with reading_data(), out.reading(data, "evaluating"):
        for batch in data.batches():
            if batch.labels is None:
                raise Failure(DATA, without_labels(data))
            with reading_data(batch.lines, data.name):
                tally.take(batch)
    if not tally.count:
        raise Failure(DATA, f"{data.name} holds no examples.")
    facts = tally.facts()
    if isinstance(tally, SetTally):
        report_sets(tally, data.name, out)
    elif isinstance(tally, NumberTally):
        report_numbers(tally, facts, data.name, out)
    else:
        report(tally, data.name, out)
        if priced is not None:
            facts["costs"] = cost_facts(tally.pairs, priced, tally.labels)
            show_costs(facts["costs"], out)
        facts["probabilities"] = reliability_facts(tally.reliability)
        if tally.reliability is not None:
            show_reliability(tally.reliability, out)
        show_worst(tally.errors, out)
        have = "examples have a label that the model does not know"
        tell_foreign(tally, f"of {tally.count:,} {have}", out)
    rejected = tell_rejects(len(data.rejected), tally.count, out)
    out.give(facts | rejected | tell_unknown(tally.unknown, tally.count, out))


def report_sets(tally: SetTally, name: str, out: Output) -> None:
    """The same where an example may have several labels."""
    averages = tally.averages()
    out.say("F1", f"micro {percent(averages['micro'].f1)}, macro {percent(averages['macro'].f1)}")
    out.say(
        "sets",
        f"{with_interval(tally.count - tally.exact, tally.count)} not just the right labels, of "
        f"{tally.count:,} examples of {name}",
    )
    out.say("labels", f"{percent(tally.hamming_loss)} of all given or not given wrongly")
    out.say("ranking", f"{percent(tally.ranking_precision)} precision")
    show_rates(tally, tally.rates(), out)
    if tally.reliability is not None:
        found = tally.reliability
        out.show()
        out.say(
            "probable",
            f"log loss {found.log_loss:.4g}, Brier score {found.brier:.4g}, calibration error "
            f"{percent(found.error)}, each label by itself",
        )
        heads = ("labels from", "precision", "recall", "F1", "examples without any")
        levels = [
            (f"{each.threshold:g}", *map(percent, each[1:]))
            for each in tally.from_levels()
            if each.without < 1
        ]
        out.show()
        out.show_columns(heads, levels)
    show_worst(tally.errors, out)
    tell_foreign(tally, "labels of examples are not known to the model", out)


def report_numbers(tally: NumberTally, facts: dict[str, Any], name: str, out: Output) -> None:
    """The same of numbers."""
    out.say(
        "error",
        f"{facts['mean_absolute_error']:.4g} on average (MAE), "
        f"{facts['root_mean_squared_error']:.4g} root mean square (RMSE), on {tally.count:,} "
        f"examples of {name}",
    )
    if facts["r2"] is not None:
        out.say("R²", f"{facts['r2']:.4f} of the variance is accounted for")
    out.say("bias", f"{facts['mean_difference']:+.4g} on average")
    out.say("always", f"{facts['median']:.4g}: {facts['median_error']:.4g} on average")
    show_worst(tally.errors, out, title="The numbers that are furthest off:")


def tell_foreign(tally: LabelTally | SetTally, what: str, out: Output) -> None:
    """Say which labels of the data the model can never give."""
    if tally.foreign:
        some = shortened(", ".join(tally.foreign), 60)
        out.warn("labels", f"{tally.foreign.total():,} {what}: {some}")


def report(tally: LabelTally, name: str, out: Output) -> None:
    """The tables, for people."""
    label, times = tally.rights.most_common(1)[0]
    out.say(
        "error",
        f"{with_interval(tally.wrong, tally.count)} on {tally.count:,} examples of {name}; "
        f"always {label}: {percent(1 - times / tally.count)}",
    )
    rates = tally.rates()
    show_rates(tally, rates, out)
    labels = [*rates]
    out.show()
    if len(labels) <= MOST_LABELS:
        out.show("  Rows are what is right, columns what was found:")
        lines = [
            (shortened(right, 16), *(f"{tally.pairs[right, found]:,}" for found in labels))
            for right in labels
        ]
        out.show_columns(("", *(shortened(name, 12) for name in labels)), lines)
    else:
        out.show("  Most often taken for another:")
        for right, found, times in tally.confusions[:MOST_CONFUSIONS]:
            out.show(f"  {times:>6,}  {right} → {found}")


def show_rates(tally: LabelTally | SetTally, rates: dict[str, Rates], out: Output) -> None:
    """A line for each label, and for the averages."""
    areas, averages = tally.areas, tally.averages()
    rights = tally.rights
    blank = ("", "")
    lines = [
        (
            shortened(name, 30),
            *map(percent, of_label),
            *(map(percent, areas[name]) if name in areas else blank),
            f"{rights[name]:,}",
        )
        for name, of_label in rates.items()
    ]
    means = [percent(fmean(each)) for each in zip(*areas.values(), strict=True)] or blank
    lines += [
        ("",) * len(HEADS),
        ("macro average", *map(percent, averages["macro"]), *means, ""),
        ("micro average", *map(percent, averages["micro"]), *blank, ""),
    ]
    out.show()
    out.show_columns(HEADS, lines)


def show_costs(facts: dict[str, Any], out: Output) -> None:
    """The dearest errors, and what all came to."""
    lines = [
        (
            f"{shortened(row['label'], 24)} → {shortened(row['taken_for'], 24)}",
            f"{row['times']:,}",
            f"{row['cost']:g}",
            f"{row['total']:,g}",
        )
        for row in facts["table"][:MOST_CONFUSIONS]
    ]
    out.show()
    out.show_columns(("what errors cost", "times", "each", "in all"), lines)
    out.show()
    out.say(
        "cost",
        f"{facts['total']:,g}, {facts['mean']:.4g} an example; "
        f"always {facts['always']}: {facts['always_mean']:.4g}",
    )


def show_worst(
    errors: Sequence[Any], out: Output, title: str = "The errors it was most sure of:"
) -> None:
    """Where they are, and what a person would know the examples by."""
    if errors:
        out.show()
        out.show(f"  {title}")
    for each in errors:
        room = max(LEAST_ROOM, width() - len(each.said) - len('  : ""'))
        out.show(f"  {each.said}" + (f': "{shortened(each.text, room)}"' if each.text else ""))
