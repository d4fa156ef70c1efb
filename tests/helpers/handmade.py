"""A model made by hand."""

import numpy as np
from sklearn.linear_model import LogisticRegression


def weighing(coef, intercept=0.0):
    """A model of two classes with these weights."""
    model = LogisticRegression()
    model.coef_, model.intercept_ = np.atleast_2d(np.asarray(coef, float)), np.array([intercept])
    model.classes_ = np.array(["no", "yes"])
    model.n_features_in_ = model.coef_.shape[1]
    return model
