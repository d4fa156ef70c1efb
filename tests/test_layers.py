"""Imports point one way, and importing the package brings only what it must."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import rosenblatt

LAYERS = [
    {"core", "parameters", "sealed", "sources"},
    {"matrices", "labels", "weights", "svmlight"},
    {"inputs"},
    {"training"},
    {"linear"},
    {"perceptron", "passive_aggressive", "winnow", "arow"},
    {"files"},
    {"__init__"},
]
"""A module may import from the layers before its own."""

MODULES = sorted(Path(rosenblatt.__file__).parent.glob("*.py"))


def imported_by(module):
    """The modules of the package that this one imports, anywhere in its text."""
    names = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "rosenblatt":
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module.startswith("rosenblatt."):
            names.add(node.module.split(".")[1])
    return {name for name in names if not name.startswith("_core")}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_a_module_imports_only_from_layers_before_its_own(module):
    (place,) = [k for k, layer in enumerate(LAYERS) if module.stem in layer]
    before = set().union(*LAYERS[:place])

    assert imported_by(module) <= before


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("rosenblatt", ("sklearn", "scipy")),
        ("rosenblatt.files", ("sklearn",)),
        ("rosenblatt.svmlight", ("sklearn",)),
    ],
)
def test_importing_it_loads_nothing_heavy(module, heavy):
    program = f"import {module}, sys; print([m for m in {heavy} if m in sys.modules])"

    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert loaded.stdout == "[]\n"
