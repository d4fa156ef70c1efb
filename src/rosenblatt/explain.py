"""What a linear model has learned, and what decided a score: its weights, read with names."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from rosenblatt.fitted import Array, FittedLinear
from rosenblatt.inputs import sound_csr
from rosenblatt.parameters import check_count
from rosenblatt.tables import Table, Tabular

MOST_LINES = 20
"""Pushes or examples printed at most; iterating gives all of them."""


class Weight(NamedTuple):
    """A feature's weight for a class, the feature's spread, and their product."""

    label: Any
    feature: str
    weight: float
    spread: float
    scaled: float


class Push(NamedTuple):
    """What a feature of one row adds to a score: its value times its weight."""

    feature: str
    value: float
    weight: float
    push: float


@dataclass(frozen=True, repr=False)
class FeatureWeights(Tabular):
    """The heaviest weights of each class as records of `Weight`, from highest to lowest."""

    records: tuple[Weight, ...]
    classes: tuple[Any, ...]
    scaled: bool
    """Whether the order is that of weight times spread."""

    def __iter__(self) -> Iterator[Weight]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def tables(self) -> list[Table]:
        heads = ("feature", "weight", "spread", "scaled") if self.scaled else ("feature", "weight")
        tables = []
        for label, group in groupby(self.records, key=lambda record: record.label):
            lines: list[Any] = [record[1 : 1 + len(heads)] for record in group]
            against = [line for line in lines if line[-1] < 0]
            if 0 < len(against) < len(lines):
                lines.insert(len(lines) - len(against), None)
            tables.append(Table(heading("Weights", label, self.classes), heads, lines))
        return tables


@dataclass(frozen=True, repr=False)
class Contributions(Tabular):
    """Each feature's push on a score as records of `Push`, the largest first.

    ``math.fsum`` of all pushes, ``intercept`` and ``rounding`` is ``score``.
    """

    records: tuple[Push, ...]
    label: Any
    classes: tuple[Any, ...]
    intercept: float
    rounding: float
    """What adding in another order changes: some 1e-16 of the pushes; on whole numbers, zero."""
    score: float
    """As decision_function gives it."""

    def __iter__(self) -> Iterator[Push]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def tables(self) -> list[Table]:
        lines: list[Any] = list(self.records[:MOST_LINES])
        if len(self.records) > MOST_LINES:
            smaller = math.fsum(record.push for record in self.records[MOST_LINES:])
            lines.append((f"{len(self.records) - MOST_LINES} smaller", "", "", smaller))
        if self.intercept:
            lines.append(("(intercept)", "", "", self.intercept))
        title = heading("Pushes", self.label, self.classes)
        foot = f"  score {self.score:+.6g}"
        return [Table(title, ("feature", "value", "weight", "push"), lines, foot)]


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
    spread = _spread(linear, scale)
    labels = linear.classes.tolist()
    records = []
    for label, weights in zip(labels[-len(linear.coef) :], linear.coef, strict=True):
        effect = weights * spread
        order = np.argsort(-effect, kind="stable")
        highest = [k for k in order[:n] if effect[k] > 0]
        lowest = [k for k in order[-n:] if effect[k] < 0]
        records += [
            Weight(label, names[k], float(weights[k]), float(spread[k]), float(effect[k]))
            for k in highest + lowest
        ]
    return FeatureWeights(tuple(records), tuple(labels), scaled=scale is not None)


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
    scores = linear.scores(row)
    number = linear.class_number(label, scores)
    score = float(linear.of_class(number, scores))
    intercept = float(linear.of_class(number, linear.intercept))
    values = linear.dense(row)
    weights = linear.of_class(number, linear.coef)
    pushes = weights * values
    order = [k for k in np.argsort(-np.abs(pushes), kind="stable") if pushes[k]]
    rounding = math.fsum([score, -intercept, *(-pushes[order])])
    check_sum(
        rounding,
        [intercept, *pushes[order]],
        "The score of x is not the sum of its pushes: contributions needs a model whose "
        "decision_function is coef_ times x plus intercept_.",
    )
    records = [Push(names[k], float(values[k]), float(weights[k]), float(pushes[k])) for k in order]
    labels = linear.classes.tolist()
    return Contributions(tuple(records), labels[number], tuple(labels), intercept, rounding, score)


def check_sum(remainder: float, parts: Any, otherwise: str) -> None:
    """Refuse parts of a sum that leave more than rounding can explain."""
    if not abs(remainder) <= 1e-6 * math.fsum(map(abs, parts)):
        raise ValueError(otherwise)


def _spread(linear: FittedLinear, scale: Any) -> Array:
    """The standard deviation of each feature; one where the caller does not care."""
    width = linear.coef.shape[1]
    if scale is None:
        return np.ones(width)
    given = None if sparse.issparse(scale) else np.asarray(scale)
    if given is not None and given.ndim == 1 and given.dtype.kind in "biuf":
        spread = given.astype(np.float64)
    else:
        table = linear.table(scale)
        if sparse.issparse(table):
            from sklearn.utils.sparsefuncs import mean_variance_axis

            spread = np.sqrt(mean_variance_axis(sound_csr(table), axis=0)[1])
        else:
            spread = np.std(np.asarray(table, dtype=np.float64), axis=0)
    if spread.shape != (width,):
        raise ValueError(
            f"scale must describe the model's {width} features, got shape {np.shape(scale)}."
        )
    if not (np.isfinite(spread) & (spread >= 0)).all():
        raise ValueError("scale must hold finite numbers, and standard deviations of zero or more.")
    return spread


def heading(what: str, label: Any, classes: tuple[Any, ...]) -> str:
    """For which class the numbers speak; of two classes, also for which if below zero."""
    if len(classes) > 2:
        return f"{what} for {label!r}"
    other = classes[0] if label == classes[1] else classes[1]
    return f"{what} for {label!r} (below zero: for {other!r})"
