"""How ``train`` learns: which model, and which features."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

import rosenblatt
from rosenblatt.cli.failures import DATA, Failure
from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.readers.data import Data
from rosenblatt.readers.training_data import TrainingData
from rosenblatt.tuning.search_space import LEARNERS, WORDS, setting_text

AUTO: list[tuple[str, dict[str, Any]]] = [
    ("pa", {"C": 1.0}),
    ("pa", {"C": 0.1}),
    ("pa", {"C": 0.01}),
    ("arow", {"r": 1.0}),
]
"""What is tried unless a learner is named; which ones, benchmarks/defaults.py has measured."""

OF_SETS = ("pa", "averaged", "perceptron", "arow")
"""The learners of several labels an example."""
OF_NUMBERS = ("pa",)
"""Those of numbers."""

LENGTHS = (1.0, 0.1, 0.01)
"""How long steps may be that numbers are learned with, in the spread of the numbers."""
NEAR = 0.01
"""What is near enough, likewise."""

MARKS = {"binary": True}
"""How words are given to learners of 0/1 features."""


class Candidate(NamedTuple):
    """One way to learn."""

    name: str
    """Of the learner, on the command line."""
    setting: dict[str, Any]
    model: Any
    """Not yet fitted."""

    def __str__(self) -> str:
        return setting_text(self.name, self.setting)


@dataclass(frozen=True)
class Plan:
    """How to learn: what the options of ``train`` say."""

    learner: str
    passes: int
    folds: int
    validation: str | None
    select: str
    seed: int
    aggressiveness: float | None
    r: float | None
    half_life: float | None
    binarize: float | None
    class_weight: str | None
    analyzer: str
    ngrams: tuple[int, int]
    hash_bits: int | None
    min_df: int
    jobs: int | None
    """Threads, one on each processor if not given."""
    probabilities: bool
    stream: bool
    epsilon: float | None = None
    """Numbers that are so near are near enough."""
    shards: int | None = None
    spark: str | None = None
    """The master that learns from shards; threads of this machine do if not given."""

    def check(self, foretold: str) -> None:
        """Refuse learners that do not foretell such: a "label", "labels" or a "number"."""
        able = {"labels": OF_SETS, "number": OF_NUMBERS}.get(foretold, [*LEARNERS])
        if self.learner not in ("auto", *able):
            flag = "--regression" if foretold == "number" else "--several-labels"
            raise click.UsageError(f"{flag} is for --learner auto, {', '.join(able)}.")
        if foretold != "number":
            if self.epsilon is not None:
                raise click.UsageError("--epsilon is for --regression.")
            return
        for flag, said in (("--class-weight", self.class_weight), ("-r", self.r)):
            if said is not None:
                raise click.UsageError(f"{flag} is for labels, and --regression learns numbers.")

    def candidates(self, data: TrainingData) -> list[Candidate]:
        """The estimators to choose among, not yet fitted."""
        return self._classifiers(data.classes) if len(data.classes) else self._regressors(data.y)

    def _regressors(self, targets: Any) -> list[Candidate]:
        """Those that foretell numbers, whose steps are as long as these are spread."""
        with np.errstate(over="ignore", invalid="ignore"):
            spread = float(np.std(targets)) or 1.0
        if not math.isfinite(spread):
            raise Failure(DATA, "The numbers lie too far apart to be learned: make them smaller.")
        lengths = [spread * share for share in LENGTHS]
        epsilon = NEAR * spread if self.epsilon is None else self.epsilon
        shared: dict[str, Any] = {"average": True, "shuffle": "blocks", "random_state": self.seed}
        said = lengths if self.aggressiveness is None else [self.aggressiveness]
        found = []
        for C in said:
            setting: dict[str, Any] = {"C": float(f"{C:.3g}"), "epsilon": float(f"{epsilon:.3g}")}
            setting |= {} if self.half_life is None else {"half_life": self.half_life}
            model = rosenblatt.PassiveAggressiveRegressor(**shared | setting)
            found.append(Candidate("pa", setting, model))
        return found

    def _classifiers(self, labels: NDArray[Any]) -> list[Candidate]:
        """Those that foretell labels."""
        named = AUTO if self.learner == "auto" else [(self.learner, {})]
        if self.half_life is not None:
            named = [one for one in named if one[0] != "arow"]  # which does not average
        said = {"C": self.aggressiveness, "r": self.r, "binarize": self.binarize}
        said["half_life"] = self.half_life
        given = {name: value for name, value in said.items() if value is not None}
        if self.learner == "auto" and given.keys() & {"C", "r"}:
            named = [("pa" if "C" in given else "arow", {})]
        shared = {
            "shuffle": "blocks",
            "random_state": self.seed,
            "class_weight": class_weights(self.class_weight, labels),
        }
        found = []
        for name, setting in named:
            estimator, parameters = LEARNERS[name]
            setting = setting | given
            model = getattr(rosenblatt, estimator)(**parameters | shared | setting)
            found.append(Candidate(name, setting, model))
        return found

    def vectorizer(self, data: Data) -> Any:
        """What makes features of the examples, not yet fitted; None if they are features."""
        vectorizer = data.vectorizer()
        if vectorizer is None:
            return None
        parameters = vectorizer.get_params(deep=False)
        if "analyzer" in parameters:
            return vectorizer.set_params(**self._words())
        if "text" in parameters:  # of the columns of a table
            from rosenblatt.features.text import TextVectorizer

            vectorizer.set_params(text=TextVectorizer(**self._words()))
            if self.learner == "winnow":  # 0 and 1 are to stay what they are
                vectorizer.set_params(scale=None)
        return vectorizer

    def _words(self) -> dict[str, Any]:
        """How text is read."""
        return {
            "analyzer": self.analyzer,
            "ngram_range": self.ngrams,
            "n_hash_bits": self.hash_bits,
            "min_df": self.min_df,
            "n_jobs": self.jobs or -1,
        } | (MARKS if self.learner == "winnow" else WORDS)


def class_weights(said: str | None, labels: NDArray[Any]) -> Any:
    """What ``--class-weight`` says, as estimators take it: balanced, or LABEL=NUMBER,..."""
    if said is None or said == "balanced":
        return said
    known = {str(label): label for label in labels.tolist()}
    weights: dict[Any, float] = {}
    for part in said.split(","):
        name, _, number = part.rpartition("=")
        if name not in known:
            raise InputError(
                *(Name("class_weight"), f" names the label {name or part!r}, which the data "),
                "does not have",
            )
        try:
            weights[known[name]] = float(number)
        except ValueError as error:
            raise InputError(
                *(Name("class_weight"), f" must be balanced or LABEL=NUMBER, got {part!r}")
            ) from error
    return weights
