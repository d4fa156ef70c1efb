"""``train --tune``: a search among ways to learn and to make features, shown run by run."""

import time
from dataclasses import dataclass
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.failures import USAGE, Failure, asked_for, reading_data
from rosenblatt.cli.held_out_error import error_of, measured
from rosenblatt.cli.output import Output, counted, percent, shortened
from rosenblatt.cli.small_models import Small
from rosenblatt.cli.train_checkpoint import given
from rosenblatt.cli.train_choice import Chosen, UnseenScores
from rosenblatt.cli.train_plan import Candidate, Plan, class_weights
from rosenblatt.explain.bar_tables import aligned
from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.label_sets import are_classes
from rosenblatt.readers.training_data import TrainingData
from rosenblatt.tuning.budget import Budget
from rosenblatt.tuning.search_space import TUNED, Space

NOT_WITH = {
    "validation": "--tune holds out a part of FILE by itself",
    "shards": "--tune learns on this machine and in memory",
    "spark": "--tune learns on this machine and in memory",
    "binarize": "--tune does not try Winnow",
}
"""Options that say nothing where ways to learn are searched, and why."""

ENOUGH = 2_000
"""Examples held out of the search from which it is known what scores mean."""

WIDTHS = (5, 10, 8, 9)
HEADS = ("run", "examples", "passes", "error")


@dataclass(frozen=True)
class Tuning:
    """What the options say of a search."""

    budget: Budget
    said: frozenset[str]
    """The options that were typed, which are not searched over."""

    @classmethod
    def asked(cls, context: click.Context, budget: Budget) -> "Tuning":
        """A search, once it is found to go with the other options."""
        said = frozenset(given(context))
        for name, why in NOT_WITH.items():
            if name in said:
                raise click.UsageError(f"{why}: leave out --{name}.")
        if context.params["learner"] in ("winnow", "voted"):
            raise click.UsageError(
                f"--tune does not try --learner {context.params['learner']}: say another."
            )
        if not context.params["folds"]:
            raise click.UsageError("--tune tries ways in folds: leave out --folds 0.")
        return cls(budget, said)

    def space(self, plan: Plan, *, text: bool, pairs: bool) -> Space:
        """The ways that have what was said."""
        space = Space.of(text=text, pairs=pairs)
        if text and "ngrams" in self.said:
            space = space.only(run=((plan.analyzer, plan.ngrams),))
        elif text and "analyzer" in self.said:
            space = space.only(
                run=tuple(run for run in space.run if run and run[0] == plan.analyzer)
            )
        return space.only(learner=self._learners(plan))

    def _learners(self, plan: Plan) -> tuple[Any, ...]:
        own = {"C": plan.aggressiveness, "r": plan.r}
        fixed = tuple((name, value) for name, value in own.items() if value is not None)
        learner = plan.learner
        if fixed and learner == "auto":
            learner = "pa" if fixed[0][0] == "C" else "arow"
        found = [one for one in TUNED if learner in ("auto", one[0])] or [(learner, ())]
        if fixed:
            found = [(learner, fixed)]
        if plan.half_life is not None:
            half_life = (("half_life", plan.half_life),)
            found = [(name, setting + half_life) for name, setting in found if name != "arow"]
        return tuple(found)


def tuned(
    tuning: Tuning, plan: Plan, small: Small, vectorizer: Any, data: TrainingData, out: Output
) -> tuple[TrainingData, Chosen]:
    """Search, say what was tried and chosen, and make the features that it needs."""
    from rosenblatt.tuning.feature_cache import maker_of, may_pair, takes_text
    from rosenblatt.tuning.search import Search, Task
    from rosenblatt.tuning.tune import held_out_value, row_of

    if not len(data.classes):
        raise Failure(USAGE, "--tune is for labels, not for --regression.")
    text, pairs = takes_text(vectorizer), may_pair(data.X, vectorizer)
    with asked_for():
        shared = {
            "shuffle": "blocks",
            "random_state": plan.seed,
            "class_weight": class_weights(plan.class_weight, data.classes),
        }
    space = tuning.space(plan, text=text, pairs=pairs)
    task = Task(
        *(data.X, data.answers, data.classes, data.sample_weight, vectorizer, space, shared),
        *(plan.select, plan.folds, plan.passes, plan.seed),
    )
    with asked_for() if plan.select == "f1" and len(data.classes) > 2 else reading_data():
        search = Search(task)
    inside, outside = len(search.inside), len(search.outside)
    are = "is" if outside == 1 else "are"
    held = f"{outside:,} {are} held out to measure the choice"
    out.say("tune", f"on {counted(inside, 'example')}; {held}")
    begin = time.monotonic()
    interrupted = _searched(search, tuning.budget, data, out)
    took = time.monotonic() - begin
    with reading_data(data.lines), out.bar("measuring the choice"):
        found = _settled(search, small)
    way = found.way
    runs = len(search.runs)
    out.say("chose", str(way))
    spent = f"{runs} run{'s' * (runs > 1)} in {took:.0f} s"
    if interrupted or tuning.budget.seconds is not None:
        spent += f"; --tune {runs}runs makes the same choice"
    out.say("stopped" if interrupted else "spent", spent)
    held_out = measured(task.at(search.outside), found.worth.error, 0, data.counts)
    held_out |= held_out_value(found, search) | {"first_error": found.first.error}
    if found.whole is not None:
        held_out |= {"whole_error": found.whole.error}
    tried = [row_of(run, search) for run in search.runs]
    maker = maker_of(vectorizer, way)
    if maker is not None:
        with reading_data(data.lines), out.bar("making features"):
            data = data.vectorized(maker)
    candidate = Candidate(way.name, way.setting, way.model(shared))
    unseen = _unseen(search, found.model, task)
    return data, Chosen(candidate, found.passes, held_out, tried, unseen)


def _searched(search: Any, budget: Budget, data: TrainingData, out: Output) -> bool:
    """Make the runs, a line for each; whether Ctrl-C ended them."""
    head, format_error = error_of(data.answers)
    criterion = search.criterion
    title = head if criterion is None else shortened(criterion.title, 20)
    widths = (*WIDTHS[:-1], max(WIDTHS[-1], len(title) + 2))
    out.show(aligned((*HEADS[:-1], title), widths, gap="") + "  way")
    runs, since = search.until(budget), time.monotonic()
    try:
        while True:
            number = len(search.runs) + 1
            with (
                reading_data(data.lines),
                out.bar(f"run {number}", lambda: budget.share(len(search.runs), since)),
            ):
                run = next(runs, None)
            if run is None:
                return False
            value = format_error(run.error) if criterion is None else criterion.text(run.measure)
            value = "failed" if run.failed else value
            cells = (f"{run.number}", f"{run.examples:,}", f"{run.passes}", value)
            line = aligned(cells, widths, gap="") + f"  {run.way}"
            out.show(line + (f": {run.failed}" if run.failed else "  best" * run.is_best))
    except KeyboardInterrupt:
        if not search.runs:
            raise
        return True


def _settled(search: Any, small: Small) -> Any:
    """The choice, by what small models come to if one is asked for and there can be one."""
    from rosenblatt.tuning.final_choice import choose_finally

    try:
        return choose_finally(search, small)
    except InputError:
        if not small.asked_for:
            raise
        return choose_finally(search)  # whoever writes the model says that it cannot be so small


def _unseen(search: Any, model: Any, task: Any) -> UnseenScores | None:
    """The scores of the examples held out, if they are enough to tell what scores mean."""
    if len(search.outside) < ENOUGH:
        return None
    rows: NDArray[np.intp] = search.outside
    tried = task.at(rows)
    scores = model.decision_function(tried.X)
    known = 1 if scores.ndim == 1 else scores.shape[1]
    if known != (1 if len(task.classes) == 2 and are_classes(task.answers) else len(task.classes)):
        return None  # a label so rare that it was only among those held out
    return UnseenScores(scores, tried.codes, tried.sample_weight)


def say_others(held: dict[str, Any], out: Output) -> None:
    """What the way tried first came to, and the choice itself before it was made small."""
    others = {"first_error": "by the way tried first", "whole_error": "by the whole model"}
    for name, by_whom in others.items():
        if name in held:
            ranked = "ranking_precision" in held
            quality = f"{percent(1 - held[name])} precision" if ranked else percent(held[name])
            out.say(name.partition("_")[0], f"{quality} {by_whom}, on the same examples")
