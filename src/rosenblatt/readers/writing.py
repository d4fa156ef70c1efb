"""Writing examples: the file appears whole or not at all, and is never in memory whole."""

import io
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from rosenblatt.features.examples import Records, Texts
from rosenblatt.inputs.messages import MATRIX, as_array, refuse
from rosenblatt.inputs.parameters import check_choice, check_flag
from rosenblatt.inputs.sparse import csr_rows, to_csr
from rosenblatt.readers.atomic_write import written_whole
from rosenblatt.readers.compression import packed
from rosenblatt.readers.data import Batch, Data
from rosenblatt.readers.sniffing import ENDINGS, WRITTEN, by_name
from rosenblatt.readers.tables import Table
from rosenblatt.readers.written_lines import svmlight_lines, text_lines, vw_lines
from rosenblatt.readers.written_svmlight import comment_lines, label_texts, numbered_lines
from rosenblatt.readers.written_tables import json_lines, parquet_pieces, separated_lines


def write_svmlight(
    path: Any,
    X: Any,
    y: Any,
    *,
    zero_based: bool = False,
    comment: str | None = None,
    query_id: Any = None,
    multilabel: bool = False,
) -> None:
    """Write rows and labels as svmlight, so that `read_svmlight` gives the same numbers back.

    Parameters
    ----------
    path : str, path-like or binary file
        Packed if it is a name that ends in .gz, .xz, .bz2 or .zst. A file that is there is replaced
        once the new one is whole. A file that is open is written to from where it stands, and stays
        open.

    X : sparse matrix or array of shape (n_samples, n_features)

    y : array of n_samples numbers
        If ``multilabel``, the labels of each row as a tuple, as `read_svmlight` gives them, or a
        matrix that is not zero where a row has the label of a column.

    zero_based : bool, default=False
        Whether the first column is number 0, rather than 1.

    comment : str, optional
        Lines to write first, each behind a ``#``.

    query_id : array of n_samples whole numbers, optional
        Written as ``qid:number``.

    multilabel : bool, default=False
        Whether rows may have several labels, or none. A row without labels and without features is
        a blank line, which readers skip.

    Examples
    --------
    >>> import io
    >>> from rosenblatt import write_svmlight
    >>> file = io.BytesIO()
    >>> write_svmlight(file, [[0.1, 0.0], [0.0, 2.0]], [1, -1], comment="two rows")
    >>> print(file.getvalue().decode(), end="")
    # two rows
    1 1:0.1
    -1 2:2
    """
    from scipy import sparse

    check_flag("zero_based", zero_based)
    check_flag("multilabel", multilabel)
    X = to_csr(X) if sparse.issparse(X) else sparse.csr_array(as_array(X, MATRIX))
    refuse(csr_rows(X).check(values=False))
    if not X.has_canonical_format:  # the caller's arrays stay as they are
        X = X.copy()
        X.sum_duplicates()
    labels = label_texts(y, X.shape[0], query_id, multilabel=bool(multilabel))
    lines = [*comment_lines(comment), *numbered_lines(labels, X, int(not zero_based))]
    if hasattr(path, "write"):
        if isinstance(path, io.TextIOBase):
            raise TypeError(f"Expected a path or a binary file, got {type(path).__name__}.")
        path.writelines(lines)
        return
    with written_whole(os.fspath(path)) as file:
        file.writelines(packed(path, lines))


def write_data(
    data: Data,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
) -> int:
    """Write the examples of an opened file to another, in the format that its name ends in.

    A table that becomes a table keeps all of its columns. Lines of text take one column of text,
    in which line breaks become blanks. svmlight takes the features that the vectorizer of the data
    makes, numbers as they are.

    Parameters
    ----------
    data : Data
        From `open_data`.

    path : str or path-like
        Packed if it ends in .gz, .xz, .bz2 or .zst. A file that is there is replaced once the new
        one is whole.

    format : {"svmlight", "text", "vw", "csv", "tsv", "jsonl", "parquet"}, optional
        By default as the end of the name says.

    Returns
    -------
    int
        The number of examples written.
    """
    name = os.fspath(path)
    format = format or by_name(name)  # noqa: A001
    if format is None:
        raise ValueError(
            f"{name} does not tell its format: let it end in {', '.join(ENDINGS)}, or say format."
        )
    check_choice("format", format, WRITTEN)
    if format == "svmlight":
        found = _as_numbers(data)
    elif format in ("text", "vw"):
        found = data.batches()
    else:
        whole = data.with_all_columns() if isinstance(data, Table) else data
        found = _shared(_as_columns(whole), whole, data)
    written = 0

    def counted() -> Iterator[Batch]:
        nonlocal written
        for batch in found:
            written += len(batch)
            yield batch

    batches = counted()
    label = (isinstance(data, Table) and data.layout.label) or "label"
    pieces = {
        "svmlight": lambda: svmlight_lines(batches),
        "text": lambda: text_lines(batches),
        "vw": lambda: vw_lines(batches),
        "csv": lambda: separated_lines(batches, label, ","),
        "tsv": lambda: separated_lines(batches, label, "\t"),
        "jsonl": lambda: json_lines(batches, label),
        "parquet": lambda: parquet_pieces(batches, label),
    }[format]()
    with written_whole(name) as file:
        file.writelines(packed(name, pieces))
    return written


def _shared(batches: Iterable[Batch], walked: Data, watched: Data) -> Iterator[Batch]:
    """The same batches, while one walk over a file tells its share to who watches the other."""
    for batch in batches:
        watched.share = walked.share
        yield batch


def _as_numbers(data: Data) -> Iterator[Batch]:
    """Batches of CSR rows; made in a second walk if the features are to be learned first."""
    vectorizer = data.vectorizer()
    if vectorizer is None:
        yield from data.batches()
        return
    if hasattr(vectorizer, "scale"):
        vectorizer.set_params(scale=None)
    vectorizer.fit_batches(batch.examples for batch in data.batches())
    for batch in data.batches():
        yield replace(batch, examples=vectorizer.transform(batch.examples))


def _as_columns(data: Data) -> Iterator[Batch]:
    """Batches that fit in a table; CSR rows all as wide as the widest, found in a first walk."""
    if data.vectorizer() is not None:
        name = (isinstance(data, Table) and data.layout.only_text) or "text"
        for batch in data.batches():
            alone = isinstance(batch.examples, Texts)
            yield replace(batch, examples=Records({name: batch.examples})) if alone else batch
        return
    width = max((batch.examples.shape[1] for batch in data.batches()), default=1)
    for batch in data.batches():
        batch.examples.resize(batch.examples.shape[0], width)
        yield batch
