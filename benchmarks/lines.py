"""A file of labelled text lines to a model, and predictions on such lines: CPU time, one thread.

python benchmarks/lines.py [--documents 100000 | --file FILE | --data FOLDER] [--repeat 3]

FILE has lines of fastText's format in random order, of which a fifth are held out. FOLDER holds
public data sets, of which each line is held out once; times are those of the first fifth held out.
"""

import argparse
import csv
import importlib.util
import lzma
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from bench import Bench
from datasets import DATASETS
from measure import one_thread_one_core
from numpy.typing import NDArray
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier
from table import Row, print_head, print_items, print_summary
from text import documents
from workloads import draw, zipf

from rosenblatt import PassiveAggressiveClassifier, TextLines, TextVectorizer, load
from rosenblatt.cli.app import run

DOCUMENTS = {"full": 100_000, "small": 10_000}
PASSES = 5
BITS = 18
"""The default of Vowpal Wabbit, for all that hash."""
PARTS = 5
"""Of the lines, one of which is held out."""


class Files(NamedTuple):
    """The same lines for each, and the number of every label."""

    train: Path
    test: Path
    labels: dict[str, int]

    def for_vw(self, path: Path) -> Path:
        return path.with_suffix(".vw")


class Contender(NamedTuple):
    """How one learns from a file, and how it predicts the labels of another's lines."""

    learn: Callable[[Files], Any]
    predict: Callable[[Any, Files], Any]


def planted(n: int) -> list[str]:
    """Two classes: a tenth of a document's words are its class's own; 3 % of labels turned over."""
    texts = [text[:-1].split() for text in documents(n, seed=2)]
    rng = np.random.default_rng(3)
    known = sorted({word for text in texts for word in text})
    own = rng.choice(np.array(known, dtype=object), (2, 2_000), replace=False)
    law = zipf(own.shape[1], exponent=0.8, shift=5.0)
    labels = rng.integers(0, 2, n)
    for label, text in zip(labels, texts, strict=True):
        places = np.flatnonzero(rng.random(len(text)) < 0.1)
        for place, word in zip(places, draw(law, len(places), rng), strict=True):
            text[place] = own[label, word]
    labels ^= rng.random(n) < 0.03
    return [f"__label__{y} {' '.join(text)}." for y, text in zip(labels, texts, strict=True)]


def public(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Data sets of short texts, their lines in random order."""
    sets = {dataset.name: dataset.read for dataset in DATASETS}
    for name in ("rt_polarity", "sms_spam", "trec_coarse"):
        (texts, labels), rest = sets[name](folder)
        if rest is not None:
            texts, labels = np.append(texts, rest[0]), np.append(labels, rest[1])
        yield name, mixed(zip(labels, texts, strict=True))
    with lzma.open(folder / "ag_news_test/test.csv.xz", "rt", encoding="utf-8") as file:
        yield "ag_news_test", mixed((row[0], " ".join(row[1:])) for row in csv.reader(file))


def mixed(labelled: Iterable[tuple[str, str]]) -> list[str]:
    """As fastText's lines, in random order."""
    lines = [f"__label__{label} {' '.join(text.split())}" for label, text in labelled]
    random.Random(0).shuffle(lines)
    return lines


def write(lines: list[str], folder: Path) -> Files:
    """Four fifths to learn from, the rest held out; the same for Vowpal Wabbit."""
    cut = len(lines) - len(lines) // PARTS
    names = sorted({line.split()[0] for line in lines})
    files = Files(
        folder / "train.txt", folder / "test.txt", {name: k for k, name in enumerate(names)}
    )
    for path, some in ((files.train, lines[:cut]), (files.test, lines[cut:])):
        path.write_text("\n".join(some) + "\n", encoding="utf-8")
        with files.for_vw(path).open("w", encoding="utf-8") as file:
            for line in some:
                label, _, text = line.partition(" ")
                # The same words as everybody's, and none of the signs that are its own.
                words = "".join(c if c.isalnum() else " " for c in text.lower())
                number = files.labels[label]
                file.write(f"{2 * number - 1 if len(names) == 2 else number + 1} |w {words}\n")
    return files


def learn_ours(files: Files, bits: int | None = None) -> Any:
    """With a vocabulary, the default; or hashing without names, as scikit-learn and VW do.

    As it comes, but for the average, the number of passes, the quicker shuffle, lines of length one
    and capital letters, which it keeps, as fastText does.
    """
    batch = TextLines(files.train).whole()
    vectorizer = TextVectorizer(lowercase=False, n_hash_bits=bits, dtype=np.float32)
    if bits is None:
        X = vectorizer.fit_transform(batch.examples)
    else:
        X = vectorizer.fit([]).transform(batch.examples)
    model = PassiveAggressiveClassifier(
        average=True, unit_length=True, max_iter=PASSES, shuffle="blocks", random_state=0
    )
    return vectorizer, model.fit(X, batch.labels)


def predict_ours(fitted: Any, files: Files) -> Any:
    vectorizer, model = fitted
    data = TextLines(files.test)
    return np.concatenate([model.predict(vectorizer.transform(b.examples)) for b in data.batches()])


def learn_by_command(files: Files) -> Any:
    """As `rosenblatt train` comes: tf-idf of words and of pairs of neighbours, what is best."""
    model = files.train.with_suffix(".rbt")
    if run(["train", str(files.train), "--output", str(model), "--force", "--quiet"]):
        raise RuntimeError(f"rosenblatt train could not learn from {files.train}.")
    return [step for _, step in load(model).steps]


def read_lines(path: Path) -> tuple[list[str], list[str]]:
    """Labels and texts, as a script would read them."""
    with path.open(encoding="utf-8") as file:
        pairs = [line.rstrip("\n").split(" ", 1) for line in file]
    return [label for label, _ in pairs], [text for _, text in pairs]


def learn_sklearn(files: Files) -> Any:
    labels, texts = read_lines(files.train)
    vectorizer = HashingVectorizer(n_features=2**BITS)
    model = SGDClassifier(
        loss="perceptron", average=True, learning_rate="constant", eta0=1.0, penalty=None,
        max_iter=PASSES, tol=None, random_state=0,
    )  # fmt: skip
    return vectorizer, model.fit(vectorizer.transform(texts), labels)


def predict_sklearn(fitted: Any, files: Files) -> Any:
    vectorizer, model = fitted
    labels = model.predict(vectorizer.transform(read_lines(files.test)[1]))
    return np.char.replace(labels.astype(str), "__label__", "")


def run_vw(arguments: list[str]) -> None:
    from vowpalwabbit import Workspace

    Workspace(arg_list=["--quiet", *arguments]).finish()


def learn_vw(files: Files) -> Any:
    model, cache = files.train.with_suffix(".model"), files.train.with_suffix(".cache")
    many = ["--oaa", str(len(files.labels))] if len(files.labels) > 2 else []
    run_vw([
        "-d", str(files.for_vw(files.train)), "--loss_function", "hinge", "--sgd", *many, "-b",
        str(BITS), "--holdout_off", "--passes", str(PASSES), "--cache_file", str(cache), "-k",
        "-f", str(model),
    ])  # fmt: skip
    return model


def predict_vw(model: Any, files: Files) -> Any:
    out = files.test.with_suffix(".out")
    run_vw(["-t", "-i", str(model), "-d", str(files.for_vw(files.test)), "-p", str(out)])
    scores = np.loadtxt(out, ndmin=1)
    names = np.char.replace(np.array(list(files.labels)), "__label__", "")
    return names[(scores > 0).astype(int) if len(names) == 2 else scores.astype(int) - 1]


def learn_fasttext(files: Files) -> Any:
    import fasttext

    return fasttext.train_supervised(
        str(files.train), dim=10, epoch=PASSES, thread=1, verbose=0, lr=0.5
    )


def predict_fasttext(model: Any, files: Files) -> Any:
    # Its wrapper for lists of strings does not run with NumPy 2; what it calls does.
    found = model.f.multilinePredict(
        [t + "\n" for t in read_lines(files.test)[1]], 1, 0.0, "strict"
    )
    return np.array([labels[0].removeprefix("__label__") for labels in found[0]])


OURS = {"with a vocabulary": None, "hashed": BITS}

CONTENDERS = {
    **{
        name: Contender(lambda files, bits=bits: learn_ours(files, bits), predict_ours)
        for name, bits in OURS.items()
    },
    "scikit-learn": Contender(learn_sklearn, predict_sklearn),
    "vowpalwabbit": Contender(learn_vw, predict_vw),
    "fasttext": Contender(learn_fasttext, predict_fasttext),
}

PEERS = {"scikit-learn": (20, 3), "vowpalwabbit": (5, 3), "fasttext": (25, 3)}
"""How many times as fast as each we are to learn and to predict."""

BY_COMMAND = {"rosenblatt train": Contender(learn_by_command, predict_ours)}
"""Makes more features, so only its accuracy is compared."""


def labelled(bench: Bench) -> Iterator[Row | str]:
    """Lines of generated text to a model, and to predictions."""
    yield from rows("raw text lines", planted(DOCUMENTS[bench.scale]), bench)


def taking_part() -> dict[str, Contender]:
    return {
        name: contender
        for name, contender in CONTENDERS.items()
        if name in (*OURS, "scikit-learn") or importlib.util.find_spec(name)
    }


def accuracies(lines: list[str]) -> dict[str, float]:
    """The share of right predictions of each, every line but a few left over held out once."""
    contenders = BY_COMMAND | taking_part()
    right = dict.fromkeys(contenders, 0)
    for part in range(PARTS):
        begin = part * len(lines) // PARTS
        with tempfile.TemporaryDirectory() as folder:
            files = write(lines[begin:] + lines[:begin], Path(folder))
            truth = truth_of(files)
            for name, each in contenders.items():
                right[name] += (each.predict(each.learn(files), files) == truth).sum()
    return {name: count / (PARTS * (len(lines) // PARTS)) for name, count in right.items()}


def truth_of(files: Files) -> NDArray[Any]:
    return np.char.replace(np.array(read_lines(files.test)[0]), "__label__", "")


def rows(
    title: str, lines: list[str], bench: Bench, found: dict[str, float] | None = None
) -> Iterator[Row | str]:
    """Time of learning and of predicting, and held-out accuracy, unless that was found."""
    yield f"{title}, us a line"
    there = taking_part()
    with tempfile.TemporaryDirectory() as folder:
        files = write(lines, Path(folder))
        models = {name: cache(partial(each.learn, files)) for name, each in there.items()}
        works: dict[str, Callable[[str], Any]] = {
            "learn, 5 passes": lambda name: there[name].learn(files),
            "predict": lambda name: there[name].predict(models[name](), files),
        }
        truth = truth_of(files)
        counts = len(read_lines(files.train)[0]), len(truth)
        for k, (work, call) in enumerate(works.items()):
            ours = {f"{work}, {name}": partial(call, name) for name in OURS}
            times = bench.times(
                ours, {name: partial(call, name) for name in there if name in PEERS}
            )
            for mine, peer in product(ours, PEERS):
                if peer in there:
                    yield times.row(
                        mine,
                        peer,
                        lambda seconds, k=k: 1e6 * seconds / counts[k],
                        unit="us",
                        at_least=PEERS[peer][k],
                    )
    if found is None:
        found = {name: np.mean(each.result == truth) for name, each in times.items()}
    yield "held-out accuracy: " + ", ".join(f"{name} {share:.4f}" for name, share in found.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--file", type=Path, default=None)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--core", type=int, default=None)
    options = parser.parse_args()
    one_thread_one_core(options.core)
    print_head()
    print_summary(list(print_items(all_rows(options))))


def all_rows(options: argparse.Namespace) -> Iterator[Row | str]:
    bench = Bench("full", options.repeat)
    if options.data:
        for name, lines in public(options.data):
            yield from rows(f"{len(lines)} of {name}", lines, bench, accuracies(lines))
    elif options.file:
        lines = options.file.read_text(encoding="utf-8").splitlines()
        yield from rows(options.file.name, lines, bench)
    else:
        yield from rows("raw text lines", planted(options.documents), bench)


if __name__ == "__main__":
    main()
