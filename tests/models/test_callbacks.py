"""scikit-learn's callbacks on every member: its progress bar, its scoring monitor, and others."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.callback import ProgressBar, ScoringMonitor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from data import noisy
from members import assert_same_model
from rosenblatt import AveragedPerceptron, Perceptron
from subprocesses import printed_by_python


class Diary:
    """A callback that writes down what it is told, and may stop the fit or fail."""

    def __init__(self, stop_after=None, fail_after=None):
        self.stop_after, self.fail_after = stop_after, fail_after
        self.told, self.models = [], []

    def setup(self, estimator, context):
        self.told.append("setup")

    def teardown(self, estimator, context):
        self.told.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.told.append(f"{context.task_name} begins")

    def on_fit_task_end(self, estimator, context, *, X, y, metadata, fitted_estimator):
        self.told.append(f"{context.task_name} ends")
        self.X, self.y, self.metadata = X, y, metadata
        self.models.append(fitted_estimator)
        if len(self.models) == self.fail_after:
            raise RuntimeError("enough")
        return len(self.models) == self.stop_after


def test_callbacks_are_told_of_every_pass(member):
    X, y = noisy()
    diary = Diary()

    model = member.new(max_iter=3, random_state=0).set_callbacks(diary).fit(X, y)

    passes = ["pass begins", "pass ends"] * 3
    assert diary.told == ["setup", "fit begins", *passes, "fit ends", "teardown"]
    assert diary.X is X
    assert diary.y is y
    assert diary.metadata is None
    for number, then in enumerate(diary.models[:3], start=1):
        assert then is not model
        assert len(then.history_) == number
        expected = member.new(max_iter=number, random_state=0).fit(X, y)
        assert_same_model(then, expected)
        np.testing.assert_array_equal(then.decision_function(X), expected.decision_function(X))
    assert_same_model(diary.models[3], model)


def test_callbacks_change_nothing(member):
    X, y = noisy(classes=3)

    model = member.new(random_state=0).set_callbacks(Diary()).fit(X, y)

    assert_same_model(model, member.new(random_state=0).fit(X, y))
    assert set(vars(model)) - set(vars(member.new().fit(X, y))) == {"_skl_callbacks"}


def test_a_callback_may_end_the_fit(member):
    X, y = noisy()

    model = member.new(max_iter=9, random_state=0, warm_start=True)
    model.set_callbacks(Diary(stop_after=2)).fit(X, y)

    assert_same_model(model, member.new(max_iter=2, random_state=0).fit(X, y))
    model.set_callbacks().set_params(max_iter=1).fit(X, y)
    assert_same_model(model, member.new(max_iter=3, random_state=0).fit(X, y))


@pytest.mark.parametrize("warm_start", [False, True])
def test_a_callback_that_fails_leaves_the_model_as_it_was(member, warm_start):
    X, y = noisy()
    model = member.new(random_state=0, warm_start=warm_start).fit(X, y)
    before = member.new(random_state=0).fit(X, y)
    diary = Diary(fail_after=2)

    with pytest.raises(RuntimeError, match="enough"):
        model.set_callbacks(diary).fit(X[::-1], y[::-1])

    assert diary.told[-1] == "teardown"
    assert_same_model(model, before)
    np.testing.assert_array_equal(model.decision_function(X), before.decision_function(X))


def test_callbacks_see_what_is_learned_from_and_in_the_end_the_best_pass():
    X, y = noisy(classes=3)
    weight = np.arange(150.0)
    for form in (np.array, sparse.coo_array, np.ndarray.tolist):
        diary = Diary()
        options = {"early_stopping": True, "max_iter": 30, "random_state": 5}

        model = AveragedPerceptron(**options).set_callbacks(diary)
        model.fit(form(X), y, sample_weight=weight)

        seen = diary.X.toarray() if sparse.issparse(diary.X) else np.array(diary.X)
        rows = diary.metadata["sample_weight"].astype(int)
        assert 130 <= len(rows) < 140
        np.testing.assert_array_equal(seen, X[rows])
        np.testing.assert_array_equal(diary.y, y[rows])
        assert_same_model(diary.models[-1], diary.models[model.best_iter_ - 1])
        assert diary.told.count("pass ends") == model.n_iter_


def test_the_scoring_monitor_scores_every_pass(member):
    X, y = noisy()
    monitor = ScoringMonitor(scoring=["accuracy", "balanced_accuracy"])

    model = member.new(max_iter=4, random_state=0, verbose=2).set_callbacks(monitor).fit(X, y)

    _, *passes = monitor.get_logs().data
    assert [row["task_name"] for row in passes] == ["pass"] * model.n_iter_
    errors = [done.train_error for done in model.history_]
    np.testing.assert_allclose([1 - row["accuracy"] for row in passes], errors, atol=1e-12)


def test_the_progress_bar_shows_how_far_fit_has_come(capsys):
    X, y = noisy()

    Perceptron(max_iter=4).set_callbacks(ProgressBar()).fit(X, y)

    shown = capsys.readouterr().out
    assert "Perceptron - fit" in shown
    assert "100%" in shown


def test_callbacks_come_down_through_a_pipeline_and_a_search(capsys):
    X, y = noisy()
    pipeline = make_pipeline(StandardScaler(), AveragedPerceptron(random_state=0))
    search = GridSearchCV(pipeline, {"averagedperceptron__max_iter": [1, 2]}, cv=2)

    search.set_callbacks(ProgressBar(max_propagation_depth=None)).fit(X, y)

    assert "AveragedPerceptron" in capsys.readouterr().out
    assert not hasattr(search.best_estimator_[-1], "_parent_callback_ctx")


def test_an_interrupt_is_passed_on_and_the_callbacks_put_away():
    class Impatient(Diary):
        def on_fit_task_begin(self, estimator, context):
            super().on_fit_task_begin(estimator, context)
            if self.told.count("pass begins") == 3:
                raise KeyboardInterrupt

    X, y = noisy()
    diary = Impatient()
    model = AveragedPerceptron(max_iter=5, random_state=0, warm_start=True).set_callbacks(diary)

    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)

    assert diary.told[-1] == "teardown"
    assert model.n_iter_ == 2
    model.set_callbacks().fit(X, y)
    assert_same_model(model, AveragedPerceptron(max_iter=5, random_state=0).fit(X, y))


def test_a_clone_keeps_its_callbacks():
    diary = Diary()

    clone(Perceptron(max_iter=1).set_callbacks(diary)).fit(*noisy())

    assert "pass ends" in diary.told


def test_what_is_no_callback_is_refused():
    with pytest.raises(TypeError, match="callbacks must be instances"):
        Perceptron().set_callbacks("bar")


def test_members_work_where_scikit_learn_has_no_callbacks():
    """As before 1.9: here the import is made to fail in a process of its own."""
    program = """
import sys
import sklearn
sys.modules["sklearn.callback"] = None
from rosenblatt import Perceptron
model = Perceptron(early_stopping=True).fit([[1.0], [2.0], [-1.0], [-2.0]], [1, 1, 0, 0])
print(model.predict([[3.0]]), hasattr(model, "set_callbacks"))
"""

    assert printed_by_python(program) == "[1] False\n"
