"""Tables as rows of features."""

import json
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt import Perceptron, TableVectorizer, TextVectorizer, load, open_data, save
from rosenblatt.features.table_engine import TableColumns

TABLE = {
    "age": [20.0, 40.0, None, 60.0],
    "pet": ["cat", "dog", "", "cat"],
    "note": ["good cat", "bad dog", "good good", "so so"],
}
KINDS = {"age": "number", "pet": "category", "note": "text"}


def named(vectorizer, table):
    """The features of each row that are not zero."""
    X, names = vectorizer.transform(table), vectorizer.get_feature_names_out()
    assert X.shape == (len(X.indptr) - 1, len(names))
    return [{names[j]: X[i, j] for j in X[i].indices} for i in range(X.shape[0])]


def test_each_kind_of_column_has_features_of_its_kind():
    vectorizer = TableVectorizer(kinds=KINDS, scale=None).fit(TABLE)

    assert named(vectorizer, TABLE) == [
        {"age": 20, "pet=cat": 1, "note:good": 1, "note:cat": 1},
        {"age": 40, "pet=dog": 1, "note:bad": 1, "note:dog": 1},
        {"age=missing": 1, "pet=missing": 1, "note:good": 2},
        {"age": 60, "pet=cat": 1, "note:so": 2},
    ]


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_tables_of_all_libraries_give_the_same_rows(library):
    vectorizer = TableVectorizer(kinds=KINDS).fit(TABLE)

    assert named(vectorizer, library(TABLE)) == named(vectorizer, TABLE)


def test_a_batch_of_a_file_can_be_given(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"label,n,c\na,1,x\nb,2,y\na,,x\nb,6,x\n")
    data = open_data(path)
    (batch,) = data.batches()

    model = make_pipeline(data.vectorizer(), Perceptron(max_iter=100))

    model.fit(batch.examples, batch.labels)

    assert model[0].get_feature_names_out().tolist() == ["n", "n=missing", "c=x", "c=y"]
    assert model.predict(batch.examples).tolist() == ["a", "b", "a", "b"]


def test_what_was_never_learned_is_ignored():
    vectorizer = TableVectorizer(kinds=KINDS, scale=None).fit({k: v[:2] for k, v in TABLE.items()})

    row = {"age": [None], "pet": ["emu"], "note": ["unheard of"]}

    assert named(vectorizer, row) == [{}]


numbers = st.floats(-1e6, 1e6).map(lambda x: round(x, 3))


@given(cells=st.lists(numbers, min_size=1, max_size=30))
def test_standard_scaling_is_that_of_scikit_learn(cells):
    X = np.array(cells)[:, None]

    scaled = TableVectorizer(kinds={"n": "number"}, scale="standard").fit_transform({"n": cells})

    np.testing.assert_allclose(
        scaled.toarray(), StandardScaler().fit_transform(X), rtol=1e-6, atol=1e-6
    )


@pytest.mark.parametrize(
    ("scale", "cells", "expected"),
    [
        ("spread", [0, 0, 6, 6], [0, 0, 2, 2]),
        ("auto", [0, 0, 6, 6], [-1, -1, 1, 1]),
        ("auto", [0, 0, 0, 4], [0, 0, 0, 4 / np.sqrt(3)]),
        ("auto", [7, 7, 7, 7], [0, 0, 0, 0]),
        (None, [0, 0, 6, 6], [0, 0, 6, 6]),
    ],
)
def test_columns_of_mostly_zeros_keep_them(scale, cells, expected):
    rows = TableVectorizer(kinds={"n": "number"}, scale=scale).fit_transform({"n": cells})

    np.testing.assert_allclose(rows.toarray()[:, 0], expected)
    assert rows.nnz == np.count_nonzero(expected)


tables = st.lists(
    st.tuples(
        st.none() | numbers, st.sampled_from(["", "x", "y", "z"]), st.text("ab ", max_size=9)
    ),
    min_size=1,
    max_size=20,
)


@given(rows=tables, cut=st.integers(0, 20))
def test_batches_teach_the_same_to_the_last_bit_as_the_whole(rows, cut):
    columns = dict(zip(KINDS, map(list, zip(*rows, strict=True)), strict=True))
    parts = [{k: v[:cut] for k, v in columns.items()}, {k: v[cut:] for k, v in columns.items()}]
    whole = TableVectorizer(kinds=KINDS).partial_fit(columns)
    batches = TableVectorizer(kinds=KINDS)

    for part in parts:
        batches.partial_fit(part)

    assert named(batches, columns) == named(whole, columns)


@given(rows=tables, cut=st.integers(0, 20), options=st.sampled_from([{}, {"min_df": 2}]))
def test_fitting_batch_by_batch_is_fitting_at_once(rows, cut, options):
    rows = [*rows, (3.0, "x", "aa bb"), (None, "y", "bb aa")]
    columns = dict(zip(KINDS, map(list, zip(*rows, strict=True)), strict=True))
    parts = [{k: v[:cut] for k, v in columns.items()}, {k: v[cut:] for k, v in columns.items()}]
    vectorizer = TableVectorizer(kinds=KINDS, text=TextVectorizer(**options))

    whole = clone(vectorizer).fit(columns)

    batches = vectorizer.fit_batches(iter(parts))
    assert batches.get_feature_names_out().tolist() == whole.get_feature_names_out().tolist()
    assert_array_equal(batches.transform(columns).toarray(), whole.transform(columns).toarray())


def test_no_batch_is_nothing_to_learn_from():
    with pytest.raises(ValueError, match="no batch to learn from"):
        TableVectorizer(kinds=KINDS).fit_batches([])


def test_later_features_come_after_those_there_are():
    vectorizer = TableVectorizer(kinds={"c": "category", "n": "number"})

    before = vectorizer.partial_fit({"c": ["x"], "n": [1]}).get_feature_names_out().tolist()
    after = vectorizer.partial_fit({"c": ["y"], "n": [None]}).get_feature_names_out().tolist()

    assert before == ["n", "c=x"]
    assert after == ["n", "c=x", "n=missing", "c=y"]


def test_words_of_the_only_column_need_no_prefix():
    vectorizer = TableVectorizer(kinds={"note": "text"}, text=TextVectorizer(binary=True))

    assert named(vectorizer.fit(TABLE), TABLE)[2] == {"good": 1.0}


def test_kinds_are_guessed_from_the_table():
    table = {
        "id": [f"q{k}" for k in range(60)],
        "n": [k % 7 for k in range(60)],
        "c": ["xy"[k % 2] for k in range(60)],
        "t": [f"some words of row {k}" for k in range(60)],
    }

    vectorizer = TableVectorizer().fit(pd.DataFrame(table))

    assert vectorizer.kinds_ == {"n": "number", "c": "category", "t": "text"}


REFUSED = {
    "a column is missing": ({"age": [1]}, ValueError, "no column 'pet': it has age"),
    "no number": (TABLE | {"age": [1, 2, 3, "old"]}, ValueError, "Row 3 of column 'age' must be a"),
    "infinite": (TABLE | {"age": [1, 2, 3, np.inf]}, ValueError, "Row 3 of column 'age' must be a"),
    "lengths differ": (TABLE | {"age": [1]}, ValueError, "differ in length"),
    "a list": ([1, 2], TypeError, "must be a data frame, a pyarrow Table or a dict of lists, got"),
    "a cell": (TABLE | {"pet": "cat"}, TypeError, "Column 'pet' must be a list, got str"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_is_no_such_table_is_refused(fault):
    table, error, message = REFUSED[fault]
    vectorizer = TableVectorizer(kinds=KINDS).fit(TABLE)

    for use in (vectorizer.transform, clone(vectorizer).fit, clone(vectorizer).partial_fit):
        with pytest.raises(error, match=message):
            use(table)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kinds": {"age": "integer"}}, r"kinds\['age'\] must be one of number, category, text"),
        ({"kinds": {}}, "no column to learn from: it has age, pet, note"),
        ({"kinds": KINDS, "scale": "log"}, "scale must be"),
    ],
)
def test_parameters_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        TableVectorizer(**options).fit(TABLE)


def test_a_failed_batch_changes_nothing():
    vectorizer = TableVectorizer(kinds=KINDS).fit(TABLE)
    before = named(vectorizer, TABLE)

    with pytest.raises(ValueError, match="too large to be scaled"):
        vectorizer.partial_fit({"age": [1e300], "pet": ["emu"], "note": ["new"]})

    assert named(vectorizer, TABLE) == before


def test_it_must_be_fitted_first():
    with pytest.raises(NotFittedError):
        TableVectorizer().transform(TABLE)


def test_a_pickle_is_the_same():
    vectorizer = TableVectorizer(kinds=KINDS).fit(TABLE)

    again = pickle.loads(pickle.dumps(vectorizer))

    assert named(again, TABLE) == named(vectorizer, TABLE)


def test_what_was_learned_goes_through_json_and_arrays():
    vectorizer = TableVectorizer(kinds=KINDS).fit(TABLE)
    columns = vectorizer.columns_

    built = TableColumns.build(json.loads(json.dumps(columns.facts())), columns.arrays())

    again = TableVectorizer(kinds=KINDS).restore(built)
    assert named(again, TABLE) == named(vectorizer, TABLE)
    more = {"age": [None, 3], "pet": ["emu", "cat"], "note": ["new words", "good"]}
    assert named(again.partial_fit(more), more) == named(vectorizer.partial_fit(more), more)
    assert [built.name(k) for k in range(built.width)] == built.names().tolist()


def test_a_model_file_holds_it(tmp_path):
    model = make_pipeline(
        TableVectorizer(kinds=KINDS, text=TextVectorizer(ngram_range=(1, 2))), Perceptron()
    )
    model.fit(TABLE, ["a", "b", "a", "b"])
    path = str(tmp_path / "m.rbt")

    save(model, path)

    assert load(path).predict(TABLE).tolist() == model.predict(TABLE).tolist()
    again = load(path)[0]
    assert repr(again.get_params()) == repr(model[0].get_params())
    assert named(again, TABLE) == named(model[0], TABLE)
    program = (
        "import sys; from rosenblatt.persistence.predictor import Predictor\n"
        f"print(*Predictor.load({path!r}).predict({TABLE!r}))\n"
        "print([m for m in ('sklearn', 'scipy') if m in sys.modules])\n"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert told.stderr == ""
    assert told.stdout.splitlines() == [" ".join(model.predict(TABLE)), "[]"]


def changed(key, value):
    return lambda facts, arrays: arrays.__setitem__(key, value)


@pytest.mark.parametrize(
    "change",
    [
        lambda facts, arrays: facts.pop("kinds"),
        lambda facts, arrays: facts.update(kinds=[]),
        lambda facts, arrays: facts.update(kinds=[["age", "number"], ["age", "number"]]),
        lambda facts, arrays: facts.update(kinds=[["age", "integer"]]),
        lambda facts, arrays: facts.update(scale="log"),
        lambda facts, arrays: facts.update(words=[]),
        lambda facts, arrays: arrays.pop("number_sums"),
        changed("number_sums", np.array([[1.0, np.nan, 1.0]])),
        changed("number_counts", np.array([[0, 1, 2, 3]])),
        changed("number_counts", np.array([[0, 0, 3, 0]])),
        changed("categories0.names", np.frombuffer(b'["cat"]', dtype=np.uint8)),
        changed("words0.places", np.array([5, 4, 3])),
    ],
)
def test_columns_that_cannot_be_right_are_refused(change):
    columns = TableVectorizer(kinds=KINDS).fit(TABLE).columns_
    facts, arrays = columns.facts(), columns.arrays()
    change(facts, arrays)

    with pytest.raises(ValueError, match=r"."):
        TableColumns.build(facts, arrays)
