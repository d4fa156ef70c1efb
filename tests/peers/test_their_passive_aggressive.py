"""scikit-learn's tests of its PassiveAggressiveClassifier, with ours in its place."""

import pytest

from adopted import adopt
from rosenblatt import PassiveAggressiveClassifier

pytestmark = pytest.mark.filterwarnings("default")

adopt(
    globals(),
    "sklearn.linear_model.tests.test_passive_aggressive",
    {"sklearn.linear_model.PassiveAggressiveClassifier": PassiveAggressiveClassifier},
)


OTHERS = ["test_*regressor*", "test_class_deprecation*"]

DIFFERENCES = {
    "switching.md#the-passive-aggressive-length-includes-the-constant": [
        "test_classifier_correctness*"
    ],
    "switching.md#words-and-private-attributes-are-our-own": [
        "test_classifier_accuracy[*-True]",
        "test_classifier_partial_fit[*-True]",
    ],
    "switching.md#no-tol-and-fewer-passes": ["test_equal_class_weight"],
    "switching.md#shuffled-orders-are-other-orders": ["test_passive_aggressive_classifier_vs_sgd*"],
}
