"""Rows to learn from, with their labels."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt.features.examples import Examples
from rosenblatt.inputs.label_sets import Answers, LabelSets, occurrences
from rosenblatt.inputs.labels import CodedLabels
from rosenblatt.inputs.messages import refuse
from rosenblatt.inputs.sparse import rows_of
from rosenblatt.readers.data import Batch
from rosenblatt.training.validation import Labelled


@dataclass
class TrainingData:
    """Rows and labels to learn from, named as the arguments of ``fit``."""

    X: Any
    y: CodedLabels | LabelSets | NDArray[np.float64]
    sample_weight: NDArray[np.float64] | None
    classes: NDArray[Any]
    """All labels, sorted; none where numbers are foretold."""
    vectorizer: Any = None
    """What made the rows, if they were not rows before."""
    lines: NDArray[np.int64] | None = None
    """On which the rows begin, if that is known."""

    @classmethod
    def of(cls, batch: Batch, *, numbers: bool = False) -> Self:
        """The examples of a batch, which come to labels, or to numbers."""
        if not isinstance(batch.examples, Examples):
            refuse(rows_of(batch.examples).check(values=True))
        labels = batch.known_labels()
        y: CodedLabels | LabelSets | NDArray[np.float64]
        if isinstance(labels, LabelSets):
            y = labels.of_those_that_occur()
            classes = y.classes
        elif numbers:
            y, classes = labels.astype(np.float64), np.empty(0)
        else:
            classes, codes = np.unique(labels, return_inverse=True)
            y = CodedLabels(codes.astype(np.uint8 if len(classes) <= 256 else np.int32), classes)
        return cls(batch.examples, y, batch.weights, classes, lines=batch.lines)

    def vectorized(self, vectorizer: Any) -> Self:
        """The same as rows that a vectorizer makes, which is fitted to them."""
        return replace(self, X=vectorizer.fit_transform(self.X), vectorizer=vectorizer)

    @property
    def answers(self) -> Answers:
        """What the rows should come to, labels by their numbers."""
        return self.y.codes if isinstance(self.y, CodedLabels) else self.y

    @property
    def labelled(self) -> Labelled:
        """The same as models are tried on."""
        return Labelled(self.X, self.answers, self.classes, self.sample_weight)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many rows each class has."""
        return np.bincount(occurrences(self.answers), minlength=len(self.classes))
