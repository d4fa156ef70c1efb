"""What all displays have: the axes that they are drawn on."""

from dataclasses import dataclass, field
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes


@dataclass
class Display:
    """A picture that remembers where it was drawn.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Three-dimensional if the picture is.

    figure_ : matplotlib Figure
    """

    ax_: Any = field(init=False, repr=False)
    figure_: Any = field(init=False, repr=False)

    def _draw_on(
        self, ax: Axes | None, *, size: tuple[float, float] = (6.4, 4.4), **options: Any
    ) -> Any:
        """The axes given, or those of a new figure."""
        if ax is None:
            ax = plt.figure(figsize=size, layout="compressed").add_subplot(**options)
        self.ax_, self.figure_ = ax, ax.get_figure(root=True)
        return ax
