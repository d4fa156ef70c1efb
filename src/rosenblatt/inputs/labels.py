"""Labels as the core reads them: the number of each one's class."""

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Name, Row
from rosenblatt.inputs.messages import refuse_masked
from rosenblatt.inputs.parts import Arrays, Facts, require

ROOM, ROOM_A_CHARACTER = 1 << 24, 64
"""Bytes that labels of a file may take: so many, or for each of their characters so many."""

Y = Name("y")

CHUNK = 1 << 16
"""Labels looked at together, so that a long y needs no long temporary array."""


@dataclass(eq=False)
class CodedLabels:
    """Labels as the numbers of their classes: a byte or four for each, however long they are.

    Parameters
    ----------
    codes : ndarray of uint8 or int32
    classes : ndarray
        The labels, sorted; some may not occur.
    """

    __module__ = "rosenblatt"

    codes: NDArray[Any]
    classes: NDArray[Any]

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.classes.dtype

    @property
    def ndim(self) -> int:
        return 1

    @property
    def shape(self) -> tuple[int]:
        return self.codes.shape[:1]

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> Any:
        codes = self.codes[rows]
        return CodedLabels(codes, self.classes) if np.ndim(codes) else self.classes[codes]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.classes.take(self.codes).astype(dtype or self.dtype, copy=False)


Labels = NDArray[Any] | CodedLabels


def read_labels(caller: str, y: Any, count: int) -> Labels:
    """The labels y, one for each of ``count`` rows, as an estimator of this name needs them."""
    if y is None:
        raise InputError(f"{caller} requires ", Y, " to be passed, but the target ", Y, " is None")
    labels: Labels
    if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biuU":
        labels = y
    elif isinstance(y, CodedLabels):
        read_labels(caller, y.classes, len(y.classes))
        labels = y
    else:
        refuse_masked(y, Y)
        from sklearn.utils.multiclass import check_classification_targets, type_of_target
        from sklearn.utils.validation import column_or_1d

        try:
            labels = column_or_1d(_whole(y), warn=True)
        except ValueError as error:
            if np.ndim(y) == 1:
                raise
            raise InputError(Y, must="be a 1d array", got=f"shape {np.shape(y)}") from error
        if labels.dtype.kind == "f" and not np.isfinite(labels).all():
            raise InputError(Y, " contains NaN or infinity", remedy="every row needs a label")
        if labels.dtype.kind == "O":
            _check_objects(np.asarray(labels).tolist())
        try:
            check_classification_targets(labels)
        except ValueError as error:
            kind, remedy = type_of_target(labels), "labels are strings, booleans or whole numbers"
            raise InputError(f"Unknown label type: {kind}, in ", Y, remedy=remedy) from error
    if len(labels) != count:
        raise InputError(Name("X"), f" has {count} rows but ", Y, f" has {len(labels)} labels")
    return labels


def _whole(y: Any) -> Any:
    """y, but whole numbers and booleans of pandas' own as NumPy's; scikit-learn has floats."""
    if isinstance(getattr(y, "dtype", None), np.dtype | None):
        return y
    given = np.asarray(y)
    return given if given.dtype.kind in "biu" else y


def _check_objects(labels: list[Any]) -> None:
    """Refuse objects that are not strings."""
    for row, label in enumerate(labels):
        if isinstance(label, str):
            continue
        if _is_missing(label):
            raise InputError(
                *(Y, f" has {label!r} for a label"),
                where=Row(row),
                remedy="every row needs a label",
            )
        raise InputError(
            *("Unknown label type: of the objects in ", Y, ", that in ", Row(row), " is no string"),
            *(f" but {label!r}; convert all to one type, for example with ", Y, ".astype(str)"),
        )


def _is_missing(label: Any) -> bool:
    """Whether this is None, or like NaN unequal to itself."""
    if label is None or not isinstance(label, Hashable):
        return label is None
    try:
        return bool(label != label)
    except TypeError:  # pandas.NA leaves this open too
        return True


def distinct(y: Labels) -> NDArray[Any]:
    """The labels of y, each once, sorted."""
    if isinstance(y, CodedLabels):
        return y.classes[distinct(y.codes)]
    found = _sorted(y[:CHUNK])
    for start in range(CHUNK, len(y), CHUNK):
        chunk = y[start : start + CHUNK]
        if len(found) != 2 or not ((chunk == found[0]) | (chunk == found[1])).all():
            found = _sorted(np.concatenate([found, _sorted(chunk)]))
    return found


def _sorted(y: NDArray[Any]) -> NDArray[Any]:
    """As np.unique, but quick for strings."""
    if not _is_of_words(y):
        return np.unique(y)
    return np.sort(y[core.first_of_each(_words(y))])


def _is_of_words(y: NDArray[Any]) -> bool:
    """Whether the labels are strings, whose characters have four bytes each."""
    return bool(y.dtype.kind == "U" and y.itemsize)


def _words(y: NDArray[Any]) -> NDArray[np.uint32]:
    return np.ascontiguousarray(y).view(np.uint32).reshape(len(y), y.itemsize // 4)


def read_classes(classes: Any) -> NDArray[Any]:
    """The labels that a caller names in ``classes=``, each once, sorted."""
    try:
        named = np.asarray(classes)
        if named.ndim == 1 and len(named):
            named = distinct(named)
    except (TypeError, ValueError) as error:
        must = "be a list of labels that can be sorted"
        raise InputError(Name("classes"), must=must) from error
    if named.ndim != 1:
        raise InputError(Name("classes"), must="be a list of labels", got=f"shape {named.shape}")
    if named.dtype.kind == "f" and not np.isfinite(named).all():
        raise InputError(Name("classes"), must="hold labels, not NaN or infinity")
    return named


def are_same(classes: Any, known: NDArray[Any]) -> bool:
    """Whether both are arrays of the same bytes; quick, for calls with a row each."""
    return (
        type(classes) is np.ndarray
        and classes.dtype == known.dtype
        and classes.tobytes() == known.tobytes()
    )


def list_text(labels: NDArray[Any], most: int = 10) -> str:
    """The labels as a message shows them: a few, and how many there are."""
    if len(labels) <= most:
        return str(labels.tolist())
    return f"{str(labels[:most].tolist())[:-1]}, ...] ({len(labels)} in all)"


def encode(
    y: Labels,
    classes: NDArray[Any],
    remedy: str = "name every class that may come with partial_fit(X, y, classes=[...])",
) -> NDArray[Any]:
    """The place of each label among the sorted ``classes``, in a byte each where that will do."""
    dtype = np.uint8 if len(classes) <= 256 else np.int32
    if isinstance(y, CodedLabels):
        if np.array_equal(y.classes, classes):
            return y.codes
        occurring = distinct(y.codes)
        places = np.zeros(len(y.classes), dtype)
        places[occurring] = _places(y.classes[occurring], classes, remedy)
        return places.take(y.codes)
    if len(y) <= CHUNK:
        return _places(y, classes, remedy).astype(dtype)
    codes = np.empty(len(y), dtype)
    for start in range(0, len(y), CHUNK):
        codes[start : start + CHUNK] = _places(y[start : start + CHUNK], classes, remedy)
    return codes


def _places(y: NDArray[Any], classes: NDArray[Any], remedy: str) -> NDArray[Any]:
    places: NDArray[Any]
    if _is_of_words(y) and _is_of_words(classes):
        longer = np.result_type(y, classes)
        places = core.places_among(
            _words(y.astype(longer, copy=False)), _words(classes.astype(longer, copy=False))
        )
        known = places >= 0
    elif len(classes) == 2:  # no need to search
        places = y == classes[1]
        known = places | (y == classes[0])
    else:
        places = classes.searchsorted(y)
        known = classes.take(places, mode="clip") == y
    if np.count_nonzero(known) < len(y):
        stranger = y[[np.argmin(known)]].tolist()[0]  # as Python prints it
        raise InputError(
            Y,
            f" holds the label {stranger!r}, which is not among the classes {list_text(classes)}",
            remedy=remedy,
        )
    return places


def come_in_runs(codes: NDArray[Any]) -> bool:
    """Whether neighbours differ less than nine tenths as often as two rows drawn at random do."""
    count, sizes = len(codes), np.bincount(codes).astype(np.float64)
    neighbours = np.count_nonzero(codes[1:] != codes[:-1])
    return bool(neighbours * count < 0.9 * (count**2 - sizes @ sizes))


def labels_at(classes: NDArray[Any], winners: NDArray[Any]) -> NDArray[Any]:
    """The labels of the classes with these numbers; where there is one label alone, that one."""
    if not len(classes):
        raise ValueError("The model has not seen any label, so that it can predict none.")
    return classes.take(winners, mode="clip")


def check_room(labels: Sequence[Any], size: int) -> None:
    """Refuse labels that would take so many bytes each, where that is much more than they hold."""
    characters = sum(len(label) if type(label) is str else 1 for label in labels)
    require(
        size * len(labels) <= max(ROOM, ROOM_A_CHARACTER * characters),
        "its labels take more room than there is in them",
    )


class KnownLabels(NamedTuple):
    """The classes of a model, as a file holds them."""

    classes: NDArray[Any]

    def facts(self) -> Facts:
        facts = {"dtype": self.classes.dtype.str, "labels": self.classes.tolist()}
        try:
            self.build(facts, {})
        except ValueError as error:
            raise InputError(
                f"Labels of type {self.classes.dtype} cannot be saved",
                remedy="use strings, whole numbers, booleans or floats of at most 64 bits",
            ) from error
        return facts

    def arrays(self) -> Arrays:
        return {}

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> "KnownLabels":
        labels, dtype = facts["labels"], str(facts["dtype"])
        require(
            re.fullmatch(r"[<>|][biufU][0-9]{1,9}|\|O", dtype) is not None
            and all(type(label) in (str, int, bool, float) for label in labels),
            "its labels are of a type that is not known",
        )
        check_room(labels, np.dtype(dtype).itemsize)
        classes: NDArray[Any] = np.array(labels, dtype=dtype)
        require(
            classes.ndim == 1
            and classes.tolist() == labels
            and [type(label) for label in classes.tolist()] == [type(label) for label in labels]
            and bool((classes[:-1] < classes[1:]).all()),  # np.unique would import much
            "its labels are not distinct and sorted",
        )
        return cls(classes)
