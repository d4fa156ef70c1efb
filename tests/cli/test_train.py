"""``rosenblatt train``: one command from a labelled file to a model."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from command_line import Program, on_a_terminal, reviews, rosenblatt, write_csv
from interrupts import CtrlC, lines_of
from rosenblatt import load, open_data
from rosenblatt.cli.app import run
from rosenblatt.cli.train_plan import AUTO


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Program(capsys, tmp_path)


@pytest.fixture
def film_csv(program):
    write_csv(program.folder / "films.csv", *reviews(400))
    return "films.csv"


def test_a_first_csv_needs_no_option(program, film_csv):
    printed = program("train", film_csv)

    lines = printed.splitlines()
    steps = [line.split()[0] for line in lines if re.match(r"[a-z]+ {2,}", line)]
    assert steps == ["read", "labels", "try", "learn", "stop", "error", "always", "wrote", "next"]
    assert "400 examples" in lines[0]
    assert "opinion" in lines[0]
    assert "review" in lines[0]
    assert max(map(len, lines)) <= 100


def test_the_tables_have_a_line_for_each_candidate_and_each_pass(program, film_csv):
    printed = program("train", film_csv)

    tried = r"  \w+, \w=[\d.]+ +\d+ +\d+\.\d %(  best)?"
    candidates = [line for line in printed.splitlines() if re.fullmatch(tried, line)]
    assert len(candidates) == len(AUTO)
    (best,) = (line for line in candidates if line.endswith("best"))
    row = r" +\d+ +[\d,]+ +\d+\.\d % +\d+\.\d\d"
    table = [line for line in printed.splitlines() if re.fullmatch(row, line)]
    model = load("films.rbt")[-1]
    assert len(table) == len(model.history_) == model.max_iter == int(best.split()[2])


def test_the_error_comes_with_an_interval_how_it_was_measured_and_the_majority(program, film_csv):
    assert "by 5-fold cross-validation of 400 examples" in program("train", film_csv)

    facts = program.json("train", film_csv, "--force")
    held = facts["held_out"]
    assert (held["examples"], held["folds"]) == (400, 5)
    assert 0 <= held["low"] <= held["error"] <= held["high"] <= 1
    assert held["error"] < 0.25 < held["majority_error"]
    tried = [one for one in facts["tried"] if one["learner"] == facts["learner"]]
    assert len(facts["passes"]) in [one["passes"] for one in tried]


def test_all_examples_are_learned_from_in_the_end(program, film_csv):
    facts = program.json("train", film_csv)

    assert load("films.rbt")[-1].t_ == 1 + 400 * len(facts["passes"])


def test_an_own_validation_file_chooses_instead_and_is_not_learned_from(program, film_csv):
    write_csv(program.folder / "tried.csv", *reviews(150, seed=1))

    facts = program.json("train", film_csv, "--validation", "tried.csv")

    assert (facts["held_out"]["examples"], facts["held_out"]["folds"]) == (150, 0)
    assert facts["examples"] == 400
    assert load("films.rbt")[-1].t_ == 1 + 400 * len(facts["passes"])
    assert facts["held_out"]["error"] < 0.25
    assert "on 150 held-out examples" in program("inspect", "films.rbt")


def test_a_validation_file_has_no_labels_of_its_own(program, film_csv):
    write_csv(program.folder / "tried.csv", ["fine film", "so so"], ["good", "middling"])

    sentence = program.complains("train", film_csv, "--validation", "tried.csv", code=1)

    assert "'middling'" in sentence


def test_class_weights_say_how_much_labels_count(program):
    texts, opinions = reviews(600, wrong=0.2)
    rare = [k for k, opinion in enumerate(opinions) if opinion == "bad" or k % 10 == 0]
    texts, opinions = [texts[k] for k in rare], [opinions[k] for k in rare]
    file = write_csv(program.folder / "rare.csv", texts, opinions)

    def found(*weights):
        program("train", file, "-o", "m.rbt", "--force", *weights)
        labels = program("predict", "m.rbt", file).split()
        return labels.count("good")

    plain = found()
    assert found("--class-weight", "good=5") > plain
    assert found("--class-weight", "balanced") > plain
    assert load("m.rbt")[-1].class_weight == "balanced"


def test_select_chooses_by_f1_and_tells_it_beside_the_error(program):
    texts, opinions = reviews(600, wrong=0.2)
    some = [k for k, opinion in enumerate(opinions) if opinion == "bad" or k % 8 == 0]
    file = write_csv(
        program.folder / "rare.csv", [texts[k] for k in some], [opinions[k] for k in some]
    )

    printed = program("train", file, "--select", "f1")
    facts = program.json("train", file, "--select", "f1", "--force")

    assert "F1 of good" in printed
    assert re.search(r"^F1 +\d+\.\d %, measured likewise$", printed, re.M)
    best = max(facts["tried"], key=lambda one: one["f1"])
    assert (facts["learner"], facts["setting"].items() <= best.items()) == (best["learner"], True)
    assert 0 < facts["held_out"]["f1"] <= best["f1"]
    macro = program.json("train", file, "--select", "macro-f1", "--force")
    assert 0 < macro["held_out"]["macro_f1"] < 1
    assert "f1" not in program.json("train", file, "--force")["held_out"]


def test_one_of_a_kind_is_told_as_one(program, film_csv):
    Path("one.csv").write_text("review,opinion\nfine film,good\n")

    assert "The only example has the label good" in program.complains(
        "train", "one.csv", "--label", "opinion", code=1
    )
    printed = program("train", film_csv, "--learner", "pa", "--passes", 1, "--folds", 2)
    assert "1 way to learn" in printed
    assert "after 1 pass\n" in printed


def test_f1_of_one_label_is_for_two(program, film_csv):
    texts, opinions = reviews(40)
    write_csv(program.folder / "three.csv", texts, ["so-so", "so-so", *opinions[2:]])

    assert "--select macro-f1" in program.complains("train", "three.csv", "--select", "f1", code=2)
    said = ("--select", "f1", "--folds", 0)
    assert "leave out --folds 0" in program.complains("train", film_csv, *said, code=2)


@pytest.mark.parametrize("said", ["fine=2", "good", "good=much", "good=-1"])
def test_class_weights_that_make_no_sense_are_refused(program, film_csv, said):
    sentence = program.complains("train", film_csv, "--class-weight", said, code=2)

    assert "--class-weight" in sentence


def test_the_model_is_a_pipeline_that_predicts(program, film_csv):
    program("train", film_csv)

    model = load("films.rbt")

    assert model.predict(["a superb and moving film", "dull, tedious"]).tolist() == ["good", "bad"]


@pytest.mark.parametrize("learner", ["averaged", "perceptron", "pa", "arow", "winnow", "voted"])
def test_every_learner_learns_the_reviews(program, film_csv, learner):
    facts = program.json("train", film_csv, "--learner", learner, "-o", f"{learner}.rbt")

    assert facts["held_out"]["error"] <= 0.3
    assert program.json("evaluate", f"{learner}.rbt", film_csv)["error"] < 0.25


def test_the_same_command_writes_the_same_bytes(program, film_csv):
    program("train", film_csv, "-o", "one.rbt")
    program("train", film_csv, "-o", "two.rbt")

    assert Path("one.rbt").read_bytes() == Path("two.rbt").read_bytes()


def test_any_number_of_threads_gives_the_same_bytes(program, film_csv):
    program("train", film_csv, "-o", "default.rbt")

    for jobs in (1, 3):
        program("train", film_csv, "-o", f"{jobs}.rbt", "--jobs", jobs)
        assert Path(f"{jobs}.rbt").read_bytes() == Path("default.rbt").read_bytes()


def test_without_folds_all_examples_are_learned_from(program, film_csv):
    printed = program("train", film_csv, "--folds", 0, "--passes", 3)

    assert "error" not in re.findall("^[a-z]+", printed, re.M)
    assert load("films.rbt")[-1].t_ == 1 + 3 * 400


@pytest.fixture(params=["text.csv", "table.csv", "films.txt", "rows.svm", "films.vw"])
def many_batches(request, program):
    """A file that is read in several batches, whose later ones bring new features."""
    texts, opinions = reviews(5000)
    rng = np.random.default_rng(0)
    lines = []
    for k, opinion in enumerate(opinions):
        text = f"{texts[k]} number{k // 1000}"
        age = "" if k > 4500 and rng.random() < 0.1 else f"{rng.normal(40, 10):.3f}"
        columns = np.unique(rng.integers(1, 40 + k // 100, 12))
        lines.append(
            {
                "text.csv": f"{text},{opinion}",
                "table.csv": f"{age},c{k // 2000},{text},{opinion}",
                "films.txt": f"__label__{opinion} {text} " + "so " * 100,
                "rows.svm": f"{1 if columns[0] > 2 else -1} "
                + " ".join(f"{column}:{rng.normal():.4f}" for column in columns),
                "films.vw": f"{1 if opinion == 'good' else -1} {rng.random():.3f} |words {text} "
                + "so:1 " * 100,
            }[request.param]
        )
    head = {"text.csv": "review,opinion\n", "table.csv": "age,colour,review,opinion\n"}
    Path(request.param).write_text(head.get(request.param, "") + "\n".join(lines) + "\n")
    assert sum(1 for _ in open_data(request.param).batches()) > 1
    return request.param


def test_streaming_gives_the_model_of_memory_to_the_byte(program, many_batches):
    options = ["--passes", 4, "--learner", "pa", "--seed", 3, "--folds", 3, "--min-df", 2]
    program("train", many_batches, "-o", "memory.rbt", "--no-stream", *options)

    facts = program.json("train", many_batches, "-o", "disk.rbt", "--stream", *options)

    assert facts["held_out"]["examples"] == 5000
    assert Path(f"{many_batches}.cache").is_dir()
    assert Path("disk.rbt").read_bytes() == Path("memory.rbt").read_bytes()
    program("train", many_batches, "-o", "cached.rbt", "--stream", *options)
    assert Path("cached.rbt").read_bytes() == Path("memory.rbt").read_bytes()


@pytest.mark.parametrize("learner", ["averaged", "perceptron", "arow", "winnow", "voted"])
def test_every_learner_can_stream(program, film_csv, learner):
    options = ["--learner", learner, "--passes", 3, "--hash", 10]
    program("train", film_csv, "-o", "memory.rbt", *options)

    program("train", film_csv, "-o", "disk.rbt", "--stream", *options)

    assert Path("disk.rbt").read_bytes() == Path("memory.rbt").read_bytes()


def test_streaming_needs_a_file(program, film_csv):
    assert "standard input" in program.complains("train", "-", "-o", "m.rbt", "--stream", code=2)


def test_a_model_that_exists_is_kept_unless_forced(program, film_csv):
    Path("films.rbt").write_text("precious")

    sentence = program.complains("train", film_csv, code=4)

    assert "films.rbt exists" in sentence
    assert "--force" in sentence
    assert Path("films.rbt").read_text() == "precious"
    program("train", film_csv, "--force")


def test_a_missing_file_is_a_fault_of_the_data(program):
    sentence = program.complains("train", "nowhere.csv", code=1)

    assert sentence == "error: Cannot read nowhere.csv: no such file or directory.\n"


def test_one_label_is_not_enough(program):
    file = write_csv(program.folder / "one.csv", ["fine film", "good plot"] * 20, ["good"] * 40)

    sentence = program.complains("train", file, "--label", "opinion", code=1)

    assert "All 40 examples have the label good" in sentence
    assert not Path("one.rbt").exists()


def test_a_label_of_one_example_is_learned_from(program):
    texts, opinions = reviews(50)
    file = write_csv(program.folder / "typo.csv", texts, [*opinions[:-1], "goood"])

    facts = program.json("train", file)

    assert facts["labels"] == ["bad", "good", "goood"]
    assert facts["held_out"]["examples"] == 50


def test_labels_of_one_example_each_cannot_be_held_out(program):
    file = write_csv(program.folder / "two.csv", ["fine film", "dull plot"], ["good", "bad"])

    sentence = program.complains("train", file, "--label", "opinion", code=1)

    assert "--folds 0" in sentence
    program("train", file, "--label", "opinion", "--folds", 0)


def test_bad_use_ends_with_two(program, film_csv):
    assert "Missing argument 'FILE'" in program.complains("train", code=2)
    assert "--learner" in program.complains("train", film_csv, "--learner", "deep", code=2)
    assert "--ngrams" in program.complains("train", film_csv, "--ngrams", "2-1", code=2)


def test_a_folder_that_cannot_be_written_to_ends_with_four(program, film_csv):
    sentence = program.complains("train", film_csv, "-o", "no/such/folder.rbt", code=4)

    assert "There is no folder" in sentence


def test_lines_that_cannot_be_read_are_named_or_set_aside(program, film_csv):
    text = Path(film_csv).read_text().splitlines()
    text.insert(5, '"too many",good,columns,here')
    Path("bad.csv").write_text("\n".join(text) + "\n")

    sentence = program.complains("train", "bad.csv", code=1)

    assert "bad.csv, line 6" in sentence
    assert "rejects" in sentence
    program("train", "bad.csv", "--rejects", "aside.txt")
    assert "too many" in Path("aside.txt").read_text()
    assert "400 examples" in program.printed


def interruptions(film_csv, model, *options):
    """Turns at which Ctrl-C may come: one while reading, the others towards the end of the run."""

    def call():
        run(["train", film_csv, "-o", model, "--quiet", "--force", *options])

    lines = lines_of(call)
    return [lines // 3, *(lines - before for before in (2500, 1700, 1100, 700, 400, 200, 100))]


def test_interrupted_and_resumed_is_uninterrupted_to_the_byte(program, film_csv):
    program("train", film_csv, "-o", "whole.rbt")
    whole = Path("whole.rbt").read_bytes()
    resumed = 0
    for turn in interruptions(film_csv, "lines.rbt"):
        with CtrlC(turn):
            code = run(["train", film_csv, "-o", "cut.rbt", "--force"])
        complaint = program.capsys.readouterr().err
        if code == 0:
            assert Path("cut.rbt").read_bytes() == whole
            continue
        assert code == 130
        command = re.search(r"rosenblatt (train .+ --resume .+)", complaint)
        if command:
            assert run(command[1].split()) == 0
            assert Path("cut.rbt").read_bytes() == whole
            assert not Path("cut.rbt.part").exists()
            resumed += 1
        else:
            assert ("was written, whole" if Path("cut.rbt").exists() else "nothing") in complaint
        Path("cut.rbt").unlink(missing_ok=True)
    assert resumed >= 1


def test_ctrl_c_ends_a_process_within_moments_and_a_checkpoint_resumes(tmp_path):
    file = write_csv(tmp_path / "films.csv", *reviews(3000, wrong=0.3))
    command = [sys.executable, "-m", "rosenblatt", "train", file, "-o", tmp_path / "m.rbt"]
    command += ["--passes", "100000", "--folds", "0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    for line in process.stdout:
        if line.startswith("  ") and line.split()[0] == "3":
            break
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=60)

    assert process.returncode == 130
    assert "--resume" in complaint
    assert (tmp_path / "m.rbt.part").exists()
    assert not (tmp_path / "m.rbt").exists()


def test_a_checkpoint_of_other_data_is_refused(program, film_csv):
    with CtrlC(interruptions(film_csv, "lines.rbt", "--folds", "0")[1]):
        run(["train", film_csv, "-o", "cut.rbt", "--folds", "0"])
    assert Path("cut.rbt.part").exists()
    Path(film_csv).write_text(Path(film_csv).read_text() + "new,good\n")

    sentence = program.complains("train", film_csv, "--resume", "cut.rbt.part", code=1)

    assert "is not what it was" in sentence


def test_resume_takes_no_option_that_changes_the_run(program, film_csv):
    resume = ("train", film_csv, "--resume", "cut.rbt.part")

    assert "leave out --passes" in program.complains(*resume, "--passes", 3, code=2)
    assert "leave out --label" in program.complains(*resume, "--label", "opinion", code=2)


def test_what_was_said_of_the_call_is_said_again_to_go_on(program, film_csv):
    Path("cut.rbt.part").write_text("somebody else's")
    said = ("-o", "cut.rbt", "--rejects", "aside.txt", "--jobs", "1", "--no-stream", "--quiet")
    with CtrlC(interruptions(film_csv, "lines.rbt", "--folds", "0")[1]):
        run(["train", film_csv, *said, "--folds", "0"])
    command = re.search(r"rosenblatt (train .+ --resume .+)", program.capsys.readouterr().err)[1]

    assert run(command.split()) == 0

    for words in ("--resume cut.rbt.2.part", "--rejects aside.txt", "--no-stream", "--jobs 1"):
        assert words in command
    assert Path("cut.rbt").exists()
    assert not Path("cut.rbt.2.part").exists()
    assert Path("cut.rbt.part").read_text() == "somebody else's"


def test_a_finished_model_is_no_checkpoint(program, film_csv):
    program("train", film_csv)

    assert "not a checkpoint" in program.complains(
        "train", film_csv, "--resume", "films.rbt", code=3
    )


def test_colour_is_left_out_where_it_is_not_wanted(tmp_path):
    file = write_csv(tmp_path / "films.csv", *reviews(60))

    piped = rosenblatt("train", file, "-o", tmp_path / "a.rbt")
    forced = rosenblatt("train", file, "-o", tmp_path / "b.rbt", FORCE_COLOR="1")
    neither = rosenblatt("train", file, "-o", tmp_path / "c.rbt", FORCE_COLOR="1", NO_COLOR="1")

    assert "\033[" not in piped.stdout
    assert piped.stderr == ""
    assert "\033[1m" in forced.stdout
    assert "\033[" not in neither.stdout


@pytest.fixture
def slow_pipe(tmp_path):
    """A file of reviews that takes more than a second to be read."""
    texts, opinions = reviews(100)
    whole = Path(write_csv(tmp_path / "films.csv", texts * 800, opinions * 800)).read_bytes()
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)

    def write_slowly():
        with pipe.open("wb") as file:
            file.write(whole[: len(whole) // 2])
            file.flush()
            time.sleep(2.5)
            file.write(whole[len(whole) // 2 :])

    writer = threading.Thread(target=write_slowly)
    writer.start()
    yield pipe
    writer.join()


def test_a_terminal_gets_colour_and_a_bar_that_goes_when_reading_is_done(tmp_path, slow_pipe):
    written = on_a_terminal("train", slow_pipe, "-o", tmp_path / "a.rbt", "--passes", 1)

    assert "\033[1mread" in written
    drawn = [at.start() for at in re.finditer(r"reading pipe.csv", written)]
    assert drawn
    assert max(drawn) < written.rindex("\033[2K") < written.index("\033[1mread")


def test_a_pipe_gets_no_bar(tmp_path, slow_pipe):
    ended = rosenblatt("train", slow_pipe, "-o", tmp_path / "a.rbt", "--passes", 1)

    assert ended.stderr == ""
    assert "\033" not in ended.stdout
    assert "reading" not in ended.stdout


def test_a_terminal_without_our_letters_gets_plain_ones(tmp_path):
    file = write_csv(tmp_path / "films.csv", *reviews(60))
    rosenblatt("train", file, "-o", tmp_path / "a.rbt")

    ended = rosenblatt("inspect", tmp_path / "a.rbt", PYTHONIOENCODING="ascii")

    assert ended.returncode == 0
    assert "###" in ended.stdout
    assert ended.stdout.isascii()
