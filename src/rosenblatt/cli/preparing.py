"""Examples made ready to learn from: some held out, all turned into rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.failures import DATA, Failure, reading_data
from rosenblatt.cli.output import Output
from rosenblatt.cli.whole import read_whole
from rosenblatt.formats.batches import Data, chosen


@dataclass(frozen=True)
class Prepared:
    """Rows to learn from and rows held out, with their labels."""

    X: Any
    y: Any
    weights: Any
    held_out: dict[str, Any]
    """As ``fit`` takes them; empty if there are none."""
    vectorizer: Any
    """What made the rows, fitted on those to learn from; None if they were rows."""
    classes: NDArray[Any]
    counts: NDArray[np.int64]
    """Of each class among the rows to learn from."""
    counts_held_out: NDArray[np.int64]

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
    from rosenblatt.validation import split

    whole = read_whole(data, out)
    classes, codes = np.unique(whole.labels, return_inverse=True)
    sizes = np.bincount(codes)
    _check_labels(classes, sizes)
    inside: NDArray[Any] = np.arange(len(codes))
    outside: NDArray[Any] = np.arange(0)
    if holdout > 0:
        _check_none_is_alone(classes, sizes)
        inside, outside = split(codes, classes, holdout, seed)
    weights, held_out = whole.weights, {}
    with reading_data():
        X, X_out = (chosen(whole.examples, rows) for rows in (inside, outside))
        if vectorizer is not None:
            X = vectorizer.fit_transform(X)
        if holdout > 0:
            X_out = X_out if vectorizer is None else vectorizer.transform(X_out)
            held_out = {"X_val": X_out, "y_val": whole.labels[outside]}
    if weights is not None:
        held_out |= {"sample_weight_val": weights[outside]} if held_out else {}
        weights = weights[inside]
    counts = (np.bincount(codes[rows], minlength=len(classes)) for rows in (inside, outside))
    return Prepared(X, whole.labels[inside], weights, held_out, vectorizer, classes, *counts)


def on_disk(data: Data, vectorizer: Any, holdout: float, seed: int, out: Output) -> Prepared:
    """The same in bounded memory, from a cache beside the data; rows are held out by number."""
    from rosenblatt.cache import cached
    from rosenblatt.validation import held_out

    with reading_data():
        if vectorizer is not None:
            with out.counter(f"reading {data.name}", "examples") as counter:
                seen = 0
                for batch in data.batches():
                    rows = np.arange(seen, seen + len(batch.lines))
                    inside = np.flatnonzero(~held_out(rows, holdout, seed))
                    vectorizer.partial_fit(chosen(batch.examples, inside))
                    seen += len(rows)
                    counter.advance(len(rows))
        cache = cached(data, vectorizer=vectorizer, validation_fraction=holdout, seed=seed)
    counts = np.bincount(cache.y.codes, minlength=len(cache.classes))
    outside, kept = np.zeros_like(counts), dict[str, Any]()
    if cache.y_val is not None:
        outside = np.bincount(cache.y_val.codes, minlength=len(cache.classes))
        kept = {"X_val": cache.X_val, "y_val": cache.y_val}
        if cache.sample_weight_val is not None:
            kept["sample_weight_val"] = cache.sample_weight_val
    _check_labels(cache.classes, counts + outside)
    return Prepared(
        cache.X, cache.y, cache.sample_weight, kept, vectorizer, cache.classes, counts, outside
    )


def _check_labels(classes: NDArray[Any], sizes: NDArray[np.int64]) -> None:
    if len(classes) < 2:
        raise Failure(
            DATA,
            f"All {sizes.sum():,} examples have the label {classes[0]!s}: there is nothing to tell "
            "apart.",
        )


def _check_none_is_alone(classes: NDArray[Any], sizes: NDArray[np.int64]) -> None:
    alone = classes[sizes == 1]
    if len(alone):
        others = f" and {len(alone) - 1} more labels" if len(alone) > 1 else ""
        raise Failure(
            DATA,
            f"Only one example has the label {alone[0]!s}{others}, so none can be held out: mend "
            "the labels (rosenblatt check shows them), or add --holdout 0.",
        )
