"""Imports point one way, and importing the package brings only what it must."""

import ast
from pathlib import Path

import pytest

import rosenblatt
from subprocesses import printed_by_python

LAYERS = [
    {"core", "facts", "holdout", "pages", "parameters", "bar_tables", "river"},
    {"formats.batches", "corner", "enclosure"},
    {"matrices", "labels", "weights", "combination_columns", "documents", "vocabularies", "sealed"},
    {"faults", "bags", "condensed"},
    {"inputs", "cache_files", "bracket", "exact", "kept", "names", "pushes", "words", "features"},
    {"word_counts"},
    {"text", "named", "fitted", "vectorized"},
    {"history", "validation", "combinations", "examples", "forms"},
    {"progress", "similarity", "programme"},
    {"training"},
    {"callbacks", "one", "stored", "lagrangian", "interior"},
    {"attributes"},
    {"learner"},
    {"linear", "dual", "widest", "verdicts"},
    {"perceptron", "passive_aggressive", "single", "arow", "kernel"},
    {"winnow", "voted", "retrace", "margins", "explain"},
    {"separation", "bounds", "mistakes", "files"},
    {"scorers", "onnx_export"},
    {"predictor"},
    {"claims.intervals", "claims.sets", "claims.textbook"},
    {"claims.record"},
    {"claims.averages", "claims.corners", "claims.counts", "claims.orders"},
    {"claims"},
    {"claims.__main__"},
    {"plots.drawing"},
    {"plots.examples"},
    {"plots.hyperplane", "plots.weights"},
    {"plots.boundary", "plots.projection", "plots.plane", "plots.update"},
    {"plots.mistakes", "plots.neuron", "plots.passes", "plots.scenes"},
    {"plots.animation"},
    {"plots"},
    {"formats.rejects", "formats.sources", "formats.guessing", "formats.packing"},
    {"formats.blocks", "table_cells"},
    {"formats.svmlight", "formats.lines", "formats.vw", "formats.records", "formats.sniffing"},
    {"table_columns", "formats.written_lines"},
    {"table"},
    {"formats.tables"},
    {"formats.parquet", "formats.written_tables"},
    {"formats.understanding"},
    {"formats.opening", "formats.writing"},
    {"formats", "cache"},
    {"cli.wording", "cli.progress", "cli.shares"},
    {"cli.failures"},
    {"cli.output"},
    {"cli.options", "cli.whole"},
    {"cli.preparing"},
    {"cli.learning", "cli.predict", "cli.inspect", "cli.check", "cli.margin", "cli.plot"},
    {"cli.training_options"},
    {"cli.train", "cli.evaluate", "cli.explain", "cli.convert", "cli.export", "cli.bench"},
    {"cli.app"},
    {"cli"},
    {"__init__", "__main__"},
]
"""A module may import from the layers before its own."""

PACKAGE = Path(rosenblatt.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


def imported_by(module):
    """The modules of the package that this one imports, anywhere in its text."""
    names = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "rosenblatt":
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module.startswith("rosenblatt."):
            names.add(node.module.removeprefix("rosenblatt."))
    return {name for name in names if not name.startswith("_core")}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_from_layers_before_its_own(name):
    (place,) = [k for k, layer in enumerate(LAYERS) if name in layer]
    before = set().union(*LAYERS[:place])

    assert imported_by(MODULES[name]) <= before


def test_packages_are_two_levels_deep_at_most():
    assert all(name.count(".") <= 1 for name in MODULES)


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("rosenblatt.plots", ("sklearn", "scipy", "matplotlib")),
        ("rosenblatt.files", ("sklearn", "scipy")),
        ("rosenblatt.predictor", ("sklearn", "scipy")),
        ("rosenblatt.formats.svmlight", ("sklearn",)),
        ("rosenblatt.formats.opening", ("sklearn", "scipy", "pyarrow")),
        ("rosenblatt.formats.understanding", ("sklearn", "scipy", "pyarrow")),
        ("rosenblatt.table_columns", ("sklearn", "scipy", "pyarrow")),
        ("rosenblatt.words", ("sklearn", "scipy")),
        ("rosenblatt.features", ("sklearn", "scipy")),
        ("rosenblatt.formats.lines", ("sklearn", "scipy")),
        ("rosenblatt.formats.vw", ("sklearn", "scipy")),
    ],
)
def test_importing_it_loads_nothing_heavy(module, heavy):
    program = f"import {module}, sys; print([m for m in {heavy} if m in sys.modules])"

    assert printed_by_python(program) == "[]\n"
