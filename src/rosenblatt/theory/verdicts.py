"""Verdicts on separability, each with a proof that one walk over the examples confirms."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rosenblatt.inputs.labels import list_text
from rosenblatt.theory.differences import Array, LabelledRows
from rosenblatt.theory.rational import exact_dot, whole_numbers
from rosenblatt.theory.verified_solve import UNDERFLOW, error_bound, rounding, without_implied


@dataclass(frozen=True, eq=False)
class Verdict:
    """Whether examples can be separated, and why; see `separability`."""

    __module__ = "rosenblatt"

    classes: NDArray[Any]
    """The labels, sorted; of two, the second is the positive one."""
    fit_intercept: bool

    separable: ClassVar[bool | None] = None

    def check(self, X: Any, y: Any) -> bool:
        """Confirm the proof on the examples, without rounding; False if it does not hold there.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        y : array-like of shape (n_samples,)
        """
        examples = LabelledRows.read(X, y)
        same = np.array_equal(examples.classes, self.classes)
        return same and self.holds(examples)

    def holds(self, examples: LabelledRows) -> bool:
        """As ``check``, for examples that have been read."""
        return False


@dataclass(frozen=True, eq=False)
class Separable(Verdict):
    """Weights that put every example strictly on its right side."""

    __module__ = "rosenblatt"

    w: Array
    """Of shape (n_features,), or (n_classes, n_features) for more than two classes."""
    b: Any
    """The intercept, or an array with one for each class."""

    separable: ClassVar[bool | None] = True

    def __str__(self) -> str:
        return (
            "Separable: w and b put every example on its right side, "
            f"two classes, {list_text(self.classes)}."
            if len(self.classes) == 2
            else "Separable: the right class scores highest on every example, "
            f"{len(self.classes)} classes, {list_text(self.classes)}."
        )

    def holds(self, examples: LabelledRows) -> bool:
        W, b = np.atleast_2d(self.w), np.atleast_1d(self.b)
        if W.shape != (examples.blocks, examples.width) or b.shape != (examples.blocks,):
            return False
        if not (np.isfinite(W).all() and np.isfinite(b).all()):
            return False
        if not self.fit_intercept and b.any():
            return False
        return all(
            self._exactly_right(examples, row, W, b) for row in _doubtful(examples, W, b).tolist()
        )

    def _exactly_right(self, examples: LabelledRows, row: int, W: Array, b: Array) -> bool:
        x = examples.X[[row]].astype(np.float64)
        x = (x.toarray() if sparse.issparse(x) else x)[0]
        scores = [exact_dot(w, x) + Fraction(c) for w, c in zip(W, b.tolist(), strict=True)]
        right = int(examples.codes[row])
        if len(scores) == 1:
            return scores[0] > 0 if right == 1 else scores[0] < 0
        own = scores.pop(right)
        return own > max(scores)


@dataclass(frozen=True, eq=False)
class Contradiction(Verdict):
    """Examples that no weights put all on their right side, since some mixture of them cancels."""

    __module__ = "rosenblatt"

    rows: NDArray[np.intp]
    """The rows that contradict each other."""
    rivals: NDArray[np.intp]
    """For each of them, the number in ``classes`` of the rival that it should beat."""
    labels: tuple[Any, ...]
    """Their labels."""

    separable: ClassVar[bool | None] = False

    def __str__(self) -> str:
        return self.sentence("row", self.rows.tolist())

    def sentence(self, noun: str, numbers: list[int]) -> str:
        """The sentence about rows that the reader knows as a noun with these numbers."""
        sides = [
            f"{_named(noun, _of_label(numbers, self.labels, label))} (label {label!r})"
            for label in dict.fromkeys(sorted(self.labels, key=self.classes.tolist().index))
        ]
        if len(self.classes) == 2 and self.fit_intercept:
            return f"Not separable: mixtures of {sides[0]} and of {sides[1]} coincide."
        return (
            f"Not separable{'' if self.fit_intercept else ' without an intercept'}: "
            f"{', '.join(sides)} contradict each other; weighted by their multipliers, what they "
            "ask of the weights cancels."
        )

    def _names_rivals_in(self, examples: LabelledRows, count: int) -> bool:
        """Whether there are so many rows, each of the examples and with a rival of its class."""
        rows, rivals = np.asarray(self.rows), np.asarray(self.rivals)
        if not 0 < count == len(rows) == len(rivals):
            return False
        if rows.min() < 0 or rows.max() >= examples.count:
            return False
        if rivals.min() < 0 or rivals.max() >= len(examples.classes):
            return False
        return not (examples.codes[rows] == rivals).any()


@dataclass(frozen=True, eq=False)
class CountedContradiction(Contradiction):
    """A contradiction whose multipliers are known exactly."""

    __module__ = "rosenblatt"

    counts: tuple[int, ...]
    """For each row, how often it is taken: the differences then sum to exactly zero."""

    @property
    def multipliers(self) -> tuple[Fraction, ...]:
        """The counts divided by their sum: α > 0 with Σ α = 1 and Σ α y x = 0."""
        total = sum(self.counts)
        return tuple(Fraction(count, total) for count in self.counts)

    def sentence(self, noun: str, numbers: list[int]) -> str:
        if len(numbers) == 1:
            return (
                f"Not separable: {_named(noun, numbers)} is zero in every feature, so without an "
                "intercept its score is zero whatever the weights."
            )
        if len(numbers) == 2 and len(set(self.labels)) == 2 and self.counts == (1, 1):
            return (
                f"Not separable: {_named(noun, numbers)} have the same features but different "
                f"labels, {self.labels[0]!r} and {self.labels[1]!r}."
            )
        return super().sentence(noun, numbers)

    def holds(self, examples: LabelledRows) -> bool:
        rows, rivals = np.asarray(self.rows), np.asarray(self.rivals)
        counts = list(self.counts)
        whole = all(isinstance(count, int) and count > 0 for count in counts)
        if not whole or not self._names_rivals_in(examples, len(counts)):
            return False
        D = examples.framed(rows, rivals, self.fit_intercept)
        return all(_cancels(places, values, counts) for places, values in _columns(D))


@dataclass(frozen=True, eq=False)
class EnclosedContradiction(Contradiction):
    """A contradiction of many rows, whose multipliers are proven to exist and to be positive.

    The rows make as many equations as there are multipliers, Σ α = 1 and Σ α y x = 0, whose one
    exact solution has too many digits to write down. It lies so near to ``multipliers`` that none
    of it can be zero.
    """

    __module__ = "rosenblatt"

    multipliers: Array
    """For each row, its multiplier, rounded."""
    within: float
    """How far the exact multipliers are at most from these."""

    def holds(self, examples: LabelledRows) -> bool:
        rows, rivals = np.asarray(self.rows), np.asarray(self.rivals)
        alpha = np.asarray(self.multipliers, dtype=np.float64)
        if not self._names_rivals_in(examples, len(alpha)) or not alpha.min() > self.within:
            return False
        A = cancelling_equations(examples, rows, rivals, self.fit_intercept)
        if A is None or A.shape != (len(alpha), len(alpha)):
            return False
        return error_bound(A, alpha, last_one(len(alpha))) <= self.within


def cancelling_equations(
    examples: LabelledRows, rows: NDArray[np.intp], rivals: NDArray[np.intp], fit_intercept: bool
) -> Array | None:
    """A with ``A α = (0, ..., 0, 1)`` if and only if α cancels the rows and has sum one.

    A row for each column of the differences, divided by a power of two, but for those that are
    zero or stand there already; none of the last of several classes, which are minus the sum of the
    others; none that others are shown to imply. None if the division is not exact.
    """
    D = examples.differences(rows, rivals)
    D = D[:, : max(1, examples.blocks - 1) * examples.width]
    if fit_intercept:
        C = examples.constants(rows, rivals)
        D = sparse.hstack([D, C[:, : max(1, examples.blocks - 1)]])
    columns = np.unique(D.toarray().T, axis=0)
    sizes = np.abs(columns).max(axis=1, keepdims=True)
    columns, sizes = columns[sizes[:, 0] > 0], sizes[sizes[:, 0] > 0]
    scale = np.exp2(np.ceil(np.log2(sizes)))
    scaled = columns / scale
    if not np.array_equal(scaled * scale, columns):
        return None
    return np.vstack([without_implied(scaled), np.ones((1, len(rows)))])


def last_one(size: int) -> Array:
    """Zeros and, last, a one."""
    return np.append(np.zeros(size - 1), 1.0)


@dataclass(frozen=True, eq=False)
class Undecided(Verdict):
    """No separator was found, and no proof that there is none."""

    __module__ = "rosenblatt"

    bound: float
    """No weights of length one, intercepts counted, reach a greater margin, up to rounding."""

    def __str__(self) -> str:
        return (
            f"Undecided: a separator, if there is one, has a margin of {self.bound:.2g} at most; "
            "neither one nor a proof against it was found."
        )


def _doubtful(examples: LabelledRows, W: Array, b: Array) -> NDArray[np.intp]:
    """Rows whose sign may be due to rounding: gap ≤ 2 n u (|w| · |x| + |b|), with n operations."""
    doubtful = []
    slack = rounding(examples.width)
    for stretch, part in examples.batches():
        piece = LabelledRows(part, examples.codes[stretch], examples.classes)
        w, c = examples.unstacked(W.ravel(), b)
        gaps = piece.gaps(w, c).min(axis=1)
        sizes = (abs(part) @ np.abs(W).T + np.abs(b)).sum(axis=1)
        doubtful.append(stretch.start + np.flatnonzero(~(gaps > slack * sizes + UNDERFLOW)))
    return np.concatenate(doubtful)


def _columns(D: Any) -> Iterator[tuple[list[int], list[float]]]:
    """The row numbers and values of each column in turn."""
    columns = sparse.csc_array(D)
    for start, stop in zip(columns.indptr[:-1], columns.indptr[1:], strict=True):
        yield columns.indices[start:stop].tolist(), columns.data[start:stop].tolist()


def _cancels(places: list[int], values: list[float], counts: list[int]) -> bool:
    whole = whole_numbers(values)
    return sum(counts[place] * value for place, value in zip(places, whole, strict=True)) == 0


def _of_label(numbers: list[int], labels: tuple[Any, ...], wanted: Any) -> list[int]:
    """The numbers of the rows with the label, each once though it may have several rivals."""
    pairs = zip(numbers, labels, strict=True)
    return list(dict.fromkeys(number for number, label in pairs if label == wanted))


def _named(noun: str, numbers: list[int], most: int = 6) -> str:
    if len(numbers) == 1:
        return f"{noun} {numbers[0]}"
    if len(numbers) <= most:
        return f"{noun}s {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
    return f"{noun}s {', '.join(map(str, numbers[:most]))}, ... ({len(numbers)} in all)"
