"""A model or checkpoint file says how to read data and how to learn, and nothing else."""

import json
from pathlib import Path

import pytest
from sklearn.pipeline import make_pipeline

from command_line import Program, reviews, write_csv
from forgeries import forged
from interrupts import CtrlC, lines_of
from rosenblatt import (
    AveragedPerceptron,
    ModelFileError,
    Predictor,
    TableVectorizer,
    TextVectorizer,
    load,
    open_data,
    read_notes,
    save,
)
from rosenblatt.cli.app import run
from rosenblatt.readers.settings import SETTINGS, read_settings

KEPT = "what its owner wants to keep"


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    """Runs commands in a folder with data, a model of it, and a file that must stay as it is."""
    monkeypatch.chdir(tmp_path)
    write_csv(Path("films.csv"), *reviews(200))
    Path("kept").write_text(KEPT)
    program = Program(capsys, tmp_path)
    program("train", "films.csv", "-o", "films.rbt", "--passes", 2)
    return program


READERS = {
    "predict": ("predict", "evil.rbt", "films.csv"),
    "explain": ("explain", "evil.rbt", "--file", "films.csv", "--line", "3"),
    "inspect": ("inspect", "evil.rbt"),
    "plot": ("plot", "evil.rbt", "-o", "x.png"),
}
OTHERS = [
    ("export", "evil.rbt", "x.onnx"),
    ("export", "evil.rbt", "--web", "web"),
    ("shrink", "evil.rbt", "small.rbt"),
    ("train", "films.csv", "--continue", "evil.rbt", "-o", "on.rbt"),
]
NO_SETTINGS = [
    {"rejects": "kept"},
    {"max_size": 2**60},
    {"labelled": False},
    {"source": "/etc/passwd"},
    {"format": "pickle"},
    {"format": ["csv"]},
    {"kinds": {"review": "code"}},
    {"kinds": ["review"]},
    {"columns": "review"},
    {"columns": [{}]},
    {"label": {"a": 1}},
    {"delimiter": "\n"},
    {"delimiter": ""},
    {"header": "yes"},
    {"zero_based": 1},
]


@pytest.mark.parametrize("told", NO_SETTINGS, ids=str)
def test_a_model_may_tell_only_settings_of_how_data_is_read(program, told):
    forged(
        Path("evil.rbt"), lambda facts, _: facts["notes"]["data"].update(told), source="films.rbt"
    )

    for command in (*READERS.values(), *OTHERS):
        assert "no file may" in program.complains(*command, code=3)
    assert Path("kept").read_text() == KEPT
    for read in (load, read_notes, Predictor.load):
        with pytest.raises(ModelFileError, match="which no file may"):
            read("evil.rbt")
    with pytest.raises(ValueError, match="which no file may"):
        save(load("films.rbt"), "new.rbt", notes={"data": told})


def test_threads_and_talk_are_the_choice_of_who_loads(tmp_path):
    texts, labels = ["a good film", "a bad film"], ["+", "-"]
    for before, examples in (
        (TextVectorizer(), texts),
        (TableVectorizer(text=TextVectorizer()), {"review": texts}),
    ):
        model = make_pipeline(before, AveragedPerceptron(random_state=0)).fit(examples, labels)
        save(model, tmp_path / "loud.rbt")

        def change(facts, _):
            for step in facts["steps"]:
                step["parameters"].update(n_jobs=100_000, verbose=1)
                if "text" in step["parameters"]:
                    step["parameters"]["text"]["estimator"][1]["n_jobs"] = 100_000

        forged(tmp_path / "loud.rbt", change)

        assert load(tmp_path / "loud.rbt").get_params().keys() == model.get_params().keys()
        for name, value in load(tmp_path / "loud.rbt").get_params().items():
            if name.endswith(("n_jobs", "verbose")):
                assert not value, name


@pytest.mark.parametrize("command", READERS.values(), ids=READERS.keys())
@pytest.mark.parametrize(
    "notes",
    [{}, {"data": "imdb", "held_out": 0.25}, {"data": [], "held_out": {}}, {"held_out": [1, 2]}],
    ids=str,
)
def test_notes_of_another_kind_do_no_harm(program, command, notes):
    forged(Path("evil.rbt"), lambda facts, _: facts.update(notes=notes), source="films.rbt")

    assert run([*command, "--format", "text"] if "films.csv" in command else [*command]) == 0


@pytest.mark.parametrize(
    "held_out",
    [{"error": 7, "examples": 3}, {"error": 0.1, "examples": 0}, {"error": "0", "examples": 1}],
    ids=str,
)
def test_an_error_that_cannot_be_is_not_shown(program, held_out):
    forged(
        Path("evil.rbt"),
        lambda facts, _: facts["notes"].update(held_out=held_out),
        source="films.rbt",
    )

    assert program.json("inspect", "evil.rbt")["held_out"] is None


def test_what_every_format_says_of_itself_are_settings(tmp_path):
    files = {
        "a.csv": "review,opinion\nfine film,good\ndull film,bad\nfine plot,good\nno plot,bad\n",
        "b.csv": "1,2,good\n2,3,bad\n3,4,good\n4,9,bad\n",
        "c.jsonl": '{"label": "a", "x": 1}\n{"label": "b", "x": 2}\n',
        "d.svm": "1 0:1\n-1 1:2\n",
        "e.txt": "__label__a fine\n__label__b dull\n",
        "f.vw": "1 | a\n-1 | b\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        label = {"label": "3"} if name == "b.csv" else {}
        settings = open_data(tmp_path / name, **label).settings()

        assert read_settings(json.loads(json.dumps(settings))) == settings
    assert not SETTINGS.keys() & {"rejects", "labelled", "max_line", "max_size", "max_index"}


# Checkpoints


@pytest.fixture
def checkpoint(program):
    """Of a run over films.csv."""
    command = ["train", "films.csv", "-o", "cut.rbt", "--quiet"]
    lines = lines_of(lambda: run([*command[:3], "lines.rbt", "--quiet"]))
    with CtrlC(lines - 2500):
        assert run(command) == 130
    return Path("cut.rbt.part")


def told(facts):
    return facts["notes"]["checkpoint"]


CHECKPOINTS = {
    "an output": lambda facts, _: told(facts).update(output="kept"),
    "a file": lambda facts, _: told(facts).update(file="kept"),
    "rejects": lambda facts, _: told(facts)["reading"].update(rejects="kept"),
    "a limit": lambda facts, _: told(facts)["reading"].update(max_size=2**60),
    "a path among options": lambda facts, _: told(facts)["options"].update(output="kept"),
    "threads": lambda facts, _: told(facts)["options"].update(jobs="100000"),
    "no passes": lambda facts, _: told(facts)["options"].update(passes=None),
    "passes below one": lambda facts, _: told(facts)["options"].update(passes="-1"),
    "a list of passes": lambda facts, _: told(facts)["options"].update(passes=[1]),
    "another learner": lambda facts, _: told(facts)["options"].update(learner="os.system"),
    "options in a list": lambda facts, _: told(facts).update(options=[1]),
    "nothing": lambda facts, _: facts["notes"].update(checkpoint=[]),
    "a word": lambda facts, _: facts["notes"].update(checkpoint="resume"),
    "no stamp": lambda facts, _: told(facts).pop("stamp"),
}


@pytest.mark.parametrize("change", CHECKPOINTS.values(), ids=CHECKPOINTS.keys())
def test_a_forged_checkpoint_is_refused_and_nothing_is_written(program, checkpoint, change):
    forged(checkpoint, change)
    before = sorted(Path().iterdir())

    sentence = program.complains("train", "films.csv", "--resume", checkpoint, code=3)

    assert sentence.count("\n") == 1
    assert Path("kept").read_text() == KEPT
    assert sorted(Path().iterdir()) == before


def test_a_checkpoint_writes_over_no_model_unless_it_is_forced(program, checkpoint):
    Path("cut.rbt").write_text(KEPT)

    assert "exists" in program.complains("train", "films.csv", "--resume", checkpoint, code=4)
    assert Path("cut.rbt").read_text() == KEPT
    program("train", "films.csv", "--resume", checkpoint, "--force")
    assert not checkpoint.exists()
