"""Model files: what is saved is loaded, learns on as if never saved, and arrives whole."""

import hashlib
import os
import resource
import signal
import stat

import numpy as np
import pandas as pd
import pytest
from safetensors import safe_open
from sklearn.exceptions import NotFittedError

import rosenblatt
from data import real_numbers
from interrupts import CtrlC, lines_of
from members import MEMBERS, assert_same_model
from rosenblatt import (
    AROW,
    PassiveAggressiveClassifier,
    Perceptron,
    Winnow,
)
from rosenblatt.persistence.model_files import ESTIMATORS, load, save
from rosenblatt.training import passes
from states import assert_same_state
from subprocesses import in_a_child

MODELS = [member.model for member in MEMBERS] + [
    Winnow(binarize=0.0),
    Winnow(binarize=0.0, balanced=True, average=True),
]
ORDERS = [True, "once", "blocks", False]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.rbt"


@pytest.fixture(params=MODELS, ids=str)
def new(request):
    """Makes a new model, each of the family in turn."""
    kind, parameters = type(request.param), request.param.get_params()
    return lambda **more: kind(**parameters | more)


def saved_and_loaded(model, path):
    save(model, path)
    return load(path)


def bytes_of(model, path):
    save(model, path)
    return path.read_bytes()


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_a_loaded_model_is_the_saved_one(new, classes, path):
    X, y = real_numbers(classes=classes)
    model = new(random_state=3, record=True).fit(X, y)

    other = saved_and_loaded(model, path)

    assert_same_state(model, other)
    np.testing.assert_array_equal(other.decision_function(X), model.decision_function(X))
    np.testing.assert_array_equal(other.predict(X), model.predict(X))


@pytest.mark.parametrize("classes", [2, 3])
def test_batches_go_on_after_loading_as_if_never_saved(new, classes, path):
    X, y = real_numbers(count=90, classes=classes)
    model = new(record=True, random_state=5).partial_fit(X[:40], y[:40], classes=range(classes))

    other = saved_and_loaded(model, path)
    for each in (model, other):
        each.partial_fit(X[40:], y[40:])

    assert_same_state(model, other)


@pytest.mark.parametrize("shuffle", ORDERS)
def test_passes_go_on_after_loading_as_if_never_saved(new, shuffle, path):
    X, y = real_numbers(count=90)
    options = {"shuffle": shuffle, "random_state": 8, "record": True, "warm_start": True}
    model = new(max_iter=2, **options).fit(X, y)

    other = saved_and_loaded(model, path).set_params(max_iter=3).fit(X, y)

    assert_same_state(other, model.set_params(max_iter=3).fit(X, y))
    assert_same_model(other, new(max_iter=5, **options).fit(X, y))


@pytest.mark.parametrize("turn", [0.3, 0.5, 0.8])
def test_an_interrupted_run_goes_on_after_loading(new, turn, path):
    X, y = real_numbers(count=90)
    options = {"random_state": 8, "warm_start": True, "max_iter": 4, "record": True}

    def check():
        passes.WORK_PER_CALL = 300  # several calls of the core in a pass
        model, whole = new(**options), new(**options)
        lines = lines_of(lambda: whole.fit(X, y))
        with pytest.raises(KeyboardInterrupt), CtrlC(int(turn * lines)):
            model.fit(X, y)
        other = saved_and_loaded(model, path)
        assert 0 < other.t_ < whole.t_
        assert_same_state(other.fit(X, y), whole)
        assert bytes_of(other, path) == bytes_of(whole, path)

    in_a_child(check)


def test_the_same_training_gives_the_same_bytes(new, path):
    X, y = real_numbers(classes=3)

    first, second = (bytes_of(new(random_state=1, record=True).fit(X, y), path) for _ in range(2))

    assert first == second
    assert bytes_of(load(path), path) == first


# What a file holds


LABELS = {
    "int64": np.array([-(2**62), 7]),
    "uint8": np.array([3, 200], dtype=np.uint8),
    "big-endian": np.array([1, 2], dtype=">i4"),
    "bool": np.array([False, True]),
    "float64": np.array([-1.0, 1.0]),
    "float32": np.array([0.0, 3.0], dtype=np.float32),
    "str": np.array(["naïve", '日本 "checksum":"0']),
    "wide str": np.array(["a", "b"], dtype="<U40"),
    "lone surrogate": np.array(["\ud800", "\udfff"]),
    "objects": np.array(["ham", "spam"], dtype=object),
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS.keys())
def test_labels_come_back_as_they_were(labels, path):
    model = Perceptron().fit([[0.0, 1.0], [1.0, 0.0]], labels)

    other = saved_and_loaded(model, path)

    assert other.classes_.dtype == labels.dtype
    assert other.classes_.tolist() == labels.tolist()


def test_feature_names_come_back(path):
    X = pd.DataFrame({"länge": [0.0, 1.0], "b": [1.0, 0.0]})
    model = Perceptron().fit(X, [0, 1])

    other = saved_and_loaded(model, path)

    assert other.feature_names_in_.tolist() == ["länge", "b"]
    assert other.predict(X).tolist() == [0, 1]
    with pytest.raises(ValueError, match="feature names"):
        other.predict(X[["b", "länge"]])


def test_parameters_come_back(path):
    parameters = {
        "C": np.inf,
        "class_weight": {0: 2.0, 1: np.float64(0.5)},
        "max_iter": np.int64(4),
        "shuffle": "blocks",
    }
    model = PassiveAggressiveClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])

    other = saved_and_loaded(model, path)

    assert other.get_params() == model.get_params()
    assert type(next(iter(other.class_weight))) is int


@pytest.mark.parametrize("generator", [np.random.RandomState(3), np.random.default_rng(3)])
def test_a_generator_is_kept_as_the_seed_drawn_from_it(generator, path):
    X, y = real_numbers()
    model = Perceptron(random_state=generator).fit(X, y)

    other = saved_and_loaded(model, path)

    assert_same_model(Perceptron(random_state=other.random_state).fit(X, y), model)


def test_any_reader_of_safetensors_can_read_the_file(path):
    X, y = real_numbers(classes=3)
    model = AROW(average=True).fit(X, y)
    save(model, path)

    with safe_open(path, framework="np") as file:
        arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        metadata = file.metadata()

    assert list(metadata) == ["rosenblatt"]
    weights = {key.removeprefix("0.weights."): array for key, array in arrays.items()}
    assert sorted(weights) == ["counts", "measures", "missed", "sureness", "values"]
    np.testing.assert_array_equal(weights["values"], model._state.weights.values)


def test_the_checksum_is_that_of_the_file_with_zeros_in_its_place(path):
    save(Perceptron().fit([[0.0], [1.0]], [0, 1]), path)
    contents = path.read_bytes()
    place = contents.index(b"checksum") + len(rb"checksum\":\"")
    checksum = contents[place : place + 64]

    blanked = contents.replace(checksum, b"0" * 64)

    assert hashlib.sha256(blanked).hexdigest().encode() == checksum


def test_every_estimator_of_the_package_can_be_saved():
    estimators = {
        name
        for name in rosenblatt.__all__
        if hasattr(getattr(rosenblatt, name), "fit")
        and hasattr(getattr(rosenblatt, name), "get_params")
    }

    assert set(ESTIMATORS) == estimators


# Where it goes


def test_saving_leaves_nothing_else_behind(path):
    model = Perceptron().fit([[0.0], [1.0]], [0, 1])

    for _ in range(2):
        save(model, path)

    assert os.listdir(path.parent) == [path.name]


def test_a_save_that_fails_leaves_the_old_file_and_nothing_else(path):
    model = Perceptron().fit([[0.0], [1.0]], [0, 1])
    save(model, path)
    before = path.read_bytes()

    with pytest.raises(ValueError, match="cannot be saved"):
        save(model.set_params(class_weight=np.mean), path)

    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_a_full_disk_leaves_the_old_file_and_nothing_else(path):
    X, y = real_numbers(width=2000)
    save(Perceptron().fit([[0.0], [1.0]], [0, 1]), path)
    before = path.read_bytes()

    def check():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        with pytest.raises(OSError, match="File too large"):
            save(Perceptron().fit(X, y), path)

    in_a_child(check)

    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_a_link_is_followed_and_the_mode_kept(path, tmp_path):
    target = tmp_path / "target.rbt"
    target.touch()
    target.chmod(0o640)
    path.symlink_to(target)

    save(Perceptron().fit([[0.0], [1.0]], [0, 1]), path)

    assert path.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    load(target)


# What is refused


class Mine(Perceptron):
    pass


def test_only_the_packages_own_estimators_are_saved(path):
    model = Mine().fit([[0.0], [1.0]], [0, 1])

    with pytest.raises(TypeError, match=r"save takes rosenblatt's own models.*got Mine"):
        save(model, path)


def test_a_model_must_be_fitted_to_be_saved(path):
    with pytest.raises(NotFittedError):
        save(Perceptron(), path)


def test_parameters_that_fit_would_refuse_are_refused(path):
    model = Perceptron().fit([[0.0], [1.0]], [0, 1]).set_params(max_iter=0)

    with pytest.raises(ValueError, match="max_iter must be a whole number"):
        save(model, path)

    assert not path.exists()


def test_labels_that_cannot_be_kept_are_refused(path):
    labels = np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[D]")
    model = Perceptron().partial_fit([[0.0], [1.0]], labels, classes=labels)

    with pytest.raises(ValueError, match="Labels of type datetime64"):
        save(model, path)
