"""A model of texts as a folder for the web: its page, its module, and how it is made small."""

import json
import shutil
import subprocess
import threading

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.pipeline import make_pipeline

from command_line import Program, reviews
from rosenblatt import (
    AveragedPerceptron,
    InputError,
    Perceptron,
    TextVectorizer,
    VotedPerceptron,
    load,
    save,
    shrink,
)
from rosenblatt.lab.serving import PageServer
from rosenblatt.lab.web_export import export_web

ASKED = ["an excellent film", "terrible, terrible music", "Zürich"]


def saved(folder, vectorizer=None, model=None):
    texts, labels = reviews(200, wrong=0.1)
    pipeline = make_pipeline(vectorizer or TextVectorizer(), model or AveragedPerceptron())
    save(pipeline.set_params(**{f"{pipeline.steps[-1][0]}__random_state": 0}).fit(texts, labels),
         folder / "model.rbt")  # fmt: skip
    return str(folder / "model.rbt")


@pytest.fixture
def folder(tmp_path):
    export_web(saved(tmp_path), str(tmp_path / "web"))
    return tmp_path / "web"


@pytest.fixture
def site(folder):
    with PageServer(folder=folder) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.url
        server.shutdown()
        thread.join()


def theirs(path):
    model = load(path)
    return model.predict(ASKED).tolist(), model.decision_function(ASKED)


PREDICT = "texts.map((text) => predict(text))"


def test_the_page_classifies_and_explains(browser, site, folder):
    complaints = []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text))
        page.goto(site)
        page.wait_for_selector("body[data-ready]")
        page.get_by_label("Sentence", exact=True).fill(ASKED[0])
        total = page.locator(".total").inner_text()

    labels, scores = theirs(folder / "model.rbt")
    assert total.startswith(f"{labels[0]}: words ")
    assert total.endswith(f"= score {round(abs(scores[0]), 3):g}.".replace("-", "−"))
    assert complaints == []


def test_the_page_is_opened_from_a_disk_and_asks_for_nothing(browser, folder):
    asked = []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto((folder / "page.html").as_uri())
        page.wait_for_selector("body[data-ready]")
        page.get_by_label("Sentence", exact=True).fill(ASKED[0])
        total = page.locator(".total").inner_text()

    (label, *_), _ = theirs(folder / "model.rbt")
    assert total.startswith(f"{label}: words ")
    assert [url for url in asked if not url.startswith("data:")] == [
        (folder / "page.html").as_uri()
    ]


def test_the_module_predicts_in_a_page_as_the_library_does(browser, site, folder):
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(site)
        found = page.evaluate(
            f"""async (texts) => {{
                const {{predict}} = await import("./predict.js");
                return {PREDICT};
            }}""",
            ASKED,
        )

    labels, scores = theirs(folder / "model.rbt")
    assert [each["label"] for each in found] == labels
    assert_allclose([each["scores"]["good"] for each in found], scores, rtol=1e-12)


def asked_of_node(folder):
    program = f"""import {{predict}} from "./predict.js";
        const texts = {json.dumps(ASKED)};
        console.log(JSON.stringify({PREDICT}));"""
    (folder / "ask.mjs").write_text(program)
    printed = subprocess.run(["node", "ask.mjs"], cwd=folder, capture_output=True, check=True)
    return json.loads(printed.stdout)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here; the page is tested")
def test_the_module_predicts_in_node(folder):
    labels, _ = theirs(folder / "model.rbt")

    assert [each["label"] for each in asked_of_node(folder)] == labels


@pytest.mark.parametrize("bits", [None, 10])
def test_a_budget_keeps_the_largest_weights(tmp_path, bits):
    path = saved(tmp_path, TextVectorizer(ngram_range=(1, 3), n_hash_bits=bits))
    budget = 4_500

    made = export_web(path, str(tmp_path / "small"), max_size=budget, precision="int8")

    whole, small = load(path), load(tmp_path / "small" / "model.rbt")
    assert (tmp_path / "small" / "model.rbt").stat().st_size == made.bytes <= budget
    weights = dict(zip(whole[0].get_feature_names_out(), whole[1].coef_[0], strict=True))
    columns = small[0].get_feature_names_out()
    kept = {name: w for name, w in zip(columns, small[1].coef_[0], strict=True) if w}
    assert len(kept) == made.weights < made.weights_before
    counts = np.ones(len(weights)) if bits else whole[0].words_.learned.counts
    often = dict(zip(weights, np.sqrt(counts), strict=True))
    largest = max(map(abs, weights.values()))
    assert_allclose([weights[name] for name in kept], [*kept.values()], atol=largest / 250)
    gone = max(abs(weights[name]) * often[name] for name in weights.keys() - kept.keys())
    assert gone <= min(abs(w) * often[name] for name, w in kept.items()) + largest / 10


@pytest.mark.parametrize(
    ("vectorizer", "model", "sentence"),
    [
        (TextVectorizer(), VotedPerceptron(), "this model is TextVectorizer, VotedPerceptron"),
        (TextVectorizer(n_hash_bits=23), Perceptron(), "22 bits of hashed columns at most"),
        (
            TextVectorizer(token_pattern=r"\S+"),
            Perceptron(),
            "A page finds words as they are by de",
        ),
    ],
)
def test_a_model_that_a_page_does_not_explain_is_refused(tmp_path, vectorizer, model, sentence):
    path = saved(tmp_path, vectorizer, model)

    with pytest.raises(InputError, match=sentence):
        export_web(path, str(tmp_path / "web"))

    assert not (tmp_path / "web").exists()


def test_a_budget_that_cannot_be_kept_gets_a_sentence(tmp_path):
    with pytest.raises(InputError, match="No part of this model fits into 100 bytes"):
        export_web(saved(tmp_path), str(tmp_path / "web"), max_size=100)


def test_the_command_writes_the_folder_and_prints_the_loss(tmp_path, capsys):
    program = Program(capsys, tmp_path)
    path = saved(tmp_path)

    printed = program("export", path, "--web", str(tmp_path / "web"), "--max-size", "3.2kB")

    assert "of their squared length" in printed
    assert (tmp_path / "web" / "predict.js").is_file()
    assert len((tmp_path / "web" / "README.md").read_text().splitlines()) <= 14


def test_a_folder_with_files_is_not_written_over(tmp_path, capsys):
    program = Program(capsys, tmp_path)
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "mine.txt").write_text("mine")

    said = program.complains("export", saved(tmp_path), "--web", tmp_path / "web", code=4)

    assert "is not empty" in said


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here; the page is tested")
@pytest.mark.parametrize("kind", ["several labels", "hashed characters", "small"])
def test_other_models_predict_in_node_as_the_library_does(tmp_path, kind):
    texts, labels = reviews(120, wrong=0.1)
    vectorizer, sets = TextVectorizer(ngram_range=(1, 2)), labels
    if kind == "several labels":
        sets = [
            {label, "film"} if "film" in text else {label}
            for text, label in zip(texts, labels, strict=True)
        ]
    if kind == "hashed characters":
        vectorizer = TextVectorizer(analyzer="char_wb", ngram_range=(2, 4), n_hash_bits=12)
    model = make_pipeline(vectorizer, AveragedPerceptron(random_state=0)).fit(texts, sets)
    save(model, tmp_path / "model.rbt")
    if kind == "small":
        shrink(tmp_path / "model.rbt", tmp_path / "small.rbt", max_size=9_000, precision="float16")
        (tmp_path / "small.rbt").replace(tmp_path / "model.rbt")

    export_web(str(tmp_path / "model.rbt"), str(tmp_path / "web"))
    found = asked_of_node(tmp_path / "web")

    expected = load(tmp_path / "model.rbt").predict(ASKED)
    if kind == "several labels":
        assert [set(each["labels"]) for each in found] == [set(labels) for labels in expected]
    else:
        assert [each["label"] for each in found] == expected.tolist()
