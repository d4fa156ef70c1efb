"""Model files take few bytes, and give back every bit."""

import contextlib
import copy
import json
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.pipeline import make_pipeline

from rosenblatt import AROW, AveragedPerceptron, Perceptron, TextVectorizer, Winnow, load, save
from rosenblatt.inputs.errors import InputError
from rosenblatt.persistence import packing
from rosenblatt.persistence.container import unseal
from rosenblatt.persistence.packing import packed, unpacked
from states import assert_same_state

WORDS = [f"word{k}" for k in range(2000)]


def texts_of_classes(classes, count=240):
    rng = np.random.default_rng(0)
    y = np.arange(count) % classes
    texts = [" ".join(rng.choice(WORDS[label::classes], size=8)) for label in y]
    return texts, np.array([f"class {label}" for label in y])


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.rbt"


def bits(rng, size):
    return rng.integers(-(2**63), 2**63 - 1, size=size)


KINDS = {
    "any bits": lambda rng, size: bits(rng, size).view(np.float64),
    "few different": lambda rng, size: rng.choice(bits(rng, 5).view(np.float64), size),
    "not finite": lambda rng, size: rng.choice([np.nan, np.inf, -np.inf, 0.5], size),
    "whole": lambda rng, size: rng.integers(-100, 100, size).astype(float),
    "signed zeros": lambda rng, size: rng.choice([0.0, -0.0, 1.0], size),
    "half precision": lambda rng, size: rng.normal(size=size).astype(np.float16).astype(float),
    "single precision": lambda rng, size: rng.normal(size=size).astype(np.float32).astype(float),
    "counts": lambda rng, size: rng.integers(0, 2 ** rng.integers(1, 62), size),
    "never falling": lambda rng, size: np.cumsum(rng.integers(0, 200, size)),
    "places": lambda rng, size: np.sort(bits(rng, size).astype(np.uint32)),
    "bytes": lambda rng, size: rng.choice(np.arange(3, dtype=np.uint8), size),
    "int32": lambda rng, size: rng.integers(-3, 3, size).astype(np.int32),
}


@pytest.mark.parametrize("dtype", ["float64", "int64", "uint32", "uint8"])
def test_nearly_empty_arrays_are_stored_no_smaller_than_they_may_be_to_come_back(dtype):
    array = np.zeros(2**25, dtype=dtype)
    array[12345] = 1

    said, stored = packed({"a": array, "b": np.ones(2**16)})

    assert sum(each.nbytes for each in stored.values()) < array.nbytes / 50
    assert_array_equal(unpacked(said, stored)["a"], array)


@given(st.data())
def test_arrays_come_back_to_the_last_bit(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    shape = data.draw(st.sampled_from([(1024,), (9001,), (513, 4), (1025, 1), (7, 4), (0, 4)]))
    share = data.draw(st.sampled_from([0.0, 0.01, 0.4, 0.6, 1.0]))
    arrays = {}
    for name, make in KINDS.items():
        array = make(rng, int(np.prod(shape)))
        array[rng.random(len(array)) >= share] = 0
        arrays[name] = array.reshape(shape)

    facts, stored = packed(arrays)
    found = unpacked(json.loads(json.dumps(facts)), stored)

    assert bool(facts) == (np.prod(shape) >= packing.FEWEST)
    assert sum(each.nbytes for each in stored.values()) <= sum(a.nbytes for a in arrays.values())
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        assert found[name].tobytes() == array.tobytes()


@pytest.mark.parametrize(
    "model",
    [
        AveragedPerceptron(random_state=0),
        AveragedPerceptron(random_state=0, early_stopping=True),
        AROW(random_state=0),
        Winnow(random_state=0, binarize=0.0, average=True),
    ],
    ids=str,
)
@pytest.mark.parametrize("bits", [None, 12])
def test_a_model_of_many_zeros_is_small_and_the_same(model, bits, path, monkeypatch):
    texts, y = texts_of_classes(20)
    vectorizer = TextVectorizer(n_hash_bits=bits, use_idf=True)
    pipeline = make_pipeline(vectorizer, model).fit(texts, y)

    save(pipeline, path)
    small, loaded = path.stat().st_size, load(path)
    monkeypatch.setattr(packing, "FEWEST", 2**60)
    save(pipeline, path)  # as files were laid out before
    large, old = path.stat().st_size, load(path)

    assert small <= large
    for each in (loaded, old):
        assert_same_state(each[-1], pipeline[-1])
        np.testing.assert_array_equal(
            each.decision_function(texts), pipeline.decision_function(texts)
        )
        each[-1].partial_fit(each[0].transform(texts), y)
    assert_same_state(loaded[-1], old[-1])


def test_twenty_classes_take_a_fifth_of_the_bytes(path, monkeypatch):
    texts, y = texts_of_classes(20, 2000)
    model = make_pipeline(TextVectorizer(ngram_range=(1, 2)), AveragedPerceptron(random_state=0))
    model.fit(texts, y)

    save(model, path)
    small = path.stat().st_size
    monkeypatch.setattr(packing, "FEWEST", 2**60)
    save(model, path)

    assert 5 * small <= path.stat().st_size


def test_a_model_of_numbers_that_have_nothing_in_common_is_stored_as_before(path, monkeypatch):
    X = np.random.default_rng(0).normal(size=(50, 3000))
    model = Perceptron(random_state=0).fit(X, X[:, 0] > 0)

    save(model, path)
    after = path.read_bytes()
    monkeypatch.setattr(packing, "FEWEST", 2**60)
    save(model, path)

    assert path.read_bytes() == after
    assert unseal(str(path))[0]["format"] == 1


def stored():
    """Arrays of which one is stored in every way."""
    rng = np.random.default_rng(0)
    words = b" ".join(rng.choice([b"spam", b"eggs", b"ham"], 600))
    weights = np.zeros((8192, 2))
    weights[rng.choice(8192, 11, replace=False)] = 1.0
    return packed(
        {
            "weights": weights,
            "alike": rng.choice(rng.normal(size=7), 2000),
            "counts": np.cumsum(rng.integers(0, 4, 3000)),
            "names": np.frombuffer(words[:2600], dtype=np.uint8),
        }
    )


def test_one_array_is_stored_in_every_way():
    facts, _ = stored()

    assert facts == {
        "shapes": {"weights": [8192, 2], "weights.bits": [2048]},
        "coded": ["alike"],
        "types": {"alike.codes": "uint32", "counts": "int64"},
        "sums": ["counts"],
        "deflated": facts["deflated"],
    }
    assert facts["deflated"]["counts"] == ["uint8", 3000]
    assert facts["deflated"]["names"] == ["uint8", 2600]


def shape_of_weights(shape):
    return lambda facts, _: facts["shapes"].update(weights=shape)


def deflated_from(kind):
    return lambda facts, _: facts["deflated"].update(names=kind)


def names_as(data):
    return lambda _, arrays: arrays.update(names=np.frombuffer(data, dtype=np.uint8))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (shape_of_weights([2**40, 2**40]), "of the size"),
        (shape_of_weights([8192, 3]), "of the size"),
        (shape_of_weights([-8192, -2]), "of the size"),
        (shape_of_weights([8192.0, 2.0]), "of the size"),
        (shape_of_weights(2048), "of the size"),
        (shape_of_weights([]), "of the size"),
        (shape_of_weights([1, 8192, 2]), "of the size"),
        (lambda facts, _: facts["shapes"].update(other=[8]), "missing"),
        (lambda facts, _: facts.update(shapes=[]), "is not told"),
        (lambda facts, _: facts.update(shapes=None), "is not told"),
        (lambda _, arrays: arrays.pop("weights.bits.bits"), "missing"),
        (lambda _, arrays: arrays.pop("weights.filled"), "of the size"),
        (lambda _, arrays: arrays.update(weights=np.zeros(1)), "of the size"),
        (lambda _, arrays: arrays.update({"weights.filled": np.ones(21)}), "has other numbers"),
        (lambda _, arrays: arrays.update({"weights.filled": np.ones((22, 1))}), "of the size"),
        (lambda _, arrays: arrays.update({"weights.filled": np.ones(22, "f2")}), "of the size"),
        (lambda facts, _: facts.update(coded={}), "is not told"),
        (lambda facts, _: facts.update(coded=[3]), "has no name"),
        (lambda facts, _: facts.update(coded=["alike", "alike"]), "has no name"),
        (lambda facts, _: facts.update(coded=["other"]), "missing"),
        (lambda _, arrays: arrays.update({"alike.table": np.ones(6)}), "the table has not"),
        (lambda _, arrays: arrays.update({"alike.table": np.ones((7, 1))}), "missing"),
        (lambda facts, _: facts.update(types=[]), "have no types"),
        (lambda facts, _: facts["types"].update(alike="float64"), "of another type"),
        (lambda facts, _: facts["types"].update(counts="object"), "of another type"),
        (lambda facts, _: facts["types"].update(counts=["int64"]), "of another type"),
        (lambda facts, _: facts["types"].update(other="int64"), "of another type"),
        (lambda facts, _: facts.update(sums=None), "have no types"),
        (lambda facts, _: facts.update(sums=["names"]), "no counts"),
        (lambda facts, _: facts.update(sums=[["counts"]]), "no counts"),
        (lambda facts, _: facts.update(deflated=[]), "is not told"),
        (deflated_from(["uint8", 2**60]), "longer than it may be"),
        (deflated_from(["uint8", 2601]), "of the size"),
        (deflated_from(["uint8", 2599]), "of the size"),
        (deflated_from(["object", 2600]), "from is not told"),
        (deflated_from([["uint8"], 2600]), "from is not told"),
        (deflated_from(["uint8", -1]), "from is not told"),
        (deflated_from(["uint8", 60.0, 60]), "from is not told"),
        (deflated_from(["uint8"]), "from is not told"),
        (deflated_from("uint8"), "from is not told"),
        (names_as(bytes(2600)), "not deflated"),
        (names_as(zlib.compress(bytes(2600)) + bytes(99)), "of the size"),
        (names_as(zlib.compress(bytes(range(256)) * 10)[:-9]), "of the size"),
        (names_as(zlib.compress(bytes(10**6))), "of the size"),
    ],
)
def test_what_does_not_fit_together_is_refused(change, sentence):
    facts, arrays = stored()
    assert unpacked(facts | {}, arrays).keys() == {"weights", "alike", "counts", "names"}

    change(facts, arrays)

    with pytest.raises(InputError, match=sentence):
        unpacked(facts, arrays)


RUBBISH = [None, True, -1, 3, 2**70, 0.5, "", "weights", "float64", [], [1], ["weights"], {}]


def test_rubbish_is_refused_or_comes_to_arrays():
    facts, _ = stored()
    places = [(key,) for key in facts]
    places += [(key, name) for key in facts if type(facts[key]) is dict for name in facts[key]]

    for key, *name in places:
        for value in RUBBISH:
            changed, arrays = copy.deepcopy(facts), stored()[1]
            if name:
                changed[key][name[0]] = value
            else:
                changed[key] = value
            with contextlib.suppress(InputError):
                unpacked(changed, arrays)
