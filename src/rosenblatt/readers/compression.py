"""Packing what is written, if the name of the file asks for it."""

import bz2
import importlib
import lzma
import os
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from rosenblatt.inputs.errors import InputError

GZIP = 16 + zlib.MAX_WBITS
"""Asks zlib for the header of gzip, which it leaves without a time."""

PACKINGS = {".gz": "gzip", ".xz": "xz", ".bz2": "bzip2", ".zst": "zstd"}
"""What the end of a name asks for."""


def packed(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes, packed as the end of the name says."""
    ending = os.path.splitext(os.fspath(path))[1].lower()
    return packed_by(PACKINGS.get(ending), pieces)


def packed_by(packing: str | None, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes, packed by gzip, xz, bzip2, zstd or not at all."""
    if packing is None:
        yield from pieces
        return
    packers: dict[str, Any] = {
        "gzip": lambda: zlib.compressobj(6, zlib.DEFLATED, GZIP),
        "xz": lzma.LZMACompressor,
        "bzip2": bz2.BZ2Compressor,
        "zstd": _zstd,
    }
    packer = packers[packing]()
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


def _zstd() -> Any:
    try:
        zstandard = importlib.import_module("zstandard")
    except ImportError as error:
        raise InputError(
            "Nothing can be packed by zstd yet", remedy="pip install zstandard"
        ) from error
    return zstandard.ZstdCompressor().compressobj()
