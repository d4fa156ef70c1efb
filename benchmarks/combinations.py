"""Pairs and triples of features beside scikit-learn's PolynomialFeatures, in one table.

python benchmarks/combinations.py      a minute or two, 2 GB of memory

Each work is done as by default, on as many threads as there are cores, and on one thread. The
first is measured by wall time, and needs idle cores to show what it can; the second by CPU time.
scikit-learn's transform runs on one thread in any case.

The limit is the time that NumPy needs to fill arrays of the same size, as a share of our time: a
matrix of combinations is far larger than what it is made of, so most of the time goes into memory.
"""

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np
import workloads
from bench import Bench, arrays_of
from measure import processor, spent
from sklearn.preprocessing import PolynomialFeatures
from table import Row, print_head, print_items, print_summary

from rosenblatt import FeatureCombinations

TARGET = 10.0


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=5, help="runs of each work at least")
    options = parser.parse_args()
    print(f"{processor()}; whole calls of transform\n")
    print_head()
    print_summary(list(print_items(all_rows(Bench("full", options.repeat)))))
    share = spent["CPU"] / spent["wall"]
    print(f"\nA core was ours for {share:.0%} of the time; below 95 % expect ratios to swing.")


def all_rows(bench: Bench) -> Iterator[Row | str]:
    """Pairs and triples of sparse and of dense rows."""
    yield "Combinations of features, ns for each value written"
    words, _ = workloads.sparse_binary(5_000)
    words = workloads.with_int32_indices(words)
    rng = np.random.default_rng(0)
    table = rng.standard_normal((5_000, 100))
    yield from rows(bench, "pairs, 5,000 × 47,236 words", words, 2, at_least=TARGET)
    yield from rows(bench, "the same, float32", words.astype(np.float32), 2, at_least=TARGET)
    yield from rows(bench, "the same, 300 rows a call", words[:300], 2, at_least=TARGET)
    yield from rows(bench, "triples, 150 × 47,236 words", words[:150], 3, at_least=TARGET)
    yield from rows(bench, "pairs, dense, 5,000 × 100", table, 2)
    yield from rows(bench, "triples, dense, 200 × 100", table[:200], 3)
    yield from rows(bench, "pairs seen, 5,000 × 47,236 words", words, 2, columns="seen")
    yield from rows(bench, "pairs hashed, 5,000 × 47,236 words", words, 2, columns="hashed")


def rows(
    bench: Bench,
    work: str,
    X: Any,
    degree: int,
    *,
    columns: str = "all",
    at_least: float | None = None,
) -> Iterator[Row]:
    """Time both on the same rows: ours by the wall on all threads, and by CPU time on one."""
    theirs = PolynomialFeatures(degree, interaction_only=True, include_bias=False).fit(X)
    ours = FeatureCombinations(degree, columns=columns).fit(X)
    one_thread = FeatureCombinations(degree, columns=columns, n_jobs=1).fit(X)
    arrays = arrays_of(ours.transform(X))
    if columns == "all":
        for array, other in zip(arrays, arrays_of(theirs.transform(X)), strict=True):
            assert (array == other).all()
    count = len(arrays[0].ravel())
    alone = f"{work}, one thread"
    times = bench.times(
        {work: lambda: ours.transform(X), alone: lambda: one_thread.transform(X)},
        {
            "scikit-learn": lambda: theirs.transform(X),
            "fill": lambda: [array.fill(1) for array in arrays],
        },
    )
    fill = times["fill"].best
    for name, measured, target in ((work, times.by_the_wall(), at_least), (alone, times, None)):
        yield measured.row(
            name,
            "scikit-learn",
            lambda seconds: 1e9 * seconds / count,
            unit="ns",
            at_least=target,
            limit=fill / measured[name].best,
        )


if __name__ == "__main__":
    main()
