"""Numbers on the command line, against scikit-learn's metrics."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error

from command_line import Program
from rosenblatt import Predictor, load


def write_flats(path, count, seed):
    """Flats with rooms, words about them and a rent."""
    rng = np.random.default_rng(seed)
    lines = ["rooms,about,rent"]
    for _ in range(count):
        rooms, nice = rng.integers(1, 6), rng.random() < 0.5
        rent = 300 + 250 * rooms + 200 * nice + rng.normal(0, 20)
        about = "a bright flat by the park so it is" if nice else "a dark flat by the road so it is"
        lines.append(f"{rooms},{about},{rent:.2f}")
    Path(path).write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("flats")


@pytest.fixture
def program(capsys, folder, monkeypatch):
    monkeypatch.chdir(folder)
    program = Program(capsys, folder)
    if not Path("flats.rbt").exists():
        write_flats("flats.csv", 300, seed=0)
        write_flats("new.csv", 100, seed=1)
        program("train", "flats.csv", "--regression", "--label", "rent")
    return program


@pytest.fixture
def rents(program):
    """The right ones of the new file, and those that the model foretells."""
    rows = [line.split(",") for line in Path("new.csv").read_text().splitlines()[1:]]
    table = {"rooms": [float(row[0]) for row in rows], "about": [row[1] for row in rows]}
    return np.array([float(row[2]) for row in rows]), load("flats.rbt").predict(table)


def test_evaluate_tells_what_scikit_learn_tells(program, rents):
    facts = program.json("evaluate", "flats.rbt", "new.csv")

    assert facts["mean_absolute_error"] == pytest.approx(mean_absolute_error(*rents))
    assert facts["root_mean_squared_error"] == pytest.approx(root_mean_squared_error(*rents))
    assert facts["r2"] == pytest.approx(r2_score(*rents))
    assert facts["r2"] > 0.95
    told = program("evaluate", "flats.rbt", "new.csv")
    for word in ("(MAE)", "(RMSE)", "R²", "furthest off"):
        assert word in told


def test_train_tells_an_error_that_holds(program, rents):
    facts = program.json("train", "flats.csv", "--regression", "--label", "rent", "-f")

    held = facts["held_out"]
    assert held["mean_absolute_error"] < held["median_error"] / 3
    assert held["mean_absolute_error"] == pytest.approx(mean_absolute_error(*rents), rel=0.5)
    assert "on average by 5-fold cross-validation" in program("inspect", "flats.rbt")


def test_predict_prints_numbers(program, rents):
    expected = rents[1].tolist()

    lines = program("predict", "flats.rbt", "new.csv").split("\n")[:-1]
    objects = program("predict", "flats.rbt", "new.csv", "--json").split("\n")[:-1]
    beside = program("predict", "flats.rbt", "new.csv", "--beside").split("\n")

    assert [float(line) for line in lines] == expected
    assert [json.loads(line)["number"] for line in objects] == expected
    assert beside[0] == "rooms,about,rent,predicted"
    assert [float(line.split(",")[-1]) for line in beside[1:-1]] == pytest.approx(expected)
    assert Predictor.load("flats.rbt").foretold == "number"


def test_numbers_are_chosen_on_a_file(program):
    said = ["--regression", "--label", "rent", "--validation", "new.csv", "-o", "v.rbt", "-f"]

    facts = program.json("train", "flats.csv", *said)

    assert (facts["held_out"]["examples"], facts["held_out"]["folds"]) == (100, 0)


def test_numbers_are_learned_as_they_come(program):
    said = ["--regression", "--label", "rent", "-o", "p.rbt", "-f", "--progressive", "-C", 500]

    facts = program.json("train", "flats.csv", *said)

    assert facts["progress"][-1]["since"] < facts["progress"][0]["error"]
    on = program.json("train", "new.csv", "--continue", "flats.rbt", "-o", "on.rbt", "-f")
    assert on["before"]["mean_absolute_error"] < 100


def test_check_knows_of_numbers(program):
    facts = program.json("check", "flats.csv", "--regression", "--label", "rent")

    assert facts["numbers"]["lowest"] < facts["numbers"]["median"] < facts["numbers"]["highest"]
    assert facts["labels"] == {}


@pytest.mark.parametrize(
    ("arguments", "code", "wrong"),
    [
        (["train", "flats.csv", "--regression"], 1, "does not show which column holds"),
        (["train", "flats.csv", "--regression", "--label", "about"], 1, "expected a finite number"),
        (["train", "flats.csv", "--regression", "--learner", "arow"], 2, "--learner auto, pa."),
        (["train", "flats.csv", "--regression", "--class-weight", "a=1"], 2, "is for labels"),
        (["train", "flats.csv", "--regression", "--select", "f1"], 2, "f1 is for labels, not"),
        (["train", "flats.csv", "--epsilon", 1], 2, "--epsilon is for --regression"),
        (["train", "flats.csv", "--regression", "--stream"], 2, "leave out --stream"),
        (["predict", "flats.rbt", "new.csv", "--scores"], 2, "tells numbers"),
        (["predict", "flats.rbt", "new.csv", "--threshold", "a=0.5"], 2, "tells numbers"),
        (["explain", "flats.rbt", "rooms=3"], 2, "tells numbers"),
        (["inspect", "flats.rbt", "--label", "a"], 2, "tells numbers"),
    ],
)
def test_what_numbers_cannot_do_is_said(program, arguments, code, wrong):
    if arguments[0] == "train":
        arguments = [*arguments, "-o", "refused.rbt"]
        arguments += (
            [] if "--label" in arguments or "which column" in wrong else ["--label", "rent"]
        )

    assert wrong in program.complains(*arguments, code=code)
    assert not Path("refused.rbt").exists()


def test_numbers_that_lie_too_far_apart_are_refused(program):
    Path("far.csv").write_text("rooms,rent\n" + "1,1e308\n2,-1e308\n" * 5)

    assert "lie too far apart" in program.complains(
        "train", "far.csv", "--regression", "--label", "rent", code=1
    )
