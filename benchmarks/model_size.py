"""Model files of twenty classes of words and pairs: bytes, and seconds to load them.

python benchmarks/model_size.py OTHER/src, where OTHER is another version with its native modules,
sets both side by side: each writes and loads the files of the same training. With `small` in its
place the files that shrink makes: bytes, memory of a loaded Predictor and the most that loading
took, seconds to load, and microseconds for a text.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

CLASSES, POSTS, TOKENS, WORDS = 20, 6_000, 90, 30_000
REPEATS = 5
HEADS = ("model", "then MB", "now MB", "ratio", "load then", "load now", "ratio")


def posts() -> tuple[list[str], list[str]]:
    """Words by Zipf's law, a third of them from the two hundred that a class has to itself."""
    rng = np.random.default_rng(0)
    chances = 1 / (np.arange(WORDS) + 2.7)
    own = rng.choice(WORDS, (CLASSES, 200))
    labels = rng.integers(0, CLASSES, POSTS)
    texts = []
    for label in labels:
        columns = rng.choice(WORDS, TOKENS, p=chances / chances.sum())
        is_own = rng.random(TOKENS) < 0.2
        columns[is_own] = rng.choice(own[label], is_own.sum())
        texts.append(" ".join(spelled(int(column)) for column in columns))
    return texts, [f"group {label}" for label in labels]


def spelled(number: int) -> str:
    """A word for a number: frequent ones are short."""
    syllables = ["ba", "re", "ti", "no", "lus", "men", "tar", "vel", "qui", "son", "der", "pha"]
    word = syllables[number % 12]
    while number := number // 12:
        word += syllables[number % 12]
    return word


def models() -> dict[str, Any]:
    """The pipelines to fit."""
    from sklearn.pipeline import make_pipeline

    from rosenblatt import (
        AROW,
        AveragedPerceptron,
        PassiveAggressiveClassifier,
        Perceptron,
        TextVectorizer,
        Winnow,
    )

    pairs = {"ngram_range": (1, 2)}
    weighed = pairs | {"use_idf": True, "sublinear_tf": True, "norm": "l2"}
    few = {"max_iter": 3, "random_state": 0}
    made = {
        "averaged, counts": (pairs, AveragedPerceptron(**few)),
        "averaged, tf-idf": (weighed, AveragedPerceptron(**few)),
        "averaged, 20 hashed bits": (weighed | {"n_hash_bits": 20}, AveragedPerceptron(**few)),
        "perceptron, counts": (pairs, Perceptron(**few)),
        "PA-I, tf-idf": (weighed, PassiveAggressiveClassifier(**few)),
        "AROW, tf-idf": (weighed, AROW(**few)),
        "Winnow, words there or not": (pairs | {"binary": True}, Winnow(**few)),
        "averaged, words alone": ({}, AveragedPerceptron(**few)),
    }
    return {
        name: make_pipeline(TextVectorizer(**words), model) for name, (words, model) in made.items()
    }


def write(folder: Path) -> None:
    """Fit and save all of them."""
    from rosenblatt import save

    texts, labels = posts()
    for number, model in enumerate(models().values()):
        save(model.fit(texts, labels), folder / f"{number}.rbt")


def read(folder: Path) -> None:
    """Print how many seconds each file takes to load, at least."""
    from rosenblatt import load

    seconds = []
    for number in range(len(models())):
        taken = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            load(folder / f"{number}.rbt")
            taken.append(time.perf_counter() - start)
        seconds.append(min(taken))
    print(json.dumps(seconds))


def ask(what: str, folder: Path, package: str | None) -> str:
    """Let a version of the package do one of these in a process of its own."""
    environment = os.environ | ({} if package is None else {"PYTHONPATH": package})
    command = [sys.executable, __file__, what, str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def compare(other: str) -> None:
    """A line for each model."""
    with tempfile.TemporaryDirectory() as temporary:
        folders = {other: Path(temporary, "then"), None: Path(temporary, "now")}
        for package, folder in folders.items():
            folder.mkdir()
            ask("write", folder, package)
        seconds = [
            np.min([json.loads(ask("read", folder, package)) for _ in range(2)], axis=0)
            for package, folder in folders.items()
        ]
        print(f"{HEADS[0]:28}" + "".join(f"{head:>11}" for head in HEADS[1:]))
        for number, name in enumerate(models()):
            sizes = [(folder / f"{number}.rbt").stat().st_size for folder in folders.values()]
            before, after = (each[number] for each in seconds)
            cells = [f"{size / 1e6:.1f}" for size in sizes] + [f"{sizes[0] / sizes[1]:.1f}"]
            cells += [f"{before:.3f} s", f"{after:.3f} s", f"{before / after:.1f}"]
            print(f"{name:28}" + "".join(f"{cell:>11}" for cell in cells))


SMALL: dict[str, dict[str, Any]] = {
    "shrink": {},
    "float16": {"precision": "float16"},
    "int8": {"precision": "int8"},
    "int8, half the bytes": {"precision": "int8", "max_size": 1},
}


def small() -> None:
    """A table for two of the models."""
    from rosenblatt import save, shrink

    texts, labels = posts()
    for name in ("averaged, tf-idf", "averaged, 20 hashed bits"):
        model = models()[name].fit(texts, labels)
        print(
            f"{name:28}" + "".join(f"{head:>11}" for head in ("MB", "held", "peak", "load", "one"))
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.rbt")
            save(model, path)
            tell(name=f"save, {model[-1].coef_.size:,} weights", path=path)
            for kind, how in SMALL.items():
                if "max_size" in how:
                    how = how | {"max_size": path.stat().st_size // 2}
                shrink(model, path, **how)
                tell(name=kind, path=path)


def tell(name: str, path: Path) -> None:
    """A line, measured in a process of its own."""
    print(
        f"{name:28}{path.stat().st_size / 1e6:11.2f}" + ask("hold", path, None), end="", flush=True
    )


def hold(path: Path) -> None:
    """Print what a loaded model holds and most held, in MB, and how long it takes."""
    import tracemalloc

    from rosenblatt import Predictor

    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        Predictor.load(path)
        seconds.append(time.perf_counter() - start)
    tracemalloc.start()
    model = Predictor.load(path)
    model.predict(["bare noti lusmen"])
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    one = []
    for _ in range(200):
        start = time.perf_counter()
        model.predict(["bare noti lusmen tarvel quison"])
        one.append(time.perf_counter() - start)
    print(f"{held / 1e6:11.1f}{peak / 1e6:11.1f}{min(seconds):11.2f}{np.median(one) * 1e6:11.0f}")


if __name__ == "__main__":
    if sys.argv[1] == "small":
        small()
    elif sys.argv[1] == "hold":
        hold(Path(sys.argv[2]))
    elif sys.argv[1] in ("write", "read"):
        {"write": write, "read": read}[sys.argv[1]](Path(sys.argv[2]))
    else:
        compare(sys.argv[1])
