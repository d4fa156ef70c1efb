"""Part of a file, cut where lines begin."""

from typing import Any


class Stretch:
    """The lines of a stream that begin behind the offset, up to offset + length.

    One at the offset itself is of the stretch before, which ends with it.
    """

    def __init__(self, stream: Any, offset: int, length: int) -> None:
        self._stream = stream
        if offset:
            stream.seek(offset)
            stream.readline()
        self._left = offset + length - stream.tell() if length > 0 else None
        self._last: memoryview | None = None

    def readinto(self, view: Any) -> int:
        if self._left is None:
            return int(self._stream.readinto(view))
        if self._left > 0:
            count = int(self._stream.readinto(view[: self._left]))
            self._left -= count
            return count
        if self._last is None:
            self._last = memoryview(self._stream.readline() if self._left == 0 else b"")
        count = min(len(view), len(self._last))
        view[:count] = self._last[:count]
        self._last = self._last[count:]
        return count
