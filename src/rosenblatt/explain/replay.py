"""The weights that a model passed through, rebuilt from its record of mistakes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rosenblatt.inputs.errors import InputError, Parameter
from rosenblatt.inputs.labels import encode, read_labels
from rosenblatt.inputs.messages import MATRIX, as_array
from rosenblatt.models.linear import LinearLearner
from rosenblatt.training.storage import Array, Form


class Update(NamedTuple):
    """One move of the weights; each row of weights ends in the intercept."""

    t: int
    """Examples seen, this one included."""
    example: int
    """The row of X."""
    right: int
    """The index in ``classes_`` of the example's class."""
    rival: int
    """The index in ``classes_`` of the class that was too strong."""
    before: Array
    """Weights of shape (1, features + 1) for two classes, else (classes, features + 1)."""
    after: Array
    mean: Array
    """The mean of all weights so far, the zeros at the start included."""


def retrace(model: Any, X: Any, y: Any) -> Iterator[Update]:
    """Walk through the updates of a model that kept ``mistakes_``, in the order it made them.

    Makes the same additions as the core, in the same order, so whole steps give the same bits.
    """
    mistakes = recorded_mistakes(model)
    not_these = (
        f"The mistakes of this {type(model).__name__} on X and y do not add up to its weights: "
        "pass the X and y of its one call of fit."
    )
    X = X.tocsr() if sparse.issparse(X) else as_array(X, MATRIX)
    classes = model.classes_
    codes = encode(read_labels(type(model).__name__, y, X.shape[0]), classes)
    weights = np.zeros((1 if len(classes) == 2 else len(classes), model.n_features_in_ + 1))
    if X.shape[1] + 1 != weights.shape[1] or (mistakes["example"] >= X.shape[0]).any():
        raise ValueError(not_these)
    means = _Means(model._state.weights.form, weights.copy())
    for t, example, rival, step in mistakes.tolist():
        before, weights = weights, weights.copy()
        right = int(codes[example])
        x = _framed(model, X, example)
        sides = [(0, 2 * right - 1)] if len(classes) == 2 else [(right, 1), (rival, -1)]
        for row, sign in sides:
            change = step * (sign * x)
            weights[row] += change
            means.change(row, change, t)
        yield Update(t, example, right, rival, before, weights, means.after(t, weights))
    final = means.after(model.t_ - 1, weights) if model.average else weights
    learned = np.column_stack([model.coef_, model.intercept_])
    if not np.allclose(final, learned, rtol=1e-9, atol=1e-9 * np.abs(learned).max(initial=0.0)):
        raise ValueError(not_these)


def row_of(X: Any, example: int) -> Array:
    """One row of a table, as numbers."""
    row = X.tocsr()[[example]].toarray()[0] if sparse.issparse(X) else np.asarray(X)[example]
    return np.asarray(row, dtype=np.float64)


def recorded_mistakes(model: Any) -> NDArray[Any]:
    """Every update of a model whose weights are the sum of them."""
    name = type(model).__name__
    if not isinstance(model, LinearLearner):
        raise TypeError(f"Mistakes are recorded by the linear models of rosenblatt, got {name}.")
    if not model.record or len(mistakes := model.mistakes_) != model.n_updates_:
        remedy = "fit it with ", Parameter("record", True)
        raise InputError(f"This {name} has no record of its mistakes", remedy=remedy)
    if not model._is_sum_of_mistakes:
        raise ValueError(
            f"The weights of {name} are not the sum of its mistakes, so these do not explain them: "
            "use Perceptron, AveragedPerceptron or PassiveAggressiveClassifier."
        )
    return mistakes


def _framed(model: Any, X: Any, example: int) -> Array:
    """A row and its constant feature, as the model learned from it."""
    x: Array = np.append(row_of(X, example), float(model.fit_intercept))
    length = np.sqrt(x @ x)
    return x / length if model.unit_length and length else x


@dataclass
class _Means:
    """The mean of all weights, by what each change missed of it."""

    form: Form
    missed: Array
    seen: int = 0
    """The examples after which ``missed`` is told."""

    def change(self, row: int, change: Array, t: int) -> None:
        self._go_on(t - 1)
        self.missed[row] += change * self.form.weights_before(t, self.seen)

    def after(self, seen: int, weights: Array) -> Array:
        self._go_on(seen)
        counted = self.form.weights_before(seen + 1, seen)
        return (counted * weights - self.missed) / counted

    def _go_on(self, seen: int) -> None:
        """Tell it in the units in which an average that forgets is told after more examples."""
        self.missed *= self.form.fading(self.seen, seen)
        self.seen = seen
