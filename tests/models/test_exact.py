"""The package equals its plain twin: to the bit wherever the numbers allow it.

Perceptrons keep whole numbers whole. Passive-aggressive steps divide by the squared length of the
difference, and unit_length by the length of the example, so there the exact tests use rows whose
squared length is a power of two, and real numbers are compared to twelve digits.
"""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import reference
from data import LAYOUTS, power_of_two_problems, real_numbers, whole_numbers, whole_problems
from members import Member, weights_of
from rosenblatt import (
    AveragedPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    VotedPerceptron,
)

PERCEPTRONS = [
    Member(Perceptron(), reference.perceptron, whole=True),
    Member(Perceptron(average=True), reference.perceptron, whole=True),
    Member(AveragedPerceptron(), reference.perceptron, whole=True),
    Member(VotedPerceptron(), reference.perceptron, whole=True),
]

options = st.fixed_dictionaries(
    {
        "ties": st.sampled_from(["mistake", "predict"]),
        "fit_intercept": st.booleans(),
        "max_iter": st.integers(1, 4),
    }
)
dyadic_weights = st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0])


def passive_aggressives(variant, C):
    """The plain and the averaged one."""
    rules = {"PA": reference.pa, "PA-I": reference.pa_1(C), "PA-II": reference.pa_2(C)}
    return [
        Member(PassiveAggressiveClassifier(C, variant=variant, average=average), rule, whole=True)
        for average in (False, True)
        for rule in [rules[variant]]
    ]


def fitted_and_twin(member, X, codes, classes, layout="float64", weights=None, **parameters):
    """Scores and weights of the model and of its twin."""
    model = member.new(shuffle=False, **parameters).fit(LAYOUTS[layout](X), codes, weights)
    walk = {name: value for name, value in parameters.items() if name != "max_iter"}
    path = member.path(X, codes, classes, model.n_iter_, weights=weights, **walk)
    scores = member.scores(path, X, fit_intercept=parameters.get("fit_intercept", True))
    return model, scores, member.learned(path)


def assert_equal_to_the_twin(member, X, codes, classes, layout="float64", **parameters):
    model, scores, weights = fitted_and_twin(member, X, codes, classes, layout, **parameters)

    winners = scores.argmax(axis=1) if classes > 2 else (scores > 0).astype(int)
    np.testing.assert_array_equal(weights_of(model), weights)
    np.testing.assert_array_equal(model.decision_function(LAYOUTS[layout](X)), scores)
    np.testing.assert_array_equal(model.predict(LAYOUTS[layout](X)), winners)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("perceptron", PERCEPTRONS, ids=str)
@settings(max_examples=15)
@given(data=st.data(), classes=st.integers(2, 6), options=options)
def test_perceptrons_equal_the_twin_on_whole_numbers(perceptron, layout, data, classes, options):
    """SPEC L5, C25, K4, K9, J1; A6: exact ties stay exact in the average."""
    X, codes = data.draw(whole_problems(classes))

    assert_equal_to_the_twin(perceptron, X, codes, classes, layout, **options)


@pytest.mark.parametrize("layout", ["float64", "csr_array"])
@pytest.mark.parametrize("classes", [31, 32, 33, 35, 64, 70, 300])
@pytest.mark.parametrize("perceptron", PERCEPTRONS, ids=str)
def test_many_classes_equal_the_twin(perceptron, classes, layout):
    """Classes are scored in groups of 32; more than 256 need wider labels."""
    X, codes = whole_numbers(seed=classes, count=2 * classes, width=7, classes=classes)

    assert_equal_to_the_twin(perceptron, X, codes, classes, layout, max_iter=2)


@pytest.mark.parametrize("layout", ["float64", "csr_array"])
@pytest.mark.parametrize("perceptron", PERCEPTRONS, ids=str)
@given(data=st.data(), classes=st.integers(2, 4), options=options)
def test_weighted_perceptrons_equal_the_twin(perceptron, layout, data, classes, options):
    X, codes = data.draw(whole_problems(classes))
    sample_weight = np.array(data.draw(st.lists(dyadic_weights, min_size=len(X), max_size=len(X))))
    assume(sample_weight.any())
    class_weight = {k: data.draw(dyadic_weights) for k in range(classes)}
    both = sample_weight * np.array([class_weight[code] for code in codes])

    model = perceptron.new(shuffle=False, class_weight=class_weight, **options)
    model.fit(LAYOUTS[layout](X), codes, sample_weight)

    walk = {name: value for name, value in options.items() if name != "max_iter"}
    path = perceptron.path(X, codes, classes, model.n_iter_, weights=both, **walk)
    np.testing.assert_array_equal(weights_of(model), perceptron.learned(path))


@pytest.mark.parametrize("layout", ["float64", "float32", "csr_array", "csr_array float32 int64"])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("variant", ["PA", "PA-I", "PA-II"])
@settings(max_examples=15)
@given(data=st.data(), classes=st.integers(2, 5), averaged=st.booleans())
def test_passive_aggressive_steps_equal_the_twin(
    variant, fit_intercept, layout, data, classes, averaged
):
    """Squared differences are 4, or 8 for several classes; C = 1/8 or 1/16 then doubles them."""
    X, codes = data.draw(power_of_two_problems(classes, nonzeros=3 if fit_intercept else 4))
    C = 0.125 if classes == 2 else 0.0625
    member = passive_aggressives(variant, C)[averaged]

    assert_equal_to_the_twin(
        member, X, codes, classes, layout, max_iter=1, fit_intercept=fit_intercept
    )


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("layout", ["float64", "csr_array"])
@given(data=st.data(), classes=st.integers(2, 5), ties=st.sampled_from(["mistake", "predict"]))
def test_examples_of_length_one_equal_the_twin(layout, fit_intercept, data, classes, ties):
    """SPEC B2, on rows of length two, so that halves are exact."""
    X, codes = data.draw(power_of_two_problems(classes, nonzeros=3 if fit_intercept else 4))
    members = PERCEPTRONS + passive_aggressives("PA", 1.0) + passive_aggressives("PA-I", 0.25)
    member = data.draw(st.sampled_from(members))

    assert_equal_to_the_twin(
        member,
        X,
        codes,
        classes,
        layout,
        max_iter=1,
        ties=ties,
        fit_intercept=fit_intercept,
        unit_length=True,
    )


@pytest.mark.parametrize("layout", ["float64", "csr_array"])
@pytest.mark.parametrize("unit_length", [False, True])
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("classes", [2, 3, 7])
def test_every_member_equals_the_twin_on_real_numbers(
    member, classes, fit_intercept, unit_length, layout
):
    X, codes = real_numbers(seed=classes, classes=classes)
    weights = np.random.default_rng(1).uniform(0.5, 2, size=len(X))

    model, scores, expected = fitted_and_twin(
        member,
        X,
        codes,
        classes,
        layout,
        weights=weights,
        max_iter=3,
        fit_intercept=fit_intercept,
        unit_length=unit_length,
    )

    np.testing.assert_allclose(weights_of(model), expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(
        model.decision_function(LAYOUTS[layout](X)), scores, rtol=1e-12, atol=1e-12
    )
