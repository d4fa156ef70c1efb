"""Text in blocks of whole lines, each in memory of its own."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.formats.rejects import Aside
from rosenblatt.formats.sources import Source
from rosenblatt.parameters import check_count

BLOCK = 1 << 20
"""Bytes read at a time: some thousand short lines."""

HEAD = 1 << 16
"""Bytes that the style of a file is guessed from."""

LARGEST_LIMIT = 2**62


class Reader(Protocol):
    """A native reader of lines."""

    @property
    def lines(self) -> int: ...

    def feed(self, block: NDArray[np.uint8], length: int, last: bool) -> tuple[Any, ...]: ...

    def take_faults(self) -> list[tuple[str, int, int, bytes, bytes]]: ...


def check_limits(**limits: Any) -> None:
    """Limits of lines and files."""
    for name, limit in limits.items():
        check_count(name, limit)
        if limit > LARGEST_LIMIT:
            raise ValueError(f"{name} must be at most {LARGEST_LIMIT}, got {name}={limit}.")


def shown(word: bytes) -> str:
    """A word of a line that cannot be read, as a message quotes it."""
    text = word.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 40 else text[:37] + "...")


def read_blocks(
    reader_for: Callable[[bytes], Reader],
    text: Source,
    aside: Aside,
    reasons: dict[str, str],
    max_line: int,
) -> Iterator[tuple[NDArray[np.uint8], Any]]:
    """Each block and what a reader, chosen by how the text begins, made of its whole lines.

    What is wrong with a line is told by ``reasons``, which quote a word of it as {word}.
    """
    reader: Reader | None = None
    block = np.empty(BLOCK + core.block_slack, dtype=np.uint8)
    kept = 0
    while True:
        room = len(block) - core.block_slack
        filled = text.fill(block, kept, room)
        last = filled < room
        if reader is None:
            filled = _without_mark(block, filled, text.name)
            reader = reader_for(block[: min(filled, HEAD)].tobytes())
        used, *read = reader.feed(block, filled, last)
        for kind, line, column, word, rejected in reader.take_faults():
            aside.take(line, column, reasons[kind].format(word=shown(word)), rejected)
        if used:
            yield block[:used], read
        if last:
            return
        kept = filled - used
        if kept > max_line:
            reason = reasons["length"]
            raise ValueError(f"{text.name}, line {reader.lines + 1}: {reason}.")
        size = 2 * len(block) if kept > room // 2 else BLOCK + core.block_slack
        following = np.empty(size, dtype=np.uint8)
        following[:kept] = block[used:filled]
        block = following


def _without_mark(block: NDArray[np.uint8], filled: int, name: str) -> int:
    """The new end of a first block once the mark of its encoding is gone."""
    first = block[: min(3, filled)].tobytes()
    if first[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ValueError(f"{name} is in UTF-16: save it as UTF-8.")
    if first != b"\xef\xbb\xbf":
        return filled
    block[: filled - 3] = block[3:filled].copy()
    return filled - 3
