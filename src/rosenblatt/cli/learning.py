"""The work behind ``train``: which model, which features, and its passes."""

import contextlib
from dataclasses import dataclass
from typing import Any

from rosenblatt.cli.failures import reading_data
from rosenblatt.cli.output import Output, percent
from rosenblatt.cli.preparing import Prepared
from rosenblatt.features.batches import Data

LEARNERS: dict[str, tuple[str, dict[str, Any]]] = {
    "pa": ("PassiveAggressiveClassifier", {"average": True}),
    "averaged": ("AveragedPerceptron", {}),
    "perceptron": ("Perceptron", {}),
    "arow": ("AROW", {}),
    "winnow": ("Winnow", {"balanced": True}),
    "voted": ("VotedPerceptron", {}),
}
"""What each is called here, in the package, and with which parameters."""

WORDS = {"use_idf": True, "sublinear_tf": True, "norm": "l2"}
"""How words are weighed unless a learner needs them as they are."""

MARKS = {"binary": True}
"""How words are told to learners of 0/1 features."""


@dataclass(frozen=True)
class Plan:
    """How to learn: what the options of ``train`` say."""

    learner: str
    passes: int
    patience: int
    holdout: float
    seed: int
    aggressiveness: float | None
    binarize: float | None
    analyzer: str
    ngrams: tuple[int, int]
    hash_bits: int | None
    min_df: int
    jobs: int | None
    """Threads, one on each processor if not given."""
    stream: bool

    def model(self) -> Any:
        """The estimator, not yet fitted."""
        import rosenblatt

        name, parameters = LEARNERS[self.learner]
        if self.aggressiveness is not None:
            parameters = parameters | {"C": self.aggressiveness}
        if self.binarize is not None:
            parameters = parameters | {"binarize": self.binarize}
        if self.holdout > 0:
            parameters = parameters | {
                "early_stopping": True,
                "n_iter_no_change": self.patience,
            }
        return getattr(rosenblatt, name)(
            max_iter=self.passes, shuffle="blocks", random_state=self.seed, **parameters
        )

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


class Passes:
    """Tells of every pass as it ends: a callback of scikit-learn's."""

    HEADS = ("pass", "mistakes", "train error", "held-out error", "averaged", "seconds")

    def __init__(self, out: Output, *, averaged: bool, count: int) -> None:
        self.out = out
        self.averaged = averaged
        self.count = count
        """Examples in a pass."""
        self.spent = 0.0
        self.bar = contextlib.ExitStack()

    def setup(self, estimator: Any, context: Any) -> None:
        heads = self.HEADS if self.averaged else self.HEADS[:4] + self.HEADS[5:]
        self.widths = [len(head) + 2 for head in heads]
        self.out.show("".join(f"{head:>{w}}" for head, w in zip(heads, self.widths, strict=True)))

    def teardown(self, estimator: Any, context: Any) -> None: ...

    def on_fit_task_begin(self, estimator: Any, context: Any, **_: Any) -> None:
        if context.task_name == "pass":
            run, weights = estimator._state.run, estimator._state.weights
            before = int(run.start[0]) + self.count * len(run.totals)
            self.bar.enter_context(
                self.out.bar(f"pass {run.passes + 1}", lambda: (weights.seen - before) / self.count)
            )

    def on_fit_task_end(self, estimator: Any, context: Any, **_: Any) -> None:
        if context.task_name != "pass":
            return
        self.bar.close()
        done, run = estimator.history_[-1], estimator._state.run
        self.spent += done.seconds
        held_out = [done.validation_error]
        if self.averaged:
            held_out = [done.last_validation_error, done.validation_error]
        cells = [
            f"{run.passes}",
            f"{done.mistakes:,}",
            "" if done.train_error is None else percent(done.train_error),
            *("" if error is None else percent(error) for error in held_out),
            f"{self.spent:.2f}",
        ]
        line = "".join(f"{cell:>{w}}" for cell, w in zip(cells, self.widths, strict=True))
        best = run.best == len(run.totals)
        self.out.show(line + "  best" * best)


def fit(prepared: Prepared, model: Any, passes: Passes) -> Any:
    """Fit the model, or go on if it was interrupted; vectorizer and model as one."""
    if model._state is None or not model._state.run.over:
        model.set_callbacks(passes)
        try:
            with reading_data(prepared.lines), passes.bar:
                model.fit(prepared.X, prepared.y, prepared.weights, **prepared.held_out)
        finally:
            model.set_callbacks()
    if prepared.vectorizer is None:
        return model
    from sklearn.pipeline import Pipeline

    vectorizer = prepared.vectorizer
    threads = [name for name in vectorizer.get_params() if name.endswith("n_jobs")]
    vectorizer.set_params(**dict.fromkeys(threads))  # they are no part of the model
    return Pipeline([("vectorizer", vectorizer), ("model", model)])
