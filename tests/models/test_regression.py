"""Numbers in the place of labels: the passive-aggressive regressor."""

import pickle
import warnings

import numpy as np
import pytest
from river import checks, evaluate, linear_model, metrics, preprocessing, stream
from scipy import sparse
from sklearn.base import is_classifier, is_regressor
from sklearn.linear_model import PassiveAggressiveRegressor as Theirs
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

import reference
from rosenblatt import PassiveAggressiveRegressor, Predictor, load, save

VARIANTS = {"PA-I": "epsilon_insensitive", "PA-II": "squared_epsilon_insensitive"}


def examples(rows=300, columns=5, noise=0.1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    return X, X @ rng.normal(size=columns) + 1.5 + noise * rng.normal(size=rows)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("epsilon", [0.0, 0.2])
@pytest.mark.parametrize("C", [0.05, 1.0])
def test_it_is_scikit_learns_on_its_own_order(variant, epsilon, C):
    X, y = examples()
    X = np.c_[X, np.ones(len(X))]  # its intercept counts for nothing in the length of a step
    settings = {"C": C, "epsilon": epsilon, "shuffle": False, "max_iter": 3, "fit_intercept": False}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is about to go
        theirs = Theirs(loss=VARIANTS[variant], tol=None, **settings).fit(X, y)

    ours = PassiveAggressiveRegressor(variant=variant, **settings).fit(X, y)

    np.testing.assert_allclose(ours.coef_[0], theirs.coef_, rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize("variant", ["PA", *VARIANTS])
def test_it_walks_through_the_weights_of_its_twin(variant):
    X, y = examples()
    path = reference.regression_path(
        reference.with_constant(X, 1.0), y, C=0.3, epsilon=0.1, variant=variant, passes=2
    )
    settings = {"C": 0.3, "variant": variant, "shuffle": False, "max_iter": 2}

    last = PassiveAggressiveRegressor(**settings).fit(X, y)
    mean = PassiveAggressiveRegressor(average=True, **settings).fit(X, y)

    np.testing.assert_allclose(np.r_[last.coef_[0], last.intercept_], path[-1], atol=1e-12)
    np.testing.assert_allclose(np.r_[mean.coef_[0], mean.intercept_], path.mean(axis=0), atol=1e-12)


def test_a_step_that_nothing_holds_back_meets_the_target_to_within_epsilon():
    X, y = examples()
    model = PassiveAggressiveRegressor(variant="PA", epsilon=0.25)
    for row, target in zip(X, y, strict=True):
        before = model.predict_one(row)
        model.learn_one(row, target)
        if abs(target - before) > 0.25:
            assert abs(target - model.predict_one(row)) == pytest.approx(0.25, abs=1e-12)
        else:
            assert model.predict_one(row) == before


def test_batches_rows_sparse_rows_and_one_pass_give_the_same_bits():
    X, y = examples()
    whole = PassiveAggressiveRegressor(shuffle=False, max_iter=1).fit(X, y)
    batches, single = PassiveAggressiveRegressor(), PassiveAggressiveRegressor()
    for start in range(0, 300, 70):
        part = slice(start, start + 70)
        batches.partial_fit(sparse.csr_array(X[part]), y[part])
    for row, target in zip(X, y, strict=True):
        single.learn_one(dict(enumerate(row.tolist())), target)

    np.testing.assert_array_equal(batches.coef_, whole.coef_)
    np.testing.assert_array_equal(single.coef_, whole.coef_)
    assert single.n_mistakes_ == whole.n_mistakes_ == whole.n_updates_


def test_early_stopping_keeps_the_pass_that_is_nearest_on_rows_held_out():
    X, y = examples(noise=1.0)
    X_val, y_val = examples(noise=1.0)
    model = PassiveAggressiveRegressor(
        C=0.1, early_stopping=True, max_iter=40, n_iter_no_change=3, random_state=0
    ).fit(X, y, X_val=X_val, y_val=y_val)

    errors = [each.validation_error for each in model.history_]

    assert min(errors) == pytest.approx(np.abs(model.predict(X_val) - y_val).mean())
    assert len(errors) < 40
    held_out = PassiveAggressiveRegressor(early_stopping=True, random_state=0).fit(X, y)
    assert held_out.score(X, y) > 0.5


def test_files_and_pickles_keep_all_and_go_on_exactly(tmp_path):
    X, y = examples()
    model = PassiveAggressiveRegressor(average=True, random_state=0).fit(X, y)
    save(model, tmp_path / "a.rbt")

    loaded, predictor = load(tmp_path / "a.rbt"), Predictor.load(tmp_path / "a.rbt")

    for other in (loaded, predictor, pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
    np.testing.assert_array_equal(predictor.judge(X).labels, model.predict(X))
    with pytest.raises(ValueError, match="predicts numbers, and what is explained are labels"):
        predictor.feature_weights()
    with pytest.raises(ValueError, match="predicts numbers, and what is explained are labels"):
        predictor.contributions(X[0])
    np.testing.assert_array_equal(loaded.partial_fit(X, y).coef_, model.partial_fit(X, y).coef_)


@pytest.mark.parametrize(
    "check",
    list(checks.yield_checks(PassiveAggressiveRegressor())),
    ids=lambda check: check.__name__,
)
def test_rivers_own_checks_of_regressors_pass(check):
    check(PassiveAggressiveRegressor())


def test_river_takes_it_for_a_regressor():
    X, y = examples(rows=1000)
    names = [f"x{k}" for k in range(X.shape[1])]
    rows = list(stream.iter_array(X, y, feature_names=names))
    errors = []
    for model in (
        PassiveAggressiveRegressor(C=0.01, epsilon=0.1),
        linear_model.PARegressor(C=0.01, eps=0.1, mode=1),
    ):
        pipeline = preprocessing.StandardScaler() | model
        errors.append(evaluate.progressive_val_score(rows, pipeline, metrics.MAE()).get())

    assert errors[0] == pytest.approx(errors[1], rel=0.2)
    assert errors[0] < 1.0


def test_it_is_a_regressor_and_has_no_labels():
    X, y = examples()
    model = PassiveAggressiveRegressor(random_state=0).fit(X, y)

    assert is_regressor(model)
    assert not is_classifier(model)
    assert cross_val_score(model, X, y).mean() > 0.9
    for name in ("classes_", "decision_function", "predict_proba", "calibrate", "bracket_"):
        assert not hasattr(model, name)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["a"] * 300, "y must hold numbers, got"),
        ([1.0] * 299, "X has 300 rows but y has 299 numbers"),
        ([np.nan] * 300, "y contains NaN or infinity"),
        ([1e80] * 300, "y contains 1e\\+80"),
    ],
)
def test_targets_that_cannot_be_are_refused(y, message):
    X, _ = examples()

    with pytest.raises(ValueError, match=message):
        PassiveAggressiveRegressor().fit(X, y)


@pytest.mark.parametrize("y", ["a", None, np.nan, np.inf, 1e80, True])
def test_one_target_that_cannot_be_is_refused_and_nothing_is_learned(y):
    model = PassiveAggressiveRegressor()
    model.learn_one({"a": 1.0}, 2.0)
    before = model.predict_one({"a": 1.0})

    with pytest.raises(ValueError, match="y must be a number between"):
        model.learn_one({"a": 1.0}, y)

    assert model.predict_one({"a": 1.0}) == before


@pytest.mark.parametrize("epsilon", [-0.1, np.nan, np.inf, "small"])
def test_epsilon_must_be_a_number_of_zero_or_more(epsilon):
    with pytest.raises(ValueError, match="epsilon must be a finite number of zero or more"):
        PassiveAggressiveRegressor(epsilon=epsilon).fit([[0.0], [1.0]], [0.0, 1.0])


REPEATED = "a row of weight two steps twice as far once, and a row twice steps twice"


@parametrize_with_checks(
    [PassiveAggressiveRegressor()],
    expected_failed_checks=lambda _: {
        "check_sample_weight_equivalence_on_dense_data": REPEATED,
        "check_sample_weight_equivalence_on_sparse_data": REPEATED,
    },
)
def test_it_passes_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    "asked", [{"top": 2}, {"threshold": 0.5}, {"abstain_below": 0.5}, {"abstain": "x"}]
)
def test_which_label_is_given_is_no_question_for_numbers(asked, tmp_path):
    X, y = np.eye(4), np.arange(4.0)
    save(PassiveAggressiveRegressor(random_state=0).fit(X, y), tmp_path / "m.rbt")
    (name,) = asked

    with pytest.raises(ValueError, match=f"{name} is for labels, and this model predicts numbers"):
        Predictor.load(tmp_path / "m.rbt").predict(X, **asked)
