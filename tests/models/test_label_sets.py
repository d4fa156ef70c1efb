"""Several labels for an example: one race between the weakest right and the strongest wrong one."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.metrics import f1_score, label_ranking_average_precision_score

import reference
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    InputError,
    KernelPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    Predictor,
    VotedPerceptron,
    Winnow,
    load,
    save,
)
from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.training.thresholds import Thresholds
from rosenblatt.training.weights import Weights

MEMBERS = [
    Perceptron(random_state=0),
    AveragedPerceptron(random_state=0),
    PassiveAggressiveClassifier(C=0.1, average=True, random_state=0),
    AROW(random_state=0),
]


def examples(labels=4, rows=200, seed=0):
    """Each label has weights of its own, so that some rows have none and some have all."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, size=(rows, 6)).astype(float)
    Y = (X @ rng.integers(-2, 3, size=(6, labels)) > 2).astype(int)
    return X, Y


def names_of(Y):
    return [{"abcdefgh"[k] for k in np.flatnonzero(row)} for row in Y]


@pytest.mark.parametrize("labels", [2, 3, 5])
def test_it_walks_through_the_weights_of_its_twin(labels):
    X, Y = examples(labels)
    sets = [set(np.flatnonzero(row).tolist()) for row in Y]
    path = reference.label_sets_path(
        reference.with_constant(X, 1.0), sets, labels, reference.perceptron, passes=3
    )

    last = Perceptron(shuffle=False, max_iter=3).fit(X, Y)
    mean = AveragedPerceptron(shuffle=False, max_iter=3).fit(X, Y)

    np.testing.assert_array_equal(np.c_[last.coef_, last.intercept_], path[-1])
    np.testing.assert_allclose(np.c_[mean.coef_, mean.intercept_], path.mean(axis=0), rtol=1e-12)


@pytest.mark.parametrize("model", MEMBERS, ids=repr)
def test_sets_of_one_label_each_are_as_classes(model):
    X, _ = examples()
    y = np.random.default_rng(1).integers(0, 3, len(X))

    sets = pickle.loads(pickle.dumps(model)).fit(X, [{label} for label in y.tolist()])
    classes = pickle.loads(pickle.dumps(model)).fit(X, y)

    np.testing.assert_array_equal(sets.coef_, classes.coef_)
    np.testing.assert_array_equal(sets.decision_function(X), classes.decision_function(X))


@pytest.mark.parametrize("model", MEMBERS, ids=repr)
def test_matrices_frames_lists_and_sets_of_labels_say_the_same(model):
    X, Y = examples()
    forms = [Y, Y.astype(bool), Y.astype(float), sparse.csr_array(Y), pd.DataFrame(Y), Y.tolist()]

    scores = [model.fit(X, form).decision_function(X) for form in forms]
    predicted = model.predict(X)
    named = model.fit(X, names_of(Y))

    for other in scores:
        np.testing.assert_array_equal(other, named.decision_function(X))
    assert predicted.shape == Y.shape
    assert named.predict(X) == names_of(predicted)
    assert named.classes_.tolist() == list("abcd")


def test_dense_and_sparse_rows_and_batches_in_order_give_the_same():
    X, Y = examples()
    whole = AveragedPerceptron(shuffle=False, max_iter=1).fit(X, Y)
    batches = AveragedPerceptron()
    for start in range(0, len(X), 33):
        part = slice(start, start + 33)
        batches.partial_fit(sparse.csr_array(X[part]), Y[part], classes=range(4))

    np.testing.assert_array_equal(batches.coef_, whole.coef_)


def test_labels_learned_from_text_like_data_are_ranked_and_given_well():
    X, Y = examples(labels=6, rows=2000)
    model = PassiveAggressiveClassifier(C=0.1, average=True, random_state=0).fit(X[:1500], Y[:1500])

    assert label_ranking_average_precision_score(Y[1500:], model.decision_function(X[1500:])) > 0.95
    assert f1_score(Y[1500:], model.predict(X[1500:]), average="micro") > 0.85
    top = model.predict(X[1500:], top=2)
    assert top.shape == (500, 2)
    np.testing.assert_array_equal(top[:, 0], model.decision_function(X[1500:]).argmax(axis=1))


def test_thresholds_are_the_best_on_rows_held_out():
    X, Y = examples(rows=600)
    model = AveragedPerceptron(random_state=0).fit(X[:400], Y[:400], X_val=X[400:], y_val=Y[400:])
    scores = model.decision_function(X[400:])

    given = model.predict(X[400:])

    for label in range(4):
        for cut in np.unique(scores[:, label]):
            other = given.copy()
            other[:, label] = scores[:, label] >= cut
            assert both_f1(Y[400:], other) < both_f1(Y[400:], given) + 0.01


def both_f1(right, given):
    """That of all labels together and the mean of that of each."""
    averages = (f1_score(right, given, average=each) for each in ("micro", "macro"))
    return sum(averages) / 2


def test_thresholds_weigh_frequent_labels_and_rare_ones():
    """A frequent label that cannot be told is not given to all, as its own F1 would have it."""
    rng = np.random.default_rng(0)
    right = np.c_[rng.random((2000, 1)) < 0.3, rng.random((2000, 3)) < 0.2]
    scores = np.c_[rng.normal(size=(2000, 1)), right[:, 1:] + 0.1 * rng.normal(size=(2000, 3))]
    sets = LabelSets.of(right, np.arange(4), as_indicator=True)

    given = Thresholds.best(scores, sets).sets(scores, np.arange(4)).indicator()

    own = np.c_[np.ones(2000), right[:, 1:]]  # best for each label by itself
    assert both_f1(right, given) > both_f1(right, own)
    assert given[:, 0].mean() < 0.9


def test_probabilities_of_labels_are_each_their_own_and_change_no_weight():
    X, Y = examples(rows=1000)
    plain = AveragedPerceptron(random_state=0).fit(X, Y)
    model = AveragedPerceptron(random_state=0, probabilities=True).fit(X, Y)
    probabilities = model.predict_proba(X)

    np.testing.assert_array_equal(plain.coef_, model.coef_)
    assert probabilities.shape == Y.shape
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    assert abs(probabilities.mean(axis=0) - Y.mean(axis=0)).max() < 0.05
    order = np.argsort(model.decision_function(X), axis=0)
    assert (np.diff(np.take_along_axis(probabilities, order, axis=0), axis=0) >= 0).all()
    np.testing.assert_array_equal(model.predict(X, threshold=0.7), probabilities >= 0.7)
    for wrong in (0, 1.1, "most"):
        with pytest.raises(ValueError, match="threshold must lie above 0 and be at most 1, or be"):
            model.predict(X, threshold=wrong)
    certain = model.predict(X, threshold={2: 0.9})
    np.testing.assert_array_equal(certain[:, 2], probabilities[:, 2] >= 0.9)
    np.testing.assert_array_equal(certain[:, :2], model.predict(X)[:, :2])


def test_the_best_pass_is_kept_by_the_ranking_of_rows_held_out():
    X, Y = examples(rows=800)
    model = AveragedPerceptron(early_stopping=True, max_iter=30, random_state=0)
    model.fit(X[:600], Y[:600], X_val=X[600:], y_val=Y[600:])

    error = 1 - label_ranking_average_precision_score(Y[600:], model.decision_function(X[600:]))

    best = min(each.validation_error for each in model.history_)
    some = Y[600:].any(axis=1)  # rows without labels lose nothing
    assert best == pytest.approx(model.history_[model.best_iter_ - 1].validation_error)
    assert best == pytest.approx(error, abs=1e-12) or not some.all()


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("model", MEMBERS, ids=repr)
def test_files_keep_all_and_go_on_exactly(model, named, tmp_path):
    X, Y = examples()
    y = names_of(Y) if named else Y
    model = pickle.loads(pickle.dumps(model)).set_params(probabilities=True).fit(X, y)
    save(model, tmp_path / "a.rbt")

    loaded, predictor = load(tmp_path / "a.rbt"), Predictor.load(tmp_path / "a.rbt")

    for other in (loaded, predictor, pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
        np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
        np.testing.assert_array_equal(other.predict(X, top=2), model.predict(X, top=2))
    model.partial_fit(X, y)
    np.testing.assert_array_equal(loaded.partial_fit(X, y).coef_, model.coef_)
    labels = predictor.judge(X).labels
    assert [set(each) for each in labels] == (
        predictor.predict(X) if named else [set(np.flatnonzero(r)) for r in predictor.predict(X)]
    )


def test_a_label_may_come_late():
    X, Y = examples()
    model = AveragedPerceptron().partial_fit(X, names_of(Y), classes=list("abcd"))
    before = model.decision_function(X)

    model.partial_fit(X[:1], [{"z"}], classes=list("abcdz"))

    assert model.classes_.tolist() == list("abcdz")
    assert model.decision_function(X).shape == (len(X), 5)
    assert np.abs(model.decision_function(X)[:, :4] - before).max() < 1


def test_right_labels_count_for_the_score():
    X, Y = examples()
    model = AveragedPerceptron(random_state=0).fit(X, Y)

    assert model.score(X, Y) == (model.predict(X) == Y).all(axis=1).mean()
    named = AveragedPerceptron(random_state=0).fit(X, names_of(Y))
    assert named.score(X, names_of(Y)) == model.score(X, Y)


@pytest.mark.parametrize("model", [Winnow(), VotedPerceptron(), KernelPerceptron()], ids=repr)
def test_members_that_learn_one_label_say_so(model):
    X, Y = examples()

    with pytest.raises(ValueError, match="learns one label for each example, but y holds several"):
        model.fit(X, Y)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (lambda Y: Y * 2, "y must hold zeros and ones where it has a column for each label, got 2"),
        (lambda Y: [set() for _ in Y], "needs labels of at least two classes, got 0 classes"),
        (lambda Y: names_of(Y)[1:], "X has 200 rows but y has the labels of 199 examples"),
        (lambda Y: [{"a", 1} for _ in Y], "y must hold labels of one type, got {"),
        (lambda Y: [{None, "a"} for _ in Y], "y must hold labels of one type, got {"),
        (lambda Y: [{0.5, np.nan} for _ in Y], "labels"),
    ],
)
def test_labels_that_cannot_be_are_refused_and_nothing_is_learned(y, message):
    X, Y = examples()
    model = AveragedPerceptron()

    with pytest.raises(ValueError, match=message):
        model.fit(X, y(Y))

    assert not hasattr(model, "classes_")


def test_sets_and_single_labels_do_not_mix():
    X, Y = examples()
    sets = AveragedPerceptron().fit(X, names_of(Y))
    single = AveragedPerceptron().fit(X, Y[:, 0])

    with pytest.raises(ValueError, match="has learned sets of labels, but y holds one label for"):
        sets.partial_fit(X, Y[:, 0])
    with pytest.raises(ValueError, match="has learned one label for each example, but y holds set"):
        single.partial_fit(X, Y)
    with pytest.raises(ValueError, match="holds the label 'z', which is not among the classes"):
        sets.partial_fit(X[:1], [{"z"}])
    with pytest.raises(ValueError, match="abstain_below is for one label an example"):
        sets.predict(X, abstain_below=0.5)
    with pytest.raises(ValueError, match="has learned sets of labels, but y holds one label for"):
        sets.learn_one(X[0], "a")
    with pytest.raises(ValueError, match="has learned one label for each example, but y holds set"):
        single.learn_one(X[0], {"a"})


@pytest.mark.parametrize("several", [1, None, "yes"])
def test_forged_forms_are_refused(several):
    X, Y = examples(2)
    weights = AveragedPerceptron().fit(X, Y)._state.weights

    with pytest.raises(ValueError, match="whether its examples are of several classes"):
        Weights.build(weights.facts() | {"several": several}, weights.arrays())


def as_frame(kind):
    return lambda Y: pd.DataFrame(Y).astype(kind)


@pytest.mark.parametrize(
    "told",
    [
        *(as_frame(kind) for kind in ("boolean", "Int64", "object", "int8")),
        lambda Y: Y.astype(object),
        lambda Y: Y.astype(float).tolist(),
    ],
)
def test_zeros_and_ones_of_any_type_are_a_matrix(told):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    Y = (X > 0).astype(int)

    model = AveragedPerceptron(random_state=0).fit(X, told(Y))

    np.testing.assert_array_equal(model.coef_, AveragedPerceptron(random_state=0).fit(X, Y).coef_)
    assert model.predict(X).shape == Y.shape


@pytest.mark.parametrize("package", ["polars", "pyarrow"])
def test_a_column_of_lists_holds_sets(package):
    made = pytest.importorskip(package)
    X = np.random.default_rng(0).normal(size=(60, 3))
    sets = [["a", "b"] if row[0] > 0 else ["c"] for row in X]
    column = made.Series(sets) if package == "polars" else made.chunked_array([sets])

    model = AveragedPerceptron(random_state=0).fit(X, column)

    expected = AveragedPerceptron(random_state=0).fit(X, sets)
    np.testing.assert_array_equal(model.coef_, expected.coef_)


@pytest.mark.parametrize("strange", [None, float("nan"), "a", {"a": True}])
@pytest.mark.parametrize("kind", [list, pd.Series])
def test_what_is_no_set_among_sets_is_named_with_its_row(strange, kind):
    y = kind([{"a", "b"}, {"c"}] * 5 + [strange])

    with pytest.raises(InputError) as caught:
        AveragedPerceptron().fit(np.ones((11, 2)), y)

    said = f"y must hold a collection of labels for each example, got {strange!r} in row 10."
    assert str(caught.value) == said


def test_sets_of_several_types_are_refused_whatever_their_index():
    y = pd.Series([{"a"}, {1}] * 5, index=range(5, 15))

    with pytest.raises(InputError, match=r"y must hold labels of one type, got {'a'}"):
        AveragedPerceptron().fit(np.ones((10, 2)), y)


@pytest.mark.parametrize("asked", [{"abstain": "none"}, {"abstain": "none", "threshold": 0.9}])
def test_sets_have_nothing_to_abstain_from(asked, tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 3))
    sets = [["a", "b"] if row[0] > 0 else ["c"] for row in X]
    model = AveragedPerceptron(random_state=0, probabilities=True).fit(X, sets)
    save(model, tmp_path / "m.rbt")

    for each in (model, Predictor.load(tmp_path / "m.rbt")):
        with pytest.raises(InputError, match=r"abstain is for one label .*use threshold"):
            each.predict(X, **asked)


def test_probabilities_of_sets_are_not_told_by_batches():
    X = np.random.default_rng(0).normal(size=(60, 3))
    sets = [["a", "b"] if row[0] > 0 else ["c"] for row in X]
    model = AveragedPerceptron(probabilities=True).partial_fit(X, sets, classes=["a", "b", "c"])

    with pytest.raises(NotFittedError, match=r"call calibrate.X, Y. with some; batches"):
        model.predict_proba(X)
    assert model.calibrate(X, sets).predict_proba(X).shape == (60, 3)
