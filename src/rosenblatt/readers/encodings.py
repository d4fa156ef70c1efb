"""The encoding of a text: the one that the caller says, else guessed from how it begins."""

import codecs
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.inputs.errors import Blank, InputError, Name, Parameter, Words

LOOKED_AT = 1 << 20
"""Bytes that the guess is made from."""
MOST_BEYOND = 0.25
"""The share of bytes beyond ASCII up to which those that are not UTF-8 are taken for letters."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NOT_OF_FILES = {"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "utf-7"}
_BAD = re.compile("[\udc80-\udcff]")
_BEYOND = re.compile("[^\x00-\x7f\udc80-\udcff]")

NAME_IT: Words = ("say which encoding it is in with ", Parameter("encoding", Blank("NAME")))


@dataclass(frozen=True)
class Encoding:
    """How bytes become letters."""

    __module__ = "rosenblatt"

    name: str = "utf-8"
    said: bool = False
    """Whether the caller named it; else it was guessed."""

    @property
    def is_utf8(self) -> bool:
        return self.name == "utf-8"

    def describe(self) -> str:
        """What to add to how a file was understood: nothing for what is common."""
        if self.is_utf8:
            return ""
        return f", in {self.name}" + ("" if self.said else " (guessed)")

    def settings(self) -> dict[str, str]:
        """What to give `open_data` for further files: what was guessed is guessed anew."""
        return {"encoding": self.name} if self.said else {}

    @property
    def fault(self) -> str:
        """What is wrong with text in another encoding."""
        return f"the text is not {'UTF-8' if self.is_utf8 else f'in {self.name}'}"

    def decoded(self, head: bytes) -> bytes:
        """The first bytes of a file as UTF-8."""
        if self.is_utf8:
            return head
        text = codecs.getincrementaldecoder(self.name)("surrogateescape").decode(head)
        return text.encode("utf-8", "surrogateescape")


UTF8 = Encoding()


def as_encoding(name: str | None) -> Encoding | None:
    """The encoding of this name; None leaves it to be guessed."""
    if name is None:
        return None
    if not is_encoding(name):
        must = "be the name of an encoding, such as 'latin-1', 'cp1252' or 'utf-16'"
        raise InputError(Name("encoding"), must=must, got=Parameter("encoding", name))
    return Encoding(codecs.lookup(name).name.removesuffix("-sig"), said=True)


def is_encoding(name: Any) -> bool:
    """Whether text of a file may be in an encoding of this name."""
    try:
        known = codecs.lookup(name)
    except (LookupError, TypeError, ValueError):
        return False
    return getattr(known, "_is_text_encoding", True) and known.name not in _NOT_OF_FILES


def guess_encoding(head: bytes) -> Encoding:
    """The encoding of a text that begins so.

    The one that a byte order mark tells; else UTF-8 if that is what most letters beyond ASCII are;
    else Windows' form of Latin-1 if nearly all bytes are ASCII, as in languages that it serves.
    """
    for mark, name in _MARKS:
        if head.startswith(mark):
            return Encoding(name)
    if head.isascii():
        return UTF8
    text = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode(head)
    bad, good = len(_BAD.findall(text)), len(_BEYOND.findall(text))
    beyond = np.mean(np.frombuffer(head, np.uint8) >= 0x80)
    if bad <= good or beyond > MOST_BEYOND or not _is_cp1252(head):
        return UTF8
    return Encoding("cp1252")


def _is_cp1252(head: bytes) -> bool:
    try:
        head.decode("cp1252")
    except UnicodeDecodeError:
        return False
    return True


class Stream:
    """Bytes that come in pieces, read into whatever room there is."""

    _ready = memoryview(b"")

    def _next(self) -> Any:
        """The next piece, which may be empty; None at the end."""
        return None

    def readinto(self, view: Any) -> int:
        while not self._ready:
            self._ready = memoryview(b"")  # a piece may be large: never two at a time
            piece = self._next()
            if piece is None:
                return 0
            self._ready = memoryview(piece)
            del piece
        count = min(len(view), len(self._ready))
        view[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count


class Recoded(Stream):
    """A stream of another encoding as UTF-8; bytes that are not in it stay as they are."""

    STEP = 1 << 16

    def __init__(self, stream: Any, encoding: Encoding) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding.name)("surrogateescape")
        self._block = bytearray(self.STEP)

    def _next(self) -> bytes | None:
        count = self._stream.readinto(self._block)
        text = self._decoder.decode(bytes(self._block[:count]), final=not count)
        return text.encode("utf-8", "surrogateescape") if count or text else None
