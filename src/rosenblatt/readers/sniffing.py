"""Which format a file has: from the end of its name, else from its first lines."""

import csv
import os
from collections import Counter
from collections.abc import Sequence

from rosenblatt.features.column_kinds import has_header, is_number
from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.parts import JsonError, read_json
from rosenblatt.readers.compression import PACKINGS

ENDINGS = {
    ".svm": "svmlight",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".vw": "vw",
    ".arff": "arff",
    ".txt": "text",
}
WRITTEN = ("svmlight", "text", "vw", "csv", "tsv", "jsonl", "parquet")
FORMATS = (*WRITTEN, "arff")

_ARCHIVES = ((257, b"ustar", "tar"), (0, b"PK\x03\x04", "zip"))


def by_name(name: str) -> str | None:
    """The format that the end of the name stands for; .txt may be anything that is text."""
    stem, ending = os.path.splitext(name.lower())
    if ending in PACKINGS:
        ending = os.path.splitext(stem)[1]
    return ENDINGS.get(ending)


def by_content(name: str, head: bytes) -> str:
    """The format of the first bytes of a file."""
    if head.startswith(b"PAR1"):
        return "parquet"
    check_text(name, head)
    lines = first_lines(head)
    if not lines:
        raise InputError(f"{name} is empty: it holds no example")
    if lines[0].lstrip().startswith("[") and _is_json(lines[0].strip().rstrip(",") + "]"):
        remedy = "write a JSON object on each line instead"
        raise InputError(f"{name} is one JSON array", remedy=remedy)
    declared = [line for line in lines if not line.lstrip().startswith("%")] or lines
    if declared[0].lower().split()[0] == "@relation":
        return "arff"
    if lines[0].lstrip().startswith("{"):
        return "jsonl"
    if lines[0].startswith("__label__"):
        return "text"
    bare = [line for line in lines if not line.startswith("#")] or lines
    if all(map(_is_svmlight, bare)) and any(any(map(_is_pair, line.split())) for line in bare):
        return "svmlight"
    if all(map(_is_vw, bare)):
        return "vw"
    return _table_or_text(lines)


def _is_svmlight(line: str) -> bool:
    """Whether a line is labels with commas between them, qid:number and pairs, or some of these."""
    words = line.partition("#")[0].split()
    if words and ":" not in words[0]:
        if not all(is_number(label) for label in words[0].split(",")):
            return False
        words = words[1:]
    if words and words[0].startswith("qid:"):
        words = words[1:]
    return all(map(_is_pair, words))


def _is_pair(word: str) -> bool:
    index, colon, value = word.partition(":")
    return index.isdecimal() and index.isascii() and bool(colon and value)


def _is_vw(line: str) -> bool:
    """Whether the first bar begins the line or follows a blank."""
    before, bar, _ = line.partition("|")
    return bool(bar) and (not before or before[-1].isspace())


def check_text(name: str, head: bytes) -> None:
    """Refuse the first bytes of a file that is not text."""
    for at, magic, kind in _ARCHIVES:
        if head[at : at + len(magic)] == magic:
            remedy = "unpack it and open one file of it"
            raise InputError(f"{name} is a {kind} archive", remedy=remedy)
    if b"\x00" in head:
        raise InputError(f"{name} is not text, nor Parquet", remedy="name a file of examples")


def _table_or_text(lines: list[str]) -> str:
    tabs = Counter(line.count("\t") for line in lines)
    if tabs.keys() == {1}:
        rows = [line.split("\t") for line in lines]
        return "tsv" if len(rows) > 1 and has_header(rows) else "text"
    if tabs.most_common(1)[0][0] and tabs.most_common(1)[0][1] >= 0.9 * len(lines):
        return "tsv"
    return "csv" if guess_delimiter(lines) else "text"


def guess_delimiter(lines: Sequence[str]) -> str | None:
    """What stands between the cells: the same number of times on nearly every line."""
    for delimiter in (",", ";", "\t", "|"):
        widths = Counter(map(len, _rows(lines, delimiter)))
        width, count = widths.most_common(1)[0]
        if width > 1 and count >= 0.9 * widths.total():
            return delimiter
    numbers = [line.split() for line in lines]
    same = len({len(cells) for cells in numbers}) == 1 and len(numbers[0]) > 1
    return " " if same and all(is_number(cell) for row in numbers for cell in row) else None


def _rows(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    ended = (line + "\n" for line in lines)
    try:
        return [row for row in csv.reader(ended, delimiter=delimiter) if row] or [[]]
    except csv.Error:  # told of by who reads the row
        return [[]]


def first_lines(head: bytes, most: int = 200) -> list[str]:
    """The first lines that are not blank; a last one without an end only if there is no other."""
    lines = head.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    whole = lines[:-1] if len(lines) > 1 and lines[-1] else lines
    texts = [line.decode("utf-8", "replace").rstrip("\r") for line in whole[: 2 * most]]
    return [text for text in texts if text.strip()][:most]


def _is_json(text: str) -> bool:
    try:
        read_json(text)
    except JsonError:
        return text.startswith(("[{", "[[", "[]"))
    return True
