"""The commands that read models and data: predict, evaluate, inspect, explain, check and others."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from command_line import Program, reviews, rosenblatt, write_csv
from rosenblatt import load
from rosenblatt.features.text_engine import WordSettings


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with a file of reviews and a model of them."""
    folder = tmp_path_factory.mktemp("trained")
    file = write_csv(folder / "films.csv", *reviews(400))
    ended = rosenblatt("train", file, "-o", folder / "films.rbt")
    assert ended.returncode == 0, ended.stderr
    return folder


@pytest.fixture
def program(capsys, trained, monkeypatch):
    monkeypatch.chdir(trained)
    return Program(capsys, trained)


def test_predict_prints_a_label_for_each_line_in_order(program):
    texts, opinions = reviews(50, seed=1)
    write_csv(program.folder / "new.csv", texts, opinions)

    printed = program("predict", "films.rbt", "new.csv")

    assert printed.splitlines() == load("films.rbt").predict(texts).tolist()


def test_predict_needs_no_labels(program):
    Path("bare.csv").write_text("review\nsuperb clever film\ndull noisy plot\n")

    assert program("predict", "films.rbt", "bare.csv") == "good\nbad\n"


def test_predict_adds_scores(program):
    Path("bare.csv").write_text("review\nsuperb clever film\n")

    label, bad, good = program("predict", "films.rbt", "bare.csv", "--scores").strip().split("\t")

    assert label == "good"
    score = load("films.rbt").decision_function(["superb clever film"])[0]
    assert float(good.removeprefix("good:")) == pytest.approx(score, rel=1e-5)
    assert float(bad.removeprefix("bad:")) == pytest.approx(-score, rel=1e-5)


@pytest.mark.parametrize(
    "arguments",
    [
        ("predict", "films.rbt", "films.csv"),
        ("predict", "films.rbt", "films.csv", "--scores"),
        ("predict", "films.rbt", "films.csv", "--json"),
        ("predict", "films.rbt", "films.csv", "--unknown"),
        ("predict", "hashed.rbt", "films.csv", "--unknown"),
        ("predict", "films.rbt", "films.csv", "--unknown", "--beside"),
        ("evaluate", "films.rbt", "films.csv"),
        ("explain", "films.rbt", "a clever film"),
        ("explain", "films.rbt", "--file", "films.csv", "--line", "7"),
    ],
    ids=" ".join,
)
def test_every_text_is_cut_into_words_once(arguments, program, monkeypatch):
    cut, documents = [], WordSettings.documents
    if arguments[1] == "hashed.rbt":
        program("train", "films.csv", "-o", "hashed.rbt", "--hash", "12", "--force")

    def spy(settings, raw_documents):
        cut.append(len(raw_documents))
        return documents(settings, raw_documents)

    monkeypatch.setattr(WordSettings, "documents", spy)

    program(*arguments)

    assert sum(cut) == (1 if arguments[0] == "explain" else 400)


def test_predict_writes_json_lines(program):
    Path("bare.csv").write_text("review\nsuperb clever film\ndull noisy plot\n")

    lines = program("predict", "films.rbt", "bare.csv", "--json").splitlines()

    assert [json.loads(line)["label"] for line in lines] == ["good", "bad"]
    assert [json.loads(line)["line"] for line in lines] == [2, 3]


def test_predict_reads_standard_input(trained):
    ended = rosenblatt(
        "predict", trained / "films.rbt", "--format", "csv", stdin="review\nsuperb clever film\n"
    )

    assert (ended.stdout, ended.stderr) == ("good\n", "")


def test_predict_writes_to_a_file_all_or_nothing(program):
    Path("bare.csv").write_text("review\nsuperb clever film\ndull noisy plot\n")

    program("predict", "films.rbt", "bare.csv", "-o", "labels.txt", "--force")

    assert Path("labels.txt").read_text() == "good\nbad\n"
    assert "exists" in program.complains(
        "predict", "films.rbt", "bare.csv", "-o", "labels.txt", code=4
    )


def test_a_reader_that_has_seen_enough_ends_it_quietly(trained):
    texts, opinions = reviews(20_000, seed=2)
    file = write_csv(trained / "many.csv", texts, opinions)
    command = f"{sys.executable} -m rosenblatt predict {trained / 'films.rbt'} {file} | head -1"

    ended = subprocess.run(command, shell=True, capture_output=True, encoding="utf-8", check=True)

    assert ended.stdout in ("good\n", "bad\n")
    assert ended.stderr == ""


@pytest.mark.parametrize(
    "command", [("predict", "films.rbt", "bare.tsv"), ("explain", "films.rbt", "superb")]
)
def test_it_starts_without_what_it_does_not_need(trained, command):
    Path(trained / "bare.tsv").write_text("review\nsuperb clever film\n")
    program = (
        "import sys\n"
        "from rosenblatt.cli.app import run\n"
        f"code = run({list(command)!r})\n"
        "heavy = ('sklearn', 'scipy', 'pandas', 'pyarrow', 'polars', 'matplotlib', 'rich')\n"
        "others = ('html', 'shutil', 'rosenblatt.training.mistakes',\n"
        "          'rosenblatt.features.combination_columns')\n"
        "print([m for m in (*heavy, *others) if m in sys.modules], code)"
    )

    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=trained, capture_output=True, text=True, check=True
    )

    assert ended.stdout.splitlines()[-1] == "[] 0"


def test_evaluate_counts_what_the_model_gets_wrong(program):
    texts, opinions = reviews(200, seed=3)
    write_csv(program.folder / "new.csv", texts, opinions)

    facts = program.json("evaluate", "films.rbt", "new.csv")

    found, right = load("films.rbt").predict(texts), np.array(opinions)
    assert facts["error"] == pytest.approx(np.mean(found != right))
    hits = np.sum((found == "good") & (right == "good"))
    good = facts["labels"]["good"]
    assert good["precision"] == pytest.approx(hits / np.sum(found == "good"))
    assert good["recall"] == pytest.approx(hits / np.sum(right == "good"))
    assert good["f1"] == pytest.approx(
        2 * hits / (np.sum(found == "good") + np.sum(right == "good"))
    )
    wrong = {(each["label"], each["taken_for"]): each["times"] for each in facts["confusions"]}
    assert wrong["bad", "good"] == np.sum((found == "good") & (right == "bad"))


def test_evaluate_shows_the_errors_it_was_most_sure_of(program):
    texts, opinions = reviews(200, seed=3)
    write_csv(program.folder / "new.csv", texts, opinions)

    worst = program.json("evaluate", "films.rbt", "new.csv", "-n", 4)["worst"]

    scores = load("films.rbt").decision_function(texts)
    signs = np.where(np.array(opinions) == "good", 1, -1)
    most = np.sort(scores * signs)[:4]
    assert [error["margin"] / 2 for error in worst] == pytest.approx(list(-most))
    assert all(texts[error["line"] - 2] == error["text"] for error in worst)
    printed = program("evaluate", "films.rbt", "new.csv")
    assert "precision" in printed
    assert "most sure of" in printed
    assert max(map(len, printed.splitlines())) <= 100


def test_inspect_shows_the_heaviest_words(program):
    printed = program("inspect", "films.rbt", "-n", 3)

    assert "PassiveAggressiveClassifier" in printed
    assert "by 5-fold cross-validation" in printed
    assert "█" in printed
    facts = program.json("inspect", "films.rbt", "-n", 3)
    heaviest = [weight["feature"] for weight in facts["weights"]]
    assert heaviest[0] in ("superb", "charming", "excellent", "moving", "clever", "gripping")


def test_inspect_shows_the_weights_of_one_label_of_several(program):
    lines = [f"{k % 3} {k % 3 + 1}:1 {k % 5 + 4}:1" for k in range(60)]
    Path("three.svm").write_text("\n".join(lines) + "\n")
    program("train", "three.svm", "--force")

    printed = program("inspect", "three.rbt", "--label", 2)

    assert [line for line in printed.splitlines() if "Weights for" in line] == ["Weights for 2"]
    assert "knows 0, 1, 2" in program.complains("inspect", "three.rbt", "--label", 7, code=2)


def test_explain_shows_pushes_that_sum_to_the_score(program):
    facts = program.json("explain", "films.rbt", "a superb plot but tedious music")

    score = load("films.rbt").decision_function(["a superb plot but tedious music"])[0]
    whose = 1 if facts["explained"] == "good" else -1
    total = sum(push["push"] for push in facts["pushes"]) + facts["intercept"]
    assert total == pytest.approx(whose * score)
    printed = program("explain", "films.rbt", "a superb plot but tedious music")
    assert "superb" in printed
    assert "█" in printed


def test_explain_reads_an_example_of_a_file(program):
    by_text = program.json("explain", "films.rbt", "dull noisy plot")
    Path("bare.csv").write_text("review\nsuperb clever film\ndull noisy plot\n")

    assert program.json("explain", "films.rbt", "--file", "bare.csv", "--line", 3) == by_text
    assert "line 9" in program.complains(
        "explain", "films.rbt", "--file", "bare.csv", "--line", 9, code=1
    )


def test_a_model_file_that_is_none_ends_with_three(program):
    Path("not.rbt").write_text("nothing of the kind")

    for command in (
        ("predict", "not.rbt", "films.csv"),
        ("evaluate", "not.rbt", "films.csv"),
        ("inspect", "not.rbt"),
        ("explain", "not.rbt", "text"),
        ("plot", "not.rbt", "-o", "not.png"),
        ("export", "not.rbt", "not.onnx"),
        ("predict", "missing.rbt", "films.csv"),
    ):
        sentence = program.complains(*command, code=3)
        assert sentence.startswith("error: ")
        assert sentence.count("\n") == 1


def test_errors_are_json_for_programs(program):
    program("inspect", "missing.rbt", "--json", code=3)

    assert json.loads(program.complaint)["exit_code"] == 3


def test_check_finds_what_is_strange(program):
    texts, opinions = reviews(300, wrong=0)
    opinions[7] = "goood"
    texts[9], opinions[9] = texts[8], opinions[8]
    texts[11], opinions[11] = texts[10], "bad" if opinions[10] == "good" else "good"
    write_csv(program.folder / "strange.csv", texts, opinions)

    facts = program.json("check", "strange.csv")

    assert facts["examples"] == 300
    assert [(typo["label"], typo["meant"]) for typo in facts["typos"]] == [("goood", "good")]
    assert [10, 11] in facts["duplicates"]
    assert [12, 13] in facts["contradictions"]
    printed = program("check", "strange.csv")
    assert "Likely a typo: label 'goood' (1 ×) beside 'good'" in printed


def test_check_counts_lines_that_cannot_be_read(program):
    Path("bad.svm").write_text("+1 1:1\n-1 2:x\n+1 1:2\n-1 2:1\n")

    facts = program.json("check", "bad.svm", code=1)

    assert facts["examples"] == 3
    assert [bad["line"] for bad in facts["unreadable"]] == [2]


def test_margin_names_the_lines_that_contradict_each_other(program):
    Path("xor.svm").write_text("+1 1:1\n+1 2:1\n-1\n-1 1:1 2:1\n")

    facts = program.json("margin", "xor.svm", "--format", "svmlight")

    assert facts["separable"] is False
    assert sorted(facts["lines"]) == [1, 2, 3, 4]
    said = program("margin", "xor.svm", "--format", "svmlight")
    assert "mixtures of lines 3 and 4 (label -1) and of lines 1 and 2 (label 1) coincide" in said


def test_margin_bounds_the_mistakes(program):
    Path("two.svm").write_text("+1 1:2\n-1 1:-2\n")

    facts = program.json("margin", "two.svm")

    assert facts["separable"] is True
    assert facts["margin"] == pytest.approx(2)
    assert facts["mistake_bound"] >= 1
    heads = [line.split()[0] for line in program("margin", "two.svm").splitlines()]
    assert heads == ["read", "search", "verdict", "search", "margin", "bound"]


@pytest.mark.parametrize("kind", ["passes", "weights", "projection"])
def test_plot_draws_a_picture(program, kind):
    data = ["--data", "films.csv"] if kind == "projection" else []

    program("plot", "films.rbt", "--kind", kind, *data, "-o", f"{kind}.png", "--force")

    assert Path(f"{kind}.png").read_bytes().startswith(b"\x89PNG")
    assert Path(f"{kind}.png").stat().st_size > 10_000


def test_a_picture_of_more_labels_than_fit_says_so(program):
    lines = [f"__label__label{k} word{k} common" for k in range(14) for _ in range(4)]
    Path("many.txt").write_text("\n".join(lines) + "\n")
    program("train", "many.txt", "--learner", "averaged", "--passes", "1")

    ran = program("plot", "many.rbt", "--kind", "weights", "-n", "2", "-o", "many.svg")

    assert "the first 12 of 14 labels are drawn" in ran
    assert Path("many.svg").read_text().count("for label") == 12


def test_convert_keeps_the_examples(program):
    texts, opinions = reviews(40)
    write_csv(program.folder / "few.csv", texts, opinions)

    for name in ("few.tsv", "few.jsonl", "few.parquet"):
        program("convert", "few.csv", name, "--force")
        assert (
            program.json("evaluate", "films.rbt", name)["error"]
            == (program.json("evaluate", "films.rbt", "few.csv")["error"])
        )


def test_export_writes_a_model_that_onnxruntime_runs(program):
    import onnxruntime

    program("export", "films.rbt", "films.onnx", "--force")

    assert onnxruntime.InferenceSession("films.onnx").get_inputs()


def test_bench_sets_the_family_beside_scikit_learn(program):
    rows = program.json("bench", "films.csv", "--repeat", 1)

    assert [row["learner"] for row in rows][-1] == "scikit-learn Perceptron"
    assert all(row["seconds"] > 0 and row["accuracy"] > 0.6 for row in rows)


def test_the_shell_can_complete_commands():
    ended = rosenblatt(_ROSENBLATT_COMPLETE="bash_source")

    assert "complete -o nosort" in ended.stdout


@pytest.mark.parametrize("words", ["train", "train --resume", "predict", "predict m.rbt"])
def test_the_shell_completes_names_of_files(words):
    asked = {"COMP_WORDS": f"rosenblatt {words} ", "COMP_CWORD": str(len(words.split()) + 1)}

    ended = rosenblatt(_ROSENBLATT_COMPLETE="bash_complete", **asked)

    assert ended.stdout == "file,\n"


def test_explain_takes_cells_of_a_table_by_their_columns(program):
    pairs = zip(*reviews(200), strict=True)
    rows = [f"{text},{k % 7},{opinion}" for k, (text, opinion) in enumerate(pairs)]
    Path("table.csv").write_text("\n".join(["review,year,opinion", *rows]) + "\n")
    Path("one.csv").write_text("review,year\ndull noisy plot,3\n")
    program("train", "table.csv")

    facts = program.json("explain", "table.rbt", "review=dull noisy plot", "year=3")

    assert facts == program.json("explain", "table.rbt", "--file", "one.csv", "--line", 2)
    alone = program.json("explain", "table.rbt", "review=dull noisy plot")
    assert "year" not in {push["feature"] for push in alone["pushes"]}
    said = program.complains("explain", "table.rbt", "dull noisy plot", code=2)
    assert "a table with the columns review, year: say cells as review=VALUE" in said


@pytest.mark.parametrize("command", [(), ("--help",), ("train", "--help"), ("--version",)])
def test_help_tells_what_there_is(command):
    ended = rosenblatt(*command)

    assert "rosenblatt" in ended.stdout + ended.stderr
    assert ended.returncode in (0, 2)
