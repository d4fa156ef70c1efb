"""Public data sets, read from a folder: examples, labels, the split, and how features are made."""

import csv
import lzma
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.datasets import load_svmlight_file
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

Part = tuple[Any, Any]
"""Examples and labels."""


@dataclass(frozen=True)
class Split:
    """Features and labels to learn from, and those held out."""

    X: Any
    y: Any
    X_out: Any
    y_out: Any


@dataclass(frozen=True)
class Dataset:
    name: str
    task: str
    features: str
    """The recipe, in words."""
    make: Callable[[], Any] | None
    """What turns examples into features, fitted on the training part only; None if they are."""
    read: Callable[[Path], tuple[Part, Part | None]]
    """The training part and the test part, or all examples and None."""
    folds: int = 0
    """How many folds, where there is no official test part."""

    @property
    def protocol(self) -> str:
        return f"{self.folds}-fold" if self.folds else "given test part"

    def splits(self, folder: Path) -> Iterator[Split]:
        """Each split in turn: the official one, or stratified folds shuffled with seed 0."""
        (examples, y), test = self.read(folder)
        if test is not None:
            yield self._split(examples, y, *test)
            return
        folds = StratifiedKFold(self.folds, shuffle=True, random_state=0)
        for inside, outside in folds.split(y, y):
            yield self._split(examples[inside], y[inside], examples[outside], y[outside])

    def _split(self, examples: Any, y: Any, examples_out: Any, y_out: Any) -> Split:
        if self.make is None:
            return Split(examples, y, examples_out, y_out)
        maker = self.make()
        return Split(maker.fit_transform(examples), y, maker.transform(examples_out), y_out)


def _lines(file: Path, encoding: str = "utf-8") -> list[str]:
    with lzma.open(file, "rt", encoding=encoding, newline="\n") as lines:
        return [line.rstrip("\r\n") for line in lines]


def _texts(texts: list[str], labels: list[str]) -> Part:
    return np.array(texts, dtype=object), np.array(labels)


def _polarity(folder: Path) -> tuple[Part, None]:
    texts, labels = [], []
    for opinion in ("neg", "pos"):
        lines = _lines(folder / f"rt_polarity/rt-polarity.{opinion}.xz")
        texts += lines
        labels += [opinion] * len(lines)
    return _texts(texts, labels), None


def _sms(folder: Path) -> tuple[Part, None]:
    lines = [line.split("\t", 1) for line in _lines(folder / "sms_spam/SMSSpamCollection.xz")]
    return _texts([text for _, text in lines], [label for label, _ in lines]), None


def _questions(kind: int) -> Callable[[Path], tuple[Part, Part]]:
    """Labels are COARSE:fine; the first kind is the coarse part, the other the whole."""

    def read(folder: Path) -> tuple[Part, Part]:
        parts = []
        for name in ("train", "test"):
            lines = _lines(folder / f"trec_questions/{name}.txt.xz", encoding="latin-1")
            split = [line.split(" ", 1) for line in lines]
            labels = [label if kind else label.split(":")[0] for label, _ in split]
            parts.append(_texts([text for _, text in split], labels))
        return parts[0], parts[1]

    return read


def _newsgroups(folder: Path) -> tuple[Part, Part]:
    found: dict[str, tuple[list[str], list[str]]] = {"train": ([], []), "test": ([], [])}
    with tarfile.open(folder / "20newsgroups_4/20news-bydate-4cat.tar.xz") as archive:
        for member in archive:
            content = archive.extractfile(member)
            if content is None:
                continue
            part, group, _ = member.name.split("/")
            texts, labels = found[part.removeprefix("20news-bydate-")]
            texts.append(content.read().decode("latin-1"))
            labels.append(group)
    return _texts(*found["train"]), _texts(*found["test"])


def news(folder: Path) -> tuple[Part, Part]:
    """The first 5,700 to learn from, the others held out."""
    with lzma.open(folder / "ag_news_test/test.csv.xz", "rt", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))
    texts, topics = _texts([f"{head} {body}" for _, head, body in rows], [row[0] for row in rows])
    return (texts[:5700], topics[:5700]), (texts[5700:], topics[5700:])


def _names(folder: Path) -> tuple[Part, None]:
    names, languages = [], []
    with tarfile.open(folder / "names_18_languages/names.tar.xz") as archive:
        for member in archive:
            content = archive.extractfile(member)
            if content is None:
                continue
            lines = content.read().decode("utf-8").splitlines()
            names += [line.strip() for line in lines]
            languages += [Path(member.name).stem] * len(lines)
    return _texts(names, languages), None


def _svmlight(file: Path, width: int) -> Part:
    with lzma.open(file) as lines:
        X, y = load_svmlight_file(lines, n_features=width)
    narrow = (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32))
    return sparse.csr_matrix(narrow, shape=X.shape), y.astype(int)


def _adult(folder: Path) -> tuple[Part, Part]:
    return _svmlight(folder / "a9a/a9a.xz", 123), _svmlight(folder / "a9a/a9a.t.xz", 123)


def _mushrooms(folder: Path) -> tuple[Part, None]:
    return _svmlight(folder / "mushrooms/mushrooms.xz", 112), None


def _letter(folder: Path) -> tuple[Part, Part]:
    lines = _lines(folder / "letter/letter-recognition.data.xz")[1:]  # after the heads
    rows = [line.split(",") for line in lines]
    X, y = np.array([row[1:] for row in rows], dtype=float), np.array([row[0] for row in rows])
    return (X[:16000], y[:16000]), (X[16000:], y[16000:])


def _words(**options: Any) -> Callable[[], Any]:
    """Words and pairs of neighbours, present or not; words are what stands between blanks."""
    return lambda: CountVectorizer(
        binary=True, ngram_range=(1, 2), token_pattern=r"\S+", dtype=np.float64, **options
    )


DATASETS = [
    Dataset(
        "rt_polarity",
        "sentences of film reviews, 2 opinions",
        "words and pairs of neighbouring words, present or not",
        _words(),
        _polarity,
        folds=10,
    ),
    Dataset(
        "sms_spam",
        "short messages, 2 kinds",
        "tf-idf of words",
        TfidfVectorizer,
        _sms,
        folds=10,
    ),
    Dataset(
        "trec_coarse",
        "questions, 6 kinds of answer",
        "words and pairs of neighbouring words, present or not",
        _words(),
        _questions(0),
    ),
    Dataset(
        "trec_fine",
        "questions, 50 kinds of answer",
        "words and pairs of neighbouring words, present or not",
        _words(),
        _questions(1),
    ),
    Dataset(
        "20newsgroups_4",
        "messages with headers, 4 groups",
        "tf-idf of words",
        TfidfVectorizer,
        _newsgroups,
    ),
    Dataset("a9a", "people, 2 incomes", "as they are: 123 of 0 or 1", None, _adult),
    Dataset("mushrooms", "mushrooms, 2 kinds", "as they are: 112 of 0 or 1", None, _mushrooms, 10),
    Dataset(
        "letter",
        "pictures of 26 letters",
        "16 numbers, standardised; the last 4,000 rows held out by convention",
        StandardScaler,
        _letter,
    ),
    Dataset(
        "names_18_languages",
        "surnames, 18 languages",
        "runs of 1 to 4 characters, within the name and its ends, counted",
        lambda: CountVectorizer(analyzer="char_wb", ngram_range=(1, 4), dtype=np.float64),
        _names,
        folds=5,
    ),
]
