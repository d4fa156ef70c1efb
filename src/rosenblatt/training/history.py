"""A record of each pass, and the table of them that is printed as they are made."""

from typing import Any, NamedTuple

from rosenblatt.inputs.parts import MOST_COUNTED, from_json, is_whole, require, to_json
from rosenblatt.training.bracket import Bracket


class Pass(NamedTuple):
    """What one pass did along the way and, where measured, what it left."""

    updates: int
    """Times the weights were moved."""
    mistakes: int
    """Examples that came out wrong while the weights were changing; not the error after it."""
    seconds: float
    """Time spent learning, not measuring."""
    norm: float | None = None
    """Length of the last weights of all classes together, constant feature included; None if they
    are so many more than the examples' values that it would take longer than the pass."""
    bracket: Bracket | None = None
    """Between what numbers the margin of the examples lies, for weights that are sums of steps."""
    train_error: float | None = None
    """Share of the rows learned from that the weights which predict get wrong."""
    validation_error: float | None = None
    """The same of the held-out rows; early stopping watches it."""
    last_validation_error: float | None = None
    """The same for the last weights, if their average predicts."""

    def since(self, before: "Pass") -> "Pass":
        """The record with counts and seconds from the other record on."""
        return self._replace(
            updates=self.updates - before.updates,
            mistakes=self.mistakes - before.mistakes,
            seconds=self.seconds - before.seconds,
        )

    def without_seconds(self) -> list[Any]:
        """The record as JSON, the same for the same training."""
        bracket = None if self.bracket is None else list(self.bracket)
        return to_json(list(self._replace(seconds=0.0, bracket=bracket)), "history_")["list"]  # type: ignore[arg-type]

    @classmethod
    def build(cls, facts: list[Any]) -> "Pass":
        """The record again."""
        made = cls(*map(from_json, facts))
        bracket = made.bracket
        numbers = [*made._replace(bracket=None), *([] if bracket is None else bracket)]
        require(
            all(is_whole(number, most=MOST_COUNTED) for number in made[:2])
            and type(made.seconds) is float
            and all(number is None or type(number) is float for number in numbers[2:]),
            "its record of passes is not one",
        )
        return made if bracket is None else made._replace(bracket=Bracket(*bracket))


Pass.__module__ = "rosenblatt"


COLUMNS = {
    "updates": ("updates", 12, ",d"),
    "mistakes": ("mistakes", 12, ",d"),
    "seconds": ("seconds", 11, ".3f"),
    "norm": ("norm", 11, ".4g"),
    "lower": ("margin above", 14, ".4g"),
    "upper": ("below", 11, ".4g"),
    "train_error": ("train error", 13, ".2%"),
    "validation_error": ("validation error", 18, ".2%"),
    "last_validation_error": ("of last weights", 17, ".2%"),
}
"""The title of each number of a record, the width of its column and how it is written."""


def print_pass(number: int, done: Pass, *, best: bool, titles: bool) -> None:
    """A line of the table, with a star if the pass is the best so far."""
    given = {name: value for name, value in done._asdict().items() if value is not None}
    if done.bracket is not None:
        given |= {"lower": done.bracket.lower, "upper": done.bracket.upper}
    columns = {name: column for name, column in COLUMNS.items() if name in given}
    if titles:
        print("pass" + "".join(f"{title:>{width}}" for title, width, _ in columns.values()))
    numbers = (f"{given[name]:{width}{form}}" for name, (_, width, form) in columns.items())
    print(f"{number:4d}" + "".join(numbers) + " *" * best)
