"""The columns of combinations: where they lie if hashed, and what they are called."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.pipeline import make_pipeline

from combining import KINDS, assert_in_order, assert_same_rows
from data import whole_numbers
from rosenblatt import AveragedPerceptron, FeatureCombinations
from rosenblatt.features.combination_columns import CombinationColumns

# Hashed columns


def scrambled(z):
    """The output function of SplitMix64, in plain Python."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def hashed_place(members, bits):
    *first, last = members
    base = scrambled(first[-1] + 1)
    if len(first) == 2:
        base = scrambled((scrambled(2**64 - 1 - first[0]) + base) % 2**64)
    return scrambled((base + last) % 2**64) >> (64 - bits)


@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("bits", [1, 3, 10, 20, 32])
def test_hashed_columns_hold_the_sums_of_what_falls_into_them(degree, bits):
    X, _ = whole_numbers(count=20, width=15)
    sums = {(row, column): value for row in range(20) for column, value in enumerate(X[row])}
    for size in range(2, degree + 1):
        for members in itertools.combinations(range(15), size):
            column = 15 + hashed_place(members, bits)
            for row, x in enumerate(X):
                sums[row, column] = sums.get((row, column), 0.0) + x[list(members)].prod()
    expected = {place: value for place, value in sums.items() if value != 0}

    model = FeatureCombinations(degree, columns="hashed", n_hash_bits=bits)
    hashed = model.fit_transform(sparse.csr_array(X))

    assert hashed.shape == (20, 15 + 2**bits)
    assert_in_order(hashed)
    hashed.eliminate_zeros()
    rows, columns = hashed.nonzero()
    assert dict(zip(zip(rows, columns, strict=True), hashed.data, strict=True)) == expected


def test_hashed_columns_do_not_depend_on_the_data_the_width_or_the_platform():
    narrow = sparse.csr_array(([2.0, 3.0, 5.0], [1, 5, 6], [0, 3]), shape=(1, 7))
    wide = sparse.csr_array((narrow.data, narrow.indices, narrow.indptr), shape=(1, 10**12))
    model = FeatureCombinations(3, columns="hashed", include_original=False)

    rows = [model.fit(X).transform(X) for X in (narrow, wide)]

    assert_same_rows(*rows)
    members = {6.0: (1, 5), 10.0: (1, 6), 15.0: (5, 6), 30.0: (1, 5, 6)}
    for column, value in zip(rows[0].indices, rows[0].data, strict=True):
        assert column == hashed_place(members.pop(value), 20)
    assert not members


def test_hashed_memory_is_bounded_and_learning_still_works():
    rng = np.random.default_rng(0)
    X = sparse.random_array((400, 50_000), density=4e-4, rng=rng, format="csr")
    y = rng.integers(2, size=400)
    model = make_pipeline(
        FeatureCombinations(columns="hashed", n_hash_bits=12), AveragedPerceptron(random_state=0)
    )

    assert model.fit(X, y).score(X, y) > 0.99
    assert model[-1].coef_.shape == (1, 50_000 + 4096)


# Names


def test_names_are_those_of_the_features_joined():
    frame = pd.DataFrame(np.ones((1, 3)), columns=["not", "excellent", "film"])

    model = FeatureCombinations(3).fit(frame)

    assert model.get_feature_names_out().tolist() == [
        "not", "excellent", "film", "not×excellent", "not×film", "excellent×film",
        "not×excellent×film",
    ]  # fmt: skip
    assert model.get_feature_names_out().dtype == object
    assert model.name_of(3) == "not×excellent"


@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("original", [True, False])
def test_each_column_can_be_named_by_itself(original, kind, degree):
    X, _ = whole_numbers(count=12, width=8)
    features = [f"word{k}" for k in range(8)]
    model = FeatureCombinations(
        degree, columns=kind, n_hash_bits=4, include_original=original, min_count=3
    ).fit(X)

    names = model.get_feature_names_out(features)

    assert len(names) == model.n_output_features_
    assert [model.name_of(k, features) for k in range(len(names))] == names.tolist()
    assert len(set(names)) == len(names)


def test_columns_too_many_to_name_are_named_one_by_one():
    width = 3_000_000
    X = sparse.csr_array(([2.0, 3.0, 5.0], ([0, 0, 0], [1, 7, width - 1])), shape=(1, width))
    model = FeatureCombinations(3, columns="all").fit(X)

    with pytest.raises(ValueError, match=r"too many to name them all: .* name_of\(column\)\.$"):
        model.get_feature_names_out()

    columns = model.transform(X).indices
    assert [model.name_of(column) for column in columns] == [
        "x1", "x7", "x2999999", "x1×x7", "x1×x2999999", "x7×x2999999", "x1×x7×x2999999",
    ]  # fmt: skip
    assert model.name_of(model.n_output_features_ - 1) == "x2999997×x2999998×x2999999"


@pytest.mark.parametrize("column", [-1, 6, 2**70, 1.0, "x0", None])
def test_a_column_that_is_not_there_has_no_name(column):
    model = FeatureCombinations().fit(np.ones((1, 3)))

    with pytest.raises(ValueError, match="column must be a whole number from 0 to 5, got column="):
        model.name_of(column)


# Ranks from a file


@pytest.mark.parametrize("ranks", [[-1, 3], [3, 3], [3, 2], [0, 45], [5, 3 - 2**63, 2]], ids=str)
def test_ranks_that_do_not_rise_below_the_number_of_pairs_are_refused(ranks):
    facts = {"width": 10, "degree": 2, "bits": None, "original": True}
    sound, others = np.array([0, 44]), np.array(ranks)

    found = CombinationColumns.build(facts, {"ranks": sound})

    assert found.ranks.tolist() == [0, 44]
    with pytest.raises(ValueError, match="its combinations are not in order"):
        CombinationColumns.build(facts, {"ranks": others})
