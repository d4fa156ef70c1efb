"""train --continue and --progressive: learning that goes on, exactly as the library's own."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from command_line import Program, reviews, write_csv
from rosenblatt import PassiveAggressiveClassifier, load, open_data, read_notes, save
from rosenblatt.persistence.container import ModelFileError


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_csv(tmp_path / "old.csv", *reviews(200))
    write_csv(tmp_path / "new.csv", *reviews(120, seed=1))
    program = Program(capsys, tmp_path)
    program("train", "old.csv", "--folds", 0, "--passes", 3)
    return program


@pytest.mark.parametrize("passes", [1, 3])
def test_a_finished_model_goes_on_as_fit_with_warm_start_does(program, passes):
    said = () if passes == 1 else ("--passes", passes)
    before = Path("old.rbt").read_bytes()
    own = load("old.rbt")
    texts, opinions = reviews(120, seed=1)
    error = np.mean(own.predict(texts) != opinions)
    own[-1].set_params(warm_start=True, max_iter=passes)
    own[-1].fit(own[:-1].transform(texts), opinions)

    facts = program.json("train", "new.csv", "--continue", "old.rbt", *said)

    went_on = load("new.rbt")
    assert_array_equal(went_on[-1].coef_, own[-1].coef_)
    assert went_on[-1].t_ == own[-1].t_ == 1 + 200 * 3 + 120 * passes
    assert not went_on[-1].warm_start
    assert facts["before"]["error"] == error
    assert facts["held_out"] is None
    assert Path("old.rbt").read_bytes() == before


def test_it_says_what_it_went_on_from_and_how_good_that_was(program):
    printed = program("train", "new.csv", "--continue", "old.rbt")

    assert "on these by old.rbt as it was" in printed
    assert "old.rbt: on from 120 examples" in printed
    assert read_notes("new.rbt")["data"] == read_notes("old.rbt")["data"]


def test_nothing_is_written_over_without_force(program):
    said = ("train", "new.csv", "--continue", "old.rbt", "-o", "old.rbt")
    before = Path("old.rbt").read_bytes()

    assert "old.rbt exists" in program.complains(*said, code=4)
    assert Path("old.rbt").read_bytes() == before
    program(*said, "--force")
    assert load("old.rbt")[-1].t_ == 1 + 200 * 3 + 120


def test_a_validation_file_tells_how_good_the_new_model_is(program):
    texts, opinions = reviews(80, seed=2)
    write_csv(program.folder / "tried.csv", texts, opinions)

    said = ("--continue", "old.rbt", "--validation", "tried.csv")
    held = program.json("train", "new.csv", *said)["held_out"]

    assert held["error"] == np.mean(load("new.rbt").predict(texts) != opinions)
    assert read_notes("new.rbt")["held_out"] == held
    assert "on 80 held-out examples" in program("inspect", "new.rbt")


def test_each_example_is_predicted_before_it_is_learned_from(program):
    facts = program.json("train", "new.csv", "--progressive", "--learner", "perceptron")

    whole, texts, opinions = load("new.rbt"), *reviews(120, seed=1)
    vectorizer, model = whole
    X = vectorizer.transform(texts)
    own = type(model)(**model.get_params())
    wrong = []
    for k, opinion in enumerate(opinions):
        wrong.append((own.predict(X[[k]])[0] if k else "bad") != opinion)
        own.partial_fit(X[[k]], [opinion], classes=["bad", "good"])
    assert_array_equal(model.coef_, own.coef_)
    assert facts["held_out"]["error"] == np.mean(wrong)
    assert [part["examples"] for part in facts["progress"]] == list(range(12, 121, 12))
    assert facts["progress"][3]["error"] == np.mean(wrong[:48])
    assert facts["progress"][3]["since"] == np.mean(wrong[36:48])
    assert "each predicted before it was learned from" in program("inspect", "new.rbt")


def test_a_finished_model_may_learn_from_each_example_in_turn(program):
    own, (texts, opinions) = load("old.rbt"), reviews(120, seed=1)
    X, wrong = own[:-1].transform(texts), []
    for k, opinion in enumerate(opinions):
        wrong.append(own[-1].predict(X[[k]])[0] != opinion)
        own[-1].partial_fit(X[[k]], [opinion])

    facts = program.json("train", "new.csv", "--continue", "old.rbt", "--progressive")

    assert facts["held_out"]["error"] == np.mean(wrong)
    assert_array_equal(load("new.rbt")[-1].coef_, own[-1].coef_)


def test_a_stream_that_turns_is_followed_by_averages_that_forget(program):
    texts, opinions = reviews(1200, wrong=0.0)
    turned = ["good" if one == "bad" else "bad" for one in opinions[600:]]
    write_csv(program.folder / "turning.csv", texts, opinions[:600] + turned)

    def error(*said):
        said = ("--progressive", "-o", "m.rbt", "--force", *said)
        return program.json("train", "turning.csv", *said)["progress"][-1]["since"]

    assert error("--half-life", 20) < 0.05 < error()


def test_rows_of_numbers_go_on_whatever_their_width(program):
    Path("old.svm").write_text("1 1:1 3:1\n-1 2:1\n" * 20)
    Path("new.svm").write_text("-1 1:1\n1 2:1 7:1\n" * 20)
    program("train", "old.svm", "--folds", 0, "--passes", 2, "-o", "svm.rbt")

    facts = program.json("train", "new.svm", "--continue", "svm.rbt", "-o", "next.rbt")

    assert facts["before"]["error"] == 1
    assert load("next.rbt").coef_.shape == (1, 3)


def test_a_model_saved_by_hand_goes_on_too(program):
    texts, opinions = reviews(50)
    vectorizer = open_data("old.csv").vectorizer()
    model = PassiveAggressiveClassifier(random_state=0)
    from sklearn.pipeline import make_pipeline

    save(make_pipeline(vectorizer, model).fit(texts, opinions), "own.rbt", notes={"by": "me"})
    Path("lines.txt").write_text(
        "".join(f"__label__{label} {text}\n" for text, label in zip(texts, opinions, strict=True))
    )

    program("train", "lines.txt", "--continue", "own.rbt")

    assert read_notes("lines.rbt")["by"] == "me"


@pytest.mark.parametrize(
    ("said", "code", "sentence"),
    [
        ("--continue old.rbt --learner pa", 2, "the model as it is: leave out --learner."),
        ("--continue old.rbt --progressive --passes 2", 2, "leave out --passes."),
        ("--continue old.rbt --stream", 2, "leave out --stream."),
        ("--continue no.rbt", 3, "Cannot read the model no.rbt"),
        ("--continue old.csv", 3, "old.csv is not a model file"),
        ("--progressive --folds 3", 2, "walks over the examples once: leave out --folds."),
        ("--progressive --class-weight balanced", 2, "say LABEL=NUMBER,..."),
        ("--half-life 9 --learner arow", 2, "--half-life is for --learner auto, pa, averaged."),
        ("--half-life 0", 2, "--half-life"),
    ],
)
def test_what_makes_no_sense_together_is_refused(program, said, code, sentence):
    assert sentence in program.complains("train", "new.csv", *said.split(), code=code)
    with pytest.raises((ModelFileError, OSError)):
        load("new.rbt")


def test_labels_that_the_model_does_not_know_are_named_with_their_line(program):
    write_csv(program.folder / "more.csv", ["fine film", "so so"], ["good", "middling"])

    complaint = program.complains("train", "more.csv", "--continue", "old.rbt", code=1)

    assert "more.csv, line 3: the label 'middling' is not among those" in complaint
