"""Names of the columns, as scikit-learn asks for them and as examples of names and values need."""

from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.parts import Arrays, Facts, is_whole, packed_names, require, unpacked_names


class Names:
    """The names of the columns in their order; the core may add to ``columns`` as it learns."""

    __module__ = "rosenblatt"

    def __init__(self, names: Iterable[Hashable] = ()) -> None:
        self._array = _as_array(list(names))
        self._columns: dict[Hashable, int] | None = None

    @property
    def columns(self) -> dict[Hashable, int]:
        """The column of each name, in rising order."""
        if self._columns is None:
            columns = {name: column for column, name in enumerate(self._array.tolist())}
            if len(columns) < len(self._array):
                twice = next(name for k, name in enumerate(self._array) if columns[name] != k)
                raise InputError(
                    f"Two columns are named {twice!r}, so examples cannot be given by name",
                    remedy="rename one and fit again",
                )
            self._columns = columns
        return self._columns

    def array(self) -> NDArray[Any]:
        """The names alone."""
        if self._columns is not None and len(self._columns) > len(self._array):
            self._array = _as_array(list(self._columns))
        return self._array


def _as_array(names: list[Hashable]) -> NDArray[Any]:
    return np.fromiter(names, dtype=object, count=len(names))


class Features(NamedTuple):
    """The columns of a model, as a file holds them."""

    width: int | None
    """How many they are; None if the weights tell."""
    names: Names | None

    @classmethod
    def of(cls, estimator: Any) -> "Features":
        """Those that an estimator was fitted on."""
        names = getattr(estimator, "feature_names_in_", None)
        return cls(estimator.n_features_in_, None if names is None else Names(names))

    @property
    def called(self) -> NDArray[Any] | None:
        """What they are called; None if they have no names."""
        return None if self.names is None else self.names.array()

    def facts(self) -> Facts:
        return {"width": self.width, "named": self.names is not None}

    def arrays(self) -> Arrays:
        return {} if self.names is None else {"names": packed_names(self.names.array().tolist())}

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> "Features":
        width, named = facts["width"], facts["named"]
        require(width is None or is_whole(width), "it has no features")
        require(type(named) is bool, "it does not say whether its features have names")
        names = Names(unpacked_names(arrays.get("names"))) if named else None
        require(
            width is None or names is None or len(names.array()) == width,
            "the names of its features do not fit their number",
        )
        return cls(width, names)
