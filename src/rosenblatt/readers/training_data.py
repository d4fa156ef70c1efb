"""Rows to learn from, with their labels."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt.features.examples import Examples
from rosenblatt.inputs.labels import CodedLabels
from rosenblatt.inputs.messages import refuse
from rosenblatt.inputs.sparse import rows_of
from rosenblatt.readers.data import Batch


@dataclass
class TrainingData:
    """Rows and labels to learn from, named as the arguments of ``fit``."""

    X: Any
    y: CodedLabels
    sample_weight: NDArray[np.float64] | None
    classes: NDArray[Any]
    vectorizer: Any = None
    """What made the rows, if they were not rows before."""
    lines: NDArray[np.int64] | None = None
    """On which the rows begin, if that is known."""

    @classmethod
    def of(cls, batch: Batch) -> Self:
        """The examples of a batch."""
        if not isinstance(batch.examples, Examples):
            refuse(rows_of(batch.examples).check(values=True))
        classes, codes = np.unique(batch.known_labels(), return_inverse=True)
        codes = codes.astype(np.uint8 if len(classes) <= 256 else np.int32)
        labels = CodedLabels(codes, classes)
        return cls(batch.examples, labels, batch.weights, classes, lines=batch.lines)

    def vectorized(self, vectorizer: Any) -> Self:
        """The same as rows that a vectorizer makes, which is fitted to them."""
        return replace(self, X=vectorizer.fit_transform(self.X), vectorizer=vectorizer)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many rows each class has."""
        return np.bincount(self.y.codes, minlength=len(self.classes))
