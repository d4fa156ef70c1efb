"""Labels, weights and classes: the right answer, or one sentence that says what is wrong with them.

Never a crash, never silence. Each case runs in a child, which may die without ending the others.
"""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import DataConversionWarning

from members import assert_same_model
from one_of_each import FOR_EACH_LEARNER, LEARNING, labels, learn, trained
from refusals import assert_leaves_alone, assert_refused, assert_refused_by_all
from unusual import OwnArray, every_other, mapped, plain, read_only, to, unaligned

pytestmark = FOR_EACH_LEARNER

CASES = [(method, labels(classes)) for method in LEARNING for classes in (2, 3)]

SAME_LABELS = {
    "a list": list,
    "a series": pd.Series,
    "of floats": to(float),
    "of uint8": to("u1"),
    "a series of nullable numbers": lambda y: pd.Series(y, dtype="Int64"),
    "a series of Arrow's numbers": lambda y: pd.Series(y, dtype="int64[pyarrow]"),
    "of swapped bytes": to(">i8"),
    "unaligned": unaligned,
    "read-only": read_only,
    "strided": every_other,
    "backwards": lambda y: y[::-1].copy()[::-1],
    "in a file": mapped,
    "a subclass of ndarray": lambda y: y.view(OwnArray),
    "a masked array without a mask": np.ma.masked_array,
    "a column": lambda y: y[:, np.newaxis],
}

SAME_WEIGHTS = {
    "a list": list,
    "a series": pd.Series,
    "of objects": to("O"),
    "of int8": to("i1"),
    "of longdouble": to("g"),
    "of swapped bytes": to(">f8"),
    "unaligned": unaligned,
    "read-only": read_only,
    "strided": every_other,
    "in a file": mapped,
    "a subclass of ndarray": lambda weights: weights.view(OwnArray),
    "a masked array without a mask": np.ma.masked_array,
}

WRONG_LABELS = {
    "shorter than X": (lambda y: y[:-1], "12 rows but y has 11"),
    "longer than X": (lambda y: np.append(y, 0), "12 rows but y has 13"),
    "empty": (lambda y: y[:0], "12 rows but y has 0"),
    "None": (lambda y: None, "y is None"),
    "a number": (lambda y: 1, "1d array"),
    "a word": (lambda y: "yes", "1d array"),
    "of two columns": (lambda y: np.c_[y, y + 2], "zeros and ones|one label"),
    "ragged": (lambda y: [[0], 1] * 6, "shape|collection of labels|one label"),
    "continuous": (lambda y: y + 0.5, "continuous"),
    "with NaN": (lambda y: np.where(y == 1, np.nan, y), "NaN"),
    "with infinity": (lambda y: np.where(y == 1, np.inf, y), "infinity"),
    "with None": (lambda y: np.where(y == 1, None, "other"), "y has None for a label in row"),
    "of words with NaN": (
        lambda y: pd.Series("other", range(12), object).mask(y == 1),
        "y has nan for a label in row",
    ),
    "of strings with NA": (
        lambda y: pd.Series("other", range(12), "string").mask(y == 1),
        "y has <NA> for a label in row",
    ),
    "of objects with NaN": (lambda y: np.where(y == 1, np.nan, y).astype("O"), "NaN|label"),
    "of numbers and words": (
        lambda y: np.where(y == 1, "one", y.astype("O")),
        "in row 0 is no string but 0",
    ),
    "of words and numbers": (lambda y: np.where(y == 1, y.astype("O"), "no"), "no string but 1"),
    "of numbers as objects": (lambda y: y.astype("O"), "in row 0 is no string but 0"),
    "of dicts": (lambda y: [{}] * 12, "label|dict"),
    "complex": (lambda y: y * 1j, "label|[Cc]omplex"),
    "of bytes": (lambda y: y.astype("S"), "bytes|label"),
    "sparse": (
        lambda y: sparse.csr_array(y[np.newaxis]),
        "labels of 1 examples|zeros and ones|one label",
    ),
    "masked": (lambda y: np.ma.masked_equal(y, 1), "mask"),
}

WRONG_WEIGHTS = {
    "shorter than X": (np.ones(11), "12 rows but sample_weight has 11"),
    "longer than X": (np.ones(13), "12 rows but sample_weight has 13"),
    "empty": ([], "12 rows but sample_weight has 0"),
    "negative": ([1] * 11 + [-1], "got -1.0 for row 11"),
    "with NaN": ([1] * 11 + [np.nan], "got nan for row 11"),
    "with infinity": ([1] * 11 + [np.inf], "got inf for row 11"),
    "too large": ([1e300] + [1] * 11, "1e\\+300 for row 0"),
    "of two dimensions": (np.ones((12, 1)), "sample_weight must have one dimension"),
    "of words": (["heavy"] * 12, "sample_weight must hold numbers"),
    "of None": ([None] * 12, "sample_weight must hold"),
    "complex": (np.ones(12, complex), "sample_weight must hold"),
    "ragged": ([[1], [1, 2]] * 6, "sample_weight must hold numbers"),
    "a dict": ({0: 1.0}, "sample_weight must hold numbers"),
    "a word": ("heavy", "sample_weight must hold numbers"),
    "the number -1": (-1, "got -1.0"),
    "the number NaN": (np.nan, "got nan"),
    "masked": (np.ma.masked_equal(np.arange(12), 1), "mask"),
}

WRONG_CLASS_WEIGHTS = {
    "with NaN": {0: 1.0, 1: np.nan},
    "with infinity": {0: np.inf, 1: 1.0},
    "negative": {0: -1.0, 1: 1.0},
    "so large that steps overflow": {0: 1.0, 1: 1e200},
    "of words": {0: "heavy", 1: 1.0},
    "a list": [1.0, 2.0],
    "a word": "unbalanced",
    "negative for many classes": dict.fromkeys(range(500), -1.0),
}

WRONG_CLASSES = {
    "one": [0],
    "none": [],
    "without a label of y": [0, 5, 6],
    "of two dimensions": [[0, 1, 2]],
    "a large array of two dimensions": np.eye(40),
    "ragged": [[0], [1, 2]],
    "a number": 3,
    "a word": "012",
    "a set": {0, 1, 2},
    "words": ["0", "1", "2"],
    "numbers and words": [0, 1, 2, "other"],
    "with None": [0, 1, 2, None],
    "with NaN": [0, 1, 2, np.nan],
}


@pytest.mark.parametrize("kind", SAME_LABELS)
def test_unusual_labels_give_the_same_answer(kind, learner):
    warnings.simplefilter("ignore", DataConversionWarning)  # of a column
    for method, y in CASES:
        model = learn(learner.new(random_state=0), method, plain(), SAME_LABELS[kind](y))
        assert_same_model(model, learn(learner.new(random_state=0), method, plain(), y))


@pytest.mark.parametrize("kind", SAME_WEIGHTS)
def test_unusual_sample_weights_give_the_same_answer(kind, learner):
    weights = np.arange(12.0) % 3
    for method, y in CASES:
        model, other = (
            learn(learner.new(random_state=0), method, plain(), y, sample_weight=given)
            for given in (SAME_WEIGHTS[kind](weights), weights)
        )
        assert_same_model(model, other)


@pytest.mark.parametrize("kind", WRONG_LABELS)
def test_labels_that_make_no_sense_are_refused(kind, learner):
    make, words = WRONG_LABELS[kind]

    def check(method):
        def call(model, y):
            classes = {"classes": np.unique(y)} if method == "partial_fit" else {}
            learn(model, method, plain(), make(y), **classes)

        assert_refused_by_all(learner, call, words)

    for method in LEARNING:
        check(method)


@pytest.mark.parametrize("kind", WRONG_WEIGHTS)
def test_sample_weights_that_make_no_sense_are_refused(kind, learner):
    weights, words = WRONG_WEIGHTS[kind]

    def check(method):
        assert_refused_by_all(
            learner,
            lambda model, y: learn(model, method, plain(), y, sample_weight=weights),
            words,
        )

    for method in LEARNING:
        check(method)


@pytest.mark.parametrize("kind", WRONG_CLASS_WEIGHTS)
def test_class_weights_that_make_no_sense_are_refused(kind, learner):
    def check(method):
        def call(model, y):
            model.set_params(class_weight=WRONG_CLASS_WEIGHTS[kind])
            try:
                learn(model, method, plain(), y)
            finally:
                model.set_params(class_weight=None)

        assert_refused_by_all(learner, call, "class_weight|too large|could not convert")

    for method in LEARNING:
        check(method)


@pytest.mark.parametrize("kind", WRONG_CLASSES)
def test_classes_that_make_no_sense_are_refused(kind, learner):
    for known in (2, 3):
        y, classes = labels(known), WRONG_CLASSES[kind]
        assert_refused(
            lambda: learner.new().partial_fit(plain(), y, classes=classes),  # noqa: B023
            "class|label",
        )
        model = trained(learner, known)
        assert_leaves_alone(
            model,
            lambda: model.partial_fit(plain(), y, classes=classes),  # noqa: B023
            "class|label",
        )


@pytest.mark.parametrize("classes", [[2, 0, 1], [0, 1, 2, 2, 0], (0, 1, 2), range(3)], ids=str)
def test_classes_in_any_order_and_number_are_the_same(classes, learner):
    model = learner.new().partial_fit(plain(), labels(3), classes=classes)

    model.partial_fit(plain(), labels(3), classes=classes)

    other = learner.new().partial_fit(plain(), labels(3), classes=np.arange(3))
    assert_same_model(model, other.partial_fit(plain(), labels(3)))


def test_the_first_batch_needs_classes(learner):
    assert_refused(lambda: learner.new().partial_fit(plain(), labels(2)), "needs classes")


@pytest.mark.parametrize("stranger", [7, -1, 2.0, "two", "1"], ids=repr)
def test_a_label_of_no_known_class_is_refused(stranger, learner):
    model = trained(learner)
    y = np.full(12, stranger)
    assert_leaves_alone(model, lambda: model.partial_fit(plain(), y), "label")


def test_a_label_of_none_of_many_classes_is_refused_in_a_short_sentence(learner):
    model = learner.new().partial_fit(plain(), labels(3), classes=range(500))
    assert_leaves_alone(model, lambda: model.partial_fit(plain(), labels(3) + 600), "label")


def test_one_class_is_refused(learner):
    assert_refused_by_all(
        learner,
        lambda model, y: model.set_params(warm_start=False).fit(plain(), 0 * y),
        "class",
    )
