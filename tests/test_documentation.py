"""The documentation as a site: it builds without a warning, and names all that is public."""

import subprocess
import sys
from pathlib import Path

import pytest

import rosenblatt

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, with the examples as they are written, not run."""
    out = tmp_path_factory.mktemp("docs") / "site"
    built = subprocess.run(
        [sys.executable, ROOT / "docs" / "site" / "build.py", "--examples-as-they-ran", out],
        capture_output=True,
        encoding="utf-8",
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return out


def test_every_public_name_has_its_page_in_the_reference(site):
    pages = {page.stem for page in (site / "reference").glob("rosenblatt.*.html")}

    names = [name for name in rosenblatt.__all__ if name != "__version__"]
    assert {f"rosenblatt.{name}" for name in names} <= pages


def test_every_page_and_example_is_in_the_site(site):
    pages = {page.relative_to(site).with_suffix("").as_posix() for page in site.rglob("*.html")}

    guide = {page.stem for page in (ROOT / "docs").glob("*.md")} - {"index"}
    assert guide | {"index", "guide", "lab/index", "examples/first_perceptron"} <= pages


def test_methods_are_told_in_the_reference_and_those_of_others_are_not(site):
    page = (site / "reference" / "rosenblatt.AveragedPerceptron.html").read_text(encoding="utf-8")

    assert 'id="rosenblatt.AveragedPerceptron.partial_fit"' in page
    assert "get_metadata_routing" not in page
