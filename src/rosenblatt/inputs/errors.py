"""What is wrong with what a caller passed, as a value that each front says in its own words.

An error is not a sentence but what the sentence is made of::

    InputError(Name("C"), must="be a positive number", got=Parameter("C", -1.0))
    InputError(Name("X"), " contains NaN", where=Row(7, 3), remedy="fill in or drop it first")

Strings are said as they stand. A `Thing` stands where callers have words of their own: the name of
an argument, a parameter with its value, a row. ``str`` says all of them as Python's callers do::

    C must be a positive number, got C=-1.0.
    X contains NaN in row 7, column 3: fill in or drop it first.

A front is a function that takes a thing and returns what it is called there, a thing or a string.
What it has no word for it returns as it is; a place stays a place. ``error.worded(by=front)`` is
the same error in the words of the front; those of the command line are flags, files and lines::

    -C must be a positive number, got -C -1.0.
    reviews.csv contains NaN on line 12: fill in or drop it first.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self


class Thing:
    """What different callers have different words for."""


@dataclass(frozen=True)
class Name(Thing):
    """An argument or a parameter."""

    __module__ = "rosenblatt"

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Parameter(Thing):
    """A parameter and its value, the one that came or the one to set."""

    __module__ = "rosenblatt"

    name: str
    value: Any

    def __str__(self) -> str:
        return f"{self.name}={self.value!r}"


class Blank(str):
    """A value that is left to the caller, as FILE in ``rejects=FILE``."""

    __module__ = "rosenblatt"

    __slots__ = ()
    __repr__ = str.__str__


@dataclass(frozen=True)
class Row(Thing):
    """A row of X, or a value in it."""

    __module__ = "rosenblatt"

    row: int
    column: int | None = None
    preposition: ClassVar = "in"

    def __str__(self) -> str:
        after = "" if self.column is None else f", column {self.column}"
        return f"row {self.row}{after}"


@dataclass(frozen=True)
class Line(Thing):
    """A line, or a place on it, both from 1; a sentence about a line of a file begins with it."""

    __module__ = "rosenblatt"

    line: int
    column: int | None = None
    file: str | None = None
    preposition: ClassVar = "on"

    def __str__(self) -> str:
        before = "" if self.file is None else f"{self.file}, "
        after = "" if self.column is None else f", column {self.column}"
        return f"{before}line {self.line}{after}"


Words = str | Thing | tuple["Words", ...]
Front = Callable[[Thing], str | Thing]


class InputError(ValueError):
    """What a caller passed, or a file holds, cannot be taken.

    Parameters
    ----------
    *what : str or Thing, or a tuple of them
        What is wrong, or what it is wrong with if ``must`` goes on; all but the full stop.

    must : optional
        What is allowed, as a verb: "be a positive number".

    got : optional
        What came instead.

    where : Row or Line, optional

    remedy : optional
        The way out.
    """

    __module__ = "rosenblatt"

    def __init__(
        self,
        *what: Words,
        must: Words | None = None,
        got: Words | None = None,
        where: Row | Line | None = None,
        remedy: Words | None = None,
    ) -> None:
        super().__init__(*what)
        self.must, self.got, self.where, self.remedy = must, got, where, remedy

    @property
    def what(self) -> tuple[Words, ...]:
        return self.args

    def __str__(self) -> str:
        must = "" if self.must is None else f" must {text(self.must)}"
        got = "" if self.got is None else f", got {text(self.got)}"
        said = f"{text(self.what)}{must}{got}"
        if isinstance(self.what[0], Row | Line):
            said = said[0].upper() + said[1:]
        first = isinstance(self.where, Line) and self.where.file is not None
        if first:
            said = f"{self.where}: {said}"
        elif self.where is not None:
            said += f" {self.where.preposition} {self.where}"
        if self.remedy is not None:
            said += f"{';' if first else ':'} {text(self.remedy)}"
        return f"{said}."

    def worded(self, by: Front) -> Self:
        """The same error in the words of this front."""

        def put(words: Any) -> Any:
            if isinstance(words, tuple):
                return tuple(map(put, words))
            return by(words) if isinstance(words, Thing) else words

        must, got, where, remedy = map(put, (self.must, self.got, self.where, self.remedy))
        return type(self)(*put(self.what), must=must, got=got, where=where, remedy=remedy)


class InputTypeError(InputError, TypeError):
    """The same of a wrong type."""

    __module__ = "rosenblatt"


def text(words: Words) -> str:
    """The words as Python's callers read them."""
    return "".join(map(text, words)) if isinstance(words, tuple) else str(words)


@contextlib.contextmanager
def wording(by: Front) -> Iterator[None]:
    """What is found wrong in here is said in the words of this front."""
    try:
        yield
    except InputError as error:
        raise error.worded(by) from error


@dataclass(frozen=True)
class OfFile:
    """A front for those who know no X, but a file, or the lines on which the rows begin."""

    file: str | None = None
    lines: Any = None

    def __call__(self, thing: Thing) -> str | Thing:
        if isinstance(thing, Row) and self.lines is not None:
            return Line(int(self.lines[thing.row]))
        return self.file if self.file and thing == Name("X") else thing
