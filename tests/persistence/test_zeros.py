"""Model files leave out zeros, and give back every bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline

from rosenblatt import AROW, AveragedPerceptron, Perceptron, TextVectorizer, Winnow, load, save
from rosenblatt.inputs.errors import InputError
from rosenblatt.persistence import zeros
from rosenblatt.persistence.container import unseal
from rosenblatt.persistence.zeros import with_zeros, without_zeros
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


@given(st.data())
def test_arrays_come_back_to_the_last_bit(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    shape = data.draw(st.sampled_from([(1024,), (1031,), (513, 4), (1025, 1), (7, 4), (0, 4)]))
    share = data.draw(st.sampled_from([0.0, 0.01, 0.4, 0.6, 1.0]))
    bits = rng.integers(-(2**63), 2**63 - 1, size=shape) * (rng.random(shape) < share)
    bits.reshape(-1)[:1] = np.float64(-0.0).view(np.int64)
    arrays = {"weights": bits.view(np.float64), "counts": bits, "names": np.arange(9, dtype="u1")}

    shapes, stored = without_zeros(arrays)
    found = with_zeros(shapes, stored)

    assert bool(shapes) == (share < 0.5 and bits.size >= zeros.FEWEST)
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
    monkeypatch.setattr(zeros, "FEWEST", 2**60)
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
    monkeypatch.setattr(zeros, "FEWEST", 2**60)
    save(model, path)

    assert 5 * small <= path.stat().st_size


def test_a_model_of_few_zeros_is_stored_as_before(path, monkeypatch):
    X = np.random.default_rng(0).normal(size=(50, 3000))
    model = Perceptron(random_state=0).fit(X, X[:, 0] > 0)

    save(model, path)
    after = path.read_bytes()
    monkeypatch.setattr(zeros, "FEWEST", 2**60)
    save(model, path)

    assert path.read_bytes() == after
    assert unseal(str(path))[0]["format"] == 1


def stored():
    array = np.zeros((1024, 2))
    array[::100] = 1.0
    return without_zeros({"weights": array})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda shapes, _: shapes.update(weights=[2**40, 2**40]), "of the size"),
        (lambda shapes, _: shapes.update(weights=[1024, 3]), "of the size"),
        (lambda shapes, _: shapes.update(weights=[-1024, -2]), "of the size"),
        (lambda shapes, _: shapes.update(weights=[1024.0, 2.0]), "of the size"),
        (lambda shapes, _: shapes.update(weights=2048), "of the size"),
        (lambda shapes, _: shapes.update(weights=[]), "of the size"),
        (lambda shapes, _: shapes.update(weights=[1, 1024, 2]), "of the size"),
        (lambda shapes, _: shapes.update(other=[8]), "missing"),
        (lambda _, arrays: arrays.pop("weights.bits"), "missing"),
        (lambda _, arrays: arrays.pop("weights.filled"), "of the size"),
        (lambda _, arrays: arrays.update(weights=np.zeros(1)), "of the size"),
        (lambda _, arrays: arrays.update({"weights.filled": np.ones(21)}), "other numbers"),
        (lambda _, arrays: arrays.update({"weights.filled": np.ones((22, 1))}), "of the size"),
        (lambda _, arrays: arrays.update({"weights.filled": np.ones(22, "u1")}), "of the size"),
        (lambda shapes, _: shapes.update(weights=[2045]), "other numbers"),
    ],
)
def test_what_does_not_fit_together_is_refused(change, sentence):
    shapes, arrays = stored()
    arrays["weights.bits"][-1] |= 1
    arrays["weights.filled"] = np.append(arrays["weights.filled"], 1.0)
    assert len(with_zeros(shapes, arrays)["weights"]) == 1024

    change(shapes, arrays)

    with pytest.raises(InputError, match=sentence):
        with_zeros(shapes, arrays)


@pytest.mark.parametrize("shapes", [[], None, "weights", 3])
def test_shapes_are_a_dict(shapes):
    with pytest.raises(InputError, match="is not told"):
        with_zeros(shapes, stored()[1])
