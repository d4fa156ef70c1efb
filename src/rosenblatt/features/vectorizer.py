"""What the vectorizers share: each is a shell of scikit-learn's around an engine."""

from abc import abstractmethod
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.inputs.parts import Part, Parts
from rosenblatt.training.learning_lock import WithLearningLock


def filled_rows(X: Any, width: int) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """The columns and the values of each row that are not zero."""
    from scipy import sparse

    rows = sparse.csr_array(X)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise InputError(Name("X"), must=f"have {width} columns", got=f"shape {rows.shape}")
    for begin, end in pairwise(rows.indptr):
        columns, values = rows.indices[begin:end], rows.data[begin:end]
        filled = values != 0
        yield columns[filled], values[filled]


class Vectorizer(WithLearningLock, TransformerMixin, BaseEstimator):
    """Turns examples into rows; what was learned is ``_learned``, and an engine makes rows of it.

    The engine needs no scikit-learn: it makes rows of examples of the kind that it ``takes``, and
    goes to and from files as the ``part`` of a name.

    One thread at a time learns; who reads works on a snapshot of what was learned.
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

    def __init_subclass__(cls, **options: Any) -> None:
        # A set_output that wraps could only fail: data frames hold no sparse rows.
        super().__init_subclass__(auto_wrap_output_keys=None, **options)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """What the columns are called."""
        return self._known().names()

    @property
    def has_learned(self) -> bool:
        """Whether it was fitted, which some need not be."""
        return hasattr(self, "_learned")

    def __sklearn_is_fitted__(self) -> bool:
        return self.has_learned

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        for kind in self._input_tags:
            setattr(tags.input_tags, kind, True)
        return tags

    def __getstate__(self) -> Any:
        with self._learning_lock:
            state = super().__getstate__()
            if self.has_learned:
                state["_learned"] = self._learned.snapshot()
        return state

    def _known(self) -> Any:
        """What was learned, or is known beforehand, as it is now."""
        check_is_fitted(self)
        return self._learned.snapshot()

    def _keep(self, learned: Any) -> None:
        """Keep what was learned first; what grew is kept already, or was forgotten meanwhile."""
        if not self.has_learned:
            self._learned = learned

    def _fitted_engine(self) -> Any:
        """What makes rows, with what was learned so far."""
        check_is_fitted(self)
        with self._learning_lock:
            return self._engine().snapshot()

    def _parts(self) -> dict[str, Part | None]:
        return {self._engine_class.part: self._fitted_engine()}

    def _restore(self, parts: Parts) -> None:
        self.restore(parts.build(self._engine_class.part, self._engine_class))
