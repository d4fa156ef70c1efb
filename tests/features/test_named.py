"""NamedVectorizer beside scikit-learn's DictVectorizer, and by itself on streams."""

import json
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.feature_extraction import DictVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import AveragedPerceptron, NamedVectorizer, Predictor, load, save
from rosenblatt.features.examples import Bags, Texts
from rosenblatt.features.named_engine import NamedFeatures

values = st.one_of(
    st.floats(-1e6, 1e6), st.integers(-5, 5), st.booleans(), st.text("ab=é", max_size=2)
)
rows = st.lists(st.dictionaries(st.text("abcé=", max_size=3), values, max_size=6), max_size=6)


@settings(max_examples=300, deadline=None)
@given(train=rows, test=rows)
def test_rows_and_names_are_those_of_scikit_learn(train, test):
    train = [{"a": 1}, *train]
    ours, theirs = NamedVectorizer(), DictVectorizer()

    assert_array_equal(ours.fit_transform(train).toarray(), theirs.fit_transform(train).toarray())
    assert_array_equal(ours.get_feature_names_out(), theirs.get_feature_names_out())
    assert_array_equal(
        ours.transform([*test, {}]).toarray(), theirs.transform([*test, {}]).toarray()
    )
    assert ours.vocabulary_ == theirs.vocabulary_


@settings(deadline=None)
@given(rows=rows, cut=st.integers(0, 6))
def test_a_stream_cut_anywhere_gives_the_same_columns(rows, cut):
    whole = NamedVectorizer().partial_fit(rows)

    parts = NamedVectorizer().partial_fit(rows[:cut]).partial_fit(rows[cut:])

    assert_array_equal(parts.get_feature_names_out(), whole.get_feature_names_out())
    assert (parts.transform(rows) != whole.transform(rows)).nnz == 0


@settings(deadline=None)
@given(rows=rows, cut=st.integers(0, 6))
def test_fitting_batch_by_batch_is_fitting_at_once(rows, cut):
    whole = NamedVectorizer().fit(rows)

    parts = NamedVectorizer().fit([{"other": 1}]).fit_batches(iter([rows[:cut], rows[cut:]]))

    assert parts.vocabulary_ == whole.vocabulary_
    assert (parts.transform(rows) != whole.transform(rows)).nnz == 0


@settings(deadline=None)
@given(
    rows=st.lists(
        st.dictionaries(
            st.integers(0, 3), st.one_of(st.lists(st.text("abc", max_size=1)), st.integers(1, 3))
        )
    )
)
def test_lists_and_numbers_as_names_are_read_as_scikit_learn_reads_them(rows):
    rows = [{0: 1}, *rows]
    ours, theirs = NamedVectorizer(), DictVectorizer(sort=False)

    expected = dict(
        zip(theirs.fit(rows).feature_names_, theirs.transform(rows).toarray().T, strict=True)
    )
    found = dict(
        zip(ours.fit(rows).get_feature_names_out(), ours.transform(rows).toarray().T, strict=True)
    )

    assert {str(name): column.tolist() for name, column in expected.items()} == {
        name: column.tolist() for name, column in found.items()
    }


def test_names_may_be_tuples_and_what_is_called_alike_is_one_column():
    vectorizer = NamedVectorizer()

    rows = vectorizer.fit_transform([{("word", -1): "the", 2: 1.0, "2": 0.5, "a": ["b", "b"]}])

    assert vectorizer.vocabulary_ == {"('word', -1)=the": 0, "2": 1, "a=b": 2}
    assert rows.toarray().tolist() == [[1.0, 1.5, 2.0]]


@pytest.mark.parametrize("fails", [True, False])
def test_a_number_that_clears_its_example_is_refused(fails):
    class Clearing:
        def __float__(self):
            example.clear()
            return float("x" if fails else "1")

    for k in range(100):
        example = {f"name{k}" * 50: Clearing(), "b": 1.0}
        with pytest.raises(ValueError, match="must not change while it is read"):
            NamedVectorizer().fit([example])


def test_rows_come_back_as_dicts():
    rows = [{"a": 1.5, "b=x": 1.0}, {}, {"a": -2.0}]
    vectorizer = NamedVectorizer()

    X = vectorizer.fit_transform(rows)

    assert vectorizer.inverse_transform(X) == vectorizer.inverse_transform(X.toarray()) == rows
    with pytest.raises(ValueError, match=r"X must have 2 columns, got shape \(1, 1\)"):
        vectorizer.inverse_transform([[1.0]])


def test_names_met_later_get_columns_at_the_end():
    vectorizer = NamedVectorizer(dtype=np.float32).fit([{"b": 1, "a": 2}])

    vectorizer.partial_fit([{"z": 1}, {"c": "d"}])

    assert vectorizer.get_feature_names_out().tolist() == ["a", "b", "z", "c=d"]
    assert vectorizer.transform([{"a": 0.1}]).dtype == np.float32


def test_features_from_a_file_make_the_same_rows_and_learn_on():
    vectorizer = NamedVectorizer(separator="~").fit([{"b": "x", "a": 2}])
    features = vectorizer.features_

    again = NamedFeatures.build(json.loads(json.dumps(features.facts())), features.arrays())
    restored = NamedVectorizer(separator="~").restore(again).partial_fit([{"c": 1}])

    assert again.names().tolist() == ["a", "b~x", "c"]
    assert [again.name(k) for k in range(again.width)] == ["a", "b~x", "c"]
    assert restored.transform([{"c": 3, "a": 1}]).toarray().tolist() == [[1.0, 0.0, 3.0]]
    with pytest.raises(ValueError, match="The features were learned with separator='~'"):
        NamedVectorizer().restore(again)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"separator": 1}, "separator must be a string"),
        ({"dtype": "int8"}, "dtype must be 'float64' or 'float32'"),
        ({"documents": -1}, "There can't be -1 documents"),
        ({"colour": 1}, "is described by separator, dtype and documents"),
    ],
)
def test_facts_that_describe_no_features_are_refused(change, sentence):
    features = NamedVectorizer().fit([{"a": 1}]).features_

    with pytest.raises(ValueError, match=sentence):
        NamedFeatures.build(features.facts() | change, features.arrays())


@pytest.mark.parametrize(
    ("examples", "error", "sentence"),
    [
        ({"a": 1}, TypeError, "must be a list of dicts, got one dict"),
        ("text", TypeError, "must be a list of dicts, got one str"),
        (3, TypeError, "must be a list of dicts, got one int"),
        ([{"a": 1}, 3], TypeError, "Row 1 of the examples must be a dict .* got int"),
        ([{b"a": 2}], TypeError, "Row 0 .* names must be strings, numbers or tuples, got b'a'"),
        (
            [{"a": None}],
            ValueError,
            "Row 0 .*: 'a' must be a finite number, a string or a list of strings, got None",
        ),
        (
            [{"a": float("nan")}],
            ValueError,
            "'a' must be a finite number, a string or a list of strings, got nan",
        ),
        (
            [{"a": 1j}],
            ValueError,
            "'a' must be a finite number, a string or a list of strings, got 1j",
        ),
        (
            [{"a": 10**999}],
            ValueError,
            "'a' must be a finite number, a string or a list of strings",
        ),
        (
            [{"a": ["b", 1]}],
            ValueError,
            r"'a' must be a finite number, a string or a list of strings, got \\['b', 1\\]",
        ),
    ],
    ids=str,
)
def test_examples_that_cannot_be_read_are_refused_in_a_sentence(examples, error, sentence):
    vectorizer = NamedVectorizer().fit([{"known": 1}])

    for method in (vectorizer.fit, vectorizer.partial_fit, vectorizer.transform):
        with pytest.raises(error, match=sentence.replace("\\\\", "\\")):
            method(examples)

    assert vectorizer.vocabulary_ == {"known": 0}


@pytest.mark.parametrize(
    ("begins", "ends", "bounds", "sentence"),
    [
        ([0, 1], [1, 4], [0, 2], "a name within the data"),
        ([0], [1], [0, 2], "a name within the data"),
        ([0, 2], [1, 1], [0, 2], "a name within the data"),
        ([0, 1], [1, 3], [0, 3], "indptr of the examples must rise"),
        ([0, 1], [1, 3], [1, 0, 2], "indptr of the examples must rise"),
        ([0, 1], [1, 3], [], "indptr of the examples must rise"),
        ([0, 1], [1, 2], [0, 2], "must be UTF-8"),
    ],
)
def test_bags_that_make_no_sense_are_refused(begins, ends, bounds, sentence):
    begins, ends, bounds = (np.array(part, dtype=np.int64) for part in (begins, ends, bounds))
    data = np.frombuffer("aé".encode(), dtype=np.uint8)

    with pytest.raises(ValueError, match=sentence):
        NamedVectorizer().fit(Bags(Texts(data, begins, ends), np.ones(2), bounds))


def test_a_model_of_named_values_is_saved_and_predicts(tmp_path):
    path = tmp_path / "model.rbt"
    rows, labels = [{"a": 1.0}, {"b": "x"}, {"a": 2, "b": "y"}], ["+", "-", "+"]
    model = make_pipeline(NamedVectorizer(), AveragedPerceptron(random_state=0)).fit(rows, labels)

    save(model, path)

    assert load(path).predict(rows).tolist() == labels
    assert Predictor.load(path).predict(rows).tolist() == labels


def test_nothing_is_known_before_fit():
    with pytest.raises(NotFittedError):
        NamedVectorizer().transform([{}])


def test_a_pickle_goes_on_where_the_original_stood():
    vectorizer = pickle.loads(pickle.dumps(NamedVectorizer().fit([{"a": 1}])))

    assert vectorizer.partial_fit([{"b": 1}]).vocabulary_ == {"a": 0, "b": 1}


with warnings.catch_warnings():
    warnings.simplefilter("ignore", SkipTestWarning)
    checked = parametrize_with_checks([NamedVectorizer()])


@checked
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)
