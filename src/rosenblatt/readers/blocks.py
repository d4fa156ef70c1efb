"""Text in blocks of whole lines, each in memory of its own."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Line, Words
from rosenblatt.readers.data import FileData
from rosenblatt.readers.encodings import UTF8
from rosenblatt.readers.rejects import LONGER, MEND, RejectSink, quoted, too_long
from rosenblatt.readers.sources import Source

BLOCK = 1 << 20
"""Bytes read at a time: some thousand short lines."""

LARGE_BLOCK = 1 << 25
"""The same where all of a file is wanted."""

HEAD = 1 << 16
"""Bytes that the style of a file is guessed from."""


Reader = core.LineReader | core.VwReader | core.JsonTextReader
"""A native reader of lines."""


class LineData(FileData):
    """A file of lines that a native reader reads, a block at a time."""

    reasons: ClassVar[Mapping[str, str]]
    """What may be wrong with a line, by what the reader calls it; {word} quotes a word of it."""
    remedies: ClassVar[Mapping[str, Words]] = {}
    """What to do about it, where it is not to mend the line."""

    def _blocks(
        self, reader_for: Callable[[bytes], Reader], large: bool = False
    ) -> Iterator[tuple[NDArray[np.uint8], Any, RejectSink]]:
        """Each block, what a reader made of its lines, and what takes those that cannot be read.

        The reader is chosen by how the text begins.
        With ``large`` blocks a file of some megabytes is but one.
        """
        with self._opened() as (text, aside):
            size = max(BLOCK, min(LARGE_BLOCK, text.left + 1)) if large else BLOCK
            longest = int(self.max_line)
            words = self.reasons, self.remedies
            for block, found in read_blocks(reader_for, text, aside, words, longest, size):
                self.share, self.encoding = text.share, text.encoding
                yield block, found, aside


def read_blocks(
    reader_for: Callable[[bytes], Reader],
    text: Source,
    aside: RejectSink,
    words: tuple[Mapping[str, str], Mapping[str, Words]],
    max_line: int,
    size: int,
) -> Iterator[tuple[NDArray[np.uint8], Any]]:
    """Each block and what a reader, chosen by how the text begins, made of its whole lines.

    What is wrong with a line is told by reasons, which quote a word of it as {word}, and what to
    do about it by remedies.
    """
    reasons, remedies = words
    reader: Reader | None = None
    block = _room(size)
    carried = 0
    while True:
        room = len(block) - core.block_slack
        filled = text.fill(block, carried, room)
        last = filled < room
        if reader is None:
            filled = _without_mark(block, filled)
            reader = reader_for(block[: min(filled, HEAD)].tobytes())
        used, *read = reader.feed(block, filled, last)
        for kind, line, column, word, rejected in reader.take_faults():
            if kind == "utf8":
                aside.take_garbled(line, column, text.encoding or UTF8, rejected)
            elif kind == "length":
                aside.take(line, column, too_long(max_line), rejected, LONGER)
            else:
                reason = reasons[kind].format(word=quoted(word))
                aside.take(line, column, reason, rejected, remedies.get(kind, MEND))
        if used:
            yield block[:used], read
        if last:
            return
        left = block[used:filled]
        if len(left) > max_line:
            if not aside.goes_on:
                where = Line(reader.lines + 1, file=text.name)
                raise InputError(too_long(max_line), where=where, remedy=LONGER)
            # As much as is found too long; the memory of the others is given back.
            left = block = _ended(left[: max_line + 1], text)
        carried = len(left)
        block = _room(max(size, min(2 * carried, max_line + 1 + size)))
        block[:carried] = left


def _ended(line: NDArray[np.uint8], text: Source) -> NDArray[np.uint8]:
    """A line that ends here, and what has been read behind its own end."""
    more = np.empty(BLOCK, np.uint8)
    while count := text.fill(more, 0, BLOCK):
        ends = np.flatnonzero(more[:count] == ord("\n"))
        if len(ends):
            return np.concatenate([line, more[ends[0] : count]])
    return line


def _room(size: int) -> NDArray[np.uint8]:
    """Memory for so many bytes of text; what is large is used again once it is given back."""
    wanted = size + core.block_slack
    return np.empty(wanted, np.uint8) if size <= BLOCK else core.spare_array(wanted, "uint8")


def _without_mark(block: NDArray[np.uint8], filled: int) -> int:
    """The new end of a first block once the mark of its encoding is gone."""
    if block[: min(3, filled)].tobytes() != b"\xef\xbb\xbf":
        return filled
    block[: filled - 3] = block[3:filled].copy()
    return filled - 3
