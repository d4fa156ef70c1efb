"""A large svmlight file, plain and packed in every way that can be read."""

import bz2
import functools
import gzip
import io
import lzma

import numpy as np
import zstandard
from sklearn.datasets import load_svmlight_file


def large_file(lines=20_000):
    """Text of several blocks, and what scikit-learn makes of it."""
    rng = np.random.default_rng(0)
    rows = (
        f"{k % 3} " + " ".join(f"{i}:{v:.6g}" for i, v in zip(ii, vv, strict=True))
        for k, ii, vv in zip(
            range(lines),
            np.sort(rng.integers(0, 10**4, (lines, 8)) * 8 + np.arange(1, 9)),
            rng.normal(size=(lines, 8)),
            strict=True,
        )
    )
    return "\n".join(rows).encode()


PACKERS = {
    "plain": bytes,
    "gzip": gzip.compress,
    "xz": functools.partial(lzma.compress, preset=0),
    "bzip2": bz2.compress,
    "zstd": zstandard.compress,
    "two gzips": lambda text: gzip.compress(text[:99999]) + gzip.compress(text[99999:]),
    "two zstds": lambda text: zstandard.compress(text[:99999]) + zstandard.compress(text[99999:]),
}


LARGE = large_file()


@functools.cache
def large_packed(name):
    return PACKERS[name](LARGE)


@functools.cache
def large_expected():
    return load_svmlight_file(io.BytesIO(LARGE))
