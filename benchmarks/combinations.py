"""Pairs and triples of features beside scikit-learn's PolynomialFeatures, in one table.

python benchmarks/combinations.py      a minute or two, 2 GB of memory

The limit is the time that NumPy needs to fill arrays of the same size, as a share of our time: a
matrix of combinations is far larger than what it is made of, so most of the time goes into memory.
"""

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import workloads
from measure import alternate, one_thread_one_core, processor, spent
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
    parser.add_argument("--core", type=int, help="the core to run on; the last one if not given")
    options = parser.parse_args()
    one_thread_one_core(options.core)
    print(f"{processor()}; whole calls of transform, CPU time, ns for each value written\n")
    print_head()
    rows = []
    for row in measure(options.repeat):
        print_cells(row.cells())
        rows.append(row)
    print_summary(rows)
    share = spent["CPU"] / spent["wall"]
    print(f"\nThe core was ours for {share:.0%} of the time; below 95 % expect ratios to swing.")


def measure(repeat: int) -> Iterator[Row]:
    words, _ = workloads.sparse_binary(5_000)
    words = workloads.with_narrow_indices(words)
    rng = np.random.default_rng(0)
    table = rng.standard_normal((5_000, 100))
    yield compare("pairs, 5,000 × 47,236 words", words, 2, repeat, at_least=TARGET)
    yield compare("the same, float32", words.astype(np.float32), 2, repeat, at_least=TARGET)
    yield compare("the same, 300 rows a call", words[:300], 2, repeat, at_least=TARGET)
    yield compare("triples, 150 × 47,236 words", words[:150], 3, repeat, at_least=TARGET)
    yield compare("pairs, dense, 5,000 × 100", table, 2, repeat)
    yield compare("triples, dense, 200 × 100", table[:200], 3, repeat)
    yield compare("pairs seen, 5,000 × 47,236 words", words, 2, repeat, columns="seen")
    yield compare("pairs hashed, 5,000 × 47,236 words", words, 2, repeat, columns="hashed")


def compare(
    work: str,
    X: Any,
    degree: int,
    repeat: int,
    *,
    columns: str = "all",
    at_least: float | None = None,
) -> Row:
    """Time both on the same rows; with all columns they must agree in every bit."""
    theirs = PolynomialFeatures(degree, interaction_only=True, include_bias=False).fit(X)
    ours = FeatureCombinations(degree, columns=columns).fit(X)
    arrays = arrays_of(ours.transform(X))
    if columns == "all":
        for array, other in zip(arrays, arrays_of(theirs.transform(X)), strict=True):
            assert (array == other).all()
    count = len(arrays[0].ravel())
    works: dict[str, Callable[[], Any]] = {
        "theirs": lambda: theirs.transform(X),
        "ours": lambda: ours.transform(X),
        "fill": lambda: [array.fill(1) for array in arrays],
    }
    times = alternate(works, repeat)
    return Row.faster(
        work,
        "scikit-learn",
        theirs=1e9 * times["theirs"].best / count,
        ours=1e9 * times["ours"].best / count,
        unit="ns",
        at_least=at_least,
        limit=times["fill"].best / times["ours"].best,
        noise=max(times[side].noise for side in ("theirs", "ours")),
    )


def arrays_of(X: Any) -> list[Any]:
    return [X.data, X.indices] if sparse.issparse(X) else [X]


if __name__ == "__main__":
    main()
