"""Words to rows beside scikit-learn's vectorizers: nanoseconds of CPU time per word, one thread.

python benchmarks/text.py [--documents 200000] [--repeat 3]
"""

import argparse
from collections.abc import Iterator
from functools import cache, partial

import numpy as np
from bench import Bench
from measure import one_thread_one_core
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from table import Row, print_head, print_items, print_summary

from rosenblatt import TextVectorizer

DOCUMENTS = {"full": 200_000, "small": 20_000}
WORDS = 50_000
CYRILLIC = str.maketrans("abcdefghijklmnoprstuvwz", "абцдефгхийклмнопрстувжз")
SYLLABLES = [c + v for c in "bcdfghjklmnprstvwz" for v in ("a", "e", "i", "o", "u", "an", "er")]


def documents(n: int, seed: int = 0) -> list[str]:
    """Twenty to eighty words each, drawn by the Zipf-Mandelbrot law; the frequent ones are short.

    Sentences begin with a capital and end with a full stop, as they do.
    """
    rng = np.random.default_rng(seed)
    sizes = np.clip(np.log2(np.arange(WORDS) + 4) / 5 + rng.normal(0, 0.7, WORDS), 1, 6)
    words = np.array(["".join(rng.choice(SYLLABLES, round(size))) for size in sizes], dtype=object)
    shares = np.cumsum(1.0 / (np.arange(WORDS) + 3.0) ** 1.05)
    lengths = rng.integers(20, 81, n)
    drawn = words[np.searchsorted(shares, rng.random(lengths.sum()) * shares[-1])]
    return [
        " ".join(drawn[end - length : end]).capitalize() + "."
        for end, length in zip(np.cumsum(lengths), lengths, strict=True)
    ]


def words(bench: Bench) -> Iterator[Row | str]:
    """Strings to rows of a sparse matrix."""
    yield "words → rows, ns a word"
    yield from rows(documents(DOCUMENTS[bench.scale]), bench)


def rows(texts: list[str], bench: Bench) -> Iterator[Row]:
    """Each kind of rows from both, measured in turn."""
    hashing = {"alternate_sign": True, "norm": "l2"}
    ours = TextVectorizer(n_hash_bits=20, **hashing).fit(texts[:100])
    tfidf = {"use_idf": True, "norm": "l2"}
    their_tfidf = cache(lambda: TfidfVectorizer().fit(texts))
    accented = [f"{text} Café." for text in texts]
    cyrillic = [text.translate(CYRILLIC) for text in texts]
    pairs = {
        "hashing, transform": (HashingVectorizer().transform, ours.transform, 25),
        "the same, an accent in each": (
            lambda _: HashingVectorizer().transform(accented),
            lambda _: ours.transform(accented),
            None,
        ),
        "the same in Cyrillic letters": (
            lambda _: HashingVectorizer().transform(cyrillic),
            lambda _: ours.transform(cyrillic),
            None,
        ),
        "hashing and naming, fit_transform": (
            HashingVectorizer().transform,
            TextVectorizer(n_hash_bits=20, **hashing).fit_transform,
            None,
        ),
        "vocabulary, fit_transform": (
            CountVectorizer().fit_transform,
            TextVectorizer().fit_transform,
            12,
        ),
        "tf-idf, fit_transform": (
            TfidfVectorizer().fit_transform,
            TextVectorizer(**tfidf).fit_transform,
            12,
        ),
        "tf-idf, transform": (
            lambda texts: their_tfidf().transform(texts),
            TextVectorizer(**tfidf).fit(texts).transform,
            12,
        ),
        "pairs of words, fit_transform": (
            CountVectorizer(ngram_range=(1, 2)).fit_transform,
            TextVectorizer(ngram_range=(1, 2)).fit_transform,
            None,
        ),
    }
    count = sum(text.count(" ") + 1 for text in texts)
    for name, (theirs, mine, at_least) in pairs.items():
        times = bench.times({name: partial(mine, texts)}, {"scikit-learn": partial(theirs, texts)})
        yield times.row(
            name, "scikit-learn", lambda s: 1e9 * s / count, unit="ns", at_least=at_least
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--core", type=int, default=None)
    options = parser.parse_args()
    one_thread_one_core(options.core)
    print_head()
    items = rows(documents(options.documents), Bench("full", options.repeat))
    print_summary(list(print_items(items)))


if __name__ == "__main__":
    main()
