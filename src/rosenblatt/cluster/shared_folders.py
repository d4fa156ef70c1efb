"""Folders that driver and workers share, and what is pickled into them for a while."""

import contextlib
import os
import pickle
import re
import shutil
import stat
import uuid
from collections.abc import Iterator
from typing import Any

from rosenblatt.inputs.errors import InputError, Name

SHARED = "name a folder that the driver and all workers share"


def dump(thing: Any, path: str) -> None:
    """Pickle to a file that is not there yet, whoever else may write to the folder."""
    with open(path, "xb") as file:
        pickle.dump(thing, file, protocol=5)


def load(path: str) -> Any:
    with open(seen(path), "rb") as file:
        return pickle.load(file)


def seen(path: str) -> str:
    """The path, if this worker sees what is there."""
    if not os.path.exists(path):
        remedy = "the driver and all workers must share its folder"
        raise InputError(f"A worker does not see {path}", remedy=remedy)
    return path


@contextlib.contextmanager
def folder_inside(shared: str, prefix: str) -> Iterator[str]:
    """A new folder for a while; its mode is that of the shared one, whoever workers run as."""
    folder = os.path.join(shared, f"{prefix}{uuid.uuid4().hex}")
    os.mkdir(folder)
    with contextlib.suppress(OSError):
        os.chmod(folder, stat.S_IMODE(os.stat(shared).st_mode))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def remove_left(shared: str, prefix: str) -> None:
    """Remove the folders that a driver left when it was killed."""
    for name in os.listdir(shared):
        if re.fullmatch(f"{prefix}[0-9a-f]{{32}}", name):
            shutil.rmtree(os.path.join(shared, name), ignore_errors=True)


def path_of(name: str, given: str | os.PathLike[str]) -> str:
    """The absolute path of a folder that was given as a path or as a file: URL."""
    path = os.fspath(given)
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+):/+", path)
    if scheme is not None:
        if scheme[1].lower() != "file":
            must = "be a folder that driver and workers have mounted"
            raise InputError(Name(name), must=must, got=path)
        path = f"/{path[scheme.end() :]}"
    return os.path.abspath(path)
