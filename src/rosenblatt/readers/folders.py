"""A folder of files, a document in each: the folder that a file lies in is its label."""

import os
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from rosenblatt.features.examples import Texts
from rosenblatt.inputs.errors import InputError
from rosenblatt.readers.data import Batch, FileData
from rosenblatt.readers.encodings import LOOKED_AT, guess_encoding
from rosenblatt.readers.sources import open_plain, open_source
from rosenblatt.readers.targets import Target

FILES = 1000
"""Documents in a batch, at most."""
BYTES = 1 << 23
"""Bytes of text in a batch, about."""


@dataclass(eq=False, repr=False)
class Folder(FileData):
    """A folder that holds a folder for each label, with a document in each file of it.

    This is what ``sklearn.datasets.load_files`` reads. Folders and files come in the order of their
    names, and count as lines, from one; what begins with a dot is left out. Where no labels are
    expected, files may also lie in the folder itself, and come before those in folders.

    Parameters
    ----------
    source : str or path-like
        The folder.

    labelled : bool, default=True
        Whether the name of a folder is the label of its files.

    target, label_separator : str, optional
        As in `TextLines`: the name may hold several labels, or be a number to foretell.

    rejects, max_size, encoding
        As in `TextLines`, of a file rather than a line; the encoding is that of all files.

    max_line : int
        The most bytes that a document may have.
    """

    __module__ = "rosenblatt"

    format = "folder"

    _: KW_ONLY
    labelled: bool = True
    target: str | None = None
    label_separator: str | None = None

    def __post_init__(self) -> None:
        self._target = Target.of(self.target, self.label_separator)
        super().__post_init__()
        self.name = os.path.normpath(self.source)
        self.paths = [] if self.labelled else _visible_in(self.name, os.path.isfile)
        for folder in _visible_in(self.name, os.path.isdir):
            self.paths += _visible_in(folder, os.path.isfile)
        if not self.paths:
            if not self.labelled:
                raise InputError(f"{self.name} is empty")
            what = f"{self.name} holds no files in folders"
            raise InputError(what, remedy="make a folder for each label")
        self.encoding = self.encoding or guess_encoding(self._beginning())

    def _beginning(self) -> bytes:
        """The first bytes of all files together, to guess the encoding from."""
        found, size = [], 0
        for path in self.paths:
            with open_plain(path) as file, open_source(file, largest=int(self.max_size)) as text:
                block = np.empty(LOOKED_AT, np.uint8)
                found.append(block[: text.fill(block, 0, LOOKED_AT)].tobytes())
            size += len(found[-1])
            if size >= LOOKED_AT:
                break
        return b"\n".join(found)

    def batches(self) -> Iterator[Batch]:
        with self._rejects.walk(self.name, self.name) as aside:
            taken: list[tuple[int, bytes]] = []
            size = 0
            for number, path in enumerate(self.paths, 1):
                document = self._document(path)
                wrong = self._wrong_with(document)
                if wrong is None:
                    taken.append((number, document))
                    size += len(document)
                else:
                    aside.take(number, 1, f"{path}: {wrong}", document, remedy="mend the file")
                self.share = number / len(self.paths)
                if len(taken) == FILES or size > BYTES:
                    yield self._batch(taken)
                    taken, size = [], 0
            if taken:
                yield self._batch(taken)

    def _document(self, path: str) -> bytes:
        with (
            open_plain(path) as file,
            open_source(file, largest=int(self.max_size), encoding=self.encoding) as text,
        ):
            block, size = np.empty(1 << 16, np.uint8), 0
            while (size := text.fill(block, size, len(block))) == len(block) <= int(self.max_line):
                block = np.concatenate([block, np.empty_like(block)])
        return block[:size].tobytes().removeprefix(b"\xef\xbb\xbf")

    def _wrong_with(self, document: bytes) -> str | None:
        """Why a document cannot be read; None if it can."""
        if len(document) > self.max_line:
            return f"the file is longer than {self.max_line} bytes"
        if b"\0" in document:
            return "the file is not text"
        try:
            document.decode("utf-8")
        except UnicodeDecodeError:
            return str(self.encoding.fault)
        return None

    def _batch(self, taken: list[tuple[int, bytes]]) -> Batch:
        ends = np.cumsum([len(document) for _, document in taken], dtype=np.int64)
        data = np.frombuffer(b"".join(document for _, document in taken), dtype=np.uint8)
        lines = np.array([number for number, _ in taken], dtype=np.int64)
        folders = [os.path.dirname(self.paths[number - 1]) for number, _ in taken]
        labels = self._answers([*map(os.path.basename, folders)]) if self.labelled else None
        return Batch(Texts.packed(data, ends), labels, lines)

    def _answers(self, names: list[str]) -> Any:
        """What documents in folders of these names should come to."""
        if not self._target:
            return np.array(names)
        found = self._target.read(names, alone=True)
        for k, wrong in found.faults.items():
            raise InputError(f"{os.path.join(self.name, names[k])} is a folder: {wrong}")
        return found.answers

    def describe(self) -> str:
        how = "the folder is the label" if self.labelled else "without labels"
        return self._described(f"a text in each file: {how}")

    def settings(self) -> dict[str, Any]:
        """All but the format: further texts may come in files of any."""
        return {name: said for name, said in super().settings().items() if name != "format"}


def _visible_in(folder: str, is_wanted: Callable[[str], bool]) -> list[str]:
    names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    return [*filter(is_wanted, (os.path.join(folder, name) for name in names))]
