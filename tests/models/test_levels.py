"""The same bits at every level of vector instructions that the processor has."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import native
import rosenblatt
from data import labels_of
from native import LEVELS
from rosenblatt.core import LEVELS as COMPILED
from rosenblatt.core import cpu_level

WIDTHS = [*range(41), 63, 64, 65, 100, 1030]
"""Every remainder after whole groups of lanes, several times over; and a long row."""

RULES = {
    "perceptron": lambda core: core.PerceptronRule(),
    "PA": lambda core: core.PassiveAggressiveRule(np.inf, 0.0),
    "PA-I": lambda core: core.PassiveAggressiveRule(0.1, 0.0),
    "PA-II": lambda core: core.PassiveAggressiveRule(np.inf, 0.5),
}


def real_rows(width, layout, count=30):
    rng = np.random.default_rng(width)
    X = rng.normal(size=(count, width)) * rng.integers(2, size=(count, width))
    if "zeros" in layout:
        X *= rng.random((count, width)) < 0.4
    X = X.astype(np.float32 if "float32" in layout else np.float64)
    if "csr" not in layout:
        return X
    rows = sparse.csr_array(X)
    index = np.int64 if "int64" in layout else np.int32
    rows.indices, rows.indptr = rows.indices.astype(index), rows.indptr.astype(index)
    return rows


def assert_same_bits(arrays):
    first, *others = [np.ascontiguousarray(array).tobytes() for array in arrays]
    assert all(other == first for other in others)


def test_the_core_is_compiled_for_every_level_that_the_processor_has():
    levels = [f"v{level}" for level in (1, 3, 4) if level <= cpu_level()]

    assert levels == COMPILED
    assert [module.__name__ for module in LEVELS] == [f"rosenblatt._core_{v}" for v in levels]


def why_no_import(path, **environment):
    run = subprocess.run(
        [sys.executable, "-c", "import rosenblatt.core"],
        env=os.environ | {"PYTHONPATH": str(path)} | environment,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    return run.stderr.splitlines()[-1]


def test_a_level_that_is_not_there_cannot_be_chosen():
    reason = why_no_import(Path(rosenblatt.__file__).parents[1], ROSENBLATT_ISA="v2")

    assert f"was compiled for, {' or '.join(COMPILED)}, got ROSENBLATT_ISA='v2'." in reason


def test_a_build_for_wider_processors_says_what_to_do(tmp_path):
    levels = shutil.ignore_patterns("_core_v*", "__pycache__")
    shutil.copytree(Path(rosenblatt.__file__).parent, tmp_path / "rosenblatt", ignore=levels)

    reason = why_no_import(tmp_path)

    assert reason == (
        "ImportError: The core was compiled for wider vector instructions than this processor has: "
        "install rosenblatt again on this machine, or a build with ROSENBLATT_LEVELS=all."
    )


@pytest.mark.parametrize(
    "layout", ["float64", "float32", "zeros", "float32 zeros", "csr", "csr float32", "csr int64"]
)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("classes", [2, 3, 5, 12, 34])
def test_every_level_learns_and_scores_the_same_bits(classes, rule, layout):
    for width in WIDTHS:
        X = real_rows(width, layout, count=max(30, classes))
        codes = labels_of(np.random.default_rng(1), X.shape[0], classes)
        unit_length = width % 2 == 1

        learned = [
            native.learn(
                core, X, codes, classes=classes, rule=RULES[rule](core), unit_length=unit_length
            )
            for core in LEVELS
        ]
        one = learned[0]
        scores = [native.score(core, X, one.weights, classes=classes) for core in LEVELS]
        means = [
            native.score(core, X, one.weights, missed=one.missed, counted=31.0, classes=classes)
            for core in LEVELS
        ]
        winners = [native.predict(core, X, one.weights, classes=classes) for core in LEVELS]

        lengths = [core.squared_length(one.weights) for core in LEVELS]

        assert_same_bits(run.weights for run in learned)
        assert_same_bits(run.missed for run in learned)
        assert_same_bits(run.counts for run in learned)
        assert_same_bits(run.mistakes for run in learned)
        assert_same_bits(scores)
        assert_same_bits(means)
        assert_same_bits(winners)
        assert_same_bits(lengths)
        assert lengths[0] == pytest.approx(np.square(one.weights).sum())


@pytest.mark.parametrize("core", LEVELS)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_dot_product_is_eight_sums_folded_in_a_fixed_tree(core, width):
    """Element k is added to sum k mod 8; the sums are then folded pairwise."""
    rng = np.random.default_rng(width)
    x, weights = rng.normal(size=width), rng.normal(size=width + 1)
    sums = [0.0] * 8
    for k in range(width):
        sums[k % 8] += float(x[k]) * float(weights[k])
    a, b, c, d, e, f, g, h = sums
    expected = (((a + e) + (c + g)) + ((b + f) + (d + h))) + 1.0 * float(weights[-1])

    score = native.score(core, x[np.newaxis], weights[:, np.newaxis])

    assert score.item() == expected


@pytest.mark.parametrize("core", LEVELS)
def test_averages_scored_value_by_value_have_the_bits_of_averages_worked_out_first(core):
    """Few rows are scored from the sums, many from the averaged weights: both must agree."""
    for classes in (2, 7):
        X = real_rows(21, "csr")
        learned = native.learn(
            core, X, labels_of(np.random.default_rng(0), 30, classes), classes=classes
        )
        counted = float(learned.counts[0] + 1)

        value_by_value = native.score(
            core, X, learned.weights, missed=learned.missed, counted=counted, classes=classes
        )
        at_once = native.score(core, X, learned.total, counted=counted, classes=classes)

        assert_same_bits([value_by_value, at_once])


@pytest.mark.parametrize("layout", ["float64", "float32", "csr", "csr float32", "csr int64"])
@pytest.mark.parametrize("degree", [2, 3])
def test_every_level_combines_features_to_the_same_bits(degree, layout):
    for width in (1, 2, 3, 17, 40):
        X = real_rows(width, layout)
        ranks = native.frequent_combinations(LEVELS[0], X, degree, 4)

        for places in ("all", "seen", "hashed"):
            combined = [native.combine(core, X, places, ranks, degree) for core in LEVELS]
            assert_same_bits(rows.data for rows in combined)
            assert_same_bits(rows.indices for rows in combined)
            assert_same_bits(rows.indptr for rows in combined)
        assert_same_bits(native.frequent_combinations(core, X, degree, 4) for core in LEVELS)
