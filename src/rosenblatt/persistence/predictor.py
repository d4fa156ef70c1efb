"""Models from files, to predict and explain without waiting for scikit-learn or SciPy."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.features.examples import Texts
from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.inputs.labels import KnownLabels, labels_at
from rosenblatt.inputs.names import Features
from rosenblatt.inputs.parameters import check_count
from rosenblatt.inputs.parts import require
from rosenblatt.inputs.sparse import Compressed
from rosenblatt.persistence.model_files import MODELS, REGRESSORS, open_file, said_of
from rosenblatt.persistence.model_scorer import scorer_of
from rosenblatt.persistence.row_sources import Matrix, RowSource, source_of
from rosenblatt.readers.data import Batch
from rosenblatt.training.calibration import Calibration
from rosenblatt.training.decisions import Decision, given_sets, predicted, strongest
from rosenblatt.training.scorer import Scorer, Winners
from rosenblatt.training.storage import Array
from rosenblatt.training.thresholds import Sigmoids, Thresholds, decided_by

if TYPE_CHECKING:
    from rosenblatt.explain.records import Contributions, FeatureWeights


@dataclass(frozen=True)
class Predictor:
    """A model read from a file, ready to predict and to explain.

    Takes what the model's vectorizer takes: a list of strings or `Texts` for text; for a model
    without a vectorizer rows of numbers, dense or as a CSR matrix. In a CSR matrix columns that
    the model does not know are left out, and those at the end may be missing.

    Attributes
    ----------
    estimator : str
        The name of the model's class.

    classes : ndarray
        The labels, in the order of the scores.

    n_features : int
        Number of features of the model itself, behind its vectorizer.

    notes : dict
        What the one who saved the model noted.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.pipeline import make_pipeline
    >>> from rosenblatt import AveragedPerceptron, Predictor, TextVectorizer, save
    >>> texts, labels = ["a good film", "a bad film", "good plot"], ["+", "-", "+"]
    >>> model = make_pipeline(TextVectorizer(), AveragedPerceptron(random_state=0))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model.fit(texts, labels), os.path.join(folder, "films.rbt"))
    ...     predictor = Predictor.load(os.path.join(folder, "films.rbt"))
    >>> predictor.predict(["bad, bad plot"])
    array(['-'], dtype='<U1')
    """

    __module__ = "rosenblatt"

    estimator: str
    classes: NDArray[Any]
    n_features: int
    notes: dict[str, Any]
    _source: RowSource
    _scorer: Scorer
    _calibration: Calibration | Sigmoids | None
    _thresholds: Thresholds | None
    _predicts_numbers: bool

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Predictor":
        """Read a file that save wrote.

        Parameters
        ----------
        path : str or path-like

        Raises
        ------
        ModelFileError
            If the file is not a model file, is damaged, or holds no model.
        """
        path = os.fspath(path)
        steps, notes = open_file(path)
        with said_of(path):
            *before, last = steps
            require(last.estimator in MODELS, "it ends in a transformer")
            classes = last.parts.build("labels", KnownLabels).classes
            numbers = last.estimator in REGRESSORS
            require(numbers or len(classes) > 0, "it has not seen any label")
            scorer = scorer_of(last, classes)
            calibration, thresholds = decided_by(last.parts, scorer.weights)
            features = last.parts.build("features", Features)
            source = source_of(before, features, scorer.width, _first_index(notes))
        learned = scorer, calibration, thresholds, numbers
        return cls(last.estimator, classes, scorer.width, notes, source, *learned)

    @property
    def takes_text(self) -> bool:
        """Whether an example is a string."""
        return self._source.takes is Texts

    @property
    def takes_numbers(self) -> bool:
        """Whether an example is a row of numbers."""
        return self._source.takes is None

    @property
    def table(self) -> list[str]:
        """The columns of the tables that it reads; none if its examples are of another kind."""
        return list(self._source.table)

    @property
    def kinds(self) -> dict[str, str]:
        """What these columns hold: "number", "category" or "text"."""
        return self._source.table

    @property
    def foretold(self) -> str:
        """What an example comes to: a "label", "labels" or a "number"."""
        if self._predicts_numbers:
            return "number"
        return "label" if self._thresholds is None else "labels"

    @property
    def has_probabilities(self) -> bool:
        """Whether the model can say how probable its labels are."""
        return self._calibration is not None

    @property
    def gives_sets(self) -> bool:
        """Whether an example may have several labels."""
        return self._thresholds is not None

    def predict(
        self,
        examples: Any,
        *,
        top: int | None = None,
        threshold: Mapping[Any, float] | float | None = None,
        abstain_below: float | None = None,
        abstain: Any = None,
    ) -> Any:
        """The label of each example, as the model's ``predict`` gives it, with the same options."""
        if self._predicts_numbers:
            asked_for = {"top": top, "threshold": threshold, "abstain_below": abstain_below}
            for name, said in (asked_for | {"abstain": abstain}).items():
                if said is not None:
                    raise InputError(Name(name), " is for labels, and this model predicts numbers")
            return self.scores(examples)
        sets = self.gives_sets
        decision = Decision.of(self.classes, threshold, abstain_below, several=sets)
        X = self._matrix(examples)
        known, asked = lambda: self._known_calibration, (decision, top, abstain)
        return predicted(self.classes, self._thresholds, self._scorer, X, known, *asked)

    def predict_proba(self, examples: Any) -> Array:
        """How probable each class is for each example, as the model's ``predict_proba`` says."""
        return self.probabilities_of(self.scores(examples))

    def scores(self, examples: Any) -> Array:
        """The scores of each example, as the model's ``decision_function`` gives them."""
        return self._scorer.scores(self._matrix(examples))

    def probabilities_of(self, scores: Array) -> Array:
        """How probable each class is by scores that `scores` gave."""
        return self._known_calibration.probabilities(scores, len(self.classes))

    def judge(self, examples: Any, *, unknown: bool = False) -> "Judgement":
        """Labels and scores together: the examples are turned into rows once only.

        Parameters
        ----------
        examples : as for `predict`

        unknown : bool, default=False
            Tell ``unknown_share`` as well.

        Returns
        -------
        Judgement
            ``labels`` as `predict` gives them, ``scores`` as `scores` does, and what pushed them
            in ``contributions(row)``.
        """
        shares = None
        if unknown:
            X, shares = self._source.matrix_and_unknown(_of_batch(examples))
        else:
            X = self._matrix(examples)
        winners, scores = self._scorer.judge(X)
        if self._predicts_numbers:
            return Judgement(scores, scores, shares, self, X, winners)
        labels = labels_at(self.classes, winners)
        if self._thresholds is not None:
            labels = np.empty(len(scores), dtype=object)
            labels[:] = self._sets(scores).tuples()
        return Judgement(labels, scores, shares, self, X, winners)

    def _sets(self, scores: Array, decision: Decision | None = None) -> LabelSets:
        """The labels of each example, where it may have several."""
        assert self._thresholds is not None
        calibration = None if decision is None else self._known_calibration
        return given_sets(self.classes, scores, self._thresholds, decision, calibration)

    def unknown_share(self, examples: Any) -> Array:
        """Of each example, the share of its features that the model does not know.

        Words, names and columns that it did not learn from: the nearer to one, the less its label
        rests on, and random input is near one. One for an example without any feature. Of tables
        words and categories count, as any number is known; of hashed words those in columns in
        which no word was met.

        Parameters
        ----------
        examples : as for `predict`
        """
        return self._source.matrix_and_unknown(_of_batch(examples))[1]

    def contributions(self, example: Any, label: Any = None) -> "Contributions":
        """How each feature of one example pushes its score; see `rosenblatt.contributions`.

        Parameters
        ----------
        example : one example
            A text, a row, a dict of values by feature name, or one of these as the only one of
            what `predict` takes.

        label : optional
            The class whose score to explain; if absent, the second of two or the winner of more.
        """
        self._check_labels()
        self._scorer.coef()  # refuses where there is nothing to explain, before any work
        X = self._matrix(self._alone(example))
        if X.shape[0] != 1:
            raise ValueError(f"The example to explain must be one, got {X.shape[0]}.")
        return self._pushes(X, self._scorer.scores(X), label)

    def _pushes(self, X: Matrix, scores: Array, label: Any) -> "Contributions":
        """What each feature adds to a score of the only row of X."""
        from rosenblatt.explain.records import pushes_on

        coef, (columns, values) = self._scorer.coef(), _values_of(self._scorer.as_learned(X))
        weights, scores = coef[columns].T, np.ravel(scores)
        return pushes_on(self.classes, label, scores, coef[-1], weights, columns, values, self.name)

    def feature_weights(self, n: int = 10) -> "FeatureWeights":
        """The n highest and the n lowest weights of each class; see `rosenblatt.feature_weights`.

        Parameters
        ----------
        n : int, default=10
        """
        from rosenblatt.explain.records import heaviest

        check_count("n", n)
        self._check_labels()
        coef = self._scorer.coef()[:-1]
        return heaviest(n, coef.T, None, self.classes.tolist(), self.name)

    def _check_labels(self) -> None:
        if self._predicts_numbers:
            raise InputError(
                f"{self.estimator} predicts numbers, and what is explained are labels",
                remedy="look at coef_ of the model that load gives",
            )

    @property
    def _known_calibration(self) -> Calibration | Sigmoids:
        self.require_probabilities()
        assert self._calibration is not None
        return self._calibration

    def require_probabilities(self) -> None:
        """Refuse a model that cannot say how probable its labels are."""
        if self._calibration is None:
            raise InputError(
                "The model has scores but no probabilities",
                remedy="fit it with probabilities=True before it is saved",
            )

    def name(self, column: int) -> str:
        """What a feature of the model is called."""
        return self._source.name(column)

    def _matrix(self, examples: Any) -> Matrix:
        return self._source.matrix(_of_batch(examples))

    def _alone(self, example: Any) -> Any:
        """A row of numbers as the only one of a table; other examples as they are."""
        if isinstance(example, list | tuple | np.ndarray) and np.ndim(example) == 1:
            return example if isinstance(example[0], str) else [example]
        return example


@dataclass(frozen=True)
class Judgement:
    """What a model says of some examples, read off one matrix."""

    labels: NDArray[Any]
    """Of each example; a tuple where it may have several."""
    scores: Array
    """As the model's ``decision_function`` gives them."""
    unknown_share: Array | None
    """As the predictor's ``unknown_share`` gives it, if that was asked for."""
    _predictor: Predictor
    _matrix: Matrix
    winners: Winners
    """The number of the class of each that scores highest, if examples are of classes."""

    def sets(self, decision: Decision | None = None) -> LabelSets:
        """The labels of each example, where it may have several, by probabilities if asked for."""
        return self._predictor._sets(self.scores, decision)

    @property
    def beyond_thresholds(self) -> Array:
        """How far the score of each label is above where it is given, if there may be several."""
        assert self._predictor._thresholds is not None
        return self.scores - self._predictor._thresholds.scores

    @property
    def by_label(self) -> Array:
        """A score of each label for every example; of two labels, they mirror each other."""
        return self.scores[:, None] * [-1.0, 1.0] if self.scores.ndim == 1 else self.scores

    @property
    def probabilities(self) -> Array:
        """How probable each class is for every example, if the model can say so."""
        return self._predictor.probabilities_of(self.scores)

    def codes(self, decision: Decision) -> Winners:
        """The numbers of the classes to give by their probabilities, or what says that none is."""
        return decision.codes(self.probabilities, self.winners)

    def strongest(self, top: int) -> Winners:
        """The numbers of the classes that score highest for every example, the best first."""
        return strongest(self.scores, self.winners, top)

    @property
    def unknown(self) -> NDArray[np.bool_]:
        """Which examples have no feature that the model knows: the intercept alone judges them."""
        indptr = getattr(self._matrix, "indptr", None)
        return np.zeros(len(self.labels), bool) if indptr is None else np.diff(indptr) == 0

    def contributions(self, row: int = 0, label: Any = None) -> "Contributions":
        """How each feature of one example pushes its score; see `rosenblatt.contributions`."""
        row = range(len(self.labels))[row]
        X = _row(self._matrix, row)
        return self._predictor._pushes(X, self.scores[row], label)


def _of_batch(examples: Any) -> Any:
    return examples.examples if isinstance(examples, Batch) else examples


def _first_index(notes: dict[str, Any]) -> int:
    """The index of a model's first column: that of the file it was learned from, if noted."""
    data = notes.get("data")
    return int(isinstance(data, dict) and data.get("zero_based") is False)


def _row(X: Matrix, row: int) -> Matrix:
    """A matrix of one row of X alone."""
    if isinstance(X, np.ndarray):
        return X[row : row + 1]
    begin, end = X.indptr[row : row + 2]
    indptr = np.array([0, end - begin], dtype=X.indptr.dtype)
    return Compressed(indptr, X.indices[begin:end], X.data[begin:end], (1, X.shape[1]))


def _values_of(row: Matrix) -> tuple[NDArray[Any], Array]:
    """The columns of one row, each once, and their values."""
    if isinstance(row, np.ndarray):
        return np.arange(row.shape[1]), row[0].astype(np.float64)
    columns, places = np.unique(row.indices, return_inverse=True)
    values = np.zeros(len(columns))
    np.add.at(values, places, row.data)
    return columns, values
