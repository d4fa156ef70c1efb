"""What files hold reaches a terminal as letters only: nothing in it is obeyed."""

import json
from pathlib import Path

import pytest

from command_line import on_a_terminal, rosenblatt
from hostile import EVIL, OBEYED, bare
from rosenblatt.cli.output import json_text, printable


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Data and a model whose labels, columns, words and names of files are all hostile."""
    folder = tmp_path_factory.mktemp("terminal")
    quoted = [f'"{EVIL}{k}"' for k in (1, 2)]
    rows = "".join(f'{quoted[k % 2]},"{EVIL} word{k % 2}",{k % 5}\n' for k in range(60))
    (folder / f"evil{EVIL[:16]}.csv").write_text(
        f'"{EVIL}label","{EVIL}text","{EVIL}number"\n{rows}', encoding="utf-8", newline=""
    )
    data = next(folder.glob("evil*.csv"))
    trained = rosenblatt("train", data, "--label", "1", "--text", "2", "-o", folder / "m.rbt")
    assert trained.returncode == 0, trained.stderr
    return folder


COMMANDS = {
    "train": "train DATA --label 1 --text 2 -f -o FOLDER/n.rbt",
    "predict": "predict FOLDER/m.rbt DATA",
    "scores": "predict FOLDER/m.rbt DATA --scores",
    "beside": "predict FOLDER/m.rbt DATA --beside --scores",
    "progressive": "train DATA --label 1 --text 2 --progressive -f -o FOLDER/n.rbt",
    "json": "predict FOLDER/m.rbt DATA --json",
    "evaluate": "evaluate FOLDER/m.rbt DATA",
    "inspect": "inspect FOLDER/m.rbt",
    "inspect as JSON": "inspect FOLDER/m.rbt --json",
    "explain": "explain FOLDER/m.rbt --file DATA --line 5",
    "check": "check DATA --label 1",
    "margin": "margin DATA --label 1 --text 2",
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())
def test_a_terminal_gets_nothing_to_obey(folder, command):
    data = next(folder.glob("evil*.csv"))
    words = [data if w == "DATA" else w.replace("FOLDER", str(folder)) for w in command.split()]

    written = bare(on_a_terminal(*words))

    assert "\\x1b]0;owned" in written or "\\u001b]0;owned" in written
    assert not OBEYED.search(written.replace("\x1b[?25l", "").replace("\x1b[?25h", ""))
    assert "\x1b" not in written


@pytest.mark.parametrize(
    "words",
    [["check", f"no{EVIL}"], ["train", "--learner", EVIL], [EVIL], ["predict", EVIL, "-"]],
    ids=["file", "option", "command", "model"],
)
def test_complaints_are_safe_too(words, tmp_path):
    for wish in ([], ["--json"]):
        run = rosenblatt(*words, *wish, stdin="")

        assert run.returncode in (1, 2, 3)
        assert not OBEYED.search(run.stderr)
        assert "\x1b" not in run.stderr


def test_predictions_are_a_line_each_whatever_the_labels_hold(folder):
    data = next(folder.glob("evil*.csv"))

    lines = rosenblatt("predict", folder / "m.rbt", data).stdout.split("\n")
    exact = rosenblatt("predict", folder / "m.rbt", data, "--json").stdout.split("\n")

    assert len(lines) == len(exact) == 61
    assert {json.loads(line)["label"] for line in exact[:-1]} == {f"{EVIL}{k}" for k in (1, 2)}


def test_what_is_spelled_out_reads_as_the_same_characters():
    assert (
        printable("a\tb\x1b[2J\x9b\u202e\ud800é漢👩‍👧") == "a\\tb\\x1b[2J\\x9b\\u202e\\ud800é漢👩‍👧"
    )
    assert json.loads(json_text({EVIL: [EVIL]})) == {EVIL: [EVIL]}
    assert json_text([1.0, float("nan"), {"a": (float("inf"),)}]) == '[1.0, null, {"a": [null]}]'


def test_a_file_name_that_is_no_utf_8_is_said(tmp_path):
    path = Path(str(tmp_path) + "/caf\udce9.csv")

    run = rosenblatt("check", path)

    assert run.returncode == 1
    assert "caf\\udce9.csv" in run.stderr
