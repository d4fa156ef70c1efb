"""Which files are the shards of a corpus, and of which kind each is."""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from rosenblatt.corpora.line_shards import JsonShard, TextShard, json_object
from rosenblatt.corpora.shards import Shard
from rosenblatt.inputs.errors import InputError
from rosenblatt.readers.blocks import HEAD
from rosenblatt.readers.data import LARGEST_LIMIT
from rosenblatt.readers.sniffing import by_content, by_name, first_lines
from rosenblatt.readers.sources import open_source

KINDS = ("jsonl", "parquet", "text")
OBJECT = re.compile(r"""\s*\{\s*["}]""")
"""How JSON lines begin, and hardly a text."""


def named(shards: Iterable[Any], output: str) -> tuple[dict[str, str], list[str]]:
    """Each shard by its name below the folder that all lie in, in order, and what was left out.

    Of a folder the shards are the files that their names or first bytes tell to be such, but none
    in the folder of the output.
    """
    paths, others = set[str](), set[str]()
    for shard in map(os.fspath, shards):
        if os.path.isdir(shard):
            for path in map(_plain, _files(os.path.abspath(shard), output)):
                (paths if _is_shard(path) else others).add(path)
        else:
            paths.add(os.path.abspath(_plain(shard)))
    if not paths:
        what = f": {min(others)} is none by its name" if others else ""
        raise InputError(f"There is no shard to filter{what}")
    common = os.path.commonpath([os.path.dirname(path) for path in paths])
    left_out = [os.path.relpath(path, common) for path in sorted(others - paths)]
    return {os.path.relpath(path, common): path for path in sorted(paths)}, left_out


def open_shard(path: str, name: str, column: str, max_line: int) -> Shard:
    """A shard, once it is found in order as far as its first bytes tell."""
    head = _head(path)
    kind = _kind(path, head)
    if kind not in KINDS:
        raise InputError(f"{path} is {kind}, and shards are JSON lines, Parquet or lines of text")
    made: type[Shard] = JsonShard if kind == "jsonl" else TextShard
    if kind == "parquet":
        from rosenblatt.corpora.table_shards import TableShard

        made = TableShard
    shard = made(path, name, column, max_line)
    shard.check(head)
    return shard


def _kind(path: str, head: bytes) -> str:
    """By the end of the name; by the first bytes where that may be anything."""
    kind = by_name(path)
    if head.startswith(b"PAR1"):
        return "parquet"
    if kind == "text" or not head.strip():
        return "jsonl" if _begins_as_json(head) else kind or "text"
    if kind is None:
        kind = by_content(path, head)
        return kind if kind in KINDS else "text"
    return kind


def _is_shard(path: str) -> bool:
    """Whether a file in a folder is one: what begins as JSON lines or Parquet, or is called so."""
    kind = by_name(path)
    if kind is not None:
        return kind in KINDS
    head = _head(path)
    return head.startswith(b"PAR1") or _begins_as_json(head)


def _begins_as_json(head: bytes) -> bool:
    """Whether the first line is an object, or begins like one and goes on behind the head."""
    begin = first_lines(head, 1)
    if not begin or not OBJECT.match(begin[0]):
        return False
    try:
        json_object(begin[0].encode())
    except ValueError:
        return len(head) == HEAD and b"\n" not in head.strip()
    return True


def _head(path: str) -> bytes:
    with open_source(path, largest=LARGEST_LIMIT) as source:
        block = np.empty(HEAD, np.uint8)
        return block[: source.fill(block, 0, len(block))].tobytes()


def _files(top: str, output: str) -> Iterator[str]:
    """Those in a folder and below, also behind links, each folder once."""
    seen = {os.path.realpath(output), os.path.realpath(top)}
    for folder, folders, files in os.walk(top, onerror=_raised, followlinks=True):
        below = {name: os.path.realpath(os.path.join(folder, name)) for name in sorted(folders)}
        folders.clear()
        for name, real in below.items():
            if name[0] not in "._" and real not in seen:
                seen.add(real)
                folders.append(name)
        yield from (os.path.join(folder, name) for name in files if name[0] not in "._")


def _plain(path: str) -> str:
    if not stat.S_ISREG(os.stat(path).st_mode):
        what = f"{path} is no plain file, and a shard is read more than once"
        raise InputError(what, remedy="save it to a file first")
    return path


def _raised(error: OSError) -> None:
    raise error
