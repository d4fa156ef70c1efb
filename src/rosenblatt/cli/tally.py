"""What ``evaluate`` counts: which label was taken for which, and the worst errors."""

from collections import Counter
from functools import cached_property
from heapq import nlargest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.intervals import interval
from rosenblatt.cli.roc_pr import Areas, areas, margins_of
from rosenblatt.features.examples import Bags, Records, Texts
from rosenblatt.readers.data import Batch, label_list
from rosenblatt.training.reliability import Reliability

MOST_SCORES = 20_000_000
"""Kept for the areas under curves; where there are more, these are left out."""


class WrongLabel(NamedTuple):
    """An example that came out wrong, and by how much."""

    margin: float
    line: int
    right: str
    found: str
    text: str
    """As a person would know the example; nothing if it is numbers."""

    @property
    def said(self) -> str:
        """All but the text, in words."""
        return f"line {self.line}, by {self.margin:.3g}: {self.right} taken for {self.found}"


class Rates(NamedTuple):
    """Of one label, or the means over labels."""

    precision: float
    recall: float
    f1: float


class Evaluation:
    """What is counted whatever a model foretells."""

    def __init__(self, predictor: Any, worst: int) -> None:
        self.predictor = predictor
        self.worst = worst
        self.errors: list[Any] = []
        """The worst, first."""
        self.count = 0
        """Examples."""
        self.unknown = 0
        """Examples without a feature that the model knows."""

    def judge(self, batch: Batch) -> Any:
        """What the model says of a batch."""
        judgement = self.predictor.judge(batch.examples)
        self.count += len(batch)
        self.unknown += int(judgement.unknown.sum())
        return judgement

    def keep_worst(self, errors: list[Any]) -> None:
        """Keep the worst of these and of those before."""
        self.errors = nlargest(self.worst, self.errors + errors)


class LabelEvaluation(Evaluation):
    """What is counted of labels, be there one or several an example."""

    def __init__(self, predictor: Any, worst: int) -> None:
        super().__init__(predictor, worst)
        self.labels = [str(label) for label in predictor.classes.tolist()]
        self._right: list[NDArray[np.bool_]] = []
        self._scores: list[NDArray[np.float64]] = []
        self._reliability: list[Reliability] = []

    def keep_scores(self, scores: NDArray[np.float64], right: NDArray[np.bool_]) -> None:
        """Keep what ranks examples by each label, and which have it, unless they are too many."""
        if self.count * len(self.labels) <= MOST_SCORES:
            self._scores.append(scores)
            self._right.append(right)
        else:
            self._scores, self._right = [], []

    @cached_property
    def reliability(self) -> Reliability | None:
        """What the model's probabilities are worth, where the labels are such as it knows."""
        found = Reliability.joined(self._reliability) if self._reliability else None
        return found if found is not None and len(found.right) else None

    @cached_property
    def areas(self) -> dict[str, Areas]:
        """Of each label that the model knows, if some examples have it and some have not.

        To be asked for once all batches are counted.
        """
        if not self._scores:
            return {}
        scores, right = np.concatenate(self._scores), np.concatenate(self._right)
        found = {name: areas(scores[:, k], right[:, k]) for k, name in enumerate(self.labels)}
        return {name: pair for name, pair in found.items() if pair is not None}


class LabelTally(LabelEvaluation):
    """How often each label was taken for each, and the worst errors."""

    def __init__(self, predictor: Any, worst: int) -> None:
        super().__init__(predictor, worst)
        self.pairs: Counter[tuple[str, str]] = Counter()

    def take(self, batch: Batch) -> None:
        """Count one batch."""
        judgement = self.judge(batch)
        lines, scores = batch.lines.tolist(), judgement.by_label
        rights = [str(label) for label in label_list(batch.known_labels())]
        founds = [str(label) for label in judgement.labels.tolist()]
        places = {name: k for k, name in enumerate(self.labels)}
        codes = np.array([places.get(name, -1) for name in rights])
        self.pairs.update(zip(rights, founds, strict=True))
        if self.predictor.has_probabilities:
            known = codes >= 0
            probabilities, winners = judgement.probabilities[known], judgement.winners[known]
            self._reliability.append(Reliability.of(probabilities, codes[known], winners))
        wrong = []
        for k, (right, found) in enumerate(zip(rights, founds, strict=True)):
            if right != found:
                lost = scores[k, codes[k]] if codes[k] >= 0 else scores[k].min()
                wrong.append((float(scores[k, places[found]] - lost), k))
        worst = [
            WrongLabel(margin, lines[k], rights[k], founds[k], excerpt(batch.examples, k))
            for margin, k in nlargest(self.worst, wrong)
        ]
        self.keep_worst(worst)
        self.keep_scores(margins_of(scores), codes[:, None] == np.arange(len(self.labels)))

    @property
    def wrong(self) -> int:
        return sum(times for (right, found), times in self.pairs.items() if right != found)

    @property
    def rights(self) -> Counter[str]:
        """How many examples have each label."""
        return self._summed(0)

    @property
    def foreign(self) -> Counter[str]:
        """The same of labels that the model does not know."""
        known = set(self.labels)
        return Counter({name: count for name, count in self.rights.items() if name not in known})

    def _summed(self, side: int) -> Counter[str]:
        total: Counter[str] = Counter()
        for pair, times in self.pairs.items():
            total[pair[side]] += times
        return total

    @property
    def confusions(self) -> list[tuple[str, str, int]]:
        """Which label was taken for which, the most frequent first."""
        wrong = [(*pair, times) for pair, times in self.pairs.items() if pair[0] != pair[1]]
        return sorted(wrong, key=lambda one: (-one[2], one[:2]))

    def rates(self) -> dict[str, Rates]:
        """Of each label that came up; zero where there is nothing to divide by."""
        rights, founds = self.rights, self._summed(1)
        return {
            name: rates_of(self.pairs[name, name], rights[name], founds[name])
            for name in sorted(rights | founds)
        }

    def averages(self) -> dict[str, Rates]:
        """Over labels, each counting alike; and over examples, where all three are the accuracy."""
        means = np.mean([*self.rates().values()], axis=0).tolist()
        return {"macro": Rates(*means), "micro": Rates(*3 * [1 - self.wrong / self.count])}

    def facts(self) -> dict[str, Any]:
        low, high = interval(self.wrong, self.count)
        label, times = self.rights.most_common(1)[0]
        return {
            "examples": self.count,
            "error": self.wrong / self.count,
            "low": low,
            "high": high,
            "majority": label,
            "majority_error": 1 - times / self.count,
            **facts_of_labels(self),
            "confusions": [
                {"label": right, "taken_for": found, "times": times}
                for right, found, times in self.confusions
            ],
            "worst": [error._asdict() for error in self.errors],
        }


def rates_of(hits: int, right: int, given: int) -> Rates:
    """Precision, recall and F1 of such counts."""
    both = right + given
    precision, recall = hits / given if given else 0.0, hits / right if right else 0.0
    return Rates(precision, recall, 2 * hits / both if both else 0.0)


def facts_of_labels(tally: Any) -> dict[str, Any]:
    """What was counted of each label, and of those that the model does not know."""
    curves = {name: pair._asdict() for name, pair in tally.areas.items()}
    return {
        "labels": {
            name: rates._asdict() | {"areas": curves.get(name), "examples": tally.rights[name]}
            for name, rates in tally.rates().items()
        },
        "averages": {name: rates._asdict() for name, rates in tally.averages().items()},
        "foreign": dict(tally.foreign),
    }


def excerpt(examples: Any, k: int) -> str:
    """What a person would know an example by: its text, its cells or its names."""
    if isinstance(examples, Texts):
        return examples[k]
    if isinstance(examples, Records):
        cells = examples[k].items()
        known = [(name, cell) for name, cell in cells if cell == cell and cell != ""]
        return ", ".join(
            f"{name}={cell if isinstance(cell, str) else format(cell, 'g')}" for name, cell in known
        )
    if isinstance(examples, Bags):
        return " ".join(name for name, _ in examples[k])
    return ""
