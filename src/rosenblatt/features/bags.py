"""Examples as bags of named values, in a few arrays."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.features.batches import Texts
from rosenblatt.inputs.errors import InputError, InputTypeError, Row


class Bags:
    """Examples of named values, so that no name becomes a Python string.

    Parameters
    ----------
    names : Texts
        The name of each value.
    values : ndarray of float64
    bounds : ndarray of int64
        The values of example k are ``values[bounds[k]:bounds[k + 1]]``.
    """

    holds: ClassVar = "named values"

    def __init__(
        self, names: Texts, values: NDArray[np.float64], bounds: NDArray[np.int64]
    ) -> None:
        self.names = names
        self.values = values
        self.bounds = bounds

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def __getitem__(self, k: int) -> list[tuple[str, float]]:
        places = range(self.bounds[k], self.bounds[k + 1])
        return [(self.names[place], float(self.values[place])) for place in places]

    def at(self, rows: NDArray[Any]) -> "Bags":
        """Some of the examples."""
        rows = np.arange(len(self))[rows]
        sizes = np.diff(self.bounds)[rows]
        bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        places = np.arange(bounds[-1]) + np.repeat(self.bounds[rows] - bounds[:-1], sizes)
        return Bags(self.names.at(places), self.values[places], bounds)

    @classmethod
    def join(cls, parts: Sequence["Bags"]) -> "Bags":
        """All examples of several."""
        sizes = np.concatenate([np.diff(part.bounds) for part in parts])
        values = [part.values[part.bounds[0] : part.bounds[-1]] for part in parts]
        names = [part.names.at(np.arange(part.bounds[0], part.bounds[-1])) for part in parts]
        return cls(
            Texts.join(names),
            np.concatenate(values),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        )

    def native(self) -> core.Bags:
        """As the core reads them, once they are found in order."""
        names = self.names
        return core.Bags(names.data, names.begins, names.ends, self.values, self.bounds)


def as_bags(examples: Any, separator: str) -> core.Bags:
    """All examples at once: bags as they are, dicts as bags."""
    if isinstance(examples, Bags):
        return examples.native()
    if isinstance(examples, Mapping | str | bytes) or not isinstance(examples, Iterable):
        raise TypeError(f"The examples must be a list of dicts, got one {type(examples).__name__}.")
    rows = tuple(row if isinstance(row, dict) else _as_dict(row) for row in examples)
    read = core.read_dicts(rows, separator)
    if len(read) == 3:
        raise _refused(*read)
    names, ends, values, bounds = read
    return bags_of(names, ends, values, bounds).native()


def bags_of(
    names: NDArray[np.uint8],
    ends: NDArray[np.int64],
    values: NDArray[np.float64],
    bounds: NDArray[np.int64],
) -> Bags:
    """Bags whose names lie one behind the other."""
    begins = np.concatenate([[0], ends[:-1]]).astype(np.int64)[: len(ends)]
    return Bags(Texts(names, begins, ends), values, bounds)


def _as_dict(row: Any) -> Any:
    return dict(row) if isinstance(row, Mapping) else row


def _refused(row: int, name: Any, value: Any) -> Exception:
    if name is None:
        must, got = "be a dict of names to values", type(value).__name__
        return InputTypeError(Row(row), " of the examples", must=must, got=got)
    if not isinstance(name, str):
        what = (Row(row), " of the examples: names")
        return InputTypeError(*what, must="be strings", got=repr(name))
    what = (Row(row), f" of the examples: {name!r}")
    return InputError(*what, must="be a finite number or a string", got=repr(value))
