"""Small models of the command line: what they may take, and what they lose."""

import os
import tempfile
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from rosenblatt.cli.failures import DATA, Failure, reading_data, sentence
from rosenblatt.cli.options import Command, Size, loaded, opened_for, precision
from rosenblatt.cli.output import Output, percent, size
from rosenblatt.inputs.errors import InputError
from rosenblatt.tuning.budget import Smallness

if TYPE_CHECKING:
    from rosenblatt.persistence.shrinking import Shrunk

MOST_COMPARED = 20_000
"""Examples, or a batch more, on which a small model is held against the whole one."""


def small(command: Command) -> Command:
    """Adds what a model file may take."""
    most = click.option(
        "--max-size",
        type=Size(),
        help="Most that the model may take, as 2MB; the weights of least effect are left out.",
    )
    return most(precision(command))


class Small(Smallness):
    """What a model file may take, and how it is written."""

    def check(self, learner: str) -> None:
        """Refuse learners whose models cannot be made so small."""
        if not self.asked_for:
            return
        if learner == "voted":
            raise click.UsageError("--learner voted keeps its mistakes, and can't be made small.")
        if learner == "winnow" and self.max_size is not None:
            raise click.UsageError(
                "--max-size leaves small weights out; --learner winnow has none."
            )

    def write(self, model: Any, path: str, notes: dict[str, Any], out: Output) -> "Shrunk":
        """Write a model that only predicts; where it cannot be so small, the whole one, and say so.

        So that what was learned in hours is not lost.
        """
        from rosenblatt.persistence.model_files import save
        from rosenblatt.persistence.shrinking import shrink

        try:
            return shrink(model, path, notes=notes, **self._asdict())
        except InputError as error:
            save(model, path, notes=notes)
            out.say("wrote", f"{path}, {size(os.path.getsize(path))}, the whole model")
            raise Failure(DATA, sentence(error)) from error


def say_kept(made: "Shrunk", out: Output) -> dict[str, Any]:
    """Say what a small model has kept, if not all; the same for programs."""
    if made.weights < made.weights_before:
        share = f"{percent(made.square)} of their squared length"
        out.say("kept", f"{made.weights:,} of {made.weights_before:,} weights, {share}")
    if made.columns < made.columns_before:
        out.say("words", f"{made.columns:,} of {made.columns_before:,}")
    return asdict(made)


def lost(
    whole: Any, path: str, source: str, reading: dict[str, Any], out: Output
) -> dict[str, Any]:
    """Say how the small model in a file differs from the whole one on examples; for programs, too.

    Of long data so many from the beginning are looked at.
    """
    few = loaded(path, out)
    data = opened_for(whole, source, reading, labelled=False)
    numbers, count, other = whole.foretold == "number", 0, 0.0
    with reading_data(file=data.name), out.reading(data, "comparing"):
        for batch in data.batches():
            before, after = (model.judge(batch).labels for model in (whole, few))
            count += len(before)
            other += float(np.abs(before - after).sum() if numbers else (before != after).sum())
            if count >= MOST_COMPARED:
                break
    if not count:
        return {}
    if numbers:
        out.say("lost", f"numbers differ by {other / count:.4g} on average over {count:,} examples")
        return {"compared": count, "mean_difference": other / count}
    labels = "other labels" if whole.foretold == "labels" else "another label"
    share = f"{percent(other / count)}, {int(other):,} of {count:,} examples"
    out.say("lost", f"{share} get {labels} than from the whole model")
    return {"compared": count, "other_labels": int(other)}


def lost_by_writing(
    model: Any, path: str, source: str, reading: dict[str, Any], notes: dict[str, Any], out: Output
) -> dict[str, Any]:
    """The same where the whole model is in no file."""
    from rosenblatt.persistence.model_files import save

    with tempfile.TemporaryDirectory() as folder:
        whole, rejects = (os.path.join(folder, name) for name in ("whole.rbt", "rejects"))
        save(model, whole, notes=notes)
        aside = {"rejects": rejects} if "rejects" in reading else {}
        return lost(loaded(whole, out), path, source, reading | aside, out)
