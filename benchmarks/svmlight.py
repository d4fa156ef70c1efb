"""Reading svmlight text of realistic statistics: skewed features, rows of uneven length."""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from bench import Bench
from numpy.testing import assert_array_equal
from sklearn.datasets import load_svmlight_file
from table import Row

from rosenblatt import read_svmlight

ROWS = {"full": 40_000, "small": 4_000}
WIDTH = 47_236
STYLES: dict[str, Callable[[float], str]] = {
    "values of 6 digits": lambda value: f"{value:.6g}",
    "values of 16 digits, as scikit-learn writes them": lambda value: f"{value:.16g}",
    "counts": lambda value: str(1 + int(20 * value)),
}


def reading(bench: Bench) -> Iterator[Row | str]:
    """Text of a file to labels and compressed rows, in one thread."""
    yield "svmlight file → CSR, MB of text a second"
    with TemporaryDirectory() as folder:
        for label, style in STYLES.items():
            path = str(Path(folder, "data.svm"))
            size = write(path, ROWS[bench.scale], style) / 1e6
            times = bench.times(
                {
                    "theirs": lambda path=path: load_svmlight_file(path),
                    "ours": lambda path=path: read_svmlight(path),
                }
            )
            for theirs, ours in zip(times["theirs"].result, times["ours"].result, strict=True):
                assert_array_equal(getattr(theirs, "data", theirs), getattr(ours, "data", ours))
            yield Row.more(
                label,
                "scikit-learn",
                theirs=size / times["theirs"].best,
                ours=size / times["ours"].best,
                unit="MB/s",
                at_least=20.0,
                noise=max(each.noise for each in times.values()),
            )


def write(path: str, rows: int, style: Callable[[float], str]) -> int:
    """Write a file; its size in bytes."""
    rng = np.random.default_rng(0)
    with open(path, "w", encoding="ascii") as file:
        for _ in range(rows):
            length = 1 + int(rng.lognormal(4.1, 0.6))
            indices = np.unique((WIDTH * rng.random(length) ** 3).astype(int) + 1).tolist()
            values = rng.lognormal(-3.0, 0.8, len(indices)).tolist()
            pairs = zip(indices, map(style, values), strict=True)
            text = " ".join(f"{index}:{value}" for index, value in pairs)
            file.write(f"{rng.choice(['+1', '-1'])} {text}\n")
        return file.tell()
