"""Examples kept on disk as compressed rows, to learn from in bounded memory, pass after pass."""

import contextlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rosenblatt.inputs.errors import InputError, OfFile, wording
from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.inputs.labels import CodedLabels
from rosenblatt.inputs.messages import MATRIX, as_array, refuse
from rosenblatt.inputs.parameters import check_fraction
from rosenblatt.inputs.sparse import FLOATS, csr_rows, to_csr
from rosenblatt.inputs.tables import in_order, read_sample_weight
from rosenblatt.readers.cache_files import CacheError, Draft, LabelNumbers, Opened, open_parts
from rosenblatt.readers.data import Batch, Data
from rosenblatt.readers.folders import Folder
from rosenblatt.readers.opening import open_data
from rosenblatt.readers.training_data import TrainingData
from rosenblatt.training.stream_split import StreamSplit


@dataclass
class Cache(TrainingData):
    """Rows and labels in the files of a folder, which ``fit`` reads in place.

    Rows are written once, batch by batch; every pass then reads a few pages at a time, so that
    memory does not grow with the data but for some bytes a row. Learning gives what it gives on
    the same rows in memory, bit for bit; choose ``shuffle="blocks"`` or False, which read rows
    that are neighbours on the disk.

    Attributes
    ----------
    X : CSR matrix of shape (n_samples, n_features)
        In mapped files, as are the others.

    y : labels of shape (n_samples,)
        Numbers of classes; ``numpy.asarray(y)`` gives the labels themselves, and ``list(y)`` the
        labels of each row where it may have several.

    sample_weight : ndarray of shape (n_samples,) or None
        How much each row counts, if the examples said so.

    X_val, y_val, sample_weight_val
        The same of rows held out when the cache was written; None if there are none.

    classes : ndarray
        All labels, sorted.

    source : dict
        What the rows were made from, as far as told when they were written.

    vectorizer : transformer or None
        What made the rows, if it was told.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> from rosenblatt import AveragedPerceptron, Batch, Cache
    >>> batches = [
    ...     Batch(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array(["ham", "spam"]), np.arange(2)),
    ...     Batch(np.array([[1.0, 1.0]]), np.array(["spam"]), np.arange(1)),
    ... ]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cache = Cache.write(os.path.join(folder, "mail.cache"), batches)
    ...     model = AveragedPerceptron(shuffle="blocks", random_state=0).fit(cache.X, cache.y)
    >>> cache.X.shape, model.classes_
    ((3, 2), array(['ham', 'spam'], dtype='<U4'))
    """

    __module__ = "rosenblatt"

    X_val: Any = None
    y_val: CodedLabels | LabelSets | None = None
    sample_weight_val: NDArray[np.float64] | None = None
    source: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def write(
        cls,
        path: str | os.PathLike[str],
        batches: Iterable[Batch],
        vectorizer: Any = None,
        *,
        validation_fraction: float = 0.0,
        seed: int = 0,
        source: dict[str, Any] | None = None,
    ) -> Self:
        """Write a cache, all or nothing, and open it.

        Parameters
        ----------
        path : str or path-like
            The folder to be made; a cache that is there gives way to the new one.

        batches : iterable of Batch
            The examples with their labels, in order.

        vectorizer : fitted transformer, optional
            Turns the examples of a batch into rows, where they are not rows yet.

        validation_fraction : float, default=0.0
            The share of the rows of every label to hold out: never the first of a label, then
            the second, then one at a random place in every 1 / validation_fraction.

        seed : int, default=0
            For holding out.

        source : dict, optional
            What JSON can hold of where the rows came from; kept as ``source``.
        """
        if validation_fraction:
            check_fraction("validation_fraction", validation_fraction)
        path = os.path.realpath(path)
        split = StreamSplit(validation_fraction, seed) if validation_fraction else None
        with Draft(path, split) as draft:
            for batch in batches:
                X, labels = _sound_rows(batch, vectorizer), batch.known_labels()
                draft.add(X, labels, read_sample_weight(batch.weights, len(labels)))
            cache = cls._over(draft.finish(source or {}))
        cache.vectorizer = vectorizer
        return cache

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open a cache, once every byte of it is found to be as it was written.

        Raises
        ------
        CacheError
            If the folder is no cache, is damaged, or was written by another version.
        """
        return cls._over(open_parts(os.path.realpath(path)))

    @classmethod
    def _over(cls, opened: Opened) -> Self:
        (learned, *others), classes, source = opened
        names = "X_val", "y_val", "sample_weight_val"
        held_out: dict[str, Any] = dict(zip(names, others[0], strict=True)) if others else {}
        return cls(*learned, classes, source=source, **held_out)


def cached(
    data: Data | str | os.PathLike[str],
    path: str | os.PathLike[str] | None = None,
    *,
    vectorizer: Any = None,
    validation_fraction: float = 0.0,
    seed: int = 0,
) -> Cache:
    r"""The examples of a file as a cache: the one that is there if it is whole and still true.

    A cache is made anew if the file or how it is read has changed, or if it is damaged. Processes
    may ask at the same time, for the same or for different caches under one name: each gets its
    own.

    Parameters
    ----------
    data : Data, str or path-like
        A file of examples as `open_data` opens it, or its path.

    path : str or path-like, optional
        The folder of the cache; the name of the file with ``.cache`` added if not given.

    vectorizer : transformer, optional
        Turns examples into rows where they are not rows yet; that of the data if not given. If it
        is not fitted, it is fitted to the rows that are not held out, which takes one more walk
        through the file.

    validation_fraction : float, default=0.0
        The share of the rows of every label to hold out as ``X_val`` and ``y_val``.

    seed : int, default=0
        Decides which rows are held out.

    Examples
    --------
    >>> import os, tempfile
    >>> from rosenblatt import AveragedPerceptron, cached
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "data.svm")
    ...     with open(path, "w") as file:
    ...         _ = file.write("+1 1:0.5 3:2\n-1 2:1\n")
    ...     cache = cached(path)
    ...     sorted(os.listdir(folder))
    ['data.svm', 'data.svm.cache']
    >>> AveragedPerceptron(shuffle="blocks", random_state=0).fit(cache.X, cache.y).predict(cache.X)
    array([ 1, -1])
    """
    if not isinstance(data, Data):
        data = open_data(data)
    if data.foretold == "number":
        raise InputError(
            "A cache holds labels, and numbers are to be foretold",
            remedy="learn in memory, or a batch at a time with partial_fit",
        )
    if path is None:
        if not os.path.exists(data.name):
            raise ValueError(f"The cache of {data.name} has no place beside a file: set path.")
        path = f"{data.name}.cache"
    if vectorizer is None:
        vectorizer = data.vectorizer()
    if hasattr(vectorizer, "fit_batches") and not vectorizer.has_learned:
        vectorizer.fit_batches(_learned_from(data, StreamSplit(validation_fraction, seed)))
    source = _fingerprint(data, vectorizer) | {"holdout": [validation_fraction, seed]}
    with contextlib.suppress(CacheError, FileNotFoundError):
        cache = Cache.open(path)
        settings = cache.source.get("settings", {}) | _settings_of(data)
        rejected = cache.source.get("rejected", 0)
        if cache.source == source | {"settings": settings, "rejected": rejected}:
            cache.vectorizer = vectorizer
            return cache

    def batches() -> Iterator[Batch]:
        yield from data.batches()
        source["settings"] = _settings_of(data)  # some may have been guessed from what was read
        source["rejected"] = len(data.rejected)

    with wording(by=OfFile(data.name)):
        return Cache.write(
            path,
            batches(),
            vectorizer,
            validation_fraction=validation_fraction,
            seed=seed,
            source=source,
        )


def _learned_from(data: Data, split: StreamSplit) -> Iterator[Any]:
    """The examples of each batch that are not held out."""
    numbers = LabelNumbers()
    for batch in data.batches():
        held = split.among(numbers.of(batch.known_labels()))
        yield batch.at(np.flatnonzero(~held)).examples


def _fingerprint(data: Data, vectorizer: Any) -> dict[str, Any]:
    """What a cache must have been made from to be taken for the data, but for the settings."""
    found: dict[str, Any] = {"name": os.path.realpath(data.name)}
    paths = data.paths if isinstance(data, Folder) else [data.name]
    if all(map(os.path.isfile, paths)):
        facts = [*map(os.stat, paths)]
        found |= {
            "files": len(facts),
            "size": sum(each.st_size for each in facts),
            "modified": max(each.st_mtime_ns for each in facts),
        }
    if vectorizer is not None:
        import joblib

        found["vectorizer"] = joblib.hash(vectorizer)
    return found


def _settings_of(data: Data) -> dict[str, Any]:
    """As JSON gives them back."""
    return json.loads(json.dumps(data.settings(), default=repr))


def _sound_rows(batch: Batch, vectorizer: Any) -> Any:
    """The rows of a batch, looked at, each row's columns in order."""
    with wording(by=OfFile(lines=batch.lines)):
        X = batch.examples if vectorizer is None else vectorizer.transform(batch.examples)
        X = to_csr(X) if sparse.issparse(X) else sparse.csr_array(as_array(X, MATRIX))
        if X.data.dtype not in FLOATS:
            X = X.astype(np.float64)
        rows = csr_rows(X)
        refuse(rows.check(values=True))
    return X if rows.in_order else in_order(X)
