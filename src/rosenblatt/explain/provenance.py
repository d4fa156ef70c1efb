"""Which recorded training mistakes made a score or a weight: a perceptron is their list."""

import math
import numbers
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.explain.bar_tables import BarTable, Tabular
from rosenblatt.explain.linear_view import FittedLinear
from rosenblatt.explain.records import (
    MOST_LINES,
    Array,
    check_sum,
    class_number,
    exact_sum,
    heading,
    of_class,
)
from rosenblatt.explain.replay import recorded_mistakes
from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.inputs.labels import encode, read_labels
from rosenblatt.inputs.messages import refuse
from rosenblatt.inputs.parameters import wrong
from rosenblatt.inputs.sparse import rows_of
from rosenblatt.inputs.tables import Columns, read_table, sound_csr


class Pull(NamedTuple):
    """A mistake, and what it added to the score or weight in question."""

    t: int
    example: int
    label: Any
    rival: Any
    step: float
    pull: float


Pull.__module__ = "rosenblatt"


class ExamplePull(NamedTuple):
    """All mistakes made on one example."""

    example: int
    label: Any
    times: int
    pull: float


ExamplePull.__module__ = "rosenblatt"


@dataclass(frozen=True, repr=False)
class Pulls(Tabular[Pull]):
    """The mistakes behind a score or weight as records of `Pull`, the strongest first."""

    __module__ = "rosenblatt"

    records: tuple[Pull, ...]
    of: str
    """Whose parts they are, in words."""
    label: Any
    classes: tuple[Any, ...]
    total: float
    """What the pulls sum to, the score or weight: exactly on whole numbers."""
    texts: Any = None
    """The examples, if they are texts."""

    def by_example(self) -> list[ExamplePull]:
        """The pull of each training example, its mistakes together, the strongest first."""
        groups: dict[int, list[Pull]] = {}
        for record in self.records:
            groups.setdefault(record.example, []).append(record)
        pulls = [
            ExamplePull(k, group[0].label, len(group), math.fsum(pull.pull for pull in group))
            for k, group in groups.items()
        ]
        return sorted(pulls, key=lambda each: -abs(each.pull))

    def tables(self) -> list[BarTable]:
        examples = self.by_example()
        lines: list[Any] = [
            (*self._named(each), each.times, each.pull) for each in examples[:MOST_LINES]
        ]
        rest = examples[MOST_LINES:]
        if rest:
            empty = ("",) * (len(lines[0]) - 3)
            times, pull = sum(each.times for each in rest), math.fsum(each.pull for each in rest)
            lines.append((f"{len(rest)} more", *empty, times, pull))
        named = ("example", "label") if self.texts is None else ("example", "label", "text")
        title = heading(f"Mistakes behind {self.of}", self.label, self.classes)
        return [BarTable(title, (*named, "times", "pull"), lines, f"  sum {self.total:+.6g}")]

    def _named(self, each: ExamplePull) -> tuple[str, ...]:
        named = (str(each.example), str(each.label))
        if self.texts is None:
            return named
        text = " ".join(self.texts[each.example].split())
        return (*named, text if len(text) <= 40 else text[:39] + "…")


def why(model: Any, x: Any, X: Any, y: Any, *, label: Any = None) -> Pulls:
    """The training mistakes that pushed the score of x, each with its pull.

    The weights are the sum of the steps taken at mistakes, so a score is a sum over them::

        score(x) = sum over mistakes k of  a_k step_k (d_k . x)

    where d_k . x says how much x is like the example of mistake k, with a plus if that example was
    of the class in question and a minus if the class was its rival. a_k is one, or for averaged
    weights the share (T + 1 - t) / (T + 1) of the T + 1 weight vectors that came after mistake k.

    Parameters
    ----------
    model : linear model of this package fitted with ``record=True``, or pipeline that ends in one

    x : one row
        As for `contributions`.

    X, y : the training examples
        Those of `fit`, or of all calls of `partial_fit` one after the other.

    label : optional
        The class whose score to explain, as for `contributions`.

    Returns
    -------
    Pulls
        Prints the strongest examples as bars, iterates over records (t, example, label, rival,
        step, pull), strongest pull first; ``total`` is their sum, the score.

    See Also
    --------
    made_of : The mistakes behind one weight.
    contributions : The features behind a score.

    Examples
    --------
    >>> from rosenblatt import Perceptron, why
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [2.0, 0.5]], [1, 1, 0, 0]
    >>> model = Perceptron(shuffle=False, max_iter=2, record=True).fit(X, y)
    >>> why(model, [1.0, 2.0], X, y)
    Mistakes behind the score for 1 (below zero: for 0)
      example  label  times  pull
      3        0          2    -8  ████████████│
      0        1          1    +5              │████████
      sum -3
    """
    linear = FittedLinear.of(model)
    row = linear.row(x, linear.names())
    scores = linear.scores(row)
    number = class_number(linear.classes, label, scores)
    values = np.append(linear.dense(row), 1.0)
    score = float(of_class(number, len(linear.classes), scores))
    return _pulls(linear, X, y, number, values, score, "the score")


def made_of(
    model: Any, feature: str | int, X: Any, y: Any, *, label: Any = None, feature_names: Any = None
) -> Pulls:
    """The training mistakes that made a weight, each with what it added.

    A mistake adds its step times the value of the feature in its example to the weights of the
    right class and takes it from those of the rival.

    Parameters
    ----------
    model : linear model of this package fitted with ``record=True``, or pipeline that ends in one

    feature : str or int
        Its name, or its column.

    X, y : the training examples
        As for `why`.

    label : optional
        The class whose weight to explain; of two classes the second if absent.

    feature_names : list of str or fitted transformer, optional
        As for `feature_weights`.

    Returns
    -------
    Pulls
        As for `why`; ``total`` is the weight.

    Examples
    --------
    >>> from rosenblatt import Perceptron, made_of
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [2.0, 0.5]], [1, 1, 0, 0]
    >>> model = Perceptron(shuffle=False, max_iter=2, record=True).fit(X, y)
    >>> [(pull.example, pull.pull) for pull in made_of(model, 0, X, y)]
    [(0, 2.0), (3, -2.0), (3, -2.0)]
    >>> made_of(model, 0, X, y).total, model.coef_[0]
    (-2.0, array([-2.,  0.]))
    """
    linear = FittedLinear.of(model)
    names = linear.names(feature_names)
    width = len(names)
    if isinstance(feature, str):
        if feature not in names:
            raise ValueError(f"The model has no feature named {feature!r}.")
        column = names.index(feature)
    elif isinstance(feature, numbers.Integral) and 0 <= int(feature) < width:
        column = int(feature)
    else:
        raise wrong("feature", feature, f"be a name or a column below {width}")
    number = class_number(linear.classes, label, None)
    values = np.zeros(width + 1)
    values[column] = 1.0
    weight = float(of_class(number, len(linear.classes), linear.coef)[column])
    return _pulls(linear, X, y, number, values, weight, f"the weight of {names[column]!r}")


def _pulls(
    linear: FittedLinear, X: Any, y: Any, number: int, values: Array, expected: float, of: str
) -> Pulls:
    """The mistakes whose examples meet ``values`` (the last one meets the constant feature)."""
    model = linear.model
    mistakes = recorded_mistakes(model)
    texts = _texts(X)
    X, _ = read_table(linear.table(X), Columns.known_to(model), type(model).__name__)
    codes = encode(read_labels(type(model).__name__, y, X.shape[0]), model.classes_)
    examples = _rows_of_mistakes(model, mistakes, X.shape[0])
    likeness = _likeness(model, X, values)[examples]
    labels, rivals = codes[examples].astype(np.int64), mistakes["rival"]
    signs = (labels == number).astype(np.float64) - (rivals == number)
    weights = model._state.weights
    counted, after = weights.scoring.counted, 1.0
    if weights.average:
        after = counted - weights.form.weights_before(mistakes["t"], weights.seen)
    amounts = after * (mistakes["step"] * (signs * likeness))
    total = exact_sum(amounts) / counted
    check_sum(
        expected - total,
        amounts / counted,
        f"The recorded mistakes do not add up to {of}: X and y must be the examples that the model "
        "was fitted on, all of them, in the same order.",
    )
    order = np.argsort(-np.abs(amounts), kind="stable")
    classes = model.classes_.tolist()
    records = [
        Pull(
            int(mistakes["t"][k]),
            int(examples[k]),
            classes[labels[k]],
            classes[rivals[k]],
            float(mistakes["step"][k]),
            float(amounts[k] / counted),
        )
        for k in order
        if amounts[k]
    ]
    return Pulls(tuple(records), of, classes[number], tuple(classes), total, texts)


def _rows_of_mistakes(model: Any, mistakes: NDArray[Any], count: int) -> NDArray[np.int64]:
    """The row in X of each mistake; where only partial_fit was called, X holds all its batches."""
    rows: NDArray[np.int64] = mistakes["example"] if model.history_ else mistakes["t"] - 1
    needed = int(rows.max(initial=-1)) + 1
    if count < needed:
        allowed = f"hold every row that the model learned from, at least {needed}"
        raise InputError(Name("X"), must=allowed, got=f"{count}")
    return rows


def _likeness(model: Any, X: Any, values: Array) -> Array:
    """The dot product of each example, as it was learned from, with ``values``."""
    products = np.empty((X.shape[0], 1))
    constant = model._scorer(model._state).constant
    refuse(core.score(rows_of(X), values[:, np.newaxis], None, 1.0, constant, products))
    if model.unit_length:
        if isinstance(X, np.ndarray):
            squares = np.square(X, dtype=np.float64)
        else:
            squares = sound_csr(X).power(2)
        lengths = np.sqrt(squares.sum(axis=1) + constant**2)
        products[:, 0] /= np.where(lengths > 0, lengths, 1.0)
    return products[:, 0]


def _texts(X: Any) -> list[str] | None:
    """The examples themselves, if they are texts."""
    if hasattr(X, "shape") and len(X.shape) != 1:
        return None
    examples = list(X)
    return examples if examples and all(isinstance(each, str) for each in examples) else None
