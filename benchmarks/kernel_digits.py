"""Polynomial kernels on pictures of digits, as in the table of Freund and Schapire (1999).

``python benchmarks/kernel_digits.py`` prints, for degrees 1 to 5, the error of predictions by the
last weights, their average and their votes, after one pass and more, with the supports and the
mistakes made. The digits are scikit-learn's, 8 x 8 points; a third of them are held out.
``--letters FILE`` takes a table of pictures instead (``ocr_taskar.mat``).
"""

import argparse
import time

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from rosenblatt import KernelPerceptron

DEGREES = (1, 2, 3, 4, 5)
PASSES = (1, 3, 10)
READINGS = {"last": {}, "average": {"average": True}, "vote": {"vote": True}}


def letters(path: str) -> tuple[np.ndarray, np.ndarray]:
    from scipy.io import loadmat

    found = loadmat(path)
    pictures = next(v for v in found.values() if getattr(v, "ndim", 0) == 2 and v.shape[1] >= 100)
    labels = next(v for k, v in found.items() if not k.startswith("_") and v is not pictures)
    return np.asarray(pictures, dtype=float), np.ravel(labels)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--letters", metavar="FILE")
    parser.add_argument("--passes", type=int, nargs="*", default=PASSES)
    asked = parser.parse_args()
    X, y = letters(asked.letters) if asked.letters else load_digits(return_X_y=True)
    X = X / np.abs(X).max()
    X, X_test, y, y_test = train_test_split(X, y, test_size=1 / 3, random_state=0, stratify=y)
    print(f"{len(X):,} pictures to learn from, {len(X_test):,} held out; errors in %")
    print("degree passes    last average    vote supports mistakes seconds")
    for degree in DEGREES:
        for passes in asked.passes:
            clock, errors = time.perf_counter(), []
            for more in READINGS.values():
                model = KernelPerceptron(
                    kernel="poly",
                    degree=degree,
                    gamma=1.0,
                    coef0=1.0,
                    max_iter=passes,
                    random_state=0,
                    **more,
                ).fit(X, y)
                errors.append(100 * (1 - model.score(X_test, y_test)))
            told = "".join(f"{error:8.2f}" for error in errors)
            told += f"{len(model.support_):9}{model.n_mistakes_:9}"
            print(f"{degree:6}{passes:7}{told}{time.perf_counter() - clock:8.1f}", flush=True)


if __name__ == "__main__":
    main()
