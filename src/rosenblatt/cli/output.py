"""What commands say: lines and tables for people, one JSON object a line for programs."""

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, Self

import click

PLAIN = str.maketrans({
    "█": "#", "│": "|", "▏": ".", "…": "...", "–": "-", "−": "-", "×": "x", "→": "->", "≥": ">=",
    "·": "-", "“": '"', "”": '"', "←": "<-",
})  # fmt: skip
"""What to print instead where the terminal does not know these."""


class Output:
    """Tells people what happens, as it happens, or programs what came of it."""

    def __init__(self, *, as_json: bool = False, quiet: bool = False) -> None:
        self.as_json = as_json
        self.quiet = quiet

    @property
    def for_people(self) -> bool:
        return not self.as_json and not self.quiet

    def say(self, word: str, text: str) -> None:
        """A step and what there is to know about it."""
        if self.for_people:
            echo(f"{click.style(f'{word:<8}', bold=True)} {text}")

    def show(self, text: str = "") -> None:
        """Text that stands for itself, such as a table."""
        if self.for_people:
            echo(text)

    def tell(self, text: str) -> None:
        """What was asked for: printed even when quiet."""
        if not self.as_json:
            echo(text)

    def give(self, facts: Any) -> None:
        """The same for programs."""
        if self.as_json:
            click.echo(json.dumps(facts, ensure_ascii=False, allow_nan=False))

    def counter(self, label: str, unit: str) -> "Counter":
        """Counts work of unknown length on a terminal, if it takes longer than a second."""
        return Counter(label, unit, shown=self.for_people and sys.stderr.isatty())


def echo(text: str, *, err: bool = False) -> None:
    """Print, in plain letters where the terminal has no others."""
    file = sys.stderr if err else sys.stdout
    encoding = getattr(file, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(PLAIN).encode(encoding, "backslashreplace").decode(encoding)
    click.echo(text, err=err, color=wanted_colour())


def wanted_colour() -> bool | None:
    """What the caller's environment says of colours; None leaves it to the terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None


class Counter:
    """A number on standard error that only comes when the work takes longer than a second."""

    PATIENCE, EVERY = 1.0, 0.1

    def __init__(self, label: str, unit: str, *, shown: bool) -> None:
        self._label, self._unit, self._shown = label, unit, shown
        self._next = time.monotonic() + self.PATIENCE
        self._count = 0
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            click.echo("\r\033[2K", nl=False, err=True, color=True)

    def advance(self, amount: int) -> None:
        self._count += amount
        if self._shown and time.monotonic() > self._next:
            click.echo(f"\r{self._label}: {self._count:,} {self._unit}", nl=False, err=True)
            self._next = time.monotonic() + self.EVERY
            self._drawn = True


def columns(
    heads: Sequence[str], lines: Sequence[Sequence[str]], left: Sequence[int] = (0,)
) -> Iterator[str]:
    """Cells under their heads, numbers to the right, the columns in `left` to the left."""
    widths = [max(len(row[k]) for row in (heads, *lines)) for k in range(len(heads))]
    for row in (heads, *lines):
        cells = [
            f"{cell:<{width}}" if k in left else f"{cell:>{width}}"
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def shortened(text: str, width: int | None = None) -> str:
    """Text on one line, cut at the terminal's width."""
    width = width or shutil.get_terminal_size().columns
    line = " ".join(text.split())
    return line if len(line) <= width else line[: max(1, width - 1)] + "…"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def size(number: float) -> str:
    """Bytes in the unit that suits them."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if number < 1000 or unit == "GB":
            break
        number /= 1000
    return f"{number:.0f} {unit}" if unit == "bytes" else f"{number:.1f} {unit}"
