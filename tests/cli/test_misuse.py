"""What the program says to wrong options, wrong files and wrong models: a sentence and a code."""

import json
from pathlib import Path

import pytest

from command_line import Program, reviews, write_csv

FILES = {
    "empty.csv": b"",
    "binary.csv": bytes(range(256)) * 50,
    "mac.csv": b"review,opinion\rfine film,good\rdull,bad\r",
    "plain.txt": b"a film\nanother film\n",
    "other.csv": b"a,b\n" + b"".join(b"%d,%d\n" % (k, k % 3) for k in range(30)),
    "damaged.rbt": b"no model",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with data and models of all kinds."""
    folder = tmp_path_factory.mktemp("misuse")
    write_csv(folder / "films.csv", *reviews(60))
    rows = "".join(f"{1 if k % 3 else -1} 1:{k % 7} 2:{k % 5}\n" for k in range(60))
    (folder / "rows.svm").write_text(rows)
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "sub").mkdir()
    return folder


@pytest.fixture
def program(capsys, folder, monkeypatch):
    monkeypatch.chdir(folder)
    program = Program(capsys, folder)
    for data in ("films.csv", "rows.svm"):
        if not (folder / data).with_suffix(".rbt").exists():
            program("train", data, "--passes", 2)
    return program


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("trian films.csv", 2, "Did you mean 'train'?"),
        ("train empty.csv", 1, "empty.csv is empty"),
        ("train binary.csv", 1, "binary.csv is not text"),
        ("train mac.csv", 1, "mac.csv, line 1, column 15: a carriage return"),
        ("train sub", 1, "sub holds no files in folders: make a folder for each label"),
        ("train plain.txt -o x.rbt", 1, "let each line begin with __label__NAME"),
        ("train other.csv --label b --ignore a", 1, "no column to learn from besides 'b'"),
        ("train films.csv --label opinion --use opinion -o x.rbt", 1, "label and a feature"),
        ("train films.csv --learner arow -C 1 -o x.rbt", 2, "-C is for --learner pa"),
        ("train films.csv -C 0 -o x.rbt", 2, "-C"),
        ("train films.csv --hash 9 --min-df 2 -o x.rbt", 2, "--hash"),
        ("train films.csv --class-weight good=-1 -o x.rbt", 2, "--class-weight must hold"),
        ("train films.csv --encoding utf-99 -o x.rbt", 2, "--encoding must be the name"),
        ("train films.csv --rejects films.csv -o x.rbt", 4, "films.csv is FILE, too"),
        ("train films.csv -o sub --force", 4, "sub is a folder"),
        ("train films.csv -o x.rbt --rejects none/aside.txt", 4, "There is no folder"),
        ("predict damaged.rbt films.csv", 3, "not a model file"),
        ("predict sub films.csv", 3, "Cannot read the model sub: is a directory"),
        ("predict films.rbt other.csv", 1, "has no column 'review' to read: it has a, b"),
        ("predict films.rbt rows.svm", 1, "takes texts, but these are rows of numbers"),
        ("predict rows.rbt films.csv", 1, "takes rows of numbers, but these are tables"),
        ("predict rows.rbt plain.txt", 1, "takes rows of numbers, but these are texts"),
        ("evaluate films.rbt plain.txt", 1, "let each line begin with __label__NAME"),
        ("evaluate films.rbt films.csv --label review", 1, "label and a feature"),
        ("explain films.rbt", 2, "Give a text, or a file"),
        ("explain films.rbt superb --for great", 2, "it knows bad, good"),
        ("explain rows.rbt superb film", 2, "name an example with --file and --line"),
        ("inspect films.rbt --label great", 2, "it knows bad, good"),
        ("convert films.csv other.xyz", 2, "add --to"),
        ("convert films.csv rows.svm", 4, "rows.svm exists: choose another name, or add --force"),
        ("bench plain.txt", 1, "has no labels"),
    ],
)
def test_a_mistake_ends_with_a_sentence_and_the_right_code(program, command, code, said):
    sentence = program.complains(*command.split(), code=code)

    assert said in sentence
    assert "Traceback" not in sentence
    assert not Path("x.rbt").exists()


def test_wrong_use_is_told_to_programs_in_json(program):
    told = json.loads(program.complains("train", "--learner", "deep", "--json", code=2))

    assert told["exit_code"] == 2
    assert "--learner" in told["error"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ["--several-labels", "--shards", "2"],
            "--shards is for one label an example, not for --s",
        ),
        (["--regression", "--shards", "2"], "--shards is for one label an example, not for --reg"),
        (["--several-labels", "--regression"], "--several-labels and --regression are for diff"),
        (["--regression", "--stream"], "--regression learns in memory: leave out --stream"),
    ],
)
def test_kinds_of_answers_that_cannot_be_learned_so_are_refused_before_reading(
    options, sentence, program
):
    assert sentence in program.complains("train", "nowhere.csv", *options, code=2)
