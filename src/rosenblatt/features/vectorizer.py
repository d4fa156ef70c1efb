"""What the vectorizers share: each is a shell of scikit-learn's around an engine."""

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from rosenblatt.features.vocabularies import Rows
from rosenblatt.inputs.parts import Part, Parts
from rosenblatt.inputs.sparse import matrix_of


class Vectorizer(TransformerMixin, BaseEstimator):
    """Turns examples into rows; what was learned is ``_learned``, and an engine makes rows of it.

    The engine needs no scikit-learn: it makes rows of examples of the kind that it ``takes``, and
    goes to and from files as the ``part`` of a name.
    """

    _learned: Any
    _engine_class: ClassVar[Any]
    _input_tags: ClassVar[tuple[str, ...]]
    """What scikit-learn calls the examples."""

    @abstractmethod
    def _engine(self) -> Any:
        """What makes rows, with what was learned."""

    @abstractmethod
    def restore(self, engine: Any) -> Self:
        """Take over what such an engine has learned, as from a file; settings must agree."""

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """What the columns are called."""
        check_is_fitted(self)
        names: NDArray[np.object_] = self._learned.names()
        return names

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_learned")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        for kind in self._input_tags:
            setattr(tags.input_tags, kind, True)
        return tags

    def _fitted_engine(self) -> Any:
        check_is_fitted(self)
        return self._engine()

    def _matrix(self, rows: Rows) -> Any:
        return matrix_of(*rows, self._learned.width)

    def _parts(self) -> dict[str, Part | None]:
        return {self._engine_class.part: self._fitted_engine()}

    def _restore(self, parts: Parts) -> None:
        self.restore(parts.build(self._engine_class.part, self._engine_class))
