"""Arrays under a mask, too small, or that lie about themselves, wherever they come in."""

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import (
    AveragedPerceptron,
    Batch,
    Cache,
    PassiveAggressiveClassifier,
    PassiveAggressiveRegressor,
    Predictor,
    contributions,
    save,
    tune,
    write_svmlight,
)

FAR = 2**31 - 5
"""A column that there is not."""
MASKED = np.ma.masked_array([1.0, 2.0, 999.0], [0, 0, 1])
"""Of which the last value means nothing."""
ROWS = np.ma.masked_array(np.eye(3), np.eye(3) == 1)
UNDER_A_MASK = {
    "numbers to learn": lambda number, label, path: number.fit(np.eye(3), MASKED),
    "more of them": lambda number, label, path: number.partial_fit(np.eye(3), MASKED),
    "labels": lambda number, label, path: label.fit(np.eye(3), MASKED),
    "sets of labels": lambda number, label, path: label.fit(np.eye(3), ROWS),
    "weights": lambda number, label, path: label.fit(np.eye(3), [0, 1, 0], sample_weight=MASKED),
    "a start": lambda number, label, path: label.fit(np.eye(3), [0, 1, 0], coef_init=MASKED),
    "labels to score": lambda number, label, path: label.score(np.eye(3), MASKED),
    "numbers to score": lambda number, label, path: number.score(np.eye(3), MASKED),
    "a predictor": lambda number, label, path: Predictor.load(path).predict(ROWS),
    "its scores": lambda number, label, path: Predictor.load(path).scores(ROWS),
    "its pushes": lambda number, label, path: Predictor.load(path).contributions(ROWS[:1]),
    "pushes": lambda number, label, path: contributions(label, MASKED),
    "a table of pushes": lambda number, label, path: contributions(label, ROWS[:1]),
    "rows to tune on": lambda number, label, path: tune(ROWS, [0, 1, 0]),
    "rows to write": lambda number, label, path: write_svmlight(path + ".svm", ROWS, [0, 1, 0]),
    "labels to write": lambda number, label, path: write_svmlight(path, np.eye(3), MASKED),
    "sets to write": lambda number, label, path: write_svmlight(
        path, np.eye(3), ROWS, multilabel=True
    ),
    "rows to keep": lambda number, label, path: Cache.write(
        path + ".cache", [Batch(ROWS, np.arange(3), np.arange(3))]
    ),
    "labels to keep": lambda number, label, path: Cache.write(
        path + ".cache", [Batch(np.eye(3), MASKED, np.arange(3))]
    ),
    "weights to keep": lambda number, label, path: Cache.write(
        path + ".cache", [Batch(np.eye(3), np.arange(3), np.arange(3), MASKED)]
    ),
}


@pytest.mark.parametrize("use", UNDER_A_MASK.values(), ids=UNDER_A_MASK.keys())
def test_values_under_a_mask_are_refused_wherever_they_come_in(use, tmp_path):
    number = PassiveAggressiveRegressor(random_state=0).fit(np.eye(3), [1.0, 2.0, 3.0])
    label = AveragedPerceptron(random_state=0).fit(np.eye(3), [0, 1, 0])
    path = str(tmp_path / "model.rbt")
    save(label, path)

    with pytest.raises(ValueError, match="has masked values: fill them in"):
        use(number, label, path)


def far(rows=1):
    """A matrix of five columns with a value far beyond them."""
    X = sparse.csr_array((rows, 5))
    X.data, X.indices = np.ones(2), np.array([0, FAR], np.int32)
    X.indptr = np.array([0, *[2] * rows], np.int32)
    return X


def endless():
    """A matrix that says it has a million values, and has two."""
    X = far()
    X.indices, X.indptr = np.array([0, 1], np.int32), np.array([0, 10**6], np.int32)
    return X


@pytest.mark.parametrize("lying", [far, endless])
def test_what_is_only_told_or_written_of_rows_is_looked_at_too(lying, tmp_path):
    model = AveragedPerceptron(random_state=0).fit(np.eye(5), [0, 1, 0, 1, 0])
    save(model, tmp_path / "model.rbt")

    for use in (
        Predictor.load(tmp_path / "model.rbt").unknown_share,
        lambda X: write_svmlight(tmp_path / "x.svm", X, [0]),
    ):
        with pytest.raises(ValueError, match="X"):
            use(lying())
    assert not (tmp_path / "x.svm").exists()


@pytest.mark.parametrize("make", [PassiveAggressiveClassifier, PassiveAggressiveRegressor])
@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_rows_whose_squares_vanish_are_refused_where_steps_divide_by_them(make, form):
    X, y = form([[1.0, 0.0], [0.0, 0.0], [0.0, 1e-200]]), [0, 0, 1]
    classes = {"classes": [0, 1]} if make is PassiveAggressiveClassifier else {}

    for learn in (
        lambda model: model.fit(X, y),
        lambda model: model.partial_fit(X, y, **classes),
    ):
        with pytest.raises(ValueError, match=r"Row 2 of X is too short to learn from.*scale the"):
            learn(make(fit_intercept=False))
        learn(make())  # whose length is that of the constant, too
