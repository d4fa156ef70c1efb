"""How many columns a model has and what they are called."""

from collections.abc import Hashable, Iterable
from typing import Any

from numpy.typing import NDArray

from rosenblatt.inputs.names import Names
from rosenblatt.training.weights import Weights


class Columns:
    """How many columns a model has and what they are called, while examples may bring more."""

    _weights: Weights
    _names: Names | None = None

    @property
    def n_features_in_(self) -> int:
        """Number of features."""
        if "_width" in self.__dict__:
            return int(self.__dict__["_width"])
        if "_weights" in self.__dict__:
            return self._weights.width
        raise AttributeError(f"{type(self).__name__} has no n_features_in_ before it is fitted.")

    @n_features_in_.setter
    def n_features_in_(self, width: int) -> None:
        self._width = width

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Names of the features, if they have names."""
        if self._names is None:
            raise AttributeError(f"{type(self).__name__} has no feature_names_in_.")
        return self._names.listed()

    @feature_names_in_.setter
    def feature_names_in_(self, names: Iterable[Hashable]) -> None:
        self._names = Names(names)

    @feature_names_in_.deleter
    def feature_names_in_(self) -> None:
        self._names = None
