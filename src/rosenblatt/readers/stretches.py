"""Part of a file, cut where lines begin."""

from typing import Any

from rosenblatt.readers.encodings import Stream


class Stretch(Stream):
    """The lines of a stream that begin behind the offset, up to offset + length.

    One at the offset itself is of the stretch before, which ends with it.
    """

    def __init__(self, stream: Any, offset: int, length: int) -> None:
        self._stream = stream
        if offset:
            stream.seek(offset)
            stream.readline()
        self._left = offset + length - stream.tell() if length > 0 else None
        self._ended = False

    def readinto(self, view: Any) -> int:
        if self._left is None:
            return int(self._stream.readinto(view))
        if self._left > 0:
            count = int(self._stream.readinto(view[: self._left]))
            self._left -= count
            return count
        return super().readinto(view)

    def _next(self) -> bytes | None:
        """The rest of the last line."""
        ended, self._ended = self._ended, True
        return None if ended or self._left else bytes(self._stream.readline())
