"""Opening a file of examples without being told what it holds."""

import os
import stat
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputError, InputTypeError, Name
from rosenblatt.inputs.parameters import check_choice
from rosenblatt.readers.data import Data
from rosenblatt.readers.encodings import as_encoding, guess_encoding
from rosenblatt.readers.folders import Folder
from rosenblatt.readers.rejects import Rejects
from rosenblatt.readers.sniffing import FORMATS, by_content, by_name
from rosenblatt.readers.sources import Once, Source, open_source, source_name, standard_input
from rosenblatt.readers.targets import Target

HEAD = 1 << 20
"""Bytes of a file that are looked at, unless fewer than LINES are in them."""
LINES = 3

Names = str | Sequence[str] | None


def open_data(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002
    label: str | None = None,
    text: Names = None,
    use: Names = None,
    ignore: Names = None,
    kinds: Mapping[str, str] | None = None,
    header: bool | None = None,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    zero_based: bool | None = None,
    style: str | None = None,
    encoding: str | None = None,
    labelled: bool = True,
    target: str | None = None,
    label_separator: str | None = None,
    rejects: Rejects = None,
    max_line: int = 2**26,
    max_size: int = 2**36,
    max_index: int = 2**40,
) -> Data:
    r"""Open a file of examples, and find out what is not said: its format, what its columns hold.

    Parameters
    ----------
    source : str, path-like or binary file
        ``"-"`` is standard input, which can be read once only. Packed files are unpacked. In a
        folder, each file is a text, and the folder in it that the file lies in is the label.

    format : {"svmlight", "text", "vw", "csv", "tsv", "jsonl", "parquet", "arff"}, optional
        By default as the end of the name says, else the first lines.

    label : str, optional
        The column of a table to foretell, by name, or by number from "1" on. By default the one
        with a name such as ``label``, ``class`` or ``target``, else the only one with few values;
        if that is not clear, an error that lists the columns.

    text : str or list of str, optional
        The column of words, by name or number; several are read as one text. Where `kinds` has one
        text, it is read from here.

    use, ignore : str or list of str, optional
        The only columns to learn from; columns to leave out; both by name or number too.

    kinds : dict of str to {"number", "category", "text"}, optional
        All columns to learn from and what they hold; nothing is guessed then.

    header : bool, optional
        Whether the first row of a CSV or TSV file names its columns; else they are called c1, c2
        and so on, or as `columns` says.

    columns : list of str, optional
        Names for the columns of a file without a header, or with one if `header` says so.

    delimiter : str, optional
        What stands between the cells of a CSV file.

    zero_based : bool, optional
        Whether indices of svmlight begin at 0.

    style : str, optional
        How lines of text hold their labels; see `TextLines`.

    encoding : str, optional
        Of the text, as Python calls it, such as "latin-1". By default the one that a byte order
        mark tells, else UTF-8 if that is what most letters beyond ASCII are in the first
        megabyte, else Windows' form of Latin-1, cp1252.

    labelled : bool, default=True
        Whether there must be labels; else a column of labels is ignored.

    target : {"label", "labels", "number"}, optional
        What each example has: one label, several or none, or a number to foretell. Several are
        ``__label__a __label__b`` in lines of text, ``1,3`` in svmlight, a list in JSON lines and
        Parquet, and elsewhere a cell that is a JSON list. One label if not given, and several are
        an error.

    label_separator : str, optional
        What stands between the labels in a cell that has several, as the semicolon in ``a;b``;
        says ``target="labels"``, too.

    rejects : str, path-like or list, optional
        Where lines go that cannot be read; by default the first one is an error.

    max_line, max_size, max_index : int
        Limits: the bytes of a line, those of an unpacked file, and the highest index.

    Returns
    -------
    Data
        ``batches()`` gives the examples, ``vectorizer()`` what makes rows of them, ``describe()``
        how the file was understood, and ``settings()`` what to give `open_data` for further
        files of the same kind.

    Examples
    --------
    >>> import io
    >>> from rosenblatt import open_data
    >>> file = io.BytesIO(b"label,message\nspam,you won a prize\nham,see you at ten\n")
    >>> mail = open_data(file)
    >>> mail.describe()
    'csv, label "label" (guessed), text "message"'
    >>> batch = next(mail.batches())
    >>> batch.labels, batch.lines
    (array(['spam', 'ham'], dtype='<U4'), array([2, 3]))
    >>> mail.vectorizer().fit_transform(batch.examples).shape
    (2, 6)
    """
    if format is not None:
        check_choice("format", format, FORMATS)
    wanted = Target.of(target, label_separator)
    said: dict[str, Any] = {"target": wanted.kind, "label_separator": wanted.separator}
    said = said if labelled else {}
    given: dict[str, Any] = {"rejects": rejects, "max_line": max_line, "max_size": max_size}
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        if format is not None:
            raise InputError(
                f"{os.fspath(source)} is a folder", remedy=("leave out ", Name("format"))
            )
        return Folder(source, labelled=labelled, encoding=encoding, **given, **said)
    source, head = _looked_at(source, max_size, max_line)
    coded = as_encoding(encoding) or guess_encoding(head)
    head = coded.decoded(head)
    name = source_name(source)
    named = by_name(name)
    if format is None:
        format = named if named not in (None, "text") else by_content(name, head)  # noqa: A001
    if format == "svmlight":
        from rosenblatt.readers.svmlight_batches import Svmlight

        data: Data = Svmlight(
            source,
            zero_based="auto" if zero_based is None else zero_based,
            labelled=labelled,
            max_index=max_index,
            target=wanted.kind,
            **given,
        )
    elif format == "text":
        from rosenblatt.readers.lines import TextLines

        data = TextLines(source, style=style, labelled=labelled, **given, **said)
    elif format == "vw":
        from rosenblatt.readers.vw import VW

        kind = wanted.kind if labelled else None
        data = VW(source, labelled=None if labelled else False, target=kind, **given)
    else:
        from rosenblatt.readers.table_layout import Wishes, open_table

        wishes = Wishes(
            label=label,
            text=_names("text", text) or (),
            use=_names("use", use),
            ignore=_names("ignore", ignore) or (),
            kinds=kinds,
            header=header,
            columns=columns,
            delimiter=delimiter,
            labelled=labelled,
            target=wanted,
        )
        data = open_table(source, format, head, wishes, given)
    data.encoding = None if format == "parquet" else coded
    return data


def _looked_at(source: Any, max_size: int, max_line: int) -> tuple[Any, bytes]:
    """A source that can still be read from its beginning, and its first bytes."""
    name = source_name(source)
    mine = None
    if isinstance(source, str | os.PathLike) and source != "-":
        if stat.S_ISREG(os.stat(source).st_mode):
            with open_source(source, largest=max_size) as text:
                return source, _head(text, max_line).tobytes()
        source = mine = open(source, "rb")  # noqa: SIM115  # a pipe; closed once it is read
    rest = Source(standard_input() if source == "-" else source, name, max_size)
    head = _head(rest, max_line)
    return Once(head, rest, mine), head.tobytes()


def _head(text: Source, max_line: int) -> NDArray[np.uint8]:
    """The first bytes; a few whole lines, unless these are longer than any may be."""
    block, size = np.empty(HEAD, dtype=np.uint8), 0
    while True:
        size = text.fill(block, size, len(block))
        long = size == len(block) and np.count_nonzero(block == ord("\n")) < LINES
        if not long or size > LINES * max_line:
            return block[:size]
        block = np.concatenate([block, np.empty_like(block)])


def _names(name: str, value: Names) -> list[str] | None:
    if value is None:
        return None
    names = [value] if isinstance(value, str) else list(value)
    if not all(isinstance(one, str) for one in names):
        must = "be the name of a column or a list of names"
        raise InputTypeError(Name(name), must=must, got=repr(value))
    return names
