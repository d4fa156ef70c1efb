"""What a refusal must look like, and that it leaves the model as it was."""

import pickle
import re
import traceback

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.exceptions import NotFittedError

from members import assert_same_model
from one_of_each import labels, trained
from unusual import plain


def assert_refused(call, words):
    """The call raises ValueError or TypeError, in one sentence unless scikit-learn speaks."""
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    message = str(caught.value)
    modules = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(caught.tb)]
    if not any(module.startswith("sklearn.") for module in modules):
        assert is_one_sentence(message), f"Not one short sentence: {message}"
    assert re.search(words, message), f"No word of {words}: {message}"


def is_one_sentence(message):
    return len(message) <= 250 and message.endswith(".") and "\n" not in message


def assert_leaves_alone(model, call, words):
    """The call is refused; the model then predicts, and learns on, as if there had been none."""
    untouched = _learn_more(model)
    before = model.decision_function(plain())

    assert_refused(call, words)

    assert_array_equal(model.decision_function(plain()), before)
    assert_same_model(_learn_more(model), untouched)


def _learn_more(model):
    """A copy of the model that has seen the plain rows once more."""
    y = model.classes_.take(np.arange(12) % len(model.classes_))
    return pickle.loads(pickle.dumps(model)).partial_fit(plain(), y)


def assert_refused_by_all(learner, call, words):
    """call(model, y) is refused by a new model, one that starts afresh and one that goes on."""
    for classes, warm_start in ((2, True), (3, False)):
        y = labels(classes)
        new = learner.new()
        assert_refused(lambda: call(new, y), words)  # noqa: B023
        with pytest.raises(NotFittedError):
            new.predict(plain())
        model = trained(learner, classes, warm_start=warm_start)
        assert_leaves_alone(model, lambda: call(model, y), words)  # noqa: B023
