"""Which label to give, if any, when labels have probabilities."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.inputs.labels import labels_at
from rosenblatt.inputs.parameters import check_count, is_share, wrong
from rosenblatt.training.calibration import Calibration, most_probable, of_each
from rosenblatt.training.scorer import Scorer
from rosenblatt.training.storage import Array
from rosenblatt.training.thresholds import Sigmoids, Thresholds

ABSTAINS = -1
"""Stands for the number of a class where no label is given."""


class Decision(NamedTuple):
    """The probabilities that labels need.

    A label with a threshold of its own is given where its probability reaches it, and nowhere else;
    of several, the one that reaches the largest multiple. Where none does, the most probable of
    the other labels is given, if it reaches what they all need, and else none. Among labels that
    are equally probable the one that scores highest goes first.
    """

    own: Array
    """The threshold of each class; NaN for the others."""
    shared: float
    """What the others need."""

    @classmethod
    def of(
        cls, classes: NDArray[Any], threshold: Any, abstain_below: Any, *, several: bool = False
    ) -> "Decision | None":
        """What a caller asks for, if anything; of several labels a number is for each."""
        if threshold is None and abstain_below is None:
            return None
        if several and abstain_below is not None:
            raise not_for_sets("abstain_below")
        own = np.full(len(classes), np.nan)
        if several and threshold is not None and not isinstance(threshold, Mapping):
            if not is_share(threshold) or threshold == 0:
                must = "lie above 0 and be at most 1, or be a dict of such numbers by label"
                raise wrong("threshold", threshold, must)
            own[:] = threshold
        elif threshold is not None:
            if not isinstance(threshold, Mapping):
                raise wrong("threshold", threshold, "be a dict of probabilities by label")
            places = {label: place for place, label in enumerate(classes.tolist())}
            for label, least in threshold.items():
                if label not in places:
                    unknown = f" names the label {label!r}, which the model does not know"
                    raise InputError(Name("threshold"), unknown)
                if not is_share(least) or least == 0:
                    between = "lie above 0 and be at most 1"
                    raise InputError(
                        *(Name("threshold"), f" of {label!r}"), must=between, got=repr(least)
                    )
                own[places[label]] = least
        if abstain_below is not None and not is_share(abstain_below):
            raise wrong("abstain_below", abstain_below, "lie between 0 and 1")
        return cls(own, float(abstain_below or 0.0))

    def codes(self, probabilities: Array, winners: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of each example's class; ABSTAINS where no label is given."""
        named = ~np.isnan(self.own)
        times = np.where(named & (probabilities >= self.own), probabilities / self.own, 0.0)
        first = most_probable(times, winners)
        others = np.where(named, -1.0, probabilities)
        second, rows = most_probable(others, winners), np.arange(len(probabilities))
        reached = others[rows, second] >= self.shared
        found = np.where(times[rows, first] > 0, first, np.where(reached, second, ABSTAINS))
        return found.astype(np.int64)


def not_for_sets(name: str) -> InputError:
    """For a parameter that says when to give no label."""
    one = " is for one label an example, and this model gives sets, which may be empty"
    return InputError(Name(name), one, remedy=("use ", Name("threshold")))


def predicted(
    classes: NDArray[Any],
    thresholds: Thresholds | None,
    scorer: Scorer,
    rows: Any,
    calibration: Callable[[], Calibration | Sigmoids],
    decision: Decision | None,
    top: Any,
    abstain: Any,
) -> Any:
    """What ``predict`` gives for rows, as it is asked to; looks at ``calibration`` if it must."""
    known = None if decision is None else calibration()
    if thresholds is not None and abstain is not None:
        raise not_for_sets("abstain")
    if thresholds is not None and top is None:
        return given_sets(classes, scorer.scores(rows), thresholds, decision, known).as_given()
    if top is None and decision is None and abstain is None:
        return labels_at(classes, scorer.winners(rows))
    winners, scores = scorer.judge(rows)
    if decision is None:
        refuse_to_abstain(abstain)
        return labels_at(classes, strongest(scores, winners, top))
    if top is not None:
        raise InputError(
            *(Name("top"), " lists labels whatever their probability, so that "),
            *(Name("threshold"), " and ", Name("abstain_below"), " cannot be held against it"),
        )
    assert known is not None
    probabilities = known.probabilities(scores, len(classes))
    return labels_or(classes, decision.codes(probabilities, winners), abstain)


def given_sets(
    classes: NDArray[Any],
    scores: Array,
    thresholds: Thresholds,
    decision: Decision | None = None,
    calibration: Calibration | Sigmoids | None = None,
) -> LabelSets:
    """The labels of each example, where it may have several.

    A label with a threshold of the caller's own is given where its probability reaches that.
    """
    sets = thresholds.sets(scores, classes)
    if decision is not None and calibration is not None:
        probable = calibration.probabilities(scores, len(classes)) >= decision.own
        given = np.where(np.isnan(decision.own), sets.indicator(), probable)
        sets = LabelSets.of(given, classes, as_indicator=sets.as_indicator)
    return sets


def labels_or(classes: NDArray[Any], codes: NDArray[np.int64], abstain: Any) -> NDArray[Any]:
    """The labels of these numbers, and ``abstain`` where there is none."""
    other = np.asarray(abstain)
    if other.ndim:
        raise wrong("abstain", abstain, "be one label or None")
    same = other.dtype.kind == classes.dtype.kind
    all_of = np.append(classes, other) if same else np.append(classes.astype(object), abstain)
    return all_of[codes]


def strongest(scores: Array, winners: NDArray[np.int64], top: Any) -> NDArray[np.int64]:
    """The numbers of the ``top`` classes that score highest, the winner first."""
    check_count("top", top)
    each = of_each(scores).copy()
    each[np.arange(len(each)), winners] = np.inf
    order: NDArray[np.int64] = np.argsort(-each, axis=1, kind="stable")
    return order[:, : int(top)]


def refuse_to_abstain(abstain: Any) -> None:
    """Refuse a label to give where none is, as there is always one."""
    if abstain is not None:
        remedy = ("say when: ", Name("abstain_below"), " or ", Name("threshold"))
        raise InputError(Name("abstain"), " is given where no label is", remedy=remedy)
