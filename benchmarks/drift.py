"""Averages that forget, on a stream that drifts: each example is predicted, then learned from.

``python benchmarks/drift.py FOLDER`` takes Elec2, the prices of electricity in New South Wales
(Harries, 1999): ``elec2_data.dat`` and ``elec2_label.dat``, packed by xz or not. Features are
scaled as they come, by the mean and the spread of those before.
"""

import argparse
import lzma
from pathlib import Path

import numpy as np

from rosenblatt import AROW, AveragedPerceptron, PassiveAggressiveClassifier, Perceptron

HALF_LIVES = (0.5, 1, 10, 100)


def read(path: Path) -> np.ndarray:
    packed = path.with_name(path.name + ".xz")
    text = lzma.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes()
    return np.array([line.split() for line in text.split(b"\n") if line], dtype=np.float64)


def scaled(X: np.ndarray) -> np.ndarray:
    """Each row less the mean of those before, over their spread."""
    count = np.arange(1, len(X))[:, np.newaxis]
    mean = np.cumsum(X, axis=0)[:-1] / count
    spread = np.sqrt(np.maximum(np.cumsum(X * X, axis=0)[:-1] / count - mean**2, 0))
    rows = np.zeros_like(X)
    rows[1:] = (X[1:] - mean) / np.where(spread > 0, spread, 1)
    return rows


def accuracy(model, X: np.ndarray, y: list[int]) -> float:
    """The percentage of examples predicted right before they were learned from."""
    model.declare(classes=[0, 1])
    right = 0
    for x, label in zip(X, y, strict=True):
        right += model.predict_one(x) == label
        model.learn_one(x, label)
    return 100 * right / len(y)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    X, labels = scaled(read(folder / "elec2_data.dat")), read(folder / "elec2_label.dat")
    y = labels[:, -1].astype(int).tolist()
    same = 100 * float(np.mean(labels[1:, -1] == labels[:-1, -1]))
    print(f"{len(y):,} examples; {same:.2f} % have the label of the one before")
    print(f"{'learner':34}{'last':>8}", *(f"{f'h={h}':>8}" for h in HALF_LIVES), f"{'mean':>8}")
    for name, learner, last in (
        ("PassiveAggressiveClassifier", PassiveAggressiveClassifier, PassiveAggressiveClassifier()),
        ("AveragedPerceptron", AveragedPerceptron, Perceptron()),
        ("AROW", AROW, AROW()),
        ("AROW(covariance='full')", AROW, AROW(covariance="full")),
    ):
        more = {} if learner is AveragedPerceptron else {"average": True}
        if learner is AROW:
            more["covariance"] = last.covariance
        models = [last, *(learner(half_life=h, **more) for h in HALF_LIVES), learner(**more)]
        told = " ".join(f"{accuracy(model, X, y):8.2f}" for model in models)
        print(f"{name:34}{told}", flush=True)


if __name__ == "__main__":
    main()
