"""What the linear members of the family share: fit, partial_fit, decision_function, predict."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from rosenblatt import core
from rosenblatt.inputs.labels import come_in_runs, distinct, encode, read_classes, read_labels
from rosenblatt.inputs.mapped_rows import MappedRows
from rosenblatt.inputs.messages import refuse
from rosenblatt.inputs.tables import read_sample_weight, read_table, rows_of, sound_rows_of
from rosenblatt.models.base import Learner
from rosenblatt.models.callbacks import train_with_callbacks
from rosenblatt.training.passes import MANY_PARTS, LinearTrainer, Rule, Trainer, Watcher
from rosenblatt.training.validation import (
    Examples,
    Labelled,
    Predict,
    Watch,
    read_validation,
    split,
)
from rosenblatt.training.weights import Weights


class LinearLearner(Learner):
    """A linear classifier that learns from one example at a time; a subclass says by which rule."""

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
        if goes_on and "_skl_callbacks" in self.__dict__:  # which may fail after a pass
            self.__dict__.update(self._learned())
        X = self._read_table(X, reset=not goes_on)
        count, width = X.shape
        y = read_labels(self, y, count)
        importance = read_sample_weight(sample_weight, count)
        if importance is not None and not importance.any():
            raise ValueError("sample_weight is zero for every row, so nothing can be learned.")
        if goes_on:
            self._thaw()
            self._check_averaging()
        else:
            self._start(distinct(y), width)
        codes = encode(y, self.classes_)
        held_out = read_validation(self, *given)
        chosen = held = None
        if self.early_stopping and held_out is None:
            fraction = float(self.validation_fraction)
            chosen, held = split(codes, self.classes_, fraction, self._progress.seed)
        learned_from = codes if chosen is None else codes[chosen]
        patience = int(self.n_iter_no_change) if self.early_stopping else 0
        if self._progress.over or not self._progress.fits(
            self._weights, len(learned_from), patience
        ):
            goal = int(self.max_iter)
            self._progress = self._progress.next_run(goal, self._weights, patience)
        of_class, values = self._class_weights(learned_from), goes_on or held is not None
        trainer = self._trainer(X, codes, of_class, importance, rule, values=values)
        trainer.chosen = chosen
        if self.shuffle == "blocks" and come_in_runs(learned_from):
            trainer.parts = MANY_PARTS
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
        if classes is None and sample_weight is None and self._took_row(X, y):
            return self
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
            self._thaw()
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
        codes = encode(y, self.classes_)
        return self._trainer(X, codes, self._class_weights(codes), importance, rule, values=True)

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
        return sound_rows_of(table, self._weights.made, values=True)

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
        rows = sound_rows_of(X, self._weights.made, values=values)
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
