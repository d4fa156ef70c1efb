"""Rows of CSV, TSV and JSON lines: cells in the order of the columns, and what is wrong with some.

A row begins on the line that its number says; a quoted cell may hold further lines. Rows that
cannot be read go to an `RejectSink`; after a fault in quoting, reading goes on with the next line.
"""

import codecs
import csv
import io
import json
import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rosenblatt.inputs.errors import InputError, Line
from rosenblatt.inputs.parts import JsonError, read_json
from rosenblatt.readers.encodings import UTF8, Encoding
from rosenblatt.readers.rejects import LONGER, RejectSink, quoted, too_long
from rosenblatt.readers.sources import Source

BLOCK = 1 << 18

_QUOTED = rb'"[^"]*+(?:""[^"]*+)*+"'


class Record(NamedTuple):
    """A row: the line on which it begins, its cells, and its bytes."""

    line: int
    cells: list[str]
    text: bytes


class Lines:
    """The lines of a source, without a byte order mark; some may be put back."""

    def __init__(self, source: Source, longest: int) -> None:
        self._source = source
        self.name = source.name
        self.number = 0
        self.longest = longest
        self._reader = io.BufferedReader(_Raw(source), BLOCK)
        self._again: deque[bytes] = deque()

    def next(self) -> bytes:
        """The next line with its end; nothing at the end of the source."""
        if self._again:
            line = self._again.popleft()
        else:
            line = self._reader.readline(self.longest + 1)
            if len(line) > self.longest:
                self.refuse_length(self.number + 1)
        if self.number == 0:
            line = line.removeprefix(codecs.BOM_UTF8)
        self.number += bool(line)
        return line

    def put_back(self, lines: Sequence[bytes]) -> None:
        self._again.extendleft(reversed(lines))
        self.number -= len(lines)

    def refuse_length(self, line: int) -> None:
        raise InputError(
            f"{too_long(self.longest)}, or a quote is never closed",
            where=Line(line, file=self.name),
            remedy=LONGER,
        )

    def garbled(self, error: UnicodeDecodeError) -> tuple[int, int, Encoding]:
        """Line and column at which the last line is not in the encoding, and that."""
        return self.number, error.start + 1, self._source.encoding or UTF8


class _Raw(io.RawIOBase):
    def __init__(self, source: Source) -> None:
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, view: Any) -> int:
        return self._source.read_into(view)


def separated(lines: Lines, delimiter: str, aside: RejectSink) -> Iterator[Record]:
    """Rows of cells with a delimiter between them, quoted where need be."""
    text = _RowLines(lines)
    reader = csv.reader(text, delimiter=delimiter, strict=True, skipinitialspace=delimiter == " ")
    # One limit serves the whole process; lines are held to one of their own here.
    csv.field_size_limit(max(csv.field_size_limit(), lines.longest))
    while True:
        text.begin()
        try:
            cells = next(reader, None)
        except csv.Error:
            first, *others = text.taken
            lines.put_back(others)
            if delimiter == "\t" and not text.garbled:  # there, a quote is a letter
                yield Record(text.first, first.decode().rstrip("\r\n").split("\t"), first)
            elif text.garbled:
                aside.take_garbled(*text.garbled, first.rstrip(b"\r\n"))
            else:
                wrong = _what_is_wrong(text.taken, delimiter)
                aside.take(text.first, *wrong, first.rstrip(b"\r\n"))
            continue
        if cells is None:
            return
        if delimiter == " " and cells and not cells[-1]:
            cells.pop()
        if text.garbled:
            aside.take_garbled(*text.garbled, b"".join(text.taken).rstrip(b"\r\n"))
        elif cells:
            yield Record(text.first, cells, b"".join(text.taken))


class _RowLines:
    """Lines as strings for the csv module; those of the row at hand are remembered."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self.begin()

    def begin(self) -> None:
        self.first = self._lines.number + 1
        self.taken: list[bytes] = []
        self.garbled: tuple[int, int, Encoding] | None = None
        """Where a line is not in the encoding: its row is read to the end all the same, so that the
        rest of it is not taken for rows."""
        self._size = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._lines.next()
        if not line:
            raise StopIteration
        self.taken.append(line)
        self._size += len(line)
        if self._size > self._lines.longest:
            self._lines.refuse_length(self.first)
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError as error:
            self.garbled = self.garbled or self._lines.garbled(error)
            return line.decode("utf-8", "replace")


def _what_is_wrong(lines: Sequence[bytes], delimiter: str) -> tuple[int, str]:
    """The column and the reason, of lines that the csv module does not take for a row."""
    text, mark = b"".join(lines), re.escape(delimiter.encode())
    sound = re.match(rb"(?:(?:%b|(?!\")[^%b\r\n]*+)%b)*+" % (_QUOTED, mark, mark), text)
    begin = sound.end() if sound else 0
    closed = re.compile(_QUOTED).match(text, begin)
    end = closed.end() if closed else begin
    if text[begin : begin + 1] == b'"' and not closed:
        column, reason = begin + 1, "a quote that opens here is never closed"
    elif closed and text[end : end + 1] != b"\r":
        column, reason = end, "a cell goes on after its closing quote; double quotes within it"
    else:
        column, reason = text.find(b"\r", end) + 1, "a carriage return stands within the line"
    over = column > len(lines[0])  # then it is on a line that is read again
    return lines[0].rfind(b'"') + 1 if over else column, reason


def place_of(record: Record, column: int, delimiter: str) -> tuple[int, int]:
    """The line, and the place on it, at which a cell begins."""
    text, mark = record.text.rstrip(b"\r\n"), delimiter.encode()
    line, start, at, quoted = record.line, 0, 0, False
    for k in range(len(text)):
        byte = text[k : k + 1]
        if at == column:
            return line, k - start + 1
        if byte == b'"':
            quoted = not quoted
        elif byte == b"\n":
            line, start = line + 1, k + 1
        elif byte == mark and not quoted:
            at += 1
    return line, len(text) - start + 1


JsonLine = tuple[int, dict[str, Any], bytes]
"""The number of a line, the object on it, and its bytes."""


def json_objects(lines: Lines, aside: RejectSink) -> Iterator[JsonLine]:
    """The object on each line that is not blank."""
    while line := lines.next():
        text = line.rstrip(b"\r\n")
        if not text.strip():
            continue
        try:
            value = read_json(text, object_pairs_hook=_named_once)
        except UnicodeDecodeError as error:
            aside.take_garbled(*lines.garbled(error), text)
        except JsonError as error:
            aside.take(lines.number, error.column, str(error), text)
        except _TwiceError as error:
            name = error.args[0]
            column = text.rfind(json.dumps(name, ensure_ascii=False).encode()) + 1
            aside.take(lines.number, max(1, column), f"two values are called {quoted(name)}", text)
        else:
            if isinstance(value, dict):
                yield lines.number, value, text
            else:
                kind = type(value).__name__
                aside.take(lines.number, 1, f"expected a JSON object {{...}}, got a {kind}", text)


class _TwiceError(ValueError):
    """Two values of an object have the same name, the argument."""


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        raise _TwiceError(counts.most_common(1)[0][0])
    return value
