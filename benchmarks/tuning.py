"""What ``tune`` comes to on public texts, beside scikit-learn's LinearSVC at its best.

On training parts alone, cut as benchmarks/defaults.py cuts them: five times at random into four
fifths to tune and learn on and a fifth to try. LinearSVC takes tf-idf of words, or of words and
pairs, with C of 0.1, 1 or 10: the best of these six is picked with hindsight, by what it comes to
on the fifths; with --characters so is the best of three on runs of one to four characters. Prints
a line for each cut and the table of docs/tuning.md. The data are not part of the project: their
folder is the argument, or what ROSENBLATT_DATA says, or data/.
"""

import argparse
import os
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from datasets import Dataset
from defaults import CUTS, PENALTIES, SETS, standard_error, training_part
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC

from rosenblatt import tune
from rosenblatt.training.validation import fold_numbers

TASKS = (
    *("rt_polarity", "trec_coarse", "trec_fine", "sms_spam", "ag_news", "20newsgroups_4"),
    "names_18_languages",
)
WORDS = {f"words 1-{longest}": {"ngram_range": (1, longest)} for longest in (1, 2)}
CHARACTERS = {"characters 1-4": {"analyzer": "char_wb", "ngram_range": (1, 4)}}

Part = tuple[Any, Any]


def peers(inside: Part, outside: Part, features: dict[str, Any]) -> dict[str, float]:
    """The accuracy of LinearSVC with every setting."""
    found = {}
    for name, runs in features.items():
        maker = TfidfVectorizer(**runs)
        X, X_out = maker.fit_transform(inside[0]), maker.transform(outside[0])
        for C in PENALTIES:
            model = LinearSVC(C=C).fit(X, inside[1])
            found[f"{name}, C={C:g}"] = 100 * float(model.score(X_out, outside[1]))
    print("    ", {name: round(right, 2) for name, right in found.items()}, flush=True)
    return found


def ours(inside: Part, outside: Part, runs: int, seed: int) -> dict[str, float]:
    """The accuracy of what was chosen, the one that was told, and the time it took."""
    begin = time.process_time()
    tuned = tune(list(inside[0]), inside[1], runs=runs, random_state=seed)
    seconds = time.process_time() - begin
    right = 100 * float(tuned.best.score(list(outside[0]), outside[1]))
    told = 100 - 100 * tuned.held_out["error"]
    print(f"  {seed}: {right:.2f}, told {told:.2f}, in {seconds:.1f} s: {tuned.choice}", flush=True)
    return {"tuned": right, "told": told, "seconds": seconds}


def measured(
    dataset: Dataset, folder: Path, runs: int, cuts: list[int], features: dict[str, Any]
) -> dict[str, list[float]]:
    """The accuracy of everything, one for each cut."""
    (examples, codes), found = training_part(dataset, folder), {}
    for seed in cuts:
        out = fold_numbers(codes, 5, seed) == 0
        inside, outside = (examples[~out], codes[~out]), (examples[out], codes[out])
        both = ours(inside, outside, runs, seed) | peers(inside, outside, features)
        for name, value in both.items():
            found.setdefault(name, []).append(value)
    return found


def best_of(found: dict[str, list[float]], names: dict[str, Any]) -> str | None:
    """The setting of LinearSVC that came out best on these features."""
    own = [name for name in found if name.partition(",")[0] in names]
    return max(own, key=lambda name: float(np.mean(found[name])), default=None)


def row(name: str, found: dict[str, list[float]]) -> str:
    tuned = np.array(found["tuned"])
    cells = [name, f"{tuned.mean():.2f}", f"{np.mean(found['told']):.2f}"]
    for names in (WORDS, CHARACTERS):
        peer = best_of(found, names)
        if peer is None:
            continue
        above = tuned - found[peer]
        cells.append(f"{peer} {np.mean(found[peer]):.2f}")
        cells.append(f"{above.mean():+.2f} ± {standard_error(above):.2f}")
    cells.append(f"{np.mean(found['seconds']):.0f}")
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=os.environ.get("ROSENBLATT_DATA", "data"))
    parser.add_argument("--only", nargs="+", metavar="SET")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--cuts", type=int, nargs="+", default=[*CUTS])
    parser.add_argument("--characters", action="store_true")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    features = WORDS | (CHARACTERS if asked.characters else {})
    peer_heads = ["LinearSVC, words", "above it"] + ["characters", "above it"] * asked.characters
    heads = ["data", "tuned", "told", *peer_heads, "CPU s"]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for dataset in SETS:
        if dataset.name in (asked.only or TASKS):
            found = measured(dataset, Path(asked.folder), asked.runs, asked.cuts, features)
            lines.append(row(dataset.name, found))
            print(lines[-1], flush=True)
    print("", *lines, sep="\n")


if __name__ == "__main__":
    main()
