"""The text view: model files read in the page, words and what they push, one more example."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.pipeline import make_pipeline

from command_line import reviews
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    KernelPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    TableVectorizer,
    TextVectorizer,
    VotedPerceptron,
    Winnow,
    load,
    save,
    shrink,
)
from rosenblatt.persistence.container import seal, unseal

EXPLAIN = """async ({bytes, texts, taught}) => {
    const {load} = await import("/core.js");
    const {TextModel} = await import("/text_models.js");
    await load();
    const model = await TextModel.read(Uint8Array.from(bytes).buffer);
    const found = texts.map((text) => {
        const {grams, scores, winner, given, share} = model.explain(text);
        const pushes = grams.map((gram) => share(gram, winner));
        return {scores, winner, given, sum: pushes.reduce((a, b) => a + b, model.bias(winner))};
    });
    for (const [text, label] of taught) model.teach(text, label);
    const {values, missed, seen} = model.standing;
    model.close();
    return {found, values: [...values], missed: missed && [...missed], seen};
}"""

READ = """async (bytes) => {
    const {load} = await import("/core.js");
    const {modelIn} = await import("/rbt.js");
    await load();
    try {
        await modelIn(Uint8Array.from(bytes).buffer);
        return "read";
    } catch (error) {
        return `${error.constructor.name}: ${error.message}`;
    }
}"""

ASKED = [
    "An EXCELLENT film, a dull plot; excellent music!",
    "nothing known",
    "",
    "Ünïcode film Σίσυφος ΟΔΥΣΣΕΥΣ 电影 film_2",
    "İstanbul  naïve\tﬁlm Ⅷ हिन्दी q\u0307\u0323 a\u034f\u0345",
]

MODELS = {
    "words": (TextVectorizer(), AveragedPerceptron(random_state=0)),
    "pairs": (TextVectorizer(ngram_range=(1, 2)), Perceptron(random_state=0)),
    "hashed": (TextVectorizer(n_hash_bits=8), AveragedPerceptron(random_state=0)),
    "tf-idf": (
        TextVectorizer(use_idf=True, norm="l2", sublinear_tf=True),
        PassiveAggressiveClassifier(random_state=0),
    ),
    "hashed tf-idf": (
        TextVectorizer(n_hash_bits=10, use_idf=True, norm="l1"),
        PassiveAggressiveClassifier(variant="PA-II", average=True, random_state=0),
    ),
    "hashed with many zeros": (
        TextVectorizer(n_hash_bits=13, use_idf=True),
        AveragedPerceptron(random_state=0),
    ),
    "stop words": (
        TextVectorizer(stop_words=["the", "film"], binary=True, lowercase=False),
        AROW(random_state=0),
    ),
    "float32": (TextVectorizer(dtype=np.float32, norm="l2"), AROW(average=True, random_state=0)),
    "given words": (
        TextVectorizer(vocabulary=["superb", "dull", "film", "terrible"]),
        AveragedPerceptron(random_state=0),
    ),
    "no intercept": (
        TextVectorizer(),
        AveragedPerceptron(fit_intercept=False, unit_length=True, random_state=0),
    ),
    "characters": (
        TextVectorizer(analyzer="char", ngram_range=(1, 4), use_idf=True, norm="l2"),
        AveragedPerceptron(random_state=0),
    ),
    "characters within words": (
        TextVectorizer(analyzer="char_wb", ngram_range=(2, 5), n_hash_bits=9),
        PassiveAggressiveClassifier(random_state=0),
    ),
    "alternating signs": (
        TextVectorizer(n_hash_bits=4, alternate_sign=True),
        AveragedPerceptron(random_state=0),
    ),
    "alternating signs of what is there": (
        TextVectorizer(n_hash_bits=3, alternate_sign=True, binary=True),
        Perceptron(random_state=0),
    ),
    "without accents": (TextVectorizer(strip_accents="unicode"), Perceptron(random_state=0)),
    "in ASCII": (
        TextVectorizer(strip_accents="ascii", analyzer="char", ngram_range=(1, 2)),
        Perceptron(random_state=0),
    ),
}

ONLY_SHOWN = {
    "averages that forget": (TextVectorizer(), AveragedPerceptron(half_life=25.0, random_state=0)),
    "a full covariance": (TextVectorizer(), AROW(covariance="full", random_state=0)),
    "Winnow": (TextVectorizer(), Winnow(random_state=0)),
    "Winnow averaged": (TextVectorizer(binary=True), Winnow(average=True, random_state=0)),
    "Winnow balanced": (TextVectorizer(), Winnow(balanced=True, random_state=0)),
}
"""What a page explains but does not teach."""


@pytest.fixture(scope="module")
def page(browser, address):
    """To ask the modules of the page."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.goto(address + "#view=text")
        page.wait_for_selector("body[data-ready]")
        yield page


@pytest.fixture
def view(page, address):
    """The view as it comes up, where other models are asked for."""
    view = page.context.new_page()
    view.goto(address + "#view=text")
    view.wait_for_selector("body[data-ready]")
    view.get_by_text("Open a model of yours").click()
    yield view
    view.close()


def both(texts, labels):
    return zip(texts, labels, strict=True)


def saved(folder, vectorizer, model, classes=2):
    texts, labels = reviews(80, wrong=0.2)
    if classes == 3:
        labels = ["other" if "film" in text else label for text, label in both(texts, labels)]
    pipeline = make_pipeline(vectorizer, model).fit(texts, labels)
    path = folder / "model.rbt"
    save(pipeline, path)
    return path


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kind", [*MODELS, *ONLY_SHOWN])
def test_scores_are_those_of_the_library_and_the_sum_of_the_bars(page, tmp_path, kind, classes):
    path = saved(tmp_path, *(MODELS | ONLY_SHOWN)[kind], classes)

    found = page.evaluate(
        EXPLAIN, {"bytes": list(path.read_bytes()), "texts": ASKED, "taught": []}
    )["found"]

    model = load(path)
    scores = np.array([each["scores"] for each in found])
    theirs = model.decision_function(ASKED)
    if classes == 2 and kind == "Winnow balanced":
        assert_allclose(scores[:, 1] - scores[:, 0], theirs, rtol=1e-12, atol=1e-12)
    else:
        assert_allclose(scores[:, 1] if classes == 2 else scores, theirs, rtol=1e-12, atol=1e-12)
    winners = [model.classes_[each["winner"]] for each in found]
    assert winners == model.predict(ASKED).tolist()
    assert_allclose([each["sum"] for each in found], scores.max(axis=1), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kind", [kind for kind in MODELS if "idf" not in kind])
def test_teaching_leaves_the_bits_that_partial_fit_leaves(page, tmp_path, kind):
    path = saved(tmp_path, *MODELS[kind])
    taught = [("a superb film", 0), ("dull music, dull cast", 1), ("a superb film", 1)]

    given = {"bytes": list(path.read_bytes()), "texts": [], "taught": taught}
    left = page.evaluate(EXPLAIN, given)

    vectorizer, model = (step for _, step in load(path).steps)
    for text, label in taught:
        model.partial_fit(vectorizer.transform([text]), [model.classes_[label]])
    weights = model._state.weights
    assert_array_equal(left["values"], weights.values.ravel())
    if weights.missed is not None:
        assert_array_equal(left["missed"], weights.missed.ravel())
    assert left["seen"] == weights.seen


def test_a_file_cut_short_or_changed_in_any_byte_gets_a_sentence(page, tmp_path):
    whole = saved(tmp_path, *MODELS["words"]).read_bytes()
    rng = np.random.default_rng(0)
    damaged = [whole[: rng.integers(len(whole))] for _ in range(8)] + [b"", b"PK" + whole]
    for place in rng.integers(len(whole), size=12):
        damaged.append(
            whole[:place] + bytes([whole[place] ^ 1 << rng.integers(8)]) + whole[place + 1 :]
        )

    said = [page.evaluate(READ, list(file)) for file in damaged]

    assert all(
        re.match(r"FileError: (This is not|The file is (damaged|not)).*\.$", s) for s in said
    )


def forged(path, change):
    """The file with facts or arrays changed, under a checksum that fits."""
    facts, arrays = unseal(str(path))
    del facts["checksum"]
    arrays = dict(arrays)
    change(facts, arrays)
    return list(b"".join(seal(facts, arrays)))


FORGERIES = {
    "of a newer format": lambda facts, _: facts.update(format=4),
    "without steps": lambda facts, _: facts.update(steps=[]),
    "with steps that are none": lambda facts, _: facts.update(steps=[None, 7]),
    "with another estimator": lambda facts, _: facts["steps"][1].update(estimator="__proto__"),
    "with labels that are none": lambda facts, _: facts["steps"][1].update(labels=3),
    "with more labels": lambda facts, _: facts["steps"][1]["labels"].update(labels=["a"] * 9),
    "with a wrong width": lambda facts, _: facts["steps"][1]["features"].update(width=10**9),
    "with n-grams without end": lambda facts, _: facts["steps"][0]["words"]["settings"].update(
        ngram_range=[1, 10**9]
    ),
    "with many bits": lambda facts, _: facts["steps"][0]["words"]["settings"].update(
        n_hash_bits=30
    ),
    "with short weights": lambda _, arrays: arrays.update(
        {"1.weights.values": arrays["1.weights.values"][:2]}
    ),
    "with weights that are no numbers": lambda _, arrays: arrays.update(
        {"1.weights.values": arrays["1.weights.values"] * np.nan}
    ),
    "with names that end outside": lambda _, arrays: arrays.update(
        {"0.words.name_ends": arrays["0.words.name_ends"] + 10**6}
    ),
    "without zeros, of a size that it has not": lambda facts, _: facts.update(
        shapes={"1.weights.values": [2**20, 2**20]}
    ),
    "without zeros, with no shape": lambda facts, _: facts.update(shapes={"1.weights.values": 7}),
    **{
        f"with {key} that are {value}": lambda facts, _, key=key, value=value: facts.update(
            {key: value}
        )
        for key, values in {
            "types": (7, {"1.weights.values": "int64"}, {"other": "float64"}),
            "sums": (7, ["1.weights.values"], ["other"]),
            "coded": (7, ["1.weights.values"]),
            "deflated": (7, {"0.words.names": ["uint8", 2**40]}, {"0.words.names": ["uint8", 9]}),
        }.items()
        for value in values
    },
    "without averages of their shape": lambda _, arrays: arrays.update(
        {"1.weights.missed": np.zeros((1, 1))}
    ),
}


@pytest.mark.parametrize(
    "model",
    [
        AveragedPerceptron(random_state=0),
        PassiveAggressiveClassifier(random_state=0, max_iter=1),
        AROW(random_state=0, max_iter=1),
    ],
    ids=str,
)
def test_a_model_in_few_bytes_is_read_to_the_same_scores(page, tmp_path, model):
    rng = np.random.default_rng(0)
    words = np.array([f"{first}{second}" for first in "abcdef" for second in range(300)])
    y = np.arange(400) % 6
    texts = [" ".join(rng.choice(words[300 * label :][:300], 9)) for label in y]
    pipeline = make_pipeline(TextVectorizer(ngram_range=(1, 2), use_idf=True), model)
    save(pipeline.fit(texts, [f"group {label}" for label in y]), tmp_path / "model.rbt")

    found = page.evaluate(
        EXPLAIN,
        {"bytes": list((tmp_path / "model.rbt").read_bytes()), "texts": texts[:9], "taught": []},
    )

    scores = [each["scores"] for each in found["found"]]
    assert_allclose(scores, pipeline.decision_function(texts[:9]), rtol=1e-9, atol=1e-9)
    assert_array_equal(found["values"], pipeline[-1]._state.weights.values.ravel())


@pytest.mark.parametrize("precision", ["float64", "float16", "int8"])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_small_model_is_explained_but_not_taught(page, tmp_path, precision, classes):
    whole = saved(tmp_path, *MODELS["words"], classes)
    small = tmp_path / "small.rbt"
    shrink(whole, small, precision=precision)

    found = page.evaluate(
        EXPLAIN, {"bytes": list(small.read_bytes()), "texts": ASKED, "taught": []}
    )

    scores, expected = [each["scores"] for each in found["found"]], load(small)
    scores = np.array(scores)[:, 1] if classes == 2 else scores
    assert_allclose(scores, expected.decision_function(ASKED), rtol=1e-9, atol=1e-9)
    assert_allclose([each["sum"] for each in found["found"]], np.max(
        [each["scores"] for each in found["found"]], axis=1), rtol=1e-9, atol=1e-9)  # fmt: skip


@pytest.fixture
def of_several_labels(tmp_path):
    """A model of texts that are good or bad, and may be of films."""
    texts, labels = reviews(120, wrong=0.1)
    sets = [
        {label} | ({"film"} if "film" in text else set()) for text, label in both(texts, labels)
    ]
    learner = PassiveAggressiveClassifier(average=True, random_state=0)
    model = make_pipeline(TextVectorizer(ngram_range=(1, 2)), learner).fit(texts, sets)
    save(model, tmp_path / "model.rbt")
    return model


def test_a_model_of_several_labels_gives_those_of_the_library(page, tmp_path, of_several_labels):
    bytes_ = list((tmp_path / "model.rbt").read_bytes())

    found = page.evaluate(EXPLAIN, {"bytes": bytes_, "texts": ASKED, "taught": []})["found"]

    scores = of_several_labels.decision_function(ASKED)
    assert_allclose([each["scores"] for each in found], scores, rtol=1e-12, atol=1e-12)
    names = of_several_labels.classes_
    given = [set(names[np.array(each["given"])]) for each in found]
    assert given == [set(labels) for labels in of_several_labels.predict(ASKED)]


def test_the_view_shows_which_labels_are_given_and_the_bars_of_any(
    view, tmp_path, of_several_labels
):
    view.get_by_label("Open a model", exact=True).set_input_files(tmp_path / "model.rbt")
    view.get_by_text("model.rbt is opened.").wait_for()

    view.get_by_label("Sentence", exact=True).fill(ASKED[0])
    marked = view.locator(".labels button", has_text="✓").all_inner_texts()
    view.locator(".labels button").last.click()

    (labels,) = of_several_labels.predict([ASKED[0]])
    assert {text.split()[1] for text in marked} == set(labels)
    least = of_several_labels.classes_[of_several_labels.decision_function([ASKED[0]])[0].argmin()]
    assert view.locator(".total").inner_text().startswith(f"{least}: words ")
    assert view.get_by_text("Sets of labels are shown here").is_visible()


def test_words_of_a_model_of_characters_add_up_to_the_score(view, tmp_path):
    path = saved(tmp_path, *MODELS["characters"])
    view.get_by_label("Open a model", exact=True).set_input_files(path)
    view.get_by_text("model.rbt is opened.").wait_for()

    view.get_by_label("Sentence", exact=True).fill("Excellent music, zzz")

    words = view.locator(".line:not(.runs) .word")
    assert words.locator(".name").all_inner_texts() == ["excellent", "music,", "zzz", "␣"]
    numbers = words.locator(".push-number").all_inner_texts()
    pushes = [float(text.replace("−", "-").replace("unknown", "0")) for text in numbers]
    (score,) = load(path).decision_function(["Excellent music, zzz"])
    bias = float(view.locator(".total b").nth(1).inner_text().replace("−", "-"))
    assert sum(pushes) + bias == pytest.approx(abs(score), abs=0.03)


def test_the_view_says_that_a_small_model_only_predicts(view, tmp_path):
    shrink(saved(tmp_path, *MODELS["words"]), tmp_path / "small.rbt")

    view.get_by_label("Open a model", exact=True).set_input_files(tmp_path / "small.rbt")

    view.get_by_text("small.rbt is opened.").wait_for()
    view.get_by_text("This model only predicts").wait_for()
    assert view.get_by_role("button", name="good", exact=True).count() == 0


@pytest.mark.parametrize("kind", FORGERIES)
def test_a_file_that_lies_gets_a_sentence(page, tmp_path, kind):
    path = saved(tmp_path, *MODELS["words"])

    said = page.evaluate(READ, forged(path, FORGERIES[kind]))

    assert re.match(r"FileError: .+\.$", said)


@pytest.mark.parametrize(
    ("vectorizer", "model", "sentence"),
    [
        (TextVectorizer(), VotedPerceptron(random_state=0), "VotedPerceptron adds up no weights"),
        (
            TextVectorizer(),
            KernelPerceptron(kernel="poly", random_state=0),
            "KernelPerceptron adds up no weights of words: save an AveragedPerceptron",
        ),
    ],
)
def test_a_model_that_the_page_does_not_explain_is_named(
    page, tmp_path, vectorizer, model, sentence
):
    path = saved(tmp_path, vectorizer, model)

    assert sentence in page.evaluate(READ, list(path.read_bytes()))


def test_a_model_of_tables_is_named(page, tmp_path):
    table = {"text": ["a fine film", "a dull film"] * 9, "stars": [5.0, 2.0] * 9}
    model = make_pipeline(TableVectorizer(), Perceptron()).fit(table, ["good", "bad"] * 9)
    save(model, tmp_path / "model.rbt")

    said = page.evaluate(READ, list((tmp_path / "model.rbt").read_bytes()))

    assert "the file holds TableVectorizer, Perceptron" in said


def test_a_model_is_opened_and_a_sentence_edited(view, tmp_path):
    path = saved(tmp_path, *MODELS["pairs"])

    view.get_by_label("Open a model", exact=True).set_input_files(path)
    view.get_by_text("model.rbt is opened.").wait_for()
    view.get_by_label("Sentence", exact=True).fill("excellent zzz dull")

    words = view.locator(".line:not(.runs) .word")
    assert words.locator(".name").all_inner_texts() == ["excellent", "zzz", "dull"]
    assert words.nth(1).locator(".push-number").inner_text() == "unknown"
    assert "unknown" in words.nth(1).get_attribute("class")
    (score,) = load(path).decision_function(["excellent zzz dull"])
    assert view.locator(".score").inner_text() == f"{round(abs(score), 3):g}"


def test_a_dropped_file_that_is_no_model_gets_a_sentence_in_the_text_view(view):
    view.get_by_role("button", name="Stage", exact=True).click()

    view.evaluate(
        """() => {
            const dropped = new DataTransfer();
            dropped.items.add(new File(["<b>no model"], "x.rbt"));
            document.body.dispatchEvent(
                new DragEvent("drop", {dataTransfer: dropped, bubbles: true, cancelable: true}));
        }"""
    )

    view.get_by_text("This is not a model file of rosenblatt, or only part of one.").wait_for()


def test_what_is_taught_moves_bars_and_then_is_known(view):
    view.get_by_label("Lines to learn from").fill("no\tdull dull\nyes\tfine plot")
    view.get_by_role("button", name="Learn from these lines").click()
    view.get_by_label("Sentence", exact=True).fill("fine plot")

    view.get_by_role("button", name="no", exact=True).click()
    moved = view.locator(".word.moved").count()
    for _ in range(9):
        view.get_by_role("button", name="no", exact=True).click()

    assert moved == 3
    assert view.locator(".total").inner_text().startswith("no: words ")


def test_markup_in_labels_and_words_is_shown_literally(view):
    view.get_by_label("Lines to learn from").fill("<img src=x>\tdull <b>plot</b>\n<i>\tfine cast")
    view.get_by_role("button", name="Learn from these lines").click()

    view.get_by_label("Sentence", exact=True).fill("dull <script>alert(1)</script>")

    assert view.locator(".tops h3").all_inner_texts() == ["<i>", "<img src=x>"]
    assert view.locator("#text img, #text script, #text .total i").count() == 0


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("no label here", "Line 1 has no label: write a label, a tab and a text."),
        ("a\tone\na\ttwo", "There must be 2 to 20 different labels."),
    ],
)
def test_lines_that_will_not_do_get_a_sentence(view, lines, sentence):
    view.get_by_label("Lines to learn from").fill(lines)

    view.get_by_role("button", name="Learn from these lines").click()

    assert view.locator("#text .told-text").inner_text() == sentence


def test_lines_learned_in_the_page_weigh_what_the_library_weighs(page):
    texts, labels = reviews(40)
    lines = "\n".join(f"{label}\t{text}" for text, label in both(texts, labels))

    shown = page.evaluate(
        """async (lines) => {
            const {TextModel} = await import("/text_models.js");
            const model = TextModel.learn(lines);
            const columns = Array.from({length: model.width}, (_, column) => column);
            const found = columns.map((column) => [model.name(column), model.weight(column, 0)]);
            model.close();
            return found;
        }""",
        lines,
    )

    vectorizer = TextVectorizer(ngram_range=(1, 2))
    model = AveragedPerceptron(random_state=0).fit(vectorizer.fit_transform(texts), labels)
    theirs = dict(zip(vectorizer.get_feature_names_out(), model.coef_[0], strict=True))
    assert dict(shown).keys() == theirs.keys()
    assert_allclose([weight for _, weight in shown], [theirs[name] for name, _ in shown])
