"""What the perceptron through a kernel cannot do it refuses in one sentence."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from data import whole_numbers
from native import LEVELS
from rosenblatt import KernelPerceptron


@pytest.mark.parametrize("core", LEVELS)
@pytest.mark.parametrize("own", [[0, 3], [0, -1], [0], [0, 1, 2]])
def test_the_core_takes_no_example_for_a_candidate_that_is_not_there(core, own):
    with pytest.raises(ValueError, match="candidate"):
        core.dual(np.ones((2, 3)), np.array(own, dtype=np.int32))


@pytest.mark.parametrize("core", LEVELS)
def test_the_core_takes_no_budget_for_supports_that_are_not_there(core):
    rows = core.dual(np.eye(2), np.arange(2, dtype=np.int32))
    rows.check(values=True)
    problem = core.Problem(
        rows, np.array([0, 1], np.uint8), 2, 1.0, False, False, core.Ties.mistake, None, None
    )
    weights, counts = np.zeros((3, 1)), np.zeros(3, dtype=np.int64)
    rest = (None, counts, None, 0, 2, False, None)

    for missed, supports in [(None, [2]), (np.zeros((3, 1)), [])]:
        budget = core.Budget(1, 0, supports)
        with pytest.raises(ValueError, match=r"supports|budget"):
            core.learn(problem, core.PerceptronRule(), weights, missed, *rest, budget=budget)
    assert not weights.any()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"kernel": "gauss"},
            "kernel must be 'linear', 'poly', 'rbf', 'sigmoid', 'laplacian', 'cosine', 'chi2' or "
            "'precomputed', got kernel='gauss': name one of these, or pass a function.",
        ),
        ({"gamma": 0}, "gamma must be a positive number, got gamma=0."),
        ({"gamma": "big"}, "gamma must be 'scale' or 'auto', got gamma='big'."),
        ({"degree": 0}, "degree must be a whole number of at least 1, got degree=0."),
        ({"coef0": float("nan")}, "coef0 must be a finite number, got coef0=nan."),
        ({"coef0": "1"}, "coef0 must be a finite number, got coef0='1'."),
        ({"vote": "yes"}, "vote must be True or False, got vote='yes'."),
        ({"budget": 0}, "budget must be a whole number of at least 1, got budget=0."),
        (
            {"average": True, "vote": True},
            "average=True and vote=True exclude each other: set one to False.",
        ),
        (
            {"average": True, "budget": 9},
            "budget=9 forgets supports, which average=True and vote=True still need: set "
            "budget=None, or both to False.",
        ),
        (
            {"kernel": lambda A, B: np.zeros((1, 1))},
            "kernel must return an array of shape (60, 60) for 60 rows of X and 60 supports, got "
            "shape (1, 1).",
        ),
        (
            {"kernel": lambda A, B: np.full((len(A), len(B)), np.nan), "shuffle": False},
            "The kernel gave nan for row 0 of X: scale the features, or choose other parameters of "
            "the kernel.",
        ),
        (
            {"kernel": lambda A, B: np.full((len(A), len(B)), 1e80), "shuffle": False},
            "The kernel gave 1e+80 for row 0 of X: scale the features, or choose other parameters "
            "of the kernel.",
        ),
        (
            {"kernel": lambda A, B: -A @ B.T - 2, "unit_length": True, "shuffle": False},
            "The kernel gives row 0 of X a squared length of -23, so that it cannot be scaled to "
            "length one: set unit_length=False.",
        ),
        (
            {"kernel": "precomputed"},
            "With kernel='precomputed' X must be square, the kernel values of all examples with "
            "each other, got shape (60, 9).",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(parameters, message):
    with pytest.raises(ValueError, match=r".") as refusal:
        KernelPerceptron(**parameters).fit(*whole_numbers())

    assert str(refusal.value) == message


def test_precomputed_values_cannot_come_in_batches():
    with pytest.raises(ValueError, match="partial_fit cannot learn with kernel='precomputed'"):
        KernelPerceptron(kernel="precomputed").partial_fit(np.eye(4), [0, 1, 0, 1], classes=[0, 1])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"vote": True}, "vote=True cannot begin on a model that was learned without it"),
        ({"average": True}, "average=True cannot begin on weights"),
        ({"gamma": 2.0}, "The kernel cannot change on a model that was learned with another"),
        ({"kernel": "poly"}, "The kernel cannot change on a model that was learned with another"),
    ],
)
def test_a_model_cannot_become_another_while_it_goes_on(change, words):
    X, y = whole_numbers()
    model = KernelPerceptron(warm_start=True).fit(X, y)
    before = model.dual_coef_.copy()

    model.set_params(**change)

    for learn in (model.fit, model.partial_fit):
        with pytest.raises(ValueError, match=words):
            learn(X, y)
    assert_array_equal(model.dual_coef_, before)


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_a_kernel_that_fails_halfway_leaves_the_model_as_it_was(method):
    X, y = whole_numbers(count=600)
    calls = []

    def tiring(A, B):
        calls.append(len(A))
        if len(calls) > 4:
            raise RuntimeError("enough")
        return A @ B.T

    model = KernelPerceptron(kernel=tiring, warm_start=True, max_iter=1).fit(X[:300], y[:300])
    before = model.dual_coef_.copy(), model.t_

    with pytest.raises(RuntimeError, match="enough"):
        getattr(model, method)(X, y)

    assert_array_equal(model.dual_coef_, before[0])
    assert model.t_ == before[1]
