"""``rosenblatt train --tune``: a search that says what it tried, chose, and what that was worth."""

import re
import signal
import subprocess
import sys

import numpy as np
import pytest

from command_line import Program, on_a_terminal, reviews, write_csv
from rosenblatt import load, tune

ROW = r" +\d+ +[\d,]+ +\d+ +\d+\.\d %  \w.*"


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Program(capsys, tmp_path)


@pytest.fixture
def film_csv(program):
    write_csv(program.folder / "films.csv", *reviews(300))
    return "films.csv"


def test_a_search_tells_each_run_the_choice_and_its_worth(program, film_csv):
    printed = program("train", film_csv, "--tune", "6runs")

    lines = printed.splitlines()
    steps = [line.split()[0] for line in lines if re.match(r"[a-z]+ {2,}", line)]
    assert steps == [
        *("read", "labels", "tune", "chose", "spent", "learn", "stop", "error", "first"),
        *("always", "wrote", "next"),
    ]
    assert "on 270 examples; 30 are held out" in lines[2]
    rows = [line for line in lines if re.fullmatch(ROW, line)]
    assert [int(row.split()[0]) for row in rows] == [1, 2, 3, 4, 5, 6]
    assert rows[0].endswith("pa, C=1; words 1-2, tf-idf  best")
    chosen = next(line for line in lines if line.startswith("chose")).split(maxsplit=1)[1]
    assert any(chosen in row for row in rows)
    assert "on 30 held-out examples" in printed
    assert max(map(len, lines)) <= 100


def test_a_run_that_fails_tells_why(program):
    (program.folder / "letters.txt").write_text("__label__a x\n__label__b y\n" * 20)

    printed = program("train", "letters.txt", "--tune", "8runs")

    failed = re.findall(r" +\d+ +36 +0 +failed  pa, .*; words.*?: (.*)\n", printed)
    assert failed
    assert "hold nothing to count" in failed[0]
    assert re.search(r"chose +\w+, .*; char", printed)


def test_f1_of_a_label_of_which_none_is_held_out_is_said_to_be_unknown(program):
    lines = ["__label__a good film\n"] * 98 + ["__label__b bad x\n", "__label__b bad y\n"]
    (program.folder / "films.txt").write_text("".join(lines))

    printed = program("train", "films.txt", "--tune", "2runs", "--select", "f1")

    assert "F1       unknown, as none of b was held out\n" in printed


def test_the_model_is_that_of_tune(program):
    texts, opinions = reviews(300)
    lines = [f"__label__{opinion} {text}\n" for text, opinion in zip(texts, opinions, strict=True)]
    (program.folder / "films.txt").write_text("".join(lines))

    facts = program.json("train", "films.txt", "--tune", "8runs", "--seed", "3")
    tuned = tune(texts, opinions, runs=8, random_state=3)

    model = load("films.rbt")
    assert [{**row} for row in facts["tried"]] == tuned.tried
    assert facts["held_out"]["error"] == tuned.held_out["error"]
    assert facts["held_out"]["first_error"] == tuned.held_out["first_error"]
    assert model[-1].coef_.tobytes() == tuned.best[-1].coef_.tobytes()
    assert model.predict(texts).tolist() == tuned.best.predict(texts).tolist()


def test_the_same_budget_of_runs_gives_the_same_bytes_and_time_says_how_many_runs(
    program, film_csv
):
    printed = program("train", film_csv, "--tune", "0.2s", "-o", "time.rbt")
    runs = re.search(r"--tune (\d+runs?) makes the same choice", printed)[1]

    program("train", film_csv, "--tune", runs, "-o", "runs.rbt", "--jobs", "3")

    folder = program.folder
    assert (folder / "time.rbt").read_bytes() == (folder / "runs.rbt").read_bytes()


def test_other_commands_take_the_model_as_any_other(program, film_csv):
    program("train", film_csv, "--tune", "7runs")

    assert "on 30 held-out examples" in program("inspect", "films.rbt")
    assert set(program("predict", "films.rbt", film_csv).split()) == {"good", "bad"}
    assert "error" in program("evaluate", "films.rbt", film_csv)
    assert "Pushes for 'good'" in program("explain", "films.rbt", "an excellent film")
    first = program("predict", "films.rbt", film_csv, "--probabilities", "--json").splitlines()[0]
    assert "probabilit" in first


def test_what_is_said_is_not_searched_over(program, film_csv):
    said = ["--analyzer", "char", "--ngrams", "2-3", "--learner", "arow", "--select", "f1"]

    facts = program.json("train", film_csv, "--tune", "6runs", *said)

    assert {row["learner"] for row in facts["tried"]} == {"arow"}
    assert {(row["analyzer"], *row["ngram_range"]) for row in facts["tried"]} == {("char", 2, 3)}
    assert all(0 <= row["f1"] <= 1 for row in facts["tried"])
    assert 0.5 < facts["held_out"]["f1"] <= 1
    only = program.json("train", film_csv, "--tune", "5runs", "-C", "0.3", "--force")
    assert {row["C"] for row in only["tried"]} == {0.3}
    chars = program.json("train", film_csv, "--tune", "5runs", "--analyzer", "char_wb", "--force")
    assert {row["analyzer"] for row in chars["tried"]} == {"char_wb"}


def test_rows_of_numbers_are_tried_with_their_pairs(program):
    X = np.random.default_rng(0).uniform(-1, 1, (300, 3))
    rows = [
        f"{int(x[0] * x[1] > 0)} " + " ".join(f"{k + 1}:{v:.3f}" for k, v in enumerate(x))
        for x in X
    ]
    (program.folder / "xor.svm").write_text("\n".join(rows))

    facts = program.json("train", "xor.svm", "--tune", "12runs")

    assert facts["held_out"]["error"] < 0.2 < facts["held_out"]["first_error"]
    labels = program("predict", "xor.rbt", "xor.svm").split()
    assert np.mean([label == row[0] for label, row in zip(labels, rows, strict=True)]) > 0.8


def test_several_labels_are_searched_for_too(program):
    texts, opinions = reviews(200)
    lines = [
        f"__label__{opinion} {'__label__long ' * (len(text) > 36)}{text}\n"
        for text, opinion in zip(texts, opinions, strict=True)
    ]
    (program.folder / "sets.txt").write_text("".join(lines))

    printed = program("train", "sets.txt", "--several-labels", "--tune", "4runs")

    assert re.search(r"first +\d+\.\d % precision by the way tried first", printed)
    assert "good" in program("predict", "sets.rbt", "sets.txt")


def test_small_models_are_chosen_by_what_they_come_to(program):
    texts, opinions = reviews(300)
    texts = [f"{text} seat{k} row{k % 50}" for k, text in enumerate(texts)]
    file = write_csv(program.folder / "films.csv", texts, opinions)

    printed = program("train", file, "--tune", "8runs", "--max-size", "6kB")

    assert (program.folder / "films.rbt").stat().st_size <= 6000
    assert re.search(r"whole +\d+\.\d % by the whole model, on the same examples", printed)
    assert re.search(r"kept +\d+ of [\d,]+ weights", printed)
    assert re.search(r"lost +\d+\.\d %, \d+ of 300 examples get another label", printed)
    assert set(program("predict", "films.rbt", file).split()) == {"good", "bad"}
    sentence = program.complains(
        *("train", file, "--tune", "2runs", "--max-size", "100", "-o", "none.rbt"), code=1
    )
    assert "No part of this model fits into 100 bytes: set --max-size" in sentence
    assert set(program("predict", "none.rbt", file).split()) == {"good", "bad"}


def test_a_terminal_sees_the_table_grow(tmp_path):
    file = write_csv(tmp_path / "films.csv", *reviews(200))

    shown = on_a_terminal("train", file, "-o", tmp_path / "m.rbt", "--tune", "3runs")

    assert len(re.findall(ROW, shown)) == 3


def started(folder, *options):
    """A search of many runs as a process of its own, and its lines."""
    file = write_csv(folder / "films.csv", *reviews(300))
    command = [sys.executable, "-m", "rosenblatt", "train", file, "-o", folder / "m.rbt", *options]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )


def test_ctrl_c_ends_the_search_and_the_best_so_far_becomes_the_model(tmp_path):
    process = started(tmp_path, "--tune", "1h")
    for line in process.stdout:
        if re.fullmatch(ROW, line.rstrip("\n")) and line.split()[0] == "4":
            break
    process.send_signal(signal.SIGINT)
    printed, complaint = process.communicate(timeout=60)

    assert (process.returncode, complaint) == (0, "")
    runs = re.search(r"stopped +(\d+ runs).*--tune \1?", printed)[1].replace(" ", "")
    assert f"--tune {runs} makes the same choice" in printed
    written = (tmp_path / "m.rbt").read_bytes()
    again = started(tmp_path, "--tune", runs, "--force")
    assert again.communicate(timeout=60)[1] == ""
    assert (tmp_path / "m.rbt").read_bytes() == written


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--tune", "often"], "expected runs or time, as 40runs, 60s or 5min, got 'often'"),
        (["--tune", "0runs"], "expected runs or time"),
        (["--tune", "1.5runs"], "expected runs or time"),
        (["--tune", "1run", "--stream"], "--tune learns in memory, --stream does not"),
        (["--tune", "1run", "--folds", "0"], "leave out --folds 0"),
        (["--tune", "1run", "--validation", "x.csv"], "leave out --validation"),
        (["--tune", "1run", "--shards", "2"], "leave out --shards"),
        (["--tune", "1run", "--learner", "winnow"], "--tune does not try --learner winnow"),
        (["--tune", "1run", "--progressive"], "leave out --tune"),
        (["--tune", "1run", "--select", "auc"], "'auc' is not one of"),
    ],
)
def test_what_makes_no_sense_with_a_search_is_refused(program, film_csv, options, sentence):
    assert sentence in program.complains("train", film_csv, *options, code=2)

    assert not (program.folder / "films.rbt").exists()


def test_numbers_are_not_searched_for(program):
    (program.folder / "n.csv").write_text("a,rent\n1,2.5\n2,3.5\n3,1.5\n")

    sentence = program.complains(
        "train", "n.csv", "--regression", "--label", "rent", "--tune", "2runs", code=2
    )

    assert "--tune is for labels, not for --regression" in sentence
