"""The page as a person uses it: by mouse, touch and keyboard, in a real browser."""

import gzip
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from rosenblatt import mistake_bound
from rosenblatt.lab.serving import PAGE

VIEWS = ["Stage", "Bound", "Compare", "Classes", "Text", "Report"]
LESSONS = 11


@pytest.fixture(scope="module")
def context(browser):
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        yield context


@pytest.fixture
def complaints():
    return []


def opened(context, address, state, complaints):
    """The page in this state; what it complains of, and what it asks of others, is listed."""
    page = context.new_page()
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda asked: (
            None
            if asked.url.startswith((address, "blob:", "data:"))
            else complaints.append(asked.url)
        ),
    )
    page.goto(f"{address}#{state}")
    page.wait_for_selector("body[data-ready]")
    return page


@pytest.fixture
def show(context, address, complaints):
    """Opens the page in a state; no error and no request to another origin may come of it."""
    pages = []

    def show(state=""):
        pages.append(opened(context, address, state, complaints))
        return pages[-1]

    yield show
    for page in pages:
        page.close()
    assert complaints == []


def press(page, *names):
    for name in names:
        page.get_by_role("button", name=name, exact=True).click()


def told(page):
    return page.locator("#sentence").inner_text()


def at(page):
    """How many examples have been learned from."""
    return int(page.get_by_role("slider", name="Examples learned from").input_value())


def picture(page):
    """All that a step may change."""
    return page.locator("#plane").inner_html(), told(page), page.locator(".told").inner_text()


def points(page):
    return page.locator(".plane .point")


def middle(page, number):
    """Of a point, from the corner of the plane."""
    box, plane = points(page).nth(number).bounding_box(), page.locator(".plane").bounding_box()
    return box["x"] + box["width"] / 2 - plane["x"], box["y"] + box["height"] / 2 - plane["y"]


def test_every_lesson_says_something_before_the_first_click(show):
    page = show()
    said = set()

    for number in range(LESSONS):
        page.get_by_role("combobox", name="Lesson", exact=True).select_option(index=number)
        said.add(told(page))
        assert page.locator("#lesson p").count() == 4
        assert page.locator(".question").inner_text().endswith("?")

    assert len(said) == LESSONS
    assert min(map(len, said)) > 60
    assert page.get_by_role("button", name="Next lesson").is_disabled()


def test_steps_forth_and_as_many_back_restore_the_picture_exactly(show):
    page = show("lesson=outlier&t=25")
    before = picture(page)

    press(page, *["Step"] * 7)
    between = picture(page)
    press(page, *["Step back"] * 7)

    assert picture(page) == before != between


def test_the_keyboard_steps_through_the_run(show):
    page = show("lesson=separable&t=0")
    page.get_by_role("slider", name="Examples learned from").focus()

    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")

    assert at(page) == 2
    assert told(page).startswith("Example 2, a ")


def test_a_mistake_is_told_in_words_and_numbers(show):
    page = show("lesson=separable&t=0&order=none&points=1,2,1;-1,0.5,0")

    press(page, "Next mistake")

    assert told(page).startswith(
        "Example 1, a ▲ at (1, 2), scored 0: a tie, which counts as a mistake. "
        "w grows by (1, 2) to (1, 2), and b rises to 1."
    )
    assert page.locator(".ring.wrong").count() == 1
    assert page.locator(".arrow.added").count() == 1


def test_a_pass_without_a_mistake_is_told_as_converged(show):
    page = show("lesson=separable")

    page.get_by_role("slider", name="Examples learned from").focus()
    page.keyboard.press("End")

    assert "it has converged" in told(page)


@pytest.mark.parametrize("view", ["stage", "bound", "classes"])
def test_xor_is_never_said_to_have_converged(show, view):
    page = show(f"lesson=xor&view={view}&passes=100")

    page.get_by_role("slider", name="Examples learned from").focus()
    page.keyboard.press("End")

    assert "has converged" not in page.locator("body").inner_text()
    assert at(page) == 3200


def test_run_goes_to_the_end_and_pause_stops_it(show):
    page = show("lesson=separable&t=0")
    page.get_by_role("slider", name="Speed").focus()
    page.keyboard.press("End")

    press(page, "Run")
    page.locator("#sentence", has_text="it has converged").wait_for()

    assert page.get_by_role("button", name="Run", exact=True).is_visible()


def test_a_click_adds_a_point_and_undo_takes_it_back(show):
    page = show("lesson=separable")
    count = points(page).count()

    page.get_by_role("radio", name="circle").check()
    page.locator(".plane").click(position={"x": 30, "y": 40})
    added = points(page).last.get_attribute("class")
    press(page, "Undo")

    assert "k0" in added
    assert points(page).count() == count


def test_a_point_is_dragged_by_the_mouse(show):
    page = show("lesson=separable")
    x, y = middle(page, 0)

    plane = page.locator(".plane").bounding_box()

    page.mouse.move(plane["x"] + x, plane["y"] + y)
    page.mouse.down()
    page.mouse.move(plane["x"] + x - 150, plane["y"] + y + 60, steps=5)
    page.mouse.up()

    assert np.allclose(middle(page, 0), (x - 150, y + 60), atol=4)
    press(page, "Undo")
    assert np.allclose(middle(page, 0), (x, y), atol=1)


@pytest.fixture
def phone(browser, address, complaints):
    """The page under fingers, which hit a point from beside it, too."""
    size = {"width": 390, "height": 800}
    with browser.new_context(has_touch=True, is_mobile=True, viewport=size) as context:
        yield opened(context, address, "lesson=separable", complaints)
    assert complaints == []


@pytest.mark.parametrize("beside", [0, 9])
def test_a_finger_drags_a_point(phone, beside):
    x, y = middle(phone, 0)
    plane = phone.locator(".plane").bounding_box()
    fingers = phone.context.new_cdp_session(phone)

    def touch(kind, *places):
        at = [{"x": plane["x"] + x, "y": plane["y"] + y} for x, y in places]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", (x + beside, y))
    for part in range(1, 6):
        touch("touchMove", (x - 10 * part, y + 12 * part))
    touch("touchEnd")

    assert np.allclose(middle(phone, 0), (x - 50, y + 60), atol=4)
    assert phone.evaluate("scrollY") == 0


def test_fingers_step_through_the_run_and_choose_views(phone):
    phone.get_by_role("button", name="Step", exact=True).tap()
    phone.get_by_role("button", name="Next mistake").tap()
    stepped = at(phone)
    phone.get_by_role("button", name="Bound", exact=True).tap()
    phone.get_by_text("Points as a table").tap()
    phone.get_by_label("x of point 1", exact=True).wait_for()  # until it is seen

    assert stepped > 0
    assert "R/γ" in told(phone)


def test_who_wants_no_motion_sees_the_end_of_a_run_at_once(browser, address, complaints):
    with browser.new_context(reduced_motion="reduce") as context:
        page = opened(context, address, "lesson=separable&t=0", complaints)

        press(page, "Run")

        assert "it has converged" in told(page)
        assert page.evaluate("document.getAnimations().length") == 0
    assert complaints == []


def test_a_page_without_points_says_what_to_do(show):
    page = show("lesson=separable")

    press(page, "Clear", "Step", "Next mistake", "Pass", "Run")

    assert told(page).startswith("There are no points: click on the plane")
    assert page.locator(".told").inner_text() == "0 examples of 0 · pass 1 · 0 mistakes"


def test_a_finger_adds_a_point(browser, address, complaints):
    with browser.new_context(has_touch=True, viewport={"width": 390, "height": 800}) as context:
        page = opened(context, address, "lesson=separable", complaints)
        count = points(page).count()

        page.locator(".plane").tap(position={"x": 25, "y": 30})

        assert points(page).count() == count + 1
    assert complaints == []


def test_the_keyboard_moves_relabels_and_deletes_points(show):
    page = show("lesson=separable&points=1,1,1;-1,-1,0;2,2,1")
    points(page).first.focus()

    page.keyboard.press("n")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.keyboard.press("p")
    page.keyboard.press("Delete")

    names = [mark.get_attribute("aria-label") for mark in points(page).all()]
    assert names == ["triangle ▲ at −1, −0.95", "triangle ▲ at 2, 2"]


def test_the_keyboard_adds_points_to_an_empty_plane_and_beside_others(show):
    page = show("lesson=separable")
    press(page, "Clear")

    page.get_by_role("button", name="Add", exact=True).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("a")
    page.keyboard.press("Enter")

    names = [mark.get_attribute("aria-label") for mark in points(page).all()]
    assert [name.split()[0] for name in names] == ["triangle", "circle"]
    assert len({name.split(" at ")[1] for name in names}) == 2
    assert points(page).last.evaluate("mark => mark === document.activeElement")


def test_the_table_of_points_can_be_edited(show):
    page = show("lesson=separable&points=1,1,1;-1,-1,0")
    page.get_by_text("Points as a table").click()

    page.get_by_label("x of point 1").fill("2.5")
    page.keyboard.press("Enter")
    page.get_by_label("Class of point 2").select_option("1")

    names = [mark.get_attribute("aria-label") for mark in points(page).all()]
    assert names == ["triangle ▲ at 2.5, 1", "triangle ▲ at −1, −1"]


def test_a_pasted_table_becomes_points_of_two_chosen_columns(show):
    page = show()
    page.get_by_text("Paste or open your own points").click()
    table = "name,long,wide,kind\na,10,1.5,x<b>\nb,20,2.5,y\nc,30,0.5,y\n"

    page.get_by_label("Table of points").fill(table)
    page.get_by_label("Column for y").select_option("wide")
    page.get_by_label("Column with the class").select_option("kind")
    press(page, "Show these points")

    names = [mark.get_attribute("aria-label") for mark in points(page).all()]
    assert names == ["circle ● at 10, 1.5", "triangle ▲ at 20, 2.5", "triangle ▲ at 30, 0.5"]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("a,b,c\n1,2\n", "Line 2 has 2 cells, but the first line has 3."),
        ("a,b\n1,x\n", "Two columns must hold a number in every line."),
        ("only names", "The table needs a line of names and lines of values."),
    ],
)
def test_a_table_that_will_not_do_gets_a_sentence(show, table, sentence):
    page = show()
    page.get_by_text("Paste or open your own points").click()

    page.get_by_label("Table of points").fill(table)

    assert page.get_by_text(sentence).is_visible()


def test_markup_in_a_table_is_shown_literally(show):
    page = show()
    page.get_by_text("Paste or open your own points").click()

    page.get_by_label("Table of points").fill("<img src=x>,b,c\n1,2,u\n3,4,v\n")

    assert page.get_by_label("Column for x").inner_text().startswith("<img src=x>")
    assert page.locator("img").count() == 0


def test_the_address_shows_exactly_this_again(show):
    page = show("lesson=order&seed=5&intercept=0")
    page.locator(".plane").click(position={"x": 50, "y": 60})
    press(page, "Next mistake", "Next mistake")
    page.wait_for_timeout(400)

    again = show(page.evaluate("location.hash.slice(1)"))

    assert picture(again) == picture(page)


@pytest.mark.parametrize(
    "state", ["t=-5&passes=1e9&seed=x", "points=1,2;3", "lesson=nothing&view=<b>", "points=1,2,9"]
)
def test_an_address_of_nonsense_shows_a_lesson(show, state):
    page = show(state)

    assert "A line is found" in page.locator("#lesson").inner_text()


def written(page):
    page.get_by_text("Take it with you").click()
    press(page, "Copy as Python")
    return page.get_by_label("Python", exact=True).inner_text()


@pytest.mark.parametrize(
    "state",
    [
        "lesson=narrow&view=stage",
        "lesson=bias&seed=7",
        "lesson=order",
        "lesson=averaging&order=once&passes=3",
        "lesson=classes&view=classes&unitLength=1",
        "lesson=separable&unitLength=1&intercept=0",
    ],
)
def test_the_copied_python_gives_the_weights_of_the_page(show, state):
    page = show(state)
    page.get_by_role("slider", name="Examples learned from").focus()
    page.keyboard.press("End")
    scope = {}

    exec(written(page), scope)

    shown = page.evaluate(
        """async () => {
            const {current} = await import("./state.js");
            const {standing} = await import("./learning.js");
            const {mean, now} = standing(current());
            return (mean ?? now).map(({w, b}) => [...w, b]);
        }"""
    )
    model = scope["model"]
    assert_array_equal(shown, np.column_stack([model.coef_, model.intercept_]))


@pytest.mark.parametrize(
    "lesson", ["noise", "xor", "voted", "irrelevant&features=20", "xor&kernel=rbf", "xor&kernel=3"]
)
def test_the_copied_python_compares_as_the_page_does(show, lesson):
    page = show(f"lesson={lesson}&view=compare&passes=4")
    code = written(page)

    printed = subprocess.run(
        [sys.executable], input=code, capture_output=True, encoding="utf-8", check=True
    ).stdout

    legend = page.locator(".legend li").all_inner_texts()
    for line, shown in zip(printed.splitlines(), legend, strict=True):
        name, updates, error = re.fullmatch(r"(.*) (\d+) (\S+)", line).groups()
        assert shown.startswith(name)
        assert int(re.search(r"([\d,]+) update", shown)[1].replace(",", "")) == int(updates)
        held_out = float(re.search(r"([\d.]+) % held-out", shown)[1])
        assert held_out == pytest.approx(100 * float(error), abs=0.051)


def test_pictures_and_points_can_be_taken_away(show):
    page = show("lesson=xor&view=bound")
    page.get_by_text("Take it with you").click()
    taken = {}

    for name in ("SVG", "PNG", "CSV"):
        with page.expect_download() as download:
            press(page, name)
        taken[name] = Path(download.value.path()).read_bytes()

    assert taken["SVG"].startswith(b"<svg")
    assert b"class=" not in taken["SVG"]
    assert taken["PNG"].startswith(b"\x89PNG")
    assert len(taken["CSV"].splitlines()) == 33


@pytest.mark.parametrize("intercept", [True, False])
def test_the_bound_is_that_of_the_library(show, intercept):
    rng = np.random.default_rng(int(intercept))
    X = np.round(rng.uniform(-3, 3, size=(40, 2)), 1)
    y = (0.2 * intercept < X @ [1.0, 0.6]).astype(int)
    placed = ";".join(f"{a},{b},{k}" for (a, b), k in zip(X, y, strict=True))

    page = show(f"lesson=narrow&view=bound&intercept={int(intercept)}&points={placed}")

    bound = mistake_bound(X, y, fit_intercept=intercept)
    said = re.search(r"\(R/γ\)² = ([\d,]+) mistake", told(page))[1]
    assert int(said.replace(",", "")) == int(bound * (1 + 1e-9))


def test_points_that_no_line_separates_are_named(show):
    page = show("lesson=xor&view=bound")

    assert told(page).startswith("No line exists: these 4 points contradict each other")
    assert page.locator("polygon.proof").count() == 2
    assert page.locator(".ring.wrong").count() == 4


def test_clouds_moved_apart_lower_the_bound(show):
    page = show("lesson=narrow")
    before = told(page)
    page.get_by_role("slider", name="Move the clouds apart").focus()

    for _ in range(8):
        page.keyboard.press("ArrowRight")

    bounds = [int(re.search(r"= ([\d,]+) mistake", said)[1]) for said in (before, told(page))]
    assert bounds[0] > 2 * bounds[1]


def test_pairs_and_a_kernel_solve_xor_and_a_line_does_not(show):
    page = show("lesson=xor&view=compare")

    plain, pairs, kernel = page.locator(".legend li").all_inner_texts()

    assert "not converged" in plain
    assert ", converged" in pairs
    assert ", converged" in kernel


def test_the_kernel_can_be_chosen(show):
    page = show("lesson=xor&view=compare")

    page.get_by_label("Kernel of").select_option("degree 4")
    chosen = page.locator(".legend li").last.inner_text()
    page.get_by_label("Kernel of").select_option("distances (RBF)")

    assert chosen.startswith("Kernel, degree 4")
    assert page.locator(".legend li").last.inner_text().startswith("Kernel, RBF")


def test_at_most_four_learners_are_compared(show):
    page = show("lesson=noise&view=compare")
    voted = page.get_by_role("checkbox", name="Voted")

    before = voted.is_disabled()
    page.get_by_role("checkbox", name="AROW").uncheck()
    voted.check()

    assert before
    assert page.locator(".legend li").count() == 4


def test_the_promoted_and_the_demoted_class_are_told(show):
    page = show("lesson=classes&t=0")

    press(page, "Next mistake", "Next mistake")

    assert re.search(r". is promoted, its weights gain x; . is demoted", told(page))
    assert page.locator(".arrow.promoted").count() == page.locator(".arrow.demoted").count() == 1


AXE = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.mark.parametrize("look", ["light", "dark", "forced"])
def test_axe_finds_nothing_in_any_view(browser, address, complaints, look):
    from axe_playwright_python.sync_playwright import Axe

    how = {"forced_colors": "active"} if look == "forced" else {"color_scheme": look}
    with browser.new_context(viewport={"width": 1280, "height": 900}, **how) as context:
        page = opened(context, address, "", complaints)
        for view in VIEWS:
            page.get_by_role("button", name=view, exact=True).click()
            found = Axe().run(page, options={"runOnly": AXE})
            assert found.response["violations"] == [], found.generate_report()
    assert complaints == []


LONG = "Donaudampfschifffahrtsgesellschaftskapitaen" * 3

OUTSIDE = """[...document.querySelectorAll("button, input, select, textarea, td, th, p, svg")]
    .map((element) => element.getBoundingClientRect())
    .filter(({left, right, width}) => width > 1 && (left < 0 || right > innerWidth + 1)).length"""


@pytest.mark.parametrize("height", [256, 640])  # 1280 x 1024 pixels at 400 % are 320 x 256
@pytest.mark.parametrize(
    "view",
    [
        "lesson=averaging",
        "view=bound",
        "lesson=noise",
        "lesson=irrelevant",
        "lesson=classes",
        "view=text",
        f"view=text&text={LONG}",
        "view=report",
    ],
)
def test_at_four_times_the_size_nothing_lies_sideways(browser, address, complaints, view, height):
    size = {"width": 320, "height": height}
    with browser.new_context(viewport=size, device_scale_factor=4) as context:
        page = opened(context, address, view, complaints)
        for details in page.locator("summary:visible").all():
            details.click()

        assert page.evaluate("document.documentElement.scrollWidth") == 320
        assert page.evaluate(OUTSIDE) == 0
    assert complaints == []


def test_a_thousand_points_and_ten_thousand_updates_are_no_burden(show):
    """That they are drawn and replayed at all; benchmarks/lab.py tells how fast."""
    rng = np.random.default_rng(0)
    X, y = np.round(rng.uniform(-3, 3, size=(1000, 2)), 2), rng.integers(2, size=1000)
    placed = ";".join(f"{a},{b},{k}" for (a, b), k in zip(X, y, strict=True))

    page = show(f"lesson=separable&passes=30&points={placed}")
    page.get_by_role("slider", name="Examples learned from").focus()
    page.keyboard.press("End")

    assert points(page).count() == 1000
    mistakes = re.search(r"([\d,]+) mistakes", page.locator(".told").inner_text())[1]
    assert int(mistakes.replace(",", "")) > 10_000


def test_the_live_region_is_polite(show):
    sentence = show().locator("#sentence")

    assert sentence.get_attribute("aria-live") == "polite"


def test_the_page_is_small():
    sizes = {file.name: len(gzip.compress(file.read_bytes())) for file in PAGE.iterdir()}

    assert sum(sizes.values()) < 300_000
