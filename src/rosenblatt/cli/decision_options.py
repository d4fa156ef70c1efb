"""The options that say which label is given, and which is not."""

import functools
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.costs import finite_number
from rosenblatt.cli.options import Command, Number
from rosenblatt.cli.output import Output, percent


def deciding(command: Command) -> Command:
    """Adds them to a command, which takes what was said as a dict."""

    @click.option(
        "--threshold",
        metavar="LABEL=NUMBER",
        multiple=True,
        help="Give this label where its probability reaches this, and nowhere else; repeatable. "
        "Where examples may have several, NUMBER alone is for all labels.",
    )
    @click.option("--abstain-below", type=Number(0, 1), help="Give no label that is less probable.")
    @click.option(
        "--abstain",
        metavar="WORD",
        help="What to print where no label is given; an empty line if not said.",
    )
    @functools.wraps(command)
    def with_deciding(
        *arguments: Any,
        threshold: tuple[str, ...],
        abstain_below: float | None,
        abstain: str | None,
        **others: Any,
    ) -> Any:
        if abstain is not None and abstain_below is None and not threshold:
            raise click.UsageError("--abstain is for --abstain-below and --threshold.")
        deciding = {"threshold": threshold, "abstain_below": abstain_below, "abstain": abstain}
        return command(*arguments, deciding=deciding, **others)

    return with_deciding


class Deciding:
    """Gives labels as the options say, and counts where none is given."""

    def __init__(self, predictor: Any, said: dict[str, Any]) -> None:
        from rosenblatt.training.decisions import Decision

        self.abstain = said["abstain"]
        self.abstained = 0
        self._foretold = predictor.foretold
        asked = any(value not in (None, ()) for value in said.values())
        if self._foretold == "number" and asked:
            raise click.UsageError("Which label is given is no question: the model tells numbers.")
        for name in ("abstain_below", "abstain"):
            if self._foretold == "labels" and said[name] is not None:
                raise click.UsageError(
                    f"--{name.replace('_', '-')} is for one label an example, and this model gives "
                    "sets, which may be empty: use --threshold."
                )
        self._classes = predictor.classes
        classes, several = predictor.classes, predictor.gives_sets
        self.thresholds = read_thresholds(said["threshold"], classes, several=several) or None
        self.abstain_below = said["abstain_below"]
        self._decision = Decision.of(classes, self.thresholds, self.abstain_below)
        if self._decision is not None:
            check_probabilities(predictor)

    def labels(self, judgement: Any) -> list[Any]:
        """The label of each example, or what stands for none; a tuple where there are several."""
        if self._decision is None:
            labels: list[Any] = judgement.labels.tolist()
            return labels
        if self._foretold == "labels":
            sets: list[Any] = judgement.sets(self._decision).tuples()
            self.abstained += sum(not own for own in sets)
            return sets
        from rosenblatt.training.decisions import ABSTAINS, labels_or

        codes = judgement.codes(self._decision)
        self.abstained += int(np.count_nonzero(codes == ABSTAINS))
        return labels_or(self._classes, codes, self.abstain).tolist()

    def tell(self, examples: int, out: Output) -> None:
        """Say how many examples were given no label."""
        if self._decision is not None and examples:
            share = percent(self.abstained / examples)
            out.warn("abstain", f"{self.abstained:,} of {examples:,} examples ({share}): no label")


def read_thresholds(
    said: tuple[str, ...], classes: NDArray[Any], *, several: bool
) -> dict[Any, float]:
    """What ``--threshold`` says: LABEL=NUMBER, of labels of the model; of several, for all first.

    What is said of one label goes before what is said of all.
    """
    known = {str(label): label for label in classes.tolist()}
    thresholds: dict[Any, float] = {}
    for part in sorted(said, key=lambda part: "=" in part):
        name, _, number = part.rpartition("=")
        least = finite_number(number) or 0.0
        for_all = several and "=" not in part
        if not (name or for_all) or not 0 < least <= 1:
            wanted = "LABEL=NUMBER with a number above 0 and at most 1"
            raise click.UsageError(f"--threshold must be {wanted}, got {part!r}.")
        if for_all:
            thresholds |= dict.fromkeys(known.values(), least)
            continue
        if name not in known:
            names = ", ".join(known)
            raise click.UsageError(
                f"--threshold {part} names a label that the model does not know: it knows {names}."
            )
        thresholds[known[name]] = least
    return thresholds


def check_probabilities(predictor: Any) -> None:
    """Refuse options that need probabilities for a model that has none."""
    if not predictor.has_probabilities:
        raise click.UsageError(
            "The model has scores but no probabilities: train it again, without --no-probabilities."
        )
