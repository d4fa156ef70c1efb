"""The limit of learning from shuffled rows: merely reading them in such an order, in C++."""

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def reader(X: Any, passes: int) -> Callable[[], None]:
    """Reads the rows of a CSR matrix so often, each time in another random order."""
    native, rng = _native(), np.random.default_rng(0)
    orders = [rng.permutation(X.shape[0]).astype(np.uint32) for _ in range(passes)]
    kinds = (X.data, np.float64), (X.indices, np.int32), (X.indptr, np.int32)
    arrays = [array.astype(kind, copy=False) for array, kind in kinds]

    def read() -> None:
        for order in orders:
            native(*(_address(array) for array in (*arrays, order)), len(order))

    return read


def _address(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


@cache
def _native() -> Any:
    """The function, compiled for this machine."""
    source = Path(__file__).with_suffix(".cpp")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "read_rows.so"
        compiler = os.environ.get("CXX", "c++")
        options = ["-std=c++20", "-O3", "-march=native", "-shared", "-fPIC"]
        subprocess.run([compiler, *options, source, "-o", library], check=True)
        function = ctypes.CDLL(str(library)).read_rows
    function.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_size_t]
    function.restype = ctypes.c_uint64
    return function
