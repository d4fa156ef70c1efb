"""Model files that were cut off, changed or forged are refused; a kill leaves no such file."""

import contextlib
import os
import random
import signal
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

from data import real_numbers
from refusals import is_one_sentence
from rosenblatt import AROW, AveragedPerceptron, ModelFileError, load, save
from rosenblatt.sealed import seal, unseal
from subprocesses import in_a_child

MUTANTS = 20_000
KILLS = 500


@pytest.fixture
def path():
    """In memory where there is a folder for that: thousands of files are written there."""
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder, "model.rbt")


def small_model():
    X, y = real_numbers(count=20, width=4, classes=3)
    return AROW(average=True, record=True, max_iter=2, random_state=0).fit(X, y)


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
    dice = random.Random(mutate.__name__)

    def check():
        tried = 0
        while tried < MUTANTS // len(MUTATIONS):
            mutant = mutate(whole, dice)
            if mutant == whole:
                continue
            tried += 1
            path.write_bytes(mutant)
            with pytest.raises(ModelFileError) as caught:
                load(path)
            assert is_one_sentence(str(caught.value).replace(str(path), "model.rbt"))

    in_a_child(check)


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


def forge(path, facts, arrays):
    path.write_bytes(b"".join(seal(facts, arrays)))


def places_in(facts, here=()):
    """The way to every fact, lists and dicts included."""
    yield here
    inner = facts.items() if isinstance(facts, dict) else enumerate(facts)
    for key, value in inner if not isinstance(facts, str) else ():
        if isinstance(value, dict | list):
            yield from places_in(value, (*here, key))
        else:
            yield (*here, key)


def changed(facts, place, value):
    if not place:
        return value
    copy = facts.copy()
    copy[place[0]] = changed(facts[place[0]], place[1:], value)
    return copy


RUBBISH = [None, True, -1, 3, 2**70, 0.5, "", "os.system", [], [1], {}, {"number": "nan"}]


def assert_harmless(path, X):
    """The file is refused in a sentence, or it holds a model that works."""
    message = ""
    try:
        model = load(path)
    except ModelFileError as error:
        message = str(error)
    if message:
        assert is_one_sentence(message.replace(str(path), "model.rbt"))
        return "refused"
    model.predict(X)
    with contextlib.suppress(ValueError):  # of a class_weight that names other classes
        model.partial_fit(X[:3], model.classes_[[0, 1, 1]])
    model.history_, model.n_iter_, model.converged_, model._progress.mistakes  # noqa: B018
    return "works"


def test_forged_facts_are_refused_or_harmless(path):
    save(small_model().set_params(class_weight={0: 1.0, 1: 2.0, 2: 1.5}), path)
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


FORGERIES = {
    "no values": lambda arrays: arrays.pop("values"),
    "no counts": lambda arrays: arrays.pop("counts"),
    "no sureness": lambda arrays: arrays.pop("sureness"),
    "one array more": lambda arrays: arrays.update(more=np.zeros(3)),
    "too few rows": lambda arrays: arrays.update(values=arrays["values"][1:]),
    "one column": lambda arrays: arrays.update(values=arrays["values"][:, :1].copy()),
    "one dimension": lambda arrays: arrays.update(values=arrays["values"].ravel()),
    "float32": lambda arrays: arrays.update(values=arrays["values"].astype(np.float32)),
    "short sums": lambda arrays: arrays.update(missed=arrays["missed"][:2]),
    "NaN": lambda arrays: arrays["values"].fill(np.nan),
    "negative counts": lambda arrays: arrays["counts"].fill(-1),
    "four counts": lambda arrays: arrays.update(counts=np.zeros(4, np.int64)),
    "rival out of range": lambda arrays: arrays["mistakes.rival"].fill(3),
    "record cut": lambda arrays: arrays.update({"mistakes.t": arrays["mistakes.t"][1:]}),
    "record without steps": lambda arrays: arrays.pop("mistakes.step"),
}


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES.keys())
def test_forged_arrays_are_refused(forgery, path):
    save(small_model(), path)
    facts, arrays = unseal(str(path))
    forgery(arrays)
    forge(path, facts, arrays)

    with pytest.raises(ModelFileError, match="does not describe a model"):
        load(path)


def test_a_file_of_a_newer_format_says_so(path):
    save(small_model(), path)
    facts, arrays = unseal(str(path))
    forge(path, facts | {"format": 2}, arrays)

    with pytest.raises(ModelFileError, match=r"has format 2 .* install a newer one\."):
        load(path)


# Kills


def saving_child(models, path):
    """A process that saves one model after the other, again and again."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside other threads
        child = os.fork()
    if child == 0:
        try:
            while True:
                for model in models:
                    save(model, path)
        finally:
            os._exit(1)
    return child


def test_a_kill_while_saving_leaves_the_old_or_the_new_file_whole(tmp_path):
    path = tmp_path / "model.rbt"
    X, y = real_numbers(count=40, width=5000)
    models = [AveragedPerceptron(random_state=seed, max_iter=1).fit(X, y) for seed in (0, 1)]
    contents = []
    for model in models:
        save(model, path)
        contents.append(path.read_bytes())
    dice = random.Random(0)

    found, drafts = [], 0
    for _ in range(KILLS):
        child = saving_child(models, path)
        time.sleep(dice.uniform(0.001, 0.012))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL
        found.append(contents.index(path.read_bytes()))
        for draft in path.parent.glob(".*.part"):
            drafts += 1
            draft.unlink()

    assert set(found) == {0, 1}
    assert drafts > 0, "No kill came while a file was being written."
    np.testing.assert_array_equal(load(path).coef_, models[found[-1]].coef_)
