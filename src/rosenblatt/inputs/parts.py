"""What a model file says beside its arrays: JSON, with checks for the way back.

The state of a model is a number of parts, such as its weights. The class of a part says what goes
into a file, in ``facts()`` and ``arrays()``, and makes one of what a file holds, in ``build``.
"""

import json
import math
import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputError

Facts = dict[str, Any]
Arrays = dict[str, NDArray[Any]]


class Part(Protocol):
    """Something that a file can hold."""

    def facts(self) -> Facts:
        """What JSON can say."""

    def arrays(self) -> Arrays:
        """The rest."""

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> Self:
        """The same again; a ValueError of one sentence for what cannot be right."""


AnyPart = TypeVar("AnyPart", bound=Part)


@dataclass
class Parts:
    """The parts of one estimator as they stand in a file, each under its name."""

    facts: Facts
    arrays: Arrays

    @classmethod
    def of(cls, parts: Mapping[str, Part | None]) -> "Parts":
        """What a file is to say of these; those that are None are left out."""
        there = {name: part for name, part in parts.items() if part is not None}
        return cls(
            {name: part.facts() for name, part in there.items()},
            {
                f"{name}.{key}": np.ascontiguousarray(array)
                for name, part in there.items()
                for key, array in part.arrays().items()
            },
        )

    def __contains__(self, name: str) -> bool:
        return name in self.facts

    def build(self, name: str, kind: type[AnyPart]) -> AnyPart:
        """The part of this name."""
        require(isinstance(self.facts.get(name), dict), f"it has no {name}")
        return kind.build(self.facts[name], within(name, self.arrays))

    def require_no_others(self, *names: str) -> None:
        """Refuse parts and arrays that do not belong to any of these."""
        others = {*self.facts, *(key.split(".")[0] for key in self.arrays)} - {*names}
        require(not others, "it has parts that do not belong to it")


def within(name: str, arrays: Arrays) -> Arrays:
    """The arrays whose names begin so, without that beginning."""
    start = f"{name}."
    return {key.removeprefix(start): a for key, a in arrays.items() if key.startswith(start)}


def require(holds: bool, otherwise: str) -> None:
    """Refuse what a file says, in the second half of a sentence."""
    if not holds:
        raise InputError(otherwise)


STRANGE = ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError
"""What is raised where a file describes what none of ours would."""

MOST_COUNTED = 2**62
"""What a file may say was counted: so much can be added to it that it never overflows."""


def is_whole(value: Any, most: int = 2**63 - 1) -> bool:
    """Whether it is a whole number of zero or more."""
    return type(value) is int and 0 <= value <= most


def has_shape(value: Any, shape: Any) -> bool:
    """Whether JSON that anybody may have written is such as ``shape`` tells.

    That is a type; a list of what each element is, or a tuple of what each in its place is; a dict
    of what stands under each name; or a function that says it.
    """
    if isinstance(shape, dict):
        same = isinstance(value, dict) and value.keys() == shape.keys()
        return same and all(has_shape(value[name], shape[name]) for name in shape)
    if isinstance(shape, list | tuple):
        if not isinstance(value, list):
            return False
        each = shape if isinstance(shape, tuple) else shape * len(value)
        return len(each) == len(value) and all(map(has_shape, value, each))
    return type(value) is shape if isinstance(shape, type) else bool(shape(value))


def check_array(
    array: NDArray[Any] | None, dtype: Any, shape: tuple[int, ...] | None = None
) -> NDArray[Any]:
    """The array if it is there, of this type, and of this shape, by default of one dimension."""
    if array is None or array.dtype != dtype or array.shape != (shape or (array.size,)):
        raise InputError("an array is missing, or is not of the type or shape that it should be")
    return array


def columns_of(records: NDArray[Any]) -> Arrays:
    """Records as an array for each of their fields."""
    return {name: records[name].copy() for name in records.dtype.names or ()}


def records_of(arrays: Arrays, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The records of which these are the fields."""
    names = dtype.names or ()
    columns = [check_array(arrays.get(name), dtype[name]) for name in names]
    require(len({len(column) for column in columns}) == 1, "its records are of different lengths")
    records = np.empty(len(columns[0]), dtype=dtype)
    for name, column in zip(names, columns, strict=True):
        records[name] = column
    return records


STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+"')
"""Of JSON; every byte is looked at once."""

BRACKETS = re.compile(rb"[]\[{}]")
DEEPEST = 200
"""Brackets around a value: whoever walks over one further in runs out of Python's stack."""


class JsonError(ValueError):
    """What is wrong with JSON, and in which column."""

    def __init__(self, wrong: str, column: int = 1) -> None:
        super().__init__(f"expected JSON{wrong}")
        self.column = column


def read_json(text: bytes | str, **how: Any) -> Any:
    """JSON that anybody may have written; a ValueError in our words for what cannot be read."""
    if isinstance(text, bytes):
        text = text.decode()
    if text.count("[") + text.count("{") > DEEPEST:
        brackets = BRACKETS.findall(STRINGS.sub(b"", text.encode("utf-8", "replace")))
        depths = accumulate(1 if one in b"[{" else -1 for one in brackets)
        if max(depths, default=0) > DEEPEST:
            raise JsonError(" that is not nested so deeply")
    try:
        return json.loads(text, **how)
    except json.JSONDecodeError as error:
        raise JsonError(f": {error.msg[:1].lower()}{error.msg[1:]}", error.colno) from error
    except ValueError as error:
        if type(error) is not ValueError:  # of a hook
            raise
        raise JsonError(", got a number of too many digits") from error


def check_few_containers(text: bytes) -> None:
    """Refuse JSON that is little but brackets: each pair of two bytes takes sixty in memory."""
    most = 1000 + len(text) // 8
    if text.count(b"[") + text.count(b"{") > most:
        bare = STRINGS.sub(b"", text)
        require(bare.count(b"[") + bare.count(b"{") <= most, "it is little but brackets")


def packed_names(names: list[Hashable]) -> NDArray[np.uint8]:
    """Names of features as bytes of JSON, which may be many more than a header can hold."""
    other = next((name for name in names if type(name) not in (str, int)), None)
    if other is not None:
        raise InputError(
            f"A model with a feature named {other!r} cannot be saved",
            remedy="only strings and whole numbers can be written to a file",
        )
    return np.frombuffer(json.dumps(names, separators=(",", ":")).encode(), dtype=np.uint8)


def unpacked_names(array: NDArray[Any] | None) -> list[Hashable]:
    text = check_array(array, np.uint8).tobytes()
    check_few_containers(text)
    names: list[Hashable] = read_json(text)
    sound = isinstance(names, list) and all(type(name) in (str, int) for name in names)
    require(sound, "the names of its features are not names")
    return names


class Unfitted(NamedTuple):
    """An estimator among the parameters of another, as a file names it."""

    estimator: str
    parameters: dict[str, Any]


SEQUENCES = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}


def to_json(value: Any, called: str) -> Any:
    """A parameter as JSON: numbers and words, and what is made of them."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value) in (bool, int, str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"number": repr(value)}
    if type(value) is dict:
        return {"dict": [[to_json(part, called) for part in pair] for pair in value.items()]}
    for name, kind in SEQUENCES.items():
        if type(value) is kind:
            parts = [to_json(part, called) for part in value]
            return {name: sorted(parts, key=repr) if isinstance(value, set | frozenset) else parts}
    if isinstance(value, Unfitted):
        inner = {key: to_json(part, called) for key, part in value.parameters.items()}
        return {"estimator": [value.estimator, inner]}
    if isinstance(value, type | np.dtype) and value in (np.float64, np.float32):
        return {"dtype": np.dtype(value).name}
    raise InputError(
        f"A model with {called} cannot be saved: only numbers, words, and lists and dicts of them "
        "can be written to a file, so set another value with set_params first"
    )


def from_json(value: Any) -> Any:
    """The parameter again."""
    if not isinstance(value, dict):
        require(value is None or type(value) in (bool, int, float, str), "a parameter is a list")
        return value
    require(len(value) == 1, "a parameter is of a kind that is not known")
    ((kind, inner),) = value.items()
    if kind == "number":
        return float(inner)
    if kind == "dict":
        return {from_json(key): from_json(part) for key, part in inner}
    if kind == "estimator":
        name, parameters = inner
        return Unfitted(name, {key: from_json(part) for key, part in parameters.items()})
    if kind == "dtype":
        return {"float64": np.float64, "float32": np.float32}[inner]
    require(kind in SEQUENCES, "a parameter is of a kind that is not known")
    return SEQUENCES[kind](from_json(part) for part in inner)
