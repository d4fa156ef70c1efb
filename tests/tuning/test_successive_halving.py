"""Which way is tried next: the better half goes on, and a long search begins like a short one."""

import numpy as np
import pytest

from rosenblatt.tuning.search_space import TUNED, Configuration, Space
from rosenblatt.tuning.successive_halving import SuccessiveHalving


def searched(space, runs, measure, count=3, seed=0):
    """The rounds and ways of so many runs, in order."""
    rounds, steps = SuccessiveHalving(space, count, seed), []
    while len(steps) < runs and (step := rounds.next()) is not None:
        rounds.end(*step, measure(step[1]))
        steps.append(step)
    return rounds, steps


def by_chance(seed):
    """A measure that says something else of every way."""
    found, rng = {}, np.random.default_rng(seed)
    return lambda way: found.setdefault(way, rng.random())


TEXTS = Space.of(text=True, pairs=False)


@pytest.mark.parametrize("seed", range(5))
def test_only_ways_of_the_better_half_go_on(seed):
    rounds = SuccessiveHalving(TEXTS, 3, seed)
    measure = by_chance(seed)

    for _ in range(100):
        number, way = rounds.next()
        if number > 0:
            before = sorted(one.measure for one in rounds.finished[number - 1])
            assert measure(way) in before[: len(before) // 2]
        rounds.end(number, way, measure(way))

    sizes = [len(done) for done in rounds.finished]
    assert sizes[0] // 2 <= sizes[1] <= sizes[0]
    assert sizes[1] // 2 <= sizes[2] <= sizes[1]


@pytest.mark.parametrize("seed", range(3))
def test_no_way_is_tried_twice_in_a_round(seed):
    _, steps = searched(TEXTS, 150, by_chance(seed), seed=seed)

    assert len(set(steps)) == len(steps) == 150


def test_a_long_search_begins_like_a_short_one():
    short = searched(TEXTS, 17, by_chance(1))[1]
    long = searched(TEXTS, 60, by_chance(1))[1]

    assert long[:17] == short


def test_another_seed_tries_other_ways():
    one = searched(TEXTS, 40, by_chance(1), seed=0)[1]
    other = searched(TEXTS, 40, by_chance(1), seed=1)[1]

    assert one[0] == other[0]
    assert one != other


def test_a_small_space_is_tried_whole_in_every_round_and_then_the_search_ends():
    space = Space.of(text=False, pairs=False)

    rounds, steps = searched(space, 1000, by_chance(0), count=2)

    assert len(steps) == 2 * len(TUNED)
    assert {one.way for one in rounds.finished[1]} == {*space.ways()}
    assert rounds.next() is None


def test_a_way_beside_the_best_differs_from_it_in_one_setting():
    way = TEXTS.first()[0]

    beside = TEXTS.beside(way)

    assert way not in beside
    assert len({*beside}) == len(beside)
    for other in beside:
        kinds = ("learner", "run", "lowercase", "weighting", "pairs")
        assert sum(getattr(way, kind) != getattr(other, kind) for kind in kinds) == 1


def test_the_search_comes_to_the_best_way_of_a_slope():
    """Where each setting adds its own share, steps beside the best lead to the best of all."""
    kinds = ("learner", "run", "lowercase", "weighting")

    def measure(way):
        places = [getattr(TEXTS, kind).index(getattr(way, kind)) for kind in kinds]
        return abs(places[0] - 4) + abs(places[1] - 5) + places[2] + abs(places[3] - 2)

    rounds, _ = searched(TEXTS, 300, measure)

    assert measure(rounds.best) == min(map(measure, TEXTS.ways()))


def test_a_space_may_be_held_to_what_is_said():
    space = TEXTS.only(run=(("char", (3, 3)),), learner=(("pa", (("C", 0.5),)),))

    assert {way.run for way in space.ways()} == {("char", (3, 3))}
    assert {way.name for way in space.first()} == {"pa"}
    assert isinstance(space.first()[0], Configuration)
