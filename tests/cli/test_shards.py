"""rosenblatt train over shards: the same table and the same model file."""

import pytest

from command_line import Program, reviews, write_csv
from rosenblatt import load

HOW = ["--learner", "averaged", "--folds", "0", "--passes", "3", "--shards", "2"]


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Program(capsys, tmp_path)


@pytest.fixture
def data(program):
    return write_csv(program.folder / "reviews.csv", *reviews(90))


def test_passes_over_shards_are_told_in_a_table_and_kept_in_the_file(program, data):
    told = program.json("train", data, *HOW, "-o", "threads.rbt")

    assert [done["mistakes"] for done in told["passes"]] == [
        done.mistakes for done in load("threads.rbt")[-1].history_
    ]
    assert "good" in program("predict", "threads.rbt", data)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--spark", "local"], "--spark trains over shards: add --shards NUMBER."),
        (["--shards", "2", "--learner", "voted"], "--learner voted can't learn over --shards."),
        (["--shards", "2", "--stream"], "--shards keeps its data in memory, --stream does not."),
    ],
)
def test_options_that_say_nothing_together_are_refused(program, data, options, message):
    assert message in program.complains("train", data, *options, code=2)


def test_more_shards_than_examples_are_refused_in_the_words_of_the_command(program, data):
    complaint = program.complains("train", data, "--folds", "0", "--shards", "100", code=2)

    assert "--shards must be at most the number of rows, got 90 rows for 100." in complaint
