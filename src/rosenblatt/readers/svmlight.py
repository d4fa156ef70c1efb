"""Files in the format of svmlight and libsvm."""

import os
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import sparse

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Line, Parameter, Words
from rosenblatt.inputs.parameters import check_count, check_flag, wrong
from rosenblatt.readers.blocks import check_limits, too_long
from rosenblatt.readers.data import Batch, Data, as_whole_numbers
from rosenblatt.readers.encodings import as_encoding
from rosenblatt.readers.rejects import Aside, Reject, Walks, quoted, set_aside
from rosenblatt.readers.sources import Source, open_source, source_name

BLOCK = 1 << 19
"""Bytes read at a time by one thread: they stay in the cache until they are parsed."""
BLOCK_OF_THREADS = 1 << 23
"""The same for each of several threads, so that starting them does not count."""


def read_svmlight(
    source: Any,
    *,
    n_features: int | None = None,
    zero_based: bool | Literal["auto"] = "auto",
    dtype: DTypeLike = np.float64,
    multilabel: bool = False,
    query_id: bool = False,
    rejects: str | os.PathLike[str] | list[Reject] | None = None,
    threads: int = 1,
    max_index: int = 2**40,
    max_line: int = 2**26,
    max_size: int = 2**36,
) -> tuple[Any, ...]:
    r"""Read a file of lines ``label index:value index:value ...`` into a sparse matrix and labels.

    Gives what ``sklearn.datasets.load_svmlight_file`` gives, twenty times as fast. Numbers are
    read to the nearest double. Everything behind ``#`` is a comment; blank lines are skipped.

    Parameters
    ----------
    source : str, path-like or binary file
        ``"-"`` is standard input. Files packed by gzip, xz or bzip2 are unpacked, those packed by
        zstd if the package zstandard is there.

    n_features : int, optional
        Number of columns of X; as many as the file has if not given. Give it for files that
        belong together.

    zero_based : bool or "auto", default="auto"
        Whether indices begin at 0; "auto" takes it from the lowest index in the file.

    dtype : {numpy.float64, numpy.float32}, default=numpy.float64
        Type of the values of X.

    multilabel : bool, default=False
        Whether a line may have several labels, as ``1,4,5``, or none.

    query_id : bool, default=False
        Whether the numbers in ``qid:number`` are returned too; then every line needs one.

    rejects : str, path-like or list, optional
        Lines that cannot be read are written to this file, each below a comment that says what is
        wrong, or appended to this list as `Reject`, and reading goes on. If not given, the first
        one is an error.

    threads : int, default=1
        Threads that read stretches of the file side by side; the result is the same.

    max_index, max_line, max_size : int
        Limits: the highest index, the bytes of a line, and those of an unpacked file.

    Returns
    -------
    X : scipy.sparse.csr_array of shape (n_samples, n_features)

    y : ndarray of shape (n_samples,), or list of tuples if ``multilabel``

    query_id : ndarray of shape (n_samples,)
        Only if ``query_id``.

    Examples
    --------
    >>> import io
    >>> from rosenblatt import read_svmlight
    >>> X, y = read_svmlight(io.BytesIO(b"+1 2:0.5 3:1 # good\n-1 1:2\n"))
    >>> X.toarray()
    array([[0. , 0.5, 1. ],
           [2. , 0. , 0. ]])
    >>> y
    array([ 1., -1.])
    """
    limits = {"max_index": max_index, "max_line": max_line, "max_size": max_size}
    _check(n_features, zero_based, dtype, multilabel, query_id, threads, limits)
    base = 0 if zero_based is True else 1
    settings: dict[str, Any] = {
        "float32": np.dtype(dtype) == np.float32,
        "base": base,
        "zero_allowed": zero_based is not False,
        "multilabel": bool(multilabel),
        "every_line": False,
        "query_id": bool(query_id),
        "set_aside": rejects is not None,
        "largest_index": int(max_index),
        "longest_line": int(max_line),
    }
    with (
        open_source(source, largest=int(max_size)) as text,
        set_aside(rejects, source, text.name) as aside,
    ):
        name = text.name
        reader = core.SvmlightReader(**settings)
        place = text.place() if threads > 1 else None
        if place and reader.read_file(*place, int(threads)):
            text.skip()
            _tell_faults(reader, aside, limits)
        else:
            for number, _ in enumerate(_blocks_read(reader, text, aside, int(threads), limits)):
                if number == 0:
                    reader.expect(1.05 * text.left / max(1, text.taken))
    width = max(1, reader.highest + 1 - base)
    values, columns, indptr, labels, label_indptr, queries, _ = reader.take_rows()
    if base == 1 and reader.lowest == 0:
        columns += 1
        width += 1
    if n_features is not None:
        if n_features < width:
            allowed = Parameter("n_features", n_features)
            raise InputError(f"{name} has {width} features, more than ", allowed, " allows")
        width = int(n_features)
    X = _matrix(values, columns, indptr, width)
    y = _tuples(labels, label_indptr) if multilabel else labels
    return (X, y, queries) if query_id else (X, y)


class Svmlight(Data):
    """A file of svmlight as batches of CSR rows, a block of the file at a time.

    Whether indices begin at 0 is taken from the first block unless `zero_based` says it. A batch
    is as wide as the highest index so far, and at least `n_features` wide.

    Parameters
    ----------
    source, zero_based, rejects, max_index, max_line, max_size
        As in `read_svmlight`.

    n_features : int, optional
        The least number of columns.

    labelled : bool, default=True
        Whether every line begins with a label; else it may have one, which is ignored, and a blank
        line is a row without features.

    encoding : str, optional
        As in `TextLines`.
    """

    format = "svmlight"

    def __init__(
        self,
        source: Any,
        *,
        n_features: int | None = None,
        zero_based: bool | Literal["auto"] = "auto",
        labelled: bool = True,
        rejects: str | os.PathLike[str] | list[Reject] | None = None,
        max_index: int = 2**40,
        max_line: int = 2**26,
        max_size: int = 2**36,
        encoding: str | None = None,
    ) -> None:
        self.encoding = as_encoding(encoding)
        self.name = source_name(source)
        self._source = source
        self._n_features = n_features
        self._zero_based = zero_based
        self._labelled = labelled
        self._rejects = Walks(rejects)
        self._limits = {"max_index": max_index, "max_line": max_line, "max_size": max_size}
        _check(n_features, zero_based, float, False, False, 1, self._limits)

    def batches(self) -> Iterator[Batch]:
        reader = core.SvmlightReader(
            float32=False,
            base=1,
            zero_allowed=self._zero_based is not False,
            multilabel=not self._labelled,
            every_line=not self._labelled,
            query_id=False,
            set_aside=self._rejects.sets_aside,
            largest_index=int(self._limits["max_index"]),
            longest_line=int(self._limits["max_line"]),
        )
        with (
            open_source(
                self._source, largest=int(self._limits["max_size"]), encoding=self.encoding
            ) as text,
            self._rejects.walk(self._source, text.name) as aside,
        ):
            for _ in _blocks_read(reader, text, aside, 1, self._limits):
                if self._zero_based == "auto" and reader.highest >= 0:
                    self._zero_based = bool(reader.lowest == 0)
                values, columns, indptr, labels, _, _, lines = reader.take_rows()
                self.share, self.encoding = text.share, text.encoding
                if len(lines):
                    X = self._rows(values, columns, indptr, lines, reader.highest)
                    yield Batch(X, as_whole_numbers(labels) if self._labelled else None, lines)

    def vectorizer(self) -> None:
        return None

    def describe(self) -> str:
        first = "" if self._zero_based == "auto" else f", indices from {int(not self._zero_based)}"
        return self._described(f"svmlight{first}")

    def settings(self) -> dict[str, Any]:
        known = {} if self._zero_based == "auto" else {"zero_based": bool(self._zero_based)}
        return super().settings() | known

    def _rows(
        self,
        values: NDArray[np.float64],
        columns: NDArray[Any],
        indptr: NDArray[np.int64],
        lines: NDArray[np.int64],
        highest: int,
    ) -> Any:
        if self._zero_based is True:
            columns += 1
        elif len(columns) and columns.min() < 0:
            row = np.searchsorted(indptr, np.argmin(columns), side="right") - 1
            raise InputError(
                f"an index of 0, though no line of the first {BLOCK} bytes has one, so that "
                "indices were taken to begin at 1",
                where=Line(int(lines[row]), file=self.name),
                remedy=("say ", Parameter("zero_based", True)),
            )
        width = max(1, self._n_features or 1, highest + int(self._zero_based is True))
        return _matrix(values, columns, indptr, width)


def _check(
    n_features: Any,
    zero_based: Any,
    dtype: Any,
    multilabel: Any,
    query_id: Any,
    threads: Any,
    limits: dict[str, Any],
) -> None:
    if n_features is not None:
        check_count("n_features", n_features)
    if zero_based != "auto":
        check_flag("zero_based", zero_based)
    check_flag("multilabel", multilabel)
    check_flag("query_id", query_id)
    check_count("threads", threads)
    check_limits(**limits)
    if np.dtype(dtype) not in (np.float64, np.float32):
        raise wrong("dtype", dtype, "be float64 or float32")


def _reason(kind: str, word: bytes, limits: dict[str, int]) -> Words:
    """What is wrong with a line, in words."""
    if kind == "length":
        return too_long(limits["max_line"])
    expected: dict[str, Words] = {
        "label": "a number as the label",
        "pair": "index:value",
        "order": "an index above those before it",
        "zero": ("indices from 1 on as ", Parameter("zero_based", False), " says"),
        "large": ("an index of at most ", Parameter("max_index", limits["max_index"])),
        "query": "qid:number",
    }
    return "expected ", expected[kind], f", got {quoted(word)}"


def _blocks_read(
    reader: core.SvmlightReader, text: Source, aside: Aside, threads: int, limits: dict[str, int]
) -> Iterator[None]:
    """Feed the reader to the end of the text, and stop after each block."""
    size = BLOCK if threads == 1 else BLOCK_OF_THREADS * threads
    block = np.empty(size + core.svmlight_slack, dtype=np.uint8)
    carried = 0
    while True:
        room = len(block) - core.svmlight_slack
        filled = text.fill(block, carried, room)
        last = filled < room
        used = reader.feed(block, filled, last, threads)
        _tell_faults(reader, aside, limits)
        yield
        if last:
            return
        carried = filled - used
        if carried > limits["max_line"]:
            where = Line(reader.lines + 1, file=text.name)
            raise InputError(too_long(limits["max_line"]), where=where)
        if carried > room // 2:
            block = np.concatenate([block, np.empty_like(block)])
        block[:carried] = block[used:filled]


def _tell_faults(reader: core.SvmlightReader, aside: Aside, limits: dict[str, int]) -> None:
    """Set aside the bad lines found since the last call; unless they are set aside, an error."""
    for kind, line, column, word, rejected in reader.take_faults():
        aside.take(line, column, _reason(kind, word, limits), rejected)


def _matrix(
    values: NDArray[Any], columns: NDArray[Any], indptr: NDArray[np.int64], width: int
) -> Any:
    """A CSR matrix of these arrays, with indices of 32 bits where that will do."""
    index = np.int32 if max(width, len(values)) < 2**31 else np.int64
    X = sparse.csr_array(
        (values, columns.astype(index, copy=False), indptr.astype(index)),
        shape=(len(indptr) - 1, width),
    )
    X.has_canonical_format = True
    return X


def _tuples(labels: NDArray[np.float64], indptr: NDArray[np.int64]) -> list[tuple[float, ...]]:
    flat = labels.tolist()
    return [tuple(flat[a:b]) for a, b in pairwise(indptr.tolist())]
