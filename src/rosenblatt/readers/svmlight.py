"""Files in the format of svmlight and libsvm."""

import os
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, InputTypeError, Name, Parameter
from rosenblatt.inputs.sparse import matrix_of
from rosenblatt.readers.rejects import Rejects, set_aside
from rosenblatt.readers.sources import open_source
from rosenblatt.readers.svmlight_blocks import blocks_read, check_settings, tell_faults


def read_svmlight(
    source: Any,
    *,
    n_features: int | None = None,
    zero_based: bool | Literal["auto"] = "auto",
    dtype: DTypeLike = np.float64,
    multilabel: bool = False,
    query_id: bool = False,
    offset: int = 0,
    length: int = -1,
    rejects: Rejects = None,
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

    offset, length : int, default=0 and -1
        A stretch of the (unpacked) file: lines that begin behind byte ``offset``, up to the one
        at byte ``offset + length``; by default, all. Stretches that follow one another have each
        line once. They need ``n_features``, as no stretch knows the columns of the others, and
        indices begin at 0 unless ``zero_based`` says otherwise.

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
    (part,), width = _read([source], **_said(locals()))
    return part.matrices(width)


def read_svmlights(
    sources: Iterable[Any],
    *,
    n_features: int | None = None,
    zero_based: bool | Literal["auto"] = "auto",
    dtype: DTypeLike = np.float64,
    multilabel: bool = False,
    query_id: bool = False,
    offset: int = 0,
    length: int = -1,
    threads: int = 1,
    max_index: int = 2**40,
    max_line: int = 2**26,
    max_size: int = 2**36,
) -> list[Any]:
    r"""Read files that belong together, with the same columns for all.

    Gives what ``sklearn.datasets.load_svmlight_files`` gives: matrices as wide as the widest needs,
    with indices that begin at 0 in all files if they do in one.

    Parameters
    ----------
    sources : list of what `read_svmlight` reads

    n_features, zero_based, dtype, multilabel, query_id, offset, length, threads
        As in `read_svmlight`.

    max_index, max_line, max_size
        As in `read_svmlight`.

    Returns
    -------
    list
        X and y of the first file, and its query ids if asked for, then those of the second, and
        so on.

    Examples
    --------
    >>> import io
    >>> from rosenblatt import read_svmlights
    >>> files = io.BytesIO(b"1 1:1 2:2\n"), io.BytesIO(b"-1 3:1\n")
    >>> X, y, X_test, y_test = read_svmlights(files)
    >>> X.shape, X_test.shape
    ((1, 3), (1, 3))
    """
    if isinstance(sources, str | bytes | os.PathLike) or hasattr(sources, "read"):
        raise InputTypeError(Name("sources"), must="be a list of files", got=repr(sources))
    parts, width = _read(sources, rejects=None, **_said(locals()))
    return [each for part in parts for each in part.matrices(width)]


class _Part:
    """What one file holds, before it is known how wide all of them are."""

    def __init__(self, source: Any, rejects: Any, said: dict[str, Any]) -> None:
        multilabel, threads = bool(said["multilabel"]), int(said["threads"])
        limits = {name: said[name] for name in ("max_index", "max_line", "max_size")}
        self._multilabel, self._query_id = multilabel, bool(said["query_id"])
        self._base = 0 if said["zero_based"] is True else 1
        reader = core.SvmlightReader(
            float32=np.dtype(said["dtype"]) == np.float32,
            base=self._base,
            zero_allowed=said["zero_based"] is not False,
            multilabel=multilabel,
            every_line=False,
            query_id=self._query_id,
            set_aside=rejects is not None,
            largest_index=int(limits["max_index"]),
            longest_line=int(limits["max_line"]),
        )
        with (
            open_source(source, largest=int(limits["max_size"])) as text,
            set_aside(rejects, source, text.name) as aside,
        ):
            self.name = text.name
            if said["offset"] or said["length"] > 0:
                text.limit(int(said["offset"]), int(said["length"]))
            place = text.place() if threads > 1 else None
            if place and reader.read_file(*place, threads):
                text.skip()
                tell_faults(reader, aside, limits)
            else:
                for number, _ in enumerate(blocks_read(reader, text, aside, threads, limits)):
                    if number == 0:
                        reader.expect(1.05 * text.left / max(1, text.taken))
        self.from_zero = self._base == 1 and reader.lowest == 0
        self._highest = reader.highest
        self._rows = reader.take_rows()

    def count_from_zero(self) -> None:
        """The lowest index of all files is 0."""
        self._rows[1][:] += self._base
        self._base = 0

    @property
    def width(self) -> int:
        return max(1, int(self._highest) + 1 - self._base)

    def matrices(self, width: int) -> tuple[Any, ...]:
        values, columns, indptr, labels, label_indptr, queries, _ = self._rows
        X = matrix_of(indptr, columns, values, width, "csr_array")
        y = _tuples(labels, label_indptr) if self._multilabel else labels
        return (X, y, queries) if self._query_id else (X, y)


def _read(
    sources: Iterable[Any], rejects: Any, n_features: int | None, **said: Any
) -> tuple[list[_Part], int]:
    """All files, and how wide they are together."""
    check_settings(n_features, **said)
    if said["offset"] or said["length"] > 0:
        if n_features is None:
            raise InputError(
                *(Name("n_features"), " is required when ", Name("offset"), " or "),
                *(Name("length"), " is given: a stretch may lack the last columns"),
            )
        if said["zero_based"] == "auto":
            said["zero_based"] = True
    parts = [_Part(source, rejects, said) for source in sources]
    if not parts:
        raise InputError(Name("sources"), must="be a list of files", got="an empty one")
    if any(part.from_zero for part in parts):
        for part in parts:
            part.count_from_zero()
    widest = max(parts, key=lambda part: part.width)
    if n_features is None:
        return parts, widest.width
    if n_features < widest.width:
        allowed = Parameter("n_features", n_features)
        what = f"{widest.name} has {widest.width} features, more than "
        raise InputError(what, allowed, " allows")
    return parts, int(n_features)


def _said(parameters: dict[str, Any]) -> dict[str, Any]:
    """All that a caller said but the files."""
    return {key: value for key, value in parameters.items() if key not in ("source", "sources")}


def _tuples(labels: NDArray[np.float64], indptr: NDArray[np.int64]) -> list[tuple[float, ...]]:
    flat = labels.tolist()
    return [tuple(flat[a:b]) for a, b in pairwise(indptr.tolist())]
