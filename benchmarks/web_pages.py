"""Made-up pages of a crawl: words, lengths, topics and scripts distributed as on the web."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from text import CYRILLIC, SYLLABLES
from workloads import draw, zipf

WORDS = 200_000
TOPICS, OF_A_TOPIC = 40, 3_000
GOOD_TOPICS = 8
"""Topics most of whose pages are wanted; the first ones."""
OWN_SHARE = 0.25
"""Of a page's words, those of its topic."""
LABEL_NOISE = 0.05
CYRILLIC_SHARE = 0.15
"""Of all pages."""
ACCENTED_SHARE = 0.04
"""Of the words of the others."""
MEDIAN_LENGTH, SPREAD, LONGEST = 300, 1.0, 20_000
"""Words of a page: log-normal."""
ACCENTS = str.maketrans("aeou", "áèöü")


@dataclass(frozen=True)
class Pages:
    """Texts, and which of them are wanted."""

    texts: list[str]
    wanted: NDArray[np.bool_]


class Web:
    """Draws pages; the same ones from the same seed."""

    def __init__(self, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        sizes = np.clip(np.log2(np.arange(WORDS) + 4) / 5 + rng.normal(0, 0.7, WORDS), 1, 6)
        plain = ["".join(rng.choice(SYLLABLES, round(size))) for size in sizes]
        accented = rng.random(WORDS) < ACCENTED_SHARE
        latin = [
            word.translate(ACCENTS) if accent else word
            for word, accent in zip(plain, accented, strict=True)
        ]
        self._scripts = [
            np.array(latin, dtype=object),
            np.array([word.translate(CYRILLIC) for word in plain], dtype=object),
        ]
        self._law = zipf(WORDS, exponent=1.05, shift=3.0)
        self._own = rng.choice(WORDS, (TOPICS, OF_A_TOPIC), replace=True)
        self._own_law = zipf(OF_A_TOPIC, exponent=0.9, shift=10.0)

    def pages(self, count: int, seed: int) -> Pages:
        rng = np.random.default_rng(seed)
        topics = rng.integers(0, TOPICS, count)
        wanted = (topics < GOOD_TOPICS) ^ (rng.random(count) < LABEL_NOISE)
        scripts = (rng.random(count) < CYRILLIC_SHARE).astype(int)
        lengths = MEDIAN_LENGTH * rng.lognormal(0, SPREAD, count)
        lengths = np.clip(lengths, 10, LONGEST).astype(int)
        texts = [
            self._page(*each, rng) for each in zip(topics, scripts, lengths.tolist(), strict=True)
        ]
        return Pages(texts, wanted)

    def _page(self, topic: int, script: int, length: int, rng: np.random.Generator) -> str:
        drawn = draw(self._law, length, rng)
        own = np.flatnonzero(rng.random(length) < OWN_SHARE)
        drawn[own] = self._own[topic, draw(self._own_law, len(own), rng)]
        words = self._scripts[script][drawn].tolist()
        sentences = []
        for begin in range(0, length, 17):
            sentence = " ".join(words[begin : begin + 17]).capitalize()
            sentences.append(sentence + (".\n", ".", ", “so”.", '. "No!"')[begin % 4])
        return " ".join(sentences)


def json_lines(pages: Pages, name: str) -> Iterator[str]:
    """As crawls are handed on: an object a line, with what is known of the page beside its text."""
    for k, text in enumerate(pages.texts):
        about = {"url": f"https://www.{name}.example/{k}", "status": 200, "language": "xx"}
        row = {"id": f"{name}-{k}", "wanted": bool(pages.wanted[k]), "meta": about, "text": text}
        yield json.dumps(row, ensure_ascii=False)


def write_shard(path: Path, pages: Pages) -> int:
    """A shard packed by zstd; its bytes before."""
    import zstandard

    data = "".join(f"{line}\n" for line in json_lines(pages, path.name.partition(".")[0])).encode()
    path.write_bytes(zstandard.compress(data, 3))
    return len(data)
