"""How ``rosenblatt train`` learns unless told otherwise, held against what else it can be told.

On the training parts of public data alone, each cut five times at random into four fifths to learn
from and a fifth to try. Prints the tables of docs/defaults.md. The data are not part of the
project: their folder is the argument, or what ROSENBLATT_DATA says, or data/.
"""

import argparse
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from datasets import DATASETS, Dataset, Part, news
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import rosenblatt
from rosenblatt import TextVectorizer
from rosenblatt.cli.train_plan import AUTO, MARKS
from rosenblatt.models.cross_validation import tried_in_folds
from rosenblatt.models.selection import FOLDS, PASSES, SAMPLE, choose
from rosenblatt.training.validation import Labelled, fold_numbers
from rosenblatt.tuning.search_space import LEARNERS, WORDS

CUTS = range(5)
HELD_OUT = {"early_stopping": True, "n_iter_no_change": 3, "max_iter": 20}
FIXED = {"max_iter": 10}
PENALTIES = (0.1, 1.0, 10.0)
DEFAULT = "as it comes"

SETS = [*DATASETS, Dataset("ag_news", "news, 4 topics", "", TfidfVectorizer, news)]


def training_part(dataset: Dataset, folder: Path) -> Part:
    """The given training part, or four fifths of all, drawn once."""
    (examples, y), test = dataset.read(folder)
    y = np.unique(y, return_inverse=True)[1]
    if test is not None:
        return examples, y
    inside = np.flatnonzero(fold_numbers(y, 5, seed=99) > 0)
    return examples[inside], y[inside]


def features(dataset: Dataset, **words: Any) -> Any:
    """What makes the features that the command line would make; None if examples are features."""
    if dataset.make is None:
        return None
    if dataset.name == "letter":
        return StandardScaler()
    runs = {"ngram_range": (1, 2)}
    if dataset.name == "names_18_languages":
        runs = {"analyzer": "char_wb", "ngram_range": (1, 4)}
    return TextVectorizer(**runs, **words)


def rows(maker: Any, inside: Any, outside: Any) -> tuple[Any, Any]:
    if maker is None:
        return inside, outside
    return maker.fit_transform(inside), maker.transform(outside)


class Cut:
    """One cut of a training part, and what each way to learn comes to on it."""

    def __init__(self, dataset: Dataset, part: Part, seed: int) -> None:
        examples, codes = part
        outside = fold_numbers(codes, 5, seed) == 0
        self.dataset, self.seed = dataset, seed
        self.inside, self.outside = examples[~outside], examples[outside]
        self.codes, self.codes_out = codes[~outside], codes[outside]
        self.X, self.X_out = rows(features(dataset, **WORDS), self.inside, self.outside)

    def default(self) -> dict[str, float]:
        """The accuracy of the default, and the one that it shows."""
        classes = np.arange(self.codes.max() + 1)
        learned = Labelled(self.X, self.codes, classes).sample(SAMPLE, self.seed)
        folds = fold_numbers(learned.codes, FOLDS, self.seed)
        models = [self.model(name, setting) for name, setting in AUTO]
        choice = choose(
            [tried_in_folds(m, learned, folds, PASSES).found for m in models], learned.codes, folds
        )
        name, setting = AUTO[choice.model]
        right = self.score(
            self.model(name, setting | {"max_iter": choice.passes}), self.X, self.X_out
        )
        chosen = f"{name} {setting}, {choice.passes} passes"
        print(f"  {self.dataset.name} {self.seed}: {chosen} {right:.2f}", flush=True)
        return {DEFAULT: right, "shown": 100 - 100 * choice.error}

    def alternatives(self) -> Iterator[tuple[str, float]]:
        """What one learner comes to, its passes chosen on a tenth held out, or ten of them."""
        for name in LEARNERS:
            X, X_out = self.X, self.X_out
            if name == "winnow":
                if self.dataset.name == "letter":
                    continue
                X, X_out = rows(features(self.dataset, **MARKS), self.inside, self.outside)
            for manner, settings in (("tenth held out", HELD_OUT), ("10 passes", FIXED)):
                yield f"{name}, {manner}", self.score(self.model(name, settings), X, X_out)

    def peers(self) -> Iterator[tuple[str, float]]:
        """LinearSVC on words and on words and pairs, where there are words."""
        if self.dataset.make is None or self.dataset.name in ("letter", "names_18_languages"):
            return
        for longest in (1, 2):
            maker = TfidfVectorizer(ngram_range=(1, longest))
            X, X_out = rows(maker, self.inside, self.outside)
            for C in PENALTIES:
                model = LinearSVC(C=C)
                yield f"LinearSVC, C={C:g}, 1-{longest}", self.score(model, X, X_out)

    def model(self, name: str, settings: dict[str, Any]) -> Any:
        learner, parameters = LEARNERS[name]
        return getattr(rosenblatt, learner)(
            shuffle="blocks", random_state=self.seed, **parameters | settings
        )

    def score(self, model: Any, X: Any, X_out: Any) -> float:
        sizes = np.bincount(self.codes)
        known = sizes[self.codes] > 1  # one of a kind cannot be held out; none of ours gets it
        kept = np.flatnonzero(known) if "early_stopping" in model.get_params() else slice(None)
        return 100 * float(model.fit(X[kept], self.codes[kept]).score(X_out, self.codes_out))


def measured(dataset: Dataset, folder: Path) -> dict[str, list[float]]:
    """The accuracy of every way to learn, one for each cut."""
    part, found = training_part(dataset, folder), {}
    for seed in CUTS:
        cut = Cut(dataset, part, seed)
        for name, right in (*cut.default().items(), *cut.alternatives(), *cut.peers()):
            found.setdefault(name, []).append(right)
    return found


def standard_error(numbers: Any) -> float:
    return float(np.std(numbers, ddof=1) / np.sqrt(len(numbers)))


def table(results: dict[str, dict[str, list[float]]]) -> str:
    """A line for every way to learn, a column for every set."""
    names = list(dict.fromkeys(name for found in results.values() for name in found))
    ours = [name for name in names if not name.startswith(("LinearSVC", "shown"))]
    lines = [f"| learner | {' | '.join(results)} | mean |", "|---|" + "---:|" * (len(results) + 1)]
    for name in ours:
        means = [np.mean(found[name]) if name in found else np.nan for found in results.values()]
        cells = ["" if np.isnan(mean) else f"{mean:.2f}" for mean in means]
        lines.append(f"| {name} | {' | '.join(cells)} | {np.mean(means):.2f} |".replace("nan", ""))
    return "\n".join(lines)


def comparison(results: dict[str, dict[str, list[float]]]) -> str:
    """The default beside the best of the others, the error it shows, and LinearSVC."""
    lines = [
        "| data | as it comes | shown | best alternative | above it | LinearSVC | above it |",
        "|---|---:|---:|---|---:|---:|---:|",
    ]
    for name, found in results.items():
        default = np.array(found[DEFAULT])
        others = {
            key: value
            for key, value in found.items()
            if key not in (DEFAULT, "shown") and not key.startswith("LinearSVC")
        }
        best = max(others, key=lambda key: np.mean(others[key]))
        above = default - others[best]
        peers = [value for key, value in found.items() if key.startswith("LinearSVC")]
        peer = max((float(np.mean(value)) for value in peers), default=np.nan)
        lines.append(
            f"| {name} | {default.mean():.2f} ± {standard_error(default):.2f} "
            f"| {np.mean(found['shown']):.2f} | {best} {np.mean(others[best]):.2f} "
            f"| {above.mean():+.2f} ± {standard_error(above):.2f} "
            f"| {peer:.2f} | {default.mean() - peer:+.2f} |".replace("+nan", "").replace("nan", "")
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=os.environ.get("ROSENBLATT_DATA", "data"))
    parser.add_argument("--only", nargs="+", metavar="SET")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    results = {
        dataset.name: measured(dataset, Path(asked.folder))
        for dataset in SETS
        if not asked.only or dataset.name in asked.only
    }
    print(table(results), comparison(results), sep="\n\n")


if __name__ == "__main__":
    main()
