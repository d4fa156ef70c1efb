"""predict --beside: the input again, with what was predicted in columns of its own."""

import csv
import io
import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from command_line import Program, on_a_terminal, reviews, rosenblatt, write_csv
from rosenblatt import load

ROWS = [
    (7, 'a "superb", clever film', 1.50, "good"),
    (8, "dull\nnoisy plot", None, "bad"),
    (9, "moving scene", 3, "good"),
]
"""An identifier, a review, a price and a label, none of which is to change."""


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("beside")
    file = write_csv(folder / "films.csv", *reviews(200))
    assert rosenblatt("train", file, "--folds", 0, "-o", folder / "films.rbt").returncode == 0
    return folder


@pytest.fixture
def program(capsys, trained, monkeypatch):
    monkeypatch.chdir(trained)
    return Program(capsys, trained)


@pytest.fixture
def predicted(program):
    return load("films.rbt").predict([review for _, review, _, _ in ROWS]).tolist()


TABLE = (
    "id,review,price,opinion\n"
    '7,"a ""superb"", clever film",1.50,good\n'
    '8,"dull\nnoisy plot",,bad\n'
    "9,moving scene,3,good\n"
)


def test_rows_of_csv_stay_as_they_stand_with_the_label_behind(program, predicted):
    Path("in.csv").write_text(TABLE)

    printed = program("predict", "films.rbt", "in.csv", "--beside")

    rows = list(csv.reader(io.StringIO(printed)))
    assert [row[:-1] for row in rows] == list(csv.reader(io.StringIO(TABLE)))
    assert [row[-1] for row in rows] == ["predicted", *predicted]
    assert '7,"a ""superb"", clever film",1.50,good,' in printed


def test_scores_are_columns_too(program):
    Path("in.csv").write_text(TABLE)

    printed = program("predict", "films.rbt", "in.csv", "--beside", "--scores")

    rows = list(csv.DictReader(io.StringIO(printed)))
    scores = load("films.rbt").decision_function([row["review"] for row in rows])
    assert [float(row["score_good"]) for row in rows] == pytest.approx(scores)
    assert [float(row["score_bad"]) for row in rows] == pytest.approx(-scores)


def test_a_table_without_a_header_stays_without(program, predicted):
    Path("in.tsv").write_text("moving scene\t7\r\ndull plot\t8\r\n")

    flags = ("--columns", "review,id", "--no-header", "--beside")
    printed = program("predict", "films.rbt", "in.tsv", *flags)

    found = load("films.rbt").predict(["moving scene", "dull plot"]).tolist()
    assert printed == f"moving scene\t7\t{found[0]}\ndull plot\t8\t{found[1]}\n"


def test_objects_of_json_keep_their_members(program, predicted):
    objects = [
        {"review": "moving scene", "more": {"tags": ["a"], "price": 1.50}, "id": 12345678901234567},
        {"review": "dull plot", "more": None, "id": 1},
    ]
    Path("in.jsonl").write_text("".join(json.dumps(one) + "\n" for one in objects))

    printed = program("predict", "films.rbt", "in.jsonl", "--beside", "--scores").splitlines()

    found = load("films.rbt").predict([one["review"] for one in objects]).tolist()
    for line, one, label in zip(printed, objects, found, strict=True):
        read = json.loads(line)
        assert line.startswith(json.dumps(one)[:-1])
        assert {name: read[name] for name in one} == one
        assert read["predicted"] == label
        assert read["score_good"] == -read["score_bad"]


def test_columns_of_parquet_keep_their_types(program, predicted):
    names = ("id", "review", "price", "opinion")
    columns = dict(zip(names, map(list, zip(*ROWS, strict=True)), strict=True))
    columns["tags"] = [["a"], [], None]
    parquet.write_table(table := pa.table(columns), "in.parquet")

    program("predict", "films.rbt", "in.parquet", "--beside", "-o", "out.parquet", "-f")

    written = parquet.read_table("out.parquet")
    assert written.drop_columns("predicted") == table
    assert written["predicted"].to_pylist() == predicted
    complaint = program.complains("predict", "films.rbt", "in.parquet", "--beside", code=2)
    assert "add -o FILE" in complaint


def test_a_column_of_that_name_is_not_taken_twice(program):
    Path("in.csv").write_text("review,predicted\nmoving scene,x\n")

    printed = program("predict", "films.rbt", "in.csv", "--beside")

    assert printed.splitlines()[0] == "review,predicted,predicted_2"


def test_rows_that_are_set_aside_are_left_out(program):
    Path("in.csv").write_text("review,id\nmoving scene,1\nonly\ndull plot,3\n")

    flags = ("--rejects", "aside.txt", "--beside")
    printed = program("predict", "films.rbt", "in.csv", *flags)

    assert [line.split(",")[1] for line in printed.splitlines()[1:]] == ["1", "3"]
    assert "1 of 3 rows" in program.complaint


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        ("in.txt", "moving scene\n", "Columns can be added to CSV, TSV, JSON lines and Parquet"),
        ("in.arff", "@relation r\n@attribute review string\n@data\n'dull'\n", "in.arff is arff"),
    ],
)
def test_data_without_columns_is_refused(file, text, sentence, program):
    Path(file).write_text(text)

    assert sentence in program.complains("predict", "films.rbt", file, "--beside", code=1)


def test_beside_is_not_for_json(program):
    complaint = program.run("predict", "films.rbt", "films.csv", "--beside", "--json")

    assert complaint == 2
    assert "leave out --json" in program.complaint


def test_cells_are_made_safe_on_a_terminal_and_exact_elsewhere(trained):
    (trained / "bell.csv").write_text("review,id\nmoving \x1b[2J scene,1\n")
    command = ("predict", trained / "films.rbt", trained / "bell.csv", "--beside")

    assert "moving \x1b[2J scene,1," in rosenblatt(*command).stdout
    assert "\x1b[2J" not in on_a_terminal(*command)
