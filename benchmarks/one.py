"""One example at a time, from dicts of names and from arrays, beside River and Vowpal Wabbit."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from bench import Bench
from table import Row

from rosenblatt import AveragedPerceptron, PassiveAggressiveClassifier, Perceptron

NAMES = 47_000
FEATURES = 75
EXAMPLES = 1_000
WALKS = 5
"""Over all examples, timed together: the first finds what the other libraries left in the cache."""

OURS = {
    "plain": Perceptron,
    "averaged": AveragedPerceptron,
    "passive-aggressive": PassiveAggressiveClassifier,
}


@dataclass
class Examples:
    """The same examples of two classes in the form that each library reads fastest."""

    dicts: list[dict[str, float]]
    arrays: list[tuple[Any, Any]]
    labels: list[bool]

    @property
    def lines(self) -> list[str]:
        return [
            f"{1 if label else -1} | "
            + " ".join(f"{name}:{value:.6g}" for name, value in x.items())
            for x, label in zip(self.dicts, self.labels, strict=True)
        ]


def make_examples() -> Examples:
    """Words of a text in any order, as often as words are, weighed as tf-idf would."""
    rng = np.random.default_rng(0)
    names = [f"w{column}" for column in range(NAMES)]
    often = 1.0 / np.arange(1, NAMES + 1)
    teacher = rng.normal(size=NAMES)
    examples = Examples([], [], [])
    for _ in range(EXAMPLES):
        columns = rng.choice(NAMES, size=FEATURES, replace=False, p=often / often.sum())
        values = rng.uniform(0.05, 0.3, size=FEATURES)
        rising = columns.argsort()
        examples.dicts.append({names[c]: v for c, v in zip(columns, values.tolist(), strict=True)})
        examples.arrays.append((columns[rising].astype(np.int32), values[rising]))
        examples.labels.append(bool(values @ teacher[columns] > 0))
    return examples


def one_at_a_time(bench: Bench) -> Iterator[Row | str]:
    """Loops over examples made beforehand, by models that have met them before."""
    yield f"One example a call, {FEATURES} features of {NAMES:,} names"
    examples = make_examples()
    ours = {}
    for name, make in OURS.items():
        by_name, by_number = make(), make()
        ours[f"learn_one, dict, {name}"] = learning(by_name, examples.dicts, examples.labels)
        ours[f"learn_one, arrays, {name}"] = learning(by_number, examples.arrays, examples.labels)
        ours[f"predict_one, dict, {name}"] = each(by_name.predict_one, examples.dicts)
        ours[f"predict_one, arrays, {name}"] = each(by_number.predict_one, examples.arrays)
    for work in ours.values():
        work()  # every model meets every name and label
    times = bench.times(ours, _river(examples) | _vowpal_wabbit(examples))
    for name in ours:
        method, form, _ = name.split(", ")
        for peer, targets in (("River", {"dict": 6.0, "arrays": 10.0}), ("VW", {"dict": 3.0})):
            if f"{peer} {method}" in times:
                row = times.row(
                    name,
                    f"{peer} {method}",
                    lambda seconds: 1e6 * seconds / (WALKS * EXAMPLES),
                    unit="µs",
                    at_least=targets.get(form) if method == "learn_one" else None,
                )
                row.against = peer
                yield row


def _river(examples: Examples) -> dict[str, Callable[[], None]]:
    if not find_spec("river"):
        return {}
    from river import linear_model

    model = linear_model.Perceptron()
    return {
        "River learn_one": learning(model, examples.dicts, examples.labels),
        "River predict_one": each(model.predict_one, examples.dicts),
    }


def _vowpal_wabbit(examples: Examples) -> dict[str, Callable[[], None]]:
    if not find_spec("vowpalwabbit"):
        return {}
    from vowpalwabbit import Workspace

    model = Workspace(quiet=True, loss_function="hinge")
    lines = examples.lines
    return {
        "VW learn_one": each(model.learn, lines),
        "VW predict_one": each(model.predict, lines),
    }


def learning(
    model: Any, examples: list[Any], labels: list[bool], walks: int = WALKS
) -> Callable[[], None]:
    learn = model.learn_one

    def loop() -> None:
        for _ in range(walks):
            for x, y in zip(examples, labels, strict=True):
                learn(x, y)

    return loop


def each(call: Callable[[Any], Any], examples: list[Any], walks: int = WALKS) -> Callable[[], None]:
    def loop() -> None:
        for _ in range(walks):
            for x in examples:
                call(x)

    return loop
