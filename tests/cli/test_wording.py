"""Messages of the package come through in the words of the command line."""

import pytest

from command_line import Program
from rosenblatt.cli.app import COMMANDS, app
from rosenblatt.cli.wording import FLAGS, in_flags


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
    ("sentence", "told"),
    [
        ("C must be a positive number, got C=-1.0.", "-C must be a positive number, got -C -1.0."),
        ("min_df=3 leaves no word.", "--min-df 3 leaves no word."),
        ("Leave min_df and max_df as they are.", "Leave --min-df and max_df as they are."),
        ("It has no column for use='a b': look.", "It has no column for --use 'a b': look."),
        ("Got ngram_range=(1, 99), too many.", "Got --ngrams 1-99, too many."),
        ("Say which it is with label=NAME.", "Say which it is with --label NAME."),
        ("Set binarize=0.5, for example.", "Set --binarize 0.5, for example."),
        ("Say zero_based=True.", "Say --zero-based."),
        ("From 1 on as zero_based=False says.", "From 1 on as --one-based says."),
        ("The label of this text is of no use.", "The label of this text is of no use."),
        ("Class C must stay, and unit_length=1.", "Class C must stay, and unit_length=1."),
    ],
)
def test_parameters_become_flags(sentence, told):
    assert in_flags(sentence) == told


def test_every_flag_is_an_option_of_a_command():
    known = {
        flag
        for name in COMMANDS
        for option in app.get_command(None, name).params
        for flag in (*option.opts, *option.secondary_opts)
    }
    flags = [*FLAGS.values()]
    both = flags.pop(flags.index(FLAGS["zero_based"]))

    assert {*flags, *both.values()} <= known


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("train films.txt --min-df 99", "--min-df 99 leaves no word of 16 documents."),
        ("train films.txt --stream --min-df 17", "--min-df 17 leaves no word of 16 documents."),
        ("train films.txt --ngrams 1-9999999999", "got --ngrams 1-9999999999."),
        ("train films.txt --max-line 5", "the line is longer than --max-line 5 bytes"),
        ("train films.txt --max-line 5", "or set it aside with --rejects FILE and go on."),
        ("train numbers.csv --label z", "numbers.csv has no column for --label z: it has a, b"),
        ("train numbers.csv --ignore z", "numbers.csv has no column for --ignore z: it has a, b"),
        ("train numbers.csv --ignore a,b", "say which of a, b, label to use with --use NAMES."),
        ("train numbers.csv --rejects numbers.csv", "--rejects must be another file"),
        ("train numbers.csv --learner winnow", "got 0.5 on line 2: set --binarize 0.5, for"),
        ("train rows.svm --learner winnow", "got 0.5 on line 1: set --binarize 0.5, for"),
        ("train rows.svm --max-index 1", "expected an index of at most --max-index 1, got '2:1'"),
        ("train gap.svm", "The data contains NaN on line 3: fill in or drop missing values first."),
        ("train gap.svm --stream", "The data contains NaN on line 3: fill in or drop missing"),
    ],
)
def test_the_program_speaks_of_its_own_options(program, command, said):
    complaint = program.complains(*command.split(), "-o", "x.rbt", code=1)

    assert said in complaint
    assert not (program.folder / "x.rbt").exists()


@pytest.mark.parametrize(
    "wrong", ["--holdout nan", "--learner pa -C nan", f"--seed {2**63}", "--binarize 1"]
)
def test_options_that_mean_nothing_are_refused_before_any_work(program, wrong):
    assert wrong.split()[-2] in program.complains("train", "films.txt", *wrong.split(), code=2)


def test_winnow_takes_zeros_and_ones_of_a_table_as_they_are(program):
    program("train", "bits.csv", "--learner", "winnow", "--holdout", 0)

    assert program("predict", "bits.rbt", "bits.csv").split() == ["x", "y", "x"] * 9


def test_binarize_reads_numbers_as_they_stand_in_the_file(program):
    program("train", "numbers.csv", "--learner", "winnow", "--binarize", 2, "--holdout", 0)

    assert program("predict", "numbers.rbt", "numbers.csv").split() == ["x", "y"] * 9


def test_lines_that_cannot_be_predicted_are_named(program):
    program("train", "rows.svm", "--holdout", 0)

    for command in ("predict", "evaluate"):
        assert "on line 3" in program.complains(command, "rows.rbt", "gap.svm", code=1)
