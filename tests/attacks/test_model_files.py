"""A model file from a stranger takes little memory, and is refused or works: no error slips by."""

import json
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from command_line import Program, reviews, write_csv
from forgeries import forged
from rosenblatt import AveragedPerceptron, ModelFileError, Predictor, TextVectorizer, load, save
from rosenblatt.persistence.container import KEY, seal_as_stored, unseal, write_arrays

MEMORY = 600 << 20
"""Bytes that a process which loads a hostile file may take, with all that it imports."""

LOAD = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_DATA, ({MEMORY}, {MEMORY}))
from rosenblatt import ModelFileError, load
try:
    load(sys.argv[1])
except ModelFileError as error:
    print(error)
"""


def loaded_in_little_memory(path):
    """What is said of a file by a process that has so much memory and time and no more."""
    ended = subprocess.run(
        [sys.executable, "-c", LOAD, path],
        capture_output=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.fixture
def path(tmp_path):
    """Of a small model of two labels."""
    X, y = [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], ["ham", "spam", "spam"]
    save(AveragedPerceptron(random_state=0).fit(X, y), tmp_path / "model.rbt")
    return tmp_path / "model.rbt"


def labels(facts):
    return facts["steps"][0]["labels"]


def many_labels(width, count):
    many = [f"{k:05}" for k in range(count)]
    return lambda facts, _: labels(facts).update(dtype=f"<U{width}", labels=many)


BOMBS = {
    "labels of a megabyte each": many_labels(262_144, 4000),
    "more of them": many_labels(262_144, 40_000),
    "labels of the widest type": many_labels(999_999_999, 2),
    "lists of nothing": lambda facts, _: facts["notes"].update(a=[[]] * 5_000_000),
    "dicts of nothing": lambda facts, _: facts["notes"].update(a=[{}] * 5_000_000),
    "deep lists": lambda facts, _: facts["notes"].update(a=json.loads("[" * 400 + "]" * 400)),
}


@pytest.mark.limits_memory
@pytest.mark.parametrize("change", BOMBS.values(), ids=BOMBS.keys())
def test_a_small_file_takes_little_memory(path, change):
    forged(path, change)

    said = loaded_in_little_memory(path)

    assert said.count("\n") <= 1


@pytest.mark.limits_memory
def test_names_of_features_are_no_bomb(path):
    many = np.frombuffer(b"[" + b"[]," * 7_000_000 + b"[]]", dtype=np.uint8)

    def change(facts, arrays):
        facts["steps"][0]["features"]["named"] = True
        arrays["0.features.names"] = many

    forged(path, change)

    assert "little but brackets" in loaded_in_little_memory(path)


def test_names_may_be_of_brackets(tmp_path):
    frame = pytest.importorskip("pandas").DataFrame(
        np.eye(400), columns=["[" * k for k in range(400)]
    )
    model = AveragedPerceptron(random_state=0).fit(frame, np.arange(400) % 2)

    save(model, tmp_path / "model.rbt")

    assert load(tmp_path / "model.rbt").feature_names_in_.tolist() == frame.columns.tolist()


@pytest.mark.limits_memory
def test_a_header_that_says_it_is_long_is_not_believed(tmp_path):
    for length in (2**25 + 1, 2**40, 2**63, 2**64 - 1):
        (tmp_path / "long.rbt").write_bytes(length.to_bytes(8, "little") + b"{}" * 100)

        assert "is not a model file" in loaded_in_little_memory(tmp_path / "long.rbt")


@pytest.mark.limits_memory
def test_hashed_columns_cost_what_they_hold(tmp_path):
    save(TextVectorizer(n_hash_bits=4).fit(["a word", "two words"]), tmp_path / "words.rbt")

    def change(facts, _):
        step = facts["steps"][0]
        step["parameters"]["n_hash_bits"] = step["words"]["settings"]["n_hash_bits"] = 30

    forged(tmp_path / "words.rbt", change)

    assert loaded_in_little_memory(tmp_path / "words.rbt").count("\n") <= 1


def stored_otherwise(path, told, arrays):
    """Write the file at ``path`` with its weights stored in these ways and arrays."""
    facts, others = unseal(str(path))
    del facts["checksum"], others["0.weights.values"]
    path.write_bytes(b"".join(seal_as_stored(facts | told | {"format": 3}, others | arrays)))


@pytest.mark.limits_memory
@pytest.mark.parametrize(
    ("shape", "bits", "sentence"),
    [
        ([2**40, 2**40], 4, "is not laid out"),
        ([2**27, 1], 2**24, "no memory here can hold"),
        ([2**20, 1], 2**17, "is not laid out"),
    ],
)
def test_zeros_that_are_left_out_are_bounded_by_the_bits_that_are_there(
    path, shape, bits, sentence
):
    arrays = {
        "0.weights.values.bits": np.zeros(bits, dtype=np.uint8),
        "0.weights.values.filled": np.ones(0 if "memory" in sentence else 1),
    }
    stored_otherwise(path, {"shapes": {"0.weights.values": shape}}, arrays)

    assert sentence in loaded_in_little_memory(path)


@pytest.mark.limits_memory
@pytest.mark.parametrize("last", ["as it is", "deflated"])
@pytest.mark.parametrize("depth", [3, 6, 8])
def test_bits_of_bits_make_no_more_of_a_file_than_all_may(path, depth, last):
    """Each level makes eight times as much, and the last one 64 times."""
    name, size = "0.weights.values", 8**depth * 64
    shapes, arrays = {name: [size, 1]}, {f"{name}.filled": np.ones(0)}
    for level in range(depth):
        size //= 8
        name += ".bits"
        if level < depth - 1:
            shapes[name], arrays[f"{name}.filled"] = [size], np.zeros(0, np.uint8)
    bits = np.zeros(size, np.uint8)
    few = np.frombuffer(zlib.compress(bits), np.uint8)
    told = {"shapes": shapes} | ({} if last == "as it is" else {"deflated": {name: ["uint8", 64]}})
    stored_otherwise(path, told, arrays | {name: bits if last == "as it is" else few})

    said = loaded_in_little_memory(path)

    assert "is not laid out" in said or (depth == 3 and "does not describe a model" in said)


DEFLATED = np.frombuffer(zlib.compress(bytes(2**26)), dtype=np.uint8)
"""64 MB in 65 kB."""


@pytest.mark.limits_memory
@pytest.mark.parametrize(
    ("told", "arrays", "sentence"),
    [
        (["float64", 2**23], DEFLATED, "is not laid out"),
        (["float64", len(DEFLATED) * 8], DEFLATED, "is not laid out"),
        (["uint8", 2**40, 2**40], DEFLATED, "is not laid out"),
        (["int8", 2**29], np.zeros(2**23, dtype=np.uint8), "is not laid out"),
    ],
)
def test_what_is_inflated_is_bounded_by_what_is_there(path, told, arrays, sentence):
    name = "0.weights.values"
    stored_otherwise(path, {"deflated": {name: told}}, {name: arrays})

    assert sentence in loaded_in_little_memory(path)


@pytest.mark.limits_memory
def test_numbers_that_are_stored_narrower_are_bounded_by_those_that_are_there(path):
    name = "0.weights.values"
    arrays = {f"{name}.table": np.ones(1), f"{name}.codes": np.zeros(2**26, dtype=np.uint8)}

    stored_otherwise(path, {"types": {f"{name}.codes": "uint32"}, "coded": [name]}, arrays)

    assert "no memory here can hold" in loaded_in_little_memory(path)


def counts_of(value):
    return lambda facts, arrays: arrays["0.weights.counts"].fill(value)


CRAFTED = {
    "counts that overflow": counts_of(2**63 - 5),
    "counts below zero": counts_of(-1),
    "a start that overflows": lambda facts, _: facts["steps"][0]["progress"].update(
        start=[2**63 - 1] * 3
    ),
    "passes that overflow": lambda facts, _: facts["steps"][0]["progress"]["totals"][0].__setitem__(
        0, 2**70
    ),
    "a type of code": lambda facts, _: facts["steps"][0].update(estimator="os.system"),
    "labels of other types": lambda facts, _: labels(facts).update(labels=[["a"], {}]),
}


@pytest.mark.parametrize("change", CRAFTED.values(), ids=CRAFTED.keys())
def test_what_cannot_be_is_refused(path, change):
    def apart(facts, arrays):
        arrays.update({name: array.copy() for name, array in arrays.items()})
        change(facts, arrays)

    forged(path, apart)

    with pytest.raises(ModelFileError, match="does not describe a model"):
        load(path)


@pytest.mark.parametrize("few", [[], ["ham"]], ids=str)
def test_too_few_labels_are_said_or_the_only_answer(path, few):
    forged(path, lambda facts, _: labels(facts).update(labels=few))

    model = load(path)

    if few:
        assert set(model.predict([[0.0, 1.0], [1.0, 0.0]])) == {"ham"}
        assert set(Predictor.load(path).predict([[0.0, 1.0], [1.0, 0.0]])) == {"ham"}
    else:
        with pytest.raises(ValueError, match="has not seen any label"):
            model.predict([[0.0, 1.0]])
        with pytest.raises(ModelFileError, match="has not seen any label"):
            Predictor.load(path)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_weights_beyond_measure_are_told_without_a_traceback(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_csv(Path("films.csv"), *reviews(60))
    program = Program(capsys, tmp_path)
    program("train", "films.csv", "-o", "films.rbt", "--passes", 1)

    def change(facts, arrays):
        arrays["1.weights.values"] = np.full_like(arrays["1.weights.values"], 1.7e308)

    forged(Path("films.rbt"), change)

    for command in ("predict films.rbt films.csv", "inspect films.rbt", "explain films.rbt superb"):
        for wish in ("", " --json"):
            assert program.run(*(command + wish).split()) in (0, 1, 3)
            for line in program.printed.splitlines() if wish else ():
                json.loads(line, parse_constant=pytest.fail)


def test_a_file_names_nothing_that_is_imported(path):
    for name in ("os", "Pipeline", "subprocess.Popen", "../models", "TextVectorizer"):
        changed = path.with_name("other.rbt")
        forged(changed, lambda facts, _: facts["steps"][0].update(estimator=name), source=path)  # noqa: B023

        with pytest.raises(ModelFileError):
            load(changed)


def test_other_metadata_is_refused(path):
    for metadata in ({KEY: "[]"}, {KEY: "7"}, {KEY: "{}", "more": "x"}, {"more": "x"}, {}):
        path.write_bytes(write_arrays({"a": np.zeros(3)}, metadata=metadata))

        with pytest.raises(ModelFileError):
            load(path)
