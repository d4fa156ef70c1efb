"""Numbers, labels and columns as svmlight writes them."""

from collections.abc import Iterator
from math import copysign, isfinite
from typing import Any

import numpy as np

from rosenblatt.inputs.errors import InputError, InputTypeError, Name
from rosenblatt.inputs.messages import as_array


def number_text(number: float) -> str:
    """The shortest text that reads as the same number."""
    if isfinite(number) and number == int(number) and abs(number) < 2**53:
        return str(int(number)) if copysign(1.0, number) > 0 or number else "-0"
    return repr(number)


def numbered_lines(labels: list[str], X: Any, first: int) -> Iterator[bytes]:
    """Lines ``label index:value`` of CSR rows; the first column has the index `first`."""
    lines = zip(labels, index_pairs(X, first), strict=True)
    yield "".join(f"{label} {' '.join(own)}".strip() + "\n" for label, own in lines).encode()


def index_pairs(X: Any, first: int) -> list[list[str]]:
    """The columns and values of each row, as index:value."""
    values = map(number_text, X.data.tolist())
    pairs = [f"{j}:{v}" for j, v in zip((X.indices + first).tolist(), values, strict=True)]
    return [pairs[a:b] for a, b in zip(X.indptr[:-1], X.indptr[1:], strict=True)]


def label_texts(y: Any, rows: int, query_id: Any, *, multilabel: bool) -> list[str]:
    """What stands before the columns of each row: its label, or labels, and its query."""
    texts = _several(y) if multilabel else _each(y, rows)
    if len(texts) != rows:
        raise ValueError(f"y must have labels for each of {rows} rows, got {len(texts)}.")
    if query_id is None:
        return texts
    queries = as_array(query_id, Name("query_id"))
    if queries.shape != (rows,) or queries.dtype.kind not in "iu":
        must = f"be a whole number for each of {rows} rows"
        got = f"{queries.dtype} of shape {queries.shape}"
        raise InputError(Name("query_id"), must=must, got=got)
    return [f"{text} qid:{query}" for text, query in zip(texts, queries.tolist(), strict=True)]


def _each(y: Any, rows: int) -> list[str]:
    labels = as_array(y.toarray() if hasattr(y, "toarray") else y, Name("y"))
    if labels.shape == (rows, 1):
        labels = labels.ravel()
    if labels.shape != (rows,):
        raise ValueError(f"y must have a label for each of {rows} rows, got shape {labels.shape}.")
    return [_required(label) for label in labels.tolist()]


def _several(y: Any) -> list[str]:
    if hasattr(y, "toarray"):
        y = y.toarray()
    if isinstance(y, list | tuple) and all(isinstance(row, tuple | set | frozenset) for row in y):
        own = [[*row] for row in y]
    else:
        given = as_array(y, Name("y"))
        if given.ndim != 2:
            raise InputError(
                Name("y"), must="be a list of tuples, or a matrix with a column for each label"
            )
        own = [np.flatnonzero(row).tolist() for row in given]
    return [",".join(map(_required, row)) for row in own]


def _required(label: Any) -> str:
    text = label_text(label)
    if text is None:
        raise ValueError(
            f"svmlight needs numbers as labels, but y holds {label!r}: choose another format."
        )
    return text


def label_text(label: Any) -> str | None:
    """The label as readers read a number, none if it is a word."""
    try:
        if not isinstance(label, str):
            return number_text(label)
        label = label.strip()
        float(label)
    except (TypeError, ValueError):
        return None
    own_spelling = "_" in label or not label.isascii()  # which only Python reads
    return None if own_spelling else label


def comment_lines(comment: Any) -> list[bytes]:
    """The lines of a comment, if there is one."""
    if comment is None:
        return []
    if not isinstance(comment, str):
        raise InputTypeError(Name("comment"), must="be a string", got=type(comment).__name__)
    if "\0" in comment:
        raise InputError(Name("comment"), must="not hold the character 0")
    return [f"# {line}".rstrip().encode() + b"\n" for line in comment.splitlines()]
