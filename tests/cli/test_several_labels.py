"""Sets of labels on the command line, from files to decisions, against scikit-learn's metrics."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import (
    f1_score,
    hamming_loss,
    label_ranking_average_precision_score,
    log_loss,
    precision_score,
    recall_score,
)

from command_line import Program, rosenblatt
from rosenblatt import Predictor, load

TOPICS = {
    "food": ["bread", "soup", "salt"],
    "law": ["court", "judge", "trial"],
    "sport": ["goal", "match", "team"],
    "trade": ["tariff", "export", "port"],
}


def written(count, seed):
    """Labels and texts, some of them without a label, and some with a word too many."""
    rng = np.random.default_rng(seed)
    sets, texts = [], []
    for _ in range(count):
        own = sorted(rng.choice([*TOPICS], rng.choice([0, 1, 1, 2, 3]), replace=False).tolist())
        words = [word for label in own for word in rng.choice(TOPICS[label], 2)]
        words += ["so", "it", "was", rng.choice(TOPICS[rng.choice([*TOPICS])])]
        sets.append(own)
        texts.append(" ".join(rng.permutation(words)))
    return sets, texts


def write(stem, sets, texts):
    """The same examples in each format."""
    rows = list(zip(sets, texts, strict=True))
    marked = ["".join(f"__label__{label} " for label in own) + text for own, text in rows]
    Path(f"{stem}.txt").write_text("\n".join(marked) + "\n")
    cells = [f"{'|'.join(own)},{text}" for own, text in rows]
    Path(f"{stem}.csv").write_text("\n".join(["topics,text", *cells]) + "\n")
    objects = [json.dumps({"topics": own, "text": text}) for own, text in rows]
    Path(f"{stem}.jsonl").write_text("\n".join(objects) + "\n")


SEVERAL = "--several-labels"
OUT = ["-o", "refused.rbt"]
SAID = {
    "txt": ["--several-labels"],
    "csv": ["--label-separator", "|", "--label", "topics"],
    "jsonl": ["--several-labels", "--label", "topics"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("topics")


@pytest.fixture
def program(capsys, folder, monkeypatch):
    monkeypatch.chdir(folder)
    program = Program(capsys, folder)
    if not Path("news.rbt").exists():
        write("news", *written(200, seed=0))
        write("new", *written(80, seed=1))
        program("train", "news.txt", "--several-labels", "--passes", 5)
    return program


@pytest.fixture
def judged(program):
    """What is right in the new file, what the model gives, scores and probabilities."""
    model = load("news.rbt")
    sets, texts = written(80, seed=1)
    right = np.array([[label in own for label in TOPICS] for own in sets], int)
    given = np.array([[label in own for label in TOPICS] for own in model.predict(texts)], int)
    return right, given, model.decision_function(texts), model.predict_proba(texts)


def test_several_labels_are_an_error_unless_asked_for(program):
    said = program.complains("train", "news.txt", "-o", "other.rbt", code=1)

    assert "expected one label, got also '__label__" in said
    assert "to learn all of them, say --several-labels, or set it aside with --rejects" in said
    assert not Path("other.rbt").exists()


def test_every_format_gives_the_same_model(program):
    models = []
    for kind, said in SAID.items():
        options = ["--passes", 3, "--learner", "pa", "-C", 0.1, "-o", f"{kind}.rbt", "-f"]
        facts = program.json("train", f"news.{kind}", *said, *options)
        models.append(load(f"{kind}.rbt"))
        assert facts["held_out"]["ranking_precision"] > facts["held_out"]["by_frequency"]

    for model in models[1:]:
        assert np.array_equal(model[-1].coef_, models[0][-1].coef_)
        assert np.array_equal(
            model[-1]._state.thresholds.scores, models[0][-1]._state.thresholds.scores
        )


def test_train_on_disk_gives_the_same_file(program):
    said = ["news.txt", "--several-labels", "--passes", 3, "-f"]

    program("train", *said, "-o", "memory.rbt", "--no-stream")
    program("train", *said, "-o", "disk.rbt", "--stream")

    assert Path("memory.rbt").read_bytes() == Path("disk.rbt").read_bytes()


def test_evaluate_tells_what_scikit_learn_tells(program, judged):
    right, given, scores, probabilities = judged

    facts = program.json("evaluate", "news.rbt", "new.txt")

    micro, macro = (facts["averages"][name]["f1"] for name in ("micro", "macro"))
    assert micro == pytest.approx(f1_score(right, given, average="micro"))
    assert macro == pytest.approx(f1_score(right, given, average="macro"))
    assert facts["subset_accuracy"] == pytest.approx(np.mean((right == given).all(axis=1)))
    assert facts["hamming_loss"] == pytest.approx(hamming_loss(right, given))
    ranking = label_ranking_average_precision_score(right, scores)
    assert facts["ranking_precision"] == pytest.approx(ranking)
    each = f1_score(right, given, average=None)
    assert [row["f1"] for row in facts["labels"].values()] == pytest.approx(each)
    flat = log_loss(right.ravel(), np.clip(probabilities.ravel(), 1e-15, 1 - 1e-15))
    assert facts["probabilities"]["log_loss"] == pytest.approx(flat)
    told = program("evaluate", "news.rbt", "new.txt")
    for word in ("micro", "macro", "not just the right labels", "precision", "food", "trade"):
        assert word in told


def test_a_model_of_lines_is_evaluated_on_tables_too(program):
    lines = program.json("evaluate", "news.rbt", "new.txt")

    table = program.json("evaluate", "news.rbt", "new.csv", *SAID["csv"], "--text", "text")
    objects = program.json("evaluate", "news.rbt", "new.jsonl", *SAID["jsonl"], "--text", "text")

    for facts in (table, objects):
        assert facts["averages"] == lines["averages"]


def test_labels_that_the_model_does_not_know_are_told_and_count(program):
    Path("far.txt").write_text("__label__law __label__moon court judge\n__label__food bread\n")

    facts = program.json("evaluate", "news.rbt", "far.txt")

    assert facts["foreign"] == {"moon": 1}
    assert facts["subset_accuracy"] <= 0.5
    program("evaluate", "news.rbt", "far.txt")
    assert "1 labels of examples are not known to the model: moon" in program.complaint


def test_predict_prints_sets(program, judged):
    _, given, scores, probabilities = judged
    names = [*TOPICS]
    expected = [",".join(np.array(names)[row.astype(bool)]) for row in given]

    assert program("predict", "news.rbt", "new.txt").split("\n")[:-1] == expected
    objects = [
        json.loads(line)
        for line in program("predict", "news.rbt", "new.txt", "--json").split("\n")[:-1]
    ]
    assert [",".join(each["labels"]) for each in objects] == expected
    assert [*objects[0]["scores"].values()] == pytest.approx(scores[0].tolist())
    assert [*objects[0]["probabilities"].values()] == pytest.approx(probabilities[0].tolist())
    best = program("predict", "news.rbt", "new.txt", "--top", 1).split("\n")[0].split("\t")[1]
    assert best.split(":")[0] == names[int(scores[0].argmax())]
    sure = program("predict", "news.rbt", "new.txt", "--threshold", "law=0.5").split("\n")[:-1]
    assert [("law" in line) for line in sure] == (probabilities[:, 1] >= 0.5).tolist()


def test_a_threshold_for_all_labels_gives_way_to_one_of_its_own(program, judged):
    probabilities = judged[3]
    names = [*TOPICS]
    least = np.where(np.array(names) == "law", 0.9, 0.3)
    expected = [",".join(np.array(names)[row]) for row in probabilities >= least]

    both = ["--threshold", "law=0.9", "--threshold", "0.3"]
    printed = program("predict", "news.rbt", "new.txt", *both).split("\n")[:-1]

    assert printed == expected
    without = expected.count("")
    assert f"{without:,} of {len(expected):,} examples" in program.complaint


def test_evaluate_tells_what_a_threshold_for_all_labels_would_bring(program, judged):
    right, _, _, probabilities = judged

    found = program.json("evaluate", "news.rbt", "new.txt")["probabilities"]["thresholds"]

    assert [each["threshold"] for each in found] == [k / 10 for k in range(1, 10)]
    for each in found:
        given = probabilities >= each["threshold"]
        for name, score in (("precision", precision_score), ("recall", recall_score)):
            expected = score(right, given, average="micro", zero_division=0)
            assert each[name] == pytest.approx(expected)
        assert each["without"] == pytest.approx((~given.any(axis=1)).mean())
    assert "labels from" in program("evaluate", "news.rbt", "new.txt")


def test_a_reliability_diagram_is_drawn_of_sets(program):
    program("plot", "news.rbt", "--kind", "reliability", "--data", "new.txt", "-o", "r.png", "-f")

    assert Path("r.png").stat().st_size > 1000


def test_predict_writes_sets_beside_a_table(program):
    program("train", "news.csv", *SAID["csv"], "--folds", 0, "--passes", 3, "-o", "c.rbt", "-f")

    cells = program("predict", "c.rbt", "new.csv", "--beside").split("\n")
    objects = program(
        "predict", "c.rbt", "new.jsonl", "--beside", "--several-labels", "--label", "topics"
    ).split("\n")

    lists = [json.loads(line)["predicted"] for line in objects[:-1]]
    assert [line.split(",")[-1].strip('"') for line in cells[1:-1]] == ["|".join(x) for x in lists]


def test_the_predictor_gives_sets_without_scikit_learn(program):
    code = (
        "import sys; from rosenblatt import Predictor; p = Predictor.load('news.rbt');"
        "print(p.predict(['court and port'])); assert 'sklearn' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "{" in done.stdout
    assert Predictor.load("news.rbt").foretold == "labels"


def test_explain_inspect_and_check_know_of_sets(program):
    told = program("explain", "news.rbt", "the court and the tariff at the port")
    assert told.startswith("label    law, trade ")
    assert "Pushes for 'trade'" in told or "Pushes for 'law'" in told
    assert "foretells sets of labels" in program("inspect", "news.rbt")
    assert "precision by 5-fold cross-validation of 200 examples" in program("inspect", "news.rbt")
    facts = program.json("check", "news.txt", "--several-labels")
    sets, _ = written(200, seed=0)
    assert facts["labels"]["law"] == sum("law" in own for own in sets)
    assert facts["without_labels"] == sum(not own for own in sets)


@pytest.mark.parametrize("select", ["f1", "macro-f1", "log-loss"])
def test_passes_are_chosen_by_what_is_asked(program, select):
    said = ["--several-labels", "--passes", 4, "--folds", 3, "-o", "s.rbt", "-f"]

    facts = program.json("train", "news.txt", *said, "--select", select)

    name = select.replace("-", "_")
    values = [each[name] for each in facts["tried"]]
    best = (min if select == "log-loss" else max)(values)
    assert facts["held_out"][name] == pytest.approx(best, abs=0.2)


def test_learning_goes_on_with_sets(program):
    held = program.json(
        "train", "new.txt", "--continue", "news.rbt", "-o", "on.rbt", "-f", "--passes", 2
    )

    assert held["before"]["ranking_precision"] > 0.5
    assert load("on.rbt")[-1].t_ > load("news.rbt")[-1].t_
    before, after = (load(name)[-1]._state.thresholds.scores for name in ("news.rbt", "on.rbt"))
    assert np.array_equal(before, after)


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (
            ["train", "news.txt", "--several-labels", "--learner", "voted", *OUT],
            "is for --learner auto",
        ),
        (["predict", "news.rbt", "new.txt", "--abstain-below", 0.5], "which may be empty"),
        (["evaluate", "news.rbt", "new.txt", "--costs", "a:b=1"], "one label an example"),
        (["evaluate", "news.rbt", "new.txt", "--regression"], "is not what the model foretells"),
        (["margin", "news.txt", "--several-labels"], "one label an example"),
        (["train", "news.txt", "--label-separator", "a" * 20, *OUT], "--label-separator must be"),
    ],
)
def test_what_sets_cannot_do_is_said(program, arguments, wrong):
    before = sorted(Path().iterdir())

    assert wrong in program.complains(*arguments, code=2)
    assert sorted(Path().iterdir()) == before


def test_no_label_of_a_set_passes_for_two(program):
    sets = [["a,b", "c"], ["a", "b"], ["[d]"], ["a"]]
    texts = ["good film", "bad plot", "dull cast", "bad scene"]
    lines = [json.dumps({"label": sets[k % 4], "text": texts[k % 4]}) + "\n" for k in range(60)]
    Path("odd.jsonl").write_text("".join(lines))
    program("train", "odd.jsonl", "--several-labels")

    printed = program("predict", "odd.rbt", "odd.jsonl").splitlines()

    assert printed[:4] == ['["a,b", "c"]', "a,b", '["[d]"]', "a"]


def test_the_program_learns_sets_in_a_process_of_its_own(program):
    done = rosenblatt("train", "news.txt", "--several-labels", "-o", "own.rbt", "--folds", 0)

    assert done.returncode == 0, done.stderr
    assert " an example; " in done.stdout
