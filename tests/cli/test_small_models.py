"""Small model files on the command line: what they may take, what they keep and what they lose."""

import gzip
import json
from pathlib import Path

import pytest

from command_line import Program, reviews, write_csv
from rosenblatt import Predictor, load, read_notes

QUICK = ["--folds", "0", "--passes", "3"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("small")


@pytest.fixture
def program(capsys, folder, monkeypatch):
    monkeypatch.chdir(folder)
    program = Program(capsys, folder)
    if not Path("whole.rbt").exists():
        write_csv(folder / "films.csv", *reviews(400))
        write_csv(folder / "new.csv", *reviews(100, seed=1))
        program("train", "films.csv", "-o", "whole.rbt", *QUICK)
    return program


def labels(model, path="new.csv"):
    texts = [line.split(",")[0].strip('"') for line in Path(path).read_text().splitlines()[1:]]
    return Predictor.load(model).predict(texts).tolist()


def test_a_file_is_shrunk_to_the_same_predictions_and_does_not_learn_on(program):
    facts = program.json("shrink", "whole.rbt", "same.rbt", "--force", "--on", "new.csv")

    assert facts["bytes"] == Path("same.rbt").stat().st_size < Path("whole.rbt").stat().st_size
    assert (facts["compared"], facts["other_labels"]) == (100, 0)
    assert labels("same.rbt") == labels("whole.rbt")
    assert read_notes("same.rbt") == read_notes("whole.rbt")
    complaint = program.complains("train", "new.csv", "--continue", "same.rbt", code=3)
    assert "This model only predicts" in complaint


def test_what_is_kept_and_what_is_lost_is_told(program):
    printed = program(
        *("shrink", "whole.rbt", "few.rbt", "--force", "--max-size", "4.0kB"),
        *("--precision", "int8", "--on", "new.csv"),
    )

    other = sum(a != b for a, b in zip(labels("few.rbt"), labels("whole.rbt"), strict=True))
    assert Path("few.rbt").stat().st_size <= 4000
    assert f"{other} of 100 examples get another label than from the whole model" in printed
    assert "of their squared length" in printed
    assert "few.rbt, " in printed


def test_training_writes_the_small_model_that_shrinking_its_whole_one_writes(program):
    small = ["--max-size", "5kB", "--precision", "float16"]
    program("shrink", "whole.rbt", "shrunk.rbt", "--force", *small)

    facts = program.json("train", "films.csv", "-o", "trained.rbt", "--force", *QUICK, *small)

    assert Path("trained.rbt").read_bytes() == Path("shrunk.rbt").read_bytes()
    assert facts["bytes"] == Path("trained.rbt").stat().st_size <= 5000
    assert facts["compared"] == 400


def test_examples_with_labels_tell_errors_and_what_probabilities_are_worth(program):
    few = ["--force", "--max-size", "3.5kB"]
    program("shrink", "whole.rbt", "unseen.rbt", *few)

    printed = program("shrink", "whole.rbt", "seen.rbt", *few, "--on", "new.csv")

    said = [program.json("evaluate", model, "new.csv") for model in ("seen.rbt", "unseen.rbt")]
    assert labels("seen.rbt") == labels("unseen.rbt")
    losses = [one["probabilities"]["log_loss"] for one in said]
    assert losses[0] < losses[1]
    assert f"error    {100 * said[0]['error']:.1f} % of these, " in printed


def test_a_validation_file_tells_what_is_lost(program):
    printed = program(
        *("train", "films.csv", "-o", "tried.rbt", "--force", "--passes", "3"),
        *("--validation", "new.csv", "--max-size", "4kB"),
    )

    assert "of 100 examples get another label than from the whole model" in printed
    error = program.json("evaluate", "tried.rbt", "new.csv")["error"]
    assert f"error    {100 * error:.1f} % of these, " in printed
    assert "on 100 held-out examples by the whole model" in printed


def test_numbers_and_sets_tell_what_is_lost_in_their_own_words(program, folder):
    rows = [f"{k % 5},{k % 3},{7 * (k % 5) - (k % 3)}" for k in range(60)]
    (folder / "rents.csv").write_text("\n".join(["rooms,floor,rent", *rows]) + "\n")
    numbers = program(
        *("train", "rents.csv", "--regression", "--label", "rent", "--force", *QUICK),
        *("--precision", "int8"),
    )
    sets = [
        {"text": f"w{k % 7} w{k % 4}", "label": [["a"], ["a", "b"], []][k % 3]} for k in range(60)
    ]
    (folder / "sets.jsonl").write_text("".join(json.dumps(row) + "\n" for row in sets))
    labels = program(
        *("train", "sets.jsonl", "--several-labels", "--force", *QUICK, "--precision", "int8")
    )

    assert "numbers differ by " in numbers
    assert "on average over 60 examples" in numbers
    assert "of 60 examples get other labels than from the whole model" in labels
    assert load("rents.rbt").predict({"rooms": [1], "floor": [2]}).shape == (1,)


def test_where_nothing_fits_the_whole_model_is_written_and_the_least_size_said(program):
    complaint = program.complains(
        *("train", "films.csv", "-o", "kept.rbt", "--force", *QUICK, "--max-size", "300"), code=1
    )

    assert "No part of this model fits into 300 bytes: set --max-size " in complaint
    assert Path("kept.rbt").read_bytes() == Path("whole.rbt").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--learner", "voted", "--precision", "int8"], "--learner voted keeps its mistakes"),
        (["--learner", "winnow", "--max-size", "2MB"], "--learner winnow has none"),
        (["--progressive", "--precision", "int8"], "leave out --max-size and --precision"),
        (["--max-size", "small"], "expected bytes, as 2MB, 500kB or 100000, got 'small'"),
    ],
)
def test_what_cannot_be_small_is_refused_before_learning(arguments, sentence, program):
    complaint = program.complains("train", "films.csv", "-o", "no.rbt", *arguments, code=2)

    assert sentence in complaint
    assert not Path("no.rbt").exists()


def test_the_limit_of_packed_files_has_a_flag_of_its_own(program, folder):
    (folder / "films.csv.gz").write_bytes(gzip.compress((folder / "films.csv").read_bytes()))

    complaint = program.complains(
        *("train", "films.csv.gz", "-o", "no.rbt", "--max-unpacked", "1000"), code=1
    )

    assert "unpacks to more than --max-unpacked 1000 bytes" in complaint
