"""How good probabilities are: log loss and calibration error on public data, beside scikit-learn's.

Prints the tables of docs/probabilities.md. All learners get the same features, made from the
training part alone, and come with their defaults. The data are not part of the project: their
folder is the argument, or what ROSENBLATT_DATA says, or data/.
"""

import argparse
import os
import time
import warnings
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from datasets import DATASETS, Dataset, news
from scipy import sparse
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.svm import LinearSVC

from rosenblatt import AROW, AveragedPerceptron, PassiveAggressiveClassifier
from rosenblatt.training.reliability import Reliability

SETS = [*DATASETS, Dataset("ag_news", "", "", TfidfVectorizer, news)]
FOLDS = 2
"""How many of a set's folds are walked through."""

THEIRS = {
    "LinearSVC, calibrated": CalibratedClassifierCV(LinearSVC(max_iter=10_000)),
    "LogisticRegression": LogisticRegression(max_iter=1000),
}
OURS = {
    "AROW": AROW(probabilities=True, random_state=0),
    "PA-I, averaged, C=0.1": PassiveAggressiveClassifier(
        C=0.1, average=True, probabilities=True, random_state=0
    ),
    "AveragedPerceptron": AveragedPerceptron(probabilities=True, random_state=0),
}
LEAST = "no worse than the better peer"


def measured(model: Any, split: Any) -> tuple[float, float]:
    """Log loss and calibration error on the held-out rows."""
    model = clone(model)
    if isinstance(model, CalibratedClassifierCV):
        rarest = np.unique(split.y, return_counts=True)[1].min()
        if rarest < 5:  # which it takes only where the folds are told
            folds = KFold(5, shuffle=True, random_state=0)
            model.set_params(cv=list(folds.split(split.X)))
    model.fit(split.X, split.y)
    probabilities, labels = model.predict_proba(split.X_out), model.classes_
    places = np.searchsorted(labels, split.y_out)
    codes = np.where(labels[np.minimum(places, len(labels) - 1)] == split.y_out, places, -1)
    found = Reliability.of(probabilities[codes >= 0], codes[codes >= 0])
    return found.log_loss, found.error


def table(folder: Path, names: list[str]) -> None:
    """A row for each set, two columns for each learner."""
    models = THEIRS | OURS
    print("| log loss, calibration error | " + " | ".join(models) + f" | {LEAST} |")
    print("| --- |" + " ---: |" * (len(models) + 1))
    counts = {name: [0, 0] for name in OURS}
    datasets = [dataset for dataset in SETS if not names or dataset.name in names]
    for dataset in datasets:
        every = [
            [measured(model, split) for model in models.values()]
            for split in islice(dataset.splits(folder), FOLDS)
        ]
        means = dict(zip(models, np.mean(every, axis=0), strict=True))
        best = np.min([means[name] for name in THEIRS], axis=0)
        kept = []
        for name in OURS:
            good = means[name].round(3) <= best.round(3)
            counts[name] = [
                count + bool(one) for count, one in zip(counts[name], good, strict=True)
            ]
            if good.any():
                kept.append(f"{name}: " + " and ".join(np.array(["loss", "error"])[good]))
        cells = (f"{loss:.3f}, {100 * error:.1f} %" for loss, error in means.values())
        print(f"| {dataset.name} | " + " | ".join(cells) + f" | {'; '.join(kept)} |", flush=True)
    for name, (losses, errors) in counts.items():
        print(f"{name}: log loss {losses} of {len(datasets)} sets, calibration error {errors}")


def costs() -> None:
    """How many times as long a fit takes that looks for probabilities too."""
    rng = np.random.default_rng(0)
    work = {
        "200,000 × 100, dense": rng.normal(size=(200_000, 100)),
        "100,000 × 50,000, 50 a row": sparse.random_array(
            (100_000, 50_000), density=0.001, format="csr", rng=rng
        ),
    }
    print("| work | with early stopping | without: folds |")
    print("| --- | ---: | ---: |")
    for name, X in work.items():
        for classes in (2, 10):
            teacher = rng.normal(size=(X.shape[1], classes))
            noise = 0.3 * rng.gumbel(size=(X.shape[0], classes))
            y = (X @ teacher / np.sqrt(50) + noise).argmax(axis=1)
            ratios = []
            for stopping in (True, False):
                model = AveragedPerceptron(max_iter=10, early_stopping=stopping, random_state=0)
                plain, calibrated = np.min(
                    [
                        [
                            seconds(clone(model).set_params(probabilities=p), X, y)
                            for p in (False, True)
                        ]
                        for _ in range(5)
                    ],
                    axis=0,
                )
                ratios.append(f"{calibrated / plain:.2f}×")
            print(f"| {name}, {classes} classes | " + " | ".join(ratios) + " |", flush=True)


def seconds(model: Any, X: Any, y: Any) -> float:
    """Of the processor, so that other work on the machine counts for less."""
    clock = time.process_time()
    model.fit(X, y)
    return time.process_time() - clock


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("ROSENBLATT_DATA", "data")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(default))
    warnings.simplefilter("ignore")
    parser.add_argument("--sets", nargs="*", default=[], help="all if not given")
    parser.add_argument("--only", choices=["costs", "table"])
    arguments = parser.parse_args()
    if arguments.only != "table":
        costs()
    if arguments.only != "costs":
        table(arguments.folder, arguments.sets)
