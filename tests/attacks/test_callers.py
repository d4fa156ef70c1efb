"""Callers whose code runs while ours does: it may be refused, but nothing breaks or hangs."""

import gc
import io
import pickle
import signal
import tempfile
import threading
import weakref
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from data import whole_numbers
from interrupts import EachLine
from members import assert_same_model
from refusals import is_one_sentence
from rosenblatt import (
    AveragedPerceptron,
    FeatureCombinations,
    NamedVectorizer,
    Perceptron,
    TextVectorizer,
    VotedPerceptron,
    core,
    load,
    save,
)
from subprocesses import Child
from threads import in_threads, times

pytestmark = pytest.mark.in_a_child

FAR = 2**31 - 5
"""A column that there is not."""


def sparse_rows(count=400, width=50):
    X, y = whole_numbers(count=count, width=width)
    return sparse.csr_array(np.where(X > 0, X, 0.0)), y


@contextmanager
def handling(signal_number, handler):
    before = signal.signal(signal_number, handler)
    try:
        yield
    finally:
        signal.signal(signal_number, before)


# X changes while it is learned from


@pytest.mark.parametrize("shuffle", [True, "blocks", False])
@pytest.mark.parametrize("model", [Perceptron, AveragedPerceptron, VotedPerceptron])
def test_columns_changed_by_whoever_prints_are_refused(model, shuffle):
    X, y = sparse_rows()

    class Spoiler(io.StringIO):
        def write(self, text):
            X.indices[X.indptr[100] :] = FAR
            return len(text)

    refused = "X names column|X must not change"
    with redirect_stdout(Spoiler()), pytest.raises(ValueError, match=refused) as caught:
        model(verbose=1, shuffle=shuffle, random_state=0).fit(X, y)
    assert is_one_sentence(str(caught.value))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda X: X.indptr.__setitem__(slice(1, None), 10**6),
        lambda X: X.indptr.__setitem__(5, -1),
        lambda X: X.indices.__setitem__(slice(None), -1),
        lambda X: X.data.__setitem__(slice(None), np.nan),
    ],
    ids=["far ends", "a negative bound", "negative columns", "NaN"],
)
@pytest.mark.parametrize("classes", [2, 3])
def test_rows_changed_between_passes_are_refused(spoil, classes):
    X, y = sparse_rows()
    y = np.arange(len(y)) % classes

    class Spoiler(io.StringIO):
        def write(self, text):
            spoil(X)
            return len(text)

    with redirect_stdout(Spoiler()), pytest.raises(ValueError, match="X"):
        Perceptron(verbose=1, random_state=0).fit(X, y)


def test_columns_changed_by_a_signal_handler_are_refused():
    X, y = sparse_rows(count=4000)
    model = Perceptron(max_iter=100_000, random_state=0)
    y = np.random.default_rng(0).integers(2, size=len(y))

    def spoil(*_):
        X.indices[:] = FAR

    with handling(signal.SIGALRM, spoil):
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with pytest.raises(ValueError, match="X names column"):
            model.fit(X, y)


@pytest.mark.parametrize("end", [2**31 - 1, -(2**31)])
def test_rows_that_change_do_not_ask_for_more_room_than_all_take(end):
    X, _ = sparse_rows()
    rows = core.csr(X.data, X.indices, X.indptr, X.shape[1])
    assert rows.check(values=True) is None
    X.indptr[3] = end
    assert 0 <= core.stored(rows, None, 2, 4) <= rows.stored


@pytest.mark.parametrize(
    "use",
    [
        lambda rows: core.CondensedColumns(rows),
        lambda rows: core.frequent_combinations(rows, 2, 1),
        lambda rows: core.count_combinations(rows, 2, True, np.zeros(rows.count, dtype=np.int64)),
    ],
    ids=["condense", "find combinations", "count combinations"],
)
def test_whatever_walks_over_rows_looks_again(use):
    X, _ = sparse_rows()
    rows = core.csr(X.data, X.indices, X.indptr, X.shape[1])
    assert rows.check(values=True) is None
    use(rows)
    X.indices[-1] = FAR

    with pytest.raises(ValueError, match="X must not change while it is in use"):
        use(rows)


def test_combinations_of_columns_put_out_of_order_are_refused():
    X, _ = sparse_rows()
    rows = core.csr(X.data, X.indices, X.indptr, X.shape[1])
    assert rows.check(values=True) is None
    X.indices[: X.indptr[1]] = X.indices[: X.indptr[1]][::-1].copy()

    with pytest.raises(ValueError, match="X must not change while it is in use"):
        core.frequent_combinations(rows, 2, 1)


def test_more_values_than_columns_are_refused():
    """Of a matrix that SciPy would not have let through."""
    X, y = sparse_rows()
    X.data = X.data[:-3]

    for call in (
        lambda: Perceptron().fit(X, y),
        lambda: Perceptron().partial_fit(X, y, classes=[0, 1]),
        lambda: FeatureCombinations().fit_transform(X),
    ):
        with pytest.raises(
            ValueError, match=r"X\.indices has 4\d+ entries but its data has|X\.indptr ends"
        ):
            call()
    values, columns, indptr = np.ones(3), np.zeros(4, np.int32), np.array([0, 4], np.int32)
    assert core.csr(values, columns, indptr, 1).check(values=True)[0] == "end"


# Objects whose methods run the caller's code


class Clearing:
    """Empties the dict that it is in when it is asked for a number."""

    def __init__(self, example, number):
        self.example, self.number = example, number

    def __float__(self):
        self.example.clear()
        return self.number


@pytest.mark.parametrize("number", [1.0, float("nan")])
def test_an_example_that_empties_itself_is_refused(number):
    example = {}
    example["a name of its own" * 4] = Clearing(example, number)
    example["another" * 9] = 1.0

    with pytest.raises(ValueError, match="must") as caught:
        NamedVectorizer().fit([example])
    assert is_one_sentence(str(caught.value).replace(hex(id(example)), ""))


class Name(str):
    """A name that may know the model that has it."""


def test_a_model_whose_names_refer_to_it_is_collected():
    model = Perceptron()
    name = Name("x")
    name.model, told = model, weakref.ref(model)
    model.learn_one({name: 1.0}, "a")
    model.learn_one({name: -1.0}, "b")

    del model, name
    gc.collect()

    assert told() is None


# Signal handlers


def documents(count, seed=0):
    rng = np.random.default_rng(seed)
    return [" ".join(f"w{n}" for n in rng.integers(5000, size=40)) for _ in range(count)]


LONG = [" ".join(documents(100))] * 300
"""Long enough for the core to hear signals meanwhile."""


class Alarms:
    """Calls something now and then, from a signal handler, and keeps what comes of it."""

    def __init__(self, call):
        self.call, self.done, self.refused = call, [], []

    def __call__(self, *_):
        try:
            self.done.append(self.call())
        except Exception as error:
            self.refused.append(error)

    def __enter__(self):
        self.before = signal.signal(signal.SIGALRM, self)
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.02)
        return self

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_handler_may_let_a_vectorizer_learn_that_transforms(threads):
    vectorizer = TextVectorizer(n_jobs=threads).fit(LONG)
    expected = vectorizer.transform(LONG)

    with Alarms(lambda: vectorizer.partial_fit(["quite-new"])) as alarms:
        while not alarms.done:
            rows = vectorizer.transform(LONG)

    assert alarms.refused == []
    assert (rows[:, : expected.shape[1]] != expected).nnz == 0
    assert "quite" in vectorizer.vocabulary_


@pytest.mark.parametrize("bits", [None, 12])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_handler_may_save_a_vectorizer_that_learns(bits, threads):
    vectorizer = TextVectorizer(n_hash_bits=bits, n_jobs=threads).partial_fit(LONG[:1])

    with Alarms(lambda: pickle.loads(pickle.dumps(vectorizer))) as alarms:
        while len(alarms.done) < 2:
            vectorizer.partial_fit(LONG)

    assert alarms.refused == []
    for copy in alarms.done:
        copy.transform(LONG[:1])


def test_a_signal_handler_that_lets_a_vectorizer_learn_while_it_learns_waits_for_nobody():
    vectorizer = TextVectorizer(n_hash_bits=12).partial_fit(LONG[:1])

    with Alarms(lambda: vectorizer.partial_fit(["a word"])) as alarms:
        while not alarms.refused:
            vectorizer.partial_fit(LONG)

    for refused in alarms.refused:
        assert isinstance(refused, RuntimeError)
        assert "A signal handler cannot let a vectorizer learn that is learning" in str(refused)
        assert is_one_sentence(str(refused))


# Threads


@pytest.mark.parametrize("model", [Perceptron, AveragedPerceptron, VotedPerceptron])
@pytest.mark.parametrize("rows", [1, 300])
def test_threads_that_learn_from_the_same_batch_take_turns(model, rows):
    X, y = sparse_rows(count=300)
    X, y = X.toarray()[:rows], y[:rows]
    shared, alone = (model().partial_fit(X, y, classes=[0, 1]) for _ in range(2))

    failures = in_threads(*[times(15, lambda: shared.partial_fit(X, y))] * 3)
    times(45, lambda: alone.partial_fit(X, y))()

    assert failures == []
    assert_same_model(shared, alone)


def pickled(model, _):
    return pickle.loads(pickle.dumps(model))


def filed(model, path):
    save(model, path)
    return load(path)


@pytest.mark.parametrize("saved_by", [pickled, filed])
@pytest.mark.parametrize("model", [AveragedPerceptron, VotedPerceptron])
def test_a_model_is_saved_as_it_was_after_an_example(model, saved_by):
    """While another thread learns new names and labels, and a third predicts."""
    count = 2000
    examples = [({f"n{k % 97}": 1.0, f"n{k}": -1.0, "all": 0.5}, f"y{k % 3}") for k in range(count)]
    shared, over, saved = model(random_state=0), threading.Event(), []
    shared.learn_one(*examples[0])

    def learn():
        for x, y in examples[1:]:
            shared.learn_one(x, y)
        over.set()

    def keep():
        with tempfile.TemporaryDirectory() as folder:
            while not over.is_set():
                saved.append(saved_by(shared, Path(folder, "model.rbt")))

    def predict():
        while not over.is_set():
            shared.predict_one(examples[-1][0])

    failures = in_threads(learn, keep, predict, predict)

    assert failures == []
    twins = {each.t_: each for each in saved[-20:]}
    alone = model(random_state=0)
    for x, y in examples:
        alone.learn_one(x, y)
        if alone.t_ in twins:
            assert_same_model(twins[alone.t_], alone)
    assert_same_model(shared, alone)


def test_a_vectorizer_learns_however_many_threads_transform():
    many = documents(50)
    vectorizer, over = TextVectorizer().fit(many), threading.Event()

    def transform():
        while not over.is_set():
            vectorizer.transform(many)

    def learn():
        times(5, lambda: vectorizer.partial_fit(["entirely new words", *many]))()
        over.set()

    assert in_threads(*[transform] * 6, learn) == []
    assert vectorizer.n_documents_ == 50 + 5 * 51


@pytest.mark.forks_beside_threads
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize(
    ("make", "learn", "use"),
    [
        (
            lambda: TextVectorizer().fit(documents(50)),
            lambda it: it.partial_fit(documents(2000)),
            lambda it: it.transform(["w1 w2"]),
        ),
        (
            lambda: Perceptron(max_iter=5000).fit(*sparse_rows()),
            lambda it: it.fit(*sparse_rows(count=2000)),
            lambda it: it.partial_fit(*sparse_rows(count=3)),
        ),
    ],
    ids=["vectorizer", "model"],
)
def test_the_child_of_a_fork_waits_for_no_thread_that_it_does_not_have(make, learn, use):
    thing, over, said = make(), threading.Event(), []

    def keep_learning():
        while not over.is_set():
            learn(thing)

    def try_in_child():
        try:
            use(thing)
        except RuntimeError as refused:
            return str(refused)
        return ""

    learner = threading.Thread(target=keep_learning)
    learner.start()
    for _ in range(6):
        child = Child(try_in_child)
        said.append(child.ask())
        child.end()
    over.set()
    learner.join()

    for refused in filter(None, said):
        assert "was learning with this" in refused
        assert is_one_sentence(refused)


def test_who_asks_is_told_what_is_wrong_with_its_own_example():
    """And not with that of another thread which asks between any two lines of the package."""
    model = Perceptron().fit([[1.0, 2.0], [-1.0, 0.0]], ["a", "b"])
    asked = []

    def ask_something_else():
        with pytest.raises(ValueError, match="has 3 features"):
            model.predict_one([1.0, 2.0, 3.0])
        asked.append(True)

    for call in (model.predict_one, model.score_one):
        with pytest.raises(ValueError, match="holds NaN in"), EachLine(ask_something_else):
            call({0: float("nan")})
    assert len(asked) > 10
