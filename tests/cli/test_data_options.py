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


@pytest.mark.parametrize(
    ("name", "lines", "labels"),
    [
        ("new.jsonl", ['{"text": "GOOD"}', "", "  ", '{"text": "BAD"}', "", '{"text": ""}'], 6),
        ("new.txt", ["GOOD", "", "BAD", "  ", "GOOD"], 5),
        ("new.csv", ["text", "GOOD", "", '"two\nlines"', "", "BAD"], 3),
        ("new.tsv", ["text", "GOOD", "", "BAD"], 2),
    ],
)
def test_predictions_line_up_with_lines_or_with_the_rows_of_a_table(films, name, lines, labels):
    words = dict(zip(("GOOD", "BAD"), ("excellent", "terrible"), strict=True))
    text = "\n".join(lines)
    for word, meant in words.items():
        text = text.replace(word, meant)
    Path(name).write_text(text + "\n")

    printed = films("predict", "films.rbt", name, *(["--format", "text"] * (name == "new.txt")))

    assert len(printed.splitlines()) == labels
    if name == "new.jsonl":
        told = films("predict", "films.rbt", name, "--json").splitlines()
        there = [bool(line.strip()) for line in lines]
        assert [bool(line) for line in printed.splitlines()] == there
        assert [json.loads(line)["line"] for line in told] == [1, 4, 6]


def test_predictions_line_up_with_svmlight_that_has_comments(program):
    Path("a.svm").write_text("1 1:1\n-1 2:1\n" * 10)
    program("train", "a.svm", "--folds", 0)
    Path("b.svm").write_text("# first\n1 1:1\n\n# c\n# d\n-1 2:1\ngood\n# e\n1 1:1\n")

    printed = program("predict", "a.rbt", "b.svm", "--rejects", "aside.txt")

    there = [bool(line) for line in printed.splitlines()]
    assert there == [False, True, True, False, False, True, False, False, True]


def test_what_another_file_of_the_call_sets_aside_is_said_too(films):
    Path("new.csv").write_text(Path("films.csv").read_text() + "good\n" * 10)
    asked = ["--validation", "new.csv", "--rejects", "bad.txt", "-f", "--passes", 1]

    films("train", "new.csv", *asked)
    said = films.complaint
    films("train", "films.csv", "--continue", "new.rbt", "-o", "on.rbt", *asked)

    for complaint in (said, films.complaint):
        assert "10 of 50 rows of new.csv (20.0 %) could not be read and were left out" in complaint
    assert "10 of 50 rows (20.0 %) could not be read and were set aside" in said


@pytest.mark.parametrize("command", ["train", "evaluate", "convert", "margin"])
def test_how_much_was_set_aside_is_said(films, command):
    Path("new.csv").write_text(Path("films.csv").read_text() + "good\n" * 10)
    arguments = {
        "train": ("train", "new.csv", "--passes", 1),
        "evaluate": ("evaluate", "films.rbt", "new.csv"),
        "margin": ("margin", "new.csv"),
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
        assert "to learn all of them, say --several-labels, or set it aside" in said


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
        "train", "films.csv", "--encoding", "klingon", code=2
    )


def test_the_text_may_be_in_a_column_of_another_name(films):
    Path("new.csv").write_text("id,kind,body\n1,bad,a dull plot\n2,good,a superb film\n")

    assert films("predict", "films.rbt", "new.csv", "--text", "body") == "bad\ngood\n"
    facts = films.json("evaluate", "films.rbt", "new.csv", "--text", "body", "--label", "kind")
    assert (facts["examples"], facts["error"]) == (2, 0.0)


def test_a_model_of_text_lines_reads_a_column_of_a_table(program):
    Path("films.txt").write_text("".join(f"__label__{a} {text}\n" for a, text in ROWS))
    Path("new.csv").write_text("n,body\n1,a dull plot\n2,a superb film\n")
    program("train", "films.txt", "--passes", 2)

    assert program("predict", "films.rbt", "new.csv", "--text", "body") == "bad\ngood\n"


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_several_columns_of_text_are_one(program, kind):
    rows = [(label, *text.split(" ", 2)) for label, text in ROWS]
    table = "".join(f"{label},{a} {b},{rest}\n" for label, a, b, rest in rows)
    Path("two.csv").write_text("label,title,body\n" + table)
    Path("one.csv").write_text("label,text\n" + "".join(f"{a},{text}\n" for a, text in ROWS))
    program("convert", "two.csv", f"data.{kind}")
    program("train", "one.csv", "--passes", 2, "--text", "text")

    said = program("train", f"data.{kind}", "--passes", 2, "--text", "title,body", "-o", "m.rbt")

    assert 'label "label" (guessed), text "title + body"\n' in said
    expected = program("predict", "one.rbt", "one.csv", "--scores")
    assert program("predict", "m.rbt", f"data.{kind}", "--scores") == expected
    assert program("predict", "m.rbt", "one.csv", "--text", "text", "--scores") == expected
    assert program("predict", "one.rbt", "two.csv", "--text", "title,body", "--scores") == expected


def test_columns_without_a_header_are_named(program):
    rows = [(k % 7, k % 5) for k in range(60)]
    labelled = "".join(f"{x},{y},{'ab'[k % 2]}\n" for k, (x, y) in enumerate(rows))
    turned = "".join(f"{y},{x}\n" for x, y in rows)
    Path("train.csv").write_text(f"x,y,label\n{labelled}")
    Path("named.csv").write_text(f"y,x\n{turned}")
    Path("bare.csv").write_text(turned)
    Path("other.csv").write_text(f"q,p\n{turned}")
    Path("same.csv").write_text("100,100\n" * 4)
    program("train", "train.csv", "--passes", 2)

    expected = program("predict", "train.rbt", "named.csv")

    assert program("predict", "train.rbt", "bare.csv", "--columns", "y,x") == expected
    renamed = program("predict", "train.rbt", "other.csv", "--columns", "y,x", "--header")
    assert renamed == expected
    for name in ("bare.csv", "same.csv"):
        assert program.complains("predict", "train.rbt", name, code=1) == (
            f"error: {name} does not begin with the names of its columns: name them, x, y among "
            "them, with --columns NAMES.\n"
        )


@pytest.mark.parametrize("option", ["--use", "--ignore"])
def test_columns_can_not_be_chosen_anew_for_a_model(films, option):
    assert films.complains("predict", "films.rbt", "films.csv", option, "label", code=2) == (
        f"error: {option} can't choose among columns that are chosen already: these are read: text."
        "\n"
    )


def test_labels_that_the_model_does_not_know_are_told_of(films):
    Path("new.csv").write_text("label,text\nGood,a superb film\nfine,superb\nbad,dull\n")

    films("evaluate", "films.rbt", "new.csv")

    assert "labels   2 of 3 examples have a label that the model does not know: Good, fine" in (
        films.complaint
    )
    assert films.json("evaluate", "films.rbt", "new.csv")["foreign"] == {"Good": 1, "fine": 1}


@pytest.mark.parametrize("command", ["predict", "evaluate"])
def test_examples_of_which_nothing_is_known_are_told_of(films, command):
    Path("new.csv").write_text("label,text\ngood,zyx qwv\nbad,a dull plot\ngood,\n")

    films(command, "films.rbt", "new.csv")

    assert films.complaint == (
        "unknown  2 of 3 examples (66.7 %) have no feature that the model knows: its intercept "
        "decides\n"
    )


def test_rows_set_aside_are_told_of_though_the_cache_is_used_again(films):
    Path("new.csv").write_text(Path("films.csv").read_text() + "good\n" * 10)

    for _ in range(2):
        films("train", "new.csv", "--rejects", "bad.txt", "--stream", "--passes", 1, "-f")
        assert "rejects  10 of 50 rows (20.0 %) could not be read" in films.complaint


def test_a_folder_is_learned_from_and_predicted(program):
    for k, (label, text) in enumerate(ROWS):
        Path("mail", label).mkdir(parents=True, exist_ok=True)
        Path("mail", label, f"{k:02d}.txt").write_text(text)
    Path("new").mkdir()
    Path("new", "a.txt").write_text("a superb film\nso clever\n")
    Path("new", "b.txt").write_text("a dull plot\n")

    said = program("train", "mail/", "--passes", 2)

    assert "mail: 40 examples, a text in each file: the folder is the label\n" in said
    assert program("predict", "mail.rbt", "new") == "good\nbad\n"
    assert program.json("evaluate", "mail.rbt", "mail")["error"] == 0
    Path("lines.txt").write_text("superb clever\ndull noisy\n")
    assert program("predict", "mail.rbt", "lines.txt") == "good\nbad\n"
