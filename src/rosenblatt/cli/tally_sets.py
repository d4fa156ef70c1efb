"""What ``evaluate`` counts where an example may have several labels."""

from collections import Counter
from heapq import nlargest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.cli.reliability import measures
from rosenblatt.cli.tally import LabelEvaluation, Rates, excerpt, facts_of_labels, rates_of
from rosenblatt.inputs.label_sets import LabelSets, ranking_losses
from rosenblatt.readers.data import Batch
from rosenblatt.training.reliability import Reliability

LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""The probabilities from which on labels might be given."""


class WrongSet(NamedTuple):
    """An example whose labels came out wrong, and how far a score was from where it should be."""

    margin: float
    line: int
    right: list[str]
    found: list[str]
    text: str

    @property
    def said(self) -> str:
        """All but the text, in words."""
        right, found = (", ".join(labels) or "none" for labels in (self.right, self.found))
        return f"line {self.line}, by {self.margin:.3g}: {right} taken for {found}"


class FromLevel(NamedTuple):
    """What would come of giving each label from a probability on, over all labels together."""

    threshold: float
    precision: float
    recall: float
    f1: float
    without: float
    """The share of the examples without any label."""


class SetTally(LabelEvaluation):
    """How many labels were right, of each and of each example, and the worst errors."""

    def __init__(self, predictor: Any, worst: int) -> None:
        super().__init__(predictor, worst)
        self.exact = 0
        self.apart = 0
        """Labels that are wrong, given or not."""
        self.foreign: Counter[str] = Counter()
        self._lost = 0.0
        self._counts = np.zeros((3, len(self.labels)), np.int64)
        """Of each label: given and right, right, given."""
        self._at_levels = np.zeros((len(LEVELS), 3), np.int64)
        """From each of these on: labels given and right, labels given, examples with none."""

    def take(self, batch: Batch) -> None:
        """Count one batch."""
        judgement = self.judge(batch)
        scores, found = judgement.scores, judgement.sets()
        sets = batch.known_labels()
        assert isinstance(sets, LabelSets)
        right, foreign = self._among(sets)
        given = found.indicator().astype(bool)
        self._counts += np.stack([(right & given).sum(0), right.sum(0), given.sum(0)])
        apart = (right != given).sum(axis=1) + foreign
        self.apart += int(apart.sum())
        self.exact += int((apart == 0).sum())
        known = LabelSets.of(right, self.predictor.classes, as_indicator=False)
        self._lost += float(ranking_losses(known, scores).sum())
        if self.predictor.has_probabilities:
            probabilities = judgement.probabilities
            self._reliability.append(Reliability.of_each_label(probabilities, right))
            self._at_levels += [counts_from(level, probabilities, right) for level in LEVELS]
        self._note_worst(batch, (sets.tuples(), found.tuples()), (right, given), judgement)
        self.keep_scores(scores, right)

    def _among(self, sets: LabelSets) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Which labels of the model each example has, and how many of others."""
        names = [str(label) for label in sets.classes.tolist()]
        places = {name: k for k, name in enumerate(self.labels)}
        own = np.array([places.get(name, -1) for name in names], np.int64)[sets.numbers]
        rows = np.repeat(np.arange(len(sets)), np.diff(sets.indptr))
        right = np.zeros((len(sets), len(self.labels)), np.bool_)
        right[rows[own >= 0], own[own >= 0]] = True
        self.foreign.update(names[k] for k in sets.numbers[own < 0])
        return right, np.bincount(rows[own < 0], minlength=len(sets))

    def _note_worst(self, batch: Batch, tuples: Any, masks: Any, judgement: Any) -> None:
        right, given = masks
        beyond = np.abs(judgement.beyond_thresholds)
        margins = np.where(right != given, beyond, -np.inf).max(axis=1)
        places = nlargest(self.worst, ((m, k) for k, m in enumerate(margins.tolist()) if m >= 0))
        worst = [
            WrongSet(
                margin,
                int(batch.lines[k]),
                [*map(str, tuples[0][k])],
                [*map(str, tuples[1][k])],
                excerpt(batch.examples, k),
            )
            for margin, k in places
        ]
        self.keep_worst(worst)

    @property
    def rights(self) -> dict[str, int]:
        """How many examples have each label."""
        return dict(zip(self.labels, self._counts[1].tolist(), strict=True))

    def rates(self) -> dict[str, Rates]:
        """Of each label that came up; zero where there is nothing to divide by."""
        each = zip(self.labels, self._counts.T.tolist(), strict=True)
        return {name: rates_of(*counts) for name, counts in each if counts[1] or counts[2]}

    def averages(self) -> dict[str, Rates]:
        """Over labels, each counting alike; and over all labels of all examples."""
        rates = [*self.rates().values()] or [Rates(0.0, 0.0, 0.0)]
        hits, right, given = self._counts.sum(axis=1).tolist()
        micro = rates_of(hits, right + self.foreign.total(), given)
        return {"macro": Rates(*np.mean(rates, axis=0).tolist()), "micro": micro}

    @property
    def ranking_precision(self) -> float:
        return 1 - self._lost / self.count

    @property
    def hamming_loss(self) -> float:
        """The share of wrong ones among all labels of all examples."""
        return self.apart / (self.count * (len(self.labels) + len(self.foreign)))

    def from_levels(self) -> list[FromLevel]:
        """What would come of giving all labels from some probability on."""
        right = int(self._counts[1].sum()) + self.foreign.total()
        return [
            FromLevel(level, *rates_of(hits, right, given), none / self.count)
            for level, (hits, given, none) in zip(LEVELS, self._at_levels.tolist(), strict=True)
        ]

    def facts(self) -> dict[str, Any]:
        found = self.reliability
        return {
            "examples": self.count,
            "subset_accuracy": self.exact / self.count,
            "hamming_loss": self.hamming_loss,
            "ranking_precision": self.ranking_precision,
            **facts_of_labels(self),
            "probabilities": None
            if found is None
            else measures(found) | {"thresholds": [each._asdict() for each in self.from_levels()]},
            "worst": [error._asdict() for error in self.errors],
        }


def counts_from(
    level: float, probabilities: NDArray[np.float64], right: NDArray[np.bool_]
) -> tuple[int, int, int]:
    """Labels given from this probability on that are right, all given, and examples with none."""
    given = probabilities >= level
    return int((given & right).sum()), int(given.sum()), int((~given.any(axis=1)).sum())
