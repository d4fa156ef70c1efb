"""Arrays in fewer bytes, and back to the last bit.

They are stored without their zeros, numbers that come again and again once, in the narrowest
types, and deflated, each where it pays.
"""

import math
import zlib
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.parts import Arrays, Facts, check_array, has_shape, is_whole, require

FEWEST = 300
"""Numbers in an array for which it pays to look."""
BITS, FILLED = ".bits", ".filled"
TABLE, CODES = ".table", ".codes"
WITH_ZEROS = {"float64", "int64", "uint32", "uint8"}
"""Types of which zeros are left out."""
DOWNCASTS = {
    "float64": ("int8", "int16", "float16", "int32", "float32"),
    "int64": ("uint8", "int16", "uint16", "int32", "uint32"),
    "uint32": ("uint8", "uint16"),
}
"""For each type that an array may have, those of fewer bytes that it may be stored in."""
COUNTS = {"int64", "uint32"}
"""Types of which numbers that never fall may be stored as their differences."""
LEAST_ALIKE = 3
"""How often each number of an array must come, in the middle, for a table of them to pay."""
TYPES = {*DOWNCASTS, *(few for each in DOWNCASTS.values() for few in each)}
SAMPLE = 1 << 16
"""Bytes that tell whether an array deflates well."""
SHORTER = 0.75
"""How much of an array may be left when it is deflated, for it to pay."""
MOST = 64
"""How many times as long as deflated an array may be, lest a file be a bomb."""
LARGEST = 512
"""How many times as large as they are stored all arrays may be, lest they be one together."""
ALWAYS = 1 << 26
"""Bytes that they may take besides, whatever their files."""


def room(stored: Arrays) -> int:
    """Bytes that arrays stored so may take."""
    return ALWAYS + LARGEST * sum(array.nbytes for array in stored.values())


def packed(arrays: Arrays) -> tuple[Facts, Arrays]:
    """What a file says of how arrays are stored, and the arrays as they are stored."""
    said, stored = _packed(arrays)
    if sum(array.nbytes for array in arrays.values()) > room(stored):
        said, stored = _packed(arrays, deepest=2, deflates=False)  # not under a 512th
    return said, stored


def _packed(arrays: Arrays, *, deepest: int = 99, deflates: bool = True) -> tuple[Facts, Arrays]:
    shapes, few = _without_zeros(arrays, deepest)
    coded, few = _coded(few)
    types, sums, few = _downcasted(few)
    deflated, stored = _deflated(few) if deflates else ({}, few)
    said = {"shapes": shapes, "coded": coded, "types": types, "sums": sums, "deflated": deflated}
    return {name: value for name, value in said.items() if value}, stored


def unpacked(facts: Facts, stored: Arrays, as_stored: Collection[str] = ()) -> Arrays:
    """The arrays again; refused if they cannot be. What the facts say of it is taken from them.

    Those of ``as_stored`` stay in the types in which they are stored.
    """
    growth = Growth(stored)
    arrays = _inflated(facts.pop("deflated", {}), stored, growth)
    kept = {*as_stored, *(name + FILLED for name in as_stored)}
    arrays = _widened(facts.pop("types", {}), facts.pop("sums", []), arrays, kept, growth)
    arrays = _decoded(facts.pop("coded", []), arrays, growth)
    return _with_zeros(facts.pop("shapes", {}), arrays, as_stored, growth)


class Growth:
    """The bytes by which arrays may still grow; asked before memory is taken for them."""

    def __init__(self, stored: Arrays) -> None:
        self._left = room(stored) - sum(array.nbytes for array in stored.values())

    def take(self, size: int, dtype: Any, *instead: NDArray[Any]) -> None:
        """An array of so many numbers takes the place of others."""
        self._left -= size * np.dtype(dtype).itemsize - sum(array.nbytes for array in instead)
        require(self._left >= 0, "its arrays are larger than they may be")


def _without_zeros(arrays: Arrays, deepest: int) -> tuple[Facts, Arrays]:
    """The shapes of arrays of which no more than half is filled, and all arrays as they are stored.

    Of such an array there are the bits and what is filled. A zero has no bit set, so minus zero,
    which is not the same to the last bit, is no zero here. Bits are bytes, of which most may be
    zero too, down to the deepest.
    """
    shapes: Facts = {}
    stored: Arrays = {}
    left = list(arrays.items())
    while left:
        name, array = left.pop(0)
        filled = None if name.endswith(BITS * deepest) else _filled(array)
        if filled is None or 2 * np.count_nonzero(filled) > filled.size:
            stored[name] = array
        else:
            shapes[name] = list(array.shape)
            left.append((name + BITS, np.packbits(filled)))
            stored[name + FILLED] = array.reshape(-1)[filled]
    return shapes, stored


def _filled(array: NDArray[Any]) -> NDArray[np.bool_] | None:
    if array.dtype.name not in WITH_ZEROS or array.size < FEWEST:
        return None
    return _bits(np.ascontiguousarray(array)).reshape(-1) != 0


def _with_zeros(shapes: Any, stored: Arrays, as_stored: Collection[str], growth: Growth) -> Arrays:
    """The arrays again, if they can be, which is found out before memory is taken for them."""
    require(isinstance(shapes, dict), "which of its arrays have zeros is not told")
    arrays = dict(stored)
    for name, shape in sorted(shapes.items(), reverse=True):  # bits before what they are of
        bits = check_array(arrays.pop(name + BITS, None), np.uint8)
        filled = arrays.pop(name + FILLED, None)
        require(
            has_shape(shape, [is_whole])
            and 1 <= len(shape) <= 2
            and len(bits) == -(-math.prod(shape) // 8)
            and filled is not None
            and filled.ndim == 1
            and filled.dtype.name in (TYPES if name in as_stored else WITH_ZEROS)
            and name not in arrays,
            "an array without its zeros is not of the size that it should be",
        )
        assert filled is not None
        size = math.prod(shape)
        growth.take(size, filled.dtype, bits, filled)
        places = np.unpackbits(bits).view(np.bool_)
        require(
            np.count_nonzero(places) == len(filled) and not places[size:].any(),
            "an array without its zeros has other numbers than places for them",
        )
        array = np.zeros(size, dtype=filled.dtype)
        array[places[:size]] = filled
        arrays[name] = array.reshape(shape)
    return arrays


def _coded(arrays: Arrays) -> tuple[list[str], Arrays]:
    """The names of arrays of few different numbers, and all arrays.

    Of such an array there are the numbers in a table, and for each place which one stands there.
    """
    names: list[str] = []
    stored: Arrays = {}
    for name, array in arrays.items():
        table, codes = _table(array)
        if LEAST_ALIKE * len(table) >= len(codes):
            stored[name] = array
        else:
            names.append(name)
            stored[name + TABLE] = table.view(np.float64)
            stored[name + CODES] = codes.astype(np.uint32)
    return names, stored


def _table(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The different numbers of an array, and which of them stands in each place."""
    row_of_floats = array.dtype == np.float64 and array.ndim == 1 and array.size >= FEWEST
    if not row_of_floats or _downcast(array) is not array:
        return array, array
    table, codes = np.unique(_bits(array), return_inverse=True)
    return table, codes


def _decoded(names: Any, stored: Arrays, growth: Growth) -> Arrays:
    """The arrays with a number in each place again."""
    require(isinstance(names, list), "which of its arrays have tables is not told")
    arrays = dict(stored)
    for name in names:
        require(type(name) is str and name not in arrays, "an array with a table has no name")
        table = check_array(arrays.pop(name + TABLE, None), np.float64)
        codes = check_array(arrays.pop(name + CODES, None), np.uint32)
        known = len(codes) == 0 or int(codes.max()) < len(table)
        require(known, "an array with a table has numbers that the table has not")
        growth.take(len(codes), np.float64, codes, table)
        arrays[name] = table[codes]
    return arrays


def _downcasted(arrays: Arrays) -> tuple[Facts, list[str], Arrays]:
    """The types of arrays stored in narrower ones, those stored as differences, and all arrays."""
    types: Facts = {}
    sums: list[str] = []
    stored: Arrays = {}
    for name, array in arrays.items():
        few, steps = _downcast(array), _differences(array)
        if steps is not None and steps.itemsize < few.itemsize:
            few = steps
            sums.append(name)
        if few is not array:
            types[name] = array.dtype.name
        stored[name] = few
    return types, sums, stored


def _downcast(array: NDArray[Any]) -> NDArray[Any]:
    """The same in the first of the narrower types that loses nothing, nor the sign of a zero."""
    if array.size >= FEWEST:
        for dtype in DOWNCASTS.get(array.dtype.name, ()):
            if _holds(dtype, array.reshape(-1)[:FEWEST]) and _holds(dtype, array):
                return array.astype(dtype)
    return array


def _holds(dtype: str, array: NDArray[Any]) -> bool:
    with np.errstate(invalid="ignore", over="ignore"):
        back = array.astype(dtype).astype(array.dtype)
    return bool((_bits(back) == _bits(array)).all())


def _bits(array: NDArray[Any]) -> NDArray[Any]:
    return array.view(f"u{array.itemsize}")


def _differences(array: NDArray[Any]) -> NDArray[Any] | None:
    """How much each number is above the one before, if none is below it."""
    if array.dtype.name not in COUNTS or array.ndim != 1 or array.size < FEWEST:
        return None
    if array[0] < 0 or (array[1:] < array[:-1]).any():
        return None
    return _downcast(np.diff(array, prepend=array.dtype.type(0)))


def _widened(
    types: Any, sums: Any, stored: Arrays, kept: Collection[str], growth: Growth
) -> Arrays:
    """The arrays in the types that they had, but for some."""
    require(isinstance(types, dict) and isinstance(sums, list), "its arrays have no types")
    arrays = dict(stored)
    for name, dtype in types.items():
        told = type(dtype) is str and name in arrays
        sound = told and arrays[name].dtype.name in DOWNCASTS.get(dtype, ())
        require(sound, "an array is of another type than it could be stored in")
        if name not in kept:
            growth.take(arrays[name].size, dtype, arrays[name])
            arrays[name] = arrays[name].astype(dtype)
    for name in sums:
        sound = type(name) is str and types.get(name) in COUNTS and name not in kept
        sound = sound and arrays[name].ndim == 1
        require(sound, "differences are stored of what are no counts")
        arrays[name] = np.cumsum(arrays[name], dtype=types[name])
    return arrays


def _deflated(arrays: Arrays) -> tuple[Facts, Arrays]:
    """The types and shapes of arrays that become much shorter, and all arrays."""
    told: Facts = {}
    stored: Arrays = {}
    for name, array in arrays.items():
        few = _shorter(array) if array.size >= FEWEST and array.dtype.name in TYPES else None
        if few is not None:
            told[name] = [array.dtype.name, *array.shape]
        stored[name] = array if few is None else few
    return told, stored


def _shorter(array: NDArray[Any]) -> NDArray[np.uint8] | None:
    data = array.tobytes()
    sample = data[:SAMPLE]
    if len(zlib.compress(sample)) > SHORTER * len(sample):
        return None
    few = zlib.compress(data)
    pays = len(few) <= SHORTER * len(data) and len(data) <= MOST * len(few)
    return np.frombuffer(few, dtype=np.uint8) if pays else None


def _inflated(told: Any, stored: Arrays, growth: Growth) -> Arrays:
    """The arrays again, which take no more memory than is told, nor than such arrays may."""
    require(isinstance(told, dict), "which of its arrays are deflated is not told")
    arrays = dict(stored)
    for name, kind in told.items():
        few = check_array(arrays.get(name), np.uint8)
        require(
            isinstance(kind, list)
            and 2 <= len(kind) <= 3
            and type(kind[0]) is str
            and kind[0] in TYPES
            and all(is_whole(side) for side in kind[1:]),
            "what an array is deflated from is not told",
        )
        size = math.prod(kind[1:]) * np.dtype(kind[0]).itemsize
        require(size <= MOST * len(few), "a deflated array is longer than it may be")
        growth.take(size, np.uint8, few)
        whole = zlib.decompressobj()
        try:
            data = whole.decompress(few.data, size + 1)
        except zlib.error as error:
            raise InputError("an array is not deflated as it should be") from error
        sound = len(data) == size and whole.eof and not whole.unused_data
        require(sound, "a deflated array is not of the size that it should be")
        arrays[name] = np.frombuffer(data, dtype=kind[0]).reshape(kind[1:]).copy()
    return arrays
