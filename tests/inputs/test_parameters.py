"""Wrong parameters are refused in one sentence that names them as the caller typed them."""

import numpy as np
import pytest

from data import whole_numbers
from members import MEMBERS
from rosenblatt import AveragedPerceptron, PassiveAggressiveClassifier, Perceptron

FLAG = "{0} must be True or False, got {0}={1!r}."
COUNT = "{0} must be a whole number of at least 1, got {0}={1!r}."
ORDER = "{0} must be True, 'once', 'blocks' or False, got {0}={1!r}."
FINITE = "class_weight must hold finite numbers of zero or more, got "
SEED = "{0} must be None, a whole number, a RandomState or a Generator, got {0}={1!r}."
WRONG = [
    ("fit_intercept", "yes", FLAG),
    ("fit_intercept", None, FLAG),
    ("fit_intercept", 2, FLAG),
    ("unit_length", "no", FLAG),
    ("unit_length", 0.5, FLAG),
    ("warm_start", "no", FLAG),
    ("record", "all", FLAG),
    ("max_iter", 0, COUNT),
    ("max_iter", -3, COUNT),
    ("max_iter", 2.5, COUNT),
    ("max_iter", "10", COUNT),
    ("max_iter", None, COUNT),
    ("max_iter", True, COUNT),
    ("shuffle", "twice", ORDER),
    ("shuffle", None, ORDER),
    ("shuffle", 3, ORDER),
    ("ties", "error", "{0} must be 'mistake' or 'predict', got {0}={1!r}."),
    ("ties", None, "{0} must be 'mistake' or 'predict', got {0}={1!r}."),
    ("verbose", -1, "{0} must be 0, 1 or more, got {0}={1!r}."),
    ("verbose", "loud", "{0} must be 0, 1 or more, got {0}={1!r}."),
    ("verbose", float("nan"), "{0} must be 0, 1 or more, got {0}={1!r}."),
    ("random_state", -1, "random_state must lie between 0 and 2**64 - 1, got {0}={1}."),
    ("random_state", 2**64, "random_state must lie between 0 and 2**64 - 1, got {0}={1}."),
    ("random_state", "seed", SEED),
    ("random_state", 1.5, SEED),
    (
        "class_weight",
        {0: -1.0},
        "{0} must hold finite numbers of zero or more, got -1.0 for class 0.",
    ),
    (
        "class_weight",
        {1: np.nan},
        "{0} must hold finite numbers of zero or more, got nan for class 1.",
    ),
    (
        "class_weight",
        {0: "heavy"},
        "{0} must hold finite numbers of zero or more, got 'heavy' for class 0.",
    ),
    ("class_weight", [1.0], "{0} must be a dict, 'balanced' or None, got {0}={1!r}."),
    ("class_weight", "even", "{0} must be a dict, 'balanced' or None, got {0}={1!r}."),
    (
        "class_weight",
        {0: 1.0, "1": 2.0},
        "{0} holds the label '1', which is not among the classes [0, 1].",
    ),
]
ITS_OWN = [
    (Perceptron, "average", "sometimes", FLAG),
    (PassiveAggressiveClassifier, "average", None, FLAG),
    *(
        (PassiveAggressiveClassifier, "C", C, "{0} must be a positive number, got {0}={1!r}.")
        for C in (0, -1.0, float("nan"), "large", None, True)
    ),
    *(
        (
            PassiveAggressiveClassifier,
            "variant",
            variant,
            "{0} must be 'PA-I', 'PA-II' or 'PA', got {0}={1!r}.",
        )
        for variant in ("PA-III", "pa", 1, None)
    ),
]


@pytest.mark.parametrize(("name", "value", "message"), WRONG)
@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_a_wrong_parameter_is_refused_in_one_sentence(member, method, name, value, message):
    model = member.new(**{name: value})
    options = {"classes": [0, 1]} if method == "partial_fit" else {}

    with pytest.raises(ValueError, match=r".") as refusal:
        getattr(model, method)(*whole_numbers(), **options)

    assert str(refusal.value) == message.format(name, value)


@pytest.mark.parametrize(("estimator", "name", "value", "message"), ITS_OWN)
def test_a_wrong_parameter_of_its_own_is_refused_in_one_sentence(estimator, name, value, message):
    with pytest.raises(ValueError, match=r".") as refusal:
        estimator(**{name: value}).fit(*whole_numbers())

    assert str(refusal.value) == message.format(name, value)


def test_the_constructor_takes_anything_and_leaves_it_alone(member):
    value = object()

    model = type(member.model)(max_iter=value, shuffle=value, ties=value)

    assert model.max_iter is model.shuffle is model.ties is value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_iter", np.int64(3)),
        ("fit_intercept", np.True_),
        ("fit_intercept", 0),
        ("shuffle", np.True_),
        ("unit_length", np.bool_(True)),
        ("verbose", False),
        ("random_state", 2**64 - 1),
        ("shuffle", "once"),
        ("class_weight", {0: 2, 1: np.float32(0.5)}),
    ],
)
def test_what_means_the_same_is_taken(member, name, value):
    model = member.new(**{name: value}).fit(*whole_numbers())

    assert model.n_iter_ >= 1


def test_without_a_limit_the_step_is_that_of_plain_pa():
    X, y = whole_numbers(classes=3)

    held = PassiveAggressiveClassifier(C=float("inf"), random_state=0).fit(X, y)
    plain = PassiveAggressiveClassifier(variant="PA", random_state=0).fit(X, y)

    np.testing.assert_array_equal(held.coef_, plain.coef_)


def test_balanced_classes_need_all_labels_at_once(member):
    with pytest.raises(
        ValueError, match="class_weight='balanced' is not supported for partial_fit"
    ):
        member.new(class_weight="balanced").partial_fit(*whole_numbers(), classes=[0, 1])


def test_the_first_batch_needs_classes(member):
    message = r"The first call to partial_fit needs classes, .*: partial_fit\(X, y, classes="

    with pytest.raises(ValueError, match=message):
        member.new().partial_fit(*whole_numbers())


def test_averaging_cannot_begin_on_weights_learned_without_it():
    X, y = whole_numbers()
    model = Perceptron(warm_start=True).fit(X, y).set_params(average=True)

    for learn in (model.fit, model.partial_fit):
        with pytest.raises(ValueError, match="average=True cannot begin on weights"):
            learn(X, y)


def test_all_members_share_names_and_defaults():
    shared = AveragedPerceptron().get_params()
    del shared["half_life"]  # of the average, which not all have

    for member in MEMBERS:
        parameters = type(member.model)().get_params()
        assert {name: parameters[name] for name in shared} == shared
