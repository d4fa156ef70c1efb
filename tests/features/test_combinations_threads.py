"""Combinations written by several threads: the same bits as by one."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from data import whole_numbers
from rosenblatt import FeatureCombinations, Perceptron

KINDS = ["seen", "all", "hashed"]
THREADS = [2, 3, 7, 64]


def uneven(count=90, width=25):
    """Rows of which some are empty and some far longer than others."""
    X, _ = whole_numbers(count=count, width=width)
    X[:, 1:] *= np.random.default_rng(0).random((count, 1)) < 0.4
    X[10:20] = 0
    return X.astype(float)


@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_threads_writes_the_same_bits(monkeypatch, degree, kind):
    X = uneven()
    rows = sparse.csr_array(X)
    options = {"columns": kind, "min_count": 3, "n_hash_bits": 6}
    one = FeatureCombinations(degree, **options, n_jobs=1).fit(rows)
    thin = one.transform(rows)
    dense = one.set_params(sparse_output=False).transform(X)

    monkeypatch.setattr("rosenblatt.features.combination_columns.VALUES_PER_THREAD", 1)

    for threads in THREADS:
        several = FeatureCombinations(degree, **options, n_jobs=threads).fit(rows)
        for values_per_call in (100, 10_000_000):
            monkeypatch.setattr(
                "rosenblatt.features.combination_columns.VALUES_PER_CALL", values_per_call
            )
            again = several.set_params(sparse_output=True).transform(rows)
            assert again.data.tobytes() == thin.data.tobytes()
            assert_array_equal(again.indices, thin.indices)
            assert_array_equal(again.indptr, thin.indptr)
            dense_again = several.set_params(sparse_output=False).transform(X)
            assert dense_again.tobytes() == dense.tobytes()


def test_a_result_large_enough_for_threads_is_the_same_by_default():
    X = sparse.random_array((2_000, 500), density=0.1, rng=0, format="csr")

    one = FeatureCombinations(columns="all", n_jobs=1).fit_transform(X)
    default = FeatureCombinations(columns="all").fit_transform(X)

    assert one.nnz > 2_000_000
    assert default.data.tobytes() == one.data.tobytes()
    assert_array_equal(default.indices, one.indices)


def test_a_search_over_several_processes_scores_as_over_one():
    X, y = whole_numbers(count=60, width=8)
    pipeline = make_pipeline(FeatureCombinations(), Perceptron(random_state=0))
    grid = {"featurecombinations__n_jobs": [None, 2], "featurecombinations__degree": [2, 3]}

    scores = [
        GridSearchCV(pipeline, grid, n_jobs=jobs, cv=2).fit(X, y).cv_results_["mean_test_score"]
        for jobs in (1, 2)
    ]

    assert_array_equal(*scores)


@pytest.mark.parametrize("n_jobs", [0, 1.5, "all", True])
def test_n_jobs_must_be_a_number_of_threads(n_jobs):
    with pytest.raises(ValueError, match=r"n_jobs must be a number of threads, .*, got n_jobs="):
        FeatureCombinations(n_jobs=n_jobs).fit([[0.0, 1.0]])
