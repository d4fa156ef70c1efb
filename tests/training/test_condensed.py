"""Few examples among many columns: weights of their columns alone, and nobody notices."""

import pickle
import sys
import threading
import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from data import real_numbers
from interrupts import interrupted, lines_of
from members import assert_same_model, weights_of
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    VotedPerceptron,
    Winnow,
    load,
    save,
)
from rosenblatt.training import passes
from rosenblatt.training.condensed import Condensed
from subprocesses import in_a_child

WIDTH = 2**18
COLUMNS = np.sort(np.random.default_rng(7).choice(WIDTH, 9, replace=False))

ESTIMATORS = {
    "Perceptron": Perceptron,
    "AveragedPerceptron": AveragedPerceptron,
    "PA-I": lambda **given: PassiveAggressiveClassifier(average=True, C=0.3, **given),
    "AROW": AROW,
}

for_each_estimator = pytest.mark.parametrize("new", ESTIMATORS.values(), ids=ESTIMATORS)
for_few_and_more_classes = pytest.mark.parametrize("classes", [2, 3, 6])


def spread(X, index=np.int32, value=np.float64):
    """The same columns, far apart among many."""
    few = sparse.csr_array(X)
    parts = few.data.astype(value), COLUMNS[few.indices].astype(index), few.indptr.astype(index)
    return sparse.csr_array(parts, shape=(len(X), WIDTH))


def examples(classes=2, **given):
    X, y = real_numbers(classes=classes)
    return X, spread(X, **given), y


def is_condensed(model):
    storage = model._state.weights.storage
    return isinstance(storage, Condensed) and not storage.settled


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("shuffle", [True, "blocks", False])
@for_few_and_more_classes
@for_each_estimator
def test_weights_are_those_of_the_columns_that_occur(new, classes, shuffle, fit_intercept):
    X, wide, y = examples(classes)
    given = {"shuffle": shuffle, "fit_intercept": fit_intercept, "random_state": 0}
    model, other = new(**given).fit(wide, y), new(**given).fit(sparse.csr_array(X), y)
    assert is_condensed(model)
    assert (model.t_, model.n_updates_) == (other.t_, other.n_updates_)
    assert is_condensed(model)
    assert_array_equal(model.coef_[:, COLUMNS], other.coef_)
    assert_array_equal(model.intercept_, other.intercept_)
    assert np.count_nonzero(model.coef_) == np.count_nonzero(other.coef_)
    assert not is_condensed(model)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("value", [np.float32, np.float64])
@for_few_and_more_classes
@for_each_estimator
def test_rows_are_scored_before_as_after_all_weights_are_written(new, classes, value, index):
    _, wide, y = examples(classes, value=value, index=index)
    model = new(random_state=0).fit(wide, y)
    shifted = sparse.csr_array((wide.data, (wide.indices + 1) % WIDTH, wide.indptr), wide.shape)
    rows = [wide, shifted, (wide + shifted).tocsr(), wide[:1]]
    before = [(model.predict(each), model.decision_function(each)) for each in rows]
    assert is_condensed(model)
    model.coef_  # noqa: B018
    assert not is_condensed(model)
    for each, (labels, scores) in zip(rows, before, strict=True):
        assert_array_equal(labels, model.predict(each))
        assert_array_equal(scores, model.decision_function(each))


@for_each_estimator
def test_dense_rows_and_very_many_are_scored_by_all_weights(new):
    _, wide, y = examples()
    model, other = new(random_state=0).fit(wide, y), new(random_state=0).fit(wide, y)
    assert_array_equal(model.predict(wide[:2].toarray()), other.predict(wide[:2]))
    assert not is_condensed(model)
    many = sparse.vstack([wide] * (2 * WIDTH // wide.nnz), format="csr")
    assert_array_equal(other.predict(many)[: len(y)], model.predict(wide))
    assert not is_condensed(other)


@for_few_and_more_classes
@for_each_estimator
def test_learning_goes_on_from_them(new, classes):
    _, wide, y = examples(classes)

    def goes_on(model):
        yield model.partial_fit(wide[::-1], y[::-1])
        model.warm_start = True
        yield model.fit(wide, y)
        yield model.partial_fit(wide, y, classes=range(classes + 2))

    looked_at, model = (new(random_state=0).fit(wide, y) for _ in range(2))
    looked_at.coef_  # noqa: B018
    for one, other in zip(goes_on(model), goes_on(looked_at), strict=True):
        assert_same_model(one, other)


@for_each_estimator
def test_files_pickles_and_copies_hold_all_weights(new, tmp_path):
    _, wide, y = examples()
    model = new(random_state=0).fit(wide, y)
    copy = pickle.loads(pickle.dumps(model))
    save(model, tmp_path / "model.rbt")
    for other in (copy, load(tmp_path / "model.rbt")):
        assert weights_of(other).size == WIDTH + 1
        assert_same_model(other, model)


@for_each_estimator
def test_wrong_rows_are_refused_in_the_same_words(new):
    _, wide, y = examples()
    model, other = (new(random_state=0).fit(wide, y) for _ in range(2))
    other.coef_  # noqa: B018
    not_a_number, outside, falling = wide.copy(), wide.copy(), wide.copy()
    not_a_number.data[7] = np.nan
    outside.indices[3] = WIDTH
    falling.indptr[2] = 0
    for bad in (not_a_number, outside, falling):
        for method in ("predict", "decision_function"):
            said = []
            for each in (model, other):
                with pytest.raises(ValueError, match="X") as refusal:
                    getattr(each, method)(bad)
                said.append(str(refusal.value))
            assert said[0] == said[1]
    assert is_condensed(model)


def test_values_that_cannot_be_learned_from_are_named_by_their_own_column():
    _, wide, y = examples()
    wide.data[wide.indptr[5]] = np.inf
    with pytest.raises(ValueError, match=f"row 5, column {wide.indices[wide.indptr[5]]}"):
        Perceptron().fit(wide, y)


@for_each_estimator
def test_an_interrupted_fit_goes_on_where_it_stopped(new):
    def check():
        passes.WORK_PER_CALL = 300
        _, wide, y = examples(classes=3)
        given = {"max_iter": 3, "warm_start": True, "random_state": 3}
        whole = new(**given)
        lines = lines_of(lambda: whole.fit(wide, y))
        assert is_condensed(whole)
        for turn in range(1, lines, 9):
            model = interrupted(new(**given), lambda model: model.fit(wide, y), turn)
            if model._state is None or len(model.history_) < 3:
                model.fit(wide, y)
            assert_same_model(model, whole)

    in_a_child(check)


@pytest.fixture
def hasty_threads():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_whoever_looks_at_a_model_that_learns_changes_nothing(hasty_threads):
    _, wide, y = examples()
    whole = AveragedPerceptron(max_iter=10, random_state=0).fit(wide, y)
    for _ in range(60):
        model = AveragedPerceptron(max_iter=10, random_state=0)
        over = threading.Event()

        def look(model=model, over=over):
            while not over.is_set():
                if model._state is not None:
                    model.coef_.sum()
                    model.predict(wide[:3])

        other = threading.Thread(target=look)
        other.start()
        model.fit(wide, y)
        over.set()
        other.join()
        assert_same_model(model, whole)


def test_columns_that_do_not_occur_take_no_memory():
    X = sparse.csr_array(([1.0, -1.0, 2.0], [5, 2**26, 2**27 - 1], [0, 1, 2, 3]), (3, 2**27))
    tracemalloc.start()
    model = AveragedPerceptron(shuffle=False).fit(X, [0, 1, 1])
    assert_array_equal(model.predict(X), [0, 1, 1])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**20  # the weights would take 2**30


@pytest.mark.parametrize("new", [Winnow, VotedPerceptron])
def test_models_that_need_all_weights_have_them(new):
    _, wide, y = examples()
    wide.data[:] = 1.0
    assert not is_condensed(new(random_state=0).fit(wide, y))
