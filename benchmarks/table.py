"""Rows of the table: what was measured, what it is measured against, and the target."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Self

WIDTHS = (44, 13, 11, 11, 9, 9, 4, 6, 6)
HEADS = ("work", "against", "theirs", "ours", "ratio", "target", "met", "limit", "noise")


@dataclass
class Row:
    """One comparison; ``met`` is None where nothing is promised."""

    work: str
    against: str
    theirs: float
    ours: float
    unit: str
    ratio: str
    target: str = ""
    met: bool | None = None
    limit: float | None = None
    """The share of the machine's memory bandwidth at which ours reads its data."""
    noise: float | None = None
    """How far the median of the runs lies above the minimum that is shown, at the worse side."""
    section: str = ""

    @classmethod
    def faster(cls, *names: str, theirs: float, ours: float, unit: str, **more: Any) -> Self:
        """Ours takes less of something; ``at_least`` says how many times less."""
        return cls._times(names, theirs, ours, unit, theirs / ours, **more)

    @classmethod
    def more(cls, *names: str, theirs: float, ours: float, unit: str, **more: Any) -> Self:
        """Ours does more of something in the same time; ``at_least`` says how many times more."""
        return cls._times(names, theirs, ours, unit, ours / theirs, **more)

    @classmethod
    def _times(
        cls,
        names: tuple[str, ...],
        theirs: float,
        ours: float,
        unit: str,
        times: float,
        at_least: float | None = None,
        **more: Any,
    ) -> Self:
        work, against = names
        row = cls(work, against, theirs, ours, unit, f"{number(times)}×", **more)
        if at_least is not None:
            row.target, row.met = f"≥ {at_least:g}×", times >= at_least
        return row

    @classmethod
    def at_most(
        cls, *names: str, theirs: float, ours: float, unit: str, times: float, **more: Any
    ) -> Self:
        """Ours takes no more than some times the yardstick."""
        work, against = names
        target, met = f"≤ {times:g}×", ours <= times * theirs
        return cls(
            work, against, theirs, ours, unit, f"{number(ours / theirs)}×", target, met, **more
        )

    @classmethod
    def longer(cls, *names: str, theirs: float, ours: float, unit: str, **more: Any) -> Self:
        """Ours takes so many times the yardstick; nothing is promised."""
        return cls(*names, theirs, ours, unit, f"{number(ours / theirs)}×", **more)

    @classmethod
    def no_more(
        cls, *names: str, theirs: float, ours: float, unit: str, most: float, **more: Any
    ) -> Self:
        """Ours stays below a fixed amount, whatever the peer takes."""
        row = cls.faster(*names, theirs=theirs, ours=ours, unit=unit, **more)
        row.target, row.met = f"≤ {most:g} {unit}", ours <= most
        return row

    @classmethod
    def apart(
        cls,
        *names: str,
        theirs: float,
        ours: float,
        unit: str,
        low: float | None = None,
        high: float | None = None,
        **more: Any,
    ) -> Self:
        """Ours minus the yardstick lies above ``low`` or below ``high``."""
        work, against = names
        apart = ours - theirs
        target = f"≥ {signed(low)}" if low is not None else f"≤ {signed(high or 0.0)}"
        met = apart >= low if low is not None else apart <= (high or 0.0)
        return cls(work, against, theirs, ours, unit, signed(apart), target, met, **more)

    def cells(self) -> tuple[str, ...]:
        return (
            "  " + self.work,
            self.against,
            f"{number(self.theirs)} {self.unit}",
            f"{number(self.ours)} {self.unit}",
            self.ratio,
            self.target,
            {True: "yes", False: "NO", None: ""}[self.met],
            "" if self.limit is None else f"{self.limit:.0%}",
            "" if self.noise is None else f"{self.noise:.0%}",
        )


def number(value: float) -> str:
    """Three digits, or all that stand before the point, with commas between thousands."""
    for limit, form in ((1.0, ".3f"), (10.0, ".2f"), (100.0, ".1f")):
        if abs(value) < limit:
            return f"{value:{form}}"
    return f"{value:,.0f}"


def signed(value: float) -> str:
    return f"{value:+.3g}".replace("-", "−")


def print_cells(cells: tuple[str, ...]) -> None:
    """The first two columns to the left, the others to the right."""
    left = [cell.ljust(width) for cell, width in zip(cells[:2], WIDTHS[:2], strict=True)]
    right = [cell.rjust(width) for cell, width in zip(cells[2:], WIDTHS[2:], strict=True)]
    print(" ".join(left + right).rstrip(), flush=True)


def print_head() -> None:
    print_cells(HEADS)
    print("-" * (sum(WIDTHS) + len(WIDTHS) - 1), flush=True)


def print_items(items: Iterable[Row | str]) -> Iterator[Row]:
    """Print rows, and headings over them, as soon as they are there."""
    section = ""
    for item in items:
        if isinstance(item, Row):
            item.section = section
            print_cells(item.cells())
            yield item
        else:
            section = item
            print(section, flush=True)


def print_summary(rows: list[Row]) -> None:
    """How many targets are met, and which are not."""
    promised = [row for row in rows if row.met is not None]
    missed = [row for row in promised if not row.met]
    print(f"\n{len(promised) - len(missed)} of {len(promised)} targets met.", end="")
    print(" Not met:" if missed else "")
    for section, group in groupby(missed, key=lambda row: row.section):
        print(section)
        for row in group:
            print(f"  {row.work}: {row.ratio} against {row.against}, target {row.target}")
