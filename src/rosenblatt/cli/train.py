"""``rosenblatt train``: a file of examples in, a model file out."""

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

import click

from rosenblatt.cli.failures import INTERRUPTED, USAGE, Failure, check_free, reason
from rosenblatt.cli.held_out_error import say_measured, say_without
from rosenblatt.cli.options import opened, reading, speaking, tell_rejects
from rosenblatt.cli.output import Output, percent, size
from rosenblatt.cli.small_models import (
    Small,
    as_predictor,
    examples_in,
    lost,
    say_kept,
    small,
    unseen_among,
)
from rosenblatt.cli.train_checkpoint import (
    OF_THE_CALL,
    Checkpoint,
    check_alone,
    command_to_resume,
    free_path,
    given,
    output_of,
    write_checkpoint,
)
from rosenblatt.cli.train_choice import Chosen, chosen
from rosenblatt.cli.train_data import described, in_memory, on_disk, to_try
from rosenblatt.cli.train_online import afresh, check_online, going_on, learn_online
from rosenblatt.cli.train_options import BudgetType, check_together, learning
from rosenblatt.cli.train_passes import Passes, as_one, calibrate, fit, fit_over_shards
from rosenblatt.cli.train_plan import Plan
from rosenblatt.cli.train_tuning import Tuning, say_others, tuned
from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.readers.training_data import TrainingData
from rosenblatt.tuning.budget import Budget

if TYPE_CHECKING:
    from rosenblatt.persistence.shrinking import Shrunk

GROWTH = 8
"""How many times as large as its file data may become in memory."""


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
    "--tune",
    metavar="BUDGET",
    type=BudgetType(),
    help="Search among many ways to learn and to make features: 40runs, 60s, 5min; Ctrl-C ends it.",
)
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
@click.option(
    "--continue",
    "onward",
    metavar="MODEL",
    type=click.Path(),
    help="Go on with this finished model: --passes walks over FILE, one if not given.",
)
@click.option(
    "--progressive",
    is_flag=True,
    help="Learn from each example once, in order, and tell the error of predicting it before.",
)
@small
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
    onward: str | None,
    progressive: bool,
    stream: bool | None,
    max_size: int | None,
    precision: str,
    tune: Budget | None,
    reading: dict[str, Any],
    out: Output,
    **options: Any,
) -> None:
    """Learn a model from FILE.

    Guesses the format and which column holds what, tries some ways to learn by cross-validation,
    learns from all examples in the best way, and says how good that is.

    Ctrl-C writes a checkpoint; the same run goes on with --resume. A finished model learns on from
    another file with --continue. With --max-size or --precision the model is small, and cannot
    learn on.
    """
    model, budget = None, Small(max_size, precision)
    if onward is not None or progressive:
        path = output or default_output(file)
        check_online(context, onward, progressive=progressive)
        if budget.asked_for:
            raise click.UsageError(
                "What learns on is not small: leave out --max-size and --precision, and shrink it."
            )
        check_together(context, options)
        check_free(path, force=force)
        if onward is not None:
            online = going_on(file, reading, onward, out)
        else:
            online = afresh(file, reading, Plan(**options, stream=False), out)
        walks = options["passes"] if "passes" in given(context) else 1
        walks = 0 if progressive else walks
        learn_online(online, path, walks, options["validation"], reading, out)
        return
    if resume is None:
        check_together(context, options)
        path = output or default_output(file)
    else:
        check_alone(context, "--resume goes on with the run as it was", OF_THE_CALL)
        kept = Checkpoint.read(context, resume, file)
        model, path = kept.model, output or output_of(resume)
        options, reading = options | kept.options, reading | kept.settings
    check_free(path, force=force)
    budget.check(options["learner"])
    tuning = None if tune is None else Tuning.asked(context, tune)
    if tuning is not None:
        if stream:
            raise click.UsageError("--tune learns in memory, --stream does not.")
        stream = False
    if options["shards"] is not None:
        if stream:
            raise click.UsageError("--shards keeps its data in memory, --stream does not.")
        stream = False
    if stream is None:
        stream = is_large(file) and reading.get("target") != "number"
    if stream and file == "-":
        raise click.UsageError(
            "--stream reads its data more than once, which standard input does not allow."
        )
    plan = Plan(**options, stream=stream)
    job = Job(file, path, reading, plan, model, resume, budget, tuning)
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


@dataclass
class Job:
    """One training run, from the data to the model file."""

    file: str
    output: str
    reading: dict[str, Any]
    plan: Plan
    model: Any = None
    checkpoint: str | None = None
    """The one that this run goes on from, if any: not needed any more once there is a model."""
    budget: Small = field(default_factory=Small)
    tuning: Tuning | None = None
    written: bool = False
    tried: Any = field(default=None, init=False)
    """The examples of a file to try on, if there is one."""

    def __post_init__(self) -> None:
        if self.model is not None:
            self.model.set_params(warm_start=True)

    def run(self, out: Output) -> None:
        """Learn, write the model, and say what training came to."""
        learned_from, choice, settings = self.choose(out)
        model = self.learn(learned_from, choice, out)
        self.model.set_params(warm_start=False)
        facts = self.result(learned_from, choice)
        notes = {"held_out": facts["held_out"], "data": settings}
        if self.budget.asked_for:
            facts |= self.write_small(model, notes, out)
        else:
            self.write(model, notes, {}, out)
        self.report(out, facts)

    def choose(self, out: Output) -> tuple[TrainingData, Chosen, dict[str, Any]]:
        """Read, and choose what to learn with; also how to read further files like this one."""
        plan = self.plan
        data = opened(self.file, **self.reading)
        prepare = on_disk if plan.stream else in_memory
        vectorizer = plan.vectorizer(data)
        learned, settings = prepare(data, None if self.tuning else vectorizer, out)
        count = len(learned.y)
        plan.check(data.foretold)
        out.say("read", f"{data.name}: {count:,} examples, {data.describe()}")
        rejected = getattr(learned, "source", {}).get("rejected", len(data.rejected))
        self.rejected = tell_rejects(rejected, count, out)
        out.say(*described(learned.answers, learned.classes, learned.counts))
        if plan.stream:
            out.say("cache", f"{data.name}.cache, kept for further runs; delete it at will")
        if self.tuning is not None:
            found = tuned(self.tuning, plan, self.budget, vectorizer, learned, out)
            return *found, settings
        if plan.validation is not None:
            self.tried = to_try(plan.validation, settings, self.reading, learned, out)
        return learned, chosen(plan, learned, self.tried, out), settings

    def learn(self, learned: TrainingData, choice: Chosen, out: Output) -> Any:
        """Fit what was chosen to all examples, or go on where that was interrupted."""
        count = len(learned.y)
        out.say("learn", f"{choice.candidate}: from all {count:,} examples")
        if self.model is None:
            self.model = choice.candidate.model.set_params(max_iter=choice.passes)
        if self.plan.shards is not None:
            folder = os.path.dirname(os.path.abspath(self.output))
            self.model = fit_over_shards(learned, self.model, self.plan, folder, out)
            model = as_one(learned, self.model)
        else:
            self.model._calibrates = self.tried is None and choice.unseen is None
            if isinstance(learned.y, LabelSets) and self.model._calibrates:
                self.model.set_params(probabilities=self.plan.probabilities)
            format_error = "{:.4g}".format if not len(learned.classes) else percent
            model = fit(learned, self.model, Passes(out, count=count, format_error=format_error))
            self.model._calibrates = True
        with out.bar("looking for probabilities"):
            calibrate(learned, self.model, self.plan, self.tried, choice.unseen, out)
        return model

    def write_small(self, model: Any, notes: dict[str, Any], out: Output) -> dict[str, Any]:
        """Write a small model; what it has kept and lost, told and for programs."""
        whole, source = as_predictor(model, notes, out), self.plan.validation or self.file
        held_out, examples = self.plan.validation is not None, None
        if source != "-":
            examples = examples_in(whole, source, self.reading, out, labelled=held_out)
        unseen = unseen_among(examples, whole) if held_out else {}
        made = self.write(model, notes, unseen, out)
        assert made is not None
        return say_kept(made, out) | lost(whole, self.output, examples, out)

    def write(
        self, model: Any, notes: dict[str, Any], unseen: dict[str, Any], out: Output
    ) -> "Shrunk | None":
        """Write the model, whole unless a small one is asked for."""
        from rosenblatt.persistence.model_files import save

        made = None
        with out.bar(f"writing {os.path.basename(self.output)}"):
            if self.budget.asked_for:
                made = self.budget.write(model, self.output, notes, unseen, out)
            else:
                save(model, self.output, notes=notes)
        self.written = True
        if self.checkpoint is not None:
            try:
                os.remove(self.checkpoint)
            except OSError as error:
                out.warn("checkpoint", f"{self.checkpoint} stays: {reason(error)}")
        return made

    def interrupted(self, context: click.Context) -> NoReturn:
        """Keep what was learned so far and say how to go on."""
        if self.written:
            raise Failure(INTERRUPTED, f"Interrupted after {self.output} was written, whole.")
        if self.plan.shards is not None:
            raise Failure(INTERRUPTED, "Interrupted; a run over shards writes nothing.")
        if self.tuning is not None:
            raise Failure(INTERRUPTED, "Interrupted: nothing was written.")
        if self.model is None or self.model._state is None:
            raise Failure(INTERRUPTED, "Interrupted before the first pass: nothing was written.")
        path = self.checkpoint or free_path(self.output)
        model = self.model.set_params(warm_start=False)
        write_checkpoint(path, self.file, self.plan, self.reading, model)
        raise Failure(
            INTERRUPTED,
            f"Interrupted after {passes(self.model.n_iter_)}. To go on: "
            f"{command_to_resume(context, path, self.output)}",
        )

    def result(self, learned: TrainingData, choice: Chosen) -> dict[str, Any]:
        """What training came to, for programs and for the notes in the model file."""
        return {
            "model": self.output,
            "examples": len(learned.y),
            "labels": [str(label) for label in learned.classes],
            "learner": choice.candidate.name,
            "setting": choice.candidate.setting,
            "tried": choice.tried,
            "passes": [
                {
                    "mistakes": done.mistakes,
                    "train_error": done.train_error,
                    "seconds": round(done.seconds, 3),
                }
                for done in self.model.history_
            ],
            "held_out": choice.held_out,
        }

    def report(self, out: Output, facts: dict[str, Any]) -> None:
        """Say it to people, or give it to programs."""
        out.say("stop", why_stopped(self.model))
        held = facts["held_out"]
        if held:
            say_measured(held, out, whole=facts.get("weights", 0) < facts.get("weights_before", 0))
            say_others(held, out)
            for name, title in (("f1", "F1"), ("macro_f1", "macro F1")):
                if "none_held_out" in held and name in held:
                    out.say(title, f"unknown, as none of {held['none_held_out']} was held out")
                elif name in held:
                    out.say(title, f"{percent(held[name])}, measured likewise")
            if "log_loss" in held:
                out.say("log loss", f"{held['log_loss']:.4g}, measured likewise")
            say_without(held, out)
        bytes_written = os.path.getsize(self.output)
        out.say("wrote", f"{self.output}, {size(bytes_written)}")
        out.say("next", f"rosenblatt inspect {self.output}")
        out.give(facts | self.rejected | {"bytes": bytes_written})


def why_stopped(model: Any) -> str:
    done = len(model.history_)
    if model.converged_:
        return f"pass {done} changed nothing more: every example comes out right"
    return f"after {passes(done)}"


def passes(number: int) -> str:
    return f"{number} pass" if number == 1 else f"{number} passes"
