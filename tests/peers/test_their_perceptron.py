"""scikit-learn's tests of its Perceptron, with ours in its place."""

import pytest

from adopted import adopt
from rosenblatt import Perceptron

pytestmark = pytest.mark.filterwarnings("default")

adopt(
    globals(),
    "sklearn.linear_model.tests.test_perceptron",
    {"sklearn.linear_model.Perceptron": Perceptron},
)


OTHERS = []

DIFFERENCES = {"switching.md#no-penalty-no-schedule-no-other-loss": ["test_perceptron_l1_ratio"]}
