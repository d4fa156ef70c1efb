"""One model in several threads: one learns, the others predict with what there is."""

import pickle
import sys
import threading

import numpy as np
import pytest
from scipy import sparse

from data import whole_numbers
from members import STREAM_MEMBERS
from rosenblatt import KernelPerceptron, Winnow

MODELS = [*(each.model for each in STREAM_MEMBERS), Winnow(), KernelPerceptron(budget=60)]


@pytest.fixture(autouse=True)
def eager_threads():
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def uses_of(model, X):
    """What other threads may ask a model for while it learns."""
    return [
        lambda: model.predict(X),
        lambda: model.decision_function(X),
        lambda: pickle.loads(pickle.dumps(model)).predict(X),
        lambda: model.predict_one(X[[0]].toarray()[0]),
    ]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_others_may_predict_while_a_model_learns(model):
    X, y = whole_numbers(count=300, width=20, classes=3)
    X = sparse.csr_array(np.abs(X) > 0).astype(float)
    model = type(model)(**model.get_params()).partial_fit(X, y, classes=range(3))
    over = threading.Event()
    failures = []

    def keep(use):
        while not over.is_set():
            try:
                use()
            except Exception as failure:
                failures.append(failure)

    threads = [threading.Thread(target=keep, args=[use]) for use in uses_of(model, X[:20])]
    for thread in threads:
        thread.start()
    for _ in range(60):
        model.partial_fit(X, y)
    over.set()
    for thread in threads:
        thread.join()

    assert failures == []
