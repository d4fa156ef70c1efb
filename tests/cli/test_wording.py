"""Messages of the package come through in the words of the command line."""

import ast
from pathlib import Path

import pytest

import rosenblatt
from command_line import Program
from rosenblatt.cli.app import COMMANDS, app
from rosenblatt.cli.wording import FLAGS, in_flags
from rosenblatt.inputs.errors import Blank, InputError, Name, Parameter, Row


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "films.txt").write_text("good\tfine film\nbad\tdull film\n" * 9)
    (tmp_path / "numbers.csv").write_text("a,b,label\n" + "0.5,3,x\n4,1,y\n" * 9)
    (tmp_path / "bits.csv").write_text("a,b,label\n" + "1,0,x\n0,1,y\n1,1,x\n" * 9)
    (tmp_path / "rows.svm").write_text("1 1:0.5\n-1 2:1\n" * 9)
    (tmp_path / "gap.svm").write_text("1 1:0.5\n-1 2:1\n1 2:nan\n" * 9)
    return Program(capsys, tmp_path)


@pytest.mark.parametrize(
    ("thing", "told"),
    [
        (Name("C"), "-C"),
        (Parameter("C", -1.0), "-C -1.0"),
        (Parameter("use", "a b"), "--use 'a b'"),
        (Parameter("ngram_range", (1, 99)), "--ngrams 1-99"),
        (Parameter("label", Blank("NAME")), "--label NAME"),
        (Parameter("zero_based", True), "--zero-based"),
        (Parameter("zero_based", False), "--one-based"),
        (Name("zero_based"), "--zero-based/--one-based"),
        (Name("max_df"), "max_df"),
        (Parameter("unit_length", True), "unit_length=True"),
        (Row(7, 3), "row 7, column 3"),
    ],
)
def test_parameters_become_flags_where_there_are_any(thing, told):
    assert str(in_flags(thing)) == told


def test_words_that_are_no_things_stay_as_they_are():
    error = InputError("The label of this text, C must stay, is of no use, as in max_iter=3")

    assert str(error.worded(by=in_flags)) == str(error)


def test_every_flag_is_an_option_of_a_command():
    known = {
        flag
        for name in COMMANDS
        for option in app.get_command(None, name).params
        for flag in (*option.opts, *option.secondary_opts)
    }
    flags = [flag for flag in FLAGS.values() if isinstance(flag, str)]
    flags += [flag for some in FLAGS.values() if isinstance(some, dict) for flag in some.values()]

    assert {*flags} <= known


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("train films.txt --min-df 99", "--min-df 99 leaves no word of 18 documents."),
        ("train films.txt --stream --min-df 21", "--min-df 21 leaves no word of 18 documents."),
        ("train films.txt --max-line 5", "longer than 5 bytes; raise --max-line, or set it aside"),
        ("train films.txt --max-line 5", "or set it aside with --rejects FILE and go on."),
        ("train numbers.csv --label z", "numbers.csv has no column for --label z: it has a, b"),
        ("train numbers.csv --ignore z", "numbers.csv has no column for --ignore z: it has a, b"),
        ("train numbers.csv --ignore a,b", "say which of a, b, label to use with --use NAMES."),
        ("train numbers.csv --learner winnow", "got 0.5 on line 2: set --binarize 0.5, for"),
        ("train rows.svm --learner winnow", "got 0.5 on line 1: set --binarize 0.5, for"),
        (
            "train rows.svm --max-index 1",
            "expected an index of at most 1, got '2:1'; raise --max-index, or",
        ),
        ("train gap.svm", "gap.svm contains NaN on line 3: fill in or drop missing values first."),
        ("train gap.svm --stream", "gap.svm contains NaN on line 3: fill in or drop missing"),
    ],
)
def test_the_program_speaks_of_its_own_options(program, command, said):
    complaint = program.complains(*command.split(), "-o", "x.rbt", code=1)

    assert said in complaint
    assert not (program.folder / "x.rbt").exists()


def test_what_is_said_of_an_option_is_wrong_with_the_command(program):
    """Whatever the data are, and also where only the work with them shows it."""
    words = "train films.txt --ngrams 1-9999999999 -o x.rbt"

    assert "got --ngrams 1-9999999999." in program.complains(*words.split(), code=2)


@pytest.mark.parametrize(
    "wrong", ["--passes nan", "--learner pa -C nan", f"--seed {2**63}", "--binarize 1"]
)
def test_options_that_mean_nothing_are_refused_before_any_work(program, wrong):
    assert wrong.split()[-2] in program.complains("train", "films.txt", *wrong.split(), code=2)


def test_winnow_takes_zeros_and_ones_of_a_table_as_they_are(program):
    program("train", "bits.csv", "--learner", "winnow", "--folds", 0)

    assert program("predict", "bits.rbt", "bits.csv").split() == ["x", "y", "x"] * 9


def test_binarize_reads_numbers_as_they_stand_in_the_file(program):
    program("train", "numbers.csv", "--learner", "winnow", "--binarize", 2, "--folds", 0)

    assert program("predict", "numbers.rbt", "numbers.csv").split() == ["x", "y"] * 9


def test_lines_that_cannot_be_predicted_are_named(program):
    program("train", "rows.svm", "--folds", 0)

    for command in ("predict", "evaluate"):
        said = program.complains(command, "rows.rbt", "gap.svm", code=1)
        assert "gap.svm contains NaN on line 3: fill in" in said


def test_margins_are_refused_by_file_and_line(program):
    assert "gap.svm contains NaN on line 3" in program.complains("margin", "gap.svm", code=1)


def test_no_module_takes_apart_what_an_error_says():
    """Errors are values: their text is shown, or told in a longer one, and nothing else."""
    for path in sorted(Path(rosenblatt.__file__).parent.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for handler in (node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)):
            for node in ast.walk(handler):
                parts = [ast.unparse(part) for part in ast.iter_child_nodes(node)]
                if f"str({handler.name})" in parts:
                    told = isinstance(node, ast.FormattedValue | ast.Call | ast.Return)
                    assert told, f"{path}: {ast.unparse(node)}"
    assert "import re\n" not in Path(in_flags.__code__.co_filename).read_text(encoding="utf-8")
