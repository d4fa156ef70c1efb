"""What commands say: lines and tables for people, one JSON object a line for programs."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click

from rosenblatt.cli.progress import Bar, Share
from rosenblatt.explain.bar_tables import aligned

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

    def warn(self, word: str, text: str) -> None:
        """What people must not miss, and what is printed for programs must not hold."""
        if self.for_people:
            echo(f"{click.style(f'{word:<8}', bold=True)} {text}", err=True)

    def give(self, facts: Any) -> None:
        """The same for programs."""
        if self.as_json:
            click.echo(json.dumps(facts, ensure_ascii=False, allow_nan=False))

    def bar(self, label: str, share: Callable[[], Share] = lambda: None) -> Bar:
        """Tells on a terminal how far work has come, if it takes longer than a second."""
        return Bar(label, share, visible=self.for_people and sys.stderr.isatty())

    def reading(self, data: Any, doing: str = "reading") -> Bar:
        """The same of work that walks over a file."""
        return self.bar(f"{doing} {os.path.basename(data.name)}", lambda: data.share)


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


def columns(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Cells under their heads, the first to the left, the others, as numbers, to the right."""
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    return (aligned(row, widths, left=(0,)).rstrip() for row in (heads, *lines))


def shortened(text: str, width: int | None = None) -> str:
    """Text on one line, cut at the terminal's width."""
    if width is None:
        import shutil

        width = shutil.get_terminal_size().columns
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
