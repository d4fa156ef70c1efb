"""What is done of a filtering and what is not, so that it goes on after a kill.

A shard is written under another name, brought to the disk, and only then given its own; after that
its record is. What has no record is done again, to the same bytes.
"""

import contextlib
import glob
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rosenblatt.corpora.tallies import Tally
from rosenblatt.inputs.errors import InputError
from rosenblatt.readers.atomic_write import WriteError, write_whole

FOLDER = "_rosenblatt"
"""In that of the output; programs that read shards leave out what begins so."""
FORMAT = 1
STEPS = ("scored", "kept")
"""What is done with a shard."""


@dataclass(frozen=True)
class Ledger:
    """The folder of what is written, and the settings that all of it was written with."""

    folder: str

    @classmethod
    def open(
        cls, folder: str, settings: Mapping[str, Any], names: Iterable[str], ending: str
    ) -> "Ledger":
        """Begin, or go on if the settings are those that it was begun with."""
        ledger = cls(folder)
        known = ledger.read("settings")
        settings = {"format": FORMAT, **settings}
        if known is None:
            outputs = [ledger.output(name + ending) for name in names]
            for there in filter(os.path.exists, outputs):
                raise WriteError(None, "It is there already, and not from filter", there)
            os.makedirs(os.path.join(ledger.folder, FOLDER), exist_ok=True)
            ledger.write("settings", settings)
        elif known != settings:
            others = [
                name for name in {**known, **settings} if known.get(name) != settings.get(name)
            ]
            raise InputError(
                f"{folder} was begun with another {' and another '.join(sorted(others))}",
                remedy="finish it with the same, or choose another folder",
            )
        ledger._look_over({*names})
        return ledger

    def output(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def kept(self, name: str) -> str:
        """A file that is of use only until all is done."""
        return os.path.join(self.folder, FOLDER, name)

    def read(self, name: str) -> Any:
        """A record; None if there is none."""
        try:
            with open(self.kept(f"{name}.json"), "rb") as file:
                return json.load(file)
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise InputError(
                f"{self.kept(f'{name}.json')} is damaged", remedy="choose another folder"
            ) from error

    def write(self, name: str, facts: Any) -> None:
        path = self.kept(f"{name}.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_whole(path, [json.dumps(facts, indent=1).encode() + b"\n"])

    def done(self, name: str, step: str, path: str, made: str) -> Tally | None:
        """What a step counted in a shard, if it is done and what it made is there."""
        record = self.read(f"{name}.{step}")
        if record is None:
            return None
        if record["shard"] != facts_of(path):
            raise InputError(
                f"{path} has changed since it was read",
                remedy="choose another folder for the output",
            )
        if not os.path.exists(made):
            return None
        return Tally.build(record["tally"])

    def note(self, name: str, step: str, path: str, tally: Tally) -> None:
        """The step is done, and on the disk."""
        self.write(f"{name}.{step}", {"shard": facts_of(path), "tally": tally.facts()})

    def _look_over(self, names: set[str]) -> None:
        """Remove what a kill has left half-written; refuse rows of shards that are not meant."""
        work = os.path.join(self.folder, FOLDER)
        for folder, _, files in os.walk(work):
            beside = os.path.normpath(os.path.join(self.folder, os.path.relpath(folder, work)))
            for part in (folder, beside):
                for draft in glob.glob(os.path.join(glob.escape(part), ".*.part")):
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(draft)
            for file in files:
                name, dot, step = file.removesuffix(".json").rpartition(".")
                shard = os.path.normpath(os.path.join(os.path.relpath(folder, work), name))
                if dot and step in STEPS and file.endswith(".json") and shard not in names:
                    raise InputError(
                        f"{self.folder} holds what came of {shard}, which is not among the shards",
                        remedy="name it too, or choose another folder",
                    )


def facts_of(path: str) -> list[int]:
    """What tells whether a shard is still the same."""
    about = os.stat(path)
    return [about.st_size, about.st_mtime_ns]


def checksum(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def named(shards: Iterable[Any]) -> dict[str, str]:
    """Each shard by its name below the folder that all lie in, in order; of a folder, its files."""
    paths: set[str] = set()
    for shard in map(os.fspath, shards):
        if not os.path.isdir(shard):
            os.stat(shard)  # tells what is not there
            paths.add(os.path.abspath(shard))
            continue
        for folder, folders, files in os.walk(shard):
            folders[:] = [name for name in folders if name[0] not in "._"]
            paths |= {os.path.abspath(os.path.join(folder, f)) for f in files if f[0] not in "._"}
    if not paths:
        raise InputError("There is no shard to filter")
    common = os.path.commonpath([os.path.dirname(path) for path in paths])
    return {os.path.relpath(path, common): path for path in sorted(paths)}
