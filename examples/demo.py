"""The main job, as a newcomer would do it: a file of text in, a model that explains itself out.

The text is real: the first sentences of the docstrings of four packages that are installed here.
Which package does a sentence come from? Everything else is done by the command line; files go into
demo/, or the folder named on the command line.
"""

import ast
import csv
import importlib.util
import random
import shlex
import subprocess
import sys
import warnings
from pathlib import Path

PACKAGES = ("matplotlib", "numpy", "scipy", "sklearn")
FEWEST_WORDS = 4
OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    sentences = [(package, text) for package in PACKAGES for text in sentences_of(package)]
    random.Random(0).shuffle(sentences)
    write_table(OUT / "docstrings.tsv", sentences[1000:])
    write_table(OUT / "unseen.tsv", sentences[:1000])
    rosenblatt("check docstrings.tsv")
    rosenblatt("train docstrings.tsv --force")
    rosenblatt("evaluate docstrings.rbt unseen.tsv -n 3")
    rosenblatt("plot docstrings.rbt -o error_per_pass_of_text.png --force")
    rosenblatt("plot docstrings.rbt --kind weights -o words.png --force")
    rosenblatt("bench docstrings.tsv")
    rosenblatt("inspect docstrings.rbt -n 5")
    rosenblatt("explain docstrings.rbt 'Draw the histogram of a sparse matrix'")


def rosenblatt(command):
    """Run a command in the folder of the demo, shown as one would type it."""
    print(f"\n$ rosenblatt {command}", flush=True)
    subprocess.run([sys.executable, "-m", "rosenblatt", *shlex.split(command)], cwd=OUT, check=True)


def write_table(path, sentences):
    """One line for each sentence: the package, a tab, the sentence."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, "excel-tab").writerows([("package", "sentence"), *sentences])


def sentences_of(package):
    """The first paragraphs of the docstrings in a package's files, without importing them."""
    folder = Path(importlib.util.find_spec(package).origin).parent
    found = set()
    for file in folder.rglob("*.py"):
        if "test" in str(file.relative_to(folder)):
            continue
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in documented(tree):
            words = (ast.get_docstring(node) or "").split("\n\n")[0].split()
            if len(words) >= FEWEST_WORDS:
                found.add(" ".join(words))
    return sorted(found)


def documented(node):
    """A module, a class or a function, and the classes and functions in it."""
    yield node
    for inner in node.body:
        if isinstance(inner, ast.ClassDef | ast.FunctionDef):
            yield from documented(inner)


if __name__ == "__main__":
    main()
