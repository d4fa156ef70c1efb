"""Winnow and the voted perceptron from single examples."""

import copy
import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from interrupts import CtrlC
from refusals import assert_refused
from rosenblatt import AveragedPerceptron, VotedPerceptron, Winnow
from streams import SPARSE_FORMS, as_dicts, learn_all, names_of, pieces

KINDS = [
    Winnow(),
    Winnow(threshold=3.0),
    Winnow(average=True),
    Winnow(balanced=True),
    Winnow(balanced=True, average=True, factor=1.3),
    VotedPerceptron(),
]


def presence(seed=0, classes=2, count=80, width=12):
    """Features of 0 or 1, and labels that no disjunction tells."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, size=(count, width)).astype(float), rng.integers(0, classes, count)


def new(kind, **parameters):
    return type(kind)(**{**kind.get_params(), **parameters})


def assert_same_weights(model, other):
    assert_array_equal(model.coef_, other.coef_)
    assert_array_equal(model.intercept_, other.intercept_)
    assert (model.t_, model.n_updates_) == (other.t_, other.n_updates_)


def assert_same_answers(model, other, X):
    assert_same_weights(model, other)
    assert_array_equal(model.decision_function(X), other.decision_function(X))


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_loop_over_declared_names_is_partial_fit_and_one_pass_of_fit(kind):
    X, y = presence()
    rows = sparse.csr_array(X)
    names = names_of(range(X.shape[1]))

    model = new(kind).declare(classes=[0, 1], names=names)
    learn_all(model, as_dicts(rows), y)

    assert model.feature_names_in_.tolist() == names
    scores = [model.score_one(x) for x in as_dicts(rows)]
    for other in (
        new(kind).partial_fit(rows, y, classes=[0, 1]),
        new(kind, shuffle=False, max_iter=1).fit(rows, y),
    ):
        assert_same_weights(model, other)
        assert scores == other.decision_function(rows).tolist()


@pytest.mark.parametrize("form", SPARSE_FORMS)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_form_of_an_example_means_the_same(kind, form):
    X, y = presence(count=30)
    rows = sparse.csr_array(X)
    model = new(kind).partial_fit(rows[:1], y[:1], classes=[0, 1])

    learn_all(model, (SPARSE_FORMS[form](*piece) for piece in list(pieces(rows))[1:]), y[1:])

    assert_same_answers(model, new(kind).partial_fit(rows, y, classes=[0, 1]), rows)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_rows_are_learned_and_predicted_as_tables_are(kind):
    X, y = presence()
    model = learn_all(new(kind).declare(classes=[0, 1]), X, y)
    batch = new(kind).partial_fit(X, y, classes=[0, 1])

    assert_same_answers(model, batch, X)
    assert [model.predict_one(x) for x in X] == batch.predict(X).tolist()
    assert [model.score_one(x) for x in X] == batch.decision_function(X).tolist()


@pytest.mark.parametrize("record", [False, True])
@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_tables_of_one_row_are_learned_the_same_both_ways(kind, form, record):
    X, y = presence()
    short, long = (
        new(kind, record=record).partial_fit(form(X[:1]), y[:1], classes=[0, 1]) for _ in range(2)
    )

    for i in range(1, len(X)):
        short.partial_fit(form(X[i : i + 1]), y[i : i + 1])
        long.partial_fit(form(X[i : i + 1]), y[i : i + 1], sample_weight=[1.0])

    assert "_ready" in vars(short)
    assert_same_answers(short, long, X)
    if record:
        assert_array_equal(short.mistakes_, long.mistakes_)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_update_is_recorded(kind):
    X, y = presence(count=300)

    model = learn_all(new(kind, record=True).declare(classes=[0, 1]), X, y)

    batch = new(kind, record=True).partial_fit(X, y, classes=[0, 1])
    for part in ("t", "rival", "step"):
        assert_array_equal(model.mistakes_[part], batch.mistakes_[part])


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_kept_model_goes_on_exactly(kind):
    X, y = presence()
    examples = list(as_dicts(X))
    model = learn_all(new(kind), examples[:40], y[:40])

    kept = pickle.loads(pickle.dumps(model))
    learn_all(model, examples[40:], y[40:])
    learn_all(kept, examples[40:], y[40:])

    assert_same_weights(kept, model)
    assert [kept.score_one(x) for x in examples] == [model.score_one(x) for x in examples]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_before_there_are_two_classes_nothing_is_scored(kind):
    model = new(kind)
    assert model.predict_one({"a": 1.0}) is None

    model.learn_one({"a": 1.0}, "ham")

    assert model.predict_one({"a": 1.0}) == "ham"
    assert model.score_one({"a": 1.0}) == 0.0
    assert model.t_ == 2


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_ctrl_c_at_any_line_leaves_a_model_that_can_go_on(kind):
    """New names, a new label and more room than there is, all in one example."""
    x = {f"n{k}": 1.0 for k in range(20)}
    start = learn_all(new(kind, record=True), [{"a": 1.0, "b": 1.0}, {"a": 1.0}], [1, 1])
    done = learn_all(copy.deepcopy(start), [x], [0])

    for turn in itertools.count(1):
        model = copy.deepcopy(start)
        try:
            with CtrlC(turn) as interrupt:
                model.learn_one(x, 0)
        except KeyboardInterrupt:
            pass
        if interrupt.lines < turn:
            break
        assert model.n_features_in_ == len(model.feature_names_in_) == model.coef_.shape[1]
        assert model.predict_one(x) in model.classes_.tolist()
        if model.t_ == start.t_:
            model.learn_one(x, 0)
        assert_same_weights(model, done)
        assert model.score_one(x) == done.score_one(x)
        assert_array_equal(model.mistakes_, done.mistakes_)
    assert turn > 50


def test_winnow_may_be_told_of_three_classes_before_it_learns():
    X, y = presence(classes=3)

    model = learn_all(Winnow().declare(classes=[0, 1, 2]), X, y)

    assert_same_answers(model, Winnow().partial_fit(X, y, classes=[0, 1, 2]), X)


@pytest.mark.parametrize("kind", [Winnow(balanced=True), VotedPerceptron()], ids=str)
def test_labels_and_names_arrive_at_will(kind):
    X, y = presence(classes=4)
    examples = [{f"f{k}": 1.0 for k in np.flatnonzero(x)} for x in X]

    model = learn_all(new(kind), examples, y)

    assert model.classes_.tolist() == [0, 1, 2, 3]
    assert model.n_features_in_ == X.shape[1]
    table = pd.DataFrame(X, columns=[f"f{k}" for k in range(X.shape[1])])[model.feature_names_in_]
    assert [model.predict_one(x) for x in examples] == model.predict(table).tolist()
    assert model.predict_one({"f0": 1.0, "never seen": 1.0}) == model.predict_one({"f0": 1.0})
    scores = dict(zip(model.classes_.tolist(), model.decision_function(table)[0], strict=True))
    assert model.score_one(examples[0]) == scores


def test_the_threshold_of_winnow_is_the_number_of_names_so_far():
    model = Winnow().declare(classes=[0, 1])

    model.learn_one({"a": 1.0, "b": 1.0}, 1)
    assert model.intercept_ == -2

    model.learn_one({"c": 1.0, "d": 1.0, "e": 0.0}, 0)
    assert model.intercept_ == -5
    assert_array_equal(model.coef_, [[1, 1, 1, 1, 1]])

    model.learn_one({"a": 1.0}, 1)
    assert_array_equal(model.coef_, [[2, 1, 1, 1, 1]])
    assert model.intercept_ == -5


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("balanced", [False, True])
def test_new_names_weigh_one_however_many_have_come(average, balanced):
    """Where there is just room for them as well; what weighs one is scaled with all others."""
    new_model = Winnow(factor=1e40, average=average, balanced=balanced).declare(classes=[0, 1])
    model, twin = new_model, copy.deepcopy(new_model)
    rng = np.random.default_rng(0)
    names = names_of(range(60))

    for t in range(120):
        known = names[: 1 + t // 2]
        x = dict.fromkeys(rng.permutation(known)[:3].tolist(), 1.0) | {known[-1]: 1.0}
        y = int(rng.integers(2))
        model.learn_one(x, y)
        twin.declare(names=known).learn_one(x, y)

    assert model.feature_names_in_.tolist() == names
    assert_array_equal(model._state.weights.values, twin._state.weights.values)
    assert_same_weights(model, twin)
    assert model.n_updates_ > 20


def test_a_mean_threshold_is_the_mean_of_the_numbers_of_names():
    model = Winnow(average=True).declare(classes=[0, 1], names=["a", "b", "c"])
    model.learn_one({"a": 1.0}, 0)  # right, as one is below three
    model.learn_one({"d": 1.0}, 0)

    assert model.intercept_ == -(3 + 3 + 4) / 3


def test_a_sum_that_just_reaches_the_threshold_is_positive():
    model = Winnow().declare(classes=["no", "yes"], names=["a", "b"])
    x = {"a": 1.0, "b": 1.0}

    assert model.score_one(x) == np.nextafter(0.0, 1.0)
    assert model.predict_one(x) == "yes"
    assert model.predict_one({"a": 1.0}) == "no"


def test_a_threshold_that_is_given_stays():
    model = Winnow(threshold=1.5)

    learn_all(model, [{"a": 1.0}, {"b": 1.0}, {"a": 1.0}], [1, 0, 1])

    assert model.intercept_ == -1.5
    assert_array_equal(model.coef_, [[2, 1]])


def test_what_cannot_be_learned_leaves_no_trace():
    model = learn_all(Winnow(binarize=None), [{"a": 1.0}, {"b": 1.0}], [1, 0])
    before = model.coef_.copy()

    for x, y, message in [
        ({"c": 2.0}, 1, "Winnow needs features of 0 or 1, got 2"),
        ({"c": float("nan")}, 1, "x holds NaN for 'c'"),
        ({"c": 1.0}, 2, "no third can be added"),
        ([1.0, 0.0, 1.0], 1, "x has 3 features, but Winnow is expecting 2"),
    ]:
        with pytest.raises(ValueError, match=message):
            model.learn_one(x, y)
    with pytest.raises(ValueError, match="w must be a finite number of zero or more, got w=-1"):
        model.learn_one({"a": 1.0}, 1, w=-1)

    assert model.feature_names_in_.tolist() == ["a", "b"]
    assert_array_equal(model.coef_, before)
    assert model.t_ == 3


@pytest.mark.parametrize("average", [False, True])
def test_a_step_that_is_too_large_takes_its_names_and_their_threshold_back(average):
    model = learn_all(Winnow(average=average, random_state=0), [{"a": 1.0}, {"b": 1.0}], [1, 0])
    model.learn_one({"a": 1.0}, 1, w=0.3)
    model.set_params(class_weight={1: 1e75})
    before = pickle.dumps(model)

    assert_refused(lambda: model.learn_one({"c": 1.0, "d": 1.0}, 1, w=1e75), "grew too large")

    assert pickle.dumps(model) == before


def test_values_are_made_present_or_absent_if_asked():
    model = Winnow(binarize=0.5)

    learn_all(model, [{"a": 7.0}, {"b": 3.0, "a": 0.2}], ["yes", "no"])

    assert model.predict_one({"a": 2.0, "b": 1.0}) == "yes"


def test_values_named_twice_are_summed_before_they_are_looked_at():
    model = Winnow(binarize=None).declare(classes=[0, 1])

    model.learn_one([("a", 0.5), ("b", 1.0), ("a", 0.5)], 1)

    assert model.n_updates_ == 0
    pairs = [("a", 1.0), ("b", 1.0), ("a", 1.0)]
    assert_refused(lambda: model.learn_one(pairs, 1), "of 0 or 1, got 2 for 'a'")
    assert_refused(lambda: model.score_one([1.0, 3.0]), "of 0 or 1, got 3 for 'b'")
    strict = Winnow(binarize=None)
    assert_refused(lambda: strict.learn_one({2: 0.5}, 1), "of 0 or 1, got 0.5 in column 2")


def test_what_an_example_leaves_out_cannot_count_as_present():
    model = Winnow(binarize=-1.0).declare(classes=[0, 1])
    model.learn_one([-2.0, 0.0], 1)

    assert_array_equal(model.coef_, [[1, 2]])
    assert_refused(
        lambda: model.learn_one({0: -2.0}, 1), "binarize=-1.0 would turn what x leaves out"
    )
    assert_refused(
        lambda: model.predict_one({0: -2.0}), "binarize=-1.0 would turn what x leaves out"
    )


def test_the_averaged_sibling_is_told_after_single_examples():
    X, y = presence()

    model = learn_all(VotedPerceptron().declare(classes=[0, 1]), X, y)

    sibling = learn_all(AveragedPerceptron().declare(classes=[0, 1]), X, y)
    assert_array_equal(model.average_.coef_, sibling.coef_)


def test_more_features_than_votes_can_number_are_refused_without_a_trace():
    model = VotedPerceptron(random_state=0).partial_fit([[1.0], [2.0]], [0, 1], classes=[0, 1])
    before = pickle.dumps(model)

    assert_refused(lambda: model.learn_one({2**31: 1.0}, 0), "features in 4 bytes")

    assert pickle.dumps(model) == before
