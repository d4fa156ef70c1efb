"""Which way to try next, and on how many examples: successive halving that may end at any time.

Jamieson and Talwalkar (2016) try many ways on few examples and the better half on twice as many,
round after round; the number of ways must be known first. Li et al. (2020) take a way to the next
round as soon as it is in the better half of those that have finished its own. So what is tried
does not depend on how long the search lasts: a longer one begins like a shorter one.

L. Li, K. Jamieson, A. Rostamizadeh, E. Gonina, J. Ben-tzur, M. Hardt, B. Recht, A. Talwalkar
(2020). A system for massively parallel hyperparameter tuning. MLSys.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rosenblatt.training.validation import shuffled
from rosenblatt.tuning.search_space import Configuration, Space


class Finished(NamedTuple):
    """What a way came to in a round."""

    measure: float
    number: int
    """Of the run, from zero; of equals, the first is the better."""
    way: Configuration


@dataclass
class SuccessiveHalving:
    """Says what to try next, and is told what came of it."""

    space: Space
    count: int
    """Of rounds."""
    seed: int
    finished: list[list[Finished]] = field(init=False)
    """Of each round."""

    def __post_init__(self) -> None:
        self.finished = [[] for _ in range(self.count)]
        self._taken = [set[Configuration]() for _ in range(self.count)]
        self._begun = 0
        self._first = iter(self.space.first())
        self._drawn = self._in_random_order(self.space.ways(), 0)

    def next(self) -> tuple[int, Configuration] | None:
        """The number of a round and a way to try in it; None where all was tried."""
        further = self._further(one_in=2)
        if further is not None:
            return further
        way = self._new()
        # Once all was tried on few examples, the others go on, too, the better ones first.
        return self._further(one_in=1) if way is None else self._take(0, way)

    def end(self, number: int, way: Configuration, measure: float) -> None:
        """Note what a way came to in a round."""
        run = sum(map(len, self.finished))
        self.finished[number].append(Finished(measure, run, way))

    @property
    def best(self) -> Configuration | None:
        """That of the last round which any has finished."""
        return next((done[0].way for done in reversed(self.learned()) if done), None)

    def learned(self) -> list[list[Finished]]:
        """Of each round the ways by which something could be learned, the best first."""
        return [sorted(one for one in done if one.measure < math.inf) for done in self.finished]

    def _take(self, number: int, way: Configuration) -> tuple[int, Configuration]:
        self._taken[number].add(way)
        return number, way

    def _new(self) -> Configuration | None:
        """One that was not tried: of the first, beside the best, or drawn, by turns."""
        known = self._taken[0]
        for way in self._first:
            if way not in known:
                return way
        self._begun += 1
        if self._begun % 2 and self.best is not None:
            for way in self._in_random_order(self.space.beside(self.best), self._begun):
                if way not in known:
                    return way
        return next((way for way in self._drawn if way not in known), None)

    def _further(self, *, one_in: int) -> tuple[int, Configuration] | None:
        """A way to take to the next round: one of so large a part of a round, the best of it."""
        learned = self.learned()
        for number in range(self.count - 2, -1, -1):
            for one in learned[number][: len(learned[number]) // one_in]:
                if one.way not in self._taken[number + 1]:
                    return self._take(number + 1, one.way)
        return None

    def _in_random_order(self, ways: list[Configuration], draw: int) -> Iterator[Configuration]:
        return iter([ways[k] for k in shuffled(len(ways), (self.seed + draw) % 2**63)])
