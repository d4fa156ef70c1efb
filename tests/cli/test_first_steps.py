"""The whole command line on files as a newcomer may bring them."""

import gzip
import json

import pytest

from command_line import Program, reviews

TEXTS, OPINIONS = reviews(80)
PAIRS = list(zip(OPINIONS, TEXTS, strict=True))
SIGNS = [1 if opinion == "good" else -1 for opinion in OPINIONS]

GOOD = {
    "quoted.csv": "id,opinion,stars,review\n"
    + "".join(
        f'{k},{label},{k % 5},"{text},\nhe ""said"""\n' for k, (label, text) in enumerate(PAIRS)
    ),
    "tabs.tsv": "review\topinion\n" + "".join(f"{text}\t{label}\n" for label, text in PAIRS),
    "objects.jsonl": "".join(json.dumps({"text": t, "label": a}) + "\n" for a, t in PAIRS),
    "marked.txt": "".join(f"__label__{label} {text}\n" for label, text in PAIRS),
    "words.vw": "".join(f"{y} |w {text}\n" for y, text in zip(SIGNS, TEXTS, strict=True)),
    "rows.svm": "".join(f"{y:+d} 1:{y + k % 3} 2:{k % 7}\n" for k, y in enumerate(SIGNS)),
    "numbers.csv": "age,income,label\n"
    + "".join(f"{30 + 9 * y + k % 5},{900 + k % 70},{y}\n" for k, y in enumerate(SIGNS)),
}
PLAIN = "".join(f"{text}\n" for text in TEXTS)


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in GOOD.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "plain.txt").write_text(PLAIN)
    (tmp_path / "packed.csv.gz").write_bytes(gzip.compress(GOOD["quoted.csv"].encode()))
    return Program(capsys, tmp_path)


@pytest.mark.parametrize("name", [*GOOD, "packed.csv.gz"])
def test_every_command_takes_the_file(program, name):
    model = f"{name.split('.')[0]}.rbt"
    other = "other.vw" if name in ("words.vw", "rows.svm") else "other.jsonl"
    first = 1 if name.endswith((".jsonl", ".txt", ".vw", ".svm")) else 2

    assert "Nothing strange" in program("check", name) or name.startswith(("rows", "numbers"))
    assert f"rosenblatt inspect {model}" in program("train", name, "--passes", 3)
    assert "rosenblatt explain" in program("inspect", model)
    assert "score" in program("explain", model, "--file", name, "--line", first)
    assert len(program("predict", model, name).splitlines()) == len(PAIRS)
    assert program.json("evaluate", model, name)["examples"] == len(PAIRS)
    assert program.json("convert", name, other)["examples"] == len(PAIRS)
    program("plot", model, "-o", "passes.png")


@pytest.mark.parametrize(
    ("name", "code"), [("tabs.tsv", 0), ("rows.svm", 0), ("quoted.csv", 0), ("words.vw", 3)]
)
def test_models_become_onnx_or_a_sentence_says_why_not(program, name, code):
    program("train", name, "-o", "m.rbt", "--passes", 1)

    program("export", "m.rbt", "m.onnx", code=code)

    assert ("can be exported before the model" in program.complaint) == (code == 3)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"label,text\n", "new.csv is empty: it holds no example."),
        ("label,text\ngood,café\nbad,".encode() + b"caf\xe9\n", "new.csv, line 3, column 8: the"),
        (b"label,text\ngood,a film\ngood,a plot\n", "All 2 examples have the label good"),
    ],
    ids=["only a header", "not UTF-8", "one label"],
)
@pytest.mark.parametrize("command", ["train", "margin", "bench"])
def test_a_file_that_teaches_nothing_is_told_of(program, command, content, said):
    (program.folder / "new.csv").write_bytes(content)

    assert said in program.complains(command, "new.csv", code=1)


def test_a_column_of_words_in_the_middle_is_not_taken_for_the_labels(program):
    rows = "".join(f"{20 + k},{'Rome' if k % 3 else 'Oslo'},{k % 2}\n" for k in range(0, 90, 2))
    rows += "".join(f"{20 + k},{'Rome' if k % 4 else 'Oslo'},{k % 2}\n" for k in range(1, 90, 2))
    (program.folder / "shop.csv").write_text("age,city,bought\n" + rows)

    said = program.complains("train", "shop.csv", code=1)

    assert "say which of age, city, bought it is with --label NAME." in said


def test_check_tells_of_gaps_and_of_the_encoding(program):
    (program.folder / "gaps.csv").write_text("age,city,label\n1,,a\n,Rome,b\n2,Oslo,a\n3,Rome,b\n")
    (program.folder / "latin.txt").write_bytes(
        "__label__a café\n__label__b the\n".encode("latin-1")
    )

    assert program.json("check", "gaps.csv")["missing"] == [2, 3]
    assert "then its text, in cp1252 (guessed)\n" in program("check", "latin.txt")
    assert "line 1, column 15: the text is not UTF-8\n" in program(
        "check", "latin.txt", "--encoding", "utf-8", code=1
    )
    assert "is not UTF-8; say which encoding it is in with --encoding NAME, or" in (
        program.complains("train", "latin.txt", "--encoding", "utf-8", code=1)
    )


def test_check_tells_that_there_are_no_labels(program):
    assert "There are no labels" in program("check", "plain.txt", code=1)


@pytest.mark.parametrize(
    ("data", "other", "said"),
    [
        ("quoted.csv", "plain.txt", "The model takes tables, but these are texts."),
        ("tabs.tsv", "words.vw", "The model takes texts, but these are named values."),
        ("words.vw", "plain.txt", "The model takes named values, but these are texts."),
        ("rows.svm", "words.vw", "The model takes rows of numbers, but these are named values."),
    ],
)
def test_a_model_says_which_examples_it_takes(program, data, other, said):
    program("train", data, "-o", "m.rbt", "--passes", 1)

    assert said in program.complains("predict", "m.rbt", other, code=1)


def test_lines_of_text_for_a_model_of_a_table_are_told_how_to_be_read(program):
    (program.folder / "lines").write_text(PLAIN)
    program("train", "tabs.tsv")

    said = program.complains("predict", "tabs.rbt", "lines", code=1)
    labels = program("predict", "tabs.rbt", "lines", "--format", "text").split()

    assert "has no column 'review' to read" in said
    assert said.endswith("; if each line is a text, add --format text.\n")
    assert len(labels) == len(PAIRS)


def test_pictures_take_examples_of_another_format(program):
    program("train", "tabs.tsv", "--passes", 1)
    picture = ("--kind", "projection", "-o", "p.png")

    program("plot", "tabs.rbt", "--data", "marked.txt", *picture)
    program("train", "quoted.csv", "--passes", 1)
    said = program.complains("plot", "quoted.rbt", "--data", "marked.txt", *picture, "-f", code=1)

    assert (program.folder / "p.png").stat().st_size > 0
    assert "marked.txt does not hold such examples as the model learned from." in said


@pytest.mark.parametrize(("first", "names"), [(1, {"x1", "x2"}), (0, {"x0", "x1", "x2"})])
def test_features_of_svmlight_are_called_by_their_indices(program, first, names):
    (program.folder / "rows.svm").write_text(GOOD["rows.svm"] + "+1 0:1\n-1 0:2\n" * (1 - first))
    program("train", "rows.svm", "--folds", 0)

    weights = json.loads(program("inspect", "rows.rbt", "--json"))["weights"]
    assert {each["feature"] for each in weights} == names
