"""Files written all or nothing."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO


@contextmanager
def written_whole(path: str) -> Iterator[BinaryIO]:
    """A file to write to so that, whenever the machine stops, the old or the new one is there.

    What is written goes to a new file in the same folder, to the disk, and only then under the
    name; after an error, nowhere.
    """
    path = os.path.realpath(path)
    folder, name = os.path.split(path)
    draft = os.path.join(folder, f".{name}.{os.urandom(6).hex()}.part")
    try:
        with open(draft, "xb") as file:
            if os.path.exists(path):
                os.fchmod(file.fileno(), stat.S_IMODE(os.stat(path).st_mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        if os.path.exists(draft):
            os.unlink(draft)
        raise
    directory = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def write_whole(path: str, parts: Iterable[bytes | memoryview]) -> None:
    """Write these parts to such a file."""
    with written_whole(path) as file:
        file.writelines(parts)
