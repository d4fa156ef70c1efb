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


def draw_blocks(count, seed, number):
    return blocks_drawn(count, generator_of(seed, number))


def blocks_drawn(count, generator):
    """Walks along 128 rows of each quarter at a time; what is left over comes first."""

    def shuffled(numbers):
        numbers = list(numbers)
        generator.shuffle(numbers)
        return numbers

    if count < 8192:
        return shuffled(range(count))
    blocks = count // 128
    edges = [part * blocks // 4 for part in range(5)]
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


def draw_by_class(codes, seed, number):
    """The rows of each class in blocks; every window of about 4,096 rows has its share of each."""
    if len(codes) < 8192:
        return draw_order(len(codes), seed, number)
    generator, windows, classes = generator_of(seed, number), len(codes) // 4096, []
    for code in range(max(codes) + 1):
        rows = [row for row, own in enumerate(codes) if own == code]
        drawn = [rows[place] for place in blocks_drawn(len(rows), generator)]
        classes.append((drawn, generator.below(windows)))
    taken, order = [0] * len(classes), []
    for window in range(1, windows + 1):
        ends = [(len(rows) * window + phase) // windows for rows, phase in classes]
        turns = [code for code, end in enumerate(ends) for _ in range(end - taken[code])]
        generator.shuffle(turns)
        for code in turns:
            order.append(classes[code][0][taken[code]])
            taken[code] += 1
    return order
