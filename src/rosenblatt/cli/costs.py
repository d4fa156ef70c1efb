"""What errors cost, where some are worse than others."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import click

Pair = tuple[str, str]
"""The right label, and the one that was found."""


def read_costs(said: str, labels: Sequence[str]) -> dict[Pair, float]:
    """What ``--costs`` says: RIGHT:FOUND=NUMBER,..., of labels of the model."""
    costs = {}
    for part in said.split(","):
        names, _, number = part.rpartition("=")
        cuts = [k for k, letter in enumerate(names) if letter == ":"]
        pairs = [(names[:k], names[k + 1 :]) for k in cuts]
        pair = next((pair for pair in pairs if set(pair) <= set(labels)), None)
        cost = finite_number(number)
        if not pairs or cost is None:
            raise click.UsageError(f"--costs must be RIGHT:FOUND=NUMBER,..., got {part!r}.")
        if pair is None:
            known = ", ".join(labels)
            raise click.UsageError(
                f"--costs {part} names a label that the model does not know: it knows {known}."
            )
        costs[pair] = cost
    return costs


def finite_number(said: str) -> float | None:
    """The number that was typed; None if it is none."""
    try:
        number = float(said)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def cost_facts(
    pairs: Counter[Pair], costs: Mapping[Pair, float], labels: Sequence[str]
) -> dict[str, Any]:
    """What came of it, the dearest errors first, beside the cheapest single label for all.

    An error costs 1 unless it is named, a right answer nothing.
    """

    def cost(right: str, found: str) -> float:
        return costs.get((right, found), float(right != found))

    always = {
        label: sum(times * cost(right, label) for (right, _), times in pairs.items())
        for label in labels
    }
    cheapest = min(always, key=always.__getitem__)
    found = [(times * cost(*pair), *pair, times) for pair, times in pairs.items() if cost(*pair)]
    found.sort(key=lambda one: (-one[0], *one[1:]))
    total = math.fsum(price for price, *_ in found)
    return {
        "total": total,
        "mean": total / pairs.total(),
        "always": cheapest,
        "always_mean": always[cheapest] / pairs.total(),
        "table": [
            {
                "label": right,
                "taken_for": taken,
                "times": times,
                "cost": cost(right, taken),
                "total": price,
            }
            for price, right, taken, times in found
        ],
    }
