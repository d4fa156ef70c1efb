"""``rosenblatt plot``: pictures of a model."""

import math
from dataclasses import dataclass
from typing import Any

import click

from rosenblatt.cli.decision_options import check_probabilities
from rosenblatt.cli.failures import DATA, MODEL, Failure, check_free, reading_data, reading_model
from rosenblatt.cli.options import loaded, opened, reading_for, speaking
from rosenblatt.cli.output import Output
from rosenblatt.readers.atomic_write import written_whole

ENDINGS = (".png", ".svg", ".pdf")
MOST_PANELS = 12
"""Labels whose weights are drawn, at most."""


@click.command("plot")
@click.argument("model", type=click.Path())
@click.option(
    "--kind",
    type=click.Choice(["passes", "weights", "projection", "boundary", "reliability"]),
    default="passes",
    help="The error of each pass, the heaviest weights, the scores of examples, the boundary "
    "between examples of two features, or how far probabilities can be believed.",
)
@click.option(
    "--data",
    metavar="FILE",
    type=click.Path(),
    help="Examples to draw, for projection, boundary and reliability.",
)
@click.option("-n", "number", type=click.IntRange(1), default=10, help="How many weights a side.")
@click.option(
    "-o",
    "--output",
    metavar="PICTURE",
    type=click.Path(),
    required=True,
    help="A .png, .svg or .pdf file.",
)
@click.option("-f", "--force", is_flag=True, help="Write over a picture that exists.")
@speaking
def command(
    model: str, kind: str, data: str | None, number: int, output: str, force: bool, out: Output
) -> None:
    """Draw MODEL: how its error fell, or what it weighs."""
    if not output.lower().endswith(ENDINGS):
        raise click.UsageError(f"The picture must end in one of {', '.join(ENDINGS)}.")
    if kind not in ("passes", "weights") and data is None:
        raise click.UsageError(f"--kind {kind} draws examples: name them with --data FILE.")
    check_free(output, force=force)
    predictor = loaded(model, out)
    if kind == "reliability":
        if predictor.foretold == "number":
            raise click.UsageError("--kind reliability is for labels: the model tells numbers.")
        check_probabilities(predictor)
    with reading_model(model):
        from rosenblatt.persistence.model_files import load

        whole = load(model)
    try:
        import matplotlib
    except ImportError as error:
        raise Failure(
            MODEL, "Pictures need matplotlib: pip install 'rosenblatt[plots]'."
        ) from error
    matplotlib.use("agg")
    figure = draw(kind, whole, predictor, data, number, out)
    with written_whole(output) as file:
        form = output.lower().rpartition(".")[2]
        figure.savefig(file, format=form, bbox_inches="tight", dpi=150)
    out.say("wrote", output)
    out.give({"picture": output})


def draw(kind: str, whole: Any, predictor: Any, data: str | None, number: int, out: Output) -> Any:
    """The figure of this kind."""
    model = whole.steps[-1][1] if hasattr(whole, "steps") else whole
    with reading_data():
        if kind == "passes":
            return passes_of(model)
        if kind == "weights":
            return weights_of(model, PlotNames(predictor), number, out)
        from rosenblatt.cli.train_data import read_whole
        from rosenblatt.plots import BoundaryDisplay, ProjectionDisplay, ReliabilityDisplay

        examples = read_whole(opened(str(data), **reading_for(predictor, str(data), {})), out)
        X = examples.examples
        if hasattr(whole, "steps"):
            try:
                X = whole[:-1].transform(X)
            except TypeError as error:  # texts for a table, or the like
                raise Failure(
                    DATA, f"{data} does not hold such examples as the model learned from."
                ) from error
        displays: dict[str, Any] = {
            "boundary": BoundaryDisplay,
            "projection": ProjectionDisplay,
            "reliability": ReliabilityDisplay,
        }
        return displays[kind].from_estimator(model, X, examples.labels).figure_


def passes_of(model: Any) -> Any:
    """The errors that were measured after each pass."""
    from rosenblatt.plots import PassesDisplay

    if not model.history_ or model.history_[0].train_error is None:
        raise Failure(DATA, "The model was trained without held-out examples: no errors are known.")
    return PassesDisplay.from_history({type(model).__name__: model.history_}).figure_


@dataclass(frozen=True)
class PlotNames:
    """The names of a model's features, made when they are asked for."""

    predictor: Any

    def __len__(self) -> int:
        return int(self.predictor.n_features)

    def __getitem__(self, column: int) -> str:
        return str(self.predictor.name(column))


def weights_of(model: Any, names: PlotNames, number: int, out: Output) -> Any:
    """The heaviest weights of each label, side by side; of two labels, once."""
    from matplotlib.figure import Figure

    from rosenblatt.plots import WeightsDisplay

    count = len(model.classes_)
    labels = model.classes_[:MOST_PANELS] if count > 2 else model.classes_[1:]
    across = min(3, math.ceil(math.sqrt(len(labels))))
    down = -(-len(labels) // across)
    figure = Figure(figsize=(5 * across, (1 + 0.4 * number) * down), layout="constrained")
    if count > MOST_PANELS:
        note = f"the first {MOST_PANELS} of {count} labels"
        out.say("note", f"{note} are drawn")
        figure.suptitle(note)
    for label, axes in zip(labels, figure.subplots(down, across, squeeze=False).flat, strict=False):
        WeightsDisplay.from_estimator(model, label=label, n=number, feature_names=names, ax=axes)
    for spare in figure.axes[len(labels) :]:
        spare.set_axis_off()
    return figure
