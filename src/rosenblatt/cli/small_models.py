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
from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.inputs.sparse import row_numbers
from rosenblatt.readers.data import Batch, label_list
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

    def write(
        self, model: Any, path: str, notes: dict[str, Any], unseen: dict[str, Any], out: Output
    ) -> "Shrunk":
        """Write a model that only predicts; where it cannot be so small, the whole one, and say so.

        So that what was learned in hours is not lost.
        """
        from rosenblatt.persistence.model_files import save
        from rosenblatt.persistence.shrinking import shrink

        try:
            return shrink(model, path, notes=notes, **unseen, **self._asdict())
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


def examples_in(
    whole: Any, source: str, reading: dict[str, Any], out: Output, *, labelled: bool
) -> Batch | None:
    """Those of a file, or so many from its beginning, with labels if they are wanted and there."""
    batches, count = [], 0
    aside: dict[str, Any] = {"rejects": []} if "rejects" in reading else {}
    try:
        data = opened_for(whole, source, reading | aside, labelled=labelled)
    except Failure:
        if not labelled:
            raise
        data = opened_for(whole, source, reading | aside, labelled=False)
    with reading_data(file=data.name), out.reading(data, "comparing"):
        for batch in data.batches():
            batches.append(batch)
            count += len(batch)
            if count >= MOST_COMPARED:
                break
    return Batch.join(batches)


def unseen_among(examples: Batch | None, whole: Any) -> dict[str, Any]:
    """Those of which the model knows all labels, as `shrink` takes them; none if there are none."""
    if examples is None or examples.labels is None or whole.foretold == "number":
        return {}
    labels = examples.labels
    if isinstance(labels, LabelSets):
        strange = ~np.isin(labels.classes, whole.classes)[labels.numbers]
        known = np.bincount(row_numbers(labels.indptr)[strange], minlength=len(labels)) == 0
    else:
        known = np.isin(labels, whole.classes)
    some = np.flatnonzero(known)
    if not len(some):
        return {}
    kept = examples.at(some)
    return {"X_val": kept.examples, "y_val": kept.labels}


def lost(whole: Any, path: str, examples: Batch | None, out: Output) -> dict[str, Any]:
    """Say how the small model in a file differs from the whole one on examples; for programs, too.

    If these have labels, how often each is wrong.
    """
    if examples is None:
        return {}
    count = len(examples)
    before, after = (model.judge(examples).labels for model in (whole, loaded(path, out)))
    if whole.foretold == "number":
        differ = float(np.abs(before - after).mean())
        out.say("lost", f"numbers differ by {differ:.4g} on average over {count:,} examples")
        return {"compared": count, "mean_difference": differ}
    other = int((before != after).sum())
    labels = "other labels" if whole.foretold == "labels" else "another label"
    share = f"{percent(other / count)}, {other:,} of {count:,} examples"
    out.say("lost", f"{share} get {labels} than from the whole model")
    facts: dict[str, Any] = {"compared": count, "other_labels": other}
    if examples.labels is not None:
        right = [str(label) for label in label_list(examples.labels)]
        errors = [
            sum(str(a) != b for a, b in zip(of.tolist(), right, strict=True)) / count
            for of in (after, before)
        ]
        small, large = map(percent, errors)
        out.say("error", f"{small} of these, {large} by the whole model")
        facts |= {"error": errors[0], "whole_error": errors[1]}
    return facts


def as_predictor(model: Any, notes: dict[str, Any], out: Output) -> Any:
    """The whole model of which there is no file, as one of a file."""
    from rosenblatt.persistence.model_files import save

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "whole.rbt")
        save(model, path, notes=notes)
        return loaded(path, out)
