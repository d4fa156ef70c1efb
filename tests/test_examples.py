"""What a newcomer runs first: the demo, the example in the README, the examples in the docs."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = [page for page in PAGES if ">>>" in page.read_text(encoding="utf-8")]


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The directory in which the demo ran, and what it printed."""
    place = tmp_path_factory.mktemp("newcomer")
    run = subprocess.run(
        [sys.executable, "-W", "error", ROOT / "examples" / "demo.py"],
        cwd=place,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return place, run.stdout


@pytest.mark.parametrize("name", ["prototypes.png", "error_per_pass.png"])
def test_the_demo_draws_pictures_that_show_something(demo, name):
    """K2 (a class's weights are its prototype) and C7, C26 (error against passes)."""
    place, _ = demo

    picture = imread(place / "demo" / name)[..., :3]

    height, width, _ = picture.shape
    assert height >= 500
    assert width >= 1000
    colours = np.unique(picture.reshape(-1, 3), axis=0)
    assert len(colours) > 100
    blank = (picture == 1).all(axis=2).mean()
    assert 0.2 < blank < 0.97


def test_a_kernel_solves_exclusive_or_and_the_picture_shows_it(tmp_path):
    """C27, C31."""
    run = subprocess.run(
        [sys.executable, "-W", "error", ROOT / "examples" / "xor_with_a_kernel.py"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert run.returncode == 0, run.stderr
    assert re.search(r"a line +\d\d% right", run.stdout)
    assert re.search(r"products of two features +100% right", run.stdout)
    picture = imread(tmp_path / "xor_with_a_kernel.png")[..., :3]
    assert picture.shape[0] >= 400
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50


def test_the_demo_prints_tables_that_fit_a_terminal(demo):
    _, printed = demo

    lines = printed.splitlines()

    assert max(map(len, lines)) <= 100
    assert sum(bool(re.match(r" +\d+ +\d+ +\d+( +\d+\.\d %){4}$", line)) for line in lines) == 30
    assert sum(bool(re.search(r" ms +\d+\.\d$", line)) for line in lines) == 10
    assert any("converged" in line for line in lines)


def test_the_example_in_the_readme_runs_as_it_stands(capsys):
    code = re.search(r"```python\n(.*?)```", PAGES[0].read_text(encoding="utf-8"), re.DOTALL)[1]

    exec(compile(code, "README.md", "exec"), {})

    accuracy, first_pass = capsys.readouterr().out.splitlines()
    promised = float(re.search(r"score.*# (\d\.\d+)", code)[1])
    assert float(accuracy) == pytest.approx(promised, abs=0.005)
    assert first_pass.startswith("Pass(updates=")


@pytest.mark.parametrize("page", EXAMPLES, ids=lambda page: page.name)
def test_the_examples_in_the_docs_print_what_they_say(page):
    outcome = doctest.testfile(str(page), module_relative=False, encoding="utf-8")

    assert outcome.attempted > 5
    assert outcome.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8"))

    for path, section in links:
        target = page.parent / path if path else page
        assert target.exists(), path
        if section:
            assert section in sections(target), section


def sections(page):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
