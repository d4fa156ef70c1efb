"""Classes that partial_fit meets late: what came before them stays exact, averages included."""

import numpy as np
import pytest

from data import whole_numbers
from members import MEMBERS, weights_of


def race_of_two(member, path):
    """A path of two classes as a race of two would have walked it: minus and plus the weights.

    Each class of a race takes its own step, so perceptrons keep the whole of it, and
    passive-aggressive steps, which share the way to a margin of one, half each.
    """
    share = 1.0 if member.whole else 0.5
    return share * np.concatenate([-path, path], axis=1)


def among_more(path, places, classes):
    """A path among more classes, the new ones at zero all the while."""
    wide = np.zeros((len(path), classes, path.shape[2]))
    wide[:, places] = path
    return wide


def assert_learned(member, model, path):
    if member.whole:
        np.testing.assert_array_equal(weights_of(model), member.learned(path))
    else:
        np.testing.assert_allclose(weights_of(model), member.learned(path), rtol=1e-12, atol=1e-12)


GROWTH = [
    ([1, 2], [1, 2, 3]),
    ([1, 3], [1, 2, 3]),
    ([2, 3], [1, 2, 3]),
    ([2, 5], [1, 2, 3, 4, 5, 6]),
    ([1, 2, 3], [1, 2, 3, 4, 5]),
    ([2, 4, 6], [1, 2, 3, 4, 5, 6, 7]),
    (list(range(10, 14)), list(range(40))),
]
"""Classes before and after: new ones at the end, in the middle, at the start."""


@pytest.mark.parametrize(("early", "late"), GROWTH)
@pytest.mark.parametrize("ties", ["mistake", "predict"])
def test_late_classes_start_at_zero_and_the_rest_goes_on(flat_member, early, late, ties):
    X, codes = whole_numbers(classes=len(early))
    Z, late_codes = whole_numbers(seed=1, count=80, classes=len(late))
    first = flat_member.path(X, codes, len(early), ties=ties)
    if len(early) == 2:
        first = race_of_two(flat_member, first)
    first = among_more(first, np.searchsorted(late, early), len(late))
    second = flat_member.path(Z, late_codes, len(late), ties=ties, start=first[-1])

    model = flat_member.new(ties=ties)
    model.partial_fit(X, np.array(early)[codes], classes=early)
    model.partial_fit(Z, np.array(late)[late_codes], classes=late)

    assert model.classes_.tolist() == late
    path = np.concatenate([first, second[1:]])
    assert_learned(flat_member, model, path)
    np.testing.assert_allclose(
        model.decision_function(Z), flat_member.scores(path, Z), rtol=1e-12, atol=1e-12
    )
    assert model.t_ == 1 + len(X) + len(Z)


def test_classes_may_grow_twice(flat_member):
    X, codes = whole_numbers(count=40)
    Z, late_codes = whole_numbers(seed=1, count=40, classes=3)
    first = among_more(race_of_two(flat_member, flat_member.path(X, codes, 2)), [0, 1], 3)
    second = flat_member.path(Z, late_codes, 3, start=first[-1])
    all_five = among_more(np.concatenate([first, second[1:]]), [0, 2, 4], 5)
    third = flat_member.path(Z, late_codes, 5, start=all_five[-1])

    model = flat_member.new()
    model.partial_fit(X, np.array([0, 20])[codes], classes=[0, 20])
    model.partial_fit(Z, np.array([0, 20, 40])[late_codes], classes=[0, 20, 40])
    model.partial_fit(Z, np.array([0, 10, 20, 30, 40])[late_codes], classes=[0, 10, 20, 30, 40])

    assert_learned(flat_member, model, np.concatenate([all_five, third[1:]]))


@pytest.mark.parametrize("member", [m for m in MEMBERS if not m.votes], ids=str)
@pytest.mark.parametrize(("early", "late"), GROWTH)
def test_the_classes_that_were_there_score_as_before(member, early, late):
    X, codes = whole_numbers(classes=len(early))
    model = member.new().partial_fit(X, np.array(early)[codes], classes=early)
    before = model.decision_function(X)

    model.partial_fit(X[:1], [early[0]], classes=late, sample_weight=[0.0])

    scores = model.decision_function(X)[:, np.searchsorted(late, early)]
    unchanged = scores[:, 1] - scores[:, 0] if len(early) == 2 else scores
    share = 2.0 if len(early) == 2 and member.whole else 1.0
    if not member.averages:
        np.testing.assert_allclose(unchanged, share * before, rtol=1e-12, atol=1e-12)
    else:  # one more example was counted, with the weights as they were
        last = member.path(X, codes, len(early))[-1]
        last = np.column_stack([X, np.ones(len(X))]) @ last.T
        last = last[:, 0] if len(early) == 2 else last
        expected = share * ((model.t_ - 1) * before + last) / model.t_
        np.testing.assert_allclose(unchanged, expected, rtol=1e-10, atol=1e-10)


def test_labels_of_longer_words_may_come_late(member):
    X, codes = whole_numbers(count=20)
    model = member.new().partial_fit(X, np.array(["a", "b"])[codes], classes=["a", "b"])

    model.partial_fit(X[:1], ["cinnamon"], classes=["a", "b", "cinnamon"])

    assert model.classes_.tolist() == ["a", "b", "cinnamon"]
    assert set(model.predict(X)) <= {"a", "b", "cinnamon"}


def test_classes_need_not_be_sorted_nor_named_again(member):
    X, codes = whole_numbers(count=20, classes=3)
    names = np.array(["a", "b", "c"])[codes]

    model = member.new().partial_fit(X, names, classes=["c", "a", "b"]).partial_fit(X, names)

    again = member.new()
    for _ in range(2):
        again.partial_fit(X, names, classes=["a", "b", "c"])
    np.testing.assert_array_equal(weights_of(model), weights_of(again))


def test_classes_once_known_cannot_be_dropped(member):
    X, codes = whole_numbers(count=20, classes=3)
    model = member.new().partial_fit(X, codes, classes=range(3))

    with pytest.raises(
        ValueError, match=r"classes must hold those of the earlier calls, \[0, 1, 2\]"
    ):
        model.partial_fit(X, codes, classes=[0, 1])
