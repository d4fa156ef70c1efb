"""What a document claims, and what was found when it was tried."""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rosenblatt.theory.claims.intervals import Interval

Holds = Literal["yes", "partly", "no"]

WIDTH = 100
COLUMNS = f"{{:11}} {{:33}} {{:{WIDTH - 53}}} {{}}"


@dataclass(frozen=True)
class Statement:
    """What a document says."""

    id: str
    source: str
    claim: str
    claimed: str


@dataclass(frozen=True)
class Outcome:
    """What was measured, what follows for the claim, and what else there is to say."""

    measured: Interval
    unit: str
    holds: Holds
    note: str


@dataclass(frozen=True)
class Finding(Outcome, Statement):
    """A claim and its outcome, side by side."""

    def __str__(self) -> str:
        measured = f"{self.measured}{self.unit}"
        text = f"{self.source}: {self.claim}. {self.note}"
        return "\n".join(
            [
                COLUMNS.format(self.id, self.claimed, measured, self.holds),
                textwrap.fill(text, WIDTH, initial_indent="    ", subsequent_indent="    "),
            ]
        )


@dataclass(frozen=True)
class Claim(Statement):
    """An experimental claim, and how to measure what it is about."""

    runs: int
    """How many sets of examples, or rounds, to measure on."""
    quick: int
    """How many of them when in a hurry."""
    measure: Callable[[int], Outcome]

    def check(self, *, quick: bool = False) -> Finding:
        """Measure anew; the same numbers every time, but for those of the clock."""
        found = self.measure(self.quick if quick else self.runs)
        return Finding(self.id, self.source, self.claim, self.claimed, **vars(found))


def claim(
    name: str, source: str, says: str, claimed: str, *, runs: int, quick: int
) -> Callable[[Callable[[int], Outcome]], Claim]:
    """Make a claim of the function that measures it, given how many runs to make."""
    return lambda measure: Claim(name, source, says, claimed, runs, quick, measure)
