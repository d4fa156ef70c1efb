"""The work behind ``train``: split, features, passes, and what they came to."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.failures import DATA, Failure, reading_data
from rosenblatt.cli.output import Output, percent
from rosenblatt.cli.whole import Whole
from rosenblatt.formats.batches import Data

LEARNERS: dict[str, tuple[str, dict[str, Any]]] = {
    "averaged": ("AveragedPerceptron", {}),
    "perceptron": ("Perceptron", {}),
    "pa": ("PassiveAggressiveClassifier", {"average": True}),
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
    analyzer: str
    ngrams: tuple[int, int]
    hash_bits: int | None
    min_df: int

    def model(self) -> Any:
        """The estimator, not yet fitted."""
        import rosenblatt

        name, parameters = LEARNERS[self.learner]
        if self.aggressiveness is not None:
            parameters = parameters | {"C": self.aggressiveness}
        if self.holdout > 0:
            parameters = parameters | {
                "early_stopping": True,
                "validation_fraction": self.holdout,
                "n_iter_no_change": self.patience,
            }
        return getattr(rosenblatt, name)(max_iter=self.passes, random_state=self.seed, **parameters)

    def vectorizer(self, data: Data) -> Any:
        """What makes features of the examples, not yet fitted; None if they are features."""
        vectorizer = data.vectorizer()
        if vectorizer is None:
            return None
        parameters = vectorizer.get_params(deep=False)
        if "analyzer" in parameters:
            return vectorizer.set_params(**self._words())
        if "text" in parameters:  # of the columns of a table
            from rosenblatt.text import TextVectorizer

            vectorizer.set_params(text=TextVectorizer(**self._words()))
        return vectorizer

    def _words(self) -> dict[str, Any]:
        """How text is read."""
        return {
            "analyzer": self.analyzer,
            "ngram_range": self.ngrams,
            "n_hash_bits": self.hash_bits,
            "min_df": self.min_df,
        } | (MARKS if self.learner == "winnow" else WORDS)


class Split:
    """Which examples to learn from and which to hold out: the same for the same seed."""

    def __init__(self, whole: Whole, plan: Plan) -> None:
        from rosenblatt.validation import split

        self.classes, self.codes = np.unique(whole.labels, return_inverse=True)
        if len(self.classes) < 2:
            raise Failure(
                DATA,
                f"All {len(whole):,} examples have the label {self.classes[0]!s}: there is nothing "
                "to tell apart.",
            )
        self.inside: NDArray[Any] = np.arange(len(whole))
        self.outside: NDArray[Any] = np.arange(0)
        if plan.holdout > 0:
            self._check_none_is_alone()
            self.inside, self.outside = split(self.codes, self.classes, plan.holdout, plan.seed)

    def _check_none_is_alone(self) -> None:
        alone = self.classes[np.bincount(self.codes) == 1]
        if len(alone):
            others = f" and {len(alone) - 1} more labels" if len(alone) > 1 else ""
            raise Failure(
                DATA,
                f"Only one example has the label {alone[0]!s}{others}, so none can be held out: "
                "mend the labels (rosenblatt check shows them), or add --holdout 0.",
            )

    @property
    def baseline(self) -> tuple[Any, float]:
        """The most frequent label of the examples to learn from, and its error on the others."""
        most = np.argmax(np.bincount(self.codes[self.inside]))
        return self.classes[most], float(np.mean(self.codes[self.outside] != most))


class Passes:
    """Tells of every pass as it ends: a callback of scikit-learn's."""

    HEADS = ("pass", "mistakes", "train error", "held-out error", "averaged", "seconds")

    def __init__(self, out: Output, *, averaged: bool) -> None:
        self.out = out
        self.averaged = averaged
        self.spent = 0.0

    def setup(self, estimator: Any, context: Any) -> None:
        heads = self.HEADS if self.averaged else self.HEADS[:4] + self.HEADS[5:]
        self.widths = [len(head) + 2 for head in heads]
        self.out.show("".join(f"{head:>{w}}" for head, w in zip(heads, self.widths, strict=True)))

    def teardown(self, estimator: Any, context: Any) -> None: ...

    def on_fit_task_begin(self, estimator: Any, context: Any, **_: Any) -> None: ...

    def on_fit_task_end(self, estimator: Any, context: Any, **_: Any) -> None:
        if context.task_name != "pass":
            return
        done, progress = estimator.history_[-1], estimator._progress
        self.spent += done.seconds
        held_out = [done.validation_error]
        if self.averaged:
            held_out = [done.last_validation_error, done.validation_error]
        cells = [
            f"{progress.passes}",
            f"{done.mistakes:,}",
            "" if done.train_error is None else percent(done.train_error),
            *("" if error is None else percent(error) for error in held_out),
            f"{self.spent:.2f}",
        ]
        line = "".join(f"{cell:>{w}}" for cell, w in zip(cells, self.widths, strict=True))
        best = progress.best == len(progress.totals)
        self.out.show(line + "  best" * best)


def fit(plan: Plan, vectorizer: Any, model: Any, whole: Whole, split: Split, passes: Passes) -> Any:
    """Fit vectorizer and model, or go on with a model that was interrupted; both as one."""
    from sklearn.pipeline import Pipeline

    y = split.classes[split.codes]
    held_out = {}
    with reading_data():
        if vectorizer is None:  # the model holds out the same rows itself
            X, weights = whole.examples, whole.weights
        else:
            X = vectorizer.fit_transform(whole.at(split.inside))
            y_inside, weights = y[split.inside], whole.weights
            if plan.holdout > 0:
                X_out = vectorizer.transform(whole.at(split.outside))
                held_out = {"X_val": X_out, "y_val": y[split.outside]}
            if weights is not None:
                held_out |= {"sample_weight_val": weights[split.outside]} if held_out else {}
                weights = weights[split.inside]
            y = y_inside
        if not (hasattr(model, "_progress") and model._progress.over):
            model.set_callbacks(passes)
            try:
                model.fit(X, y, weights, **held_out)
            finally:
                model.set_callbacks()
    return model if vectorizer is None else Pipeline([("vectorizer", vectorizer), ("model", model)])
