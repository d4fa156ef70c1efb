"""What ``evaluate`` says of probabilities: how good they are, and what abstaining would bring."""

from typing import Any

import numpy as np

from rosenblatt.cli.output import Output, percent
from rosenblatt.training.reliability import Reliability

LEVELS = np.array([0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99])
"""The probabilities below which no label might be given."""
WIDE = 40
"""Of a diagram, in letters."""


def reliability_facts(found: Reliability | None) -> dict[str, Any] | None:
    """The same for programs; None of a model without probabilities."""
    if found is None:
        return None
    abstaining = [each._asdict() for each in found.abstentions(LEVELS)]
    return measures(found) | {"abstaining": abstaining}


def measures(found: Reliability) -> dict[str, Any]:
    """How good probabilities are, of one label an example or of several."""
    return {
        "log_loss": found.log_loss,
        "brier": found.brier,
        "calibration_error": found.error,
        "bins": [each._asdict() for each in found.bins()],
    }


def show_reliability(found: Reliability, out: Output) -> None:
    """The measures, the diagram and the curve, as tables."""
    out.show()
    out.say(
        "probable",
        f"log loss {found.log_loss:.3f}, Brier score {found.brier:.3f}, "
        f"calibration error {percent(found.error)}",
    )
    out.show()
    lines = [
        (
            diagram(each.said, each.right),
            percent(each.said),
            percent(each.right),
            f"{each.examples:,}",
        )
        for each in found.bins()
    ]
    heads = ("right (█) where so much was said (│)", "said", "right", "examples")
    out.show_columns(heads, lines)
    out.show()
    curve = [
        (f"{each.below:g}", percent(each.abstained), percent(each.error))
        for each in found.abstentions(LEVELS)
        if each.abstained > 0 and each.error is not None
    ]
    out.show_columns(("no label below", "without a label", "wrong among the others"), curve)


def diagram(said: float, right: float) -> str:
    """A bar as long as the share that was right, with a mark where it ought to end."""
    bar = ("█" * round(right * WIDE)).ljust(WIDE, "·")
    place = min(WIDE - 1, round(said * WIDE))
    return bar[:place] + "│" + bar[place + 1 :]
