"""ARFF, the tables of Weka: columns are declared, and rows follow, dense or sparse."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rosenblatt.inputs.errors import InputError, Line
from rosenblatt.readers.rejects import RejectSink, quoted
from rosenblatt.readers.table_rows import Lines, Record

_NUMBERS = {"numeric", "real", "integer"}
# Possessive repeats never go back, so that a line takes time in proportion to its length.
_WORD = r"""'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)\""""
_CELL = re.compile(rf"""\s*+(?:{_WORD}|((?!['"])[^,]*+))\s*+(?:,|$)""")
_NAME = re.compile(rf"""\s*+(?:{_WORD}|((?!['"])[^\s{{]++))\s*+""")
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True)
class Attribute:
    """A column and what it may hold."""

    name: str
    kind: str | None
    """"number", "category", "text", or None for a date."""
    usual: str
    """What a sparse row holds where it says nothing."""


def attributes_of(lines: Lines) -> list[Attribute]:
    """The columns that a file declares, up to its data."""
    found: list[Attribute] = []
    while line := lines.next():
        text = line.decode("utf-8", "replace").strip()
        word = text.split(None, 1)[0].lower() if text else ""
        if word == "@data":
            return found
        if word == "@attribute":
            try:
                found.append(_attribute(text[len(word) :]))
            except ValueError as error:
                where = Line(lines.number, file=lines.name)
                raise InputError("expected @attribute NAME TYPE", where=where) from error
    raise InputError(f"{lines.name} has no line @data, so that it holds no example")


def _attribute(text: str) -> Attribute:
    name, end = _first(_NAME, text, 0)
    kind = text[end:].strip()
    if kind.startswith("{") and kind.endswith("}"):
        values = _cells(kind[1:-1])
        return Attribute(name, "category", values[0])
    word = kind.partition(" ")[0].lower()
    if word in _NUMBERS:
        return Attribute(name, "number", "0")
    if word not in ("string", "date"):
        raise ValueError(kind)
    return Attribute(name, "text" if word == "string" else None, "")


def arff_records(lines: Lines, aside: RejectSink) -> Iterator[Record]:
    """The rows of a file, from its beginning."""
    attributes = attributes_of(lines)
    usual = [each.usual for each in attributes]
    while line := lines.next():
        bare = line.strip()
        if not bare or bare.startswith(b"%"):
            continue
        try:
            text = bare.decode("utf-8")
            cells = _sparse(text, usual) if text[0] == "{" else _cells(text)
        except UnicodeDecodeError as error:
            aside.take_garbled(*lines.garbled(error), line.rstrip(b"\r\n"))
        except ValueError as error:
            reason = f"expected cells with commas between them, got {quoted(error.args[0])}"
            aside.take(lines.number, 1, reason, line.rstrip(b"\r\n"))
        else:
            yield Record(lines.number, cells, line)


def _cells(text: str) -> list[str]:
    if "'" not in text and '"' not in text:
        return [cell.strip() for cell in text.split(",")]
    cells, at = [], 0
    while True:
        cell, at = _first(_CELL, text, at)
        cells.append(cell)
        if at == len(text) and text[at - 1] != ",":
            return cells


def _sparse(text: str, usual: list[str]) -> list[str]:
    """``{3 7, 5 'a word'}``: numbers of columns from zero, and their cells."""
    if not text.endswith("}"):
        raise ValueError(text)
    cells, pairs, at = [*usual], text[:-1].rstrip(), 1
    while at < len(pairs):
        column, at = _first(_NAME, pairs, at)
        cell, at = _first(_CELL, pairs, at)
        if not (column.isdecimal() and int(column) < len(cells)):
            raise ValueError(text)
        cells[int(column)] = cell
    return cells


def _first(pattern: re.Pattern[str], text: str, at: int) -> tuple[str, int]:
    """The word that a pattern finds from a place on, and where it ends."""
    match = pattern.match(text, at)
    if match is None:
        raise ValueError(text[at:])
    single, double, bare = match.groups()
    if bare is not None:
        return bare.strip(), match.end()
    return _ESCAPED.sub(r"\1", double if single is None else single), match.end()
