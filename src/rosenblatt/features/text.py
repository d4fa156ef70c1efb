"""Documents to rows of a sparse matrix: words and runs of words or characters, counted."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
from sklearn.utils.validation import check_is_fitted

from rosenblatt.features.documents import check_stop_words
from rosenblatt.features.text_analysis import TextAnalysis
from rosenblatt.features.text_engine import WORDS, Columns, Words, WordSettings
from rosenblatt.features.text_fitting import Limits, WordCount
from rosenblatt.features.vectorizer import Vectorizer, filled_rows
from rosenblatt.features.vocabularies import GivenVocabulary, HashedColumns
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.inputs.parameters import check_dtype, threads_of
from rosenblatt.inputs.parts import Part
from rosenblatt.inputs.sparse import matrix_of

LIMITS_AS_THEY_ARE = (
    *("leave ", Name("min_df"), ", ", Name("max_df"), " and ", Name("max_features")),
    " as they are",
)


@dataclass(eq=False, repr=False)
class TextVectorizer(TextAnalysis, Vectorizer):
    r"""Turn documents into rows of word counts, binary marks or tf-idf weights.

    One class does what scikit-learn's CountVectorizer, TfidfVectorizer and HashingVectorizer do,
    with their parameter names and their results, natively. A word is what scikit-learn's default
    ``token_pattern`` finds after ``str.lower``: two or more letters, digits or underscores of any
    script. The value of word j in document i is, with all options on::

        x[i, j] = (1 + log tf[i, j]) * idf[j] / |row i|
        idf[j]  = 1 + log((1 + n) / (1 + df[j]))

    where tf counts the word in the document, and df counts the documents, of n, with the word.

    By default the vocabulary grows with what it reads and no name is lost: use it whenever weights
    are to be looked at. ``n_hash_bits`` bounds memory instead, for streams whose words never end;
    words then share columns, and each column is called by the word that it met most.

    Documents are strings, or `Texts` of a file, which are read where they lie; what is not UTF-8
    in them reads as U+FFFD, as with ``bytes.decode("utf-8", "replace")``.

    A callable ``analyzer``, ``tokenizer``, ``preprocessor`` or ``strip_accents``, and another
    ``token_pattern``, work as in scikit-learn, and a subclass may override ``build_analyzer``,
    ``build_tokenizer`` or ``build_preprocessor``. Then Python cuts the documents and only the
    counting is native; such a vectorizer can be pickled, but no model file holds it.

    Parameters
    ----------
    input : {"content", "filename", "file"}, default="content"
        Whether documents are strings or bytes, names of files to be read, or open files.

    encoding, decode_error : str, default="utf-8" and "strict"
        How bytes become text, as of ``bytes.decode``.

    strip_accents : {"ascii", "unicode"} or callable, optional
        Take accents off letters, after lower-casing: "ascii" leaves out what is not ASCII then.

    preprocessor : callable, optional
        Makes of a document the text that is cut, in place of ``lowercase`` and ``strip_accents``.

    tokenizer : callable, optional
        Makes of a text a list of its words, in place of ``token_pattern``.

    token_pattern : str, optional
        What a word is, as a regular expression; by default, what the core finds by itself. With a
        group in it, the group is the word. ``r"\S+"``, all that stands between blanks, goes to
        model files, too.

    analyzer : {"word", "char", "char_wb"} or callable, default="word"
        Count words, runs of characters, or runs of characters within words, a blank on each side;
        or what a function makes of each document, a list of strings.

    ngram_range : (int, int), default=(1, 1)
        The least and the greatest number of words or characters in a run.

    lowercase : bool, default=True
        Whether documents are lower-cased first.

    stop_words : list of str or "english", optional
        Words to leave out, before runs of words are made; "english" is scikit-learn's list.

    min_df, max_df : int or float, default=1 and 1.0
        ``fit`` leaves out words in fewer documents than ``min_df`` or in more than ``max_df``; a
        float is a share of the documents.

    max_features : int, optional
        ``fit`` keeps only so many of the most frequent words; at a tie, the first by name.

    vocabulary : list, set or dict of str to int, optional
        The words that count, instead of those that are read: a list in the order of their columns,
        a set by name. Without ``use_idf`` no ``fit`` is needed then.

    binary : bool, default=False
        Whether every count is one.

    use_idf : bool, default=False
        Whether values are multiplied by ``idf_``.

    smooth_idf : bool, default=True
        Whether idf is reckoned as if one more document had every word.

    sublinear_tf : bool, default=False
        Whether a count becomes 1 + log(count).

    norm : {"l1", "l2"}, optional
        Divide each row by the sum of its absolute values, or by its length.

    n_hash_bits : int, optional
        Hash words into 2 ** n_hash_bits columns rather than keep a vocabulary; at most 30.
        ``fit`` and ``partial_fit`` learn what to call the columns; without ``use_idf``,
        ``transform`` needs neither.

    alternate_sign : bool, default=False
        Whether half of the hashed words count as minus one, so that collisions cancel out on
        average. A column's weight is then no longer that of the word it is called by.

    dtype : {float64, float32}, default=float64
        Type of the values.

    n_jobs : int, optional
        Threads that read the documents side by side, one if not given; -1 is one on each
        processor, -2 one less. What comes out is the same.

    Attributes
    ----------
    vocabulary_ : dict of str to int
        The column of each word; if hashed, of the words that columns are called by.

    document_counts_ : ndarray of shape (n_features,)
        The number of documents that each column occurs in; if hashed, only with ``use_idf``.

    n_documents_ : int
        The number of documents learned from.

    idf_ : ndarray of shape (n_features,)
        The weight of each column, with ``use_idf``.

    words_ : Words
        Settings and columns in a class that makes rows without scikit-learn, and goes to files.

    Notes
    -----
    ``fit`` numbers the words in the order of their names, as scikit-learn does. ``partial_fit``
    adds new ones at the end, in the order in which they first appear, so that what was learned
    about the others stays true. ``fit_batches`` takes documents that do not fit in memory, batch
    by batch, and numbers their words as ``fit`` does.

    Examples
    --------
    >>> from rosenblatt import TextVectorizer
    >>> vectorizer = TextVectorizer()
    >>> vectorizer.fit_transform(["A good film", "good, GOOD plot"]).toarray()
    array([[1., 1., 0.],
           [0., 2., 1.]])
    >>> vectorizer.partial_fit(["bad plot"]).get_feature_names_out()
    array(['film', 'good', 'plot', 'bad'], dtype=object)
    """

    __module__ = "rosenblatt"

    _learned: Columns = field(init=False)
    _engine_class = Words
    _input_tags = ("string",)

    _: KW_ONLY
    input: Literal["content", "filename", "file"] = "content"
    encoding: str = "utf-8"
    decode_error: str = "strict"
    strip_accents: Literal["ascii", "unicode"] | Callable[[str], str] | None = None
    preprocessor: Callable[[Any], str] | None = None
    tokenizer: Callable[[str], list[str]] | None = None
    token_pattern: str | None = WORDS
    analyzer: Literal["word", "char", "char_wb"] | Callable[[Any], list[str]] = "word"
    ngram_range: tuple[int, int] = (1, 1)
    lowercase: bool = True
    stop_words: Iterable[str] | Literal["english"] | None = None
    min_df: float = 1
    max_df: float = 1.0
    max_features: int | None = None
    vocabulary: Mapping[str, int] | Iterable[str] | None = None
    binary: bool = False
    use_idf: bool = False
    smooth_idf: bool = True
    sublinear_tf: bool = False
    norm: Literal["l1", "l2"] | None = None
    n_hash_bits: int | None = None
    alternate_sign: bool = False
    dtype: DTypeLike = np.float64
    n_jobs: int | None = None

    def fit(self, raw_documents: Iterable[str], y: ArrayLike | None = None) -> Self:
        """Learn the words of these documents, and forget all others; y is ignored."""
        return self.fit_batches([raw_documents])

    def fit_batches(self, batches: Iterable[Iterable[str]]) -> Self:
        """Do ``fit`` on documents that come batch by batch, with the result of all at once."""
        count = self.word_count()
        for documents in batches:
            count.take(self._read(documents))
        count.settle()
        self._learned = count.words.learned
        return self

    def fit_transform(self, raw_documents: Iterable[str], y: ArrayLike | None = None) -> csr_matrix:
        """Do ``fit`` and ``transform`` in one walk over the documents."""
        count = self.word_count()
        rows = count.take_all(self._read(raw_documents))
        self._learned = count.words.learned
        return matrix_of(*rows, count.words.width)

    def partial_fit(self, raw_documents: Iterable[str], y: ArrayLike | None = None) -> Self:
        """Learn the words of more documents: new ones get new columns at the end."""
        settings = self._check()
        if self._limits().any and self.vocabulary is None:
            raise InputError(
                "partial_fit keeps every word, since it can't know which will be frequent",
                remedy=(LIMITS_AS_THEY_ARE, ", or use fit on all documents at once"),
            )
        with self._learning_lock:
            learned = self._learned if self.has_learned else self._nothing_learned(settings)
            words = self._words(settings, learned)
            words.learn(self._read(raw_documents), threads_of(self.n_jobs))
            self._keep(learned)
        return self

    def transform(self, raw_documents: Iterable[str]) -> csr_matrix:
        """Rows of the words that were learned; others are left out, unless words are hashed."""
        learned = self._known()
        words = self._words(self._check(), learned)
        rows = words.rows(self._read(raw_documents), threads_of(self.n_jobs))
        return matrix_of(*rows, words.width)

    def inverse_transform(self, X: Any) -> list[NDArray[np.object_]]:
        """The words of each row: what the columns are called in which it is not zero."""
        names = self.get_feature_names_out()
        return [names[columns] for columns, _ in filled_rows(X, len(names))]

    @property
    def words_(self) -> Words:
        return self._fitted_engine()

    @property
    def vocabulary_(self) -> dict[str, int]:
        return self._known().columns()

    @property
    def fixed_vocabulary_(self) -> bool:
        return self.vocabulary is not None

    @property
    def n_documents_(self) -> int:
        return self._known().documents

    @property
    def document_counts_(self) -> NDArray[np.int64]:
        counts = self._known().counts
        if counts is None:
            raise AttributeError("document_counts_ of hashed words need use_idf=True in fit.")
        return counts

    @property
    def idf_(self) -> NDArray[Any]:
        check_is_fitted(self)
        if not self.use_idf:
            raise AttributeError("idf_ needs use_idf=True.")
        learned = self._known()
        if not learned.are_counted:
            raise AttributeError("idf_ of hashed words needs use_idf=True in fit.")
        return learned.idf(bool(self.smooth_idf)).astype(self.dtype)

    def word_count(self) -> WordCount:
        """Counts words as the parameters say, once they are found in order."""
        settings = self._check()
        words = self._words(settings, self._nothing_learned(settings))
        self._warn(words.learned.names() if self.vocabulary is not None else ())
        return WordCount(words, self._limits(), threads_of(self.n_jobs))

    def restore(self, words: Words) -> Self:
        """Take over what such words have learned, as from a file; settings must agree."""
        if not self._cut_by_core or self.input != "content":
            raise ValueError("Words of a file know neither functions of Python's nor other files.")
        mine = self._settings()
        if self.stop_words == "english":  # whose list may have changed since
            mine = replace(mine, stop_words=words.settings.stop_words)
        if mine != words.settings:
            raise ValueError(f"The words were learned with {words.settings}, not with {mine}.")
        learned = words.learned
        if self.vocabulary is not None:
            learned = GivenVocabulary.build(words.arrays(), learned.documents)
            if learned.columns() != self._nothing_learned(mine).columns():
                raise ValueError("The words that were learned are not those of the vocabulary.")
        self._learned = learned
        return self

    def _parts(self) -> dict[str, Part | None]:
        if self.input != "content":
            raise InputError(
                "A file can't hold a model that reads other files",
                got=Parameter("input", self.input),
                remedy=("set ", Parameter("input", "content")),
            )
        return super()._parts()

    def _engine(self) -> Words:
        return self._words(self._settings(), self._known())

    @property
    def _needs_fit(self) -> bool:
        return bool(self.use_idf) or (self.n_hash_bits is None and self.vocabulary is None)

    def __sklearn_is_fitted__(self) -> bool:
        return not self._needs_fit or super().__sklearn_is_fitted__()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = self._needs_fit
        return tags

    def _known(self) -> Columns:
        check_is_fitted(self)
        known = self._learned if self.has_learned else self._nothing_learned(self._check())
        return known.snapshot()

    def _nothing_learned(self, settings: WordSettings) -> Columns:
        if self.vocabulary is None:
            return settings.nothing_learned()
        return GivenVocabulary.of(self.vocabulary)

    def _settings(self) -> WordSettings:
        """All parameters but those that only ``fit`` reads, once they are found in order."""
        check_stop_words(self.stop_words)
        check_dtype(self.dtype)
        stop_words = ENGLISH_STOP_WORDS if self.stop_words == "english" else self.stop_words
        whole, by_core = self._cut_whole, self._cut_by_core
        analyzer: Any = "word" if whole else self.analyzer
        strip_accents: Any = self.strip_accents if by_core else None
        pattern: Any = self.token_pattern if by_core and analyzer == "word" else WORDS
        return WordSettings(
            analyzer=analyzer,
            ngram_range=(1, 1) if whole else self.ngram_range,
            lowercase=bool(self.lowercase) and by_core,
            stop_words=None if stop_words is None or whole else tuple(sorted(set(stop_words))),
            binary=bool(self.binary),
            use_idf=bool(self.use_idf),
            smooth_idf=bool(self.smooth_idf),
            sublinear_tf=bool(self.sublinear_tf),
            norm=self.norm,
            n_hash_bits=self.n_hash_bits,
            alternate_sign=bool(self.alternate_sign),
            dtype=np.dtype(self.dtype).name,
            strip_accents=strip_accents,
            token_pattern=pattern,
        )

    def _limits(self) -> Limits:
        return Limits(self.min_df, self.max_df, self.max_features)

    def _words(self, settings: WordSettings, learned: Columns) -> Words:
        bits = learned.bits if isinstance(learned, HashedColumns) else None
        if bits != self.n_hash_bits:
            raise InputError(
                *(Name("n_hash_bits"), f" can't change after fit: it was {bits}"),
                got=Parameter("n_hash_bits", self.n_hash_bits),
            )
        return Words(settings, learned, self._prepare())

    def _check(self) -> WordSettings:
        """Settings, once all parameters are found in order."""
        settings = self._settings()
        threads_of(self.n_jobs)
        if self._limits().any and settings.n_hash_bits is not None:
            raise InputError(
                "Hashed words can't be left out for being rare or frequent",
                remedy=(LIMITS_AS_THEY_ARE, ", or ", Parameter("n_hash_bits", None)),
            )
        if self.vocabulary is not None and settings.n_hash_bits is not None:
            remedy = ("set ", Parameter("vocabulary", None), " or ", Parameter("n_hash_bits", None))
            raise InputError("Hashed words have no vocabulary", remedy=remedy)
        return settings
