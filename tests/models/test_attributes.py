"""What fit learns and says about it: shapes, counts, history, the list of mistakes."""

import inspect

import numpy as np
import pytest

import reference
from data import separable, whole_numbers
from members import weights_of
from rosenblatt import AROW, PassiveAggressiveClassifier, Perceptron, Winnow

CLASSES = [2, 3, 6]


def walk_of(member, X, y, classes, passes):
    """Margins and verdicts of the twin at every example of the passes."""
    path = member.path(X, y, classes, passes)[:-1]
    Z = reference.with_constant(X)
    margins = []
    for w, (x, label) in zip(path, list(zip(Z, y, strict=True)) * passes, strict=True):
        scores = w @ x
        if classes == 2:
            margins.append((2 * label - 1) * scores[0])
        else:
            margins.append(scores[label] - scores[reference.best_wrong_class(scores, label)])
    return np.array(margins).reshape(passes, len(X))


@pytest.mark.parametrize("classes", CLASSES)
def test_weights_have_scikit_learns_shapes(member, classes):
    X, y = whole_numbers(width=9, classes=classes)
    rows = 1 if classes == 2 else classes

    model = member.new().fit(X, y)

    assert model.coef_.shape == (rows, 9)
    assert model.intercept_.shape == (rows,)
    assert model.coef_.dtype == model.intercept_.dtype == np.float64
    assert model.decision_function(X).shape == ((60,) if classes == 2 else (60, classes))
    assert model.n_features_in_ == 9
    assert model.classes_.tolist() == list(range(classes))


@pytest.mark.parametrize("classes", CLASSES)
def test_weights_are_read_only(member, classes):
    model = member.new().fit(*whole_numbers(classes=classes))

    for array in (model.coef_, model.intercept_):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    with pytest.raises(AttributeError):
        model.coef_ = np.zeros_like(model.coef_)


@pytest.mark.parametrize("name", ["coef_", "intercept_", "t_", "n_updates_", "n_iter_", "history_"])
def test_before_fit_there_is_nothing_to_see(member, name):
    assert not hasattr(member.new(), name)


@pytest.mark.parametrize("classes", CLASSES)
def test_t_counts_the_examples_of_all_passes_and_one(member, classes):
    X, y = whole_numbers(classes=classes)

    model = member.new(max_iter=4).fit(X, y)

    assert model.t_ == 1 + model.n_iter_ * len(X)
    assert model.partial_fit(X[:7], y[:7]).t_ == 1 + model.n_iter_ * len(X) + 7


@pytest.mark.parametrize("classes", CLASSES)
def test_history_tells_updates_from_mistakes(member, classes):
    """A perceptron steps after mistakes only; others also where the margin is below one."""
    X, y = whole_numbers(classes=classes)
    margins = walk_of(member, X, y, classes, passes=3)
    mistakes = (margins <= 0).sum(axis=1)
    updates = mistakes if member.rule is reference.perceptron else (margins < 1).sum(axis=1)

    model = member.new(shuffle=False, max_iter=3).fit(X, y)

    assert [done.mistakes for done in model.history_] == mistakes.tolist()
    assert [done.updates for done in model.history_] == updates.tolist()
    assert all(done.seconds >= 0 for done in model.history_)
    assert sum(done.updates for done in model.history_) == model.n_updates_
    assert len(model.history_) == model.n_iter_ == 3


def test_a_pass_without_an_update_ends_training(flat_member):
    """SPEC C18."""
    X, y = np.array([[4.0, 1], [1, 4], [-4, -1], [-1, -4]]), [1, 1, 0, 0]

    model = flat_member.new(max_iter=100).fit(X, y)

    assert model.converged_
    assert model.history_[-1].updates == 0
    assert all(done.updates > 0 for done in model.history_[:-1])
    assert model.n_iter_ == len(model.history_) < 100


@pytest.mark.parametrize("average", [False, True])
def test_a_perceptron_converges_on_separable_data(average):
    X, y, _, _ = separable()

    model = Perceptron(average=average, max_iter=10_000).fit(X, y)

    assert model.converged_
    if not average:
        assert model.score(X, y) == 1


def test_max_iter_bounds_the_passes_without_a_warning(member):
    X, y = whole_numbers()

    model = member.new(max_iter=2).fit(X, y)

    assert model.n_iter_ == 2
    assert not model.converged_


def test_a_batch_that_moves_the_weights_ends_convergence():
    """converged_ means that another pass would change nothing."""
    X, y, _, _ = separable()
    model = Perceptron(max_iter=10_000).fit(X, y)
    assert model.converged_

    model.partial_fit(X, 1 - y)

    assert not model.converged_


# The list of mistakes


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("shuffle", [True, "once", "blocks", False])
def test_replaying_the_mistakes_rebuilds_the_weights(flat_member, classes, shuffle):
    """A perceptron is the list of its mistakes; the average is a weighting of the same list."""
    X, y = whole_numbers(count=70, classes=classes)
    model = flat_member.new(shuffle=shuffle, record=True, max_iter=3, random_state=0).fit(X, y)
    Z = reference.with_constant(X)
    last, missed = np.zeros((classes, Z.shape[1])), np.zeros((classes, Z.shape[1]))

    for t, example, rival, step in model.mistakes_.tolist():
        for label, sign in ((y[example], 1), (rival, -1)):
            last[label] += sign * step * Z[example]
            missed[label] += t * sign * step * Z[example]

    c = model.t_
    rebuilt = (c * last - missed) / c if flat_member.averages else last
    rebuilt = rebuilt[1:] if classes == 2 else rebuilt
    if flat_member.whole:
        np.testing.assert_array_equal(weights_of(model), rebuilt)
    else:
        np.testing.assert_allclose(weights_of(model), rebuilt, rtol=1e-10, atol=1e-12)
    assert len(model.mistakes_) == model.n_updates_


@pytest.mark.parametrize("classes", CLASSES)
def test_mistakes_come_in_order_and_name_a_wrong_class(member, classes):
    X, y = whole_numbers(classes=classes)

    model = member.new(record=True, max_iter=2).fit(X, y)

    mistakes = model.mistakes_
    assert mistakes.dtype.names == ("t", "example", "rival", "step")
    assert (np.diff(mistakes["t"]) > 0).all()
    assert mistakes["t"][0] >= 1
    assert mistakes["t"][-1] < model.t_
    assert (mistakes["rival"] != y[mistakes["example"]]).all()
    assert (mistakes["step"] > 0).all()


@pytest.mark.parametrize("classes", [2, 3])
def test_mistakes_are_recorded_over_batches(member, classes):
    X, y = whole_numbers(classes=classes)
    whole = member.new(record=True).partial_fit(X, y, classes=range(classes))

    model = member.new(record=True)
    for start in range(0, 60, 7):
        piece = slice(start, start + 7)
        model.partial_fit(X[piece], y[piece], classes=range(classes))

    for name in ("t", "rival", "step"):
        np.testing.assert_array_equal(model.mistakes_[name], whole.mistakes_[name])
    starts = (model.mistakes_["t"] - 1) // 7 * 7
    np.testing.assert_array_equal(model.mistakes_["example"] + starts, whole.mistakes_["example"])


def test_no_mistakes_are_kept_unless_asked_for(member):
    model = member.new().fit(*whole_numbers())

    with pytest.raises(AttributeError, match="mistakes_ is kept only with record=True"):
        _ = model.mistakes_


def test_recording_changes_nothing_else(member):
    X, y = whole_numbers(classes=3)

    model, other = (member.new(record=r, random_state=0).fit(X, y) for r in (True, False))

    np.testing.assert_array_equal(weights_of(model), weights_of(other))


# What it prints


def test_verbose_prints_a_line_for_each_pass(member, capsys):
    model = member.new(verbose=1, max_iter=3).fit(*whole_numbers())

    header, *lines = capsys.readouterr().out.splitlines()
    norm = [] if member.through_kernel else ["norm"]
    assert header.split()[:5] == ["pass", "updates", "mistakes", "seconds", *norm]
    assert [line.split()[:3] for line in lines] == [
        [str(number), str(done.updates), str(done.mistakes)]
        for number, done in enumerate(model.history_, start=1)
    ]


def test_nothing_is_printed_unless_asked_for(member, capsys):
    member.new().fit(*whole_numbers())

    assert capsys.readouterr() == ("", "")


def test_parameters_are_told_in_the_docstring(member):
    parameters = inspect.signature(type(member.model)).parameters

    assert parameters.keys() == member.model.get_params().keys()
    for name in parameters:
        assert f"\n    {name} : " in type(member.model).__doc__


@pytest.mark.parametrize(
    ("model", "first"), [(AROW, "r"), (PassiveAggressiveClassifier, "C"), (Winnow, "factor")]
)
def test_only_the_parameter_of_the_rule_is_positional(model, first):
    kinds = {name: found.kind for name, found in inspect.signature(model).parameters.items()}

    assert kinds.pop(first) is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert set(kinds.values()) == {inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize("name", ["fit_intercept", "ties", "unit_length"])
def test_winnow_takes_no_parameter_of_sums(name):
    assert name not in Winnow().get_params()
    assert f"\n    {name} : " not in Winnow.__doc__
    with pytest.raises(TypeError, match=name):
        Winnow(**{name: True})
