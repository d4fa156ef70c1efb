"""The examples, run: a page for each with what it draws, its code, and what it prints."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

from pages import LONGER, ROOT, contents, put_page

EXAMPLES = ROOT / "examples"
PRINTED = "printed.txt"


def run(folder: Path) -> None:
    """Run each example into a folder of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    for script in sorted(EXAMPLES.glob("*.py")):
        if script.stem in LONGER:
            continue
        out = folder / script.stem
        command = [sys.executable, "-W", "error", str(script), str(out)]
        printed = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True)
        (out / PRINTED).write_text(printed.stdout, encoding="utf-8")


def write(made: Path, source: Path) -> None:
    """Put the index with a card for each example, and their pages, into the site."""
    index = put_page(EXAMPLES / "README.md", source)
    text = index.read_text(encoding="utf-8")
    listed = re.findall(r"^\| \[(\w+)\.py\]\(.*?\) *\| (.*?) *\|$", text, re.MULTILINE)
    cards = "\n\n".join(_card(made / name, shows, index.parent) for name, shows in listed)
    head, _, tail = re.split(r"(^\|(?:.*\n)+?(?=\n))", text, maxsplit=1, flags=re.MULTILINE)
    shown = f":::::{{container}} gallery\n\n{cards}\n\n:::::\n"
    pages = contents(*(name for name, _ in listed))
    index.write_text(head + shown + tail + pages, encoding="utf-8")
    for name in LONGER:
        shutil.copy(EXAMPLES / f"{name}.py", index.parent)
    shutil.copytree(EXAMPLES / "adapters", index.parent / "adapters")


def _card(made: Path, shows: str, folder: Path) -> str:
    """Write the page of an example, and say what leads there."""
    code = (EXAMPLES / f"{made.name}.py").read_text(encoding="utf-8")
    title = made.name.replace("_", " ").replace("xor", "XOR")
    title = title[0].upper() + title[1:]
    said = (ast.get_docstring(ast.parse(code)) or title).replace("\n", " ")
    pictures = sorted(path for path in made.glob("*") if path.suffix in (".png", ".gif"))
    for picture in pictures:
        shutil.copy(picture, folder)
    drawn = "\n\n".join(f"![{title}]({picture.name})" for picture in pictures)
    printed = made / PRINTED
    told = printed.read_text(encoding="utf-8").rstrip() if printed.exists() else ""
    told = f"It prints\n\n```text\n{told}\n```\n" if told else ""
    page = f"# {title}\n\n{said}\n\n{drawn}\n\n```python\n{code.rstrip()}\n```\n\n{told}"
    (folder / f"{made.name}.md").write_text(page, encoding="utf-8")
    link = f"{made.name}.md"
    seen = f"[![]({pictures[0].name})]({link})\n\n" if pictures else ""
    return f"::::{{container}} card\n\n{seen}[{title}]({link})\n\n{shows}\n\n::::"
