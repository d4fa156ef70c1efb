"""Several labels for an example, beside scikit-learn's one-versus-rest LinearSVC on the same rows.

    python benchmarks/several_labels.py FOLDER

FOLDER holds GoEmotions (28 labels) in goemotions/train.tsv.xz, dev.tsv.xz and test.tsv.xz. Words
and pairs, tf-idf. Settings and thresholds are chosen on the development part, by ranking precision
and as `Thresholds.best` does; what is printed is of the test part, and CPU time that of one fit,
the least of three.
"""

import argparse
import lzma
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import f1_score, label_ranking_average_precision_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC

from rosenblatt import AROW, AveragedPerceptron, PassiveAggressiveClassifier, TextVectorizer
from rosenblatt.inputs.label_sets import read_label_sets
from rosenblatt.training.thresholds import Thresholds

LABELS = 28
PASSES = 3
STEPS = (0.03, 0.1, 0.3)
PENALTIES = (0.1, 0.3, 1.0)
DAMPINGS = (10.0, 50.0)


class Part(NamedTuple):
    texts: list[str]
    Y: Any

    @classmethod
    def read(cls, path: Path) -> "Part":
        texts, rows = [], []
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                text, numbers, _ = line.rstrip("\n").split("\t")
                texts.append(text)
                rows.append({int(number) for number in numbers.split(",")})
        return cls(texts, np.array([[k in row for k in range(LABELS)] for row in rows], dtype=int))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder / "goemotions"
    learned, chosen_by, tried = (Part.read(folder / f"{name}.tsv.xz") for name in PARTS)
    words = TextVectorizer(ngram_range=(1, 2), use_idf=True, norm="l2").fit(learned.texts)
    rows = [words.transform(part.texts) for part in (learned, chosen_by, tried)]
    print(f"{rows[0].shape[0]:,} × {rows[0].shape[1]:,}, {LABELS} labels")
    print(f"{'':46s}{'LRAP':>7s}{'micro F1':>10s}{'macro F1':>10s}{'seconds':>9s}")
    pa = PassiveAggressiveClassifier(average=True, max_iter=PASSES, random_state=0)
    contestants = [
        [pa_of(pa, C=C) for C in STEPS],
        [pa_of(pa, C=C, variant="PA-II") for C in STEPS],
        [AROW(r=r, average=True, max_iter=PASSES, random_state=0) for r in DAMPINGS],
        [AveragedPerceptron(max_iter=PASSES, random_state=0)],
        [OneVsRestClassifier(LinearSVC(C=C)) for C in PENALTIES],
    ]
    for models in contestants:
        tell(models, rows, [learned.Y, chosen_by.Y, tried.Y])


PARTS = ("train", "dev", "test")


def pa_of(pa: Any, **settings: Any) -> Any:
    return type(pa)(**{**pa.get_params(), **settings})


def tell(models: list[Any], rows: list[Any], Y: list[Any]) -> None:
    """One line: the setting that ranks best on the development part, on the test part."""
    found = []
    for model in models:
        model.fit(rows[0], Y[0], **held_out(model, rows, Y))
        on_dev = model.decision_function(rows[1])
        found.append((label_ranking_average_precision_score(Y[1], on_dev), model, on_dev))
    _, model, on_dev = max(found, key=lambda each: each[0])
    seconds = min(seconds_of_a_fit(model, rows, Y) for _ in range(3))
    scores = model.decision_function(rows[2])
    cuts = Thresholds.best(on_dev, read_label_sets(Y[1], len(on_dev)))
    given = cuts.sets(scores, np.arange(LABELS)).indicator()
    rank = label_ranking_average_precision_score(Y[2], scores)
    micro, macro = (f1_score(Y[2], given, average=each) for each in ("micro", "macro"))
    name = repr(model).replace("\n", "").replace("                ", "")[:45]
    print(f"{name:46s}{rank:7.4f}{micro:10.4f}{macro:10.4f}{seconds:9.2f}", flush=True)


def seconds_of_a_fit(model: Any, rows: list[Any], Y: list[Any]) -> float:
    start = time.process_time()
    model.fit(rows[0], Y[0], **held_out(model, rows, Y))
    return time.process_time() - start


def held_out(model: Any, rows: list[Any], Y: list[Any]) -> dict[str, Any]:
    """Ours choose their thresholds on the development part while they fit."""
    ours = type(model).__module__.startswith("rosenblatt")
    return {"X_val": rows[1], "y_val": Y[1]} if ours else {}


if __name__ == "__main__":
    main()
