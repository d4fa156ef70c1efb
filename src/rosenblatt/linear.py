"""What the linear members of the family share: fit, partial_fit, decision_function, predict."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from rosenblatt import core
from rosenblatt.attributes import Attributes
from rosenblatt.callbacks import CallbackSupportMixin, train_with_callbacks
from rosenblatt.faults import LARGEST_VALUE, refuse
from rosenblatt.inputs import read_sample_weight, read_table, rows_of, sound_rows_of
from rosenblatt.labels import (
    Labels,
    are_same,
    distinct,
    encode,
    listed,
    read_classes,
    read_labels,
)
from rosenblatt.one import OneAtATime
from rosenblatt.pages import MappedRows
from rosenblatt.parameters import (
    SHARED,
    check_choice,
    check_count,
    check_flag,
    check_fraction,
    check_verbosity,
    without,
)
from rosenblatt.river import RiverClassifier
from rosenblatt.training import (
    LinearTrainer,
    Progress,
    Rule,
    Shuffle,
    Trainer,
    Watcher,
    draw_seed,
)
from rosenblatt.validation import Examples, Labelled, Predict, Watch, read_validation, split
from rosenblatt.weights import Weights

Ties = Literal["mistake", "predict"]


class LinearLearner(
    OneAtATime, Attributes, RiverClassifier, CallbackSupportMixin, ClassifierMixin, BaseEstimator
):
    """A linear classifier that learns from one example at a time; a subclass says by which rule."""

    average: bool

    _two_class_share = 1.0
    """What each of two classes in a race of their own would hold of the weights they share here."""

    _scores_by_weights = True
    """Whether coef_ and intercept_ are what scores."""

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        max_iter: int = 10,
        shuffle: Shuffle = True,
        ties: Ties = "mistake",
        unit_length: bool = False,
        class_weight: Any = None,
        warm_start: bool = False,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        random_state: Any = None,
        verbose: int = 0,
        record: bool = False,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.ties = ties
        self.unit_length = unit_length
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.random_state = random_state
        self.verbose = verbose
        self.record = record

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__doc__:  # absent under python -OO
            cls.__doc__ = cls.__doc__.format(
                shared=SHARED,
                shared_without_intercept=without(SHARED, "fit_intercept", "ties", "unit_length"),
            )

    @abstractmethod
    def _rule(self) -> Rule:
        """The rule for the steps, its parameters checked."""

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: ArrayLike | None = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: ArrayLike | None = None,
    ) -> Self:
        """Make up to ``max_iter`` passes over the examples; a pass without an update ends them.

        With ``early_stopping=True`` so do passes without a lower validation error, and the model
        keeps the weights of the best pass.

        Starts afresh, or with ``warm_start=True`` goes on: where an interrupted fit stopped, else
        with as many passes more. A call that is refused leaves the model as it was.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            float32 and float64 arrays and CSR matrices are read in place.

        y : array-like of shape (n_samples,)
            Labels of two or more classes, of any type that sorts.

        sample_weight : array-like of shape (n_samples,), optional
            How many times as long as usual a step on this example is.

        X_val : array-like or sparse matrix of shape (n_validation, n_features), optional
            Held-out rows to try the weights on after every pass. Without early stopping they are
            measured only; with it, they take the place of a fraction of X.

        y_val : array-like of shape (n_validation,), optional
            Their labels, all of classes that y has.

        sample_weight_val : array-like of shape (n_validation,), optional
            How much each of them counts in the validation error.

        Returns
        -------
        self
        """
        draft = self._draft()
        given = X_val, y_val, sample_weight_val
        trainer = draft._get_ready_to_fit(X, y, sample_weight, given)

        def learn() -> None:
            if "_skl_callbacks" in self.__dict__:
                train_with_callbacks(self, trainer, X, y, sample_weight)
            else:
                self._train(trainer)

        return self._become(draft, learn)

    def _train(self, trainer: Trainer, watcher: Watcher | None = None) -> None:
        """Make the passes, then go back to the best if they were watched."""
        trainer.train(self._progress, self.shuffle, verbose=bool(self.verbose), watcher=watcher)
        best = self._progress.kept
        if best is not None:
            draft = self._draft()
            draft._go_back(best)
            self.__dict__ = draft.__dict__

    def _go_back(self, best: Weights) -> None:
        """Be as after the best pass."""
        self._weights, self._progress = best, self._progress.back_at(best)

    def _get_ready_to_fit(
        self, X: Any, y: Any, sample_weight: ArrayLike | None, given: tuple[Any, Any, Any]
    ) -> Trainer:
        self._check_parameters()
        self._check_stopping()
        rule = self._rule()
        goes_on = bool(self.warm_start) and hasattr(self, "_weights")
        X = self._read_table(X, reset=not goes_on)
        count, width = X.shape
        y = read_labels(self, y, count)
        importance = read_sample_weight(sample_weight, count)
        if importance is not None and not importance.any():
            raise ValueError("sample_weight is zero for every row, so nothing can be learned.")
        if goes_on:
            self._check_averaging()
        else:
            self._start(distinct(y), width)
        codes = encode(y, self.classes_)
        held_out = read_validation(self, *given)
        chosen = held = None
        if self.early_stopping and held_out is None:
            fraction = float(self.validation_fraction)
            chosen, held = split(codes, self.classes_, fraction, self._progress.seed)
            y = y[chosen]
        patience = int(self.n_iter_no_change) if self.early_stopping else 0
        if self._progress.over or not self._progress.fits(self._weights, len(y), patience):
            goal = int(self.max_iter)
            self._progress = self._progress.next_run(goal, self._weights, patience)
        of_class, values = self._class_weights(y), goes_on or held is not None
        trainer = self._trainer(X, codes, of_class, importance, rule, values=values)
        trainer.chosen = chosen
        tried = None
        if held is not None and isinstance(X, MappedRows):  # a copy may not fit in memory
            tried = Examples("held-out", trainer.rows, codes, importance, of_class, held)
        elif held is not None:
            held_out = Labelled(X, codes, importance).at(held)
        if held_out is not None:
            tried = held_out.examples(self._sound_rows, of_class)
        if tried is not None or self.verbose >= 2:
            learned = Examples("training", trainer.rows, codes, importance, of_class, chosen)
            trainer.watch = Watch(learned, tried, self._winners, self._winners_by_last())
        return trainer

    def partial_fit(
        self,
        X: Any,
        y: Any,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from a batch: one pass over its rows, in the order in which they stand.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        y : array-like of shape (n_samples,)

        classes : array-like, optional
            Every label that may come; needed on the first call. More labels on a later call add
            classes, which start at zero weights.

        sample_weight : array-like of shape (n_samples,), optional
            How many times as long as usual a step on this example is.

        Returns
        -------
        self
        """
        draft = self._draft()
        trainer = draft._get_ready_to_learn(X, y, classes, sample_weight)
        return self._become(draft, lambda: trainer.walk(0, self._progress))

    def _get_ready_to_learn(
        self, X: Any, y: Any, classes: ArrayLike | None, sample_weight: ArrayLike | None
    ) -> Trainer:
        self._check_parameters()
        rule = self._rule()
        first = not hasattr(self, "_weights")
        self._check_class_weight_known("partial_fit")
        X = self._read_table(X, reset=first)
        count, width = X.shape
        y = read_labels(self, y, count)
        if not first:
            self._check_averaging()
            if classes is not None:
                self._admit(classes)
        elif classes is None:
            raise ValueError(
                "The first call to partial_fit needs classes, the labels that any later batch may "
                "hold: partial_fit(X, y, classes=[...])."
            )
        else:
            self._start(read_classes(classes), width)
        if self._progress.goal:
            self._progress = self._progress.next_run(0, self._weights)
        importance = read_sample_weight(sample_weight, count)
        codes, of_class = encode(y, self.classes_), self._class_weights(y)
        return self._trainer(X, codes, of_class, importance, rule, values=True)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score each row: above zero for the second of two classes, else one score per class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        check_is_fitted(self)
        return self._decide(self._read_table(X, reset=False))

    def _decide(self, table: Any) -> NDArray[np.float64]:
        """The same for a table that was read."""
        scores, fault = self._weights.decisions(self._rows(table), self._constant)
        refuse(fault)
        return scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class with the highest score for each row; the first of them at a tie.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return self._answer(self._read_table(X, reset=False))

    def _answer(self, table: Any) -> NDArray[Any]:
        """The same for a table that was read."""
        winners, fault = self._winners(self._rows(table))
        refuse(fault)
        labels: NDArray[Any] = self.classes_.take(winners)
        return labels

    def _winners(self, rows: Any) -> tuple[NDArray[np.int64], core.Fault | None]:
        """The number of the class of each row, and what is wrong with the rows, if anything."""
        return self._weights.winners(rows, self._constant, self._ties)

    def _winners_by_last(self) -> Predict | None:
        """The same by the last weights, if those do not predict."""
        weights = self._weights
        if weights.last_predict:
            return None
        return lambda rows: weights.last().winners(rows, self._constant, self._ties)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @property
    def _has_threshold(self) -> bool:
        """Whether the weight of the constant feature is a threshold that stays as it is."""
        return False

    def _read_table(self, X: Any, *, reset: bool) -> Any:
        return self._as_learned(read_table(self, X, reset=reset))

    def _as_learned(self, table: Any) -> Any:
        """The table with the values that are learned from."""
        return table

    def _rows(self, table: Any) -> Any:
        """The rows of a table as the weights score them, looked at no later than then."""
        return rows_of(table)

    def _sound_rows(self, table: Any) -> Any:
        """The same, looked at already, and safe from changes of the weights."""
        return sound_rows_of(table, self._weights.values, values=True)

    @property
    def _is_sum_of_mistakes(self) -> bool:
        """Whether the weights are the sum of the rows erred on, each times its step."""
        return self._weights.are_sums_of_steps

    def _draft(self) -> Self:
        """A copy to get ready on, so that a call that fails or is interrupted leaves no trace."""
        draft = object.__new__(type(self))
        draft.__dict__ = self.__dict__.copy()
        return draft

    def _become(self, draft: Self, learn: Callable[[], None]) -> Self:
        """Take the place of the draft and learn; a failure brings back what was."""
        before, self.__dict__ = self.__dict__, draft.__dict__
        try:
            learn()
        except Exception:
            self.__dict__ = before
            raise
        return self

    def _start(self, classes: NDArray[Any], width: int) -> None:
        if len(classes) < 2:
            raise ValueError(
                f"A classifier needs labels of at least two classes, got {len(classes)} class"
                f"{'' if len(classes) == 1 else 'es'}: {classes.tolist()}."
            )
        self._start_at(classes, width)

    def _start_at(self, classes: NDArray[Any], width: int) -> None:
        self.classes_ = classes
        self._weights = self._new_weights(width, max(2, len(classes)))
        self._progress = Progress(seed=draw_seed(self.random_state))

    def _start_without_classes(self) -> None:
        """Where learning starts when labels and features come at will."""
        if "_weights" not in self.__dict__:
            self._check_parameters()
            self._start_at(np.empty(0, dtype=object), width=0)

    def _new_weights(self, width: int, classes: int) -> Weights:
        return Weights.new(width, classes, average=bool(self.average))

    def _check_parameters(self) -> None:
        check_flag("average", self.average)
        check_flag("fit_intercept", self.fit_intercept)
        check_count("max_iter", self.max_iter)
        check_choice("shuffle", self.shuffle, [True, "once", "blocks", False])
        check_choice("ties", self.ties, ["mistake", "predict"])
        check_flag("unit_length", self.unit_length)
        check_flag("warm_start", self.warm_start)
        check_flag("record", self.record)
        check_verbosity("verbose", self.verbose)

    def _check_stopping(self) -> None:
        check_flag("early_stopping", self.early_stopping)
        check_fraction("validation_fraction", self.validation_fraction)
        check_count("n_iter_no_change", self.n_iter_no_change)

    def _check_averaging(self) -> None:
        if self.average and self._weights.missed is None:
            raise ValueError(
                "average=True cannot begin on weights that were learned without it: start afresh "
                "with fit and warm_start=False."
            )

    def _check_class_weight_known(self, method: str) -> None:
        if isinstance(self.class_weight, str):
            raise ValueError(
                f"class_weight={self.class_weight!r} is not supported for {method}, which does "
                "not see all labels: pass a dict of weights instead."
            )

    def _trainer(
        self,
        X: Any,
        codes: NDArray[Any],
        of_class: NDArray[np.float64] | None,
        importance: NDArray[np.float64] | None,
        rule: Rule,
        *,
        values: bool,
    ) -> Trainer:
        if len(self.classes_) < 2:
            raise ValueError(
                f"Only the classes {self.classes_.tolist()} are known so far, and learning from a "
                "batch needs two: name them with partial_fit(X, y, classes=[...])."
            )
        rows = sound_rows_of(X, self._weights.values, values=values)
        problem = self._problem(rows, codes, of_class, importance)
        return LinearTrainer(rows, rule, self._weights, problem, bool(self.record), looked=values)

    def _problem(
        self,
        rows: core.Rows,
        codes: NDArray[Any],
        of_class: NDArray[np.float64] | None,
        importance: NDArray[np.float64] | None,
    ) -> core.Problem:
        return core.Problem(
            rows,
            codes,
            len(self.classes_),
            self._constant,
            self._has_threshold,
            bool(self.unit_length),
            self._ties,
            of_class,
            importance,
        )

    def _class_weights(self, y: Labels) -> NDArray[np.float64] | None:
        if self.class_weight is None:
            return None
        from sklearn.utils.class_weight import compute_class_weight

        return self._sound_class_weights(
            compute_class_weight(self.class_weight, classes=self.classes_, y=y)
        )

    def _sound_class_weights(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        wrong = ~((weights >= 0) & (weights <= LARGEST_VALUE))
        if wrong.any():
            worst = int(wrong.argmax())
            raise ValueError(
                "class_weight must hold finite numbers of zero or more, got "
                f"{weights[worst]} for class {self.classes_.tolist()[worst]!r}."
            )
        return np.ascontiguousarray(weights, dtype=np.float64)

    def _admit(self, classes: ArrayLike) -> None:
        """Add the classes that are new to the model, at zero weights."""
        if are_same(classes, self.classes_):
            return
        named = read_classes(classes)
        if not np.isin(self.classes_, named).all():
            raise ValueError(
                f"classes must hold those of the earlier calls, {listed(self.classes_)}, and may "
                f"add to them, got {listed(named)}."
            )
        if len(self.classes_) < 2:  # nothing could be learned yet
            counts = self._weights.counts
            self._weights = self._new_weights(self._weights.width, max(2, len(named)))
            self._weights.counts[:] = counts
            self.classes_ = named
        elif len(named) > len(self.classes_):
            places = named.searchsorted(self.classes_)
            share = self._two_class_share
            self._weights = self._weights.with_classes(places, len(named), two_class_share=share)
            self._progress = self._progress.with_places(places, two_class_share=share)
            self.classes_ = named
