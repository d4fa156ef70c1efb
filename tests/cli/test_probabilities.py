"""Probabilities on the command line: learned by train, decided by, evaluated and drawn."""

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest

from command_line import Program, reviews, rosenblatt, write_csv
from rosenblatt import load
from rosenblatt.training.reliability import Reliability


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with reviews to learn from, others, and a model."""
    folder = tmp_path_factory.mktemp("trained")
    file = write_csv(folder / "films.csv", *reviews(400, wrong=0.2))
    write_csv(folder / "new.csv", *reviews(300, seed=1, wrong=0.2))
    ended = rosenblatt("train", file, "-o", folder / "films.rbt")
    assert ended.returncode == 0, ended.stderr
    return folder


@pytest.fixture
def program(capsys, trained, monkeypatch):
    monkeypatch.chdir(trained)
    return Program(capsys, trained)


def texts():
    return reviews(300, seed=1, wrong=0.2)[0]


def test_a_trained_model_knows_how_probable_its_labels_are(program):
    model = load("films.rbt")

    best = model.predict_proba(texts()).max(axis=1)

    assert 0.6 < best.mean() < 0.95


def test_the_weights_are_the_same_without(program):
    program("train", "films.csv", "--no-probabilities", "-o", "bare.rbt")

    with_them, without = load("films.rbt")[-1], load("bare.rbt")[-1]

    np.testing.assert_array_equal(without.coef_, with_them.coef_)
    assert not hasattr(without, "predict_proba")


@pytest.mark.parametrize("options", [[], ["--validation", "new.csv"], ["--folds", "0"]])
def test_class_weight_leans_labels_and_not_probabilities(program, options):
    program("train", "films.csv", "--class-weight", "good=9", *options, "-f", "-o", "leaning.rbt")

    model = load("leaning.rbt")

    good = np.mean(np.array(reviews(300, seed=1, wrong=0.2)[1]) == "good")
    assert model.predict_proba(texts())[:, 1].mean() == pytest.approx(good, abs=0.06)


def test_train_says_so_where_scores_say_nothing(program):
    write_csv(program.folder / "noise.csv", *reviews(60, wrong=1.0))

    program("train", "films.csv", "--validation", "noise.csv", "-f", "-o", "noise.rbt")

    assert "probabilities say nothing of examples to come" in program.complaint


def test_the_examples_of_a_validation_file_show_them_if_there_is_one(program):
    program("train", "films.csv", "--validation", "new.csv", "-o", "tried.rbt")

    model = load("tried.rbt")
    X, y = model[0].transform(texts()), np.array(reviews(300, seed=1, wrong=0.2)[1])
    slope = model[-1]._state.calibration.logits.slope
    assert model[-1].calibrate(X, y)._state.calibration.logits.slope == slope


def test_predict_adds_probabilities(program):
    first = program("predict", "films.rbt", "new.csv", "--probabilities").splitlines()[0]

    label, bad, good = first.split("\t")
    expected = load("films.rbt").predict_proba(texts()[:1])[0]
    assert float(bad.removeprefix("bad:")) == pytest.approx(expected[0], rel=1e-5)
    assert float(good.removeprefix("good:")) == pytest.approx(expected[1], rel=1e-5)
    assert label == ["bad", "good"][expected.argmax()]


def test_predict_adds_the_best_labels(program):
    lines = program("predict", "films.rbt", "new.csv", "--top", "1").splitlines()

    assert all(re.fullmatch(r"(\w+)\t\1:0\.[5-9]\d*", line) for line in lines)


def test_the_best_labels_of_a_model_without_probabilities_have_scores(program):
    program("train", "films.csv", "--no-probabilities", "-f", "-o", "bare.rbt")

    label, pair = program("predict", "bare.rbt", "new.csv", "--top", "1").splitlines()[0].split()

    score = abs(load("bare.rbt").decision_function(texts()[:1])[0])
    assert pair.split(":")[0] == label
    assert float(pair.split(":")[1]) == pytest.approx(score, rel=1e-5)


def test_predict_gives_no_label_below_a_probability_and_says_how_often(program, trained):
    ended = rosenblatt(
        *("predict", trained / "films.rbt", trained / "new.csv"),
        *("--abstain-below", "0.8", "--abstain", "?"),
    )

    expected = load("films.rbt").predict(texts(), abstain_below=0.8, abstain="?").tolist()
    assert ended.stdout.splitlines() == expected
    count = expected.count("?")
    assert 0 < count < 300
    assert f"{count} of 300 examples" in ended.stderr


def test_predict_holds_labels_to_thresholds_of_their_own(program):
    printed = program("predict", "films.rbt", "new.csv", "--threshold", "good=0.8")

    assert (
        printed.splitlines() == load("films.rbt").predict(texts(), threshold={"good": 0.8}).tolist()
    )


def test_an_empty_line_stands_for_no_label(program):
    lines = program("predict", "films.rbt", "new.csv", "--abstain-below", "0.8").split("\n")[:-1]

    assert len(lines) == 300
    assert "" in lines


def test_a_table_gets_columns_of_the_best_labels_and_their_probabilities(program):
    printed = program(
        "predict", "films.rbt", "new.csv", "--beside", "--top", "1", "--abstain-below", "0.8"
    )

    rows = list(csv.DictReader(printed.splitlines()))
    model = load("films.rbt")
    said = model.predict(texts(), abstain_below=0.8)
    assert [row["predicted"] for row in rows] == [label or "" for label in said]
    assert [row["label_1"] for row in rows] == model.predict(texts()).tolist()
    best = model.predict_proba(texts()).max(axis=1)
    np.testing.assert_allclose([float(row["probability_1"]) for row in rows], best, rtol=1e-5)


def test_json_tells_all_there_is_to_decide_by(program):
    printed = program(
        "predict", "films.rbt", "new.csv", "--json", "--abstain-below", "0.8", "--top", "2"
    )

    found = [json.loads(line) for line in printed.splitlines()]
    assert {None} < {one["label"] for one in found}
    for one in found:
        assert sum(one["probabilities"].values()) == pytest.approx(1)
        assert one["top"] == sorted(one["scores"], key=one["scores"].get, reverse=True)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--threshold", "great=0.9"], "names a label that the model does not know: it knows bad"),
        (["--threshold", "good"], "must be LABEL=NUMBER with a number above 0 and at most 1"),
        (["--threshold", "good=nan"], "must be LABEL=NUMBER with a number above 0 and at most 1"),
        (["--abstain", "?"], "--abstain is for --abstain-below and --threshold."),
        (["--abstain-below", "nan"], "nan is not in the range"),
        (["--scores", "--top", "1"], "--scores does not go with --probabilities or --top."),
    ],
)
def test_what_cannot_be_decided_is_a_usage_error(options, sentence, trained):
    ended = rosenblatt("predict", trained / "films.rbt", trained / "new.csv", *options)

    assert ended.returncode == 2
    assert sentence in ended.stderr


@pytest.mark.parametrize("options", [["--probabilities"], ["--abstain-below", "0.8"]])
def test_a_model_without_probabilities_cannot_decide_by_them(program, trained, options):
    program("train", "films.csv", "--no-probabilities", "-f", "-o", "bare.rbt")

    ended = rosenblatt("predict", trained / "bare.rbt", trained / "new.csv", *options)

    assert ended.returncode == 2
    assert "no probabilities: train it again, without --no-probabilities" in ended.stderr


def test_evaluate_tells_how_far_probabilities_can_be_believed(program):
    facts = json.loads(program("evaluate", "films.rbt", "new.csv", "--json"))["probabilities"]

    new, opinions = reviews(300, seed=1, wrong=0.2)
    model = load("films.rbt")
    codes = (np.array(opinions) == "good").astype(int)
    found = Reliability.of(model.predict_proba(new), codes)
    assert facts["log_loss"] == pytest.approx(found.log_loss)
    assert facts["calibration_error"] == pytest.approx(found.error)
    assert sum(one["examples"] for one in facts["bins"]) == 300
    printed = program("evaluate", "films.rbt", "new.csv")
    assert f"log loss {found.log_loss:.3f}, Brier score {found.brier:.3f}" in printed
    assert "wrong among the others" in printed
    assert len(re.findall(r"[█·│]{40}", printed)) == 10


def test_evaluate_of_a_model_without_probabilities_tells_none(program):
    program("train", "films.csv", "--no-probabilities", "-f", "-o", "bare.rbt")

    assert json.loads(program("evaluate", "bare.rbt", "new.csv", "--json"))["probabilities"] is None
    assert "log loss" not in program("evaluate", "bare.rbt", "new.csv")


def test_foreign_labels_have_no_part_in_what_probabilities_are_worth(program):
    Path("foreign.csv").write_text("review,opinion\nsuperb clever film,good\ndull plot,awful\n")

    facts = json.loads(program("evaluate", "films.rbt", "foreign.csv", "--json"))

    assert sum(one["examples"] for one in facts["probabilities"]["bins"]) == 1


def test_plot_draws_them(program):
    program("plot", "films.rbt", "--kind", "reliability", "--data", "new.csv", "-o", "r.png")

    assert Path("r.png").read_bytes().startswith(b"\x89PNG")


def test_random_input_is_seen_to_be_random(program):
    Path("odd.csv").write_text("review\nsuperb clever film\nxyzzy plugh film\nqwe rty uio\n")

    lines = program("predict", "films.rbt", "odd.csv", "--unknown").splitlines()

    shares = [float(line.split("unknown:")[1]) for line in lines]
    assert shares[0] < shares[1] < shares[2] == 1.0
    printed = program("predict", "films.rbt", "odd.csv", "--unknown", "--json")
    found = [json.loads(line)["unknown"] for line in printed.splitlines()]
    assert found == pytest.approx(shares, rel=1e-5)
    printed = program("predict", "films.rbt", "odd.csv", "--unknown", "--beside", "--top", "1")
    rows = list(csv.DictReader(printed.splitlines()))
    assert [float(row["unknown"]) for row in rows] == pytest.approx(shares, rel=1e-5)


def test_a_diagram_needs_probabilities_and_says_how_to_have_them(program):
    program("train", "films.csv", "--no-probabilities", "-f", "-o", "bare.rbt")

    complaint = program.complains(
        *("plot", "bare.rbt", "--kind", "reliability", "--data", "new.csv", "-o", "no.png"), code=2
    )

    assert "train it again, without --no-probabilities" in complaint
