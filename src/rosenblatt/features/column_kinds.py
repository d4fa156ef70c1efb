"""What the columns of a table are, guessed from its first rows: label, numbers, words, no use."""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

LABELS = (
    *("label", "labels", "class", "classes", "target", "y", "category", "sentiment"),
    *("species", "outcome", "diagnosis", "survived", "spam", "is_spam", "polarity", "topic"),
)
"""Names that a column of labels often has, the surest first."""

MISSING = {"", "?", "-", "na", "n/a", "nan", "null", "none"}
"""What stands for a number that is not known, in lower case."""

KINDS = ("number", "category", "text")

NO_USE = {"id": "identifier", "date": "date", "empty": "empty"}
"""What columns that teach nothing about other rows are called in words."""

NEARLY = 0.9
"""The share of rows that differ in a column of single words above which it tells rows apart."""

FEW = 50
"""Values that a column may have to be taken for labels or categories, at most."""

IDENTIFIERS = {
    *("id", "ids", "uuid", "guid", "key", "index", "idx", "row", "asin", "isbn", "sku", "ean"),
    *("file", "filename", "path", "filepath", "url", "uri", "link", "hash", "md5", "sha1"),
}
"""The last word of names that columns often have which tell rows apart."""

# Every repeat is bounded by what follows it, so that a match takes time in proportion to the cell.
_DATE = re.compile(
    r"\d{4}-\d\d?-\d\d?([T ]\d\d?:\d\d.*)?|\d{4}/\d\d?/\d\d?.*|\d\d?[./]\d\d?[./]\d{2,4}.*"
)
_WHOLE = re.compile(r"[+-]?[0-9]{1,300}")
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")


def as_cell(value: Any) -> str:
    """A value of JSON or Parquet as a CSV file would hold it."""
    if isinstance(value, str):
        return value
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def as_number(cell: str) -> float:
    """The number that a cell holds, as other programs would read it; a ValueError if it is none.

    Python's own underscores, as in 1_000, and digits of other scripts are not numbers here.
    """
    if "_" in cell or not cell.isascii():
        raise ValueError(cell)
    return float(cell)


def is_number(cell: str) -> bool:
    try:
        as_number(cell)
    except ValueError:
        return False
    return True


def is_missing(cell: str) -> bool:
    return cell.strip().lower() in MISSING


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row holds the names of the columns, rather than an example."""
    first, others = rows[0], rows[1:]
    if len(first) > 1 and not first[0].strip():  # above an index, which pandas writes without one
        if not others or not all(row[0].strip() for row in others):
            return False
        first, others = first[1:], [row[1:] for row in others]
    if len(set(first)) < len(first) or any(is_number(cell) or not cell.strip() for cell in first):
        return False
    columns = [[row[k] for row in others] for k in range(len(first))]
    named = any(cell.strip().lower() in (*LABELS, "text", "id") for cell in first)
    recurs = any(cell in column for cell, column in zip(first, columns, strict=True))
    return named or (not recurs and not any(len(cell) > 100 for cell in first))


def kind_of(name: str, cells: Sequence[str]) -> str:
    """One of KINDS, or of NO_USE for what teaches nothing about other rows."""
    known = [cell for cell in cells if not is_missing(cell)]
    if not known:
        return "empty"
    distinct = len(set(known))
    all_differ = distinct == len(cells) and len(cells) > 1
    called_so = is_identifier(name)
    many = distinct > min(FEW, len(known) / 2) and distinct > 1
    numbers = sum(map(is_number, known))
    if numbers == len(known):
        counts_up = all_differ and _counts_up(known) and len(cells) > 20
        return "id" if counts_up or (called_so and many and _all_whole(known)) else "number"
    if numbers > 0.95 * len(known) and distinct > FEW:  # the others are slips
        return "number"
    if all(_DATE.fullmatch(cell.strip()) for cell in known):
        return "date"
    words = sum(len(cell.split()) for cell in known) / len(known)
    if words >= 8 or (words >= 2 and distinct > min(FEW, len(known) / 2)):
        return "text"
    nearly_all_differ = distinct > NEARLY * len(cells) and len(cells) > FEW
    return "id" if nearly_all_differ or (called_so and many) else "category"


def is_identifier(name: str) -> bool:
    """Whether a column is called as those are that tell rows apart, as id, productId, file_name."""
    words = _WORD.findall(name)
    return bool(words) and (
        words[-1].lower() in IDENTIFIERS
        or "".join(words[-2:]).lower() in IDENTIFIERS
        or name.lower() == "unnamed: 0"
    )


def _counts_up(cells: Sequence[str]) -> bool:
    whole = all(map(_WHOLE.fullmatch, cells))
    return whole and all(int(b) == int(a) + 1 for a, b in pairwise(cells))


def find_label(
    columns: Mapping[str, Sequence[str]], named: bool, *, by_name_alone: bool = False
) -> str | None:
    """The column that the others are to foretell, if it can be told.

    The one that is called so; else the only column of few words, unless it stands in the middle and
    one of few whole numbers first or last; else the only one of few whole numbers, if it is the
    first or the last. Where columns have no names, the first or the last of
    several such columns. Beside text, the only other column, even if its first rows are all the
    same: files are often sorted by label.
    """
    by_name = {name.strip().lower(): name for name in reversed([*columns])}
    for name in LABELS if named else ():
        if name in by_name:
            return by_name[name]
    if by_name_alone or len(columns) < 2:
        return None
    kinds = {name: kind_of(name, cells) for name, cells in columns.items()}
    few = [name for name, cells in columns.items() if 2 <= len(set(cells)) <= _few(len(cells))]
    outer = (next(iter(columns)), list(columns)[-1])
    words = [name for name in few if kinds[name] == "category"]
    counts = [name for name in few if kinds[name] == "number" and _all_whole(columns[name])]
    for candidates, rivals in ((words, counts), (counts, [*columns])):
        ends = [name for name in outer if name in candidates]
        if len(candidates) == 1 and (ends or not any(name in rivals for name in outer)):
            return candidates[0]
        if candidates:
            return ends[0] if len(ends) == 1 and not named else None
    beside_text = [name for name in columns if kinds[name] != "text"]
    return beside_text[0] if [kinds[name] for name in beside_text] == ["category"] else None


def _few(rows: int) -> float:
    return max(2, min(FEW, rows / 2))


def _all_whole(cells: Sequence[str]) -> bool:
    return all(_WHOLE.fullmatch(cell.strip()) for cell in cells)


def chosen_kinds(
    columns: Mapping[str, Sequence[str]],
    *,
    text: Sequence[str] = (),
    use: Sequence[str] | None = None,
    ignore: Sequence[str] = (),
) -> tuple[dict[str, str], dict[str, str]]:
    """The kind of each feature column, and of those left out why they are: NO_USE, or nothing.

    What the caller uses is used; of the rest, columns that teach nothing are left out, unless
    nothing else is there.
    """
    kinds, left_out = {}, {}
    for name, cells in columns.items():
        kind = "text" if name in text else kind_of(name, cells)
        if name in ignore or (use is not None and name not in use and name not in text):
            left_out[name] = ""
        elif kind in KINDS:
            kinds[name] = kind
        elif use is not None:
            counts = all(is_missing(cell) or is_number(cell) for cell in cells)
            kinds[name] = "number" if counts else "category"
        else:
            left_out[name] = NO_USE[kind]
    if not kinds:
        codes = [name for name, why in left_out.items() if why == NO_USE["id"]]
        kinds = {name: "text" for name in codes if not _all_whole(columns[name])}
        left_out = {name: why for name, why in left_out.items() if name not in kinds}
    return kinds, left_out


def enumerated(names: Sequence[Any], most: int = 12) -> str:
    """The names for a sentence."""
    few = ", ".join(str(name) for name in names[:most])
    return few if len(names) <= most else f"{few} and {len(names) - most} more"
