"""How a table is understood: what the caller says about its columns, and guesses for the rest."""

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, NoReturn

from rosenblatt.features.column_kinds import (
    KINDS,
    as_cell,
    chosen_kinds,
    enumerated,
    find_label,
    has_header,
)
from rosenblatt.inputs.errors import Blank, InputError, Line, Name, Parameter, Words
from rosenblatt.readers.arff import arff_records, attributes_of
from rosenblatt.readers.data import Data
from rosenblatt.readers.rejects import Reject, RejectSink
from rosenblatt.readers.sniffing import check_text, first_lines, guess_delimiter
from rosenblatt.readers.sources import Source, source_name
from rosenblatt.readers.table_rows import Lines, json_objects, separated
from rosenblatt.readers.tables import Layout, TextTable
from rosenblatt.readers.targets import ONE_LABEL, Target

INDEX = "index"
"""What a first column without a name is called: pandas writes the index of its rows so."""
SAMPLE = 2000
"""Rows of a table that are looked at."""


@dataclass(frozen=True)
class Wishes:
    """What the caller says about a table; None where it is to be guessed."""

    label: str | None
    text: Sequence[str]
    use: Sequence[str] | None
    ignore: Sequence[str]
    kinds: Mapping[str, str] | None
    header: bool | None
    columns: Sequence[str] | None
    delimiter: str | None
    labelled: bool
    target: Target = ONE_LABEL


@dataclass(frozen=True)
class LayoutSample:
    """The first rows of a table, below the names of its columns."""

    columns: tuple[str, ...]
    rows: list[list[str]]
    header: bool = True
    delimiter: str = ","
    declared: Mapping[str, str | None] = field(default_factory=dict)
    """What the file itself says that a column holds; None for what teaches nothing."""


def open_table(
    source: Any,
    format: str,  # noqa: A002
    head: bytes,
    wishes: Wishes,
    given: dict[str, Any],
) -> Data:
    """A table understood from its first rows, read as is `given` for data of any kind."""
    name = source_name(source)
    if format == "parquet":
        from rosenblatt.readers.parquet import ParquetTable, first_rows

        sample = LayoutSample(*first_rows(source, SAMPLE))
        _check_rows(name, sample, wishes, [])
        return ParquetTable(source, understood(name, format, sample, wishes), **given)
    check_text(name, head)
    lines = Lines(Source(io.BytesIO(head), name, 0), len(head) + 1)
    # A bad row is told of when it is read; here the last one may merely be cut.
    bad: list[Reject] = []
    aside = RejectSink(name, bad, None)
    if format == "jsonl":
        sample = _of_objects(name, lines, aside)
    elif format == "arff":
        sample = _of_attributes(name, head, lines, aside)
    else:
        delimiter = wishes.delimiter
        if delimiter is None:
            delimiter = "\t" if format == "tsv" else guess_delimiter(first_lines(head)) or ","
        rows = [record.cells for record in islice(separated(lines, delimiter, aside), SAMPLE + 1)]
        if not rows:
            _refuse_nothing(name, bad)
        sample = _of_cells(name, rows, delimiter, wishes)
    _check_rows(name, sample, wishes, bad)
    return TextTable(source, understood(name, format, sample, wishes), **given)


def _check_rows(name: str, sample: LayoutSample, wishes: Wishes, bad: list[Reject]) -> None:
    """Refuse a table without a row to guess from, if there is anything to guess."""
    if not sample.rows and wishes.kinds is None:
        _refuse_nothing(name, bad)


def _refuse_nothing(name: str, bad: list[Reject]) -> NoReturn:
    """Say why no row was found: the first one cannot be read, or there is none."""
    if bad:
        raise InputError(bad[0].reason, where=Line(bad[0].line, bad[0].column, name))
    raise InputError(f"{name} is empty: it holds no example")


def understood(name: str, format: str, sample: LayoutSample, wishes: Wishes) -> Layout:  # noqa: A002
    """The layout of a table of which a sample was seen."""
    columns = {name: [row[k] for row in sample.rows] for k, name in enumerate(sample.columns)}
    wishes = _by_name(wishes, sample.columns)
    _check_names(name, wishes, columns)
    joined = _joined(wishes)
    label = wishes.label
    if label is None and wishes.labelled:
        label = _guess_label(name, columns, sample, wishes)
    features = {column: cells for column, cells in columns.items() if column != label}
    for feature, parts in joined.items():
        one = [" ".join(cells) for cells in zip(*(columns[part] for part in parts), strict=True)]
        features = {part: cells for part, cells in features.items() if part not in parts}
        features = {feature: one} | features
    if wishes.kinds is not None:
        kinds = dict(wishes.kinds)
        ignored = {column: "" for column in features if column not in kinds}
    else:
        text = [*joined] or wishes.text
        dates = [column for column, kind in sample.declared.items() if kind is None]
        left_out = [*wishes.ignore, *(dates if wishes.use is None else ())]
        kinds, ignored = chosen_kinds(features, text=text, use=wishes.use, ignore=left_out)
        for column in kinds:
            declared = sample.declared.get(column)
            kinds[column] = declared if declared in ("number", "category") else kinds[column]
    if not kinds:
        names = Parameter("use", Blank("NAMES"))
        raise InputError(
            f"{name} has no column to learn from besides {label!r}",
            remedy=(f"say which of {enumerated([*columns])} to use with ", names),
        )
    return Layout(
        format,
        sample.columns,
        label if wishes.labelled else None,
        kinds,
        joined,
        ignored,
        guessed=wishes.label is None,
        header=sample.header,
        delimiter=sample.delimiter,
        target=wishes.target,
    )


def _joined(wishes: Wishes) -> dict[str, Sequence[str]]:
    """The text that is read from columns of other names than its own, and these."""
    if wishes.kinds is None:
        return {" + ".join(wishes.text): wishes.text} if len(wishes.text) > 1 else {}
    if not wishes.text:
        return {}
    texts = [name for name, kind in wishes.kinds.items() if kind == "text"]
    if len(texts) != 1:
        raise InputError(
            Name("text"),
            f" can stand for one text that is read already, but there are {len(texts)}",
            remedy="name the columns as they were, " + enumerated([*wishes.kinds]),
        )
    return {texts[0]: wishes.text}


def _by_name(wishes: Wishes, columns: Sequence[str]) -> Wishes:
    """The same wishes with the names of columns that were given by number, from one."""

    def named(column: str) -> str:
        places = {str(k): name for k, name in enumerate(columns, 1)}
        return column if column in columns else places.get(column, column)

    return replace(
        wishes,
        label=None if wishes.label is None else named(wishes.label),
        text=[*map(named, wishes.text)],
        use=None if wishes.use is None else [*map(named, wishes.use)],
        ignore=[*map(named, wishes.ignore)],
    )


def _guess_label(
    name: str, columns: dict[str, list[str]], sample: LayoutSample, wishes: Wishes
) -> str:
    left = {
        column: cells
        for column, cells in columns.items()
        if column not in (*wishes.text, *wishes.ignore, *(wishes.use or ()), *(wishes.kinds or ()))
    }
    called_so = wishes.target.kind == "number"  # few different numbers tell nothing
    label = find_label(left, sample.header, by_name_alone=called_so)
    if label is None and left and sample.declared.get([*left][-1]) == "category":
        label = [*left][-1]  # as Weka has it
    if label is None:
        named = Parameter("label", Blank("NAME"))
        raise InputError(
            f"{name} does not show which column holds the labels",
            remedy=(f"say which of {enumerated([*columns])} it is with ", named),
        )
    return label


def _check_names(name: str, wishes: Wishes, columns: Mapping[str, Any]) -> None:
    kinds = wishes.kinds or {}
    wanted = {
        "label": [wishes.label] if wishes.label is not None and wishes.labelled else [],
        "text": wishes.text,
        "use": wishes.use or (),
        "ignore": wishes.ignore,
        "kinds": [name for name, kind in kinds.items() if kind != "text" or not wishes.text],
    }
    if wishes.kinds is not None:
        for option, chosen in (("use", wishes.use), ("ignore", wishes.ignore)):
            if chosen:
                raise InputError(
                    Name(option),
                    " can't choose among columns that are chosen already",
                    remedy="these are read: " + enumerated([*wishes.kinds]),
                )
    for option, names in wanted.items():
        for column in names:
            if column not in columns:
                which: Words = ("for ", Parameter(option, column))
                which = f"{column!r} to read" if option == "kinds" else which
                raise InputError(
                    (f"{name} has no column ", which), remedy=f"it has {enumerated([*columns])}"
                )
    for column, kind in kinds.items():
        if kind not in KINDS:
            must = f"be one of {enumerated(KINDS)}"
            raise InputError(f"The kind of {column!r}", must=must, got=repr(kind))
    if wishes.label in (*wishes.text, *(wishes.use or ()), *kinds):
        raise InputError(f"{wishes.label!r} can't be the label and a feature at once")


def _of_cells(name: str, rows: list[list[str]], delimiter: str, wishes: Wishes) -> LayoutSample:
    header = wishes.header
    if header is None:
        header = wishes.columns is None and has_header(_of_width(rows, len(rows[0])))
    elif header and wishes.columns is None:
        _check_header(name, rows, wishes)
    columns = _column_names(name, rows, header, wishes)
    sound = _of_width(rows[int(header) :], len(columns))
    if not header and not sound:
        raise InputError(f"{name} has no row of {len(columns)} columns")
    return LayoutSample(columns, sound[:-1] or sound, header, delimiter)


def _column_names(
    name: str, rows: list[list[str]], header: bool, wishes: Wishes
) -> tuple[str, ...]:
    if header and wishes.columns is None:
        names = [cell.strip() or (f"c{k}" if k > 1 else INDEX) for k, cell in enumerate(rows[0], 1)]
        _check_twice(name, names)
        return tuple(names)
    width = Counter(map(len, rows)).most_common(1)[0][0]
    if wishes.columns is None:
        return tuple(f"c{k}" for k in range(1, width + 1))
    names = list(wishes.columns)
    if len(names) == width + 1 and not wishes.labelled and wishes.label in names:
        names.remove(wishes.label)
    if len(names) != width:
        what = f"{name} has {width} columns, where {len(names)} are expected"
        raise InputError(what, remedy=enumerated(names))
    return tuple(names)


def _check_header(name: str, rows: list[list[str]], wishes: Wishes) -> None:
    """Refuse a first row of examples where the names of columns that are known should stand."""
    wanted = [*(wishes.kinds or ()), *wishes.text]
    missing = wanted and not any(cell.strip() in wanted for cell in rows[0])
    if missing and not has_header(_of_width(rows, len(rows[0]))):
        names = Parameter("columns", Blank("NAMES"))
        raise InputError(
            f"{name} does not begin with the names of its columns",
            remedy=(f"name them, {enumerated(wanted)} among them, with ", names),
        )


def _of_attributes(name: str, head: bytes, lines: Lines, aside: RejectSink) -> LayoutSample:
    declared = attributes_of(Lines(Source(io.BytesIO(head), name, 0), len(head) + 1))
    columns = tuple(each.name for each in declared)
    _check_twice(name, columns)
    rows = [record.cells for record in islice(arff_records(lines, aside), SAMPLE)]
    kinds = {each.name: each.kind for each in declared}
    return LayoutSample(columns, _of_width(rows, len(columns)), declared=kinds)


def _check_twice(name: str, names: Sequence[str]) -> None:
    twice = [column for column, count in Counter(names).items() if count > 1]
    if twice:
        what = f"{name} has two columns called {twice[0]!r}"
        raise InputError(what, remedy="rename one of them")


def _of_width(rows: list[list[str]], width: int) -> list[list[str]]:
    return [row for row in rows if len(row) == width]


def _of_objects(name: str, lines: Lines, aside: RejectSink) -> LayoutSample:
    objects = [value for _, value, _ in islice(json_objects(lines, aside), SAMPLE)]
    columns = tuple(dict.fromkeys(key for value in objects for key in value))
    if not columns:
        raise InputError(f"{name} holds no JSON object with a name and a value")
    return LayoutSample(
        columns, [[as_cell(value.get(key)) for key in columns] for value in objects]
    )
