"""The parts of a model that a file holds, and how they must fit each other."""

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from rosenblatt.inputs.labels import KnownLabels
from rosenblatt.inputs.names import Features
from rosenblatt.inputs.parts import Part, Parts, require
from rosenblatt.models.columns import Columns
from rosenblatt.training.passes import Rule
from rosenblatt.training.run import Progress
from rosenblatt.training.weights import Weights


class Stored(Columns):
    """Can be written to a file; a subclass with more to keep adds to ``_parts`` and the rest."""

    classes_: NDArray[Any]
    _progress: Progress

    _form: type[Weights] = Weights
    """How the weights are kept."""

    _rule: Callable[[], Rule]
    _check_parameters: Callable[[], None]
    _new_weights: Callable[[int, int], Weights]

    def _parts(self) -> dict[str, Part | None]:
        """What a file is to hold; refused where fit would refuse the parameters."""
        self._check_parameters()
        self._rule()
        return {
            "labels": KnownLabels(self.classes_),
            "features": Features(self.__dict__.get("_width"), self._names),
            "weights": self._weights,
            "progress": self._progress,
            "best": self._progress.kept,
        }

    def _restore(self, parts: Parts) -> None:
        """Be as the model was of which a file holds these parts."""
        self._check_parameters()
        self._rule()
        self.classes_ = parts.build("labels", KnownLabels).classes
        self._weights = self._restored_weights(parts, "weights")
        features = parts.build("features", Features)
        if features.names is not None:
            self._names = features.names
        if features.width is not None:
            self.n_features_in_ = features.width
        self._progress = parts.build("progress", Progress)
        if "best" in parts:
            self._progress.kept = self._restored_weights(parts, "best")
        self._check_restored()

    def _restored_weights(self, parts: Parts, name: str) -> Weights:
        weights = parts.build(name, self._form)
        usual = self._new_weights(1, 2)
        require(
            weights.surer == usual.surer and weights.start == usual.start,
            "its weights are those of another estimator",
        )
        return weights

    def _check_restored(self) -> None:
        """Refuse parts that do not fit each other."""
        progress, classes = self._progress, len(self.classes_)
        shapes = {weights.values.shape[1] for weights in (self._weights, progress.kept) if weights}
        rivals = progress.mistakes["rival"]
        require(
            self._weights.classes == max(2, classes) and len(shapes) == 1,
            "the shape of its weights does not fit its classes",
        )
        require(
            self._names is None or len(self._names.listed()) == self.n_features_in_,
            "the names of its features do not fit their number",
        )
        require(
            bool(((rivals >= 0) & (rivals < self._weights.classes)).all()),
            "its record of mistakes is not one",
        )
        self._check_restored_width()

    def _check_restored_width(self) -> None:
        kept = self._progress.kept
        require(
            self._weights.width == self.n_features_in_
            and (kept is None or kept.width == self._weights.width),
            "the shape of its weights does not fit its features",
        )
