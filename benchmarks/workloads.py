"""Synthetic data with fixed seeds for the benchmark, made once and kept in benchmarks/data.

    python benchmarks/workloads.py --scale full     # about a minute and 1.8 GB

A workload is a training set and a test set. The sparse ones imitate word counts: columns follow
Zipf's law and rows are weighed by tf-idf and scaled to length one. Labels are planted; in the
workloads of two classes some are turned over, so that no learner runs out of mistakes.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

FOLDER = Path(__file__).parent / "data"

ROWS = {
    "small": {
        "sparse_binary": 100_000,
        "long_rows": 25_000,
        "sparse_20": 5_000,
        "sparse_100": 5_000,
        "dense_binary": 40_000,
        "dense_10": 6_000,
    },
    "full": {
        "sparse_binary": 800_000,
        "long_rows": 200_000,
        "sparse_20": 20_000,
        "sparse_100": 20_000,
        "dense_binary": 200_000,
        "dense_10": 60_000,
    },
}

Array = NDArray[Any]
Data = tuple[Any, Array]
"""Rows, dense or CSR, and their labels."""


class Workload(NamedTuple):
    """Rows to learn from and rows held out."""

    X: Any
    y: Array
    X_test: Any
    y_test: Array

    def __str__(self) -> str:
        rows, columns = self.X.shape
        text = f"{rows:,} × {columns:,}"
        return text + f", {self.X.nnz / rows:.0f} a row" if sparse.issparse(self.X) else text


def sparse_binary(n: int, *, tokens: float = 79.0, seed: int = 1) -> Data:
    """Two classes in 47,236 columns, as in RCV1; about 75 of the 79 tokens of a row differ.

    Of each chunk the fifth of the rows nearest to the planted plane is left out, and 5 % of the
    labels are turned over.
    """
    d, chunk, noise = 47_236, 50_000, 0.05
    rng = np.random.default_rng(seed)
    law = zipf(d)
    column = rng.permutation(d)  # frequent columns lie scattered, as in a sorted vocabulary
    idf = np.empty(d)
    idf[column] = -np.log(-np.expm1(-tokens * np.diff(law, prepend=0.0)))
    teacher = np.zeros(d)
    telling = column[rng.choice(6_000, 2_000, replace=False)]
    teacher[telling] = rng.standard_normal(len(telling))
    parts, labels, missing = [], [], n
    while missing > 0:
        length = row_lengths(chunk, tokens, rng)
        rows = np.repeat(np.arange(chunk), length)
        X = count_words(rows, column[draw(law, len(rows), rng)], chunk, d)
        weigh(X, idf)
        score = X @ teacher
        score -= np.median(score)
        distance = np.abs(score)
        kept = np.flatnonzero(distance > np.quantile(distance, 0.2))[:missing]
        y = np.where(score[kept] > 0, 1, -1).astype(np.int8)
        y[rng.random(len(y)) < noise] *= -1
        parts.append(X[kept])
        labels.append(y)
        missing -= len(kept)
    return with_int32_indices(sparse.vstack(parts, format="csr")), np.concatenate(labels)


def long_rows(n: int) -> Data:
    """The same with rows twice as long."""
    return sparse_binary(n, tokens=158.0, seed=7)


def sparse_classes(n: int, k: int) -> Data:
    """Several classes in 60,000 columns, as in 20 newsgroups, about 80 values a row.

    Each class has 300 words of its own, from which it draws a Beta(2, 6) share of its tokens.
    """
    d, tokens, own_words = 60_000, 87.0, 300
    rng = np.random.default_rng(2 + k)
    law, own_law = zipf(d), zipf(own_words, exponent=1.0, shift=5.0)
    column = rng.permutation(d)
    own = np.stack([rng.choice(d, own_words, replace=False) for _ in range(k)])
    y = rng.integers(0, k, n).astype(np.int32)
    length = row_lengths(n, tokens, rng)
    rows = np.repeat(np.arange(n), length)
    columns = column[draw(law, len(rows), rng)]
    is_own = rng.random(len(rows)) < np.repeat(rng.beta(2.0, 6.0, n), length)
    columns[is_own] = own[y[rows[is_own]], draw(own_law, int(is_own.sum()), rng)]
    X = count_words(rows, columns, n, d)
    weigh(X, np.log((1.0 + n) / (1.0 + np.bincount(X.indices, minlength=d))) + 1.0)
    return with_int32_indices(X), y


def dense_binary(n: int) -> Data:
    """Two classes in 100 correlated columns (rank 20 and noise), 5 % of the labels turned over."""
    d, rank = 100, 20
    rng = np.random.default_rng(3)
    X = rng.standard_normal((n, rank)) @ rng.standard_normal((rank, d)) / np.sqrt(rank)
    X += 0.7 * rng.standard_normal((n, d))
    y = np.where(X @ rng.standard_normal(d) > 0, 1, -1).astype(np.int8)
    y[rng.random(n) < 0.05] *= -1
    return X, y


def dense_digits(n: int) -> Data:
    """Ten classes of pictures, 28 × 28 grey pixels of four strokes, most of them black."""
    side, k, styles, chunk = 28, 10, 3, 10_000
    rng = np.random.default_rng(4)
    shapes = np.zeros((k, styles, side * side))
    across, down = np.meshgrid(np.arange(side), np.arange(side))
    for shape in shapes.reshape(-1, side * side):
        for _ in range(4):
            begin, end = rng.uniform(5, side - 5, (2, 2))
            for t in np.linspace(0, 1, 12):
                px, py = begin + t * (end - begin)
                shape += np.exp(-((across - px) ** 2 + (down - py) ** 2) / 1.8).ravel()
    np.clip(shapes, 0, 1, out=shapes)
    y = rng.integers(0, k, n).astype(np.int32)
    X = np.empty((n, side * side))
    for first in range(0, n, chunk):
        labels = y[first : first + chunk]
        m = len(labels)
        mine = shapes[labels, rng.integers(0, styles, m)]
        blend = rng.uniform(0.0, 0.7, (m, 1))
        other = shapes[rng.integers(0, k, m), rng.integers(0, styles, m)]
        part = (1 - blend) * mine + blend * other
        part += 0.5 * rng.standard_normal(part.shape) * (mine > 0.02)
        part[part < 0.25] = 0.0
        X[first : first + chunk] = np.clip(part, 0, 1)
    return X, y


def zipf(size: int, exponent: float = 1.05, shift: float = 20.0) -> Array:
    """Cumulative Zipf-Mandelbrot law: the r-th word has a share of 1 / (r + shift)^exponent."""
    total = np.cumsum(1.0 / (np.arange(size) + shift) ** exponent)
    return total / total[-1]


def draw(law: Array, size: int, rng: np.random.Generator) -> Array:
    return np.minimum(np.searchsorted(law, rng.random(size)), len(law) - 1)


def row_lengths(n: int, mean: float, rng: np.random.Generator) -> Array:
    """Log-normal lengths, at least 5 and at most ten times the mean."""
    sigma = 0.6
    length = mean * rng.lognormal(-(sigma**2) / 2, sigma, n)
    return np.clip(np.rint(length), 5, 10 * mean).astype(np.int64)


def count_words(rows: Array, columns: Array, n: int, d: int) -> sparse.csr_matrix:
    """How often each column occurs in each row, columns in rising order."""
    X = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(n, d))
    X.sum_duplicates()
    return X


def weigh(X: sparse.csr_matrix, idf: Array) -> None:
    """Turn counts into (1 + log count) idf and scale the rows to length one, in place."""
    X.data = (1.0 + np.log(X.data)) * idf[X.indices]
    length = np.sqrt(np.add.reduceat(X.data**2, X.indptr[:-1]))
    X.data /= np.repeat(length, np.diff(X.indptr))


def with_int32_indices(X: Any) -> sparse.csr_matrix:
    """With 32-bit indices, the only ones that scikit-learn's Perceptron takes."""
    arrays = X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return sparse.csr_matrix(arrays, shape=X.shape)


MAKERS: dict[str, Callable[[int], Data]] = {
    "sparse_binary": sparse_binary,
    "long_rows": long_rows,
    "sparse_20": lambda n: sparse_classes(n, 20),
    "sparse_100": lambda n: sparse_classes(n, 100),
    "dense_binary": dense_binary,
    "dense_10": dense_digits,
}


def load(name: str, scale: str) -> Workload:
    """The workload of this name and scale, made now if it is not there yet."""
    path = FOLDER / scale / f"{name}.npz"
    if not path.exists():
        make(name, scale, path)
    with np.load(path) as arrays:
        y, held_out = arrays["y"], int(arrays["held_out"])
        if "X" in arrays:
            X = arrays["X"]
        else:
            parts = arrays["data"], arrays["indices"], arrays["indptr"]
            X = sparse.csr_matrix(parts, shape=tuple(arrays["shape"]))
    n = len(y) - held_out
    if sparse.issparse(X):
        return Workload(first_rows(X, n), y[:n], X[n:], y[n:])
    # Copies that own their memory: mlpack is up to three times slower on an array that is a view
    # of another, as slices and what np.load returns are.
    return Workload(X[:n].copy(), y[:n], X[n:].copy(), y[n:])


def first_rows(X: sparse.csr_matrix, n: int) -> sparse.csr_matrix:
    """The first n rows, without a copy."""
    end = X.indptr[n]
    parts = X.data[:end], X.indices[:end], X.indptr[: n + 1]
    return sparse.csr_matrix(parts, shape=(n, X.shape[1]))


def make(name: str, scale: str, path: Path) -> None:
    n = ROWS[scale][name]
    held_out = max(1_000, min(50_000, n // 4))
    X, y = MAKERS[name](n + held_out)
    arrays = {"y": y, "held_out": np.array(held_out)}
    if sparse.issparse(X):
        arrays |= {"data": X.data, "indices": X.indices, "indptr": X.indptr}
        arrays["shape"] = np.array(X.shape)
    else:
        arrays["X"] = X
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{name}.unfinished.npz")
    np.savez(unfinished, **arrays)
    unfinished.rename(path)  # a run that is stopped leaves no half of a file


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the data for the benchmark.")
    parser.add_argument("--scale", choices=ROWS, default="full")
    scale = parser.parse_args().scale
    for name in MAKERS:
        print(f"{name:14s} {load(name, scale)}", flush=True)


if __name__ == "__main__":
    main()
