"""River's pipelines, metrics, evaluation and its own checks take our models as they are."""

import numpy as np
import pandas
import pytest
from river import (
    bandit,
    checks,
    compose,
    datasets,
    drift,
    ensemble,
    evaluate,
    feature_extraction,
    imblearn,
    linear_model,
    metrics,
    model_selection,
    multiclass,
    preprocessing,
    stream,
)
from sklearn.datasets import load_iris

from members import STREAM_MEMBERS, assert_same_model
from one_of_each import LEARNERS
from rosenblatt import AveragedPerceptron, Perceptron, Winnow
from subprocesses import printed_by_python

CHECKS = [
    (learner, check)
    for learner in LEARNERS
    if learner in STREAM_MEMBERS
    for check in checks.yield_checks(learner.model)
]


@pytest.mark.parametrize(
    ("learner", "check"), CHECKS, ids=[f"{learner}-{check.__name__}" for learner, check in CHECKS]
)
def test_rivers_own_checks_of_estimators_pass(learner, check):
    check(learner.new())


def test_a_perceptron_of_ours_is_rivers():
    """Another library: the same mistakes on the same stream, hence the same weights."""
    ours = Perceptron().declare(classes=[False, True])
    theirs = linear_model.Perceptron()
    scaler = preprocessing.StandardScaler()

    for x, y in datasets.Phishing():
        scaler.learn_one(x)
        x = scaler.transform_one(x)
        assert ours.predict_one(x) == theirs.predict_one(x)
        ours.learn_one(x, y)
        theirs.learn_one(x, y)

    weights = [theirs.weights[name] for name in ours.feature_names_in_]
    np.testing.assert_allclose(ours.coef_[0], weights, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(ours.intercept_[0], theirs.intercept, rtol=1e-9)


def test_progressive_evaluation_takes_a_model_by_itself(stream_member):
    metric = evaluate.progressive_val_score(
        datasets.Phishing(), stream_member.new(), metrics.Accuracy()
    )

    right = 0
    model = stream_member.new()
    for x, y in datasets.Phishing():
        right += model.predict_one(x) == y
        model.learn_one(x, y)
    assert metric.get() == pytest.approx(right / 1249, abs=1e-12)  # the first has no prediction


def test_pipelines_evaluation_and_metrics_of_several_classes(stream_member):
    pipeline = preprocessing.StandardScaler() | stream_member.new()

    metric = evaluate.progressive_val_score(
        datasets.ImageSegments().take(1000), pipeline, metrics.Accuracy() + metrics.MacroF1()
    )

    accuracy, f1 = (part.get() for part in metric)
    assert accuracy > 0.7
    assert f1 > 0.7
    assert len(pipeline[type(stream_member.model).__name__].classes_) == 7


def test_a_pipeline_of_words_brings_new_names_all_the_time():
    texts = [("good film", 1), ("bad film", 0), ("good plot", 1), ("bad bad plot", 0)] * 5
    pipeline = feature_extraction.BagOfWords(ngram_range=(1, 2)) | AveragedPerceptron()

    for text, label in texts:
        pipeline.learn_one(text, label)

    assert pipeline.predict_one("a good story") == 1
    assert ("good", "film") in pipeline["AveragedPerceptron"].feature_names_in_.tolist()


def test_a_cloned_pipeline_has_learned_nothing_and_does_not_share():
    pipeline = compose.Pipeline(("scale", preprocessing.MinMaxScaler()), ("model", Perceptron()))
    pipeline.learn_one({"a": 1.0}, "x")

    other = pipeline.clone({"model": {"ties": "predict"}})

    assert other.predict_one({"a": 1.0}) is None
    assert other["model"].ties == "predict"
    assert pipeline.predict_one({"a": 1.0}) == "x"


def test_weights_of_examples_reach_the_model():
    examples = [({"a": 1.0}, 0, {"w": 3.0}), ({"a": -1.0}, 1, {"w": 0.5}), ({"b": 1.0}, 1, {})]
    model, twin = (Perceptron().declare(classes=[0, 1]) for _ in range(2))

    evaluate.progressive_val_score(examples, model, metrics.Accuracy())

    for x, y, more in [({"a": 1.0}, 0, 3.0), ({"a": -1.0}, 1, 0.5), ({"b": 1.0}, 1, 1.0)]:
        twin.learn_one(x, y, w=more)
    assert_same_model(model, twin)


def test_a_stream_from_scikit_learns_data_learns_as_a_batch():
    data = load_iris()
    model = AveragedPerceptron().declare(classes=range(3), names=data.feature_names)

    for x, y in stream.iter_sklearn_dataset(data):
        model.learn_one([x[name] for name in data.feature_names], y)

    batch = AveragedPerceptron().partial_fit(data.data, data.target, classes=range(3))
    assert_same_model(model, batch)


def test_a_metric_of_probabilities_is_told_that_there_are_none():
    with pytest.raises(NotImplementedError, match="scores but no probabilities"):
        evaluate.progressive_val_score(datasets.Phishing(), Perceptron(), metrics.LogLoss())


def scaled(**parameters):
    return preprocessing.StandardScaler() | AveragedPerceptron(probabilities=True, **parameters)


def test_rivers_checks_pass_with_probabilities():
    model = AveragedPerceptron(probabilities=True)

    for check in checks.yield_checks(model):
        check(model.clone())


def test_metrics_of_probabilities_are_as_good_as_with_rivers_logistic_regression():
    metric = metrics.LogLoss() + metrics.ROCAUC()
    theirs = preprocessing.StandardScaler() | linear_model.LogisticRegression()

    loss, area = evaluate.progressive_val_score(datasets.Phishing(), scaled(), metric).get()
    its, _ = evaluate.progressive_val_score(datasets.Phishing(), theirs, metric.clone()).get()

    assert loss < its + 0.05
    assert area > 0.93


TOOLS = {
    "bagging": lambda: ensemble.BaggingClassifier(scaled(), n_models=3, seed=0),
    "ADWIN bagging": lambda: ensemble.ADWINBaggingClassifier(scaled(), n_models=3, seed=0),
    "boosting": lambda: ensemble.AdaBoostClassifier(scaled(), n_models=3, seed=0),
    "voting": lambda: ensemble.VotingClassifier([scaled(), scaled(half_life=200.0)]),
    "one against the rest": lambda: multiclass.OneVsRestClassifier(scaled()),
    "one against one": lambda: multiclass.OneVsOneClassifier(scaled()),
    "drift": lambda: drift.DriftRetrainingClassifier(scaled(), drift.binary.DDM()),
    "bandit": lambda: model_selection.BanditClassifier(
        [scaled(), scaled(half_life=200.0)],
        metric=metrics.Accuracy(),
        policy=bandit.EpsilonGreedy(epsilon=0.1, decay=0.001, burn_in=10, seed=0),
    ),
    "undersampling": lambda: imblearn.RandomUnderSampler(scaled(), {True: 0.5, False: 0.5}, seed=0),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_rivers_tools_that_need_probabilities_take_them(tool):
    metric = evaluate.progressive_val_score(
        datasets.Phishing().take(600), TOOLS[tool](), metrics.Accuracy()
    )

    assert metric.get() > 0.8


def test_a_frame_has_the_probabilities_of_its_rows():
    model = AveragedPerceptron(probabilities=True)
    for X, y in comings_and_goings():
        model.learn_many(X, y)

        found = model.predict_proba_many(X)

        assert found.index.equals(X.index)
        rows = [model.predict_proba_one(x) for x in X.to_dict(orient="records")]
        assert found.to_dict(orient="records") == rows


def test_river_is_never_imported_by_the_package():
    program = (
        "import sys; from rosenblatt import Perceptron; model = Perceptron();"
        "model.learn_one({'a': 1.0}, 'x'); repr(model); hasattr(model, '_last_step');"
        "print([name for name in sys.modules if name.split('.')[0] == 'river'])"
    )

    assert printed_by_python(program) == "[]\n"


def comings_and_goings(classes=3, batches=5, count=20):
    """Frames of whole numbers whose columns and labels come and go."""
    rng = np.random.default_rng(0)
    for batch in range(batches):
        names = [f"x{k}" for k in rng.permutation(8)[: rng.integers(1, 8)]]
        values = rng.integers(-3, 4, size=(count, len(names))).astype(float)
        labels = rng.integers(min(classes, 1 + batch), size=count)
        yield pandas.DataFrame(values, columns=names), pandas.Series(labels)


def test_learn_many_is_learn_one_row_by_row(stream_member):
    classes = 2 if isinstance(stream_member.model, Winnow) else 3
    one, many = stream_member.new(), stream_member.new()

    for X, y in comings_and_goings(classes):
        many.learn_many(X, y)
        for x, label in zip(X.to_dict(orient="records"), y, strict=True):
            one.learn_one(x, label)
        assert many.feature_names_in_.tolist() == one.feature_names_in_.tolist()
        assert_same_model(many, one)

        unseen = X.assign(unseen=1.0)
        predicted = many.predict_many(unseen)
        assert predicted.tolist() == [one.predict_one(x) for x in unseen.to_dict("records")]
        assert predicted.index.equals(X.index)


def test_a_frame_weighs_its_rows():
    X, y = next(iter(comings_and_goings()))
    w = np.arange(len(X)) % 3
    one, many = Perceptron().declare(classes=[0, 1]), Perceptron().declare(classes=[0, 1])

    many.learn_many(X, y, w)
    for x, label, weight in zip(X.to_dict(orient="records"), y, w, strict=True):
        one.learn_one(x, label, weight)

    assert_same_model(many, one)


def test_before_any_label_predict_many_says_none():
    X, _ = next(iter(comings_and_goings()))

    assert Perceptron().predict_many(X).tolist() == [None] * len(X)


def test_a_frame_that_is_refused_changes_nothing():
    frames = iter(comings_and_goings())
    model, twin = Perceptron(), Perceptron()
    for each in (model, twin):
        each.learn_many(*next(iter(comings_and_goings())))
    X, y = next(frames)
    X.iloc[-1, 0] = np.nan

    with pytest.raises(ValueError, match="X contains NaN in row 19, column 0"):
        model.learn_many(X, y)

    assert_same_model(model, twin)


@pytest.mark.parametrize(("model", "several"), [(Winnow(), False), (Winnow(balanced=True), True)])
def test_river_hears_whether_winnow_takes_a_third_label(model, several):
    assert model._multiclass is several
    for check in checks.yield_checks(model):
        check(model.clone())
