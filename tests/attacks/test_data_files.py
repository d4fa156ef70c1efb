"""Data files that lie, burst or are cut: refused in a sentence, in bounded time and memory."""

import bz2
import contextlib
import gzip
import json
import lzma
import os
import random
import signal
import zlib

import pytest

from command_line import Program, reviews, write_csv
from hostile import in_little_memory
from rosenblatt import Cache, CacheError, cached
from rosenblatt.inputs.errors import InputError
from rosenblatt.readers.cache_files import HEADER
from rosenblatt.readers.opening import HEAD
from rosenblatt.readers.sniffing import by_content
from subprocesses import in_a_child


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Program(capsys, tmp_path)


PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.mark.limits_memory
@pytest.mark.parametrize("ending", PACKERS)
@pytest.mark.parametrize("name", ["bomb.csv", "bomb.svm", "bomb.txt", "bomb.jsonl", "bomb.vw"])
def test_a_packed_file_that_bursts_is_refused(tmp_path, ending, name):
    pieces = {"bomb.csv": b"label,text\n", "bomb.jsonl": b'{"label": "'}
    burst = pieces.get(name, b"1 ") + b"1" * (100 << 20)
    (tmp_path / f"{name}.{ending}").write_bytes(PACKERS[ending](burst))

    ended = in_little_memory("train", f"{name}.{ending}", folder=tmp_path)

    assert ended.returncode == 1, ended.stderr
    assert ended.stderr.startswith("error: ")
    assert ended.stderr.count("\n") == 1


@pytest.mark.limits_memory
def test_what_unpacks_to_more_than_allowed_is_refused(tmp_path):
    (tmp_path / "long.svm.gz").write_bytes(gzip.compress(b"1 1:1\n" * 500_000))

    ended = in_little_memory("check", "long.svm.gz", "--max-unpacked", 1_000_000, folder=tmp_path)

    assert ended.returncode == 1
    assert "unpacks to more than --max-unpacked 1000000" in ended.stderr


@pytest.mark.limits_memory
@pytest.mark.parametrize("name", ["line.csv", "line.svm", "line.txt", "line.jsonl", "line.vw"])
def test_a_line_without_end_is_refused(tmp_path, name):
    """A gigabyte of it, of which little is on the disk."""
    with open(tmp_path / name, "wb") as file:
        file.write(b'{"label": "' if name == "line.jsonl" else b"1 " + b"a" * 100)
        file.seek(1 << 30)
        file.write(b"\n")

    ended = in_little_memory("check", name, folder=tmp_path)

    assert ended.returncode == 1, ended.stderr
    assert ended.stderr.count("\n") <= 1


@pytest.mark.limits_memory
def test_an_index_that_would_fill_the_memory_is_refused(tmp_path):
    (tmp_path / "far.svm").write_text("1 99999999999999:1\n-1 1:1\n")

    assert in_little_memory("train", "far.svm", folder=tmp_path).returncode == 1


def test_damaged_parquet_is_said(program, tmp_path):
    pytest.importorskip("pyarrow")
    write_csv(tmp_path / "films.csv", *reviews(3000))
    program("convert", "films.csv", "films.parquet")
    whole = (tmp_path / "films.parquet").read_bytes()
    dice = random.Random(0)

    codes = set()
    for turn in range(60):
        place = dice.randrange(4, len(whole))
        cut = (
            whole[:place] if turn % 2 else whole[:place] + dice.randbytes(20) + whole[place + 20 :]
        )
        (tmp_path / "cut.parquet").write_bytes(cut)
        ended = program.run("check", "cut.parquet")
        codes.add(ended)
        assert ended in (0, 1)
        assert program.complaint.count("\n") <= 1

    assert 1 in codes


INPUTS = int(os.environ.get("ROSENBLATT_MUTANTS", "20_000")) // 100
WORDS = [
    *("1", "-1", "1:1", "1:", ":1", "qid:1", "1,", ",", ";", "\t", " ", "|", "#", "\n", "\r\n"),
    *("__label__a", "a", "é", "0x1p3", "1e", "+", "{", "[", "]", "}", "%", "@relation x", "\\"),
    *("'", '"'),
]


def first_bytes(dice):
    """What has blown up patterns: words again and again, and something else at the end."""
    text = ""
    while len(text) < HEAD and dice.random() < 0.8:
        piece = "".join(dice.choices(WORDS, k=dice.randint(1, 4)))
        text += piece * dice.choice([1, 2, 30, 1000, HEAD // len(piece)])
    return text.encode()[:HEAD] + dice.choice([b"", b" x", b"\n", b'"', b"\xff"])


def test_the_format_of_any_bytes_is_told_in_little_time():
    """Two seconds of the processor's time; quadratic work on a head would take minutes."""
    dice = random.Random(0)

    def check():
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        for _ in range(INPUTS):
            head = first_bytes(dice)
            signal.setitimer(signal.ITIMER_VIRTUAL, 2)
            with contextlib.suppress(InputError):
                by_content("head", head)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    in_a_child(check)


FORGED = {
    "no labels": lambda facts: facts.pop("classes"),
    "labels in lists": lambda facts: facts["classes"].update(labels=[[1], [2, 3]]),
    "labels that are no sets": lambda facts: facts.update(sets=True),
    "a width that is a word": lambda facts: facts.update(width="x"),
    "a source that is none": lambda facts: facts.update(source=5),
    "objects": lambda facts: facts["arrays"]["learned.values"].update(dtype="O"),
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED.keys())
def test_a_cache_with_a_forged_header_is_made_anew(tmp_path, change):
    (tmp_path / "a.svm").write_text("1 1:1\n-1 2:1\n" * 20)
    whole = cached(tmp_path / "a.svm").X.toarray()
    header = tmp_path / "a.svm.cache" / HEADER
    facts = json.loads(header.read_text().split("\n")[0])
    change(facts)
    text = json.dumps(facts)
    header.write_text(f"{text}\n{zlib.crc32(text.encode())}\n")

    with pytest.raises(CacheError, match="is damaged or incomplete: delete it"):
        Cache.open(tmp_path / "a.svm.cache")

    assert (cached(tmp_path / "a.svm").X.toarray() == whole).all()
