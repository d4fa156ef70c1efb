"""Tests of another package, as it is installed, with our classes in the place of its own."""

import builtins
import importlib
import importlib.util
import re
import types
from fnmatch import fnmatchcase
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def adopt(namespace, tests, ours):
    """Run the text of a module of tests in this namespace; ``ours`` by the names of theirs.

    Whatever the text imports by these names, it gets ours, and nobody else does.
    """
    edited = {}

    def edit(module):
        if module not in edited:
            edited[module] = types.SimpleNamespace(**vars(importlib.import_module(module)))
            home, _, name = module.rpartition(".")
            if home:
                setattr(edit(home), name, edited[module])
        return edited[module]

    for path, stand_in in ours.items():
        home, _, name = path.rpartition(".")
        assert hasattr(edit(home), name), f"{home} has no {name} to put ours in the place of"
        setattr(edit(home), name, stand_in)

    def import_edited(name, *arguments):
        module = builtins.__import__(name, *arguments)
        return edited.get(module.__name__, module)

    namespace["__builtins__"] = {**vars(builtins), "__import__": import_edited}
    path = importlib.util.find_spec(tests).origin
    exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec"), namespace)


def matched(name, patterns):
    """Whether the name of a test matches one of the patterns, in which brackets are letters."""
    return any(fnmatchcase(name, pattern.replace("[", "[[]")) for pattern in patterns)


def stale(patterns, namespace):
    """The patterns of which no test in this namespace can have the name."""
    names = [name for name in namespace if name.startswith("test_")]
    return [
        pattern
        for pattern in patterns
        if not any(matched(name, [pattern.partition("[")[0]]) for name in names)
    ]


def explained(place):
    """Whether a page of the documentation has this heading: ``switching.md#several-classes``."""
    page, _, anchor = place.partition("#")
    headings = re.findall(r"^#+ (.+)$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
    return anchor in {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}
