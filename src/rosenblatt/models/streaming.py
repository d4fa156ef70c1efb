"""One example at a time: learn_one, predict_one and score_one."""

import numbers
import threading
from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt import core
from rosenblatt.inputs import class_weight, one_example
from rosenblatt.inputs.label_sets import (
    are_labels_of_one,
    not_of_one_kind,
    read_labels_of_one,
    refuse_sets_unless,
)
from rosenblatt.inputs.labels import list_text, read_classes, read_labels
from rosenblatt.inputs.names import Names
from rosenblatt.inputs.one_example import Hitch, Hitched
from rosenblatt.inputs.parameters import check_flag, wrong
from rosenblatt.models.base import Learner
from rosenblatt.models.probabilities import keep_scores, scores_before
from rosenblatt.training.learning_lock import WithLearningLock
from rosenblatt.training.mistakes import ROOM
from rosenblatt.training.passes import Rule
from rosenblatt.training.scorer import Scorer
from rosenblatt.training.state import State
from rosenblatt.training.thresholds import Thresholds


class Streaming(WithLearningLock, Learner):
    """Learns from single examples.

    Between calls a model is held ready by the core, in ``_ready``, until any attribute is set.
    """

    _ready: core.OneAtATime | None = None
    """Holds what is in ``_state`` and the parameters as they are."""

    _predicts_numbers = False
    """Whether examples come to numbers, and not to labels."""

    def learn_one(self, x: Any, y: Any, w: float = 1.0) -> None:
        """Learn from one example, in microseconds.

        A loop over examples leaves the same weights, bit for bit, as `partial_fit` with the same
        rows, and as one pass of `fit` with ``shuffle=False``. Names and labels that have not been
        seen before are added, with weights as at the start.

        Parameters
        ----------
        x : dict, list of pairs, pair of arrays, or row
            Names and their values; ``(name, value)`` pairs; an array of column numbers and one
            of values; or the values of all columns. Whole numbers as names are column numbers,
            unless the model already has columns with other names.

        y : label, or collection of labels
            While there is only one class there is no rival, and the example just counts. Where an
            example may have several labels, a set or list of them, or as River has it a dict that
            tells of each label whether it is right.

        w : float, default=1.0
            How many times as long as usual a step on this example is.
        """
        if self.probabilities and not self._gives_sets and not are_labels_of_one(y):
            with self._learning_lock:
                before = scores_before(self, x, y)
                self._learn_example(x, y, w)
                if before is not None:
                    keep_scores(self, before, y, w)
        else:
            self._learn_example(x, y, w)

    def _learn_example(self, x: Any, y: Any, w: Any) -> None:
        ready = self._ready
        if ready is None or ready.learn(x, y, w) is not None:
            with self._learning_lock:
                self._overcome_hitches(x, y, float(w) if isinstance(w, numbers.Real) else w)

    def predict_one(self, x: Any) -> Any:
        """Predict the class of one example; None before any label has been seen.

        Names that have not been seen before are left out. Where an example may have several labels
        their set is given, or if they were told as a dict or a matrix, a dict that tells of each
        whether it is given.

        Parameters
        ----------
        x : dict, list of pairs, pair of arrays, or row
            As for `learn_one`.
        """
        return None if self._state is None else self._scored("predict", x)

    def score_one(self, x: Any) -> float | dict[Any, float]:
        """Score one example: above zero for the second of two classes, else a dict of scores.

        Where an example may have several labels it is a dict, too.

        Parameters
        ----------
        x : dict, list of pairs, pair of arrays, or row
            As for `learn_one`.

        Returns
        -------
        score : float, or dict of floats by class
        """
        return 0.0 if self._state is None else self._scored("score", x)

    def declare(
        self,
        *,
        classes: ArrayLike | None = None,
        names: Iterable[Hashable] | None = None,
        several_labels: bool = False,
    ) -> Self:
        """Tell beforehand which labels and which names will come.

        Not needed, but then learning starts with all classes in the race, as in `partial_fit`,
        and columns have the order given here instead of that of arrival.

        Parameters
        ----------
        classes : array-like, optional
            Labels; those already known may be left out.

        names : iterable, optional
            Names of features; those already known may be left out.

        several_labels : bool, default=False
            Whether an example may have several labels, or none, each told by a dict as in River,
            whose metrics of several outputs ask before the first example. Else the first example
            says so.
        """
        check_flag("several_labels", several_labels)
        with self._learning_lock:
            self._let_go()
            state = self._started()
            if several_labels:
                state = self._for_sets(state, as_indicator=True)
            if classes is not None:
                both = _together(state.classes, read_classes(classes).tolist())
                state = self._with_classes(state, both)
            if names is not None:
                state = self._with_names(state, names)
            self._state = state
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        self._let_go()
        super().__setattr__(name, value)
        self._let_go()  # of what another thread held ready meanwhile

    def __getstate__(self) -> Any:
        with self._learning_lock:
            state: Any = super().__getstate__()
            state.pop("_ready", None)
            if self._state is not None:
                state["_state"] = self._snapshot()
        return state

    def _snapshot(self) -> State:
        """What was learned up to now, which other threads may go on to change."""
        with self._learning_lock:
            if threading.active_count() == 1:
                return self._learned
            self._let_go()  # so that they wait for their turn to learn
            return self._learned.copy()

    def _let_go(self) -> None:
        """Hold nothing ready, nor let other threads go on with what was."""
        ready = self.__dict__.pop("_ready", None)
        if ready is not None:
            ready.let_go()

    def _started(self) -> State:
        """What was learned, or where learning starts when labels and features come at will."""
        if self._state is not None:
            return self._state
        self._check_parameters()
        return self._first_state(np.empty(0, dtype=object), width=0)

    def _for_sets(self, state: State, *, as_indicator: bool) -> State:
        """The same where an example may have several labels, as it does or may yet come to do."""
        if state.thresholds is not None:
            return state
        refuse_sets_unless(self._takes_label_sets, type(self).__name__)
        if len(state.classes):
            raise not_of_one_kind(type(self).__name__, several=False)
        return state.for_sets(Thresholds.first(0, as_indicator=as_indicator))

    def _overcome_hitches(self, x: Any, y: Any, w: Any) -> None:
        """Overcome one after another; a call that is refused leaves the model as it was."""
        before, example, plain = self._state, x, False
        # A state is the model's before the core writes to it, so that an interrupt at any moment
        # finds names, weights and counts that agree.
        try:
            self._state = self._started()
            if are_labels_of_one(y):
                self._state = self._for_sets(self._state, as_indicator=isinstance(y, dict))
            elif self._gives_sets:
                raise not_of_one_kind(type(self).__name__, several=True)
            while hitched := self._ready_to_learn("learn_one").learn(example, y, w):
                kind, *what = hitched.why
                state = self._learned
                if kind is Hitch.label:
                    self._state = self._with_label(state, y)
                elif kind is Hitch.room:
                    self._state = self._with_room(state, *what)
                elif kind is Hitch.mistakes and state.mistakes is not None:
                    self._let_go()  # before the arrays that it holds are replaced
                    state.mistakes.make_room(ROOM, *what)
                elif kind in (Hitch.rule, Hitch.replaced):
                    self._let_go()  # of what another thread has held ready to predict
                elif kind is Hitch.key and not state.width:
                    self._state = replace(state, names=Names())
                elif kind is Hitch.form and not plain:
                    self._state = self._as_wide_as(state, x)
                    example, plain = one_example.plain(x), True
                elif kind is Hitch.importance:
                    raise wrong("w", w, "be a finite number of zero or more")
                else:
                    self._refuse(hitched.why)
        except Exception:
            self._state = before
            raise

    def _scored(self, method: str, x: Any) -> Any:
        """What the core's predict, score or table says of an example."""
        ready = self._ready or self._hold_ready(None)
        score = getattr(ready, method)
        outcome = score(x)
        if type(outcome) is not Hitched:
            return outcome
        # The core reads the form of an example before its names, so that no retry meets an earlier
        # hitch. Any may find that another thread has replaced the model, and then all begins anew.
        if outcome.why[0] is Hitch.form:
            outcome = score(one_example.plain(x))
        if _hindered(outcome, Hitch.key) and not self._learned.width:
            outcome = score({})
        if _hindered(outcome, Hitch.replaced):
            return self._scored(method, x)
        return self._refuse(outcome.why) if type(outcome) is Hitched else outcome

    def _as_wide_as(self, state: State, x: Any) -> State:
        """An example that says how many columns there are says so to an empty model."""
        width = one_example.width_of(x)
        if width is None or width == state.width:
            return state
        if state.width:
            self._refuse((Hitch.length, width))
        return self._widened(state, width)

    def _widened(self, state: State, width: int) -> State:
        """The same with so many features, new ones as at the start."""
        return replace(state, weights=state.weights.with_features(width))

    def _with_room(self, state: State, width: int) -> State:
        """The same with room for so many features and more."""
        return replace(state, weights=state.weights.with_room(width))

    @property
    def _presence(self) -> core.Presence | None:
        """How values are read where features are either present or absent."""
        return None

    def _refuse(self, hitch: tuple[Any, ...]) -> NoReturn:
        state = self._learned
        one_example.refuse_hitch(type(self).__name__, state.width, state.names is not None, hitch)

    def _took_row(self, X: Any, y: Any) -> bool:
        """Whether a table of one plain row was learned from as by `learn_one`, which is quicker.

        If not, nothing has been learned; `partial_fit` then finds out what is wrong, if anything.
        """
        state = self._state
        if (
            state is None
            or state.names is not None
            or state.thresholds is not None
            or len(state.classes) < 2
            or self.probabilities
            or (row := one_example.only_row(X, state.width)) is None
        ):
            return False
        kind, label = one_example.only_label(y)
        if kind != state.classes.dtype.kind:
            return False
        ready = self._ready
        if ready is None:
            with self._learning_lock:
                ready = self._ready_to_learn("partial_fit")
        return ready.learn(row, label, 1.0, widen=False) is None

    def _ready_to_learn(self, method: str) -> core.OneAtATime:
        if self._ready is not None:
            return self._ready
        self._check_parameters()
        class_weight.check_known(self.class_weight, method)
        self._learned.check_learns()
        self._check_averaging(self._learned)
        if self._learned.run.goal:
            self._state = self._learned.next_run(0)
        if self._learned.features is not None:
            self._state = replace(self._learned, features=None)
        return self._hold_ready(self._rule())

    def _hold_ready(self, rule: Rule | None) -> core.OneAtATime:
        """Let the core hold the model ready, without a rule only to score."""
        state, learns = self._learned.thawed(), rule is not None
        if learns:
            state = self._recording(state)
        if state is not self._state:
            self._state = state
        weights, scorer = state.weights, self._scorer(state)
        mistakes = state.mistakes if learns else None
        values, missed, sureness, covariance = weights.numbers()
        ready = core.OneAtATime(
            values,
            missed,
            sureness,
            covariance,
            weights.counts,
            weights.measures,
            weights.features,
            None if state.names is None else state.names.columns,
            state.classes.tolist(),
            scorer.constant,
            bool(self.unit_length),
            scorer.ties,
            self._presence,
            rule,
            class_weight.of_classes(self.class_weight, state.classes) if learns else None,
            None if mistakes is None else mistakes.for_the_core(mistakes.places(1)),
            weights.form.half_life,
            regression=self._predicts_numbers,
            divisor=weights.form.divisor or 1.0,
            thresholds=None if state.thresholds is None else state.thresholds.scores,
            as_dict=state.thresholds is not None and state.thresholds.as_indicator,
        )
        before = self._ready
        super().__setattr__("_ready", ready)
        if before is not None:
            before.let_go()
        if self._state is not state:  # any more, as another thread has learned
            self._let_go()
        return ready

    def _with_label(self, state: State, y: Any) -> State:
        """The same with a label that is new, or with those of a set."""
        if state.thresholds is not None:
            labels = read_labels_of_one(y)
            if set(labels) <= set(state.classes.tolist()):
                raise wrong("y", y, "hold labels that can be told apart")
            return self._with_classes(state, _together(state.classes, labels))
        if not isinstance(y, Hashable):
            raise wrong("y", y, "be one label")
        label = np.asarray(read_labels(type(self).__name__, [y], 1)).tolist()
        if label[0] in state.classes.tolist():  # a string that ends in zeros, say
            raise ValueError(f"The label {y!r} cannot be told from {label[0]!r}.")
        return self._with_classes(state, _together(state.classes, label))

    def _with_names(self, state: State, names: Iterable[Hashable]) -> State:
        """The same with features of these names, too."""
        if state.names is None and state.width:
            raise ValueError(
                f"The columns of this {type(self).__name__} have numbers: declare names in a new "
                "model."
            )
        known = {} if state.names is None else state.names.columns
        both = Names(dict.fromkeys([*known, *names]))
        return replace(self._widened(state, len(both.columns)), names=both, features=None)


def told_of_row(method: str, table: Any, labels: list[Any], scorer: Scorer) -> Any:
    """What "predict" or "score" tells of the only row of a table."""
    if len(labels) < 2:
        return 0.0 if method == "score" else next(iter(labels), None)
    if method == "predict":
        return labels[scorer.winners(table)[0]]
    scores = scorer.scores(table)[0].tolist()
    return scores if len(labels) == 2 else dict(zip(labels, scores, strict=True))


def _hindered(outcome: Any, kind: Hitch) -> bool:
    """Whether it is this kind of hitch that the core met."""
    return type(outcome) is Hitched and outcome.why[0] is kind


def _together(classes: NDArray[Any], labels: list[Any]) -> NDArray[Any]:
    """Classes known and labels new, sorted."""
    try:
        both = sorted({*classes.tolist(), *labels})
        together = np.array(both)
    except (TypeError, ValueError):
        together = None
    if together is None or together.tolist() != both:
        raise ValueError(
            f"The label {labels[0]!r} cannot be sorted among the classes {list_text(classes)}: use "
            "labels of one type."
        )
    return together
