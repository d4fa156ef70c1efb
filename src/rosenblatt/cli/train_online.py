"""Learning that goes on: with the examples of another file, or with each as it comes."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.failures import MODEL, Failure, reading_data, reading_model
from rosenblatt.cli.intervals import interval, with_interval
from rosenblatt.cli.notes import how_measured
from rosenblatt.cli.options import READING, loaded, opened, opened_for, tell_rejects
from rosenblatt.cli.output import Output, columns, percent, size
from rosenblatt.cli.train_checkpoint import check_alone
from rosenblatt.cli.train_data import as_learned, counts_of, in_memory, read_whole
from rosenblatt.cli.train_passes import Passes, as_one, make_passes
from rosenblatt.cli.train_plan import Plan
from rosenblatt.readers.data import Batch, Data

if TYPE_CHECKING:
    from rosenblatt.models.selection import Learned

SAID = frozenset({"file", "output", "force", "as_json", "quiet", "onward", "progressive", *READING})
PARTS = 10
"""Of the examples, after each of which the error so far is told."""


def check_online(context: click.Context, onward: str | None, *, progressive: bool) -> None:
    """Refuse options that would have no effect."""
    if onward is not None:
        allowed = SAID if progressive else SAID | {"passes", "validation"}
        check_alone(context, "--continue goes on with the model as it is", allowed)
        return
    unused = {"passes", "folds", "validation", "select", "stream", "resume"}
    allowed = frozenset(str(option.name) for option in context.command.params) - unused
    check_alone(context, "--progressive walks over the examples once", allowed)
    if context.params["class_weight"] == "balanced":
        sentence = "--class-weight balanced needs all examples beforehand: say LABEL=NUMBER,..."
        raise click.UsageError(sentence, context)


@dataclass
class Online:
    """Examples, and a model that is to learn from them."""

    data: Data
    learned: "Learned"
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
    def labels(self) -> NDArray[Any]:
        labels: NDArray[Any] = self.learned.classes[self.learned.codes]
        return labels

    def errors(self, examples: "Learned") -> dict[str, Any]:
        """How good the model is, as it is now."""
        found = self.model.predict(examples.X)
        return facts_of(found != examples.classes[examples.codes], examples)

    def pass_again(self, passes: int, out: Output) -> None:
        """Walk over the examples, in the order that the model shuffles them into."""
        usual = {name: getattr(self.model, name) for name in ("max_iter", "probabilities")}
        # How scores become probabilities stays: folds of these examples alone would not know it.
        self.model.set_params(warm_start=True, max_iter=passes, probabilities=False)
        with reading_data(self.lines, self.data.name):
            make_passes(
                self.model,
                self.learned.X,
                self.labels,
                self.learned.sample_weight,
                Passes(out, count=self.count),
            )
        self.model.set_params(warm_start=False, **usual)

    def each_in_turn(self, out: Output) -> NDArray[np.bool_]:
        """Predict each example, then learn from it; whether it came out wrong before."""
        if not hasattr(self.model, "learn_one"):
            kind = type(self.model).__name__
            raise Failure(MODEL, f"{kind} does not learn from one example at a time.")
        wrong = np.zeros(self.count, dtype=np.bool_)
        done = 0
        share = out.bar("learning", lambda: done / self.count)
        with reading_data(self.lines, self.data.name), share:
            for k, missed in enumerate(self._missed()):
                wrong[k], done = missed, k
        return wrong

    def _missed(self) -> Iterator[bool]:
        from scipy import sparse

        model, labels = self.model, self.labels.tolist()
        X, weights = sparse.csr_array(self.learned.X), self.learned.sample_weight
        begin = 0
        if model._state is None:  # at zero, where the first label is predicted
            weight = None if weights is None else weights[:1]
            model.partial_fit(X[:1], labels[:1], self.learned.classes, weight)
            yield labels[0] != self.learned.classes[0]
            begin = 1
        for k in range(begin, self.count):
            row = slice(*X.indptr[k : k + 2])
            example = X.indices[row], X.data[row]
            yield model.predict_one(example) != labels[k]
            model.learn_one(example, labels[k], 1.0 if weights is None else float(weights[k]))


def afresh(file: str, reading: dict[str, Any], plan: Plan, out: Output) -> Online:
    """A new model, and the examples of a file as its features."""
    from rosenblatt.models.selection import Learned

    data = opened(file, **reading)
    learned, settings = in_memory(data, plan.vectorizer(data), out)
    with reading_data():
        candidate = plan.candidates(learned.classes)[0]
    model = candidate.model.set_params(probabilities=plan.probabilities)
    examples = Learned(learned.X, learned.y.codes, learned.classes, learned.sample_weight)
    notes = {"data": settings}
    whole = as_one(learned, model)
    return Online(data, examples, learned.lines, model, whole, notes, str(candidate))


def going_on(file: str, reading: dict[str, Any], start: str, out: Output) -> Online:
    """A finished model, and the examples of a file as the features that it knows."""
    predictor = loaded(start, out)
    with reading_model(start):
        from rosenblatt.persistence.model_files import load

        whole = load(start)
    data = opened_for(predictor, file, reading, labelled=True)
    batch = read_whole(data, out)
    model, learned = read_by(whole, batch, data.name)
    return Online(data, learned, batch.lines, model, whole, predictor.notes, start)


def read_by(whole: Any, batch: Batch, name: str) -> "tuple[Any, Learned]":
    """The model itself, and examples as the features and labels that it knows."""
    model, transform = whole, None
    if hasattr(whole, "steps"):
        model, transform = whole[-1], whole[:-1].transform
    return model, as_learned(batch, name, transform, model.n_features_in_, model.classes_)


def learn_online(
    online: Online, path: str, passes: int, validation: str | None, out: Output
) -> None:
    """Learn, write the model and say what came of it; ``passes`` of none: each example in turn."""
    from rosenblatt.persistence.model_files import save

    learned, count = online.learned, online.count
    out.say("read", f"{online.data.name}: {count:,} examples, {online.data.describe()}")
    rejected = tell_rejects(len(online.data.rejected), count, out)
    counts = np.bincount(learned.codes, minlength=len(learned.classes))
    out.say("labels", counts_of(learned.classes, counts))
    facts: dict[str, Any] = {"model": path, "began_as": online.name, "examples": count}
    held = None
    if passes:
        facts["before"] = before = online.errors(learned)
        out.say("before", f"{told(before)} on these by {online.name} as it was")
        out.say("learn", f"{online.name}: on from {count:,} examples")
        online.pass_again(passes, out)
        facts["passes"] = passes
        if validation is not None:
            batch = read_whole(opened(validation, **online.data.settings()), out)
            held = online.errors(read_by(online.whole, batch, validation)[1])
    else:
        out.say("learn", f"{online.name}: from each of {count:,} examples, after predicting it")
        wrong = online.each_in_turn(out)
        facts["progress"] = parts_of(wrong)
        show_parts(facts["progress"], out)
        held = facts_of(wrong, learned) | {"progressive": True}
    facts["held_out"] = held
    with out.bar(f"writing {os.path.basename(path)}"):
        save(online.whole, path, notes=online.notes | {"held_out": held})
    if held is not None:
        out.say("error", f"{told(held)} {how_measured(held)}")
        out.say("always", f"{held['majority']}: {percent(held['majority_error'])}")
    facts["bytes"] = os.path.getsize(path)
    out.say("wrote", f"{path}, {size(facts['bytes'])}")
    out.say("next", f"rosenblatt inspect {path}")
    out.give(facts | rejected)


def facts_of(wrong: NDArray[np.bool_], examples: "Learned") -> dict[str, Any]:
    """What the share of wrong examples is, beside that of always saying the most frequent label."""
    count, missed = len(wrong), int(wrong.sum())
    low, high = interval(missed, count)
    counts = np.bincount(examples.codes)
    return {
        "examples": count,
        "folds": 0,
        "error": missed / count,
        "low": low,
        "high": high,
        "majority": str(examples.classes[counts.argmax()]),
        "majority_error": 1 - int(counts.max()) / count,
    }


def told(facts: dict[str, Any]) -> str:
    return with_interval(facts["error"] * facts["examples"], facts["examples"])


def parts_of(wrong: NDArray[np.bool_]) -> list[dict[str, Any]]:
    """The error after each part of the examples, and that of the part."""
    ends = sorted({round(len(wrong) * part / PARTS) for part in range(1, PARTS + 1)} - {0})
    return [
        {
            "examples": end,
            "error": float(wrong[:end].mean()),
            "since": float(wrong[begin:end].mean()),
        }
        for begin, end in zip([0, *ends], ends, strict=False)
    ]


def show_parts(parts: list[dict[str, Any]], out: Output) -> None:
    lines = [
        (f"{part['examples']:>10,}", percent(part["error"]), percent(part["since"]))
        for part in parts
    ]
    for line in columns(("  examples", "error so far", "error since"), lines):
        out.show(line)
