"""Named values to rows without scikit-learn: all that a NamedVectorizer knows."""

from collections.abc import Iterable, Mapping
from numbers import Number
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.features.examples import Bags, Texts
from rosenblatt.features.vocabularies import Arrays, Engine, GrowingVocabulary, Rows, document_count
from rosenblatt.inputs.errors import InputError, InputTypeError, Row
from rosenblatt.inputs.parameters import check_choice, wrong

LISTS = (list, tuple, set, frozenset, np.ndarray)
VALUES = "be a finite number, a string or a list of strings"


class NamedFeatures(Engine):
    """A column for each name, and how values are written: makes rows, goes to and from files.

    Parameters
    ----------
    separator : str, default="="
        Stands between the name of a value that is a string and the string, in a column's name.

    dtype : {"float64", "float32"}, default="float64"

    Examples
    --------
    >>> from rosenblatt.features.named_engine import NamedFeatures
    >>> features = NamedFeatures()
    >>> features.learn([{"colour": "red", "size": 2}])
    >>> features.names().tolist()
    ['colour=red', 'size']
    >>> indptr, columns, values = features.rows([{"size": 3, "weight": 1}])
    >>> columns.tolist(), values.tolist()
    ([1], [3.0])
    """

    takes: ClassVar = Bags
    learned: GrowingVocabulary
    part: ClassVar = "features"
    """What a file calls it."""

    def __init__(self, separator: str = "=", dtype: str = "float64") -> None:
        if not isinstance(separator, str):
            raise wrong("separator", separator, "be a string")
        check_choice("dtype", dtype, ["float64", "float32"])
        self.separator = separator
        self.dtype = dtype
        self.learned = GrowingVocabulary()

    def learn(self, examples: Any) -> None:
        """Learn the names of more examples: new ones get new columns at the end."""
        core.grow_names(as_bags(examples, self.separator), self.learned.lexicon)

    def learn_sorted(self, examples: Any) -> Rows:
        """Learn these names alone, in the order of their names; the rows of the examples."""
        bags = as_bags(examples, self.separator)
        vocabulary = GrowingVocabulary()
        columns = core.grow_names(bags, vocabulary.lexicon)
        numbers = vocabulary.keep(vocabulary.lexicon.sorted())
        self.learned = vocabulary
        return self._rows(bags, columns, numbers)

    def rows(self, examples: Any) -> Rows:
        """indptr, indices and data of a sparse matrix with `width` columns, in order."""
        bags = as_bags(examples, self.separator)
        return self._rows(bags, core.find_names(bags, self.learned.lexicon), None)

    def _rows(
        self, bags: core.Bags, columns: NDArray[np.uint32], numbers: NDArray[np.int32] | None
    ) -> Rows:
        return core.named_rows(bags, columns, numbers, self.width, self.dtype == "float32")

    def counted_rows(self, examples: Any) -> tuple[Rows, NDArray[np.int64], NDArray[np.int64]]:
        """The rows, and how many features of each example are known of how many it has."""
        bags, fresh = as_bags(examples, self.separator), GrowingVocabulary()
        columns = core.grow_names(bags, fresh.lexicon)
        counts = core.named_rows(bags, columns, None, fresh.width, False)[0]
        rows = self._rows(bags, core.find_names(bags, self.learned.lexicon), None)
        return rows, np.diff(rows[0]), np.diff(counts)

    def facts(self) -> dict[str, Any]:
        """Settings and counts that JSON can hold."""
        return {
            "separator": self.separator,
            "dtype": self.dtype,
            "documents": self.learned.documents,
        }

    @classmethod
    def build(cls, facts: dict[str, Any], arrays: Arrays) -> Self:
        """What facts() and arrays() tell; a ValueError says what is wrong with them."""
        documents = document_count(facts, "separator", "dtype")
        features = cls(facts["separator"], facts["dtype"])
        features.learned = GrowingVocabulary.build(arrays, documents)
        return features


def as_bags(examples: Any, separator: str) -> core.Bags:
    """All examples at once: bags as they are, dicts as bags."""
    if isinstance(examples, Bags):
        return examples.native()
    if isinstance(examples, Mapping | str | bytes) or not isinstance(examples, Iterable):
        raise TypeError(f"The examples must be a list of dicts, got one {type(examples).__name__}.")
    rows = tuple(row if isinstance(row, dict) else _as_dict(row) for row in examples)
    read = core.read_dicts(rows, separator)
    if len(read) == 3:  # seldom: lists, or names that are no strings, which Python spells out
        rows = tuple(_spelled(row, separator) if isinstance(row, dict) else row for row in rows)
        read = core.read_dicts(rows, separator)
    if len(read) == 3:
        raise _refused(*read)
    names, ends, values, indptr = read
    return Bags(Texts.packed(names, ends), values, indptr).native()


def _as_dict(row: Any) -> Any:
    return dict(row) if isinstance(row, Mapping) else row


def _spelled(row: dict[Any, Any], separator: str) -> dict[Any, Any]:
    """The same with a name for each string of a list, and strings as names; what is both is summed.

    What is neither stays as it is, for the core to refuse.
    """
    plain: dict[Any, Any] = {}
    for name, value in row.items():
        if isinstance(name, tuple | int | float | np.generic | None):
            name = str(name)
        several = isinstance(value, LISTS) and all(isinstance(each, str) for each in value)
        if several or isinstance(value, str):
            for each in [value] if isinstance(value, str) else value:
                own = f"{name}{separator}{each}"
                plain[own] = plain.get(own, 0) + 1
        elif isinstance(value, Number) and isinstance(plain.get(name), Number):
            plain[name] += value
        else:
            plain[name] = value
    return plain


def _refused(row: int, name: Any, value: Any) -> Exception:
    if name is None:
        must, got = "be a dict of names to values", type(value).__name__
        return InputTypeError(Row(row), " of the examples", must=must, got=got)
    if not isinstance(name, str):
        what = (Row(row), " of the examples: names")
        return InputTypeError(*what, must="be strings, numbers or tuples", got=repr(name))
    what = (Row(row), f" of the examples: {name!r}")
    return InputError(*what, must=VALUES, got=repr(value))
