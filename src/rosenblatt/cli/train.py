"""``rosenblatt train``: a file of examples in, a model file out."""

import os
from typing import Any, NoReturn

import click

from rosenblatt.cli.failures import INTERRUPTED, USAGE, Failure, check_free
from rosenblatt.cli.intervals import interval, with_interval
from rosenblatt.cli.options import opened, reading, speaking, tell_rejects
from rosenblatt.cli.output import Output, percent, shortened, size
from rosenblatt.cli.train_checkpoint import (
    Checkpoint,
    check_alone,
    command_to_resume,
    free_path,
    output_of,
    write_checkpoint,
)
from rosenblatt.cli.train_data import in_memory, on_disk
from rosenblatt.cli.train_options import check_together, learning
from rosenblatt.cli.train_passes import Passes, fit
from rosenblatt.cli.train_plan import Plan
from rosenblatt.readers.training_data import TrainingData

GROWTH = 8
"""How many times as large as its file data may become in memory."""
MOST_LABELS = 6
"""How many labels are named in one line."""


@click.command("train")
@click.argument("file", type=click.Path())
@click.option(
    "-o",
    "--output",
    metavar="MODEL",
    type=click.Path(),
    help="Where to; FILE with .rbt if not given.",
)
@click.option("-f", "--force", is_flag=True, help="Write over a model that exists.")
@learning
@click.option(
    "--stream/--no-stream",
    default=None,
    help="Learn from a cache on disk in bounded memory; by default if the file is too large.",
)
@click.option(
    "--resume",
    metavar="CHECKPOINT",
    type=click.Path(),
    help="Go on where an interrupted run over FILE stopped.",
)
@reading
@speaking
@click.pass_context
def command(
    context: click.Context,
    /,
    file: str,
    output: str | None,
    force: bool,
    resume: str | None,
    stream: bool | None,
    reading: dict[str, Any],
    out: Output,
    **options: Any,
) -> None:
    """Learn a model from FILE.

    Guesses the format and which column holds what, holds out a tenth of the examples, makes passes
    until the held-out error gets no lower, keeps the best pass and says how good it is.

    Ctrl-C writes a checkpoint; the same run goes on with --resume.
    """
    model = None
    if resume is None:
        check_together(context, options)
        path = output or default_output(file)
    else:
        check_alone(context)
        kept = Checkpoint.read(context, resume, file)
        model, path = kept.model, output or output_of(resume)
        options, reading = options | kept.options, reading | kept.settings
    check_free(path, force=force)
    stream = is_large(file) if stream is None else stream
    if stream and file == "-":
        raise click.UsageError(
            "--stream reads its data more than once, which standard input does not allow.",
            context,
        )
    job = Job(file, path, reading, Plan(**options, stream=stream), model, resume)
    try:
        job.run(out)
    except KeyboardInterrupt:
        job.interrupted(context)


def is_large(file: str) -> bool:
    """Whether a file may need more memory than there is."""
    if not os.path.isfile(file):
        return False
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return os.path.getsize(file) * GROWTH > free


def default_output(file: str) -> str:
    """The name of the data with another ending, in the folder we are in."""
    if file == "-":
        raise Failure(USAGE, "Say where the model goes: -o MODEL.")
    stem = os.path.basename(os.path.normpath(file))
    while os.path.splitext(stem)[1] and stem.count(".") > stem.startswith("."):
        stem = os.path.splitext(stem)[0]
    return stem + ".rbt"


class Job:
    """One training run, from the data to the model file."""

    def __init__(
        self,
        file: str,
        output: str,
        reading: dict[str, Any],
        plan: Plan,
        model: Any = None,
        checkpoint: str | None = None,
    ) -> None:
        self.file, self.output, self.reading, self.plan = file, output, reading, plan
        self.model = plan.model() if model is None else model.set_params(warm_start=True)
        self.checkpoint = checkpoint
        """The one that this run goes on from, if any: not needed any more once there is a model."""
        self.written = False

    def run(self, out: Output) -> None:
        """Learn, write the model, and say what training came to."""
        learned_from, whole_model, settings = self.learn(out)
        self.model.set_params(warm_start=False)
        facts = self.result(learned_from)
        with out.bar(f"writing {os.path.basename(self.output)}"):
            self.write(whole_model, {"held_out": facts["held_out"], "data": settings})
        self.report(out, facts)

    def learn(self, out: Output) -> tuple[TrainingData, Any, dict[str, Any]]:
        """Read, split and fit, telling about it; also how to read further files like this one."""
        plan = self.plan
        data = opened(self.file, **self.reading)
        prepare = on_disk if plan.stream else in_memory
        split, settings = prepare(data, plan.vectorizer(data), plan.holdout, plan.seed, out)
        inside, outside = int(split.counts.sum()), int(split.counts_val.sum())
        out.say("read", f"{data.name}: {inside + outside:,} examples, {data.describe()}")
        rejected = getattr(split, "source", {}).get("rejected", len(data.rejected))
        self.rejected = tell_rejects(rejected, inside + outside, out)
        out.say("labels", counts_of(split))
        if plan.stream:
            out.say("cache", f"{data.name}.cache, kept for further runs; delete it at will")
        if plan.holdout > 0:
            out.say(
                "split",
                f"{inside:,} to learn from, {outside:,} held out "
                f"(--holdout {plan.holdout:g} --seed {plan.seed})",
            )
        averaged = plan.learner in ("averaged", "pa")
        model = fit(split, self.model, Passes(out, averaged=averaged, count=inside))
        return split, model, settings

    def write(self, model: Any, notes: dict[str, Any]) -> None:
        from rosenblatt.persistence.model_files import save

        save(model, self.output, notes=notes)
        self.written = True
        if self.checkpoint is not None:
            os.remove(self.checkpoint)

    def interrupted(self, context: click.Context) -> NoReturn:
        """Keep what was learned so far and say how to go on."""
        if self.written:
            raise Failure(INTERRUPTED, f"Interrupted after {self.output} was written, whole.")
        if self.model._state is None:
            raise Failure(INTERRUPTED, "Interrupted before the first pass: nothing was written.")
        path = self.checkpoint or free_path(self.output)
        model = self.model.set_params(warm_start=False)
        write_checkpoint(path, self.file, self.plan, self.reading, model)
        raise Failure(
            INTERRUPTED,
            f"Interrupted after {self.model.n_iter_} passes. To go on: "
            f"{command_to_resume(context, path, self.output)}",
        )

    def result(self, learned_from: TrainingData) -> dict[str, Any]:
        """What training came to, for programs and for the notes in the model file."""
        model, counts, outside = self.model, learned_from.counts, learned_from.counts_val
        facts: dict[str, Any] = {
            "model": self.output,
            "examples": int(counts.sum() + outside.sum()),
            "labels": [str(label) for label in learned_from.classes],
            "passes": [
                {
                    "mistakes": done.mistakes,
                    "train_error": done.train_error,
                    "held_out_error": done.validation_error,
                    "held_out_error_last": done.last_validation_error,
                    "seconds": round(done.seconds, 3),
                }
                for done in model.history_
            ],
            "held_out": None,
        }
        if self.plan.holdout > 0:
            count, most = int(outside.sum()), int((counts + outside).argmax())
            wrong = model.history_[model.best_iter_ - 1].validation_error * count
            low, high = interval(wrong, count)
            facts["held_out"] = {
                "examples": count,
                "best_pass": model.best_iter_,
                "error": wrong / count,
                "low": low,
                "high": high,
                "majority": str(learned_from.classes[most]),
                "majority_error": 1 - float(outside[most]) / count,
            }
        return facts

    def report(self, out: Output, facts: dict[str, Any]) -> None:
        """Say it to people, or give it to programs."""
        model = self.model
        out.say("stop", why_stopped(model, self.plan))
        held = facts["held_out"]
        if held:
            out.say(
                "kept",
                f"pass {held['best_pass']}: held-out error "
                f"{with_interval(held['error'] * held['examples'], held['examples'])}; always "
                f"{held['majority']}: {percent(held['majority_error'])}",
            )
        bytes_written = os.path.getsize(self.output)
        out.say("wrote", f"{self.output}, {size(bytes_written)}")
        out.say("next", f"rosenblatt inspect {self.output}")
        out.give(facts | self.rejected | {"bytes": bytes_written})


def counts_of(split: TrainingData) -> str:
    """The most frequent labels and how many examples they have."""
    counts = split.counts + split.counts_val
    order = (-counts).argsort(kind="stable")[:MOST_LABELS]
    named = ", ".join(f"{shortened(str(split.classes[k]), 30)} {counts[k]:,}" for k in order)
    more = f" and {len(counts) - MOST_LABELS} more" if len(counts) > MOST_LABELS else ""
    return f"{len(counts)}: {named}{more}"


def why_stopped(model: Any, plan: Plan) -> str:
    done = len(model.history_)
    if model.converged_:
        return f"pass {done} changed nothing more: every example comes out right"
    if done < plan.passes:
        return f"{plan.patience} passes without a lower held-out error (--patience {plan.patience})"
    return f"after {done} passes (--passes {plan.passes})"
