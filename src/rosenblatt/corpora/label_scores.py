"""What a model says of texts where one of its labels is wanted."""

import os
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.corpora.top_share import share_of
from rosenblatt.features.examples import Texts
from rosenblatt.inputs.errors import InputError, InputTypeError, Name
from rosenblatt.inputs.parameters import check_number, is_share, wrong
from rosenblatt.persistence.predictor import Predictor
from rosenblatt.training.storage import Array

WAYS = ("min_probability", "min_score", "keep_top", "scores")
"""To say what is wanted of a corpus, of which a caller takes one."""
MOST_LABELS = 20
"""That a message lists."""


def model_path(model: Any) -> str:
    """Where a model's file is, if that is what is given."""
    if not isinstance(model, str | os.PathLike):
        got, remedy = type(model).__name__, "save it and give its path"
        raise InputTypeError(Name("model"), must="be a model's file", got=got, remedy=remedy)
    return os.fspath(model)


class LabelScores(NamedTuple):
    """Of each text."""

    scores: Array
    """How far the label is ahead of its strongest rival; where an example may have several labels,
    its own score."""
    probabilities: Array | None
    """Of the label, if the model knows them."""


@dataclass(frozen=True)
class LabelScorer:
    """A model and the label of it that is wanted."""

    predictor: Predictor
    label: Any
    place: int

    @classmethod
    def of(cls, predictor: Predictor, label: Any) -> "LabelScorer":
        """The label may also be said as a string, as the command line does."""
        if not predictor.takes_text:
            raise InputError(
                "The model does not take texts", remedy="train one on a column of texts"
            )
        if predictor.foretold == "number":
            raise InputError("The model predicts numbers", remedy="train one on labels")
        labels = predictor.classes.tolist()
        known = {str(each): place for place, each in enumerate(labels)}
        if str(label) not in known:
            some = ", ".join([*map(repr, known)][:MOST_LABELS])
            raise InputError(Name("label"), must=f"be one of the model's, {some}", got=repr(label))
        return cls(predictor, labels[known[str(label)]], known[str(label)])

    def score(self, texts: Texts) -> LabelScores:
        scores = self.predictor.scores(texts)
        if scores.ndim == 1:
            own = scores if self.place else -scores
        elif self.predictor.gives_sets or scores.shape[1] == 1:
            own = scores[:, self.place]
        else:
            own = scores[:, self.place] - np.delete(scores, self.place, axis=1).max(axis=1)
        probabilities = None
        if self.predictor.has_probabilities:
            probabilities = self.predictor.probabilities_of(scores)[:, self.place]
        return LabelScores(own + 0.0, probabilities)


@dataclass(frozen=True)
class KeepRule:
    """What a text needs to be kept."""

    number: float
    of_probability: bool
    """Or of the score."""

    @classmethod
    def of(cls, scorer: LabelScorer, min_probability: Any, min_score: Any) -> "KeepRule":
        if (min_probability is None) == (min_score is None):
            either = (Name("min_probability"), " or ", Name("min_score"))
            raise InputError("Say what is kept, once", remedy=("give ", *either))
        if min_score is not None:
            check_number("min_score", min_score)
            return cls(float(min_score), False)
        if not is_share(min_probability):
            raise wrong("min_probability", min_probability, "lie between 0 and 1")
        if not scorer.predictor.has_probabilities:
            raise InputError(
                "The model has scores but no probabilities",
                remedy=("use ", Name("min_score"), ", or train it with probabilities"),
            )
        return cls(float(min_probability), True)

    def keeps(self, scores: LabelScores) -> NDArray[np.bool_]:
        """Which texts have it."""
        if self.of_probability and scores.probabilities is not None:
            return scores.probabilities >= self.number
        return scores.scores >= self.number


@dataclass(frozen=True)
class Wanted:
    """What is wanted of a corpus: rows that have what it takes, a share of all, or their scores."""

    scorer: LabelScorer
    rule: KeepRule | None
    share: Fraction | None

    @classmethod
    def of(
        cls,
        predictor: Predictor,
        label: Any,
        *,
        min_probability: float | None,
        min_score: float | None,
        keep_top: float | str | None,
        scores: bool,
    ) -> "Wanted":
        said = (min_probability, min_score, keep_top, scores or None)
        if sum(each is not None for each in said) != 1:
            ways = [part for name in WAYS for part in (Name(name), ", ")][:-1]
            raise InputError("Say once what is wanted", remedy=("one of ", *ways))
        scorer = LabelScorer.of(predictor, label)
        share = None if keep_top is None else share_of(keep_top)
        of_rows = share is None and not scores
        rule = KeepRule.of(scorer, min_probability, min_score) if of_rows else None
        return cls(scorer, rule, share)

    def facts(self) -> dict[str, Any]:
        """The same for a record: equal where what is wanted is, however it was said."""
        facts = dict.fromkeys(WAYS) | {"scores": self.rule is None and self.share is None}
        if self.share is not None:
            facts["keep_top"] = str(self.share)
        if self.rule is not None:
            name = "min_probability" if self.rule.of_probability else "min_score"
            facts[name] = self.rule.number
        return facts
