"""The generator and its orders in plain Python."""

from itertools import pairwise

MASK = 2**64 - 1


class SplitMix64:
    """Steele, Lea and Flood (2014)."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return z ^ (z >> 31)

    def below(self, bound):
        """Uniform over 0 ... bound-1 (Lemire 2019)."""
        while True:
            product = (self.next() >> 32) * bound
            if product % 2**32 >= 2**32 % bound:
                return product >> 32

    def shuffle(self, items):
        """Fisher and Yates, from the end."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def generator_of(seed, number):
    """The generator for the pass with this number."""
    generator = SplitMix64(seed)
    generator.state = generator.next() ^ (number * 0xD1B54A32D192ED03 & MASK)
    return generator


def draw_order(count, seed, number):
    order = list(range(count))
    generator_of(seed, number).shuffle(order)
    return order


def draw_blocks(count, seed, number, parts=4):
    """Walks along a block of 128 rows from each part at a time; what is left over comes first."""
    if count < 8192:
        return draw_order(count, seed, number)
    generator = generator_of(seed, number)

    def shuffled(numbers):
        numbers = list(numbers)
        generator.shuffle(numbers)
        return numbers

    blocks = count // 128
    edges = [part * blocks // parts for part in range(parts + 1)]
    drawn = [shuffled(range(begin, end)) for begin, end in pairwise(edges)]
    order = shuffled(range(blocks * 128, count))
    for place in reversed(range(max(len(part) for part in drawn))):
        walks = []
        for part in drawn:
            if place < len(part):
                rows = range(part[place] * 128, part[place] * 128 + 128)
                walks.append(iter(reversed(rows) if generator.below(2) else rows))
        order += [
            next(walks[walk])
            for walk in shuffled(walk for walk in range(len(walks)) for _ in range(128))
        ]
    return order
