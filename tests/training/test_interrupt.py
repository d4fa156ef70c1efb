"""Ctrl-C: heard soon, leaves a model to use, and fit goes on exactly where it stopped."""

import contextlib
import itertools
import os
import signal
import threading
import time
from copy import deepcopy

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.exceptions import NotFittedError

from data import whole_numbers
from interrupts import CtrlC, interrupted, lines_of
from members import assert_same_model
from one_of_each import LEARNERS
from rosenblatt.training import passes
from subprocesses import in_a_child

FORMS = {"dense": np.array, "sparse": sparse.csr_array}

pytestmark = pytest.mark.parametrize("learner", LEARNERS, ids=str)


def short_calls():
    """Cuts a pass over the examples below into a few calls of the core."""
    passes.WORK_PER_CALL = 300


def assert_usable(model, X):
    """The model predicts, unless it was interrupted before it was one."""
    try:
        predictions = model.predict(X)
    except NotFittedError:
        return
    assert set(predictions) <= set(model.classes_)


def finished(model, X, y, whole):
    """The model after the rest of its fit, unless the interrupt came when that was over."""
    over = hasattr(model, "history_") and len(model.history_) == len(whole.history_)
    rubbish = [np.full(len(y), 2**32 - 1, np.uint32) for _ in range(20)]
    del rubbish  # and lies now where the next array may be made
    return model if over else model.fit(X, y)


def assert_same_run(model, other):
    """The same weights and counts, and the same record of how they came about."""
    assert_same_model(model, other)
    assert [done[:2] for done in model.history_] == [done[:2] for done in other.history_]
    assert (model.n_iter_, model.converged_) == (other.n_iter_, other.converged_)
    if model.record:
        assert_array_equal(model.mistakes_, other.mistakes_)


@pytest.mark.parametrize("record", [False, True], ids=["", "record"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shuffle", [True, "once", "blocks", False])
def test_an_interrupted_fit_goes_on_where_it_stopped(shuffle, form, record, learner):
    def check():
        short_calls()
        rng = np.random.default_rng(0)
        for classes in (2, 3):
            X, y = whole_numbers(count=70, classes=classes)
            X = FORMS[form](X)
            new = {"shuffle": shuffle, "record": record, "warm_start": True, "random_state": 3}
            whole = learner.new(max_iter=4, **new)
            lines = lines_of(lambda: whole.fit(X, y))  # noqa: B023
            for turn in rng.integers(1, lines, size=10, endpoint=True):
                model = interrupted(
                    learner.new(max_iter=4, **new),
                    lambda model: model.fit(X, y),  # noqa: B023
                    turn,
                )
                assert_usable(model, X)
                assert_same_run(finished(model, X, y, whole), whole)

    in_a_child(check)


def test_fit_may_be_interrupted_at_any_line(learner):
    def check():
        short_calls()
        X, y = whole_numbers(count=70, classes=3)
        parameters = {"max_iter": 2, "warm_start": True, "random_state": 3}
        whole = learner.new(**parameters)
        lines = lines_of(lambda: whole.fit(X, y))
        for turn in range(1, lines + 1):
            model = interrupted(learner.new(**parameters), lambda model: model.fit(X, y), turn)
            assert_usable(model, X)
            model = finished(model, X, y, whole)
            assert_same_run(model, whole)
            assert_array_equal(model.decision_function(X), whole.decision_function(X))

    in_a_child(check)


@pytest.mark.parametrize("shuffle", [True, "once", "blocks", False])
def test_a_run_that_goes_on_may_be_interrupted_again_and_again(shuffle, learner):
    """Three passes, then two more with an interrupt every few lines, are five passes."""

    def check():
        short_calls()
        X, y = whole_numbers(count=70, classes=3)
        new = {"shuffle": shuffle, "record": True, "warm_start": True, "random_state": 3}
        model = learner.new(max_iter=3, **new).fit(X, y).set_params(max_iter=2)
        turns = itertools.count(100, 10)

        while len(model.history_) < 5:
            with contextlib.suppress(KeyboardInterrupt), CtrlC(next(turns)):
                model.fit(X, y)

        assert_same_run(model, learner.new(max_iter=5, **new).fit(X, y))

    in_a_child(check)


def test_a_new_fit_interrupted_before_it_learns_leaves_the_old_model_or_a_new_one(learner):
    """Without warm_start, on other columns and classes than before."""

    def check():
        X, y = whole_numbers(width=9, classes=3)
        other_X, other_y = whole_numbers(width=5, classes=4)
        old = learner.new(max_iter=1).fit(X, y)
        new = deepcopy(old)
        lines = lines_of(lambda: new.fit(other_X, other_y))
        for turn in range(1, lines + 1):
            model = interrupted(deepcopy(old), lambda model: model.fit(other_X, other_y), turn)
            known = X if model.n_features_in_ == 9 else other_X
            assert_usable(model, known)
            assert model.coef_.shape == (len(model.classes_), known.shape[1])

    in_a_child(check)


def test_an_interrupted_batch_has_been_learned_up_to_a_row(learner):
    def check():
        short_calls()
        X, y = whole_numbers(count=70, classes=3)
        start = learner.new(record=True).partial_fit(X[:5], y[:5], classes=range(3))
        whole = deepcopy(start)
        lines = lines_of(lambda: whole.partial_fit(X, y))
        for turn in range(1, lines + 1):
            model = interrupted(deepcopy(start), lambda model: model.partial_fit(X, y), turn)

            other = deepcopy(start)
            learned = model.t_ - start.t_
            if learned:
                other.partial_fit(X[:learned], y[:learned])
            assert_same_run(model, other)

    in_a_child(check)


def endless(learner, rows):
    """A model, and a fit that goes on for days over rows which take hardly any memory."""
    model = learner.new(max_iter=10**9)
    X = np.broadcast_to(np.linspace(-1, 1, 300), (rows, 300))
    y = np.arange(rows) % 2
    return model, lambda: model.fit(X, y)


def watch(model, seen_enough):
    """Asks about the weights of a model in training, over and over; after a yes sends SIGINT."""

    def look():
        while model._state is None or not seen_enough(model._state):
            time.sleep(1e-4)
        os.kill(os.getpid(), signal.SIGINT)

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()


def test_ctrl_c_is_heard_within_a_second_of_work(learner):
    """Fifty calls of the core are about a second."""

    def check():
        model, fit = endless(learner, rows=10**6)
        heard = []
        watch(model, lambda state: state.weights.seen and not heard.append(state.weights.seen))

        with pytest.raises(KeyboardInterrupt):
            fit()

        later = model.t_ - 1 - heard[0]
        assert later * 300 < 50 * passes.WORK_PER_CALL
        assert model.predict(np.ones((2, 300))).shape == (2,)

    in_a_child(check)


def test_other_threads_run_while_the_core_learns(learner):
    """Weights seen to change while their count of examples does not: in the middle of a call."""

    def check():
        passes.WORK_PER_CALL = 10**9
        model, fit = endless(learner, rows=10**6)

        def changes(state):
            seen, before = state.weights.seen, state.weights.values.copy()
            time.sleep(1e-4)
            if learner.through_kernel:  # whose weights are replaced a block at a time
                return state.weights.seen > seen
            return (state.weights.values != before).any() and state.weights.seen == seen

        watch(model, changes)

        with pytest.raises(KeyboardInterrupt):
            fit()

    in_a_child(check)
