"""Rows to learn from and rows held out, with their labels: all that ``fit`` takes."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt.features.examples import Examples
from rosenblatt.inputs.labels import CodedLabels
from rosenblatt.inputs.messages import refuse
from rosenblatt.inputs.sparse import rows_of
from rosenblatt.readers.data import Batch
from rosenblatt.training.held_out import Holdout


@dataclass
class TrainingData:
    """Rows and labels to learn from, and the same held out, named as the arguments of ``fit``."""

    X: Any
    y: CodedLabels
    sample_weight: NDArray[np.float64] | None
    X_val: Any
    y_val: CodedLabels | None
    sample_weight_val: NDArray[np.float64] | None
    classes: NDArray[Any]
    vectorizer: Any = None
    """What made the rows, if they were not rows before."""
    lines: NDArray[np.int64] | None = None
    """On which the rows to learn from begin, if that is known."""

    @classmethod
    def split(cls, batch: Batch, validation_fraction: float, seed: int) -> Self:
        """The examples of a batch, a share of those of every label held out, as they are."""
        if not isinstance(batch.examples, Examples):
            refuse(rows_of(batch.examples).check(values=True))
        classes, codes = np.unique(batch.known_labels(), return_inverse=True)
        codes = codes.astype(np.uint8 if len(classes) <= 256 else np.int32)
        held = Holdout(validation_fraction, seed).among(codes)
        inside, outside = np.flatnonzero(~held), np.flatnonzero(held)
        learned = batch.at(inside)
        parts = learned.examples, CodedLabels(codes[inside], classes), learned.weights
        if validation_fraction == 0:
            return cls(*parts, None, None, None, classes, lines=learned.lines)
        tried = batch.at(outside)
        held_out = tried.examples, CodedLabels(codes[outside], classes), tried.weights
        return cls(*parts, *held_out, classes, lines=learned.lines)

    def vectorized(self, vectorizer: Any) -> Self:
        """The same as rows that a vectorizer makes, which is fitted to those to learn from."""
        X = vectorizer.fit_transform(self.X)
        X_val = None if self.X_val is None else vectorizer.transform(self.X_val)
        return replace(self, X=X, X_val=X_val, vectorizer=vectorizer)

    @property
    def held_out(self) -> dict[str, Any]:
        """What is held out, as ``fit`` takes it; nothing if nothing is."""
        names = "X_val", "y_val", "sample_weight_val"
        given = {name: getattr(self, name) for name in names}
        return {name: part for name, part in given.items() if part is not None}

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many rows to learn from each class has."""
        return self._counted(self.y)

    @property
    def counts_val(self) -> NDArray[np.int64]:
        """How many rows that are held out each class has."""
        return self._counted(self.y_val)

    def _counted(self, y: CodedLabels | None) -> NDArray[np.int64]:
        codes = np.empty(0, np.uint8) if y is None else y.codes
        return np.bincount(codes, minlength=len(self.classes))
