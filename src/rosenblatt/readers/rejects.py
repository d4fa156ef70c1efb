"""What becomes of lines that cannot be read: an error, or they are set aside."""

import contextlib
import os
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from rosenblatt.inputs.errors import Blank, InputError, InputTypeError, Line, Name, Parameter, Words
from rosenblatt.readers.atomic_write import written_whole
from rosenblatt.readers.encodings import NAME_IT, Encoding


class Reject(NamedTuple):
    """A line set aside: its place, what is wrong with it, and its text."""

    line: int
    column: int
    reason: str
    text: bytes


Reject.__module__ = "rosenblatt"

MEND = "mend the line"
"""What to do about most of them."""
LONGER: Words = ("raise ", Name("max_line"))
"""What to do about those that are too long."""

Rejects = str | os.PathLike[str] | list[Reject] | None
"""Where lines go that cannot be read: to a file, to a list, or nowhere, so that they are errors."""


def quoted(word: str | bytes) -> str:
    """A word of a line that cannot be read, as a message quotes it."""
    text = word.decode("utf-8", "backslashreplace") if isinstance(word, bytes) else word
    return repr(text if len(text) <= 40 else text[:37] + "...")


def too_long(max_line: int) -> str:
    """What is wrong with a line of more bytes."""
    return f"the line is longer than {max_line} bytes"


class RejectSink:
    """Takes the lines that cannot be read: raises, appends to a list, or writes to a file."""

    def __init__(self, name: str, rejects: list[Reject] | None, file: BinaryIO | None) -> None:
        self.name = name
        self.lines: list[int] = []
        """Those taken so far."""
        self._rejects = rejects
        self._file = file

    @property
    def goes_on(self) -> bool:
        """Whether lines are taken without raising."""
        return self._file is not None or self._rejects is not None

    def take(
        self, line: int, column: int, reason: str, content: bytes, remedy: Words = MEND
    ) -> None:
        """Deal with one line."""
        self.lines.append(line)
        where = Line(line, column, self.name)
        if self._file is not None:
            self._file.write(f"# {where}: {reason}\n".encode() + content + b"\n")
        elif self._rejects is not None:
            self._rejects.append(Reject(line, column, reason, content))
        else:
            aside = ("set it aside with ", Parameter("rejects", Blank("FILE")), " and go on")
            raise InputError(reason, where=where, remedy=(remedy, ", or ", *aside))

    def take_garbled(self, line: int, column: int, encoding: Encoding, content: bytes) -> None:
        """Deal with one that is not in this encoding."""
        self.take(line, column, encoding.fault, content, remedy=NAME_IT)


@contextlib.contextmanager
def set_aside(rejects: Rejects, source: Any, name: str) -> Iterator[RejectSink]:
    """Where lines of this source go, as the caller's `rejects` says."""
    if rejects is None or isinstance(rejects, list):
        yield RejectSink(name, rejects, None)
        return
    if not isinstance(rejects, str | os.PathLike):
        got = type(rejects).__name__
        raise InputTypeError(Name("rejects"), must="be a path or a list", got=got)
    paths = [path for path in (rejects, source) if isinstance(path, str | os.PathLike)]
    if len(paths) == 2 and all(map(os.path.exists, paths)) and os.path.samefile(*paths):
        must = f"be another file than the one that is read, {source}"
        raise InputError(Name("rejects"), must=must)
    with written_whole(os.fspath(rejects)) as file:
        yield RejectSink(name, None, file)


class Walks:
    """Sets lines aside on the first whole walk over a file, and leaves them out on later ones."""

    __module__ = "rosenblatt"

    def __init__(self, rejects: Rejects) -> None:
        self._rejects = rejects
        self._walked = False
        self.lines: list[int] = []
        """Those set aside on the first walk."""

    @property
    def sets_aside(self) -> bool:
        """Whether lines are set aside, rather than errors."""
        return self._rejects is not None

    @contextlib.contextmanager
    def walk(self, source: Any, name: str) -> Iterator[RejectSink]:
        with set_aside([] if self._walked else self._rejects, source, name) as aside:
            if not self._walked:
                self.lines = aside.lines
            yield aside
        self._walked = self.sets_aside
