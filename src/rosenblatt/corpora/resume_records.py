"""What is done of a filtering and what is not, so that it goes on after a kill.

A shard is written under another name, brought to the disk, and only then given its own; after that
its record is. What has no record is done again, to the same bytes.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from rosenblatt.corpora.tallies import Tally
from rosenblatt.inputs.errors import InputError, Name, Parameter, Words
from rosenblatt.inputs.parts import check_few_containers, has_shape, read_json, require
from rosenblatt.readers.atomic_write import WriteError, marked, write_whole
from rosenblatt.readers.sources import read_plain

FOLDER = "_rosenblatt"
"""In that of the output; programs that read shards leave out what begins so."""
FORMAT = 1
STEPS = ("scored", "kept")
"""What is done with a shard: the first, the second, or one after the other."""
LARGEST_RECORD = 1 << 26
"""Bytes, which hold the names of some hundred thousand shards."""
DRAFT = re.compile(r"\..+\.[0-9a-f]{12}\.part", re.DOTALL)
"""What a file is called until it is whole."""

Record = TypeVar("Record")


@dataclass(frozen=True)
class ResumeRecords:
    """The folder of what is written, and the settings that all of it was written with.

    Its records may be anybody's: they say what was counted, and never where anything is.
    """

    folder: str

    @classmethod
    @contextlib.contextmanager
    def open(
        cls, folder: str, settings: Mapping[str, Any], names: Iterable[str], ending: str
    ) -> Iterator["ResumeRecords"]:
        """Begin, or go on if the settings are those that it was begun with; one run at a time."""
        resume, records = cls(folder), os.path.join(folder, FOLDER)
        made_folder_of(resume.record_path("settings.json"))
        try:
            with _alone(records):
                resume._begin({"format": FORMAT, **settings}, [*names], ending)
                yield resume
        finally:
            with contextlib.suppress(OSError):  # it stays unless it is empty
                os.rmdir(records)

    def _begin(self, settings: Mapping[str, Any], names: list[str], ending: str) -> None:
        known = self.read("settings", _settings)
        if known is not None and known != settings:
            others = [
                name for name in {**settings, **known} if known.get(name) != settings.get(name)
            ]
            said = [part for name in others for part in (_begun_with(name, known), " and ")][:-1]
            raise InputError(
                *(f"{self.folder} was begun ", *said),
                remedy="finish it so, or choose another folder",
            )
        begun = self.read("shards", _names) or []
        for name in begun:
            if name not in names and self._has_begun(name, ending):
                raise InputError(
                    f"{self.folder} was begun with {name}, which is not among the shards",
                    remedy="name it too, or choose another folder",
                )
        for name in names:
            if name not in begun and os.path.exists(self.output(name + ending)):
                there = self.output(name + ending)
                raise WriteError(None, "It is there already, and not from filter", there)
        self._clear(names)
        self.write("shards", names)
        if known is None:
            self.write("settings", settings)

    def _has_begun(self, name: str, ending: str) -> bool:
        """Whether anything was made of a shard."""
        made = [self.record_path(f"{name}.{step}.json") for step in STEPS]
        return any(map(os.path.lexists, [self.output(name + ending), *made]))

    def output(self, name: str) -> str:
        """A path in the folder that leads nowhere else."""
        path = os.path.join(self.folder, name)
        if os.path.realpath(path) != os.path.join(os.path.realpath(self.folder), name):
            raise WriteError(None, "It leads out of the folder by a link", path)
        return path

    def record_path(self, name: str) -> str:
        """A file that is of use only until all is done."""
        return self.output(os.path.join(FOLDER, name))

    def read(self, name: str, build: Callable[[Any], Record]) -> Record | None:
        """A record, made by ``build`` of what it says; None if there is none."""
        path = self.record_path(f"{name}.json")
        if not os.path.lexists(path):
            return None
        try:
            text = read_plain(path, LARGEST_RECORD)
            check_few_containers(text)
            return build(read_json(text))
        except ValueError as error:
            raise InputError(
                f"{path} is damaged, or not from filter", remedy="choose another folder"
            ) from error

    def write(self, name: str, facts: Any) -> None:
        path = self.record_path(f"{name}.json")
        made_folder_of(path)
        write_whole(path, [json.dumps(facts, indent=1).encode() + b"\n"])

    def done(self, name: str, step: str, path: str, made: str) -> Tally | None:
        """What a step counted in a shard, if it is done and what it made is there."""
        record = self.read(f"{name}.{step}", _done)
        if record is None:
            return None
        shard, tally = record
        if shard != facts_of(path):
            raise InputError(
                f"{path} has changed since it was read",
                remedy="choose another folder for the output",
            )
        return tally if os.path.isfile(made) else None

    def note(self, name: str, step: str, path: str, before: list[int], tally: Tally) -> None:
        """The step is done, and on the disk; the shard was this before."""
        if facts_of(path) != before:
            raise InputError(f"{path} has changed while it was read", remedy="do it again")
        self.write(f"{name}.{step}", {"shard": before, "tally": tally.facts()})

    def _clear(self, names: Iterable[str]) -> None:
        """Remove what a kill has left half-written."""
        folders = {
            os.path.dirname(place(name))
            for name in names
            for place in (self.output, self.record_path)
        }
        for folder in folders | {os.path.dirname(self.record_path("settings.json"))}:
            if os.path.isdir(folder):
                for draft in filter(DRAFT.fullmatch, os.listdir(folder)):
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(os.path.join(folder, draft))


def _done(told: Any) -> tuple[list[int], Tally]:
    """What told that a shard was this one, and what a step counted in it."""
    require(has_shape(told, {"shard": list, "tally": dict}), "it is no record")
    return told["shard"], Tally.build(told["tally"])


def _begun_with(name: str, known: Mapping[str, Any]) -> Words:
    """One of the settings, in words."""
    value = known.get(name)
    if name in ("format", "model"):  # of which numbers say nothing
        return f"with another {name}"
    if value is None or value is False:
        return ("without ", Name(name))
    return ("with ", Name(name) if value is True else Parameter(name, value))


def _settings(told: Any) -> dict[str, Any]:
    require(isinstance(told, dict), "they are no settings")
    return dict(told)


def _names(told: Any) -> list[str]:
    require(has_shape(told, [str]), "they are no names")
    return list(told)


def made_folder_of(path: str) -> None:
    """Make the folder that a file is to lie in."""
    folder = os.path.dirname(path)
    with marked(folder):
        os.makedirs(folder, exist_ok=True)


@contextlib.contextmanager
def _alone(records: str) -> Iterator[None]:
    """While no other run is at work in the same folder."""
    folder = os.open(records, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some file systems have no locks of folders
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                there = os.path.dirname(records)
                raise InputError(
                    f"Another run is at work in {there}", remedy="wait until it has ended"
                ) from error
        yield
    finally:
        os.close(folder)


def facts_of(path: str) -> list[int]:
    """What tells whether a shard is still the same."""
    about = os.stat(path)
    return [about.st_size, about.st_mtime_ns]


def checksum(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
