"""What FeatureCombinations cannot do it refuses in one sentence, and stays as it was."""

import re
import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

import native
from combining import KINDS
from malformed import MALFORMED
from refusals import assert_refused
from rosenblatt import FeatureCombinations
from unusual import LEGAL, MEANINGS, plain


def new(kind, degree=3):
    return FeatureCombinations(degree, columns=kind, n_hash_bits=7)


def as_array(rows):
    return rows.toarray() if sparse.issparse(rows) else rows


@pytest.mark.in_a_child
@pytest.mark.parametrize("kind", KINDS)
def test_an_unusual_form_gives_the_same_combinations(kind):
    for form in LEGAL:
        X, meant = LEGAL[form](plain()), MEANINGS.get(form, np.array)(plain())
        if "more than a float32" not in form:  # whose products would be infinite
            combined, expected = new(kind).fit_transform(X), new(kind).fit_transform(meant)
            assert_array_equal(as_array(combined), as_array(expected), err_msg=form)


@pytest.mark.in_a_child
@pytest.mark.parametrize("kind", KINDS)
def test_malformed_rows_are_neither_fitted_nor_transformed(kind):
    warnings.filterwarnings("ignore", "overflow encountered in cast")
    for form, (make, words) in MALFORMED.items():
        model = new(kind).fit(plain())
        before = as_array(model.transform(plain()))
        for call in (new(kind).fit, model.fit, model.transform):
            assert_refused(lambda: call(make(plain())), words)  # noqa: B023
        assert_array_equal(as_array(model.transform(plain())), before, err_msg=form)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"degree": 1}, "degree must be 2 or 3, got degree=1."),
        ({"degree": 4}, "degree must be 2 or 3, got degree=4."),
        ({"degree": True}, "degree must be 2 or 3, got degree=True."),
        ({"degree": "2"}, "degree must be 2 or 3, got degree='2'."),
        ({"degree": [2, 3]}, "degree must be 2 or 3, got degree=[2, 3]."),
        ({"degree": np.arange(2)}, "degree must be 2 or 3, got degree=array([0, 1])."),
        ({"columns": "some"}, "columns must be 'seen', 'all' or 'hashed', got columns='some'."),
        ({"columns": None}, "columns must be 'seen', 'all' or 'hashed', got columns=None."),
        ({"include_original": 2}, "include_original must be True or False, got"),
        ({"min_count": 0}, "min_count must be a whole number of at least 1, got min_count=0."),
        ({"min_count": 0.5}, "min_count must be a whole number of at least 1, got"),
        ({"n_hash_bits": 0}, "n_hash_bits must be a whole number from 1 to 32, got n_hash_bits=0."),
        ({"n_hash_bits": 33}, "n_hash_bits must be a whole number from 1 to 32, got"),
        ({"sparse_output": "yes"}, "sparse_output must be True or False, got sparse_output='yes'."),
    ],
    ids=str,
)
def test_parameters_that_mean_nothing_are_refused_by_fit(parameters, message):
    model = FeatureCombinations(**parameters)

    assert_refused(lambda: model.fit(plain()), re.escape(message))


def test_more_columns_than_can_be_counted_are_refused_but_can_be_hashed():
    X = sparse.csr_array(([1.0, 2.0, 3.0], [5, 7, 9], [0, 3]), shape=(1, 2**40))

    for degree in (2, 3):
        for kind in ("all", "seen"):
            words = r"1099511627776 features have \d+ combinations, .*: set columns='hashed'\."
            assert_refused(lambda: new(kind, degree).fit(X), words)  # noqa: B023
        assert new("hashed", degree).fit(X).transform(X).sum() == (17 if degree == 2 else 23)


def test_more_values_than_memory_holds_are_refused():
    row = sparse.csr_array(np.ones((1, 100_000)))
    model = FeatureCombinations(3, columns="all").fit(row)

    assert_refused(lambda: model.transform(row), "needs more memory than there is: transform fewer")
    model.set_params(sparse_output=False)
    assert_refused(lambda: model.transform(row), "needs more memory than there is: transform fewer")


@pytest.mark.parametrize("core", native.LEVELS)
def test_the_core_refuses_calls_that_would_lead_it_astray(core):
    X = np.ones((2, 5))
    rows, ranks = native.rows_of(core, X), np.arange(10)
    starts = np.zeros(12, dtype=np.uint32)
    every = core.AllCombinations(5)
    values, columns, bounds = np.empty(30), np.empty(30, np.int64), np.zeros(3, np.int64)
    ends = np.array([15, 30])
    room = ends, values, columns, bounds
    wrong = {
        "another width": (rows, core.AllCombinations(4), 2, True, 0, 2, *room, 0),
        "too few starts": (
            rows, core.SeenCombinations(5, ranks, starts[:10], 0), 2, True, 0, 2, *room, 0,
        ),
        "rows not looked at": (core.dense(X), every, 2, True, 0, 2, *room, 0),
        "degree": (rows, every, 4, True, 0, 2, *room, 0),
        "rows that are not there": (rows, every, 2, True, 0, 3, *room, 0),
        "no room": (rows, every, 2, True, 0, 2, ends, values[:29], columns[:29], bounds, 0),
        "filled already": (rows, every, 2, True, 0, 2, *room, 1),
        "filled beyond the end": (rows, every, 2, True, 0, 2, *room, 31),
        "two lengths": (rows, every, 2, True, 0, 2, ends, values, columns[:29], bounds, 0),
        "too few bounds": (rows, every, 2, True, 0, 2, ends, values, columns, bounds[:2], 0),
        "two types": (rows, every, 2, True, 0, 2, ends, values, columns, bounds.astype("i4"), 0),
        "too few ends": (rows, every, 2, True, 0, 2, ends[:1], *room[1:], 0),
        "falling ends": (rows, every, 2, True, 0, 2, np.array([30, 15]), *room[1:], 0),
        "negative ends": (rows, every, 2, True, 0, 2, np.array([-1, -1]), *room[1:], 0),
        "ends too near": (rows, every, 2, True, 0, 2, np.array([14, 30]), *room[1:], 0, 2),
        "huge ends": (rows, every, 2, True, 0, 2, np.array([15, 2**63 - 1]), *room[1:], 1),
        "no threads": (rows, every, 2, True, 0, 2, *room, 0, 0),
        "far too many threads": (rows, every, 2, True, 0, 2, *room, 0, 1025),
    }  # fmt: skip

    for arguments in wrong.values():
        with pytest.raises(ValueError, match=r"must|check|bound for each"):
            core.combine(*arguments)
    for shape in ((2, 14), (1, 15), (2, 16)):
        with pytest.raises(ValueError, match=r"a column for each|a row for each"):
            core.combine_dense(rows, every, 2, True, 0, 2, np.empty(shape))
    for bits in (0, -1, 33):
        with pytest.raises(ValueError, match="bits must lie between"):
            core.HashedCombinations(bits)
    for threads in (1, 2, 1024):
        assert core.combine(rows, every, 2, True, 0, 2, *room, 0, threads) == 30


@pytest.mark.parametrize("core", native.LEVELS)
def test_starts_that_lie_lead_nowhere(core):
    rows, ranks = native.rows_of(core, np.ones((1, 5))), np.arange(10)
    room = np.array([15]), np.empty(15), np.empty(15, np.int64), np.zeros(2, np.int64)

    for lie in (np.full(12, 2**32 - 1, np.uint32), np.arange(12, dtype=np.uint32)[::-1].copy()):
        places = core.SeenCombinations(5, ranks, lie, 0)
        filled = core.combine(rows, places, 2, True, 0, 1, *room, 0)
        assert filled <= 15
        assert (room[2][:filled] < 15).all()
