"""Made-up crawls: pages, shards of them in every format, and a model that knows good from junk."""

import gzip
import json

import numpy as np
import pyarrow as pa
import zstandard
from pyarrow import parquet
from sklearn.pipeline import make_pipeline

from command_line import reviews
from rosenblatt import AveragedPerceptron, Predictor, TextVectorizer, save


def save_model(path, **parameters):
    """A model of texts that are "good" or "bad"."""
    parameters = {"probabilities": True, "random_state": 0, "max_iter": 3} | parameters
    model = make_pipeline(TextVectorizer(), AveragedPerceptron(**parameters))
    save(model.fit(*reviews(200)), path)
    return str(path)


def pages(count, seed=1):
    """Of which the last one has no end of a line in its file."""
    return [f"{text} – page {k}" for k, text in enumerate(reviews(count, seed)[0])]


def json_lines(texts):
    """Lines as programs write them: escaped or not, with a text of the same name further in."""
    return [
        json.dumps({"id": k, "meta": {"text": [k, None]}, "text": text}, ensure_ascii=bool(k % 2))
        for k, text in enumerate(texts)
    ]


def write_lines(path, lines):
    data = "\n".join(lines).encode()
    pack = {".gz": gzip.compress, ".zst": zstandard.compress}.get(path.suffix, bytes)
    path.write_bytes(pack(data))
    return path


def read_lines(path):
    """As bytes, each with its end."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    elif path.suffix == ".zst":
        data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    return data.splitlines(keepends=True)


def write_crawl(folder, count=300):
    """A shard in each format; the texts of each by its name."""
    folder.mkdir()
    crawl = {}
    for k, ending in enumerate(("jsonl", "jsonl.gz", "jsonl.zst", "txt.gz", "parquet")):
        texts = pages(count + k, seed=k)
        name = f"part-{k}.{ending}"
        if ending == "parquet":
            table = pa.table({"id": range(len(texts)), "text": texts})
            parquet.write_table(table, folder / name, row_group_size=100, compression="zstd")
        else:
            lines = texts if ending.startswith("txt") else json_lines(texts)
            write_lines(folder / name, lines)
        crawl[name] = texts
    return crawl


def probabilities(model, texts, label="good"):
    predictor = Predictor.load(model)
    return predictor.predict_proba(texts)[:, predictor.classes.tolist().index(label)]


def scores(model, texts):
    """Those of "good", the second of two labels."""
    return Predictor.load(model).scores(texts)


def kept_texts(path):
    """The texts of a shard that was written."""
    if path.suffix == ".parquet":
        return parquet.read_table(path)["text"].to_pylist()
    lines = [line.decode().rstrip("\n") for line in read_lines(path)]
    return lines if ".txt" in path.name else [json.loads(line)["text"] for line in lines]


def files_of(folder):
    """All that was written but what belongs to the work itself."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "_rosenblatt" not in path.parts
    }


def where(mask):
    return np.flatnonzero(mask).tolist()
