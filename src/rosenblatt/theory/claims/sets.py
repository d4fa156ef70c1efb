"""Examples on which claims are tried, made from a seed."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Array = NDArray[np.float64]
Labels = NDArray[np.bool_]


def either_side(
    seed: int, *, count: int = 1000, width: int = 10, gap: float = 0.05, offset: float = 0.0
) -> tuple[Array, Labels]:
    """Points on either side of a random plane, none nearer to it than the gap."""
    rng = np.random.default_rng(seed)
    teacher = rng.normal(size=width)
    teacher /= np.linalg.norm(teacher)
    points: list[Array] = []
    while sum(map(len, points)) < count:
        X = rng.normal(size=(count, width))
        points.append(X[np.abs(X @ teacher + offset) > gap])
    X = np.concatenate(points)[:count]
    y: Labels = X @ teacher + offset > 0
    if y.all() or not y.any():
        X[0] -= 2 * (X[0] @ teacher + offset) * teacher  # so that the other side has a point
        y[0] = not y[0]
    return X, y


def sectors(seed: int, *, count: int, width: int, classes: int) -> tuple[Array, NDArray[np.intp]]:
    """Points of several classes, each where its own of some random scores leads by 0.1."""
    rng = np.random.default_rng(seed)
    teachers = rng.normal(size=(classes, width))
    teachers /= np.linalg.norm(teachers, axis=1, keepdims=True)
    X = rng.normal(size=(50 * count, width))
    scores = np.sort(X @ teachers.T, axis=1)
    X = X[scores[:, -1] - scores[:, -2] > 0.1][:count]
    X[:classes] = teachers  # so that every class has a point
    return X, (X @ teachers.T).argmax(axis=1)


def clouds(seed: int, *, count: int = 500, width: int = 10) -> tuple[Array, Labels]:
    """Two clouds of points two from the origin each, all positives before all negatives."""
    rng = np.random.default_rng(seed)
    centre = rng.normal(size=width)
    centre *= 2 / np.linalg.norm(centre)
    X = rng.normal(size=(2 * count, width))
    X[:count] += centre
    X[count:] -= centre
    return X, np.arange(2 * count) < count


def reviews(
    seed: int, *, count: int, words: int = 1000, length: int = 40, wrong: float = 0.1
) -> tuple[sparse.csr_array, Labels]:
    """Rows of words, common ones more often, with an opinion each, and some labels wrong."""
    rng = np.random.default_rng(seed)
    often = 1 / np.arange(1, words + 1)
    columns = rng.choice(words, size=count * length, p=often / often.sum())
    X = sparse.csr_array(
        (np.ones(count * length), columns, np.arange(0, count * length + 1, length)),
        shape=(count, words),
    )
    X.sum_duplicates()
    X.data[:] = 1.0
    opinions = np.random.default_rng(0).normal(size=words)  # the same language for every seed
    y: Labels = X @ opinions > np.median(X @ opinions)
    return X, y ^ (rng.random(count) < wrong)
