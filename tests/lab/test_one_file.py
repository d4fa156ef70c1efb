"""The page as one file, opened from a disk without a server."""

import pytest
from sklearn.pipeline import make_pipeline

from command_line import Program, reviews
from rosenblatt import AveragedPerceptron, TextVectorizer, save
from rosenblatt.lab.serving import PAGE


@pytest.fixture
def file(tmp_path, capsys):
    Program(capsys, tmp_path)("lab", "--save", tmp_path / "lab.html")
    return tmp_path / "lab.html"


@pytest.fixture
def page(browser, file):
    """The file as a browser opens it; it may ask for nothing and complain of nothing."""
    complaints = []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{file.as_uri()}#lesson=xor&view=bound")
        page.on(
            "request",
            lambda asked: (
                None if asked.url.startswith(("data:", "blob:")) else complaints.append(asked.url)
            ),
        )
        page.wait_for_selector("body[data-ready]")
        yield page
    assert complaints == []


def test_the_page_learns_from_a_disk(page):
    page.get_by_role("button", name="Stage", exact=True).click()
    page.get_by_role("button", name="Step back", exact=True).click()
    page.get_by_role("button", name="Next mistake", exact=True).click()

    assert "w grows by" in page.locator("#sentence").inner_text()
    page.wait_for_timeout(400)
    assert "view=stage" in page.url


def test_a_model_is_opened_by_the_page_from_a_disk(page, tmp_path):
    model = make_pipeline(TextVectorizer(), AveragedPerceptron()).fit(*reviews(40))
    save(model, tmp_path / "model.rbt")

    page.get_by_role("button", name="Text", exact=True).click()
    page.get_by_text("Open a model of yours").click()
    page.get_by_label("Open a model", exact=True).set_input_files(tmp_path / "model.rbt")

    page.get_by_text("model.rbt is opened.").wait_for()


def test_the_file_lets_in_no_script_but_its_own(file):
    policy = file.read_text(encoding="utf-8").split('http-equiv="Content-Security-Policy"')[1]

    assert "connect-src 'none'" in policy[:800]
    assert "unsafe-inline" not in policy[:800]


def test_a_file_that_exists_is_not_written_over(file, tmp_path, capsys):
    said = Program(capsys, tmp_path).complains("lab", "--save", file, code=4)

    assert "exists: choose another name" in said


def test_saving_goes_without_a_file_to_open(file, tmp_path, capsys):
    said = Program(capsys, tmp_path).complains("lab", "some.csv", "--save", file, code=2)

    assert "open FILE on the saved page" in said


def test_the_page_in_parts_says_on_a_disk_how_it_becomes_one_file(browser):
    with browser.new_context() as context:
        page = context.new_page()
        page.goto((PAGE / "index.html").as_uri())

        page.get_by_text("rosenblatt lab --save lab.html").wait_for()
