"""Arrays that are mostly zeros, without them: what is not zero, and a bit for each place."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.parts import Arrays, Facts, check_array, is_whole, require

FEWEST = 1024
"""Numbers in an array for which it pays to look."""
BITS, FILLED = ".bits", ".filled"
TYPES = np.dtype(np.float64), np.dtype(np.int64)


def without_zeros(arrays: Arrays) -> tuple[Facts, Arrays]:
    """The shapes of arrays of which no more than half is filled, and all arrays as they are stored.

    Of such an array there are the bits and what is filled. A zero has no bit set, so minus zero,
    which is not the same to the last bit, is no zero here.
    """
    shapes: Facts = {}
    stored: Arrays = {}
    for name, array in arrays.items():
        filled = _filled(array)
        if filled is None or 2 * np.count_nonzero(filled) > filled.size:
            stored[name] = array
        else:
            shapes[name] = list(array.shape)
            stored[name + BITS] = np.packbits(filled)
            stored[name + FILLED] = array.reshape(-1)[filled]
    return shapes, stored


def _filled(array: NDArray[Any]) -> NDArray[np.bool_] | None:
    if array.dtype not in TYPES or array.size < FEWEST:
        return None
    filled: NDArray[np.bool_] = np.ascontiguousarray(array).reshape(-1).view(np.uint64) != 0
    return filled


def with_zeros(shapes: Any, stored: Arrays) -> Arrays:
    """The arrays again; refused if they cannot be, before memory is taken for them.

    An array takes no more than 64 times the bytes of its bits.
    """
    require(isinstance(shapes, dict), "which of its arrays have zeros is not told")
    arrays = dict(stored)
    for name, shape in shapes.items():
        bits = check_array(arrays.pop(name + BITS, None), np.uint8)
        filled = arrays.pop(name + FILLED, None)
        require(
            isinstance(shape, list)
            and 1 <= len(shape) <= 2
            and all(is_whole(side) for side in shape)
            and len(bits) == -(-math.prod(shape) // 8)
            and filled is not None
            and filled.ndim == 1
            and filled.dtype in TYPES
            and name not in arrays,
            "an array without its zeros is not of the size that it should be",
        )
        assert filled is not None
        places = np.unpackbits(bits).view(np.bool_)
        size = math.prod(shape)
        require(
            np.count_nonzero(places) == len(filled) and not places[size:].any(),
            "an array without its zeros has other numbers than places for them",
        )
        array = np.zeros(size, dtype=filled.dtype)
        array[places[:size]] = filled
        arrays[name] = array.reshape(shape)
    return arrays
