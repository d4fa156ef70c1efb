"""Documents to rows without scikit-learn: all that a TextVectorizer knows, in plain arrays."""

import dataclasses
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.features.documents import (
    all_documents,
    as_documents,
    as_tokens,
    check_runs,
    check_stop_words,
)
from rosenblatt.features.examples import Texts
from rosenblatt.features.vocabularies import (
    Arrays,
    Documents,
    Engine,
    GivenVocabulary,
    GrowingVocabulary,
    HashedColumns,
    Reading,
    Rows,
    document_count,
)
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.inputs.parameters import check_choice, check_count, check_flag, wrong

WORDS = r"(?u)\b\w\w+\b"
"""The pattern of the words that the core finds."""
BLANK_SEPARATED = r"\S+"
"""That of all that stands between blanks, which ``str.split`` finds."""

MOST_BITS = 30

Columns = GrowingVocabulary | GivenVocabulary | HashedColumns


def _without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def _only_ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


ACCENTS = {"unicode": _without_accents, "ascii": _only_ascii}


@dataclass(frozen=True)
class WordSettings:
    """How documents are cut and counts are weighed; named as the parameters of TextVectorizer."""

    __module__ = "rosenblatt"

    analyzer: str = "word"
    ngram_range: tuple[int, int] = (1, 1)
    lowercase: bool = True
    stop_words: tuple[str, ...] | None = None
    binary: bool = False
    use_idf: bool = False
    smooth_idf: bool = True
    sublinear_tf: bool = False
    norm: str | None = None
    n_hash_bits: int | None = None
    alternate_sign: bool = False
    dtype: str = "float64"
    strip_accents: str | None = None
    token_pattern: str = WORDS

    def __post_init__(self) -> None:
        check_choice("analyzer", self.analyzer, ["word", "char", "char_wb"])
        check_runs(self.ngram_range)
        object.__setattr__(self, "ngram_range", tuple(self.ngram_range))
        check_stop_words(self.stop_words)
        for flag in ("lowercase", "binary", "use_idf", "smooth_idf", "sublinear_tf"):
            check_flag(flag, getattr(self, flag))
        check_flag("alternate_sign", self.alternate_sign)
        if self.norm is not None:
            check_choice("norm", self.norm, ["l1", "l2"])
        check_choice("dtype", self.dtype, ["float64", "float32"])
        if self.strip_accents is not None:
            check_choice("strip_accents", self.strip_accents, [*ACCENTS])
        check_choice("token_pattern", self.token_pattern, [WORDS, BLANK_SEPARATED])
        if self.n_hash_bits is not None:
            self._check_hashing()

    def _check_hashing(self) -> None:
        check_count("n_hash_bits", self.n_hash_bits)
        if int(self.n_hash_bits or 0) > MOST_BITS:
            raise wrong("n_hash_bits", self.n_hash_bits, f"be at most {MOST_BITS}")
        if self.alternate_sign and self.sublinear_tf:
            raise InputError(
                *(Name("sublinear_tf"), " takes logarithms of counts, which "),
                *(Parameter("alternate_sign", True), " makes negative"),
                remedy=("set ", Parameter("alternate_sign", False)),
            )

    def cutting(self) -> core.Cutting:
        return core.Cutting(
            getattr(core.Analyzer, self.analyzer),
            *self.ngram_range,
            lowercase=self.lowercase and self.strip_accents is None,
            stop_words=self.stop_words if self.analyzer == "word" else None,
        )

    def counting(self) -> core.Weighing:
        """Counts as they are."""
        return core.Weighing(self.binary, False, None, core.Norm.none, self.dtype == "float32")

    def weighing(self, idf: NDArray[np.float64] | None) -> core.Weighing:
        return core.Weighing(
            self.binary,
            self.sublinear_tf,
            idf,
            getattr(core.Norm, self.norm or "none"),
            self.dtype == "float32",
        )

    def documents(self, raw_documents: Iterable[str]) -> Documents:
        """Documents as the core cuts them: accents are stripped from what is in lower case."""
        by_core = self.token_pattern == WORDS
        if self.strip_accents is None and by_core:
            return as_documents(raw_documents)
        strip = ACCENTS[self.strip_accents] if self.strip_accents else str
        as_documents(documents := all_documents(raw_documents))
        texts = (strip(text.lower() if self.lowercase else text) for text in documents)
        return tuple(texts) if by_core else as_tokens(map(str.split, texts))

    def nothing_learned(self) -> GrowingVocabulary | HashedColumns:
        if self.n_hash_bits is None:
            return GrowingVocabulary()
        return HashedColumns(self.n_hash_bits, self.alternate_sign)


LATER: dict[str, Any] = {"strip_accents": None, "token_pattern": WORDS}
"""Settings that the first files did not have."""


class Words(Engine):
    """Settings and what was learned with them: makes rows, names columns, goes to and from files.

    Parameters
    ----------
    settings : WordSettings

    learned : GrowingVocabulary, GivenVocabulary or HashedColumns, optional
        Nothing yet if not given.

    prepare : callable, optional
        Makes what the core is to cut of all documents, where functions or patterns of Python's
        have a say. Then there is nothing that could go to a file.

    Examples
    --------
    >>> from rosenblatt.features.text_engine import Words, WordSettings
    >>> words = Words(WordSettings())
    >>> words.learn(["a good film", "good, GOOD plot"])
    >>> indptr, columns, values = words.rows(["plot and good plot"])
    >>> [(words.name(column), float(value)) for column, value in zip(columns, values)]
    [('good', 1.0), ('plot', 2.0)]
    >>> same = Words.build(words.facts(), words.arrays())
    >>> same.width
    3
    """

    __module__ = "rosenblatt"

    takes: ClassVar = Texts
    part: ClassVar = "words"
    """What a file calls it."""

    def __init__(
        self,
        settings: WordSettings,
        learned: Columns | None = None,
        prepare: Callable[[Iterable[Any]], Documents] | None = None,
    ) -> None:
        self.settings = settings
        self.learned: Columns = settings.nothing_learned() if learned is None else learned
        self.prepare = prepare or settings.documents
        self.native = prepare is None

    @property
    def idf(self) -> NDArray[np.float64] | None:
        """The weight of each column, with ``use_idf``."""
        if not self.settings.use_idf:
            return None
        if not self.learned.are_counted:
            raise ValueError("use_idf of hashed words needs documents learned with use_idf=True.")
        return self.learned.idf(self.settings.smooth_idf)

    def learn(self, raw_documents: Iterable[str], threads: int = 1) -> None:
        """Learn the words of more documents: new ones get new columns at the end."""
        documents, cutting = self.prepare(raw_documents), self.settings.cutting()
        if isinstance(self.learned, GrowingVocabulary):
            self.learned.grow(documents, cutting, threads)
        else:
            how = Reading(cutting, self.settings.counting(), threads)
            self.learned.learn(documents, how, self.settings.use_idf)

    def rows(self, raw_documents: Iterable[str], threads: int = 1) -> Rows:
        """indptr, indices and data of a sparse matrix with `width` columns, in order."""
        documents, settings, learned = self.prepare(raw_documents), self.settings, self.learned
        cutting, idf = settings.cutting(), None
        if settings.use_idf and isinstance(learned, HashedColumns) and learned.are_counted:
            counting = Reading(cutting, settings.counting(), threads=1)
            idf = learned.idf_of(documents, counting, settings.smooth_idf)
        else:
            idf = self.idf
        return learned.rows(documents, Reading(cutting, settings.weighing(idf), threads))

    def counted_rows(
        self, raw_documents: Iterable[str]
    ) -> tuple[Rows, NDArray[np.int64], NDArray[np.int64]]:
        """The rows, and how many features of each document are known of how many it has.

        Of hashed words those are known whose columns met a name, be it another.
        """
        learned, settings = self.learned, self.settings
        if isinstance(learned, HashedColumns):
            hashed = self.rows(raw_documents)
            sums = np.append(0, np.cumsum(learned.met[hashed[1]]))[hashed[0]]
            return hashed, np.diff(sums), np.diff(hashed[0])
        documents, fresh = self.prepare(raw_documents), GrowingVocabulary()
        ends, columns = fresh.grow(documents, settings.cutting(), threads=1, keep=True)
        every = np.arange(fresh.width, dtype=np.int32)
        counts = core.arrange(ends, columns, every, fresh.width, settings.counting(), 1)[0]
        known, weighing = learned.columns_of(fresh), settings.weighing(self.idf)
        rows = core.arrange(ends, columns, known, self.width, weighing, 1)
        return rows, np.diff(rows[0]), np.diff(counts)

    def facts(self) -> dict[str, Any]:
        """Settings and counts that JSON can hold."""
        if not self.native:
            raise InputError(
                "A file can't hold how functions and patterns of Python's cut documents",
                remedy="pickle the model, or count words or characters as they are",
            )
        settings = dataclasses.asdict(self.settings)
        for name, default in LATER.items():
            if settings[name] == default:
                del settings[name]
        for name in ("ngram_range", "stop_words"):
            settings[name] = settings[name] and list(settings[name])
        return {"settings": settings, "documents": self.learned.documents}

    @classmethod
    def build(cls, facts: dict[str, Any], arrays: Arrays) -> Self:
        """What facts() and arrays() tell; a ValueError says what is wrong with them."""
        documents = document_count(facts, "settings")
        settings = _settings_of(facts["settings"])
        learned: GrowingVocabulary | HashedColumns
        if settings.n_hash_bits is None:
            learned = GrowingVocabulary.build(arrays, documents)
        else:
            learned = HashedColumns.build(
                settings.n_hash_bits, settings.alternate_sign, arrays, documents
            )
        words = cls(settings, learned)
        if settings.use_idf and not learned.are_counted:
            raise InputError("With use_idf each column must have a number of documents")
        return words


def _settings_of(facts: Any) -> WordSettings:
    """Settings of exactly the types that facts() gives."""
    types = {field.name: field.type for field in dataclasses.fields(WordSettings)}
    if isinstance(facts, dict):
        facts = LATER | facts
    if not isinstance(facts, dict) or facts.keys() != types.keys():
        raise InputError("The settings of words", must=f"be {', '.join(types)}")
    for name, value in facts.items():
        if types[name] is bool and type(value) is not bool:
            raise wrong(name, value, "be True or False")
    if type(facts["n_hash_bits"]) not in (int, type(None)):
        raise wrong("n_hash_bits", facts["n_hash_bits"], "be a whole number")
    lists = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in facts.items()
        if name in ("ngram_range", "stop_words")
    }
    if not isinstance(lists["stop_words"], tuple | None):
        raise wrong("stop_words", lists["stop_words"], "be a list")
    return WordSettings(**(facts | lists))
