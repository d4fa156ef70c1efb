"""Learning that goes on: with the examples of another file, or with each as it comes."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.failures import MODEL, Failure, reading_data, reading_model
from rosenblatt.cli.held_out_error import (
    losses_of,
    measured,
    measured_text,
    say_measured,
    say_without,
)
from rosenblatt.cli.options import READING, loaded, opened, opened_for, tell_rejects
from rosenblatt.cli.output import Output, columns, percent, size
from rosenblatt.cli.train_checkpoint import check_alone
from rosenblatt.cli.train_data import as_learned, described, in_memory, read_beside, read_whole
from rosenblatt.cli.train_passes import Passes, as_one, make_passes
from rosenblatt.cli.train_plan import Plan
from rosenblatt.inputs.label_sets import LabelSets, are_classes, occurrences, ranking_losses
from rosenblatt.readers.data import Batch, Data, label_list
from rosenblatt.training.validation import Labelled

SAID = frozenset({"file", "output", "force", "as_json", "quiet", "onward", "progressive", *READING})
PARTS = 10
"""Of the examples, after each of which the error so far is told."""


def check_online(context: click.Context, onward: str | None, *, progressive: bool) -> None:
    """Refuse options that would have no effect."""
    if onward is not None:
        allowed = SAID if progressive else SAID | {"passes", "validation"}
        check_alone(context, "--continue goes on with the model as it is", allowed)
        return
    unused = {"passes", "folds", "validation", "select", "stream", "resume", "tune"}
    allowed = frozenset(str(option.name) for option in context.command.params) - unused
    check_alone(context, "--progressive walks over the examples once", allowed)
    if context.params["class_weight"] == "balanced":
        sentence = "--class-weight balanced needs all examples beforehand: say LABEL=NUMBER,..."
        raise click.UsageError(sentence)


@dataclass
class Online:
    """Examples, and a model that is to learn from them."""

    data: Data
    learned: Labelled
    lines: NDArray[np.int64] | None
    model: Any
    whole: Any
    """With what makes features, as it is saved."""
    notes: dict[str, Any]
    name: str
    """What the model is called when learning begins."""

    @property
    def count(self) -> int:
        return len(self.learned.codes)

    @property
    def answers(self) -> Any:
        """What the examples should come to, as fit takes it."""
        codes = self.learned.codes
        return self.learned.classes[codes] if are_classes(codes) else codes

    @property
    def often(self) -> NDArray[np.int64]:
        """How many examples each label has."""
        count = len(self.learned.classes)
        return np.bincount(occurrences(self.learned.codes), minlength=count)

    def errors(self, examples: Labelled) -> dict[str, Any]:
        """How good the model is, as it is now."""
        return self.facts(losses_of(self.model, examples), examples)

    def facts(self, losses: NDArray[Any], examples: Labelled) -> dict[str, Any]:
        """What such losses on examples come to."""
        return measured(examples, float(losses.mean()), 0, self.often)

    def pass_again(self, passes: int, out: Output) -> None:
        """Walk over the examples, in the order that the model shuffles them into."""
        usual = self.model.max_iter
        # What scores mean stays: folds of these examples alone would not know it.
        self.model.set_params(warm_start=True, max_iter=passes)._calibrates = False
        with reading_data(self.lines, self.data.name):
            make_passes(
                self.model,
                self.learned.X,
                self.answers,
                self.learned.sample_weight,
                Passes(out, count=self.count, format_error=self.format_error),
            )
        self.model.set_params(warm_start=False, max_iter=usual)._calibrates = True

    @property
    def format_error(self) -> Callable[[float], str]:
        """How errors are put."""
        return percent if len(self.learned.classes) else "{:.4g}".format

    def each_in_turn(self, out: Output) -> NDArray[np.float64]:
        """Predict each example, then learn from it; what was lost on it before."""
        if not hasattr(self.model, "learn_one"):
            kind = type(self.model).__name__
            raise Failure(MODEL, f"{kind} does not learn from one example at a time.")
        losses = np.zeros(self.count)
        done = 0
        share = out.bar("learning", lambda: done / self.count)
        with reading_data(self.lines, self.data.name), share:
            for k, lost in enumerate(self._lost()):
                losses[k], done = lost, k
        return losses

    def _lost(self) -> Iterator[float]:
        from scipy import sparse

        model, answers = self.model, label_list(self.answers)
        X, weights = sparse.csr_array(self.learned.X), self.learned.sample_weight
        begin = 0
        if model._state is None:  # at zero
            yield self._lost_at_zero()
            labels = {"classes": self.learned.classes} if len(self.learned.classes) else {}
            weight = None if weights is None else weights[:1]
            model.partial_fit(X[:1], self.answers[:1], **labels, sample_weight=weight)
            begin = 1
        for k in range(begin, self.count):
            row = slice(*X.indptr[k : k + 2])
            example = X.indices[row], X.data[row]
            yield self._lost_on(k, example, answers[k])
            model.learn_one(example, answers[k], 1.0 if weights is None else float(weights[k]))

    def _lost_at_zero(self) -> float:
        """On the first example, by weights that have learned nothing yet."""
        codes = self.learned.codes
        if isinstance(codes, LabelSets):
            return float(ranking_losses(codes[:1], np.zeros((1, len(codes.classes))))[0])
        return float(codes[0] != 0 if are_classes(codes) else abs(codes[0]))

    def _lost_on(self, k: int, example: Any, answer: Any) -> float:
        codes = self.learned.codes
        if isinstance(codes, LabelSets):
            scores = [[*self.model.score_one(example).values()]]
            return float(ranking_losses(codes[k : k + 1], np.array(scores))[0])
        found = self.model.predict_one(example)
        return float(found != answer if are_classes(codes) else abs(found - answer))


def afresh(file: str, reading: dict[str, Any], plan: Plan, out: Output) -> Online:
    """A new model, and the examples of a file as its features."""
    data = opened(file, **reading)
    plan.check(data.foretold)
    learned, settings = in_memory(data, plan.vectorizer(data), out)
    with reading_data():
        candidate = plan.candidates(learned)[0]
    model = candidate.model
    if data.foretold == "label":
        model.set_params(probabilities=plan.probabilities)
    notes = {"data": settings}
    whole = as_one(learned, model)
    return Online(data, learned.labelled, learned.lines, model, whole, notes, str(candidate))


def going_on(file: str, reading: dict[str, Any], start: str, out: Output) -> Online:
    """A finished model, and the examples of a file as the features that it knows."""
    predictor = loaded(start, out)
    with reading_model(start):
        from rosenblatt.persistence.model_files import load

        whole = load(start)
        getattr(whole, "steps", [("", whole)])[-1][1]._state.check_learns()
    data = opened_for(predictor, file, reading, labelled=True)
    batch = read_whole(data, out)
    model, learned = read_by(whole, batch, data.name)
    return Online(data, learned, batch.lines, model, whole, predictor.notes, start)


def read_by(whole: Any, batch: Batch, name: str) -> tuple[Any, Labelled]:
    """The model itself, and examples as the features and labels that it knows."""
    model, transform = whole, None
    if hasattr(whole, "steps"):
        model, transform = whole[-1], whole[:-1].transform
    classes = model._state.classes  # none of a model that foretells numbers
    return model, as_learned(batch, name, transform, model.n_features_in_, classes)


def learn_online(
    online: Online,
    path: str,
    passes: int,
    validation: str | None,
    reading: dict[str, Any],
    out: Output,
) -> None:
    """Learn, write the model and say what came of it; ``passes`` of none: each example in turn."""
    from rosenblatt.persistence.model_files import save

    learned, count = online.learned, online.count
    out.say("read", f"{online.data.name}: {count:,} examples, {online.data.describe()}")
    rejected = tell_rejects(len(online.data.rejected), count, out)
    out.say(*described(learned.codes, learned.classes, online.often))
    facts: dict[str, Any] = {"model": path, "began_as": online.name, "examples": count}
    held = None
    if passes:
        facts["before"] = before = online.errors(learned)
        out.say("before", f"{measured_text(before)} on these by {online.name} as it was")
        out.say("learn", f"{online.name}: on from {count:,} examples")
        online.pass_again(passes, out)
        facts["passes"] = passes
        if validation is not None:
            batch = read_beside(validation, online.data.settings(), reading, out)
            held = online.errors(read_by(online.whole, batch, validation)[1])
    else:
        out.say("learn", f"{online.name}: from each of {count:,} examples, after predicting it")
        losses = online.each_in_turn(out)
        facts["progress"] = parts_of(losses)
        show_parts(facts["progress"], online.format_error, out)
        held = online.facts(losses, learned) | {"progressive": True}
    facts["held_out"] = held
    with out.bar(f"writing {os.path.basename(path)}"):
        save(online.whole, path, notes=online.notes | {"held_out": held})
    if held is not None:
        say_measured(held, out)
        say_without(held, out)
    facts["bytes"] = os.path.getsize(path)
    out.say("wrote", f"{path}, {size(facts['bytes'])}")
    out.say("next", f"rosenblatt inspect {path}")
    out.give(facts | rejected)


def parts_of(losses: NDArray[np.float64]) -> list[dict[str, Any]]:
    """The error after each part of the examples, and that of the part."""
    ends = sorted({round(len(losses) * part / PARTS) for part in range(1, PARTS + 1)} - {0})
    return [
        {
            "examples": end,
            "error": float(losses[:end].mean()),
            "since": float(losses[begin:end].mean()),
        }
        for begin, end in zip([0, *ends], ends, strict=False)
    ]


def show_parts(
    parts: list[dict[str, Any]], format_error: Callable[[float], str], out: Output
) -> None:
    lines = [
        (f"{part['examples']:>10,}", format_error(part["error"]), format_error(part["since"]))
        for part in parts
    ]
    for line in columns(("  examples", "error so far", "error since"), lines):
        out.show(line)
