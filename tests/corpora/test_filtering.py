"""Shards in, the rows that are kept out, as they stand."""

import fcntl
import gzip
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from math import ceil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from sklearn.pipeline import make_pipeline

from command_line import reviews
from crawls import (
    files_of,
    json_lines,
    kept_texts,
    pages,
    probabilities,
    read_lines,
    save_model,
    scores,
    write_crawl,
    write_lines,
)
from rosenblatt import (
    FilterProgress,
    InputError,
    PassiveAggressiveRegressor,
    Predictor,
    TextVectorizer,
    filter_shards,
    load,
    save,
)
from rosenblatt.corpora import filtering

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "corpora.py"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save_model(tmp_path_factory.mktemp("model") / "pages.rbt")


@pytest.fixture
def crawl(tmp_path):
    return write_crawl(tmp_path / "crawl")


def good(model, tmp_path, **options):
    options = {"label": "good", "min_probability": 0.8} | options
    return filter_shards(model, tmp_path / "crawl", tmp_path / "kept", **options)


def test_each_shard_keeps_the_rows_whose_text_has_the_probability(model, tmp_path, crawl):
    summary = good(model, tmp_path)

    kept = 0
    for name, texts in crawl.items():
        wanted = probabilities(model, texts) >= 0.8
        expected = [text for text, keep in zip(texts, wanted, strict=True) if keep]
        assert kept_texts(tmp_path / "kept" / name) == expected, name
        assert summary.shards[name]["kept"] == len(expected)
        kept += len(expected)
    assert (summary.kept, summary.rows) == (kept, sum(map(len, crawl.values())))
    assert summary.histogram.sum() == summary.rows
    assert summary.kept_histogram.tolist() == [0] * 16 + summary.histogram[16:].tolist()


@pytest.mark.parametrize("name", ["part-0.jsonl", "part-1.jsonl.gz", "part-2.jsonl.zst"])
def test_lines_keep_their_bytes(model, tmp_path, crawl, name):
    good(model, tmp_path)

    lines = read_lines(tmp_path / "crawl" / name)
    wanted = probabilities(model, crawl[name]) >= 0.8
    assert read_lines(tmp_path / "kept" / name) == [
        line for line, keep in zip(lines, wanted, strict=True) if keep
    ]


def test_tables_keep_their_columns_and_their_packing(model, tmp_path, crawl):
    good(model, tmp_path)

    whole = parquet.read_table(tmp_path / "crawl" / "part-4.parquet")
    wanted = probabilities(model, crawl["part-4.parquet"]) >= 0.8
    kept = parquet.ParquetFile(tmp_path / "kept" / "part-4.parquet")
    assert kept.read().equals(whole.filter(pa.array(wanted)))
    assert kept.metadata.row_group(0).column(1).compression == "ZSTD"


@pytest.mark.parametrize("change", [b"", b"\0" * 16], ids=["fewer", "more"])
def test_scores_of_other_rows_are_refused(model, tmp_path, crawl, change):
    """Scores lie in the order of the rows, so that they must be as many."""
    how = {"min_probability": None, "keep_top": "10%"}
    good(model, tmp_path, **how)
    first = tmp_path / "kept" / "part-0.jsonl"
    stored = tmp_path / "kept" / "_rosenblatt" / "part-0.jsonl.scores"
    first.unlink()
    score = filtering._Work._stored

    def scored(work, shard, tally):
        whole = b"".join(score(work, shard, tally))
        yield whole + change if change else whole[:-16]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filtering._Work, "_stored", scored)
        with pytest.raises(InputError, match=r"part-0\.jsonl has other rows than were scored"):
            good(model, tmp_path, **how)

    assert stored.exists()
    assert not first.exists()


def test_the_same_share_may_be_said_in_another_way(model, tmp_path, crawl):
    first = good(model, tmp_path, min_probability=None, keep_top="10%")

    again = good(model, tmp_path, min_probability=None, keep_top=0.1)

    assert again.facts() == first.facts()
    with pytest.raises(InputError, match="was begun with keep_top='1/10'"):
        good(model, tmp_path, min_probability=None, keep_top="1/9")


@pytest.mark.parametrize("how", [{"min_probability": 0.8}, {"keep_top": "30%"}, {"scores": True}])
def test_the_number_of_workers_changes_no_byte(model, tmp_path, crawl, how):
    shards = [tmp_path / "crawl" / name for name in crawl]

    for jobs, order in ((1, shards), (3, shards[::-1])):
        folder = tmp_path / f"kept-{jobs}"
        filter_shards(model, order, folder, label="good", n_jobs=jobs, **how)

    assert files_of(tmp_path / "kept-1") == files_of(tmp_path / "kept-3")
    assert files_of(tmp_path / "kept-1")


@pytest.mark.parametrize("share", ["30%", 0.3, "0.07 %", 1, "100%"])
def test_the_top_is_just_that_share_of_all_rows(model, tmp_path, crawl, share):
    summary = good(model, tmp_path, min_probability=None, keep_top=share)

    percent = str(share).endswith("%")
    exact = Fraction(str(share).rstrip(" %")) / (100 if percent else 1)
    numbers = np.concatenate([scores(model, texts) for texts in crawl.values()])
    count = ceil(exact * len(numbers))
    assert summary.kept == count
    assert summary.cut == np.sort(numbers)[-count]
    kept = [text for name in crawl for text in kept_texts(tmp_path / "kept" / name)]
    every = [text for texts in crawl.values() for text in texts]
    order = np.argsort(-numbers, kind="stable")[:count]
    assert kept == [every[k] for k in sorted(order)]


def test_of_rows_that_score_the_same_the_first_are_kept(model, tmp_path):
    (tmp_path / "crawl").mkdir()
    for name in "ab":
        write_lines(tmp_path / "crawl" / f"{name}.txt", ["superb film"] * 10 + ["dull film"] * 5)

    summary = good(model, tmp_path, min_probability=None, keep_top=0.5)

    assert summary.kept == 15
    assert [len(kept_texts(tmp_path / "kept" / f"{name}.txt")) for name in "ab"] == [10, 5]


@pytest.mark.parametrize("how", [{"min_score": 0.5}, {"keep_top": "30%"}])
def test_rows_to_read_are_the_surest_and_those_around_the_cut(model, tmp_path, crawl, how):
    summary = good(model, tmp_path, min_probability=None, **how)

    every = [text for texts in crawl.values() for text in texts]
    lines = [(name, k + 1) for name, texts in crawl.items() for k in range(len(texts))]
    numbers = np.concatenate([scores(model, texts) for texts in crawl.values()])
    order = np.argsort(-numbers, kind="stable")
    last = [*reversed(np.argsort(-numbers[::-1], kind="stable")[: summary.kept])]
    expected = {
        "surest": order[:10],
        "just_kept": [len(numbers) - 1 - k for k in last],
        "just_left_out": order[summary.kept : summary.kept + 10],
    }
    for kind, places in expected.items():
        found = summary.samples[kind]
        assert [one.score for one in found] == [numbers[k] for k in places[:10]], kind
        for one in found:
            k = lines.index((one.shard, one.line))
            assert (one.score, one.text) == (numbers[k], every[k])
    assert [one.line for one in summary.samples["surest"]] == [lines[k][1] for k in order[:10]]
    read = json.loads((tmp_path / "kept/_rosenblatt/summary.json").read_text())
    assert read == json.loads(json.dumps(summary.facts()))


def test_of_a_long_text_the_beginning_is_enough_to_read(model, tmp_path):
    (tmp_path / "crawl").mkdir()
    write_lines(tmp_path / "crawl" / "a.txt", ["superb  film " * 1000, "é" * 5000])

    samples = good(model, tmp_path, min_probability=0).samples["just_kept"]

    assert sorted(len(one.text) for one in samples) == [240, 240]
    assert {one.text[:12] for one in samples} == {"superb film ", "é" * 12}


def test_scores_of_every_row_come_back_exactly(model, tmp_path, crawl):
    good(model, tmp_path, min_probability=None, scores=True)

    for name, texts in crawl.items():
        head, *lines = (tmp_path / "kept" / f"{name}.scores.csv").read_text().splitlines()
        numbers = np.array([list(map(float, line.split(","))) for line in lines])
        assert head == "line,score,probability"
        np.testing.assert_array_equal(numbers[:, 0], np.arange(1, len(texts) + 1))
        np.testing.assert_array_equal(numbers[:, 1], scores(model, texts))
        np.testing.assert_array_equal(numbers[:, 2], probabilities(model, texts))


def test_the_other_label_has_the_other_score_and_probability(model, tmp_path, crawl):
    summary = good(model, tmp_path, label="bad", min_probability=None, min_score=0.25)

    numbers = np.concatenate([scores(model, texts) for texts in crawl.values()])
    assert summary.kept == np.count_nonzero(-numbers >= 0.25)


def test_a_model_without_probabilities_is_asked_for_scores(tmp_path, crawl):
    model = save_model(tmp_path / "bare.rbt", probabilities=False)

    with pytest.raises(InputError, match="has scores but no probabilities: use min_score"):
        good(model, tmp_path)
    summary = good(model, tmp_path, min_probability=None, keep_top="10%")

    assert summary.kept == ceil(summary.rows / 10)
    assert summary.histogram is None


MALFORMED = {
    b'{"text": "no end': "expected JSON: unterminated string starting at",
    b'{"text": "\xff"}': "expected UTF-8",
    b"[1, 2]": "expected a JSON object, got a list",
    b"null": "expected a JSON object, got 'null'",
    b'{"id": 3}': "expected a value called 'text'",
    b'{"text": null}': "expected a text in 'text', got 'null'",
    b'{"text": ["a"]}': """expected a text in 'text', got '["a"]'""",
    b'{"text": "a"} and more': "expected JSON: extra data",
    b'{"a": ' + b"[" * 100_000 + b"}": "expected JSON that is not nested so deeply",
    b'{"a": ' + b"1" * 5000 + b', "text": ""}': "expected JSON, got a number of too many digits",
}


@pytest.mark.parametrize("how", [{"min_probability": 0.0}, {"keep_top": 1}])
def test_malformed_rows_are_left_out_and_told(model, tmp_path, how):
    (tmp_path / "crawl").mkdir()
    sound = [line.encode() for line in json_lines(["superb film", "a\ud83dz", "dull"])]
    lines = [sound[0], *MALFORMED, b"", sound[1], b' {"text":"b","text":"superb"} ', sound[2]]
    (tmp_path / "crawl" / "a.jsonl").write_bytes(b"\n".join(lines))

    summary = good(model, tmp_path, **({"min_probability": None} | how))

    assert summary.malformed == len(MALFORMED)
    assert summary.faults["a.jsonl"] == [*enumerate(MALFORMED.values(), 2)]
    kept = [lines[0], *lines[-3:]]
    assert (tmp_path / "kept" / "a.jsonl").read_bytes() == b"\n".join(kept)


def test_only_the_first_ten_malformed_rows_are_told(model, tmp_path):
    (tmp_path / "crawl").mkdir()
    lines = [b"caf\xe9", b"dull"] * 30
    (tmp_path / "crawl" / "a.txt").write_bytes(b"\r\n".join(lines))

    summary = good(model, tmp_path, min_probability=0)

    assert (summary.malformed, summary.rows) == (30, 30)
    assert [fault.line for fault in summary.faults["a.txt"]] == [*range(1, 21, 2)]
    assert (tmp_path / "kept" / "a.txt").read_bytes() == b"dull\r\n" * 29 + b"dull"


def test_a_row_of_a_table_without_a_text_is_malformed(model, tmp_path):
    (tmp_path / "crawl").mkdir()
    table = pa.table({"text": ["superb", None, "dull"], "id": [1, 2, 3]})
    parquet.write_table(table, tmp_path / "crawl" / "a.parquet")

    summary = good(model, tmp_path, min_probability=0)

    assert summary.faults == {"a.parquet": [(2, "expected a text in 'text', got null")]}
    kept = parquet.read_table(tmp_path / "kept" / "a.parquet")
    assert kept["id"].to_pylist() == [1, 3]


def test_a_shard_of_which_nothing_is_kept_is_there_all_the_same(model, tmp_path, crawl):
    (tmp_path / "crawl" / "none.jsonl.gz").write_bytes(gzip.compress(b""))
    parquet.write_table(pa.table({"text": pa.array([], pa.string())}), tmp_path / "crawl/0.parquet")

    summary = good(model, tmp_path, min_probability=1.0)

    assert summary.kept == 0
    assert gzip.decompress((tmp_path / "kept" / "part-1.jsonl.gz").read_bytes()) == b""
    kept = parquet.read_table(tmp_path / "kept" / "part-4.parquet")
    assert (kept.num_rows, kept.column_names) == (0, ["id", "text"])


def test_shards_of_several_folders_keep_their_places(model, tmp_path):
    for folder in ("2024/may", "2024/june"):
        (tmp_path / "crawl" / folder).mkdir(parents=True)
        write_lines(tmp_path / "crawl" / folder / "part-0.txt", pages(20))
    (tmp_path / "crawl" / "_SUCCESS").touch()
    (tmp_path / "crawl" / "2024" / ".part").touch()

    good(model, tmp_path)

    assert sorted(files_of(tmp_path / "kept")) == ["june/part-0.txt", "may/part-0.txt"]


def test_the_column_is_that_of_the_models_own_data(tmp_path):
    path = tmp_path / "notes.rbt"
    save(load(save_model(path)), path, notes={"data": {"kinds": {"body": "text"}}})
    (tmp_path / "crawl").mkdir()
    write_lines(tmp_path / "crawl" / "a.jsonl", ['{"body": "superb", "text": "dull"}'] * 2)

    summary = good(path, tmp_path)
    how = {"label": "good", "min_probability": 0.8, "text_column": "text"}
    other = filter_shards(path, tmp_path / "crawl", tmp_path / "other", **how)

    assert (summary.kept, other.kept) == (2, 0)


# ---- going on


RUN = """
import sys
from rosenblatt import filter_shards
model, shards, folder, how, jobs = sys.argv[1:]
options = {"keep_top": how} if "%" in how else {"min_probability": float(how)}
filter_shards(model, shards, folder, label="good", n_jobs=int(jobs), **options)
"""


@pytest.mark.parametrize(("how", "jobs"), [("0.8", 3), ("30%", 2)])
def test_a_run_that_is_killed_again_and_again_comes_out_the_same(model, tmp_path, how, jobs):
    for name, texts in write_crawl(tmp_path / "crawl", 2000).items():
        if name.endswith("jsonl"):
            for k in range(6):
                write_lines(tmp_path / "crawl" / f"{k}.jsonl.gz", json_lines(texts))
    command = [sys.executable, "-c", RUN, model, str(tmp_path / "crawl")]
    subprocess.run([*command, str(tmp_path / "whole"), how, "1"], check=True)

    kills = 0
    for count in range(1, 60, 4):
        child = subprocess.Popen([*command, str(tmp_path / "kept"), how, str(jobs)])
        ledger = tmp_path / "kept" / "_rosenblatt"
        while child.poll() is None and len([*ledger.glob("*.*.json")]) < count:
            time.sleep(0.001)
        if child.poll() is not None:
            break
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
        kills += 1

    assert child.returncode == 0
    assert kills > 2
    assert files_of(tmp_path / "kept") == files_of(tmp_path / "whole")
    summaries = [
        json.loads((tmp_path / folder / "_rosenblatt/summary.json").read_text())
        for folder in ("kept", "whole")
    ]
    assert summaries[0] == summaries[1]
    assert not [*(tmp_path / "kept").rglob(".*.part")]


def test_what_is_finished_is_not_read_again(model, tmp_path, crawl):
    first = good(model, tmp_path)
    before = files_of(tmp_path / "kept")
    progress = FilterProgress()

    again = good(model, tmp_path, progress=progress)

    assert (again.facts(), files_of(tmp_path / "kept")) == (first.facts(), before)
    assert (progress.text, progress.share, progress.done) == (0, 1.0, len(crawl))


def test_a_finished_share_is_told_again(model, tmp_path, crawl):
    first = good(model, tmp_path, min_probability=None, keep_top="20%")

    again = good(model, tmp_path, min_probability=None, keep_top="20%")

    assert again.facts() == first.facts()


def test_a_file_that_was_removed_is_made_again(model, tmp_path, crawl):
    good(model, tmp_path)
    before = files_of(tmp_path / "kept")
    (tmp_path / "kept" / "part-0.jsonl").unlink()

    good(model, tmp_path)

    assert files_of(tmp_path / "kept") == before


@pytest.mark.parametrize("name", ["part-0.jsonl", "part-4.parquet"])
def test_a_file_of_a_share_that_was_removed_is_made_again(model, tmp_path, crawl, name):
    first = good(model, tmp_path, min_probability=None, keep_top="20%")
    before = files_of(tmp_path / "kept")
    (tmp_path / "kept" / name).unlink()

    again = good(model, tmp_path, min_probability=None, keep_top="20%")

    assert files_of(tmp_path / "kept") == before
    assert again.facts() == first.facts()


def test_the_output_may_lie_among_the_shards(model, tmp_path, crawl):
    how = {"label": "good", "min_probability": 0.8}
    folder = tmp_path / "crawl" / "kept"
    first = filter_shards(model, tmp_path / "crawl", folder, **how)

    again = filter_shards(model, tmp_path / "crawl", folder, **how)

    assert again.facts() == first.facts()
    assert {*files_of(folder)} == {*crawl}


def test_nothing_is_done_before_the_work_begins(model, tmp_path):
    progress = FilterProgress()
    assert progress.share == 0.0
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "empty.txt").touch()

    good(model, tmp_path, progress=progress)

    assert progress.share == 1.0


def test_progress_begins_anew_with_each_call(model, tmp_path, crawl):
    progress = FilterProgress()

    for folder in ("one", "two"):
        filter_shards(
            *(model, tmp_path / "crawl", tmp_path / folder),
            label="good",
            min_score=0,
            progress=progress,
        )

    assert (progress.share, progress.done, progress.shards) == (1.0, len(crawl), len(crawl))


def test_a_model_in_memory_is_refused_by_name(model, tmp_path, crawl):
    with pytest.raises(InputError, match="model must be a model's file, got Predictor: save it"):
        good(Predictor.load(model), tmp_path)


def test_progress_counts_each_pass(model, tmp_path, crawl):
    progress = FilterProgress()

    good(model, tmp_path, min_probability=None, keep_top="10%", progress=progress)

    texts = sum(len(text.encode()) for texts in crawl.values() for text in texts)
    assert (progress.shards, progress.done) == (10, 10)
    assert (progress.text, progress.share) == (2 * texts, 1.0)


# ---- refusals


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"min_probability": 0.7}, "with min_probability=0.8"),
        ({"label": "bad"}, "with label='good'"),
        ({"max_line": 400}, "with max_line=33554432"),
        (
            {"min_probability": None, "keep_top": "10%"},
            "with min_probability=0.8 and without keep_top",
        ),
        (
            {"min_probability": None, "scores": True},
            "with min_probability=0.8 and without scores",
        ),
    ],
)
def test_going_on_with_other_settings_is_refused(model, tmp_path, crawl, other, what):
    good(model, tmp_path)
    before = files_of(tmp_path / "kept")

    with pytest.raises(InputError, match=f"was begun {what}: finish it so, or choose"):
        good(model, tmp_path, **other)

    assert files_of(tmp_path / "kept") == before


def test_going_on_with_another_model_is_refused(model, tmp_path, crawl):
    good(model, tmp_path)
    other = save_model(tmp_path / "other.rbt", max_iter=1)

    with pytest.raises(InputError, match="was begun with another model"):
        good(other, tmp_path)


def test_a_shard_that_changed_is_refused(model, tmp_path, crawl):
    good(model, tmp_path)
    write_lines(tmp_path / "crawl" / "part-0.jsonl", json_lines(pages(10)))

    with pytest.raises(InputError, match=r"part-0\.jsonl has changed since it was read"):
        good(model, tmp_path)


def test_a_shard_may_be_added_but_none_be_left_out(model, tmp_path, crawl):
    good(model, tmp_path)
    write_lines(tmp_path / "crawl" / "more.jsonl", json_lines(pages(10)))
    assert good(model, tmp_path).shards["more.jsonl"]["rows"] == 10
    (tmp_path / "crawl" / "more.jsonl").unlink()

    with pytest.raises(InputError, match=r"was begun with more\.jsonl, which is not among"):
        good(model, tmp_path)


def test_a_cut_is_for_the_shards_that_it_was_made_over(model, tmp_path, crawl):
    good(model, tmp_path, min_probability=None, keep_top="10%")
    write_lines(tmp_path / "crawl" / "more.jsonl", json_lines(pages(10)))

    with pytest.raises(InputError, match="The cut was made over other shards"):
        good(model, tmp_path, min_probability=None, keep_top="10%")


REFUSED = {
    "nothing asked": ({"min_probability": None}, "Say once what is wanted: one of min_probability"),
    "two things asked": ({"keep_top": "10%"}, "Say once what is wanted"),
    "no such label": ({"label": "fine"}, "label must be one of the model's, 'bad', 'good', got 'f"),
    "no such column": ({"text_column": "body"}, r"has no column 'body', but 'id', 'meta', 'text'"),
    "no probability": ({"min_probability": 1.5}, "min_probability must lie between 0 and 1"),
    "no share": ({"min_probability": None, "keep_top": "0%"}, "keep_top must be a share of all"),
    "no number": ({"min_probability": None, "keep_top": "few"}, "keep_top must be a share of all"),
    "no score": ({"min_probability": None, "min_score": "x"}, "min_score must be a finite number"),
    "no jobs": ({"n_jobs": 0}, "n_jobs must be a number of threads"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_is_refused_writes_no_shard(fault, model, tmp_path, crawl):
    options, message = REFUSED[fault]

    with pytest.raises(InputError, match=message):
        good(model, tmp_path, **options)

    assert not (tmp_path / "kept").exists() or files_of(tmp_path / "kept") == {}


def test_two_runs_are_not_at_work_in_one_folder(model, tmp_path, crawl):
    good(model, tmp_path)
    before = files_of(tmp_path / "kept")
    other = os.open(tmp_path / "kept" / "_rosenblatt", os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)

    with pytest.raises(InputError, match=r"Another run is at work in .*kept: wait until it"):
        good(model, tmp_path)
    os.close(other)
    good(model, tmp_path)

    assert files_of(tmp_path / "kept") == before


def test_a_model_that_predicts_numbers_has_no_label_to_want(tmp_path, crawl):
    numbers = make_pipeline(TextVectorizer(), PassiveAggressiveRegressor(random_state=0))
    save(numbers.fit(["superb film", "dull film"], [1.0, 2.0]), tmp_path / "numbers.rbt")

    with pytest.raises(InputError, match="The model predicts numbers: train one on labels"):
        good(tmp_path / "numbers.rbt", tmp_path)


def test_shards_are_not_written_over(model, tmp_path, crawl):
    with pytest.raises(InputError, match="would be written over: choose another folder"):
        filter_shards(
            model, tmp_path / "crawl", tmp_path / "crawl", label="good", min_probability=0.5
        )


def test_a_file_of_somebody_elses_is_not_written_over(model, tmp_path, crawl):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "part-0.jsonl").write_text("mine")

    with pytest.raises(OSError, match="It is there already, and not from filter"):
        good(model, tmp_path)

    assert files_of(tmp_path / "kept") == {"part-0.jsonl": b"mine"}


def test_a_damaged_shard_is_named_and_the_others_stay(model, tmp_path, crawl):
    path = tmp_path / "crawl" / "part-2.jsonl.zst"
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])

    with pytest.raises(InputError, match=r"part-2\.jsonl\.zst is damaged or cut short"):
        good(model, tmp_path)
    path.write_bytes(whole)
    summary = good(model, tmp_path)

    assert summary.rows == sum(map(len, crawl.values()))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("z.csv", b"text\nx\n", "z.csv is csv, and shards are JSON lines, Parquet or lines"),
        ("z.parquet", b"PAR1 not", "z.parquet is no Parquet file, or a damaged one"),
        (
            "z.jsonl",
            b'{"id": 1}\n{"body": "x"}\n',
            "z.jsonl has no column 'text', but 'id', 'body'",
        ),
        ("z.jsonl", b"junk\nmore\n", "z.jsonl holds no JSON object on any of its first 2 lines"),
        ("z.jsonl", b"junk", "z.jsonl holds no JSON object on its first line"),
        ("z.json", b'[\n{"text": "x"}\n]\n', "z.json is one JSON array: write a JSON object on"),
        ("z.jsonl.gz", b"\x1f\x8b\x08junk", "z.jsonl.gz is damaged or cut short"),
    ],
)
def test_other_files_are_no_shards_and_are_told_before_any_is_scored(
    model, tmp_path, crawl, name, content, message
):
    (tmp_path / "crawl" / name).write_bytes(content)
    shards = [tmp_path / "crawl", tmp_path / "crawl" / name]

    with pytest.raises(InputError, match=message):
        filter_shards(model, shards, tmp_path / "kept", label="good", min_probability=0.8)

    assert not (tmp_path / "kept").exists()
    (tmp_path / "crawl" / name).unlink()
    assert good(model, tmp_path).rows == sum(map(len, crawl.values()))


def test_one_odd_line_at_the_head_is_malformed_like_others(model, tmp_path):
    (tmp_path / "crawl").mkdir()
    for name, odd in (("a", "junk"), ("b", '{"id": 1}'), ("c", '{"text": 5}')):
        write_lines(tmp_path / "crawl" / f"{name}.jsonl", [odd, *json_lines(pages(20))])

    summary = good(model, tmp_path)

    assert (summary.rows, summary.malformed) == (60, 3)


def test_a_corpus_of_which_no_row_can_be_read_is_refused(model, tmp_path):
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "a.txt").write_bytes(b"caf\xe9\n" * 3)
    (tmp_path / "crawl" / "b.txt").touch()

    with pytest.raises(InputError, match=r"No row .* can be read; the first, a\.txt, line 1: the"):
        good(model, tmp_path)


def test_of_a_folder_the_shards_alone_are_taken_and_the_others_named(model, tmp_path, crawl):
    folder, lines = tmp_path / "crawl", json_lines(pages(9))
    for name in ("README.md", "SHA256SUMS", "stats.csv", "notes.json"):
        write_lines(folder / name, ["[1, 2]"])
    for name in ("c4.json.gz", "part-00000"):
        write_lines(folder / name, lines)
    (folder / "part-5.jsonl").write_bytes((folder / "part-4.parquet").read_bytes())
    write_lines(folder / "part-6.txt", lines)

    summary = good(model, tmp_path)

    assert summary.left_out == ("README.md", "SHA256SUMS", "notes.json", "stats.csv")
    assert summary.malformed == 0
    assert {*summary.shards} - {*crawl} == {
        *("c4.json.gz", "part-00000", "part-5.jsonl", "part-6.txt")
    }
    assert summary.shards["part-5.jsonl"]["rows"] == len(crawl["part-4.parquet"])
    first = json.loads(read_lines(tmp_path / "kept" / "part-6.txt")[0])
    assert first.keys() == {"id", "meta", "text"}


@pytest.mark.parametrize("line", ['{"quoted" and more', "{braces} in a text", "[1] a note"])
def test_a_text_that_begins_almost_as_json_is_a_text(model, tmp_path, line):
    (tmp_path / "crawl").mkdir()
    write_lines(tmp_path / "crawl" / "a.txt", [line, "superb film"])

    assert good(model, tmp_path, min_probability=0).kept == 2


def test_a_long_first_line_of_json_is_json(model, tmp_path):
    (tmp_path / "crawl").mkdir()
    write_lines(tmp_path / "crawl" / "a.txt", json_lines(["superb " * 20_000, "dull"]))

    good(model, tmp_path)

    assert kept_texts(tmp_path / "kept" / "a.txt")[0].startswith('{"id": 0')


def test_of_a_folder_without_shards_a_file_is_named(model, tmp_path):
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "README.md").write_text("# A crawl\n")

    with pytest.raises(InputError, match=r"There is no shard to filter: .*README\.md is none"):
        good(model, tmp_path)


def test_linked_folders_are_followed_once(model, tmp_path, crawl):
    (tmp_path / "more").mkdir()
    write_lines(tmp_path / "more" / "a.txt", pages(5))
    (tmp_path / "crawl" / "linked").symlink_to(tmp_path / "more")
    (tmp_path / "more" / "up").symlink_to(tmp_path / "crawl")

    assert {*good(model, tmp_path).shards} == {*crawl, "linked/a.txt"}


@pytest.mark.parametrize(
    "how", [{"min_probability": 0.8}, {"min_probability": None, "keep_top": 1}]
)
def test_a_shard_that_cannot_be_read_may_be_left_out(model, tmp_path, crawl, how):
    path = tmp_path / "crawl" / "z.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(json_lines(pages(9000))).encode())[:-99])

    with pytest.raises(InputError, match=r"z\.jsonl\.gz is damaged or cut short"):
        good(model, tmp_path, **how)
    path.unlink()
    summary = good(model, tmp_path, **how)

    assert summary.rows == sum(map(len, crawl.values()))


def test_scores_rank_by_what_texts_say_and_not_by_their_length(tmp_path, monkeypatch):
    """By the recipe of the benchmark, which is that of the guide."""
    monkeypatch.syspath_prepend(BENCHMARK.parent)
    spec = importlib.util.spec_from_file_location("job", BENCHMARK)
    (tmp_path / "labelled.txt").write_text(
        "".join(f"__label__{label} {text}\n" for text, label in zip(*reviews(100), strict=True))
    )
    (short, *_), _ = reviews(1)

    job = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "job", job)  # where its dataclasses are looked up
    spec.loader.exec_module(job)
    job.learn_ours(tmp_path, tmp_path / "m.rbt", n_hash_bits=18)

    one, three = scores(tmp_path / "m.rbt", [short, f"{short} {short} {short}"])
    assert one == pytest.approx(three)


def test_a_column_of_numbers_holds_no_texts(model, tmp_path):
    (tmp_path / "crawl").mkdir()
    parquet.write_table(pa.table({"text": [1, 2]}), tmp_path / "crawl" / "a.parquet")

    with pytest.raises(InputError, match=r"The column 'text' of .*a\.parquet holds int64, not"):
        good(model, tmp_path)


def test_a_column_of_lines_of_text_is_refused(model, tmp_path):
    (tmp_path / "crawl").mkdir()
    write_lines(tmp_path / "crawl" / "a.txt", pages(3))

    with pytest.raises(InputError, match="text_column says nothing of shards that are lines of t"):
        good(model, tmp_path, text_column="body")


def test_no_shard_at_all_is_an_error(model, tmp_path):
    (tmp_path / "crawl").mkdir()

    with pytest.raises(InputError, match="There is no shard to filter"):
        good(model, tmp_path)
    with pytest.raises(FileNotFoundError):
        filter_shards(model, "none.jsonl", tmp_path / "kept", label="good", min_score=0)


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt", "a.jsonl.gz"])
def test_a_giant_line_is_malformed_and_the_lines_around_it_are_read(model, tmp_path, name):
    (tmp_path / "crawl").mkdir()
    small = json.dumps({"text": "superb"})
    giant = json.dumps({"text": "x" * 2**20})
    write_lines(tmp_path / "crawl" / name, [small, giant, small, giant[:-2] + giant, small])

    summary = good(model, tmp_path, min_probability=0, max_line=2**20)

    reason = "the line is longer than 1048576 bytes"
    assert summary.faults == {name: [(2, reason), (4, reason)]}
    assert read_lines(tmp_path / "kept" / name) == [*[small.encode() + b"\n"] * 2, small.encode()]


def test_memory_stays_small_however_large_a_shard_is(model, tmp_path):
    """Blocks of a megabyte, so that 64 of text take no more room than eight."""
    (tmp_path / "crawl").mkdir()
    line = json.dumps({"text": " ".join(pages(40))}).encode() + b"\n"
    program = RUN + "\nprint(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"
    used = []
    for megabytes in (8, 64):
        Path(tmp_path / "crawl" / "a.jsonl").write_bytes(line * (megabytes * 2**20 // len(line)))
        arguments = [model, str(tmp_path / "crawl"), str(tmp_path / str(megabytes)), "0.5", "1"]
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            check=True,
        )
        used.append(int(done.stdout))

    assert used[1] - used[0] < 16 * 1024
