"""Files written all or nothing, and only where a plain file may be."""

import contextlib
import io
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any


class WriteError(OSError):
    """What the system says about a file that cannot be written, rather than one to be read."""

    __module__ = "rosenblatt"

    def __str__(self) -> str:
        said = super().__str__()
        return said if self.errno is not None else f"{self.strerror}: {self.filename!r}"


@contextmanager
def marked(path: str) -> Iterator[None]:
    """What goes wrong in here went wrong while this file was written."""
    try:
        yield
    except WriteError:
        raise
    except OSError as error:
        raise WriteError(error.errno, error.strerror, path) from error


def check_plain(path: str | os.PathLike[str]) -> None:
    """Refuse to write over anything but a plain file: a device, a pipe, a folder."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(os.stat(path).st_mode):
            reason = "It is not a plain file, and nothing else is written over"
            raise WriteError(None, reason, os.fspath(path))


class Written(io.BufferedWriter):
    """A new file at ``path`` that is written for the one called ``display_name``."""

    def __init__(self, path: str, display_name: str) -> None:
        self._display_name = display_name
        with marked(display_name):
            super().__init__(io.FileIO(path, "x"))

    def write(self, data: Any) -> int:
        with marked(self._display_name):
            return super().write(data)

    def flush(self) -> None:
        with marked(self._display_name):
            super().flush()


@contextmanager
def written_whole(path: str) -> Iterator[Written]:
    """A file to write to so that, whenever the machine stops, the old or the new one is there.

    What is written goes to a new file in the same folder, to the disk, and only then under the
    name; after an error, nowhere.
    """
    display_name, path = path, os.path.realpath(path)
    check_plain(path)
    folder, name = os.path.split(path)
    draft = os.path.join(folder, f".{name}.{os.urandom(6).hex()}.part")
    try:
        with Written(draft, display_name) as file:
            if os.path.exists(path):
                with marked(display_name):
                    os.fchmod(file.fileno(), stat.S_IMODE(os.stat(path).st_mode))
            yield file
            file.flush()
            with marked(display_name):
                os.fsync(file.fileno())
        with marked(display_name):
            os.replace(draft, path)
    except BaseException:
        if os.path.exists(draft):
            os.unlink(draft)
        raise
    sync_names(folder)


def sync_names(folder: str) -> None:
    """Bring the names of the files in a folder to the disk."""
    try:
        directory = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
    except OSError as error:
        said = WriteError(
            f"All is written, but the folder {folder} cannot be brought to the disk "
            f"({error.strerror}): look whether what is new is there after a power failure."
        )
        said.errno = error.errno
        raise said from error


def write_whole(path: str, parts: Iterable[bytes | memoryview]) -> None:
    """Write these parts to such a file."""
    with written_whole(path) as file:
        file.writelines(parts)


def write_all(folder: str, files: Mapping[str, bytes]) -> None:
    """Write these files into a folder, and none of them if there is no room for all."""
    with marked(folder):
        new = not os.path.isdir(folder)
        os.makedirs(folder, exist_ok=True)
    try:
        with ExitStack() as stack:
            for name, content in files.items():
                file = stack.enter_context(written_whole(os.path.join(folder, name)))
                file.write(content)
                file.flush()
    except BaseException:
        if new:
            with contextlib.suppress(OSError):
                os.rmdir(folder)
        raise
