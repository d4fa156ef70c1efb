"""The widest margin of sparse rows labelled by a random hyperplane: time, memory, both bounds.

    python benchmarks/margins.py --rows 100000 --columns 10000

Nearly as many rows lie at the margin as there are columns, which is the hard case.
"""

import argparse
import resource
import time

import numpy as np
from scipy import sparse

from rosenblatt import data_margin


def labelled_by_a_hyperplane(rows, columns, stored, seed):
    """Rows of ``stored`` numbers on average, those nearest the hyperplane left out."""
    rng = np.random.default_rng(seed)
    teacher = rng.normal(size=columns)
    starts = np.cumsum(rng.integers(3 * stored // 5, 7 * stored // 5 + 1, size=rows + 1))
    starts -= starts[0]
    X = sparse.csr_array(
        (rng.normal(size=starts[-1]), rng.integers(columns, size=starts[-1]), starts),
        shape=(rows, columns),
    )
    X.sum_duplicates()
    scores = X @ teacher
    far = np.abs(scores) > 0.02 * np.median(np.abs(scores))
    return X[far], (scores[far] > 0).astype(int)


def by_clarabel(X, y):
    """Another solver, on the form with margins of one."""
    import clarabel

    signs = np.where(y == 1, 1.0, -1.0)
    rows, columns = X.shape
    A = -sparse.diags_array(signs) @ sparse.hstack([X, np.ones((rows, 1))])
    P = sparse.diags_array(np.append(np.ones(columns), 0.0))
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    solver = clarabel.DefaultSolver(
        sparse.csc_matrix(P),
        np.zeros(columns + 1),
        sparse.csc_matrix(A),
        -np.ones(rows),
        [clarabel.NonnegativeConeT(rows)],
        settings,
    )
    return 1 / np.linalg.norm(solver.solve().x[:columns])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--columns", type=int, default=3_000)
    parser.add_argument("--stored", type=int, default=50, help="numbers in a row, on average")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--clarabel", action="store_true", help="ask Clarabel as well")
    chosen = parser.parse_args()
    X, y = labelled_by_a_hyperplane(chosen.rows, chosen.columns, chosen.stored, chosen.seed)
    print(f"{X.shape[0]} x {X.shape[1]}, {X.nnz / X.shape[0]:.0f} stored in a row")

    start = time.process_time()
    found = data_margin(X, y)
    seconds = time.process_time() - start
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"margin {found.margin:.9g}, at most {found.upper:.9g}, {len(found.support)} rows at it")
    print(f"apart by {1 - found.margin / found.upper:.1e}, {seconds:.1f} s, {megabytes:.0f} MB")
    if chosen.clarabel:
        start = time.process_time()
        other = by_clarabel(X, y)
        print(f"Clarabel: margin {other:.9g}, {time.process_time() - start:.1f} s")


if __name__ == "__main__":
    main()
