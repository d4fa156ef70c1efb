"""A search for the best way to learn, run by run, and what its choice is worth."""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from rosenblatt.features.examples import chosen
from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.label_sets import Answers, occurrences, strata
from rosenblatt.models.criteria import Criterion, criterion_of
from rosenblatt.models.cross_validation import Outcome, tried_in_folds
from rosenblatt.models.selection import FOLDS, PASSES, SAMPLE, Counts, Tried, choose, error
from rosenblatt.training.validation import Labelled, fold_numbers, shuffled
from rosenblatt.tuning.budget import Budget
from rosenblatt.tuning.feature_cache import FeatureCache, maker_of, steps_of
from rosenblatt.tuning.search_space import Configuration, Space
from rosenblatt.tuning.successive_halving import SuccessiveHalving

ROUNDS, LEAST = 3, 2_000
"""At most so many rounds, each on twice as many examples as the one before, the last on all; none
is on fewer than so many but the last."""

OUTSIDE = 10
"""One part in so many is held out of the search, to measure what it chose."""

WORST = Tried(0, math.inf, math.inf)
"""What a way comes to by which nothing can be learned."""

FINALISTS, FINAL_FOLDS = 4, 10
"""So many of the best ways are tried once more, in so many other folds."""


@dataclass(frozen=True)
class Task:
    """What is to be learned, and what is known beforehand of how."""

    examples: Any
    """Texts, bags, records, or rows."""
    answers: Answers
    classes: NDArray[Any]
    sample_weight: NDArray[np.float64] | None = None
    base: Any = None
    """Makes features of the examples, not yet fitted; None where they are rows."""
    space: Space = field(default_factory=Space)
    shared: dict[str, Any] = field(default_factory=dict)
    """Parameters of every learner."""
    select: str = "error"
    folds: int = FOLDS
    passes: int = PASSES
    seed: int = 0

    def at(self, rows: NDArray[Any]) -> Labelled:
        """Some of the examples, as they are."""
        weight = None if self.sample_weight is None else self.sample_weight[rows]
        examples = chosen(self.examples, rows)
        return Labelled(examples, self.answers[rows], self.classes, weight)


class Run(NamedTuple):
    """One way tried in one round."""

    number: int
    """From one."""
    examples: int
    way: Configuration
    passes: int
    """The best number of them."""
    error: float
    measure: float
    """By which ways are chosen."""
    is_best: bool
    """Of its round, so far."""
    failed: str | None = None
    """Why nothing could be learned so, if nothing could; it is then the worst."""


class Measured(NamedTuple):
    """How wrong a way was on examples that had no say in choosing it."""

    error: float
    measure: float


class Search:
    """Tries one way after the other on nine tenths of the examples."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.criterion: Criterion | None = criterion_of(task.select, task.answers, task.classes)
        codes = strata(task.answers)
        if len(codes) < 2 or np.bincount(codes).max() < 2:
            raise InputError(
                "No label has two examples, so that none can be held out to choose by",
                remedy="train without tuning",
            )
        parts = max(OUTSIDE, -(-len(codes) // SAMPLE))
        numbers = fold_numbers(codes, parts, task.seed)
        self.inside, self.outside = np.flatnonzero(numbers != 0), np.flatnonzero(numbers == 0)
        order = shuffled(len(self.inside), task.seed)[:SAMPLE]
        sample = np.sort(order)
        self.sample_rows: NDArray[np.intp] = self.inside[sample]
        self.sample = task.at(self.sample_rows)
        self.rows = FeatureCache(self.sample.X, task.base)
        places = np.searchsorted(sample, order)
        self.sizes = [len(sample)]
        while len(self.sizes) < ROUNDS and self.sizes[0] // 2 >= LEAST:
            self.sizes.insert(0, self.sizes[0] // 2)
        self._chosen = [np.sort(places[:size]) for size in self.sizes]
        self._folds = [
            fold_numbers(strata(self.sample.codes[own]), task.folds, task.seed)
            for own in self._chosen
        ]
        self.last_folds = self._folds[-1]
        self.rounds = SuccessiveHalving(task.space, len(self.sizes), task.seed)
        self.runs: list[Run] = []
        self._failure: ValueError | None = None

    def until(self, budget: Budget) -> Iterator[Run]:
        """One run after the other, as each ends."""
        since, enough = time.monotonic(), len(self.task.space.first())
        while budget.allows(len(self.runs), since):
            if len(self.runs) >= enough:
                self._check_learned()
            following = self.rounds.next()
            if following is None:
                return
            yield self._run(*following)

    def _run(self, number: int, way: Configuration) -> Run:
        one, failure = WORST, None
        try:
            one = self._tried(number, way, self._folds[number])
        except ValueError as error:  # of this way to learn; others may do without what it needs
            self._failure, failure = self._failure or error, f"{error}"
        best = min((other.measure for other in self.rounds.finished[number]), default=math.inf)
        self.rounds.end(number, way, one.measure)
        found = one.passes, one.error, one.measure, one.measure < best, failure
        run = Run(len(self.runs) + 1, self.sizes[number], way, *found)
        self.runs.append(run)
        return run

    def _check_learned(self) -> None:
        """Say why nothing could be learned if there was no way to."""
        if self._failure is not None and all(run.failed for run in self.runs):
            raise self._failure

    def _learned(self, number: int, way: Configuration) -> Labelled:
        """The examples of a round, as rows."""
        return self.sample._replace(X=self.rows.of(way)).at(self._chosen[number])

    def _tried(self, number: int, way: Configuration, folds: NDArray[np.intp]) -> Tried:
        """What a way comes to on the examples of a round, tried in these folds."""
        task, model, learned = self.task, way.model(self.task.shared), self._learned(number, way)
        trial = tried_in_folds(model, learned, folds, task.passes, by=task.select)
        weight = counted = learned.sample_weight
        if self.criterion is None:
            counted = learned.class_weighted(model)
        losses = None if trial.losses is None else [trial.losses]
        how = folds, counted, weight, self._measure, losses
        (tried,) = choose([trial.found], learned.codes, *how).tried
        return tried

    @property
    def _measure(self) -> Any:
        return error if self.criterion is None else self.criterion.measure

    @property
    def none_held_out(self) -> str | None:
        """The label whose F1 no example that is held out can tell, if there is none of it."""
        rare = None if self.criterion is None else self.criterion.rare
        if rare is None or rare in occurrences(self.task.answers[self.outside]):
            return None
        return str(self.task.classes[rare])

    def finalists(self) -> list[tuple[Configuration, int]]:
        """The best ways of the last round that any has finished, each with its passes.

        The best of many is flattered by the folds that it was chosen by, and learned there from
        fewer examples than it will. So the first few compete once more, in other and more folds.
        """
        self._check_learned()
        known = len(self.runs)  # an interrupt may have come before the last run was noted
        done = [[one for one in own if one.number < known] for own in self.rounds.learned()]
        ways = [one.way for one in next(filter(None, reversed(done)))[:FINALISTS]]
        codes, last = strata(self.sample.codes), len(self.sizes) - 1
        folds = fold_numbers(codes, FINAL_FOLDS, self.task.seed + 1)
        tried = [self._tried(last, way, folds) for way in ways]
        order = sorted(range(len(ways)), key=lambda k: tried[k].measure)
        return [(ways[k], tried[k].passes) for k in order]

    def first(self) -> tuple[Configuration, int]:
        """The way that was tried first, of those that learned, with what is known of its passes."""
        way = next(run.way for run in self.runs if not run.failed)
        return way, [run.passes for run in self.runs if run.way == way][-1]

    def fitted(
        self, way: Configuration, passes: int, rows: NDArray[Any]
    ) -> tuple[Any, NDArray[Any]]:
        """A way that has learned from some of the examples, numbers of classes for labels."""
        learned = self.task.at(rows)
        maker, model = maker_of(self.task.base, way), way.model(self.task.shared)
        weight = learned.class_weighted(model)
        known, codes = np.arange(len(learned.classes)), learned.codes
        if codes is strata(codes):
            known, codes = np.unique(codes, return_inverse=True)
            model.set_params(class_weight=None)
        if len(known) < 2:
            raise InputError(
                *("Too few examples of other labels than the most frequent are left once some "),
                "are held out",
                remedy="train without tuning",
            )
        model.set_params(max_iter=passes)
        model._calibrates = False
        pipeline = Pipeline([*steps_of(maker), ("model", model)])
        return pipeline.fit(learned.X, codes, model__sample_weight=weight), known

    def measured(self, model: Any, known: NDArray[Any], rows: NDArray[Any]) -> Measured:
        """How wrong a fitted way is on other examples."""
        tried = self.task.at(rows)
        leaning = self.task.shared["class_weight"] is not None
        trial = Outcome(tried, self.task.select, None, leaning)(model, known)
        weights = np.ones(len(rows)) if tried.sample_weight is None else tried.sample_weight
        every, classes = np.ones(len(rows), np.bool_), max(1, len(tried.classes))
        counts = Counts.at(trial.found, tried.codes, weights, classes, every)
        share = error(counts)
        if trial.losses is not None:
            share = trial.losses @ weights / weights.sum()
        return Measured(float(share[0]), float(self._measure(counts)[0]))
