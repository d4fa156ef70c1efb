"""How a model fares as it makes passes over the examples."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray
from sklearn.base import clone

from rosenblatt.inputs.parameters import check_count
from rosenblatt.plots.display import Display
from rosenblatt.plots.drawing import Array, add_legend, colour_of, ink, legible, mark_of


class Errors(NamedTuple):
    """Shares of examples predicted wrongly after each pass."""

    training: Array | None
    held_out: Array | None


Errors.__module__ = "rosenblatt.plots"


@dataclass
class PassesDisplay(Display):
    """Error after each pass on the examples learned from and on others, with the best pass marked.

    Too few passes underfit, too many overfit; the sweet spot is where the error on held-out
    examples is lowest. With several models, compares them: a perceptron and its average, or
    orders that are drawn never, once or anew each pass.

    Parameters
    ----------
    errors : dict of Errors
        By the names of the models.

    Attributes
    ----------
    best : dict of int
        For each model the first pass with the lowest held-out error, counted from one.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from rosenblatt import AveragedPerceptron
    >>> from rosenblatt.plots import PassesDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AveragedPerceptron(random_state=0)
    >>> display = PassesDisplay.from_estimator(model, X[::2], y[::2], X[1::2], y[1::2], passes=5)
    >>> len(display.errors["AveragedPerceptron"].held_out)
    5
    >>> plt.close(display.figure_)
    """

    __module__ = "rosenblatt.plots"

    errors: dict[str, Errors]

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any,
        X_val: Any = None,
        y_val: Any = None,
        *,
        passes: int = 20,
        ax: Axes | None = None,
    ) -> Self:
        """Train a copy of a model pass by pass, and draw its errors.

        Parameters
        ----------
        model : classifier with the parameters ``warm_start`` and ``max_iter``
            Need not be fitted, and is left as it is.

        X, y : the examples to learn from

        X_val, y_val : examples held out, optional

        passes : int, default=20
            How many passes to make.

        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        """
        models = {type(model).__name__: model}
        return cls.from_estimators(models, X, y, X_val, y_val, passes=passes, ax=ax)

    @classmethod
    def from_history(cls, histories: Mapping[str, Any], *, ax: Axes | None = None) -> Self:
        """Draw the errors that models measured while they were fitted.

        Parameters
        ----------
        histories : dict of lists of records
            By names; the records, one for each pass, have the fields ``train_error`` and
            ``validation_error``, which may be None if not measured, such as ``model.history_``.

        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        """
        errors = {name: _measured(name, history) for name, history in histories.items()}
        return cls(errors).plot(ax)

    @classmethod
    def from_estimators(
        cls,
        models: Mapping[str, Any],
        X: Any,
        y: Any,
        X_val: Any = None,
        y_val: Any = None,
        *,
        passes: int = 20,
        ax: Axes | None = None,
    ) -> Self:
        """Train copies of several models, named by a dict, and draw their errors together."""
        check_count("passes", passes)
        errors = {name: _train(model, X, y, X_val, y_val, passes) for name, model in models.items()}
        return cls(errors).plot(ax)

    @property
    def best(self) -> dict[str, int]:
        return {
            name: int(np.argmin(curves.held_out)) + 1
            for name, curves in self.errors.items()
            if curves.held_out is not None
        }

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on a new figure."""
        axes = self._draw_on(ax, size=(7.2, 4.2))
        alone = len(self.errors) == 1
        for k, (name, curves) in enumerate(self.errors.items()):
            colour = colour_of(k + 1)
            said = "" if alone else f"{legible(name)}, "
            style = {"color": colour, "marker": mark_of(k + 1), "markersize": 4}
            if curves.held_out is not None:
                best = self.best[name]
                lowest = 100 * curves.held_out[best - 1]
                axes.plot(*_percent(curves.held_out), **style, label=f"{said}held out")
                star = {"color": colour, "markeredgecolor": ink(axes), "markersize": 15}
                text = f"{said}best pass: {best} ({lowest:.3g} %)"
                axes.plot(best, lowest, "*", linestyle="", zorder=4, **star, label=text)
            if curves.training is not None:
                style |= {"linestyle": ":", "markerfacecolor": "none"}
                axes.plot(*_percent(curves.training), **style, label=f"{said}training")
        axes.set(xlabel="pass", ylabel="error, % of examples", ylim=(0, None))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        add_legend(axes)
        return self


def _train(model: Any, X: Any, y: Any, X_val: Any, y_val: Any, passes: int) -> Errors:
    if not all(hasattr(model, name) for name in ("set_params", "warm_start", "max_iter")):
        raise TypeError(
            f"PassesDisplay makes one pass at a time with warm_start=True and max_iter=1, which "
            f"{type(model).__name__} does not have."
        )
    learner = clone(model).set_params(warm_start=True, max_iter=1)
    training, held_out = np.empty(passes), np.empty(passes)
    for k in range(passes):
        learner.fit(X, y)
        training[k] = 1 - learner.score(X, y)
        if X_val is not None:
            held_out[k] = 1 - learner.score(X_val, y_val)
    return Errors(training, None if X_val is None else held_out)


def _measured(name: str, history: Any) -> Errors:
    def errors(kind: str) -> Array | None:
        values = [getattr(done, kind, None) for done in history]
        return np.array(values, dtype=np.float64) if values and None not in values else None

    measured = Errors(errors("train_error"), errors("validation_error"))
    if measured.training is None and measured.held_out is None:
        raise ValueError(
            f"The history of {name!r} holds no errors: measure them with from_estimator, which "
            "trains a copy pass by pass."
        )
    return measured


def _percent(errors: Array) -> tuple[NDArray[Any], Array]:
    """The numbers of the passes, and the errors after each in percent."""
    return np.arange(1, len(errors) + 1), 100 * errors
