"""From raw shards to a kept tenth: rosenblatt filter beside scripts with fastText and scikit-learn.

python benchmarks/corpora.py [--megabytes 100] [--data FOLDER]

Each side learns from the same labelled pages, scores the same shards of JSON lines packed by zstd
and keeps the tenth that scores highest, in a process of its own; all of it twice, in turn. Times
are CPU times, the least of two. FOLDER has public sets, of which only the rows kept are told.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from measure import THREADS, processor

if TYPE_CHECKING:
    from web_pages import Pages

SHARE = 0.1
LABELLED = 3_000
"""Pages that a person has judged."""
SHARDS = 4
PAGE = 3_700
"""Bytes of a page in a shard, about."""
BATCH = 1_000
"""Texts that the script with scikit-learn scores together."""


def labelled_lines(folder: Path) -> tuple[list[str], list[str]]:
    with (folder / "labelled.txt").open(encoding="utf-8") as file:
        pairs = [line.rstrip("\n").split(" ", 1) for line in file]
    return [label for label, _ in pairs], [text for _, text in pairs]


def shard_lines(folder: Path) -> Iterator[tuple[Path, str]]:
    """Every line of every shard, as a script would read them."""
    import zstandard

    for path in sorted((folder / "raw").iterdir()):
        with zstandard.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                yield path, line


def write_kept(folder: Path, out: Path, scores: list[float]) -> None:
    """A second walk, which keeps the lines from the quantile on."""
    import zstandard

    cut = np.sort(scores)[-int(np.ceil(SHARE * len(scores)))]
    files: dict[Path, Any] = {}
    for (path, line), score in zip(shard_lines(folder), scores, strict=True):
        if path not in files:
            files[path] = zstandard.open(out / path.name, "wt", encoding="utf-8")
        if score >= cut:
            files[path].write(line)
    for file in files.values():
        file.close()


# ---- the sides: each learns a file of a model, and keeps a tenth by it


def learn_ours(folder: Path, model: Path, **words: Any) -> None:
    from sklearn.pipeline import make_pipeline

    from rosenblatt import AveragedPerceptron, TextLines, TextVectorizer, save

    batch = TextLines(folder / "labelled.txt").whole()
    vectorizer = TextVectorizer(norm="l2", **words)
    pipeline = make_pipeline(vectorizer, AveragedPerceptron(random_state=0))
    save(pipeline.fit(batch.examples, batch.labels), model)


def keep_ours(folder: Path, model: Path, out: Path) -> None:
    from rosenblatt import filter_shards

    filter_shards(model, folder / "raw", out, label="good", keep_top=SHARE)


def learn_fasttext(folder: Path, model: Path) -> None:
    import fasttext

    lines = str(folder / "labelled.txt")
    learned = fasttext.train_supervised(lines, wordNgrams=2, lr=0.5, verbose=0)
    learned.save_model(str(model))


def keep_fasttext(folder: Path, model: Path, out: Path) -> None:
    import fasttext

    fasttext.FastText.eprint = lambda *_: None
    predict = fasttext.load_model(str(model)).f.predict  # its wrapper fails with NumPy 2
    scores = []
    for _, line in shard_lines(folder):
        text = json.loads(line)["text"].replace("\n", " ")
        ((probability, label),) = predict(text + "\n", 1, 0.0, "strict")
        scores.append(probability if label == "__label__good" else 1.0 - probability)
    write_kept(folder, out, scores)


def learn_sklearn(folder: Path, model: Path) -> None:
    import joblib
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.linear_model import SGDClassifier
    from sklearn.pipeline import make_pipeline

    labels, texts = labelled_lines(folder)
    learner = SGDClassifier(random_state=0)
    pipeline = make_pipeline(HashingVectorizer(n_features=2**18), learner)
    joblib.dump(pipeline.fit(texts, labels), model)


def keep_sklearn(folder: Path, model: Path, out: Path) -> None:
    import joblib

    pipeline, texts, scores = joblib.load(model), [], []

    def score() -> None:
        scores.extend(pipeline.decision_function(texts).tolist())
        texts.clear()

    for _, line in shard_lines(folder):
        texts.append(json.loads(line)["text"])
        if len(texts) == BATCH:
            score()
    if texts:
        score()
    write_kept(folder, out, scores)


def merely_read(folder: Path, model: Path, out: Path) -> None:
    import zstandard

    room = bytearray(1 << 20)
    for path in sorted((folder / "raw").iterdir()):
        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as reader:
            while reader.readinto(room):
                pass


@dataclass(frozen=True)
class Side:
    learn: Callable[[Path, Path], None]
    keep: Callable[[Path, Path, Path], None]


SIDES = {
    "rosenblatt, words": Side(partial(learn_ours, n_hash_bits=18), keep_ours),
    "rosenblatt, words and pairs": Side(
        partial(learn_ours, n_hash_bits=20, ngram_range=(1, 2)), keep_ours
    ),
    "fastText, words and pairs": Side(learn_fasttext, keep_fasttext),
    "scikit-learn, words": Side(learn_sklearn, keep_sklearn),
    "merely reading and unpacking": Side(lambda *_: None, merely_read),
}


def do(name: str, step: str, *paths: Path) -> None:
    """One step in this process; prints what it took."""
    work: Callable[..., None] = getattr(SIDES[name], step)
    begun = time.process_time()
    work(*paths)
    seconds = time.process_time() - begun
    status = Path("/proc/self/status").read_text()  # getrusage tells the parent's peak, too
    peak = 1024 * int(status.split("VmHWM:")[1].split()[0])
    print(json.dumps({"seconds": seconds, "peak": peak}))


# ---- what came of it


@dataclass
class Outcome:
    """The better of two runs, and how alike they were."""

    learning: float
    keeping: float
    peak: int
    model: int
    kept: list[dict[str, bytes]]

    def alike(self) -> str:
        first, second = ({*b"".join(each.values()).splitlines()} for each in self.kept)
        same = self.kept[0] == self.kept[1]
        return "yes" if same else f"{len(first & second) / max(1, len(first | second)):.1%}"

    def good(self) -> float:
        """The share of the kept rows that are wanted."""
        rows = [json.loads(row) for row in b"".join(self.kept[0].values()).splitlines()]
        return float(np.mean([row["wanted"] for row in rows])) if rows else float("nan")


def run(name: str, step: str, *paths: Path) -> dict[str, Any]:
    environment = os.environ | dict.fromkeys(THREADS, "1")
    command = [sys.executable, __file__, "--do", name, step, *map(str, paths)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def kept_rows(out: Path) -> dict[str, bytes]:
    import zstandard

    unpacked = {}
    for path in sorted(out.glob("*.zst")):
        with zstandard.open(path, "rb") as file:
            unpacked[path.name] = file.read()
    return unpacked


def outcomes(folder: Path, turns: int) -> dict[str, Outcome]:
    found: dict[str, Outcome] = {}
    for turn in range(turns):
        for name in SIDES:
            model, out = folder / f"{turn}.model", folder / f"{turn} {name}"
            out.mkdir()
            learned, kept = run(name, "learn", folder, model), run(name, "keep", folder, model, out)
            size = model.stat().st_size if model.exists() else 0
            best = found.setdefault(name, Outcome(np.inf, np.inf, 0, size, []))
            best.learning = min(best.learning, learned["seconds"])
            best.keeping = min(best.keeping, kept["seconds"])
            best.peak = max(best.peak, kept["peak"])
            best.kept.append(kept_rows(out))
            model.unlink(missing_ok=True)
    return found


def put(folder: Path, labelled: "Pages", raw: list["Pages"]) -> int:
    """What all sides are given; the bytes of the shards before they were packed."""
    from web_pages import write_shard

    with (folder / "labelled.txt").open("w", encoding="utf-8") as file:
        for text, good in zip(labelled.texts, labelled.wanted, strict=True):
            file.write(f"__label__{'good' if good else 'bad'} {' '.join(text.split())}\n")
    (folder / "raw").mkdir()
    return sum(write_shard(folder / f"raw/part-{k}.jsonl.zst", each) for k, each in enumerate(raw))


def generated(megabytes: float) -> tuple["Pages", list["Pages"]]:
    from web_pages import Web  # here, since what it imports is no part of a side

    web = Web()
    count = round(1e6 * megabytes / PAGE / SHARDS)
    return web.pages(LABELLED, 99), [web.pages(count, seed) for seed in range(SHARDS)]


def public(folder: Path) -> Iterator[tuple[str, "Pages", list["Pages"]]]:
    """Two fifths of a set to learn from, the rest as raw pages; of four subjects one is wanted."""
    from lines import public as labelled_sets
    from web_pages import Pages

    for name, lines in labelled_sets(folder):
        wanted = {"rt_polarity": "pos", "ag_news_test": "3"}.get(name)
        if wanted is None:
            continue
        pairs = [line.split(" ", 1) for line in lines]
        good = np.array([label == f"__label__{wanted}" for label, _ in pairs])
        texts, cut = [text for _, text in pairs], 2 * len(pairs) // 5
        yield name, Pages(texts[:cut], good[:cut]), [Pages(texts[cut:], good[cut:])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=100.0)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--do", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.do:
        name, step, *paths = options.do
        do(name, step, *map(Path, paths))
        return
    good: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        size = put(Path(folder), *generated(options.megabytes))
        found = outcomes(Path(folder), turns=2)
        good["generated"] = {name: each.good() for name, each in found.items()}
    for name, *given in public(options.data) if options.data else ():
        with tempfile.TemporaryDirectory() as folder:
            put(Path(folder), *given)
            kept = outcomes(Path(folder), turns=1)
            good[name] = {side: each.good() for side, each in kept.items()}
    print_table(found, size, good)


def print_table(found: dict[str, Outcome], size: int, good: dict[str, dict[str, float]]) -> None:
    """Markdown."""
    heads = ["", "learn", "keep a tenth", "peak memory", "model", "same twice"]
    heads += [f"good of kept: {name}" for name in good]
    print(f"{size / 1e6:.0f} MB of JSON lines, {processor()}, load {os.getloadavg()[0]:.1f}\n")
    print("| " + " | ".join(heads) + " |")
    print("| --- |" + " ---: |" * (len(heads) - 1))
    for name, each in found.items():
        cells = [name, f"{each.learning:.1f} s", f"{size / 1e6 / each.keeping:.0f} MB/s"]
        cells += [f"{each.peak / 1e6:.0f} MB", f"{each.model / 1e6:.1f} MB"]
        if SIDES[name].keep is merely_read:
            cells[1:2], cells[4:] = ["–"], ["–"] * (2 + len(good))
        else:
            cells += [each.alike(), *(f"{100 * shares[name]:.1f} %" for shares in good.values())]
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
