"""``rosenblatt margin``: is the data separable, how widely, and what follows."""

from typing import Any

import click

from rosenblatt.cli.failures import reading_data
from rosenblatt.cli.options import opened, reading, speaking
from rosenblatt.cli.output import Output, counted
from rosenblatt.cli.train_data import features_of, read_several


@click.command("margin")
@click.argument("file", type=click.Path())
@reading
@speaking
def command(file: str, reading: dict[str, Any], out: Output) -> None:
    """Say whether a hyperplane separates the labels of FILE, and how widely.

    If one does, also how many mistakes a perceptron can make at most; if none does, which examples
    contradict each other.
    """
    from rosenblatt.theory.bounds import mistake_bound
    from rosenblatt.theory.margins import data_margin, radius
    from rosenblatt.theory.separability import separability
    from rosenblatt.theory.verdicts import Contradiction

    data = opened(file, **reading)
    whole = read_several(data, out)
    out.say("read", f"{data.name}: {counted(len(whole), 'example')}, {data.describe()}")
    labels = whole.known_labels()
    X = features_of(whole, data.vectorizer(), out)
    with reading_data(whole.lines, data.name):
        out.say("search", "for a hyperplane that separates the labels")
        with out.bar("looking for a hyperplane"):
            verdict = separability(X, labels)
        facts: dict[str, Any] = {"separable": verdict.separable, "radius": radius(X)}
        if isinstance(verdict, Contradiction):
            facts["lines"] = whole.lines[verdict.rows].tolist()
            out.say("verdict", verdict.sentence("line", facts["lines"]))
        else:
            out.say("verdict", str(verdict))
        if verdict.separable:
            out.say("search", "for the one with the widest margin")
            with out.bar("looking for the widest margin"):
                facts["margin"] = float(data_margin(X, labels).margin)
                facts["mistake_bound"] = float(mistake_bound(X, labels))
            out.say(
                "margin",
                f"{facts['margin']:.6g} with examples of length up to {facts['radius']:.6g}",
            )
            out.say(
                "bound",
                f"a perceptron makes at most {facts['mistake_bound']:,.0f} mistakes, "
                "however often and in whatever order it sees them",
            )
    out.give(facts | {"rejected": len(data.rejected)})
