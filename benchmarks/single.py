"""A single predict from a text, a dict and a row: the middle of many calls, and the slowest in 100.

python benchmarks/speed.py --only single
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from bench import Bench
from learners import OURS, SKLEARN
from one import make_examples
from sklearn.feature_extraction import FeatureHasher
from sklearn.feature_extraction.text import HashingVectorizer, TfidfTransformer
from sklearn.pipeline import make_pipeline
from table import Row
from text import documents

from rosenblatt import NamedVectorizer, TextVectorizer

BITS = 18
LEARNED = 2_000
CALLS, THEIR_CALLS = 1_000, 200
"""Of which each figure is the percentile."""
PERCENTILES = (50, 99)

Predict = Callable[[Any], Any]


def single(bench: Bench) -> Iterator[Row | str]:
    """One example a call, from what it is given as to a label."""
    yield "A single predict"
    for name, examples, ours, theirs in _pairs(bench):
        for percentile in PERCENTILES:
            work = f"{name}, p{percentile}"
            times = bench.times(
                {work: partial(_percentile, ours, examples, CALLS, percentile)},
                {"scikit-learn": partial(_percentile, theirs, examples, THEIR_CALLS, percentile)},
                told="s",
            )
            yield times.row(work, "scikit-learn", lambda seconds: 1e6 * seconds, unit="µs")


def _pairs(bench: Bench) -> Iterator[tuple[str, list[Any], Predict, Predict]]:
    """What is predicted from, examples of it, and how both predict one."""
    texts, labels = documents(LEARNED), np.arange(LEARNED) % 2
    hashed = TextVectorizer(n_hash_bits=BITS, use_idf=True, norm="l2")
    their_hashed = [
        HashingVectorizer(n_features=1 << BITS, alternate_sign=False, norm=None),
        TfidfTransformer(),
    ]
    ours = make_pipeline(hashed, OURS["averaged"]()).fit(texts, labels)
    theirs = make_pipeline(*their_hashed, SKLEARN["averaged"]()).fit(texts, labels)
    yield "text, hashed tf-idf", [[text] for text in texts], ours.predict, theirs.predict
    some = make_examples()
    ours = make_pipeline(NamedVectorizer(), OURS["averaged"]()).fit(some.dicts, some.labels)
    theirs = make_pipeline(FeatureHasher(1 << BITS), SKLEARN["averaged"]()).fit(
        some.dicts, some.labels
    )
    yield "dict of names", [[x] for x in some.dicts], ours.predict, theirs.predict
    data = bench.load("sparse_binary")
    X, y = data.X[:LEARNED], data.y[:LEARNED]
    rows = [data.X_test[row : row + 1] for row in range(500)]
    ours, theirs = (makers["averaged"]().fit(X, y) for makers in (OURS, SKLEARN))
    yield "sparse row", rows, ours.predict, theirs.predict


def _percentile(predict: Predict, examples: list[Any], calls: int, percentile: int) -> float:
    """Seconds that so many of a hundred calls do not take longer than."""
    seconds = []
    for place in range(calls):
        begin = time.process_time()
        predict(examples[place % len(examples)])
        seconds.append(time.process_time() - begin)
    return float(np.percentile(seconds, percentile))
