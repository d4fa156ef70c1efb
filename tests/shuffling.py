"""The generator and its orders in plain Python."""

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
    """Blocks of 64 rows are shuffled, then the rows of every 32 blocks; loose rows come first."""
    generator = generator_of(seed, number)

    def shuffled(numbers):
        numbers = list(numbers)
        generator.shuffle(numbers)
        return numbers

    loose = count % 64
    blocks = shuffled(range(count // 64))
    order = shuffled(range(count - loose, count))
    for first in range(0, len(blocks), 32):
        mixed = blocks[first : first + 32]
        order += shuffled(64 * block + row for block in mixed for row in range(64))
    return order
