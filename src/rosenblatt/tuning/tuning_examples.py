"""What callers of Python give to tune on: texts, tables, named values or rows."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.features.documents import as_documents
from rosenblatt.features.examples import Bags, Records, Texts
from rosenblatt.features.named import NamedVectorizer
from rosenblatt.features.table import TableVectorizer
from rosenblatt.features.table_cells import cells_of, column_names
from rosenblatt.features.text import TextVectorizer
from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.inputs.messages import as_array
from rosenblatt.inputs.sparse import is_sparse
from rosenblatt.inputs.tables import sound_csr


class TuningExamples(NamedTuple):
    """Examples of which some can be chosen, and what makes features of them."""

    examples: Any
    base: Any
    """A vectorizer, not fitted; None where the examples are rows."""

    @property
    def length(self) -> int:
        """How many examples there are."""
        shape = getattr(self.examples, "shape", None)
        return len(self.examples) if shape is None else int(shape[0])

    @classmethod
    def of(cls, X: Any, n_jobs: int | None) -> "TuningExamples":
        """X, by what it looks like."""
        if isinstance(X, Texts):
            return cls(X, TextVectorizer(n_jobs=n_jobs))
        if isinstance(X, Bags):
            return cls(X, NamedVectorizer())
        if isinstance(X, Records):
            return cls(X, TableVectorizer(kinds=TableVectorizer().fit(X).kinds_))
        if is_sparse(X):
            return cls(sound_csr(X), None)
        if isinstance(X, Mapping) or hasattr(X, "columns") or hasattr(X, "column_names"):
            columns = {name: cells_of(X, name) for name in column_names(X)}
            return cls.of(Records(columns), n_jobs)
        if isinstance(X, str | bytes):
            raise InputError(Name("X"), must="be a list of texts", got=f"one {type(X).__name__}")
        if getattr(X, "ndim", 1) == 1:
            listed = list(X)
            if listed and all(isinstance(one, Mapping) for one in listed):
                bags = np.empty(len(listed), dtype=object)
                bags[:] = listed
                return cls(bags, NamedVectorizer())
            if any(isinstance(one, str | bytes) for one in listed):
                as_documents(listed)  # refuses what is no text
                return cls.of(Texts.of(listed), n_jobs)
        rows = as_array(X, Name("X"))
        if rows.ndim != 2 or rows.dtype.kind not in "biuf":
            raise InputError(
                Name("X"),
                must="be a list of texts, a table, a list of dicts, or a matrix of numbers",
            )
        return cls(rows, None)
