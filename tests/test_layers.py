"""Rooms import only from rooms above them, and importing the package brings only what it must."""

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import rosenblatt
from rosenblatt.models.base import Learner
from subprocesses import printed_by_python

ROOMS = [
    "core",
    "inputs",
    "training",
    "models",
    "features",
    "explain",
    "theory",
    "readers",
    "persistence",
    "tuning",
    "plots",
    "cluster",
    "corpora",
    "compat",
    "lab",
    "cli",
]
"""Of the package; each may import from those before it."""

CORE_ROOMS = ["base", "fast", "rows", "learn", "votes", "combine", "text", "read"]
"""Of src/core, likewise."""

PACKAGE = Path(rosenblatt.__file__).parent
CORE = Path(__file__).parents[1] / "src" / "core"
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.parent != PACKAGE or path.stem == "core"
}
HEADERS = {str(path.relative_to(CORE)): path for path in sorted(CORE.rglob("*.hpp"))}


def imported_by(module):
    """The modules of the package that this one imports, anywhere in its text."""
    names = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "rosenblatt":
            home = node.module.removeprefix("rosenblatt").removeprefix(".")
            within = {f"{home}.{alias.name}".removeprefix(".") for alias in node.names}
            names |= within & MODULES.keys() or {home}
    return names & MODULES.keys()


def included_by(header):
    """The headers of the core that this one includes."""
    return set(re.findall(r'#include "(.+)"', header.read_text(encoding="utf-8")))


def assert_no_cycle(graph):
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_rooms_above_it(room):
    above = ROOMS[: ROOMS.index(room) + 1]

    for name, path in MODULES.items():
        if name.split(".")[0] == room:
            assert {other.split(".")[0] for other in imported_by(path)} <= {*above}, name


def test_no_module_imports_itself_by_way_of_others():
    assert {name.split(".")[0] for name in MODULES} == {*ROOMS}
    assert_no_cycle({name: imported_by(path) for name, path in MODULES.items()})


@pytest.mark.parametrize("room", CORE_ROOMS)
def test_a_room_of_the_core_includes_only_from_rooms_above_it(room):
    above = CORE_ROOMS[: CORE_ROOMS.index(room) + 1]

    for name, path in HEADERS.items():
        if name.startswith(f"{room}/"):
            assert {other.split("/")[0] for other in included_by(path)} <= {*above}, name


def test_no_header_includes_itself_by_way_of_others():
    assert {name.split("/")[0] for name in HEADERS} == {*CORE_ROOMS}
    assert_no_cycle({name: included_by(path) for name, path in HEADERS.items()})


@pytest.mark.parametrize(
    "part", ["learn", "mover", "record", "walk", "rules", "moves", "metric", "memory", "verdict"]
)
def test_the_slide_knows_nothing_of_what_is_only_there_for_speed(part):
    reached, ahead = set(), {f"learn/{part}.hpp"}
    while ahead:
        header = ahead.pop()
        reached.add(header)
        ahead |= included_by(HEADERS[header]) - reached

    assert not {name for name in reached if name.startswith("fast/")}


def test_the_top_of_the_package_is_its_rooms_and_little_else():
    entries = {path.name for path in PACKAGE.iterdir() if path.suffix in ("", ".py", ".typed")}

    assert len(entries - {"__pycache__"}) <= len(ROOMS) + 3


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("rosenblatt.plots", ("sklearn", "scipy", "matplotlib")),
        ("rosenblatt.persistence.model_files", ("sklearn", "scipy")),
        ("rosenblatt.persistence.predictor", ("sklearn", "scipy")),
        ("rosenblatt.readers.svmlight", ("sklearn",)),
        ("rosenblatt.readers.opening", ("sklearn", "scipy", "pyarrow")),
        ("rosenblatt.readers.table_layout", ("sklearn", "scipy", "pyarrow")),
        ("rosenblatt.features.table_engine", ("sklearn", "scipy", "pyarrow")),
        ("rosenblatt.features.text_engine", ("sklearn", "scipy")),
        ("rosenblatt.features.named_engine", ("sklearn", "scipy")),
        ("rosenblatt.readers.lines", ("sklearn", "scipy")),
        ("rosenblatt.readers.vw", ("sklearn", "scipy")),
        ("rosenblatt.corpora.filtering", ("sklearn", "scipy", "pyarrow")),
    ],
)
def test_importing_it_loads_nothing_heavy(module, heavy):
    program = f"import {module}, sys; print([m for m in {heavy} if m in sys.modules])"

    assert printed_by_python(program) == "[]\n"


def test_at_most_two_classes_stand_between_an_estimator_and_what_all_share():
    public = [getattr(rosenblatt, name) for name in rosenblatt.__all__]
    estimators = [kind for kind in public if isinstance(kind, type) and issubclass(kind, Learner)]
    assert len(estimators) == 8

    for kind in estimators:
        chain = [base.__name__ for base in kind.__mro__ if issubclass(base, Learner)]
        assert len(chain) <= 4, chain
