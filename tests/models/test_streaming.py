"""Learning from one example at a time: the same as in batches, bit for bit."""

import copy
import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone

from data import real_numbers
from members import assert_same_model, weights_of
from rosenblatt import AROW, AveragedPerceptron, PassiveAggressiveClassifier, Perceptron
from streams import DENSE_FORMS, SPARSE_FORMS, as_dicts, learn_all, names_of, pieces

CLASSES = [2, 3, 30]


def problem(classes, count=90, width=40):
    X, y = real_numbers(count=count, width=width, classes=classes)
    return X, y, sparse.csr_array(X)


@pytest.mark.parametrize("classes", CLASSES)
def test_a_loop_over_rows_is_partial_fit_and_one_pass_of_fit(stream_member, classes):
    """SPEC K5, C3: a run cut in pieces is the run."""
    X, y, _ = problem(classes)
    passed = stream_member.new(shuffle=False, max_iter=1).fit(X, y)
    batches = stream_member.new().partial_fit(X, y, classes=range(classes))

    model = learn_all(stream_member.new().declare(classes=range(classes)), X, y)

    assert_same_model(model, passed)
    assert_same_model(model, batches)


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("form", SPARSE_FORMS)
def test_a_loop_over_sparse_examples_is_one_pass_of_fit(stream_member, classes, form):
    _, y, X = problem(classes)
    passed = stream_member.new(shuffle=False, max_iter=1).fit(X, y)

    model = stream_member.new().declare(classes=range(classes))
    learn_all(model, (SPARSE_FORMS[form](*piece) for piece in pieces(X)), y)

    assert_same_model(model, passed)


@pytest.mark.parametrize("classes", CLASSES)
def test_a_loop_over_dicts_is_one_pass_of_fit(stream_member, classes):
    _, y, X = problem(classes)
    passed = stream_member.new(shuffle=False, max_iter=1).fit(X, y)

    model = stream_member.new().declare(classes=range(classes), names=names_of(range(X.shape[1])))
    learn_all(model, as_dicts(X), y)

    assert_same_model(model, passed)


@pytest.mark.parametrize("classes", CLASSES)
def test_names_may_come_at_any_time(stream_member, classes):
    """A late feature had zero weight before, so averages stay exact."""
    _, y, X = problem(classes, count=300, width=60)
    X.data[X.indices > np.repeat(np.arange(300), np.diff(X.indptr)) + 5] = 0.0
    X.eliminate_zeros()

    model = learn_all(stream_member.new().declare(classes=range(classes)), as_dicts(X), y)

    columns = [int(name.split()[1]) for name in model.feature_names_in_]
    in_order_of_arrival = sparse.csr_array(X[:, columns])
    in_order_of_arrival.sort_indices()
    passed = stream_member.new(shuffle=False, max_iter=1).fit(in_order_of_arrival, y)
    assert_same_model(model, passed)
    assert model.n_features_in_ == len(columns) == model.coef_.shape[1]


def test_column_numbers_may_come_at_any_time(stream_member):
    """Rows of a triangle: each names a column further out."""
    X = sparse.csr_array(np.tril(np.random.default_rng(0).normal(size=(200, 200))))
    y = np.arange(200) % 3

    model = learn_all(stream_member.new().declare(classes=range(3)), pieces(X), y)

    assert_same_model(model, stream_member.new(shuffle=False, max_iter=1).fit(X, y))
    assert model.n_features_in_ == 200


@pytest.mark.parametrize("labels", [["b", "a", "c", "d", "e"], [7, 3, 5], [True, False]])
def test_labels_may_come_at_any_time(stream_member, labels):
    """Each joins the race when it is first met, as with partial_fit(classes=...)."""
    X, codes, _ = problem(len(labels))
    codes = np.maximum.accumulate(np.minimum(codes, np.arange(len(codes)) // 10))
    codes[30:] = np.random.default_rng(1).permutation(codes[30:])
    y = np.array(labels)[codes].tolist()
    start = next(k for k, label in enumerate(y) if label != y[0])

    model = learn_all(stream_member.new(), X, y)

    twin = stream_member.new().declare(classes=y[:1])
    for x in X[:start]:
        twin.learn_one(x, y[0])
    known = {y[0]}
    for x, label in zip(X[start:], y[start:], strict=True):
        known.add(label)
        twin.partial_fit(x[np.newaxis], [label], classes=sorted(known))
    assert_same_model(model, twin)
    assert model.classes_.tolist() == sorted(labels)


def test_while_there_is_one_class_examples_only_count(stream_member):
    model = learn_all(stream_member.new(), [{0: 1.0}, {1: 2.0}], ["ham", "ham"])

    assert model.predict_one({0: 5.0}) == "ham"
    assert model.score_one({0: 5.0}) == 0.0
    assert model.predict([[1.0, 1.0]]).tolist() == ["ham"]
    assert model.classes_.tolist() == ["ham"]
    assert not weights_of(model).any()
    assert (model.t_, model.n_updates_) == (3, 0)
    with pytest.raises(ValueError, match="needs two"):
        model.partial_fit([[1.0, 1.0]], ["ham"])


def test_a_batch_may_name_the_classes_that_single_examples_lacked(stream_member):
    model = stream_member.new()
    model.learn_one([1.0, 2.0], "b")

    model.partial_fit([[3.0, 4.0]], ["b"], classes=["a", "b", "c"])

    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.t_ == 3
    assert model.n_updates_ == 1


@pytest.mark.parametrize("classes", CLASSES)
def test_one_prediction_is_that_of_a_batch(stream_member, classes):
    X, y, rows = problem(classes)
    model = stream_member.new(random_state=0).fit(X, y)

    for matrix, examples in ((X, X), (rows, list(pieces(rows)))):
        scores = model.decision_function(matrix)
        assert [model.predict_one(x) for x in examples] == model.predict(matrix).tolist()
        alone = [model.score_one(x) for x in examples]
        if classes > 2:
            assert all(list(score) == list(range(classes)) for score in alone)
            alone = [list(score.values()) for score in alone]
        assert_array_equal(alone, scores)


def test_predictions_between_steps_change_nothing(stream_member):
    _, y, X = problem(3)
    model, quiet = (stream_member.new().declare(classes=range(3)) for _ in range(2))

    for x, label in zip(as_dicts(X), y, strict=True):
        model.predict_one(x)
        model.score_one({"unheard of": 1.0})
        model.learn_one(x, label)
        quiet.learn_one(x, label)

    assert_same_model(model, quiet)
    assert model.feature_names_in_.tolist() == quiet.feature_names_in_.tolist()


def test_names_never_seen_are_left_out_of_a_prediction(stream_member):
    _, y, X = problem(3)
    model = learn_all(stream_member.new(), as_dicts(X), y)
    x = next(as_dicts(X))

    assert model.score_one(x | {"new": 5.0}) == model.score_one(x)
    assert model.predict_one(x | {"new": 5.0}) == model.predict_one(x)
    assert model.score_one({"new": 5.0}) == model.score_one({})
    if not stream_member.votes:
        assert model.score_one({}) == dict(zip(range(3), model.intercept_.tolist(), strict=True))


def test_before_any_label_nothing_is_predicted(stream_member):
    model = stream_member.new()

    assert model.predict_one({"a": 1.0}) is None
    assert model.score_one({"a": 1.0}) == 0.0


@pytest.mark.parametrize(
    "parameters",
    [
        {"unit_length": True},
        {"ties": "predict"},
        {"fit_intercept": False},
        {"class_weight": {0: 2.0, 2: 0.5}},
    ],
    ids=str,
)
def test_parameters_mean_what_they_mean_in_a_batch(stream_member, parameters):
    X, y, rows = problem(3)

    for examples, matrix in ((X, X), (pieces(rows), rows)):
        model = learn_all(stream_member.new(**parameters).declare(classes=range(3)), examples, y)
        batch = stream_member.new(**parameters).partial_fit(matrix, y, classes=range(3))
        assert_same_model(model, batch)


def test_w_is_the_sample_weight(stream_member):
    X, y, _ = problem(3)
    weights = np.random.default_rng(2).integers(4, size=len(y)) / 2

    model = stream_member.new().declare(classes=range(3))
    for x, label, w in zip(X, y, weights, strict=True):
        model.learn_one(x, label, w=w)

    batch = stream_member.new().partial_fit(X, y, classes=range(3), sample_weight=weights)
    assert_same_model(model, batch)


def test_every_update_is_recorded(stream_member):
    X, y, _ = problem(3, count=400)

    model = learn_all(stream_member.new(record=True).declare(classes=range(3)), X[:300], y[:300])
    model.partial_fit(X[300:350], y[300:350])
    learn_all(model, X[350:], y[350:])

    batch = stream_member.new(record=True).partial_fit(X, y, classes=range(3))
    for part in ("t", "rival", "step"):
        assert_array_equal(model.mistakes_[part], batch.mistakes_[part])
    alone = (model.mistakes_["t"] <= 300) | (model.mistakes_["t"] > 350)
    assert not model.mistakes_["example"][alone].any()


def test_batches_and_single_examples_take_turns(stream_member):
    _, y, X = problem(3, count=120)
    model = stream_member.new().declare(classes=range(3))
    learn_all(model, pieces(X[:40]), y[:40])
    model.learn_one([(39, 0.0)], y[40])  # names the last column, so that batches fit

    model.partial_fit(X[40:80], y[40:80])
    learn_all(model, pieces(X[80:]), y[80:])

    padded = sparse.vstack([X[:40], sparse.csr_array((1, 40)), X[40:]]).tocsr()
    labels = np.insert(y, 40, y[40])
    assert_same_model(model, stream_member.new().partial_fit(padded, labels, classes=range(3)))


@pytest.mark.parametrize("keep", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_a_kept_model_goes_on_exactly(stream_member, keep):
    _, y, X = problem(3)
    examples = list(as_dicts(X))

    model = learn_all(stream_member.new(), examples[:50], y[:50])
    kept = keep(model)
    learn_all(model, examples[50:], y[50:])

    assert kept.t_ == 51
    learn_all(kept, examples[50:], y[50:])
    assert_same_model(kept, model)
    assert kept.feature_names_in_.tolist() == model.feature_names_in_.tolist()


def test_a_model_that_was_not_kept_ready_says_the_same_when_pickled(stream_member):
    _, y, X = problem(3)
    model = learn_all(stream_member.new(random_state=0), as_dicts(X), y)
    before = pickle.dumps(model)

    model.predict_one({"feature 1": 1.0})

    assert pickle.dumps(model) == before


def test_fit_starts_afresh_and_clone_forgets(stream_member):
    X, y, rows = problem(3)
    model = learn_all(stream_member.new(random_state=0), as_dicts(rows), y)

    assert clone(model).predict_one({"feature 1": 1.0}) is None
    model.fit(X, y)

    assert not hasattr(model, "feature_names_in_")
    assert_same_model(model, stream_member.new(random_state=0).fit(X, y))


def test_parameters_may_change_between_examples():
    X, y, _ = problem(2)
    model = learn_all(PassiveAggressiveClassifier(C=1.0).declare(classes=[0, 1]), X[:45], y[:45])

    learn_all(model.set_params(C=0.01), X[45:], y[45:])

    twin = PassiveAggressiveClassifier(C=1.0).partial_fit(X[:45], y[:45], classes=[0, 1])
    assert_same_model(model, twin.set_params(C=0.01).partial_fit(X[45:], y[45:]))


@pytest.mark.parametrize("form", DENSE_FORMS)
def test_rows_may_be_arrays_lists_or_tuples(form):
    X, y, _ = problem(3)

    model = learn_all(AveragedPerceptron().declare(classes=range(3)), map(DENSE_FORMS[form], X), y)

    assert_same_model(model, AveragedPerceptron().partial_fit(X, y, classes=range(3)))


def test_duplicate_pairs_are_summed():
    model, twin = Perceptron().declare(classes=[0, 1]), Perceptron().declare(classes=[0, 1])

    model.learn_one([("b", 1.0), ("a", 2.0), ("b", 3.0)], 1)
    twin.learn_one([("b", 4.0), ("a", 2.0)], 1)

    assert_same_model(model, twin)


def test_a_stream_of_many_names_is_learned_exactly():
    """More names than the cache of names starts with, shared and made anew."""
    rng = np.random.default_rng(3)
    X = sparse.random_array((3000, 2000), density=0.01, format="csr", rng=rng)
    y = rng.integers(2, size=3000)
    shared = names_of(range(2000))

    model = AveragedPerceptron().declare(classes=[0, 1], names=shared)
    learn_all(model, as_dicts(X[:2000], lambda columns: [shared[c] for c in columns]), y[:2000])
    learn_all(model, as_dicts(X[2000:]), y[2000:])

    assert_same_model(model, AveragedPerceptron(shuffle=False, max_iter=1).fit(X, y))


@pytest.mark.parametrize("classes", CLASSES)
def test_how_sure_the_weights_are_is_the_same_as_in_a_batch(classes):
    _, y, X = problem(classes)
    batch = AROW().partial_fit(X, y, classes=range(classes))

    model = learn_all(AROW().declare(classes=range(classes)), pieces(X), y)

    assert_array_equal(model.variances_, batch.variances_)


def test_the_margin_stays_below_what_single_steps_have_shown():
    """C25: the upper bound is the length of the weights over the sum of the steps."""
    X, y, _ = problem(3)

    model = learn_all(PassiveAggressiveClassifier().declare(classes=range(3)), X, y)

    batch = PassiveAggressiveClassifier().partial_fit(X, y, classes=range(3))
    assert model.bracket_ == batch.bracket_
    assert np.isfinite(model.bracket_.upper)
