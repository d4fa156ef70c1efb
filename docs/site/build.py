"""Builds the documentation as pages for a browser.

python docs/site/build.py [--examples-as-they-ran] [OUT]

Pages of docs/ are taken as they are, with the links between them; the examples are run and shown
with what they draw and print; the reference is read off docstrings; and the lab is put in whole.
The result is a folder for any web space, or to be opened from a disk. A warning is an error.
Examples take most of the time; with --examples-as-they-ran they show what they did the last time.
"""

import argparse
import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import main as sphinx

import gallery
import reference_pages
from pages import HERE, ROOT, front_page, guide, put_page
from rosenblatt.lab.one_file import the_lab

BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")


def gather(source: Path, made: Path) -> None:
    """Put all that the site is made of into one folder."""
    pages = sorted((ROOT / "docs").glob("*.md"))
    for page in pages:
        put_page(page, source)
    for name in BESIDE:
        put_page(ROOT / name, source)
    shutil.copytree(ROOT / "docs" / "images", source / "images")
    guide(source, [page.stem for page in pages])
    front_page(source)
    gallery.write(made, source)
    reference_pages.write(source / "reference")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--examples-as-they-ran", action="store_true")
    parser.add_argument("out", nargs="?", type=Path, default=ROOT / "build" / "docs")
    asked = parser.parse_args()
    out = asked.out
    source, made = (out.with_name(f"{out.name}-{part}") for part in ("source", "examples"))
    for folder in (source, out):
        shutil.rmtree(folder, ignore_errors=True)
    if not asked.examples_as_they_ran:
        gallery.run(made)
    gather(source, made)
    failed = sphinx(["-W", "--keep-going", "-q", "-c", str(HERE), str(source), str(out)])
    if not failed:
        (out / "lab").mkdir()
        (out / "lab" / "index.html").write_text(the_lab(), encoding="utf-8")
        print(f"The documentation is in {out}: open {out / 'index.html'}.")
    return failed


if __name__ == "__main__":
    sys.exit(main())
