"""The words of documents that come batch by batch, and which of them are kept in the end."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.features.documents import check_share, limits
from rosenblatt.features.text_engine import Words
from rosenblatt.features.vocabularies import MOST_DOCUMENTS, GrowingVocabulary, Reading, Rows
from rosenblatt.inputs.errors import InputError, Parameter
from rosenblatt.inputs.parameters import check_count


@dataclass(frozen=True)
class Limits:
    """Which words are too rare or too frequent; named as the parameters of TextVectorizer."""

    min_df: float = 1
    max_df: float = 1.0
    max_features: int | None = None

    def __post_init__(self) -> None:
        check_share("min_df", self.min_df)
        check_share("max_df", self.max_df)
        if self.max_features is not None:
            check_count("max_features", self.max_features)

    @property
    def any(self) -> bool:
        """Whether a word may be left out at all."""
        none = 1, MOST_DOCUMENTS
        return self.max_features is not None or limits(self.min_df, self.max_df, none[1]) != none


class WordCount:
    """Counts the words of one batch after the other; `settle` then says which ones count.

    The result is that of all documents in one batch.
    """

    def __init__(self, words: Words, left_out: Limits, threads: int) -> None:
        self.words = words
        self._limits = left_out
        self._threads = threads
        self._totals = np.zeros(0, dtype=np.int64)
        """How often each word was met, if that will be asked for."""

    def take(self, raw_documents: Iterable[str]) -> None:
        """Count more documents."""
        learned = self.words.learned
        if isinstance(learned, GrowingVocabulary):
            self._grow(learned, raw_documents, keep=False)
        else:
            self.words.learn(raw_documents, self._threads)

    def settle(self) -> None:
        """Leave out what is to be left out, and number the rest in the order of their names."""
        if isinstance(self.words.learned, GrowingVocabulary):
            self._settle(self.words.learned)

    def take_all(self, raw_documents: Iterable[str]) -> Rows:
        """Count documents that are all there are, settle which words count, and give the rows."""
        settings, learned = self.words.settings, self.words.learned
        if isinstance(learned, GrowingVocabulary):
            ends, columns = self._grow(learned, raw_documents, keep=True)
            numbers = self._settle(learned)
            weighing = settings.weighing(self.words.idf)
            return core.arrange(ends, columns, numbers, learned.width, weighing, self._threads)
        # with idf, which is known only afterwards, rows are first merely counted
        weighing = settings.counting() if settings.use_idf else settings.weighing(None)
        how = Reading(settings.cutting(), weighing, self._threads)
        rows = learned.learn(self.words.prepare(raw_documents), how, settings.use_idf)
        if settings.use_idf:
            core.weigh(*rows, settings.weighing(self.words.idf))
        return rows

    def _grow(
        self, vocabulary: GrowingVocabulary, raw_documents: Iterable[str], *, keep: bool
    ) -> tuple[Any, Any]:
        """Where each document ends, and the columns of its words if they are kept."""
        settings = self.words.settings
        counted = self._limits.max_features is not None and not settings.binary
        ends, columns = core.grow(
            self.words.prepare(raw_documents),
            settings.cutting(),
            vocabulary.lexicon,
            keep or counted,
            interruptible=True,
            threads=self._threads,
        )
        if counted:
            totals = np.bincount(columns, minlength=vocabulary.width)
            totals[: len(self._totals)] += self._totals
            self._totals = totals
        return ends, columns

    def _settle(self, vocabulary: GrowingVocabulary) -> NDArray[np.int32]:
        """The new number of each word, -1 if it is left out."""
        order = vocabulary.lexicon.sorted()
        if len(order) == 0:
            raise ValueError(
                f"The documents, {vocabulary.documents} in all, hold nothing to count: they are "
                "empty, too short, or made of stop words alone."
            )
        return vocabulary.keep(self._chosen(order, vocabulary))

    def _chosen(
        self, order: NDArray[np.uint32], vocabulary: GrowingVocabulary
    ) -> NDArray[np.uint32]:
        """Those of the words that are neither too rare nor too frequent, in this order."""
        said, documents = self._limits, vocabulary.documents
        if not said.any:
            return order
        low, high = limits(said.min_df, said.max_df, documents)
        counts = vocabulary.counts
        order = order[(counts[order] >= low) & (counts[order] <= high)]
        if said.max_features is not None and len(order) > said.max_features:
            totals = counts if self.words.settings.binary else self._totals
            most = np.argsort(-totals[order], kind="stable")[: said.max_features]
            order = order[np.sort(most)]
        if len(order) == 0:
            rare = (Parameter("min_df", said.min_df),) * (low > 1)
            frequent = (Parameter("max_df", said.max_df),) * (high < documents)
            both = (" and ",) if rare and frequent else ()
            leave = "leave" if both else "leaves"
            raise InputError(*rare, *both, *frequent, f" {leave} no word of {documents} documents")
        return order
