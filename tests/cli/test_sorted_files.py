"""A file in which a label lies in one stretch is learned as well as its lines in random order."""

import numpy as np
import pytest

from command_line import Program

SEEDS = range(5)


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Program(capsys, tmp_path)


def f1(program, data):
    """Of the rare label, in points, on average over models of some seeds."""
    found = []
    for seed in SEEDS:
        how = ("--learner", "averaged", "--passes", 5, "--folds", 0, "--seed", seed)
        program("train", data, *how, "-f", "-q", "-o", "model.rbt")
        told = program.json("evaluate", "model.rbt", "test.svm")
        found.append(100 * told["labels"]["1"]["f1"])
    return np.mean(found)


def rows(generator, count):
    """Lines of svmlight of which three in a hundred have a label of their own, and which."""
    rare = generator.random(count) < 0.03
    columns = np.minimum(generator.zipf(1.5, (count, 12)), 300)
    of_label = 301 + (generator.random((count, 3)) * np.where(rare, 120, 600)[:, None]).astype(int)
    lines = [
        f"{label} " + " ".join(f"{column}:1" for column in np.unique(row)) + "\n"
        for label, row in zip(rare.astype(int), np.hstack([columns, of_label]), strict=True)
    ]
    return np.array(lines), rare


def test_a_rare_label_in_one_stretch_loses_at_most_half_a_point(program):
    generator = np.random.default_rng(0)
    (lines, rare), (unseen, _) = rows(generator, 50_000), rows(generator, 50_000)
    common, rare = np.flatnonzero(~rare), np.flatnonzero(rare)
    stretch = np.concatenate([common[:20_000], rare, common[20_000:]])
    for name, some in (("mixed", lines), ("stretch", lines[stretch]), ("test", unseen)):
        (program.folder / f"{name}.svm").write_text("".join(some))

    mixed = f1(program, "mixed.svm")

    assert mixed > 75
    assert f1(program, "stretch.svm") > mixed - 0.5
