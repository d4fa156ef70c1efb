"""What a model adds to the rows of a DataFrame: the columns, and how workers fill them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.inputs.parameters import check_count
from rosenblatt.persistence.predictor import Judgement, Predictor
from rosenblatt.training.decisions import Decision, labels_or, refuse_to_abstain

KINDS = {"b": "bool_", "i": "int64", "u": "int64", "f": "float64"}
"""The type of Arrow's for labels of each kind of NumPy's; others are strings."""


@dataclass(frozen=True)
class ScoredColumns:
    """What each column is called; None where it is left out."""

    prediction: str
    score: str | None = None
    probability: str | None = None
    top: str | None = None
    unknown: str | None = None
    best: int = 1
    """How many labels ``top`` lists."""
    threshold: Any = None
    abstain_below: float | None = None
    abstain: Any = None

    @property
    def parameters(self) -> dict[str, str]:
        """The columns that are asked for, by the parameter that names each."""
        words = ("prediction", "score", "probability", "top", "unknown")
        every = {f"{word}Col": getattr(self, word) for word in words}
        return {parameter: name for parameter, name in every.items() if name is not None}

    @property
    def names(self) -> list[str]:
        return [*self.parameters.values()]

    def of(self, predictor: Predictor) -> "ScoredColumns":
        """Those that a model can fill; refused if more was asked for than it can."""
        asked = self.probability, self.top, self.threshold, self.abstain_below
        if predictor.foretold == "number":
            if any(each is not None for each in asked):
                raise InputError("The model tells numbers, which are not chosen among labels")
            return ScoredColumns(self.prediction, unknown=self.unknown)
        check_count("top", self.best)
        decision = self._decision(predictor)
        if decision or self.probability:
            predictor.require_probabilities()
        if decision is None:
            refuse_to_abstain(self.abstain)
        if self.abstain is not None:
            kind = np.asarray(self.abstain).dtype.kind
            if KINDS.get(kind) != KINDS.get(predictor.classes.dtype.kind):
                what = "be a label of the type of the others, which a column has one of"
                raise InputError(Name("abstain"), must=what, got=repr(self.abstain))
        return self

    def _decision(self, predictor: Predictor) -> Decision | None:
        asked, several = (self.threshold, self.abstain_below), predictor.gives_sets
        return Decision.of(predictor.classes, *asked, several=several)

    def types(self, predictor: Predictor) -> list[Any]:
        """The types of Arrow's of these columns, in the order of their names."""
        import pyarrow as pa

        number, numbers = pa.float64(), pa.list_(pa.float64())
        label = getattr(pa, KINDS.get(predictor.classes.dtype.kind, "string"))()
        first = {"label": label, "labels": pa.list_(label), "number": number}[predictor.foretold]
        two = len(predictor.classes) == 2 and predictor.foretold == "label"
        ranked = [("label", label), ("score", number)]
        ranked += [("probability", number)] if predictor.has_probabilities else []
        every = (
            (self.prediction, first),
            (self.score, number if two else numbers),
            (self.probability, numbers),
            (self.top, pa.list_(pa.struct(ranked))),
            (self.unknown, number),
        )
        return [kind for name, kind in every if name is not None]

    def arrays(self, predictor: Predictor, examples: Any) -> list[Any]:
        """These columns for some examples."""
        import pyarrow as pa

        judged = predictor.judge(examples, unknown=self.unknown is not None)
        made: list[Any] = [self._given(predictor, judged)]
        if self.score is not None:
            found = np.asarray(judged.scores, dtype=np.float64)
            made.append(found if found.ndim == 1 else found.tolist())
        if self.probability is not None:
            made.append(judged.probabilities.tolist())
        if self.top is not None:
            made.append(self._ranked(predictor, judged))
        if self.unknown is not None:
            made.append(judged.unknown_share)
        types = self.types(predictor)
        return [pa.array(cells, kind) for cells, kind in zip(made, types, strict=True)]

    def _given(self, predictor: Predictor, judged: Judgement) -> list[Any]:
        """The label of each example, or its labels, or its number."""
        decision = self._decision(predictor)
        if predictor.foretold == "labels":
            return [list(own) for own in judged.sets(decision).tuples()]
        labels = judged.labels
        if decision is not None:
            codes = judged.codes(decision)
            labels = labels_or(predictor.classes, codes, self.abstain)
        return labels.tolist()

    def _ranked(self, predictor: Predictor, judged: Judgement) -> list[Any]:
        """The best labels of each example, with what is known of each."""
        order = judged.strongest(self.best)
        tables = {"score": judged.by_label}
        if predictor.has_probabilities:
            tables["probability"] = judged.probabilities
        numbers = {word: np.take_along_axis(table, order, 1) for word, table in tables.items()}
        labels = predictor.classes[order].tolist()
        return [
            [
                {"label": label} | {word: float(of[row, place]) for word, of in numbers.items()}
                for place, label in enumerate(own)
            ]
            for row, own in enumerate(labels)
        ]
