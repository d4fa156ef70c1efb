"""How good a model was on examples that it had not seen: as facts, and as text for people."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.intervals import interval, with_interval
from rosenblatt.cli.model_notes import how_measured
from rosenblatt.cli.output import Output, percent
from rosenblatt.inputs.label_sets import Answers, LabelSets, are_classes, ranking_losses

if TYPE_CHECKING:
    from rosenblatt.training.validation import Labelled


def error_of(answers: Answers) -> tuple[str, Callable[[float], str]]:
    """What the error of such answers is called in a table, and how it is written."""
    if isinstance(answers, LabelSets):
        return "ranking precision", lambda error: percent(1 - error)
    return ("error", percent) if are_classes(answers) else ("mean error", "{:.4g}".format)


def measured(
    tried: "Labelled", error: float, folds: int, often: NDArray[np.int64]
) -> dict[str, Any]:
    """What an error on these examples is, beside that of whoever looks at none.

    ``often`` says how many of the examples that were learned from have each label.
    """
    answers = tried.codes
    count = len(answers)
    facts: dict[str, Any] = {"examples": count, "folds": folds}
    if isinstance(answers, LabelSets):
        same_for_all = np.broadcast_to(often.astype(np.float64), (count, len(often)))
        by_frequency = ranking_losses(answers, same_for_all)
        facts |= {"ranking_precision": 1 - error}
        return facts | {"by_frequency": 1 - float(by_frequency.mean())}
    if not are_classes(answers):
        median = float(np.median(answers))
        facts |= {"mean_absolute_error": error, "median": median}
        return facts | {"median_error": float(np.abs(answers - median).mean())}
    low, high = interval(error * count, count)
    counts = np.bincount(answers, minlength=len(tried.classes))
    most = int(often.argmax())
    return facts | {
        "error": error,
        "low": low,
        "high": high,
        "majority": str(tried.classes[most]),
        "majority_error": 1 - float(counts[most]) / count,
    }


def losses_of(model: Any, examples: "Labelled") -> NDArray[np.float64]:
    """What the model loses on each of the examples: errors, and what is an error of others."""
    answers = examples.codes
    if isinstance(answers, LabelSets):
        return ranking_losses(answers, model.decision_function(examples.X))
    found = model.predict(examples.X)
    wrong = found != examples.classes[answers] if are_classes(answers) else np.abs(found - answers)
    return wrong.astype(np.float64)


def measured_text(held: dict[str, Any]) -> str:
    """How good it was."""
    if "ranking_precision" in held:
        return f"{percent(held['ranking_precision'])} precision"
    if "mean_absolute_error" in held:
        return f"{held['mean_absolute_error']:.4g} on average"
    return with_interval(held["error"] * held["examples"], held["examples"])


def say_measured(held: dict[str, Any], out: Output, *, whole: bool = False) -> None:
    """The line about it; of the whole model, where the one that is written is a small part."""
    word = "ranking" if "ranking_precision" in held else "error"
    of = " by the whole model" if whole and "whole_error" not in held else ""
    out.say(word, f"{measured_text(held)} {how_measured(held)}{of}")


def say_without(held: dict[str, Any], out: Output) -> None:
    """The line about whoever looks at no example."""
    if "by_frequency" in held:
        out.say("always", f"the most frequent labels first: {percent(held['by_frequency'])}")
    elif "median" in held:
        out.say("always", f"{held['median']:.4g}: {held['median_error']:.4g} on average")
    else:
        out.say("always", f"{held['majority']}: error {percent(held['majority_error'])}")
