"""VotedPerceptron: votes as if every weight vector had been stored, memory as if none had."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

import native
import reference
from data import real_numbers, whole_numbers, whole_problems
from members import Member, assert_same_model
from native import LEVELS
from rosenblatt import AveragedPerceptron, VotedPerceptron, feature_weights
from rosenblatt.plots.hyperplane import Hyperplane
from rosenblatt.training.mistakes import MISTAKE

CLASSES = [2, 3, 6]
FORMS = {"dense": np.array, "sparse": sparse.csr_array}
VOTED = Member(VotedPerceptron(), reference.perceptron, whole=True)


def bytes_of(model):
    """What the arrays of a pickled model's mistakes take."""
    return sum(
        part.nbytes
        for part in model._state.mistakes.__getstate__().values()
        if hasattr(part, "nbytes")
    )


def many_mistakes(classes):
    """Random labels, thousands of mistakes, so that votes are counted in several stages."""
    X, y = whole_numbers(count=700, classes=classes)
    return X, y, VotedPerceptron(shuffle=False, max_iter=10).fit(X, y)


# The vote


@given(problem=whole_problems(2), passes=st.integers(1, 4))
def test_every_vector_votes_as_often_as_freund_and_schapire_say(problem, passes):
    """SPEC C23, (4.17): sign of the sum of c sign(w . x)."""
    X, codes = problem
    Z = reference.with_constant(X)
    model = VotedPerceptron(shuffle=False, max_iter=passes).fit(X, codes)
    vectors, votes = reference.freund_schapire(Z, np.where(codes == 1, 1, -1), model.n_iter_)

    total = votes @ np.where(vectors @ Z.T > 0, 1, -1)

    assert_array_equal(model.predict(X), (total > 0).astype(int))
    assert_array_equal(model.decision_function(X), total / votes.sum())


def test_a_vector_has_a_vote_for_its_mistake_and_one_for_each_survival():
    """SPEC C23: 1 if replaced at once, 2 after one more survival; A5 no. 6: the zeros have none."""
    X, y = [[1.0], [1.0], [-3.0], [-1.0]], [1, 0, 0, 1]
    model = VotedPerceptron(fit_intercept=False, shuffle=False, max_iter=1)

    model.fit(X, y)  # weights 1 (one vote), 0 (one), 3 (one), 2 (one)

    assert model.decision_function([[1.0], [-1.0]]).tolist() == [0.5, -1.0]
    model.partial_fit([[1.0]] * 4, [1] * 4)  # the last now has five votes of eight
    assert model.decision_function([[1.0], [-1.0]]).tolist() == [0.75, -1.0]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("classes", CLASSES)
def test_thousands_of_mistakes_vote_as_stored_vectors_would(classes, form):
    X, y, model = many_mistakes(classes)
    path = VOTED.path(X, y, classes, model.n_iter_)

    shares = model.decision_function(FORMS[form](X[:100]))

    assert model.n_updates_ > 3000
    assert_array_equal(shares, VOTED.scores(path, X[:100]))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("classes", CLASSES)
def test_stopping_early_never_changes_the_winner(classes, form):
    X, _, model = many_mistakes(classes)
    rng = np.random.default_rng(1)
    others = np.vstack([X, 3 * X, -X, rng.integers(-9, 9, size=X.shape), np.zeros_like(X[:1])])

    shares = model.decision_function(FORMS[form](others))

    winners = shares.argmax(axis=1) if classes > 2 else (shares > 0).astype(int)
    assert_array_equal(model.predict(FORMS[form](others)), winners)


@pytest.mark.parametrize("classes", CLASSES)
def test_weighted_steps_vote_as_their_vectors_do(classes):
    X, y = whole_numbers(classes=classes)
    weights = np.random.default_rng(2).choice([0.0, 0.5, 1.0, 3.0], size=len(X))

    model = VotedPerceptron(shuffle=False, max_iter=1).fit(X, y, sample_weight=weights)

    path = VOTED.path(X, y, classes, weights=weights)
    assert_array_equal(model.decision_function(X), VOTED.scores(path, X))


def test_before_the_first_mistake_nobody_votes():
    """With ties="predict" examples of the first class are no mistakes at the start."""
    model = VotedPerceptron(ties="predict").partial_fit(np.eye(3), [0, 0, 0], classes=[0, 1])
    assert model.decision_function(np.eye(3)).tolist() == [0, 0, 0]
    assert model.predict(np.eye(3)).tolist() == [0, 0, 0]

    model.partial_fit([[1.0, 0, 0]], [1])

    assert model.decision_function(np.eye(3)).tolist() == [1, 1, 1]  # the intercept of one vector


def test_a_step_on_a_row_without_features_makes_no_voter():
    model = VotedPerceptron(fit_intercept=False, max_iter=1, shuffle=False)

    model.fit([[0.0], [1.0]], [1, 0])

    assert model.n_updates_ == 2
    assert model.decision_function([[-1.0]]).tolist() == [1.0]


def test_columns_named_twice_count_twice():
    X, y = whole_numbers()
    model = VotedPerceptron(random_state=0).fit(X, y)
    halves = sparse.csr_array(
        (np.repeat(X.ravel() / 2, 2), np.tile(np.repeat(np.arange(9), 2), 60), np.arange(61) * 18),
        shape=X.shape,
    )

    assert_array_equal(model.decision_function(halves), model.decision_function(X))


# Going on


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("classes", CLASSES)
def test_batches_vote_as_the_whole(classes, form):
    X, y = real_numbers(count=120, classes=classes)
    X = FORMS[form](X)
    whole = VotedPerceptron(shuffle=False, max_iter=1).fit(X, y)

    model = VotedPerceptron()
    for start in range(0, 120, 7):
        piece = slice(start, start + 7)
        model.partial_fit(X[piece], y[piece], classes=range(classes)).predict(X)
        model = pickle.loads(pickle.dumps(model))

    assert_array_equal(model.decision_function(X), whole.decision_function(X))


def test_a_longer_survival_is_seen_by_the_next_vote():
    """Without a further mistake, too, the last vector gains votes."""
    model = VotedPerceptron(fit_intercept=False).partial_fit([[2.0], [1.0]], [1, 0], classes=[0, 1])
    before = model.decision_function([[1.0]]).item()

    model.partial_fit([[1.0]], [1])

    assert before == 1.0
    model.partial_fit([[1.0]], [0]).partial_fit([[1.0]], [0])
    assert model.decision_function([[1.0]]).item() == 0.2  # 2, 1, 1 with three votes; 0, -1


# The average


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("classes", CLASSES)
def test_the_average_falls_out_of_the_same_record(classes, form, shuffle):
    """SPEC C24, C25: the same bits as AveragedPerceptron, also when both learn on."""
    X, y = whole_numbers(count=150, classes=classes)
    X = FORMS[form](X)
    options = {"shuffle": shuffle, "random_state": 5, "max_iter": 4}
    averaged = AveragedPerceptron(**options).fit(X, y)

    average = VotedPerceptron(**options).fit(X, y).average_

    assert type(average) is AveragedPerceptron
    assert_same_model(average, averaged)
    assert_array_equal(average.decision_function(X), averaged.decision_function(X))
    assert_same_model(average.partial_fit(X, y), averaged.partial_fit(X, y))


@given(problem=whole_problems(2), passes=st.integers(1, 3))
def test_the_average_is_the_sum_of_votes_times_vectors(problem, passes):
    """SPEC C24, (4.18): without the inner sign; A6: the zeros of the start count in the divisor."""
    X, codes = problem
    model = VotedPerceptron(shuffle=False, max_iter=passes).fit(X, codes)
    signs = np.where(codes == 1, 1, -1)
    vectors, votes = reference.freund_schapire(reference.with_constant(X), signs, model.n_iter_)

    average = model.average_

    sums = votes @ vectors
    assert_array_equal(average.coef_[0], sums[:-1] / model.t_)
    assert_array_equal(average.intercept_, sums[-1:] / model.t_)


def test_the_average_is_a_model_of_its_own():
    X, y = whole_numbers(classes=3)
    model = VotedPerceptron(random_state=0).fit(X, y)
    before = model.decision_function(X)

    model.average_.partial_fit(X, y)

    assert_array_equal(model.decision_function(X), before)
    assert not hasattr(VotedPerceptron(), "average_")


# Memory


@pytest.mark.parametrize("form", FORMS)
def test_memory_is_proportional_to_the_non_zeros_of_the_mistakes(form):
    """12 bytes a value, 8 a row, 48 a mistake and 32 for all counts; nothing for zeros."""
    rng = np.random.default_rng(0)
    X = np.zeros((400, 3000))
    for row in X:
        row[rng.integers(3000, size=10)] = rng.normal(size=10)
    y = rng.integers(2, size=400)

    model = VotedPerceptron(record=True, random_state=0).fit(FORMS[form](X), y)

    mistaken = np.unique(model.mistakes_["example"])
    values = np.count_nonzero(X[mistaken])
    assert model.n_updates_ > len(mistaken)  # some rows were mistaken in several passes
    assert bytes_of(model) == 12 * values + 8 * (len(mistaken) + 1) + 48 * model.n_updates_ + 32


def test_the_callers_rows_may_change_after_learning():
    X, y = whole_numbers()
    model = VotedPerceptron(random_state=0).fit(X, y)
    rows = X.copy()
    before = model.decision_function(rows)

    X[:] = 7.0

    assert_array_equal(model.decision_function(rows), before)


# The core


def arrays_of(model):
    mistakes = model._state.mistakes.trimmed()
    return {
        "mistakes": mistakes._list,
        "bounds": mistakes._indptr,
        "columns": mistakes._columns,
        "values": mistakes._values,
    }


def voters(core, arrays, width, seen, classes):
    return core.Voters(
        arrays["mistakes"].view(np.uint8),
        arrays["bounds"],
        arrays["columns"],
        arrays["values"],
        width,
        seen,
        classes,
        1.0,
    )


@pytest.mark.parametrize("classes", CLASSES)
def test_every_level_counts_the_same_votes(classes):
    X, y = real_numbers(count=300, width=21, classes=classes)
    model = VotedPerceptron(random_state=0).fit(X, y)
    counted = []
    for core in LEVELS:
        out = np.empty((300, classes), dtype=np.int64)
        core.poll(
            voters(core, arrays_of(model), 21, model.t_ - 1, classes),
            native.rows_of(core, X),
            0,
            300,
            out,
        )
        counted.append(out)

    for votes in counted:
        assert_array_equal(votes, counted[0])
        assert (votes.sum(axis=1) == model.t_ - 1).all()


def put(name, field, value):
    def spoil(arrays):
        if field is None:
            arrays[name][1] = value
        else:
            arrays[name][field][1] = value

    return spoil


UNSOUND = {
    "a row beyond": put("mistakes", "row", 10**9),
    "a row below": put("mistakes", "row", -1),
    "a class beyond": put("mistakes", "right", 2),
    "a rival below": put("mistakes", "rival", -1),
    "time going back": put("mistakes", "t", 0),
    "time beyond": put("mistakes", "t", 10**9),
    "bounds that fall": put("bounds", None, 10**9),
    "bounds below": put("bounds", None, -1),
    "a column beyond": put("columns", None, 9),
    "a column below": put("columns", None, -1),
}


@pytest.mark.parametrize("spoil", UNSOUND.values(), ids=UNSOUND)
def test_the_core_trusts_no_index(spoil):
    X, y = whole_numbers()
    model = VotedPerceptron(random_state=0).fit(X, y)
    arrays = arrays_of(model)
    spoil(arrays)

    with pytest.raises(ValueError, match=r"must"):
        voters(LEVELS[0], arrays, 9, model.t_ - 1, 2)


def test_the_core_learns_nothing_that_it_has_no_room_to_keep():
    core = LEVELS[0]
    X, y = whole_numbers()
    rows = native.rows_of(core, X)
    problem = core.Problem(
        rows, y.astype(np.int32), 2, 1.0, False, False, core.Ties.mistake, None, None
    )
    weights, counts, used = np.zeros((10, 1)), np.zeros(3, np.int64), np.zeros(4, np.int64)
    places = np.full(60, -1)

    for mistakes, values in ((60, 539), (59, 540)):
        kept = core.Mistakes(
            np.zeros(mistakes, MISTAKE).view(np.uint8),
            np.zeros(mistakes + 1, np.int64),
            np.zeros(values, np.int32),
            np.zeros(values),
            used,
            places,
        )
        arguments = (weights, None, None, counts, None, 0, 60, False, None, kept)
        with pytest.raises(ValueError, match="there must be room for the mistakes"):
            core.learn(problem, core.PerceptronRule(), *arguments)

    assert not weights.any()
    assert not counts.any()


@pytest.mark.parametrize("classes", [2, 4])
def test_early_stopping_watches_the_votes_and_goes_back_to_the_best(classes):
    X, y = whole_numbers(count=200, classes=classes)
    options = {"random_state": 0, "shuffle": False}

    model = VotedPerceptron(early_stopping=True, n_iter_no_change=3, max_iter=30, **options)
    model.fit(X[:150], y[:150], X_val=X[150:], y_val=y[150:])

    best = VotedPerceptron(max_iter=model.best_iter_, **options).fit(X[:150], y[:150])
    assert_same_model(model, best)
    np.testing.assert_array_equal(model.decision_function(X), best.decision_function(X))
    record = model.history_[model.best_iter_ - 1]
    assert record.validation_error == pytest.approx(1 - model.score(X[150:], y[150:]))
    last = VotedPerceptron(max_iter=1, **options).fit(X[:150], y[:150])
    by_last = (X[150:] @ last.coef_.T + last.intercept_).squeeze()
    wrong = (by_last > 0 if classes == 2 else by_last.argmax(axis=1)) != y[150:]
    assert model.history_[0].last_validation_error == pytest.approx(wrong.mean())


def test_votes_are_not_explained_by_weights():
    X, y = whole_numbers()
    model = VotedPerceptron().fit(X, y)

    with pytest.raises(ValueError, match="votes of many weights"):
        feature_weights(model)
    assert Hyperplane.of(model) is None
    assert len(feature_weights(model.average_, n=1).records) > 0


def test_rows_read_before_more_features_came_are_voted_on_as_without_them():
    model = VotedPerceptron()
    for x, y in [({"a": 1.0}, "yes"), ({"b": 1.0}, "no"), ({"a": 1.0, "b": 1.0}, "yes")] * 3:
        model.learn_one(x, y)
    asked = sparse.csr_array([[1.0, 0.0], [0.0, 1.0]])
    rows = model._scorer(model._state).rows(asked)

    model.learn_one({"c": 1.0, "a": 1.0}, "no")

    scorer = model._scorer(model._state)
    expected = scorer.scores(sparse.csr_array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    assert_array_equal(scorer.scores(rows), expected)
