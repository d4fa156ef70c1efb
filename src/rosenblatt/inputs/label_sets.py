"""Sets of labels as the core reads them, where an example may have several."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputError, Row
from rosenblatt.inputs.labels import Y, distinct, encode, read_classes
from rosenblatt.inputs.messages import MATRIX, as_array
from rosenblatt.inputs.sparse import picked, row_numbers

COLLECTIONS = (set, frozenset, list, tuple, np.ndarray)
"""In which the labels of one example may come."""

STRETCH = 1 << 14
"""Labels whose ranks are worked out together."""


@dataclass(frozen=True)
class LabelSets:
    """The labels of each example, by their numbers.

    Those of example i stand, rising, from ``indptr[i]`` up to ``indptr[i + 1]`` in ``numbers``.
    """

    indptr: NDArray[np.int64]
    numbers: NDArray[np.int32]
    classes: NDArray[Any]
    """The labels that the numbers stand for, sorted."""
    as_indicator: bool
    """Whether they came as a matrix of zeros and ones, and go as such."""

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.tuples())

    def __getitem__(self, rows: Any) -> "LabelSets":
        """Those of some of the rows."""
        indptr, places = picked(self.indptr, rows)
        return LabelSets(indptr, self.numbers[places], self.classes, self.as_indicator)

    @classmethod
    def of(cls, mask: NDArray[Any], classes: NDArray[Any], *, as_indicator: bool) -> "LabelSets":
        """Those that a row of a matrix has for each example."""
        indptr = np.concatenate([[0], np.cumsum(np.count_nonzero(mask, axis=1))])
        return cls(indptr, np.nonzero(mask)[1].astype(np.int32), classes, as_indicator)

    @classmethod
    def flat(cls, labels: NDArray[Any], indptr: NDArray[np.int64]) -> "LabelSets":
        """Those of the labels of all examples one after the other, each with so many."""
        classes = distinct(labels)
        numbers = encode(labels, classes).astype(np.int32)
        width = max(1, len(classes))
        once = np.unique(row_numbers(indptr) * width + numbers)  # a label twice counts once
        indptr = np.searchsorted(once, np.arange(len(indptr)) * width).astype(np.int64)
        return cls(indptr, (once % width).astype(np.int32), classes, as_indicator=False)

    @classmethod
    def of_each(cls, rows: Sequence[Collection[str]]) -> "LabelSets":
        """Those of words for each example."""
        words = [word for own in rows for word in own]
        indptr = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        return cls.flat(np.array(words, dtype=None if words else "U1"), indptr)

    @classmethod
    def singles(cls, labels: NDArray[Any]) -> "LabelSets":
        """One label for each example."""
        return cls.flat(labels, np.arange(len(labels) + 1))

    @classmethod
    def joined(cls, parts: Sequence["LabelSets"]) -> "LabelSets":
        """Those of several stretches of examples, one after the other."""
        classes = np.unique(np.concatenate([part.classes for part in parts]))
        same = [part.among(classes) for part in parts]
        sizes = np.concatenate([np.diff(part.indptr) for part in same])
        numbers = np.concatenate([part.numbers for part in same])
        indptr = np.concatenate([[0], np.cumsum(sizes)])
        return cls(indptr, numbers, classes, all(part.as_indicator for part in parts))

    def of_those_that_occur(self) -> "LabelSets":
        """The same, with no other classes."""
        return self.among(self.classes[np.unique(self.numbers)])

    def indicator(self) -> NDArray[np.int64]:
        """A row of zeros and ones for each example."""
        matrix = np.zeros((len(self), len(self.classes)), dtype=np.int64)
        matrix[row_numbers(self.indptr), self.numbers] = 1
        return matrix

    def among(self, classes: NDArray[Any], **remedy: str) -> "LabelSets":
        """The same with the numbers that the labels have among other classes."""
        if np.array_equal(classes, self.classes):
            return self
        if self.as_indicator and len(classes) == len(self.classes):  # columns in their order
            return replace(self, classes=classes)
        if self.as_indicator:
            count = f" has {len(self.classes)} columns"
            raise InputError(Y, f"{count}, but those learned from had {len(classes)}")
        occurring = np.unique(self.numbers)
        places = np.zeros(len(self.classes), np.int32)
        if len(occurring):
            places[occurring] = encode(self.classes[occurring], classes, **remedy)
        return LabelSets(self.indptr, places[self.numbers], classes, self.as_indicator)

    def as_given(self) -> Any:
        """As they came: a matrix of zeros and ones, or a list of sets."""
        return self.indicator() if self.as_indicator else [set(own) for own in self.tuples()]

    def of_each_one(self) -> list[Any]:
        """Of each example its labels as a set, or told label by label if they came in columns."""
        if not self.as_indicator:
            return [set(own) for own in self.tuples()]
        labels, rows = self.classes.tolist(), self.indicator().astype(bool).tolist()
        return [dict(zip(labels, row, strict=True)) for row in rows]

    def tuples(self) -> list[tuple[Any, ...]]:
        """The labels of each example, sorted."""
        labels, indptr = self.classes[self.numbers].tolist(), self.indptr.tolist()
        return [tuple(labels[first:last]) for first, last in pairwise(indptr)]


Answers = NDArray[Any] | LabelSets
"""What examples should come to: the number of a class each, a set of labels each, or numbers."""


def are_classes(answers: Answers) -> TypeGuard[NDArray[Any]]:
    """Whether each example is of one class."""
    return not isinstance(answers, LabelSets) and answers.dtype.kind in "iu"


def occurrences(answers: Answers) -> NDArray[Any]:
    """The number of each label as often as it occurs."""
    if isinstance(answers, LabelSets):
        return answers.numbers
    return answers if are_classes(answers) else np.empty(0, dtype=np.uint8)


def strata(answers: Answers) -> NDArray[Any]:
    """The class of each example; where it is not of one, the same for all."""
    return answers if are_classes(answers) else np.zeros(len(answers), dtype=np.uint8)


def ranking_losses(sets: LabelSets, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """One less the ranking precision of each example.

    That is the mean, over its labels, of the share of right ones among all that score as high. An
    example without labels loses nothing.
    """
    right = sets.indicator().astype(bool)
    rows, numbers = row_numbers(sets.indptr), sets.numbers
    precision = np.empty(len(rows))
    for start in range(0, len(rows), STRETCH):
        some = slice(start, start + STRETCH)
        own = scores[rows[some], numbers[some]]
        as_high = scores[rows[some]] >= own[:, np.newaxis]
        precision[some] = (as_high & right[rows[some]]).sum(axis=1) / as_high.sum(axis=1)
    count = np.diff(sets.indptr)
    sums = np.bincount(rows, precision, minlength=len(sets))
    return np.where(count > 0, 1.0 - sums / np.maximum(count, 1), 0.0)


def are_label_sets(y: Any) -> bool:
    """Whether y says of each example which of several labels it has."""
    if isinstance(y, LabelSets):
        return True
    shape = getattr(y, "shape", None)
    if shape is not None and len(shape) == 2:
        return bool(shape[1] > 1)
    if _is_column_of_lists(y):
        return True
    if not isinstance(y, list | tuple) and getattr(getattr(y, "dtype", None), "kind", "") != "O":
        return False
    rows = list(y)
    if not any(issubclass(kind, (*COLLECTIONS, Mapping)) for kind in {*map(type, rows)}):
        return False
    of_one_column = all(isinstance(row, list | tuple) and len(row) == 1 for row in rows)
    return not of_one_column or any(isinstance(row[0], str) for row in rows)


def _is_column_of_lists(y: Any) -> bool:
    """Whether this is a column of Polars or Arrow, each of whose cells holds several values."""
    kind = getattr(y, "type", None) or getattr(y, "dtype", None)
    made_by = type(y).__module__.partition(".")[0]
    return made_by in ("polars", "pyarrow") and "list" in str(kind).lower()


def are_labels_of_one(y: Any) -> bool:
    """Whether y says which labels a single example has; tuples may be labels, yet are sets here."""
    return isinstance(y, set | frozenset | list | tuple | dict)


def read_labels_of_one(y: Any) -> list[Any]:
    """The labels that are told of a single example, right and wrong ones."""
    try:
        return _of_collections([tuple(y)]).classes.tolist()
    except InputError as error:
        error.where = None
        raise


def refuse_sets_unless(taken: bool, name: str) -> None:
    """Say that this kind of model does not learn sets."""
    if not taken:
        raise InputError(
            *(f"{name} learns one label for each example, but ", Y, " holds several"),
            remedy="use AveragedPerceptron, PassiveAggressiveClassifier or AROW",
        )


def not_of_one_kind(name: str, *, several: bool) -> InputError:
    """For a model of several labels that is told one label each, or the other way round."""
    kinds = "sets of labels", "one label for each example"
    before, now = kinds if several else kinds[::-1]
    return InputError(f"This {name} has learned {before}, but ", Y, f" holds {now}")


def read_label_sets(y: Any, count: int) -> LabelSets:
    """The labels of ``count`` examples: a matrix of zeros and ones, or a collection for each."""
    if _is_column_of_lists(y):
        y = y.to_list() if hasattr(y, "to_list") else y.to_pylist()
    if isinstance(y, LabelSets):
        sets = y
    elif len(getattr(y, "shape", ())) == 2 or _is_matrix(y):
        sets = _of_matrix(y)
    else:
        sets = _of_collections(y)
    if len(sets) != count:
        told = f" has the labels of {len(sets)} examples"
        raise InputError(MATRIX, f" has {count} rows but ", Y, told)
    return sets


def _of_collections(y: Any) -> LabelSets:
    labels: list[Any] = []
    ends = [0]
    for row, own in enumerate(y):
        if isinstance(own, str | bytes | Mapping) or not isinstance(own, Iterable):
            must = "hold a collection of labels for each example"
            raise InputError(Y, must=must, got=repr(own), where=Row(row))
        try:
            labels += set(own)
        except TypeError as error:
            raise InputError(Y, must="hold labels", got=repr(own), where=Row(row)) from error
        ends.append(len(labels))
    array = np.asarray(labels, dtype=None if labels else "U1")
    if array.dtype.kind not in "biufU" or array.tolist() != labels:
        raise InputError(Y, must="hold labels of one type", got=repr(next(iter(y))))
    read_classes(array)  # refuses what cannot be sorted
    return LabelSets.flat(array, np.array(ends, dtype=np.int64))


def _is_matrix(y: Any) -> bool:
    """Whether these are lists of as many zeros and ones each, and of more than one."""
    rows = list(y)
    if len(rows) == 0 or not all(isinstance(row, list | tuple | np.ndarray) for row in rows):
        return False
    width = len(rows[0])
    return width > 1 and all(
        len(row) == width and all(_is_zero_or_one(value) for value in row) for row in rows
    )


def _of_matrix(y: Any) -> LabelSets:
    """Of columns, whose labels are their numbers."""
    matrix = y.toarray() if hasattr(y, "toarray") else as_array(y, Y)
    if matrix.dtype.kind in "biuf":
        strange = matrix[~np.isin(matrix, (0, 1))].tolist()
    else:  # as objects, as pandas gives types of its own
        strange = [value for value in matrix.ravel().tolist() if not _is_zero_or_one(value)]
    if strange:
        must = "hold zeros and ones where it has a column for each label"
        raise InputError(Y, must=must, got=repr(strange[0]))
    return LabelSets.of(matrix.astype(np.bool_), np.arange(matrix.shape[1]), as_indicator=True)


def _is_zero_or_one(value: Any) -> bool:
    return isinstance(value, (int, np.integer, np.bool_, float)) and value in (0, 1)
