"""The report: errors pass by pass, what is taken for what, and which texts are mistaken."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

from command_line import reviews
from rosenblatt import AveragedPerceptron, Perceptron, TextVectorizer, save

MEASURED = """async (lines) => {
    const {measured, table} = await import("/report.js");
    const found = measured(lines);
    return {...found, table: table(found)};
}"""


@pytest.fixture(scope="module")
def context(browser):
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        yield context


@pytest.fixture
def page(context, address):
    page = context.new_page()
    page.goto(address + "#view=report")
    page.wait_for_selector("body[data-ready]")
    yield page
    page.close()


@pytest.fixture
def lines():
    """Of three classes, and as the report holds them apart."""
    texts, labels = reviews(120, seed=3, wrong=0.2)
    labels = [
        "so-so" if "story" in text else label for text, label in zip(texts, labels, strict=True)
    ]
    held = np.arange(len(texts)) % 4 == 3
    text = "\n".join(f"{label}\t{text}" for text, label in zip(texts, labels, strict=True))
    texts, labels = np.array(texts), np.array(labels)
    return text, (texts[~held], labels[~held]), (texts[held], labels[held])


def report_on(page, text):
    page.get_by_text("Report on lines of your own").click()
    page.get_by_label("Lines to report on").fill(text)
    page.get_by_role("button", name="Report on these lines").click()


def test_errors_of_each_pass_are_those_of_the_library(page, lines):
    text, train, held = lines

    found = page.evaluate(MEASURED, text)

    vectorizer = TextVectorizer(ngram_range=(1, 2)).fit(train[0])
    for number, measured in enumerate(found["passes"], start=1):
        for kind, suffix in ((AveragedPerceptron, ""), (Perceptron, "Plain")):
            model = kind(max_iter=number, random_state=0)
            model.fit(vectorizer.transform(train[0]), train[1])
            for part, (texts, labels) in (("train", train), ("heldOut", held)):
                error = 1 - model.score(vectorizer.transform(texts), labels)
                assert measured[part + suffix] == pytest.approx(error)
    errors = [measured["heldOut"] for measured in found["passes"]]
    assert found["best"] == 1 + int(np.argmin(errors))


def test_the_tables_are_those_of_scikit_learn(page, lines):
    text, _, (_, labels) = lines
    found = page.evaluate(MEASURED, text)
    predicted = [found["classes"][each["winner"]] for each in found["judged"]]

    report_on(page, text)
    cells = page.locator(".confusion button").all_inner_texts()

    assert [int(cell) for cell in cells] == confusion_matrix(labels, predicted).ravel().tolist()
    theirs = precision_recall_fscore_support(labels, predicted, zero_division=0)
    for name, column in zip(("precision", "recall", "f1", "of"), theirs, strict=True):
        assert_allclose([each[name] for each in found["table"]], column)


def test_a_cell_filters_the_texts_and_a_row_opens_in_the_text_view(page):
    cell = page.get_by_role("button", name="bad taken for good")
    count = int(cell.inner_text())

    cell.click()
    rows = page.locator(".errors tbody tr")
    shown = rows.count()
    sentence = rows.first.locator("button").inner_text()
    margin = rows.first.locator("td").first.inner_text()
    rows.first.locator("button").click()

    assert shown == count
    assert page.get_by_label("Sentence", exact=True).input_value() == sentence
    score = page.locator(".score").inner_text()
    assert round(float(score), 2) == pytest.approx(-float(margin.replace("−", "-")), abs=0.006)


def test_errors_are_sorted_by_margin_either_way(page):
    def margins():
        texts = page.locator(".errors tbody tr td:first-child").all_inner_texts()
        return [float(text.replace("−", "-")) for text in texts]

    rising = margins()
    page.get_by_role("button", name="margin").click()

    assert rising == sorted(rising)
    assert margins() == rising[::-1]


def history_of(page, path, **parameters):
    """Open a model, and the report; says what the model's own history tells."""
    from sklearn.pipeline import make_pipeline

    learner = AveragedPerceptron(random_state=0, **parameters)
    model = make_pipeline(TextVectorizer(), learner).fit(*reviews(100))
    save(model, path)
    page.get_by_role("button", name="Text", exact=True).click()
    page.get_by_text("Open a model of yours").click()
    page.get_by_label("Open a model", exact=True).set_input_files(path)
    page.get_by_text("model.rbt is opened.").wait_for()
    page.get_by_role("button", name="Report", exact=True).click()
    return model[-1].history_


def test_the_history_of_an_opened_model_is_shown(page, tmp_path):
    history = history_of(page, tmp_path / "model.rbt")

    counts = ", ".join(str(each.mistakes) for each in history)
    name = f"Mistakes in each pass of the opened model: {counts}"
    assert page.get_by_role("img", name=name).is_visible()
    assert page.get_by_role("img", name="Error after each pass of the opened").count() == 0


def test_errors_that_an_opened_model_measured_are_shown(page, tmp_path):
    history = history_of(page, tmp_path / "model.rbt", early_stopping=True, verbose=2)

    best = min(history, key=lambda each: each.validation_error)
    chart = page.get_by_role("img", name="Error after each pass of the opened model")
    assert f"held out {100 * best.validation_error:g} %" in chart.get_attribute("aria-label")
    assert chart.locator(".curve").count() == 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("nothing", "Line 1 has no label"), ("a\tb\nb\tc\na\td", "every fourth is held out")],
)
def test_lines_that_will_not_do_get_a_sentence(page, text, sentence):
    report_on(page, text)

    assert sentence in page.locator("#report .told-text").inner_text()


def test_markup_is_shown_literally(page):
    report_on(page, "\n".join(f"<b>{k % 2}\t<img src=x> {k}" for k in range(12)))

    assert page.locator("#report img:not([role])").count() == 0
    assert page.locator(".confusion thead").inner_text().strip().endswith("<b>0\t<b>1")
