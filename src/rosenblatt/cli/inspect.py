"""``rosenblatt inspect``: what a model has learned."""

import os
from typing import Any

import click

from rosenblatt.cli.failures import reading_model
from rosenblatt.cli.held_out_error import say_measured
from rosenblatt.cli.model_notes import held_out
from rosenblatt.cli.options import loaded, speaking
from rosenblatt.cli.output import Output, size


@click.command("inspect")
@click.argument("model", type=click.Path())
@click.option("-n", "number", type=click.IntRange(1), default=10, help="Weights a side.")
@click.option("--label", metavar="LABEL", help="Only the weights of this label.")
@speaking
def command(model: str, number: int, label: str | None, out: Output) -> None:
    """Show what MODEL is, how good it was on held-out examples, and its heaviest weights."""
    predictor = loaded(model, out)
    of_numbers = predictor.foretold == "number"
    if of_numbers and label is not None:
        raise click.UsageError("--label names a label, and the model tells numbers.")
    with reading_model(model):
        weights = None if of_numbers else predictor.feature_weights(number)
        chosen = [one for one in weights or () if label is None or str(one.label) == label]
        if not chosen and not of_numbers:
            known = ", ".join(str(one) for one in predictor.classes.tolist())
            raise click.UsageError(f"The model does not know the label {label}: it knows {known}.")
    facts: dict[str, Any] = {
        "estimator": predictor.estimator,
        "labels": [str(one) for one in predictor.classes.tolist()],
        "features": predictor.n_features,
        "held_out": held_out(predictor.notes),
        "file": model,
        "bytes": os.path.getsize(model),
    }
    out.say("model", f"{model}, {size(facts['bytes'])}: {facts['estimator']}")
    if not of_numbers:
        out.say("labels", ", ".join(facts["labels"]))
    if predictor.foretold != "label":
        out.say("foretells", {"labels": "sets of labels", "number": "numbers"}[predictor.foretold])
    out.say("features", f"{facts['features']:,}")
    held = facts["held_out"]
    if held:
        say_measured(held, out)
    if weights is None:
        out.say("next", f"rosenblatt evaluate {model} FILE")
        return out.give(facts)
    out.show()
    titles = {repr(one.label) for one in chosen}
    for table in weights.tables():
        if len(predictor.classes) == 2 or table.title.removeprefix("Weights for ") in titles:
            out.show_table(table.text())
            out.show()
    example = '"some text of yours"' if predictor.takes_text else "--file FILE --line NUMBER"
    out.say("next", f"rosenblatt explain {model} {example}")
    return out.give(facts | {"weights": weights_of(chosen)})


def weights_of(chosen: list[Any]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {k: v if isinstance(v, float | str) else str(v) for k, v in one._asdict().items()}
        for one in chosen
    ]
