"""What may be said about data on the command line, and how output lines up with input."""

import json
from pathlib import Path

import pytest

from command_line import Program

ROWS = [
    (("good", f"a superb clever film {k}"), ("bad", f"a dull noisy plot {k}"))[k % 2]
    for k in range(40)
]


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Program(capsys, tmp_path)


@pytest.fixture
def films(program):
    """A model of films.csv, with the columns label and text."""
    table = "".join(f"{label},{text}\n" for label, text in ROWS)
    Path("films.csv").write_text("label,text\n" + table)
    program("train", "films.csv", "--passes", 2)
    return program


def test_every_line_of_svmlight_has_its_prediction(program):
    Path("train.svm").write_text("1 1:1\n-1 2:1\n" * 20)
    Path("new.svm").write_text("1:1\n\n2:1\n  \n2:1\n\n")
    program("train", "train.svm", "--passes", 2)

    printed = program("predict", "train.rbt", "new.svm").splitlines()

    assert len(printed) == 6
    assert (printed[0], printed[2], printed[4]) == ("1", "-1", "-1")


@pytest.mark.parametrize("options", [(), ("--scores",), ("--json",)])
def test_predictions_line_up_with_input_though_lines_are_set_aside(films, options):
    rows = [
        "a superb clever film",
        "a dull noisy plot",
        "one, too many",
        "superb",
        "dull,x",
        "dull",
    ]
    Path("new.csv").write_text("text\n" + "".join(f"{row}\n" for row in rows))

    films("predict", "films.rbt", "new.csv", "--rejects", "bad.txt", *options)

    lines = films.printed.splitlines()
    if "--json" in options:
        found = [json.loads(line) for line in lines]
        assert [each["line"] for each in found] == [2, 3, 4, 5, 6, 7]
        lines = [each["label"] or "" for each in found]
    else:
        assert "rejects  2 of 6 rows (33.3 %) could not be read and were set aside" in (
            films.complaint
        )
    assert [line.split("\t")[0] for line in lines] == ["good", "bad", "", "good", "", "bad"]


def test_predictions_line_up_in_batches_of_any_size(films, monkeypatch):
    from rosenblatt.readers import tables

    monkeypatch.setattr(tables, "ROWS", 4)
    bad = {1, 5, 6, 7, 8, 20, 21, 38, 39}
    rows = [f"{text},more" if k in bad else text for k, (_, text) in enumerate(ROWS)]
    Path("new.csv").write_text("text\n" + "".join(f"{row}\n" for row in rows))

    printed = films("predict", "films.rbt", "new.csv", "--rejects", "bad.txt")

    expected = ["" if k in bad else label for k, (label, _) in enumerate(ROWS)]
    assert printed.splitlines() == expected


@pytest.mark.parametrize("command", ["train", "evaluate", "convert"])
def test_how_much_was_set_aside_is_said(films, command):
    Path("new.csv").write_text(Path("films.csv").read_text() + "good\n" * 10)
    arguments = {
        "train": ("train", "new.csv", "--passes", 1),
        "evaluate": ("evaluate", "films.rbt", "new.csv"),
        "convert": ("convert", "new.csv", "new.jsonl", "-f"),
    }[command]

    films(*arguments, "--rejects", "bad.txt")
    said = films.complaint
    facts = films.json(*arguments, "--rejects", "bad.txt", *(["-f"] if command == "train" else []))

    assert "rejects  10 of 50 rows (20.0 %) could not be read and were set aside" in said
    assert facts["rejected"] == 10


def test_several_labels_are_an_error(program):
    Path("news.txt").write_text("__label__a x\n__label__a __label__b y\n__label__b z\n")
    lines = [{"text": "x", "label": ["a"]}, {"text": "y", "label": ["a", "b"]}]
    Path("news.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    for name, where in (("news.txt", "line 2, column 12"), ("news.jsonl", "line 1, column 15")):
        said = program.complains("train", name, "--label", "label", code=1)
        assert f"error: {name}, {where}: expected one label" in said
        assert "several can't be learned from yet; mend the line, or" in said


def test_the_encoding_is_said_or_guessed(program):
    table = "".join(f"{label},{text} où été\n" for label, text in ROWS)
    Path("films.csv").write_text("label,text\n" + table, encoding="latin-1")

    guessed = program("train", "films.csv", "--passes", 1, "-o", "guessed.rbt")
    said = program("train", "films.csv", "--passes", 1, "-o", "m.rbt", "--encoding", "latin-1")

    assert ', text "text", in cp1252 (guessed)\n' in guessed
    assert ', text "text", in iso8859-1\n' in said
    assert Path("guessed.rbt").stat().st_size
    assert program("predict", "m.rbt", "films.csv") == program(
        "predict", "guessed.rbt", "films.csv"
    )
    assert "--encoding must be the name of an encoding, such as" in program.complains(
        "train", "films.csv", "--encoding", "klingon", code=1
    )
