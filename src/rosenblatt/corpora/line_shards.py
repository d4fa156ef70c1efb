"""Shards of lines, packed or not: of JSON, or of a text each."""

import contextlib
import json
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.corpora.shards import MalformedRow, Mask, Rows, Shard, check_column
from rosenblatt.features.examples import Texts
from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.parts import read_json
from rosenblatt.readers.blocks import HEAD, read_blocks
from rosenblatt.readers.compression import packed_by
from rosenblatt.readers.data import LARGEST_LIMIT
from rosenblatt.readers.encodings import UTF8
from rosenblatt.readers.rejects import Reject, RejectSink, quoted, too_long
from rosenblatt.readers.sniffing import first_lines
from rosenblatt.readers.sources import open_source

BLOCK = 1 << 20
"""Bytes that are read at a time."""


@dataclass(frozen=True)
class LineRows(Rows):
    """Rows that are lines."""

    block: NDArray[np.uint8]
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]
    """Behind the end of the line."""

    def kept(self, mask: Mask) -> bytes:
        block = self.block.data
        places = zip(self.begins[mask].tolist(), self.ends[mask].tolist(), strict=True)
        return b"".join(block[begin:end] for begin, end in places)


class LineShard(Shard):
    """A shard of lines, packed or not."""

    _packing: str | None = None

    def rows(self, *, whole: bool) -> Iterator[Rows]:
        rejects: list[Reject] = []
        aside = RejectSink(self.path, rejects, None)
        with open_source(self.path, largest=LARGEST_LIMIT, encoding=UTF8) as source:
            self._packing = source.packing
            blocks = read_blocks(self._reader, source, aside, ({}, {}), self.max_line, BLOCK)
            for block, found in blocks:
                faults = [MalformedRow(each.line, each.reason) for each in rejects]
                rejects.clear()
                self.share = source.share or 0.0
                yield self._rows(block, faults, *found)

    def written(self, kept: Iterable[bytes]) -> Iterator[bytes]:
        kept = iter(kept)
        first = next(kept, b"")  # how the shard is packed is known once it is read
        yield from packed_by(self._packing, chain([first], kept))

    @abstractmethod
    def _reader(self, head: bytes) -> Any:
        """A native reader."""

    @abstractmethod
    def _rows(self, block: NDArray[np.uint8], faults: list[MalformedRow], *found: Any) -> Rows:
        """The rows of a block, as it found them."""


class TextShard(LineShard):
    """Every line is a text, blank ones too."""

    def check(self, head: bytes) -> None:
        pass

    def _reader(self, head: bytes) -> core.LineReader:
        plain = core.LineStyle.plain
        return core.LineReader(plain, labelled=False, set_aside=True, longest_line=self.max_line)

    def _rows(self, block: NDArray[np.uint8], faults: list[MalformedRow], *found: Any) -> Rows:
        begins, ends, lines, *_ = found
        returns = block.take(ends, mode="clip") == ord("\r")
        return LineRows(
            Texts(block, begins, ends), lines, faults, block, begins, ends + 1 + returns
        )


class JsonShard(LineShard):
    """An object on every line, whose text stands under the name of the column."""

    def check(self, head: bytes) -> None:
        """Where no line that begins it is an object with the column, none will be."""
        lines = first_lines(head)
        if len(head) == HEAD and len(lines) < 2:  # the first line goes on
            return
        objects = list[dict[str, Any]]()
        for line in lines:
            with contextlib.suppress(ValueError):
                objects.append(json_object(line.encode()))
        if objects:
            names = dict.fromkeys(name for one in objects for name in one)
            check_column(self.path, self.column, [*names])
        elif lines:
            of = f"any of its first {len(lines)} lines" if len(lines) > 1 else "its first line"
            raise InputError(
                f"{self.path} holds no JSON object on {of}",
                remedy="name shards that do, or call a file of texts .txt",
            )

    def _reader(self, head: bytes) -> core.JsonTextReader:
        return core.JsonTextReader(self.column)

    def _rows(self, block: NDArray[np.uint8], faults: list[MalformedRow], *found: Any) -> Rows:
        begins, ends, lines, data, text_ends, doubtful = found
        texts = Texts.packed(data, text_ends)
        doubtful = np.union1d(doubtful, np.flatnonzero(ends - begins > self.max_line))
        if len(doubtful):
            sound, more = np.ones(len(lines), bool), []
            size = len(data)
            for k in doubtful.tolist():
                try:
                    if ends[k] - begins[k] > self.max_line:
                        raise ValueError(too_long(self.max_line))
                    line = block[begins[k] : ends[k]].tobytes().rstrip(b"\r\n")
                    more.append(json_text(line, self.column))
                except ValueError as error:
                    sound[k] = False
                    faults.append(MalformedRow(int(lines[k]), str(error)))
                    continue
                texts.begins[k], texts.ends[k] = size, size + len(more[-1])
                size += len(more[-1])
            if more:
                texts.data = np.concatenate([data, np.frombuffer(b"".join(more), np.uint8)])
            texts = texts.at(np.flatnonzero(sound))
            begins, ends, lines = begins[sound], ends[sound], lines[sound]
        return LineRows(texts, lines, faults, block, begins, ends)


def json_object(line: bytes) -> dict[str, Any]:
    """The object on a line, as Python's json module reads it."""
    try:
        value = read_json(line)
    except UnicodeDecodeError as error:
        raise ValueError("expected UTF-8") from error
    if not isinstance(value, dict):
        kind = "a list" if isinstance(value, list) else quoted(json.dumps(value))
        raise ValueError(f"expected a JSON object, got {kind}")
    return value


def json_text(line: bytes, name: str) -> bytes:
    """The text under a name of the object on a line."""
    value = json_object(line)
    if name not in value:
        raise ValueError(f"expected a value called {name!r}")
    if not isinstance(value[name], str):
        raise ValueError(f"expected a text in {name!r}, got {quoted(json.dumps(value[name]))}")
    text: str = value[name]
    return text.encode("utf-8", "replace")
