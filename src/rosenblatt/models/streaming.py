"""One example at a time: learn_one, predict_one and score_one."""

import numbers
from collections.abc import Callable, Hashable, Iterable
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt import core
from rosenblatt.inputs import one_example as forms
from rosenblatt.inputs.labels import listed, read_classes, read_labels
from rosenblatt.inputs.names import Names
from rosenblatt.inputs.one_example import Hitch
from rosenblatt.models.columns import Columns
from rosenblatt.training.mistakes import Mistakes
from rosenblatt.training.passes import Rule
from rosenblatt.training.run import ROOM, Progress
from rosenblatt.training.weights import Weights


class OneAtATime(Columns):
    """Learns from single examples; the rest of a linear model gives it weights, rule and classes.

    Between calls a model is held ready by the core, in ``_ready``, until any attribute is set.
    """

    fit_intercept: bool
    ties: str
    unit_length: bool
    class_weight: Any
    record: bool
    classes_: NDArray[Any]
    _progress: Progress

    _mistakes: Mistakes | None = None
    """Those kept with their rows, where they are what predicts."""

    _takes_single_examples = True
    """Whether a single example says enough, as it does where weights or mistakes are kept."""

    _draft: Callable[[], Self]
    _start_without_classes: Callable[[], None]
    _thaw: Callable[[], None]
    _admit: Callable[[ArrayLike], None]
    _rule: Callable[[], Rule]
    _check_parameters: Callable[[], None]
    _check_averaging: Callable[[], None]
    _check_class_weight_known: Callable[[str], None]
    _weights_of_known_classes: Callable[[], NDArray[np.float64] | None]

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

        y : label
            While there is only one class there is no rival, and the example just counts.

        w : float, default=1.0
            How many times as long as usual a step on this example is.
        """
        ready = self.__dict__.get("_ready")
        if ready is None or ready.learn(x, y, w) is NotImplemented:
            self._learn_the_long_way(x, y, w)

    def predict_one(self, x: Any) -> Any:
        """Predict the class of one example; None before any label has been seen.

        Names that have not been seen before are left out.

        Parameters
        ----------
        x : dict, list of pairs, pair of arrays, or row
            As for `learn_one`.

        Returns
        -------
        label
        """
        return self._scored("predict", x) if "_weights" in self.__dict__ else None

    def score_one(self, x: Any) -> float | dict[Any, float]:
        """Score one example: above zero for the second of two classes, else a dict of scores.

        Parameters
        ----------
        x : dict, list of pairs, pair of arrays, or row
            As for `learn_one`.

        Returns
        -------
        score : float, or dict of floats by class
        """
        score: float | dict[Any, float] = 0.0
        if "_weights" in self.__dict__:
            score = self._scored("score", x)
        return score

    def declare(
        self, *, classes: ArrayLike | None = None, names: Iterable[Hashable] | None = None
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

        Returns
        -------
        self
        """
        self._check_takes_single_examples()
        self._change(lambda draft: draft._take_declared(classes, names))
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        (value if name == "__dict__" else self.__dict__).pop("_ready", None)
        super().__setattr__(name, value)

    def __getstate__(self) -> Any:
        state: Any = super().__getstate__()
        state = state.copy()  # as another thread may be about to predict
        state.pop("_ready", None)
        return state

    @property
    def _constant(self) -> float:
        return 1.0 if self.fit_intercept else 0.0

    @property
    def _ties(self) -> core.Ties:
        return core.Ties.mistake if self.ties == "mistake" else core.Ties.first

    @property
    def _presence(self) -> core.Presence | None:
        """How values are read where features are either present or absent."""
        return None

    def _learn_the_long_way(self, x: Any, y: Any, w: Any) -> None:
        """Overcome one hitch after another; a call that is refused leaves the model as it was."""
        self._check_takes_single_examples()
        before, example = self.__dict__, x
        if isinstance(w, numbers.Real):
            w = float(w)
        try:
            self._change(lambda draft: draft._start_without_classes())
            while (ready := self._ready_to_learn("learn_one")).learn(
                example, y, w
            ) is NotImplemented:
                kind, *what = ready.hitch
                if kind is Hitch.label:
                    self._change(lambda draft: draft._admit_label(y))
                elif kind is Hitch.room:
                    self._weights = self._with_room(*what)
                elif kind is Hitch.journal:
                    self.__dict__.pop("_ready")
                elif kind is Hitch.mistakes and self._mistakes is not None:
                    self.__dict__.pop("_ready")  # before the arrays that it holds are replaced
                    self._mistakes.make_room(ROOM, *what)
                elif kind is Hitch.key and not self._weights.width:
                    self._names = Names()
                elif kind is Hitch.form and example is x:
                    self._take_width(x)
                    example = forms.plain(x)
                elif kind is Hitch.importance:
                    raise ValueError(f"w must be a finite number of zero or more, got w={w!r}.")
                else:
                    self._refuse(ready.hitch)
        except Exception:
            self.__dict__ = before
            raise

    def _check_takes_single_examples(self) -> None:
        if not self._takes_single_examples:
            raise TypeError(
                f"{type(self).__name__} learns from tables and predicts rows of them: use "
                "partial_fit and predict."
            )

    def _change(self, change: Callable[[Self], None]) -> None:
        """Make a change on a draft, so that an interrupt finds all of it or nothing."""
        draft = self._draft()
        change(draft)
        self.__dict__ = draft.__dict__

    def _take_declared(self, classes: ArrayLike | None, names: Iterable[Hashable] | None) -> None:
        self._start_without_classes()
        if classes is not None:
            self._admit(_together(self.classes_, read_classes(classes).tolist()))
        if names is not None:
            self._admit_names(names)

    def _scored(self, method: str, x: Any) -> Any:
        """What the core's predict, score or table says of an example."""
        self._check_takes_single_examples()
        ready = self.__dict__.get("_ready") or self._hold_ready(None)
        outcome = getattr(ready, method)(x)
        if outcome is not NotImplemented:
            return outcome
        if ready.hitch[0] is Hitch.form:
            outcome = getattr(ready, method)(forms.plain(x))
        if outcome is NotImplemented and ready.hitch[0] is Hitch.key and not self._weights.width:
            outcome = getattr(ready, method)({})
        return self._refuse(ready.hitch) if outcome is NotImplemented else outcome

    def _take_width(self, x: Any) -> None:
        """Let an example that says how many columns there are say so to an empty model."""
        width = forms.width_of(x)
        if width is None or width == self._weights.width:
            return
        if self._weights.width:
            self._refuse((Hitch.length, width))
        self._weights = self._widened(width)

    def _widened(self, width: int) -> Weights:
        """The weights for so many features, new ones as at the start."""
        return self._weights.with_features(width)

    def _with_room(self, width: int) -> Weights:
        """The same weights, and room for so many features and more."""
        return self._weights.with_room(width)

    def _refuse(self, hitch: tuple[Any, ...]) -> NoReturn:
        forms.refuse(type(self).__name__, self._weights.width, self._names is not None, hitch)

    def _took_row(self, X: Any, y: Any) -> bool:
        """Whether a table of one plain row was learned from as by `learn_one`, which is quicker.

        If not, nothing has been learned; `partial_fit` then finds out what is wrong, if anything.
        """
        if (
            "_weights" not in self.__dict__
            or self._names is not None
            or len(self.classes_) < 2
            or not self._takes_single_examples
            or (row := forms.only_row(X, self._weights.width)) is None
        ):
            return False
        kind, label = forms.only_label(y)
        if kind != self.classes_.dtype.kind:
            return False
        ready = self._ready_to_learn("partial_fit")
        return ready.learn(row, label, 1.0, widen=False) is not NotImplemented

    def _ready_to_learn(self, method: str) -> core.OneAtATime:
        if "_ready" in self.__dict__:
            ready: core.OneAtATime = self.__dict__["_ready"]
            return ready
        self._check_parameters()
        self._check_class_weight_known(method)
        self._check_averaging()
        if self._progress.goal:
            self._progress = self._progress.next_run(0, self._weights)
        self.__dict__.pop("_width", None)  # from now on the weights tell
        return self._hold_ready(self._rule())

    def _hold_ready(self, rule: Rule | None) -> core.OneAtATime:
        """Let the core hold the model ready, without a rule only to score."""
        self._thaw()
        self.__dict__["_ready"] = ready = core.OneAtATime(
            self._weights.room,
            self._weights.missed_room,
            self._weights.sureness_room,
            self._weights.counts,
            self._weights.measures,
            self._weights.features,
            None if self._names is None else self._names.columns,
            self.classes_.tolist(),
            self._constant,
            bool(self.unit_length),
            self._ties,
            self._presence,
            rule,
            None if rule is None else self._weights_of_known_classes(),
            None if rule is None or not self.record else self._progress.room(),
            None if rule is None or self._mistakes is None else self._mistakes.of_one_row(),
        )
        return ready

    def _admit_label(self, y: Any) -> None:
        if not isinstance(y, Hashable):
            raise ValueError(f"y must be one label, got y={y!r}.")
        label = np.asarray(read_labels(self, [y], 1)).tolist()
        if label[0] in self.classes_.tolist():  # a string that ends in zeros, say
            raise ValueError(f"The label {y!r} cannot be told from {label[0]!r}.")
        self._admit(_together(self.classes_, label))

    def _admit_names(self, names: Iterable[Hashable]) -> None:
        if self._names is None and self._weights.width:
            raise ValueError(
                f"The columns of this {type(self).__name__} have numbers: declare names in a new "
                "model."
            )
        known = self._names.columns if self._names is not None else {}
        self._names = Names(dict.fromkeys([*known, *names]))
        self.__dict__.pop("_width", None)
        self._weights = self._widened(len(self._names.columns))


def _together(classes: NDArray[Any], labels: list[Any]) -> NDArray[Any]:
    """Classes known and labels new, sorted."""
    try:
        both = sorted({*classes.tolist(), *labels})
        together = np.array(both)
    except (TypeError, ValueError):
        together = None
    if together is None or together.tolist() != both:
        raise ValueError(
            f"The label {labels[0]!r} cannot be sorted among the classes {listed(classes)}: use "
            "labels of one type."
        )
    return together
