"""rosenblatt filter: the thin front of filter_shards."""

import json
import re
import time

import pytest

from command_line import Program
from crawls import files_of, save_model, write_crawl
from rosenblatt import filter_shards
from rosenblatt.corpora.label_scores import LabelScorer


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save_model(tmp_path / "m.rbt")
    write_crawl(tmp_path / "crawl")
    return Program(capsys, tmp_path)


GOOD = ["filter", "m.rbt", "crawl", "--label", "good"]


@pytest.mark.parametrize(
    ("options", "how"),
    [
        (["--min-probability", "0.8"], {"min_probability": 0.8}),
        (["--min-score", "0.5", "--jobs", "2"], {"min_score": 0.5}),
        (["--keep-top", "10%", "--jobs", "-1"], {"keep_top": "10%"}),
        (["--scores", "--text-column", "text"], {"scores": True}),
    ],
)
def test_the_command_does_what_the_library_does(program, options, how):
    told = program.json(*GOOD, "-o", "out", *options)

    summary = filter_shards("m.rbt", "crawl", "expected", label="good", **how)
    assert files_of(program.folder / "out") == files_of(program.folder / "expected")
    assert told == json.loads(json.dumps(summary.facts()))


def test_people_are_told_the_share_the_histogram_and_the_pace(program):
    said = program(*GOOD, "-o", "out", "--keep-top", "10%")

    assert "kept     151 of 1,510 rows (10.0 %)" in said
    assert "cut      at a score of" in said
    assert "probability from" in said
    assert "0.95" in said
    assert " of text, both passes together, in " in said
    assert "a second" in said
    assert "wrote    5 shards in out" in said


def test_rows_to_read_are_printed_when_asked_for(program):
    (program.folder / "crawl" / "z.txt").write_text("superb \x1b[2J" + "superb moving " * 50)

    said = program(*GOOD, "-o", "out", "--keep-top", "10%", "--samples", "2")
    silent = program(*GOOD, "-o", "other", "--keep-top", "10%")

    assert "Kept, and surest (the worst mistakes are among these):\n" in said
    assert said.count(", line ") == 6
    assert "z.txt, line 1" in said
    assert "\x1b" not in said
    assert "Just left out" not in silent


def test_malformed_rows_are_counted_and_some_of_their_places_told(program):
    (program.folder / "crawl" / "bad.jsonl").write_text('{"text": "a"}\nno JSON\n')

    program(*GOOD, "-o", "out", "--min-probability", "0.5")

    assert "rejects  1 row (0.1 %) could not be read and was left out:" in program.complaint
    assert "bad.jsonl, line 2: expected JSON: expecting value" in program.complaint


def test_without_a_terminal_lines_tell_how_far_it_is(program, monkeypatch):
    monkeypatch.setattr("rosenblatt.cli.progress.SILENCE", 0.01)
    monkeypatch.setattr(LabelScorer, "score", patient(LabelScorer.score))

    program(*GOOD, "-o", "out", "--keep-top", "10%")

    pace = r"filtering: \d+% done, \d+ s so far, .*/s, pass 1 of 2, \d shards? to go\n"
    assert re.search(pace, program.complaint)
    assert "100% done" not in program.complaint.splitlines()[0]


def patient(score):
    def scored(*how):
        time.sleep(0.05)
        return score(*how)

    return scored


def test_what_is_no_shard_is_told(program):
    (program.folder / "crawl" / "README.md").write_text("# A crawl\n")

    program(*GOOD, "-o", "out", "--min-probability", "0.5")

    assert "left out 1 file that no name or beginning tells to be a shard: README.md" in (
        program.complaint
    )


def test_other_settings_are_told_in_flags(program):
    program(*GOOD, "-o", "out", "--keep-top", "10%")

    complaint = program.complains(*GOOD, "-o", "out", "--keep-top", "20%", code=1)

    assert "out was begun with --keep-top 1/10: finish it so, or choose another" in complaint


def test_that_nothing_is_kept_is_told_of_models_with_probabilities_too(program):
    assert "kept     0 of 1,510 rows" in program(*GOOD, "-o", "out", "--min-score", "10000")
    assert "kept     " not in program(*GOOD, "-o", "other", "--scores")


def test_a_line_beyond_the_limit_is_told_without_words_of_python(program):
    """What is wrong with a row is kept in a record, which either kind of caller may read."""
    (program.folder / "crawl" / "long.txt").write_text("superb\n" + "superb " * 9 + "\n")

    program(*GOOD, "-o", "out", "--min-score", "0", "--max-line", "20")

    assert "long.txt, line 2: the line is longer than 20 bytes\n" in program.complaint


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--label", "fine", "--min-score", "0"], 2, "--label must be one of the model's, 'bad'"),
        (["--label", "good"], 2, "one of --min-probability, --min-score, --keep-top, --scores."),
        (["--label", "good", "--min-score", "0", "--scores"], 2, "Say once what is wanted: one of"),
        (["--label", "good", "--min-probability", "7"], 2, "got --min-probability 7.0."),
        (["--label", "good", "--min-score", "0", "--jobs", "0"], 2, "got --jobs 0."),
        (["--label", "good", "--keep-top", "none"], 2, "--keep-top must be a share of all rows"),
        (
            ["--label", "good", "--min-score", "0", "--text-column", "body"],
            1,
            "name the one of the texts by --text-column COLUMN.",
        ),
        (["--min-score", "0"], 2, "Missing option '--label'"),
    ],
)
def test_what_is_wrong_is_told_in_flags(program, arguments, code, message):
    complaint = program.complains("filter", "m.rbt", "crawl", "-o", "out", *arguments, code=code)

    assert message in complaint


def test_a_missing_model_and_a_missing_shard_end_with_codes_of_their_own(program):
    how = ["-o", "out", "--label", "good", "--min-score", "0"]

    assert "Cannot read the model no.rbt" in program.complains(
        "filter", "no.rbt", "crawl", *how, code=3
    )
    assert "Cannot read no.jsonl" in program.complains("filter", "m.rbt", "no.jsonl", *how, code=1)


def test_a_file_in_the_way_is_a_fault_of_storage(program):
    (program.folder / "out").mkdir()
    (program.folder / "out" / "part-0.jsonl").touch()

    complaint = program.complains(*GOOD, "-o", "out", "--min-score", "0", code=4)

    assert "Cannot write out/part-0.jsonl: it is there already, and not from filter" in complaint
