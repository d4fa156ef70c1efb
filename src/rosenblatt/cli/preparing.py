"""Examples made ready to learn from: some held out, all turned into rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.failures import DATA, Failure, reading_data
from rosenblatt.cli.output import Output
from rosenblatt.cli.whole import check_labels, read_whole
from rosenblatt.features.batches import Data, chosen


@dataclass(frozen=True)
class Prepared:
    """Rows to learn from and rows held out, with their labels."""

    X: Any
    y: Any
    weights: Any
    held_out: dict[str, Any]
    """As ``fit`` takes them; empty if there are none."""
    lines: NDArray[np.int64] | None
    """On which the rows to learn from begin; None if that is not kept."""
    vectorizer: Any
    """What made the rows, fitted on those to learn from; None if they were rows."""
    classes: NDArray[Any]
    counts: NDArray[np.int64]
    """Of each class among the rows to learn from."""
    counts_held_out: NDArray[np.int64]
    settings: dict[str, Any]
    """How to read further files as this one was read."""

    @property
    def inside(self) -> int:
        return int(self.counts.sum())

    @property
    def outside(self) -> int:
        return int(self.counts_held_out.sum())

    @property
    def baseline(self) -> tuple[Any, float]:
        """The most frequent label of the rows to learn from, and its error on the others."""
        most = int(np.argmax(self.counts))
        return self.classes[most], 1 - float(self.counts_held_out[most]) / self.outside


def in_memory(data: Data, vectorizer: Any, holdout: float, seed: int, out: Output) -> Prepared:
    """All examples at once; of every label a share is held out."""
    from rosenblatt.inputs.messages import refuse
    from rosenblatt.inputs.sparse import csr_rows
    from rosenblatt.training.held_out import Holdout

    whole = read_whole(data, out)
    classes, codes = np.unique(whole.labels, return_inverse=True)
    held = Holdout(holdout, seed).among(codes)
    inside, outside = np.flatnonzero(~held), np.flatnonzero(held)
    counts, counts_held_out = (
        np.bincount(codes[rows], minlength=len(classes)) for rows in (inside, outside)
    )
    _check(classes, counts, counts_held_out, holdout)
    weights, held_out = whole.weights, dict[str, Any]()
    if vectorizer is None:
        with reading_data(whole.lines, data.name):
            refuse(csr_rows(whole.examples).check(values=True))
    with reading_data(file=data.name), out.bar("making features"):
        X, X_out = (chosen(whole.examples, rows) for rows in (inside, outside))
        if vectorizer is not None:
            X = vectorizer.fit_transform(X)
        if holdout > 0:
            X_out = X_out if vectorizer is None else vectorizer.transform(X_out)
            held_out = {"X_val": X_out, "y_val": whole.labels[outside]}
    if weights is not None:
        held_out |= {"sample_weight_val": weights[outside]} if held_out else {}
        weights = weights[inside]
    return Prepared(
        X,
        whole.labels[inside],
        weights,
        held_out,
        whole.lines[inside],
        vectorizer,
        classes,
        counts,
        counts_held_out,
        data.settings(),
    )


def on_disk(data: Data, vectorizer: Any, holdout: float, seed: int, out: Output) -> Prepared:
    """The same in bounded memory, from a cache beside the data."""
    from rosenblatt.readers.cache import cached

    with reading_data(file=data.name), out.reading(data):
        cache = cached(data, vectorizer=vectorizer, validation_fraction=holdout, seed=seed)
    counts = np.bincount(cache.y.codes, minlength=len(cache.classes))
    outside, held_out = np.zeros_like(counts), dict[str, Any]()
    if cache.y_val is not None:
        outside = np.bincount(cache.y_val.codes, minlength=len(cache.classes))
        held_out = {"X_val": cache.X_val, "y_val": cache.y_val}
        if cache.sample_weight_val is not None:
            held_out["sample_weight_val"] = cache.sample_weight_val
    _check(cache.classes, counts, outside, holdout)
    return Prepared(
        cache.X,
        cache.y,
        cache.sample_weight,
        held_out,
        None,
        vectorizer,
        cache.classes,
        counts,
        outside,
        cache.source["settings"],
    )


def _check(
    classes: NDArray[Any],
    inside: NDArray[np.int64],
    outside: NDArray[np.int64],
    holdout: float,
) -> None:
    """Refuse examples from which nothing can be learned or held out."""
    check_labels(classes, int(inside.sum() + outside.sum()))
    if holdout > 0 and not outside.any():
        raise Failure(
            DATA, "No label has two examples, so that none can be held out: add --holdout 0."
        )
