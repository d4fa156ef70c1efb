"""The core of the page is that of the library, to the last bit."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from rosenblatt import (
    AROW,
    AveragedPerceptron,
    KernelPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    VotedPerceptron,
    Winnow,
)

SUMS_OF_STEPS = ("perceptron", "without an intercept", "of unit length", "averaged", "PA", "PA-I")
"""Whose steps tell of the margin; the library gives no bracket for others."""

SHUFFLES = {"pass": True, "once": "once", "none": False}

LEARN = """async ({rows, labels, classes, wanted, stops, asked}) => {
    const {load, Learner} = await import("/core.js");
    await load();
    const learner = new Learner(rows, labels, classes, wanted);
    const finite = (number) => (Number.isFinite(number) ? number : null);
    const found = stops.map((t) => {
        const progress = learner.goTo(t), {lower, upper} = learner.bracket;
        return {progress, bracket: [finite(lower), finite(upper)],
                last: learner.weights(false), shown: learner.weights(),
                mistakes: learner.mistakes(),
                scores: learner.scores(asked), predicted: learner.predict(asked)};
    });
    learner.close();
    return found;
}"""

MEMBERS = {
    "perceptron": (Perceptron(), {"rule": "perceptron"}),
    "without an intercept": (Perceptron(fit_intercept=False), {"intercept": False}),
    "of unit length": (Perceptron(unit_length=True), {"unitLength": True}),
    "ties to the first": (Perceptron(ties="predict"), {"ties": "predict"}),
    "averaged": (AveragedPerceptron(), {"average": True}),
    "voted": (VotedPerceptron(), {"vote": True}),
    "PA": (PassiveAggressiveClassifier(variant="PA"), {"rule": "pa"}),
    "PA-I": (PassiveAggressiveClassifier(C=0.3), {"rule": "pa-1", "C": 0.3}),
    "PA-II": (PassiveAggressiveClassifier(C=0.3, variant="PA-II"), {"rule": "pa-2", "C": 0.3}),
    "PA-I averaged": (
        PassiveAggressiveClassifier(average=True),
        {"rule": "pa-1", "average": True},
    ),
    "AROW": (AROW(r=0.5), {"rule": "arow", "r": 0.5}),
    "AROW averaged": (AROW(average=True), {"rule": "arow", "average": True}),
    "Winnow": (Winnow(), {"rule": "winnow"}),
    "kernel": (
        KernelPerceptron(kernel="poly", degree=2, gamma=1.0, coef0=1.0),
        {"kernel": {"degree": 2, "gamma": 1, "coef0": 1}},
    ),
    "kernel of degree 4": (
        KernelPerceptron(kernel="poly", degree=4, gamma=1.0, coef0=1.0),
        {"kernel": {"degree": 4, "gamma": 1, "coef0": 1}},
    ),
}


@pytest.fixture(scope="module")
def learned(browser, address):
    """What the page learns from examples after so many of them."""
    page = browser.new_page()
    page.goto(address + "core.js")

    def learn(X, codes, classes, wanted, stops, asked):
        given = {"rows": X.tolist(), "labels": codes.tolist(), "classes": classes}
        asked = {"wanted": wanted, "stops": stops, "asked": asked.tolist()}
        return page.evaluate(LEARN, given | asked)

    yield learn
    page.close()


def examples(member, classes, count=60):
    """Noisy clouds in as many columns as the page shows, or more; bits for Winnow."""
    rng = np.random.default_rng(classes)
    width = 20 if member == "Winnow" else 2
    codes = np.r_[np.arange(classes), rng.integers(classes, size=count - classes)]
    if member == "Winnow":
        X = rng.integers(0, 2, size=(count, width)).astype(float)
        return X, (X[:, 3] + X[:, 7] > 0).astype(int)
    if member.startswith("kernel"):  # kernel values without rounding, however they are worked out
        return rng.integers(-32, 33, size=(count, width)) / 16, codes
    return rng.normal(size=(count, width)) + 2 * np.c_[np.cos(codes), np.sin(2 * codes)], codes


def numbers_or_none(number):
    """As JSON has it, which knows no infinity."""
    return number if np.isfinite(number) else None


def weights_of(model):
    if isinstance(model, KernelPerceptron):
        return None
    return np.column_stack([model.coef_, model.intercept_])


@pytest.mark.parametrize("shuffle", SHUFFLES)
@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("member", MEMBERS)
def test_the_page_learns_the_same_bits(learned, member, classes, shuffle):
    model, wanted = MEMBERS[member]
    classes = 2 if member == "Winnow" else classes
    X, codes = examples(member, classes)
    asked = np.r_[X[:7], 1.5 * X[:5] - 0.25] if member != "Winnow" else X[:9]
    model = clone(model).set_params(max_iter=4, shuffle=SHUFFLES[shuffle], random_state=7)
    model.fit(X, codes)

    (found,) = learned(X, codes, classes, wanted | {"shuffle": shuffle, "seed": 7}, [240], asked)

    progress = found["progress"]
    assert progress["examples"] == model.t_ - 1
    assert progress["updates"] == model.n_updates_
    assert progress["converged"] == model.converged_
    if member in SUMS_OF_STEPS:
        assert found["bracket"] == [numbers_or_none(each) for each in model.bracket_]
    if weights_of(model) is not None:
        shown = [[*row["w"], row["b"]] for row in found["shown"]]
        assert_array_equal(shown, weights_of(model))
    assert_array_equal(found["predicted"], model.predict(asked))
    if not wanted.get("vote"):
        scores = np.array(found["scores"])
        assert_array_equal(scores[:, 0] if classes == 2 else scores, model.decision_function(asked))


@pytest.mark.parametrize("member", MEMBERS)
def test_a_step_back_leaves_what_a_shorter_run_leaves(learned, member):
    _, wanted = MEMBERS[member]
    X, codes = examples(member, 2)

    forth, on, back, start, again = learned(
        X, codes, 2, wanted | {"seed": 3}, [41, 150, 41, 0, 41], X
    )

    assert forth == back == again
    assert on != forth
    assert start["progress"]["updates"] == 0


@pytest.mark.parametrize("seed", range(6))
def test_random_runs_list_the_same_mistakes(learned, seed):
    rng = np.random.default_rng(seed)
    classes = int(rng.integers(2, 6))
    X = rng.normal(size=(int(rng.integers(5, 120)), int(rng.integers(1, 9))))
    codes = np.r_[np.arange(classes), rng.integers(classes, size=len(X))][: len(X)]
    model = Perceptron(max_iter=3, random_state=2**63 + seed, record=True).fit(X, codes)

    (found,) = learned(X, codes, int(codes.max()) + 1, {"seed": str(2**63 + seed)}, [3 * len(X)], X)

    assert_array_equal([each["t"] for each in found["mistakes"]], model.mistakes_["t"])
    assert_array_equal([each["example"] for each in found["mistakes"]], model.mistakes_["example"])
    assert_array_equal([[*row["w"], row["b"]] for row in found["shown"]], weights_of(model))


@pytest.mark.parametrize("classes", [2, 3])
def test_the_bracket_of_a_run_that_came_to_rest_is_that_of_the_library(learned, classes):
    rng = np.random.default_rng(classes)
    codes = np.r_[np.arange(classes), rng.integers(classes, size=40)]
    X = 9 * np.c_[np.cos(2 * codes), np.sin(2 * codes)] + rng.normal(size=(len(codes), 2))
    model = Perceptron(max_iter=100, random_state=5).fit(X, codes)

    (found,) = learned(X, codes, classes, {"seed": 5}, [100 * len(X)], X)

    assert model.converged_
    assert found["bracket"] == list(model.bracket_)


def test_a_kernel_of_distances_predicts_as_the_library_does(learned):
    X, codes = examples("kernel", 3)
    model = KernelPerceptron(kernel="rbf", gamma=1.0, max_iter=4, random_state=7).fit(X, codes)

    (found,) = learned(X, codes, 3, {"kernel": {"gamma": 1}, "seed": 7}, [240], X[:9] + 0.1)

    assert found["progress"]["updates"] == model.n_updates_
    assert_allclose(found["scores"], model.decision_function(X[:9] + 0.1), rtol=1e-12)
