"""What evaluate tells beyond the error: averages, areas, costs, and the worst errors."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import (
    average_precision_score,
    precision_recall_fscore_support,
    roc_auc_score,
)

from command_line import Program
from rosenblatt import load
from rosenblatt.cli.roc_pr import areas, margins_of

LABELS = ["art", "law", "war"]


def write_articles(path, count, seed):
    """Articles of two columns of text and a number, some under the wrong label."""
    rng = np.random.default_rng(seed)
    words = {"art": ["opera", "novel", "mural"], "law": ["judge", "court", "trial"]}
    words |= {"war": ["siege", "troops", "truce"]}
    lines = ["title,body,pages,topic"]
    for topic in rng.choice(LABELS, count, p=[0.6, 0.3, 0.1]):
        title = rng.choice(words[topic])
        body = " ".join(rng.choice(words[rng.choice(LABELS)], 2))
        topic = rng.choice(LABELS) if rng.random() < 0.15 else topic
        lines.append(f"the {title} today,so {body} and on,{rng.integers(1, 9)},{topic}")
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return tmp_path_factory.mktemp("articles")


@pytest.fixture
def program(capsys, trained, monkeypatch):
    monkeypatch.chdir(trained)
    program = Program(capsys, trained)
    if not Path("old.rbt").exists():
        write_articles(trained / "old.csv", 300, seed=0)
        write_articles(trained / "new.csv", 200, seed=1)
        program("train", "old.csv", "--folds", 0, "--passes", 2)
    return program


@pytest.fixture
def judged(program):
    """What is right in the new file, what the model says, and its scores."""
    lines = [line.split(",") for line in Path("new.csv").read_text().splitlines()[1:]]
    title, body, pages, right = zip(*lines, strict=True)
    table = {"title": title, "body": body, "pages": [float(number) for number in pages]}
    model = load("old.rbt")
    return np.array(right), model.predict(table), model.decision_function(table)


def test_evaluate_averages_over_labels_and_over_examples(program, judged):
    right, found, _ = judged

    averages = program.json("evaluate", "old.rbt", "new.csv")["averages"]

    for kind in ("macro", "micro"):
        rates = precision_recall_fscore_support(right, found, average=kind)
        assert list(averages[kind].values()) == pytest.approx(rates[:3])
    printed = program("evaluate", "old.rbt", "new.csv")
    assert "macro average" in printed
    assert "micro average" in printed


def test_evaluate_tells_the_areas_under_both_curves(program, judged):
    right, _, scores = judged
    margins = margins_of(scores)

    labels = program.json("evaluate", "old.rbt", "new.csv")["labels"]

    for k, name in enumerate(LABELS):
        curves = labels[name]["areas"]
        assert curves["roc"] == pytest.approx(roc_auc_score(right == name, margins[:, k]))
        area = average_precision_score(right == name, margins[:, k])
        assert curves["precision_recall"] == pytest.approx(area)


@given(
    pairs=st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=2, max_size=40).filter(
        lambda pairs: len({right for _, right in pairs}) == 2
    )
)
def test_areas_are_those_of_scikit_learn_also_where_margins_are_equal(pairs):
    margins, right = np.array([m for m, _ in pairs], float), np.array([r for _, r in pairs])

    found = areas(margins, right)

    assert found.roc == pytest.approx(roc_auc_score(right, margins))
    assert found.precision_recall == pytest.approx(average_precision_score(right, margins))


def test_a_label_of_all_examples_or_of_none_has_no_areas(program):
    lines = Path("new.csv").read_text().splitlines()
    arts = [line for line in lines[1:] if line.endswith(",art")]
    Path("arts.csv").write_text("\n".join([lines[0], *arts]) + "\n")

    facts = program.json("evaluate", "old.rbt", "arts.csv")

    assert all(label["areas"] is None for label in facts["labels"].values())
    assert "macro average" in program("evaluate", "old.rbt", "arts.csv")


def test_margins_are_held_against_the_strongest_rival():
    scores = np.array([[1.0, 4.0, 2.5], [3.0, 3.0, 0.0]])

    assert margins_of(scores).tolist() == [[-3.0, 1.5, -1.5], [0.0, 0.0, -3.0]]


def test_evaluate_sums_up_what_errors_cost(program, judged):
    right, found, _ = judged

    costs = program.json("evaluate", "old.rbt", "new.csv", "--costs", "war:art=10,law:art=0")[
        "costs"
    ]

    def price(right, found):
        named = {("war", "art"): 10.0, ("law", "art"): 0.0}
        return named.get((right, found), float(right != found))

    assert costs["total"] == sum(map(price, right, found))
    assert costs["mean"] == pytest.approx(costs["total"] / len(right))
    always = {one: sum(price(label, one) for label in right) for one in LABELS}
    assert costs["always_mean"] == pytest.approx(min(always.values()) / len(right))
    assert always[costs["always"]] == min(always.values())
    assert costs["total"] == sum(row["total"] for row in costs["table"])
    assert ("law", "art") not in {(row["label"], row["taken_for"]) for row in costs["table"]}
    printed = program("evaluate", "old.rbt", "new.csv", "--costs", "war:art=10")
    assert "war → art" in printed
    assert "an example; always" in printed


@pytest.mark.parametrize(
    ("costs", "sentence"),
    [
        ("war=3", "--costs must be RIGHT:FOUND=NUMBER,..., got 'war=3'."),
        ("war:art=dear", "--costs must be RIGHT:FOUND=NUMBER,..., got 'war:art=dear'."),
        ("war:art=nan", "--costs must be RIGHT:FOUND=NUMBER,..., got 'war:art=nan'."),
        ("war:tea=1", "a label that the model does not know: it knows art, law, war."),
    ],
)
def test_costs_that_cannot_be_read_are_refused(costs, sentence, program):
    assert sentence in program.complains("evaluate", "old.rbt", "new.csv", "--costs", costs, code=2)


def test_costs_may_name_labels_with_colons(program):
    Path("odd.csv").write_text("text,label\n" + "old tale,a:b\nnew song,c\n" * 9)
    program("train", "odd.csv", "--folds", 0)

    facts = program.json("evaluate", "odd.rbt", "odd.csv", "--costs", "a:b:c=2,c:a:b=7")

    assert facts["costs"]["always_mean"] == 1.0  # a:b taken for c costs 2, in half of the rows


def test_errors_in_a_table_are_shown_by_their_cells(program):
    worst = program.json("evaluate", "old.rbt", "new.csv")["worst"]

    lines = Path("new.csv").read_text().splitlines()
    for error in worst:
        title, body, pages, _ = lines[error["line"] - 1].split(",")
        assert error["text"] == f"body={body}, pages={pages}, title={title}"
    assert f'"{worst[0]["text"][:20]}' in program("evaluate", "old.rbt", "new.csv")
