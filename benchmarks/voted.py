"""VotedPerceptron beside the naive method, which stores a dense weight vector for each mistake.

python benchmarks/voted.py

Both give the same votes; a few rows are compared at the end. The naive vectors of 20,000 mistakes
in 47,236 columns would take 7.6 GB. They are made a slice at a time, and only the products with the
rows and the counting of votes are timed. Two naive products are measured: NumPy's, of two dense
matrices, and SciPy's, of the sparse rows with the dense vectors, which touches only the weights of
features that a row has.
"""

import pickle
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import workloads
from measure import alternate, one_thread_one_core, peak_memory, processor
from numpy.typing import NDArray
from table import Row, print_cells, print_head, print_summary

from rosenblatt import VotedPerceptron

MISTAKES = 20_000
PASSES = 5
ROWS_LEARNED = 28_000
ROWS_VOTED_ON = 64
REPEAT = 5
SLICE = 500
"""Naive weight vectors made and multiplied at a time."""

Array = NDArray[Any]


def main() -> None:
    one_thread_one_core(None)
    data = workloads.load("sparse_binary", "small")
    model = VotedPerceptron(max_iter=PASSES, random_state=0, record=True)
    X, y = data.X[:ROWS_LEARNED], data.y[:ROWS_LEARNED]
    model.fit(X, y)
    print(f"{processor()}; one thread, CPU time")
    print(f"{model.n_updates_:,} mistakes in {PASSES} passes over {workloads.Workload(X, y, X, y)}")
    print(f"{ROWS_VOTED_ON} rows voted on; naive vectors made {SLICE} at a time, not timed\n")

    rows = data.X_test[:ROWS_VOTED_ON]
    dense = np.asfortranarray(rows.toarray().T)
    numpy_naive = Naive(lambda vectors: vectors @ dense)
    scipy_naive = Naive(lambda vectors: (rows @ vectors).T)
    for vectors, bias, votes in naive_slices(model, X, y):
        numpy_naive.count(vectors, bias, votes)
        scipy_naive.count(np.ascontiguousarray(vectors.T), bias, votes)
    model.predict(rows)  # what is worked out once is not charged to each call, as for the naive
    many = data.X_test[: 20 * ROWS_VOTED_ON]
    ours = alternate({"ours": lambda: model.predict(many)}, REPEAT)["ours"]
    each = 1e6 * ours.best / many.shape[0]
    naive_bytes = 8.0 * model.n_updates_ * (X.shape[1] + 1)
    stored = pickle.dumps(model)
    our_bytes = peak_memory(lambda: pickle.loads(stored).predict(rows))
    print_head()
    table = [
        Row.faster(
            "memory to load the model and predict",
            "the vectors",
            theirs=naive_bytes / 1e6,
            ours=our_bytes / 1e6,
            unit="MB",
            at_least=50.0,
        ),
        Row.faster(
            "predict, a row",
            "NumPy, dense",
            theirs=1e6 * numpy_naive.seconds / ROWS_VOTED_ON,
            ours=each,
            unit="µs",
            at_least=20.0,
            noise=ours.noise,
        ),
        Row.faster(
            "predict, a row",
            "SciPy, sparse",
            theirs=1e6 * scipy_naive.seconds / ROWS_VOTED_ON,
            ours=each,
            unit="µs",
            noise=ours.noise,
        ),
    ]
    for row in table:
        print_cells(row.cells())
    print_summary(table)
    shares = model.decision_function(rows)
    for naive in (numpy_naive, scipy_naive):
        differ = np.flatnonzero(naive.lead / (model.t_ - 1) != shares)
        print(f"Rows whose votes differ from the naive ones: {len(differ)} of {ROWS_VOTED_ON}")


class Naive:
    """Scores of stored vectors by a matrix product, and the votes they make."""

    def __init__(self, product: Callable[[Array], Array]) -> None:
        self.product = product
        self.seconds = 0.0
        self.lead: Any = 0

    def count(self, vectors: Array, bias: Array, votes: Array) -> None:
        best = np.inf
        for _ in range(2):
            start = time.process_time()
            scores = self.product(vectors) + bias[:, np.newaxis]
            lead = votes @ np.where(scores > 0, 1, -1)
            best = min(best, time.process_time() - start)
        self.seconds += best
        self.lead = self.lead + lead


def naive_slices(model: VotedPerceptron, X: Any, y: Array) -> Any:
    """The weight vectors after each mistake, their biases and their votes, some at a time."""
    mistakes = model.mistakes_
    votes = np.diff(mistakes["t"], append=model.t_)
    signs = np.where(mistakes["rival"] == 0, 1.0, -1.0)
    weights, bias = np.zeros(X.shape[1]), 0.0
    vectors = np.empty((SLICE, X.shape[1]))
    for start in range(0, len(mistakes), SLICE):
        some = slice(start, start + SLICE)
        changes = X[mistakes["example"][some]].multiply(signs[some, np.newaxis]).tocsr()
        made = vectors[: changes.shape[0]]
        for k in range(len(made)):
            where = slice(changes.indptr[k], changes.indptr[k + 1])
            weights[changes.indices[where]] += changes.data[where]
            made[k] = weights
        biases = bias + np.cumsum(signs[some])
        bias = biases[-1]
        yield made, biases, votes[some]


if __name__ == "__main__":
    main()
