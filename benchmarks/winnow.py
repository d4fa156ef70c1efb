"""Mistakes of Winnow and of the perceptron on disjunctions, beside Winnow's bound.

python benchmarks/winnow.py      some seconds

The label of an example says whether one of the r relevant
features is among them. Passes are made until one has no mistake.
"""

import numpy as np
from scipy import sparse

from rosenblatt import Perceptron, Winnow, winnow_bound

EXAMPLES, SEEDS = 2000, range(3)
CASES = [(100, 1), (1_000, 1), (1_000, 5), (10_000, 2), (10_000, 10), (100_000, 2), (100_000, 5)]


def disjunction(rng, width, relevant):
    """A quarter of the features, at most 2,000, present; half of the examples have a relevant one."""
    present = min(width // 4, 2000)
    columns = rng.integers(relevant, width, (EXAMPLES, present))
    y = rng.integers(2, size=EXAMPLES)
    columns[y == 1, 0] = rng.integers(relevant, size=y.sum())
    bounds = np.arange(0, columns.size + 1, present)
    X = sparse.csr_array((np.ones(columns.size), columns.ravel(), bounds), (EXAMPLES, width))
    X.sum_duplicates()
    X.data[:] = 1.0
    return X, y


def mistakes(model, X, y):
    model = model.set_params(max_iter=1000, random_state=0).fit(X, y)
    assert model.converged_
    return model.n_mistakes_


def main():
    print(" features  relevant    bound   Winnow  perceptron   ratio")
    for width, relevant in CASES:
        counts = []
        for seed in SEEDS:
            X, y = disjunction(np.random.default_rng(seed), width, relevant)
            counts.append([mistakes(model, X, y) for model in (Winnow(), Perceptron())])
        winnow, perceptron = np.mean(counts, axis=0)
        bound = winnow_bound(width, relevant)
        worst = max(count for count, _ in counts)
        assert worst <= bound, (worst, bound)
        print(
            f"{width:9,d} {relevant:9d} {bound:8.1f} {winnow:8.1f} {perceptron:11.1f}"
            f" {perceptron / winnow:6.1f}×"
        )


if __name__ == "__main__":
    main()
