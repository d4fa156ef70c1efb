"""Models from files, to predict and explain without waiting for scikit-learn or SciPy."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.labels import KnownLabels
from rosenblatt.inputs.names import Features
from rosenblatt.inputs.parameters import check_count
from rosenblatt.inputs.parts import require
from rosenblatt.persistence.model_files import MODELS, open_file, said_of
from rosenblatt.persistence.row_sources import Matrix, Source, source_of
from rosenblatt.persistence.scorers import Scorer, scorer_of
from rosenblatt.training.weights import Array

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
    _source: Source
    _scorer: Scorer

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Predictor":
        """Read a file that save wrote.

        Parameters
        ----------
        path : str or path-like

        Returns
        -------
        Predictor

        Raises
        ------
        ModelFileError
            If the file is not a model file, is damaged, or holds no model.
        """
        path = os.fspath(path)
        steps, notes = open_file(path)
        with said_of(path):
            *before, last = steps
            require(last.estimator in MODELS, "it ends in a transformer.")
            classes = last.parts.build("labels", KnownLabels).classes
            require(len(classes) > 0, "it has not seen any label.")
            scorer = scorer_of(last, len(classes))
            features = last.parts.build("features", Features)
            described = [(step.estimator, step.parts) for step in before]
            source = source_of(described, features, scorer.width, _first_index(notes))
        return cls(last.estimator, classes, scorer.width, notes, source, scorer)

    @property
    def takes_text(self) -> bool:
        """Whether an example is a string."""
        return self._source.alone is str

    def predict(self, examples: Any) -> NDArray[Any]:
        """The label of each example, as the model's ``predict`` gives it."""
        labels: NDArray[Any] = self.classes.take(self._scorer.winners(self._matrix(examples)))
        return labels

    def scores(self, examples: Any) -> Array:
        """The scores of each example, as the model's ``decision_function`` gives them."""
        return self._scorer.scores(self._matrix(examples))

    def contributions(self, example: Any, label: Any = None) -> "Contributions":
        """How each feature of one example pushes its score; see `rosenblatt.contributions`.

        Parameters
        ----------
        example : one example
            A text, a row, a dict of values by feature name, or one of these as the only one of
            what `predict` takes.

        label : optional
            The class whose score to explain; if absent, the second of two or the winner of more.

        Returns
        -------
        Contributions
        """
        from rosenblatt.explain.records import class_number, of_class, pushes_on

        coef = self._scorer.coef()
        X = self._matrix(self._alone(example))
        if X.shape[0] != 1:
            raise ValueError(f"The example to explain must be one, got {X.shape[0]}.")
        scores = np.ravel(self._scorer.scores(X))
        number, count = class_number(self.classes, label, scores), len(self.classes)
        columns, values = _values_of(self._scorer.as_learned(X))
        return pushes_on(
            float(of_class(number, count, scores)),
            float(of_class(number, count, coef[-1])),
            columns,
            values,
            of_class(number, count, coef[columns].T),
            self.name,
            number,
            self.classes.tolist(),
        )

    def feature_weights(self, n: int = 10) -> "FeatureWeights":
        """The n highest and the n lowest weights of each class; see `rosenblatt.feature_weights`.

        Parameters
        ----------
        n : int, default=10

        Returns
        -------
        FeatureWeights
        """
        from rosenblatt.explain.records import heaviest

        check_count("n", n)
        coef = self._scorer.coef()[:-1]
        return heaviest(n, coef.T, None, self.classes.tolist(), self.name)

    def name(self, column: int) -> str:
        """What a feature of the model is called."""
        return self._source.name(column)

    def _matrix(self, examples: Any) -> Matrix:
        return self._source.matrix(examples)

    def _alone(self, example: Any) -> Any:
        """A row of numbers as the only one of a table; other examples as they are."""
        if isinstance(example, list | tuple | np.ndarray) and np.ndim(example) == 1:
            return example if isinstance(example[0], str) else [example]
        return example


def _first_index(notes: dict[str, Any]) -> int:
    """The index of a model's first column: that of the file it was learned from, if noted."""
    data = notes.get("data")
    return int(isinstance(data, dict) and data.get("zero_based") is False)


def _values_of(row: Matrix) -> tuple[NDArray[Any], Array]:
    """The columns of one row, each once, and their values."""
    if isinstance(row, np.ndarray):
        return np.arange(row.shape[1]), row[0].astype(np.float64)
    columns, places = np.unique(row.indices, return_inverse=True)
    values = np.zeros(len(columns))
    np.add.at(values, places, row.data)
    return columns, values
