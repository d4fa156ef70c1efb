"""Data files that lie, burst or are cut: refused in a sentence, in bounded time and memory."""

import bz2
import contextlib
import gzip
import json
import lzma
import os
import random
import signal
import tracemalloc
import zlib
from pathlib import Path

import pytest

from command_line import Program, reviews, write_csv
from hostile import in_little_memory
from hostile import program as program_in
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
    *("'", '"', "[" * 5000, "[" + "1" * 5000, '{"a":' * 500),
]


def first_bytes(dice):
    """What has blown up patterns: words again and again, and something else at the end."""
    text = ""
    while len(text) < HEAD and dice.random() < 0.8:
        piece = "".join(dice.choices(WORDS, k=dice.randint(1, 4)))[:HEAD]
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


DEEP, LONG = "[" * 100_000, "[" + "1" * 5000 + "]"
TELLING = [json.dumps({"label": ["a"], "text": "good film"}) for _ in range(30)]
NESTED = {
    "format": ("deep.txt", [DEEP]),
    "digits": ("long.txt", [LONG]),
    "objects": ("deep.txt", ['{"a":' * 100_000]),
    "a value": ("deep.jsonl", [*TELLING, f'{{"label": {DEEP}'], "expected JSON that is not nested"),
    "a number": ("long.jsonl", [*TELLING, f'{{"label": {LONG}}}'], "a number of too many digits"),
    "a cell": ("deep.csv", ["label,text", *['"[""a""]",good'] * 30, f"{DEEP},bad"], "a JSON list"),
    "its digits": ("long.csv", ["label,text", *['"[""a""]",b'] * 30, f"{LONG},c"], "JSON list"),
}


@pytest.mark.parametrize("spoilt", NESTED.values(), ids=NESTED.keys())
def test_json_that_nests_or_counts_without_end_ends_in_a_sentence(program, tmp_path, spoilt):
    name, lines, *said = spoilt
    (tmp_path / name).write_text("\n".join(lines) + "\n")
    several = ["--label", "label", "--several-labels"] if said else []

    assert program.run("check", name, *several) in (0, 1)
    complaint = program.complains("train", name, *several, "--quiet", code=1)

    for part in [*said, "error: "]:
        assert part in complaint
    assert complaint.count("\n") == 1
    assert "4300" not in complaint


def test_a_label_may_begin_as_a_list_that_nests(program):
    Path("deep.jsonl").write_text(
        "\n".join([*TELLING, json.dumps({"label": "[" * 2000, "text": "bad"})])
    )

    program("train", "deep.jsonl", "--several-labels", "--label", "label", "--quiet")


@pytest.mark.parametrize("depth", [150, 199, 201, 900, 940, 960, 980, 1000])
def test_json_that_nests_is_read_or_refused_wherever_it_is_looked_at(program, depth):
    lines = [{"label": "ab"[k % 2], "text": "good"} for k in range(20)]
    texts = [json.dumps(line)[:-1] + f', "x": {"[" * depth}{"]" * depth}}}' for line in lines]
    Path("deep.jsonl").write_text("\n".join(texts) + "\n")

    assert program.run("train", "deep.jsonl", "--folds", 0) == int(depth > 199)


FORGED = {
    "no labels": lambda facts: facts.pop("classes"),
    "labels in lists": lambda facts: facts["classes"].update(labels=[[1], [2, 3]]),
    "labels that are no sets": lambda facts: facts.update(sets=True),
    "a width that is a word": lambda facts: facts.update(width="x"),
    "a source that is none": lambda facts: facts.update(source=5),
    "objects": lambda facts: facts["arrays"]["learned.values"].update(dtype="O"),
    "labels of a megabyte": lambda facts: facts["classes"].update(
        dtype="<U65536", labels=[f"{k:05}" for k in range(1000)]
    ),
    "sets with one of a megabyte": lambda facts: facts.update(
        sets=True,
        classes={
            "dtype": "<U60000",
            "labels": [json.dumps(["a" * 20_000, *map(str, range(5_000))])],
        },
    ),
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

    tracemalloc.start()
    with pytest.raises(CacheError, match="is damaged or incomplete: delete it"):
        Cache.open(tmp_path / "a.svm.cache")
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert taken < 64 << 20

    assert (cached(tmp_path / "a.svm").X.toarray() == whole).all()


@pytest.mark.parametrize("name", [HEADER, "learned.values", "learned.labels"])
@pytest.mark.parametrize("kind", ["fifo", "link to a device", "folder"])
def test_a_pipe_in_the_place_of_a_file_of_a_cache_is_not_waited_for(tmp_path, name, kind):
    (tmp_path / "a.svm").write_text("1 1:1\n-1 2:1\n" * 20)
    whole = cached(tmp_path / "a.svm").X.toarray()
    spoilt = tmp_path / "a.svm.cache" / name
    spoilt.unlink()
    make = {"fifo": os.mkfifo, "link to a device": lambda path: path.symlink_to("/dev/zero")}
    make.get(kind, os.mkdir)(spoilt)

    def check():
        with pytest.raises(CacheError, match=r"is damaged or incomplete|is not a cache"):
            Cache.open(tmp_path / "a.svm.cache")
        try:
            return (cached(tmp_path / "a.svm").X.toarray() == whole).all()
        except ValueError as error:
            return "is there and is not a cache: name another path" in str(error)

    assert in_a_child(check)


@pytest.mark.skipif(not os.path.exists("/proc/kmsg"), reason="a file that waits, of Linux")
def test_a_file_that_has_the_reader_wait_does_not(tmp_path):
    """What the kernel says next, and calls a plain file."""
    (tmp_path / "mail" / "spam").mkdir(parents=True)
    (tmp_path / "mail" / "spam" / "1.txt").symlink_to("/proc/kmsg")

    ended = program_in("check", "mail", folder=tmp_path)

    assert ended.returncode in (0, 1)
    assert "Traceback" not in ended.stderr
