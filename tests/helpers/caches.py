"""Examples in memory that are cached as if they came from a file."""

import os

import numpy as np

from rosenblatt import Cache, TextVectorizer
from rosenblatt.readers.data import Batch, Data

WORDS = np.array(["ham", "spam", "unsure"])


class Rows(Data):
    """Examples in memory, in batches, as if they came from a file."""

    format = "svmlight"

    def __init__(self, name, X, y, size=7, weights=None):
        self.name = str(name)
        self._parts = X, y, weights
        self.size = size
        self.walks = 0

    def batches(self):
        self.walks += 1
        X, y, weights = self._parts
        for start in range(0, len(y), self.size):
            rows = slice(start, start + self.size)
            weight = None if weights is None else weights[rows]
            yield Batch(X[rows], y[rows], np.arange(start, start + len(y[rows])), weight)

    def vectorizer(self):
        return None

    def describe(self):
        return "rows"

    def settings(self):
        guessed = {"base": 1} if self.walks else {}
        return {"format": self.format, "size": self.size} | guessed


class Lines(Rows):
    """Documents."""

    def vectorizer(self):
        return TextVectorizer()


def write(path, X, y, **options):
    return Cache.write(path, Rows(path, X, y).batches(), **options)


def files_in(folder):
    return sorted(os.listdir(folder))
