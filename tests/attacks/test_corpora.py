"""Shards, and folders of earlier filterings, from strangers: refused in a sentence, or harmless."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from command_line import on_a_terminal
from crawls import files_of, json_lines, pages, save_model, write_crawl, write_lines
from hostile import EVIL, OBEYED, bare, in_little_memory, program, with_little_room
from rosenblatt import InputError, filter_shards

KEPT = "what its owner wants to keep"
TOP = {"label": "good", "keep_top": "30%"}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A model, two shards, and what was kept of them."""
    folder = tmp_path_factory.mktemp("finished")
    save_model(folder / "m.rbt")
    (folder / "crawl").mkdir()
    for name in "ab":
        write_lines(folder / "crawl" / f"{name}.jsonl", json_lines(pages(40, seed=ord(name))))
    filter_shards(folder / "m.rbt", folder / "crawl", folder / "kept", **TOP)
    return folder


@pytest.fixture
def folder(finished, tmp_path, monkeypatch):
    """The same, to be changed."""
    copy = shutil.copytree(finished, tmp_path / "copy")  # with the times of the files
    monkeypatch.chdir(copy)
    return copy


def words(shards, *how, to="other"):
    """A filtering on the command line."""
    return ["filter", "m.rbt", shards, "-o", to, "--label", "good", *how]


def go_on():
    return filter_shards("m.rbt", "crawl", "kept", **TOP)


def told(name, **changes):
    """A record with some of its facts changed, as bytes of JSON."""
    facts = json.loads(Path("kept/_rosenblatt", f"{name}.json").read_text())
    return json.dumps(facts | changes).encode()


def tally(**changes):
    facts = json.loads(Path("kept/_rosenblatt/a.jsonl.kept.json").read_text())["tally"]
    return told("a.jsonl.kept", tally=facts | changes)


FORGED = {
    "settings in a list": ("settings", lambda: b"[]"),
    "names that are none": ("shards", lambda: b'["a.jsonl", "b.jsonl", 3]'),
    "a record in a list": ("a.jsonl.kept", lambda: b"[]"),
    "an empty record": ("a.jsonl.kept", lambda: b"{}"),
    "more in a record": ("a.jsonl.kept", lambda: told("a.jsonl.kept", path="victim")),
    "no shard": ("a.jsonl.kept", lambda: told("a.jsonl.kept", shard=1)),
    "no tally": ("a.jsonl.kept", lambda: told("a.jsonl.kept", tally=5)),
    "more in a tally": ("a.jsonl.kept", lambda: tally(path="victim")),
    "fewer than none": ("a.jsonl.kept", lambda: tally(rows=-1)),
    "too many": ("a.jsonl.kept", lambda: tally(kept=10**4000)),
    "a word for a number": ("a.jsonl.kept", lambda: tally(malformed="few")),
    "other bins": ("a.jsonl.kept", lambda: tally(histogram=[1] * 7)),
    "faults of another kind": ("a.jsonl.kept", lambda: tally(faults=[[1, 2, 3]])),
    "too many faults": ("a.jsonl.kept", lambda: tally(faults=[[1, ""]] * 11)),
    "no cut": ("cut", lambda: b"{}"),
    "a cut that is no number": ("cut", lambda: told("cut", score="zz")),
    "a cut that is not a number": ("cut", lambda: told("cut", score="nan")),
    "too few levels": ("cut", lambda: told("cut", level=[1])),
    "levels without end": ("cut", lambda: told("cut", level=[float("inf"), 1])),
    "brackets": ("cut", lambda: b"[" * 100_000),
    "no UTF-8": ("cut", lambda: b"\xff\xfe"),
    "digits": ("cut", lambda: b"1" * 5000),
}


@pytest.mark.parametrize(("record", "content"), FORGED.values(), ids=FORGED.keys())
def test_a_forged_record_is_refused_and_nothing_is_written(folder, record, content):
    Path("kept/_rosenblatt", f"{record}.json").write_bytes(content())
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    with pytest.raises(InputError, match=rf"{record}\.json is damaged, or not from filter: choo"):
        go_on()

    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_record_that_is_too_large_is_not_read(folder):
    with open("kept/_rosenblatt/cut.json", "wb") as file:
        file.truncate(1 << 40)

    with pytest.raises(InputError, match=r"cut\.json is damaged, or not from filter"):
        go_on()


def test_a_pipe_in_the_place_of_a_record_is_not_waited_for(folder):
    Path("kept/_rosenblatt/cut.json").unlink()
    os.mkfifo("kept/_rosenblatt/cut.json")

    with pytest.raises(InputError, match=r"cut\.json is damaged, or not from filter"):
        go_on()


@pytest.mark.parametrize(
    "place", ["a.jsonl", "_rosenblatt/summary.json", "_rosenblatt/a.jsonl.scores", "_rosenblatt"]
)
def test_no_link_leads_out_of_the_folder(folder, place):
    victim = folder / "victim"
    link = Path("kept", place)
    if place == "_rosenblatt":
        link.rename(victim)
        before = files_of(victim)
    else:
        victim.write_text(KEPT)
        link.unlink(missing_ok=True)
        Path("kept/_rosenblatt/a.jsonl.kept.json").unlink()
    link.symlink_to(victim)

    with pytest.raises(OSError, match="It leads out of the folder by a link"):
        go_on()

    assert files_of(victim) == before if victim.is_dir() else victim.read_text() == KEPT


def test_drafts_are_removed_in_the_folder_alone(folder):
    (folder / "victim").mkdir()
    draft = ".a.jsonl.0123456789ab.part"
    for place in ("victim", "kept", "kept/_rosenblatt"):
        Path(place, draft).write_text(KEPT)
    Path("kept/.notes.part").write_text(KEPT)
    Path("kept/_rosenblatt/more").mkdir()
    Path("kept/more").symlink_to(folder / "victim")

    go_on()

    assert [path.parent.name for path in folder.rglob(draft)] == ["victim"]
    assert Path("kept/.notes.part").exists()


def test_a_file_that_lies_in_the_place_of_a_new_shard_is_not_written_over(folder):
    filter_shards("m.rbt", "crawl", "good", label="good", min_score=0)
    write_lines(Path("crawl/c.jsonl"), json_lines(pages(3)))
    Path("good/c.jsonl").write_text(KEPT)

    with pytest.raises(OSError, match="It is there already, and not from filter"):
        filter_shards("m.rbt", "crawl", "good", label="good", min_score=0)

    assert Path("good/c.jsonl").read_text() == KEPT


def test_pipes_and_devices_are_no_shards(folder):
    os.mkfifo("crawl/pipe.jsonl")

    for shards in ("crawl", "crawl/pipe.jsonl", "/dev/zero"):
        with pytest.raises(InputError, match="is no plain file, and a shard is read more than on"):
            filter_shards("m.rbt", shards, "other", label="good", min_score=0)

    assert not Path("other").exists()


def test_a_pipe_in_the_place_of_an_output_stays_what_it_is(folder):
    Path("kept/a.jsonl").unlink()
    os.mkfifo("kept/a.jsonl")

    with pytest.raises(OSError, match="not a plain file"):
        go_on()

    assert stat.S_ISFIFO(Path("kept/a.jsonl").stat().st_mode)


def test_what_was_kept_is_no_shard_of_the_folder_that_it_lies_in(folder):
    first = filter_shards("m.rbt", "crawl", "crawl/kept", label="good", min_score=0)
    before = files_of(folder)

    again = filter_shards("m.rbt", "crawl", "crawl/kept", label="good", min_score=0)

    assert again.facts() == first.facts()
    assert files_of(folder) == before


def test_no_shard_takes_the_place_of_a_record(folder):
    Path("_rosenblatt").mkdir()
    write_lines(Path("_rosenblatt/cut.jsonl"), json_lines(pages(3)))

    with pytest.raises(InputError, match="would lie among the records: rename _rosenblatt"):
        filter_shards(
            "m.rbt", ["_rosenblatt/cut.jsonl", "crawl"], "other", label="good", min_score=0
        )


def test_a_kept_shard_that_was_removed_is_made_again_of_the_cut(folder):
    before = files_of(folder / "kept")
    Path("kept/a.jsonl").unlink()

    summary = go_on()

    assert files_of(folder / "kept") == before
    assert summary.kept == 24


# Bombs


def packed_line(path, begin, megabytes):
    with path.open("wb") as file, zstandard.ZstdCompressor().stream_writer(file) as packer:
        packer.write(begin)
        for _ in range(megabytes):
            packer.write(b"a" * (1 << 20))


@pytest.mark.limits_memory
@pytest.mark.parametrize("name", ["bomb.jsonl.zst", "bomb.txt.zst"])
def test_a_packed_line_that_bursts_is_malformed(folder, name):
    packed_line(folder / name, b'{"text": "' if "json" in name else b"", 1000)

    ended = in_little_memory(*words(name, "--min-score", 0), folder=folder)

    assert ended.returncode == 1, ended.stderr
    assert f"{name}, line 1: the line is longer than 33554432 bytes" in ended.stderr
    assert "No row of the shards can be read" in ended.stderr


@pytest.mark.limits_memory
def test_a_text_that_stands_in_many_rows_is_in_memory_once(folder):
    places = pa.array(np.zeros(300, np.int32))
    column = pa.DictionaryArray.from_arrays(places, pa.array(["a " * 4_000_000]))
    parquet.write_table(pa.table({"text": column}), "bomb.parquet", compression="zstd")

    ended = in_little_memory(*words("bomb.parquet", "--min-score", 9), folder=folder)

    assert ended.returncode == 0, ended.stderr
    assert "2.4 GB of text" in ended.stdout


@pytest.mark.limits_memory
@pytest.mark.parametrize("command", ["filter", "predict", "check"])
def test_a_table_that_bursts_under_a_limit_of_memory_ends_in_a_sentence(folder, command):
    """Each of its rows is another copy of one text, as nothing says that they are the same."""
    places = pa.array(np.zeros(300, np.int32))
    column = pa.DictionaryArray.from_arrays(places, pa.array(["a " * 4_000_000]))
    parquet.write_table(pa.table({"text": column}), "bomb.parquet", store_schema=False)
    how = {
        "filter": words("bomb.parquet", "--min-score", 9),
        "predict": ("predict", "m.rbt", "bomb.parquet", "--text", "text"),
        "check": ("check", "bomb.parquet"),
    }

    ended = in_little_memory(*how[command], folder=folder)

    assert (ended.returncode, ended.stderr) == (1, "error: There is not enough memory for this.\n")


def test_the_texts_of_a_dictionary_are_those_of_their_rows(folder):
    texts = ["superb film", None, "dull film", "superb film"] * 3
    Path("parts").mkdir()
    parquet.write_table(pa.table({"text": texts}), "parts/a.parquet", use_dictionary=False)
    parquet.write_table(pa.table({"text": pa.array(texts).dictionary_encode()}), "parts/b.parquet")
    none = pa.array([None, None], pa.string()).dictionary_encode()
    parquet.write_table(pa.table({"text": none}), "parts/c.parquet")

    summary = filter_shards("m.rbt", "parts", "other", label="good", min_score=0)

    assert summary.shards["a.parquet"] == summary.shards["b.parquet"]
    assert summary.shards["c.parquet"]["malformed"] == 2
    assert parquet.read_table("other/b.parquet")["text"].to_pylist() == ["superb film"] * 6


def test_a_column_that_is_there_twice_is_refused(folder):
    both = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    parquet.write_table(both, "twice.parquet")

    with pytest.raises(InputError, match=r"twice\.parquet has several columns 'text'"):
        filter_shards("m.rbt", "twice.parquet", "other", label="good", min_score=0)


# Names and storage


def test_names_of_shards_are_safe_on_a_terminal(folder):
    Path("crawl", f"{EVIL}.jsonl").write_text('{"text": "superb"}\nno \x1b[2J JSON\n')

    written = bare(on_a_terminal(*words("crawl", "--min-score", "0")))

    assert "\\x1b]0;owned" in written
    assert not OBEYED.search(written.replace("\x1b[?25l", "").replace("\x1b[?25h", ""))
    assert Path("other", f"{EVIL}.jsonl").exists()


@pytest.mark.parametrize("how", [["--min-score", "-99"], ["--keep-top", "50%"], ["--scores"]])
def test_a_full_disk_is_said_and_what_was_done_before_stays(folder, how):
    write_lines(Path("crawl/z.jsonl"), json_lines(pages(20_000)))

    command = words("crawl", *how)

    ended = with_little_room(" ".join(command), folder, 65536)

    assert ended.returncode == 4, ended.stderr
    assert ended.stderr.startswith("error: Cannot write other/")
    assert ended.stderr.count("\n") == 1
    assert not [*Path("other").rglob(".*.part")]
    assert program(*command, folder=folder).returncode == 0


def test_ctrl_c_is_said_and_the_same_command_goes_on(folder):
    for k in range(40):
        write_lines(folder / "crawl" / f"{k}.jsonl", json_lines(pages(1500, seed=k)))
    command = [sys.executable, "-m", "rosenblatt", *words("crawl", "--keep-top", "20%")]

    running = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, encoding="utf-8")
    while running.poll() is None and not [*Path("other/_rosenblatt").glob("*.scored.json")]:
        time.sleep(0.001)
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=60)[1]

    assert running.returncode == 130, said
    assert said.startswith("error: Interrupted: ")
    assert "the same command goes on from there" in said
    assert program(*words("crawl", "--keep-top", "20%"), folder=folder).returncode == 0
    filter_shards("m.rbt", "crawl", "whole", label="good", keep_top="20%")
    assert files_of(folder / "other") == files_of(folder / "whole")


@pytest.mark.parametrize("place", ["m.rbt", "/dev/null", "/proc/x"])
def test_where_no_folder_can_be_is_said(folder, place):
    ended = program(*words("crawl", "--min-score", 0, to=place), folder=folder)

    assert ended.returncode == 4
    assert f"error: Cannot write {place}" in ended.stderr


def test_every_format_goes_on_where_it_was_killed_before(folder):
    """A folder of all formats, whose outputs are removed one by one and made again."""
    write_crawl(folder / "mixed", 30)
    filter_shards("m.rbt", "mixed", "out", label="good", keep_top="20%")
    before = files_of(folder / "out")

    for name in before:
        Path("out", name).unlink()
        filter_shards("m.rbt", "mixed", "out", label="good", keep_top="20%")

        assert files_of(folder / "out") == before
