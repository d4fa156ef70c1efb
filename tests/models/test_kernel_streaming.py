"""A kernel perceptron that learns from one example at a time, as from batches of one row."""

import copy
import itertools
import pickle

import numpy as np
import pandas
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from river import datasets, evaluate, metrics, preprocessing
from scipy import sparse

import reference
from data import real_numbers, whole_numbers
from interrupts import CtrlC
from kernels import CLASSES, MEMORIES
from refusals import assert_refused
from refused_examples import NAMED_REFUSALS
from rosenblatt import AveragedPerceptron, KernelPerceptron, load, save
from streams import DENSE_FORMS, SPARSE_FORMS, as_dicts, learn_all, names_of, pieces

KERNELS = ["linear", "poly", "sigmoid", "laplacian", "cosine"]


def assert_same(model, other):
    """The same supports, weights and counts, bit for bit."""
    assert_array_equal(model.classes_, other.classes_)
    assert_array_equal(model.support_, other.support_)
    assert_array_equal(model.dual_coef_, other.dual_coef_)
    a, b = (sparse.csr_array(each.support_vectors_).toarray() for each in (model, other))
    assert_array_equal(a, b)
    assert (model.t_, model.n_updates_, model.n_mistakes_) == (
        *(other.t_, other.n_updates_, other.n_mistakes_),
    )


def in_batches(model, X, y, classes):
    for row in range(X.shape[0]):
        model.partial_fit(X[[row]], y[row : row + 1], classes=range(classes))
    return model


def named(model=KernelPerceptron, **parameters):
    """A model that knows the names a, b and c, and three labels."""
    model = model(random_state=0, **parameters)
    model.learn_one({"a": 1.0, "b": 2.0}, "x")
    model.learn_one({"b": 1.0, "c": -1.0}, "y")
    model.learn_one({"a": 2.0, "c": 1.0}, "z")
    return model


@pytest.mark.parametrize("memory", [*MEMORIES, {"budget": 12}], ids=str)
@pytest.mark.parametrize("classes", CLASSES)
def test_a_loop_over_rows_is_partial_fit_of_each(classes, memory):
    X, y = real_numbers(count=60, width=9, classes=classes)
    options = {"random_state": 3, "record": True, **memory}
    batches = in_batches(KernelPerceptron(**options), X, y, classes)

    model = KernelPerceptron(**options).declare(classes=range(classes))
    learn_all(model, map(DENSE_FORMS["list"], X), y.tolist())

    assert_same(model, batches)
    assert_array_equal(model.mistakes_, batches.mistakes_)
    scores = batches.decision_function(X[[7]])[0].tolist()
    assert model.score_one(X[7]) == (
        scores if classes == 2 else dict(zip(range(classes), scores, strict=True))
    )
    assert model.predict_one(X[7]) == batches.predict(X[[7]])[0]


@pytest.mark.parametrize(
    ("kernel", "form"),
    [*(("rbf", form) for form in SPARSE_FORMS), *((kernel, "arrays") for kernel in KERNELS)],
)
def test_a_loop_over_sparse_examples_is_partial_fit_of_each(kernel, form):
    X, y = real_numbers(count=40, width=12, classes=3)
    X = sparse.csr_array(np.where(np.abs(X) > 0.5, X, 0.0))
    batches = in_batches(KernelPerceptron(kernel=kernel, gamma=0.2), X, y, 3)

    model = KernelPerceptron(kernel=kernel, gamma=0.2).declare(classes=range(3))
    model._state = model._widened(model._state, X.shape[1])
    learn_all(model, (SPARSE_FORMS[form](*piece) for piece in pieces(X)), y.tolist())

    assert_same(model, batches)


@pytest.mark.parametrize("classes", CLASSES)
def test_a_linear_kernel_learns_the_weights_of_the_plain_twin(classes):
    X, y = whole_numbers(count=80, width=7, classes=classes)
    rows = reference.with_constant(X, 1.0)

    model = KernelPerceptron(kernel="linear").declare(classes=range(classes))
    learn_all(model, X, y.tolist())

    if classes == 2:
        path = reference.binary_path(rows, np.where(y == 1, 1.0, -1.0), reference.perceptron, 1)
        assert_array_equal(model.coef_[0], path[-1][:-1])
    else:
        path = reference.multiclass_path(rows, y, classes, reference.perceptron, 1)
        assert_array_equal(model.coef_, path[-1][:, :-1])


@pytest.mark.parametrize("memory", [*MEMORIES, {"budget": 12}], ids=str)
def test_names_and_labels_may_come_at_any_time(memory):
    """Supports had zeros for what came later, and no part in the race of later labels."""
    X, y = whole_numbers(count=90, width=15, classes=3)
    X[np.arange(15) > np.arange(90)[:, np.newaxis] // 3 + 2] = 0
    X[:, 0] = 1
    options = {"gamma": 0.1, "random_state": 0, **memory}
    told = KernelPerceptron(**options).declare(classes=range(3), names=names_of(range(15)))

    model = learn_all(KernelPerceptron(**options).declare(classes=range(3)), as_dicts(X), y)
    learn_all(told, as_dicts(X), y)

    assert sorted(model.feature_names_in_) == sorted(names_of(range(15)))
    assert_array_equal(model.support_, told.support_)
    assert_array_equal(model.dual_coef_, told.dual_coef_)
    for x in as_dicts(X[:9]):
        scores = model.score_one(x)
        assert_allclose(list(scores.values()), list(told.score_one(x).values()), atol=1e-9)
    late = learn_all(KernelPerceptron(**options), as_dicts(X[::-1]), y[::-1].tolist())
    assert late.classes_.tolist() == [0, 1, 2]
    assert late.t_ == 91


def test_the_first_label_just_counts_and_rows_are_counted_on():
    model = KernelPerceptron(gamma=1.0, ties="mistake")

    for x, y in [([1.0, 0.0], "a"), ([2.0, 0.0], "a"), ([-1.0, 0.0], "b"), ([-1.0, 1.0], "b")]:
        assert model.predict_one(x) in (None, "a", "b")
        model.learn_one(x, y)

    assert model.t_ == 5
    assert model.support_[0] == 2
    assert model.predict_one([-1.0, 0.0]) == "b"
    assert model.predict_one({}) in ("a", "b")


@pytest.mark.parametrize("declared", [False, True])
def test_what_has_seen_nothing_scores_nothing(declared):
    model = KernelPerceptron()
    if declared:
        model.declare(classes=["down", "up"], names=["a"])

    assert model.predict_one({"a": 1.0}) == ("down" if declared else None)
    assert model.score_one({"a": 1.0}) == 0.0


@pytest.mark.parametrize("classes", [["down", "up"], ["down", "level", "up"]], ids=len)
@pytest.mark.parametrize("vote", [False, True])
def test_what_was_only_declared_scores_nothing_in_tables_either(vote, classes):
    model = KernelPerceptron(vote=vote).declare(classes=classes, names=["a"])
    X = pandas.DataFrame({"a": [1.0, 2.0]})

    assert model.predict(X).tolist() == model.predict_many(X).tolist() == ["down", "down"]
    assert not model.decision_function(X).any()
    with pytest.raises(AttributeError, match="no gamma_ before it has learned"):
        _ = model.gamma_


@pytest.mark.parametrize(("x", "words"), NAMED_REFUSALS, ids=lambda part: str(part)[:40])
def test_what_others_refuse_is_refused_in_the_same_sentence(x, words):
    sentences, model = [], named()
    before = pickle.dumps(model)

    assert_refused(lambda: model.learn_one(x, "y"), words.replace("{model}", "KernelPerceptron"))

    assert pickle.dumps(model) == before
    for each in (model, named(AveragedPerceptron)):
        for call in (lambda: each.learn_one(x, "y"), lambda: each.predict_one(x)):  # noqa: B023
            try:
                call()
            except (TypeError, ValueError) as refused:
                sentences.append(str(refused).replace(type(each).__name__, ""))
            else:
                sentences.append("taken")
    assert sentences[:2] == sentences[2:]


@pytest.mark.parametrize(
    ("learn", "words"),
    [
        (lambda model: model.learn_one({"a": 1.0}, ["x"]), "label|1d"),
        (lambda model: model.learn_one({"new": 1.0}, 3), "cannot be sorted"),
        (lambda model: model.learn_one({"new": 1.0}, "x", -1.0), "w must be a finite number"),
        (lambda model: model.learn_one({"new": 1.0}, "w", "1"), "w must be a finite number"),
        (lambda model: model.learn_one({"new": 1e75}, "v"), "The kernel gave"),
    ],
    ids=["a list of labels", "another kind of label", "weight", "words as weight", "overflow"],
)
def test_a_call_that_is_refused_leaves_no_trace(learn, words):
    model = named(kernel="linear")
    before = pickle.dumps(model)

    assert_refused(lambda: learn(model), words)

    assert pickle.dumps(model) == before
    model.learn_one({"new": 1.0}, "v")


def test_values_that_a_kernel_knows_beforehand_come_in_no_single_examples():
    model = KernelPerceptron(kernel="precomputed")

    assert_refused(lambda: model.learn_one([1.0], "a"), "learn_one cannot learn with kernel")
    assert_refused(lambda: KernelPerceptron().learn_one({}, "a"), "x has no features")


def test_ctrl_c_at_any_line_leaves_a_model_that_can_go_on():
    x = {f"n{k}": 1.0 for k in range(5)}
    start = named(gamma=1.0)
    done = copy.deepcopy(start)
    done.learn_one(x, "new")

    for turn in itertools.count(1, 7):
        model = copy.deepcopy(start)
        try:
            with CtrlC(turn) as interrupt:
                model.learn_one(x, "new")
        except KeyboardInterrupt:
            pass
        if interrupt.lines < turn:
            break
        assert model.n_features_in_ == len(model.feature_names_in_)
        assert model.predict_one(x) in model.classes_.tolist()
        if model.t_ == start.t_:
            model.learn_one(x, "new")
        assert_same(model, done)
    assert turn > 500


def test_a_saved_model_goes_on_from_single_examples(tmp_path):
    X, y = real_numbers(count=60, width=6, classes=3)
    examples = list(as_dicts(X))
    model = KernelPerceptron(budget=9, random_state=0)
    learn_all(model, examples[:30], y[:30].tolist())
    save(model, tmp_path / "model.rbt")
    loaded = load(tmp_path / "model.rbt")

    for each in (model, loaded):
        learn_all(each, examples[30:], y[30:].tolist())

    assert_same(model, loaded)
    assert len(model.support_) == 9


def test_batches_and_single_examples_may_take_turns():
    X, y = real_numbers(count=60, width=6, classes=3)
    batches = KernelPerceptron(gamma=0.3)
    for start in (0, 20, 21, 40):
        stop = {0: 20, 20: 21, 21: 40, 40: 60}[start]
        batches.partial_fit(X[start:stop], y[start:stop], classes=range(3))
    model = KernelPerceptron(gamma=0.3).partial_fit(X[:20], y[:20], classes=range(3))

    model.learn_one(X[20], int(y[20]))
    model.partial_fit(X[21:40], y[21:40]).partial_fit(X[40:], y[40:])

    assert_same(model, batches)


@pytest.mark.parametrize("parameters", [{"budget": 200}, {"average": True}], ids=str)
def test_river_takes_it_into_pipelines(parameters):
    """Better than the linear member, as the data are curved."""
    model = KernelPerceptron(gamma=0.1, random_state=0, **parameters)
    pipeline = preprocessing.StandardScaler() | model

    accuracy = evaluate.progressive_val_score(
        datasets.Phishing().take(400), pipeline, metrics.Accuracy()
    )

    assert accuracy.get() > 0.8
    assert model.t_ == 401 or len(pipeline[type(model).__name__].classes_) == 2


def test_probabilities_come_from_scores_before_each_example():
    X, y = real_numbers(count=300, width=5)
    model = KernelPerceptron(gamma=0.2, budget=30, probabilities=True, random_state=0)

    learn_all(model.declare(classes=[0, 1]), X, y.tolist())

    shares = model.predict_proba_one(X[0])
    assert_allclose(sum(shares.values()), 1.0)
