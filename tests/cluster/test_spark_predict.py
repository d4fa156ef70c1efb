"""rosenblatt predict --spark: the same lines as on one machine, or a folder that workers write."""

import contextlib
import json
import os
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from sklearn.datasets import dump_svmlight_file

from command_line import Program, reviews, write_csv
from data import whole_numbers
from rosenblatt import Perceptron, load, save
from rosenblatt.cli.app import run
from states import assert_same_state

TEXTS, OPINIONS = reviews(120)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Models and what they predict, in several formats."""
    made = tmp_path_factory.mktemp("predict")
    write_csv(made / "films.csv", TEXTS, OPINIONS)
    (made / "films.txt").write_text(
        "".join(f"__label__{o} {t}\n" for t, o in zip(TEXTS, OPINIONS, strict=True))
    )
    (made / "films.jsonl").write_text("".join(json.dumps({"review": t}) + "\n" for t in TEXTS))
    table = pa.table({"id": range(120), "review": TEXTS})
    parquet.write_table(table, made / "films.parquet")
    (made / "parts").mkdir()
    parquet.write_table(table[:30], made / "parts" / "a.parquet")  # the shorter one comes first
    parquet.write_table(table[30:], made / "parts" / "b.parquet")
    rng = np.random.default_rng(0)
    prices, kinds = rng.integers(0, 5, 80).tolist(), rng.choice([*"abc"], 80).tolist()
    flats = zip(prices, kinds, strict=True)
    rows = [f"{price},{kind},{'yes' if price > 2 else 'no'},{price * 2.5}" for price, kind in flats]
    rows = ["price,kind,good,rent", *rows, ',"a\nb",no,1', ""]
    (made / "flats.csv").write_text("\n".join(rows))
    topics = ["good;film" if opinion == "good" else "" for opinion in OPINIONS]
    write_csv(made / "sets.csv", TEXTS, topics)
    X, y = whole_numbers()
    dump_svmlight_file(X, y, str(made / "counts.svm"), zero_based=False)
    for options in (
        "films.csv",
        "flats.csv --label good --ignore rent",
        "flats.csv --label rent --ignore good --regression -o rents.rbt",
        "sets.csv --label opinion --label-separator ;",
        "counts.svm",
    ):
        command = ["train", *options.split(), "--folds", "0", "--passes", "3", "--quiet"]
        with contextlib.chdir(made):
            assert run(command) == 0
    return made


@pytest.fixture
def program(capsys, folder, monkeypatch, spark):
    monkeypatch.chdir(folder)
    return Program(capsys, folder)


@pytest.fixture
def master(cluster):
    return cluster.url


@pytest.mark.parametrize(
    "options",
    [
        "--probabilities --unknown",
        "--json --top 1",
        "--threshold good=0.9 --abstain-below 0.6 --abstain ?",
    ],
)
def test_rows_of_a_folder_get_the_lines_of_one_file_in_the_order_of_names(program, master, options):
    alone = program("predict", "films.rbt", "films.parquet", *options.split())

    assert program("predict", "films.rbt", "parts", *options.split(), "--spark", master) == alone


@pytest.mark.parametrize(
    "command",
    [
        "films.rbt films.csv",
        "films.rbt films.txt --scores",
        "films.rbt films.jsonl",
        "flats.rbt flats.csv --scores",
        "rents.rbt flats.csv",
        "sets.rbt sets.csv --top 2",
        "counts.rbt counts.svm --scores",
    ],
)
def test_every_format_and_model_gives_the_lines_of_one_machine(program, master, command):
    alone = program("predict", *command.split())

    program("predict", *command.split(), "--spark", master, "-o", "lines.txt", "--force")

    assert Path("lines.txt").read_text() == alone


def test_workers_write_the_rows_with_labels_beside_them(program, master):
    program("predict", "films.rbt", "parts", "--top", 1, "--spark", master, "-o", "out.parquet")
    beside = ["--beside", "--probabilities", "-o", "out.csv"]
    program("predict", "sets.rbt", "sets.csv", *beside, "--spark", master)

    table = parquet.read_table("out.parquet")
    lines = [row for part in Path("out.csv").glob("*.csv") for row in part.read_text().split("\n")]
    alone = program("predict", "films.rbt", "films.parquet").split()
    assert table.column_names == ["id", "review", "predicted", "label_1", "probability_1"]
    assert table.sort_by("id")["predicted"].to_pylist() == alone
    assert lines[0] == "review,opinion,predicted,probability_film,probability_good"
    assert len(lines) == 122
    assert lines[1].split(",")[2] in ("film;good", "")


def kept_in(folder):
    return sorted((path.name, path.read_bytes()) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("output", ["mine", "mine/deeper", "file://{here}/mine", "link"])
def test_a_folder_with_what_spark_has_not_written_stays_as_it_is(program, master, output):
    """SECURITY.md: --force is no leave to remove what the caller keeps beside the input."""
    shutil.rmtree("mine", ignore_errors=True)
    shutil.copytree("parts", "mine/deeper")
    Path("mine/thesis.txt").write_text("years of work")
    Path("link").unlink(missing_ok=True)
    Path("link").symlink_to("mine")
    before = kept_in(Path("mine"))
    asked = ["--spark", master, "--beside", "--force", "-o", output.format(here=os.getcwd())]

    for read, said in (("mine/deeper", "is FILE, too"), ("parts", "which Spark has not written")):
        assert said in program.complains("predict", "films.rbt", read, *asked, code=4)

    assert kept_in(Path("mine")) == before


def test_a_folder_of_sparks_is_replaced_when_all_is_written_and_not_before(program, master):
    asked = ["--spark", master, "--beside", "-o", "again.csv"]
    program("predict", "films.rbt", "parts", *asked)
    before = kept_in(Path("again.csv"))

    Path("many.csv").write_text("price,kind\nmany,b\n")
    program.complains("predict", "flats.rbt", "many.csv", *asked, "--force", code=1)
    after_failing = kept_in(Path("again.csv"))
    program("predict", "sets.rbt", "sets.csv", *asked, "--force")

    assert after_failing == before
    assert "film" in "".join(part.read_text() for part in Path("again.csv").glob("*.csv"))
    assert not list(Path().glob(".again.csv*"))


def test_vectors_are_scored_by_a_model_of_numbers(program, master):
    X, y = whole_numbers()
    model = Perceptron(random_state=0).fit(X, y)
    save(model, "numbers.rbt")
    parquet.write_table(pa.table({"features": X.tolist()}), "vectors.parquet")

    lines = program("predict", "numbers.rbt", "vectors.parquet", "--spark", master)

    assert lines.split() == [str(label) for label in model.predict(X)]


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("films.rbt nowhere.parquet", 1, "There is no file or folder nowhere.parquet."),
        ("films.rbt parts --beside", 2, "With --spark, --beside writes a folder: add -o FOLDER."),
        ("films.rbt parts --beside -o parts -f", 4, "parts is FILE, too: choose another name."),
        ("films.rbt parts --beside -o hdfs://there/out -f", 2, "--force is for folders of this m"),
        ("films.rbt parts --beside -o films.csv", 4, "films.csv is a file, and Spark writes fol"),
        ("films.rbt parts --rejects r.txt", 2, "--rejects is not for Spark's own readers."),
        ("films.rbt -", 2, "--spark needs a FILE that its workers see."),
        ("films.rbt counts.svm", 1, "does not tell where its indices begin: say --zero-based."),
        ("films.rbt flats.csv", 1, "flats.csv has no column 'review' to read: it has price, kind"),
        ("flats.rbt many.csv", 1, "expected a number in column 'price' as in rows before, got 'm"),
        ("counts.rbt bad.svm", 1, "a line of bad.svm cannot be read: expected index:value, got 'g"),
        ("films.rbt short.csv", 1, "Spark: "),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(program, master, command, code, message):
    Path("many.csv").write_text("price,kind\nmany,b\n")
    Path("bad.svm").write_text("1 1:2\n0 good\n")
    Path("short.csv").write_text("review,opinion\nfine film,good\nbad\n")

    complaint = program.complains("predict", *command.split(), "--spark", master, code=code)

    assert message in complaint
    assert "Traceback" not in complaint
    assert not os.path.exists("r.txt")


def test_shards_and_spark_make_the_same_table_and_the_same_file(program, master):
    how = ["train", "films.csv", "--learner", "averaged", "--folds", "0", "--passes", "3"]
    how += ["--shards", "2", "--force"]
    on_threads = program(*how, "-o", "threads.rbt")
    on_spark = program(*how, "-o", "spark.rbt", "--spark", master)

    assert passes_in(on_spark) == passes_in(on_threads)
    assert len(passes_in(on_spark)) == 3
    assert_same_state(load("threads.rbt")[-1], load("spark.rbt")[-1])
    assert not [name for name in os.listdir() if name.startswith(("round-", "rosenblatt-"))]


def passes_in(printed):
    """The number, mistakes and error of each pass, without the seconds."""
    lines = [line.split() for line in printed.splitlines()]
    return [line[:3] for line in lines if len(line) == 5 and line[0].isdecimal()]
