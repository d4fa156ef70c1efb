"""Probabilities: from scores of examples not learned from, without a trace in the weights."""

import copy
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import reference
from members import STREAM_MEMBERS, assert_same_model
from one_of_each import LEARNERS
from rosenblatt import AROW, AveragedPerceptron, KernelPerceptron, Perceptron, Winnow
from rosenblatt.training import calibration
from rosenblatt.training.calibration import Recent, logits_of, slope_of
from states import assert_same_state

LATER = [learner for learner in LEARNERS if learner in STREAM_MEMBERS]


def noisy(count=600, classes=2, seed=0):
    """Clouds that overlap, so that the best label is often wrong."""
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=count)
    X = rng.normal(size=(count, 4))
    X[:, 0] += np.cos(2 * np.pi * y / classes)
    X[:, 1] += np.sin(2 * np.pi * y / classes)
    return X, y


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("stopping", [{}, {"early_stopping": True}])
def test_weights_are_the_same_bits_with_and_without(member, classes, stopping):
    X, y = noisy(200, classes)
    model = member.new(random_state=0, max_iter=4, **stopping)
    twin = clone(model).set_params(probabilities=True)

    assert_same_model(twin.fit(X, y), model.fit(X, y))

    np.testing.assert_array_equal(twin.predict(X), model.predict(X))
    assert twin.history_ == [
        done._replace(seconds=mine.seconds)
        for done, mine in zip(model.history_, twin.history_, strict=True)
    ]


@pytest.mark.parametrize("classes", [2, 4])
def test_the_most_probable_class_is_the_one_predicted(member, classes):
    X, y = noisy(300, classes)

    model = member.new(random_state=0, probabilities=True).fit(X, y)

    probabilities = model.predict_proba(X)
    assert probabilities.shape == (300, classes)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_array_equal(model.classes_[probabilities.argmax(axis=1)], model.predict(X))
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), probabilities, rtol=1e-12)


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_the_slope_is_where_the_plain_twin_finds_it(classes):
    rng = np.random.default_rng(classes)
    scores = rng.normal(size=(80, classes)) * 30
    codes = np.where(rng.random(80) < 0.6, scores.argmax(axis=1), rng.integers(classes, size=80))
    importance = rng.integers(0, 3, size=80).astype(float)

    slope = slope_of(scores, codes, importance)

    assert slope == pytest.approx(reference.slope(scores, codes, importance), rel=1e-6)
    if classes == 2:
        assert slope_of(scores[:, 1] - scores[:, 0], codes, importance) == pytest.approx(slope)


def test_scores_that_say_nothing_or_the_contrary_leave_all_classes_equal():
    codes = np.array([0, 1, 0, 1])

    assert slope_of(np.zeros(4), codes) == 0.0
    assert slope_of(np.array([1.0, -1.0, 1.0, -1.0]), codes) == 0.0
    assert slope_of(np.empty(0), codes[:0]) == 0.0


def test_a_slope_takes_as_few_rounds_as_newtons_method_does(monkeypatch):
    """Each about doubles the digits that are right; rounding does not make it go on."""
    rng, rounds, softmax = np.random.default_rng(0), [], calibration.softmax
    scores = rng.normal(size=(2000, 10))
    codes = (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)
    monkeypatch.setattr(calibration, "softmax", lambda logits: rounds.append(0) or softmax(logits))

    slope_of(scores, codes)

    assert len(rounds) <= 12


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_leaning_scores_are_set_upright_by_a_number_for_each_class(classes):
    """Where the likelihood is largest, what is said of each class sums to what came of it."""
    rng = np.random.default_rng(classes)
    upright = rng.normal(size=(4000, classes))
    codes = (2 * upright + rng.gumbel(size=upright.shape)).argmax(axis=1)
    scores = 30 * upright + 50 * np.arange(classes)
    scores = scores[:, 1] - scores[:, 0] if classes == 2 else scores
    importance = rng.integers(0, 3, size=4000).astype(float)

    found = logits_of(scores, codes, importance, leaning=True)

    assert 30 * found.slope == pytest.approx(2, rel=0.1)
    np.testing.assert_allclose(np.diff(found.offsets), -50 / 15, rtol=0.1)
    of_each, total = np.bincount(codes, importance), importance.sum()
    expected = total / (total + 1) * (of_each + 1 / classes)
    np.testing.assert_allclose(importance @ found.probabilities(scores), expected, rtol=1e-9)


def test_leaning_scores_that_say_nothing_leave_the_shares_of_classes():
    scores, codes = np.array([1.0, -1.0] * 9), np.array([0, 1, 0, 1, 0, 0] * 3)

    for said in (scores, np.zeros(18)):
        found = logits_of(said, codes, leaning=True)
        assert found.slope == 0.0
        np.testing.assert_allclose(found.probabilities(said)[:, 1], 6.5 / 19)

    nothing = logits_of(np.full(3, np.inf), codes[:3], leaning=True)
    np.testing.assert_array_equal(nothing.probabilities(np.zeros(1)), [[0.5, 0.5]])


def rare(count=4000, seed=0):
    X, _ = noisy(count, seed=seed)
    odds = np.exp(X[:, 0] - 3)
    return X, (np.random.default_rng(seed).random(count) < odds / (1 + odds)).astype(int)


WAYS = {
    "folds": lambda model, X, y: model.fit(X, y),
    "held out": lambda model, X, y: model.set_params(early_stopping=True).fit(X, y),
    "calibrate": lambda model, X, y: model.fit(X[::2], y[::2]).calibrate(X[1::2], y[1::2]),
    "batch": lambda model, X, y: model.partial_fit(X, y, classes=[0, 1]),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=[*WAYS])
@pytest.mark.parametrize("learner", [AROW, AveragedPerceptron])
def test_class_weight_leans_labels_and_not_probabilities(learner, way):
    (X, y), (X_out, y_out) = rare(), rare(seed=1)
    model = learner(random_state=0, probabilities=True, class_weight={1: 15})

    said = way(model, X, y).predict_proba(X_out)[:, 1]

    always = log_loss(y_out, np.full(len(y_out), y.mean()))
    assert said.mean() == pytest.approx(y_out.mean(), abs=0.025)
    assert log_loss(y_out, said) < always - 0.01
    assert model.predict(X_out).mean() > 3 * y_out.mean()


def test_a_stream_with_class_weight_says_the_same_one_by_one():
    X, y = rare(count=900)
    model = AveragedPerceptron(probabilities=True, class_weight={1: 15}, random_state=0)
    batch = clone(model).partial_fit(X, y, classes=[0, 1])

    model.declare(classes=[0, 1])
    for row, label in zip(X, y, strict=True):
        model.learn_one(row, label)

    np.testing.assert_array_equal(model.coef_, batch.coef_)
    p = model.predict_proba_one(X[0])
    np.testing.assert_array_equal([p[0], p[1]], batch.predict_proba(X[:1])[0])
    model.learn_one(X[0], 2)
    assert model.predict_proba_one(X[0])[2] > 0


def test_scores_that_are_always_right_leave_a_doubt_of_one_example():
    """At p = 1 - 1 / 2(n + 1) the believed and the unbelieved parts of n labels are in balance."""
    scores, codes = np.array([1.0, -1.0] * 10), np.array([1, 0] * 10)

    slope = slope_of(scores, codes)

    assert 1 / (1 + np.exp(-slope)) == pytest.approx(1 - 1 / 42)


@pytest.mark.parametrize("factor", [1e-9, 1e9])
def test_probabilities_do_not_depend_on_the_scale_of_scores(factor):
    """A perceptron that starts at zero learns the same from features of any scale."""
    X, y = noisy()
    model = AveragedPerceptron(fit_intercept=False, probabilities=True, random_state=0)

    expected = clone(model).fit(X, y).predict_proba(X)

    np.testing.assert_allclose(clone(model).fit(X * factor, y).predict_proba(X * factor), expected)


@pytest.mark.parametrize("classes", [2, 3])
def test_probabilities_are_as_good_as_those_of_scikit_learns_wrapper(classes):
    """Another library: CalibratedClassifierCV, which averages the models of five folds."""
    (X, y), (X_out, y_out) = noisy(4000, classes), noisy(4000, classes, seed=1)
    model = AveragedPerceptron(random_state=0)

    ours = clone(model).set_params(probabilities=True).fit(X, y)
    theirs = CalibratedClassifierCV(model, cv=5).fit(X, y)

    mine, its = (log_loss(y_out, each.predict_proba(X_out)) for each in (ours, theirs))
    assert mine < its + 0.005
    sure = ours.predict_proba(X_out).max(axis=1)
    right = ours.predict(X_out) == y_out
    for part in np.array_split(np.argsort(sure), 8):
        assert sure[part].mean() == pytest.approx(right[part].mean(), abs=0.08)


def test_rows_held_out_are_what_shows_the_slope():
    (X, y), (X_val, y_val) = noisy(), noisy(seed=1)
    model = AveragedPerceptron(random_state=0, probabilities=True)

    watched = clone(model).fit(X, y, X_val=X_val, y_val=y_val)

    scores = watched.decision_function(X_val)
    assert watched._state.calibration.logits.slope == slope_of(scores, y_val)
    later = AveragedPerceptron(random_state=0).fit(X, y).calibrate(X_val, y_val)
    np.testing.assert_array_equal(later.predict_proba(X), watched.predict_proba(X))


def test_dense_and_sparse_rows_have_the_same_probabilities():
    X, y = noisy(classes=3)
    model = AveragedPerceptron(random_state=0, probabilities=True)

    dense, thin = clone(model).fit(X, y), clone(model).fit(sparse.csr_array(X), y)

    np.testing.assert_array_equal(dense.predict_proba(X), thin.predict_proba(sparse.csr_array(X)))


def test_examples_of_weight_zero_say_nothing_of_probabilities():
    X, y = noisy()
    X_val, y_val = noisy(seed=1)
    odd = np.arange(len(y_val)) % 2
    model = AveragedPerceptron(random_state=0).fit(X, y)

    model.calibrate(X_val, y_val, sample_weight=odd)

    twin = AveragedPerceptron(random_state=0).fit(X, y).calibrate(X_val[odd == 1], y_val[odd == 1])
    assert model._state.calibration.logits.slope == pytest.approx(
        twin._state.calibration.logits.slope, rel=1e-9
    )


def test_only_a_model_that_can_say_them_has_probabilities(member):
    X, y = noisy(60)
    model = member.new(random_state=0)

    assert not hasattr(model, "predict_proba")
    assert not hasattr(model.fit(X, y), "predict_proba")
    assert hasattr(member.new(probabilities=True), "predict_proba")
    assert hasattr(model.calibrate(X, y), "predict_proba")
    with pytest.raises(AttributeError, match="has no attribute 'predict_proba'") as found:
        member.new().predict_proba(X)
    assert "fit it with probabilities=True, or give it examples" in str(found.value.__cause__)


def test_probabilities_wished_for_too_late_are_refused_with_a_way_out():
    X, y = noisy(60)
    model = Perceptron(random_state=0).fit(X, y).set_params(probabilities=True)

    with pytest.raises(NotFittedError, match=r"fit it again, or call calibrate\(X, y\)"):
        model.predict_proba(X)


def test_probabilities_must_be_a_flag():
    with pytest.raises(ValueError, match="probabilities must be True or False, got"):
        Perceptron(probabilities="yes").fit(*noisy(20))


def test_scikit_learns_tools_take_probabilities():
    X, y = noisy(classes=3)
    model = AveragedPerceptron(probabilities=True, random_state=0)

    scores = cross_val_score(make_pipeline(StandardScaler(), model), X, y, scoring="neg_log_loss")
    areas = cross_val_score(model, X, y, scoring="roc_auc_ovr")
    vote = VotingClassifier([("a", model), ("b", clone(model))], voting="soft").fit(X, y)

    assert scores.min() > -np.log(3)
    assert areas.min() > 0.7
    assert vote.score(X, y) > 0.5


@pytest.mark.parametrize("learner", LATER, ids=str)
@pytest.mark.parametrize("classes", [2, 3])
def test_a_stream_a_batch_and_batches_come_to_the_same_probabilities(learner, classes):
    X, y = noisy(700, classes)
    one, many, whole = (learner.new(probabilities=True) for _ in range(3))

    whole.partial_fit(X, y, classes=range(classes))
    for part in np.array_split(np.arange(len(y)), 9):
        many.partial_fit(X[part], y[part], classes=range(classes))
    one.declare(classes=range(classes))
    for x, label in zip(X, y.tolist(), strict=True):
        one.learn_one(x, label)

    np.testing.assert_array_equal(many.predict_proba(X), whole.predict_proba(X))
    np.testing.assert_array_equal(one.predict_proba(X), whole.predict_proba(X))
    assert_same_model(learner.new().partial_fit(X, y, classes=range(classes)), whole)
    row = one.predict_proba_one(X[0])
    assert [*row] == list(range(classes))
    np.testing.assert_allclose([*row.values()], whole.predict_proba(X[:1])[0], rtol=1e-12)


def test_probabilities_of_a_stream_become_good():
    X, y = noisy(6000)
    model = AveragedPerceptron(probabilities=True).partial_fit(X, y, classes=[0, 1])
    X_out, y_out = noisy(4000, seed=1)

    sure, right = model.predict_proba(X_out).max(axis=1), model.predict(X_out) == y_out

    assert sure.mean() == pytest.approx(right.mean(), abs=0.03)


def test_a_kernel_perceptron_learns_probabilities_from_batches():
    X, y = noisy(300)
    model = KernelPerceptron(probabilities=True, average=True)

    for part in np.array_split(np.arange(300), 4):
        model.partial_fit(X[part], y[part], classes=[0, 1])

    assert log_loss(y, model.predict_proba(X)) < np.log(2)
    twin = KernelPerceptron(average=True)
    for part in np.array_split(np.arange(300), 4):
        twin.partial_fit(X[part], y[part], classes=[0, 1])
    np.testing.assert_allclose(twin.decision_function(X), model.decision_function(X), rtol=1e-9)


def test_kernel_values_of_ones_own_are_cut_into_folds():
    X, y = noisy(200)
    named = KernelPerceptron(kernel="linear", probabilities=True, random_state=0).fit(X, y)
    own = KernelPerceptron(kernel="precomputed", probabilities=True, random_state=0).fit(X @ X.T, y)

    np.testing.assert_allclose(own.predict_proba(X @ X.T), named.predict_proba(X), rtol=1e-6)


@pytest.mark.parametrize("model", [Perceptron(), AROW(), Winnow(balanced=True)], ids=str)
def test_a_class_that_comes_late_gets_a_share(model):
    X, y = noisy(300)
    model = clone(model).set_params(probabilities=True).partial_fit(X, y, classes=[0, 1])
    before = model.predict_proba(X)

    model.partial_fit(X[:1], y[:1], classes=[0, 1, 2], sample_weight=[0.0])

    after = model.predict_proba(X)
    assert after.shape == (300, 3)
    apart = before[:, 0] != before[:, 1]
    odds = [np.log(each[apart, 1] / each[apart, 0]) for each in (before, after)]
    ratios = odds[1] / odds[0]
    np.testing.assert_allclose(ratios, ratios[0], rtol=1e-6)
    assert 0.5 < ratios[0] < 2


def test_before_two_labels_probabilities_are_what_there_is_to_know():
    model = Perceptron(probabilities=True)

    assert model.predict_proba_one({"a": 1.0}) == {}
    model.learn_one({"a": 1.0}, "x")
    assert model.predict_proba_one({"a": 1.0}) == {"x": 1.0}
    model.learn_one({"b": 1.0}, "y")
    assert model.predict_proba_one({"a": 1.0}) == {"x": 0.5, "y": 0.5}


def test_a_refused_example_says_nothing_of_probabilities():
    model = Perceptron(probabilities=True).declare(classes=["x", "y"])
    model.learn_one({"a": 1.0}, "x")
    twin = copy.deepcopy(model)

    for x, y, w in [({"a": np.nan}, "x", 1.0), ({"a": 1.0}, "x", -1.0), ({"a": 1.0}, ["x"], 1.0)]:
        with pytest.raises((ValueError, TypeError)):
            model.learn_one(x, y, w)

    assert_same_state(model, twin)


def test_learning_on_after_fit_keeps_the_slope_until_a_stream_has_shown_its_own():
    X, y = noisy(1000)
    model = AveragedPerceptron(probabilities=True, random_state=0).fit(X[:500], y[:500])
    slope = model._state.calibration.logits.slope

    model.partial_fit(X[500:531], y[500:531])
    assert model._state.calibration.logits.slope == slope
    model.partial_fit(X[531:], y[531:])

    recent = model._state.calibration.recent
    assert model._state.calibration.logits.slope == recent.logits().slope != slope


def test_of_a_long_stream_the_latest_are_kept():
    recent = Recent.new(2)
    for number in range(20_000):
        if recent.keeps_next:
            recent.add(float(number), number % 2, 1.0)
        recent.seen += 1

    assert sorted(recent.scores[:, 0].astype(int)) == list(range(20_000 - 8 * 1024, 20_000, 8))
    assert recent.logits().slope == pickle.loads(pickle.dumps(recent)).logits().slope


def test_a_fit_that_goes_on_looks_again():
    X, y = noisy()
    model = AveragedPerceptron(probabilities=True, warm_start=True, max_iter=2, random_state=0)
    model.fit(X, y)

    first = model._state.calibration.logits.slope
    model.fit(X, y)

    assert model._state.calibration.logits.slope != first
    twin = AveragedPerceptron(max_iter=4, random_state=0, probabilities=True).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), twin.predict_proba(X), rtol=1e-6)


def test_two_rows_are_enough_to_say_that_nothing_is_known():
    model = Perceptron(probabilities=True, random_state=0).fit([[1.0], [-1.0]], ["x", "y"])

    assert model.predict_proba([[1.0]]).tolist() == [[0.5, 0.5]]


def test_a_model_of_one_class_gives_it_all_probability():
    model = AveragedPerceptron(probabilities=True)
    model.learn_one([1.0], "x")

    assert model.predict_proba_one([1.0]) == {"x": 1.0}
    np.testing.assert_array_equal(model.predict_proba([[1.0]]), [[1.0]])


def test_what_cannot_be_calibrated_on_is_refused():
    X, y = noisy(60)
    model = AveragedPerceptron(random_state=0, probabilities=True).fit(X, y)
    before = model.predict_proba(X)

    with pytest.raises(ValueError, match="sample_weight is zero for every row"):
        model.calibrate(X, y, sample_weight=np.zeros(60))
    with pytest.raises(ValueError, match="leave out the rows of labels that the model does not"):
        model.calibrate(X, y + 1)
    np.testing.assert_array_equal(model.predict_proba(X), before)
