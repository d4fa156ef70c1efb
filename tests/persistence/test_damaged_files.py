"""Model files that were cut off, changed or forged are refused; a kill leaves no such file."""

import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import kills
from data import real_numbers
from forgeries import RUBBISH, changed, forge, forged_header, places_in
from members import assert_same_model
from refusals import is_one_sentence
from rosenblatt import (
    AROW,
    FeatureCombinations,
    KernelPerceptron,
    ModelFileError,
    Predictor,
    VotedPerceptron,
    load,
    save,
    shrink,
)
from rosenblatt.persistence.container import unseal
from subprocesses import in_a_child

MUTANTS = int(os.environ.get("ROSENBLATT_MUTANTS", "20_000"))
MUTANTS_IN_A_CHILD = 2_000
HEADERS_IN_A_CHILD = 200
KILLS = 500


@pytest.fixture
def path():
    """In memory where there is a folder for that: thousands of files are written there."""
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder, "model.rbt")


def small_model():
    X, y = real_numbers(count=20, width=4, classes=3)
    weights = {0: 1.0, 1: 2.0, 2: 1.5}
    model = AROW(average=True, record=True, max_iter=2, random_state=0, class_weight=weights)
    return model.fit(X, y)


# Changed bytes


def truncated(whole, dice):
    return whole[: dice.randrange(len(whole))]


def flipped(whole, dice):
    place = dice.randrange(len(whole))
    return whole[:place] + bytes([whole[place] ^ 1 << dice.randrange(8)]) + whole[place + 1 :]


def zeroed(whole, dice):
    start = dice.randrange(len(whole))
    stop = min(len(whole), start + dice.choice([1, 8, 64, 512]))
    return whole[:start] + bytes(stop - start) + whole[stop:]


def extended(whole, dice):
    return whole + dice.choice([b"\0", b" ", b"\n", dice.randbytes(dice.randint(1, 100)), whole])


def with_something_inserted(whole, dice):
    place = dice.randrange(len(whole))
    return whole[:place] + dice.choice([b" ", b"{", b'"', b"\\", b"1", b"\xff"]) + whole[place:]


def with_something_cut_out(whole, dice):
    place = dice.randrange(len(whole))
    return whole[:place] + whole[place + dice.randint(1, 40) :]


def of_another_header_length(whole, dice):
    length = int.from_bytes(whole[:8], "little")
    other = dice.choice([0, 1, length - 1, length + 8, len(whole), 2**31, 2**63, 2**64 - 1])
    return other.to_bytes(8, "little") + whole[8:]


def with_a_mangled_header(whole, dice):
    length = int.from_bytes(whole[:8], "little")
    header = bytearray(whole[8 : 8 + length])
    for _ in range(dice.randint(1, 5)):
        header[dice.randrange(length)] = dice.choice(b'{}[]":,\\ 0129eExX\0\xff')
    return whole[:8] + bytes(header) + whole[8 + length :]


def with_pieces_swapped(whole, dice):
    a, b, c = sorted(dice.sample(range(len(whole) + 1), 3))
    return whole[:a] + whole[b:c] + whole[a:b] + whole[c:]


def in_another_case(whole, dice):
    place = dice.randrange(len(whole) - 64)
    return whole[:place] + whole[place : place + 64].swapcase() + whole[place + 64 :]


MUTATIONS = [
    truncated,
    flipped,
    zeroed,
    extended,
    with_something_inserted,
    with_something_cut_out,
    of_another_header_length,
    with_a_mangled_header,
    with_pieces_swapped,
    in_another_case,
]


@pytest.mark.parametrize("mutate", MUTATIONS)
def test_a_file_changed_in_any_way_is_refused_in_a_sentence(mutate, path):
    save(small_model(), path)
    whole = path.read_bytes()

    def check(dice):
        tried = 0
        while tried < MUTANTS_IN_A_CHILD:
            mutant = mutate(whole, dice)
            if mutant == whole:
                continue
            tried += 1
            path.write_bytes(mutant)
            with pytest.raises(ModelFileError) as caught:
                load(path)
            assert is_one_sentence(str(caught.value).replace(str(path), "model.rbt"))

    for child in range(MUTANTS // len(MUTATIONS) // MUTANTS_IN_A_CHILD):
        in_a_child(lambda: check(random.Random(f"{mutate.__name__} {child}")))  # noqa: B023


def test_every_single_byte_counts(path):
    save(small_model(), path)
    whole = path.read_bytes()

    def check():
        for place in range(len(whole)):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            with pytest.raises(ModelFileError):
                load(path)

    in_a_child(check)


@pytest.mark.parametrize("contents", [b"", b"\0" * 8, b"hello", b"\x80\x04]q\x00.", b"{}" * 5000])
def test_other_files_are_no_model_files(contents, path):
    path.write_bytes(contents)

    with pytest.raises(ModelFileError, match="is not a model file of rosenblatt"):
        load(path)


def test_a_file_without_end_is_refused_at_once():
    with pytest.raises(ModelFileError, match="is not a model file of rosenblatt"):
        load("/dev/zero")


# Forged files, whose checksum is right


def model_of_names():
    X, y = real_numbers(count=20, width=4, classes=3)
    model = AROW(record=True, average=True)
    for row, label in zip(X, y, strict=True):
        model.learn_one({f"x{k}": value for k, value in enumerate(row)}, label)
    return model


def few(kind, form=np.asarray, **parameters):
    """A maker of a small model."""
    X, y = real_numbers(count=20, width=4, classes=3)
    X = form(np.where(np.abs(X) > 0.5, X, 0.0))
    return lambda: kind(**parameters).fit(X, y)


def model_that_only_predicts():
    with tempfile.TemporaryDirectory() as folder:
        shrink(small_model(), Path(folder, "small.rbt"), precision="int8")
        return load(Path(folder, "small.rbt"))


FORGED = {
    "AROW": small_model,
    "of names": model_of_names,
    "only to predict": model_that_only_predicts,
    "voted": few(VotedPerceptron, max_iter=2, random_state=0),
    "sparse supports": few(KernelPerceptron, sparse.csr_array, vote=True, max_iter=1),
    "dense supports": few(KernelPerceptron, average=True, max_iter=1),
    "combinations": few(FeatureCombinations, sparse.csr_array),
}
"""Between them these have every kind of array."""


def assert_harmless(path, X):
    """The file is refused in a sentence, or it holds a model that works."""
    with contextlib.suppress(ValueError):
        Predictor.load(path).predict(X)
    message = ""
    try:
        model = load(path)
    except ModelFileError as error:
        message = str(error)
    if message:
        assert is_one_sentence(message.replace(str(path), "model.rbt"))
        return "refused"
    model = model[-1] if hasattr(model, "steps") else model
    if not hasattr(model, "predict"):
        model.transform(X)
        return "works"
    model.predict(X)
    with contextlib.suppress(ValueError):  # of a class_weight that names other classes
        model.partial_fit(X[:3], model.classes_[[0, 1, 1]])
    model.history_, model.n_iter_, model.converged_, getattr(model, "mistakes_", None)
    return "works"


@pytest.mark.parametrize("make", FORGED.values(), ids=FORGED.keys())
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_forged_facts_are_refused_or_harmless(make, path):
    save(make(), path)
    facts, arrays = unseal(str(path))
    del facts["checksum"]
    X, _ = real_numbers(count=20, width=4)

    def check():
        outcomes = []
        for place in places_in(facts):
            for value in RUBBISH:
                forged = changed(facts, place, value)
                if isinstance(forged, dict):
                    forge(path, forged, arrays)
                    outcomes.append(assert_harmless(path, X))
        return outcomes

    outcomes = in_a_child(check)

    assert outcomes.count("refused") > len(outcomes) / 2


@pytest.mark.parametrize("make", FORGED.values(), ids=FORGED.keys())
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_headers_forged_in_any_way_are_refused_or_harmless(make, path):
    """Several facts at once, under a checksum that is right."""
    save(make(), path)
    facts, arrays = unseal(str(path))
    del facts["checksum"]
    X, _ = real_numbers(count=20, width=4)

    def check(dice):
        for _ in range(HEADERS_IN_A_CHILD):
            forge(path, forged_header(facts, dice), arrays)
            assert_harmless(path, X)

    for child in range(max(1, MUTANTS // 100 // HEADERS_IN_A_CHILD)):
        in_a_child(lambda: check(random.Random(f"header {child}")))  # noqa: B023


FORGERIES = {
    "gone": lambda array: None,
    "cut": lambda array: array[1:],
    "longer": lambda array: np.concatenate([array, array[:1]]),
    "narrower": lambda array: array[..., :1].copy(),
    "flat": lambda array: array.ravel(),
    "deeper": lambda array: array[..., np.newaxis],
    "empty": lambda array: array[:0],
    "of half the bytes": lambda array: array.astype(array.dtype.str.replace("8", "4")),
    "below zero": lambda array: np.zeros_like(array) - np.ones_like(array),
    "too large": lambda array: np.full_like(array, 2 ** (8 * array.itemsize - 2)),
    "backwards": lambda array: array[::-1].copy(),
    "NaN": lambda array: np.full_like(array, np.nan),
}
MUST_BE_REFUSED = {
    ("AROW", "weights.values"): FORGERIES.keys() - {"below zero", "too large", "backwards"},
    ("AROW", "weights.counts"): FORGERIES.keys() - {"flat", "too large", "backwards"},
    ("AROW", "progress.rival"): {"gone", "cut", "longer", "deeper", "below zero", "too large"},
    ("VotedPerceptron", "mistakes.bounds"): FORGERIES.keys() - {"flat"},
    ("VotedPerceptron", "mistakes.columns"): {"gone", "cut", "deeper", "below zero", "too large"},
    ("VotedPerceptron", "mistakes.list.row"): {"gone", "cut", "below zero", "too large"},
    ("KernelPerceptron", "weights.references.indices"): {"gone", "cut", "below zero", "too large"},
    ("KernelPerceptron", "weights.steps.support"): {"gone", "longer", "below zero", "too large"},
    ("FeatureCombinations", "columns.ranks"): {"below zero", "too large", "backwards", "deeper"},
}


@pytest.mark.parametrize("make", FORGED.values(), ids=FORGED.keys())
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_forged_arrays_are_refused_or_harmless(make, path):
    model = make()
    save(model, path)
    facts, arrays = unseal(str(path))
    X, _ = real_numbers(count=20, width=4)

    def check():
        outcomes = {}
        for name in arrays:
            for kind, change in FORGERIES.items():
                with np.errstate(invalid="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore", RuntimeWarning)  # of NaN as a whole number
                    other = change(arrays[name])
                forged = {**arrays, name: other}
                if other is None:
                    forged.pop(name)
                elif other.dtype == arrays[name].dtype and np.array_equal(other, arrays[name]):
                    continue
                forge(path, facts, forged)
                outcomes[name.removeprefix("0."), kind] = assert_harmless(path, X)
        return outcomes

    outcomes = in_a_child(check)

    for (estimator, name), kinds in MUST_BE_REFUSED.items():
        if estimator == type(model).__name__:
            accepted = {kind for kind in kinds if outcomes.get((name, kind)) == "works"}
            if "divisor" in facts["steps"][0].get("weights", {}):  # may come in any precision
                accepted.discard("of half the bytes")
            assert not accepted


def test_an_array_that_belongs_to_nothing_is_refused(path):
    save(small_model(), path)
    facts, arrays = unseal(str(path))

    for name in ("more", "0.more", "1.weights.values"):
        forge(path, facts, arrays | {name: np.zeros(3)})
        with pytest.raises(ModelFileError, match="does not describe a model"):
            load(path)


def test_a_file_of_a_newer_format_says_so(path):
    save(small_model(), path)
    facts, arrays = unseal(str(path))
    forge(path, facts | {"format": 4}, arrays)

    with pytest.raises(ModelFileError, match=r"has format 4 .* install a newer one\."):
        load(path)


# Kills


def test_a_kill_while_saving_leaves_the_old_or_the_new_file_whole(tmp_path):
    run = subprocess.run(
        [sys.executable, Path(kills.__file__), tmp_path, str(KILLS)],
        stdout=subprocess.PIPE,
        check=True,
    )

    told = json.loads(run.stdout)
    assert len(told["found"]) == KILLS
    assert set(told["found"]) == {0, 1}
    assert told["drafts"] > 0, "No kill came while a file was being written."
    left, whole = load(tmp_path / "model.rbt"), load(tmp_path / f"{told['found'][-1]}.rbt")
    assert_same_model(left, whole)
