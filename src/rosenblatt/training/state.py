"""All that a model has learned, as one value."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.labels import KnownLabels, are_same, list_text, read_classes
from rosenblatt.inputs.names import Features, Names
from rosenblatt.inputs.parts import Arrays, Facts, Part, Parts, columns_of, records_of, require
from rosenblatt.inputs.tables import Columns
from rosenblatt.training.calibration import Calibration
from rosenblatt.training.mistakes import UPDATE, Mistakes
from rosenblatt.training.run import Run
from rosenblatt.training.thresholds import Sigmoids, Thresholds, decided_by
from rosenblatt.training.weights import Weights


@dataclass
class RecordedRun:
    """A run and the updates recorded in it, which files hold together."""

    run: Run
    updates: NDArray[Any] | None

    def facts(self) -> Facts:
        return self.run.facts()

    def arrays(self) -> Arrays:
        return {} if self.updates is None else columns_of(self.updates)

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> "RecordedRun":
        return cls(Run.build(facts), records_of(arrays, UPDATE) if arrays else None)


@dataclass
class State:
    """What a fitted model is beside its parameters.

    A change that is more than learning from the next examples makes a new state, which takes the
    place of the old in one assignment: what fails or is interrupted before leaves no trace. The
    core writes to the arrays of ``weights`` and ``mistakes`` while it learns, so that weights,
    counts and mistakes agree at any moment.
    """

    __module__ = "rosenblatt"

    classes: NDArray[Any]
    """The labels, in the order of their numbers."""
    weights: Weights
    run: Run
    names: Names | None = None
    """Of the features, if they have names."""
    mistakes: Mistakes | None = None
    """Those that made the weights, if they are recorded or vote."""
    features: int | None = None
    """Their number, unless examples may bring more: then that of the weights."""
    calibration: Calibration | Sigmoids | None = None
    """How scores become probabilities, if that was looked for."""
    thresholds: Thresholds | None = None
    """Which labels are given, where an example may have several."""

    @property
    def width(self) -> int:
        """Number of features."""
        return self.weights.width if self.features is None else self.features

    @property
    def columns(self) -> Columns:
        """The columns of tables that it knows."""
        return Columns(self.width, None if self.names is None else self.names.array())

    def copy(self) -> "State":
        """The same, to be changed apart."""
        return replace(
            self,
            weights=self.weights.copy(),
            run=self.run.copy(),
            names=None if self.names is None else Names(self.names.array()),
            mistakes=None if self.mistakes is None else self.mistakes.trimmed(),
            calibration=None if self.calibration is None else self.calibration.copy(),
        )

    def thawed(self) -> "State":
        """The same to learn on; a copy if joblib has mapped it from a file to read."""
        return self if self.weights.values.flags.writeable else self.copy()

    def check_learns(self) -> None:
        """Refuse to learn on without what that takes."""
        if self.weights.only_predicts:
            raise InputError(
                "This model only predicts: what it would learn on with was left out of its file",
                remedy="go on with the model that it was made of",
            )

    def with_classes(
        self, classes: ArrayLike, first: Callable[[int, int], Weights], share: float
    ) -> "State":
        """The same with the classes that are new to the model, at zero weights.

        Until there are two nothing can have been learned, and weights start as ``first`` makes
        them for so many features and classes. ``share`` is what each of two classes in a race
        would hold of the weights that they share.
        """
        if are_same(classes, self.classes):
            return self
        named = read_classes(classes)
        if not np.isin(self.classes, named).all():
            raise ValueError(
                f"classes must hold those of the earlier calls, {list_text(self.classes)}, and may "
                f"add to them, got {list_text(named)}."
            )
        places, count = named.searchsorted(self.classes), len(named)
        thresholds = self.thresholds and self.thresholds.with_classes(places, count)
        if len(self.classes) < 2:
            weights = first(self.weights.width, max(2, count))
            if thresholds is not None:
                weights = Weights.new(self.weights.width, weights.form.for_several())
            weights.counts[:] = self.weights.counts
            more: dict[str, Any] = {"thresholds": thresholds, "calibration": None}
            return replace(self, classes=named, weights=weights, **more)
        if len(places) == count:
            return self
        calibration = self.calibration
        if calibration is not None:
            halves = 0.5 if self.weights.columns == 2 else share  # of scores that are differences
            calibration = calibration.with_classes(places, count, halves)
        mistakes = self.mistakes
        if mistakes is not None:
            own_share = share if self.weights.form.has_two_sides else 1.0
            mistakes = mistakes.with_classes(places, two_class_share=own_share)
        return replace(
            self,
            classes=named,
            calibration=calibration,
            thresholds=thresholds,
            weights=self.weights.with_classes(places, count, two_class_share=share),
            mistakes=mistakes,
        )

    def for_sets(self, thresholds: Thresholds) -> "State":
        """The same where an example may have several labels, before anything is learned."""
        weights = Weights.new(self.weights.width, self.weights.form.for_several())
        return replace(self, weights=weights, thresholds=thresholds)

    def next_run(self, goal: int, patience: int = 0) -> "State":
        """The same, about to make another run of ``goal`` passes."""
        return replace(self, run=self.run.next_run(goal, self.weights, patience))

    def at_best(self) -> "State":
        """As after the best pass of the run, whose weights it has kept."""
        best = self.run.best_weights
        assert best is not None
        mistakes = None if self.mistakes is None else self.mistakes.up_to(best.seen)
        run = replace(self.run, best_weights=None, returned_to=self.run.best)
        return replace(self, weights=best, run=run, mistakes=mistakes)

    def parts(self) -> dict[str, Part | None]:
        """What a file is to hold."""
        mistakes = self.mistakes
        updates = mistakes.updates if mistakes and mistakes.recorded else None
        return {
            "labels": KnownLabels(self.classes),
            "features": Features(self.features, self.names),
            "weights": self.weights,
            "progress": RecordedRun(self.run, updates),
            "best": self.run.best_weights,
            "mistakes": mistakes if mistakes and mistakes.keeps_rows else None,
            "calibration": self.calibration,
            "thresholds": self.thresholds,
        }

    @classmethod
    def build(cls, parts: Parts, like: Weights) -> "State":
        """The state of which a file holds these parts, with weights such as these."""
        features, progress = parts.build("features", Features), parts.build("progress", RecordedRun)
        mistakes = parts.build("mistakes", Mistakes) if "mistakes" in parts else None
        if progress.updates is not None:
            mistakes = (mistakes or Mistakes()).with_record(progress.updates)
        classes = parts.build("labels", KnownLabels).classes
        weights = parts.build("weights", type(like))
        known = progress.run, features.names, mistakes, features.width
        state = cls(classes, weights, *known, *decided_by(parts, weights))
        if "best" in parts:
            state.run.best_weights = parts.build("best", type(like))
        state._check(like, features.width)
        return state

    def _check(self, like: Weights, width: int | None) -> None:
        """Refuse parts that do not fit each other."""
        of_run = [each for each in (self.weights, self.run.best_weights) if each is not None]
        expected = like.form.of_estimator()
        if self.weights.only_predicts:
            expected = expected.to_predict(self.weights.form.divisor)
        same = all(each.form.of_estimator() == expected for each in of_run)
        require(same, "its weights are those of another estimator")
        require(
            self.weights.classes == max(2, len(self.classes))
            and len({each.form.stride for each in of_run}) == 1,
            "the shape of its weights does not fit its classes",
        )
        named = self.width if self.names is None else len(self.names.array())
        require(named == self.width, "the names of its features do not fit their number")
        require(
            not like.tell_features
            or ({each.width for each in of_run} == {self.width} and width in (None, self.width)),
            "the shape of its weights does not fit its features",
        )
        if self.mistakes is not None:
            self.mistakes.require_fit(self.weights)
