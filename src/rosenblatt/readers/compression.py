"""Packing what is written, if the name of the file asks for it."""

import bz2
import lzma
import os
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

GZIP = 16 + zlib.MAX_WBITS
"""Asks zlib for the header of gzip, which it leaves without a time."""


def packed(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes, packed as the end of the name says."""
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending == ".zst":
        raise ValueError(f"{path} can't be written packed by zstd: use .gz, .xz or .bz2.")
    packers: dict[str, Any] = {
        ".gz": lambda: zlib.compressobj(6, zlib.DEFLATED, GZIP),
        ".xz": lzma.LZMACompressor,
        ".bz2": bz2.BZ2Compressor,
    }
    if ending not in packers:
        yield from pieces
        return
    packer = packers[ending]()
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()
