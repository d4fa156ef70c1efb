"""Iterative parameter mixing against a serial replay, whatever runs the shards."""

import os
import signal
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from joblib.externals.loky import ProcessPoolExecutor as Loky
from numpy.testing import assert_allclose, assert_array_equal
from pandas import DataFrame
from scipy import sparse
from sklearn.base import clone

import reference
from data import noisy, real_numbers, whole_numbers
from members import FLAT_MEMBERS, STREAM_MEMBERS, weights_of
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    KernelPerceptron,
    PassiveAggressiveClassifier,
    PassiveAggressiveRegressor,
    Perceptron,
    ShardTrainer,
    VotedPerceptron,
    Winnow,
    load,
    save,
)
from rosenblatt.cluster import shard
from rosenblatt.cluster.executors import EveryNth, Here, InMemory
from rosenblatt.cluster.mixing import Sent, mix
from rosenblatt.cluster.passes import train
from rosenblatt.cluster.shard import Data, Shard, ShardPlan
from rosenblatt.persistence.model_files import read_notes
from states import assert_same_state

MIXED = [
    member
    for member in STREAM_MEMBERS
    if not (member.votes or member.model.get_params().get("covariance") == "full")
]
REPLAYED = [member for member in FLAT_MEMBERS if member in MIXED]


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("member", MIXED, ids=str)
def test_one_shard_is_the_estimators_own_fit(member, classes):
    X, y = real_numbers(classes=classes)
    own = member.new(random_state=3, max_iter=4)

    assert_same_state(ShardTrainer(own, n_shards=1).fit(X, y), own.fit(X, y))


@pytest.mark.parametrize(
    "parameters",
    [
        {"shuffle": "blocks"},
        {"shuffle": "once"},
        {"shuffle": False, "class_weight": "balanced"},
        {"fit_intercept": False, "unit_length": True},
        {"early_stopping": True, "class_weight": {0: 2.0}},
        {"early_stopping": True, "n_iter_no_change": 1},
    ],
    ids=str,
)
def test_one_shard_is_fit_with_any_parameters(parameters):
    X, y = noisy(classes=3)
    weight = np.linspace(0, 2, len(y))
    own = AveragedPerceptron(random_state=3).set_params(**parameters)

    mixed = ShardTrainer(own, n_shards=1).fit(X, y, sample_weight=weight)

    assert_same_state(mixed, own.fit(X, y, sample_weight=weight))


@pytest.mark.parametrize("balanced", [False, True])
def test_one_shard_of_winnow_is_fit(balanced):
    X, y = whole_numbers()
    own = Winnow(balanced=balanced, average=True, random_state=3)

    assert_same_state(ShardTrainer(own, n_shards=1).fit(X, y), own.fit(X, y))


@pytest.mark.parametrize("classes", [2, 3])
def test_one_shard_with_few_of_many_columns_is_fit(classes):
    X = sparse.random_array((80, 200_000), density=3e-4, rng=0, format="csr")
    y = np.arange(80) % classes
    own = AveragedPerceptron(random_state=3)

    assert_same_state(ShardTrainer(own, n_shards=1).fit(X, y), own.fit(X, y))


@pytest.mark.parametrize("by", ["changed", "uniform", "mistakes"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("member", REPLAYED, ids=str)
def test_weights_and_their_average_are_those_of_a_serial_replay(member, classes, by):
    X, y = real_numbers(count=61, classes=classes)
    shards = [(X[k::3], y[k::3]) for k in range(3)]

    def walk(X, y, w):
        start = w if w is None or classes > 2 else w[0]
        return member.path(X, y, classes, start=start)

    last, mean = reference.mixed(shards, walk, passes=4, by=by)
    own = member.new(shuffle=False, max_iter=4)
    model = ShardTrainer(own, n_shards=3, mixing=by).fit(X, y)

    assert_allclose(weights_of(model), mean if member.averages else last, atol=1e-11)
    assert model.t_ == 4 * 61 + 1
    assert model.n_updates_ == sum(done.updates for done in model.history_)


def test_whole_numbers_in_two_shards_stay_exact():
    X, y = whole_numbers()
    shards = [(X[k::2], y[k::2]) for k in range(2)]
    member = MIXED[2]

    def walk(X, y, w):
        return member.path(X, y, 2, start=w if w is None else w[0])

    _, mean = reference.mixed(shards, walk, passes=5, by="uniform")
    own = member.new(shuffle=False, max_iter=5)
    model = ShardTrainer(own, n_shards=2, mixing="uniform").fit(X, y)

    assert_array_equal(weights_of(model), mean)


def test_winnow_is_mixed_as_in_a_serial_replay():
    X, y = whole_numbers()
    X = (X != 0).astype(float)
    last, mean = reference.mixed(
        [(X[k::2], y[k::2]) for k in range(2)],
        lambda X, y, w: reference.winnow_path(X, y, 2),
        passes=1,
        multiplied=True,
    )
    own = Winnow(shuffle=False, max_iter=1)

    model = ShardTrainer(own, n_shards=2).fit(X, y)
    averaged = ShardTrainer(own.set_params(average=True), n_shards=2).fit(X, y)

    assert_allclose(weights_of(model), last)
    assert_allclose(weights_of(averaged), mean)


def forkserver(workers):
    return ProcessPoolExecutor(workers, mp_context=get_context("forkserver"))


@pytest.mark.parametrize(("executor", "dense"), [(forkserver, True), (Loky, False)])
def test_who_runs_the_shards_changes_no_bit(executor, dense):
    X, y = noisy(classes=3)
    X = X if dense else sparse.csr_array(X)
    own = AROW(average=True, random_state=5)
    serial = ShardTrainer(own, n_shards=5).fit(X, y)

    assert_same_state(ShardTrainer(own, n_shards=5, n_jobs=3).fit(X, y), serial)
    for pool in (ThreadPoolExecutor(2), executor(2)):
        with pool:
            assert_same_state(ShardTrainer(own, n_shards=5, executor=pool).fit(X, y), serial)


def test_partials_hold_only_the_rows_of_weights_that_changed():
    X = sparse.eye_array(40, 100_000, format="csr")
    y = np.repeat([0, 1], 20)
    plan = ShardPlan("", 1, AveragedPerceptron(shuffle=False), seed=0, classes=np.array([0, 1]))
    shard = Shard.of(plan, Data(X, y, None))
    state = plan.estimator._first_state(plan.classes, X.shape[1])

    first = shard.epoch(Sent.of(state.weights, state.run))
    after = mix(state.weights, [first])
    second = shard.epoch(Sent.of(after, state.run))

    assert first.rows.nbytes < 1000
    assert set(first.rows.places) < {*range(40), 100_000}
    assert second.counts[1] - first.counts[1] == len(second.rows.places) - 1
    assert Sent.of(after, state.run).rows.nbytes == first.rows.nbytes


def test_labels_that_a_shard_lacks_are_classes_all_the_same():
    X, y = real_numbers(classes=4)
    y = np.array(["no", "perhaps", "why", "yes"])[np.sort(y)]
    y[-1] = "zero"

    model = ShardTrainer(AveragedPerceptron(random_state=0), n_shards=6).fit(X, y)

    assert model.classes_.tolist() == ["no", "perhaps", "why", "yes", "zero"]
    assert model.coef_.shape == (5, X.shape[1])


def test_weights_of_zero_leave_their_rows_out():
    X, y = whole_numbers(count=60)
    weight = np.ones(60)
    weight[30:] = 0
    own = PassiveAggressiveClassifier(shuffle=False)

    part = ShardTrainer(own, n_shards=2).fit(X[:30], y[:30])
    whole = ShardTrainer(own, n_shards=2).fit(X, y, sample_weight=weight)

    assert_array_equal(weights_of(whole), weights_of(part))


def test_names_of_features_are_those_of_the_frame():
    pandas = pytest.importorskip("pandas")
    X, y = real_numbers(width=2)

    model = ShardTrainer(Perceptron()).fit(pandas.DataFrame(X, columns=["a", "b"]), y)

    assert model.feature_names_in_.tolist() == ["a", "b"]


def test_early_stopping_holds_rows_out_in_every_shard_and_keeps_the_best_pass():
    X, y = noisy(count=400, classes=3)
    y[0] = 7  # in one shard only, and a single row: it is not held out
    own = AveragedPerceptron(early_stopping=True, max_iter=30, random_state=0)

    model = ShardTrainer(own, n_shards=4).fit(X, y)

    errors = [done.validation_error for done in model.history_]
    assert errors[model.best_iter_ - 1] == min(errors)
    assert len(errors) == model.best_iter_ + model.n_iter_no_change
    assert 30 < 400 - (model.t_ - 1) / model.best_iter_ < 50
    assert all(done.last_validation_error is not None for done in model.history_)


def test_a_pass_without_an_update_in_any_shard_is_the_last():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.9, 0.2], [-1.1, 0.3]])
    y = [1, 0, 1, 0]

    model = ShardTrainer(Perceptron(), n_shards=2, mixing="uniform").fit(X, y)

    assert model.converged_
    assert model.history_[-1].updates == 0
    assert model.n_iter_ < 10
    assert 0 < model.bracket_.lower <= model.bracket_.upper


def in_memory(X, y):
    return InMemory(Data(X, y, None), EveryNth(0, 1))


class Cold(Here):
    """Every task comes to a worker that has read nothing yet."""

    def run(self, task, sources):
        for made in super().run(task, sources):
            shard.forget(task.plan.token)
            yield made


@pytest.mark.parametrize("stops", [False, True])
def test_empty_shards_of_a_validation_set_change_nothing(stops):
    X, y = noisy(count=300, classes=3)
    learned = [in_memory(X[k:200:2], y[k:200:2]) for k in range(2)]
    parts = [(200, 200), (200, 240), (240, 240), (240, 300)]
    several = [in_memory(X[first:last], y[first:last]) for first, last in parts]
    own = AveragedPerceptron(random_state=0, early_stopping=stops, n_iter_no_change=2)

    one = train(own, Here(), learned, tried=[in_memory(X[200:], y[200:])])._state
    states = [train(own, way(), learned, tried=several)._state for way in (Here, Cold)]

    for state in states:
        assert [done.validation_error for done in state.run.history] == [
            done.validation_error for done in one.run.history
        ]
        assert_array_equal(state.weights.values, one.weights.values)
    with pytest.raises(ValueError, match="The validation set has no rows"):
        train(own, Here(), learned, tried=several[:1])


@pytest.mark.parametrize("way", [Here, Cold])
def test_workers_keep_no_more_of_shards_than_there_is_room_for(monkeypatch, way):
    X, y = noisy(count=300)
    parts = [in_memory(X[k::3], y[k::3]) for k in range(3)]
    room, most = 2 * 16 * (X[::3].size + 100), []
    keep = shard.ShardCache.keep

    def watched(kept, *arguments):
        keep(kept, *arguments)
        most.append(sum(each.nbytes for each in kept.shards.values()))

    monkeypatch.setattr(shard.ShardCache, "keep", watched)
    own = Perceptron(random_state=0, max_iter=3)
    bounded = train(own, way(), parts, room=room)._state.weights.values

    assert 0 < max(most) <= room
    assert_array_equal(train(own, way(), parts, room=0)._state.weights.values, bounded)
    assert most[-1] == 0


class StoppedError(Exception):
    """What stops a training in these tests."""


@pytest.mark.parametrize("seed", [1, None, np.random.RandomState(1), np.random.default_rng(1)])
def test_training_goes_on_from_its_checkpoint_to_the_same_bits(tmp_path, seed):
    X, y = noisy(classes=3)
    own = AveragedPerceptron(random_state=seed, early_stopping=True, max_iter=12)

    class Failing(ThreadPoolExecutor):
        calls = 0

        def submit(self, *job):
            self.calls += 1
            if self.calls > 3 * 6:
                raise StoppedError
            return super().submit(*job)

    trainer = ShardTrainer(own, n_shards=3, checkpoint=tmp_path / "run.rbt")
    with Failing(1) as trainer.executor, pytest.raises(StoppedError):
        trainer.fit(X, y)
    trainer.executor = None
    left = load(tmp_path / "run.rbt")
    drawn = {"random_state": left._state.run.seed}
    undisturbed = ShardTrainer(clone(own).set_params(**drawn), n_shards=3).fit(X, y)
    assert 0 < left.n_iter_ < undisturbed.n_iter_
    if isinstance(seed, int):
        own.set_params(random_state=np.int64(seed), verbose=1)

    for _ in range(2):  # the second has nothing left to do
        resumed = trainer.fit(X, y).set_params(**drawn, verbose=0)
        assert_same_state(resumed, undisturbed)


def test_a_checkpoint_of_another_training_is_refused(tmp_path):
    X, y = noisy()
    path = tmp_path / "run.rbt"
    ShardTrainer(Perceptron(random_state=0), checkpoint=path).fit(X, y)

    validation = {"X_val": X[:9], "y_val": y[:9]}
    for other, data, more in (
        (Perceptron(random_state=1), (X, y), {}),
        (Perceptron(random_state=0, ties="predict"), (X, y), {}),
        (Perceptron(random_state=0), (2 * X, y), {}),
        (Perceptron(random_state=0), (X, y[::-1]), {}),
        (Perceptron(random_state=0), (X, y, np.linspace(1, 2, len(y))), {}),
        (Perceptron(random_state=0), (X, y), validation),
    ):
        with pytest.raises(ValueError, match=r"run\.rbt is of another training: delete it"):
            ShardTrainer(other, checkpoint=path).fit(*data, **more)


OTHERS = {
    "another class": lambda X, y: Perceptron(random_state=0, max_iter=3).fit(X, y),
    "a kernel": lambda X, y: KernelPerceptron(random_state=0, max_iter=3).fit(X, y),
    "fewer features": lambda X, y: own().fit(X[:, :2], y),
    "more features": lambda X, y: own().fit(np.hstack([X, X]), y),
    "fewer labels": lambda X, y: own().fit(X, y > 0),
    "other labels": lambda X, y: own().fit(X, np.array(["a", "b", "c"])[y]),
    "names": lambda X, y: own().fit(DataFrame(X, columns=[f"c{k}" for k in range(X.shape[1])]), y),
    "more passes": lambda X, y: own(max_iter=4).fit(X, y),
    "another average": lambda X, y: own(half_life=5).fit(X, y),
    "mistakes": lambda X, y: own(record=True).fit(X, y),
}


def own(**parameters):
    return AveragedPerceptron(**({"random_state": 0, "max_iter": 3} | parameters))


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS.keys())
def test_a_checkpoint_is_gone_on_from_only_if_it_is_what_training_makes(tmp_path, other):
    X, y = noisy(classes=3)
    path = tmp_path / "run.rbt"
    ShardTrainer(own(), checkpoint=path).fit(X, y)
    save(other(X, y), path, notes=read_notes(path))

    with pytest.raises(ValueError, match=r"run\.rbt is of another training: delete it"):
        ShardTrainer(own(), checkpoint=path).fit(X, y)


def test_verbose_prints_a_line_for_every_pass(capsys):
    X, y = noisy()

    ShardTrainer(Perceptron(max_iter=3, verbose=2), n_shards=3).fit(X, y)

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert "train error" in lines[0]


@pytest.mark.parametrize(
    ("trainer", "message"),
    [
        (ShardTrainer(VotedPerceptron()), "The weights of VotedPerceptron cannot be mixed: use "),
        (ShardTrainer(KernelPerceptron()), "The weights of KernelPerceptron cannot be mixed"),
        (
            ShardTrainer(PassiveAggressiveRegressor()),
            "The weights of PassiveAggressiveRegressor cannot be mixed",
        ),
        (ShardTrainer(AROW(covariance="full")), "covariance='full' cannot be kept to over shards"),
        (ShardTrainer(Perceptron(record=True)), "record=True cannot be kept to over shards"),
        (ShardTrainer(Perceptron(warm_start=True)), "warm_start=True cannot be kept to"),
        (ShardTrainer(Perceptron(probabilities=True)), "probabilities=True cannot be kept to"),
        (ShardTrainer(Perceptron(average=True, half_life=5)), "half_life=5 cannot be kept to"),
        (ShardTrainer(Perceptron(), n_shards=0), "n_shards must be a whole number of at least 1"),
        (ShardTrainer(Perceptron(), n_shards=99), "n_shards must be at most the number of rows"),
        (
            ShardTrainer(Perceptron(), mixing="best"),
            "mixing must be 'changed', 'uniform' or 'mistakes'",
        ),
        (
            ShardTrainer(Perceptron(), n_jobs=2, executor=ThreadPoolExecutor(1)),
            "n_jobs=2 is of threads: leave n_jobs to the executor",
        ),
    ],
    ids=range(12),
)
def test_what_cannot_be_done_is_refused_in_a_sentence(trainer, message):
    with pytest.raises(ValueError, match=message):
        trainer.fit(*whole_numbers())


def test_a_bad_value_is_told_by_its_row_in_the_callers_table():
    X, y = real_numbers()
    X[41, 2] = np.nan

    with pytest.raises(ValueError, match="X contains NaN in row 41, column 2"):
        ShardTrainer(Perceptron(), n_shards=4).fit(X, y)


def test_the_trainer_leaves_its_estimator_as_it_is():
    own = Perceptron()

    ShardTrainer(own).fit(*whole_numbers())

    assert own._state is None


def test_shards_of_strings_and_of_numbers_are_no_one_task():
    X, y = whole_numbers()
    parts = [in_memory(X, labels) for labels in (y, y.astype(str))]

    with pytest.raises(ValueError, match="y must hold whole numbers, as in the first shard, got s"):
        train(Perceptron(), Here(), parts)


def test_a_word_of_one_shard_alone_moves_as_far_as_by_one_machine():
    X = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    own = Perceptron(shuffle=False, fit_intercept=False, max_iter=1)

    changed = ShardTrainer(own, n_shards=2).fit(X, [1, 1, 0, 0])
    uniform = ShardTrainer(own, n_shards=2, mixing="uniform").fit(X, [1, 1, 0, 0])

    assert changed.coef_.tolist() == [[4 / 3, 1.0, 1.0]]
    assert uniform.coef_.tolist() == [[1.0, 0.5, 0.5]]


def test_a_validation_set_is_measured_as_by_fit(tmp_path):
    X, y = noisy(count=300, classes=3)
    weight = np.linspace(1, 2, 90)
    validation = {"X_val": X[210:], "y_val": y[210:], "sample_weight_val": weight}
    for stops in (False, True):
        own = AveragedPerceptron(random_state=0, max_iter=9, early_stopping=stops)
        fitted = own.fit(X[:210], y[:210], **validation)

        mixed = ShardTrainer(own, n_shards=1).fit(X[:210], y[:210], **validation)
        with forkserver(2) as pool:
            several = ShardTrainer(own, n_shards=3, executor=pool, folder=tmp_path)
            several = several.fit(X[:210], y[:210], **validation)

        assert_same_state(mixed, fitted)
        done = several.history_[-1]
        if not stops:
            wrong = several.predict(X[210:]) != y[210:]
            assert done.validation_error == pytest.approx(np.average(wrong, weights=weight))
            assert done.train_error == np.mean(several.predict(X[:210]) != y[:210])


@pytest.mark.parametrize(
    ("validation", "message"),
    [
        ({"X_val": [[1.0] * 12]}, "A validation set is X_val and y_val, but y_val was not passed"),
        ({"X_val": [[1.0]], "y_val": [0]}, "X_val has 1 features, but .* 12 features"),
        ({"X_val": [[np.nan] * 12], "y_val": [0]}, "X_val contains NaN in row 0"),
        ({"X_val": [[1.0] * 12], "y_val": [9]}, "y_val holds the label 9, which is not among the"),
        (
            {"X_val": [[1.0] * 12], "y_val": [0], "sample_weight_val": [0.0]},
            "The held-out rows all weigh zero",
        ),
    ],
    ids=range(5),
)
def test_what_is_wrong_with_a_validation_set_is_said_of_it(validation, message):
    X, y = noisy()

    with pytest.raises(ValueError, match=message):
        ShardTrainer(Perceptron(), n_shards=2).fit(X, y, **validation)


@pytest.mark.parametrize("executor", [forkserver, Loky])
def test_a_process_of_an_executor_that_dies_is_said(executor, tmp_path):
    X, y = noisy()

    def kill(*done):
        for process in list(pool._processes):
            os.kill(process, signal.SIGKILL)

    with executor(1) as pool:
        trainer = ShardTrainer(Perceptron(), executor=pool, folder=tmp_path, on_pass=kill)
        with pytest.raises(BrokenExecutor, match="A process of the executor has died, for lack o"):
            trainer.fit(X, y)

    assert not os.listdir(tmp_path)


def test_dask_runs_the_shards(tmp_path):
    from distributed import Client

    X, y = noisy(classes=3)
    own = AROW(average=True, random_state=5)

    local = {"processes": False, "n_workers": 2, "dashboard_address": None}
    with Client(**local) as client, client.get_executor() as pool:
        mixed = ShardTrainer(own, n_shards=3, executor=pool, folder=tmp_path).fit(X, y)

    assert_same_state(mixed, ShardTrainer(own, n_shards=3).fit(X, y))


def test_every_pass_is_told_as_it_ends():
    X, y = noisy()
    told = []

    model = ShardTrainer(
        Perceptron(max_iter=3, random_state=0), n_shards=2, on_pass=lambda *done: told.append(done)
    ).fit(X, y)

    assert [number for number, _ in told] == [1, 2, 3]
    assert [done for _, done in told] == list(model.history_)
    assert all(done.train_error is not None for _, done in told)
