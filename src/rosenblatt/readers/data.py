"""What every format is read into: batches of examples with their labels and lines."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.features.examples import chosen, joined
from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.inputs.parameters import check_count, wrong
from rosenblatt.readers.encodings import Encoding, as_encoding
from rosenblatt.readers.rejects import Rejects, RejectSink, Walks
from rosenblatt.readers.sources import Source, open_source, source_name
from rosenblatt.readers.targets import ONE_LABEL

LARGEST_LIMIT = 2**62


def check_limits(**limits: Any) -> None:
    """Limits of lines and files."""
    for name, limit in limits.items():
        check_count(name, limit)
        if limit > LARGEST_LIMIT:
            raise wrong(name, limit, f"be at most {LARGEST_LIMIT}")


@dataclass(frozen=True)
class Batch:
    """Examples that stand together in a file."""

    __module__ = "rosenblatt"

    examples: Any
    """What the vectorizer of the data takes, or a CSR matrix where there is none."""
    labels: NDArray[Any] | LabelSets | None
    """One for each example, or as many as it has; numbers if those are foretold; None if the file
    has none."""
    lines: NDArray[np.int64]
    """The line on which each begins, counted from one."""
    weights: NDArray[np.float64] | None = None
    """How much each counts, if the file says so."""
    records: Any = None
    """Each as it stands in its file, lines or rows of pyarrow's, where the table keeps them; let go
    of once batches are cut or joined."""

    def __len__(self) -> int:
        return len(self.lines)

    def known_labels(self) -> NDArray[Any] | LabelSets:
        """The labels; an error if there are none."""
        if self.labels is None:
            raise ValueError("The examples have no labels, so that there is nothing to learn.")
        return self.labels

    def at(self, rows: NDArray[Any]) -> "Batch":
        """Some of the examples, with what belongs to them."""
        return Batch(
            chosen(self.examples, rows),
            None if self.labels is None else self.labels[rows],
            self.lines[rows],
            None if self.weights is None else self.weights[rows],
        )

    @classmethod
    def join(cls, batches: Sequence["Batch"]) -> "Batch | None":
        """All examples of several batches, in one; None if there are none."""
        if len(batches) <= 1:
            return batches[0] if batches else None
        labels = [batch.labels for batch in batches if batch.labels is not None]
        weights = [batch.weights for batch in batches if batch.weights is not None]
        return cls(
            joined([batch.examples for batch in batches]),
            together(labels) if len(labels) == len(batches) else None,
            np.concatenate([batch.lines for batch in batches]),
            np.concatenate(weights) if len(weights) == len(batches) else None,
        )


def together(labels: Sequence[Any]) -> NDArray[Any] | LabelSets:
    """The labels of several batches."""
    if isinstance(labels[0], LabelSets):
        return LabelSets.joined(labels)
    return np.concatenate(labels)


def label_list(labels: NDArray[Any] | LabelSets | None) -> list[Any]:
    """Labels as Python has them; tuples where an example may have several."""
    if isinstance(labels, LabelSets):
        return labels.tuples()
    return [] if labels is None else labels.tolist()


class Data(ABC):
    """A file of examples, opened but not read: batches may be asked for again and again."""

    _rejects = Walks(None)
    name: str
    """As the caller would call it: the path, or "standard input"."""
    format: str
    """One of "svmlight", "text", "vw", "csv", "tsv", "jsonl", "parquet", "arff", "folder"."""
    encoding: Encoding | None = None
    """Of its text; None if it has none, or until it is guessed from what is read."""
    _target = ONE_LABEL
    share: float | None = None
    """How much of the file has been read, from 0 to 1; None where its length is not known."""

    @abstractmethod
    def batches(self) -> Iterator[Batch]:
        """The examples in stored order, some thousand at a time, in bounded memory."""

    def whole(self) -> Batch | None:
        """All examples at once; None if there are none."""
        return Batch.join(list(self.batches()))

    @abstractmethod
    def vectorizer(self) -> Any:
        """A transformer, not yet fitted, that turns `examples` into CSR; None where they are."""

    @abstractmethod
    def describe(self) -> str:
        """How the file was understood, in one line for the user."""

    def _described(self, layout: str) -> str:
        """The same, of what is known about its layout."""
        return layout + ("" if self.encoding is None else self.encoding.describe())

    def settings(self) -> dict[str, Any]:
        """What to give `open_data` so that it reads another file as this one was understood."""
        said = {} if self.encoding is None else self.encoding.settings()
        return {"format": self.format} | said | self._target.settings()

    @property
    def foretold(self) -> str:
        """What each example has: a "label", "labels" or a "number"."""
        return self._target.kind

    @property
    def rejected(self) -> Sequence[int]:
        """The lines that were set aside, as far as the first walk over the file has come."""
        return self._rejects.lines


@dataclass(eq=False, repr=False)
class FileData(Data):
    """Data of one source, which is read within limits."""

    source: Any
    _: KW_ONLY
    rejects: Rejects = None
    max_line: int = 2**26
    max_size: int = 2**36
    encoding: Any = None
    """The name that the caller gave, then the `Encoding`."""

    def __post_init__(self) -> None:
        check_limits(max_line=self.max_line, max_size=self.max_size)
        self.name = source_name(self.source)
        self.encoding = as_encoding(self.encoding)
        self._rejects = Walks(self.rejects)

    def vectorizer(self) -> Any:
        """That of texts, unless a format holds something else."""
        from rosenblatt.features.text import TextVectorizer

        return TextVectorizer()

    @contextmanager
    def _opened(self) -> Iterator[tuple[Source, RejectSink]]:
        """The text from its beginning, and what takes the lines of it that cannot be read."""
        with (
            open_source(self.source, largest=int(self.max_size), encoding=self.encoding) as text,
            self._rejects.walk(self.source, text.name) as aside,
        ):
            yield text, aside


def as_whole_numbers(labels: NDArray[np.float64]) -> NDArray[Any]:
    """Labels as whole numbers if that is what they are."""
    if np.all((labels == np.floor(labels)) & (np.abs(labels) < 2.0**53)):
        return labels.astype(np.int64)
    return labels
