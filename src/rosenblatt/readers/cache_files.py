"""The files of a cache: how rows and labels become files, and files rows and labels again."""

import contextlib
import fcntl
import json
import os
import zlib
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rosenblatt.inputs.errors import Name
from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.inputs.labels import CodedLabels, KnownLabels, check_room
from rosenblatt.inputs.mapped_rows import GrowingFile, MappedRows, Maps
from rosenblatt.inputs.messages import as_array
from rosenblatt.inputs.parts import STRANGE, Facts, check_few_containers, read_json
from rosenblatt.readers.atomic_write import WriteError, sync_names
from rosenblatt.readers.sources import open_plain, read_plain
from rosenblatt.training.stream_split import StreamSplit

FORMAT = 1
HEADER = "rosenblatt-cache.json"
"""The file that makes a folder a cache; it is written last."""
LARGEST_HEADER = 1 << 26
"""Bytes of it."""
PARTS = ("learned", "held_out")
ARRAYS = ("values", "columns", "bounds", "labels")
WEIGHTS = "weights"
"""One more array, where examples are weighed."""
LARGEST_INT32 = np.iinfo(np.int32).max
"""The highest index that 32 bits hold."""

Part = tuple[MappedRows, CodedLabels | LabelSets, NDArray[np.float64] | None]
"""Rows, their labels and, if any, their weights."""
Opened = tuple[list[Part], NDArray[Any], Facts]
"""The parts of a cache, all labels, and the source."""


class CacheError(ValueError):
    """A folder that is no cache, or a damaged one, or one of another version."""

    __module__ = "rosenblatt"


class LabelNumbers:
    """Numbers labels as they come; when all are known they get the numbers of their order."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}
        self._dtype: np.dtype[Any] | None = None
        self.of_sets = False
        """Whether these are sets of labels, each written as one, a JSON list."""

    def of(self, labels: NDArray[Any] | LabelSets) -> NDArray[np.int32]:
        if isinstance(labels, LabelSets):
            self.of_sets = True
            labels = np.array([json.dumps(own, ensure_ascii=False) for own in labels])
        kind = labels.dtype.kind
        if kind not in "biufUO" or (kind == "f" and np.isnan(labels).any()):
            raise ValueError("Labels must be numbers or strings, and every row needs one.")
        self._dtype = np.result_type(self._dtype or labels.dtype, labels.dtype)
        found, places = np.unique(labels, return_inverse=True)
        numbers = [self._numbers.setdefault(label, len(self._numbers)) for label in found.tolist()]
        return np.array(numbers, dtype=np.int32)[places]

    def sorted(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The labels in order, and the place of each number among them."""
        labels = np.array(list(self._numbers), dtype=self._dtype)
        order = np.argsort(labels)
        places = np.empty(len(labels), np.uint8 if len(labels) <= 256 else np.int32)
        places[order] = np.arange(len(labels))
        return labels[order], places


class RowsWriter:
    """Rows and the numbers of their labels, on their way into files."""

    def __init__(self, folder: str, part: str) -> None:
        self.width = 0
        self._path = os.path.join(folder, part)
        self.files: list[GrowingFile] = []
        types = (np.float32, np.int32, np.int64, np.int32)
        self.values, self.columns, self.indptr, self.labels = map(self._file, ARRAYS, types)
        self.weights: GrowingFile | None = None
        self.indptr.append(np.zeros(1, dtype=np.int64))

    def _file(self, name: str, dtype: DTypeLike) -> GrowingFile:
        self.files.append(GrowingFile(f"{self._path}.{name}", dtype))
        return self.files[-1]

    def add(
        self, X: Any, numbers: NDArray[np.int32], weights: NDArray[np.float64] | None = None
    ) -> None:
        """Add rows of a sound CSR matrix, in types as narrow as all values so far allow."""
        if weights is not None and self.weights is None:
            self.weights = self._file(WEIGHTS, np.float64)
            self.weights.append(np.ones(self.labels.count))
        if self.weights is not None:
            self.weights.append(np.ones(len(numbers)) if weights is None else weights)
        if self.values.dtype == np.float32 and not _fit_in_float32(X.data):
            self.values.rewrite(np.float64)
        before, stored = self.values.count, int(X.indptr[-1])
        if self.columns.dtype == np.int32 and max(X.shape[1], before + stored) > LARGEST_INT32:
            self.columns.rewrite(np.int64)
        self.values.append(X.data[:stored])
        self.columns.append(X.indices[:stored])
        self.indptr.append(before + X.indptr[1:].astype(np.int64))
        self.labels.append(numbers)
        self.width = max(self.width, X.shape[1])

    def finish(self, places: NDArray[Any]) -> Facts:
        """Bring all to the disk; indptr is of the type of columns, as SciPy has them."""
        self.indptr.rewrite(self.columns.dtype)
        self.labels.rewrite(places.dtype, lambda numbers: places[numbers])
        return {os.path.basename(file.path): file.finish() for file in self.files}

    def close(self) -> None:
        for file in self.files:
            file.close()


def _fit_in_float32(values: NDArray[Any]) -> bool:
    with np.errstate(over="ignore"):
        return values.dtype == np.float32 or bool((values.astype(np.float32) == values).all())


class Draft:
    """A cache that is being written: nothing has its name until all of it is on the disk."""

    def __init__(self, path: str, split: StreamSplit | None) -> None:
        if os.path.lexists(path) and not os.path.isfile(os.path.join(path, HEADER)):
            raise ValueError(f"{path} is there and is not a cache: name another path.")
        self.path = path
        self.count = 0
        self._split = split
        self._folder = f"{path}.{os.urandom(6).hex()}.part"
        self._labels = LabelNumbers()
        self._parts: list[RowsWriter] = []
        with self, _said_of(path):
            os.mkdir(self._folder)
            parts = PARTS[:1] if split is None else PARTS
            self._parts += [RowsWriter(self._folder, part) for part in parts]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if error is not None:
            for part in self._parts:
                part.close()
            _remove(self._folder)

    def add(
        self, X: Any, labels: NDArray[Any] | LabelSets, weights: NDArray[np.float64] | None
    ) -> None:
        """Add rows of a sound CSR matrix, those that are held out to a part of their own."""
        own = labels if isinstance(labels, LabelSets) else as_array(labels, Name("labels"))
        numbers = self._labels.of(own)
        self.count += len(numbers)
        with _said_of(self.path):
            if self._split is None:
                self._parts[0].add(X, numbers, weights)
                return
            held = self._split.among(numbers)
            for part, rows in zip(self._parts, (~held, held), strict=True):
                part.add(X[rows], numbers[rows], None if weights is None else weights[rows])

    def finish(self, source: Facts) -> Opened:
        """Bring all to the disk and give it its name; what was written, whoever takes the name."""
        if self.count == 0:
            raise ValueError(f"There are no examples to write to the cache {self.path}.")
        classes, places = self._labels.sorted()
        with _said_of(self.path):
            arrays = [part.finish(places) for part in self._parts]
            facts = {
                "format": FORMAT,
                "width": max(part.width for part in self._parts),
                "arrays": {name: array for part in arrays for name, array in part.items()},
                "classes": {"dtype": classes.dtype.str, "labels": classes.tolist()},
                "source": source,
            } | ({"sets": True} if self._labels.of_sets else {})
            _write_header(self._folder, facts)
            found = _open_parts(self._folder, look=False)
            _take_place(self._folder, self.path)
        return found


def open_parts(path: str) -> Opened:
    """What a cache holds, once every byte is found to be as it was written."""
    with _locked(path, fcntl.LOCK_SH), _damage_said(path):
        return _open_parts(path, look=True)


def _open_parts(path: str, *, look: bool) -> Opened:
    facts = _read_header(path)
    described = facts["classes"]
    classes = KnownLabels.build(described, {}).classes
    sets = None
    if facts.get("sets"):
        own = [read_json(label) for label in described["labels"]]
        every = [label for each in own for label in each]
        check_room(every, 4 * max((len(str(label)) for label in every), default=0))
        indptr = np.cumsum([0, *map(len, own)])
        sets = LabelSets.flat(np.array(every), indptr)
    maps = Maps()
    parts = []
    for part in PARTS:
        names = [f"{part}.{array}" for array in ARRAYS]
        if names[0] in facts["arrays"]:
            values, columns, indptr, labels = (
                _open_array(maps, path, name, facts["arrays"][name], look=look) for name in names
            )
            X = MappedRows.over(values, columns, indptr, facts["width"], maps.let_go)
            weighed = facts["arrays"].get(f"{part}.{WEIGHTS}")
            weights = weighed and _open_array(maps, path, f"{part}.{WEIGHTS}", weighed, look=look)
            y = CodedLabels(labels, classes) if sets is None else sets[labels]
            parts.append((X, y, weights))
    if not isinstance(facts["source"], dict):
        raise _damaged(path)
    return parts, classes if sets is None else sets.classes, facts["source"]


@contextlib.contextmanager
def _damage_said(path: str) -> Iterator[None]:
    """What a header that none of ours wrote leads to, said as damage."""
    try:
        yield
    except CacheError:
        raise
    except (*STRANGE, MemoryError) as error:
        raise _damaged(path) from error


def _open_array(maps: Maps, path: str, name: str, facts: Facts, *, look: bool) -> NDArray[Any]:
    size = facts["count"] * np.dtype(facts["dtype"]).itemsize
    try:
        file = open_plain(os.path.join(path, name))
    except OSError as error:
        raise _damaged(path) from error
    with file:
        if os.fstat(file.fileno()).st_size != size:
            raise _damaged(path)
        array = maps.array(file, facts["dtype"])
    if look and maps.checksum(array) != facts["checksum"]:
        raise _damaged(path)
    return array


def _write_header(folder: str, facts: Facts) -> None:
    text = json.dumps(facts, sort_keys=True)
    with open(os.path.join(folder, HEADER), "x", encoding="utf-8") as file:
        file.write(f"{text}\n{zlib.crc32(text.encode())}\n")
        file.flush()
        os.fsync(file.fileno())


def _read_header(path: str) -> Facts:
    try:
        header = read_plain(os.path.join(path, HEADER), LARGEST_HEADER)
        check_few_containers(header)
        text, checksum, end = header.decode().split("\n")
    except (FileNotFoundError, NotADirectoryError) as error:
        if os.path.exists(path):
            raise CacheError(f"{path} is not a cache of rosenblatt.") from error
        raise
    except ValueError as error:
        raise _damaged(path) from error
    if end or checksum != str(zlib.crc32(text.encode())):
        raise _damaged(path)
    facts: Facts = read_json(text)
    if facts["format"] != FORMAT:
        raise CacheError(f"{path} is a cache of another version of rosenblatt: delete it.")
    return facts


def _damaged(path: str) -> CacheError:
    return CacheError(f"The cache {path} is damaged or incomplete: delete it.")


@contextlib.contextmanager
def _said_of(path: str) -> Iterator[None]:
    """Say which cache could not be written, and why."""
    try:
        yield
    except WriteError:
        raise
    except OSError as error:
        said = WriteError(
            f"The cache {path} cannot be written ({error.strerror}): make room, or name another "
            "path."
        )
        said.errno = error.errno
        raise said from error


@contextlib.contextmanager
def _locked(path: str, how: int) -> Iterator[None]:
    """While other processes do not give this name to another cache, or none opens it."""
    try:
        folder = os.open(os.path.dirname(path), os.O_RDONLY)
    except FileNotFoundError:  # told of by who opens a file in it
        yield
        return
    try:
        with contextlib.suppress(OSError):  # some file systems have no locks of folders
            fcntl.flock(folder, how)
        yield
    finally:
        os.close(folder)


def _take_place(draft: str, path: str) -> None:
    """Give the draft its name. Those who have the old cache open keep its files."""
    old = f"{draft}.old"
    with _locked(path, fcntl.LOCK_EX):
        if os.path.exists(path):
            os.rename(path, old)
        os.rename(draft, path)
    _remove(old)
    sync_names(os.path.dirname(path))


def _remove(folder: str) -> None:
    """Remove what a cache consists of, the header first, and no other file."""
    names = [HEADER, *(f"{part}.{array}" for part in PARTS for array in (*ARRAYS, WEIGHTS))]
    for name in [*names, *(f"{name}.old" for name in names)]:
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(folder, name))
    with contextlib.suppress(OSError):
        os.rmdir(folder)
