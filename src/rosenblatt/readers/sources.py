"""Where text comes from: files, standard input and open files, packed or not, in blocks."""

import bz2
import contextlib
import gzip
import importlib
import io
import lzma
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputError, Parameter
from rosenblatt.inputs.parts import require
from rosenblatt.readers.encodings import (
    LOOKED_AT,
    NAME_IT,
    UTF8,
    Encoding,
    Recoded,
    Stream,
    guess_encoding,
)
from rosenblatt.readers.stretches import Stretch

MAGIC = {
    b"\x1f\x8b": "gzip",
    b"\xfd7zXZ\x00": "xz",
    b"BZh": "bzip2",
    b"\x28\xb5\x2f\xfd": "zstd",
}
"""The first bytes of packed files: what a file is called does not matter."""


class Source:
    """Text to read in blocks, as UTF-8, unpacked on the way."""

    def __init__(
        self, file: Any, name: str, largest: int, encoding: Encoding | None = UTF8
    ) -> None:
        self._lent = None if hasattr(file, "peek") else io.BufferedReader(file)
        reader = self._lent or file
        first = reader.peek(6)
        packing = next((kind for magic, kind in MAGIC.items() if first.startswith(magic)), None)
        self.name = name
        self.encoding = encoding
        """None until it is guessed from the first bytes."""
        self._file = _unpacked(reader, packing, name)
        self._text: Any = None
        self.packing = packing
        """What it is packed by, if it is."""
        self._largest = largest
        self._stored, self._on_disk = reader, _size_of(file)
        self._size = 0 if packing else self._on_disk
        self.taken = 0

    @property
    def left(self) -> int:
        """Bytes yet to come, if the system knows; else none."""
        return max(0, self._size - self.taken)

    @property
    def share(self) -> float | None:
        """How much has been read, from 0 to 1, packed as it is; None if the length is not known."""
        return min(1.0, self._stored.tell() / self._on_disk) if self._on_disk else None

    def fill(self, block: NDArray[np.uint8], begin: int, end: int) -> int:
        """Read into block[begin:end] until it is full or the source is at its end; the new end."""
        view = block.data
        while begin < end and (count := self.read_into(view[begin:end])):
            begin += count
        return begin

    def limit(self, offset: int, length: int) -> None:
        """Go on with the lines that begin behind the offset, for a length if it is positive."""
        try:
            self._file = Stretch(self._file, offset, length)
        except (AttributeError, OSError) as error:
            raise InputError(
                f"{self.name} can't be read from byte {offset} on",
                remedy="only plain files, and those packed by gzip, xz or bzip2, can",
            ) from error
        self._size = 0

    def place(self) -> tuple[int, int, int] | None:
        """The number of the open file that holds what is left, and from where to where it does."""
        if self.packing or not self._size or not hasattr(os, "pread"):
            return None
        return self._file.fileno(), min(self._file.tell(), self._size), self._size

    def skip(self) -> None:
        """Go to the end of the file."""
        self._file.seek(0, os.SEEK_END)

    def read_into(self, view: Any) -> int:
        """Read what is at hand, as far as there is room; how much that is, none at the end."""
        try:
            if self._text is None:
                self._text, self.encoding = _as_utf8(self._file, self.encoding)
            count: int = self._text.readinto(view) or 0  # None if it would have to wait
        except UnicodeError as error:
            assert self.encoding is not None
            raise InputError(f"{self.name}: {self.encoding.fault}", remedy=NAME_IT) from error
        except (EOFError, OSError, lzma.LZMAError, zlib.error) as error:
            if getattr(error, "errno", None) is not None:  # the disk, not what is on it
                raise
            raise InputError(
                f"{self.name} is damaged or cut short and cannot be unpacked by {self.packing}",
                remedy="restore it from a copy",
            ) from error
        self.taken += count
        if self.packing and self.taken > self._largest:
            limit = Parameter("max_size", self._largest)
            raise InputError(
                *(f"{self.name} unpacks to more than ", limit, " bytes"),
                remedy="raise it if that is meant",
            )
        return count

    def release(self) -> None:
        """Leave the file to the caller, open, where it is the caller's."""
        if self._lent is not None:
            self._lent.detach()
            self._lent = None


@contextlib.contextmanager
def open_source(source: Any, *, largest: int, encoding: Encoding | None = UTF8) -> Iterator[Source]:
    """A source from a path, from "-" for standard input, or from an open binary file."""
    name = source_name(source)
    if isinstance(source, Once):
        source.begin()
        with contextlib.closing(source):
            yield Source(source, name, largest, encoding)
    elif hasattr(source, "readinto"):
        text = Source(source, name, largest, encoding)
        try:
            yield text
        finally:
            text.release()
    elif source == "-":
        yield Source(standard_input(), name, largest, encoding)
    else:
        with open(source, "rb") as file:
            yield Source(file, name, largest, encoding)


def open_plain(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file to read; a device, a pipe or a folder is refused, and none is waited for."""

    def opened(path: str, flags: int) -> int:
        number = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
        if not stat.S_ISREG(os.fstat(number).st_mode):
            os.close(number)
            raise InputError(f"{os.fspath(path)} is no plain file")
        return number

    return open(path, "rb", opener=opened)


def read_plain(path: str | os.PathLike[str], most: int) -> bytes:
    """What such a file holds; refused where that is more bytes."""
    with open_plain(path) as file:
        content = file.read(min(most, os.fstat(file.fileno()).st_size) + 1)
    require(len(content) <= most, "it is too large")
    return content


def standard_input() -> Any:
    """What comes from standard input, as bytes."""
    if sys.stdin is None:
        raise InputError("Standard input is closed", remedy="name a file")
    return sys.stdin.buffer


def source_name(source: Any) -> str:
    """What the caller would call it."""
    if hasattr(source, "readinto") and not isinstance(source, io.TextIOBase):
        return str(getattr(source, "name", "the file"))
    if isinstance(source, str | os.PathLike):
        return "standard input" if source == "-" else os.fspath(source)
    raise TypeError(
        f"Expected a path, '-' or a file opened in binary mode, got {type(source).__name__}."
    )


class Once(Stream, io.RawIOBase):
    """A source that can be read once only, after its beginning was looked at."""

    def __init__(self, head: NDArray[np.uint8], rest: Source, file: Any) -> None:
        self.name = rest.name
        self._file = file
        self._ready = head.data
        self._rest = rest
        self._begun = False

    def begin(self) -> None:
        if self._begun:
            raise InputError(f"{self.name} can be read once only", remedy="save it to a file first")
        self._begun = True

    def close(self) -> None:
        self._rest.release()
        if self._file is not None:
            self._file.close()
        super().close()

    def readable(self) -> bool:
        return True

    def readinto(self, view: Any) -> int:
        return super().readinto(view) if self._ready else self._rest.read_into(view)


def _as_utf8(file: Any, encoding: Encoding | None) -> tuple[Any, Encoding]:
    """The file as UTF-8, and the encoding that it has, guessed if it is not said."""
    if encoding is None:
        file = _Ahead(file)
        encoding = guess_encoding(file.head)
    return (file if encoding.is_utf8 else Recoded(file, encoding)), encoding


class _Ahead(Stream):
    """A stream whose first bytes have been looked at."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        block = bytearray(LOOKED_AT)
        size = 0
        while size < LOOKED_AT and (count := stream.readinto(memoryview(block)[size:])):
            size += count
        self.head = bytes(block[:size])
        self._ready = memoryview(self.head)

    def readinto(self, view: Any) -> int:
        return super().readinto(view) if self._ready else int(self._stream.readinto(view))


def _size_of(file: Any) -> int:
    try:
        return os.fstat(file.fileno()).st_size
    except (AttributeError, OSError):  # bytes in memory, or not a file at all
        return 0


def _unpacked(reader: Any, packing: str | None, name: str) -> Any:
    if packing == "gzip":
        return gzip.GzipFile(fileobj=reader)
    if packing == "xz":
        return lzma.LZMAFile(reader)
    if packing == "bzip2":
        return bz2.BZ2File(reader)
    if packing == "zstd":
        try:
            return _Zstd(reader, importlib.import_module("zstandard"), name)
        except ImportError as error:
            remedy = "pip install zstandard"
            raise InputError(f"{name} is packed with zstd", remedy=remedy) from error
    return reader


class _Zstd(Stream):
    """Reads frame after frame, and tells an end within a frame from the end."""

    STEP = 1 << 13
    """Bytes unpacked at a time: few, as they may become many."""
    WINDOW = 1 << 27
    """Bytes that lie in memory to be repeated, at most; zstd's own limit unless told."""

    def __init__(self, reader: Any, zstandard: Any, name: str) -> None:
        self._reader, self._name = reader, name
        self._zstandard = zstandard
        self._frame: Any = None
        self._packed = b""

    def _next(self) -> bytes | None:
        packed = self._packed or self._reader.read(self.STEP)
        if not packed:
            if self._frame is not None:
                raise EOFError
            return None
        frame = self._frame or self._zstandard.ZstdDecompressor().decompressobj()
        try:
            piece: bytes = frame.decompress(packed)
        except self._zstandard.ZstdError as error:
            if self._frame is None:
                self._check_window(packed)
            raise EOFError from error
        self._packed = frame.unused_data if frame.eof else b""
        self._frame = None if frame.eof else frame
        return piece

    def _check_window(self, packed: bytes) -> None:
        """Refuse a sound frame that takes more memory than any need be given."""
        with contextlib.suppress(self._zstandard.ZstdError):
            window = self._zstandard.get_frame_parameters(packed).window_size
            if window > self.WINDOW:
                raise InputError(
                    f"{self._name} was packed by zstd with a window of {window >> 20} MiB, and at "
                    f"most {self.WINDOW >> 20} MiB are read",
                    remedy="pack it again, without --long or with --long=27",
                )
