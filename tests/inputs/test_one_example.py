"""What one example may look like, and what is refused without a trace."""

import copy
import gc
import itertools
import pickle
import threading
import weakref
from collections import Counter, OrderedDict, UserDict
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from interrupts import CtrlC, lines_of
from members import assert_same_model, weights_of
from refusals import assert_refused
from refused_examples import NAMED_REFUSALS
from rosenblatt import (
    AveragedPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
)
from rosenblatt.inputs.names import Names
from unusual import put, spoilt, to


def named(**parameters):
    """A model that knows the names a, b and c, and three labels."""
    model = AveragedPerceptron(**parameters)
    model.learn_one({"a": 1.0, "b": 2.0}, "x")
    model.learn_one({"b": 1.0, "c": -1.0}, "y")
    model.learn_one({"a": 2.0, "c": 1.0}, "z")
    return model


def numbered():
    return AveragedPerceptron().partial_fit(np.eye(3), ["x", "y", "z"], classes=["x", "y", "z"])


def in_packed_records(values):
    """The same values in memory where none is aligned."""
    records = np.zeros(4, dtype=[("flag", "u1"), ("values", values.dtype, values.shape)])
    records["values"][1] = values
    return records["values"][1]


@pytest.mark.parametrize(
    "x",
    [
        OrderedDict(a=2, c=True),
        Counter({"a": 2, "c": 1}),
        UserDict(a=2.0, c=1.0),
        {"a": np.float32(2), "c": np.int8(1)},
        {np.str_("a"): np.float64(2), "c": np.bool_(True)},
        {"a": Fraction(2), "c": 1},
        [("c", 1.0), ("a", 2)],
        (("c", 1.0), ("a", 2)),
        [["c", 1.0], ["a", 2]],
        pd.Series({"a": 2.0, "c": 1.0}),
        [2.0, 0.0, 1.0],
        np.array([2, 0, 1], dtype=np.float32),
        np.array([2, 0, 1]),
        np.array([2.0, 9, 0, 9, 1])[::2],
        (np.array([0, 2]), np.array([2.0, 1.0])),
        (np.array([2, 0], dtype=np.uint8), [1, 2]),
        sparse.csr_array([[2.0, 0.0, 1.0]]),
        sparse.coo_array([2.0, 0.0, 1.0]),
        sparse.csc_matrix([[2.0, 0.0, 1.0]]),
        sparse.csr_array([2.0, 0.0, 1.0]),
        sparse.csr_array(np.array([[2.0, 0.0, 1.0]], dtype=np.float32)),
        np.ma.masked_array([2.0, 0.0, 1.0]),
        in_packed_records(np.array([2.0, 0.0, 1.0])),
        (in_packed_records(np.array([0, 2])), in_packed_records(np.array([2.0, 1.0]))),
    ],
    ids=lambda x: type(x).__name__,
)
def test_the_same_example_in_many_forms_teaches_the_same(x):
    model, twin = named(), named()

    model.learn_one(x, "y")
    twin.learn_one({"a": 2.0, "c": 1.0}, "y")

    assert_same_model(model, twin)
    assert model.score_one(x) == twin.score_one({"a": 2.0, "c": 1.0})
    assert model.predict_one(x) == twin.predict_one({"a": 2.0, "c": 1.0})


@pytest.mark.parametrize(("x", "words"), NAMED_REFUSALS, ids=lambda part: str(part)[:40])
def test_an_example_that_is_refused_leaves_no_trace(x, words):
    words = words.replace("{model}", "AveragedPerceptron")
    model = named(random_state=0)
    before = pickle.dumps(model)

    assert_refused(lambda: model.learn_one(x, "x"), words)
    assert_refused(lambda: model.learn_one(x, "new label"), words)

    assert pickle.dumps(model) == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"indptr": put(1, 10**6)}, "x.indptr ends at 1000000, beyond the values that x stores"),
        ({"indptr": put(1, 2**62, "i8")}, "x.indptr ends at 4611686018427387904"),
        ({"indptr": put(1, -1)}, "x.indptr must not decrease"),
        ({"indptr": put(0, 1)}, "x.indptr must start at 0"),
        ({"indptr": lambda indptr: indptr[:1]}, "x.indptr must have 2 entries"),
        ({"indices": put(0, -1)}, "x names column -1"),
        ({"indices": put(0, 10**6)}, "x names column 1000000, which x does not have"),
        ({"indices": lambda indices: indices[:1]}, "x.indices has 1 entries but its data has 2"),
        ({"data": put(0, np.nan)}, "x holds NaN for 'a'"),
        ({"data": lambda data: np.ma.masked_array(data, mask=[0, 1])}, "x has masked values"),
        ({"data": to(complex)}, "real numbers"),
    ],
    ids=lambda part: part if isinstance(part, str) else next(iter(part)),
)
@pytest.mark.parametrize("shape", [(1, 3), (3,)], ids=str)
def test_a_sparse_row_that_lies_is_refused_as_a_table_is(change, words, shape):
    x = spoilt(sparse.csr_array(np.array([2.0, 0.0, 1.0]).reshape(shape)), **change)
    model = named(random_state=0)
    before = pickle.dumps(model)

    for call in (lambda: model.learn_one(x, "y"), lambda: model.predict_one(x)):
        assert_refused(call, words)
    assert_refused(lambda: model.score_one(x), words)

    assert pickle.dumps(model) == before


@pytest.mark.parametrize(
    ("x", "words"),
    [
        ({"a": 1.0}, "x names 'a', but the columns of this AveragedPerceptron have numbers"),
        ({0: float("nan")}, "x holds NaN in column 0"),
        ({-1: 1.0}, "x names column -1"),
        ({2**70: 1.0}, "x names column 1180591620717411303424"),
        ({10**15: 1.0}, "need .* bytes, more than there are"),
        (([2**63 - 1], [1.0]), "need .* bytes, more than there are"),
        ({1.5: 1.0}, "x names 1.5"),
    ],
    ids=str,
)
def test_a_model_of_numbered_columns_asks_for_numbers(x, words):
    model = numbered()
    before = weights_of(model).copy()

    assert_refused(lambda: model.learn_one(x, "x"), words)

    assert (weights_of(model) == before).all()
    assert model.n_features_in_ == 3


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (None, "label|Unknown"),
        (float("nan"), "NaN"),
        (1.5, "Unknown label type"),
        (3, "label 3 cannot be sorted among the classes"),
        (["x"], "label|1d array|shape"),
        ({}, "label|Unknown|1d"),
        ("x\0", "cannot be sorted|cannot be told"),
    ],
    ids=str,
)
def test_a_label_that_is_refused_leaves_no_trace(y, words):
    model = named(random_state=0)
    before = pickle.dumps(model)

    assert_refused(lambda: model.learn_one({"new": 1.0}, y), words)

    assert pickle.dumps(model) == before


@pytest.mark.parametrize("w", [-1.0, float("nan"), float("inf"), 1e80, "1", None, [1.0]], ids=str)
def test_w_must_be_a_finite_number(w):
    model = named(random_state=0)
    before = pickle.dumps(model)

    assert_refused(lambda: model.learn_one({"new": 1.0}, "x", w), "w must be a finite number")

    assert pickle.dumps(model) == before


def test_weights_that_grow_too_large_are_refused_with_all_that_came_with_them():
    model = PassiveAggressiveClassifier(variant="PA", random_state=0).declare(classes=[0, 1])
    model.learn_one({"a": 1e75}, 1, w=1e75)

    for k in range(3):  # each step is a hundred digits longer than the last
        model.learn_one({f"b{k}": 1e-75, "a": 1e75}, k % 2, w=1e75)
    before = pickle.dumps(model)

    assert_refused(lambda: model.learn_one({"c": 1.0, "a": 1e75}, 1, w=1e75), "grew too large")

    assert pickle.dumps(model) == before
    model.learn_one({"a": 1e-300}, 1)


@pytest.mark.parametrize(
    "parameters",
    [
        {"ties": "no"},
        {"class_weight": "balanced"},
        {"class_weight": {0: -1}},
        {"class_weight": {0: "heavy"}},
        {"class_weight": [1, 2]},
        {"average": 3},
    ],
    ids=str,
)
def test_parameters_are_checked_before_the_first_example(parameters):
    model = Perceptron(**parameters)

    assert_refused(lambda: model.learn_one({"a": 1.0}, 0), next(iter(parameters)))

    assert model.predict_one({"a": 1.0}) is None


def test_names_may_be_anything_hashable():
    """River's n-grams, for example, are tuples."""
    model = Perceptron()
    names = ["word", ("two", "words"), 7, frozenset({1}), None]

    for k, name in enumerate(names):
        model.learn_one({name: 1.0, "word": 1.0}, k % 2)

    assert model.feature_names_in_.tolist() == names
    assert model.n_features_in_ == len(names)


def test_a_model_fitted_on_a_frame_takes_dicts_of_its_names_and_of_new_ones():
    X = pd.DataFrame({"a": [1.0, 0, 2], "b": [0.0, 1, 1]})
    y = ["no", "yes", "no"]
    model = Perceptron(shuffle=False).fit(X, y)
    alone = [model.predict_one(x) for x in X.to_dict("records")]
    assert alone == model.predict(X).tolist()

    model.learn_one({"b": 3.0, "c": 1.0}, "no")

    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    assert model.coef_.shape == (1, 3)


def test_frames_of_learned_names_may_follow_in_batches():
    model = Perceptron().declare(classes=[0, 1])
    model.learn_one({"b": 1.0, "a": 2.0}, 1)

    model.partial_fit(pd.DataFrame({"b": [1.0], "a": [0.5]}), [0])

    assert model.t_ == 3


def test_two_columns_of_one_name_cannot_be_told_apart():
    """Before version 1.9 scikit-learn let such frames through."""
    model = Perceptron().fit([[1.0, 2.0], [3.0, 4.0]], [0, 1])
    model._state.names = Names(["a", "a"])

    assert_refused(lambda: model.learn_one({"a": 1.0}, 0), "Two columns are named 'a'")


def test_declared_names_and_labels_may_be_declared_again_with_more():
    model = Perceptron().declare(names=["b", "a"], classes=["y"])

    model.declare(names=["a", "c"], classes=["x", "z"])

    assert model.feature_names_in_.tolist() == ["b", "a", "c"]
    assert model.classes_.tolist() == ["x", "y", "z"]
    assert model.coef_.shape == (3, 3)
    assert_refused(lambda: numbered().declare(names=["a"]), "have numbers")
    assert_refused(lambda: model.declare(classes=[1]), "cannot be sorted")


class Meddler:
    """A name whose comparison calls the model."""

    def __init__(self, model):
        self.model = model

    def __hash__(self):
        return hash("a")

    def __eq__(self, other):
        self.model.learn_one({"b": 1.0}, "x")
        return False


def test_a_name_that_calls_the_model_when_compared_is_refused():
    model = named()
    before = weights_of(model).copy()

    with pytest.raises(ValueError, match="names and labels must not call the model"):
        model.learn_one({Meddler(model): 1.0}, "x")

    assert (weights_of(model) == before).all()
    model.learn_one({"a": 1.0}, "x")


class Slow:
    """A name that takes its time to be compared, while other threads run."""

    def __init__(self):
        self.compared, self.go_on = threading.Event(), threading.Event()

    def __hash__(self):
        return hash("a")

    def __eq__(self, other):
        self.compared.set()
        self.go_on.wait()
        return False


def test_another_thread_is_told_that_it_came_too_early():
    model, name = named(), Slow()
    other = threading.Thread(target=lambda: model.learn_one({name: 1.0}, "x"))
    other.start()
    name.compared.wait()

    with pytest.raises(ValueError, match="another thread is calling the model"):
        model.predict_one({"a": 1.0})

    name.go_on.set()
    other.join()
    assert model.predict_one({"a": 1.0}) in ("x", "y", "z")
    assert model.n_features_in_ == 4


class Owned:
    """A name or a label that refers to a model."""

    def __init__(self, model):
        self.model = model


def test_names_that_refer_to_the_model_do_not_keep_it_alive():
    model = Perceptron().declare(classes=["x", "y"])
    name = Owned(model)
    for _ in range(50):  # enough to be known by its address
        model.learn_one({name: 1.0}, "x")
    assert "_ready" in vars(model)
    gone = weakref.ref(model)

    del model, name
    gc.collect()

    assert gone() is None


class Shrinking(dict):
    """A dict that lets go of its contents while one of its names is compared."""

    class Name:
        def __init__(self, owner):
            self.owner = owner

        def __hash__(self):
            return hash("a")

        def __eq__(self, other):
            self.owner.clear()
            return False


def test_a_dict_that_changes_while_it_is_read_does_no_harm():
    model = named()
    x = Shrinking()
    for k in range(100):
        x[Shrinking.Name(x)] = float(k)
        x[f"name {k}" * 3] = 1.0

    model.learn_one(x, "x")

    assert np.isfinite(weights_of(model)).all()


def test_ctrl_c_at_any_line_leaves_a_model_that_can_go_on():
    """New names, a new label and more room than there is, all in one example."""
    x = {f"n{k}": 1.0 for k in range(20)}
    start = named(record=True)
    done = copy.deepcopy(start)
    done.learn_one(x, "new")
    lines = lines_of(lambda: copy.deepcopy(start).learn_one(x, "new"))

    for turn in itertools.count(1):
        model = copy.deepcopy(start)
        try:
            with CtrlC(turn) as interrupt:
                model.learn_one(x, "new")
        except KeyboardInterrupt:
            pass
        if interrupt.lines < turn:
            break
        assert model.n_features_in_ == len(model.feature_names_in_) == model.coef_.shape[1]
        assert len(model.coef_) == len(model.classes_)
        assert model.predict_one(x) in model.classes_.tolist()
        if model.t_ == start.t_:
            model.learn_one(x, "new")
        assert_same_model(model, done)
        assert len(model.mistakes_) == len(done.mistakes_)
    assert turn > 50
    assert lines > 50
