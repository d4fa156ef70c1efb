"""Pairs and triples of features: their values, their columns, and what they are good for."""

import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from combining import KINDS, assert_in_order, assert_same_rows
from data import LAYOUTS, XOR, whole_numbers
from rosenblatt import AveragedPerceptron, FeatureCombinations, Perceptron

tables = st.tuples(st.integers(1, 6), st.integers(1, 9)).flatmap(
    lambda shape: arrays(
        st.sampled_from([np.float64, np.float32]),
        shape,
        elements=st.one_of(st.just(0.0), st.floats(-100, 100, width=32)),
    )
)


def peer(degree, original=True):
    """What has the same columns and values in scikit-learn."""
    degrees = degree if original else (2, degree)
    return PolynomialFeatures(degrees, interaction_only=True, include_bias=False)


def with_zeros(X):
    """CSR in which every value is stored, zeros too."""
    everything = sparse.csr_array(np.ones_like(X))
    everything.data = X.ravel().copy()
    return everything


# What the documents say


def test_xor_is_learned_with_the_product_as_third_feature():
    """C27, C30: in the order 00, 01, 10, 11 it takes 12 passes and 29 updates."""
    X, y = XOR, np.array([0, 1, 1, 0])

    lifted = FeatureCombinations().fit_transform(X)
    model = Perceptron(shuffle=False, max_iter=100).fit(lifted, y)

    assert_array_equal(lifted, [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]])
    assert model.converged_
    assert (model.n_iter_, model.n_updates_) == (12, 29)
    assert_array_equal(model.coef_, [[2, 2, -5]])
    assert_array_equal(model.intercept_, [-1])
    assert_array_equal(model.predict(lifted), y)


def test_xor_is_not_learned_without_it():
    """C27: no line separates the diagonals."""
    model = Perceptron(shuffle=False, max_iter=1000).fit(XOR, [0, 1, 1, 0])

    assert not model.converged_
    assert model.score(XOR, [0, 1, 1, 0]) < 1


def test_the_weights_of_the_documents_score_not_as_they_say():
    """C28: E and T,N score +1, T and E,N score -1, all other rows 0."""
    rows = np.array(list(itertools.product([0, 1], repeat=3)))  # excellent, terrible, not
    weights = {"E": 1, "T": -1, "N": 0, "E×T": 0, "E×N": -2, "T×N": 2}
    model = FeatureCombinations().fit(rows)

    scores = model.transform(rows) @ [weights[n] for n in model.get_feature_names_out(list("ETN"))]

    assert dict(zip(map(tuple, rows.tolist()), scores.tolist(), strict=True)) == {
        (0, 0, 0): 0, (0, 0, 1): 0, (0, 1, 0): -1, (0, 1, 1): 1,
        (1, 0, 0): 1, (1, 0, 1): -1, (1, 1, 0): 0, (1, 1, 1): 0,
    }  # fmt: skip


def test_a_perceptron_learns_that_not_turns_excellent_and_terrible_over():
    """C28: EXCELLENT +1, TERRIBLE -1, NOT 0, and -2 and +2 for the pairs with NOT."""
    reviews = ["excellent", "terrible", "excellent not", "terrible not"]
    y = [1, -1, -1, 1]
    words = CountVectorizer(vocabulary=["excellent", "terrible", "not"])
    combinations = FeatureCombinations()
    model = Perceptron(shuffle=False, max_iter=100)

    pipeline = make_pipeline(words, combinations, model).fit(reviews, y)

    names = pipeline[:-1].get_feature_names_out()
    weights = dict(zip(names, model.coef_[0].tolist(), strict=True))
    assert model.converged_
    assert_array_equal(pipeline.predict(reviews), y)
    assert weights == {
        "excellent": 1,
        "terrible": -1,
        "not": 0,
        "excellent×not": -2,
        "terrible×not": 2,
    }
    assert not Perceptron(max_iter=1000).fit(words.transform(reviews), y).converged_


@pytest.mark.parametrize("width", range(1, 13))
def test_d_features_have_d_choose_2_pairs_and_d_choose_3_triples(width):
    """C29, with A5 no. 12: triples grow with the cube."""
    X = np.ones((1, width))

    pairs = FeatureCombinations(2, include_original=False).fit_transform(X)
    both = FeatureCombinations(3, include_original=False).fit_transform(X)

    assert pairs.shape[1] == width * (width - 1) // 2
    assert both.shape[1] - pairs.shape[1] == width * (width - 1) * (width - 2) // 6


# Values and columns


@pytest.mark.parametrize("original", [True, False])
@pytest.mark.parametrize("degree", [2, 3])
@given(X=tables)
def test_all_columns_are_those_of_polynomial_features_bit_for_bit(degree, original, X):
    ours = FeatureCombinations(degree, columns="all", include_original=original)

    if X.shape[1] == 1 and not original:  # which scikit-learn refuses
        assert ours.fit_transform(X).shape == (len(X), 0)
        return
    theirs = peer(degree, original)

    dense, their_dense = ours.fit_transform(X), theirs.fit_transform(X)
    assert dense.dtype == X.dtype
    assert dense.tobytes() == their_dense.tobytes()
    for form in (sparse.csr_array, with_zeros):
        assert_same_rows(ours.fit_transform(form(X)), theirs.fit_transform(form(X)))
    assert ours.n_output_features_ == theirs.n_output_features_


@pytest.mark.parametrize("degree", [2, 3])
@given(X=tables, other=tables)
def test_seen_columns_are_those_of_all_that_are_not_empty(degree, X, other):
    other = np.resize(other, (len(other), X.shape[1])).astype(X.dtype)
    every = FeatureCombinations(degree, columns="all").fit(X)
    present = (X != 0).astype(X.dtype)  # products of small numbers may be zero
    filled = (every.transform(sparse.csr_array(present)) != 0).sum(axis=0) > 0
    filled[: X.shape[1]] = True

    seen = FeatureCombinations(degree).fit(X)

    for rows in (X, other, sparse.csr_array(X), sparse.csr_array(other)):
        expected = every.transform(rows)[:, filled]
        combined = seen.transform(rows)
        if sparse.issparse(rows):
            assert_in_order(combined)
            assert_array_equal(combined.toarray(), expected.toarray())
        else:
            assert combined.tobytes() == np.ascontiguousarray(expected).tobytes()
    names = every.get_feature_names_out()[filled]
    assert_array_equal(seen.get_feature_names_out(), names)


@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("min_count", [1, 2, 4, 7, 31])
def test_combinations_in_too_few_rows_get_no_column(degree, min_count):
    X, _ = whole_numbers(count=30, width=12)
    rows = sparse.csr_array(X)
    names = FeatureCombinations(degree, columns="all").fit(X).get_feature_names_out()
    counts = (FeatureCombinations(degree, columns="all").fit_transform(rows) != 0).sum(axis=0)
    kept = [
        name for k, (name, count) in enumerate(zip(names, counts, strict=True))
        if k < 12 or count >= min_count
    ]  # fmt: skip

    seen = FeatureCombinations(degree, min_count=min_count).fit(rows)

    assert seen.get_feature_names_out().tolist() == kept


def test_zeros_that_are_stored_are_not_seen():
    X = sparse.csr_array(([1.0, 0.0, 2.0], [0, 1, 2], [0, 3]), shape=(1, 3))

    seen = FeatureCombinations().fit(X)

    assert seen.get_feature_names_out().tolist() == ["x0", "x1", "x2", "x0×x2"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same(layout, kind):
    X, _ = whole_numbers()
    model = FeatureCombinations(3, columns=kind, n_hash_bits=6)

    combined = model.fit(LAYOUTS[layout](X)).transform(LAYOUTS[layout](X))

    expected = model.set_params(sparse_output=False).fit(X).transform(X)
    if sparse.issparse(combined):
        assert_in_order(combined)
        combined = combined.toarray()
    assert combined.dtype == (np.float32 if "float32" in layout else np.float64)
    assert_array_equal(combined, expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("degree", [2, 3])
def test_dense_and_sparse_output_hold_the_same(degree, kind):
    X, _ = whole_numbers()
    model = FeatureCombinations(degree, columns=kind, n_hash_bits=8).fit(X)

    for rows in (X, sparse.csr_matrix(X)):
        dense = model.set_params(sparse_output=False).transform(rows)
        thin = model.set_params(sparse_output=True).transform(rows)
        assert isinstance(dense, np.ndarray)
        assert thin.format == "csr"
        assert isinstance(thin, sparse.csr_matrix) == sparse.isspmatrix(rows)
        assert_array_equal(thin.toarray(), dense)


def test_output_is_as_the_input_unless_hashed():
    X, _ = whole_numbers()

    for kind, thin in (("seen", False), ("all", False), ("hashed", True)):
        model = FeatureCombinations(columns=kind).fit(X)
        assert sparse.issparse(model.transform(X)) == thin
        assert sparse.issparse(model.transform(sparse.csr_array(X)))


def test_columns_beyond_int32_are_int64_and_nothing_is_made_of_the_others():
    width = 3_000_000
    X = sparse.csr_array(([2.0, 3.0, 5.0], ([0, 0, 0], [1, 7, width - 1])), shape=(1, width))

    pairs = FeatureCombinations(2, columns="all").fit_transform(X)
    triples = FeatureCombinations(3, columns="all").fit_transform(X)

    assert pairs.indices.dtype == triples.indices.dtype == np.int64
    assert pairs.data.tolist() == [2, 3, 5, 6, 10, 15]
    assert triples.data.tolist() == [2, 3, 5, 6, 10, 15, 30]
    assert_array_equal(pairs.indices, peer(2).fit_transform(X).indices)
    assert triples.shape[1] == width + width * (width - 1) // 2 + 4499995500001000000


def test_a_long_table_written_in_several_calls_is_the_same(monkeypatch):
    X, _ = whole_numbers(count=50, width=20)
    rows = sparse.csr_array(X)
    models = [FeatureCombinations(3, columns=kind, min_count=2).fit(rows) for kind in KINDS]
    whole = [(model.transform(rows), model.transform(X)) for model in models]

    monkeypatch.setattr("rosenblatt.features.combination_columns.VALUES_PER_CALL", 100)
    monkeypatch.setattr("rosenblatt.features.combination_columns.VALUES_AHEAD", 10)

    for model, (thin, dense) in zip(models, whole, strict=True):
        assert_same_rows(model.transform(rows), thin)
        if not sparse.issparse(dense):
            assert_array_equal(model.transform(X), dense)


# As a transformer


@pytest.mark.parametrize("kind", ["seen", "all"])
def test_frames_come_out_if_asked_for(kind):
    X, _ = whole_numbers(count=10, width=4)
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = FeatureCombinations(columns=kind).set_output(transform="pandas")

    combined = model.fit_transform(frame)

    assert combined.columns.tolist() == model.get_feature_names_out().tolist()
    assert_array_equal(combined["a×c"], frame["a"] * frame["c"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_fitted_transformer_survives_pickling_and_is_cloned_without_what_it_learned(kind):
    X, _ = whole_numbers()
    model = FeatureCombinations(3, columns=kind, min_count=3).fit(X)

    copy = pickle.loads(pickle.dumps(model))

    assert_same_rows(copy.transform(sparse.csr_array(X)), model.transform(sparse.csr_array(X)))
    assert not hasattr(clone(model), "n_output_features_")
    assert clone(model).get_params() == model.get_params()


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_fitting_again_starts_afresh(first, second):
    frame = pd.DataFrame(whole_numbers(width=5)[0], columns=list("abcde"))
    X, _ = whole_numbers(seed=1, width=9)
    again = FeatureCombinations(2, columns=first, n_hash_bits=5).fit(frame)

    again.set_params(degree=3, columns=second, min_count=2).fit(X)

    new = FeatureCombinations(3, columns=second, min_count=2, n_hash_bits=5).fit(X)
    assert_array_equal(again.get_feature_names_out(), new.get_feature_names_out())
    assert_same_rows(again.transform(sparse.csr_array(X)), new.transform(sparse.csr_array(X)))


def test_parameters_set_after_fit_matter_at_the_next_fit():
    X, _ = whole_numbers()
    model = FeatureCombinations().fit(X)
    before = model.transform(X)

    model.set_params(degree=3, columns="hashed", include_original=False)

    assert_array_equal(model.transform(X), before)


def test_a_model_of_pairs_is_that_on_polynomial_features():
    X, y = whole_numbers()

    ours = make_pipeline(FeatureCombinations(columns="all"), AveragedPerceptron(random_state=0))
    theirs = make_pipeline(peer(2), AveragedPerceptron(random_state=0))

    assert_array_equal(ours.fit(X, y)[-1].coef_, theirs.fit(X, y)[-1].coef_)


def test_large_results_keep_their_values_while_others_are_made_and_dropped():
    rng = np.random.default_rng(0)
    tables = [sparse.csr_array(rng.integers(0, 3, size=(400, 60 + k)) * 1.0) for k in range(4)]
    makers = [FeatureCombinations(columns="all").fit(X) for X in tables]
    expected = [maker.transform(X) for maker, X in zip(makers, tables, strict=True)]
    sums = [result.sum() for result in expected]
    assert min(result.data.nbytes for result in expected) > 2**21  # large enough to be kept

    for _ in range(3):
        for maker, X, first in zip(makers, tables, expected, strict=True):
            again = maker.transform(X)
            assert not np.shares_memory(again.data, first.data)
            assert (again != first).nnz == 0
            del again

    assert [result.sum() for result in expected] == sums
