"""Weights read with names: the largest of each class, by their spread, in print."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline

from data import whole_numbers
from handmade import weighing
from rosenblatt import AveragedPerceptron, Perceptron, Winnow, contributions, feature_weights

# feature_weights


def test_the_highest_and_lowest_weights_of_each_class_are_listed():
    """SPEC C16, K2: sort the weights; top n and bottom n."""
    X, y = load_iris(return_X_y=True)
    model = AveragedPerceptron(random_state=0).fit(X, y)

    records = list(feature_weights(model, 2))

    for label, weights in enumerate(model.coef_):
        mine = [record.weight for record in records if record.label == label]
        ordered = sorted(weights, reverse=True)
        assert mine == [w for w in ordered[:2] if w > 0] + [w for w in ordered[2:] if w < 0]


def test_a_feature_of_weight_zero_is_ignored():
    """SPEC C2."""
    assert [record.feature for record in feature_weights(weighing([0, 3, 0, -2]))] == ["x1", "x3"]


def test_coding_yes_as_minus_one_only_flips_the_sign_of_its_weight():
    """SPEC C2, the side question."""
    X, codes = whole_numbers(count=200)
    X = np.sign(X)
    flipped = X * [1, -1, 1, 1, 1, 1, 1, 1, 1]

    weights = [
        {record.feature: record.weight for record in feature_weights(model)}
        for model in (Perceptron(random_state=0).fit(each, codes) for each in (X, flipped))
    ]

    assert weights[0] == weights[1] | {"x1": -weights[1]["x1"]}


@pytest.mark.parametrize("form", ["table", "sparse", "frame", "deviations"])
def test_of_equal_weights_that_of_the_wider_feature_matters_more(form):
    """SPEC C16: w5 = w7, x5 in {0, 1}, x7 in {0, 100}."""
    X = np.zeros((4, 8))
    X[::2, 5], X[:2, 7] = 1, 100
    scale = {
        "table": X,
        "sparse": sparse.coo_array(X),
        "frame": pd.DataFrame(X),
        "deviations": X.std(axis=0),
    }[form]
    model = weighing([0, 0, 0, 0, 0, 2, 0, 2])

    plain, scaled = feature_weights(model), feature_weights(model, scale=scale)

    assert [record.feature for record in plain] == ["x5", "x7"]
    assert [record.feature for record in scaled] == ["x7", "x5"]
    assert [record.spread for record in scaled] == [50, 0.5]
    assert [record.scaled for record in scaled] == [100, 1]
    assert [record.weight for record in scaled] == [2, 2]


def test_a_pipeline_scales_by_what_its_steps_make_of_the_examples():
    texts = ["good good good good", "good fine", "fine", "bad"]
    model = make_pipeline(CountVectorizer(), Perceptron()).fit(texts, [1, 1, 1, 0])
    spread = model[0].transform(texts).toarray().std(axis=0)

    records = feature_weights(model, scale=texts)

    names = model[0].get_feature_names_out().tolist()
    for record in records:
        assert record.spread == pytest.approx(spread[names.index(record.feature)])


# printing


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_a_feature_read_as_present_or_absent_scales_by_its_presence(form):
    X, y = np.array([[0.0, 100.0], [100.0, 100.0], [0.0, 0.0], [0.0, 2.0]]), [0, 1, 0, 0]
    model = Winnow(binarize=0.5).fit(X, y)

    spread = {record.feature: record.spread for record in feature_weights(model, scale=form(X))}

    assert spread == dict(zip(["x0", "x1"], (X > 0.5).std(axis=0), strict=True))


def test_weights_print_as_a_table_of_bars():
    assert str(feature_weights(weighing([4, -2, 1]), 1)) == "\n".join(
        [
            "Weights for 'yes' (below zero: for 'no')",
            "  feature  weight",
            "  x0           +4              │████████████",
            "  …",
            "  x1           -2        ██████│",
        ]
    )


def test_every_class_has_a_table_of_its_own():
    X, y = load_iris(return_X_y=True)
    model = Perceptron(random_state=0).fit(X, load_iris().target_names[y])

    tables = str(feature_weights(model)).split("\n\n")

    assert [table.splitlines()[0] for table in tables] == [
        "Weights for 'setosa'",
        "Weights for 'versicolor'",
        "Weights for 'virginica'",
    ]


def test_a_model_without_weights_prints_an_empty_table():
    assert str(feature_weights(weighing([0.0]))) == ""
    assert str(contributions(weighing([0.0]), [1.0])).endswith("score +0")
