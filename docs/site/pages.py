"""The pages of docs/ where the site has them, with links that lead there."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
LINK = re.compile(r"(?<=\]\()([^)#:\s]+)(?=[)#])")
MARK = re.compile(r"<!-- site: (\w+) -->")
LAB = """\
```{raw} html
<iframe class="lab" src="lab/index.html" title="The perceptron lab"></iframe>
<p class="lab"><a href="lab/index.html">Open the lab in a window of its own</a></p>
```"""
NOT_OF_THE_GUIDE = ("index", "lab")
LONGER = ("demo", "figures", "first_look", "spark_on_a_laptop")
"""Scripts that are given to read, where each short one is a page."""


def put_page(page: Path, source: Path) -> Path:
    """Write a page of the project where the site has it."""
    place = source / place_of(page)
    place.parent.mkdir(parents=True, exist_ok=True)
    text = with_links(page.read_text(encoding="utf-8"), page)
    place.write_text(MARK.sub(_marked, text), encoding="utf-8")
    return place


def place_of(file: Path) -> Path:
    """Where a file of the project lies in the site."""
    path = file.relative_to(ROOT)
    if path.parts[:-1] == ("examples",) and path.suffix == ".py" and path.stem not in LONGER:
        return path.with_suffix(".md")
    if path.parts[0] != "docs":
        return path
    return Path("guide.md") if path.name == "index.md" else path.relative_to("docs")


def with_links(text: str, page: Path) -> str:
    """The text of a page, each link led to where the site has what it names."""
    here = place_of(page).parent

    def lead(link: re.Match[str]) -> str:
        target = (page.parent / link[1]).resolve()
        return os.path.relpath(place_of(target), here) if target.exists() else link[1]

    return LINK.sub(lead, text)


def _marked(mark: re.Match[str]) -> str:
    """What stands on the site where a page has a mark."""
    return {"lab": lambda: LAB, "example": _example}[mark[1]]()


def _example() -> str:
    """The first example of the README, which a test runs."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.search(r"```python\n.*?```", readme, re.DOTALL)[0]


def contents(*names: str) -> str:
    """A table of contents that is found at the side, not in the text."""
    return "\n```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"


def guide(source: Path, names: list[str]) -> None:
    """Let the list of pages be the order of the guide; a page that it leaves out comes last."""
    place = source / "guide.md"
    text = place.read_text(encoding="utf-8").replace("# rosenblatt: contents", "# Guide", 1)
    listed = re.findall(r"^- \[.*?\]\((\w+)\.md\)", text, re.MULTILINE)
    pages = [name for name in dict.fromkeys([*listed, *names]) if name not in NOT_OF_THE_GUIDE]
    place.write_text(text + contents(*pages, "SECURITY", "CONTRIBUTING"), encoding="utf-8")


def front_page(source: Path) -> None:
    text = MARK.sub(_marked, (HERE / "index.md").read_text(encoding="utf-8"))
    parts = ("guide", "lab", "examples/README", "reference/index", "CHANGELOG")
    (source / "index.md").write_text(text + contents(*parts), encoding="utf-8")
