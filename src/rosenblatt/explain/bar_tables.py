"""Tables whose last column is drawn as bars, for terminals and for notebooks."""

import math
from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Cell = str | int | float
Record = TypeVar("Record")

REACH = 12
"""How many characters a bar may reach to either side of zero."""


def aligned(
    cells: Sequence[str], widths: Sequence[int], left: Collection[int] = (), gap: str = "  "
) -> str:
    """Cells on one line, each as wide as its column, those of the columns in `left` to the left."""
    placed = enumerate(zip(cells, widths, strict=True))
    return gap.join(f"{c:<{width}}" if k in left else f"{c:>{width}}" for k, (c, width) in placed)


@dataclass(frozen=True)
class BarTable:
    """Lines of cells under their heads; None stands for lines left out."""

    title: str
    heads: tuple[str, ...]
    lines: Sequence[tuple[Cell, ...] | None]
    foot: str = ""

    @property
    def longest(self) -> float:
        """The largest of the numbers that end each line, whatever its sign."""
        return max((abs(float(line[-1])) for line in self.lines if line), default=0.0)

    def text(self) -> str:
        full = [line for line in self.lines if line]
        cells = [self.heads, *(tuple(map(cell_text, line)) for line in full)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        left = [k for k, cell in enumerate((full or [self.heads])[0]) if isinstance(cell, str)]
        drawn = [self.title]
        for line in (self.heads, *self.lines):
            if line is None:
                drawn.append("  …")
                continue
            text = aligned([*map(cell_text, line)], widths, left)
            bar = "" if line is self.heads else self._bar(float(line[-1]))
            drawn.append(f"  {text}  {bar}".rstrip())
        return "\n".join([*drawn, self.foot]).rstrip()

    def html(self) -> str:
        from html import escape

        heads = "".join(f"<th>{escape(head)}</th>" for head in (*self.heads, ""))
        body = [self._html_line(line) for line in self.lines]
        return (
            f"<table><caption>{escape(self.title)}</caption><thead><tr>{heads}</tr></thead>"
            f"<tbody>{''.join(body)}</tbody></table><p>{escape(self.foot)}</p>"
        )

    def _bar(self, amount: float) -> str:
        """Leftwards from the middle if below zero, else rightwards."""
        blocks = "█" * round(REACH * self._share(amount)) or "▏"
        return f"{blocks.rjust(REACH)}│" if amount < 0 else f"{'':{REACH}}│{blocks}"

    def _share(self, amount: float) -> float:
        if math.isinf(amount) or not self.longest:
            return float(math.isinf(amount))
        return abs(amount) / self.longest

    def _html_line(self, line: tuple[Cell, ...] | None) -> str:
        from html import escape

        if line is None:
            return "<tr><td>…</td></tr>"
        amount = float(line[-1])
        style = (
            f"display:inline-block;height:.8em;width:{10 * self._share(amount):.2f}em;"
            f"background:{'#D55E00' if amount < 0 else '#0072B2'}"
        )
        cells = "".join(f"<td>{escape(cell_text(cell))}</td>" for cell in line)
        return f'<tr>{cells}<td style="text-align:left"><span style="{style}"></span></td></tr>'


class Tabular(Generic[Record]):
    """Records that print as tables, in a notebook too."""

    records: tuple[Record, ...]

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    @abstractmethod
    def tables(self) -> list[BarTable]:
        """What is printed."""

    def __str__(self) -> str:
        return "\n\n".join(table.text() for table in self.tables())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "".join(table.html() for table in self.tables())


def cell_text(cell: Cell) -> str:
    """A cell as text on one line; blanks at its ends are made visible by quotes."""
    if isinstance(cell, float):
        return f"{cell:+.4g}"
    if isinstance(cell, int):
        return str(cell)
    return cell if cell.isprintable() and cell == cell.strip() else repr(cell)
