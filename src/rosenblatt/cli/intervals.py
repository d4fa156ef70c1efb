"""How far chance may have moved a share of examples."""

import math


def interval(wrong: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's score."""
    z = 1.959963984540054
    share = wrong / count
    middle = share + z * z / (2 * count)
    reach = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def with_interval(wrong: float, count: int) -> str:
    """An error with its interval, for people."""
    low, high = interval(wrong, count)
    return f"{100 * wrong / count:.1f} % (95 %: {100 * low:.1f} – {100 * high:.1f})"
