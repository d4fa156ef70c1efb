"""What the linear members of the family share: fit, partial_fit, decision_function, predict."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.metaestimators import available_if

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.inputs.label_sets import (
    Answers,
    LabelSets,
    are_label_sets,
    not_of_one_kind,
    occurrences,
    read_label_sets,
    refuse_sets_unless,
)
from rosenblatt.inputs.labels import Labels, distinct, encode, read_labels
from rosenblatt.inputs.messages import refuse_masked
from rosenblatt.inputs.names import Names
from rosenblatt.inputs.tables import (
    Columns,
    read_sample_weight,
    read_table,
    refuse_short,
    sound_rows_of,
)
from rosenblatt.models.callbacks import train_with_callbacks
from rosenblatt.models.fitting import becoming, learn_in_order, needs_unseen_scores, ready_to_fit
from rosenblatt.models.probabilities import has_probabilities, known_calibration, scored_by
from rosenblatt.models.streaming import Streaming
from rosenblatt.training.decisions import Decision, predicted
from rosenblatt.training.passes import LinearTrainer, Trainer, Watcher
from rosenblatt.training.state import State
from rosenblatt.training.thresholds import Thresholds, calibration_parts
from rosenblatt.training.validation import Labelled


class LinearLearner(Streaming):
    """A linear classifier that learns from one example at a time; a subclass says by which rule."""

    _calibrates = True
    """Whether fit finds out what scores mean, rather than who calls it."""

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: ArrayLike | None = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: ArrayLike | None = None,
        coef_init: ArrayLike | None = None,
        intercept_init: ArrayLike | None = None,
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

        coef_init : array-like, optional
            Weights to start afresh with, in the shape of ``coef_``; else they start at zero.

        intercept_init : array-like, optional
            Likewise in the shape of ``intercept_``.
        """
        validation, start = (X_val, y_val, sample_weight_val), (coef_init, intercept_init)
        with self._learning_lock:
            state, trainer, unseen = ready_to_fit(self, X, y, sample_weight, validation, start)
            with becoming(self, state, trainer):
                if "_skl_callbacks" in vars(self):
                    train_with_callbacks(self, trainer, X, y, sample_weight)
                else:
                    self._train(trainer)
                if needs_unseen_scores(self, state):
                    self._calibrate(unseen.scores(self), probabilities=bool(self.probabilities))
        return self

    def _train(self, trainer: Trainer, watcher: Watcher | None = None) -> None:
        """Make the passes, then go back to the best if they were watched."""
        trainer.train(self.shuffle, verbose=bool(self.verbose), watcher=watcher)
        if trainer.run.best_weights is not None:
            self._state = trainer.state.at_best()

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
        """
        if classes is None and sample_weight is None and self._took_row(X, y):
            return self
        with self._learning_lock:
            learn_in_order(self, X, y, classes, sample_weight, self._state)
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score each row: above zero for the second of two classes, else one score per class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        state = self._learned
        table, _ = self._read_table(X, state)
        return self._scorer(state).scores(table)

    def predict(
        self,
        X: Any,
        *,
        top: int | None = None,
        threshold: Mapping[Any, float] | float | None = None,
        abstain_below: float | None = None,
        abstain: Any = None,
    ) -> Any:
        """Predict the class with the highest score for each row; the first of them at a tie.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        top : int, optional
            Give so many labels for each row, the best first, or all where there are fewer.

        threshold : dict of floats by label, optional
            Give such a label where its probability reaches this, and nowhere else; where several
            do, the one that reaches the largest multiple. Elsewhere the most probable of the other
            labels is given. Needs ``predict_proba``, as does what follows. Where an example may
            have several labels, each is given that reaches its threshold; a number is that of all.

        abstain_below : float, optional
            Give no label where the most probable one, of those without a threshold of their own, is
            less probable.

        abstain : label, optional
            What to give instead; None, which makes the labels objects, if not said.

        Returns
        -------
        labels : ndarray of shape (n_samples,) or (n_samples, top)
        """
        state = self._learned
        sets = self._gives_sets
        decision = Decision.of(state.classes, threshold, abstain_below, several=sets)
        table, _ = self._read_table(X, state)
        known, asked = partial(known_calibration, self), (decision, top, abstain)
        scorer = self._scorer(state)
        return predicted(state.classes, state.thresholds, scorer, table, known, *asked)

    @available_if(has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """How probable each class is for each row; see ``probabilities``, or `calibrate`.

        The softmax of the scores times one number, for two classes the sigmoid, so that the most
        probable class is the one that ``predict`` gives. With ``class_weight``, which leans the
        scores, a number for each class is added, and another class may be the most probable one.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        state = self._learned
        table, _ = self._read_table(X, state)
        scores = self._scorer(state).scores(table)
        return known_calibration(self).probabilities(scores, len(state.classes))

    @available_if(has_probabilities)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithms of ``predict_proba``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        logarithms : ndarray of shape (n_samples, n_classes)
        """
        with np.errstate(divide="ignore"):
            logarithms: NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms

    def calibrate(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Find out how scores become probabilities, on rows that were not learned from.

        For a model that has learned without ``probabilities``, or whose examples to come are unlike
        those of before. The weights stay as they are.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        y : array-like of shape (n_samples,)
            Their labels, all of classes that the model knows.

        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts.
        """
        state = self._learned
        table, _ = self._read_table(X, state)
        known = "leave out the rows of labels that the model does not know"
        codes = self._encoded(self._read_answers(y, table.shape[0]), state, remedy=known)
        sample_weight = read_sample_weight(sample_weight, table.shape[0])
        if sample_weight is not None and not sample_weight.any():
            zero = " is zero for every row, so nothing can be found out"
            raise InputError(Name("sample_weight"), zero)
        unseen = Labelled(table, codes, state.classes, sample_weight)
        self._calibrate(scored_by(self, state, unseen), probabilities=True)
        return self

    def _calibrate(self, scored: tuple[Any, Answers, Any], *, probabilities: bool) -> None:
        """Find out what scores mean, from those of examples that were not learned from."""
        leaning = self.class_weight is not None
        parts = calibration_parts(*scored, probabilities=probabilities, leaning=leaning)
        self._state = replace(self._learned, **parts)

    def score(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """The share of rows that ``predict`` gives the right label, or just the right ones.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        y : array-like of shape (n_samples,), or of labels of each as ``fit`` takes them

        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts.

        Returns
        -------
        score : float
        """
        refuse_masked(y, Name("y"))
        refuse_masked(sample_weight, Name("sample_weight"))
        if self._learned.thresholds is None:
            return float(super().score(X, y, sample_weight))
        predicted = self.predict(X)
        right = self._encoded(self._read_answers(y, len(predicted)), self._learned)
        given = self._encoded(self._read_answers(predicted, len(predicted)), self._learned)
        assert isinstance(right, LabelSets)
        assert isinstance(given, LabelSets)
        same = (right.indicator() == given.indicator()).all(axis=1)
        weights = None if sample_weight is None else np.asarray(sample_weight)
        return float(np.average(same, weights=weights))

    def _read_table(self, X: Any, state: State | None) -> tuple[Any, Columns]:
        """X and its columns, compared with those of what was learned before, if anything."""
        known = None if state is None else state.columns
        return read_table(X, known, type(self).__name__)

    def _read_answers(self, y: Any, count: int) -> Labels | LabelSets:
        """What ``count`` rows should come to, as the caller says it."""
        if not are_label_sets(y):
            return read_labels(type(self).__name__, y, count)
        refuse_sets_unless(self._takes_label_sets, type(self).__name__)
        return read_label_sets(y, count)

    def _kind_of(self, y: Labels | LabelSets) -> tuple[NDArray[Any], Thresholds | None]:
        """The labels that there are, and from where they are given if examples may have several."""
        if isinstance(y, LabelSets):
            return y.classes, Thresholds.first(len(y.classes), as_indicator=y.as_indicator)
        return distinct(y), None

    def _encoded(self, y: Labels | LabelSets, state: State, **remedy: str) -> Answers:
        """The same as the core reads it."""
        several = state.weights.form.several
        if isinstance(y, LabelSets) and several:
            return y.among(state.classes, **remedy)
        if several or isinstance(y, LabelSets):
            raise not_of_one_kind(type(self).__name__, several=several)
        return encode(y, state.classes, **remedy)

    def _started_on(
        self, classes: NDArray[Any], columns: Columns, thresholds: Thresholds | None = None
    ) -> State:
        if len(classes) < 2 and not self._predicts_numbers:
            raise ValueError(
                f"A classifier needs labels of at least two classes, got {len(classes)} class"
                f"{'' if len(classes) == 1 else 'es'}: {classes.tolist()}."
            )
        state = self._first_state(classes, columns.width)
        if thresholds is not None:
            state = state.for_sets(thresholds)
        names = None if columns.names is None else Names(columns.names)
        return replace(state, names=names, features=columns.width)

    def _sound_rows(self, state: State, table: Any) -> Any:
        """The rows of a table as the weights score them, looked at, and safe from their changes."""
        table = self._scorer(state).as_learned(table)
        return sound_rows_of(table, state.weights.storage.viewed, values=True)

    def _trainer(
        self,
        state: State,
        examples: Labelled,
        of_class: NDArray[np.float64] | None,
        *,
        values: bool,
    ) -> tuple[State, Trainer]:
        """What to learn with, and who does it, looking at all values first or as they come."""
        self._check_two_classes(state)
        state = self._recording(state)
        scorer, rule = self._scorer(state), self._rule()
        table = scorer.as_learned(examples.X)
        rows = sound_rows_of(table, state.weights.storage.viewed, values=values)
        divides = isinstance(rule, core.PassiveAggressiveRule)
        if divides and not (scorer.constant or self.unit_length):
            refuse_short(rows)
        problem = self._problem(state, rows, examples.codes, of_class, examples.sample_weight)
        return state, LinearTrainer(rows, rule, state, problem, values)

    def _check_two_classes(self, state: State) -> None:
        if len(state.classes) < 2 and not self._predicts_numbers:
            raise ValueError(
                f"Only the classes {state.classes.tolist()} are known so far, and learning from a "
                "batch needs two: name them with partial_fit(X, y, classes=[...])."
            )

    def _problem(
        self,
        state: State,
        rows: core.Rows,
        codes: Answers,
        of_class: NDArray[np.float64] | None,
        sample_weight: NDArray[np.float64] | None,
    ) -> core.Problem:
        sets, scorer = codes if isinstance(codes, LabelSets) else None, self._scorer(state)
        return core.Problem(
            rows,
            occurrences(codes),
            len(state.classes),
            scorer.constant,
            scorer.has_threshold,
            bool(self.unit_length),
            scorer.ties,
            of_class,
            sample_weight,
            None if sets is None else sets.indptr,
        )
