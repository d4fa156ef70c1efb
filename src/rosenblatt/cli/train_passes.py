"""The passes of ``train``, reported as they end."""

import contextlib
from collections.abc import Callable
from typing import Any

from rosenblatt.cli.failures import reading_data
from rosenblatt.cli.output import Output, percent
from rosenblatt.cli.train_plan import Plan
from rosenblatt.explain.bar_tables import aligned
from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.readers.training_data import TrainingData
from rosenblatt.training.history import Pass


class Passes:
    """Reports every pass as it ends: a callback of scikit-learn's."""

    HEADS = ("pass", "mistakes", "train error", "seconds")

    def __init__(
        self, out: Output, *, count: int, format_error: Callable[[float], str] = percent
    ) -> None:
        self.out = out
        self.format_error = format_error
        """How an error is put."""
        self.count = count
        """Examples in a pass."""
        self.bar = contextlib.ExitStack()

    def setup(self, estimator: Any, context: Any) -> None:
        self.widths = [len(head) + 2 for head in self.HEADS]
        self.out.show(aligned(self.HEADS, self.widths, gap=""))

    def teardown(self, estimator: Any, context: Any) -> None: ...

    def on_fit_task_begin(self, estimator: Any, context: Any, **_: Any) -> None:
        if context.task_name == "pass":
            run, weights = estimator._state.run, estimator._state.weights
            before = int(run.counts_before[0]) + self.count * len(run.totals)
            self.bar.enter_context(
                self.out.bar(f"pass {run.passes + 1}", lambda: (weights.seen - before) / self.count)
            )

    def on_fit_task_end(self, estimator: Any, context: Any, **_: Any) -> None:
        if context.task_name != "pass":
            return
        self.bar.close()
        self.show(estimator._state.run.passes, estimator.history_[-1])

    def show(self, number: int, done: Pass) -> None:
        """A line of the table."""
        cells = [
            f"{number}",
            f"{done.mistakes:,}",
            "" if done.train_error is None else self.format_error(done.train_error),
            f"{done.seconds:.2f}",
        ]
        self.out.show(aligned(cells, self.widths, gap=""))


def calibrate(
    data: TrainingData, model: Any, plan: Plan, tried: Any, unseen: Any, out: Output
) -> None:
    """Find out what scores mean, on examples that were not learned from.

    Those tried or, if there are none, those whose scores are known; else some held out in folds.
    """
    from rosenblatt.models.probabilities import scored_by

    several = isinstance(data.y, LabelSets)
    wanted = bool(plan.probabilities) and len(data.classes) > 0
    if not wanted and not several:
        return
    if tried is not None:
        unseen = scored_by(model, model._state, tried)
    if unseen is not None:
        model._calibrate(unseen, probabilities=wanted)
    elif model._state.calibration is None and wanted:
        model.set_params(warm_start=True, probabilities=True)  # the passes are over
        with reading_data(data.lines):
            model.fit(data.X, data.y, data.sample_weight)
    model.set_params(probabilities=wanted)
    if wanted and not several and model._state.calibration.logits.slope == 0:
        out.warn(
            "probable",
            "scores of examples held out say nothing of their labels, so that "
            "probabilities say nothing of examples to come",
        )


def fit(data: TrainingData, model: Any, passes: Passes) -> Any:
    """Fit the model, or go on if it was interrupted; vectorizer and model as one."""
    if model._state is None or not model._state.run.over:
        with reading_data(data.lines):
            make_passes(model, data.X, data.y, data.sample_weight, passes)
    return as_one(data, model)


def make_passes(model: Any, X: Any, y: Any, sample_weight: Any, passes: Passes) -> None:
    """Fit the model and report every pass."""
    model.set_callbacks(passes)
    try:
        with passes.bar:
            model.fit(X, y, sample_weight)
    finally:
        model.set_callbacks()


def fit_over_shards(data: TrainingData, model: Any, plan: Plan, folder: str, out: Output) -> Any:
    """The model fitted over shards, which lie in a folder for Spark's workers if those learn."""
    from rosenblatt.cluster.executors import ShardTrainer

    with contextlib.ExitStack() as until_done:
        placed: dict[str, Any] = {"n_jobs": plan.jobs or -1}
        if plan.spark is not None:
            from rosenblatt.cluster.sessions import session_on

            until_done.enter_context(out.bar("starting Spark"))
            session = until_done.enter_context(session_on(plan.spark))
            placed = {"executor": session, "folder": folder}
        passes = Passes(out, count=len(data.y))
        passes.setup(model, None)
        trainer = ShardTrainer(model, n_shards=plan.shards or 1, on_pass=passes.show, **placed)
        with reading_data(data.lines), out.bar(f"learning from {plan.shards} shards"):
            return trainer.fit(data.X, data.y, data.sample_weight)


def as_one(data: TrainingData, model: Any) -> Any:
    """Vectorizer and model as one."""
    if data.vectorizer is None:
        return model
    from sklearn.pipeline import Pipeline

    from rosenblatt.tuning.feature_cache import steps_of

    vectorizer = data.vectorizer
    threads = [name for name in vectorizer.get_params() if name.endswith("n_jobs")]
    vectorizer.set_params(**dict.fromkeys(threads))  # they are no part of the model
    return Pipeline([*steps_of(vectorizer), ("model", model)])
