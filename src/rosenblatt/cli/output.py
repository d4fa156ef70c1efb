"""What commands say: lines and tables for people, one JSON object a line for programs."""

import contextlib
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import click

from rosenblatt.cli.failures import STORAGE, Failure, UnreadError, reason
from rosenblatt.cli.progress import Bar, Share
from rosenblatt.explain.bar_tables import aligned

PLAIN = str.maketrans({
    "█": "#", "│": "|", "▏": ".", "…": "...", "–": "-", "−": "-", "×": "x", "→": "->", "≥": ">=",
    "·": "-", "“": '"', "”": '"', "←": "<-",
})  # fmt: skip
"""What to print instead where the terminal does not know these."""
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that make a terminal do something, or show a line other than it is."""


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
            echo(text, head=_head(word))

    def show(self, text: str = "") -> None:
        """A line that stands for itself."""
        if self.for_people:
            echo(text)

    def show_table(self, text: str) -> None:
        """Lines whose cells are each on one line."""
        for line in text.split("\n"):
            self.show(line)

    def show_columns(self, heads: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
        """Cells under their heads, a little to the right."""
        for line in columns(heads, lines):
            self.show("  " + line)

    def tell(self, text: str) -> None:
        """What was asked for: printed even when quiet."""
        if not self.as_json:
            echo(text)

    def warn(self, word: str, text: str) -> None:
        """What people must not miss, and what is printed for programs must not hold."""
        if self.for_people:
            echo(text, head=_head(word), err=True)

    def give(self, facts: Any) -> None:
        """The same for programs."""
        if self.as_json:
            put(json_text(facts) + "\n")

    def bar(
        self, label: str, share: Callable[[], Share] = lambda: None, note: Callable[[], str] = str
    ) -> Bar:
        """Tells on a terminal how far work has come, if it takes longer than a second.

        Elsewhere a line on standard error tells it, if it takes long.
        """
        visible = self.for_people and is_terminal(sys.stderr)
        tell = partial(self.warn, "") if self.for_people and not visible else None
        return Bar(printable(label), share, note, visible=visible, tell=tell)

    def reading(self, data: Any, doing: str = "reading") -> Bar:
        """The same of work that walks over a file."""
        return self.bar(f"{doing} {os.path.basename(data.name)}", lambda: data.share)


def _head(word: str) -> str:
    return click.style(f"{word:<8}", bold=True) + " "


def printable(text: str) -> str:
    """Text on one line that does nothing but stand there: what would do more is spelled out."""
    return UNSAFE.sub(lambda found: found[0].encode("unicode-escape").decode(), text)


def json_text(facts: Any) -> str:
    """JSON on one line, as safe to look at; a number that is not finite, which JSON lacks, is null.

    What is spelled out in it reads as the same characters.
    """
    try:
        text = json.dumps(facts, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(facts), ensure_ascii=False, allow_nan=False)
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _finite(facts: Any) -> Any:
    if isinstance(facts, dict):
        return {name: _finite(fact) for name, fact in facts.items()}
    if isinstance(facts, list | tuple):
        return [_finite(fact) for fact in facts]
    return None if isinstance(facts, float) and not math.isfinite(facts) else facts


def echo(text: str, *, head: str = "", err: bool = False) -> None:
    """Print a line that is made safe, behind a head of our own that may have colours."""
    put(f"{head}{printable(text)}\n", err=err)


def put(text: str, *, err: bool = False, exact: bool = False) -> None:
    """Print what is safe already, in plain letters where the terminal has no others.

    Colours are left out where nobody sees them, unless the text is to come out exactly.
    """
    file = sys.stderr if err else sys.stdout
    if file is None:  # closed by whoever started the program
        if err:
            return
        raise Failure(STORAGE, "Standard output is closed, so that nothing can be printed.")
    encoding = getattr(file, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(PLAIN).encode(encoding, "backslashreplace").decode(encoding)
    with contextlib.suppress(OSError) if err else _printing():
        click.echo(text, nl=False, err=err, color=exact or wanted_colour())


def flush() -> None:
    """Bring to standard output what was printed."""
    if sys.stdout is not None:
        with _printing():
            sys.stdout.flush()


@contextlib.contextmanager
def _printing() -> Iterator[None]:
    """What goes wrong in here is wrong with standard output, which is then let go of."""
    try:
        yield
    except OSError as error:
        # Or else Python would try once more as it ends, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise UnreadError from error
        raise Failure(STORAGE, f"Cannot write to standard output: {reason(error)}.") from error


def is_terminal(stream: Any) -> bool:
    """Whether people look at it; not if it is closed."""
    return stream is not None and bool(stream.isatty())


def wanted_colour() -> bool | None:
    """What the caller's environment says of colours; None leaves it to the terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None


def columns(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Cells under their heads, the first to the left, the others, as numbers, to the right."""
    rows = [[printable(cell) for cell in row] for row in (heads, *lines)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return (aligned(row, widths, left=(0,)).rstrip() for row in rows)


def width() -> int:
    """Of the terminal, in letters."""
    import shutil

    return shutil.get_terminal_size().columns


def shortened(text: str, most: int) -> str:
    """Text on one line, cut if it is longer."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: max(1, most - 1)] + "…"


def counted(count: int, word: str) -> str:
    """So many of something, as one says it."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def size(number: float) -> str:
    """Bytes in the unit that suits them."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if number < 1000 or unit == "GB":
            break
        number /= 1000
    return f"{number:.0f} {unit}" if unit == "bytes" else f"{number:.1f} {unit}"
