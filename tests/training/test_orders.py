"""Orders of the examples: seeded, the same everywhere, and really what they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data import whole_numbers
from members import assert_same_model
from native import LEVELS, rows_of
from rosenblatt import AveragedPerceptron, Perceptron, TextVectorizer
from rosenblatt.training.orders import ByClass
from shuffling import SplitMix64, draw_blocks, draw_by_class, draw_order

ORDERS = [True, "once", "blocks", False]


def order_of(core, count, seed, number):
    order = np.empty(count, dtype=np.uint32)
    core.shuffle(order, seed, number)
    return order.tolist()


def blocks_of(core, count, seed, number):
    order = np.empty(count, dtype=np.uint32)
    core.shuffle_blocks(order, seed, number)
    return order.tolist()


def order_by_class(core, codes, seed, number):
    order = np.empty(len(codes), dtype=np.uint32)
    core.shuffle_by_class(order, seed, number, *ByClass.of(codes))
    return order.tolist()


def visited(count, **parameters):
    """The rows as the passes of fit visit them, seen through mistakes that never end."""
    X, y = np.zeros((count, 1)), np.arange(count) % 2
    model = Perceptron(fit_intercept=False, record=True, **parameters).fit(X, y)
    return model.mistakes_["example"].reshape(-1, count).tolist()


def test_the_twin_of_the_generator_gives_the_published_numbers():
    """SplitMix64 from seed 1234567, as other implementations print it."""
    generator = SplitMix64(1234567)

    numbers = [generator.next() for _ in range(5)]

    assert numbers == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


GOLDEN = [  # count, seed, number of the pass
    ((8, 0, 0), [7, 1, 0, 6, 3, 2, 4, 5]),
    ((8, 0, 1), [2, 5, 4, 6, 0, 1, 3, 7]),
    ((8, 1, 0), [4, 1, 7, 5, 3, 0, 6, 2]),
    ((12, 2**64 - 1, 7), [0, 10, 1, 11, 3, 5, 6, 7, 8, 2, 4, 9]),
]


@pytest.mark.parametrize(("arguments", "order"), GOLDEN)
@pytest.mark.parametrize("core", LEVELS)
def test_orders_never_change_from_version_to_version(core, arguments, order):
    assert order_of(core, *arguments) == order


@pytest.mark.parametrize("core", LEVELS)
def test_orders_in_blocks_never_change_from_version_to_version(core):
    order = blocks_of(core, 8196, seed=42, number=3)

    assert order[:4] == [8192, 8194, 8193, 8195]
    assert order[4:14] == [5120, 5121, 8064, 5122, 1664, 2560, 8065, 2561, 1665, 8066]


@given(count=st.integers(0, 200), seed=st.integers(0, 2**64 - 1), number=st.integers(0, 2**64 - 1))
def test_orders_equal_those_of_the_plain_generator(count, seed, number):
    expected = draw_order(count, seed, number)

    for core in LEVELS:
        assert order_of(core, count, seed, number) == expected


@pytest.mark.parametrize("count", [0, 1, 200, 8191, 8192, 8193, 8319, 8320, 8400, 12_200, 20_000])
def test_orders_in_blocks_equal_those_of_the_plain_generator(count):
    expected = draw_blocks(count, seed=count, number=2)

    for core in LEVELS:
        assert blocks_of(core, count, seed=count, number=2) == expected


@pytest.mark.parametrize("count", [1, 200, 8191, 8192, 12_289, 30_000])
@pytest.mark.parametrize("classes", [1, 2, 300])
def test_orders_by_class_equal_those_of_the_plain_generator(count, classes):
    codes = (np.arange(count) ** 2 // 999_983) % classes

    expected = draw_by_class(codes.tolist(), seed=count, number=2)

    assert sorted(expected) == list(range(count))
    for core in LEVELS:
        assert order_by_class(core, codes, seed=count, number=2) == expected


@pytest.mark.parametrize("sizes", [[5, 6], [12]])
@pytest.mark.parametrize("core", LEVELS)
def test_rows_by_class_must_be_as_many_as_the_order_has(core, sizes):
    rows = np.arange(10, dtype=np.uint32)

    with pytest.raises(ValueError, match="as many rows as the order has"):
        core.shuffle_by_class(rows.copy(), 0, 0, rows, np.array(sizes, dtype=np.uint32))


@given(count=st.integers(1, 20_000), seed=st.integers(0, 2**64 - 1))
def test_every_order_names_each_row_once(count, seed):
    orders = order_of(LEVELS[-1], count, seed, 0), blocks_of(LEVELS[-1], count, seed, 0)

    assert [sorted(order) for order in orders] == [list(range(count))] * 2


def test_every_row_is_as_likely_to_come_first():
    firsts = [order_of(LEVELS[-1], 5, seed, 0)[0] for seed in range(5000)]

    counts = np.bincount(firsts, minlength=5)

    assert np.abs(counts - 1000).max() < 120  # four standard deviations


@pytest.mark.parametrize("classes", [2, 3, 300])
def test_rows_whose_labels_come_in_runs_are_woven_class_by_class(classes):
    mixed = np.arange(9000) % classes
    X = np.zeros((len(mixed), 1))

    def visited(y):
        model = Perceptron(shuffle="blocks", record=True, max_iter=1, random_state=0)
        return model.set_params(fit_intercept=False).fit(X, y).mistakes_["example"].tolist()

    assert visited(mixed) == draw_blocks(9000, 0, 0)
    for runs in (np.sort(mixed), np.repeat(mixed, 3)[:9000]):
        assert visited(runs) == draw_by_class(runs.tolist(), 0, 0)


def test_runs_of_labels_are_sought_among_the_rows_learned_from():
    y = np.sort(np.arange(10_000) % 2)
    model = Perceptron(shuffle="blocks", early_stopping=True, record=True, fit_intercept=False)

    model.set_params(max_iter=1, random_state=0).fit(np.zeros((10_000, 1)), y)

    learned_from = np.sort(model.mistakes_["example"])
    places = draw_by_class(y[learned_from].tolist(), 0, 0)
    assert model.mistakes_["example"].tolist() == learned_from[places].tolist()


@pytest.mark.parametrize("where", ["everywhere", "at the end", "in the middle", "in two stretches"])
def test_a_rare_class_is_learned_in_blocks_as_well_as_in_full_random_order(where):
    """F1 of a class of three in a hundred, in points, over many seeds."""
    generator = np.random.default_rng(0)
    y = generator.random(50_000) < 0.03
    X = generator.normal(size=(50_000, 30)) + np.where(y, 0.57, 0.0)[:, None]
    X_test, y_test = X[30_000:], y[30_000:]
    stretches = {
        "everywhere": [np.arange(30_000)],
        "at the end": [np.flatnonzero(~y[:30_000]), np.flatnonzero(y[:30_000])],
    }
    common, rare = stretches["at the end"]
    stretches["in the middle"] = [common[:9_000], rare, common[9_000:]]
    stretches["in two stretches"] = [common[:9_000], rare[:300], common[9_000:], rare[300:]]
    rows = np.concatenate(stretches[where])

    def f1(shuffle):
        scores = []
        for seed in range(25):
            model = AveragedPerceptron(shuffle=shuffle, random_state=seed, max_iter=5)
            found = model.fit(X[rows], y[rows]).predict(X_test)
            scores.append(200 * (found & y_test).sum() / (found.sum() + y_test.sum()))
        return np.mean(scores)

    full = f1(True)
    assert full > 70
    assert f1("blocks") > full - 0.5


def test_texts_sorted_by_twenty_classes_are_learned_in_blocks_as_well_as_in_full_random_order():
    """Right answers in points, over many seeds, of texts with four words of their class."""
    generator = np.random.default_rng(0)
    topics = generator.integers(20_000, size=(20, 400))

    def texts(count):
        of = np.sort(generator.integers(20, size=count))
        told = topics[of[:, None], generator.integers(400, size=(count, 4))]
        words = np.hstack([told, np.minimum(generator.zipf(1.3, (count, 40)), 20_000)])
        return [" ".join(f"w{word}" for word in row) for row in words.tolist()], of

    (known, y), (unseen, y_test) = texts(12_000), texts(6_000)
    words = TextVectorizer()
    X, X_test = words.fit_transform(known), words.transform(unseen)

    def right(shuffle):
        models = (
            AveragedPerceptron(shuffle=shuffle, random_state=seed, max_iter=5).fit(X, y)
            for seed in range(25)
        )
        return np.mean([100 * model.score(X_test, y_test) for model in models])

    full = right(True)
    assert full > 70
    assert right("blocks") > full - 0.5


def test_blocks_and_their_rows_are_mixed_anew_each_pass():
    orders = visited(8200, shuffle="blocks", max_iter=2, random_state=0)

    assert orders == [draw_blocks(8200, 0, number) for number in range(2)]
    assert orders[0] != orders[1]


def test_a_full_shuffle_is_drawn_anew_each_pass():
    orders = visited(50, shuffle=True, max_iter=4, random_state=7)

    assert orders == [draw_order(50, 7, number) for number in range(4)]
    assert len({tuple(order) for order in orders}) == 4


def test_once_keeps_one_random_order():
    orders = visited(50, shuffle="once", max_iter=3, random_state=7)

    assert orders == [draw_order(50, 7, 0)] * 3


def test_unshuffled_examples_come_as_they_stand():
    orders = visited(50, shuffle=False, max_iter=2)

    assert orders == [list(range(50))] * 2


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("shuffle", [True, "once", "blocks"])
def test_a_shuffled_fit_is_the_walk_along_its_orders(member, shuffle, classes):
    X, y = whole_numbers(count=70, classes=classes)
    numbers = [0, 0, 0] if shuffle == "once" else [0, 1, 2]
    draw = draw_blocks if shuffle == "blocks" else draw_order
    order = np.concatenate([draw(70, 5, number) for number in numbers])

    model = member.new(shuffle=shuffle, random_state=5, max_iter=3).fit(X, y)
    walk = member.new(shuffle=False, max_iter=1).fit(X[order], y[order])

    assert_same_model(model, walk)


@pytest.mark.parametrize("core", LEVELS)
def test_an_order_may_leave_rows_out_but_not_name_others(core):
    X, y = whole_numbers()
    order = np.array([7, 3, 50], dtype=np.uint32)
    problem = core.Problem(
        rows_of(core, X), y.astype(np.int32), 2, 1.0, False, False, core.Ties.mistake, None, None
    )

    def learn(order, end):
        weights, counts = np.zeros((10, 1)), np.zeros(3, dtype=np.int64)
        rule = core.PerceptronRule()
        core.learn(problem, rule, weights, None, None, counts, order, 0, end, True, None)
        return weights[:, 0]

    some = Perceptron(shuffle=False, max_iter=1).partial_fit(X[order], y[order], classes=[0, 1])
    np.testing.assert_array_equal(learn(order, 3), [*some.coef_[0], *some.intercept_])
    with pytest.raises(ValueError, match="positions in the pass"):
        learn(order, 4)
    with pytest.raises(ValueError, match="order must name rows"):
        learn(np.array([7, 60], dtype=np.uint32), 2)


@pytest.mark.parametrize("shuffle", ORDERS)
def test_the_same_seed_gives_the_same_bits(member, shuffle):
    X, y = whole_numbers(classes=3)

    models = [member.new(shuffle=shuffle, random_state=11).fit(X, y) for _ in range(2)]

    assert_same_model(*models)


@pytest.mark.parametrize("shuffle", [True, "once", "blocks"])
def test_another_seed_gives_another_order(shuffle):
    orders = [visited(64, shuffle=shuffle, random_state=seed, max_iter=1) for seed in range(20)]

    assert len({tuple(order) for (order,) in orders}) == 20


@pytest.mark.parametrize(
    "random_state",
    [
        lambda: 5,
        lambda: np.int64(5),
        lambda: np.random.RandomState(5),
        lambda: np.random.default_rng(5),
    ],
)
def test_random_state_may_be_a_number_or_a_generator(member, random_state):
    X, y = whole_numbers()

    models = [member.new(random_state=random_state()).fit(X, y) for _ in range(2)]

    assert_same_model(*models)


def test_a_generator_moves_on_from_fit_to_fit():
    generator = np.random.default_rng(0)

    orders = [visited(30, random_state=generator, max_iter=1) for _ in range(2)]

    assert orders[0] != orders[1]


def test_without_random_state_numpys_own_seed_decides():
    state = np.random.get_state()  # noqa: NPY002
    try:
        orders = []
        for seed in (1, 1, 2):
            np.random.seed(seed)  # noqa: NPY002
            orders.append(visited(30, max_iter=1))
    finally:
        np.random.set_state(state)  # noqa: NPY002

    assert orders[0] == orders[1] != orders[2]


def test_a_numpy_integer_means_the_same_seed_as_a_plain_one():
    assert visited(30, random_state=5) == visited(30, random_state=np.int64(5))
