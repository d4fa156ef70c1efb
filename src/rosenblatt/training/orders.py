"""In which order a pass visits the examples: a function of a seed and the number of the pass."""

import numbers
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.inputs.parameters import wrong

Shuffle = Literal["once", "blocks"] | bool


class ByClass(NamedTuple):
    """Rows class by class, to draw orders in blocks from where labels come in runs."""

    rows: NDArray[np.uint32]
    sizes: NDArray[np.uint32]
    """How many each class has."""

    @classmethod
    def of(cls, codes: NDArray[Any]) -> "ByClass":
        rows = np.argsort(codes, kind="stable").astype(np.uint32)
        return cls(rows, np.bincount(codes).astype(np.uint32))


def draw_seed(random_state: Any) -> int:
    """The seed of all orders: the number given, or one drawn from the generator given."""
    if isinstance(random_state, numbers.Integral):
        if not 0 <= int(random_state) < 2**64:
            raise wrong("random_state", random_state, "lie between 0 and 2**64 - 1")
        return int(random_state)
    if random_state is None:
        random_state = np.random.mtrand._rand  # the global one, which np.random.seed seeds
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    allowed = "be None, a whole number, a RandomState or a Generator"
    raise wrong("random_state", random_state, allowed)


@dataclass
class Orders:
    """The orders of a run, each drawn when its pass begins."""

    shuffle: Shuffle
    seed: int
    count: int
    """Of the rows that there are."""
    chosen: NDArray[np.uint32] | None
    """Those to visit, if not all."""
    by_class: ByClass | None
    """These, counted from zero, if blocks of them would not mix their labels."""
    _places: NDArray[np.uint32] | None = field(default=None, init=False)
    """Where the order of each pass is drawn."""
    _drawn: tuple[int, NDArray[np.uint32]] | None = field(default=None, init=False)
    """The number of the pass whose order is known, and that order."""

    def __post_init__(self) -> None:
        if self.shuffle and self.count >= 2**32:
            raise InputError(
                *(Name("X"), f" has {self.count} rows, but only fewer than 2**32 can be "),
                "shuffled",
                remedy=("set ", Parameter("shuffle", False)),
            )

    def of_pass(self, number: int) -> NDArray[np.uint32] | None:
        """The rows in the order in which this pass visits them; None if as they stand."""
        if not self.shuffle:
            return self.chosen
        number = 0 if self.shuffle == "once" else number
        if self._drawn is None or self._drawn[0] != number:
            self._drawn = number, self._draw(number)
        return self._drawn[1]

    def _draw(self, number: int) -> NDArray[np.uint32]:
        if self._places is None:
            count = self.count if self.chosen is None else len(self.chosen)
            self._places = np.empty(count, dtype=np.uint32)
        places = self._places
        if self.shuffle != "blocks":
            core.shuffle(places, self.seed, number)
        elif self.by_class is None:
            core.shuffle_blocks(places, self.seed, number)
        else:
            core.shuffle_by_class(places, self.seed, number, *self.by_class)
        return places if self.chosen is None else self.chosen[places]
