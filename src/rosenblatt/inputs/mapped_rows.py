"""Arrays in files: written piece by piece, read in place, a few pages in memory at a time."""

import mmap
import os
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import sparse

PIECE = 1 << 20
"""Bytes handled together when a whole file is gone through."""

PAGES = 1 << 16
"""Bytes written at a time. Linux keeps what is written together in one large page, and maps all of
it when a byte is looked at: rows in random order would then bring in megabytes each."""


class GrowingFile:
    """An array of one dimension that grows in a file, with a checksum of its bytes."""

    def __init__(self, path: str, dtype: DTypeLike) -> None:
        self.path = path
        self._begin(dtype)

    def _begin(self, dtype: DTypeLike) -> None:
        self.dtype = np.dtype(dtype)
        self.count = 0
        self.checksum = 0
        self._file = open(self.path, "xb", buffering=0)  # noqa: SIM115

    def append(self, array: NDArray[Any]) -> None:
        data = np.ascontiguousarray(array, self.dtype).data.cast("B")
        for piece in _pieces(data, PAGES):
            self._file.write(piece)
        self.checksum = zlib.crc32(data, self.checksum)
        self.count += len(array)

    def rewrite(
        self,
        dtype: DTypeLike,
        change: Callable[[NDArray[Any]], NDArray[Any]] = lambda piece: piece,
    ) -> None:
        """Make it an array of another type, every piece changed on the way."""
        self.close()
        old, old_dtype = f"{self.path}.old", self.dtype
        os.rename(self.path, old)
        self._begin(dtype)
        with open(old, "rb") as file:
            # np.fromfile would be interrupted within NumPy, which makes a TypeError of Ctrl-C.
            while piece := file.read(PIECE):
                self.append(change(np.frombuffer(piece, old_dtype)))
        os.unlink(old)

    def finish(self) -> dict[str, Any]:
        """Bring it to the disk; what is to be known to read it."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self.close()
        return {"dtype": self.dtype.str, "count": self.count, "checksum": self.checksum}

    def close(self) -> None:
        self._file.close()


class Maps:
    """Files that are mapped: the system reads pages when they are looked at."""

    def __init__(self) -> None:
        self._maps: list[mmap.mmap] = []

    def array(self, file: BinaryIO, dtype: DTypeLike) -> NDArray[Any]:
        """The array that an open file holds, read-only."""
        if os.fstat(file.fileno()).st_size == 0:
            return np.empty(0, dtype)
        pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._maps.append(pages)
        return np.frombuffer(pages, dtype)

    def let_go(self) -> None:
        """Have no page of the files in this process's memory; they come back when looked at."""
        if hasattr(mmap, "MADV_DONTNEED"):  # where there is no such call, the system decides alone
            for pages in self._maps:
                pages.madvise(mmap.MADV_DONTNEED)

    def checksum(self, array: NDArray[Any]) -> int:
        """The checksum that GrowingFile gave to what this array holds."""
        found = 0
        for piece in _pieces(array.data.cast("B"), PIECE):
            found = zlib.crc32(piece, found)
            self.let_go()
        return found


def _pieces(data: memoryview, size: int) -> Iterator[memoryview]:
    return (data[start : start + size] for start in range(0, len(data), size))


class MappedRows(sparse.csr_array):
    """A CSR matrix whose arrays lie in mapped files; what is derived from it lies in memory."""

    let_go: Callable[[], None] | None = None
    """To be called now and then by those who read all of it."""

    @classmethod
    def over(
        cls,
        values: NDArray[Any],
        columns: NDArray[Any],
        indptr: NDArray[Any],
        width: int,
        let_go: Callable[[], None],
    ) -> "MappedRows":
        """SciPy's constructor would look through all indices, and perhaps copy them."""
        X = cls((len(indptr) - 1, width), dtype=values.dtype)
        X.data, X.indices, X.indptr = values, columns, indptr
        X.has_canonical_format = True
        X.let_go = let_go
        return X

    def __reduce__(self) -> Any:
        arrays = self.data, self.indices, self.indptr
        return sparse.csr_array, (arrays, self.shape)
