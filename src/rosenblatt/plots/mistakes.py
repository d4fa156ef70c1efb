"""How the mistakes of a model add up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from rosenblatt.plots.display import Display
from rosenblatt.plots.drawing import DASHES, add_legend, colour_of, ink, legible


@dataclass
class MistakesDisplay(Display):
    """Mistakes made so far against examples seen, and the bound that they cannot pass.

    On examples that a hyperplane separates with a margin the curve flattens out below the bound
    (Novikoff, 1962), whatever the order. On others it rises for ever.

    Parameters
    ----------
    curves : dict of (seen, mistakes)
        For each model the numbers of examples at which its mistakes were counted, and the counts.

    bound : float or None
        The most mistakes that theory allows.

    Attributes
    ----------
    bound_ : Line2D or None
        The line of the bound.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.plots import MistakesDisplay
    >>> model = Perceptron(fit_intercept=False, shuffle=False, record=True)
    >>> model = model.fit([[1.0, 0.5], [-1.0, 0.5]], [1, 0])
    >>> display = MistakesDisplay.from_estimator(model, bound=1.25)
    >>> plt.close(display.figure_)
    """

    __module__ = "rosenblatt.plots"

    curves: dict[str, tuple[NDArray[Any], NDArray[Any]]]
    bound: float | None = None
    bound_: Any = field(init=False, repr=False, default=None)

    @classmethod
    def from_estimator(
        cls, model: Any, *, bound: float | None = None, ax: Axes | None = None
    ) -> Self:
        """Draw the mistakes of a fitted member of the family.

        Parameters
        ----------
        model : fitted member of the family
            With ``record=True`` every mistake is drawn where it was made, else a count per pass.

        bound : float, optional
            The most mistakes that theory allows, such as (R / gamma)².

        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        """
        return cls.from_estimators({type(model).__name__: model}, bound=bound, ax=ax)

    @classmethod
    def from_estimators(
        cls, models: Mapping[str, Any], *, bound: float | None = None, ax: Axes | None = None
    ) -> Self:
        """Draw the mistakes of several models, named by a dict, together."""
        return cls({name: _mistakes(model) for name, model in models.items()}, bound).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on a new figure."""
        axes = self._draw_on(ax)
        for k, (name, (seen, mistakes)) in enumerate(self.curves.items()):
            style = {"color": colour_of(k + 1), "linestyle": DASHES[k % len(DASHES)]}
            axes.plot(seen, mistakes, label=f"{legible(name)}: {mistakes[-1]}", **style)
        if self.bound is not None:
            label = f"bound: {self.bound:.4g}"
            dashes = (0, (6, 3))
            self.bound_ = axes.axhline(self.bound, color=ink(axes), linestyle=dashes, label=label)
            if self.bound > 10 * max(mistakes[-1] for _, mistakes in self.curves.values()):
                axes.set_yscale("symlog")
        axes.set(xlabel="examples seen", ylabel="mistakes so far", ylim=(0, None))
        add_legend(axes)
        return self


def _mistakes(model: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    check_is_fitted(model)
    made = [0, *(done.mistakes for done in model.history_)]
    total = int(np.sum(made))
    seen = model.t_ - 1
    if model.record and total == model.n_updates_:  # all updates were mistakes
        jumps = np.repeat(model.mistakes_["t"], 2)
        return np.concatenate([[0], jumps, [seen]]), np.repeat(np.arange(total + 1), 2)
    return np.linspace(0, seen, len(made)), np.cumsum(made)
