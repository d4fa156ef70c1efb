"""What a linear model has learned, and what decided a score: its weights, read with names."""

from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt.explain.linear_view import FittedLinear, as_learned
from rosenblatt.explain.records import Array, Contributions, FeatureWeights, heaviest, pushes_on
from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.inputs.messages import as_array
from rosenblatt.inputs.parameters import check_count
from rosenblatt.inputs.tables import sound_csr


def feature_weights(
    model: Any, n: int = 10, *, scale: Any = None, feature_names: Any = None
) -> FeatureWeights:
    """The n highest and the n lowest weights of each class, with the names of their features.

    A positive weight speaks for the class, a negative one against it, zero (left out here) says
    nothing. Of two classes the weights are those of the second, so that negative ones speak for
    the first. Weights can be compared with each other as they are if the features have similar
    sizes; if not, pass ``scale``: then the order is that of weight times spread, how far one
    standard deviation of the feature moves the score.

    Parameters
    ----------
    model : fitted linear classifier, or pipeline that ends in one
        Of this package or any other with ``coef_``, ``intercept_`` and ``classes_``.

    n : int, default=10
        How many features for and how many against each class.

    scale : array-like of shape (n_features,) or (n_samples, n_features), optional
        The standard deviation of each feature, or examples to take it from (for a pipeline, what
        it takes).

    feature_names : list of str or fitted transformer, optional
        If absent, names come from the pipeline's earlier steps, else from
        ``model.feature_names_in_``, else they are x0, x1 and so on.

    Returns
    -------
    FeatureWeights
        Prints as a table, iterates over records (label, feature, weight, spread, scaled).

    See Also
    --------
    contributions : What decided one score.

    Examples
    --------
    Of two equal weights, that of the feature with values 0 and 100 matters more:

    >>> from rosenblatt import Perceptron, feature_weights
    >>> X, y = [[1.0, 0.0], [0.0, 100.0], [0.0, 0.0]], [1, 1, 0]
    >>> model = Perceptron(fit_intercept=False, max_iter=1).fit([[1.0, 1.0], [0.0, 0.0]], [1, 0])
    >>> model.coef_
    array([[1., 1.]])
    >>> [record.feature for record in feature_weights(model, scale=X)]
    ['x1', 'x0']
    """
    check_count("n", n)
    linear = FittedLinear.of(model)
    names = linear.names(feature_names)
    spread = None if scale is None else _spread(linear, scale)
    return heaviest(n, linear.coef, spread, linear.classes.tolist(), names.__getitem__)


def contributions(
    model: Any, x: Any, *, label: Any = None, feature_names: Any = None
) -> Contributions:
    """How each feature of one row pushes its score: the value times the weight.

    The pushes, the intercept and a remainder from rounding sum to the score exactly: given to
    ``math.fsum`` they are what ``decision_function`` says. Features that push nothing are left
    out.

    Parameters
    ----------
    model : fitted linear classifier, or pipeline that ends in one
        Of this package or any other with ``coef_``, ``intercept_`` and ``classes_``.

    x : one row
        Dense or sparse, a dict of values by feature name (others are zero, unknown names have no
        weight), or whatever one row is to the pipeline, such as a text.

    label : optional
        The class whose score to explain. If absent, the second of two classes, whose score
        ``decision_function`` gives, or the winner of several. For the first of two classes score
        and pushes change their signs.

    feature_names : list of str or fitted transformer, optional
        As for `feature_weights`.

    Returns
    -------
    Contributions
        Prints as bars, iterates over records (feature, value, weight, push), largest push first;
        ``score``, ``intercept`` and ``rounding`` complete the sum.

    See Also
    --------
    why : The training mistakes behind a score.

    Examples
    --------
    >>> from rosenblatt import Perceptron, contributions
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-2.0, 0.5]], ["yes", "yes", "no", "no"]
    >>> model = Perceptron(shuffle=False).fit(X, y)
    >>> contributions(model, [-1.0, 3.0], feature_names=["salt", "sugar"])
    Pushes for 'yes' (below zero: for 'no')
      feature      value  weight  push
      sugar           +3      +1    +3              │████████████
      salt            -1      +2    -2      ████████│
      (intercept)                   +1              │████
      score +2
    """
    linear = FittedLinear.of(model)
    names = linear.names(feature_names)
    row = linear.row(x, names)
    return pushes_on(
        linear.classes,
        label,
        linear.scores(row),
        linear.intercept,
        linear.coef,
        np.arange(len(names)),
        linear.dense(row),
        names.__getitem__,
    )


def _spread(linear: FittedLinear, scale: Any) -> Array:
    """The standard deviation of each feature."""
    width = linear.coef.shape[1]
    given = None if sparse.issparse(scale) else as_array(scale, Name("scale"))
    if given is not None and given.ndim == 1 and given.dtype.kind in "biuf":
        spread = given.astype(np.float64)
    else:
        table = linear.table(scale)
        if sparse.issparse(table):
            from sklearn.utils.sparsefuncs import mean_variance_axis

            table = as_learned(linear.model, sound_csr(table))
            spread = np.sqrt(mean_variance_axis(table, axis=0)[1])
        else:
            table = as_learned(linear.model, np.asarray(table, dtype=np.float64))
            spread = np.std(table, axis=0)
    if spread.shape != (width,):
        allowed = f"describe the model's {width} features"
        raise InputError(Name("scale"), must=allowed, got=f"shape {np.shape(scale)}")
    if not (np.isfinite(spread) & (spread >= 0)).all():
        allowed = "hold finite numbers, and standard deviations of zero or more"
        raise InputError(Name("scale"), must=allowed)
    return spread
