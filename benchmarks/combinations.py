"""Pairs and triples of features beside scikit-learn's PolynomialFeatures, in one table.

python benchmarks/combinations.py      a minute or two, 2 GB of memory

Each work is done as by default, on as many threads as there are cores, and on one thread. The
first is measured by wall time, and needs idle cores to show what it can; the second by CPU time.
scikit-learn's transform runs on one thread in any case.

The limit is the time that NumPy needs to fill arrays of the same size, as a share of our time: a
matrix of combinations is far larger than what it is made of, so most of the time goes into memory.
"""

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import workloads
from measure import alternate, processor, spent
from scipy import sparse
from sklearn.preprocessing import PolynomialFeatures
from table import Row, print_cells, print_head, print_summary

from rosenblatt import FeatureCombinations

TARGET = 10.0


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=5, help="runs of each work at least")
    options = parser.parse_args()
    print(f"{processor()}; whole calls of transform, ns for each value written\n")
    print_head()
    rows = []
    for row in measure(options.repeat):
        print_cells(row.cells())
        rows.append(row)
    print_summary(rows)
    share = spent["CPU"] / spent["wall"]
    print(f"\nA core was ours for {share:.0%} of the time; below 95 % expect ratios to swing.")


def measure(repeat: int) -> Iterator[Row]:
    words, _ = workloads.sparse_binary(5_000)
    words = workloads.with_narrow_indices(words)
    rng = np.random.default_rng(0)
    table = rng.standard_normal((5_000, 100))
    yield from compare("pairs, 5,000 × 47,236 words", words, 2, repeat, at_least=TARGET)
    yield from compare("the same, float32", words.astype(np.float32), 2, repeat, at_least=TARGET)
    yield from compare("the same, 300 rows a call", words[:300], 2, repeat, at_least=TARGET)
    yield from compare("triples, 150 × 47,236 words", words[:150], 3, repeat, at_least=TARGET)
    yield from compare("pairs, dense, 5,000 × 100", table, 2, repeat)
    yield from compare("triples, dense, 200 × 100", table[:200], 3, repeat)
    yield from compare("pairs seen, 5,000 × 47,236 words", words, 2, repeat, columns="seen")
    yield from compare("pairs hashed, 5,000 × 47,236 words", words, 2, repeat, columns="hashed")


def compare(
    work: str,
    X: Any,
    degree: int,
    repeat: int,
    *,
    columns: str = "all",
    at_least: float | None = None,
) -> Iterator[Row]:
    """Time both on the same rows; with all columns they must agree in every bit."""
    theirs = PolynomialFeatures(degree, interaction_only=True, include_bias=False).fit(X)
    ours = FeatureCombinations(degree, columns=columns).fit(X)
    alone = FeatureCombinations(degree, columns=columns, n_jobs=1).fit(X)
    arrays = arrays_of(ours.transform(X))
    if columns == "all":
        for array, other in zip(arrays, arrays_of(theirs.transform(X)), strict=True):
            assert (array == other).all()
    count = len(arrays[0].ravel())
    works: dict[str, Callable[[], Any]] = {
        "theirs": lambda: theirs.transform(X),
        "ours": lambda: ours.transform(X),
        "alone": lambda: alone.transform(X),
        "fill": lambda: [array.fill(1) for array in arrays],
    }
    times = alternate(works, repeat)
    fill = times["fill"].best
    wall = {name: each.best_wall for name, each in times.items()}
    yield Row.faster(
        work,
        "scikit-learn",
        theirs=1e9 * wall["theirs"] / count,
        ours=1e9 * wall["ours"] / count,
        unit="ns",
        at_least=at_least,
        limit=fill / wall["ours"],
        noise=max(times[side].wall_noise for side in ("theirs", "ours")),
    )
    yield Row.faster(
        "  on one thread, CPU time",
        "scikit-learn",
        theirs=1e9 * times["theirs"].best / count,
        ours=1e9 * times["alone"].best / count,
        unit="ns",
        limit=fill / times["alone"].best,
        noise=max(times[side].noise for side in ("theirs", "alone")),
    )


def arrays_of(X: Any) -> list[Any]:
    return [X.data, X.indices] if sparse.issparse(X) else [X]


if __name__ == "__main__":
    main()
