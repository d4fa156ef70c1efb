"""How a document becomes tokens: the core's own cutting, or scikit-learn's functions and yours."""

import re
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from typing import Any

from sklearn.feature_extraction.text import CountVectorizer

from rosenblatt import core
from rosenblatt.features.documents import all_documents, as_documents, as_tokens, check_stop_words
from rosenblatt.features.examples import Texts
from rosenblatt.features.text_engine import BLANK_SEPARATED, WORDS
from rosenblatt.features.vocabularies import Documents
from rosenblatt.inputs.errors import InputError, Parameter, Row
from rosenblatt.inputs.parameters import check_choice, wrong

FUNCTIONS = ("build_preprocessor", "build_tokenizer", "build_analyzer")
STEPS = (
    *("analyzer", "decode_error", "encoding", "input", "lowercase", "ngram_range"),
    *("preprocessor", "stop_words", "strip_accents", "token_pattern", "tokenizer"),
)
"""Parameters of CountVectorizer that say how documents are read and cut."""

Prepare = Callable[[Iterable[Any]], Documents]


class TextAnalysis:
    """Reads documents and says who cuts them: the core as far as it can, else Python.

    Functions and patterns that only Python has are scikit-learn's or the caller's, here and in a
    subclass that overrides one of the ``build`` methods, as scikit-learn's may.
    """

    analyzer: Any
    encoding: Any
    input: Any
    lowercase: Any
    ngram_range: Any
    preprocessor: Any
    stop_words: Any
    strip_accents: Any
    token_pattern: Any
    tokenizer: Any

    def build_analyzer(self) -> Callable[[Any], list[str]]:
        """A function that makes of a document, in order, what is counted: scikit-learn's."""
        return self._built("build_analyzer")

    def build_preprocessor(self) -> Callable[[Any], str]:
        """A function that lower-cases a document and strips its accents: scikit-learn's."""
        return self._built("build_preprocessor")

    def build_tokenizer(self) -> Callable[[str], list[str]]:
        """A function that finds the words of a document: scikit-learn's."""
        return self._built("build_tokenizer")

    def get_stop_words(self) -> frozenset[str] | None:
        """The words that are left out."""
        check_stop_words(self.stop_words)
        return self._theirs().get_stop_words()

    def decode(self, doc: Any) -> Any:
        """A document itself, read and decoded as ``input`` and ``encoding`` say."""
        return self._theirs().decode(doc)

    def _built(self, function: str) -> Callable[..., Any]:
        return getattr(CountVectorizer, function)(self._theirs())

    def _theirs(self) -> CountVectorizer:
        """A vectorizer of scikit-learn's that reads and cuts documents in the same way."""
        theirs = CountVectorizer(**{name: getattr(self, name) for name in STEPS})
        for function in filter(self._overrides, FUNCTIONS):
            setattr(theirs, function, getattr(self, function))
        return theirs

    def _overrides(self, function: str) -> bool:
        return getattr(type(self), function) is not getattr(TextAnalysis, function)

    def _read(self, raw_documents: Iterable[Any]) -> Iterable[Any]:
        """The documents themselves, where there are names of files, files or bytes."""
        check_choice("input", self.input, ["content", "filename", "file"])
        content = self.input == "content"
        if self._overrides("build_analyzer") or (content and isinstance(raw_documents, Texts)):
            return raw_documents
        documents = all_documents(raw_documents)
        other = core.first_other(documents)
        if content and (other < 0 or not any(isinstance(d, bytes) for d in documents[other:])):
            return documents
        decode = self._theirs().decode
        return [self._decoded(decode, row, document) for row, document in enumerate(documents)]

    def _decoded(self, decode: Callable[[Any], Any], row: int, document: Any) -> Any:
        if self.input == "content" and not isinstance(document, bytes):
            return document
        try:
            return decode(document)
        except UnicodeDecodeError as error:
            raise InputError(
                *(Row(row), f" of the documents is not {error.encoding}: {error.reason} at byte "),
                f"{error.start}",
                remedy=("say ", Parameter("decode_error", "replace"), ", or another encoding"),
            ) from error

    @property
    def _cut_whole(self) -> bool:
        """Whether a function makes all tokens, so that the core only counts them."""
        return callable(self.analyzer) or self._overrides("build_analyzer")

    @property
    def _cut_words(self) -> bool:
        """Whether a function or pattern finds the words, and the core what is made of them."""
        return self.analyzer == "word" and (
            self.tokenizer is not None
            or self.token_pattern not in (WORDS, BLANK_SEPARATED)
            or self._overrides("build_tokenizer")
        )

    @property
    def _cut_by_core(self) -> bool:
        own = self.preprocessor is not None or self._overrides("build_preprocessor")
        return not (self._cut_whole or self._cut_words or own or callable(self.strip_accents))

    def _prepare(self) -> Prepare | None:
        """What makes documents ready to be cut where the core alone cannot."""
        if self._cut_by_core:
            return None
        if self._cut_whole:
            own = self._overrides("build_analyzer")
            return partial(_tokens, self.build_analyzer() if own else self.analyzer)
        preprocess = self.build_preprocessor()
        if not self._cut_words:
            return partial(_texts, preprocess)
        return partial(_tokens, partial(_in_turn, preprocess, self._tokenizer()))

    def _tokenizer(self) -> Callable[[str], list[str]]:
        if self.tokenizer is None and not self._overrides("build_tokenizer"):
            try:
                re.compile(self.token_pattern)
            except (re.error, TypeError) as error:
                allowed = f"be a regular expression: {error}"
                raise wrong("token_pattern", self.token_pattern, allowed) from error
        return self.build_tokenizer()

    def _warn(self, vocabulary: Iterable[str]) -> None:
        """Say which parameters change nothing, and which words can't be met."""
        given = {
            "stop_words": self.stop_words is not None,
            "tokenizer": self.tokenizer is not None,
            "token_pattern": self.token_pattern not in (None, WORDS),
            "preprocessor": self.preprocessor is not None,
            "ngram_range": self.ngram_range not in (None, (1, 1), [1, 1]),
        }
        overruled = {
            "'analyzer' != 'word'": (self.analyzer != "word", [*given][:3]),
            "'tokenizer' is not None": (given["tokenizer"], ["token_pattern"]),
            "'analyzer' is callable": (callable(self.analyzer), [*given][3:]),
        }
        for reason, (holds, names) in overruled.items():
            for name in names:
                if holds and given[name]:
                    message = f"The parameter {name!r} will not be used since {reason}"
                    warnings.warn(message, stacklevel=4)
        if self.stop_words is not None and self.analyzer == "word":
            self.build_analyzer()  # warns of words that its own cutting would never find
        if self.lowercase and self._cut_by_core and any(map(str.isupper, chain(*vocabulary))):
            warnings.warn(
                "Upper case characters found in vocabulary while 'lowercase' is True. These "
                "entries will not be matched with any documents",
                stacklevel=4,
            )


def _in_turn(preprocess: Any, tokenize: Any, document: Any) -> Any:
    return tokenize(preprocess(document))


def _tokens(analyze: Any, documents: Iterable[Any]) -> Documents:
    return as_tokens(map(analyze, all_documents(documents)))


def _texts(preprocess: Any, documents: Iterable[Any]) -> Documents:
    return as_documents(map(preprocess, all_documents(documents)))
