"""Early stopping: what is watched, when training ends, and which weights the model keeps."""

import contextlib
import copy
import itertools
import pickle
import re

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from data import noisy
from held_out import CLASSES, STOPPING, parts, untimed
from interrupts import CtrlC, interrupted, lines_of
from members import assert_same_model, weights_of
from rosenblatt import AveragedPerceptron, Perceptron
from rosenblatt.training import passes
from subprocesses import in_a_child

# Which weights are kept


@pytest.mark.parametrize("container", [np.array, sparse.csr_array])
@pytest.mark.parametrize("shuffle", [True, "once", "blocks", False])
@pytest.mark.parametrize("classes", CLASSES)
def test_the_model_is_that_of_its_best_pass_bit_for_bit(member, classes, shuffle, container):
    """As if fit had made so many passes over the rows that were not held out."""
    X, y = noisy(classes=classes)
    X = container(X)
    model = member.new(shuffle=shuffle, record=True, **STOPPING).fit(X, y)
    rows, _ = parts(model, y)

    same = member.new(shuffle=shuffle, record=True, random_state=5, max_iter=model.best_iter_).fit(
        X[rows], y[rows]
    )

    assert model.best_iter_ < model.n_iter_
    assert_same_model(model, same)
    assert_array_equal(model.decision_function(X), same.decision_function(X))
    assert len(model.mistakes_) == model.n_updates_
    assert_array_equal(model.mistakes_["example"], rows[same.mistakes_["example"]])
    for name in ("t", "rival", "step"):
        assert_array_equal(model.mistakes_[name], same.mistakes_[name])


@pytest.mark.parametrize("classes", CLASSES)
def test_the_weights_that_would_predict_are_watched(member, classes):
    """The averaged ones if averaging: SPEC C26."""
    X, y = noisy(classes=classes)
    model = member.new(**STOPPING).fit(X, y)
    rows, held = parts(model, y)

    for number, done in enumerate(model.history_, start=1):
        then = member.new(random_state=5, max_iter=number).fit(X[rows], y[rows])
        assert done.validation_error == np.mean(then.predict(X[held]) != y[held])
        assert done.train_error == np.mean(then.predict(X[rows]) != y[rows])
        if not (member.averages or member.votes):
            assert done.last_validation_error is None
        if not member.averages and not member.through_kernel:
            np.testing.assert_allclose(done.norm, np.linalg.norm(weights_of(then)), rtol=1e-12)


def test_the_error_of_the_last_weights_is_told_beside_that_of_their_average():
    X, y = noisy(classes=3)

    averaged = AveragedPerceptron(max_iter=6, random_state=0).fit(X[50:], y[50:], X_val=X, y_val=y)
    plain = Perceptron(max_iter=6, random_state=0).fit(X[50:], y[50:], X_val=X, y_val=y)

    last = [done.last_validation_error for done in averaged.history_]
    assert last == [done.validation_error for done in plain.history_]
    assert last != [done.validation_error for done in averaged.history_]
    assert [done.norm for done in averaged.history_] == [done.norm for done in plain.history_]


@pytest.mark.parametrize("patience", [1, 3, 6])
def test_training_ends_after_so_many_passes_without_a_lower_error(member, patience):
    X, y = noisy(seed=1)

    model = member.new(**STOPPING | {"n_iter_no_change": patience}).fit(X, y)

    errors = [done.validation_error for done in model.history_]
    assert model.best_iter_ == 1 + errors.index(min(errors))
    assert model.n_iter_ == len(errors) == model.best_iter_ + patience
    records = list(itertools.accumulate(errors, min))
    waits = [len(list(same)) for _, same in itertools.groupby(records)]
    assert all(wait <= patience for wait in waits[:-1])
    assert model.t_ == 1 + model.best_iter_ * len(parts(model, y)[0])
    assert model.n_updates_ == sum(done.updates for done in model.history_[: model.best_iter_])


def test_a_run_out_of_passes_keeps_its_best_pass_too():
    X, y = noisy(seed=1)
    long = AveragedPerceptron(**STOPPING).fit(X, y)

    model = AveragedPerceptron(**STOPPING | {"max_iter": long.best_iter_ + 1}).fit(X, y)

    assert model.n_iter_ == long.best_iter_ + 1
    assert_same_model(model, long)


def test_a_pass_without_an_update_still_ends_training(flat_member):
    X, y = np.tile([[4.0, 1], [1, 4], [-4, -1], [-1, -4]], (5, 1)), np.tile([1, 1, 0, 0], 5)

    model = flat_member.new(**STOPPING | {"n_iter_no_change": 100, "max_iter": 100}).fit(X, y)

    assert model.history_[-1].updates == 0
    assert model.n_iter_ < 100


def test_a_model_that_went_back_has_converged_only_if_nothing_moved_since():
    X, y = np.tile([[4.0, 1], [1, 4], [-4, -1], [-1, -4]], (5, 1)), np.tile([1, 1, 0, 0], 5)
    model = Perceptron(**STOPPING).fit(X, y)
    moved = Perceptron(**STOPPING | {"max_iter": 100}).fit(X, y, X_val=[[0.0, 0]], y_val=[0])

    assert model.converged_
    assert model.fit(X, y).converged_
    updates = [done.updates for done in moved.history_]
    assert moved.converged_ == (sum(updates[moved.best_iter_ :]) == 0)


# Interrupted, continued, copied


def state_of(model):
    return (
        weights_of(model).tobytes(),
        (model.t_, model.n_updates_, model.n_iter_, model.converged_),
        model.mistakes_.tolist(),
        untimed(model),
    )


def resumed(model, fit, whole):
    """The model after the rest of its fit, unless it had only to return."""
    over = hasattr(model, "history_") and state_of(model) == state_of(whole)
    return model if over else fit(model)


@pytest.mark.parametrize("given", [False, True], ids=["held out", "given"])
def test_fit_may_be_interrupted_at_any_line(given):
    """The split, the best pass so far and the patience left are those of an uninterrupted run."""

    def check():
        passes.WORK_PER_CALL = 700  # two calls of the core for a pass
        X, y = noisy(count=60, classes=3)
        val = {"X_val": X[:20], "y_val": y[:20]} if given else {}
        new = {"record": True, "warm_start": True, "early_stopping": True, "n_iter_no_change": 1}
        new |= {"random_state": 3, "max_iter": 5}

        def fit(model):
            return model.fit(X, y, **val)

        whole = AveragedPerceptron(**new)
        lines = lines_of(lambda: fit(whole))
        assert whole.n_iter_ == whole.best_iter_ + 1 == (3 if given else 2)
        for turn in range(1, lines + 1, 7 if given else 1):
            model = interrupted(AveragedPerceptron(**new), fit, turn)
            assert state_of(resumed(model, fit, whole)) == state_of(whole)

    in_a_child(check)


def test_a_run_may_be_interrupted_again_and_again():
    def check():
        passes.WORK_PER_CALL = 300  # a few calls of the core for a pass
        X, y = noisy(count=100, classes=3)
        new = {"record": True, "warm_start": True, **STOPPING}
        whole = AveragedPerceptron(**new).fit(X, y)
        model = AveragedPerceptron(**new)
        turns = itertools.count(200, 10)

        while not hasattr(model, "history_") or state_of(model) != state_of(whole):
            with contextlib.suppress(KeyboardInterrupt), CtrlC(next(turns)):
                model.fit(X, y)
            assert not hasattr(model, "history_") or len(model.history_) <= whole.n_iter_

    in_a_child(check)


def test_a_warm_start_goes_on_from_the_best_pass():
    X, y = noisy(classes=3)
    model = AveragedPerceptron(warm_start=True, record=True, **STOPPING).fit(X, y)
    first, best = model.n_iter_, model.best_iter_
    rows, _ = parts(model, y)
    other = AveragedPerceptron(max_iter=best, random_state=5, warm_start=True).fit(X[rows], y[rows])
    assert_same_model(model, other)

    model.set_params(max_iter=1).fit(X, y)

    assert model.n_iter_ == first + 1 == model.best_iter_
    assert model.t_ == 1 + (best + 1) * len(rows)
    assert len(model.mistakes_) == model.n_updates_
    assert (np.diff(model.mistakes_["t"]) > 0).all()


@pytest.mark.parametrize("copied", [lambda m: pickle.loads(pickle.dumps(m)), copy.deepcopy])
def test_a_stopped_model_learns_on_from_a_copy(member, copied):
    X, y = noisy()
    model = member.new(**STOPPING).fit(X, y)

    other = copied(model).partial_fit(X, y)

    assert_same_model(other, model.partial_fit(X, y))
    with pytest.raises(AttributeError, match="best_iter_ is known only after"):
        _ = model.best_iter_


def test_batches_are_not_watched(member):
    X, y = noisy()

    model = member.new(early_stopping=True).partial_fit(X, y, classes=[0, 1])

    assert_same_model(model, member.new().partial_fit(X, y, classes=[0, 1]))
    assert model.t_ == 1 + len(y)


# What is told


def test_nothing_is_measured_unless_asked_for(member):
    model = member.new().fit(*noisy())

    assert all(done.train_error is None for done in model.history_)
    assert all(done.validation_error is None for done in model.history_)
    assert not hasattr(model, "best_iter_")


def test_verbose_marks_the_best_pass_so_far(capsys):
    X, y = noisy()

    model = AveragedPerceptron(verbose=1, **STOPPING).fit(X, y)

    titles, *lines = capsys.readouterr().out.splitlines()
    assert re.split("  +", titles)[4:] == [
        "norm",
        "margin above",
        "below",
        "train error",
        "validation error",
        "of last weights",
    ]
    assert len({len(line.removesuffix(" *")) for line in [titles, *lines]}) == 1
    marked = [number for number, line in enumerate(lines, start=1) if line.endswith("*")]
    assert marked[-1] == model.best_iter_
    for line, done in zip(lines, model.history_, strict=True):
        assert f"{100 * done.validation_error:.2f}%" == line.split()[8]


def test_very_verbose_measures_the_training_error(member, capsys):
    X, y = noisy()

    model = member.new(verbose=2, max_iter=3).fit(X, y)

    titles, *lines = capsys.readouterr().out.splitlines()
    assert titles.endswith("train error")
    assert model.history_[-1].train_error == np.mean(model.predict(X) != y)
    assert len(lines) == 3


def test_a_clone_has_the_parameters(member):
    model = member.new(early_stopping=True, validation_fraction=0.3, n_iter_no_change=2)

    parameters = clone(model).get_params()

    assert parameters["early_stopping"] is True
    assert (parameters["validation_fraction"], parameters["n_iter_no_change"]) == (0.3, 2)


def test_scikit_learns_checks_pass():
    """But those that fail without early stopping too, and one that weighs a class 1000.

    That one asks for a model that predicts nothing else; the best on held-out rows does better.
    """
    results = check_estimator(AveragedPerceptron(early_stopping=True), on_skip=None, on_fail=None)

    failed = {result["check_name"] for result in results if result["status"] == "failed"}
    assert len(results) > 50
    assert failed == {
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
        "check_class_weight_classifiers",
    }
